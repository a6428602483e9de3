"""The pages of translation QA: findings by rule, dismissals with their reasons, files for translators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import urlencode

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext as _
from msgspec import Struct
from werkzeug.exceptions import RequestEntityTooLarge

from audit.core.catalogue import LANGUAGES
from audit.core.errors import AuditError
from audit.core.ruleset import ruleset
from audit.core.sentences import sentence
from audit.core.typography import folded
from audit.rulebooks.errors import NothingLoadedError
from audit.rulebooks.findings import Finding, Kind, Quote, Severity, Weight, kind_words, label
from audit.rulebooks.matrix import State
from audit.rulebooks.moving import word_changes
from audit.rulebooks.report import report, settling, spans, who
from replays.files import Cache
from replays.rulebooks.exchange import MAX_BYTES, ExchangeError, UnknownExchangeError, compared
from replays.rulebooks.returning import Returned, take_over
from replays.rulebooks.translation_qa import TranslationQA, exchange_file, give, set_aside
from web.games.address import page_asked, quotes
from web.rulebooks.qa_kept import Row, example, matrix_of, rows_of, state_of, translation_qa, unfound_in
from web.rulebooks.quotes import Quote as RuleQuote
from web.site.headers import cached, may_read_print
from web.site.labels import chosen, rule_title
from web.site.write_access import author, known_name, remember_name, writes_freely

qa_pages = Blueprint("qa", __name__, url_prefix="/qa")


ASKED = ("between", "source", "kind", "severity", "q", "is", "of", "page")
"""What the list of findings can be asked for."""


SHOWN = 25
"""Findings on one page."""


EXPORTS = {
    "csv": ("csv", "text/csv"), "json": ("json", "application/json"), "tbx": ("tbx", "application/xml"),
    "tmx": ("tmx", "application/xml"), "xliff": ("xlf", "application/xliff+xml"),
    "xliff-1.2": ("1.2.xlf", "application/xliff+xml"),
    "po": ("po", "text/x-gettext-translation"),
}  # fmt: skip


def add_to(app: Flask) -> None:
    """Serve the pages."""
    app.register_blueprint(qa_pages)
    app.extensions.setdefault("audit.rulebook_cache", Cache(32))


@qa_pages.get("/<name>")
def findings(name: str) -> Response:
    """The findings, the gravest and heaviest first."""
    _published_twice(name)
    asked = {key: request.args.get(key, "")[:200] for key in ASKED}
    done, at = request.args.get("done", ""), request.args.get("at", "")[:64]
    about = request.args.get("about", "")[:64] if done in done_words() else ""
    on = ("qa", name, *asked.values(), *state_of(name), writes_freely(), about and done, about, at, known_name())
    return cached(on, lambda: _page(name, asked, Done(done, about, at)))


def weighed_rule(finding: Finding, weights: Mapping[str, Weight]) -> str:
    """The rule of a finding whose games and steps are told: that which most of them cite."""
    return next((rule for rule in finding.rules if weights.get(rule) == finding.weight), finding.rule)


class Done(Struct, frozen=True):
    """What was done last, with which finding, and the finding beside it, with which a reader goes on."""

    act: str
    about: str
    at: str


def done_words() -> dict[str, str]:
    """What was done with a finding, said after it."""
    return {
        "dismiss": _("The finding is dismissed."), "withdraw": _("The dismissal is taken back."),
        "assign": _("The assignment is kept."),
    }  # fmt: skip


def _page(name: str, asked: Mapping[str, str], done: Done) -> str:
    qa = translation_qa(name, asked["source"])
    every = rows_of(name, qa.source)
    gaps = {one.id for one in qa.gaps()} if qa.names else set()
    listed = every if asked["kind"] == Kind.MISSING else [row for row in every if row[0].id not in gaps]
    found = [row for row in listed if _passes(row, asked)]
    number = page_asked(asked["page"])
    last = max(1, -(-len(found) // SHOWN))
    number = min(max(1, number), last)
    kept = {key: value for key, value in asked.items() if value and key != "page"}
    return render_template(
        "qa.html", name=name, books=qa.books, linked={one.name: one.book for one in qa.linked},
        documents=qa.catalogue.documents, asked=asked, kept=kept,
        rows=found[(number - 1) * SHOWN : number * SHOWN], count=len(found), number=number, last=last, shown=SHOWN,
        kinds=tuple(Kind), severities=tuple(Severity), standings=standing_words(), totals=_totals(listed),
        gaps=len(gaps),
        people=sorted({row[0].assigned for row in every if row[0].assigned}),
        pieces=pieces, words=label, authority=settling, who=who, kind_words=kind_words,
        others=_others(name), rule_title=rule_title, exports=EXPORTS, free=writes_freely(),
        may_export=may_read_print(), tongues=LANGUAGES, example=example(), limit=MAX_BYTES // 1_000_000,
        weighed=lambda one: weighed_rule(one, qa.weights), back=urlencode(kept), by=known_name(),
        done=done, done_words=done_words(),
        about=next((row[0] for row in every if row[0].id == done.about), None), unfound=len(unfound_in(name)),
    )  # fmt: skip


@qa_pages.get("/<name>/matrix")
def table(name: str) -> Response:
    """Every rule by language: said, implied, missing, extra; and the passages no rule is linked to."""
    _published_twice(name)
    asked = {key: request.args.get(key, "")[:200] for key in ("state", "q")}
    return cached(("qa-matrix", name, *asked.values(), *state_of(name)), lambda: _table(name, asked))


def _table(name: str, asked: Mapping[str, str]) -> str:
    found = matrix_of(name)
    words = folded(asked["q"]).split()
    rows = [
        row for row in found.rows
        if (not asked["state"] or any(cell.state.value == asked["state"] for cell in row.cells.values()))
        and all(word in folded(f"{row.rule} {rule_title(name, row.rule)}") for word in words)
    ]  # fmt: skip
    return render_template(
        "qa_matrix.html", name=name, matrix=found, rows=rows, states=tuple(State), asked=asked, words=label,
        rule_title=rule_title, signs=SIGNS, books=translation_qa(name).books,
        linked={one.name: one.book for one in translation_qa(name).linked},
        documents=translation_qa(name).catalogue.documents,
    )  # fmt: skip


SIGNS = {
    State.SAID: "●", State.IMPLIED: "◐", State.EXTRA: "+", State.MISSING: "✗", State.OUTSIDE: "–",
    State.NOT_LOADED: "?", State.UNANSWERED: "·",
}  # fmt: skip


@qa_pages.get("/<name>/export/<form>")
def export(name: str, form: str) -> Response:
    """A file for translators. It holds whole rulebooks, so that it is for readers at this machine."""
    _published_twice(name)
    if form not in EXPORTS:
        abort(404)
    if not may_read_print():
        abort(403, description=_("Files with the words of a rulebook are given out on its own machine only."))
    ending, kind = EXPORTS[form]
    try:
        answer = make_response(_exported(name, form))
    except NothingLoadedError as error:
        abort(404, description=str(error))
    answer.headers["Content-Type"] = f"{kind}; charset=utf-8"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.{ending}"'
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def _exported(name: str, form: str) -> bytes:
    qa = translation_qa(name)
    if form == "po" and (language := request.args.get("to", "")) in qa.catalogue.documents:
        qa = TranslationQA(name, qa.catalogue, [language])
    if form == "json":
        qa.needs(2)
        return report(qa.triage(), "json", chosen(), name).encode()
    return exchange_file(qa, form, chosen())


@qa_pages.post("/<name>/dismiss")
def dismiss(name: str) -> Response:
    """Set a finding aside, take that back, or give it to a person."""
    _published_twice(name)
    by = author() or request.form.get("author", "")
    finding, reason = request.form.get("finding", "")[:64], request.form.get("reason", "")[:2000]
    qa = translation_qa(name)
    act = request.form.get("act", "dismiss")
    try:
        if act == "withdraw":
            qa.dismissals.withdraw(finding)
        elif act == "assign":
            give(qa, finding, request.form.get("to", "")[:100] or "-", by[:100])
        else:
            set_aside(qa, finding, reason, by[:100])
    except AuditError as error:
        abort(400, description=str(error))
    asked = {key: request.form[key] for key in ASKED if request.form.get(key)}
    at = request.form.get("at", "")[:64]
    address = url_for("qa.findings", name=name, done=act, about=finding, at=at, **asked, _anchor="done")  # type: ignore[arg-type]
    answer: Response = redirect(address, 303)  # type: ignore[assignment]
    return remember_name(answer, by)


@qa_pages.post("/<name>/return")
def take_back(name: str) -> Response:
    """Keep what a translator changed in a file as new editions; a file that cannot be read changes nothing."""
    _published_twice(name)
    request.max_content_length = MAX_BYTES + 100_000
    try:
        by = (author() or request.form.get("by", "")).strip()[:100]
        given = request.files.get("file")
    except RequestEntityTooLarge:
        return _returned(name, _("The file is larger than %(limit)s MB.", limit=MAX_BYTES // 1_000_000), status=413)
    if not may_read_print():
        abort(403, description=_("Files with the words of a rulebook are given out on its own machine only."))
    if not given or not given.filename:
        return _returned(name, _("Choose a file first."), status=400)
    if not by:
        return _returned(name, _("Say who changed the file."), status=400)
    qa = TranslationQA(name, ruleset(name).catalogue)
    try:
        found = compared(given.stream.read(MAX_BYTES + 1), given.filename[-200:], qa, _language_asked())
        return _returned(name, taken=take_over(found, qa, by))
    except (AuditError, UnicodeDecodeError) as error:
        return _returned(name, f"{' '.join(_wrong(error).split())[:300]}.", status=400)


def _language_asked() -> str:
    language = request.form.get("language", "")
    return language if language in LANGUAGES else ""


def _wrong(error: Exception) -> str:
    """What is wrong with a file, in the reader's language."""
    if isinstance(error, UnknownExchangeError):
        return error.said(chosen())
    if isinstance(error, ExchangeError):
        return sentence("replays", chosen(), "broken", {"format": error.format, "why": error.why}, "exchange")
    return str(error)


def _returned(name: str, problem: str = "", taken: Returned | None = None, status: int = 200) -> Response:
    text = render_template(
        "qa_returned.html", name=name, problem=problem, taken=taken, words=label, word_changes=word_changes
    )
    answer = make_response(text, status)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def pieces(quote: Quote) -> Iterator[tuple[str, bool]]:
    """A passage in pieces, each with whether its words are in question."""
    at = 0
    for start, end in spans(quote):
        if start > at:
            yield quote.text[at:start], False
        yield quote.text[start:end], True
        at = end
    if at < len(quote.text):
        yield quote.text[at:], False


def standing_words() -> dict[str, str]:
    """Where a finding stands, in words."""
    return {"open": _("open"), "dismissed": _("dismissed"), "lapsed": _("dismissed, then a text changed")}


def _published_twice(name: str) -> None:
    """A game that is published in one language has nothing to compare."""
    if len(ruleset(name).catalogue.documents) < 2:
        abort(404)


def _others(name: str) -> Callable[[Finding], list[RuleQuote]]:
    """Gives what the documents that a finding does not speak of say of its first rule."""

    def said(finding: Finding) -> list[RuleQuote]:
        told = {*finding.languages, *(each.language for each in finding.quotes)}
        return [one for one in quotes().of(name, finding.rule) if one.language not in told]

    return said


def _passes(row: Row, asked: Mapping[str, str]) -> bool:
    finding, dismissal, lapsed = row
    standing = "lapsed" if lapsed else "dismissed" if dismissal else "open"
    wanted = asked["is"] or "open"
    return (
        (standing == wanted or (wanted == "open" and standing == "lapsed"))
        and (not asked["kind"] or finding.kind == asked["kind"])
        and (not asked["severity"] or finding.severity == asked["severity"])
        and (not asked["of"] or finding.assigned == ("" if asked["of"] == "-" else asked["of"]))
        and (not asked["between"] or asked["between"] in finding.languages)
        and _says(finding, folded(asked["q"]).split())
    )


def _says(finding: Finding, words: list[str]) -> bool:
    if not words:
        return True
    text = folded(" ".join((*finding.rules, finding.message(chosen()), *(quote.text for quote in finding.quotes))))
    return all(word in text for word in words)


def _totals(rows: Sequence[Row]) -> dict[Severity, int]:
    still_open = [row[0] for row in rows if row[1] is None or row[2]]
    return {severity: sum(one.severity is severity for one in still_open) for severity in Severity}
