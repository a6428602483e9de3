"""What several facts of a sentence say together, and what it only concedes.

`names_of` gives the facts of a sentence by name, with names of its own for what takes several: `scope:own-only` for
"one's own, and not the opponent's".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec.structs import replace

from audit.rulebooks.clauses.frames import CLAUSE_END, DENIALS, OF_A_TEXT, Fact, facts
from audit.rulebooks.clauses.rewording import is_but
from audit.rulebooks.terms import TermBase

_CONCEDED = 40
"""Letters behind "even if" within which a modal word belongs to what is conceded."""
_NEAR = 4
"""Letters between a not and the word that it denies."""
_NO_DUTY = 8
"""Letters between a not and the duty that it denies."""
_OF = 30
"""Letters between the opponent and the turn player whose opponent it is, or the not that denies it."""
BEGINS = 15
"""Letters within which a text begins."""
OPPONENT = frozenset({"actor:opponent", "whose:theirs"})
_DECIDERS = frozenset({
    "actor:owner", "actor:opponent", "actor:turn-player", "actor:doer", "actor:owner-of-target",
})  # fmt: skip
MEANT: Mapping[str, tuple[str, ...]] = {
    "scope:after": ("time:after",), **{name.replace("actor", "who"): (name,) for name in _DECIDERS},
}  # fmt: skip
"""By which fact a thing is said that its place makes."""
_OWN = frozenset({"whose:own", "side:own-side"})
_COUNTS = frozenset({"contrast:enough-enough", "contrast:polarity-too"})
_TURNED_BY_A_NOT = frozenset({"contrast:size-no-less", "contrast:kept-along", "term:covered"})
"""What a not beside it makes the opposite of: "a tie is not enough", "do not go along"."""
NONE = frozenset[str]()
UP_TO = "amount:up-to"
_NO_MORE_THAN_SO = DENIALS | {"modality:must", "quantity:only", "number:1", "amount:at-most-1"}
"""What a sentence with "even if" may say, so that the "even if" turns no denial and no limit round."""
_DENIED_AS_WELL = frozenset({
    "quantity:only", "exception:except", UP_TO, "condition:even-if", "contrast:join-and",
    "contrast:join-or", "contrast:which-other", "amount:equal",
})  # fmt: skip
"""Beside what a not may only word another way what is so."""
_UNCONDITIONAL = frozenset({
    "condition:even-if", "quantity:only", "exception:except", "condition:while", "modality:may",
})  # fmt: skip
"""What stands beside a condition that is not simply one: a thing goes on all the same, or may be left."""
_LIMITED_AS_WELL = frozenset({"quantity:only", "exception:except", "contrast:reach-out", UP_TO})
"""Beside what an "even if not" does not take an exception away."""
_UNCOVERED_AS_WELL = DENIALS | {"quantity:only", "exception:except", "contrast:reach-out"}
"""Beside what "covered" may say as much as "uncovered"."""
_OF_ANOTHER_OWNER = frozenset({
    "contrast:end-wins", "actor:turn-player", "actor:doer", "time:then", UP_TO, "time:game-end", "negation:not",
})  # fmt: skip
"""Beside what the owner that stays may be the new one."""
_CLAUSE_OVER = re.compile(r"[;.)]")
SCOPES: tuple[tuple[str, frozenset[str], frozenset[str], frozenset[str]], ...] = (
    ("scope:opponent", NONE, OPPONENT, NONE),
    ("contrast:party-both", frozenset({"side:both-sides"}), NONE, NONE),
    ("scope:both", NONE, frozenset({"actor:both", "side:both-sides", "contrast:party-both"}), NONE),
    ("scope:own-only", frozenset({"quantity:only"}), _OWN, OPPONENT),
    ("scope:own-side", frozenset({"side:own-side"}), NONE, OPPONENT),
    ("scope:uncovered-only", frozenset({"term:uncovered", "quantity:only"}), NONE, frozenset({"term:covered"})),
    (
        "scope:covered-too",
        frozenset({"term:covered", "term:uncovered"}),
        NONE,
        frozenset({"quantity:only", "contrast:reach-out"}),
    ),
    ("scope:only-until", frozenset({"quantity:only", UP_TO}), NONE, NONE),
    ("scope:only-not", frozenset({"quantity:only", "negation:not"}), NONE, NONE),
    ("scope:matching", frozenset({"contrast:which-matching"}), NONE, DENIALS),
    ("scope:only-matching", frozenset({"quantity:only", "contrast:which-matching"}), NONE, NONE),
    (
        "scope:several",
        frozenset({"amount:many"}),
        NONE,
        frozenset(
            {
                "quantity:only",
                "condition:if",
                "condition:even-if",
                "amount:at-most-1",
                "contrast:limit-no-more",
                "contrast:polarity-not",
            }
        ),
    ),
    ("scope:any", frozenset({"contrast:which-any"}), NONE, frozenset({"contrast:limit-no-more", "amount:at-most-1"})),
    (
        "scope:also",
        NONE,
        frozenset({"contrast:polarity-too", "contrast:polarity-with"}),
        DENIALS
        | {
            "exception:except",
            "quantity:only",
            "condition:if",
            "condition:even-if",
        },
    ),
    ("scope:the-second", frozenset({"ordinal:2"}), NONE, frozenset({"time:then", "time:first"})),
    ("scope:second", frozenset({"ordinal:2"}), NONE, frozenset({"time:then", "ordinal:1", "time:first"})),
    ("scope:face-down", frozenset({"side:face-down"}), NONE, frozenset({"side:face-up"})),
    ("scope:covered", frozenset({"term:covered"}), NONE, _UNCOVERED_AS_WELL),
    ("scope:uncovered", frozenset({"term:uncovered"}), NONE, _UNCOVERED_AS_WELL),
    ("scope:not", frozenset({"negation:not"}), NONE, frozenset({"condition:even-if"})),
    ("scope:own-each", frozenset({"quantity:each", "whose:own"}), NONE, NONE),
    ("scope:only-if", frozenset({"quantity:only", "condition:if"}), NONE, NONE),
    ("scope:proviso", frozenset({"contrast:bound-proviso"}), NONE, DENIALS),
    ("scope:stays-owner", frozenset({"contrast:owner-stays"}), NONE, _OF_ANOTHER_OWNER),
    ("scope:if", frozenset({"condition:if"}), NONE, _UNCONDITIONAL),
    ("scope:acts-if", frozenset({"condition:if"}), NONE, _UNCONDITIONAL | {"contrast:kept-kept"}),
    (
        "scope:even-if-said",
        frozenset({"condition:even-if", "contrast:said-otherwise"}),
        NONE,
        frozenset({"exception:except", "quantity:only"}),
    ),
    ("scope:covered-only", frozenset({"quantity:only", "term:covered"}), NONE, frozenset({"term:uncovered"})),
    ("scope:and-then", frozenset({"contrast:join-and", "time:then"}), NONE, frozenset({"contrast:join-or"})),
    ("scope:first", frozenset({"ordinal:1"}), NONE, frozenset({"time:then"})),
    ("scope:last", frozenset({"ordinal:last"}), NONE, frozenset({"time:then", "number:2", "number:3", "ordinal:1"})),
)
"""What several facts say together: those that are all there, those of which one is, those of which none is."""

Steps = tuple[frozenset[str], frozenset[str]]


@lru_cache(maxsize=20_000)
def names_of(text: str, language: str, base: TermBase) -> frozenset[str]:
    """The facts by name, with what several of them say together, and without what is only conceded."""
    whole = facts(text, language, base)
    found = [*_unconceded(_but_in_turn(whole), text)]
    names = {fact.name for fact in found} | _only_own(found, text) | _after(found) | _in_spite(whole) | _ties(whole)
    names |= _denied(found, text) | _even_if_not(whole) | _deciders(found, text) | _excluded(found, text, language)
    scopes = {
        scope for scope, every, some, none in SCOPES
        if every <= names and (not some or names & some) and not names & none
    }  # fmt: skip
    said = names | scopes
    if "scope:own-only" in said:
        said -= {"scope:opponent", "scope:denied"}
    return frozenset(said - {"scope:opponent"} if "scope:not-theirs" in said else said)


def _but_in_turn(found: Sequence[Fact]) -> list[Fact]:
    """Without the other of "one after the other", which is none beside what a text speaks of."""
    spans = [range(fact.start, fact.end) for fact in found if fact.name == "time:in-turn"]
    other = "contrast:which-other"
    return [fact for fact in found if fact.name != other or not any(fact.start in span for span in spans)]


def _only_own(found: Sequence[Fact], text: str) -> set[str]:
    """Whether it is one's own and not the opponent's, and whether only the opponent's is denied."""
    theirs = [fact.start for fact in found if fact.name in OPPONENT]
    denied = (fact.end for fact in found if fact.name == "negation:not")
    without = any(
        0 <= start - end <= _OF and not CLAUSE_END.search(text, end, start) for end in denied for start in theirs
    )
    names = {fact.name for fact in found}
    is_own = any(fact.name in _OWN for fact in found)
    if is_own and (without or bool(theirs and {"quantity:only", "contrast:kept-kept"} <= names)):
        return {"scope:own-only"}
    return {"scope:not-theirs"} if without else set()


def _denied(found: Sequence[Fact], text: str) -> set[str]:
    """Whether something is denied, not in the clause of a condition, and not as a part of a "must"."""
    modal = [(fact.start, fact.end) for fact in found if fact.name == "modality:must"]
    ifs = [fact.end for fact in found if fact.name == "condition:if"]
    denied = any(
        fact.name == "negation:not"
        and not any(start < fact.end and fact.start < end for start, end in modal)
        and not any(end <= fact.start and not CLAUSE_END.search(text, end, fact.start) for end in ifs)
        for fact in found
    )
    names = {fact.name for fact in found}
    if sum(fact.name == "negation:not" for fact in found) > 1:
        names.discard("contrast:join-and")
    return {"scope:denied"} if denied and not names & _DENIED_AS_WELL else set()


def _in_spite(found: Sequence[Fact]) -> set[str]:
    """Whether a thing is so even if something else is, and nothing is denied, ordered or limited."""
    names = {fact.name for fact in found}
    return {"scope:even-so"} if "condition:even-if" in names and not names & _NO_MORE_THAN_SO else set()


def _deciders(found: Sequence[Fact], text: str) -> set[str]:
    """Who picks, decides or resolves: the player named before the verb, else the one right behind it."""
    players = [fact for fact in found if fact.name in _DECIDERS]
    names = set[str]()
    for verb in found:
        if verb.name not in ("contrast:pick-decides", "term:resolve"):
            continue
        before = [one for one in players if 0 <= verb.start - one.end <= _OF and not _parted(text, one, verb)]
        behind = [one for one in players if 0 <= one.start - verb.end <= _NEAR and not _parted(text, verb, one)]
        names |= {f"who:{one.value}" for one in before[-1:] or behind[:1]}
    return names


def _parted(text: str, one: Fact, other: Fact) -> bool:
    """Whether a clause ends between two facts."""
    return CLAUSE_END.search(text, one.end, other.start) is not None


def _excluded(found: Sequence[Fact], text: str, language: str) -> set[str]:
    """What a "but not" leaves out: the terms behind it in its clause that stand nowhere else."""
    for fact in found:
        if fact.name == "negation:not" and is_but(text, fact.start, language):
            end = _CLAUSE_OVER.search(text, fact.end)
            behind = {one.name for one in found if fact.end <= one.start < (end.start() if end else len(text))}
            apart = {one.name for one in found if one.start < fact.start or (end and one.start > end.start())}
            return {f"without:{name.partition(':')[2]}" for name in behind - apart if name.startswith("term:")}
    return set()


def _even_if_not(found: Sequence[Fact]) -> set[str]:
    """Whether a thing is so even if something is not, and nothing else is denied, limited or excepted."""
    conceding = [fact.end for fact in found if fact.name == "condition:even-if"]
    denied = [fact.start for fact in found if fact.name in DENIALS]
    names = {fact.name for fact in found}
    conceded = all(any(0 <= start - end <= _CONCEDED for end in conceding) for start in denied)
    return {"scope:even-if-not"} if denied and conceded and not names & _LIMITED_AS_WELL else set()


def _ties(found: Sequence[Fact]) -> set[str]:
    """Whether equal totals are enough, or are not: something is denied behind them."""
    equal = [fact.end for fact in found if fact.name == "amount:equal"]
    if not equal:
        return set()
    denials = [fact for fact in found if fact.name in DENIALS]
    enough = [fact for fact in found if fact.name in _COUNTS]
    if any(fact.start >= equal[-1] for fact in denials) or any(_is_denied(fact, denials) for fact in enough):
        return {"scope:tie-fails"}
    return {"scope:tie-counts"} if any(fact.name in _COUNTS for fact in found) else set()


def _after(found: Sequence[Fact]) -> set[str]:
    """Whether something comes after something else; a text that begins "after this" says before which it comes."""
    is_said = any(fact.name == "time:after" and fact.start >= BEGINS for fact in found)
    is_told_in_order = any(fact.name in ("time:before", "time:first") for fact in found)
    return {"scope:after"} if is_said and not is_told_in_order else set()


def _unconceded(found: Iterable[Fact], text: str) -> Iterator[Fact]:
    """Without "cannot" or "if" behind "even if", and without what a text orders; "does not allow" is a "cannot".

    Of "the opponent of the turn player" only the opponent counts. A not turns round no duty of the next clause.
    """
    ends = -1
    denied = opponent = -_CONCEDED
    found = sorted(found)
    denials = [fact for fact in found if fact.name in DENIALS]
    for fact in found:
        if fact.name == "condition:if" and fact.start < ends:
            continue
        if fact.name == "condition:even-if":
            ends = fact.end + _CONCEDED
        if fact.name == "negation:not":
            denied = fact.end
        if fact.name == "actor:opponent":
            opponent = fact.end
        of_opponent = fact.name == "actor:turn-player" and 0 <= fact.start - opponent <= _OF
        is_no_duty = fact.name == "modality:must" and 0 <= fact.start - denied <= _NO_DUTY
        if is_no_duty and not CLAUSE_END.search(text[denied : fact.start]):
            yield replace(fact, value="may")
            continue
        if fact.name in _TURNED_BY_A_NOT and _is_denied(fact, denials):
            continue
        if of_opponent or fact.said == OF_A_TEXT or (fact.start < ends and fact.slot in ("modality", "negation")):
            continue
        is_denied = fact.name == "modality:may" and 0 <= fact.start - denied <= _NEAR
        is_denied = is_denied and not CLAUSE_END.search(text[denied : fact.start])
        yield replace(fact, value="cannot") if is_denied else fact


def _is_denied(fact: Fact, denials: Iterable[Fact]) -> bool:
    """Whether a not stands right before a word or right behind it."""
    return any(0 <= max(fact.start - one.end, one.start - fact.end) <= _NEAR for one in denials)


def in_order(found: Sequence[Fact]) -> Steps | None:
    """The terms on the two sides of the "then" of a text that tells things in their order."""
    then = [fact.start for fact in found if fact.name in ("time:then", "time:after") and fact.start >= BEGINS]
    is_in_order = any(fact.name == "time:first" for fact in found)
    return _terms_around(found, then[-1]) if then and is_in_order else None


def steps_before(found: Sequence[Fact]) -> Steps | None:
    """The terms before the "before" of a statement, and those behind it."""
    there = [fact.start for fact in found if fact.name == "time:before"]
    return _terms_around(found, there[0]) if len(there) == 1 else None


def told_before(text: str, found: Sequence[Fact]) -> Steps | None:
    """The terms before the one "before" of a text, and those behind it in its clause.

    Nothing where the text begins with it: then the step that comes first stands last.
    """
    there = [fact for fact in found if fact.name == "time:before"]
    if len(there) != 1 or there[0].start < BEGINS:
        return None
    end = CLAUSE_END.search(text, there[0].end)
    return _terms_around([fact for fact in found if not end or fact.start < end.start()], there[0].start)


def _terms_around(found: Iterable[Fact], at: int) -> Steps:
    terms = [fact for fact in found if fact.slot == "term"]
    return frozenset(one.name for one in terms if one.start < at), frozenset(
        one.name for one in terms if one.start > at
    )
