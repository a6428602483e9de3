"""What cards make players do, and effects that speak of all cards or of each."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PERMISSION, PROCEDURE, PROHIBITION, TIMING, Topic, at

rule = Topic("draw")
"""Drawing cards."""

DRAW_FROM_TOP_TO_HAND = rule("draw.from-top-to-hand", DEFINITION, "drew", terms="draw deck hand", fr=at(121, "2 / Q2"))

DRAW_ONE_EVENT_PER_INSTRUCTION = rule(
    "draw.one-event-per-instruction", TIMING, "drew triggered", terms="draw trigger", fr=at(123, "2 / Q2")
)

rule = Topic("discard")
"""Discarding cards."""

DISCARD_FROM_HAND = rule(
    "discard.from-hand",
    DEFINITION,
    "discarded",
    terms="discard hand trash",
    fr=at(125, "2 / Q2"),
    it=at(159, "Termini chiave / Scartare"),
    pl=at(256, "Kluczowe pojęcia / Odrzuć"),
)

DISCARD_PLAYER_PICKS = rule(
    "discard.player-picks", PROCEDURE, "discarded chose", terms="discard hand", fr=at(125, "2 / Q2")
)

DISCARD_EMPTY_HAND = rule(
    "discard.empty-hand",
    PROCEDURE,
    "discarded resolved",
    terms="discard hand",
    fr=at(17, "1 / Effet de carte", implied=True),
    it=at(159, "Termini chiave / Scartare"),
)

DISCARD_ONE_EVENT_PER_INSTRUCTION = rule(
    "discard.one-event-per-instruction", TIMING, "discarded triggered", terms="discard trigger", fr=at(127, "2 / Q2")
)

DISCARD_DECK_COUNTS_TOO = rule(
    "discard.deck-counts-too",
    TIMING,
    "discarded triggered",
    terms="discard deck trigger",
    cards="plague-1",
    fr=at(145, "2 / Q6"),
)

DISCARD_TRASH_IS_FACE_UP = rule(
    "discard.trash-is-face-up",
    OBLIGATION,
    "discarded deleted",
    terms="discard delete trash face-up owner",
    fr=at(125, "2 / Q2", 206, 210),
    it=at(133, "Regole / Scarti"),
    pl=at((224, 225), "Szczegółowe zasady gry"),
)

rule = Topic("delete")
"""Deleting cards from the field."""

DELETE_FIELD_TO_TRASH = rule(
    "delete.field-to-trash",
    DEFINITION,
    "deleted",
    terms="delete field trash",
    fr=at(35, "1 / Cartes engagées", implied=True),
    it=at(148, "Termini chiave / Cancellare"),
    pl=at(268, "Kluczowe pojęcia / Usuń"),
)

DELETE_WHOLE_LINE_IS_SILENT = rule(
    "delete.whole-line-is-silent",
    TIMING,
    "deleted uncovered triggered",
    terms="delete all simultaneous trigger",
    fr=at(149, "2 / Q7"),
)

DELETE_SELF_WHILE_COVERED = rule(
    "delete.self-while-covered",
    OBLIGATION,
    "deleted shifted resolved",
    terms="delete shift top-command covered",
    cards="death-1",
    fr=at(137, "2 / Q4"),
)

rule = Topic("return")
"""Returning cards from the field to a hand."""

RETURN_FIELD_TO_HAND = rule(
    "return.field-to-hand",
    DEFINITION,
    "returned",
    terms="return hand owner",
    fr=at(23, "1 / Effet de carte", implied=True),
    it=at(162, "Termini chiave / Tornare"),
    pl=at(278, "Kluczowe pojęcia / Zwróć"),
)

rule = Topic("shift")
"""Shifting cards from line to line."""

SHIFT_OTHER_LINE_SAME_SIDE = rule(
    "shift.other-line-same-side",
    DEFINITION,
    "shifted",
    terms="shift line side",
    fr=at(61, "1 / Déplacer une carte"),
    it=at(161, "Termini chiave / Spostare"),
    pl=at(265, "Kluczowe pojęcia / Przesuń"),
)

SHIFT_ENDS_UP_UNCOVERED = rule(
    "shift.ends-up-uncovered",
    PROCEDURE,
    "shifted landed covered",
    terms="shift uncovered stack",
    fr=at(61, "1 / Déplacer une carte"),
    it=at(161, "Termini chiave / Spostare"),
)

SHIFT_LAYS_BARE_CARD_BELOW = rule(
    "shift.lays-bare-card-below",
    TIMING,
    "shifted uncovered triggered",
    terms="shift uncovered committed",
    fr=at(61, "1 / Déplacer une carte", 37),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

SHIFT_PROTOCOL_DOES_NOT_MATTER = rule(
    "shift.protocol-does-not-matter",
    PERMISSION,
    "shifted",
    terms="shift face-up protocol",
    fr=at(63, "1 / Déplacer une carte"),
)

rule = Topic("flip")
"""Flipping cards."""

FLIP_TURNS_OVER = rule(
    "flip.turns-over",
    DEFINITION,
    "flipped",
    terms="flip face-up face-down",
    it=at(163, "Termini chiave / Voltare"),
    pl=at(261, "Kluczowe pojęcia / Odwróć"),
)

rule = Topic("reveal")
"""Revealing hidden cards."""

REVEAL_SHOW_AND_PUT_BACK = rule(
    "reveal.show-and-put-back",
    DEFINITION,
    "revealed",
    terms="reveal face-down private-information",
    fr=at((131, 133), "2 / Q3"),
    it=at(158, "Termini chiave / Rivelare"),
    pl=at((258, 259), "Kluczowe pojęcia / Odsłoń"),
)

REVEAL_WAKES_NOTHING = rule(
    "reveal.wakes-nothing",
    PROHIBITION,
    "revealed triggered resolved",
    terms="reveal effect trigger",
    fr=at(133, "2 / Q3", implied=True),
    it=at(158, "Termini chiave / Rivelare"),
)

rule = Topic("rearrange")
"""Rearranging protocols."""

REARRANGE_CARDS_STAY = rule(
    "rearrange.cards-stay",
    PROHIBITION,
    "rearranged",
    terms="rearrange protocol-card command-card line",
    fr=at(57, "1 / Réorganisation des protocoles"),
    it=at(95, "Giocare con il Controllo", 139),
    pl=at(154, "Rozgrywka z walką o kontrolę", (237, 238)),
)

REARRANGE_NO_CHANGE_OF_SIDE = rule(
    "rearrange.no-change-of-side",
    PROHIBITION,
    "rearranged",
    terms="rearrange side protocol-card",
    it=at(95, "Giocare con il Controllo", 157),
    pl=at((153, 154), "Rozgrywka z walką o kontrolę"),
)

REARRANGE_MUST_DIFFER = rule(
    "rearrange.must-differ",
    OBLIGATION,
    "rearranged",
    terms="rearrange",
    fr=at(57, "1 / Réorganisation des protocoles"),
    it=at(139, "Regole / Ridisporre i protocolli", 157),
    pl=at((238, 240), "Szczegółowe zasady gry"),
)

REARRANGE_CARD_ORDER_BINDS = rule(
    "rearrange.card-order-binds",
    OBLIGATION,
    "rearranged resolved",
    terms="rearrange effect",
    it=at(139, "Regole / Ridisporre i protocolli"),
    pl=at((238, 240), "Szczegółowe zasady gry"),
)

rule = Topic("all-vs-each")
"""Effects that speak of all cards."""

ALL_INCLUDES_COVERED = rule(
    "all.includes-covered",
    DEFINITION,
    "resolved chose deleted",
    terms="all covered uncovered",
    fr=at(175, "2 / Q13"),
    it=at(125, "Regole / Bersagli validi"),
    pl=at((195, 196), "Szczegółowe zasady gry"),
)

ALL_AT_ONCE = rule("all.at-once", TIMING, "resolved", terms="all simultaneous", fr=at(175, "2 / Q13"))

rule = Topic("all-vs-each")
"""Effects that speak of each card."""

EACH_LEAVES_COVERED_OUT = rule(
    "each.leaves-covered-out", DEFINITION, "resolved", terms="each covered", fr=at(177, "2 / Q13")
)
