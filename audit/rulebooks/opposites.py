"""What contradicts what in two texts of a rule: things that cannot both be so, and what says as much as another."""

from __future__ import annotations

from collections.abc import Mapping

from audit.rulebooks.clauses.frames import DENIALS
from audit.rulebooks.clauses.together import UP_TO
from audit.rulebooks.findings import Kind
from audit.rulebooks.terms import PART_OF_TURN

OPPOSITES: tuple[tuple[Kind, str, str], ...] = (
    (Kind.MODALITY, "modality:may", "modality:must"),
    (Kind.MODALITY, "modality:may", "modality:cannot"),
    (Kind.ACTOR, "actor:turn-player", "actor:opponent"),
    (Kind.ACTOR, "actor:owner", "actor:opponent"),
    (Kind.ACTOR, "actor:owner", "actor:doer"),
    (Kind.ACTOR, "actor:owner", "actor:turn-player"),
    (Kind.ACTOR, "actor:owner", "actor:owner-of-target"),
    (Kind.ACTOR, "actor:turn-player", "actor:owner-of-target"),
    (Kind.ACTOR, "scope:both", "scope:own-only"),
    (Kind.ACTOR, "scope:both", "scope:own-side"),
    (Kind.ACTOR, "contrast:party-one", "contrast:party-both"),
    (Kind.ACTOR, "contrast:party-one", "scope:own-side"),
    (Kind.PLACE, "side:same", "side:other"),
    (Kind.PLACE, "side:own-side", "side:other"),
    (Kind.PLACE, "side:face-up", "side:face-down"),
    (Kind.PLACE, "contrast:place-top", "contrast:place-bottom"),
    (Kind.TIME, "time:together", "time:in-turn"),
    (Kind.TIME, "time:at-once", "time:turn-end"),
    (Kind.TIME, "time:game-end", "time:turn-end"),
    (Kind.ORDER, "contrast:order-kept", "contrast:order-free"),
    (Kind.ORDER, "contrast:order-newest", "contrast:order-oldest"),
    (Kind.ORDER, "contrast:order-newest", "contrast:order-kept"),
    (Kind.ORDER, "scope:first", "scope:last"),
    (Kind.QUANTITY, "contrast:size-greater", "contrast:size-no-less"),
    (Kind.QUANTITY, "contrast:size-greater", "contrast:size-less"),
    (Kind.QUANTITY, "contrast:which-other", "contrast:which-any"),
    (Kind.QUANTITY, "contrast:which-same", "contrast:which-unlike"),
    (Kind.QUANTITY, "contrast:which-matching", "contrast:which-unmatching"),
    (Kind.QUANTITY, "contrast:age-young", "contrast:age-old"),
    (Kind.ORDER, "contrast:way-right", "contrast:way-left"),
    (Kind.ORDER, "contrast:prior-cards", "contrast:prior-rules"),
    (Kind.PLACE, "contrast:far-off", "contrast:far-near"),
    (Kind.QUANTITY, "contrast:fill-empty", "contrast:fill-full"),
    (Kind.QUANTITY, "contrast:parity-even", "contrast:parity-odd"),
    (Kind.QUANTITY, "contrast:sum-plus", "contrast:sum-minus"),
    (Kind.QUANTITY, "scope:covered-too", "scope:uncovered-only"),
    (Kind.QUANTITY, "scope:covered-too", "contrast:reach-out"),
    (Kind.QUANTITY, "contrast:often-always", "contrast:often-sometimes"),
    (Kind.QUANTITY, "contrast:end-wins", "contrast:end-loses"),
    (Kind.NEGATION, "contrast:kept-kept", "contrast:kept-along"),
    (Kind.QUANTITY, "contrast:limit-no-less", "contrast:limit-exactly"),
    (Kind.QUANTITY, "contrast:limit-no-more", "contrast:limit-exactly"),
    (Kind.QUANTITY, "contrast:share-one", "contrast:share-them"),
)
"""Things that cannot both be so, whichever of the two is stated."""
NOT_INSTEAD: tuple[tuple[Kind, str, str], ...] = (
    (Kind.TERM, "term:covered", "scope:uncovered"),
    (Kind.TERM, "term:uncovered", "scope:covered"),
    (Kind.EXCEPTION, "scope:only-if", "condition:even-if"),
    (Kind.EXCEPTION, "condition:even-if", "scope:only-if"),
    (Kind.EXCEPTION, "condition:even-if", "quantity:instead"),
    (Kind.EXCEPTION, "condition:even-if", "contrast:done-undone"),
    (Kind.EXCEPTION, "condition:even-if", "contrast:polarity-nor"),
    (Kind.EXCEPTION, "amount:as-possible", "scope:only-if"),
    (Kind.QUANTITY, "contrast:join-or", "scope:and-then"),
    (Kind.TERM, "side:face-up", "term:uncovered"),
    (Kind.TERM, "side:face-down", "term:covered"),
    (Kind.TIME, "time:before", "scope:after"),
    (Kind.EXCEPTION, "condition:while", "condition:even-if"),
    (Kind.QUANTITY, "amount:at-most-1", "quantity:all"),
    (Kind.QUANTITY, "amount:at-most-1", "scope:several"),
    (Kind.QUANTITY, "amount:as-possible", "contrast:extent-none"),
    (Kind.NEGATION, "scope:not", "scope:even-so"),
    (Kind.ACTOR, "whose:own", "scope:opponent"),
    (Kind.QUANTITY, "scope:tie-fails", "scope:tie-counts"),
    (Kind.QUANTITY, "contrast:polarity-too", "scope:only-not"),
    (Kind.NEGATION, "scope:denied", "scope:also"),
    (Kind.QUANTITY, "contrast:which-any", "scope:only-not"),
    (Kind.QUANTITY, "contrast:kept-kept", "scope:only-until"),
    (Kind.ACTOR, "contrast:party-one", "scope:own-only"),
    (Kind.TERM, "term:neutral-position", "contrast:kept-kept"),
    (Kind.PLACE, "term:uncovered", "contrast:depth-under"),
    (Kind.PLACE, "term:uncovered", "contrast:place-bottom"),
    (Kind.TIME, "time:then", "contrast:kept-kept"),
    (Kind.TIME, "time:at-once", "ordinal:next"),
    (Kind.EXCEPTION, "condition:even-if", "exception:except"),
    (Kind.EXCEPTION, "exception:except", "scope:even-if-said"),
    (Kind.QUANTITY, "contrast:reach-out", "scope:covered-only"),
    (Kind.NEGATION, "contrast:which-other", "scope:matching"),
    (Kind.QUANTITY, "contrast:which-any", "quantity:only"),
)
"""What is stated, and what may not be said instead."""
OPPOSED = (*NOT_INSTEAD, *((kind, *pair) for kind, one, other in OPPOSITES for pair in ((one, other), (other, one))))
OPPOSED_OF_ONE_RULE: tuple[tuple[Kind, str, str], ...] = (
    (Kind.NEGATION, "scope:both", "contrast:view-private"),
    (Kind.NEGATION, "contrast:view-private", "scope:both"),
    (Kind.NEGATION, "contrast:view-public", "contrast:view-private"),
    (Kind.NEGATION, "contrast:view-private", "contrast:view-public"),
    (Kind.NEGATION, "contrast:kept-kept", "contrast:kept-ends"),
    (Kind.NEGATION, "contrast:kept-kept", "term:loading-side"),
    (Kind.NEGATION, "contrast:fill-empty", "contrast:kept-kept"),
    (Kind.EXCEPTION, "condition:even-if", "contrast:kept-kept"),
    (Kind.ACTOR, "scope:both", "quantity:only"),
    (Kind.ACTOR, "quantity:only", "scope:both"),
    (Kind.ACTOR, "quantity:each", "contrast:own-shared"),
    (Kind.QUANTITY, "quantity:only", "scope:any"),
    (Kind.QUANTITY, "contrast:which-other", "scope:only-matching"),
    (Kind.ORDER, "scope:first", "scope:second"),
    (Kind.QUANTITY, "quantity:only", "contrast:polarity-beyond"),
    (Kind.QUANTITY, "quantity:only", "quantity:each"),
    (Kind.QUANTITY, "quantity:only", "quantity:all"),
    (Kind.EXCEPTION, "quantity:only", "scope:even-so"),
    (Kind.EXCEPTION, "scope:acts-if", "condition:even-if"),
    (Kind.EXCEPTION, "condition:even-if", "scope:if"),
    (Kind.EXCEPTION, "exception:except", "scope:even-if-not"),
    (Kind.QUANTITY, "amount:as-possible", "contrast:done-undone"),
    (Kind.ACTOR, "contrast:own-shared", "scope:own-each"),
    (Kind.ORDER, "contrast:order-kept", "modality:may"),
)
"""What is stated, and what may not be said instead in a passage that a person linked to the rule."""
_EXCLUSIVE = frozenset({Kind.PLACE, Kind.ORDER, Kind.QUANTITY})
UNHEARD: tuple[tuple[Kind, str, str], ...] = (
    *(
        (kind, *pair) for kind, one, other in OPPOSITES if kind in _EXCLUSIVE
        for pair in ((one, other), (other, one))
    ),
    (Kind.TIME, "time:together", "time:in-turn"),
    (Kind.TIME, "time:before", "time:after"),
    (Kind.TIME, "time:after", "time:before"),
    (Kind.TIME, "time:at-once", "time:after"),
    (Kind.TIME, "time:at-once", "time:turn-end"),
    (Kind.MODALITY, "modality:must", "modality:may"),
    (Kind.MODALITY, "modality:may", "modality:cannot"),
    (Kind.QUANTITY, "contrast:limit-no-less", "contrast:limit-no-more"),
    (Kind.QUANTITY, "contrast:limit-no-more", "contrast:limit-no-less"),
    (Kind.ACTOR, "actor:owner", "actor:opponent"),
    (Kind.ACTOR, "actor:owner", "actor:turn-player"),
    (Kind.ACTOR, "actor:turn-player", "actor:opponent"),
    (Kind.ACTOR, "whose:theirs", "whose:own"),
    (Kind.ACTOR, "whose:own", "whose:theirs"),
    (Kind.ACTOR, "side:own-side", "whose:theirs"),
    (Kind.ACTOR, "side:own-side", "side:both-sides"),
    (Kind.ACTOR, "side:both-sides", "side:own-side"),
    (Kind.EXCEPTION, "condition:even-if", "contrast:bound-proviso"),
    (Kind.TERM, "term:uncovered", "term:covered"),
    (Kind.TERM, "term:covered", "term:uncovered"),
    (Kind.TERM, "term:uncovered", "side:face-up"),
    (Kind.TERM, "term:covered", "side:face-down"),
    (Kind.ACTOR, "actor:owner", "whose:own"),
    (Kind.QUANTITY, "quantity:instead", "amount:beyond"),
    (Kind.QUANTITY, "quantity:instead", "contrast:polarity-with"),
)  # fmt: skip
"""What is stated, and what no statement and no other document says instead, so that one word of it tells, even where
the document says elsewhere what is stated."""
UNHEARD_ALONE: tuple[tuple[Kind, str], ...] = (
    *((Kind.ACTOR, f"who:{one}") for one in ("opponent", "turn-player", "owner-of-target")),
    (Kind.PLACE, "side:face-up"), (Kind.QUANTITY, "quantity:only"),
)  # fmt: skip
"""What no statement and no other document says of a rule, so that it was put in."""
TURNED_OVER = frozenset({"term:flip", "term:reveal"})
"""Of a rule on these both faces of a card may be spoken of."""
SAID_BESIDE_NOT = frozenset({
    "modality:may", "modality:must", "quantity:only", "condition:even-if", "contrast:size-greater",
    "term:neutral-position", "side:same", "side:own-side", "amount:as-possible", "contrast:terms-own",
})  # fmt: skip
"""What a statement says beside its not, so that a text which says this may leave the not out."""
AS_MUCH_AS_NOT = frozenset({
    *DENIALS, "negation:un", "exception:except", "quantity:only", "quantity:instead", "condition:even-if",
    "contrast:polarity-not", "contrast:done-undone", "contrast:kept-ends", "contrast:view-private",
    "contrast:which-unmatching", "contrast:reach-out", "contrast:polarity-anyway", "amount:rest",
})  # fmt: skip
"""What says as much as a not."""
ONLY = "quantity:only"
AS_MUCH_AS_ONLY = AS_MUCH_AS_NOT | {
    "amount:at-most-1", "number:1", "modality:must", "condition:while", "condition:if", "amount:up-to",
    "contrast:limit-no-more", "term:uncovered",
}  # fmt: skip
"""What says as much as an "only"."""
AS_WELL_AS = "contrast:polarity-with"
KEPT = "contrast:kept-kept"
STAYS = (KEPT, "contrast:kept-changed")
LEFT_OUT = DENIALS | {"exception:except", KEPT, ONLY}
"""With what a statement leaves a thing out, so that a "but not" says no more."""
LIMITS = {
    "modality:may": "quantity:only",
    "modality:cannot": "exception:except",
    "time:turn-end": "term:end-phase",
}
"""Beside what a word says no more than its opposite: "may only" binds, "cannot unless" allows."""
FAMILIES = frozenset({"zone", PART_OF_TURN, "protocol side"})
"""Families of terms of which one cannot stand for another: a card goes to the hand or onto the deck."""
PUT_IN: tuple[tuple[Kind, str], ...] = (
    (Kind.ACTOR, "scope:opponent"), (Kind.ACTOR, "side:both-sides"), (Kind.EXCEPTION, "exception:except"),
    (Kind.QUANTITY, "amount:time-1"), (Kind.QUANTITY, "term:at-random"), (Kind.TIME, "time:turn-end"),
    (Kind.NEGATION, "scope:denied"), (Kind.EXCEPTION, "scope:even-if-said"),
)  # fmt: skip
"""What changes a rule wherever it is put in."""
PUT_IN_OF_ONE_RULE: tuple[tuple[Kind, str], ...] = (
    (Kind.ACTOR, "contrast:owner-former"), (Kind.ORDER, "scope:the-second"), (Kind.QUANTITY, "contrast:end-lost"),
    (Kind.MODALITY, "modality:cannot"), (Kind.QUANTITY, "quantity:only"), (Kind.ACTOR, "scope:both"),
    (Kind.PLACE, "scope:face-down"), (Kind.QUANTITY, "contrast:polarity-beyond"),
    (Kind.NEGATION, "contrast:reach-out"), (Kind.NEGATION, "contrast:view-private"),
    (Kind.EXCEPTION, "scope:proviso"), (Kind.ACTOR, "scope:stays-owner"),
)  # fmt: skip
"""What changes a rule where it is put in a passage that a person linked to the rule."""
PUT_IN_OF_UNKNOWN = (
    *((Kind.ACTOR, f"who:{one}") for one in ("opponent", "turn-player", "owner-of-target")),
    *PUT_IN, *PUT_IN_OF_ONE_RULE,
)  # fmt: skip
"""The same of a document that nobody has read: who decides comes before a not."""
AS_MUCH_AS_PUT_IN: Mapping[str, frozenset[str]] = {
    "who:turn-player": frozenset({"term:turn", "term:compile"}),
    "scope:opponent": frozenset({"scope:both", "side:other", "ordinal:2", "contrast:party-one"}),
    "exception:except": frozenset({"amount:rest"}),
    "scope:denied": frozenset(
        {
            "negation:not",
            "contrast:polarity-not",
            "modality:cannot",
            "quantity:only",
            "exception:except",
            "contrast:done-undone",
        }
    ),
    "side:both-sides": frozenset({"scope:both", "contrast:party-both"}),
    "time:turn-end": frozenset({"term:end-phase", "term:start-end-effect"}),
    "scope:the-second": frozenset({"ordinal:2", "time:then", "time:first", "number:2", "contrast:which-other"}),
    "quantity:only": frozenset(
        {
            "negation:not",
            "condition:if",
            "condition:while",
            "exception:except",
            "amount:at-most-1",
            "modality:cannot",
            "number:1",
            "amount:up-to",
            "contrast:polarity-only",
            "modality:must",
            "side:own-side",
        }
    ),
    "contrast:reach-out": frozenset({"negation:not", "quantity:only", "exception:except", "modality:cannot"}),
    "contrast:view-private": frozenset({"negation:not", "quantity:only", "modality:cannot"}),
    "modality:cannot": frozenset({"negation:not", "quantity:only", "exception:except"}),
    "scope:both": frozenset({"quantity:each", "number:2"}),
    "scope:proviso": frozenset(
        {
            "condition:if",
            "condition:while",
            "quantity:only",
            "exception:except",
            "modality:must",
            "modality:cannot",
            "negation:not",
            "time:after",
            "amount:as-possible",
            "contrast:which-matching",
        }
    ),
    "scope:stays-owner": frozenset({"contrast:kept-kept", "contrast:owner-stays", "negation:not"}),
    "side:face-up": frozenset({"term:reveal", "term:flip", "term:loading-side", "side:face-down"}),
    "scope:face-down": frozenset({"side:face-down", "term:covered", "term:reveal", "term:flip"}),
}
"""What says as much as a word that was put in."""
OF_ITS_RULES = frozenset({"side:both-sides"})
"""What is held against the rules of the sentence alone: a rule beside them may well be of both sides."""
EXCEPT = "exception:except"
DENIED = "negation:not"
LIMITED = frozenset({
    UP_TO, "quantity:only", "condition:if", "time:before", "quantity:fewer", "amount:rest", "condition:while",
})  # fmt: skip
"""What says how far something goes."""
EXCEPTED = frozenset({
    EXCEPT, "quantity:only", "condition:if", "condition:even-if", UP_TO, "contrast:said-otherwise",
})  # fmt: skip
"""What says an exception, also in other words."""
