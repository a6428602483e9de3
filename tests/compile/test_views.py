"""What a viewer is told of an event."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from audit.core.model import LOG_VERSION, Header, Player
from audit.core.sentences import tell
from audit.games.compile import RULESET
from audit.games.compile import events as e
from replays.terminal.scene_lines import scene_lines

GAME = RULESET
HEADER = Header(
    log=LOG_VERSION, ruleset="compile", game="g", players=(Player("A"), Player("B")), first="A",
    setup={"protocols": {"A": ["fire", "life", "water"], "B": ["death", "metal", "speed"]}},
)  # fmt: skip


@pytest.mark.every("viewer", ["public", "A", "B", "judge"])
def test_who_rearranges_protocols_is_seen_by_all(viewer: str) -> None:
    event = e.Rearranged(seq=1, side="A", protocols=("water", "fire", "life"), by="B")
    assert GAME.disclosure.redact(GAME.rules.start(HEADER), event, viewer) == event


@pytest.mark.every(
    ("language", "said"),
    [
        ("en", "A plays a card face down in line 2."),
        ("fr", "A joue une carte face inactive visible dans la ligne 2."),
        ("it", "A gioca una carta a faccia in giù nella colonna 2."),
        ("pl", "Gracz A zagrywa zakrytą kartę w linii 2."),
    ],
)
def test_a_card_that_nobody_else_sees_is_a_card(language: str, said: str) -> None:
    event = e.Played(seq=1, player="A", card="fire-2", line=2, face="down")
    assert tell(GAME, GAME.disclosure.redact(GAME.rules.start(HEADER), event, "B"), language) == said
    assert tell(GAME, GAME.disclosure.redact(GAME.rules.start(HEADER), event, "A"), language) != said


def test_a_protocol_that_does_not_exist_is_drawn_as_it_was_written() -> None:
    event = e.Rearranged(seq=1, side="A", protocols=("water", "fier", "life"), by="A")
    after = GAME.rules.evolve(GAME.rules.start(HEADER), event)
    assert "[fier]" in "\n".join(scene_lines(GAME.scene_maker.scene(GAME.disclosure.view(after), "fr")))


@pytest.mark.every(
    ("viewer", "hand", "field", "deck"),
    [
        ("A", ("fire-1", "fire-2"), ["fire-3", "fire-4"], ("?", "?", "?")),
        ("B", ("?", "?"), ["?A1.1", "fire-4"], ("?", "?", "?")),
        ("public", ("?", "?"), ["?A1.1", "fire-4"], ("?", "?", "?")),
        ("judge", ("fire-1", "fire-2"), ["fire-3", "fire-4"], ("life-1", "life-2", "life-3")),
    ],
)
def test_where_the_cards_of_a_player_are_as_far_as_each_viewer_knows(
    viewer: str, hand: tuple[str, ...], field: list[str], deck: tuple[str, ...]
) -> None:
    """Nobody looks into a deck, not even its owner."""
    own = {
        "protocols": ["fire", "life", "water"], "hand": ["fire-1", "fire-2"], "deck": ["life-1", "life-2", "life-3"],
        "lines": [[{"card": "fire-3", "face": "down"}, {"card": "fire-4", "face": "up"}], [], []],
    }  # fmt: skip
    theirs = {"protocols": ["death", "metal", "speed"], "hand": ["metal-1"], "deck": ["metal-2"], "lines": [[], [], []]}
    head = replace(HEADER, setup={"position": {"phase": "action", "sides": {"A": own, "B": theirs}}})
    state = GAME.disclosure.known_position(GAME.rules.start(head), viewer)
    assert state is not None
    assert (state.a.hand, state.a.deck) == (hand, deck)
    assert [placed.card for placed in state.a.lines[0]] == field
