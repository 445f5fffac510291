"""Draw the sample's pictures: two screenshots, a display in Chinese and a plan of a cold store."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import matplotlib
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from evals.sample import words

FONTS = (
    Path(matplotlib.get_data_path()) / "fonts" / "ttf"
)  # DejaVu travels with matplotlib: same glyphs everywhere
CHINESE_FONT = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
SIMPLIFIED = 2  # the face of the collection that holds mainland forms

SHADES = {"green": "#7ee787", "white": "#d6dde6", "red": "#ff7b72", "yellow": "#e3b341"}


def draw_terminal(target: Path) -> None:
    """A dark terminal in which an upload is refused with ERR_5032."""
    image = Image.new("RGB", (980, 400), "#0d1117")
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 980, 34), fill="#1c2430")
    for place, shade in enumerate(("#ff5f56", "#ffbd2e", "#27c93f")):
        pen.ellipse((16 + 24 * place, 10, 30 + 24 * place, 24), fill=shade)
    for row, (shade, line) in enumerate(words.TERMINAL):
        pen.text((24, 54 + 36 * row), line, font=_latin(20, mono=True), fill=SHADES[shade])
    image.save(target, optimize=True)


def draw_dialog(target: Path) -> None:
    """A light page of Skylark in which a rule cannot be saved: ERR_4032."""
    image = Image.new("RGB", (900, 480), "#f6f8fa")
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 900, 56), fill="#15506b")
    pen.text((24, 14), words.DIALOG_TITLE, font=_latin(22), fill="white")
    pen.rounded_rectangle((24, 76, 876, 146), 8, fill="#ffe3e0", outline="#cf4037")
    pen.text((44, 96), words.DIALOG_ERROR, font=_latin(22), fill="#8f1d15")
    for row, line in enumerate(words.DIALOG):
        pen.text((44, 172 + 42 * row), line, font=_latin(19, mono=True), fill="#1f2328")
    pen.rounded_rectangle((44, 400, 184, 448), 8, fill="#9db7c3")
    pen.text((88, 411), "Save", font=_latin(20), fill="white")
    image.save(target, optimize=True)


def draw_display(target: Path) -> None:
    """The Chinese app on a dark phone, showing E-71 on a vehicle logger."""
    font = ImageFont.truetype(str(CHINESE_FONT), 30, index=SIMPLIFIED)
    image = Image.new("RGB", (640, 470), "#101820")
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 0, 640, 78), fill="#1d3b4a")
    for row, line in enumerate(words.DISPLAY):
        shade = "#ff8a80" if "E-71" in line else "#e8eef2"
        pen.text((32, 18 + 72 * row), line, font=font, fill=shade)
    image.save(target, optimize=True)


def draw_plan(target: Path) -> None:
    """A cold store seen from above as if photographed from a wall: uneven light, grain, labels."""
    image = Image.new("RGB", (1100, 720), "#cfd8dc")
    pen = ImageDraw.Draw(image)
    pen.rectangle((60, 90, 860, 660), fill="#e7f1f6", outline="#37474f", width=8)
    _label(pen, (70, 30), words.PLAN_TITLE, 28)
    for row in range(3):
        pen.rectangle(
            (200, 170 + 160 * row, 720, 240 + 160 * row), fill="#b08d57", outline="#5d4037", width=3
        )
    _draw_probes(pen)
    pen.rectangle((790, 110, 850, 220), fill="#78909c")
    _label(pen, (770, 226), "Fan", 22)
    pen.rectangle((852, 520, 868, 640), fill="#c62828")
    _label(pen, (880, 570), words.PLAN_DOOR, 22)
    pen.rounded_rectangle((900, 250, 980, 310), 8, fill="white", outline="#263238", width=3)
    _label(pen, (880, 316), words.PLAN_GATEWAY, 22)
    _photograph(image).save(target, quality=82)


def _draw_probes(pen: ImageDraw.ImageDraw) -> None:
    spots = [(180, 205), (740, 365), (460, 365), (180, 525), (740, 205)]
    for number, (x, y) in enumerate(spots, start=1):
        pen.ellipse((x - 16, y - 16, x + 16, y + 16), fill="#2e7d32")
        _label(pen, (x - 14, y - 48), f"P{number}", 22)


def _photograph(image: Image.Image) -> Image.Image:
    """Tilt, blur a little and grain the drawing with a fixed seed."""
    grain = random.Random(3102)
    dots = bytes(grain.randrange(96, 160) for _ in range(image.width * image.height))
    noise = Image.frombytes("L", image.size, dots)
    tilted = image.rotate(0.8, fillcolor="#b0bec5", resample=Image.Resampling.BICUBIC)
    soft = tilted.filter(ImageFilter.GaussianBlur(0.6))
    return Image.blend(soft, Image.merge("RGB", (noise, noise, noise)), 0.12)


def _label(pen: ImageDraw.ImageDraw, place: Sequence[float], text: str, size: int) -> None:
    pen.text((place[0], place[1]), text, font=_latin(size), fill="#1b262c")


def _latin(size: int, mono: bool = False) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(FONTS / ("DejaVuSansMono.ttf" if mono else "DejaVuSans.ttf")), size)


PICTURES: dict[str, Callable[[Path], None]] = {
    "upload-refused.png": draw_terminal,
    "rule-not-saved.png": draw_dialog,
    "logger-battery-zh.png": draw_display,
    "chill-room-plan.jpg": draw_plan,
}
