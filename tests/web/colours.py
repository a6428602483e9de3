"""OKLCH as a browser understands it, for tests of contrast."""

from __future__ import annotations

from math import cos, radians, sin

Rgb = tuple[float, float, float]


def linear(lightness: float, chroma: float, hue: float) -> Rgb:
    """A colour as linear sRGB; outside 0 to 1 where no screen of that kind can show it (Ottosson, Oklab, 2020)."""
    a, b = chroma * cos(radians(hue)), chroma * sin(radians(hue))
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )


def of_hex(colour: str) -> Rgb:
    """`#15181d` as linear sRGB."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _expanded(red), _expanded(green), _expanded(blue)


def _expanded(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else float(((value + 0.055) / 1.055) ** 2.4)


def contrast(one: Rgb, other: Rgb) -> float:
    """The contrast of two colours (WCAG 2.2, 1.4.3)."""
    dark, light = sorted(0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in (one, other))
    return (light + 0.05) / (dark + 0.05)
