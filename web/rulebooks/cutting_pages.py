"""The page on which an editor mends how a document is cut. It works without a script, with keys alone, on a phone."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, abort, render_template, request, url_for
from flask_babel import gettext as _

from audit.rulebooks.cutting.patches import CutError, CutKind, Misfit
from audit.rulebooks.errors import UnknownPassageError
from replays.rulebooks.editions import StoredEdition
from replays.rulebooks.recutting import cut_passage, take_back
from replays.rulebooks.store import RulebookStore
from web.games.address import page_asked
from web.rulebooks.pages import fresh, seen_next, stored_edition
from web.site.headers import may_read_print
from web.site.write_access import author, writes_freely

cutting_pages = Blueprint("cutting", __name__, url_prefix="/rulebooks")
SHOWN = 40
"""Passages on one page."""


def add_to(app: Flask) -> None:
    """Serve the page."""
    app.register_blueprint(cutting_pages)


@cutting_pages.get("/<document>/cut")
def page(document: str) -> Response:
    """The passages with what can be done to them, and the cuts that were made."""
    return _page(stored_edition(document))


def _page(stored: StoredEdition, problem: str = "", status: int = 200) -> Response:
    passages = stored.rulebook.passages
    last = max(1, -(-len(passages) // SHOWN))
    number = _number_of(stored, last)
    first = (number - 1) * SHOWN
    text = render_template(
        "book_cut.html", stored=stored, book=stored.rulebook, passages=passages[first : first + SHOWN],
        total=len(passages), number=number, last=last, at=request.values.get("at", ""),
        did=request.values.get("did", ""), problem=problem, misfits=dict(stored.misfits), why=misfit_words(),
        kinds=cut_words(), readable=may_read_print(), free=writes_freely(),
        is_last=lambda passage: passage is passages[-1],
    )  # fmt: skip
    return fresh(text, status)


def _number_of(stored: StoredEdition, last: int) -> int:
    """The page asked for, or that on which the passage asked for stands."""
    ids = [passage.id for passage in stored.rulebook.passages]
    at = request.values.get("at", "")
    number = ids.index(at) // SHOWN + 1 if at in ids else page_asked(request.values.get("page", ""))
    return min(max(1, number), last)


@cutting_pages.post("/<document>/cut")
def cut(document: str) -> Response:
    """Make a cut, or take one back; what cannot be made is told, and nothing is changed."""
    by = author() or request.form.get("by", "")[:100]
    if not may_read_print():
        abort(403)
    stored, rulebook_store = stored_edition(document), RulebookStore()
    act, passage = request.form.get("act", ""), request.form.get("passage", "")
    try:
        if act == "undo":
            made = take_back(rulebook_store, stored, _cut_asked())
            passage = _nearest(made, passage)
        elif act in set(CutKind):
            words = request.form.get("words", "")[:10_000]
            made = cut_passage(rulebook_store, stored, CutKind(act), passage, words, by)
            passage = _nearest(made, passage, stored)
        else:
            abort(400)
    except CutError as error:
        return _page(stored, misfit_words()[error.why], 400)
    except UnknownPassageError as error:
        abort(400, description=str(error))
    return seen_next(url_for("cutting.page", document=document, edition=made.rulebook.edition, at=passage, did=act))


def _cut_asked() -> int:
    """The number of the cut to take back, 0 for the last one."""
    number = request.form.get("number", "")[:6]
    return int(number) if number.isdecimal() else 0


def _nearest(made: StoredEdition, passage: str, before: StoredEdition | None = None) -> str:
    """The passage to go on at: the same one, or where it is gone the one that took its place."""
    ids = [one.id for one in made.rulebook.passages]
    if passage in ids:
        return passage
    known = [one.id for one in before.rulebook.passages] if before else []
    number = known.index(passage) if passage in known else 0
    return ids[min(number, len(ids) - 1)]


def cut_words() -> dict[CutKind, str]:
    """What was done with a passage, in words."""
    return {
        CutKind.JOIN: _("joined with the next one"), CutKind.SPLIT: _("split"),
        CutKind.RETITLE: _("under another title"), CutKind.TITLE: _("made a title"),
        CutKind.UNTITLE: _("joined with its title"), CutKind.DROP: _("left out"),
    }  # fmt: skip


def misfit_words() -> dict[Misfit, str]:
    """Why a cut cannot be made, in words."""
    return {
        Misfit.GONE: _("Its words are not there any more."),
        Misfit.LAST: _("It is the last passage: there is nothing to join it with."),
        Misfit.OTHER_NEXT: _("Another passage follows it now."),
        Misfit.NO_WORDS: _("The words with which the second part begins are not there."),
        Misfit.NOT_ONCE: _("The second part has to begin with words that stand in the passage once, and not first."),
        Misfit.NO_TITLE: _("A title has words."),
        Misfit.OTHER_TITLE: _("There is no such title above it."),
        Misfit.NOT_FIRST: _("It is not the first passage under its title."),
        Misfit.NOTHING_UNDER: _("Nothing follows it that it could be the title of."),
        Misfit.ONLY_ONE: _("It is the only passage of the document."),
        Misfit.LINKED: _("A rule is linked to it: take the link away first."),
        Misfit.NO_CUT: _("There is no such cut to take back."),
    }  # fmt: skip
