"""Errors of logs and of writing files. Each error carries its data, and its text is one clear line."""

from __future__ import annotations

from msgspec import Struct

from audit.core.errors import AuditError

MAX_PROBLEMS = 50
"""The most problems named for one log; the message says when there were more."""


class Problem(Struct, frozen=True):
    """One thing wrong with a log: the line (0: the file as a whole), the field, what was expected and found."""

    line: int
    field: str
    expected: str
    found: str

    @property
    def text(self) -> str:
        """The problem in words, without the file's name."""
        where = ": ".join(part for part in (f"line {self.line}" if self.line else "", self.field) if part)
        return f"{where + ': ' if where else ''}expected {self.expected}, found {self.found}"


class LogError(AuditError):
    """A log that cannot be read as one. Every problem is in `problems`, unless `more` says that there are others, or
    `left` how many."""

    def __init__(self, file: str, problems: tuple[Problem, ...], more: bool = False, left: int = 0) -> None:
        self.file = file
        self.problems = problems
        self.more = more
        self.left = left
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """One line of text for each problem, and one more where the limit was reached."""
        said = [f"{self.file}: {problem.text}" for problem in self.problems]
        if self.more:
            said.append(f"{self.file}: more problems follow; the first {len(self.problems)} are named")
        if self.left:
            said.append(f"{self.file}: lines that cannot be read besides: {self.left:,}")
        return said


class NoSuchEventError(AuditError):
    """A log has no event of that seq."""

    def __init__(self, file: str, at: int, last: int) -> None:
        super().__init__(f"{file}: there is no event {at}; the last is {last}, and 0 is the start")
        self.file = file
        self.at = at
        self.last = last


class SequenceError(AuditError):
    """An event whose seq does not follow the last one of the log."""

    def __init__(self, file: str, expected: int, found: int) -> None:
        super().__init__(f"{file}: expected seq {expected} next, found {found}")
        self.file = file
        self.expected = expected
        self.found = found


class ChangedError(AuditError):
    """Somebody else has written to the file since it was opened."""

    def __init__(self, file: str) -> None:
        super().__init__(f"{file}: changed by another program since it was opened; nothing was written")
        self.file = file


class UnwritableError(AuditError):
    """A file could not be written; what was there before is untouched."""

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(f"{file}: cannot be written: {reason}")
        self.file = file
        self.reason = reason


def whole_file_error(file: str, expected: str, found: str) -> LogError:
    """The error of a file that is wrong as a whole."""
    return LogError(file, (Problem(0, "", expected, found),))
