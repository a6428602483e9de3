"""The general rules on which the texts of each card rest: of their boxes, their moments, and what they tell to do."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from audit.core.catalogue import Rule, each_once
from audit.core.event_rules import Citations
from audit.games.compile import rules
from audit.games.compile.cards import CARDS
from audit.games.compile.declarations import BoxName, CardFacts, CardInstruction, Trigger
from audit.games.compile.event_rules.triggering import BOX_RULES, trigger_rules
from audit.games.compile.occasions import rules_of_instruction
from audit.games.compile.texts import BOXES

_STANDING: Final[dict[str, Citations]] = {
    "line_total": (rules.compile.TEN_OR_MORE,),
    "any_protocol_play": (rules.play.FACE_UP_NEEDS_PROTOCOL,),
    "any_side_play": (rules.play.ON_OWN_SIDE,),
    "no_middle_commands": (rules.field.MIDDLE_COMMAND,),
    "face_down_value": (rules.field.FACE_DOWN_VALUE,),
    "no_face_down_play": (rules.play.FACE_DOWN_ANY_LINE,),
    "face_down_play_only": (rules.play.FACE_UP_NEEDS_PROTOCOL,),
    "skip_cache_check": (rules.cache.FIVE_CARD_LIMIT,),
}
"""What a text changes that is in force as long as its box works."""


@cache
def rules_of_card(card: str) -> Citations:
    """The general rules on which the texts of a card rest, box by box; none where there is no such card."""
    facts = CARDS.get(card)
    found = each_once(tuple(rule for box in BOXES for rule in _of_box(facts, box))) if facts else ()
    return tuple(rule for rule in found if card not in rule.cards)


def _of_box(card: CardFacts, box: BoxName) -> Iterator[Rule]:
    for item in card.box(box):
        if isinstance(item, CardInstruction):
            yield from (*trigger_rules("played", box, card.id), *rules_of_instruction(card.id, item))
        elif isinstance(item, Trigger):
            moment = "before_covered" if item.on == "before_covered_or_flipped" else item.on
            yield from trigger_rules(moment, box, card.id)
            yield from (rule for one in item.instructions for rule in rules_of_instruction(card.id, one))
        else:
            yield from (rules.effects.CARDS_BEAT_RULES, *_STANDING.get(item.rule, ()), *BOX_RULES[box])
