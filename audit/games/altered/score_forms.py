"""The short forms of Altered's most frequent events on a score sheet."""

from __future__ import annotations

from collections.abc import Mapping

from audit.core.event_rules import Json
from audit.core.written_forms import ScoreForm

NAMED_IN = ("costs", "stats", "hands", "decks")
"""The parts of a setup that name cards."""

SCORE_FORMS: tuple[ScoreForm, ...] = (
    ScoreForm("card_played", "{player} {card} h {mana} {from=hand} {to_owner=@player}", {"to_zone": "hero_expedition"}),
    ScoreForm(
        "card_played", "{player} {card} c {mana} {from=hand} {to_owner=@player}", {"to_zone": "companion_expedition"}
    ),
    ScoreForm(
        "card_played", "{player} {card} hero {mana} {from=hand} {to_owner=@player}", {"to_zone": "hero_expedition"}
    ),
    ScoreForm(
        "card_played", "{player} {card} comp {mana} {from=hand} {to_owner=@player}", {"to_zone": "companion_expedition"}
    ),
    ScoreForm(
        "card_played",
        "{player} {card} companion {mana} {from=hand} {to_owner=@player}",
        {"to_zone": "companion_expedition"},
    ),
    ScoreForm("card_played", "{player} {card} {to_zone} {mana} {from=hand} {to_owner=@player}"),
    ScoreForm("card_played", "{player} play {card} from {from} to {to_zone} of {to_owner} for {mana}"),
    ScoreForm("card_played", "{player} play {card} from {from} to {to_zone} for {mana} {to_owner=@player}"),
    ScoreForm("card_played", "{player} play {card} from {from} to {to_zone} {mana=:} {to_owner=@player}"),
    ScoreForm("mana_placed", "{player} mana {card} {count=1} {from=hand} {face=down}"),
    ScoreForm("mana_declined", "{player} no mana"),
    ScoreForm("player_passed", "{player} pass"),
    ScoreForm("quick_action_played", "{player} quick {source} {action} {mana=0} {exhausts=}"),
    ScoreForm("quick_action_played", "{player} quick {source} {action} for {mana} exhausts {exhausts}"),
    ScoreForm("quick_action_played", "{player} quick {source} {action} for {mana}"),
    ScoreForm("cards_drawn", "{player} draw {count} {reason=morning}"),
    ScoreForm("cleanup_choice", "{player} keep {zone} none", {"kept": ()}),
    ScoreForm("cleanup_choice", "{player} keep {zone} {kept}"),
    ScoreForm("reaction_played", "{player} react {emblem} {effect}"),
    ScoreForm("effect_started", "{player} effect {source} {effect}"),
    ScoreForm("objects_readied", "{player} ready {objects}"),
    ScoreForm("tumult_effect_resolved", "tumult {card} {effect}"),
    ScoreForm("reaction_check", "reactions {reason}"),
    ScoreForm("expedition_advanced", "{player} advance {expedition} {stat} {spaces=1}"),
    ScoreForm("character_rested", "{player} rest {card}", {"to": "reserve"}),
    ScoreForm("character_rested", "{player} rest {card} none", {"to": "reserve", "statuses_removed": ()}),
    ScoreForm("character_rested", "{player} rest {card} {to}"),
    ScoreForm("character_rested", "{player} rest {card} {to} none", {"statuses_removed": ()}),
    ScoreForm("character_rested", "{player} rest {card} {to} loses {statuses_removed}"),
    ScoreForm("boosts_changed", "boost {card} {count=1}"),
    ScoreForm("status_gained", "gains {card} {status}"),
    ScoreForm("status_lost", "loses {card} {status}"),
    ScoreForm("arena_totals", "{side} arena {forest} {mountain} {water}"),
    ScoreForm("winner_declared", "{side} wins"),
    ScoreForm("winner_declared", "{side} wins {reason}"),
)


def cost_told(said: Json, setup: Json) -> object:
    """The cost of the card that a line tells, from where it is played; None where the setup does not say it."""
    costs = setup.get("costs")
    cost = costs.get(said["card"]) if isinstance(costs, Mapping) else None
    return cost.get(said["from"]) if isinstance(cost, Mapping) else None
