"""What is taken away from cases: one as a page, the files that are evidence, the infractions as a table."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from flask import Blueprint, Response, abort, make_response, render_template, request

from audit.core.errors import AuditError
from replays.cases.bundle import PrintedWords, bundle_of, page_of, public_bundle_of
from replays.cases.infractions import as_csv, as_json, infractions
from replays.cases.words import tongues
from replays.trust.ledger import UnknownLedgerError
from web.cases.shelf import book, for_judges, judges_only, seen
from web.games.address import library, quotes
from web.publishing.disclosed import step_proof
from web.site.labels import chosen
from web.site.reader import reader

case_files = Blueprint("case_files", __name__)
PICTURES = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
FILE_POLICY = "default-src 'none'; sandbox"


def printed_words(name: str, rule: str, languages: Sequence[str]) -> list[PrintedWords]:
    """What the latest editions of the loaded rulebooks print of a rule, in those languages."""
    order = [*languages]
    every = [one for one in quotes().of(name, rule) if one.language in order]
    latest = {one.document: one.edition for one in every}
    found = [one for one in every if one.edition == latest[one.document]]
    found.sort(key=lambda one: order.index(one.language))
    return [PrintedWords(one.language, one.text, f"{one.document} {one.edition}, {one.place}") for one in found]


def fresh(text: str, status: int = 200) -> Response:
    """A page that nobody keeps: a case goes on."""
    answer = make_response(text, status)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


@case_files.get("/cases/<case>/bundle.html")
def bundled(case: str) -> Response:
    """The case as one page that opens offline: whole for judges, for others what everybody may know."""
    seen(case)
    found = book().case(case)
    id, seq = found.opened.game_id, found.opened.seq
    try:
        log, seal = (library().log(id), library().seal(id)) if id and seq is not None else (b"", None)
    except AuditError:  # the game is not open to this reader, or is no longer here
        log, seal = b"", None
    name, spoken = found.opened.ruleset, tongues(found, chosen())
    printed = partial(printed_words, name, languages=spoken)
    if reader().is_judge:
        made_of = bundle_of(book(), found.id, log=log, seal=seal, language=chosen(), at=found.last.at, printed=printed)
    else:
        made_of = public_bundle_of(found, chosen(), step_proof(log, seal, seq), printed)
    answer = fresh(page_of(made_of).decode())
    answer.headers["Content-Disposition"] = f'attachment; filename="{found.id}.html"'
    return answer


@case_files.get("/cases/<case>/files/<hash>")
def file(case: str, hash: str) -> Response:
    """A file that is evidence, for judges. Only a picture is shown; anything else is downloaded."""
    found = for_judges(case)
    try:
        data = book().file(found.id, hash)
    except UnknownLedgerError:
        abort(404)
    said = next(each for each in found.evidence if each.sha256 == hash)
    answer = make_response(data)
    is_picture = said.media in PICTURES
    answer.mimetype = said.media if is_picture else "application/octet-stream"
    answer.headers["Content-Disposition"] = "inline" if is_picture else f'attachment; filename="{hash[:16]}"'
    answer.headers["Content-Security-Policy"] = FILE_POLICY
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


@case_files.get("/cases/infractions")
def penalties() -> Response:
    """The infractions of an event, for judges; as CSV and JSON too."""
    judges_only()
    asked = {name: request.args.get(name, "")[:200] for name in ("player", "rule", "round")}
    found = infractions(book().all(), **asked)
    form = request.args.get("form", "")
    if form in ("csv", "json"):
        answer = fresh((as_csv(found) if form == "csv" else as_json(found)).decode())
        answer.mimetype = "text/csv" if form == "csv" else "application/json"
        answer.headers["Content-Disposition"] = f'attachment; filename="infractions.{form}"'
        return answer
    return fresh(render_template("infractions.html", found=found, asked=asked))
