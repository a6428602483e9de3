"""Follows a folder or the store: each finding is told once, as soon as it is there, to people and to other programs."""

from __future__ import annotations

import hmac
import json
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from http.client import HTTPException
from threading import Thread
from typing import cast
from urllib.error import HTTPError, URLError
from urllib.parse import SplitResult, quote, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from msgspec import Struct

from audit.core.errors import AuditError
from replays.judging.facts import Broken, Facts
from replays.judging.tally import Json
from replays.season.judging import Asked, Judged, judged
from replays.season.sources import Source

TRIES = 3
PAUSE = 1.0
"""Seconds before the second try; before each later one, twice as many."""
TIMEOUT = 5.0
"""Seconds of silence after which a try is given up."""
DEADLINE = 10.0
"""Seconds after which it is given up, however much of an answer has come by then."""
REFUSED = (400, 413, 422)
"""What an address answers that will not take the same another time either."""
KEPT = 10_000
"""So many news wait for an address at most; of more, the oldest are dropped."""
SIGNATURE = "X-Audit-Signature"


class News(Struct, frozen=True, kw_only=True):
    """A new finding: where it is, and what is said of it, to judges in `message` and to everybody in `told`."""

    log: str
    message: str
    rule: str
    verdict: str
    seq: int | None
    told: dict[str, object]


class Watch:
    """Remembers what was told. Every look judges what changed since the last one."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._stamps: dict[str, str] = {}
        self._told: dict[str, frozenset[tuple[object, object]]] = {}
        self._troubled: dict[str, tuple[str, ...]] = {}

    def look(self, sources: Iterable[Source]) -> Iterator[News | tuple[str, ...]]:
        """The findings that are new, and the trouble with logs that cannot be read, each once."""
        for source in sources:
            stamp = source.head or source.stamp()
            if stamp and self._stamps.get(source.name) == stamp:
                continue
            self._stamps[source.name] = stamp
            yield from self._news(judged(self._asked, source))

    def _news(self, found: Judged) -> Iterator[News | tuple[str, ...]]:
        if found.report is None or found.facts is None:
            if found.trouble != self._troubled.get(found.name):
                self._troubled[found.name] = found.trouble
                yield found.trouble
            return
        self._troubled.pop(found.name, None)
        before = self._told.get(found.name, frozenset())
        self._told[found.name] = frozenset(map(_mark, found.report.findings))
        broken = {one.seq: one for one in found.facts.broken}
        for finding in found.report.findings:
            if _mark(finding) not in before:
                yield _news(found, finding, broken.get(cast("int | None", finding["seq"])))


def _mark(finding: Json) -> tuple[object, object]:
    return finding["seq"], tuple(cast("list[str]", finding["rules"])[:1])


def _news(found: Judged, finding: Json, broken: Broken | None) -> News:
    assert found.facts is not None
    rules = cast("list[str]", finding["rules"])
    seq = cast("int | None", finding["seq"])
    told = public_news(found.facts, str(finding["verdict"]), seq, broken)
    return News(
        log=found.name, message=str(finding["message"]), rule=rules[0] if rules else "",
        verdict=str(finding["verdict"]), seq=seq, told=told,
    )  # fmt: skip


def public_news(facts: Facts, verdict: str, seq: int | None, broken: Broken | None) -> dict[str, object]:
    """What everybody may know of a finding: no card, and no rule where the finding is about a card nobody saw."""
    said: dict[str, object] = {
        "game": facts.game, "ruleset": facts.ruleset, "event": facts.event, "round": facts.round, "seq": seq,
        "verdict": verdict,
    }  # fmt: skip
    if broken is not None:
        said |= {"turn": broken.turn, "player": broken.player}
        said |= {"rule": broken.rule} if broken.card == broken.told else {}
    return {name: value for name, value in said.items() if value not in ("", None)}


# Telling another program


class WebhookError(AuditError):
    """An address that cannot be sent to, or that did not take what was sent; `is_refused`: it never will."""

    def __init__(self, reason: str, *, is_refused: bool = False) -> None:
        super().__init__(reason)
        self.is_refused = is_refused


class Webhook:
    """An address that is sent JSON. `secret` signs it: the header has the HMAC-SHA256 of the body, as GitHub's has."""

    def __init__(self, url: str, secret: str = "", *, pause: float = PAUSE) -> None:
        """Raises `WebhookError`: news go by https, or to this machine."""
        self._url, self._host = _address(url)
        self._secret, self._pause = secret.encode(), pause
        self._opener = build_opener(_NoRedirect)

    def send(self, news: Mapping[str, object]) -> None:
        """Send it; raises `WebhookError` after a few tries."""
        body = json.dumps(news, ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json", "User-Agent": "audit"}
        if self._secret:
            headers[SIGNATURE] = "sha256=" + hmac.new(self._secret, body, sha256).hexdigest()
        trouble: Exception = TimeoutError()
        for number in range(TRIES):
            if number:
                time.sleep(self._pause * 2 ** (number - 1))
            if (found := self._tried(Request(self._url, body, headers, method="POST"))) is None:
                return
            trouble = found
        is_refused = isinstance(trouble, HTTPError) and trouble.code in REFUSED
        raise WebhookError(f"webhook {self._host}: {trouble}; given up after {TRIES} tries", is_refused=is_refused)

    def _tried(self, request: Request) -> Exception | None:
        """What kept the address from taking it; None where it was taken.

        The time limit of a connection begins anew with each byte, so a thread waits for the answer, and we for it.
        """
        found: list[Exception | None] = []

        def send() -> None:
            try:
                with self._opener.open(request, timeout=TIMEOUT):
                    found.append(None)
            except (URLError, OSError, HTTPException, ValueError) as error:
                found.append(error)

        thread = Thread(target=send, name="webhook", daemon=True)
        thread.start()
        thread.join(DEADLINE)
        return found[0] if found else TimeoutError(f"no whole answer in {DEADLINE:.0f} s")


class Outbox:
    """News on their way to a webhook, the oldest first. What it does not take now is sent another time."""

    def __init__(self, hook: Webhook) -> None:
        self._hook = hook
        self._waiting: deque[Mapping[str, object]] = deque(maxlen=KEPT)

    def __len__(self) -> int:
        """How many news wait."""
        return len(self._waiting)

    def put(self, news: Mapping[str, object]) -> None:
        """Add news to those that wait."""
        self._waiting.append(news)

    def send(self) -> None:
        """Send what waits; raises `WebhookError` at the first that is not taken. One that is refused waits no more."""
        while self._waiting:
            try:
                self._hook.send(self._waiting[0])
            except WebhookError as error:
                if error.is_refused:
                    self._waiting.popleft()
                raise
            self._waiting.popleft()


def _address(url: str) -> tuple[str, str]:
    """The address in the letters that a request may have, and its host; raises `WebhookError`."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        named = host.encode("idna").decode() if not host.isascii() else host
    except ValueError:
        raise WebhookError("a webhook is an address that begins with https://; this is none") from None
    here = host in ("localhost", "127.0.0.1", "::1")
    if not host or " " in host or not (parts.scheme == "https" or (parts.scheme == "http" and here)):
        raise WebhookError("a webhook begins with https://")
    if parts.username is not None:
        raise WebhookError("the address of a webhook has no name and no password")
    return _in_ascii(parts, named, port), host


def _in_ascii(parts: SplitResult, host: str, port: int | None) -> str:
    place = f"[{host}]" if ":" in host else host
    path, query = (quote(part, safe="%/:=&?~+!$,;'@()*") for part in (parts.path, parts.query))
    return parts._replace(netloc=place if port is None else f"{place}:{port}", path=path, query=query).geturl()


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *given: object) -> None:
        """Nobody else is told."""
