"""What a ruling cites and whether it still stands; precedents and contradictions.

Precedents are earlier cases and official rulings that are like a situation, each with the reasons.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import combinations
from typing import cast

import msgspec
from msgspec import Struct

from audit.core.catalogue import LANGUAGES, Catalogue, Rule, Ruling, words
from audit.core.errors import UnknownEditionError, UnknownRuleError
from audit.core.ruleset import ruleset
from replays.cases.case import Case, CaseState
from replays.cases.events import Cite, Situation
from replays.log.canonical import canonical_object

SHORT = 16
GONE = "gone"
WEIGHTS = {"rule": 4.0, "card": 3.0, "pending": 3.0, "verb": 2.0, "zone": 1.0, "possible": 0.25}
"""How much each shared feature counts."""
ENOUGH = 3.0
"""Less than this is no likeness."""
MOST = 20


# What a ruling cites, and whether it still stands


class Stale(Struct, frozen=True):
    """A ruling that cites something which reads otherwise today: what, and whether it is gone or changed."""

    case: str
    kind: str
    id: str
    how: str


def cites(name: str, rules: Iterable[str], cards: Iterable[str], edition: str) -> tuple[Cite, ...]:
    """Everything that a ruling rests on; raises `UnknownRuleError`."""
    catalogue = ruleset(name).catalogue
    found = [_rule_cite(catalogue, catalogue[id]) for id in dict.fromkeys(rules)]
    found += [Cite("card", card, card_hash(catalogue, card)) for card in dict.fromkeys(cards)]
    with suppress(UnknownEditionError):
        whole = catalogue.edition(edition)
        found.append(Cite("edition", whole, edition_hash(catalogue, whole)))
    return tuple(found)


def _rule_cite(catalogue: Catalogue, rule: Rule) -> Cite:
    return Cite("ruling" if isinstance(rule, Ruling) else "rule", rule.id, rule_hash(catalogue, rule))


def rule_hash(catalogue: Catalogue, rule: Rule) -> str:
    """A fingerprint of a rule: its kind, its words in every language and, of a ruling, since when and for what."""
    said: dict[str, object] = {code: catalogue.statement(rule, code) for code in LANGUAGES}
    if isinstance(rule, Ruling):
        said["ruling"] = [rule.edition, rule.superseded_by, *rule.cards, *rule.events, *rule.bears_on]
    return _hash({"id": rule.id, "kind": rule.kind, **said})


def card_hash(catalogue: Catalogue, card: str) -> str:
    """A fingerprint of the words of a card in every language; empty words for a card that comes with its log."""
    return _hash({"id": card, **{code: _card_words(catalogue.package, code, card) for code in LANGUAGES}})


def _card_words(package: str, language: str, card: str) -> object:
    try:
        found = cast(Mapping[str, object], words(package, language, "cards")).get(card, "")
    except FileNotFoundError:
        return ""
    return dict(cast(Mapping[str, object], found)) if isinstance(found, Mapping) else str(found)


def edition_hash(catalogue: Catalogue, edition: str) -> str:
    """A fingerprint of an edition: which rulings hold in it."""
    held = sorted(one.id for one in catalogue.rulings.values() if catalogue.holds(one, edition))
    return _hash({"edition": edition, "rulings": held})


def _hash(said: Mapping[str, object]) -> str:
    return sha256(canonical_object(msgspec.to_builtins(dict(said)))).hexdigest()[:SHORT]


def stale(case: Case, catalogue: Catalogue | None = None) -> list[Stale]:
    """What the ruling of a case cites that reads otherwise today; nothing where it cites what is unchanged."""
    if case.ruling is None:
        return []
    held = catalogue or ruleset(case.opened.ruleset).catalogue
    return list(_changed(case.id, case.ruling.cites, held))


def _changed(case: str, cited: Iterable[Cite], catalogue: Catalogue) -> Iterator[Stale]:
    for cite in cited:
        now = _now(cite, catalogue)
        if now != cite.hash:
            yield Stale(case, cite.kind, cite.id, "changed" if now else GONE)


def _now(cite: Cite, catalogue: Catalogue) -> str:
    """The fingerprint today, empty where it is gone."""
    try:
        if cite.kind == "card":
            return card_hash(catalogue, cite.id)
        if cite.kind == "edition":
            return edition_hash(catalogue, catalogue.edition(cite.id))
        return rule_hash(catalogue, catalogue[cite.id])
    except (UnknownRuleError, UnknownEditionError):
        return ""


class Likeness(Struct, frozen=True):
    """A case or an official ruling that is like a situation: how much, and why, each as its kind and what is shared."""

    kind: str
    id: str
    score: float
    why: tuple[tuple[str, str], ...]
    is_stale: bool = False


class Contradiction(Struct, frozen=True):
    """Two final rulings of which one says yes and the other no, and what both are about."""

    one: str
    other: str
    verb: str
    rules: tuple[str, ...]
    cards: tuple[str, ...]


def precedents(
    cases: Iterable[Case], name: str, like: Situation, rules: Iterable[str] = (), *, but: str = "", most: int = MOST
) -> list[Likeness]:
    """Ruled cases and official rulings like this situation, the likest first; `but` is the case that asks."""
    cited = frozenset(rules)
    found = [each for each in _of_cases(cases, name, like, cited) if each.id != but]
    found += _official(name, like, cited)
    return sorted(found, key=lambda each: (-each.score, each.kind, each.id))[:most]


def _of_cases(cases: Iterable[Case], name: str, like: Situation, cited: frozenset[str]) -> Iterator[Likeness]:
    for case in cases:
        ruling = case.ruling
        if ruling is None or case.opened.ruleset != name or case.state is CaseState.WITHDRAWN:
            continue
        why = list(_shared(like, cited, case.opened.situation, frozenset(ruling.rules), frozenset(ruling.cards)))
        score = sum(WEIGHTS[kind] for kind, _ in why)
        if score >= ENOUGH:
            yield Likeness("case", case.id, score, _told(why), bool(stale(case)))


def _shared(
    one: Situation, rules: frozenset[str], other: Situation, ruled_by: frozenset[str], cards: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Each thing that two situations share, as its kind and its name."""
    yield from (("rule", rule) for rule in sorted(rules & ruled_by))
    yield from (("card", card) for card in sorted(frozenset(one.cards) & (frozenset(other.cards) | cards)))
    yield from (("pending", frame) for frame in one.pending if frame in other.pending)
    if one.verb and one.verb == other.verb:
        yield "verb", one.verb
    yield from (("zone", zone) for zone in one.zones if zone in other.zones)
    yield from (("possible", verb) for verb in one.verbs if verb in other.verbs)


def _told(why: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The reasons to name; what is merely possible is named where nothing else is."""
    strong = tuple(each for each in why if each[0] != "possible")
    return strong or tuple(why)


def _official(name: str, like: Situation, cited: frozenset[str]) -> Iterator[Likeness]:
    """Official rulings that bear on the rules or are made for the cards."""
    for ruling in ruleset(name).catalogue.rulings.values():
        why = [("rule", rule) for rule in sorted(cited & frozenset(ruling.bears_on))]
        cards = sorted(frozenset(like.cards) & frozenset(ruling.cards))
        if ruling.cards and not cards:
            continue
        why += [("card", card) for card in cards]
        if like.verb in ruling.events:
            why.append(("verb", like.verb))
        score = sum(WEIGHTS[kind] for kind, _ in why)
        if score >= ENOUGH:
            yield Likeness("ruling", ruling.id, score, tuple(why), bool(ruling.superseded_by))


def citing(cases: Iterable[Case], name: str, rule: str) -> list[Case]:
    """The cases whose ruling names a rule or is about a card."""
    return [
        case for case in cases
        if case.ruling and case.opened.ruleset == name and rule in (*case.ruling.rules, *case.ruling.cards)
    ]  # fmt: skip


def contradictions(cases: Iterable[Case]) -> list[Contradiction]:
    """Every two final rulings that contradict each other: the same verb, a shared rule, one yes and one no.

    Where both name cards, they have to share one.
    """
    final = [case for case in cases if case.is_final and case.ruling and case.ruling.decision in ("yes", "no")]
    ordered = sorted(final, key=lambda case: (case.opened.at, case.id))
    return [found for one, other in combinations(ordered, 2) if (found := _contradiction(one, other))]


def _contradiction(one: Case, other: Case) -> Contradiction | None:
    assert one.ruling
    assert other.ruling
    verb = one.opened.situation.verb
    if one.ruling.decision == other.ruling.decision or one.opened.ruleset != other.opened.ruleset:
        return None
    rules = frozenset(one.ruling.rules) & frozenset(other.ruling.rules)
    if verb != other.opened.situation.verb or not rules:
        return None
    cards = frozenset(one.ruling.cards) & frozenset(other.ruling.cards)
    if one.ruling.cards and other.ruling.cards and not cards:
        return None
    return Contradiction(one.id, other.id, verb, tuple(sorted(rules)), tuple(sorted(cards)))
