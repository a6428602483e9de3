"""What lists, searches and statistics show of one game, and the steps that used each rule."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, filterfalse, islice
from operator import sub
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from audit.core.disclosure import PUBLIC, Disclosure, Shown
from audit.core.errors import AuditError
from audit.core.event_rules import Citations
from audit.core.model import Event, Header, Verdict
from audit.core.record_events import RECORD_EVENTS, free_texts
from audit.core.ruleset import Ruleset
from audit.core.rulings import cited, cited_always
from audit.core.steps import LEGAL, Step
from audit.rulebooks.findings import Weight
from replays.judging.facts import Facts, FactsTaker
from replays.judging.seen import public_meta, seen_header
from replays.judging.tally import SetAside, Tally
from replays.log.schemas import card_fields, cards_of
from replays.store.database import Row
from replays.store.game_words import texts, texts_of_both, tokens, with_more

if TYPE_CHECKING:
    from replays.store.store import Store


Use = tuple[int, int | None, str]
"""A step that used a rule: its index, its seq, its verdict."""
VERDICTS = tuple(map(str, Verdict))
_NUMBERS = {verdict: number for number, verdict in enumerate(VERDICTS)}
_LEGAL = _NUMBERS[LEGAL.value]


def rule_weights(store: Store, ruleset: str) -> dict[str, Weight]:
    """The weight of every rule of a ruleset that some stored game cites."""
    store.follow()
    return {rule: Weight(games, steps) for rule, (games, steps) in store.shown.weights(ruleset).items()}


class RuleUses:
    """The steps that used each rule."""

    def __init__(self, aside: SetAside) -> None:
        """`aside` has heard of every step that is noted here, and knows which of them stand no longer."""
        self._aside = aside
        self._citing: defaultdict[Citations, list[int]] = defaultdict(list)
        self.unusual: dict[int, Verdict] = {}
        """The verdicts of the steps that were not simply legal, by index."""

    def citing(self, rules: Citations) -> list[int]:
        """The list in which to note a step that cites these rules, by its index."""
        return self._citing[rules]

    def rules(self) -> list[str]:
        """The rules that were used."""
        return list(_by_rule(self._standing()))

    def packed(self) -> Iterator[tuple[str, int, bytes]]:
        """Each rule, how many steps used it, and these steps in few bytes."""
        standing, less, numbers = self._standing(), self._less(), self._numbers()
        found: dict[tuple[Citations, ...], tuple[int, bytes]] = {}
        for rule, groups in _by_rule(standing).items():
            if groups not in found:
                steps = sorted(chain.from_iterable([standing[rules] for rules in groups]))
                found[groups] = len(steps), _packed(steps, less, numbers)
            yield rule, *found[groups]

    def _standing(self) -> Mapping[Citations, Sequence[int]]:
        """The steps that stand and cite the same rules."""
        aside = self._aside.found()
        if not aside:
            return self._citing
        return {rules: [step for step in steps if step not in aside] for rules, steps in self._citing.items()}

    def _less(self) -> dict[int, int | None]:
        """By how much the seq of a step is less than its index; None for a step that is not recorded."""
        return {index: None if seq is None else index - seq for index, seq in self._aside.seqs.items()}

    def _numbers(self) -> dict[int, int]:
        """The number of the verdict of every step."""
        return dict.fromkeys(self._aside.seqs, _LEGAL) | {
            index: _NUMBERS[verdict.value] for index, verdict in self.unusual.items()
        }


def _by_rule(cited: Mapping[Citations, Sequence[int]]) -> dict[str, tuple[Citations, ...]]:
    """For each rule, what is cited together with it. Rules that are always cited together have the same steps."""
    found: defaultdict[str, dict[Citations, None]] = defaultdict(dict)
    for rules, steps in cited.items():
        if steps:
            for rule in rules:
                found[rule.id][rules] = None
    return {rule: tuple(groups) for rule, groups in found.items()}


def _packed(steps: Sequence[int], less: Mapping[int, int | None], numbers: Mapping[int, int]) -> bytes:
    """Steps in few bytes: how far each is from the one before, by how much its seq is less, its verdict."""
    apart = [*map(sub, steps, chain((0,), steps))]
    data = apart, [*map(less.__getitem__, steps)], [*map(numbers.__getitem__, steps)]
    return zlib.compress(msgspec.msgpack.encode(data))


def unpacked(data: object) -> Iterator[Use]:
    """The steps of such bytes."""
    read = zlib.decompress(bytes(data))  # type: ignore[call-overload]
    apart, less, verdicts = msgspec.msgpack.decode(read, type=tuple[list[int], list[int | None], list[int]])
    for step, fewer, verdict in zip(accumulate(apart), less, verdicts, strict=True):
        yield step, None if fewer is None else step - fewer, VERDICTS[verdict]


Annotate = Callable[[Ruleset[object], Header, Iterable[Event]], Iterable[Step]]
TOGETHER = 256
"""So many steps are looked at together."""


class _Kind(NamedTuple):
    """Legal steps of one type of event with the same rules: whether they name cards, and those noted so far.

    `steps` is None where what they cite depends on the position.
    """

    has_cards: bool
    steps: list[int] | None


class ShownGame:
    """What is to be shown of one game."""

    def __init__(self, id: str, header: Header, game: Ruleset[object]) -> None:
        self.id = id
        self.header = header
        self.game = game
        self.findings: list[Row] = []
        self.taker = FactsTaker(game, header)
        self.tally = Tally(most=0)
        self.inferred = 0
        self.aside = SetAside()
        self.uses = RuleUses(self.aside)
        self.trouble = ""
        self.events: list[Event] = []
        self.cards: set[str] = set()
        self.told: set[str] = set()
        """The cards that the public has seen."""
        self._no_news: set[str | None] = {None, ""}
        """The cards that are in both sets, and whatever else an event may say instead of a card."""
        self._kinds: dict[tuple[type[Event], Citations], _Kind] = {}
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
            for steps in _together(annotate(self.game, self.header, filterfalse(self.events.append, events))):
                self._take(steps)
        except AuditError as error:
            self.trouble = str(error)
        except Exception as error:
            self.trouble = f"{type(error).__name__}: {error}"
        if self.trouble:  # not every event that was read has a step
            self.cards.update(card for event in self.events for card in cards_of(event))
        if aside := self.aside.found():
            self.findings = [row for row in self.findings if row[1] not in aside]

    def _take(self, steps: Sequence[Step]) -> None:
        """Take some steps: one thing about all of them after the other, which is quicker than all about each."""
        for take in (self.tally.count, self.taker.take, self.aside.add):
            for step in steps:
                take(step)
        kinds = self._kinds
        for step in steps:
            event, rules = step.event, step.rules
            if event is None:
                self._last = step.state
                continue
            if step.verdict is not LEGAL:
                self._take_unusual(step, event)
                continue
            if step.before is not self._last or step.late is not None:
                self._is_straight = False
            self._last = step.state
            has_cards, alike = kinds.get((type(event), rules)) or self._add_kind(type(event), rules)
            if has_cards:
                self._look_for_cards(step, event)
            if alike is None:
                self._use(step)
            else:
                alike.append(step.index)

    def _add_kind(self, kind: type[Event], rules: Citations) -> _Kind:
        always = cited_always(self.game.catalogue, self.header.edition, kind, rules)
        steps = None if always is None else self.uses.citing(always)
        made = self._kinds[kind, rules] = _Kind(any(card_fields(kind)), steps)
        return made

    def _use(self, step: Step) -> None:
        self.uses.citing(cited(self.game, step, self.header.edition)).append(step.index)

    def _take_unusual(self, step: Step, event: Event) -> None:
        self._look_for_cards(step, event)
        self._is_straight = False
        self.inferred += step.verdict is Verdict.INFERRED
        self._use(step)
        self.uses.unusual[step.index] = step.verdict
        if not step.verdict.is_finding:
            return
        now = self.game.rules.clock(step.before)
        rule = step.rules[0].id if step.rules else ""
        kind = str(type(event).__struct_config__.tag)
        where = (str(now.get("turn") or ""), str(now.get("player") or ""))
        self.findings.append((self.id, step.index, step.seq, step.verdict.value, kind, rule, *where))

    def _look_for_cards(self, step: Step, event: Event) -> None:
        one, many = card_fields(type(event))
        for name in one:
            if getattr(event, name) not in self._no_news:
                self._name(step, event)
                return
        for name in many:
            if not self._no_news.issuperset(getattr(event, name) or ()):
                self._name(step, event)
                return

    def _name(self, step: Step, event: Event) -> None:
        named = cards_of(event)
        if step.seq is not None:
            self.cards.update(named)
        if not self.told.issuperset(named):
            self._tell(step, event)
        self._no_news.update(self.cards.intersection(self.told, named))

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
        for rule, count, steps in self.uses.packed():
            yield self.id, self.game.name, rule, count, steps

    def facts(self) -> Facts:
        """What statistics keep of the game."""
        return self.taker.facts(self.tally.counts, {row[2] for row in self.findings})

    def words(self) -> tuple[list[str], list[str]]:
        """Every word that a judge can find the game by, and those that tell the public nothing new."""
        header = self.header
        said = [self.id, header.ruleset, header.game, header.edition]
        said += [word for player in header.players for word in (player.seat, player.name)]
        said += self.uses.rules()
        for_all = tokens(said)
        seen = self._seen_setup()
        judged, told = texts_of_both(header.setup, seen)
        judged |= texts(header.meta) | self.cards
        told |= texts(public_meta(header)) | self.told
        shared = sorted(for_all | tokens(judged & told))
        return with_more(shared, tokens(judged - told)), with_more(shared, tokens(told - judged))

    def _seen_setup(self) -> Mapping[str, object]:
        """Of the setup what the public was shown."""
        start = self.game.rules.start(self.header) if self._last is not None else None
        views = [self.game.disclosure.view(state, PUBLIC) for state in (start, self._last) if state is not None]
        shown = Shown(frozenset(self.told), tuple(views))
        return seen_header(self.game, self.header, (), PUBLIC, shown).setup


def _together(steps: Iterable[Step]) -> Iterator[Sequence[Step]]:
    """Steps, some at a time; where no more of them can be made, those that were made come first."""
    source = iter(steps)
    while True:
        some: list[Step] = []
        try:
            some.extend(islice(source, TOGETHER))
        finally:
            yield some
        if len(some) < TOGETHER:
            return


def _has_a_card_in_a_text(event: Event) -> bool:
    """Whether a card of the event stands in a field that may be free text."""
    one, many = card_fields(type(event))
    return any(name in one or name in many for name in free_texts(event))
