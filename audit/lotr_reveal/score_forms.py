"""The short forms of the reveal's most frequent events on a score sheet. They begin with a reveal or a player."""

from __future__ import annotations

from audit.score_forms import ScoreForm

SCORE_FORMS: tuple[ScoreForm, ...] = (
    ScoreForm("reveal_started", "{frame} reveal {card} {player} {cause} of {parent}", {"step": "1"}),
    ScoreForm("reveal_started", "{frame} reveal {card} {player} {cause}", {"step": "1"}),
    ScoreForm("step_entered", "{frame} step {step}"),
    ScoreForm("window_passed", "{frame} window {step}"),
    ScoreForm("response_played", "{frame} {step} {player} response {source} {effect} {target}"),
    ScoreForm("response_played", "{frame} {step} {player} response {source} {effect}"),
    ScoreForm("forced_resolved", "{frame} {step} forced {source} {effect} {target}"),
    ScoreForm("forced_resolved", "{frame} {step} forced {source} {effect}"),
    ScoreForm("threat_changed", "{frame} {step} threat {player} {delta} {reason}"),
    ScoreForm("keyword_resolved", "{frame} {step} keyword {card} {keyword} {value}"),
    ScoreForm("keyword_resolved", "{frame} {step} keyword {card} {keyword}"),
    ScoreForm("when_revealed_resolved", "{frame} {step} revealed {card}"),
    ScoreForm("enter_play_effect", "{frame} {step} enters {card} {source} {effect} {target}"),
    ScoreForm("enter_play_effect", "{frame} {step} enters {card} {source} {effect}"),
)
