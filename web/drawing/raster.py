"""SVG pictures as PNG, for places that show no SVG. Needs the package cairosvg (`audit[pictures]`)."""

from __future__ import annotations

from functools import cache
from typing import cast

SCALE = 2


@cache
def can_be_made() -> bool:
    """Whether the package and the library below it are there."""
    try:
        import cairosvg  # noqa: F401
    except (ImportError, OSError):
        return False
    return True


def png(drawn: str, scale: float = SCALE) -> bytes:
    """The picture as PNG; only where `can_be_made` says so."""
    import cairosvg

    return cast(bytes, cairosvg.svg2png(bytestring=drawn.encode(), scale=scale))
