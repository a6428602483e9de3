"""The short forms of Altered's most frequent events on a score sheet."""

from __future__ import annotations

from audit.score_forms import ScoreForm

SCORE_FORMS: tuple[ScoreForm, ...] = (
    ScoreForm("card_played", "{player} play {card} from {from} to {to_zone} of {to_owner} for {mana}"),
    ScoreForm("card_played", "{player} play {card} from {from} to {to_zone} for {mana}"),
    ScoreForm("card_played", "{player} play {card} from {from} to {to_zone}"),
    ScoreForm("mana_placed", "{player} mana {card} {count=1} {from=hand} {face=down}"),
    ScoreForm("mana_declined", "{player} no mana"),
    ScoreForm("player_passed", "{player} pass"),
    ScoreForm("quick_action_played", "{player} quick {source} {action} for {mana} exhausts {exhausts}"),
    ScoreForm("quick_action_played", "{player} quick {source} {action} for {mana}"),
    ScoreForm("cards_drawn", "{player} draw {count} {reason}"),
    ScoreForm("cleanup_choice", "{player} keep {zone} {kept}"),
    ScoreForm("reaction_played", "{player} react {emblem} {effect}"),
    ScoreForm("effect_started", "{player} effect {source} {effect}"),
    ScoreForm("objects_readied", "{player} ready {objects}"),
    ScoreForm("tumult_effect_resolved", "tumult {card} {effect}"),
    ScoreForm("reaction_check", "reactions {reason}"),
)
