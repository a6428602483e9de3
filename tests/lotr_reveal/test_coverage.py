"""Each rule that can be checked has a case that keeps it and one that breaks it, or a reason why not."""

from __future__ import annotations

import tomllib

from audit.lotr_reveal.catalogue import CATALOGUE
from tests.lotr_reveal.situations import CASES, own

EXCEPTIONS = tomllib.loads((CASES / "exceptions.toml").read_text("utf-8"))
CHECKABLE = {rule.id for rule in CATALOGUE if rule.checkable}


def kept() -> set[str]:
    """Rules that some legal step names."""
    return {rule for case in own() for rules in case.get("cites", {}).values() for rule in rules}


def broken() -> set[str]:
    """Rules that some finding names because they were broken or passed by."""
    cases = [case["broken"] for case in own() if "broken" in case]
    return {rule for case in cases for rule in (case["rule"], *case.get("also", ()))}


def test_every_rule_is_kept_in_some_case() -> None:
    assert CHECKABLE - kept() == set(EXCEPTIONS["kept"])


def test_every_rule_is_broken_in_some_case() -> None:
    assert CHECKABLE - broken() == set(EXCEPTIONS["broken"])


def test_the_cases_name_rules_that_exist() -> None:
    assert kept() | broken() <= set(CATALOGUE.rules)


def test_an_exception_has_its_reason() -> None:
    assert all(len(reason.split()) > 5 for part in EXCEPTIONS.values() for reason in part.values())
