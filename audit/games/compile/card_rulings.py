"""Rules made for single cards: they clarify or correct one text."""

from __future__ import annotations

from audit.core.catalogue import DEFINITION, ERRATA, TIMING, Rule
from audit.games.compile import rules

CARD_RULES: dict[str, tuple[Rule, ...]] = {}
"""The rules about each card."""

_BY_EVENT: dict[tuple[str, str], tuple[Rule, ...]] = {}

for _rule in vars(rules.card).values():
    if isinstance(_rule, Rule):
        for _card in _rule.cards:
            CARD_RULES[_card] = (*CARD_RULES.get(_card, ()), _rule)
        for _event in _rule.events:
            _key = (_rule.cards[0], _event)
            _BY_EVENT[_key] = (*_BY_EVENT.get(_key, ()), _rule)


def clarification(card: str, event: str, *kinds: str) -> Rule | None:
    """The rule made for that card that speaks of this type of event, of one of these kinds if any are named."""
    return next((rule for rule in _BY_EVENT.get((card, event), ()) if not kinds or rule.kind in kinds), None)


def correction(card: str, event: str) -> Rule | None:
    """The rule that says how the text of that card is to be read where it speaks of this type of event."""
    return clarification(card, event, ERRATA, DEFINITION)


def text_lost_ruling(card: str) -> Rule | None:
    """The rule made for that card about its text when it is no longer visible."""
    return clarification(card, "resolved", TIMING)
