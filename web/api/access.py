"""Access to the API: tokens and roles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import ParamSpec, TypeVar

from flask import request

from audit.core.disclosure import JUDGE, PUBLIC
from audit.core.errors import AuditError, UnknownViewerError
from web.site.headers import viewpoints
from web.site.reader import reader
from web.site.tokens import JUDGES, Role, Token

P = ParamSpec("P")
T = TypeVar("T")
READERS, WRITERS = tuple(Role), (Role.SCOREKEEPER, *JUDGES)


class NoTokenError(AuditError):
    """A token is needed, and none was shown."""

    def __init__(self, roles: Sequence[Role]) -> None:
        super().__init__(f"needs a token with the role {' or '.join(roles)}")
        self.roles = list(map(str, roles))


class FalseTokenError(AuditError):
    """What was shown is no token that is good here."""

    def __init__(self) -> None:
        super().__init__("the token that was shown is not known here: it was mistyped or revoked, or its time is up")


class NotAllowedError(AuditError):
    """The token is good, but its role does not reach so far."""

    def __init__(self, role: str, wanted: str) -> None:
        super().__init__(f"the role {role} may not {wanted}")
        self.role = role
        self.wanted = wanted


def needs(roles: Sequence[Role], wanted: str, *, public: bool = False) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Only for these roles; `public`: for whoever shows no token too."""

    def add(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            token = bearer_token()
            if token is None and not public:
                raise NoTokenError(roles)
            if token is not None and (token.role not in roles or not _reaches(token, wanted, kwargs.get("id"))):
                raise NotAllowedError(token.role, wanted)
            return function(*args, **kwargs)

        return checked

    return add


def _reaches(token: Token, wanted: str, game: object) -> bool:
    """Whether a token that names a game is used for that game; to read what is public, any will do."""
    return wanted == "read" or token.reaches(str(game))


def bearer_token() -> Token | None:
    """The token of this request, None where none is shown; raises `FalseTokenError` for a false one.

    The cookie of who signed in serves for reading only: a page of somebody else can make a browser send it.
    """
    header = request.headers.get("Authorization")
    token = reader().token
    if header and (token is None or not header.lower().startswith("bearer ")):
        raise FalseTokenError
    return token if header or request.method == "GET" else None


def author() -> str:
    """Whose word it is that is stored with an append."""
    token = bearer_token()
    return f"token {token.id} {token.name}" if token else ""


def allowed_viewer(asked: str, seats: tuple[str, ...], game: str) -> str:
    """The viewer asked for, or the first one allowed.

    Raises `UnknownViewerError` for one who is nobody, `NoTokenError` or `NotAllowedError` where they may not.
    """
    allowed, token = viewpoints(seats, game), reader().token
    if not asked:
        return allowed[0]
    if asked not in (viewers := (*seats, PUBLIC, JUDGE)):
        raise UnknownViewerError(asked, viewers)
    if asked not in allowed:
        if token is None:
            raise NoTokenError(JUDGES if asked == JUDGE else (Role.PLAYER, *JUDGES))
        raise NotAllowedError(token.role, f"look as {asked}")
    return asked
