"""What happens at the table without a card being revealed: told so that the position is right, and not judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic

from msgspec.structs import replace

from audit.core.event_rules import Citations, Expectation, Violation, Violations, own_fields
from audit.core.model import Event
from audit.games.lotr_reveal.cards import Source
from audit.games.lotr_reveal.event_rules.against_text import against_text, last_revealed, tells_damage_of_text
from audit.games.lotr_reveal.event_rules.base import E, TaskEventRules, doubts
from audit.games.lotr_reveal.event_rules.conditions import missing_reveals, replacement_due, task_due
from audit.games.lotr_reveal.events import (
    CardPut,
    CharacterDamaged,
    CharactersCommitted,
    CharactersExhausted,
    CharactersReadied,
    DeckShuffled,
    FirstPlayerPassed,
    HandMoved,
    PhaseStarted,
    QuestResolved,
    ThreatMoved,
    TokensMoved,
    Zone,
)
from audit.games.lotr_reveal.lookup import (
    acting_frame,
    card_of,
    may_be_anywhere,
    replacement_is_due,
    text_leads_to,
    with_frame,
    zone_of,
)
from audit.games.lotr_reveal.rules import step_0, step_7, step_9
from audit.games.lotr_reveal.state import Character, State
from audit.games.lotr_reveal.steps import S9
from audit.games.lotr_reveal.tasks import AUTOMATIC, first_task
from audit.games.lotr_reveal.zones import (
    is_staging_over,
    put,
    ready_again,
    reordered,
    shifted_hand,
    shifted_threat,
    take,
    with_committed,
    with_entry,
    with_nothing_told,
    with_sources,
    without,
)

OUTSIDE = (step_0.OCCASIONS,)
"""The document begins where a card is revealed: of everything else it says nothing."""

STAGED = (step_0.EACH_PLAYER, *OUTSIDE)
"""A staging step ends when every player has revealed."""

_AFTER_STAGING = frozenset((PhaseStarted, QuestResolved))
"""What comes only when a staging step is over, or before the next one."""


class TableRules(TaskEventRules[E], Generic[E]):
    """An event between two reveals, or one that a text just carried out has led to."""

    may_be_unchecked = True

    def __init__(self, event: type[E], change: Callable[[State, E], State]) -> None:
        self.event = event
        self.change = change
        self.player_field = next((name for name in ("player", "to") if name in own_fields(event)), "")

    def is_by_chance(self, state: State, event: E) -> bool:
        return isinstance(event, DeckShuffled)

    def expected(self, state: State) -> Iterable[Expectation[State]]:
        return ()

    def may_come(self, state: State) -> bool:
        frame = acting_frame(state)
        return not replacement_is_due(state) and (frame is None or text_leads_to(frame, self.event))

    def violations(self, state: State, event: E) -> Violations:
        return () if _lies_there_already(state, event) else super().violations(state, event)

    def accept(self, state: State, event: E) -> Citations | None:
        return self.citations(state, event) if _lies_there_already(state, event) else super().accept(state, event)

    def violation(self, state: State, event: E) -> Violation | None:
        """A card on its way is through first, unless its text asks for this."""
        if replacement_is_due(state):
            return replacement_due()
        frame = acting_frame(state)
        if frame is None:
            return missing_reveals(state) if type(event) in _AFTER_STAGING else against_text(state, event)
        if text_leads_to(frame, self.event):
            return against_text(state, event)
        task = first_task(state, frame)
        if task is not None:
            return task_due(state, frame, task)
        return Violation(step_0.STEPS_ORDER_SIMULTANEITY, "frame.nested", {"card": frame.card}, not_intended=True)

    def is_relevant(self, state: State, event: E) -> bool:
        frame = acting_frame(state)
        if against_text(state, event):
            return True
        first = first_task(state, frame) if frame else None
        return first is not None and first.kind not in AUTOMATIC

    def citations(self, state: State, event: E) -> Citations:
        if _lies_there_already(state, event):
            return (step_9.ENTER_PLAY_EFFECTS,)
        if tells_damage_of_text(state, event):
            return (step_7.RESOLVE,)
        return STAGED if _ends_staging(state, event) else OUTSIDE

    def unchecked(self, state: State, event: E) -> Violations:
        """What of it nobody judges; that every player has revealed before the staging step ends is judged."""
        if _lies_there_already(state, event) or self.violation(state, event):
            return ()
        if _ends_staging(state, event) or tells_damage_of_text(state, event):
            return doubts(state, None, 0)
        player = getattr(event, self.player_field) if self.player_field else None
        return (*doubts(state, None, 0), *_not_judged(state, event, player))

    def apply(self, state: State, event: E) -> State:
        is_over = not state.frames and (is_staging_over(state) or type(event) in _AFTER_STAGING)
        state = replace(state, doubts=()) if state.doubts and event.seq else state
        return self.change(with_nothing_told(state) if is_over else state, event)


def _lies_there_already(state: State, event: Event) -> bool:
    """Whether the event tells again where an effect of step 9 has put the card on its way, or a trap on it."""
    if type(event) is not CardPut or not state.frames or state.frames[-1].step != S9:
        return False
    frame = state.frames[-1]
    if event.card == frame.card:
        return event.to == frame.zone == "engaged"
    return event.to == "attached" and event.card in state.attachments.get(frame.card, ())


def _ends_staging(state: State, event: Event) -> bool:
    """Whether a staging step is over with the event, in which every player is known to have revealed a card."""
    return type(event) in _AFTER_STAGING and not state.frames and is_staging_over(state)


def _not_judged(state: State, event: Event, player: str | None) -> Violations:
    """Why an event at the table is not judged; `player` is whose it is, where it tells that."""
    if type(event) is not CardPut and player is not None and player not in state.setup.seats:
        return (Violation(step_0.OCCASIONS, "unchecked.stranger", {"player": player}),)
    if type(event) is CardPut and event.from_ is not None and not _may_lie_there(state, event.card, event.from_):
        return (Violation(step_0.OCCASIONS, "unchecked.not_there", {"card": event.card, "from": event.from_}),)
    return (Violation(step_0.OCCASIONS, "unchecked.table"),)


def _may_lie_there(state: State, card: str, zone: Zone) -> bool:
    found = zone_of(state, card)
    return found == zone or (found is None and (may_be_anywhere(state) or card in state.sources))


# What an event changes


def _phase(state: State, event: PhaseStarted) -> State:
    return replace(state, round=event.round) if event.round else state


def _commit(state: State, event: CharactersCommitted) -> State:
    """Those named are committed; of the other characters of that player it is known that they are not."""
    for name, source in state.sources.items():
        if name in event.characters:
            state = with_committed(state, name, True)
        elif source.owner == event.player:
            state = _not_named(state, name, source)
    return _turned(state, event.characters, False)


def _not_named(state: State, name: str, source: Source) -> State:
    """A character stays at home whom the commitment of its player does not name, unless it was committed before.

    Of any other card that acts on a card being revealed nobody has told whether it is a character.
    """
    if not source.commits:
        return with_committed(state, name, None, None) if source.on_reveal and not source.attached_to else state
    return with_committed(state, name, False) if source.committed is None or _is_ready(state, name) else state


def _is_ready(state: State, name: str) -> bool:
    """Whether a character is ready before any card is revealed: to commit would have exhausted it."""
    character = state.characters.get(name)
    return character is not None and character.ready is True and not state.roots


def _ready(state: State, event: CharactersReadied) -> State:
    """Those named, else those of the player, else all; other cards that exhausted for a response ready with them."""
    if event.characters is not None:
        return _turned(ready_again(state, event.characters), event.characters, True)
    theirs = [
        name for name in (*state.characters, *state.used) if event.player in (None, _owner(state, name))
    ]  # fmt: skip
    return _turned(ready_again(state, theirs), tuple([name for name in theirs if name in state.characters]), True)


def _owner(state: State, character: str) -> str | None:
    """Whose character it is, where a card in play says so."""
    source = state.sources.get(character)
    return source.owner if source else None


def _exhaust(state: State, event: CharactersExhausted) -> State:
    return _turned(state, event.characters, False)


def _turned(state: State, names: tuple[str, ...], ready: bool) -> State:
    changed = {name: replace(state.characters.get(name, Character()), ready=ready) for name in names}
    return replace(state, characters={**state.characters, **changed})


def _damage(state: State, event: CharacterDamaged) -> State:
    """Damage that the text of the acting card has dealt is told by it, and not dealt again."""
    found, amount = state.characters.get(event.character, Character(ready=None)), event.amount
    frame = last_revealed(state)
    if frame and event.character in frame.hurt and amount > 0:
        amount -= card_of(state, frame.card).text.does.damage
        told = replace(frame, hurt=tuple([one for one in frame.hurt if one != event.character]))
        state = with_frame(state, told) if state.frames else replace(state, closed=(*state.closed[:-1], told))
    damaged = replace(found, damage=max(0, found.damage + amount))
    return replace(state, characters=with_entry(state.characters, event.character, damaged))


def _put(state: State, event: CardPut) -> State:
    """An encounter card changes zone; a card of a player comes into play or leaves it."""
    if event.card in state.sources or event.card in state.characters or event.to == "player_area":
        return _played(state, event)
    state = _detached(take(state, event.card), event.card)
    if event.to == "attached" and event.attached_to is not None:
        attached = (*state.attachments.get(event.attached_to, ()), event.card)
        state = replace(state, attachments=with_entry(state.attachments, event.attached_to, attached))
    return put(state, event.card, event.to, event.player or state.first)


def _played(state: State, event: CardPut) -> State:
    if event.to not in ("player_area", "attached"):
        state = replace(state, characters=without(state.characters, event.card))
        return with_sources(state, without(state.sources, event.card))
    known = state.setup.sources.get(event.card, Source())
    source = replace(
        known, owner=event.player or known.owner, attached_to=event.attached_to or known.attached_to,
        committed=False if known.commits else known.committed,
    )  # fmt: skip
    state = replace(state, used=without(state.used, event.card))
    return with_sources(state, with_entry(state.sources, event.card, source))


def _detached(state: State, card: str) -> State:
    kept = {host: tuple([one for one in cards if one != card]) for host, cards in state.attachments.items()}
    return replace(state, attachments={host: cards for host, cards in kept.items() if cards})


def _tokens(state: State, event: TokensMoved) -> State:
    damage, progress = state.damage, state.progress
    if event.damage:
        damage = _moved(damage, event.card, event.damage)
    if event.progress:
        progress = _moved(progress, event.card, event.progress)
    return replace(state, damage=damage, progress=progress)


def _moved(counts: Mapping[str, int], card: str, by: int) -> Mapping[str, int]:
    return with_entry(counts, card, max(0, counts.get(card, 0) + by))


def _threat(state: State, event: ThreatMoved) -> State:
    return shifted_threat(state, event.player, event.delta)


def _hand(state: State, event: HandMoved) -> State:
    return shifted_hand(state, event.player, event.delta)


def _shuffle(state: State, event: DeckShuffled) -> State:
    """The order is known where the event or the setup tells it."""
    deck = state.deck
    if event.with_discard:
        is_known = deck is not None and "encounter_discard" not in state.hidden
        deck = (*(deck or ()), *state.discard) if is_known else None
        state = replace(state, discard=(), hidden=state.hidden - {"encounter_discard"})
    if event.order is not None:
        return replace(state, deck=event.order, ordered=True)
    return reordered(state, deck)


def _first_player(state: State, event: FirstPlayerPassed) -> State:
    return replace(state, first=event.to) if event.to in state.setup.seats else state


def _quest(state: State, event: QuestResolved) -> State:
    return state


AT_THE_TABLE: tuple[TableRules[Any], ...] = (
    TableRules(PhaseStarted, _phase),
    TableRules(CharactersCommitted, _commit),
    TableRules(CharactersReadied, _ready),
    TableRules(CharactersExhausted, _exhaust),
    TableRules(CharacterDamaged, _damage),
    TableRules(CardPut, _put),
    TableRules(TokensMoved, _tokens),
    TableRules(ThreatMoved, _threat),
    TableRules(HandMoved, _hand),
    TableRules(DeckShuffled, _shuffle),
    TableRules(FirstPlayerPassed, _first_player),
    TableRules(QuestResolved, _quest),
)
