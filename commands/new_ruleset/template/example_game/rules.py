"""The rules of Example Game, in the order in which a player meets them. Their words are in `text/`."""

from audit.core.catalogue import LIMIT, OBLIGATION, PERMISSION, PROCEDURE, TIMING, rule

TURNS_ALTERNATE = rule("turn.alternate", TIMING, "turn_began")
DRAW_FIRST = rule("draw.first", OBLIGATION, "drew")
TOP_CARD = rule("draw.top-card", PROCEDURE, "drew")
ONE_CARD = rule("lay.one-card", OBLIGATION, "laid")
FROM_HAND = rule("lay.from-hand", PROCEDURE, "laid")
HIGHER = rule("lay.higher", LIMIT, "laid")
ONLY_IF_STUCK = rule("pass.only-if-stuck", PERMISSION, "passed")
THREE_ARE_TAKEN = rule("pile.three-are-taken", OBLIGATION, "pile_taken")
STUCK_WITHOUT_DECK = rule("end.stuck-without-deck", OBLIGATION, "game_ended")
MOST_CARDS = rule("end.most-cards", PROCEDURE, "game_ended")
