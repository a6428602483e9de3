"""What lies on the table while cards are revealed, and what is under way. Values and questions; nothing decides."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from audit.lotr_reveal.cards import UNDESCRIBED, Card, Source, without_copy


class Task(Struct, frozen=True, gc=False, cache_hash=True):
    """Something a card's procedure still has to see: at which step, by whose effect, what, how much."""

    kind: str
    step: int
    source: str = ""
    what: str = ""
    amount: int = 0
    detail: str = ""
    player: str = ""


class Note(Struct, frozen=True, gc=False):
    """Why nothing happens at a step: the id of the rule, said by the first event that goes past the step."""

    step: int
    rule: str


class Plan(Struct, frozen=True, gc=False):
    """What a card's procedure has to see from its first step on."""

    tasks: tuple[Task, ...] = ()
    notes: tuple[Note, ...] = ()


class Frame(Struct, frozen=True, gc=False):
    """One card on its way through the steps.

    `at` is the step reached (its place in the order); `held` until the card has been put anywhere; `tasks` what is
    still to come, in order; `stop` why the card goes no further (cancelled, left, discarded); `acted` whether a text
    of this step has been carried out that may do more than can be told; `last` the seq of what led to the tasks at
    hand, and `under` the seqs that led to the card, nearest first.
    """

    id: str
    card: str
    cause: str
    player: str
    at: int
    parent: str | None = None
    zone: str = "revealing"
    held: bool = True
    placed: bool = False
    seq: int = 0
    last: int = 0
    under: tuple[int, ...] = ()
    plan: Plan = Plan()
    tasks: tuple[Task, ...] = ()
    notes: tuple[Note, ...] = ()
    armed: int = 0
    served: int = 0
    surged: bool = False
    named: str | None = None
    peril: bool = False
    stop: str = ""
    killer: str = ""
    granted: tuple[str, ...] = ()
    canceller: str = ""
    exchanged: bool = False
    readied: bool = False
    acted: bool = False
    used: tuple[str, ...] = ()


class Replacement(Struct, frozen=True, gc=False):
    """A card to be revealed in place of one that was cancelled as a whole; `due` unless the card leaves it open."""

    frame: str
    player: str
    surged: bool
    named: str | None
    seq: int
    due: bool = True


class Character(Struct, frozen=True, gc=False):
    """A hero or ally."""

    ready: bool = True
    damage: int = 0


Named = tuple[tuple[str, Source], ...]
"""Cards in play, each with what it can do."""


class Acting(Struct, frozen=True, gc=False):
    """The cards in play that do something by themselves to a card on its way, by what they do."""

    on_reveal: Named = ()
    enters_with: Named = ()
    forced: Named = ()


class Table(Struct, frozen=True, gc=False):
    """What does not change while the game goes on."""

    seats: tuple[str, ...] = ()
    first: str = ""
    cards: Mapping[str, Card] = {}
    sources: Mapping[str, Source] = {}
    acting: Acting = Acting()
    facts: Mapping[str, bool] = {}
    reveals: int | None = None
    switches: frozenset[str] = frozenset()
    knows_sources: bool = True

    def card(self, card: str) -> Card:
        """What is known of a card."""
        return self.cards.get(card) or self.cards.get(without_copy(card), UNDESCRIBED)


class State(Struct, frozen=True, gc=False):
    """A position: zones, counters, and a stack of frames, the newest last.

    `deck` is the encounter deck as it was last shuffled, `taken` how many cards of it are gone from its top;
    `ordered` whether its order is known, None deck where its cards are not. `closed` are the frames that were
    over since the last card revealed for no other card.
    """

    table: Table
    deck: tuple[str, ...] | None = None
    taken: int = 0
    ordered: bool = True
    discard: tuple[str, ...] = ()
    staging: tuple[str, ...] = ()
    engaged: Mapping[str, tuple[str, ...]] = {}
    not_intended: Mapping[str, str] = {}
    attachments: Mapping[str, tuple[str, ...]] = {}
    threat: Mapping[str, int] = {}
    hands: Mapping[str, int] = {}
    damage: Mapping[str, int] = {}
    progress: Mapping[str, int] = {}
    strength: Mapping[str, int] = {}
    characters: Mapping[str, Character] = {}
    active: tuple[str, ...] = ()
    shuffles: tuple[tuple[str, ...], ...] = ()
    frames: tuple[Frame, ...] = ()
    closed: tuple[Frame, ...] = ()
    replacement: Replacement | None = None
    opened: int = 0
    roots: int = 0


def top(state: State) -> Frame | None:
    """The frame that is acting now."""
    return state.frames[-1] if state.frames else None


MOST_CAUSES = 40
"""So many are named at most of what led to a card: twenty cards that called for one another."""


def led_to(state: State) -> tuple[int, ...]:
    """The seqs that led to what is going on in the newest frame, nearest first."""
    if not state.frames:
        return ()
    frame = state.frames[-1]
    last, seq = frame.last, frame.seq
    if last and seq:
        return (last, seq, *frame.under) if last != seq else (seq, *frame.under)
    return tuple(filter(None, (last, seq, *frame.under)))


def frame_of(state: State, id: str | None) -> Frame | None:
    """The open frame of that id."""
    for frame in reversed(state.frames):
        if frame.id == id:
            return frame
    return None


def closed_frame(state: State, id: str | None) -> Frame | None:
    """The frame of that id among those that were over last."""
    for frame in reversed(state.closed):
        if frame.id == id:
            return frame
    return None


def with_frame(state: State, frame: Frame) -> State:
    """The position with one open frame changed."""
    frames = state.frames
    if len(frames) == 1 and frames[0].id == frame.id:
        return replace(state, frames=(frame,))
    if frames and frames[-1].id == frame.id:
        return replace(state, frames=(*frames[:-1], frame))
    return replace(state, frames=tuple(frame if one.id == frame.id else one for one in frames))


def deck_left(state: State) -> int | None:
    """How many cards the encounter deck has; None where nobody knows."""
    return None if state.deck is None else len(state.deck) - state.taken


def is_spent(state: State) -> bool:
    """Whether the encounter deck is known to be empty."""
    return state.deck is not None and len(state.deck) <= state.taken


REVEALS = frozenset({"child", "serve", "replace"})
"""Tasks that take a card from the encounter deck, or may."""


def fits(state: State, card: str, kinds: str) -> bool:
    """Whether a card is of a type that a text names; one that nobody has described may be."""
    return not kinds or (state.table.card(card).type or kinds) in kinds


def is_vain(state: State, task: Task) -> bool:
    """Whether there is no card left that the task could bring."""
    if task.kind not in REVEALS:
        return False
    if not task.detail:
        return is_spent(state)
    if state.deck is None:
        return False
    return not any(fits(state, card, task.detail) for card in (*state.deck[state.taken :], *state.discard))


def is_vague(state: State, task: Task) -> bool:
    """Whether nobody can tell if there is a card that the task could bring."""
    if task.kind != "child" or not task.detail or any(fits(state, card, task.detail) for card in state.discard):
        return False
    left = state.deck[state.taken :] if state.deck is not None else ("?",)
    return any(card.startswith("?") for card in left)


def first_task(state: State, frame: Frame) -> Task | None:
    """What is due first in a frame; what would need a card that is not there is not."""
    for task in frame.tasks:
        if task.kind not in REVEALS or not is_vain(state, task):
            return task
    return None


def find(frame: Frame, kind: str, what: str | None = None, source: str | None = None) -> Task | None:
    """The first task of that kind that is still to come."""
    for task in frame.tasks:
        if task.kind == kind and (what is None or task.what == what) and (source is None or task.source == source):
            return task
    return None


def threat_of(frame: Frame, player: str) -> Task | None:
    """The first rise of that player's threat that is still to come."""
    for task in frame.tasks:
        if task.kind == "threat" and task.player == player:
            return task
    return None


def forced_at(frame: Frame, at: int, source: str | None = None) -> Task | None:
    """The first forced effect, of that card or of any, that is still to come at that step."""
    for task in frame.tasks:
        if task.step == at and task.kind == "forced" and (source is None or task.source == source):
            return task
    return None


def tasks_now(state: State, frame: Frame) -> tuple[Task, ...]:
    """All that is due at one step, in a free order; a cancellation, or a card called for, comes at once."""
    tasks = frame.tasks
    if tasks and tasks[0].kind not in REVEALS and (len(tasks) == 1 or tasks[0].step < tasks[1].step):
        return tasks[:1]
    first = first_task(state, frame)
    if first is None:
        return ()
    at = first.step
    same = [task for task in tasks if task.step == at and (task.kind not in REVEALS or not is_vain(state, task))]
    return (first,) if len(same) == 1 else _together(tuple(same), "nested-may-wait" in state.table.switches)


@lru_cache(maxsize=1024)
def _together(same: tuple[Task, ...], may_wait: bool) -> tuple[Task, ...]:
    """What of a step comes now, whether or not a card called for may wait."""
    together = tuple(dict.fromkeys(same))
    urgent = tuple(task for task in together if task.kind in ("cancel", "child"))
    waits = urgent and urgent[0].kind == "child" and may_wait
    return together if waits else urgent or together


def source_of(state: State, card: str) -> Source | None:
    """What a card in play can do."""
    found = state.table.sources.get(card)
    return found or (state.table.card(card).source if card in state.active else None)


def zone_of(state: State, card: str) -> str | None:
    """Where a card lies; None where nobody knows."""
    for frame in state.frames:
        if frame.card == card:
            return frame.zone
    if card in state.staging:
        return "staging_area"
    if card in state.discard:
        return "encounter_discard"
    if any(card in cards for cards in state.engaged.values()):
        return "engaged"
    if card in state.not_intended:
        return state.not_intended[card]
    if state.deck is not None and card in state.deck[state.taken :]:
        return "encounter_deck"
    return None
