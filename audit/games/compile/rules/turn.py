"""The six parts of a turn and their order."""

from audit.core.catalogue import OBLIGATION, PROCEDURE, PROHIBITION, TIMING, Topic, at

rule = Topic("turn-phases")

PHASE_ORDER = rule(
    "turn.phase-order",
    TIMING,
    "phase_began",
    terms="turn phase start-phase check-control check-compile action-phase check-cache end-phase",
    it=at((58, 63), "Flusso di gioco / Fasi del turno"),
    pl=at((53, 71), "Przebieg rozgrywki / Przebieg tury"),
)

COMPILE_INSTEAD_OF_ACTION = rule(
    "turn.compile-instead-of-action",
    PROHIBITION,
    "phase_began compiled played refreshed",
    terms="compile action-phase play refresh",
    fr=at(181, "2 / Q14"),
    it=at(60, "Flusso di gioco / Fasi del turno"),
    pl=at(61, "Przebieg rozgrywki / Przebieg tury"),
)

CACHE_AFTER_COMPILE = rule(
    "turn.cache-after-compile",
    TIMING,
    "phase_began compiled cache_cleared",
    terms="compile check-cache turn",
    basis="fr",
    fr=at(181, "2 / Q14"),
    pl=at((60, 61), "Przebieg rozgrywki / Przebieg tury"),
)

ONE_ACTION = rule(
    "turn.one-action",
    PROCEDURE,
    "phase_began played refreshed",
    terms="action-phase play refresh",
    it=at(61, "Flusso di gioco / Fasi del turno"),
    pl=at(63, "Przebieg rozgrywki / Przebieg tury"),
)

REFRESH_IF_NOTHING_TO_PLAY = rule(
    "turn.refresh-if-nothing-to-play",
    OBLIGATION,
    "refreshed phase_began",
    terms="action-phase refresh play",
    it=at(61, "Flusso di gioco / Fasi del turno"),
    pl=at(64, "Przebieg rozgrywki / Przebieg tury"),
)

STUCK_PLAYER = rule(
    "turn.stuck-player", PROCEDURE, "phase_began", terms="end-phase compile play refresh", fr=at((161, 163), "2 / Q10")
)
