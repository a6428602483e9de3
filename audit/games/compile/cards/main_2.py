"""The cards of the second main set."""

from audit.games.compile.declarations import ALL, Matching
from audit.games.compile.words import (
    ANY_PROTOCOL_PLAY_OF_THIS,
    ANY_SIDE_PLAY_OF_THIS,
    NO_DRAW,
    NO_FLIP,
    NO_OPPOSING_MIDDLE_COMMANDS,
    THAT,
    THIS,
    VALUE_OF_THAT,
    after_opponent_compiles,
    after_opponent_discards,
    after_opponent_draws,
    after_opponent_plays_in_this_line,
    after_opponent_refreshes,
    after_you_discard,
    after_you_discard_in_opponents_turn,
    after_you_refresh,
    after_you_shuffle,
    another,
    as_many,
    at_end,
    at_least,
    at_start,
    before_covered,
    before_return_to_opponent,
    card,
    choose,
    covered,
    delete,
    discard,
    draw,
    every,
    flip,
    line_total,
    play,
    protocol,
    put_on_deck,
    rearrange,
    refresh,
    resolve_middle,
    return_,
    reveal,
    shift,
    shuffle_deck,
    shuffle_trash_into_deck,
    state_number,
    state_protocol,
    swap_stacks,
    uncovered,
    when,
)

CHAOS = protocol(
    "chaos",
    "main-2",
    card(
        0,
        middle=[flip(covered(), in_lines="each_line")],
        bottom=[at_start(draw(1, source="opposing_deck"), draw(1, who="opponent", source="opposing_deck"))],
    ),
    card(1, middle=[rearrange("you"), rearrange("opponent")]),
    card(2, middle=[shift(covered(owner="you"))]),
    # Only where this card is played, not others.
    card(3, bottom=[ANY_PROTOCOL_PLAY_OF_THIS]),
    card(4, bottom=[at_end(discard(ALL), draw(as_many()))]),
    card(5, middle=[discard(1)]),
)

CLARITY = protocol(
    "clarity",
    "main-2",
    card(0, top=[line_total(1, per="cards_in_your_hand")]),
    card(
        1,
        top=[at_start(reveal(source="deck"), discard(1, source="deck", optional=True))],
        middle=[reveal(who="opponent", count=ALL)],
        bottom=[before_covered(draw(3))],
    ),
    card(
        2,
        middle=[
            reveal(source="deck", count=ALL),
            draw(1, matching=Matching(values=(1,))),
            shuffle_deck(),
            play(source="hand", matching=Matching(values=(1,)), face="any", at="any_line"),
        ],
    ),
    card(3, middle=[reveal(source="deck", count=ALL), draw(1, matching=Matching(values=(5,))), shuffle_deck()]),
    card(4, middle=[shuffle_trash_into_deck(optional=True)]),
    card(5, middle=[discard(1)]),
)

CORRUPTION = protocol(
    "corruption",
    "main-2",
    card(
        0,
        top=[at_start(flip(every(face="up", line="this_stack", other=True)))],
        bottom=[ANY_SIDE_PLAY_OF_THIS],
    ),
    card(
        1,
        middle=[return_(uncovered())],
        bottom=[before_return_to_opponent(put_on_deck(THAT, into="opposing_deck", instead=True))],
    ),
    card(2, top=[after_you_discard(discard(1, who="opponent"))], middle=[draw(1), discard(1)]),
    card(3, middle=[flip(covered(face="up"), optional=True)]),
    card(5, middle=[discard(1)]),
    card(6, top=[at_end(choose([discard(1)], [delete(THIS)]))]),
)

COURAGE = protocol(
    "courage",
    "main-2",
    card(
        0,
        top=[at_start(when("your_hand_empty", draw(1)))],
        middle=[draw(1)],
        bottom=[at_end(discard(1, optional=True), discard(1, who="opponent", if_did="previous"))],
    ),
    card(1, middle=[delete(uncovered(owner="opponent", line="chosen", line_lead="opponent"))]),
    card(2, middle=[draw(1)], bottom=[at_end(when("opponent_leads_this_line", draw(1)))]),
    card(3, bottom=[at_end(shift(THIS, to="opponents_highest_total_line", optional=True))]),
    card(5, middle=[discard(1)]),
    card(6, top=[at_end(when("opponent_leads_this_line", flip(THIS)))]),
)

FEAR = protocol(
    "fear",
    "main-2",
    card(0, top=[NO_OPPOSING_MIDDLE_COMMANDS], middle=[choose([shift(uncovered())], [flip(uncovered())])]),
    card(1, middle=[draw(2), discard(ALL, who="opponent"), draw(as_many(plus=-1), who="opponent")]),
    card(2, middle=[return_(uncovered(owner="opponent"))]),
    card(3, middle=[shift(every(owner="opponent", line="this"))]),
    card(4, middle=[discard(1, who="opponent", at_random=True)]),
    card(5, middle=[discard(1)]),
)

ICE = protocol(
    "ice",
    "main-2",
    card(
        1,
        middle=[shift(THIS, optional=True)],
        bottom=[after_opponent_plays_in_this_line(discard(1, who="opponent"))],
    ),
    card(2, middle=[shift(another())]),
    card(3, top=[at_end(when("this_covered", shift(THIS, optional=True)))]),
    card(4, bottom=[NO_FLIP]),
    card(5, middle=[discard(1)]),
    # Once for each draw: a refresh with an empty hand draws five.
    card(6, top=[NO_DRAW]),
)

LUCK = protocol(
    "luck",
    "main-2",
    card(
        0,
        middle=[
            state_number(),
            draw(3),
            reveal(source="just_drawn", matching=Matching(stated=True)),
            play(source="just_drawn", target=THAT, face="any", at="any_line", optional=True),
        ],
    ),
    card(1, middle=[play(source="deck", at="any_line"), flip(THAT, ignores_middle=True)]),
    card(2, middle=[discard(1, source="deck"), draw(VALUE_OF_THAT)]),
    card(
        3,
        middle=[
            state_protocol(),
            discard(1, source="opposing_deck"),
            when("that_matches_stated_protocol", delete(uncovered())),
        ],
    ),
    card(4, middle=[discard(1, source="deck"), delete(every(same_value=True))]),
    card(5, middle=[discard(1)]),
)

MIRROR = protocol(
    "mirror",
    "main-2",
    card(0, top=[line_total(1, per="opposing_cards_in_this_line")]),
    card(1, bottom=[at_end(resolve_middle(uncovered(owner="opponent", face="up"), optional=True))]),
    card(2, middle=[swap_stacks("you")]),
    card(3, middle=[flip(uncovered(owner="you")), flip(uncovered(owner="opponent", line="same_as_that"))]),
    card(4, bottom=[after_opponent_draws(draw(1))]),
    card(5, middle=[discard(1)]),
)

PEACE = protocol(
    "peace",
    "main-2",
    card(1, middle=[discard(ALL, who="both")], bottom=[at_end(when("your_hand_empty", draw(1)))]),
    card(2, middle=[draw(1), play(source="hand", at="any_line")]),
    # The flip does not depend on the discard.
    card(3, middle=[discard(1, optional=True), flip(uncovered(more_than="cards_in_your_hand"))]),
    card(4, bottom=[after_you_discard_in_opponents_turn(draw(1))]),
    card(5, middle=[discard(1)]),
    card(6, middle=[when("your_hand_above_1", flip(THIS))]),
)

SMOKE = protocol(
    "smoke",
    "main-2",
    card(0, middle=[play(source="deck", in_lines="each_line_with_face_down_card")]),
    card(1, middle=[flip(uncovered(owner="you")), shift(THAT, optional=True)]),
    card(2, top=[line_total(1, per="face_down_cards_in_this_line")]),
    card(3, middle=[play(source="hand", at="line_with_face_down_card")]),
    card(4, middle=[shift(covered(face="down"))]),
    card(5, middle=[discard(1)]),
)

TIME = protocol(
    "time",
    "main-2",
    card(0, middle=[play(source="trash", face="any", at="any_line"), shuffle_trash_into_deck()]),
    card(1, middle=[flip(covered()), discard(ALL, source="deck")]),
    card(
        2,
        top=[after_you_shuffle(draw(1), shift(THIS, optional=True))],
        middle=[when("your_trash_not_empty", shuffle_trash_into_deck(optional=True))],
    ),
    card(3, middle=[reveal(source="trash"), play(source="trash", target=THAT, at="another_line")]),
    card(4, middle=[draw(2), discard(2)]),
    card(5, middle=[discard(1)]),
)

WAR = protocol(
    "war",
    "main-2",
    card(
        0,
        top=[after_you_refresh(flip(THIS, optional=True))],
        bottom=[after_opponent_draws(delete(uncovered(), optional=True))],
    ),
    card(1, bottom=[after_opponent_refreshes(discard(at_least(0)), refresh())]),
    card(2, middle=[flip(uncovered())], bottom=[after_opponent_compiles(discard(ALL, who="opponent"))]),
    card(3, middle=[draw(1)], bottom=[after_opponent_discards(play(source="hand", at="any_line", optional=True))]),
    card(4, middle=[discard(1, who="opponent")]),
    card(5, middle=[discard(1)]),
)
