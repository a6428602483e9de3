"""What rules are called in a terminal: by their titles, with the id small beside it."""

from __future__ import annotations

from audit.core.catalogue import Catalogue, Rule
from replays.terminal.scene_lines import Paint, plain


def rule_heading(catalogue: Catalogue, rule: Rule, language: str, paint: Paint = plain) -> str:
    """A rule's title with its id in brackets; the id alone where it has no title."""
    title = catalogue.title(rule, language)
    return f"{paint('rule', title)} {paint('quiet', f'({rule.id})')}" if title else paint("rule", rule.id)


def rule_line(catalogue: Catalogue, rule: Rule, language: str, paint: Paint = plain) -> str:
    """What a rule is called, and its statement."""
    return f"{rule_heading(catalogue, rule, language, paint)}  {catalogue.statement(rule, language)}"
