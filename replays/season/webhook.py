"""Sends news to an address of the web: signed, with few tries, and never anywhere else than was asked for."""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Mapping
from hashlib import sha256
from http.client import HTTPException
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from audit.errors import AuditError

TRIES = 3
PAUSE = 1.0
"""Seconds before the second try; before each later one, twice as many."""
TIMEOUT = 5.0
SIGNATURE = "X-Audit-Signature"


class WebhookError(AuditError):
    """An address that cannot be sent to, or that did not take what was sent."""


class Webhook:
    """An address that is sent JSON. `secret` signs it: the header has the HMAC-SHA256 of the body, as GitHub's has."""

    def __init__(self, url: str, secret: str = "", *, pause: float = PAUSE) -> None:
        """Raises `WebhookError`: news go by https, or to this machine."""
        parts = urlsplit(url)
        here = parts.hostname in ("localhost", "127.0.0.1", "::1")
        if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and here)):
            raise WebhookError("a webhook begins with https://")
        self._url, self._secret, self._pause = url, secret.encode(), pause
        self._host = parts.hostname
        self._opener = build_opener(_NoRedirect)

    def send(self, news: Mapping[str, object]) -> None:
        """Send it; raises `WebhookError` after a few tries."""
        body = json.dumps(news, ensure_ascii=False).encode()
        headers = {"Content-Type": "application/json", "User-Agent": "audit"}
        if self._secret:
            headers[SIGNATURE] = "sha256=" + hmac.new(self._secret, body, sha256).hexdigest()
        said = ""
        for number in range(TRIES):
            if number:
                time.sleep(self._pause * 2 ** (number - 1))
            try:
                with self._opener.open(Request(self._url, body, headers, method="POST"), timeout=TIMEOUT):
                    return
            except (URLError, OSError, HTTPException) as error:
                said = str(error)
        raise WebhookError(f"webhook {self._host}: {said}; given up after {TRIES} tries")


class _NoRedirect(HTTPRedirectHandler):
    def redirect_request(self, *given: object) -> None:
        """Nobody else is told."""
