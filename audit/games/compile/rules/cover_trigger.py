"""Text that acts just before its card is covered."""

from functools import partial

from audit.core import catalogue
from audit.core.catalogue import TIMING, at

rule = partial(catalogue.rule, topic="cover-triggers")

BEFORE_COVERING = rule(
    "cover-trigger.before-covering",
    TIMING,
    events=("committed", "triggered", "resolved", "landed", "covered"),
    terms=("when-covered-trigger", "committed", "covered"),
    fr=at(39, "1 / Cartes engagées"),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)

ANY_WAY_OF_COVERING = rule(
    "cover-trigger.any-way-of-covering",
    TIMING,
    events=("committed", "triggered", "shifted", "played"),
    terms=("when-covered-trigger", "shift", "play"),
    fr=at(39, "1 / Cartes engagées", implied=True),
    it=at(141, "Regole / Quando questa carta sta per essere annidata"),
)
