"""The words in which a case is told, in the players' languages."""

from __future__ import annotations

from collections.abc import Sequence

from audit.core.catalogue import LANGUAGES
from audit.core.errors import UnknownRuleError
from audit.core.ruleset import ruleset, rulesets
from audit.core.sentences import sentence
from audit.rulebooks.titles import rule_words
from replays.cases.case import Case
from replays.cases.events import CaseEvent
from replays.cases.precedents import Stale


def case_word(language: str, key: str, **data: object) -> str:
    """A word or sentence about cases."""
    return sentence("replays", language if language in LANGUAGES else "en", key, data, "cases")


def signed_by(language: str, event: CaseEvent) -> str:
    """By whom, in which role, and when."""
    return case_word(
        language, "by", by=event.by, role=case_word(language, f"role.{event.role}"), at=event.at[:16].replace("T", " ")
    )


def entry_words(language: str, event: CaseEvent) -> str:
    """A line of the history of a case: what happened, and who wrote it down."""
    kind, signed = str(event.__struct_config__.tag), signed_by(language, event)
    if case_word(language, f"entry.{kind}") != f"entry.{kind}":
        return case_word(language, f"entry.{kind}", signed=signed)
    return case_word(language, "entry.other", event=case_word(language, f"event.{kind}"), signed=signed)


def statements(name: str, rules: Sequence[str], languages: Sequence[str]) -> dict[str, dict[str, str]]:
    """What each rule says in each of the languages; a rule that is gone says nothing."""
    catalogue = ruleset(name).catalogue
    found: dict[str, dict[str, str]] = {}
    for id in rules:
        try:
            found[id] = {code: catalogue.statement(catalogue[id], code) for code in languages if code in LANGUAGES}
        except UnknownRuleError:
            found[id] = {}
    return found


def stale_words(language: str, found: Sequence[Stale]) -> list[str]:
    """What a ruling cites that reads otherwise today."""
    return [case_word(language, f"stale.{each.how}", id=each.id) for each in found]


def why_words(language: str, why: Sequence[tuple[str, str]]) -> list[str]:
    """Why two situations are thought alike; rules and cards as people call them."""
    return [case_word(language, f"why.{kind}", what=_called(kind, what, language)) for kind, what in why]


def _called(kind: str, what: str, language: str) -> str:
    if kind == "rule":
        return rule_words(what, language)
    if kind != "card":
        return what
    said = (ruleset(name).wording.finding_words({"card": what}, language).get("card") for name in rulesets())
    return next((str(one) for one in said if one and one != what), what)


def tongues(case: Case, first: str) -> tuple[str, ...]:
    """The languages of a case that have words here, the given one first."""
    return tuple(dict.fromkeys(code for code in (first, *case.opened.languages) if code in LANGUAGES))
