"""Cases: small situations that show a rule obeyed or broken.

A case is a position, a few events, and the expected result of the audit. Cases are data (`cases/*.toml` in the folder
of the game). The tests run them, and `audit rule` shows them.

    [[case]]
    id = "one-action-second"
    title = "A second card is played in one turn."
    proves = ["turn.one-action"]
    verdict = "broken"
    log = [{ type = "played", … }]
    [case.setup]
    …
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import takewhile
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from audit.core.auditor import audit
from audit.core.catalogue import Rule, Ruling
from audit.core.event_rules import Citations
from audit.core.files import package_folder
from audit.core.model import LOG_VERSION, Event, Header, Verdict
from audit.core.ruleset import Ruleset
from audit.core.rulings import cited
from audit.core.steps import Step

S = TypeVar("S")
TomlTable = dict[str, object]

EXCEPTIONS = "exceptions.toml"

STANDING = "standing.toml"

_CASE = re.compile(r"^(?=\[\[case\]\])", re.MULTILINE)
"""Where the next case of a file begins."""


class Case(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A situation with the rules it proves: by a step that cites them, or by a last event that breaks them.

    Events without a choice need not be in the log; they are inferred.
    """

    id: str
    title: str
    proves: tuple[str, ...]
    verdict: Literal["legal", "broken"]
    setup: TomlTable
    log: tuple[TomlTable, ...]
    first: str | None = None
    reading: str = "standard"
    complete: bool = False
    edition: str = ""


def cases_of(package: str) -> tuple[Case, ...]:
    """The cases of a ruleset's package, in the order of their files; none where it has no such folder."""
    return _cases(package)


@cache
def _cases(package: str) -> tuple[Case, ...]:
    return tuple(case for file in _files(package) if file != EXCEPTIONS for case in _read(package, file))


def cases_naming(package: str, ids: Iterable[str]) -> Iterator[Case]:
    """The cases that name one of these ids, in the same order, without reading the others."""
    named = [f'"{id}"' for id in ids]
    for file in _files(package):
        for text in _CASE.split(_text(package, file)) if file != EXCEPTIONS else ():
            if any(id in text for id in named):
                yield from _cases_in(text)


def exceptions_of(package: str) -> Mapping[str, str]:
    """Rules, by id, that no log can obey or no log can break, each with the reason."""
    if EXCEPTIONS not in _files(package):
        return {}
    return dict(tomllib.loads(_text(package, EXCEPTIONS)))


def standing_of(package: str) -> Mapping[str, tuple[str, str]]:
    """The rules, by id, that no log can decide or that are not judged in every respect: how far, and why."""
    path = package_folder(package).joinpath(STANDING)
    tables = tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    return {id: (standing, why) for standing, rules in tables.items() for id, why in rules.items()}


def _files(package: str) -> list[str]:
    folder = package_folder(package).joinpath("cases")
    if not folder.is_dir():
        return []
    return sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))


def _text(package: str, file: str) -> str:
    return package_folder(package).joinpath("cases", file).read_text("utf-8")


def _read(package: str, file: str) -> Iterator[Case]:
    yield from _cases_in(_text(package, file))


def _cases_in(text: str) -> Iterator[Case]:
    for entry in tomllib.loads(text).get("case", ()):
        yield msgspec.convert(entry, Case)


def header_of(game: Ruleset[S], case: Case) -> Header:
    """The header of the case as a log."""
    return Header(
        log=LOG_VERSION, ruleset=game.name, game=case.id, reading=case.reading, first=case.first,
        complete=case.complete, edition=case.edition, setup=case.setup,
    )  # fmt: skip


def events_of(game: Ruleset[S], case: Case) -> tuple[Event, ...]:
    """The events of the case, numbered from 1."""
    return tuple(
        msgspec.convert({**entry, "seq": number}, game.rules.types[str(entry["type"])])
        for number, entry in enumerate(case.log, 1)
    )


def run(game: Ruleset[S], case: Case) -> list[Step]:
    """The steps of the case."""
    return list(audit(game, header_of(game, case), events_of(game, case)))


def proofs(game: Ruleset[S], case: Case) -> dict[str, Step]:
    """For each rule that the case proves, the step that shows it. A rule that it fails to show is left out."""
    steps = run(game, case)
    cites = partial(cited, game, edition=case.edition)
    shown = {id: _shown(steps, case, game.catalogue[id], cites) for id in case.proves}
    return {id: step for id, step in shown.items() if step is not None}


def ruling_proofs(game: Ruleset[S], case: Case) -> dict[str, Step]:
    """For each ruling that bears on the case, the step that shows it followed or broken."""
    steps, about = run(game, case), speaks_of(game, case)
    cites = partial(cited, game, edition=case.edition)
    return {
        id: step
        for id, ruling in game.catalogue.rulings.items()
        if about & {id, *ruling.bears_on} and (step := _shown(steps, case, ruling, cites)) is not None
    }


def speaks_of(game: Ruleset[S], case: Case) -> set[str]:
    """What a case proves, with the rules on which the rulings among these bear."""
    entries = (game.catalogue.rulings.get(id) for id in case.proves)
    return set(case.proves).union(*(ruling.bears_on for ruling in entries if ruling))


def _shown(steps: list[Step], case: Case, rule: Rule, cites: Callable[[Step], Citations]) -> Step | None:
    if case.verdict == "broken":
        return steps[-1] if _breaks(steps, rule, cites) else None
    if any(step.verdict.is_finding for step in steps):
        return None
    return next((step for step in steps if rule in cites(step)), None)


def _breaks(steps: list[Step], rule: Rule, cites: Callable[[Step], Citations]) -> bool:
    """Whether the last event, and nothing else, is found to break the rule before any other.

    A ruling is named before the rule on which it bears.
    """
    *before, last = steps
    if not last.verdict.is_finding or last.verdict is Verdict.UNDETERMINED:
        return False
    first = (
        takewhile(lambda one: one not in last.rules, cites(last)) if isinstance(rule, Ruling) else _named_first(last)
    )
    return rule in first and not any(step.verdict.is_finding for step in before)


def _named_first(step: Step) -> Citations:
    """The rule named first, with the others that say the same: those of the same criterion."""
    criteria = [(one.key, one.data, one.rule) for one in step.violations]
    same = takewhile(lambda one: one[:2] == criteria[0][:2], criteria)
    return (*step.rules[:1], *(rule for *_, rule in same))
