"""What a viewer may know: everything but the order and the cards of the encounter deck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import cast

from msgspec.structs import replace

from audit.core.disclosure import NOTHING_SHOWN, Disclosure, Shown, entries_of, without_own_words
from audit.core.event_rules import Json
from audit.core.model import Event, Header
from audit.core.record_events import words_named
from audit.games.lotr_reveal.cards import NAME_TYPE, Source, without_copy
from audit.games.lotr_reveal.events import PlacementStarted, RevealStarted
from audit.games.lotr_reveal.lookup import card_of, deck_is_empty, replacement_is_due
from audit.games.lotr_reveal.names import canonical
from audit.games.lotr_reveal.state import UNKNOWN, Frame, State, Task
from audit.games.lotr_reveal.steps import ORDER, S5_1, S6, S7, S8, S9, S10, S11, S12, WINDOWS, name_of
from audit.games.lotr_reveal.tasks import CALLS_FOR_CARD

JUDGE = "judge"


class RevealDisclosure(Disclosure[State]):
    """All is open but the encounter deck; a judge sees that too."""

    shown_entries = frozenset(("cards", "in_play", "facts"))

    def view(self, state: State, viewer: str = JUDGE) -> Json:
        """Zones, counters and frames, with the frames closed since the last card revealed for the staging step."""
        frames = _frames(state)
        return {
            "first_player": state.first,
            "players": list(state.setup.seats),
            "reveals": state.roots,
            "encounter_deck": _deck(state, viewer),
            "encounter_discard": list(state.discard),
            "staging_area": list(state.staging),
            "engaged": {seat: list(cards) for seat, cards in state.engaged.items()},
            "attachments": {card: list(cards) for card, cards in state.attachments.items()},
            "elsewhere": dict(state.other_zones),
            "partly_known": sorted(state.hidden),
            "threat": dict(state.threat),
            "hand_size": dict(state.hands),
            "damage": {**{frame.card: 0 for frame in state.frames}, **state.damage},
            "progress": dict(state.progress),
            "threat_strength": dict(state.strength),
            "cards": {card: _printed(state, card) for card in _seen(state)},
            "characters": {name: {"ready": one.ready, "damage": one.damage} for name, one in state.characters.items()},
            "in_play": {name: _side_of(source) for name, source in state.sources.items() if not _is_held(source)},
            "held": _held(state) if viewer == JUDGE else {},
            "committed": {name: source.committed for name, source in state.sources.items() if source.commits},
            "surges_armed": {frame.id: frame.surges_armed for frame in frames},
            "surges_served": {frame.id: frame.surges_served for frame in frames},
            "open_frames": [frame.id for frame in state.frames],
            "frames": {frame.id: _frame(state, frame, frame in state.frames) for frame in frames},
            "replacement_due": replacement_is_due(state),
        }

    def chapter_view(self, state: State, viewer: str = JUDGE) -> Json:
        """How many cards were revealed, and of each frame whose it is."""
        frames = {frame.id: {"parent": frame.parent, "player": frame.player} for frame in _frames(state)}
        return {"reveals": state.roots, "frames": frames}

    def pending(self, state: State, viewer: str = JUDGE) -> list[Json]:
        """What is under way, the newest card first: its step, and what of it is still due."""
        found: list[Json] = []
        if state.replacement:
            found.append({"what": "replacement", "frame": state.replacement.frame, "rest": 1})
        for frame in reversed(state.frames):
            due = [f"{name_of(task.step)} {task.kind} {task.what or task.source}".strip() for task in _by_step(frame)]
            found.append(
                {"card": frame.card, "frame": frame.id, "step": name_of(frame.step), "rest": len(due), "due": due}
            )
        return found

    def redact_event(self, state: State, event: Event, viewer: str) -> Event:
        """What happened is open to all; what may happen next does not tell which card is on top of the deck."""
        if viewer == JUDGE or event.seq or not isinstance(event, RevealStarted | PlacementStarted):
            return event
        return replace(event, card=UNKNOWN)

    def recorded_header(self, header: Header, viewer: str, shown: Shown = NOTHING_SHOWN) -> Header:
        """The header without the cards of the deck. It tells of an encounter card only what was shown."""
        if viewer == JUDGE:
            return header
        setup = _without_deck(without_own_words(header.setup))
        named = (*shown.cards, *(card for view in shown.views for card in _open(view)))
        for key, cards in _unseen(header.setup, frozenset(map(_called, named))).items():
            setup[key] = _without(setup.get(key), cards)
        return replace(header, setup={key: value for key, value in setup.items() if value is not None})

    def position_seen(self, data: Json, viewer: str) -> Json:
        """A position without the cards of the encounter deck."""
        return data if viewer == JUDGE else _without_deck(data)

    def seats(self, header: Header) -> tuple[str, ...]:
        listed = header.setup.get("players")
        if isinstance(listed, list | tuple) and listed:
            return tuple(map(str, listed))
        return tuple(player.seat for player in header.players)


def _frames(state: State) -> list[Frame]:
    """The frames in the order in which they began, those that are closed as well."""
    return sorted((*state.closed, *state.frames), key=lambda frame: frame.seq)


def _seen(state: State) -> list[str]:
    """The encounter cards that lie open on the table."""
    engaged = (card for cards in state.engaged.values() for card in cards)
    under_way = (frame.card for frame in (*state.closed, *state.frames))
    return [*state.staging, *state.discard, *engaged, *state.other_zones, *under_way]


def _printed(state: State, card: str) -> Json:
    """What the setup says of a card: its type, its keywords, its hit points or quest points."""
    one = card_of(state, card)
    return {
        "type": one.type, "keywords": dict(one.keywords), "hit_points": one.hit_points,
        "quest_points": one.quest_points,
    }  # fmt: skip


def _side_of(source: Source) -> str | None:
    """Whose a card in play is: a player's, the encounter deck's, or nobody's of whom it is told."""
    return source.owner or (None if source.commits else "encounter")


def _held(state: State) -> dict[str, str | None]:
    """The cards that may act from a hand, each with whose it is."""
    return {name: source.owner for name, source in state.sources.items() if _is_held(source)}


def _is_held(source: Source) -> bool:
    """Whether it acts from a hand, or may do so: it responds without being exhausted, and does nothing else."""
    acts = (
        source.response == NAME_TYPE
        or source.commits
        or source.on_reveal
        or source.enters_with
        or source.forced
        or source.attached_to
    )
    return not acts and source.response is not None and source.cost != "exhaust"


def _deck(state: State, viewer: str) -> list[str] | int | None:
    left = state.deck
    return left if left is None else list(left) if viewer == JUDGE else len(left)


def _frame(state: State, frame: Frame, is_open: bool) -> Json:
    """One card on its way through the steps."""
    return {
        "card": frame.card,
        "started_as": "placed" if frame.placed else "revealed",
        "cause": frame.cause,
        "parent": frame.parent,
        "player": frame.player,
        "step": name_of(frame.step),
        "zone": frame.zone,
        "open": is_open,
        "peril": frame.peril,
        "named_type": frame.named_type,
        "cancelled_at_3": frame.stop == "cancelled",
        "discarded_at_3": frame.stop == "discarded",
        "left_at_4": frame.stop == "left",
        "when_revealed_cancelled": bool(frame.cancelled_by) and frame.stop != "cancelled",
        "replace_after_12": frame.replaced_later,
        "forced_pending": [task.source for task in _by_step(frame) if task.kind == "forced"],
        "surges_left": frame.surges_armed - frame.surges_served,
        "due": [{"step": name_of(task.step), "what": task.kind, "source": task.source} for task in _by_step(frame)],
        "windows": _windows(state, frame, is_open),
        "track": {name: _passage(state, frame, at) for at, name in enumerate(ORDER)},
    }


def _by_step(frame: Frame) -> list[Task]:
    """What is due of a card, by its steps; those of one step by their names, so that a setup's order tells nothing."""
    return sorted(frame.tasks, key=lambda task: (task.step, task.kind, task.source))


def _windows(state: State, frame: Frame, is_open: bool) -> dict[str, str]:
    """What each window is: only the next one is open, although the card may go on to a later one without a word."""
    found = {name_of(at): _window(state, frame, at, is_open) for at in WINDOWS}
    first = next((step for step, window in found.items() if window == "open"), None)
    return {step: "ahead" if window == "open" and step != first else window for step, window in found.items()}


def _window(state: State, frame: Frame, at: int, is_open: bool) -> str:
    """`open` where a response may come now or next, `shut` where its moment is over or never comes, else `ahead`."""
    if not is_open or at < frame.step or frame.stop or _passage(state, frame, at) == "skipped":
        return "shut"
    first = next((task for task in frame.tasks if task.kind not in CALLS_FOR_CARD or not deck_is_empty(state)), None)
    if first is not None and (first.step < at or (first.step == at and first.kind == "forced")):
        return "ahead"
    return "open"


def _passage(state: State, frame: Frame, at: int) -> str:
    """`done`, `now`, `ahead`, or `skipped`: a step that is not for this card."""
    if _is_skipped(state, frame, at):
        return "skipped"
    if at == frame.step:
        return "now"
    return "done" if at < frame.step else "ahead"


def _is_skipped(state: State, frame: Frame, at: int) -> bool:
    if frame.placed:
        return at < S8 or at in (S11, S12)
    if frame.stop:
        return at > frame.step
    if at in (S6, S7) and (frame.cancelled_by or not any(task.kind == "revealed" for task in frame.procedure.tasks)):
        return at == S7
    if at == S5_1 or at not in (S9, S10):
        return False
    return not card_of(state, frame.card).enters_play


def _without_deck(setup: Mapping[str, object]) -> dict[str, object]:
    """A setup or a position as somebody knows it who has not seen the encounter deck: only how many cards it has."""
    found = {key: value for key, value in setup.items() if key not in ("shuffles", "encounter_cards")}
    deck = found.get("encounter_deck")
    if isinstance(deck, list | tuple):
        found["encounter_deck"] = [f"{UNKNOWN}{number}" for number in range(1, len(deck) + 1)]
    return found


def _unseen(setup: Json, shown: Set[str]) -> dict[str, frozenset[str]]:
    """For each entry of a setup the names in it that speak of a card that was not shown.

    A card that comes into play later is in a hand until then.
    """
    cards, in_play, facts = (setup.get(key) for key in ("cards", "in_play", "facts"))
    told = cards if isinstance(cards, Mapping) else {}
    unseen = frozenset([card for card in told if _called(card) not in shown])
    found = {key: frozenset[str]() for key in ("cards", "in_play", "facts") if key in setup} | {"cards": unseen}
    if isinstance(in_play, Mapping):
        held = (card for card, one in in_play.items() if isinstance(one, Mapping) and one.get("not_yet"))
        found["in_play"] = frozenset([card for card in held if _called(card) not in shown])
    if isinstance(facts, Mapping):
        found["facts"] = frozenset([fact for fact in facts if words_named([fact], unseen)])
    return found


def _without(table: object, cards: Set[str]) -> object:
    return entries_of(table, lambda word: word not in cards)


def _open(view: Json) -> Iterable[str]:
    """The encounter cards that lie open in a position, as its view has them."""
    return cast("Mapping[str, Json]", view.get("cards", {}))


def _called(card: str) -> str:
    """One name for a card, however it is spelt and whichever copy of it is meant."""
    return canonical(without_copy(card))
