"""What is wrong with a log or a score sheet, in the language of the page."""

from __future__ import annotations

from flask_babel import gettext as _

from audit.core.errors import AuditError
from replays.errors import LogError, Problem
from web.site.languages import chosen

COLUMN = "column "
LISTED = 3
"""Problems of one file that are told."""


def file_problems(error: AuditError) -> list[str]:
    """A sentence for each problem, the first few: in English all that is known, else what and where it is."""
    if not isinstance(error, LogError):
        return [str(error)]
    found = [_said(problem) for problem in error.problems[:LISTED]]
    return found + (["…"] if len(error.problems) > LISTED or error.more else [])


def no_game() -> str:
    """Of a file that is neither a log nor a score sheet."""
    return str(_("This is neither a log nor a score sheet. A score sheet begins with the word game and the players."))


def _said(problem: Problem) -> str:
    told: str
    if chosen() == "en":
        told = problem.text
    elif problem.field.startswith(COLUMN):
        n = problem.field.removeprefix(COLUMN)
        told = _(
            "Line %(line)s cannot be read from letter %(n)s on: %(found)s", line=problem.line, n=n, found=problem.found
        )
    elif problem.line:
        told = _("Line %(line)s cannot be read: %(place)s", line=problem.line, place=problem.field or problem.found)
    else:
        told = _("This does not fit: %(place)s", place=problem.field or problem.found)
    return told
