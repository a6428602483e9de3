"""What is said of a line or a position that cannot be read, in the language of the page."""

from __future__ import annotations

from collections.abc import Sequence

from flask_babel import gettext as _

from audit.errors import AuditError, PositionTextError
from replays.asking.question import UnreadEventError
from replays.scoresheet.fits import LINE_END, Fit, told_fits
from replays.scoresheet.forms import END
from web.site.languages import chosen


def said(error: AuditError) -> str:
    """The problem in words."""
    if isinstance(error, UnreadEventError):
        return said_of_line(error.found, error.expected, error.fits)
    if isinstance(error, PositionTextError) and chosen() != "en":
        told: str = _("The position cannot be read from letter %(n)s on: %(found)s", n=error.column, found=error.found)
        return told
    return str(error)


def said_of_line(found: str, expected: str, fits: Sequence[Fit]) -> str:
    """What was found in a line of a score sheet, and what would fit there."""
    fitting = told_fits(chosen(), fits, found) or expected
    found = told_fits(chosen(), (LINE_END,)) if found == END else found
    told: str = _("This cannot be read: %(found)s. Here would fit: %(expected)s", found=found, expected=fitting)
    return told
