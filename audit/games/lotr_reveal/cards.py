"""Texts of cards as data, and what the procedure itself says of certain cards.

Nothing asks which card it is: a card is what its entry in the setup declares, and `KNOWN` fills in what the
document of the procedure settles for a card it names.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, get_args

from msgspec import Struct

from audit.games.lotr_reveal.events import Amount, Disposition, PassiveEffect, Zone
from audit.games.lotr_reveal.steps import StepName

CardType = Literal["enemy", "location", "treachery"]
Cost = Literal["exhaust", "discard", "none"]

DOCUMENT_TYPES: tuple[str, ...] = get_args(CardType)
"""The types of cards of which the document speaks. A card may be of any other type: the game has more of them."""
DOCUMENT_TRAITS = frozenset({"goblin", "undead"})
"""The traits of which the document speaks: whether a card has one is known where its traits are told."""
_STAGED, _QUESTS = frozenset({"enemy", "location", "objective"}), ("side-quest", "encounter-side-quest")
"""What the type of a card says if it goes to the staging area. The document says so of enemies and locations only."""

SURGE, DOOMED, PERIL, HUNT = "surge", "doomed", "peril", "hunt"
GUARDED, GUARDED_X, AMBUSH = "guarded", "guarded-x", "ambush"
ATTACH = "attach"
ITSELF = "#itself"
"""In the place of a kind of cards: the card whose effect it is, and no other."""
REVEAL_KEYWORDS = frozenset({SURGE, DOOMED, PERIL, HUNT})
ENTER_KEYWORDS = frozenset({GUARDED, GUARDED_X, AMBUSH, "bas-fonds", "villager", "concealment"})
KEYWORDS = REVEAL_KEYWORDS | ENTER_KEYWORDS | {"resistance"}

CANCEL_CARD, NAME_TYPE, READY = "cancel_card", "name_type", "ready_character"
CANCEL_EFFECT, CANCEL_AND_REPLACE = "cancel_when_revealed", "cancel_when_revealed_and_replace"
SHUFFLE: Disposition = "shuffle_into_deck"
EXHAUST, DISCARD = "exhaust", "discard"


class Does(Struct, frozen=True, gc=False):
    """What a text does, as far as it is known.

    to: the zone the card goes to; None where the text does not move it.
    threat: by how much threat rises.
    draws: how many cards are drawn.
    damage: how much damage is dealt to each character reached.
    who: the characters reached (`ready` or `exhausted`), or the players: `each`, the `first`, or `you` who reveals.
    """

    to: str | None = None
    threat: int = 0
    draws: int = 0
    damage: int = 0
    who: str | None = None


class Text(Struct, frozen=True, gc=False):
    """What a text comes to.

    does: what it does, as far as it is understood.
    gains: the keywords it gives its card; None where it gives none or is not understood.
    is_understood: whether that is all it does.
    can_be_cancelled: whether it does not say that it cannot be cancelled.
    leads_to: the event types that tell what comes of it, beside what follows by itself.
    reaches_quest: whether it may take characters off the quest, as far as anybody knows.
    draws_for: for each sentence that lets players draw, who they are: `each`, the `first`, `you` or `any`.
    discards_of: the same for sentences that let them discard.
    reveals: for each sentence that reveals cards, who reveals them, and how many; 0 where it does not say so.
    """

    does: Does = Does()
    gains: tuple[str, ...] | None = None
    is_understood: bool = False
    can_be_cancelled: bool = True
    leads_to: tuple[str, ...] = ()
    reaches_quest: bool = False
    draws_for: tuple[str, ...] = ()
    discards_of: tuple[str, ...] = ()
    reveals: tuple[tuple[str, int], ...] = ()

    @property
    def leaves_choice(self) -> bool:
        """Whether players decide something by it, or may do so as far as anybody knows."""
        return not self.is_understood or (bool(self.leads_to) and not self.does.damage)


class Outcome(Struct, frozen=True, gc=False):
    """A card's own reaction.

    trigger: what it reacts to: being `damaged`, `defeated` or `explored`.
    effect: its text.
    does: what the text comes to.
    """

    trigger: str
    effect: str
    does: Does = Does()


class Passive(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """What a card in play does to a card that is being revealed.

    effect: what it does, or `other`.
    amount: how much damage or progress.
    keyword: the keyword granted.
    to: the type or trait of the cards it acts on; None for all.
    """

    effect: PassiveEffect
    amount: Amount = 0
    keyword: str | None = None
    to: str | None = None


class Enters(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """What a card in play does when another enters play.

    effect: `attach`, `engage`, `zero_threat`, or a text that is free.
    to: the type or trait of the cards it acts on; None for all.
    """

    effect: str
    to: str | None = None


class Forced(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """A forced effect.

    step: the step whose condition it names: 10 after entering play, 11 after being revealed.
    effect: its text.
    to: the type or trait of the cards it reacts to, or ITSELF; None for all.
    """

    step: StepName
    effect: str = ""
    to: str | None = None


class Source(Struct, frozen=True, gc=False, omit_defaults=True):
    """A card in play that can act on a card being revealed.

    owner: the player it belongs to; None on the encounter side.
    committed: whether it is committed to the quest, so that its passive effect counts; None where nobody has told.
    commits: whether it is a character, which commits to the quest or not, round by round; None where it may be one.
    on_reveal: its passive effect on a card being revealed.
    response: the kind of its response.
    step: the step of a response that has a moment of its own.
    cost: what becomes of the card for its response; None where nobody has said.
    enters_with: its effect on a card entering play.
    forced: its forced effect.
    attached_to: the character it is attached to.
    disposition: where a card goes that it cancels; None where it leaves it open.
    replacement: whether another card is revealed for one that it cancels; None where it does not say.
    """

    owner: str | None = None
    committed: bool | None = True
    commits: bool | None = False
    on_reveal: Passive | None = None
    response: str | None = None
    step: StepName | None = None
    cost: Cost | None = None
    enters_with: Enters | None = None
    forced: Forced | None = None
    attached_to: str | None = None
    disposition: Disposition | None = None
    replacement: bool | None = None

    @property
    def is_bound(self) -> bool:
        """Whether it is attached already and so not free to attach to a card that enters play."""
        return self.attached_to is not None and self.enters_with is not None and self.enters_with.effect == ATTACH


class Card(Struct, frozen=True, gc=False):
    """An encounter card.

    type: enemy, location or treachery, or a type of which the document says nothing, such as `objective` or
        `ship-enemy`; None where nobody has said what it is.
    traits: its traits, in lower case.
    hit_points: of an enemy; None where nobody has said.
    quest_points: of a location; None where nobody has said.
    keywords: its printed keywords, each with its value.
    immune: whether it is immune to player cards; None where nobody can tell.
    conditional: whether its immunity has a condition.
    resistance: how much damage by passive effects it ignores.
    has_when_revealed: whether it has a When Revealed effect; None where nobody has said.
    text: what that effect comes to.
    outcomes: its own reactions to being damaged, defeated or explored.
    source: what it does to other cards while it is in play.
    kinds: the words of its type: an `objective-ally` is of the kinds objective and ally.
    is_ruled: whether the document speaks of cards of its type, or nobody has said which that is.
    enters_play: whether it stays on the table.
    destination: where it goes at step 8 by its own words or by its type; None where neither says.
    unknown_keywords: its keywords of which the document says nothing, so that they may do anything.
    """

    type: str | None = None
    traits: tuple[str, ...] = ()
    hit_points: int | None = None
    quest_points: int | None = None
    keywords: Mapping[str, int | str | bool] = {}
    immune: bool | None = False
    conditional: bool = False
    resistance: int = 0
    has_when_revealed: bool | None = None
    text: Text = Text(reaches_quest=True)
    outcomes: tuple[Outcome, ...] = ()
    source: Source | None = None
    kinds: tuple[str, ...] = ()
    is_ruled: bool = True
    enters_play: bool = True
    destination: Zone | None = None
    unknown_keywords: tuple[str, ...] = ()

    def is_a(self, kind: str | None) -> bool:
        """Whether the card is of that type or has that trait; every card is of no kind in particular."""
        return kind is None or kind == self.type or kind in self.traits

    def may_be_a(self, kind: str | None) -> bool:
        """Whether the card may count as one of that kind, although the document does not say so: a ship enemy may."""
        return not self.is_ruled and (kind is None or kind in self.kinds)


def kinds_of(type: str | None) -> tuple[str, ...]:
    """The words of a type of cards."""
    return tuple(type.split("-")) if type else ()


def is_ruled(type: str | None) -> bool:
    """Whether the document speaks of cards of that type, or nobody has said which it is."""
    return type is None or type in DOCUMENT_TYPES


def enters_play(type: str | None) -> bool:
    """Whether cards of that type stay on the table."""
    return "treachery" not in kinds_of(type)


def usual_destination(type: str | None) -> Zone | None:
    """Where cards of that type go at step 8; None where the type does not say."""
    if not enters_play(type):
        return "encounter_discard"
    return "staging_area" if _STAGED.intersection(kinds_of(type)) or type in _QUESTS else None


def unknown_keywords(keywords: Mapping[str, int | str | bool]) -> tuple[str, ...]:
    """Those of the keywords of which the document says nothing."""
    return tuple([one for one, value in keywords.items() if one not in KEYWORDS and value is not False])


UNDESCRIBED = Card()


@lru_cache(maxsize=1024)
def without_copy(card: str) -> str:
    """The card a copy is of: `orc#2` is a second `orc`."""
    return card.partition("#")[0]


KNOWN: Mapping[str, Source] = {
    "thalin": Source(commits=True),
    "fine-hearing": Source(response=CANCEL_CARD, disposition=SHUFFLE, replacement=True),
    "frodo": Source(response=CANCEL_CARD, disposition=SHUFFLE, replacement=True),
    "door-is-closed": Source(response=CANCEL_CARD, cost="discard"),
    "minas-tirith-lampwright": Source(response=NAME_TYPE),
    "winged-feet": Source(response=READY, step="4.5"),
    "no-hasty-judgement": Source(response="other", step="5.0", cost="discard"),
    "test-of-will": Source(response=CANCEL_EFFECT, cost="discard"),
    "eleanor": Source(response=CANCEL_AND_REPLACE, cost="exhaust"),
}
"""What the document settles: what the card does, when, and where a cancelled card goes; and what the card costs."""
