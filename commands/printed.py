"""What the commands print with `--json`, and its JSON Schema.

A schema is made from the declarations of the values that are printed: the shapes of `replays.log.output`, and the
values of the domain where they are printed as they are. They are loaded when their schema is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pkgutil import resolve_name
from typing import Any

import msgspec
from msgspec import Struct, inspect

from audit.core.errors import AuditError, did_you_mean
from audit.core.ruleset import ruleset, rulesets

Json = dict[str, Any]
Shape = tuple[type, ...]
"""The declarations that make up one printed object: its fields are those of all of them."""

REFERENCE = "#/$defs/"
OUTPUT = "replays.log.output:"
CATALOGUE = "replays.log.catalogue_output:"
PRINTED = {
    "ask": ("AnswerTold",),
    "backup": ("PlanTold",),
    "case infractions": ("replays.cases.infractions:Infraction",),
    "case list": ("replays.terminal.cases:CaseTold", "replays.cases.precedents:Contradiction"),
    "case show": ("replays.terminal.cases:CaseTold",),
    "check": ("ReportTold", "replays.season.statistics:SeasonTold"),
    "compare": ("replays.season.readings:ComparisonTold", "replays.season.readings:SwitchChangesTold"),
    "conform": ("replays.terminal.comparison:ConformityTold",),
    "deck": ("replays.judging.deck_check:DeckFindingTold",),
    "import": ("replays.importing.journals.journal:ImportSummary", "replays.importing.journals.reading:SetAsideTold"),
    "note list": ("replays.cases.note:Note StandingTold",),
    "options": ("DecisionTold",),
    "position import": ("GatheredPositionTold",),
    "position show": (),
    "precedents": ("replays.cases.precedents:Likeness",),
    "replay": ("StepTold",),
    "rule": (
        f"{CATALOGUE}RuleTold", f"{CATALOGUE}RulingEntryTold", f"{CATALOGUE}CardTold", f"{CATALOGUE}CoverageTold",
        f"{CATALOGUE}TextCoverageTold",
    ),
    "rulebook add": ("replays.rulebooks.loading:Added",),
    "rulebook import": ("replays.rulebooks.exchange:ExchangeTold",),
    "rulebook list": ("RulebookTold",),
    "rulebook tasks": ("audit.rulebooks.moving:Task TaskTold",),
    "score import": ("GatheredSheetTold",),
    "stats": ("replays.season.statistics:SeasonTold",),
    "store list": ("replays.store.shown_tables:GameRow SharedTold",),
    "store reaudit": ("replays.season.comparing:ReauditTold", "replays.cases.consequences:Consequence"),
    "store show": ("replays.store.shown_tables:StoredGameTold",),
    "store verify": ("replays.store.verify:StoreVerification",),
    "verify": (
        "replays.trust.verify:Verification AnsweredTold",
        "replays.trust.ledger:LedgerCheck AnsweredTold",
        "replays.cases.bundle_check:BundleCheck AnsweredTold",
        "web.publishing.check:PublishedCheck AnsweredTold",
        "commands.verifying:HeadCheck AnsweredTold",
    ),
    "watch": ("NewsTold",),
    "why": ("CauseTold",),
}  # fmt: skip
"""For each command the objects that it may print, each by the declarations of its fields.

A position is of the shape that its game declares.
"""
POSITIONS = "position show"
WITH_CLOCK = "FindingTold"
"""Of this the fields are not all known: each game adds those of its clock."""


class UnknownOutputError(AuditError):
    """A command that there is not, or that prints no JSON."""

    def __init__(self, command: str) -> None:
        super().__init__(f"no command {command!r} has --json{did_you_mean(command, PRINTED)}")
        self.command = command


def output_schema(command: str) -> Json:
    """The JSON Schema (2020-12) of each object that a command prints with `--json`; raises `UnknownOutputError`."""
    if command not in PRINTED:
        raise UnknownOutputError(command)
    shapes = list(_shapes(command))
    declared = tuple(dict.fromkeys(part for shape in shapes for part in shape))
    references, parts = msgspec.json.schema_components(
        declared, ref_template=f"{REFERENCE}{{name}}", schema_hook=lambda kind: {"$comment": "any value"}
    )
    _close(parts, declared)
    referred = dict(zip(declared, references, strict=True))
    objects = [_joined([referred[part] for part in shape], parts) for shape in shapes]
    for joined in (referred[part] for shape in shapes for part in shape if shape[1:]):
        parts.pop(_name(joined), None)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"One object of audit {command} --json",
        **(objects[0] if len(objects) == 1 else {"anyOf": objects}),
        "$defs": parts,
    }


def _shapes(command: str) -> Iterator[Shape]:
    for names in PRINTED[command]:
        yield tuple(resolve_name(name if ":" in name else f"{OUTPUT}{name}") for name in names.split())
    for name in rulesets() if command == POSITIONS else ():
        yield (_position_type(name),)


def _position_type(name: str) -> type:
    """What a game declares as the position in its setup."""
    setup = ruleset(name).rules.setup_type or dict[str, object]
    info = inspect.type_info(setup)
    declared = next((each.type for each in getattr(info, "fields", ()) if each.name == "position"), info)
    forms = declared.types if isinstance(declared, inspect.UnionType) else (declared,)
    return next((form.cls for form in forms if isinstance(form, inspect.StructType)), dict)


def _close(parts: Mapping[str, Json], declared: tuple[type, ...]) -> None:
    """Say of each part that it has no other fields, and of a value that is printed whole that it has all of them."""
    for kind in _whole(inspect.multi_type_info(declared)):
        part = parts[kind.__name__]
        part["required"] = list(part["properties"])
    for name, part in parts.items():
        if "properties" in part:
            part["additionalProperties"] = {"type": ["integer", "string", "null"]} if name == WITH_CLOCK else False


def _whole(infos: Iterable[object]) -> Iterator[type[Struct]]:
    """The values among these types and in them of which every field is printed, also one that has its default.

    What is a format of its own may leave fields out.
    """
    seen: set[type] = set()
    waiting = list(infos)
    while waiting:
        info = waiting.pop()
        if isinstance(info, inspect.StructType | inspect.TypedDictType):
            if info.cls in seen:
                continue
            seen.add(info.cls)
            waiting += [each.type for each in info.fields]
            config = getattr(info.cls, "__struct_config__", None)
            if config and not config.omit_defaults and not config.forbid_unknown_fields:
                yield info.cls
        else:
            inner = (getattr(info, name, None) for name in ("type", "item_type", "value_type", "types", "item_types"))
            waiting += [one for each in inner if each for one in (each if isinstance(each, tuple) else (each,))]


def _joined(references: list[Json], parts: dict[str, Json]) -> Json:
    """The schema of an object with the fields of all these parts."""
    if len(references) == 1:
        return references[0]
    joined = [parts[_name(reference)] for reference in references]
    return {
        **joined[0],
        "properties": {name: field for part in joined for name, field in part["properties"].items()},
        "required": [name for part in joined for name in part["required"]],
    }


def _name(reference: Json) -> str:
    return str(reference["$ref"]).removeprefix(REFERENCE)
