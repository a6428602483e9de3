"""What is told of cards that nobody has seen."""

from __future__ import annotations

import pytest

from audit.core.ruleset import ruleset
from audit.core.sentences import tell
from audit.games.compile.events import Discarded, Drew


@pytest.mark.every(
    ("cards", "language", "said"),
    [
        (("?",), "en", "A discards a card."),
        (("?", "?"), "en", "A discards 2 cards."),
        (("?",), "fr", "A défausse une carte."),
        (("fire-3", "?"), "en", "A discards 2 cards: Fire 3 and ?."),
        (("?", "?"), "pl", "Gracz A odrzuca 2 karty."),
    ],
)
def test_a_discard_of_cards_that_nobody_saw_is_a_number(cards: tuple[str, ...], language: str, said: str) -> None:
    assert tell(ruleset("compile"), Discarded(seq=1, player="A", cards=cards), language) == said


def test_five_cards_that_nobody_saw_are_drawn() -> None:
    assert tell(ruleset("compile"), Drew(seq=1, player="A", cards=("?",) * 5), "en") == "A draws 5 cards."
