"""What is said of a line or a position that cannot be read, in the language of the page."""

from __future__ import annotations

from collections.abc import Sequence

from audit.core.errors import AuditError
from replays.error_words import error_words, misfit_words
from replays.scoresheet.words import Fit
from web.site.languages import chosen


def said(error: AuditError) -> str:
    """The problem in words: in English all that is known of it, in another language what and where it is."""
    return error_words(error, chosen())


def said_of_line(found: str, expected: str, fits: Sequence[Fit]) -> str:
    """What was found in a line of a score sheet, and what would fit there."""
    return misfit_words(chosen(), found, expected, fits)
