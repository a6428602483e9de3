"""Clarifications and errata of single cards."""

from audit.core.catalogue import DEFINITION, ERRATA, OBLIGATION, PERMISSION, PROCEDURE, PROHIBITION, TIMING, Topic, at

rule = Topic("cards")

LIFE_0 = rule(
    "card.life-0",
    PROHIBITION,
    "played reshuffled",
    terms="play deck reshuffle",
    cards="life-0",
    fr=at(205, "3 / VIE 0"),
)

LIGHT_0 = rule(
    "card.light-0",
    TIMING,
    "flipped deleted drew resolved",
    terms="target value trash",
    cards="light-0 metal-6",
    fr=at(206, "3 / LUMIERE 0"),
)

LIGHT_2 = rule(
    "card.light-2",
    PERMISSION,
    "revealed flipped shifted",
    terms="reveal flip shift",
    cards="light-2",
    fr=at(133, "2 / Q3"),
)

LIGHT_3 = rule(
    "card.light-3", PROCEDURE, "shifted", terms="shift simultaneous stack", cards="light-3", fr=at(207, "3 / LUMIERE 3")
)

METAL_1 = rule(
    "card.metal-1",
    PERMISSION,
    "played refreshed",
    terms="play refresh opponent",
    cards="metal-1",
    fr=at(208, "3 / METAL 1"),
)

METAL_6 = rule(
    "card.metal-6", TIMING, "flipped deleted", terms="flip delete face-up", cards="metal-6", fr=at(210, "3 / METAL 6")
)

PLAGUE_3 = rule(
    "card.plague-3", DEFINITION, "flipped resolved", terms="uncovered all", cards="plague-3", fr=at(211, "3 / PESTE 3")
)

SPEED_2 = rule(
    "card.speed-2",
    TIMING,
    "compiled deleted shifted",
    terms="compile value",
    cards="speed-2",
    fr=at(212, "3 / VITESSE 2"),
)

SPIRIT_0 = rule(
    "card.spirit-0",
    OBLIGATION,
    "refreshed control_reset rearranged",
    terms="refresh control-component rearrange",
    cards="spirit-0",
    fr=at(213, "3 / ESPRIT 0"),
)

WATER_1 = rule(
    "card.water-1",
    PROHIBITION,
    "played reshuffled",
    terms="play deck reshuffle",
    cards="water-1",
    fr=at(214, "3 / EAU 1"),
)

LOVE_1 = rule("card.love-1", ERRATA, "drew", terms="draw middle-command", cards="love-1", fr=at(218, "3 / AMOUR 1"))

LOVE_2 = rule(
    "card.love-2", ERRATA, "refreshed", terms="refresh middle-command", cards="love-2", fr=at(219, "3 / AMOUR 2")
)

LOVE_3 = rule(
    "card.love-3", PERMISSION, "owner_changed chose", terms="take owner", cards="love-3", fr=at(220, "3 / AMOUR 3")
)

HATE_2_TIE = rule(
    "card.hate-2-tie", PROCEDURE, "deleted chose", terms="value delete", cards="hate-2", fr=at(221, "3 / HAINE 2")
)

HATE_2_DELETES_ITSELF = rule(
    "card.hate-2-deletes-itself",
    TIMING,
    "deleted resolved",
    terms="delete value resolve",
    cards="hate-2",
    fr=at(221, "3 / HAINE 2"),
)

SAMPLE_IN_ANATOMY = rule(
    "card.sample-in-anatomy",
    DEFINITION,
    "played drew discarded flipped",
    terms="face-up draw discard flip start-end-effect",
    cards="spirit-1",
    pl=at((116, 125), "Anatomia karty"),
)
