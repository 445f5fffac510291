"""Make the sample's PDF, DOCX and pictures again from the texts here: `python -m evals.sample.render`."""

import sys
from datetime import date
from pathlib import Path

from evals.sample.drawing import PICTURES
from evals.sample.printing import write_docx, write_pdf

HERE = Path(__file__).parent
PRODUCTS = HERE / "handbook" / "products"
WHEN = date(2026, 1, 12)


def render(products: Path = PRODUCTS) -> list[Path]:
    """Write all made files below `products` and return their paths. OSError where a font is missing."""
    screens = products / "screens"
    screens.mkdir(parents=True, exist_ok=True)
    warranty, calibration = products / "warranty-europe.pdf", products / "calibration-cp-07.docx"
    write_pdf((HERE / "text" / "warranty.md").read_text("utf-8"), warranty, WHEN)
    write_docx((HERE / "text" / "calibration.md").read_text("utf-8"), calibration, WHEN)
    for name, draw in PICTURES.items():
        draw(screens / name)
    return [warranty, calibration, *(screens / name for name in PICTURES)]


if __name__ == "__main__":
    sys.stdout.writelines(f"{path}\n" for path in render())
