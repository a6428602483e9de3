"""What can go wrong with input. Nothing found *in* a game raises: a broken rule is a finding, not an error.

Each error carries its data. One place turns them into exit codes (`cli.py`) and one into HTTP (`web`).
"""

from __future__ import annotations

from collections.abc import Iterable


def near_name(name: str, known: Iterable[str]) -> str:
    """The known name that is nearest to one that nobody knows, or "" where none is near."""
    from difflib import get_close_matches

    whole = {each.casefold(): each for each in known}
    begins = {folded[: len(name) + 1]: each for folded, each in whole.items()}
    for names in (whole, begins):
        if found := get_close_matches(name.casefold(), names, 1):
            return names[found[0]]
    return ""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`; did you mean play.face-up?`, or nothing where no known name is near."""
    near = near_name(name, known)
    return f"; did you mean {near}?" if near else ""


def _or_all(name: str, known: tuple[str, ...]) -> str:
    """The name that was meant; where none is near, all there are."""
    return did_you_mean(name, known) or f"; there are {', '.join(known)}"


def _same(kind: type[AuditError], args: tuple[object, ...]) -> AuditError:
    """An error with these words, whatever it is usually made from."""
    return kind.__new__(kind, *args)


class AuditError(Exception):
    """Base of everything this package raises on purpose."""

    def __reduce__(self) -> tuple[object, ...]:
        """How it is handed from one process to another: its words and its facts."""
        return _same, (type(self), self.args), vars(self)

    def data(self) -> dict[str, object]:
        """The facts of the error, for a program to read."""
        return {key: value for key, value in vars(self).items() if not key.startswith("_")}


class UnknownRuleError(AuditError):
    """No rule has that id, now or formerly."""

    def __init__(self, rule: str, known: Iterable[str] = ()) -> None:
        super().__init__(f"no rule is called {rule!r}{did_you_mean(rule, known)}")
        self.rule = rule


class UnknownRulesetError(AuditError):
    """No game of that name is installed."""

    def __init__(self, ruleset: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no ruleset is called {ruleset!r}{_or_all(ruleset, known)}")
        self.ruleset = ruleset
        self.known = known


class UnknownReadingError(AuditError):
    """A ruleset has no reading of that name."""

    def __init__(self, reading: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no reading is called {reading!r}{_or_all(reading, known)}")
        self.reading = reading
        self.known = known


class UnknownEditionError(AuditError):
    """A ruleset has no edition of that name."""

    def __init__(self, edition: str, known: tuple[str, ...]) -> None:
        super().__init__(
            f"no edition is called {edition!r}{_or_all(edition, known) if known else '; the game has none'}"
        )
        self.edition = edition
        self.known = known


class UnknownLanguageError(AuditError):
    """Nothing is told in that language."""

    def __init__(self, language: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no language is called {language!r}{_or_all('', known)}")
        self.language = language
        self.known = known


class UnknownViewerError(AuditError):
    """A game has no seat of that name, and no other viewer is called so."""

    def __init__(self, viewer: str, known: tuple[str, ...]) -> None:
        super().__init__(f"no viewer is called {viewer!r}{_or_all('', known)}")
        self.viewer = viewer
        self.known = known


MAX_FOUND = 40
"""So many letters of what was found are shown."""


class SetupError(AuditError):
    """The header's setup cannot be understood: the field, and what was expected there.

    `found` is a name that cannot stand there, and `near` the one that is nearest to it, where they are known.
    """

    def __init__(self, field: str, expected: str, found: str = "", near: str = "") -> None:
        super().__init__(f"setup.{field}: expected {expected}" if field else f"setup: expected {expected}")
        self.field = field
        self.expected = expected
        self.found = found[:MAX_FOUND]
        self.near = near


class PositionTextError(AuditError):
    """The text of a position cannot be read: the column, what was expected there and what was found."""

    def __init__(self, column: int, expected: str, found: str) -> None:
        found = found[:MAX_FOUND]
        super().__init__(f"column {column}: expected {expected}, found {found}")
        self.column = column
        self.expected = expected
        self.found = found
