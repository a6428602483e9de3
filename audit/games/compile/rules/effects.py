"""How the text of a card is carried out: who, in what order, how much of it."""

from audit.core.catalogue import DEFINITION, OBLIGATION, PERMISSION, PROCEDURE, TIMING, at, rule

NO_COSTS = rule("effects.no-costs", DEFINITION, "resolved", terms="effect", fr=at(17, "1 / Effet de carte"))

MUST_BE_APPLIED = rule(
    "effects.must-be-applied",
    OBLIGATION,
    "resolved triggered",
    terms="effect resolve",
    fr=at(17, "1 / Effet de carte", 25),
    it=at(127, "Regole / Bersagli validi"),
)

AS_FAR_AS_POSSIBLE = rule(
    "effects.as-far-as-possible",
    OBLIGATION,
    "resolved",
    terms="effect resolve",
    fr=at(23, "1 / Effet de carte"),
    it=at(127, "Regole / Bersagli validi"),
)

HITS_OWN_CARDS_IF_NEED_BE = rule(
    "effects.hits-own-cards-if-need-be",
    OBLIGATION,
    "resolved chose",
    terms="effect target",
    cards="water-4",
    fr=at(23, "1 / Effet de carte"),
    it=at(127, "Regole / Bersagli validi"),
)

MAY_ONLY_IF_SAID = rule(
    "effects.may-only-if-said", PERMISSION, "resolved chose", terms="effect resolve", fr=at(23, "1 / Effet de carte")
)

CONDITION_MUST_BE_MET = rule(
    "effects.condition-must-be-met",
    PROCEDURE,
    "resolved",
    terms="effect resolve",
    cards="fire-2",
    fr=at(19, "1 / Effet de carte"),
)

FREE_SENTENCE_STANDS_ALONE = rule(
    "effects.free-sentence-stands-alone",
    OBLIGATION,
    "resolved",
    terms="effect resolve",
    cards="fire-4 plague-2",
    fr=at(21, "1 / Effet de carte"),
)

READING_ORDER = rule(
    "effects.reading-order", TIMING, "resolved", terms="effect resolve", fr=at(21, "1 / Effet de carte")
)

CARDS_BEAT_RULES = rule(
    "effects.cards-beat-rules",
    DEFINITION,
    "resolved",
    terms="effect",
    checkable=False,
    fr=at(27, "1 / Effet de carte"),
    it=at(143, "Regole / Specifico batte generico"),
    pl=at((242, 243), "Szczegółowe zasady gry"),
)

TURN_PLAYER_SETS_ORDER = rule(
    "effects.turn-player-sets-order",
    PROCEDURE,
    "triggered resolved chose",
    terms="turn-player simultaneous resolve",
    it=at(127, "Regole / Bersagli validi"),
    pl=at((213, 215), "Szczegółowe zasady gry"),
)

SOURCE_SIDE_DECIDES = rule(
    "effects.source-side-decides",
    PROCEDURE,
    "resolved chose",
    terms="owner effect target",
    basis="fr it",
    fr=at(31, "1 / Texte entrant en jeu", implied=True),
    it=at(127, "Regole / Bersagli validi"),
    pl=at((212, 213), "Szczegółowe zasady gry"),
)
