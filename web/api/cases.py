"""API operations of cases, precedents and notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import msgspec
from flask.views import MethodView

from replays.cases.book import UnknownCaseError
from replays.cases.case import Case, CaseError
from replays.cases.disclosed import told
from replays.cases.events import AnyEvent
from replays.cases.opening import Place, judged_lines, place_at
from replays.cases.precedents import Likeness, stale
from replays.cases.writing import (
    FIELDS,
    made,
    opened,
    opinion_on,
    place_of_log,
    precedents_of_case,
    precedents_of_place,
    precedents_of_rule,
    ruled,
)
from web.api.access import NotAllowedError, NoTokenError, bearer_token
from web.api.answers import Cases, Notes, OneCase, OneNote, Precedents
from web.api.operations import APPEND_ERRORS, READ_ERRORS, Json, Operation, route
from web.api.schemas import CaseAdded, CaseOpened, NoteMade, PrecedentsAsked
from web.cases.remedy_pages import make_branch
from web.cases.shelf import book, named, readable, whose_word
from web.games.address import library
from web.games.notes import shown_notes, write_note
from web.site.headers import viewpoints
from web.site.reader import reader
from web.site.tokens import JUDGES

BY_SERVER = frozenset({"by", "role", "at", "type", "cites", "judged", "engine", "catalogue"})
"""What nobody may send: the server says it."""


def case_json(case: Case) -> Json:
    """A case as this reader may know it: a judge whole, others what everybody may."""
    is_judge = reader().is_judge
    public = told(case)
    return {
        "id": case.id, "state": case.state.value, "public": case.is_public,
        "version": case.version if is_judge else None,
        "events": msgspec.to_builtins(case.events) if is_judge else [],
        "stale": msgspec.to_builtins(stale(case)) if is_judge else [],
        "told": msgspec.to_builtins(public) if public else None,
    }  # fmt: skip


def _readable(name: str) -> Case:
    case = book().case(name)
    if not (reader().is_judge or case.is_public):
        raise UnknownCaseError(name)
    return case


@route("/cases")
class CasesView(MethodView):
    """The cases."""

    @Operation(id="listCases", answer=Cases, errors=READ_ERRORS)
    def get(self) -> Json:
        """Every case that the reader may know of, the latest first. The public is told what everybody may know."""
        return {"cases": [case_json(case) for case in readable()]}

    @Operation(
        id="openCase",
        location="/cases/{id}",
        answer=OneCase,
        body=CaseOpened,
        status=201,
        roles=JUDGES,
        wanted="open cases",
        public=False,
        errors=APPEND_ERRORS,
    )
    def post(self, given: Mapping[str, object]) -> Json:
        """Open a case at an event of a game, or on a position. Name, role and time are those of the token."""
        token = bearer_token()
        who = named(token)
        place, known = _place(given)
        kept = ("question", "lang", "languages", "round", "table", "tournament")
        event = opened(place, {**{key: given[key] for key in kept}, **who, **known})
        return case_json(book().open(event, opinion_on(event, who), by=whose_word(token)))


def _place(given: Mapping[str, object]) -> tuple[Place, dict[str, object]]:
    id, position = str(given["game"]), str(given["position"])
    if bool(id) == bool(position):
        raise CaseError("new", "name a game and the seq of its event, or a position")
    if not id:
        return place_at(position, cast("Sequence[str]", given["asked"])), {}
    if "judge" not in viewpoints(game=id):
        token = reader().token
        raise NotAllowedError(token.role, "look as judge") if token else NoTokenError(JUDGES)
    place, known = place_of_log(library().log(id), cast(int, given["seq"]), id)
    return place, {**known, "game_id": id}


@route("/cases/<string:case>")
class CaseView(MethodView):
    """One case."""

    @Operation(id="readCase", answer=OneCase)
    def get(self, case: str) -> Json:
        """A case with its events; the public is told what everybody may know."""
        return case_json(_readable(case))


@route("/cases/<string:case>/events")
class CaseEventsView(MethodView):
    """Adding to a case."""

    @Operation(
        id="addToCase",
        location="/cases/{id}",
        answer=OneCase,
        body=CaseAdded,
        status=201,
        roles=JUDGES,
        wanted="write cases",
        public=False,
        errors=APPEND_ERRORS,
    )
    def post(self, given: Mapping[str, object], case: str) -> Json:
        """Add what happened to a case that has as many events as expected; 409 says who was first, and with what."""
        token = bearer_token()
        found, who, expected = book().case(case), named(token), cast(int, given["expected"])
        event, by = dict(cast("Mapping[str, object]", given["event"])), whose_word(token)
        if event.get("type") == "remedied":
            return case_json(make_branch(found, event.get("to"), who, expected, by))
        return case_json(book().add(found.id, _event(found, event, who), expected, by))


def _event(case: Case, given: Mapping[str, object], who: Mapping[str, str]) -> AnyEvent:
    kind = str(given.get("type"))
    if kind not in FIELDS:
        raise CaseError(case.id, f"{kind[:40]!r} is none of {', '.join(sorted(FIELDS))}")
    if sent := sorted(BY_SERVER.intersection(given) - {"type"}):
        raise CaseError(case.id, f"{', '.join(sent)}: the server says that")
    data = {key: value for key, value in given.items() if key != "type"}
    if kind == "ruled":
        lists = (data.get("rules", []), data.get("cards", []))
        if not all(isinstance(each, list) and all(isinstance(one, str) for one in each) for each in lists):
            raise CaseError(case.id, "rules and cards are lists of ids")
        return ruled(case, {**data, **who})
    if kind == "claimed" and data.get("sheet"):
        checked = made(kind, {**data, **who})
        sheet = cast("Sequence[str]", checked.sheet)  # type: ignore[union-attr]
        return made(kind, {**data, **who, "judged": judged_lines(case.opened, sheet, case.opened.lang)})
    return made(kind, {**data, **who})


@route("/precedents")
class PrecedentsView(MethodView):
    """What was decided before."""

    @Operation(
        id="findPrecedents",
        answer=Precedents,
        asked=PrecedentsAsked,
        roles=JUDGES,
        wanted="read",
        errors=(400, *READ_ERRORS),
    )
    def get(self, asked: Mapping[str, object]) -> Json:
        """Cases and official rulings like an event of a game, a position, a case, or by a rule; each says why."""
        if not reader().is_judge:
            raise NotAllowedError("reader", "read precedents") if reader().is_known else NoTokenError(JUDGES)
        return {"precedents": msgspec.to_builtins(_found(asked))}


def _found(asked: Mapping[str, object]) -> list[Likeness]:
    if asked["case"]:
        return precedents_of_case(book(), book().case(str(asked["case"])))
    if asked["rule"]:
        return precedents_of_rule(book(), str(asked["ruleset"]), str(asked["rule"]))
    return precedents_of_place(book(), _place({**asked, "asked": ()})[0])


@route("/games/<string:id>/notes")
class NotesView(MethodView):
    """Notes on the steps of a game."""

    @Operation(id="listNotes", answer=Notes)
    def get(self, id: str) -> Json:
        """The notes that the reader may read, each with its step (-1: it no longer fits the log) and its standing."""
        library().version(id)
        viewer = "judge" if "judge" in viewpoints(game=id) else "public"
        return {"notes": [_note(each.note, each.step, each.standing) for each in shown_notes(id, viewer)]}

    @Operation(
        id="writeNote",
        location="/games/{id}/notes",
        answer=OneNote,
        body=NoteMade,
        status=201,
        roles=JUDGES,
        wanted="write notes",
        public=False,
        errors=APPEND_ERRORS,
    )
    def post(self, given: Mapping[str, object], id: str) -> Json:
        """Write a note on an event, or on a range of events; the author is the name of the token."""
        token = bearer_token()
        author = token.name if token else ""
        values = {key: value for key, value in given.items() if value is not None}
        written = write_note(id, {**values, "author": author}, whose_word(token))
        shown = next(each for each in shown_notes(id, "judge") if each.note.id == written.id)
        return _note(shown.note, shown.step, shown.standing)


def _note(note: msgspec.Struct, step: int, standing: str) -> Json:
    """A note without the hashes of lines, from which something hidden could be guessed."""
    said = {key: value for key, value in msgspec.structs.asdict(note).items() if key not in ("line", "to_line")}
    return {**cast(Json, msgspec.to_builtins(said)), "step": step, "standing": standing}
