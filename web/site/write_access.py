"""Who may change something through a page: a reader at this machine, or one with a token of the right role.

A browser submits any form, whoever made the page it stands on. So a form is accepted only from a page of this viewer
and, without a token, only under a host name that means this machine.
"""

from __future__ import annotations

from urllib.parse import quote, unquote, urlsplit

from flask import Blueprint, Flask, Response, abort, make_response, redirect, render_template, request, url_for
from flask_babel import gettext as _

from web.site.reader import TOKEN_COOKIE, reader, shown_token
from web.site.tokens import JUDGES, Role, Token, token_of

signing_in = Blueprint("signing_in", __name__)
NAME_COOKIE = "audit-name"
ROLE_COOKIE = "audit-role"


def author(roles: tuple[Role, ...] = JUDGES) -> str:
    """The name of who writes, empty for somebody at this machine without a token; ends the request otherwise."""
    token = writer(roles)
    return token.name if token else ""


def writer(roles: tuple[Role, ...] = JUDGES) -> Token | None:
    """The token of who writes, None for somebody at this machine without one; ends the request otherwise."""
    if not is_from_here():
        abort(403, description=_("This form did not come from a page of this viewer."))
    shown = request.form.get("token", "").strip() or (shown_token() if not writes_freely() else "")
    if not shown:
        if writes_freely():
            return None
        abort(403, description=_("To write, show a token with the role of a judge, or sit at the machine itself."))
    token = token_of(shown)
    if token is None or token.role not in roles or token.game:
        abort(403, description=_("The role of this token does not allow this."))
    return token


def writes_freely() -> bool:
    """Whether this reader needs no token: they sit at this machine and asked for it by its own name."""
    return reader().is_local


def is_from_here() -> bool:
    """Whether a form was sent from a page of this viewer."""
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("Origin")
    if origin is not None:
        return urlsplit(origin).netloc == request.host
    return bool(request.headers.get("Authorization") or request.form.get("token"))


def known_name() -> str:
    """The name that somebody at this machine has given before."""
    return unquote(request.cookies.get(NAME_COOKIE, ""))[:100]


def known_role() -> str:
    """The role that somebody at this machine has given before."""
    return request.cookies.get(ROLE_COOKIE, "")[:100]


def remember_name(answer: Response, name: str, role: str = "") -> Response:
    """Keep the name, and the role where one was given, for the next form."""
    if name.strip() and reader().is_local:
        for cookie, value in ((NAME_COOKIE, name), (ROLE_COOKIE, role)):
            if value:
                answer.set_cookie(cookie, quote(value), httponly=True, samesite="Strict")
    return answer


# Signing in: who has a token shows it once, and reads on with it until they sign out.


def add_to(app: Flask) -> None:
    """Serve the page."""
    app.register_blueprint(signing_in)


@signing_in.get("/sign-in")
def page() -> Response:
    """The form, and who is signed in now."""
    return _page("", 200)


@signing_in.post("/sign-in")
def sign_in() -> Response:
    """Keep the token that is shown, or none."""
    shown = request.form.get("token", "").strip()
    if not is_from_here():
        return _page(_("This form did not come from a page of this viewer."), 403)
    if shown and token_of(shown) is None:
        return _page(_("This is no token that holds."), 403)
    answer: Response = redirect(url_for("games.index"), 303)  # type: ignore[assignment]
    if shown:
        answer.set_cookie(TOKEN_COOKIE, shown, httponly=True, samesite="Strict", secure=request.is_secure)
    else:
        answer.delete_cookie(TOKEN_COOKIE)
    return answer


def _page(problem: str, status: int) -> Response:
    answer = make_response(render_template("sign_in.html", problem=problem, token=reader().token), status)
    answer.headers["Cache-Control"] = "no-store"
    return answer
