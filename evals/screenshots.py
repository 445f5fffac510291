"""Draws screens with known words, as people post them: light, dark, small, turned, noisy; en and zh."""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from multimodal.fonts import han_font

_PAGES = {
    "en-log": """2026-03-14 09:41:07 ERROR sync: upload refused (ERR_5032)
gateway KB-3102 clock is 412 seconds late
retry 3 of 5 in 30 seconds, queue holds 1,284 readings
hint: check the time server at time.example.net:123
2026-03-14 09:41:37 INFO  sync: connection restored
uploaded 1,284 readings in 8.2 seconds""",
    "en-dialog": """Your changes could not be saved
The rule "Cold room 4" needs the role Planner.
Ask the owner of this workspace for access.
Minimum temperature: -18.5 C   Delay: 15 min
Recipients: night shift, service desk
Reference: 7f3a-19c2   Version 2.31.1""",
    "zh-app": """冷库三号 温度报警
当前温度 -12.4 度，上限 -18 度
持续时间：37 分钟，负责人：王小明
设备编号 KB-3201，固件版本 v2.32.0
请在十五分钟内确认，否则通知值班经理
上次校准：2025 年 11 月 6 日""",
    "zh-form": """费用报销单
申请人：李雪梅　部门：市场部
出差城市：苏州　住宿两晚
高铁二等座 139.5 元，酒店 760 元
合计金额 899.5 元，发票三张
审批状态：等待财务复核""",
}
_LIGHT = ("#1f2328", "#ffffff")
_DARK = ("#d6dde6", "#0d1117")


@dataclass(frozen=True)
class Shot:
    """A drawn screen and the words on it."""

    name: str
    words: str
    data: bytes


def shots() -> Iterator[Shot]:
    """Every page in every condition, the same bytes each time; Chinese ones only with a typeface for them."""
    for page, words in _PAGES.items():
        if page.startswith("en") or han_font():
            for condition, draw in _CONDITIONS.items():
                yield Shot(f"{page}-{condition}", words, draw(page, words))


def _screen(page: str, words: str, size: int, colours: tuple[str, str]) -> Image.Image:
    ink, ground = colours
    font = _font(page, size)
    width = max(int(font.getlength(line)) for line in words.splitlines()) + 4 * size
    lines = words.splitlines()
    picture = Image.new("RGB", (width, int(1.7 * size * (len(lines) + 1))), ground)
    pen = ImageDraw.Draw(picture)
    for row, line in enumerate(lines):
        pen.text((2 * size, int(size * (0.9 + 1.7 * row))), line, font=font, fill=ink)
    return picture


def _font(page: str, size: int) -> ImageFont.FreeTypeFont:
    import matplotlib

    found = han_font()
    if page.startswith("zh") and found:
        return _face(found, size)
    name = "DejaVuSansMono.ttf" if page.endswith("log") else "DejaVuSans.ttf"
    return ImageFont.truetype(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / name, size)


def _face(found: tuple[str, str], size: int) -> ImageFont.FreeTypeFont:
    """The family's face in a collection; the first one where it is not named."""
    family, file = found
    for index in range(10):
        try:
            font = ImageFont.truetype(file, size, index=index)
        except OSError:
            break
        if font.getname()[0] == family:
            return font
    return ImageFont.truetype(file, size)


def _rotated(picture: Image.Image, degrees: float) -> Image.Image:
    return picture.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor="#ffffff")


def _noisy(picture: Image.Image) -> Image.Image:
    """Grain of a camera with a fixed seed; the JPEG's blocks come on top."""
    pixels = np.asarray(picture, float)
    grain = np.random.default_rng(3102).normal(0, 18, pixels.shape[:2])[:, :, None]
    return Image.fromarray(np.clip(pixels + grain, 0, 255).astype(np.uint8))


def _encode(picture: Image.Image, form: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, form, **({"quality": 55} if form == "JPEG" else {}))
    return buffer.getvalue()


_CONDITIONS: dict[str, Callable[[str, str], bytes]] = {
    "light": lambda page, words: _encode(_screen(page, words, 22, _LIGHT)),
    "dark": lambda page, words: _encode(_screen(page, words, 22, _DARK)),
    "small": lambda page, words: _encode(_screen(page, words, 12, _LIGHT)),
    "tilted": lambda page, words: _encode(_rotated(_screen(page, words, 24, _LIGHT), 4)),
    "sideways": lambda page, words: _encode(_rotated(_screen(page, words, 24, _LIGHT), 90)),
    "upside-down": lambda page, words: _encode(_rotated(_screen(page, words, 24, _LIGHT), 180)),
    "noisy": lambda page, words: _encode(_noisy(_screen(page, words, 24, _LIGHT)), "JPEG"),
}
