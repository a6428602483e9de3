"""The cards of Diversity."""

from audit.games.compile.declarations import Matching
from audit.games.compile.words import (
    THIS,
    at_end,
    card,
    delete,
    discard,
    draw,
    flip,
    line_total,
    mark_compiled,
    number_of,
    play,
    protocol,
    shift,
    uncovered,
    when,
)

DIVERSITY = protocol(
    "diversity",
    "aux-2",
    card(
        0,
        middle=[mark_compiled("diversity", when("protocols_in_field_at_least", 6))],
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
    card(6, top=[at_end(delete(THIS, condition=when("protocols_in_field_below", 3)))]),
)
