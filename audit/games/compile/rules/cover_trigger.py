"""Text that acts just before its card is covered."""

from audit.core.catalogue import TIMING, Topic, at

rule = Topic("cover-triggers")

BEFORE_COVERING = rule(
    "cover-trigger.before-covering",
    TIMING,
    "committed triggered resolved landed covered",
    terms="when-covered-trigger committed covered",
    fr=at(39, "1 / Cartes engagées"),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

ANY_WAY_OF_COVERING = rule(
    "cover-trigger.any-way-of-covering",
    TIMING,
    "committed triggered shifted played",
    terms="when-covered-trigger shift play",
    fr=at(39, "1 / Cartes engagées", implied=True),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)
