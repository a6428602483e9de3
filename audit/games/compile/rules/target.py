"""Which cards an effect may act on."""

from audit.core.catalogue import PERMISSION, PROHIBITION, Topic, at

rule = Topic("targeting")

UNCOVERED_BY_DEFAULT = rule(
    "target.uncovered-by-default",
    PROHIBITION,
    "chose resolved",
    terms="target uncovered effect",
    fr=at(45, "1 / Ciblage"),
    it=at(125, "Regole / Bersagli validi"),
    pl=at((192, 195), "Szczegółowe zasady gry"),
)

COVERED_IF_NAMED = rule(
    "target.covered-if-named",
    PERMISSION,
    "chose resolved",
    terms="target covered all",
    fr=at(51, "1 / Ciblage"),
    it=at(125, "Regole / Bersagli validi"),
    pl=at((195, 196), "Szczegółowe zasady gry"),
)

BOTH_SIDES = rule(
    "target.both-sides",
    PERMISSION,
    "chose resolved",
    terms="target side owner",
    fr=at(47, "1 / Ciblage"),
    it=at(127, "Regole / Bersagli validi"),
    pl=at((211, 212), "Szczegółowe zasady gry"),
)

ITSELF = rule("target.itself", PERMISSION, "chose resolved", terms="target", fr=at(49, "1 / Ciblage"))

FIELD_ONLY = rule(
    "target.field-only", PROHIBITION, "chose resolved", terms="target field committed", fr=at(53, "1 / Ciblage")
)

TOP_COMMANDS_REACH_EACH_OTHER = rule(
    "target.top-commands-reach-each-other",
    PERMISSION,
    "chose resolved",
    terms="top-command covered uncovered",
    pl=at((199, 203), "Szczegółowe zasady gry"),
)
