"""What is said of an error, in the language that was asked for.

In English it is all that the error itself says. In another language it is what cannot be read and where; of what was
expected and found there, the words that the language has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from audit.core.catalogue import words
from audit.core.errors import AuditError, PositionTextError, SetupError, near_name
from audit.core.sentences import alternatives, sentence
from replays.errors import LogError, Problem
from replays.said import Said, in_language

if TYPE_CHECKING:
    from audit.core.ruleset import Ruleset
    from replays.scoresheet.forms import Fit

PACKAGE, FILE, PHRASES = "replays", "errors", "phrases"
_PHRASES = ("reason", "expected", "found")
"""The facts of an error that are phrases."""
COLUMN, LINE_END = "column ", "the end of the line"
DECODED = ("Expected ", "Object ", "Invalid ", "JSON ")
"""So begins what a decoder has found."""
_NAME = re.compile(r'"[^"]*"|\S+')
_NEAR = re.compile(r' \(did you mean "(.+)"\?\)$')
_SPAN = re.compile(r"a (?:whole )?number from (\S+) to (\S+)")


def error_lines(error: AuditError, language: str) -> list[str]:
    """An error in lines for a terminal."""
    if language == "en":
        return error.lines() if isinstance(error, LogError) else [str(error)]
    if not isinstance(error, LogError) or getattr(error, "fits", None):
        return [error_words(error, language)]
    said = [_in_file(error.file, problem_words(problem, language), language) for problem in error.problems]
    if error.more:
        said.append(_in_file(error.file, _word(language, "log.more", n=len(error.problems)), language))
    if error.left:
        said.append(_in_file(error.file, _word(language, "log.left", number=error.left), language))
    return said


def trouble_lines(name: str, error: AuditError | OSError, language: str) -> list[str]:
    """What keeps a log of that name from being judged."""
    if isinstance(error, LogError):
        return error_lines(error, language)
    if language == "en":
        return [f"{name}: {error}"]
    if isinstance(error, AuditError):
        return [_in_file(name, error_words(error, language), language)]
    return [system_words(error, name, language)]


def error_words(error: AuditError, language: str) -> str:
    """An error in words, without the file that it is found in."""
    if fits := fits_of(error, language):
        return misfit_words(language, str(error.data()["found"]), str(error.data()["expected"]), fits)
    if language == "en":
        return str(error)
    match error:
        case PositionTextError():
            return _expecting(language, _word(language, "position-text", **error.data()), error.expected)
        case SetupError():
            return _of_setup(error, language)
        case LogError():
            return problem_words(error.problems[0], language) if error.problems else _word(language, "unread")
    return _named(error, language)


def fits_of(error: AuditError | Problem, language: str) -> Sequence[Fit]:
    """What would fit in a line that was typed, where the error knows it, in the words that its game has for it.

    Of a sheet in another language than English these are the words of its language.
    """
    fits: Sequence[Fit] = getattr(error, "fits", ())
    game: Ruleset[object] | None = getattr(error, "game", None)
    if not fits or game is None:
        return fits
    from replays.scoresheet.forms import fits_in

    own = str(getattr(error, "language", "en"))
    return fits_in(game, fits, language if own == "en" else own)


def misfit_words(language: str, found: str, expected: str, fits: Sequence[Fit]) -> str:
    """What was found in a line of a score sheet, and what would fit there."""
    from replays.scoresheet.forms import told_fits

    if language != "en" and found.startswith(DECODED):
        return _word(language, "unread")
    fitting = told_fits(language, fits, found) if fits else ""
    fitting = fitting or (expected if language == "en" else phrase(language, expected))
    found = phrase(language, found) if found == LINE_END else found
    if not fitting:
        return _word(language, "unread.found", found=found) if found else _word(language, "unread")
    return _word(language, "unread.fits", found=found, expected=fitting)


def system_words(error: OSError, name: str, language: str) -> str:
    """What the computer says of a file."""
    reason = error.strerror or str(error)
    if language == "en":
        return f"{name}: {reason}"
    return _in_file(name, phrase(language, reason) or reason, language)


def has_words(error: AuditError) -> bool:
    """Whether the language files have a sentence for errors of that kind."""
    return _key(error) in words(PACKAGE, "en", FILE)


def _named(error: AuditError, language: str) -> str:
    """The sentence of that kind of error, with the names that may have been meant."""
    if not has_words(error):
        return _word(language, "unread.found", found=str(error))
    data = error.data()
    told = {name: _told(name, value, language) for name, value in data.items()}
    if isinstance(several := data.get("found"), tuple | list) and several:
        return _word(language, "several", **{**told, "name": next(iter(told.values()))})
    key = f"{_key(error)}.unasked" if data.get("expected") == () else _key(error)
    said = " ".join([_word(language, key, **told), *_meant(data, language)])
    expected = data.get("expected")
    return _expecting(language, said, expected) if isinstance(expected, str) else said


def _told(name: str, value: object, language: str) -> object:
    """A fact of an error: several with commas between, and a phrase in the language. Names stay as they are."""
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return (phrase(language, value) or value) if name in _PHRASES else value


def _meant(data: Mapping[str, object], language: str) -> Iterator[str]:
    """The name that is nearest to an unknown one; where none is near, all there are."""
    known = data.get("known")
    names = tuple(map(str, known)) if isinstance(known, tuple | list) else ()
    near = str(data.get("near") or near_name(str(next(iter(data.values()), "")), names))
    if near:
        yield _word(language, "near", near=near)
    elif names:
        yield _word(language, "known", known=", ".join(names))


def _of_setup(error: SetupError, language: str) -> str:
    if error.found and error.found == error.near:
        return _word(language, "setup.twice", **error.data())
    if error.near:
        return _word(language, "setup.near", **error.data())
    if error.found:
        return _word(language, "setup.found", **error.data())
    return _expecting(language, _word(language, "setup", **error.data()), error.expected)


def problem_words(problem: Problem, language: str) -> str:
    """What cannot be read of a log or sheet: the line, the letter or field, and what the language has words for."""
    if language == "en":
        return problem.text
    column = problem.field.removeprefix(COLUMN) if problem.field.startswith(COLUMN) else ""
    found = phrase(language, problem.found) or problem.found
    data = {"line": problem.line, "column": column, "field": problem.field, "found": found}
    if column and (fits := fits_of(problem, language)):
        from replays.scoresheet.forms import told_fits

        told = told_fits(language, fits, problem.found)
        return f"{_word(language, 'log.column', **data).rstrip('.')}. {_word(language, 'expected', expected=told)}"
    if column:
        return _expecting(language, _word(language, "log.column", **data), problem.expected)
    key = ("log.field" if problem.line else "setup") if problem.field else "log.line" if problem.line else "unread"
    is_told = bool(phrase(language, problem.found)) or _NAME.fullmatch(problem.found)
    return _expecting(language, _word(language, key, **data), problem.expected, found if is_told else "")


def _expecting(language: str, said: str, expected: str, found: str = "") -> str:
    """What was said, with what was expected and found, as far as the language has words for it."""
    wanted = phrase(language, expected)
    more = [_word(language, "expected", expected=wanted)] if wanted else []
    more += [_word(language, "found", found=found)] if found else []
    return " ".join([f"{said.rstrip('.')}.", *more]) if more else said


def phrase(language: str, english: object) -> str:
    """An English phrase of an error in another language; empty where the language has none. A remark behind is lost."""
    if isinstance(english, Said):
        return in_language(english, language)
    if not isinstance(english, str):
        return ""
    if near := _NEAR.search(english):
        said = phrase(language, english[: near.start()])
        return said and f"{said} ({sentence(PACKAGE, language, 'fit_near', {'word': near[1]}, 'terminal')})"
    if found := _known(language, english):
        return found
    parts = [_part(language, each) for each in re.split(r" or |, ", english)]
    return alternatives(parts, language) if all(parts) else ""


def _part(language: str, english: str) -> str:
    """One of several things that were expected: a value or a word of the format as it stands, else a phrase."""
    if _NAME.fullmatch(english):
        return english
    if span := _SPAN.match(english):
        return sentence(PACKAGE, language, "fit_number_between", {"low": span[1], "high": span[2]}, "terminal")
    return _known(language, english)


def _known(language: str, english: str) -> str:
    """A phrase that the language has words for, with or without the remark behind it; else nothing."""
    known = words(PACKAGE, language, PHRASES)
    return known.get(english) or known.get(english.partition(" (")[0], "")


def _in_file(file: str, said: str, language: str) -> str:
    return _word(language, "in_file", file=phrase(language, file) or file, said=said)


def _key(error: AuditError) -> str:
    """`unknown-rule` for `UnknownRuleError`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", type(error).__name__.removesuffix("Error")).lower()


def _word(language: str, key: str, **data: object) -> str:
    return sentence(PACKAGE, language, key, data, FILE)
