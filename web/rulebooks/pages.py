"""The pages of the loaded rulebooks: editions, passages with their rules, corrections, and links to rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import cast

from flask import (
    Blueprint,
    Flask,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext as _
from werkzeug.exceptions import RequestEntityTooLarge

from audit.core.catalogue import LANGUAGES, Catalogue
from audit.core.errors import AuditError
from audit.core.ruleset import ruleset, rulesets
from audit.core.typography import folded
from audit.rulebooks.cutting import known_documents
from audit.rulebooks.errors import RulebookError, TooLargeError, UnknownRulebookError
from audit.rulebooks.findings import label
from audit.rulebooks.known import Rank, known_edition, rank_of
from audit.rulebooks.languages import CANDIDATES
from audit.rulebooks.linking import Answer
from audit.rulebooks.links import Candidate, Matched, compare, compare_books
from audit.rulebooks.moving import KEPT, word_changes
from audit.rulebooks.reading import MAX_BYTES
from replays.files import Cache
from replays.limited import TooCostlyError, limited
from replays.rulebooks.editions import StoredEdition
from replays.rulebooks.linking import learned_answers, reject, rejected
from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from web.rulebooks.error_sentences import error_sentence
from web.rulebooks.qa_kept import Learning
from web.rulebooks.quotes import rulebooks_fingerprint
from web.site.headers import may_read_print
from web.site.write_access import author, writes_freely

books_pages = Blueprint("books", __name__, url_prefix="/rulebooks")
MANY_PASSAGES = 600
"""A book of more is compared with an earlier one in a process of its own."""
PROPOSED = 50
"""Proposals on one page."""
TONGUES = sorted({*LANGUAGES, *CANDIDATES, "cs", "da", "fi", "hu", "ja", "ko", "nl", "pt", "ru", "sv", "uk", "zh"})
"""Languages that a document can be said to be in; the command line takes any other by its code."""
BATCH = 20
"""Rules that are answered together."""


def add_to(app: Flask) -> None:
    """Serve the pages."""
    app.register_blueprint(books_pages)
    app.extensions.setdefault("audit.rulebook_cache", Cache(32))
    app.extensions.setdefault("audit.learning", Learning())


@books_pages.get("/")
def index() -> Response:
    """What is loaded, and how to load more."""
    return _index()


def _index(problem: str = "", added: str = "", status: int = 200, given: Mapping[str, str] = {}) -> Response:
    rulebook_store = RulebookStore()
    by_document: dict[str, list[StoredEdition]] = {}
    for one in rulebook_store.editions():
        by_document.setdefault(one.document, []).insert(0, one)
    rows = [(one, game_of(one), _linked(rulebook_store, one)) for some in by_document.values() for one in some]
    games = {name: ruleset(name).catalogue.documents for name in rulesets()}
    there = {one.document for one, _game, _linked in rows}
    text = render_template(
        "books.html", rows=rows, games=games, there=there, problem=problem, added=added, words=label,
        ranks=rank_words(), rank_of=rank_of, known=known_documents(), tongues=TONGUES,
        busy=[name for name in games if any(game == name for _one, game, _linked in rows)], given=given,
        limit=MAX_BYTES // 1_000_000, free=writes_freely(),
        current={some[0].rulebook.edition for some in by_document.values()},
        several={document for document, some in by_document.items() if len(some) > 1},
    )  # fmt: skip
    return fresh(text, status)


@books_pages.post("/")
def load() -> Response:
    """Load a rulebook; what is wrong with it is said, and then nothing is stored."""
    request.max_content_length = MAX_BYTES + 100_000
    try:
        author()
        given = request.files.get("file")
    except RequestEntityTooLarge:
        return _index(error_sentence(TooLargeError("", request.content_length or 0, MAX_BYTES)), status=413)
    name = (given.filename or "" if given else "")[-200:]
    if not given or not name:
        return _index(_("Choose a file first."), status=400, given=request.form)
    document = request.form.get("document", "").strip()
    loading = Loading(
        document, request.form.get("language", ""), game=request.form.get("game", ""),
        although_unlinked=request.form.get("force") == "yes", rank=request.form.get("rank", ""),
    )  # fmt: skip
    try:
        added = RulebookStore().add_bytes(given.stream.read(MAX_BYTES + 1), name, loading)
    except RulebookError as error:
        return _index(error_sentence(error), status=400, given=request.form)
    is_moved = added.game != added.had_game
    loaded = "game" if is_moved else "again" if added.again else "new" if added.since else "first"
    return seen_next(url_for("books.book", document=added.document, edition=added.edition, loaded=loaded))


@books_pages.get("/<document>")
def book(document: str) -> Response:
    """One edition: its passages with the rules they say, and what was restored in them."""
    stored = stored_edition(document)
    book, catalogue = stored.rulebook, _catalogue(stored)
    query = request.args.get("q", "")[:200]
    only = request.args.get("only", "")
    linked = passage_rules(RulebookStore(), stored)
    found = [
        passage for passage in book.passages
        if all(word in folded(f"{passage.id} {passage.text}") for word in folded(query).split())
        and (only != "restored" or passage.corrections) and (only != "unlinked" or passage.id not in linked)
    ] if may_read_print() else []  # fmt: skip
    text = render_template(
        "book.html", stored=stored, book=book, passages=found, linked=linked, query=query, only=only, words=label,
        game=game_of(stored), catalogue=catalogue, readable=may_read_print(),
        restored=sum(len(passage.corrections) for passage in book.passages),
        editions=RulebookStore().history(document)[::-1], changed=_changed(stored), known=known_documents(),
        statuses=status_words(), loaded=request.args.get("loaded", ""),
    )  # fmt: skip
    return fresh(text)


def _changed(stored: StoredEdition) -> Sequence[Matched]:
    """What has changed since the edition that was loaded before, where the page says so of one just loaded."""
    if request.args.get("loaded") != "new":
        return ()
    older = [one for one in _same_document(stored) if one.added < stored.added]
    matches = compare_books(older[-1].rulebook, stored.rulebook) if older else ()
    return [one for one in matches if one.status not in KEPT]


def _same_document(stored: StoredEdition) -> list[StoredEdition]:
    """The editions of a document, whatever it was called, the older ones first."""
    same = (one for one in RulebookStore().editions() if one.rulebook.known_as == stored.rulebook.known_as)
    return sorted(same, key=lambda one: one.added)


@books_pages.get("/<document>/links")
def links(document: str) -> Response:
    """What became of each passage since the known edition, and proposals for what is linked to nothing."""
    stored = stored_edition(document)
    catalogue = _catalogue(stored)
    matches = matched(stored) if may_read_print() else ()
    asked = bool(catalogue) and may_read_print() and "propose" in request.args
    answers, learning = _answers(stored, catalogue) if catalogue and asked else (None, False)
    proposals = _proposals(stored, catalogue) if catalogue and asked and answers is None else []
    text = render_template(
        "book_links.html", stored=stored, book=stored.rulebook, game=game_of(stored), catalogue=catalogue,
        counts=Counter(match.status.value for match in matches), matches=matches, proposals=proposals[:PROPOSED],
        more=max(0, len(proposals) - PROPOSED), made=RulebookStore().made_links(document, stored.rulebook.edition),
        words=label, statuses=status_words(), readable=may_read_print(), free=writes_freely(),
        answers=answers and answers[:BATCH], more_answers=max(0, len(answers or ()) - BATCH),
        asked="propose" in request.args, learning=learning, rule=request.args.get("rule", "")[:100],
        texts={passage.id: passage for passage in stored.rulebook.passages}, language_of=_statement_language(stored),
        before=before_texts(stored) if matches else {}, word_changes=word_changes, passage=_passage_asked(stored),
    )  # fmt: skip
    return fresh(text)


@books_pages.post("/<document>/links")
def link(document: str) -> Response:
    """Confirm that a passage says a rule, turn the proposal down, or take a link away."""
    by = author() or request.form.get("by", "")[:100]
    stored = stored_edition(document)
    catalogue, act = _catalogue(stored), request.form.get("act", "confirm")
    if catalogue is None:
        abort(404)
    try:
        if act == "batch":
            decided = {catalogue[rule].id: passages for rule, passages in _decided().items()}
            RulebookStore().answer(document, decided, by, stored.rulebook.edition)
            return seen_next(_links_address(stored))
        rule = catalogue[request.form.get("rule", "")].id
        passages = tuple(request.form.getlist("passage"))
        if act == "reject":
            for passage in passages:
                reject(RulebookStore(), stored, rule, stored.rulebook[passage].id)
        elif act in ("confirm", "remove"):
            RulebookStore().link(document, rule, passages if act == "confirm" else (), by, stored.rulebook.edition)
        else:
            abort(400)
    except (AuditError, KeyError) as error:
        abort(400, description=str(error))
    return seen_next(_links_address(stored))


def _links_address(stored: StoredEdition) -> str:
    """The proposals, of the passage whose rules were asked for where it is one."""
    passage = _passage_asked(stored) or None
    edition = stored.rulebook.edition
    return url_for("books.links", document=stored.document, edition=edition, propose=1, passage=passage)


def _decided() -> dict[str, list[str]]:
    """What a batch says of each rule that it does not leave for later: the ticked passages, or none.

    Where the rules of one passage were asked for, one that is not ticked is left for later.
    """
    later = set(request.form.getlist("later"))
    ticked = [one.partition("\t") for one in request.form.getlist("says")]
    rules = [rule for rule in request.form.getlist("rule")[:BATCH] if rule not in later]
    said = {rule: [passage for name, _tab, passage in ticked if name == rule] for rule in rules}
    return {rule: passages for rule, passages in said.items() if passages or not request.form.get("of")}


def game_of(stored: StoredEdition) -> str:
    """The ruleset a document belongs to, empty where none is known."""
    return next((name for name in rulesets() if _belongs(stored, name)), "")


def _belongs(stored: StoredEdition, name: str) -> bool:
    return stored.rulebook.known_as in ruleset(name).catalogue.documents.values() or stored.rulebook.game == name


def passage_rules(rulebook_store: RulebookStore, stored: StoredEdition) -> Mapping[str, Sequence[str]]:
    """The rules that each passage says: by the places of the catalogue, and by what a person confirmed."""
    catalogue, book = _catalogue(stored), stored.rulebook
    found: dict[str, dict[str, None]] = {}
    for match in matched(stored) if catalogue and known_edition(stored.rulebook.known_as) else ():
        if not (match.before and match.after):
            continue
        for rule in catalogue or ():
            place = rule.places.get(book.language)
            spans = (place.lines, *place.also_at) if place else ()
            if any(match.before.lines[0] <= last and first <= match.before.lines[1] for first, last in spans):
                for part in match.all_after:
                    found.setdefault(part.id, {})[rule.id] = None
    for rule_id, passages in rulebook_store.links(stored.document, book.edition).items():
        for passage in passages:
            found.setdefault(passage, {})[rule_id] = None
    return {passage: tuple(rules) for passage, rules in found.items()}


def matched(stored: StoredEdition) -> Sequence[Matched]:
    """What became of each passage since the edition the catalogue knows, else since the one loaded before."""
    key = ("matched", stored.document, stored.rulebook.edition, rulebooks_fingerprint())
    kept = cast(Cache, current_app.extensions["audit.rulebook_cache"])
    return kept.get(key, lambda: _matched_within_limits(stored))


def _matched_within_limits(stored: StoredEdition) -> Sequence[Matched]:
    """A long book is compared in a process of its own; where that takes too long, nothing is matched."""
    if len(stored.rulebook.passages) <= MANY_PASSAGES:
        return compared(stored)
    try:
        return limited(stored.document, compared, stored)
    except TooCostlyError:
        return ()


def compared(stored: StoredEdition) -> Sequence[Matched]:
    """The matches, worked out."""
    edition = known_edition(stored.rulebook.known_as)
    if edition:
        return compare(edition, stored.rulebook)
    older = [one for one in RulebookStore().editions() if one.document == stored.document and one.added < stored.added]
    return compare_books(older[-1].rulebook, stored.rulebook) if older else ()


def before_texts(stored: StoredEdition) -> Mapping[str, str]:
    """The words of older loaded editions of a document by their mark, to show beside what became of them."""
    older = (one for one in RulebookStore().editions() if one.document == stored.document and one.added < stored.added)
    return {passage.fingerprint: passage.text for one in older for passage in one.rulebook.passages}


def rank_words() -> dict[Rank, str]:
    """What a document is to its game, in words, the strongest last."""
    return {
        Rank.RULES: _("rule book"), Rank.FAQ: _("questions and answers"), Rank.RULING: _("official ruling"),
        Rank.ERRATA: _("errata"),
    }  # fmt: skip


def status_words() -> dict[str, str]:
    """The marks of passages, in words."""
    return {
        "unchanged": _("unchanged"), "edited": _("edited"), "moved": _("moved"), "split": _("split"),
        "joined": _("joined"), "gone": _("gone"), "new": _("new"),
    }  # fmt: skip


def _proposals(stored: StoredEdition, catalogue: Catalogue) -> list[Candidate]:
    asked = request.args.get("rule", "")
    rulebook_store = RulebookStore()
    key = ("proposals", stored.document, stored.rulebook.edition, asked, rulebooks_fingerprint())
    rules = [asked] if asked in {rule.id for rule in catalogue} else []
    found = cast(Cache, current_app.extensions["audit.rulebook_cache"]).get(
        key,
        lambda: rulebook_store.proposals(stored.document, catalogue, rules, edition=stored.rulebook.edition),
    )
    off, passage = rejected(rulebook_store, stored), _passage_asked(stored)
    left = (one for one in found if (one.rule, one.passage) not in off and passage in ("", one.passage))
    return sorted(left, key=lambda one: -one.score)


def _passage_asked(stored: StoredEdition) -> str:
    """The passage whose rules are asked for, empty where all are."""
    asked = request.form.get("of", "") or request.args.get("passage", "")
    return asked if asked in {passage.id for passage in stored.rulebook.passages} else ""


def _answers(stored: StoredEdition, catalogue: Catalogue) -> tuple[list[Answer] | None, bool]:
    """What is proposed for each rule that no person decided, the least certain first; and whether it is being learned.

    None without the encoder, and until the statements and the document are learned.
    """
    book, rulebook_store = stored.rulebook, RulebookStore()
    at_work = cast(Learning[list[Answer] | None], current_app.extensions["audit.learning"])
    loaded = tuple((one.document, one.rulebook.edition) for one in rulebook_store.editions())
    key = (str(rulebook_store.folder), stored.document, book.edition, tuple(one.id for one in book.passages), loaded)
    found, learning = at_work.get(
        key, lambda: learned_answers(rulebook_store, stored.document, catalogue, book.edition)
    )  # fmt: skip
    if found is None:
        return None, learning
    asked, done = request.args.get("rule", ""), rulebook_store.links(stored.document, book.edition)
    if asked:
        return [one for one in found if one.rule == asked and asked not in done] or None, False
    left = [one for one in found if one.rule not in done]
    return likeliest_of(_passage_asked(stored), left) if _passage_asked(stored) else left, False


def likeliest_of(passage: str, answers: Sequence[Answer]) -> list[Answer]:
    """The rules that a passage may say, the likeliest first."""
    chances = [(dict(one.passages).get(passage, 0.0), one) for one in answers]
    return [one for chance, one in sorted(chances, key=lambda pair: -pair[0]) if chance]


def _linked(rulebook_store: RulebookStore, stored: StoredEdition) -> int:
    return len({rule for rules in passage_rules(rulebook_store, stored).values() for rule in rules})


def _statement_language(stored: StoredEdition) -> str:
    return stored.rulebook.language if stored.rulebook.language in LANGUAGES else "en"


def _catalogue(stored: StoredEdition) -> Catalogue | None:
    name = game_of(stored)
    return ruleset(name).catalogue if name else None


def stored_edition(document: str) -> StoredEdition:
    """The edition the address asks for, the latest where it names none; ends the request where there is none."""
    try:
        return RulebookStore().show(document, request.args.get("edition", "")[:32])
    except UnknownRulebookError:
        abort(404)


def fresh(text: str, status: int = 200) -> Response:
    """A page that no cache keeps."""
    answer = make_response(text, status)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def seen_next(address: str) -> Response:
    """Leads on to a page after something was written."""
    answer: Response = redirect(address, 303)  # type: ignore[assignment]
    return answer
