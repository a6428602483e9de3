"""What is done first when new text comes up while other text is under way."""

from audit.core.catalogue import PROHIBITION, TIMING, Topic, at

rule = Topic("interrupts")

NEWEST_GOES_FIRST = rule(
    "interrupt.newest-goes-first",
    TIMING,
    "triggered resolved played flipped uncovered",
    terms="interrupt active-effect resolve",
    it=at(129, "Regole / Ultimo arrivato, primo servito"),
    pl=at((207, 209), "Szczegółowe zasady gry"),
)

UNWINDS_BACKWARDS = rule(
    "interrupt.unwinds-backwards",
    TIMING,
    "resolved",
    terms="interrupt resolve",
    it=at(129, "Regole / Ultimo arrivato, primo servito"),
    pl=at((208, 209), "Szczegółowe zasady gry"),
)

LOST_TEXT_DROPPED = rule(
    "interrupt.lost-text-dropped",
    PROHIBITION,
    "resolved covered flipped deleted returned",
    terms="interrupt active-effect resolve",
    cards="hate-2",
    fr=at(221, "3 / HAINE 2", implied=True),
    it=at(129, "Regole / Ultimo arrivato, primo servito"),
    pl=at((217, 219), "Szczegółowe zasady gry"),
)
