"""What lies where: lines, stacks, sides, the deck, the trash and the anatomy of a card."""

from audit.core.catalogue import DEFINITION, Topic, at

rule = Topic("field-zones")

THREE_LINES = rule(
    "field.three-lines",
    DEFINITION,
    "setup",
    terms="field line",
    fr=at(167, "2 / Q11"),
    it=at(149, "Termini chiave / Colonna", 46),
    pl=at((252, 253), "Kluczowe pojęcia / Linia", 34),
)

LINE_TWO_PROTOCOLS = rule(
    "field.line-two-protocols",
    DEFINITION,
    "setup",
    terms="line protocol side",
    fr=at(167, "2 / Q11"),
    it=at(149, "Termini chiave / Colonna"),
    pl=at((252, 253), "Kluczowe pojęcia / Linia"),
)

STACK = rule(
    "field.stack",
    DEFINITION,
    "setup played shifted",
    terms="stack line side",
    fr=at(167, "2 / Q11"),
    it=at(152, "Termini chiave / Pila"),
    pl=at(266, "Kluczowe pojęcia / Stos"),
)

EMPTY_SIDE_NO_STACK = rule(
    "field.empty-side-no-stack",
    DEFINITION,
    "played shifted deleted returned",
    terms="stack line",
    it=at(152, "Termini chiave / Pila"),
)

TRASH = rule(
    "field.trash",
    DEFINITION,
    "discarded deleted reshuffled",
    terms="trash deck",
    it=at(160, "Termini chiave / Scarti"),
    pl=at((249, 250), "Kluczowe pojęcia / Kosz"),
)

PROTOCOL_GATES_LINE = rule(
    "field.protocol-gates-line",
    DEFINITION,
    "played",
    terms="protocol line face-up",
    fr=at(167, "2 / Q11"),
    it=at(153, "Termini chiave / Protocollo", 81, 85),
    pl=at(263, "Kluczowe pojęcia / Protokół", (127, 128), 133),
)

VALUE_COUNTS = rule(
    "field.value-counts",
    DEFINITION,
    "played flipped shifted deleted returned",
    terms="value stack",
    it=at(83, "Anatomia delle Carte"),
    pl=at((130, 131), "Anatomia karty"),
)

TOP_COMMAND = rule(
    "field.top-command",
    DEFINITION,
    "resolved covered",
    terms="top-command passive-effect face-up",
    it=at(87, "Anatomia delle Carte"),
    pl=at((135, 136), "Anatomia karty"),
)

MIDDLE_COMMAND = rule(
    "field.middle-command",
    DEFINITION,
    "resolved",
    terms="middle-command active-effect",
    fr=at(31, "1 / Texte entrant en jeu"),
    it=at(89, "Anatomia delle Carte"),
    pl=at((138, 140), "Anatomia karty"),
)

BOTTOM_COMMAND = rule(
    "field.bottom-command",
    DEFINITION,
    "resolved triggered covered uncovered",
    terms="bottom-command passive-effect uncovered",
    it=at(91, "Anatomia delle Carte"),
    pl=at((142, 145), "Anatomia karty"),
)

FACE_DOWN_VALUE = rule(
    "field.face-down-value",
    DEFINITION,
    "played flipped compiled control_taken",
    terms="face-down value",
    pl=at(83, "Akcje / Zagranie karty"),
)

FACE_DOWN_BLANK = rule(
    "field.face-down-blank",
    DEFINITION,
    "played flipped resolved",
    terms="face-down command-card protocol",
    pl=at((83, 84), "Akcje / Zagranie karty"),
)

FACING_IS_NOT_COVER = rule(
    "field.facing-is-not-cover",
    DEFINITION,
    "flipped covered uncovered",
    terms="face-up face-down covered",
    fr=at((115, 117), "2 / Q1"),
    pl=at((197, 199), "Szczegółowe zasady gry"),
)
