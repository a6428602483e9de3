"""The cards of Death."""

from audit.games.compile.declarations import ALL
from audit.games.compile.words import THIS, another, at_start, card, delete, discard, draw, every, protocol, uncovered

DEATH = protocol(
    "death",
    "main-1",
    card(0, middle=[delete(uncovered(), in_lines="each_other_line")]),
    # The second deletion is due even when there was no other card to delete; every engine read ties it to
    # the draw, though the 2024-10 sentence split could be read as self-deletion without a draw: open.
    card(
        1,
        top=[
            at_start(
                draw(1, optional=True, label="offer"),
                delete(another(), if_did="offer"),
                delete(THIS, if_did="offer"),
            )
        ],
    ),
    # A face-down card counts with its face-down value; the line of this card may be chosen.
    card(2, middle=[delete(every(line="chosen", values=(1, 2)), count=ALL)]),
    card(3, middle=[delete(uncovered(face="down"))]),
    card(4, middle=[delete(uncovered(values=(0, 1)))]),
    card(5, middle=[discard(1)]),
)
