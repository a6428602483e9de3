"""What is wrong with a log or a score sheet, in the language of the page."""

from __future__ import annotations

from flask_babel import gettext as _

from audit.core.errors import AuditError
from replays.error_words import error_words, problem_words
from replays.errors import LogError
from web.site.languages import chosen

LISTED = 3
"""Problems of one file that are told."""


def file_problems(error: AuditError) -> list[str]:
    """A sentence for each problem, the first few."""
    if not isinstance(error, LogError):
        return [error_words(error, chosen())]
    found = [problem_words(problem, chosen()) for problem in error.problems[:LISTED]]
    return found + (["…"] if len(error.problems) > LISTED or error.more else [])


def no_game() -> str:
    """Of a file that is neither a log nor a score sheet."""
    return str(_("This is neither a log nor a score sheet. A score sheet begins with the word game and the players."))
