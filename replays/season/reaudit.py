"""Effects of a new edition: stored games that rest on changed passages, and verdicts that the new reading changes.

The old judgement stands beside the new one. Nothing is written, neither to a game nor to its annotations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypedDict

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import words
from audit.core.errors import AuditError
from audit.core.model import Event, Header
from audit.core.ruleset import Ruleset
from audit.core.sentences import sentence
from audit.core.steps import Step
from audit.rulebooks.quoting import Quotation
from replays.judging.annotate import Annotator, with_reading
from replays.judging.tally import superseded_steps
from replays.season.changed_passages import PassageChange


class Judgement(Struct, frozen=True):
    """What is said of an event: the verdict, the rules, and for a finding the message."""

    verdict: str
    rules: tuple[str, ...]
    message: str = ""


class VerdictChange(Struct, frozen=True):
    """An event of which something else is said now."""

    seq: int
    before: Judgement
    after: Judgement


class Reaudited(Struct, frozen=True, kw_only=True):
    """One game: the verdicts that change, and for each changed passage the events that cite its rule.

    `trouble` says why the game cannot be judged by one of the readings, where it cannot.
    """

    id: str
    game: str
    ruleset: str
    readings: tuple[str, str]
    findings: tuple[int, int] = (0, 0)
    verdicts: tuple[VerdictChange, ...] = ()
    passages: Mapping[str, tuple[int, ...]] = {}
    trouble: str = ""

    @property
    def is_touched(self) -> bool:
        """Something about this game changes."""
        return bool(self.verdicts or self.passages or self.trouble)


class ReauditTold(TypedDict):
    """The passages that changed, and every game that is touched, with old and new."""

    passages: Sequence[PassageChange]
    games: Sequence[Reaudited]


class StoredGame(Struct, frozen=True):
    """A game to go over again."""

    id: str
    header: Header
    ruleset: Ruleset[object]
    events: tuple[Event, ...]


def reaudited_game(
    game: StoredGame, *, after: str | None = None, rules: Collection[str] = (), language: str = "en"
) -> Reaudited:
    """One game judged by its own reading and by `after`, if that is another, and its events that cite these rules."""
    readings = (game.header.reading, after or game.header.reading)
    untold = Reaudited(id=game.id, game=game.header.game, ruleset=game.ruleset.name, readings=readings)
    try:
        old = _judged(game, None, language)
        new = old if readings[0] == readings[1] else _judged(game, after, language)
    except AuditError as error:
        return replace(untold, trouble=str(error))
    verdicts = tuple(VerdictChange(seq, old[seq], new[seq]) for seq in old if old[seq] != new[seq])
    return replace(
        untold, findings=(_findings(old), _findings(new)), verdicts=verdicts,
        passages={rule: seqs for rule in sorted(rules) if (seqs := _citing(new, rule))},
    )  # fmt: skip


def reaudit_lines(
    found: Iterable[Reaudited], passages: Sequence[PassageChange] = (), language: str = "en"
) -> Iterator[str]:
    """For a terminal: the passages, then each game that is touched, old beside new; then the sums."""
    for change in passages:
        were, are = (_edition(said, language) for said in (change.before, change.after))
        yield f"{change.rule}  [{change.language}]  {were} > {are}"
        yield from (f"  {mark} {q.text}" for mark, q in (("-", change.before), ("+", change.after)) if q.text)
    counts: Counter[str] = Counter()
    for one in found:
        counts.update(["games", *(["touched"] if one.is_touched else []), *(["verdicts"] if one.verdicts else [])])
        if one.is_touched:
            yield from _in_lines(one, language)
    sums = {**{key: counts[key] for key in ("games", "touched", "verdicts")}, "passages": len(passages)}
    yield ", ".join(_say(language, key, n=number) for key, number in sums.items())


def reaudit_json(found: Iterable[Reaudited], passages: Sequence[PassageChange] = ()) -> ReauditTold:
    """For programs: the passages with both quotations, and every game that is touched with old and new."""
    games = [msgspec.to_builtins(one) for one in found if one.is_touched]
    return {"passages": msgspec.to_builtins(tuple(passages)), "games": games}


def _judged(game: StoredGame, reading: str | None, language: str) -> dict[int, Judgement]:
    """What is said of each event that was written down and stands."""
    annotator = Annotator(game.ruleset, language, header=game.header)
    steps = list(audit(game.ruleset, with_reading(game.header, reading), game.events))
    aside = superseded_steps(steps)
    return {step.seq: _said(step, annotator) for step in steps if step.seq is not None and step.index not in aside}


def _said(step: Step, annotator: Annotator) -> Judgement:
    message = annotator.message(step) if step.verdict.is_finding else ""
    return Judgement(step.verdict.value, tuple(rule.id for rule in step.rules), message)


def _findings(said: Mapping[int, Judgement]) -> int:
    return sum(1 for one in said.values() if one.message)


def _citing(said: Mapping[int, Judgement], rule: str) -> tuple[int, ...]:
    return tuple(seq for seq, one in said.items() if rule in one.rules)


def _say(language: str, key: str, **data: object) -> str:
    return sentence("replays", language, key, data, "reaudit")


def _edition(said: Quotation, language: str) -> str:
    standing = words("replays", language, "quotes")[said.standing]
    return f"{said.edition[:8]} {said.place} ({standing})" if said.edition else standing


def _in_lines(one: Reaudited, language: str) -> Iterator[str]:
    verdicts = words("audit.core", language, "record")
    yield f"{one.id}  {one.game}  {' > '.join(one.readings)}".rstrip()
    if one.trouble:
        yield f"  {one.trouble}"
    for rule, seqs in one.passages.items():
        some = f"{', '.join(map(str, seqs[:8]))}{' …' if len(seqs) > 8 else ''}"
        yield f"  {_say(language, 'quoted', rule=rule, seqs=some)}"
    for change in one.verdicts:
        for mark, said in (("-", change.before), ("+", change.after)):
            verdict = verdicts[f"verdict.{said.verdict}"]
            yield f"  seq {change.seq:<5} {mark} {verdict:12} {', '.join(said.rules)}  {said.message}".rstrip()
    if one.verdicts:
        yield f"  {_say(language, 'findings', before=one.findings[0], after=one.findings[1])}"
