"""The position while cards are revealed: the table, and what is under way. Values; no rules.

What most events change stands first: a copy looks its new fields up in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct

from audit.games.lotr_reveal.cards import Card, Source
from audit.games.lotr_reveal.events import Zone

Used = Literal["exhaust", "discard", "untold"]
"""What became of a card that was used: it was exhausted or discarded for it, or nobody has said."""


class Task(Struct, frozen=True, gc=False, cache_hash=True):
    """Something that still has to happen to a card on its way through the steps.

    kind: what has to happen: `cancel`, `passive`, `defeat`, `explore`, `outcome`, `own_move` (an outcome effect that
        does no more than say where the card goes), `threat`, `keyword`, `surge` (be armed), `revealed` (the When
        Revealed effect), `reveal` (a card that its text reveals), `move`, `enter` (an effect of entering play), `child`
        (a card called for by Guarded), `forced`, `serve` (an armed surge), `replace`, or `unknown` (a keyword nobody
        knows).
    step: the step at which it is due, as an index; AFTER and LAST stand for "when step 12 is over".
    source: the card whose text or rule asks for it; empty where nothing in particular does.
    what: what exactly: the effect, the keyword, the trigger, the origin of a surge, or the zone a card goes to.
    amount: how much; for an outcome effect its place among those of the card.
    detail: more about it: the type of card called for, the keyword granted, the origin of a keyword, the card that
        removed this one, `cancelled` or `placed` for a move.
    player: whose threat rises; empty for everything else.
    """

    kind: str
    step: int
    source: str = ""
    what: str = ""
    amount: int = 0
    detail: str = ""
    player: str = ""


class StepNote(Struct, frozen=True, gc=False):
    """Why nothing happens at a step; the first event that goes past the step cites it.

    step: the step, as an index.
    rule: the id of the rule that says why.
    """

    step: int
    rule: str


class Procedure(Struct, frozen=True, gc=False):
    """What a card has to go through from its first step on.

    tasks: what has to happen, in the order of the steps.
    notes: why nothing happens at certain steps.
    possible: what may have to happen as well: nobody has told whether it applies.
    """

    tasks: tuple[Task, ...] = ()
    notes: tuple[StepNote, ...] = ()
    possible: tuple[Task, ...] = ()


class Frame(Struct, frozen=True, gc=False):
    """One card on its way through the steps.

    id: the name the log gives to this reveal or placement.
    card: the card on its way.
    cause: why it is revealed or placed, as in the event that says so.
    player: who reveals it.
    step: the step reached, as an index.
    tasks: what still has to happen, in the order of the steps.
    notes: why nothing happens at the steps to come.
    possible: what may have to happen as well: nobody has told whether it applies.
    last_cause: the event that led to the tasks at hand.
    text_resolved: whether a text carried out at this step may do more than the setup tells.
    text_threat: the threat that the text carried out last names; 0 where it names none.
    leads_to: the event types to which that text may lead; empty where it is not understood and may lead to any.
    parent: the frame that called for this card, if one did.
    zone: where the card lies.
    held: whether the card has not been put anywhere yet.
    placed: whether it was put into play without being revealed.
    from_anywhere: whether nobody has told where a placed card lay before.
    seq: the event that opened the frame; 0 where no event did.
    outer_causes: the events that led to the card, nearest first.
    procedure: what the card had to go through when it was taken.
    surges_armed: how many surges have been armed.
    surges_served: for how many of them a card has been revealed.
    from_surge: whether the card itself was revealed for a surge.
    named_type: the type of card a player named for the next surge.
    peril: whether Peril keeps the other players out.
    stop: why the card goes no further: `cancelled`, `discarded` (at step 3), `left` (at step 4), or empty.
    removed_by: the card that defeated or explored it.
    granted_keywords: keywords given to the card by other cards, and `gained` for a surge of its own text.
    cancelled_by: the card that cancelled it or its When Revealed effect.
    replaced_later: whether another card takes its place after step 12.
    character_readied: whether a response readied a character.
    used_sources: the cards whose response has been used.
    responded_at: the last of steps 10 and 11 at which a player responded, as an index; 0 where nobody did.
    may_gain: whether a text that is not understood was carried out: it may have given the card any keyword.
    hurt: the characters whom its text has dealt damage that no event of their own has told.
    untold_rises: the players whose threat has risen at this step without an event that told it.
    """

    id: str
    card: str
    cause: str
    player: str
    step: int
    tasks: tuple[Task, ...] = ()
    notes: tuple[StepNote, ...] = ()
    possible: tuple[Task, ...] = ()
    last_cause: int = 0
    text_resolved: bool = False
    text_threat: int = 0
    leads_to: tuple[str, ...] = ()
    parent: str | None = None
    zone: Zone = "revealing"
    held: bool = True
    placed: bool = False
    from_anywhere: bool = False
    seq: int = 0
    outer_causes: tuple[int, ...] = ()
    procedure: Procedure = Procedure()
    surges_armed: int = 0
    surges_served: int = 0
    from_surge: bool = False
    named_type: str | None = None
    peril: bool = False
    stop: str = ""
    removed_by: str = ""
    granted_keywords: tuple[str, ...] = ()
    cancelled_by: str = ""
    replaced_later: bool = False
    character_readied: bool = False
    used_sources: tuple[str, ...] = ()
    responded_at: int = 0
    may_gain: bool = False
    hurt: tuple[str, ...] = ()
    untold_rises: tuple[str, ...] = ()


class Replacement(Struct, frozen=True, gc=False):
    """A card to be revealed in place of one that was cancelled as a whole.

    frame: the frame of the cancelled card.
    player: who revealed it.
    from_surge: whether the cancelled card was revealed for a surge.
    named_type: the type that was named for that surge.
    seq: the event that closed the frame.
    is_due: whether it has to be revealed; otherwise the card leaves it open.
    """

    frame: str
    player: str
    from_surge: bool
    named_type: str | None
    seq: int
    is_due: bool = True


class Character(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A hero or ally.

    ready: whether it is ready; otherwise it is exhausted. None where nobody has told.
    damage: the damage on it.
    """

    ready: bool | None = None
    damage: int = 0


NamedSources = tuple[tuple[str, Source], ...]
"""Cards in play, each with what it can do."""


class ActingSources(Struct, frozen=True, gc=False):
    """The cards in play that act by themselves on a card on its way.

    on_reveal: those with a passive effect on a card being revealed.
    enters_with: those with an effect on a card entering play.
    forced: those with a forced effect.
    """

    on_reveal: NamedSources = ()
    enters_with: NamedSources = ()
    forced: NamedSources = ()


class GameSetup(Struct, frozen=True, gc=False):
    """What does not change while the game goes on.

    seats: the players in order.
    cards: the encounter cards the setup describes, by id.
    sources: the other cards the setup describes, by id; which of them are in play is part of the position.
    facts: what is true or false at the table, for conditional immunity.
    reveals: how many cards the staging steps of this game reveal; None where nobody says.
    switches: the switches of the reading.
    names: the id of every card the setup names, by that name made alike.
    copied: the cards of which there are copies.
    exact: the ids that the setup names so and that are no card's with copies: an event can mean nothing else by them.
    acting: whether the setup describes encounter cards that act on other cards while they are in play.
    encounter_cards: every card of the encounter deck, wherever it lies; empty where nobody has listed them.
    """

    seats: tuple[str, ...] = ()
    cards: Mapping[str, Card] = {}
    sources: Mapping[str, Source] = {}
    facts: Mapping[str, bool] = {}
    reveals: int | None = None
    switches: frozenset[str] = frozenset()
    names: Mapping[str, str] = {}
    copied: frozenset[str] = frozenset()
    exact: frozenset[str] = frozenset()
    acting: bool = False
    encounter_cards: frozenset[str] = frozenset()


class State(Struct, frozen=True, gc=False):
    """A position: zones, counters, and a stack of frames.

    setup: what does not change.
    frames: the cards on their way through the steps, the newest last.
    closed: the frames that are over since the last card revealed for the staging step.
    replacement: the card that is to be revealed in place of a cancelled one.
    doubts: what may have had to happen to cards that are through, which no event has told yet.
    opened: how many frames have been opened.
    roots: how many cards have been revealed for the staging step.
    deck: the encounter deck, its top card first; None where its cards are not known.
    staging: the staging area.
    first: the first player.
    sources: the cards in play that the setup describes beside the encounter cards, by id.
    acting: those of the sources that act by themselves.
    ordered: whether the order of the deck is known.
    discard: the encounter discard pile, its top card last.
    engaged: the enemies engaged with each player.
    other_zones: the zone of every card that lies anywhere else.
    hidden: where more may lie than is told here: `staging_area`, `encounter_discard`, `engaged`, `in_play`.
    attachments: the cards attached to each card.
    threat: the threat of each player, where it has been told.
    hands: the number of cards in each player's hand, where it has been told.
    damage: the damage on each encounter card.
    progress: the progress on each location.
    strength: the threat strength of cards whose strength an effect has set.
    characters: the heroes and allies.
    used: the cards whose response was used and that are not ready for another, as far as no character says so.
    shuffles: the orders of the deck after each shuffle to come, where the setup tells them.
    staged: the players who have revealed a card in this staging step.
    round: the number of the round, as the log told it last; 0 where it has not been told.
    """

    setup: GameSetup
    frames: tuple[Frame, ...] = ()
    closed: tuple[Frame, ...] = ()
    replacement: Replacement | None = None
    doubts: tuple[Task, ...] = ()
    opened: int = 0
    roots: int = 0
    deck: tuple[str, ...] | None = None
    staging: tuple[str, ...] = ()
    first: str = ""
    sources: Mapping[str, Source] = {}
    acting: ActingSources = ActingSources()
    ordered: bool = True
    discard: tuple[str, ...] = ()
    engaged: Mapping[str, tuple[str, ...]] = {}
    other_zones: Mapping[str, Zone] = {}
    hidden: frozenset[str] = frozenset()
    attachments: Mapping[str, tuple[str, ...]] = {}
    threat: Mapping[str, int] = {}
    hands: Mapping[str, int] = {}
    damage: Mapping[str, int] = {}
    progress: Mapping[str, int] = {}
    strength: Mapping[str, int] = {}
    characters: Mapping[str, Character] = {}
    used: Mapping[str, Used] = {}
    shuffles: tuple[tuple[str, ...], ...] = ()
    staged: tuple[str, ...] = ()
    round: int = 0


copied: Callable[[State], State] = State.__copy__  # type: ignore[attr-defined]  # msgspec does not declare it
"""Another position with the same fields: faster than `replace`."""

UNKNOWN = "?"
"""A card nobody knows."""
