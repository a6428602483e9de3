"""Text with the heading Start or End."""

from audit.core.catalogue import OBLIGATION, PERMISSION, PROHIBITION, Topic, at

rule = Topic("start-end-effects")

OWN_VISIBLE_TEXT = rule(
    "start-end.own-visible-text",
    OBLIGATION,
    "phase_began triggered resolved",
    terms="start-end-effect start-phase end-phase",
    fr=at(67, "1 / Effets de début et de fin"),
    it=at(58, "Flusso di gioco / Fasi del turno", 63),
    pl=at((53, 54), "Przebieg rozgrywki / Przebieg tury", (70, 71)),
)

ORDER_IS_FREE = rule(
    "start-end.order-is-free",
    PERMISSION,
    "phase_began triggered resolved chose",
    terms="start-end-effect turn-player",
    fr=at(67, "1 / Effets de début et de fin"),
    it=at(58, "Flusso di gioco / Fasi del turno", 63),
    pl=at((213, 215), "Szczegółowe zasady gry", implied=True),
)

NO_LATECOMERS = rule(
    "start-end.no-latecomers",
    PROHIBITION,
    "phase_began uncovered flipped triggered",
    terms="start-end-effect start-phase end-phase",
    fr=at(195, "2 / Q17"),
)
