"""The short forms of the reveal's most frequent events on a score sheet. They begin with a reveal or a player."""

from __future__ import annotations

from audit.score_forms import ScoreForm

SCORE_FORMS: tuple[ScoreForm, ...] = (
    ScoreForm("reveal_started", "{frame} {card} {player} {cause=staging}", {"step": "1"}),
    ScoreForm("reveal_started", "{frame} {card} {player} {cause} of {parent}", {"step": "1"}),
    ScoreForm("reveal_started", "{frame} reveal {card} {player} {cause} of {parent}", {"step": "1"}),
    ScoreForm("reveal_started", "{frame} reveal {card} {player} {cause}", {"step": "1"}),
    ScoreForm("step_entered", "{frame} step {step}"),
    ScoreForm("window_passed", "{frame} window {step}"),
    ScoreForm("response_played", "{frame} {step} {player} {source} {effect} {target=} {value=}"),
    ScoreForm("response_played", "{frame} {step} {player} response {source} {effect} {target}"),
    ScoreForm("response_played", "{frame} {step} {player} response {source} {effect}"),
    ScoreForm("forced_resolved", "{frame} {step} forced {source} {effect} {target}"),
    ScoreForm("forced_resolved", "{frame} {step} forced {source} {effect}"),
    ScoreForm("threat_changed", "{frame} {step} threat {player} {delta} {reason}"),
    ScoreForm("keyword_resolved", "{frame} {step} keyword {card} {keyword} {value}"),
    ScoreForm("keyword_resolved", "{frame} {step} keyword {card} {keyword}"),
    ScoreForm("passive_applied", "{frame} {source} {effect} {target} {amount} {step=4}"),
    ScoreForm("passive_applied", "{frame} {source} {effect} {target} {amount} less {reduced_by} {step=4}"),
    ScoreForm("passive_applied", "{frame} {source} grants {target} {keyword} {step=4}", {"effect": "grant_keyword"}),
    ScoreForm("when_revealed_resolved", "{frame} {step} revealed {card}"),
    ScoreForm("when_revealed_resolved", "{frame} {step} revealed {card} {effect}"),
    ScoreForm("enter_play_effect", "{frame} enters {card} {effect} {source=@card} {target=} {step=9}"),
    ScoreForm("surge_armed", "{frame} {step} surge {card} {origin}"),
    ScoreForm("card_moved", "{frame} {step} moved {card} {from} {to}"),
    ScoreForm("card_moved", "{frame} {step} moved {card} {from} {to} {reason}"),
    ScoreForm("placement_started", "{frame} place {card} {cause} {player} of {parent} {to=staging_area} {step=8}"),
    ScoreForm("enter_play_effect", "{frame} {step} enters {card} {source} {effect} {target}"),
    ScoreForm("enter_play_effect", "{frame} {step} enters {card} {source} {effect}"),
)
