"""Which steps of a game other editions and readings judge otherwise, and by what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, tee
from typing import cast

import msgspec
from msgspec import Struct, to_builtins
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.catalogue import Ruling
from audit.core.model import Event, Header, Verdict
from audit.core.record import words_in
from audit.core.ruleset import Ruleset
from audit.core.steps import LEGAL, Step
from replays.files import Cache
from replays.log.reader import Log

MOST = 1_000
"""In a record of more steps than any game at a table has, nothing is judged again."""


_KNOWN = Cache(1_000)
"""The seqs of the findings by record and switch: every viewer and language asks for the same."""


class OtherReadings:
    """The game judged again, once for each switch of a reading that is not on."""

    def __init__(self, game: Ruleset[object], header: Header, steps: Sequence[Step]) -> None:
        self.game, self.header, self.steps = game, header, steps

    def accepting(self, step: Step) -> list[str]:
        """The switches under which this step of the game is no finding, and no other step becomes one."""
        if len(self.steps) > MOST:
            return []
        active = self.game.rules.switches_of(self.header)
        others = [switch.name for switch in self.game.rules.switches if switch.name not in active]
        return [name for name in others if self._findings(name) <= self._own - {step.seq}]

    @cached_property
    def _own(self) -> frozenset[int | None]:
        return frozenset([step.seq for step in self.steps if step.verdict.is_finding])

    @cached_property
    def _events(self) -> list[Event]:
        return [step.event for step in self.steps if step.event is not None and step.seq is not None]

    @cached_property
    def _record(self) -> bytes:
        """What tells this record from others."""
        from hashlib import sha256  # a command that finds nothing need not load it

        return sha256(msgspec.json.encode((self.header, self._events))).digest()

    def _findings(self, switch: str) -> frozenset[int | None]:
        """The seqs of the findings with that switch."""
        return _KNOWN.get((self._record, switch), lambda: self._judged(switch))

    def _judged(self, switch: str) -> frozenset[int | None]:
        header = replace(self.header, reading=f"{self.header.reading}+{switch}")
        return frozenset([step.seq for step in audit(self.game, header, self._events) if step.verdict.is_finding])


WINDOW = 1_000
"""After so many events the verdicts of the editions are compared."""
MAX_WAITING = 10_000
"""At most so many events are kept until one names a card on which editions differ."""

Changes = tuple[Ruling, ...]
"""The entries in force in one of two editions only, by which it judges games otherwise."""


class OtherVerdict(Struct, frozen=True):
    """What another edition says of a step, and the entries that make the difference."""

    verdict: Verdict
    by: Changes


def cards_that_changed(game: Ruleset[object]) -> frozenset[str]:
    """The cards on which editions differ in how they judge games."""
    return frozenset(card for one in game.catalogue.rulings.values() if one.changes_play for card in one.cards)


def editions_that_differ(game: Ruleset[object], header: Header, named: frozenset[str]) -> dict[str, Changes]:
    """The editions that judge games with these cards otherwise than the log's own, each with what it has otherwise."""
    catalogue = game.catalogue
    changes = {edition: catalogue.changes(header.edition, edition) for edition in catalogue.editions if named}
    matter = {edition: tuple(one for one in each if named & set(one.cards)) for edition, each in changes.items()}
    return {edition: each for edition, each in matter.items() if each}


def otherwise(
    own: Verdict, editions: Mapping[str, Changes], said: Mapping[Changes, Verdict | None]
) -> dict[str, OtherVerdict]:
    """By edition what it says of a step, if it sees a finding where the own edition has none or none where it has one.

    An entry makes the difference if no edition without it, but otherwise nearer to the own one, judges otherwise.
    """
    differ = {each: verdict for each, verdict in said.items() if verdict and verdict.is_finding != own.is_finding}
    return {
        edition: OtherVerdict(differ[each], _decisive(each, differ, said))
        for edition, each in editions.items()
        if each in differ
    }


def _decisive(changes: Changes, differ: Mapping[Changes, Verdict], said: Iterable[Changes]) -> Changes:
    nearer = [one for one in said if set(one) < set(changes)]
    for one in nearer:
        if one in differ:
            return _decisive(one, differ, nearer)
    agreed = frozenset(chain.from_iterable(nearer))
    return tuple(one for one in changes if one not in agreed)


def told_by_editions(step: Mapping[str, object]) -> list[tuple[tuple[str, ...], str, tuple[str, ...]]]:
    """The editions that judge a published step otherwise, those that say the same for the same reason together.

    Each time: the editions, their verdict, and the rulings and errata that make the difference.
    """
    by = cast(Mapping[str, Sequence[str]], step.get("editions_by", {}))
    found: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for edition, verdict in cast(Mapping[str, str], step.get("editions", {})).items():
        found.setdefault((verdict, tuple(by.get(edition, ()))), []).append(edition)
    return [(tuple(editions), verdict, rules) for (verdict, rules), editions in found.items()]


class OtherEditions:
    """What the other editions say of the steps of a game: it is judged again by those that play otherwise."""

    def __init__(self, game: Ruleset[object], header: Header, steps: Sequence[Step]) -> None:
        self.game = game
        self.header = header
        self.steps = steps

    def of(self, step: Step) -> dict[str, OtherVerdict]:
        """The verdict of each edition that sees a finding where this one has none, or none where it has one."""
        if step.seq is None or not self.verdicts:
            return {}
        said = {each: found.get(step.seq) for each, found in self.verdicts.items()}
        return otherwise(step.verdict, self.editions, said)

    @cached_property
    def editions(self) -> dict[str, Changes]:
        """The editions that may judge this game otherwise: it names a card on which they differ."""
        changing = cards_that_changed(self.game)
        if not changing:
            return {}
        events = (to_builtins(step.event) for step in self.steps if step.event)
        named = words_in(self.header.setup.get("position"), *events)
        return editions_that_differ(self.game, self.header, named & changing)

    @cached_property
    def verdicts(self) -> Mapping[Changes, Mapping[int, Verdict]]:
        """The verdict of each event; editions that play alike are judged once."""
        events = [step.event for step in self.steps if step.event is not None and step.seq is not None]
        first = {each: edition for edition, each in reversed(self.editions.items())}
        return {each: self._judged(edition, events) for each, edition in first.items()}

    def _judged(self, edition: str, events: Sequence[Event]) -> Mapping[int, Verdict]:
        header = replace(self.header, edition=edition)
        return {step.seq: step.verdict for step in audit(self.game, header, events) if step.seq is not None}


class EditionsBeside:
    """The same while a log of any length is read once: the other editions judge it beside the own one.

    They begin when a card on which they differ is named. Until then at most `MAX_WAITING` events are kept for them.
    """

    def __init__(self, game: Ruleset[object], header: Header, most: int) -> None:
        """`most` is how many differences are kept."""
        self.game = game
        self.header = header
        self.most = most
        self.found: list[tuple[int, Verdict, dict[str, OtherVerdict]]] = []
        """Each event that is judged otherwise: its seq, its verdict, and what other editions say."""
        self._cards = cards_that_changed(game)
        self._editions = editions_that_differ(game, header, self._cards)
        self._is_named = bool(self._cards & words_in(header.setup.get("position")))
        self._others: dict[Changes, Iterator[Step]] = {}
        self._own: dict[int, Verdict] = {}
        self._compared_to = self._last = 0

    def events(self, log: Log) -> Iterator[Event]:
        """The events of the log, for the own edition; the other editions are given the same."""
        if not self._editions:
            return iter(log)
        first = {each: edition for edition, each in reversed(self._editions.items())}
        own, *others = tee(self._read(log), 1 + len(first))
        for (each, edition), events in zip(first.items(), others, strict=True):
            self._others[each] = audit(self.game, replace(self.header, edition=edition), events)
        return own

    def _read(self, log: Log) -> Iterator[Event]:
        names = [card.encode() for card in self._cards]
        for batch in log.batches():
            self._is_named = self._is_named or any(name in batch.text for name in names)
            yield from batch.events

    def add(self, step: Step) -> None:
        """One more step of the own edition."""
        if not self._others or step.seq is None:
            return
        self._last = step.seq
        if step.verdict is not LEGAL:
            self._own[step.seq] = step.verdict
        waiting = step.seq - self._compared_to
        if waiting >= MAX_WAITING or (self._is_named and waiting >= WINDOW):
            self.compare()

    def compare(self) -> None:
        """Compare what was said of the events since the last time; at the end of the log, of the rest."""
        if self._others and (self._is_named or self._compared_to or self._last >= MAX_WAITING):
            said = {each: self._findings_of(steps) for each, steps in self._others.items()}
            for seq in sorted({seq for found in said.values() for seq in found}):
                own = self._own.get(seq, LEGAL)
                others = otherwise(own, self._editions, {each: found.get(seq) for each, found in said.items()})
                if others and len(self.found) < self.most:
                    self.found.append((seq, own, others))
        self._compared_to = self._last
        self._own.clear()

    def _findings_of(self, steps: Iterator[Step]) -> dict[int, Verdict]:
        """The verdicts that can differ, as far as the own edition has judged."""
        found = {}
        for step in steps:
            seq = step.seq
            if seq is not None and (step.verdict is not LEGAL or seq in self._own):
                found[seq] = step.verdict
            if seq == self._last:
                break
        return found


def by_edition(others: Mapping[str, OtherVerdict]) -> dict[str, object]:
    """What other editions say of a step, and the rulings and errata that make the difference."""
    if not others:
        return {}
    return {
        "editions": {edition: other.verdict.value for edition, other in others.items()},
        "editions_by": {edition: [ruling.id for ruling in other.by] for edition, other in others.items()},
    }
