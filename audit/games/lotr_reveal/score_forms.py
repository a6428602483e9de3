"""The short forms of the reveal's most frequent events on a score sheet. They begin with a reveal or a player.

A scorekeeper follows one card after another. What is told of the reveal and the card that the line before told of comes
first, and names neither.
"""

from __future__ import annotations

from audit.core.written_forms import ScoreForm

NAMED_IN = ("cards", "in_play", "encounter_deck")
"""The parts of a setup that name cards."""

_HERE = "{frame=^}"
_OF_CARD = "{card=^} {frame=^}"
_AT_CARD = "{target=^card} {frame=^}"
_NESTED = "{parent=^frame} {frame=+}"

BEHIND_A_LINE: tuple[ScoreForm, ...] = (
    ScoreForm("keyword_resolved", f"key {{keyword}} {{value=}} {_OF_CARD}", {"step": "5.1"}),
    ScoreForm("surge_armed", f"surge {{origin=printed}} {_OF_CARD}", {"step": "5.1"}),
    ScoreForm("passive_applied", f"{{source}} hit {{amount}} {_AT_CARD}", {"effect": "damage", "step": "4"}),
    ScoreForm(
        "passive_applied", f"{{source}} hit {{amount}} less {{reduced_by}} {_AT_CARD}",
        {"effect": "damage", "step": "4"},
    ),
    ScoreForm("passive_applied", f"{{source}} grant {{keyword}} {_AT_CARD}", {"effect": "grant_keyword", "step": "4"}),
    ScoreForm("response_played", f"{{player}} {{source}} cancel {_AT_CARD}", {"effect": "cancel_card", "step": "3"}),
    ScoreForm(
        "response_played", f"{{player}} {{source}} counter {_AT_CARD}",
        {"effect": "cancel_when_revealed", "step": "6"},
    ),
    ScoreForm(
        "response_played", f"{{player}} {{source}} replace {_AT_CARD}",
        {"effect": "cancel_when_revealed_and_replace", "step": "6"},
    ),
    ScoreForm(
        "response_played", f"{{player}} {{source}} name {{value}} {_AT_CARD}", {"effect": "name_type", "step": "7"}
    ),
    ScoreForm("enter_play_effect", f"enter {{effect}} {{source}} {_AT_CARD} {{card=^}}", {"step": "9"}),
    ScoreForm("enter_play_effect", f"enter {{effect}} {{source=^card}} {_OF_CARD}", {"step": "9"}),
    ScoreForm("forced_resolved", f"forced {{source}} {{effect}} {_HERE}", {"step": "10"}),
    ScoreForm("reveal_started", "{card} {player} {frame=+}", {"cause": "staging", "step": "1"}),
    ScoreForm("reveal_started", f"{{card}} {{player}} surge {_NESTED}", {"cause": "surge", "step": "1"}),
    ScoreForm("reveal_started", f"{{card}} {{player}} guarded {_NESTED}", {"cause": "guarded", "step": "1"}),
    ScoreForm("reveal_started", f"{{card}} {{player}} instead {_NESTED}", {"cause": "replacement", "step": "1"}),
)  # fmt: skip

SCORE_FORMS: tuple[ScoreForm, ...] = (
    *BEHIND_A_LINE,
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
