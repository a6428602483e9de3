"""Cards on their way: out of one place and not yet in another."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PROHIBITION, TIMING, Topic, at

rule = Topic("committed-cards")

LEAVES_FIRST = rule(
    "committed.leaves-first", DEFINITION, "committed", terms="committed", fr=at(35, "1 / Cartes engagées")
)

ANY_CHANGE_OF_PLACE = rule(
    "committed.any-change-of-place",
    DEFINITION,
    "committed played shifted deleted",
    terms="committed play shift delete",
    basis="fr",
    fr=at(35, "1 / Cartes engagées", 61),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

EXPOSED_TEXT_FIRST = rule(
    "committed.exposed-text-first",
    TIMING,
    "committed uncovered resolved landed",
    terms="committed uncovered resolve",
    fr=at(37, "1 / Cartes engagées"),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

KEEPS_FACING = rule(
    "committed.keeps-facing",
    PROHIBITION,
    "committed landed flipped",
    terms="committed face-up face-down",
    fr=at(37, "1 / Cartes engagées"),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

NOT_A_TARGET = rule(
    "committed.not-a-target",
    PROHIBITION,
    "committed chose resolved",
    terms="committed target",
    fr=at(37, "1 / Cartes engagées", 41, 53, 61),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

OUT_OF_PLAY = rule(
    "committed.out-of-play",
    DEFINITION,
    "committed landed",
    terms="committed field",
    fr=at(41, "1 / Cartes engagées"),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

LANDS_REGARDLESS = rule(
    "committed.lands-regardless",
    OBLIGATION,
    "committed landed",
    terms="committed",
    fr=at(39, "1 / Cartes engagées"),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

ANNOUNCED_LINE_STANDS = rule(
    "committed.announced-line-stands",
    OBLIGATION,
    "committed landed rearranged",
    terms="committed line protocol",
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

WHOLE_CHAIN_BEFORE_LANDING = rule(
    "committed.whole-chain-before-landing",
    TIMING,
    "committed triggered resolved landed",
    terms="committed trigger resolve",
    fr=at(39, "1 / Cartes engagées"),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

QUEUE = rule("committed.queue", TIMING, "committed landed", terms="committed line", fr=at(41, "1 / Cartes engagées"))

TWO_CARDS_OPEN = rule(
    "committed.two-cards-open",
    DEFINITION,
    "committed uncovered shifted",
    terms="committed uncovered shift",
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)
