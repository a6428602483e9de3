"""One mistake in a game, judged in the complete log and in records of it.

What a record leaves out may make a mistake invisible, or legal: nobody can know of it. That is decided by the rules
alone, without the auditor: if a legal game could be written down in just these lines, with what leaves no choice and
the permissions not used put in between, the mistake cannot be known, and it does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.event_rules import Obligation, own_fields
from audit.core.model import Event, Header
from audit.core.record_events import Checkpoint, Gap, PositionSet, superseded
from audit.core.ruleset import Ruleset
from audit.core.steps import Step
from audit.games.compile.events import Drew, Identified
from bench import mistakes
from bench.mistakes import Mutant, is_legal
from bench.record_lines import Line, Played, Record, as_known, words, written
from bench.ways import WAYS, says_no

PLANTED = "planted"
"""The label of the line that tells the mistake."""

MOST_POSITIONS = 16
"""So many positions at once are followed in looking for a legal game."""

MOST_BETWEEN = 60
"""So many events in a row may be missing between two lines."""

LOOK_BACK = 40
"""So many events before the mistake the search for a legal game begins."""


def findings(game: Ruleset[object], record: Record) -> list[Step]:
    """What is found in a record, apart from what stands no longer."""
    return standing_findings(record, audit(game, record.header, record.events))


def standing_findings(record: Record, steps: Iterable[Step]) -> list[Step]:
    """The findings among the steps of a record, apart from what stands no longer."""
    gone = superseded(record.events)
    return [step for step in steps if step.verdict.is_finding and step.seq not in gone]


class Wrong(Struct, frozen=True):
    """What is found in the complete log with a mistake."""

    at: int
    rule: str
    findings: int


class Tally(mistakes.Tally):
    """What became of the mistakes written down in one way."""

    gone: int = 0
    accused: int = 0
    asked: int = 0


def in_complete_log(game: Ruleset[object], header: Header, mutant: Mutant) -> Wrong | None:
    """The first finding where everything is told; None where there is none, or the game is legal after all."""
    if is_legal(game, header, mutant.events):
        return None
    found = [step for step in audit(game, header, mutant.events) if step.verdict.is_finding]
    return Wrong(found[0].seq or 0, first_rule(found[0]), len(found)) if found else None


def first_rule(step: Step) -> str:
    """The rule that a finding names first."""
    return step.rules[0].id if step.rules else ""


def judged(
    game: Ruleset[object], header: Header, mutant: Mutant, wrong: Wrong, writer: str, way: str, random: Random
) -> Tally:
    """What is found in the record of a game with a mistake, against what is found in the complete log."""
    played = as_known(game, header, mutant.events, writer)
    lines = without_checks(WAYS[way](played, _marked(played, mutant.at), random))
    record = written(played, lines)
    places = [record.places[seq] for seq in sorted(record.places) if seq >= wrong.at][:2]
    if wrong.at not in record.places:
        places = places[:1]
    if not places or not _can_be_judged(lines) or (played.header is not header and _was_unseen(played, lines)):
        return Tally(gone=1)
    steps = list(audit(game, record.header, record.events))
    if _is_asked(steps, places):
        return Tally(asked=1)
    found = standing_findings(record, steps)
    cards = unnamed(header, lines)
    known = where_known(played, lines, mutant.at, cards)
    if known is None or any(
        not where_known(played, other, mutant.at, cards) for other in _in_another_order(played, lines)
    ):
        return Tally(legal=1, accused=bool(found))
    at, rules = record.places[played.sources[known.index]], {wrong.rule, *mutant.rules}
    if at not in places or _is_told_less(played, lines, known.index):
        rules |= known.rules
    placed = bool(found) and found[0].seq in (*places, at)
    named = bool(found) and first_rule(found[0]) in rules
    return Tally(1, bool(found), placed, named, len(found))


def _is_told_less(played: Played, lines: Sequence[Line], index: int) -> bool:
    """Whether the line leaves out a part of the event: that may be what was wrong with it."""
    fields = own_fields(type(played.events[index]))
    told = (line.event for line in lines if line.index == index and type(line.event) is type(played.events[index]))
    return any(getattr(event, name) != getattr(played.events[index], name) for event in told for name in fields)


def _in_another_order(played: Played, lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The lines with that of the mistake after the next one, if one of the two is a part of a movement.

    Nobody waits for such a part, so it may stand a line early or late.
    """
    rules = played.game.rules.event_rules
    at = next(place for place, line in enumerate(lines) if line.label == PLANTED)
    pair = lines[at : at + 2]
    if len(pair) < 2 or not all(type(one.event) in rules and one.index is not None for one in pair):
        return
    if any(rules[type(one.event)].is_part for one in pair):
        first, then = (replace(one, event=other.event) for one, other in zip(pair, reversed(pair), strict=True))
        yield [*lines[:at], first, then, *lines[at + 2 :]]


def _is_asked(steps: Sequence[Step], places: Sequence[int]) -> bool:
    """Whether the auditor asks there for a choice that nobody wrote down, or for an order: more cannot be known."""
    asks = False
    for step in steps:
        asks = asks or any(item.key in ("not_recorded", "order.open") for item in step.violations)
        if step.seq is not None:
            if asks and step.seq in places and not step.verdict.is_finding:
                return True
            asks = False
    return False


def unnamed(header: Header, lines: Sequence[Line]) -> list[str]:
    """The cards of the decks of a game that no line names."""
    decks = cast("Mapping[str, Sequence[str]]", header.setup.get("decks", {}))
    named = frozenset(word for line in lines for word in words(line.event))
    return sorted({card for deck in decks.values() for card in deck} - named)


def without_checks(lines: Sequence[Line]) -> list[Line]:
    """The lines without the checkpoints after the mistake: how the table stood then, the complete log cannot say."""
    at = next((place for place, line in enumerate(lines) if line.label == PLANTED), len(lines))
    return [line for place, line in enumerate(lines) if place < at or not isinstance(line.event, Checkpoint)]


def _was_unseen(played: Played, lines: Sequence[Line]) -> bool:
    """Whether the mistake is a part of a movement of which this writer saw no beginning, and so no card."""
    planted = [line.event for line in lines if line.label == PLANTED]
    return any(played.game.rules.event_rules[type(event)].is_part for event in planted)


def _marked(played: Played, at: int) -> list[Line]:
    """Every event in its line; the mistake is told in any case."""
    places = [index for index, source in enumerate(played.sources) if source == at]
    return [replace(one, label=PLANTED) if one.index in places[-1:] else one for one in played.told_in_full()]


def _can_be_judged(lines: Sequence[Line]) -> bool:
    """Whether the mistake is told, and the position before it is known."""
    known = True
    for line in lines:
        if line.label == PLANTED:
            return known
        known = isinstance(line.event, PositionSet) or (known and not isinstance(line.event, Gap))
    return False


class Known(Struct, frozen=True):
    """The index of the event at which a mistake can be known, and the rules that this event breaks."""

    index: int
    rules: frozenset[str]


def where_known(played: Played, lines: Sequence[Line], at: int, cards: Sequence[str]) -> Known | None:
    """The first event at which no legal game could be written down in these lines; None if one can be.

    The search begins a little before the mistake. `cards` are those that a card nobody has named may be. That a
    permission was not used may be said at any time, or not at all.
    """
    start = next(index for index, source in enumerate(played.sources) if source >= max(1, at - LOOK_BACK))
    around = _joined(played, _around(lines))
    told = {line.index: line for line in around if line.index is not None and line.index >= start}
    positions = [played.positions[min(told)]]
    for index in sorted(told):
        event, before = told[index].event, positions
        if told[index].label == PLANTED or not says_no(event):
            positions, seen = _after(played.game, before, event, cards)
        if not positions:
            return Known(index, _broken(played.game, seen, event))
    return None


def _broken(game: Ruleset[object], positions: Sequence[object], event: Event) -> frozenset[str]:
    """The rules whose criteria the event fails where such an event is up, or, where it is up nowhere, in any case."""
    rules = game.rules.event_rules[type(event)]
    up = [state for state in positions if any(option.event is type(event) for option in game.rules.expected(state))]
    failed = [item for state in up or positions for item in rules.violations(state, event)]
    return frozenset(item.rule.id for item in failed if not (up and item.unavailable)) - {""}


def _around(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines around the mistake up to the next gaps."""
    at = next(place for place, line in enumerate(lines) if line.label == PLANTED)
    gaps = [place for place, line in enumerate(lines) if isinstance(line.event, Gap | PositionSet)]
    begin = max((place + 1 for place in gaps if place < at), default=0)
    return lines[begin : min((place for place in gaps if place > at), default=len(lines))]


def _joined(played: Played, lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, those that tell one event in parts as one."""
    parts: Line | None = None
    for line in lines:
        rules = played.game.rules.event_rules.get(type(line.event))
        if parts and rules and type(parts.event) is type(line.event) and line.index is not None:
            line = replace(line, event=rules.joined(parts.event, line.event) or line.event)
        parts = line if line.index is None and not line.label else None
        yield line


def _after(
    game: Ruleset[object], positions: Sequence[object], event: Event, cards: Sequence[str]
) -> tuple[list[object], list[object]]:
    """The positions after the event, where it follows legally, what nobody writes coming before it; and all before."""
    found: list[object] = []
    seen = list(positions)
    ahead = [(state, 0) for state in positions]
    for state, far in ahead:
        if _may_come(game, state, event, cards) and (after := game.rules.evolve(state, event)) not in found:
            found.append(after)
        if len(found) >= MOST_POSITIONS or far >= MOST_BETWEEN or len(ahead) > MOST_POSITIONS * MOST_BETWEEN:
            continue
        for between in _unwritten(game, state):
            if (then := game.rules.evolve(state, between)) not in seen[-MOST_POSITIONS:]:
                seen.append(then)
                ahead.append((then, far + 1))
    return found, seen


def _may_come(game: Ruleset[object], state: object, event: Event, cards: Sequence[str]) -> bool:
    """Whether the event is legal, or would be if a card that nobody has named were the right one."""
    rules = game.rules.event_rules[type(event)]
    if not rules.violations(state, event):
        return True
    if not rules.depends_on_hidden(state, event):
        return False
    handles = [word for word in words(event) if isinstance(word, str) and word.startswith("?") and word != "?"]
    if not handles:
        return True
    named = (Identified(seq=1, card=handles[0], is_=card) for card in cards)
    return any(not rules.violations(game.rules.evolve(state, name), with_name(event, name)) for name in named)


def with_name(event: Event, name: Identified) -> Event:
    """The event with the card in the place of its handle."""
    changes: dict[str, object] = {}
    for field in own_fields(type(event)):
        value = getattr(event, field)
        if value == name.card:
            changes[field] = name.is_
        elif isinstance(value, tuple) and name.card in value:
            changes[field] = tuple(name.is_ if one == name.card else one for one in value)
    return replace(event, **changes)


def _unwritten(game: Ruleset[object], state: object) -> Iterator[Event]:
    """What may happen here without being written down: what leaves no choice, and a permission not used."""
    live = [option for option in game.rules.expected(state) if option.obligation is not Obligation.EXPIRES]
    for option in live:
        event = option.single_candidate(state)
        if event is not None and says_no(event):
            yield event
    must = [option for option in live if option.obligation in (Obligation.REQUIRED, Obligation.MARKER)]
    if len(must) == len(live) and (len(must) == 1 or all(option.any_order for option in must)):
        candidates = (option.single_candidate(state) for option in must)
        yield from (event for event in candidates if event is not None and not _hides_a_choice(event))


def _hides_a_choice(event: Event) -> bool:
    """Whether the event names a card that nobody knows: which one it is had to be chosen."""
    return not isinstance(event, Drew) and "?" in words(event)
