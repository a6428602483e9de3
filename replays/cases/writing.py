"""Making the events of cases from what somebody types or a page sends; what is wrong is said in one line."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import cast, get_args

import msgspec
from msgspec import Struct

from audit.core.catalogue import LANGUAGES
from audit.core.model import Event
from audit.core.ruleset import ruleset
from replays.cases.book import CaseBook, new_id
from replays.cases.case import Case, CaseError, RepairUnsaidError
from replays.cases.events import AnyEvent, Noted, Opened, Opined, Remedied, Ruled, Situation, own_fields
from replays.cases.note import short_hash
from replays.cases.opening import Place, opinion, place_in_log
from replays.cases.precedents import Likeness, cites
from replays.cases.precedents import precedents as alike
from replays.cases.words import own_reasons, statements
from replays.judging.sentences import Json
from replays.log.reader import open_log
from replays.log.writer import line_of
from replays.store.ids import id_of_named
from replays.table.backing_up import PlanWriter, branch, plan

KINDS: Mapping[str, type[AnyEvent]] = {str(kind.__struct_config__.tag): kind for kind in get_args(AnyEvent)}
"""Every type of entry by its name."""
FIELDS: Mapping[str, tuple[str, ...]] = {
    name: own_fields(kind) for name, kind in KINDS.items() if kind not in (Opened, Opined)
}
"""The entries that somebody adds, with what each says; the program itself writes the other two as a case is opened."""
NOTED: Mapping[str, tuple[str, ...]] = {name: said for name, said in FIELDS.items() if issubclass(KINDS[name], Noted)}
"""Those that are words alone; the page has a form of these fields."""


def made(kind: str, values: Mapping[str, object]) -> AnyEvent:
    """An event of these values; raises `CaseError` with the field that is wrong."""
    if kind not in KINDS:
        raise CaseError("case", f"nothing of the kind {kind[:40]!r} happens in a case")
    plain = cast("dict[str, object]", msgspec.to_builtins(dict(values)))
    try:
        event = msgspec.convert({**plain, "type": kind}, KINDS[kind])
        msgspec.json.encode(event).decode()
    except (msgspec.ValidationError, UnicodeEncodeError) as problem:
        said, _, field = str(problem).partition(" - at `$")
        raise CaseError(kind.replace("_", " "), f"{field.strip('`.')}: {said}" if field else said) from None
    return event


def opened(place: Place, values: Mapping[str, object]) -> Opened:
    """The opening of a case at a place, with an id of its own unless one is given."""
    event = made("opened", {
        "id": new_id(), **msgspec.structs.asdict(place), "ledger": "audit-case/1", **values,
    })  # fmt: skip
    assert isinstance(event, Opened)
    return event


def opinion_on(event: Opened, who: Mapping[str, str]) -> Opined:
    """What the auditor says of a case at once."""
    language = event.lang if event.lang in LANGUAGES else "en"
    return opinion(event, language, who["by"], who["role"], who["at"])


def place_of_log(data: bytes, seq: int, name: str) -> tuple[Place, dict[str, object]]:
    """The place of an event in a log's bytes, and what the opening says of the log besides."""
    log = open_log(io.BytesIO(data))
    log.start()
    place = place_in_log(log.header, log, seq, name)
    lines = [line for line in data.split(b"\n") if line.strip()]
    return place, {
        "game": log.header.game or name, "game_id": id_of_named(log.header), "seq": seq,
        "line": short_hash(lines[seq]), "start": short_hash(lines[0]),
    }  # fmt: skip


def ruled(case: Case, values: Mapping[str, object]) -> Ruled:
    """A ruling on a case, with the fingerprint of everything it cites.

    Raises `UnknownRuleError`, and `RepairUnsaidError` where the reason only repeats the rules.
    """
    name, opened = case.opened.ruleset, case.opened
    rules = tuple(map(str, cast("Sequence[str]", values.get("rules", ()))))
    cards = tuple(map(str, cast("Sequence[str]", values.get("cards", ()))))
    if reading := str(values.get("reading") or ""):
        ruleset(name).rules.reading(reading)
    event = made(
        "ruled", {**values, "rules": rules, "cards": cards, "cites": cites(name, rules, cards, opened.edition)}
    )
    assert isinstance(event, Ruled)
    if event.remedy == "repair" and not own_reasons(event.reasons, statements(name, rules, LANGUAGES).values()):
        raise RepairUnsaidError(case.id)
    return event


class Branched(Struct, frozen=True):
    """A remedy: the plan in words, the log of the branch, and what is added to the case."""

    plan: Json
    log: bytes
    event: Remedied


def branched(case: Case, data: bytes, to: int, who: Mapping[str, str], language: str) -> Branched:
    """The branch of the game of a case; raises `CaseError` where this is the log of another game."""
    log = open_log(io.BytesIO(data))
    events: list[Event] = list(log)
    if case.opened.start and short_hash(log.first) != case.opened.start:
        raise CaseError(case.id, f"it is about the game {case.opened.game}, and this is another")
    said = PlanWriter(plan(log.header, events, to, log.name), language).json()
    header, kept = branch(log.header, events, to, case.opened.game or log.name, case.id)
    written = "".join([f"{line_of(header)}\n", *(f"{line_of(each)}\n" for each in kept)]).encode()
    event = made("remedied", {
        **who, "to": to, "game": header.game, "game_id": id_of_named(header), "advice": said["advice"],
    })  # fmt: skip
    assert isinstance(event, Remedied)
    return Branched(said, written, event)


def precedents_of_case(book: CaseBook, case: Case) -> list[Likeness]:
    """What was decided before in situations like that of a case."""
    judged = case.opinion.judged if case.opinion else ()
    rules = {rule for each in judged for rule in each.rules[:1]} | set(case.ruling.rules if case.ruling else ())
    return alike(book.all(), case.opened.ruleset, case.opened.situation, rules, but=case.id)


def precedents_of_place(book: CaseBook, place: Place) -> list[Likeness]:
    """What was decided before in situations like this one."""
    who = {"by": "nobody", "role": "judge", "at": "2000-01-01T00:00:00Z"}
    event = opened(place, {**who, "question": "-"})
    said = opinion_on(event, who)
    rules = {rule for each in said.judged for rule in each.rules[:1]}
    return alike(book.all(), place.ruleset, place.situation, rules)


def precedents_of_rule(book: CaseBook, name: str, rule: str) -> list[Likeness]:
    """What was decided by a rule, or about a card; raises `UnknownRuleError` for neither."""
    found = alike(book.all(), name, Situation(cards=(rule,)), [rule])
    if not found:
        assert ruleset(name).catalogue[rule]
    return found
