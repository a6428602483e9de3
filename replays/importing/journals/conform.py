"""What a program that records games does otherwise than the rules, by rule and card.

Its games come as journals, or as logs that are complete or hold checkpoints. Every finding is a departure or the
consequence of one: a step that rests on an earlier mistake, that was led to by one, or a checkpoint that shows again
what an earlier one showed. Departures by the same rule and card are one, however often they occur.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import cast

import msgspec
from msgspec import Struct

from audit.core.auditor import audit
from audit.core.model import Event, Header
from audit.core.record import words_in
from audit.core.record_events import Checkpoint
from audit.core.ruleset import Ruleset, ruleset
from audit.core.steps import Step
from replays.files import UnreadableFileError, open_plain
from replays.importing.journals.journal import ImportedGame, imported_or_set_aside
from replays.importing.journals.reading import GZIP, SetAside, journal
from replays.judging.annotate import Annotator
from replays.log.reader import open_log

Json = dict[str, object]

NO_RULE = ""
"""The rule of a checkpoint that no event explains."""


class Occurrence(Struct, frozen=True):
    """Where a program departs from the rules: the line of a journal's game or of a log, and what was expected."""

    source: str
    game: str
    line: int
    seq: int
    rule: str
    card: str
    statement: str
    message: str
    expected: tuple[str, ...] = ()
    consequences: tuple[Occurrence, ...] = ()


class Departure(Struct, frozen=True):
    """One way in which the program departs from the rules, first where it does so first."""

    rule: str
    card: str
    statement: str
    occurrences: tuple[Occurrence, ...]


class ConformedGame(Struct, frozen=True):
    """A game that was looked at: how many events were judged, and what could not be followed in its journal."""

    source: str
    game: str
    events: int
    occurrences: tuple[Occurrence, ...]
    unexplained: tuple[int, ...] = ()
    set_aside: str = ""


class Conformity(Struct, frozen=True):
    """All games of a program, and its departures, in the order in which they first occur."""

    games: tuple[ConformedGame, ...]
    departures: tuple[Departure, ...]

    @property
    def is_by_the_rules(self) -> bool:
        """Whether every line is explained by the rules."""
        return not self.departures and not any(game.unexplained for game in self.games)


def conformity(paths: Iterable[str], language: str = "en") -> Conformity:
    """Judge the games of a program; raises `LogError` where a file is neither a log nor a journal."""
    games = tuple(game for path in paths for game in _games(path, language))
    return Conformity(games, tuple(_departures(games)))


def _games(path: str, language: str) -> Iterator[ConformedGame]:
    if not is_journal(path):
        log = open_log(path)
        log.start()
        yield _looked_at(log.name, log.ruleset, log.header, log, language)
        return
    for game in journal(path):
        one = imported_or_set_aside(game)
        if isinstance(one, SetAside):
            yield ConformedGame(path, str(one.game or ""), 0, (), set_aside=one.problem.text)
        else:
            yield _imported(path, one, language)


def _imported(path: str, one: ImportedGame, language: str) -> ConformedGame:
    game = ruleset(one.header.ruleset)
    looked_at = _looked_at(path, game, one.header, one.events, language, one.lines)
    return msgspec.structs.replace(looked_at, unexplained=one.unexplained)


def is_journal(path: str) -> bool:
    """Whether a file is a journal and not a log, by its first line."""
    try:
        with open_plain(path) as file:
            is_packed = file.read(2) == GZIP
        with gzip.open(path, "rb") if is_packed else open_plain(path) as lines:
            first = msgspec.json.decode(lines.readline(1 << 16))
    except (OSError, EOFError, UnreadableFileError, msgspec.MsgspecError):
        return False
    return isinstance(first, dict) and "k" in first and "log" not in first


def _looked_at(
    source: str,
    game: Ruleset[object],
    header: Header,
    events: Iterable[Event],
    language: str,
    lines: Sequence[int] = (),
) -> ConformedGame:
    steps = list(audit(game, header, events))
    reporter = _Reporter(source, game, header, language, lines)
    return ConformedGame(
        source, header.game, sum(step.seq is not None for step in steps), tuple(reporter.occurrences(steps))
    )


class _Reporter:
    """Makes occurrences of the findings of one game."""

    def __init__(self, source: str, game: Ruleset[object], header: Header, language: str, lines: Sequence[int]) -> None:
        self.source = source
        self.game = game
        self.header = header
        self.lines = lines
        self.annotator = Annotator(game, language, header=header)

    def occurrences(self, steps: Sequence[Step]) -> Iterator[Occurrence]:
        """The first causes in the order of the game, each with its consequences."""
        causes: list[tuple[Step, list[Step]]] = []
        of_seq = {step.seq: step for step in steps if step.seq is not None}
        for step in steps:
            if not step.verdict.is_finding:
                continue
            earlier = next((cause for cause in reversed(causes) if _follows(step, cause, of_seq)), None)
            if earlier:
                earlier[1].append(step)
            else:
                causes.append((step, []))
        for cause, consequences in causes:
            yield self.occurrence(cause, of_seq, tuple(self.occurrence(step, of_seq) for step in consequences))

    def occurrence(
        self, step: Step, of_seq: Mapping[int, Step], consequences: tuple[Occurrence, ...] = ()
    ) -> Occurrence:
        """One finding, or the event after which a checkpoint differs."""
        found = self.annotator.finding(step)
        seq = cast(int, step.seq)
        rule, card = self._by(step if step.rules or not step.because else of_seq.get(step.because[0], step))
        statement = self.game.catalogue.statement(self.game.catalogue[rule], self.annotator.language) if rule else ""
        line = self.lines[seq - 1] if self.lines else seq + 1
        expected = tuple(cast(Sequence[str], found["expected_text"])[:3])
        return Occurrence(
            self.source, self.header.game, line, seq, rule, card, statement, str(found["message"]), expected,
            consequences,
        )  # fmt: skip

    def _by(self, step: Step) -> tuple[str, str]:
        """The rule, and the card whose text was carried out, that the rule is made for, or that was moved."""
        rule = step.rules[0] if step.rules else None
        acting = next((one for one in self.game.disclosure.pending(step.before) if "rest" in one), {})
        data = step.violations[0].data if step.violations else {}
        told = data.get("source") or data.get("card")
        named = told or getattr(step.event, "card", None) or next(iter(getattr(step.event, "cards", None) or ()), "")
        card = (rule.cards[0] if rule and rule.cards else "") or str(acting.get("card") or named)
        return rule.id if rule else NO_RULE, card


def _follows(step: Step, cause: tuple[Step, list[Step]], of_seq: Mapping[int, Step]) -> bool:
    """Whether a finding comes from an earlier one, or shows once more what that one or its consequences showed."""
    before = (cause[0], *cause[1])
    if step.guessed or {one.seq for one in before} & set(_causes(step, of_seq)):
        return True
    if type(step.event) is not Checkpoint:
        return any(_is_repeated(step, one) for one in before)
    return any(
        type(one.event) is Checkpoint or words_in(msgspec.to_builtins(one.event)) & _differing(step) for one in before
    )


def _causes(step: Step, of_seq: Mapping[int, Step]) -> Iterator[int]:
    """The seqs that led to a step, and those that led to them."""
    waiting, seen = list(step.because), set[int]()
    while waiting:
        seq = waiting.pop()
        if seq not in seen:
            seen.add(seq)
            yield seq
            waiting += of_seq[seq].because if seq in of_seq else ()


def _is_repeated(step: Step, one: Step) -> bool:
    """Whether the same text is carried out wrongly once more in the same turn."""
    return bool(step.rules) and step.rules[:1] == one.rules[:1] and step.event == one.event


def _differing(step: Step) -> frozenset[str]:
    """The cards in which a position on the table and one of the record differ."""
    said = " ".join(str(value) for violation in step.violations for value in violation.data.values())
    return frozenset("".join(letter if letter.isalnum() or letter == "-" else " " for letter in said).split())


def _departures(games: Iterable[ConformedGame]) -> Iterator[Departure]:
    by: dict[tuple[str, str], list[Occurrence]] = {}
    for game in games:
        for one in game.occurrences:
            by.setdefault((one.rule, one.card), []).append(one)
    for (rule, card), found in by.items():
        yield Departure(rule, card, found[0].statement, tuple(found))
