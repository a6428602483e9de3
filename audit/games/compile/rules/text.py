"""Text that comes into sight, and what that sets off."""

from audit.core.catalogue import DEFINITION, PROHIBITION, TIMING, Topic, at

rule = Topic("text-entering-play")

WAYS_IN = rule(
    "text.ways-in",
    DEFINITION,
    "played flipped uncovered triggered",
    terms="effect play flip uncovered",
    fr=at(31, "1 / Texte entrant en jeu"),
    it=at(89, "Anatomia delle Carte", 129),
    pl=at((138, 140), "Anatomia karty", (205, 207)),
)

MIDDLE_AT_ONCE = rule(
    "text.middle-at-once",
    TIMING,
    "played flipped uncovered resolved",
    terms="middle-command active-effect resolve",
    fr=at(31, "1 / Texte entrant en jeu"),
    it=at(89, "Anatomia delle Carte", 129),
    pl=at((138, 140), "Anatomia karty", (205, 207)),
)

OUTER_BOXES_WHEN_THEY_SAY = rule(
    "text.outer-boxes-when-they-say",
    TIMING,
    "triggered resolved",
    terms="top-command bottom-command resolve",
    fr=at(31, "1 / Texte entrant en jeu"),
)

COVERED_CARD_TURNED_UP = rule(
    "text.covered-card-turned-up",
    PROHIBITION,
    "flipped triggered resolved",
    terms="covered flip middle-command bottom-command",
    fr=at(199, "2 / Q18"),
)

rule = Topic("interrupts")
"""What is done first when new text comes up while other text is under way."""

INTERRUPT_NEWEST_GOES_FIRST = rule(
    "interrupt.newest-goes-first",
    TIMING,
    "triggered resolved played flipped uncovered",
    terms="interrupt active-effect resolve",
    it=at(129, "Regole / Ultimo arrivato, primo servito"),
    pl=at((207, 209), "Szczegółowe zasady gry"),
)

INTERRUPT_UNWINDS_BACKWARDS = rule(
    "interrupt.unwinds-backwards",
    TIMING,
    "resolved",
    terms="interrupt resolve",
    it=at(129, "Regole / Ultimo arrivato, primo servito"),
    pl=at((208, 209), "Szczegółowe zasady gry"),
)

INTERRUPT_LOST_TEXT_DROPPED = rule(
    "interrupt.lost-text-dropped",
    PROHIBITION,
    "resolved covered flipped deleted returned",
    terms="interrupt active-effect resolve",
    cards="hate-2",
    fr=at(221, "3 / HAINE 2", implied=True),
    it=at(129, "Regole / Ultimo arrivato, primo servito"),
    pl=at((217, 219), "Szczegółowe zasady gry"),
)
