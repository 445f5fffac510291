"""Images in and out: OCR, description, search by image, vision answers."""
