"""The cards of the first main set."""

from audit.games.compile.declarations import ALL, EACH
from audit.games.compile.words import (
    ANY_PROTOCOL_PLAY,
    FACE_DOWN_PLAY_ONLY,
    NO_FACE_DOWN_PLAY,
    NO_PLAY,
    SKIP_CACHE_CHECK,
    THAT,
    THIS,
    VALUE_OF_THAT,
    after_opponent_discards,
    after_you_clear_cache,
    after_you_draw,
    another,
    as_many,
    at_end,
    at_least,
    at_start,
    bar_compile,
    before_compile_delete,
    before_covered,
    before_covered_or_flipped,
    card,
    choose,
    covered,
    delete,
    discard,
    draw,
    every,
    face_down_value,
    flip,
    line_total,
    one_per,
    play,
    protocol,
    rearrange,
    refresh,
    return_,
    reveal,
    shift,
    swap_protocols,
    uncovered,
    when,
)

DARKNESS = protocol(
    "darkness",
    "main-1",
    card(0, middle=[draw(3), shift(covered(owner="opponent"))]),
    card(1, middle=[flip(uncovered(owner="opponent")), shift(THAT, optional=True)]),
    # The fixed value holds for your stack in this line only, not for the opposing stack.
    card(2, top=[face_down_value(4)], middle=[flip(covered(line="this"), optional=True)]),
    card(3, middle=[play(source="hand", at="another_line")]),
    card(4, middle=[shift(uncovered(face="down"))]),
    card(5, middle=[discard(1)]),
)

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

FIRE = protocol(
    "fire",
    "main-1",
    card(0, middle=[flip(another()), draw(2)], bottom=[before_covered(draw(1), flip(another()))]),
    card(1, middle=[discard(1), delete(uncovered(), if_did="previous")]),
    card(2, middle=[discard(1), return_(uncovered(), if_did="previous")]),
    card(3, bottom=[at_end(discard(1, optional=True), flip(uncovered(), if_did="previous"))]),
    # With an empty hand nothing is discarded and 1 card is still drawn.
    card(4, middle=[discard(at_least(1)), draw(as_many(plus=1))]),
    card(5, middle=[discard(1)]),
)

GRAVITY = protocol(
    "gravity",
    "main-1",
    # Count both stacks of the line, this card included; the number is fixed before the first card is
    # played.
    card(0, middle=[play(source="deck", at="under_this", count=one_per(2))]),
    card(1, middle=[draw(2), shift(uncovered(), to="to_or_from_this_line")]),
    # The flipped card is moved even if it has been covered meanwhile; it stays on its own side.
    card(2, middle=[flip(uncovered()), shift(THAT, to="this_line")]),
    card(4, middle=[shift(uncovered(face="down"), to="this_line")]),
    card(5, middle=[discard(1)]),
    card(6, middle=[play(source="deck", at="this_line", who="opponent")]),
)

LIFE = protocol(
    "life",
    "main-1",
    # The line of this card is one of the lines; once this card is covered the rest of the middle box is
    # lost; an empty deck is not refilled for these plays.
    card(
        0,
        top=[at_end(when("this_covered", delete(THIS)))],
        middle=[play(source="deck", in_lines="each_line_with_your_card")],
    ),
    card(1, middle=[flip(uncovered()), flip(uncovered())]),
    card(2, middle=[draw(1), flip(uncovered(face="down"), optional=True)]),
    card(3, bottom=[before_covered(play(source="deck", at="another_line"))]),
    card(4, middle=[when("this_covering", draw(1))]),
    card(5, middle=[discard(1)]),
)

LIGHT = protocol(
    "light",
    "main-1",
    # Value read after the flip and its consequences; a card that reached the trash counts with its face-
    # up value, one that is hidden again counts 2.
    card(0, middle=[flip(uncovered()), draw(VALUE_OF_THAT)]),
    card(1, bottom=[at_end(draw(1))]),
    card(
        2,
        middle=[draw(2), reveal(uncovered(face="down")), choose([shift(THAT)], [flip(THAT)], optional=True)],
    ),
    # Both sides; the cards keep their relative order and stay on their own sides.
    card(3, middle=[shift(every(face="down", line="this"), count=ALL, together=True)]),
    card(4, middle=[reveal(who="opponent", count=ALL)]),
    card(5, middle=[discard(1)]),
)

METAL = protocol(
    "metal",
    "main-1",
    card(0, top=[line_total(-2, side="opponent")], middle=[flip(uncovered())]),
    # Playing and refreshing stay open to the barred player; an official English clarification of 2025
    # adds that this text must still be visible in that turn, the French list does not say so: open.
    card(1, middle=[draw(2), bar_compile("opponent")]),
    card(2, top=[NO_FACE_DOWN_PLAY]),
    card(3, middle=[draw(1), delete(every(line="chosen_other", line_at_least=8), count=ALL)]),
    card(5, middle=[discard(1)]),
    # A flip that sets this off is used up; the card goes to the trash face up.
    card(6, top=[before_covered_or_flipped(delete(THIS))]),
)

PLAGUE = protocol(
    "plague",
    "main-1",
    card(0, middle=[discard(1, who="opponent")], bottom=[NO_PLAY]),
    # Discards from a deck count too; one draw per discard event, however many cards it moved.
    card(1, top=[after_opponent_discards(draw(1))], middle=[discard(1, who="opponent")]),
    # With an empty hand the opponent still discards 1.
    card(2, middle=[discard(at_least(1)), discard(as_many(plus=1), who="opponent")]),
    card(3, middle=[flip(another(face="up"), count=EACH)]),
    # The opponent picks which of their cards goes.
    card(
        4,
        bottom=[at_end(delete(uncovered(owner="opponent", face="down"), who="opponent"), flip(THIS, optional=True))],
    ),
    card(5, middle=[discard(1)]),
)

PSYCHIC = protocol(
    "psychic",
    "main-1",
    card(0, middle=[draw(2), discard(2, who="opponent"), reveal(who="opponent", count=ALL)]),
    card(1, top=[FACE_DOWN_PLAY_ONLY], bottom=[at_start(flip(THIS))]),
    card(2, middle=[discard(2, who="opponent"), rearrange("opponent")]),
    card(3, middle=[discard(1, who="opponent"), shift(uncovered(owner="opponent"))]),
    card(4, bottom=[at_end(return_(uncovered(owner="opponent"), optional=True), flip(THIS, if_did="previous"))]),
    card(5, middle=[discard(1)]),
)

SPEED = protocol(
    "speed",
    "main-1",
    card(0, middle=[play(source="hand", face="any", at="any_line")]),
    card(1, top=[after_you_clear_cache(draw(1))], middle=[draw(2)]),
    # Only this card escapes; the compile goes on as if its value were still there.
    card(2, top=[before_compile_delete(shift(THIS))]),
    card(
        3,
        middle=[shift(another(owner="you"))],
        bottom=[at_end(shift(uncovered(owner="you"), optional=True), flip(THIS, if_did="previous"))],
    ),
    card(4, middle=[shift(uncovered(owner="opponent", face="down"))]),
    card(5, middle=[discard(1)]),
)

SPIRIT = protocol(
    "spirit",
    "main-1",
    # A full refresh: the control component goes back and may be used first.
    card(0, middle=[refresh(), draw(1)], bottom=[SKIP_CACHE_CHECK]),
    card(1, top=[ANY_PROTOCOL_PLAY], middle=[draw(2)], bottom=[at_start(choose([discard(1)], [flip(THIS)]))]),
    card(2, middle=[flip(uncovered(), optional=True)]),
    card(3, top=[after_you_draw(shift(THIS, optional=True))]),
    card(4, middle=[swap_protocols("you")]),
    card(5, middle=[discard(1)]),
)

WATER = protocol(
    "water",
    "main-1",
    card(0, middle=[flip(another()), flip(THIS)]),
    # An empty deck is not refilled for these plays.
    card(1, middle=[play(source="deck", in_lines="each_other_line")]),
    card(2, middle=[draw(2), rearrange("you")]),
    # Face-down cards count with their face-down value.
    card(3, middle=[return_(every(line="chosen", values=(2,)), count=ALL)]),
    # This card is a legal choice, and the forced one when it is alone.
    card(4, middle=[return_(uncovered(owner="you"))]),
    card(5, middle=[discard(1)]),
)
