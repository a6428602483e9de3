"""The position of a game of Altered: what lies on the table, and what is under way. Values and look-ups; no rules.

`None` stands for what is unknown: a zone, a number, a region. An empty zone is `()`. What most events change stands
first in a position: a copy looks its new fields up in their order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal

from msgspec import Struct

from audit.games.altered.game_data import Cards, GameData
from audit.games.altered.vocabulary import CheckReason, DayKind, EffectName, ExpeditionName, PhaseName, Stat, Stats

UNKNOWN = "?"
"""A card nobody has named."""

ORIGINS: tuple[Origin, ...] = ("", "reserve", "token")

HERO: Final = "hero"
COMPANION: Final = "companion"
EXPEDITIONS: tuple[ExpeditionName, ...] = (HERO, COMPANION)
STATS: tuple[Stat, ...] = ("forest", "mountain", "water")
PHASES: tuple[PhaseName, ...] = ("morning", "noon", "afternoon", "dusk", "night")
RESERVE: Final = "reserve"
LANDMARKS: Final = "landmark_zone"
MAX_USES_A_DAY = 100
"""One quick action may be used, and one reaction activated, at most this often a day."""
NO_LIMIT = 99
"""How many a text means that sets no number."""

Origin = Literal["", "reserve", "token"]
DeedKind = Literal["draw", "ready", "reserve", "discard", "hand", "token", "boost", "status", "exhaust"]
Who = Literal["you", "each", "opponent", "opponents"]


class Character(Struct, frozen=True, gc=False, forbid_unknown_fields=True, cache_hash=True):
    """A Character in an expedition.

    - `id`: its card.
    - `stats`, `statuses`, `abilities`: None where they are unknown, also once an effect was applied to the
      Character. Rest takes statuses off.
    - `origin`: `reserve` for a card played from there, `token` for a token: Rest does not bring them to the Reserve.
    - `touched_by`: the newest event whose text is not known here and may have changed the Character; 0 for none.
    """

    id: str
    stats: Stats | None = None
    statuses: Cards | None = None
    abilities: Cards | None = None
    origin: Origin = ""
    touched_by: int = 0

    @property
    def eternal(self) -> bool | None:
        """Whether Rest leaves it where it is; None where that is unknown."""
        return None if self.abilities is None else "eternal" in self.abilities


Expedition = tuple[Character, ...]


class Side(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What belongs to one player. A card of the hand or the deck that nobody has seen is `?`.

    - `hand`, `deck`: the cards; a deck has its top card first.
    - `ready_orbs`, `exhausted_orbs`: how many Mana Orbs are ready and exhausted.
    - `all_orbs`: how many there are, where that is known although nobody has told how many of them are ready.
    - `reserve`, `landmarks`: the cards of these zones.
    - `hero`, `companion`: the Characters of each expedition.
    - `hero_advance`, `companion_advance`: how many spaces each expedition has advanced.
    - `discard`: the discard pile, as far as it is known.
    - `known_orbs`: the cards of which it is known that they became Mana Orbs.
    - `spells`: the cards in Limbo: played, and not said to have gone anywhere yet.
    """

    hand: Cards | None = None
    deck: Cards | None = None
    ready_orbs: int | None = None
    exhausted_orbs: int | None = None
    reserve: Cards | None = None
    landmarks: Cards | None = None
    hero: Expedition | None = None
    companion: Expedition | None = None
    hero_advance: int | None = None
    companion_advance: int | None = None
    discard: Cards = ()
    known_orbs: Cards = ()
    spells: Cards = ()
    all_orbs: int | None = None

    def advance(self, expedition: str) -> int | None:
        """How many spaces that expedition has advanced."""
        return self.hero_advance if expedition == HERO else self.companion_advance

    def characters(self, expedition: str) -> Expedition | None:
        """Who is in that expedition."""
        return self.hero if expedition == HERO else self.companion

    def zone(self, name: str) -> Cards | None:
        """The Reserve or the Landmark zone."""
        return self.reserve if name == RESERVE else self.landmarks


class Tumult(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The Tumult cards at one place.

    - `cards`: which they are.
    - `is_up`: whether they have been turned face up.
    - `effect`: what they do when turned up, if the setup tells.
    - `centre_advance`: for the centre, the number of spaces after which an expedition gets there.
    """

    cards: Cards
    is_up: bool = False
    effect: str | None = None
    centre_advance: int | None = None


class Triggered(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A reaction that has been set off and whose emblem has not been created yet.

    - `reaction`: its name.
    - `seq`: the event that set it off; 0 for one that was not written down.
    """

    reaction: str
    seq: int = 0


class Emblem(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A reaction waiting in Limbo. Nothing in it changes until it is played.

    - `id`: the name of the emblem.
    - `controller`: who plays it.
    - `source`: the card whose reaction it is.
    - `trigger_seq`: the event that set it off.
    - `seq`: the event that created it; 0 for one that was not written down.
    - `follows_reaction`: whether it was created during the effect of another reaction.
    - `reaction`: the name of the reaction, as the setup has it; "" where nobody has told it.
    - `is_named`: whether the log gives its name; an inferred name may differ from the one used later.
    """

    id: str
    controller: str
    source: str = ""
    trigger_seq: int = 0
    seq: int = 0
    follows_reaction: bool = False
    is_named: bool = True
    reaction: str = ""


class Deed(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One thing that a text does.

    - `kind`: draw cards, ready Mana Orbs, move a card to the Reserve, the discard pile or a hand, create a token, give
      boosts or a status, exhaust an object.
    - `count`: how often, or how many; 99 for as many as there are.
    - `who`: the player who does it, as the controller of the text sees it: `opponent` is one, `opponents` are all.
    - `by`: the seat of the one player who does it, where all of them do, or all opponents.
    - `is_own`: whether it is done to the card itself whose text it is.
    - `status`: the status that it gives, where it gives one.
    - `is_counted`: whether the position shows it already, although the log has not told it.
    """

    kind: DeedKind
    count: int = 1
    who: Who = "you"
    by: str = ""
    is_own: bool = False
    status: str = ""
    is_counted: bool = False


class Effect(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """An effect that has begun and is not complete.

    - `player`, `source`: who resolves it, and the card it comes from.
    - `has_internal_action`: set once an action inside it was played, which holds the reactions back until the end.
    - `seq`: the event that began it.
    - `deeds`: what its text has it do from now on; None where the text is not read.
    - `text`: its words, as the log tells them.
    """

    player: str
    source: str
    has_internal_action: bool = False
    seq: int = 0
    deeds: tuple[Deed, ...] | None = None
    text: str = ""


class Done(Struct, frozen=True, gc=False):
    """What a text is to have done: so much of a kind, by a player, as the log names a source and an object.

    No `kind` is for what no plain text does; no player is for a move of which the log does not say who makes it; no
    `status` is for any.
    """

    kind: DeedKind | None
    player: str = ""
    count: int = 1
    source: str = ""
    card: str = ""
    status: str = ""

    def is_by(self, text: Resolving, deed: Deed) -> bool:
        """Whether a deed of that text may be it, but for who does it."""
        is_other_card = deed.is_own and bool(self.card) and self.card not in text.names
        is_other_status = bool(self.status) and deed.status not in ("", self.status)
        return deed.kind == self.kind and not is_other_card and not is_other_status


class Resolving(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What was played last and may still have effects.

    - `player`: who played it; "" for a Tumult card.
    - `names`: the names it goes by: its card, or the emblem and its source.
    - `seq`: the event that played it.
    - `deeds`: what its text has it do from now on; None where the text is not read.
    - `text`: the words of its effect, as the setup or the log tells them, where it is no text of a card.
    """

    player: str
    names: Cards
    seq: int = 0
    deeds: tuple[Deed, ...] | None = None
    text: str = ""


class Comparison(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The sums announced for one expedition at dusk: its `own`, and those of the expedition `opposing` it."""

    own: Stats
    opposing: Stats


class Moment(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """The last moment that gave rise to a reaction check; each such moment starts afresh.

    - `reason`: the reason of the check, or `day_start`; None at the start and while a daily effect begins.
    - `seq`: the event that began the moment.
    - `triggers_from`: only events from this one on can be triggers now.
    - `resolving`: what was played at this moment.
    - `earlier`: what was played or begun before it and is not all told: its text is not read, or has something left.
    - `reaction_of`: who played a reaction at this moment, if that is what began it.
    - `arrivals`: the cards that have come into sight since, with the event that brought each.
    - `is_limbo_known`: False where the log starts mid-game and the setup does not say what waits in Limbo.
    """

    reason: CheckReason | Literal["day_start"] | None = None
    seq: int = 0
    triggers_from: int = 0
    resolving: Resolving | None = None
    earlier: tuple[Resolving, ...] = ()
    reaction_of: str | None = None
    arrivals: Mapping[str, int] = {}
    is_limbo_known: bool = True


class PhaseProgress(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True):
    """How far the present phase has come, beyond its daily effects; each phase starts afresh.

    - `seq`: the event that began the phase.
    - `silent_on_mana`: players whose mana choice went by without a word in the log.
    - `played_early`: players who have played before it was their turn, and whose next turn is left out.
    - `passed_over`: daily effects that another has begun before, and that are still to come.
    - `is_told`: whether the log has told of an advance or of sums at this dusk.
    - `comparisons`: the sums announced at this dusk, by expedition.
    - `advanced`: the expeditions that have advanced at this dusk.
    - `left`: the region types of the regions that they have left, as far as these were known: those compared in.
    - `tumult_reached`: places with face-down Tumult cards that an expedition has come to.
    - `tumult_to_resolve`: Tumult cards turned up whose effects are still to be carried out.
    """

    seq: int = 0
    silent_on_mana: Cards = ()
    played_early: Cards = ()
    passed_over: tuple[EffectName, ...] = ()
    is_told: bool = False
    comparisons: Mapping[str, Comparison] = {}
    advanced: Cards = ()
    left: Mapping[str, frozenset[str]] = {}
    tumult_reached: Cards = ()
    tumult_to_resolve: Cards = ()


class State(Struct, frozen=True, gc=False):
    """A position: the table, the moment of the day, and everything that is under way or waits.

    - `game`: what the setup tells once and for all.
    - `sides`: what belongs to each player, in the order of `seats`.
    - `last_seq`: the last event that was written down. An event before the log has a number below 0.
    - `winner`: the side that has won; the game is over then.

    The day; all of this starts afresh with each day:

    - `moment`: the last moment that gave rise to a reaction check.
    - `triggered`: reactions set off, without an emblem yet; `limbo`: emblems waiting.
    - `open_effects`: the effects that have begun and are not complete, the innermost last.
    - `daily_effect`: the daily effect under way; `effects_left`: those of this phase that follow it.
    - `parts_left`: what is left of the daily effect under way: players, sides, Characters, or zones to choose from.
    - `is_phase_uncertain`: whether the log starts within this phase, so that some of `effects_left` may be over.
    - `progress`: how far the phase has come otherwise.
    - `phase`: the phase under way; None before the first one.
    - `turn_of`: whose turn it is in the afternoon.
    - `last_action`: the last action of this afternoon: the player, and quick, card or pass.
    - `passed`: the players who have passed.
    - `day`, `day_kind`: its number, and normal or tiebreak.
    - `kept`: what each player has chosen to keep at Cleanup, by player and zone.
    - `is_cleaned_up`: whether Cleanup has discarded the rest; `is_discard_told`: whether the log has told of that.
    - `meetings`: the players whose expeditions were said to have met, with their surplus.
    - `arena_totals`: the sums announced in the Arena, by side.
    - `tiebreak_players`: who takes part in the tie-break that was called; None if none was.
    - `quick_uses`, `activations`: how often each quick action was used and each reaction activated today.

    The table:

    - `seats`: the players clockwise.
    - `teams`: each team with its members.
    - `first_player`: who holds the First Player token.
    - `facing`: for each expedition the one opposite; changes when a player leaves.
    - `meeting_distance`: how many spaces a player's two expeditions advance together until they meet.
    - `regions`: the region types announced at dusk, where the setup gives no path; dropped when the expedition moves.
    - `region_cards`: the region cards laid out, by expedition.
    - `tumult`: the Tumult cards by place, or by the expedition whose pile they are; `face_up`: those turned up so far.
    - `exhausted`: the exhausted cards, with the player who exhausted each ("" from the setup).
    - `untold`: the events told in words of which the log does not say what they did.
    - `words_today`: by player, the newest of this day's events told in words: it may have changed costs.
    - `region_words`: the newest event of this day told in words that may have changed a region; 0 for none.
    - `newest_text`: the newest event with a text that is not known here; 0 for none.
    - `spells_from_reserve`: the Spells in Limbo that were played from the Reserve.
    - `owners`: of the cards that lie on the side of somebody who did not bring them, who did.
    - `departures`: objects that have left their zone, with the event that moved them, until they are back.
    - `deck_sizes`, `decks_legal`: of the registered decks, how many cards, and whether they obey the rules.
    - `still_in`: the players who have not left the game.
    - `played_on`: the players whose expeditions have met and won, where the game was played on all the same.
    """

    game: GameData
    sides: tuple[Side, ...] = ()
    last_seq: int = 0
    winner: str | None = None
    moment: Moment = Moment()
    triggered: tuple[Triggered, ...] = ()
    limbo: tuple[Emblem, ...] = ()
    open_effects: tuple[Effect, ...] = ()
    daily_effect: EffectName | None = None
    effects_left: tuple[EffectName, ...] = ()
    parts_left: Cards = ()
    is_phase_uncertain: bool = False
    progress: PhaseProgress = PhaseProgress()
    phase: PhaseName | None = None
    turn_of: str | None = None
    last_action: tuple[str, str] | None = None
    passed: Cards = ()
    day: int = 0
    day_kind: DayKind = "normal"
    kept: Mapping[str, Cards] = {}
    is_cleaned_up: bool = False
    is_discard_told: bool = False
    meetings: tuple[tuple[str, int], ...] = ()
    arena_totals: Mapping[str, Stats] = {}
    tiebreak_players: Cards | None = None
    quick_uses: Mapping[str, int] = {}
    activations: Mapping[str, int] = {}
    seats: Cards = ()
    teams: tuple[tuple[str, Cards], ...] = ()
    first_player: str | None = None
    facing: Mapping[str, str] = {}
    meeting_distance: int | None = None
    regions: Mapping[str, frozenset[str]] = {}
    region_cards: Mapping[str, Cards] = {}
    tumult: Mapping[str, Tumult] = {}
    face_up: Cards = ()
    exhausted: Mapping[str, str] = {}
    untold: tuple[int, ...] = ()
    words_today: Mapping[str, int] = {}
    region_words: int = 0
    newest_text: int = 0
    spells_from_reserve: Cards = ()
    owners: Mapping[str, str] = {}
    departures: Mapping[str, int] = {}
    deck_sizes: Mapping[str, int] = {}
    decks_legal: Mapping[str, bool] = {}
    still_in: Cards = ()
    played_on: Cards = ()

    def side(self, seat: str) -> Side:
        """The same as `side_of`, for questions outside the rules."""
        return self.sides[self.seats.index(seat)] if seat in self.seats else NOBODY


copied: Callable[[State], State] = State.__copy__  # type: ignore[attr-defined]  # msgspec does not declare it
"""Another position with the same fields: faster than `replace`."""

NOBODY = Side()
