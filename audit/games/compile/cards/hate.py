"""The cards of Hate."""

from audit.games.compile.words import (
    after_you_delete,
    before_covered,
    card,
    covered,
    delete,
    discard,
    draw,
    protocol,
    uncovered,
)

HATE = protocol(
    "hate",
    "aux-1",
    card(0, middle=[delete(uncovered())]),
    # The deletions do not depend on the discards.
    card(1, middle=[discard(3), delete(uncovered()), delete(uncovered())]),
    # When this card is itself the one deleted first, the second instruction is lost.
    card(
        2,
        middle=[
            delete(uncovered(owner="you", rank="highest")),
            delete(uncovered(owner="opponent", rank="highest")),
        ],
    ),
    # Whether the deletions of your own compile count is not settled by the sources: open.
    card(3, top=[after_you_delete(draw(1))]),
    card(4, bottom=[before_covered(delete(covered(line="this", rank="lowest")))]),
    card(5, middle=[discard(1)]),
)
