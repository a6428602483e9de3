"""Access to the API: tokens, roles and rate limits."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import wraps
from threading import Lock
from typing import ParamSpec, TypeVar, cast

from flask import current_app, g, request

from audit.errors import AuditError
from web.site.headers import is_local, viewpoints
from web.site.tokens import Role, Token, token_of

P = ParamSpec("P")
T = TypeVar("T")
READERS, WRITERS, PUBLISHERS = tuple(Role), (Role.SCOREKEEPER, Role.JUDGE), (Role.PUBLISHER, Role.JUDGE)


class NoTokenError(AuditError):
    """A token is needed, or the one that was shown is none."""

    def __init__(self, roles: Sequence[Role]) -> None:
        super().__init__(f"needs a token with the role {' or '.join(roles)}")
        self.roles = list(map(str, roles))


class NotAllowedError(AuditError):
    """The token is good, but its role does not reach so far."""

    def __init__(self, role: str, wanted: str) -> None:
        super().__init__(f"the role {role} may not {wanted}")
        self.role = role
        self.wanted = wanted


class TooOftenError(AuditError):
    """More requests than are answered; after so many seconds there is room again."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"too many requests; wait {seconds} s")
        self.seconds = seconds


class Buckets:
    """A token bucket for each client address: a burst and a rate per second. Counted in this process only."""

    MAX_ADDRESSES = 10_000

    def __init__(self, rate: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate, self._burst, self._clock = rate, burst, clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def take(self, who: str) -> None:
        """One request of theirs; raises `TooOftenError`."""
        with self._lock:
            now = self._clock()
            left, since = self._left.pop(who, (float(self._burst), now))
            left = min(self._burst, left + (now - since) * self._rate)
            self._left[who] = (left - 1 if left >= 1 else left, now)
            if len(self._left) > self.MAX_ADDRESSES:
                self._left.popitem(last=False)
        if left < 1:
            raise TooOftenError(max(1, round((1 - left) / self._rate)))


def limited() -> None:
    """Count this request; raises `TooOftenError`."""
    cast(Buckets, current_app.extensions["audit.buckets"]).take(request.remote_addr or "")


def needs(roles: Sequence[Role], wanted: str, *, local: bool = False) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Only for these roles; `local`: without a token too for who sits at this machine."""

    def add(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> T:
            token = bearer_token()
            if token is None and not (local and is_local()):
                raise NoTokenError(roles)
            if token is not None and token.role not in roles:
                raise NotAllowedError(token.role, wanted)
            return function(*args, **kwargs)

        return checked

    return add


def bearer_token() -> Token | None:
    """The token of this request, None where none is shown; raises `NoTokenError` for a false one."""
    if "token" not in g:
        header = request.headers.get("Authorization")
        kind, _, text = (header or "").partition(" ")
        g.token = token_of(text.strip()) if header and kind.lower() == "bearer" else None
        if header and g.token is None:
            del g.token
            raise NoTokenError(READERS)
    return cast("Token | None", g.token)


def allowed_viewer(asked: str, seats: tuple[str, ...]) -> str:
    """The viewer asked for, or the first one allowed; raises `NotAllowedError` where they may not."""
    token = bearer_token()
    everything = ("judge", *seats, "public")
    by_role = everything if token and token.role is Role.JUDGE else ("public",)
    allowed = by_role if token else viewpoints(seats)
    if not asked:
        return allowed[0]
    if asked not in allowed:
        raise NotAllowedError(token.role if token else "reader", f"look as {asked[:32]}")
    return asked
