"""The games as one reader may open them: what is not shared with them is not there for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from audit.core.errors import AuditError
from replays.store.ids import Appended
from replays.trust.seal import Seal
from web.games.library import Filters, JudgingLater, Library, Page, Replay, Shared, Unread, Use, WithUnread
from web.site.headers import UnknownGameError
from web.site.reader import PUBLIC, Reader


@runtime_checkable
class Appendable(Protocol):
    """A library that can be appended to."""

    def append(self, id: str, lines: bytes, expected: int, by: str) -> Appended: ...


class Begun(Struct, frozen=True):
    """A game that is there to be appended to: its id, and whether it was not there before."""

    id: str
    is_new: bool


@runtime_checkable
class Beginnable(Protocol):
    """A library in which games can be begun."""

    def begin(self, header: bytes, by: str) -> Begun: ...


class FixedError(AuditError):
    """The games of this server come from a folder and cannot be appended to."""

    def __init__(self) -> None:
        super().__init__("these games cannot be appended to; serve the store")


class OpenedLibrary:
    """A library through the eyes of one reader. Every method raises `UnknownGameError` for a game not open to them."""

    def __init__(self, library: Library, reader: Reader) -> None:
        self.inner = library
        self.reader = reader

    def games(self, query: str, filters: Filters, page: int) -> Page:
        """The games that stand in this reader's list."""
        audience = "judge" if self.reader.is_judge else PUBLIC
        return self.inner.games(query, replace(filters, audience=audience), page)

    def game(self, id: str, *, viewer: str, language: str, reading: str | None) -> Replay:
        """One game as that viewer may know it."""
        self._open(id)
        return self.inner.game(id, viewer=viewer, language=language, reading=reading)

    def waiting(self) -> int:
        """How many games are not judged yet: they are in no list, and not counted."""
        return self.inner.waiting() if isinstance(self.inner, JudgingLater) else 0

    def unread(self) -> Sequence[Unread]:
        """The files that cannot be read, for whoever sits at this machine."""
        return self.inner.unread() if isinstance(self.inner, WithUnread) and self.reader.is_local else ()

    def log(self, id: str) -> bytes:
        """The log of a game: a judge's to see."""
        self._open(id)
        return self.inner.log(id)

    def seal(self, id: str) -> Seal | None:
        """The seal of a game's log."""
        self._open(id)
        return self.inner.seal(id)

    def version(self, id: str) -> str:
        """A version that changes with the game and with who may open it."""
        sharing = self._open(id)
        return f"{self.inner.version(id)}{'' if sharing == PUBLIC else sharing}"

    def state(self) -> str:
        """A version that changes with any game and with who may open it."""
        return self.inner.state()

    def rule_uses(self, ruleset: str, rule: str, language: str) -> Sequence[Use]:
        """The steps that cite a rule, of games that stand in this reader's list."""
        found = self.inner.rule_uses(ruleset, rule, language)
        shared = {id: self._sharing(id) for id in {use.game for use in found}}
        return [use for use in found if self.reader.is_judge or shared[use.game] == PUBLIC]

    def sharing(self, id: str) -> str:
        """Who may open a game."""
        return self._open(id)

    def append(self, id: str, lines: bytes, expected: int, by: str = "") -> Appended:
        """Append to a game; raises `FixedError` where the games come from a folder."""
        self._open(id)
        if not isinstance(self.inner, Appendable):
            raise FixedError
        return self.inner.append(id, lines, expected, by)

    def begin(self, header: bytes, by: str = "") -> Begun:
        """Begin a game with the first line of its log, or find the one that began so.

        Raises `FixedError` where the games come from a folder, `UnknownGameError` where that game is not open to them.
        """
        if not isinstance(self.inner, Beginnable):
            raise FixedError
        begun = self.inner.begin(header, by)
        self._open(begun.id)
        return begun

    def _open(self, id: str) -> str:
        sharing = self._sharing(id)
        if not self.reader.still().may_open(id, sharing):
            raise UnknownGameError(id)
        return sharing

    def _sharing(self, id: str) -> str:
        return self.inner.sharing(id) if isinstance(self.inner, Shared) else PUBLIC
