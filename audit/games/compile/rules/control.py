"""The control component: who gets it, what it allows, where it goes back to."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PERMISSION, PROCEDURE, TIMING, Topic, at

rule = Topic("control")

GAINED = rule(
    "control.gained",
    PROCEDURE,
    "control_taken phase_began",
    terms="control-component check-control value line",
    fr=at(103, "1 / Contrôle"),
    it=at(59, "Flusso di gioco / Fasi del turno"),
    pl=at((56, 58), "Przebieg rozgrywki / Przebieg tury"),
)

BACK_ON_COMPILE = rule(
    "control.back-on-compile",
    OBLIGATION,
    "control_reset compiled",
    terms="control-component neutral-position compile",
    fr=at(91, "1 / Compiler", 105, 171),
    it=at(95, "Giocare con il Controllo"),
    pl=at((148, 150), "Rozgrywka z walką o kontrolę"),
)

BACK_ON_REFRESH = rule(
    "control.back-on-refresh",
    OBLIGATION,
    "control_reset refreshed",
    terms="control-component neutral-position refresh",
    fr=at(105, "1 / Contrôle", 171, 213),
    it=at(95, "Giocare con il Controllo"),
    pl=at((148, 150), "Rozgrywka z walką o kontrolę"),
)

DEALT_WITH_FIRST = rule(
    "control.dealt-with-first",
    TIMING,
    "control_reset rearranged compiled refreshed",
    terms="control-component compile refresh rearrange",
    basis="it",
    fr=at(109, "1 / Effets se produisant « après » un autre événement", 91, implied=True),
    it=at(95, "Giocare con il Controllo"),
    pl=at((148, 152), "Rozgrywka z walką o kontrolę"),
)

REARRANGEMENT_IS_A_CHOICE = rule(
    "control.rearrangement-is-a-choice",
    PERMISSION,
    "control_reset rearranged",
    terms="control-component rearrange",
    fr=at(105, "1 / Contrôle", 91, (169, 171)),
    it=at(95, "Giocare con il Controllo", 139),
    pl=at((150, 154), "Rozgrywka z walką o kontrolę"),
)

BACK_EVEN_IF_UNUSED = rule(
    "control.back-even-if-unused",
    OBLIGATION,
    "control_reset",
    terms="control-component neutral-position",
    fr=at(171, "2 / Q12"),
)

EITHER_PLAYERS_PROTOCOLS = rule(
    "control.either-players-protocols",
    PERMISSION,
    "control_reset rearranged chose",
    terms="control-component rearrange",
    fr=at(91, "1 / Compiler", 105, 213),
    it=at(95, "Giocare con il Controllo"),
    pl=at((152, 154), "Rozgrywka z walką o kontrolę"),
)

rule = Topic("victory")
"""How the game is won."""

VICTORY_THREE_COMPILED = rule(
    "victory.three-compiled",
    DEFINITION,
    "compiled game_won",
    terms="compile compiled-side protocol-card",
    it=at(75, "Vittoria", 25),
    pl=at((112, 113), "Zwycięstwo", 5),
)
