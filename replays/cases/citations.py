"""What a ruling rests on, and which rulings are stale because it reads otherwise today."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from typing import cast

import msgspec
from msgspec import Struct

from audit.core.catalogue import LANGUAGES, Catalogue, Rule, Ruling, words
from audit.core.errors import UnknownEditionError, UnknownRuleError
from audit.core.ruleset import ruleset
from replays.cases.case import Case
from replays.cases.events import Cite
from replays.log.canonical import canonical_object

SHORT = 16
GONE = "gone"


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
