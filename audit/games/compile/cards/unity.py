"""The cards of Unity."""

from audit.games.compile.declarations import ALL, Matching
from audit.games.compile.words import (
    THIS,
    THIS_COVERED,
    any_protocol_play_here,
    at_start,
    before_covered_by_unity,
    card,
    choose,
    delete,
    discard,
    draw,
    every,
    flip,
    mark_compiled,
    number_of,
    protocol,
    reveal,
    shift,
    shuffle_deck,
    uncovered,
    when,
)

UNITY = protocol(
    "unity",
    "aux-2",
    card(
        0,
        middle=[choose([flip(uncovered())], [draw(1)], condition=when("another_unity_in_field"))],
        bottom=[before_covered_by_unity(choose([flip(uncovered())], [draw(1)]))],
    ),
    card(
        1,
        top=[at_start(shift(THIS, condition=THIS_COVERED, optional=True))],
        middle=[
            mark_compiled("unity", when("unity_in_field_at_least", 5)),
            delete(every(line="line_of_that_protocol"), count=ALL, condition=when("unity_in_field_at_least", 5)),
        ],
        bottom=[any_protocol_play_here("unity")],
    ),
    card(2, middle=[draw(number_of("unity_in_field"))]),
    card(3, middle=[flip(uncovered(face="up"), condition=when("another_unity_in_field"), optional=True)]),
    card(
        4,
        top=[
            at_start(
                reveal(source="deck", count=ALL, label="look", condition=when("your_hand_empty")),
                draw(ALL, matching=Matching(protocol="unity"), if_did="look"),
                shuffle_deck(if_did="look"),
            )
        ],
    ),
    card(5, middle=[discard(1)]),
)
