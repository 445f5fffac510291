"""Files made for tests, so that none has to be kept."""

import io
import zipfile

import openpyxl
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def pdf(*pages: list[tuple[str, float, bool]], password: str = "", head: str = "") -> bytes:
    """Pages of (text, size, bold) lines from the top; `head` is printed on top of each."""
    from reportlab.lib.pdfencrypt import StandardEncryption

    held = io.BytesIO()
    encrypt = StandardEncryption(password, ownerPassword="owner") if password else None
    canvas = Canvas(held, A4, encrypt=encrypt)
    for lines in pages:
        if head:
            canvas.setFont("Helvetica", 8)
            canvas.drawString(72, 815, head)
        y = 760.0
        for text, size, bold in lines:
            canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size)
            canvas.drawString(72, y, text)
            y -= size * 1.3 if text else size
        canvas.showPage()
    canvas.save()
    return held.getvalue()


def scanned_pdf(count: int) -> bytes:
    """Pages that are nothing but a picture."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader

    held = io.BytesIO()
    canvas = Canvas(held, A4)
    picture = ImageReader(Image.new("L", (620, 877), 255))
    for _ in range(count):
        canvas.drawImage(picture, 0, 0, *A4)
        canvas.showPage()
    canvas.save()
    return held.getvalue()


def docx(body: str, styles: str = "", **parts: str) -> bytes:
    """A Word file with this XML in its body; `parts` are further members below `word/`."""
    members = {"document": f"<w:body>{body}</w:body>", "styles": styles, **parts}
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, inner in members.items():
            root = {"document": "document"}.get(name, name)
            archive.writestr(f"word/{name}.xml", f"<w:{root} {_W}>{inner}</w:{root}>")
    return held.getvalue()


def p(text: str, style: str = "", extra: str = "") -> str:
    """A Word paragraph."""
    look = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{look}<w:r><w:t>{text}</w:t></w:r>{extra}</w:p>"


def zipped(**members: bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "."), data)
    return held.getvalue()


def office(**members: str) -> bytes:
    """An Office or ODF file of XML parts; `__` in a name stands for `/`."""
    spaces = {
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
        "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
        "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
    }
    known = " ".join(f'xmlns:{prefix}="{address}"' for prefix, address in spaces.items())
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, inner in members.items():
            archive.writestr(f"{name.replace('__', '/')}.xml", f"<root {known}>{inner}</root>")
    return held.getvalue()


def xlsx(sheets: dict[str, list[list[str]]], merged: dict[str, str] | None = None, hidden: str = "") -> bytes:
    """Sheets of text cells; `merged` names a range (`A2:A5`) a sheet."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append([cell or None for cell in row])
        if merged and name in merged:
            sheet.merge_cells(merged[name])
        if name == hidden:
            sheet.sheet_state = "hidden"
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()
