"""Finds a typeface that has Chinese characters among those of this machine."""

from functools import cache

_HAN = (
    *("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "PingFang SC"),
    *(
        "Microsoft YaHei",
        "WenQuanYi Micro Hei",
        "WenQuanYi Zen Hei",
        "SimHei",
        "Heiti SC",
        "Noto Sans CJK JP",
    ),
)
"""Families, the best mainland forms first."""


@cache
def han_font() -> tuple[str, str] | None:
    """Family and file of a typeface with Chinese characters, or None where there is none."""
    from matplotlib.font_manager import fontManager

    files = {font.name: font.fname for font in fontManager.ttflist}
    return next(((name, files[name]) for name in _HAN if name in files), None)
