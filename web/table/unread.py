"""What is said of a line or a position that cannot be read, in the language of the page."""

from __future__ import annotations

from collections.abc import Sequence

from flask_babel import gettext as _

from audit.core.errors import (
    AuditError,
    PositionTextError,
    SetupError,
    UnknownEditionError,
    UnknownReadingError,
    UnknownRulesetError,
)
from replays.errors import LogError, Problem
from replays.importing.saves import SaveError
from replays.scoresheet.forms import fits_in
from replays.scoresheet.meanings import END
from replays.scoresheet.words import LINE_END, Fit, told_fits
from replays.table.question import UnreadEventError
from web.site.languages import chosen

COLUMN = "column "
ENGLISH = ("Expected ", "Object ", "Invalid ", "JSON ")
"""So begins what a decoder has found."""


def said(error: AuditError) -> str:
    """The problem in words: in English all that is known of it, in another language what and where it is."""
    if isinstance(error, UnreadEventError):
        return said_of_line(error.found, error.expected, fits_in(error.game, error.fits, chosen()))
    return str(error) if chosen() == "en" else _translated(error)


def _translated(error: AuditError) -> str:
    told: str
    match error:
        case PositionTextError():
            told = _("The position cannot be read from letter %(n)s on: %(found)s", n=error.column, found=error.found)
        case SetupError():
            told = _of_setup(error)
        case LogError():
            told = _of_lines(error.problems[0]) if error.problems else _("This cannot be read.")
        case UnknownRulesetError():
            told = _("%(name)s is not known here.", name=error.ruleset)
        case UnknownReadingError():
            told = _("%(name)s is not known here.", name=error.reading)
        case UnknownEditionError():
            told = _("%(name)s is not known here.", name=error.edition)
        case SaveError():
            told = _("This does not fit: %(place)s", place=error.where)
        case _:
            told = _("This cannot be read: %(found)s", found=str(error))
    return told


def _of_setup(error: SetupError) -> str:
    told: str = _("This does not fit: %(place)s", place=error.field)
    if error.found and error.found == error.near:
        told = _("%(name)s stands there more than once: %(place)s", name=error.found, place=error.field)
    elif error.near:
        place, near = error.field, error.near
        told = _(
            "%(name)s cannot stand there: %(place)s. The nearest is %(near)s.", name=error.found, place=place, near=near
        )
    elif error.found:
        told = _("%(name)s cannot stand there: %(place)s", name=error.found, place=error.field)
    return told


def _of_lines(problem: Problem) -> str:
    """The first line that cannot be read; its own words where a letter of it is named."""
    told: str
    if problem.field.startswith(COLUMN):
        n = problem.field.removeprefix(COLUMN)
        told = _(
            "Line %(line)s cannot be read from letter %(n)s on: %(found)s", line=problem.line, n=n, found=problem.found
        )
    elif problem.line:
        told = _("Line %(line)s cannot be read: %(place)s", line=problem.line, place=problem.field or problem.found)
    else:
        told = _("This does not fit: %(place)s", place=problem.field or problem.found)
    return told


def said_of_line(found: str, expected: str, fits: Sequence[Fit]) -> str:
    """What was found in a line of a score sheet, and what would fit there."""
    told: str
    if chosen() != "en" and (not fits or found.startswith(ENGLISH)):
        found = "" if found.startswith(ENGLISH) else found
        told = _("This cannot be read: %(found)s", found=found) if found else _("This cannot be read.")
        return told
    fitting = told_fits(chosen(), fits, found) or expected
    found = told_fits(chosen(), (LINE_END,)) if found == END else found
    told = _("This cannot be read: %(found)s. Here would fit: %(expected)s", found=found, expected=fitting)
    return told
