"""The rules of Example Game, in the order in which a player meets them. Their words are in `text/`."""

from audit.core.catalogue import LIMIT, OBLIGATION, PERMISSION, PROCEDURE, TIMING, rule

TURNS_ALTERNATE = rule("turn.alternate", TIMING, events=("turn_began",))
DRAW_FIRST = rule("draw.first", OBLIGATION, events=("drew",))
TOP_CARD = rule("draw.top-card", PROCEDURE, events=("drew",))
ONE_CARD = rule("lay.one-card", OBLIGATION, events=("laid",))
FROM_HAND = rule("lay.from-hand", PROCEDURE, events=("laid",))
HIGHER = rule("lay.higher", LIMIT, events=("laid",))
ONLY_IF_STUCK = rule("pass.only-if-stuck", PERMISSION, events=("passed",))
THREE_ARE_TAKEN = rule("pile.three-are-taken", OBLIGATION, events=("pile_taken",))
STUCK_WITHOUT_DECK = rule("end.stuck-without-deck", OBLIGATION, events=("game_ended",))
MOST_CARDS = rule("end.most-cards", PROCEDURE, events=("game_ended",))
