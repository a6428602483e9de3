"""The cards of the second auxiliary set."""

from audit.games.compile.declarations import ALL, Matching
from audit.games.compile.words import (
    THIS,
    after_any_refresh,
    any_protocol_play_here,
    at_end,
    at_start,
    before_covered_by_unity,
    card,
    choose,
    claim,
    delete,
    discard,
    draw,
    every,
    flip,
    line_total,
    mark_compiled,
    number_of,
    play,
    protocol,
    refresh,
    reveal,
    shift,
    shuffle_deck,
    uncovered,
    when,
)

ASSIMILATION = protocol(
    "assimilation",
    "aux-2",
    # Not drawn; the card changes owner.
    card(0, middle=[claim(every(owner="opponent", face="down"))]),
    card(
        1,
        middle=[discard(1), refresh()],
        bottom=[after_any_refresh(draw(1, source="opposing_deck"), discard(1, into="opposing_trash"))],
    ),
    card(2, bottom=[at_end(play(source="opposing_deck", at="this_stack"))]),
    card(4, middle=[draw(1, source="opposing_deck"), draw(1, who="opponent", source="opposing_deck")]),
    card(5, middle=[discard(1)]),
    card(6, bottom=[at_end(play(source="deck", at="any_line", on_side="opponent"))]),
)

DIVERSITY = protocol(
    "diversity",
    "aux-2",
    card(
        0,
        middle=[when("protocols_in_field_at_least", mark_compiled("diversity"), number=6)],
        bottom=[
            at_end(
                play(
                    source="hand",
                    matching=Matching(protocol_not="diversity"),
                    face="any",
                    at="this_line",
                    optional=True,
                )
            )
        ],
    ),
    card(1, middle=[shift(uncovered()), draw(number_of("protocols_in_this_line"))]),
    card(3, top=[line_total(2, when="other_protocol_face_up_in_this_stack")]),
    card(4, middle=[flip(uncovered(less_than="protocols_in_field"))]),
    card(5, middle=[discard(1)]),
    card(6, top=[at_end(when("protocols_in_field_below", delete(THIS), number=3))]),
)

UNITY = protocol(
    "unity",
    "aux-2",
    card(
        0,
        middle=[when("another_unity_in_field", choose([flip(uncovered())], [draw(1)]))],
        bottom=[before_covered_by_unity(choose([flip(uncovered())], [draw(1)]))],
    ),
    card(
        1,
        top=[at_start(when("this_covered", shift(THIS, optional=True)))],
        middle=[
            when("unity_in_field_at_least", mark_compiled("unity"), number=5),
            when("unity_in_field_at_least", delete(every(line="line_of_that_protocol"), count=ALL), number=5),
        ],
        bottom=[any_protocol_play_here("unity")],
    ),
    card(2, middle=[draw(number_of("unity_in_field"))]),
    card(3, middle=[when("another_unity_in_field", flip(uncovered(face="up"), optional=True))]),
    card(
        4,
        top=[
            at_start(
                when("your_hand_empty", reveal(source="deck", count=ALL, label="look")),
                draw(ALL, matching=Matching(protocol="unity"), if_did="look"),
                shuffle_deck(if_did="look"),
            )
        ],
    ),
    card(5, middle=[discard(1)]),
)
