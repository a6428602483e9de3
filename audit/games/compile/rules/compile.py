"""Compiling a line: when it must be done, in what order, and what it does."""

from audit.core.catalogue import OBLIGATION, PERMISSION, PROCEDURE, PROHIBITION, TIMING, at, rule

TEN_OR_MORE = rule(
    "compile.ten-or-more",
    PROCEDURE,
    "compiled",
    terms="compile value stack",
    fr=at(87, "1 / Compiler"),
    it=at(71, "Azioni / Compilare"),
    pl=at((94, 95), "Akcje / Kompilacja"),
)

BEATS_OPPONENT = rule(
    "compile.beats-opponent",
    PROCEDURE,
    "compiled",
    terms="compile value opponent",
    fr=at(87, "1 / Compiler", 163),
    it=at(71, "Azioni / Compilare"),
    pl=at((95, 97), "Akcje / Kompilacja"),
)

MANDATORY = rule(
    "compile.mandatory",
    OBLIGATION,
    "compiled phase_began",
    terms="compile check-compile",
    fr=at(87, "1 / Compiler", 181),
    it=at(60, "Flusso di gioco / Fasi del turno", 71),
    pl=at((60, 61), "Przebieg rozgrywki / Przebieg tury", 97),
)

ONE_LINE_A_TURN = rule(
    "compile.one-line-a-turn",
    PROHIBITION,
    "compiled",
    terms="compile line turn",
    fr=at(87, "1 / Compiler", (185, 187)),
    it=at(71, "Azioni / Compilare"),
    pl=at((101, 103), "Akcje / Kompilacja"),
)

PLAYER_PICKS_LINE = rule(
    "compile.player-picks-line", PERMISSION, "compiled chose", terms="compile line", fr=at(87, "1 / Compiler", 185)
)

CLEARS_BOTH_SIDES = rule(
    "compile.clears-both-sides",
    PROCEDURE,
    "compiled deleted",
    terms="compile delete line trash",
    fr=at(89, "1 / Compiler"),
    it=at(71, "Azioni / Compilare", 150),
    pl=at((97, 100), "Akcje / Kompilacja", 246),
)

TURNS_PROTOCOL = rule(
    "compile.turns-protocol",
    PROCEDURE,
    "compiled",
    terms="compile protocol-card compiled-side",
    fr=at(89, "1 / Compiler"),
    it=at(71, "Azioni / Compilare", 150),
    pl=at((100, 101), "Akcje / Kompilacja", (246, 247)),
)

STEPS_IN_ORDER = rule(
    "compile.steps-in-order",
    TIMING,
    "compiled deleted",
    terms="compile delete protocol-card",
    fr=at(89, "1 / Compiler", 109),
    it=at(71, "Azioni / Compilare"),
    pl=at((97, 101), "Akcje / Kompilacja"),
)

DELETES_AS_ONE_EVENT = rule(
    "compile.deletes-as-one-event",
    TIMING,
    "compiled deleted",
    terms="compile delete simultaneous",
    fr=at(89, "1 / Compiler", 149),
)

SILENT_DELETION = rule(
    "compile.silent-deletion",
    PROHIBITION,
    "compiled deleted triggered uncovered",
    terms="compile delete trigger",
    cards="speed-2",
    fr=at(89, "1 / Compiler", 149),
)

NOT_STOPPED_MIDWAY = rule(
    "compile.not-stopped-midway",
    OBLIGATION,
    "compiled deleted flipped",
    terms="compile value",
    fr=at(93, "1 / Compiler"),
)
