"""The library for programs: judge a log, explain a step, ask about a position, look up a rule, each in one call.

`import audit` offers the same functions (`audit.check`); from here they come with their types.
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from typing import BinaryIO, cast

from audit.core.catalogue import LANGUAGES
from audit.core.disclosure import JUDGE, PUBLIC
from audit.core.errors import UnknownLanguageError, UnknownViewerError
from replays.errors import NoSuchEventError
from replays.judging.replay import Replay
from replays.judging.replay import replay as replayed
from replays.judging.report import Report
from replays.judging.report import check as checked
from replays.judging.sentences import Json
from replays.log.reader import Log
from replays.scoresheet.opening import opened
from replays.table.answer import AnswerWriter, answered
from replays.table.question import header_at, question
from replays.terminal.rules import find_rule, rule_json

LogSource = str | PathLike[str] | BinaryIO
"""A path, or a stream of bytes: of a log, or of a score sheet."""


def check(
    log: LogSource, *, language: str = "en", reading: str | None = None, edition: str | None = None
) -> Report:  # fmt: skip
    """Judge a log: its findings, each with its sentence and rules, and how much of the game was judged.

    Raises `AuditError`, such as `LogError` for a log that cannot be read.
    """
    return checked(_opened(log, edition), language=_known(language), reading=reading)


def replay(
    log: LogSource,
    *,
    viewer: str = JUDGE,
    language: str = "en",
    reading: str | None = None,
    edition: str | None = None,
) -> Replay:
    """Every step of a game as that viewer may know it: a seat, `public` or `judge`. Raises `AuditError`."""
    return _replayed(_opened(log, edition), viewer, language, reading)


def explain(
    log: LogSource,
    seq: int,
    *,
    viewer: str = JUDGE,
    language: str = "en",
    reading: str | None = None,
    edition: str | None = None,
) -> list[Json]:
    """The step of the event with that seq and the steps that led to it, nearest first, each with its rules.

    Raises `NoSuchEventError` where the log has no such event, and `AuditError`.
    """
    source = _opened(log, edition)
    steps = _replayed(source, viewer, language, reading).steps
    if seq not in steps.of_seq:
        raise NoSuchEventError(source.name, seq, max(steps.of_seq, default=0))
    step = steps[steps.of_seq[seq]]
    causes = dict.fromkeys(cast(Sequence[int], step["because"]))
    return [step, *(steps[steps.of_seq[cause]] for cause in causes if cause in steps.of_seq)]


def ask(
    position: str,
    *events: str,
    languages: Sequence[str] = ("en",),
    reading: str | None = None,
    edition: str = "",
) -> Json:
    """Whether events may happen in a position, and what follows; without events, what may come.

    Both are written as for `audit ask`. Sentences are in the first of the languages, the statements of rules in all; a
    single language may be named by itself. Raises `AuditError`.
    """
    wanted = [_known(each) for each in ([languages] if isinstance(languages, str) else languages or [""])]
    return AnswerWriter(answered(question(header_at(position, reading, edition), events)), wanted).json()


def rule(id: str, *, language: str = "en", ruleset: str | None = None) -> Json:
    """All that is known of a rule or ruling: statements, places, code, cases. Raises `AuditError`."""
    language = _known(language)
    game, found = find_rule(id, ruleset)
    return rule_json(game, found, language)


def _replayed(source: Log, viewer: str, language: str, reading: str | None) -> Replay:
    viewers = (*source.ruleset.disclosure.seats(source.header), PUBLIC, JUDGE)
    if viewer not in viewers:
        raise UnknownViewerError(viewer, viewers)
    return replayed(source, viewer=viewer, language=_known(language), reading=reading)


def _known(language: str) -> str:
    if language not in LANGUAGES:
        raise UnknownLanguageError(language, LANGUAGES)
    return language


def _opened(source: LogSource, edition: str | None) -> Log:
    return opened(fspath(source) if isinstance(source, PathLike) else source, edition)
