"""The cases of this application, and who reads and writes them."""

from __future__ import annotations

from typing import cast

from flask import abort, current_app, request
from flask_babel import gettext as _

from replays.cases.book import CaseBook, FolderShelf, StoreShelf, UnknownCaseError
from replays.cases.case import Case
from replays.cases.disclosed import ToldCase, told
from replays.cases.note import now
from replays.trust.keys import data_folder
from web.games.library import Library
from web.games.store_library import StoreLibrary
from web.site.reader import reader
from web.site.tokens import Token
from web.site.write_access import known_name

ROLES = ("judge", "head-judge")


def book() -> CaseBook:
    """The cases: those of the store, or of a folder of the data folder where the games come from elsewhere."""
    kept = current_app.extensions.get("audit.cases")
    if kept is None:
        inner = cast(Library, current_app.extensions["audit.library"])
        shelf = StoreShelf(inner.store) if isinstance(inner, StoreLibrary) else FolderShelf(data_folder() / "cases")
        kept = current_app.extensions["audit.cases"] = CaseBook(shelf)
    return cast(CaseBook, kept)


def readable() -> list[Case]:
    """The cases that this reader may know of: a judge all of them, others the public ones."""
    return [case for case in book().all() if reader().is_judge or case.is_public]


def seen(name: str, *, as_public: bool = False) -> tuple[Case | None, ToldCase | None]:
    """A case whole for a judge; for others what everybody may know. Ends the request where that is nothing."""
    try:
        case = book().case(name)
    except UnknownCaseError:
        abort(404)
    if reader().is_judge and not as_public:
        return case, None
    public = told(case)
    if public is None:
        abort(404)
    return None, public


def for_judges(name: str) -> Case:
    """A case for a judge; ends the request for anybody else as if there were none."""
    case, _public = seen(name)
    if case is None:
        abort(404)
    return case


def judges_only() -> None:
    """End the request of anybody who is no judge."""
    if not reader().is_judge:
        abort(403, description=_("Cases are for judges. Sign in with the token of a judge."))


def named(token: Token | None) -> dict[str, str]:
    """The name, the role and the time of what is written: of a token, or of who sits at this machine."""
    if token:
        return {"by": token.name, "role": str(token.role), "at": now()}
    role = request.form.get("role", "judge")
    if role not in ROLES:
        abort(400)
    return {"by": request.form.get("by", "").strip() or known_name() or _("judge"), "role": role, "at": now()}


def whose_word(token: Token | None) -> str:
    """Whose word an append is, as the store writes it down."""
    return f"token {token.id} {token.name}" if token else "at this machine"
