"""Who is asking: somebody who sits at this machine, somebody with a token, or anybody.

Whether somebody sits at this machine is decided by the configuration first (`AUDIT_VIEWPOINTS`, `AUDIT_KEY`). Then
every sign against it counts: a proxy, a host name that does not mean this machine, a socket that is not loopback.
"""

from __future__ import annotations

from collections.abc import Mapping
from hmac import compare_digest
from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, g, redirect, request
from msgspec import Struct
from werkzeug.exceptions import SecurityError
from werkzeug.middleware.proxy_fix import ProxyFix

from web.site.tokens import JUDGES, Role, Token, is_still_good, token_of

HERE = ("localhost", "127.0.0.1", "::1")
"""The host names that mean this machine."""

PROXY_SIGNS = (
    "HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP", "HTTP_X_CLIENT_IP", "HTTP_CLIENT_IP", "HTTP_CF_CONNECTING_IP",
    "HTTP_TRUE_CLIENT_IP", "HTTP_X_CLUSTER_CLIENT_IP", "HTTP_X_ORIGINAL_FORWARDED_FOR", "HTTP_FORWARDED_FOR",
    "HTTP_X_AMZN_TRACE_ID", "HTTP_PROXY_CONNECTION", "werkzeug.proxy_fix.orig",
)  # fmt: skip
"""What a proxy adds to a request, besides whatever begins with `X-Forwarded` or `X-Envoy`."""

PREFIXES = ("HTTP_X_FORWARDED", "HTTP_X_ENVOY")
TOKEN_COOKIE = "audit-token"
PUBLIC = "public"
DEVICE = "device"
"""The viewpoints of a program that runs in the reader's own browser: nobody else can ask it."""
UNIX = "unix"
"""The name of a proxy that asks through a Unix socket."""


class Reader(Struct, frozen=True):
    """Who is asking. `viewpoints` is how the configuration lets readers without a token see games."""

    is_local: bool
    token: Token | None
    sees_all: bool
    """Whether the configuration shows hidden cards to whoever has no token."""

    @property
    def is_known(self) -> bool:
        """They sit at this machine or have a token."""
        return self.is_local or self.token is not None

    @property
    def is_judge(self) -> bool:
        """Nothing of any game is kept from them."""
        return self.sees_all or (self.token is not None and self.token.role in JUDGES and not self.token.game)

    @property
    def mark(self) -> tuple[str, ...]:
        """What an answer to them depends on, for its ETag."""
        scope = (self.token.id, self.token.role, self.token.game, self.token.seat) if self.token else ()
        return (str(self.is_local), str(self.sees_all), *scope)

    def viewers(self, game: str, seats: tuple[str, ...]) -> tuple[str, ...]:
        """The viewers they may choose for a game, their own first."""
        everything = ("judge", *seats, PUBLIC)
        if self.sees_all:
            return everything
        token = self.token
        if token is None or not token.reaches(game):
            return (PUBLIC,)
        if token.role in JUDGES:
            return everything
        return (token.seat, PUBLIC) if token.role is Role.PLAYER and token.seat in seats else (PUBLIC,)

    def still(self) -> Reader:
        """The same reader now: nobody, where their token was revoked or its time is up."""
        if self.token is None or is_still_good(self.token):
            return self
        return Reader(False, None, False)

    def may_open(self, game: str, sharing: str) -> bool:
        """Whether a game is there for them: a private one only for a judge, and with a token that names it."""
        return sharing != "private" or self.is_judge or bool(self.token and self.token.game == game)


def reader() -> Reader:
    """Who sent this request; a token that is none any more counts for nothing."""
    if "reader" not in g:
        g.reader = _reader()
    return g.reader  # type: ignore[no-any-return]


def _reader() -> Reader:
    token = token_of(shown_token())
    local, allowed = is_local(), current_app.config["AUDIT_VIEWPOINTS"]
    everything = token is None and (allowed == "all" or (allowed in ("loopback", DEVICE) and local))
    return Reader(local and token is None, token, everything)


def shown_token() -> str:
    """The token that a request shows: in its header, else in the cookie of who signed in."""
    kind, _, text = request.headers.get("Authorization", "").partition(" ")
    return text.strip() if kind.lower() == "bearer" else request.cookies.get(TOKEN_COOKIE, "")


def is_local() -> bool:
    """Whether the reader sits at this machine; where anything speaks against it, they do not."""
    if current_app.config["AUDIT_VIEWPOINTS"] == DEVICE:
        return True
    if current_app.config["AUDIT_VIEWPOINTS"] == PUBLIC or is_proxied(request.environ):
        return False
    return _is_loopback(request.remote_addr) and host_name() in HERE and _has_key()


def is_proxied(environ: Mapping[str, object]) -> bool:
    """Whether a request has any sign of a proxy. Browsers have not spoken HTTP/1.0 for decades; proxies do."""
    if environ.get("SERVER_PROTOCOL") == "HTTP/1.0" or any(name in environ for name in PROXY_SIGNS):
        return True
    return any(name.startswith(PREFIXES) for name in environ)


def host_name() -> str:
    """The name by which the reader asked for this server, without its port."""
    try:
        return urlsplit(f"//{request.host}").hostname or ""
    except (ValueError, SecurityError):
        return ""


def leads_to_this_machine() -> bool:
    """Whether the address of this page means the machine of its reader, so that nobody can open it from another one."""
    return host_name() in HERE or _is_loopback(host_name())


def client() -> str:
    """Who is counted as one: a token, else an address; of IPv6 the network, which one household has to itself."""
    token = reader().token
    if token:
        return f"token {token.id}"
    try:
        found = ip_address(request.remote_addr or "")
    except ValueError:
        return request.remote_addr or ""
    return str(ip_network((found, 64), strict=False)) if found.version == 6 else str(found)


def _is_loopback(address: str | None) -> bool:
    try:
        return ip_address(address or "").is_loopback
    except ValueError:
        return False


def _key_cookie() -> str:
    return f"audit-key-{request.host.rpartition(':')[2]}"


def _has_key() -> bool:
    wanted = current_app.config["AUDIT_KEY"]
    return not wanted or compare_digest(request.cookies.get(_key_cookie(), "").encode(), wanted.encode())


def _take_key() -> Response | None:
    """Keep the key that `audit serve` printed with its address, and take it out of the address."""
    wanted, given = current_app.config["AUDIT_KEY"], request.args.get("key", "")
    if not wanted or request.endpoint != "games.index" or not compare_digest(given.encode(), wanted.encode()):
        return None
    answer: Response = redirect(request.path, 303)  # type: ignore[assignment]
    answer.set_cookie(_key_cookie(), wanted, httponly=True, samesite="Strict")
    return answer


class TrustedProxies:
    """WSGI middleware: believes what the proxies that are named say of who asked, and nobody else."""

    def __init__(self, app: object, proxies: tuple[str, ...]) -> None:
        self._app = app
        self._fixed = ProxyFix(app, x_for=1, x_proto=1, x_host=1)  # type: ignore[arg-type]
        self._networks = tuple(ip_network(each, strict=False) for each in proxies if each != UNIX)
        self._has_unix = UNIX in proxies

    def __call__(self, environ: dict[str, object], start_response: object) -> object:
        """Hand on what the proxy says, or the request as it came."""
        app = self._fixed if self._is_trusted(str(environ.get("REMOTE_ADDR", ""))) else self._app
        return app(environ, start_response)  # type: ignore[operator]

    def _is_trusted(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return self._has_unix and not address
        return any(found in network for network in self._networks)


def add_to(app: Flask) -> None:
    """Refuse host names that are not allowed, believe the proxies that are named, and take the key of an address."""
    app.config.setdefault("AUDIT_KEY", "")
    hosts, proxies = _words(app, "AUDIT_HOSTS"), _words(app, "AUDIT_PROXIES")
    if hosts:
        app.config["TRUSTED_HOSTS"] = [*HERE, "[::1]", *hosts]
    app.register_error_handler(SecurityError, _misdirected)
    if proxies:
        app.wsgi_app = TrustedProxies(app.wsgi_app, proxies)  # type: ignore[method-assign, assignment]
    app.jinja_env.globals["leads_to_this_machine"] = leads_to_this_machine
    app.before_request(_take_key)


def _misdirected(error: SecurityError) -> Response:
    """In plain words: a page has links, and there is no name to make them of."""
    return Response("This server does not answer to that name.\n", 400, mimetype="text/plain")


def _words(app: Flask, name: str) -> tuple[str, ...]:
    """A setting that is a list, or words with commas between them."""
    given = app.config.setdefault(name, "")
    return tuple(given.replace(",", " ").split()) if isinstance(given, str) else tuple(given)
