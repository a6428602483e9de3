"""What lists, searches and statistics show of one game: it is judged once, and each step is looked at once."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from operator import sub

import msgspec

from audit.auditor import LEGAL
from audit.errors import AuditError
from audit.event_rules import Citations
from audit.model import Event, Header, Verdict
from audit.record_events import RECORD_EVENTS, free_texts
from audit.ruleset import Disclosure, Ruleset
from audit.rulings import cited, cited_always
from audit.steps import Step
from replays.annotating.facts import Facts, FactsTaker
from replays.annotating.tally import SetAside, Tally
from replays.annotating.told import PUBLIC, public_meta
from replays.log.schemas import card_fields
from replays.store.database import Row
from replays.store.game_words import texts, texts_of_both, tokens

Annotate = Callable[[Ruleset[object], Header, Iterable[Event]], Iterable[Step]]
Use = tuple[int, int | None, str]
"""A step that used a rule: its index, its seq, its verdict."""
Adding = tuple[Callable[[Use], None], ...]
"""What adds a step to the steps of each rule that it used."""
VERDICTS = tuple(map(str, Verdict))
_NUMBERS = {verdict: number for number, verdict in enumerate(VERDICTS)}
_LEGAL = LEGAL.value


class ShownGame:
    """What is to be shown of one game."""

    def __init__(self, id: str, header: Header, game: Ruleset[object]) -> None:
        self.id = id
        self.header = header
        self.game = game
        self.findings: list[Row] = []
        self.uses: defaultdict[str, list[Use]] = defaultdict(list)
        """The steps that used a rule, by its id."""
        self.taker = FactsTaker(game, header)
        self.tally = Tally(most=0)
        self.inferred = 0
        self.aside = SetAside()
        self.trouble = ""
        self.events: list[Event] = []
        self.cards: set[str] = set()
        self.told: set[str] = set()
        """The cards that the public has seen."""
        self._both: set[str] = set()
        """Those that are in both sets."""
        self._adding: dict[tuple[type[Event], Citations], Adding | None] = {}
        self._adding_to: dict[Citations, Adding] = {}
        self._last: object = None
        """The position after the last step."""
        self._is_straight = True
        """Whether every event was legal where the one before it had led, and nothing else happened."""
        self._is_plain = type(game.disclosure).redact is Disclosure.redact

    @property
    def count(self) -> int:
        """How many events the game has."""
        return len(self.events)

    @property
    def end(self) -> object:
        """The last position, where the audit has carried out every event as it is written; else None."""
        return self._last if self._is_straight and self.tally.legal == self.count and not self.trouble else None

    def go(self, annotate: Annotate, events: Iterable[Event]) -> None:
        """Audit the game. One that cannot be audited must not keep the others from being shown."""
        try:
            for step in annotate(self.game, self.header, self._counted(events)):
                if step.event is not None:
                    self._take(step, step.event)
                else:
                    self._last = step.state
        except AuditError as error:
            self.trouble = str(error)
        except Exception as error:
            self.trouble = f"{type(error).__name__}: {error}"
        if self.trouble:  # not every event that was read has a step
            self.cards.update(card for event in self.events for card in cards_of(event))
        if aside := self.aside.found():
            self.findings = [row for row in self.findings if row[1] not in aside]
            for rule, uses in list(self.uses.items()):
                self.uses[rule] = [use for use in uses if use[0] not in aside]

    def _counted(self, events: Iterable[Event]) -> Iterator[Event]:
        keep = self.events.append
        for event in events:
            keep(event)
            yield event

    def _take(self, step: Step, event: Event) -> None:
        named = cards_of(event)
        if named and not self._both.issuperset(named):
            self._name(step, event, named)
        self.tally.count(step)
        self.taker.take(step)
        self.aside.add(step)
        if step.verdict is not LEGAL:
            self._take_unusual(step, event)
            return
        if step.before is not self._last or step.late is not None:
            self._is_straight = False
        self._last = step.state
        kind = type(event), step.rules
        adding = self._adding[kind] if kind in self._adding else self._add_kind(kind)
        if adding is None:
            self._use(step)
            return
        use = step.index, step.seq, _LEGAL
        for add in adding:
            add(use)

    def _add_kind(self, kind: tuple[type[Event], Citations]) -> Adding | None:
        """What adds a legal step of that kind, with these rules, to all that it uses; None where it depends on more."""
        always = cited_always(self.game.catalogue, self.header.edition, *kind)
        adding = self._adding[kind] = None if always is None else self._add_to(always)
        return adding

    def _add_to(self, rules: Citations) -> Adding:
        if rules not in self._adding_to:
            self._adding_to[rules] = tuple([self.uses[id].append for id in dict.fromkeys([rule.id for rule in rules])])
        return self._adding_to[rules]

    def _use(self, step: Step) -> None:
        use = step.index, step.seq, step.verdict.value
        for add in self._add_to(cited(self.game, step, self.header.edition)):
            add(use)

    def _take_unusual(self, step: Step, event: Event) -> None:
        self._is_straight = False
        self.inferred += step.verdict is Verdict.INFERRED
        self._use(step)
        if not step.verdict.is_finding:
            return
        now = self.game.rules.clock(step.before)
        rule = step.rules[0].id if step.rules else ""
        kind = str(type(event).__struct_config__.tag)
        where = (str(now.get("turn") or ""), str(now.get("player") or ""))
        self.findings.append((self.id, step.index, step.seq, step.verdict.value, kind, rule, *where))

    def _name(self, step: Step, event: Event, named: Sequence[str]) -> None:
        if step.seq is not None:
            self.cards.update(named)
        if not self.told.issuperset(named):
            self._tell(step, event)
        self._both.update(self.cards.intersection(self.told, named))

    def _tell(self, step: Step, event: Event) -> None:
        """Note the cards that the public learns of by the event: they are some of those that the event names.

        To look for secrets in a free text takes the whole position; it is done only where such a text is a new card.
        """
        disclosure = self.game.disclosure
        if self._is_plain and type(event) not in RECORD_EVENTS:
            seen = cards_of(disclosure.redact_event(step.before, event, PUBLIC))
            if self.told.issuperset(seen) or not _has_a_card_in_a_text(event):
                self.told.update(seen)
                return
        self.told.update(cards_of(disclosure.redact(step.before, event, PUBLIC)))

    def row(self, place: int) -> Row:
        """The game's row in the list."""
        verdicts = {verdict: count for verdict, count in self.tally.counts.items() if count}
        return (
            self.id, place, self.game.name, self.header.game, msgspec.json.encode(self.header).decode(), self.count,
            self.inferred, len(self.findings), msgspec.json.encode(verdicts).decode(),
            self.tally.fidelity.diverged_from, self.trouble,
        )  # fmt: skip

    def packed_uses(self) -> Iterator[Row]:
        """A row for each rule, with every step that used it."""
        for rule, uses in self.uses.items():
            if uses:
                yield self.id, self.game.name, rule, len(uses), packed(uses)

    def facts(self) -> Facts:
        """What statistics keep of the game."""
        return self.taker.facts(self.tally.counts, {row[2] for row in self.findings})

    def words(self) -> tuple[list[str], list[str]]:
        """Every word that a judge can find the game by, and those that tell the public nothing new."""
        header = self.header
        said = [self.id, header.ruleset, header.game, header.edition]
        said += [word for player in header.players for word in (player.seat, player.name)]
        said += [rule for rule, uses in self.uses.items() if uses]
        for_all = tokens(said)
        seen = self.game.disclosure.recorded_header(header, PUBLIC).setup
        judged, told = texts_of_both(header.setup, seen)
        judged |= texts(header.meta) | self.cards
        told |= texts(public_meta(header)) | self.told
        return sorted(for_all | tokens(judged)), sorted(for_all | tokens(told))


def packed(uses: Sequence[Use]) -> bytes:
    """Steps that used a rule, in few bytes: how far each is from the one before, its seq, its verdict."""
    steps, seqs, verdicts = zip(*uses, strict=True)
    apart = list(map(sub, steps, (0, *steps)))
    less = [None if seq is None else step - seq for step, seq in zip(steps, seqs, strict=True)]
    return zlib.compress(msgspec.msgpack.encode((apart, less, [_NUMBERS[verdict] for verdict in verdicts])))


def unpacked(data: object) -> Iterator[Use]:
    """The steps of such bytes."""
    read = zlib.decompress(bytes(data))  # type: ignore[call-overload]
    apart, seqs, verdicts = msgspec.msgpack.decode(read, type=tuple[list[int], list[int | None], list[int]])
    for step, less, verdict in zip(accumulate(apart), seqs, verdicts, strict=True):
        yield step, None if less is None else step - less, VERDICTS[verdict]


def cards_of(event: Event) -> Sequence[str]:
    """The cards that the event names; a handle names none."""
    one, many = card_fields(type(event))
    if not one and not many:
        return ()
    found = [getattr(event, name) for name in one]
    for name in many:
        found += getattr(event, name) or ()
    return [card for card in found if card and card[0] != "?"]


def _has_a_card_in_a_text(event: Event) -> bool:
    """Whether a card of the event stands in a field that may be free text."""
    one, many = card_fields(type(event))
    return any(name in one or name in many for name in free_texts(event))
