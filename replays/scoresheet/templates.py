"""The forms of the sentences that are told of events, and which of them a text may be, in each language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import count, pairwise

from msgspec import Struct

from audit.core.catalogue import LANGUAGES, words
from audit.core.model import Event
from audit.core.ruleset import Ruleset
from audit.core.typography import folded

LONGEST = 400
"""A longer line is no sentence of one event."""
MAX_WORDS = 6
"""So many words has the name of a card at most that nothing parts from what follows it."""
ENDS = " .!?\u00a0\u202f\n"
"""What may stand behind a sentence."""
_PLACE = re.compile(r"\\\{(\w+)\\\}")
_ELIDED = re.compile(r"(\b(?:d|qu))e (?=\\\{)")
_HYPHEN = re.compile(r"(?<=[^\W\d_])-(?=[^\W\d_])")


class Template(Struct, frozen=True):
    """One form of a sentence: in which language, its key, the event it tells of, and how it is recognized.

    Where two places stand side by side, a pattern each takes so many words for the first.
    """

    language: str
    key: str
    event: str
    patterns: tuple[re.Pattern[str], ...]
    places: tuple[str, ...]


@cache
def templates(game: Ruleset[object]) -> tuple[Template, ...]:
    """Those of all languages for the events of a game."""
    return tuple(
        _template(language, key, form)
        for language in LANGUAGES
        for key, told in words(game.catalogue.package, language, "sentences").items()
        if key.partition(".")[0] in game.rules.types
        for form in dict.fromkeys([told] if isinstance(told, str) else told.values())
    )


def _template(language: str, key: str, form: str) -> Template:
    """A place that stands twice has its number behind the second."""
    escaped = re.escape(plain_text(form)).replace(r"\ ", " ")
    if language == "fr":
        escaped = _ELIDED.sub(r"\1(?:e |['’])", escaped)
    places = [*_PLACE.finditer(escaped)]
    close = [at for at, (one, other) in enumerate(pairwise(places)) if escaped[one.end() : other.start()] == " "]
    patterns = [_pattern(escaped), *(_pattern(escaped, at, most) for at in close for most in range(2, MAX_WORDS + 1))]
    return Template(language, key, key.partition(".")[0], tuple(patterns), tuple(place[1] for place in places))


def _pattern(escaped: str, at: int = -1, number: int = 1) -> re.Pattern[str]:
    """How a form is recognized; what stands in one of its places may have a given number of words."""
    places = count()

    def place(found: re.Match[str]) -> str:
        this = next(places)
        said = rf"\S+(?: \S+){{{number - 1}}}" if this == at else ".+?"
        return f"(?P<p{this}>{said})"

    return re.compile(_PLACE.sub(place, escaped), re.DOTALL)


@lru_cache(maxsize=8192)
def plain_text(text: str) -> str:
    """A text as it is compared: small letters without accents, one blank between words, nothing at its end.

    A hyphen between words is a blank, and the sign of a number below zero a hyphen.
    """
    plain = folded(text).replace("’", "'").replace("\N{MINUS SIGN}", "-")
    return _HYPHEN.sub(" ", " ".join(plain.split())).rstrip(ENDS)


def is_like_sentence(game: Ruleset[object], text: str) -> bool:
    """Whether a text has the form of a sentence of that game, whatever it names."""
    return len(text) <= LONGEST and bool(fitting(game, plain_text(text)))


def told_kinds(game: Ruleset[object], text: str) -> list[type[Event]]:
    """The types of the events that are told in such words: by the sentences that have most of those words."""
    found = fitting(game, plain_text(text)) if len(text) <= LONGEST else []
    left = {one: sum(map(len, match.groups())) for one, match in found}
    least = min(left.values(), default=0)
    return list(dict.fromkeys(game.rules.types[one.event] for one in left if left[one] == least))


def fitting(game: Ruleset[object], said: str) -> list[tuple[Template, re.Match[str]]]:
    """The templates that may have become these words."""
    found = ((one, match) for one in templates(game) if (match := one.patterns[0].fullmatch(said)))
    return [each for one, match in found for each in ((one, match), *_matches(one, said))]


def _matches(template: Template, said: str) -> Iterator[tuple[Template, re.Match[str]]]:
    """The other ways in which a template may have become these words."""
    yield from ((template, match) for one in template.patterns[1:] if (match := one.fullmatch(said)))
