"""Rules for a terminal: statement, places, the code that decides, cases, and the coverage report."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar, cast

from audit.core.cases import Case, cases_naming, cases_of, exceptions_of, proofs, ruling_proofs, speaks_of, standing_of
from audit.core.catalogue import LANGUAGES, Catalogue, Place, Rule, Ruling, words
from audit.core.errors import UnknownRuleError
from audit.core.files import package_folder
from audit.core.ruleset import Ruleset, may_have_rule, own_rulesets, ruleset, rulesets
from audit.core.steps import Step
from audit.core.typography import labelled
from replays.judging.annotate import Annotator
from replays.terminal.replay_screen import MARKS, word
from replays.terminal.rule_uses import NO_USES, Role, RuleUses, rule_uses, uses_of
from replays.terminal.scene_lines import rule_heading, rule_line

S = TypeVar("S")
Json = dict[str, object]
Shown = list[tuple[Case, Step]]
"""Cases that show a rule, each with its step."""

LEGAL, BROKEN = "legal", "broken"
JUDGED = "judged", ""
"""How far a rule is judged that is not named in a game that says it of its rules."""

_ROLE_MARKS = {Role.VIOLATION: MARKS["illegal"], Role.CITATION: MARKS["legal"]}


# One rule


def find_rule(id: str, ruleset_name: str | None = None) -> tuple[Ruleset[object], Rule]:
    """The rule of that id with its game, looked for in all games installed; raises `UnknownRuleError`."""
    for name in (ruleset_name,) if ruleset_name else _likeliest_first(id):
        game = ruleset(name)
        try:
            return game, game.catalogue[id]
        except UnknownRuleError:
            continue
    names = (ruleset_name,) if ruleset_name else rulesets()
    raise UnknownRuleError(id, [entry.id for name in names for entry in ruleset(name).catalogue.entries])


def _likeliest_first(id: str) -> Iterator[str]:
    """All games: first those of this program whose words name the rule, so that no other is looked for in vain."""
    likely = [name for name in own_rulesets() if may_have_rule(name, id)]
    yield from likely
    yield from sorted({*rulesets()} - {*likely}, key=lambda name: (not may_have_rule(name, id), name))


def rule_json(game: Ruleset[S], rule: Rule, language: str = "en") -> Json:
    """Everything the catalogue knows of a rule."""
    return _rule_json(game, rule, language, uses_of(game.catalogue.package, rule), shown(game, rule))


def all_rules_json(game: Ruleset[S], language: str = "en") -> Iterator[Json]:
    """The same of every rule and ruling. The code is read once and the cases are judged once."""
    uses, seen = rule_uses(game.catalogue.package), _shown_by_rule(game)
    for rule in game.catalogue.entries:
        cases = {way: seen[rule.id, way] for way in (LEGAL, BROKEN)}
        yield _rule_json(game, rule, language, uses.get(rule, NO_USES), cases)


def _rule_json(game: Ruleset[S], rule: Rule, language: str, uses: RuleUses, cases: Mapping[str, Shown]) -> Json:
    return {
        "id": rule.id,
        "ruleset": game.name,
        "topic": rule.topic,
        "kind": rule.kind,
        "checkable": rule.checkable,
        "events": list(rule.events),
        "cards": list(rule.cards),
        "terms": list(rule.terms),
        **(_ruling_json(rule) if isinstance(rule, Ruling) else {"rulings": [one.id for one in rulings_on(game, rule)]}),
        "statement": game.catalogue.statement(rule, language),
        "statements": {code: game.catalogue.statement(rule, code) for code in LANGUAGES},
        "places": [_place_json(language, place, game.catalogue.documents) for language, place in rule.places.items()],
        **_code_json(uses),
        "cases": {way: [case.id for case, _ in found] for way, found in cases.items()},
    }


def _ruling_json(ruling: Ruling) -> Json:
    """What only a ruling has."""
    return {
        "number": ruling.number,
        "edition": ruling.edition,
        "date": ruling.date or ruling.edition,
        "bears_on": list(ruling.bears_on),
        "superseded_by": ruling.superseded_by or None,
        "changes_play": ruling.changes_play,
    }


def rulings_on(game: Ruleset[S], rule: Rule) -> list[Ruling]:
    """The rulings that bear on a rule, for all cards or for the cards it is made for."""
    found = (one for one in game.catalogue.rulings.values() if rule.id in one.bears_on)
    return [one for one in found if not one.cards or set(one.cards) & set(rule.cards)]


def _code_json(uses: RuleUses) -> Json:
    """Where the rule is declared, and where the code decides by it."""
    return {
        "declared_at": {"path": uses.declared.path, "line": uses.declared.line} if uses.declared else None,
        "decided_at": [
            {"path": use.path, "line": use.line, "name": use.name, "as": use.role.value} for use in uses.decides
        ],
    }


def _place_json(language: str, place: Place, documents: Mapping[str, str]) -> Json:
    return {
        "language": language,
        "document": documents.get(language, language),
        "lines": list(place.lines),
        "also_at": [list(lines) for lines in place.also_at],
        "section": place.section,
        "implied": place.implied,
    }


def rule_lines(game: Ruleset[object], rule: Rule, language: str = "en") -> list[str]:
    """One rule to read: its words, where the documents say it, the cases that show it kept and broken."""
    of = f"{rule.number} · {rule.edition}".lstrip(" ·") if isinstance(rule, Ruling) else rule.topic
    heading = rule_heading(game.catalogue, rule, language)
    lines = [heading, f"  {of} · {rule.kind}", "", f"  {game.catalogue.statement(rule, language)}", ""]
    lines += [f"  {code}  {game.catalogue.statement(rule, code)}" for code in LANGUAGES if code != language]
    if rule.places:
        lines += ["", f"  {word(language, 'places')}"]
        lines += [f"    {line}" for line in _place_lines(game.catalogue, rule, language)]
    if rule.cards:
        lines += ["", f"  {', '.join(rule.cards)}"]
    lines += ["", *others] if (others := list(_other_entries(game, rule, language))) else []
    lines += ["", *_code_lines(uses_of(game.catalogue.package, rule), language)]
    cases = [line for found in shown(game, rule).values() for line in _case_lines(game, found, language)]
    return [*lines, "", *cases] if cases else lines


def _other_entries(game: Ruleset[object], rule: Rule, language: str) -> Iterator[str]:
    """The rules that a ruling bears on and what supersedes it, or the rulings that bear on a rule."""
    if not isinstance(rule, Ruling):
        yield from (f"  {rule_line(game.catalogue, one, language)}" for one in rulings_on(game, rule))
        return
    yield f"  {labelled(language, word(language, 'bears_on'), ', '.join(rule.bears_on))}"
    if rule.superseded_by:
        yield f"  {word(language, 'superseded', by=rule.superseded_by)}"


def _place_lines(catalogue: Catalogue, rule: Rule, language: str) -> Iterator[str]:
    for code, place in rule.places.items():
        spans = ", ".join(_span(lines) for lines in (place.lines, *place.also_at))
        implied = f" ({word(language, 'implied')})" if place.implied else ""
        yield f"{catalogue.documents.get(code, code)}:{spans}  {place.section}{implied}"


def _code_lines(uses: RuleUses, language: str) -> Iterator[str]:
    """File, line and function of each place that decides by the rule, those that find it broken first."""
    if uses.decides:
        yield f"  {word(language, 'decided')}"
        yield from (f"    {_ROLE_MARKS[use.role]} {use.place}  {use.name}".rstrip() for use in uses.decides)
    if uses.declared:
        yield f"  {word(language, 'declared')}"
        yield f"      {uses.declared.place}  {uses.declared.name}"


def _span(lines: tuple[int, int]) -> str:
    first, last = lines
    return str(first) if first == last else f"{first}-{last}"


def _case_lines(game: Ruleset[object], found: Sequence[tuple[Case, Step]], language: str) -> Iterator[str]:
    annotator = Annotator(game, language)
    for case, step in found:
        said = annotator.message(step) if step.verdict.is_finding else str(annotator.step(step)["sentence"])
        yield f"  {MARKS[step.verdict.value]} {said}  [{case.id}]"


# Coverage


def coverage_of(game: Ruleset[S]) -> dict[str, Json]:
    """For every rule the code that speaks of it, for every ruling the rules it bears on, and the cases of both ways.

    A case counts only if the audit really says of it what it claims.
    """
    package = game.catalogue.package
    uses = rule_uses(package)
    exceptions = exceptions_of(package)
    seen, standings = _shown_by_rule(game), standing_of(package)
    return {
        rule.id: {
            "rule": rule.id,
            "checkable": rule.checkable and _has_its_cards(game, rule),
            "enforced_by": (
                list(rule.bears_on)
                if isinstance(rule, Ruling)
                else [use.place for use in uses.get(rule, NO_USES).named]
            ),
            **{way: [case.id for case, _ in seen[rule.id, way]] for way in (LEGAL, BROKEN)},
            "exception": exceptions.get(rule.id),
            "standing": _standing(*standings.get(rule.id, JUDGED)) if standings else None,
        }
        for rule in game.catalogue.entries
    }


def _has_its_cards(game: Ruleset[S], rule: Rule) -> bool:
    """Whether the game knows the cards of an entry."""
    exists = game.rules.card_exists
    return exists is None or all(map(exists, rule.cards))


def is_proven(entry: Json) -> bool:
    """Whether a rule has code, a case that keeps it and a case that breaks it."""
    return bool(entry["enforced_by"] and entry[LEGAL] and entry[BROKEN])


def coverage_lines(entries: Iterable[Json]) -> Iterator[str]:
    """The coverage as a table to read, with its sum at the end."""
    checkable = []
    for entry in entries:
        if not entry["checkable"]:
            yield from (f"– {entry['rule']}", f"    {entry['standing']}") if entry["standing"] else ()
            continue
        checkable.append(entry)
        mark = "✓" if is_proven(entry) else "–" if entry["exception"] else "✗"
        yield f"{mark} {entry['rule']}"
        yield f"    code    {_listed(entry['enforced_by'])}"
        yield f"    legal   {_listed(entry[LEGAL])}"
        yield f"    broken  {_listed(entry[BROKEN])}"
        if entry["exception"]:
            yield f"    why not {entry['exception']}"
        if entry["standing"]:
            yield f"    {entry['standing']}"
    yield summary(checkable)


def _standing(standing: str, why: str) -> str:
    """How far a rule is judged: `judged`, or what of it is not, or that no log decides it."""
    return f"{standing}: {why}" if why else standing


def summary(entries: Sequence[Json]) -> str:
    """How many rules are proven both ways, how many cannot be, and which are still missing."""
    proven = sum(map(is_proven, entries))
    excused = [entry for entry in entries if not is_proven(entry) and entry["exception"]]
    missing = [str(entry["rule"]) for entry in entries if not is_proven(entry) and not entry["exception"]]
    named = f"; missing: {', '.join(missing)}" if missing else ""
    return f"{proven} of {len(entries)} checkable rules and rulings proven both ways, {len(excused)} excused{named}"


def text_coverage(game: Ruleset[S]) -> list[Json]:
    """For every text of every card how many situations carry it out and how many break it.

    The situations belong to the tests of the game; their numbers are kept in its `situations.toml`.
    """
    package = game.catalogue.package
    path = package_folder(package).joinpath("situations.toml")
    if not path.is_file():
        return []
    counts = tomllib.loads(path.read_text("utf-8"))
    texts = cast("Mapping[str, Mapping[str, str]]", words(package, "en", "cards"))
    found = ((card, box, counts.get(f"{card} {box}", (0, 0))) for card, boxes in texts.items() for box in boxes)
    return [{"card": card, "text": box, LEGAL: legal, BROKEN: broken} for card, box, (legal, broken) in found]


def text_lines(entries: Sequence[Json]) -> Iterator[str]:
    """The same as a table to read, with its sum at the end."""
    proven = [entry for entry in entries if entry[LEGAL] and entry[BROKEN]]
    for entry in entries:
        mark = "✓" if entry in proven else "–" if entry[LEGAL] or entry[BROKEN] else "✗"
        yield f"{mark} {entry['card']} {entry['text']}: {entry[LEGAL]} legal, {entry[BROKEN]} broken"
    yield f"{len(proven)} of {len(entries)} texts of cards proven both ways"


def _listed(value: object) -> str:
    return ", ".join(_texts(value)) or "nothing"


def _texts(value: object) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else []


def shown(game: Ruleset[S], rule: Rule) -> dict[str, Shown]:
    """The cases that really show the rule, each with its step: first those that keep it, then those that break it."""
    seen = _shown_by_rule(game, rule)
    return {way: seen[rule.id, way] for way in (LEGAL, BROKEN)}


def _shown_by_rule(game: Ruleset[S], only: Rule | None = None) -> dict[tuple[str, str], Shown]:
    seen: dict[tuple[str, str], Shown] = defaultdict(list)
    about = {only.id, *getattr(only, "bears_on", ())} if only else set()
    for case in _cases_about(game, about) if only else cases_of(game.catalogue.package):
        if only is None or about & speaks_of(game, case):
            found = {**(ruling_proofs(game, case) if game.catalogue.rulings else {}), **proofs(game, case)}
            for id, step in found.items():
                seen[id, case.verdict].append((case, step))
    return seen


def _cases_about(game: Ruleset[S], about: set[str]) -> Iterator[Case]:
    """The cases that may speak of these rules: by their ids, or by those of the rulings that bear on them."""
    rulings = (one.id for one in game.catalogue.rulings.values() if about & set(one.bears_on))
    return cases_naming(game.catalogue.package, {*about, *rulings})
