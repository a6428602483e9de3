"""Who may change something through a page: a reader at this machine, or one with a token of the right role.

A browser submits any form, whoever made the page it stands on. So a form is accepted only from a page of this viewer
and, without a token, only under a host name that means this machine.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import abort, request
from flask_babel import gettext as _

from web.site.reader import reader, shown_token
from web.site.tokens import JUDGES, Role, Token, token_of


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
