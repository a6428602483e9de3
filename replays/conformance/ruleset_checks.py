"""What holds for a ruleset as a whole: its words, its rules and its cases."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TypeVar

from audit.core.cases import Case, cases_of, proofs, run
from audit.core.catalogue import LANGUAGES, words
from audit.core.errors import SetupError
from audit.core.model import LOG_VERSION, Header, type_name
from audit.core.ruleset import Ruleset, ruleset
from replays.conformance.sample import step_told

S = TypeVar("S")


def has_seats_without_players(name: str) -> Iterator[str]:
    """`Disclosure.seats` names the seats of a header that lists no players; simulated games begin like that."""
    game = ruleset(name)
    header = Header(log=LOG_VERSION, ruleset=name, setup=game.simulation.setup(Random(1)))
    if not game.disclosure.seats(header):
        yield "Disclosure.seats(header) names no seat where the header lists no players"


def refuses_an_unknown_pool(name: str) -> Iterator[str]:
    """`Simulation.setup` raises `SetupError` where it is asked for cards or sets that there are not."""
    try:
        ruleset(name).simulation.setup(Random(1), ("no-such-thing",))
    except SetupError:
        return
    except Exception as error:
        yield f'Simulation.setup(random, ("no-such-thing",)) raises {type(error).__name__}, not SetupError'
    else:
        yield 'Simulation.setup(random, ("no-such-thing",)) raises no SetupError'


def has_a_statement_of_every_rule(name: str) -> Iterator[str]:
    """Each rule has its statement in four languages."""
    catalogue = ruleset(name).catalogue
    for language in LANGUAGES:
        table = words(catalogue.package, language, "rules")
        yield from (f'text/{language}/rules.toml lacks "{rule.id}"' for rule in catalogue if rule.id not in table)
        yield from (f'text/{language}/rules.toml has "{id}", no rule' for id in table if id not in catalogue.rules)


def has_a_sentence_of_every_event(name: str) -> Iterator[str]:
    """Each event type has its sentence in four languages, and so have `unexpected` and `overdue`."""
    game = ruleset(name)
    for language in LANGUAGES:
        table = words(game.catalogue.package, language, "sentences")
        for key in (*map(type_name, game.rules.event_rules), "unexpected", "overdue"):
            if not any(entry == key or entry.startswith(f"{key}.") for entry in table):
                yield f'text/{language}/sentences.toml lacks "{key}"'


def asks_what_may_be_ambiguous(name: str) -> Iterator[str]:
    """`EventRules.may_be_ambiguous` is set where `is_ambiguous` is written; otherwise nobody asks it.

    What the rules of several events share may write it for those that set it.
    """
    for rules in ruleset(name).rules.event_rules.values():
        if "is_ambiguous" in vars(type(rules)) and not rules.may_be_ambiguous:
            yield f"{type(rules).__name__} writes `is_ambiguous` and does not set `may_be_ambiguous`"


def has_cases_that_show_what_they_say(name: str) -> Iterator[str]:
    """Each case shows the rules it claims; a broken one is wrong in its last event and nowhere else."""
    game = ruleset(name)
    for case in cases_of(game.catalogue.package):
        yield from (f"{case.id}: {problem}" for problem in case_problems(game, case))


def case_problems(game: Ruleset[S], case: Case) -> Iterator[str]:
    """What keeps a case from showing what it says."""
    known = {entry.id for entry in game.catalogue.entries}
    if unknown := [id for id in case.proves if id not in known]:
        yield f"no rule is called {', '.join(unknown)}"
        return
    shown = proofs(game, case)
    yield from (f"does not show {id}" for id in case.proves if id not in shown)
    *before, last = run(game, case)
    yield from (step_told(step) for step in before if step.verdict.is_finding)
    if last.verdict.is_finding != (case.verdict == "broken"):
        yield step_told(last)
