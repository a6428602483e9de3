"""The viewer with a single game in it, from which a published page is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from threading import Lock
from typing import cast
from urllib.parse import urlencode

from flask import Flask
from msgspec.structs import replace

from replays.table.variations import Varied
from replays.trust.seal import Seal
from web import create_app
from web.games.address import Beside, GameAddress
from web.games.library import Filters, Page, Replay, Use, glance_of, paged
from web.games.payload import Prepared
from web.publishing.sources import Source
from web.publishing.wording import Printed
from web.site.headers import UnknownGameError
from web.site.labels import chosen

GAME = "game"


class Offline(GameAddress, frozen=True):
    """The addresses of a page that has no server: steps of the file itself."""

    def address(self, endpoint: str = "games.game", **more: object) -> str:
        """A step, and a column where a narrow screen shows one; nothing else is there."""
        asked = [f"{name}={more[name]}" for name in ("step", "column") if name in more]
        return f"{self._start}&" + "&".join(asked) if asked else "#"

    def among(self, beside: Beside, endpoint: str = "games.game", **more: object) -> str:
        """The page of another variation, or of the record."""
        asked = [f"seq={more['seq']}"] if "seq" in more else []
        return "&".join([replace(self, beside=beside)._start, *asked])

    @property
    def _start(self) -> str:
        shown = f"&shown={self.beside.shown}" if self.beside.texts else ""
        return f"?lang={chosen()}{shown}"

    def in_language(self, language: str) -> str:
        """The same page in another language."""
        return self._start.replace(chosen(), language, 1)

    def going_on(self) -> str:
        """What an address on a server has to say for the variation to be shown there; a file names no server."""
        return f"?{urlencode(self.beside.arguments(), doseq=True)}" if self.beside.shown else ""

    def lists_options(self) -> bool:
        """Its script has them."""
        return False

    def cards_page(self, ruleset: str) -> str:
        """Nowhere: the file has no such page."""
        return ""


class GameInLanguages(Prepared):
    """A game in one piece, with the statements of its rules in the chosen languages only."""

    def __init__(self, replay: Replay, languages: Sequence[str], varied: Varied | None = None) -> None:
        super().__init__(replay, varied, piece=len(replay.outlines))
        self.languages = tuple(languages)

    @cached_property
    def rules(self) -> dict[str, dict[str, object]]:
        """The cited rules."""
        return {id: self._narrowed(words) for id, words in super().rules.items()}

    def _narrowed(self, words: dict[str, object]) -> dict[str, object]:
        says = cast(Mapping[str, str], words["says"])
        return {**words, "says": {code: said for code, said in says.items() if code in self.languages}}


class SingleGameLibrary:
    """A library that holds nothing but the game to publish."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def games(self, query: str, filters: Filters, page: int) -> Page:
        """The one game."""
        return paged([glance_of(GAME, self._source.replay("public", "en"))], query, filters, page)

    def game(self, id: str, *, viewer: str, language: str, reading: str | None) -> Replay:
        """The game as that viewer may know it."""
        if id != GAME:
            raise UnknownGameError(id)
        return self._source.replay(viewer, language)

    def log(self, id: str) -> bytes:
        """Nothing: a published file has its own record."""
        raise UnknownGameError(id)

    def seal(self, id: str) -> Seal | None:
        """Not asked for either."""

    def version(self, id: str) -> str:
        """Never changes."""
        return "0"

    def state(self) -> str:
        """Never changes."""
        return "0"

    def rule_uses(self, ruleset: str, rule: str, language: str) -> Sequence[Use]:
        """Not asked for."""
        return ()


@cache
def any_app() -> Flask:
    """An application for what is around a page, whatever game it shows: made once, since that takes long."""
    with BUILDING:
        return create_app(config=ALONE)


def app_of(source: Source, viewer: str, printed: Printed | None = None) -> Flask:
    config = {**ALONE, "AUDIT_VIEWPOINTS": lambda request, everything: (viewer,)}
    with BUILDING:
        return create_app(SingleGameLibrary(source), quotes=printed, config=config)


ALONE: Mapping[str, object] = {"AUDIT_API": False, "AUDIT_PAGES": False}
"""What an application leaves out that makes the page of one game."""
BUILDING = Lock()
"""Each route of an app is compiled from a syntax tree, and early releases of Python 3.11 fail now and then where two
threads build such trees at once (CPython issue 106905)."""


def nowhere(endpoint: str, **values: object) -> str:
    """The address of another page, which a file does not have."""
    return f"#{values['rule_id']}" if "rule_id" in values else "#"
