"""A client of the API with nothing but the standard library. Copy it into your program.

python audit_client.py http://127.0.0.1:8000 POSITION 'A refresh'
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import cast
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

Json = Mapping[str, object]


class Refused(Exception):
    """The server said no: the status, and its reasons as the API gives them."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"{status}: {said}")
        self.status = status


class Client:
    """One server. To begin games and append to them, show a token of a scorekeeper (`audit token make`)."""

    def __init__(self, server: str, token: str = "") -> None:
        self._root = f"{server.rstrip('/')}/api/v1"
        self._token = token

    def ask(self, position: str, events: Sequence[str | Json] = (), lang: Sequence[str] = ("en",)) -> Json:
        """May these events happen in that position? Without events: what can be chosen."""
        return self._post("/ask", {"position": position, "events": list(events), "lang": list(lang)})

    def begin(self, header: Json) -> Json:
        """Begin a game with the first line of its log; the same line again gives the same game."""
        return self._post("/games", {"header": header})

    def append(self, game: str, events: Sequence[Json], expected: int) -> Json:
        """Append events to a game that has so many; give each an `id`, and it is safe to send them twice."""
        return self._post(f"/games/{quote(game)}/events", {"expected": expected, "events": list(events)})

    def options(self, game: str) -> Json:
        """The decisions that are open now."""
        return self._call(f"/games/{quote(game)}/options")

    def findings(self, game: str, lang: str = "en") -> Json:
        """Every mistake of a stored game, with its rule."""
        return self._call(f"/games/{quote(game)}/findings?{urlencode({'lang': lang})}")

    def check(self, log: str) -> Json:
        """Store a whole log, a line of JSON each, and give its findings."""
        header, *events = (json.loads(line) for line in log.splitlines() if line.strip())
        begun = self.begin(header)
        game, version = str(begun["id"]), cast(int, begun["version"])
        if events[version:]:
            self.append(game, events[version:], version)
        return self.findings(game)

    def _post(self, path: str, body: Json) -> Json:
        return self._call(path, json.dumps(body).encode())

    def _call(self, path: str, body: bytes | None = None) -> Json:
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            with urlopen(Request(self._root + path, body, headers), timeout=30) as answer:
                return cast(Json, json.load(answer))
        except HTTPError as problem:
            raise Refused(problem.code, problem.read().decode(errors="replace")) from None


if __name__ == "__main__":
    print(json.dumps(Client(sys.argv[1]).ask(sys.argv[2], sys.argv[3:]), indent=2, ensure_ascii=False))
