"""Codes that look alike: neighbours of a code, and when two names count as neighbours."""

import random


def near_codes(base: str, count: int, rng: random.Random) -> list[str]:
    """`base` and `count - 1` codes that differ from it by one digit or by two neighbouring digits swapped."""
    places = [place for place, char in enumerate(base) if char.isdigit() and not _in_year(base, place)]
    codes = [base]
    while len(codes) < count:
        place = rng.choice(places)
        code = _swap(base, place) if rng.random() < 0.4 else _replace(base, place, rng)
        if code not in codes and _is_plausible(code):
            codes.append(code)
    return codes


def is_near(one: str, other: str) -> bool:
    """Whether one character put in, left out, replaced, or swapped with its neighbour is the difference."""
    if one == other:
        return False
    shorter = min(len(one), len(other))
    start = next((at for at in range(shorter) if one[at] != other[at]), shorter)
    rest, others = one[start:], other[start:]
    swapped = rest[:2] == others[:2][::-1] and rest[2:] == others[2:]
    return swapped or rest[1:] in (others, others[1:]) or rest == others[1:]


def _in_year(code: str, place: int) -> bool:
    return code.startswith("SN-") and place < len("SN-2025")


def _swap(code: str, place: int) -> str:
    if not code[place + 1 : place + 2].isdigit():
        return code
    return code[:place] + code[place + 1] + code[place] + code[place + 2 :]


def _replace(code: str, place: int, rng: random.Random) -> str:
    return code[:place] + rng.choice("123456789") + code[place + 1 :]


def _is_plausible(code: str) -> bool:
    """No part of a version begins with 0, no part of an address is above 255."""
    parts = code.lstrip("v").split(".")
    return not any(part.startswith("0") or (part.isdigit() and int(part) > 255) for part in parts)
