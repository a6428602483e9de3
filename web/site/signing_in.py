"""Signing in: who has a token shows it once, and reads on with it until they sign out."""

from __future__ import annotations

from flask import Blueprint, Flask, Response, make_response, redirect, render_template, request, url_for
from flask_babel import gettext as _

from web.site.reader import TOKEN_COOKIE, reader
from web.site.tokens import token_of
from web.site.write_access import is_from_here

signing_in = Blueprint("signing_in", __name__)


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
