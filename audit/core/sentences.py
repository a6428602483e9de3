"""Whole sentences from language files: named placeholders, plural forms, never put together from fragments.

A sentence is a string, or a table of plural forms (`one`, `few`, `many`, `other`) chosen by the number in `{n}`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import Literal, TypeVar
from unicodedata import normalize

from msgspec import to_builtins
from msgspec.structs import replace

from audit.core.catalogue import FIRST_EDITION, words
from audit.core.event_rules import Violation, own_fields
from audit.core.files import package_folder
from audit.core.model import Event, type_name
from audit.core.names import BY_SEAT, Players
from audit.core.record_events import RecordEvent
from audit.core.ruleset import Ruleset

S = TypeVar("S")

Sentence = str | Mapping[str, str]


def _english(n: int) -> str:
    return "one" if n == 1 else "other"


def _french(n: int) -> str:
    return "one" if n < 2 else "other" if n % 1_000_000 else "many"


def _italian(n: int) -> str:
    return "one" if n == 1 else "many" if n and n % 1_000_000 == 0 else "other"


def _polish(n: int) -> str:
    return "one" if n == 1 else "few" if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else "many"


PLURAL_RULES: Mapping[str, Callable[[int], str]] = {"en": _english, "fr": _french, "it": _italian, "pl": _polish}
"""The plural forms of whole numbers from 0 on, as the Unicode CLDR has them. Loading a locale takes longer."""


def sentence(package: str, language: str, key: str, data: Mapping[str, object], file: str = "sentences") -> str:
    """The sentence of that key in that language, with the data's values in its places.

    Falls back to the shorter key (`played.line` to `played`), then to the key itself, so that a missing
    translation shows a key instead of raising an error.
    """
    table: Mapping[str, Sentence] = words(package, language, file)
    for candidate in _shorter(key):
        if (found := table.get(candidate)) is not None:
            form = _form(found, language, data)
            return (_elided(form, data) if language == "fr" else form).format_map(_Named(data))
    return key


_ELIDING = re.compile(r"\b(d|D|qu|Qu)e \{(\w+)\}")


def _elided(form: str, data: Mapping[str, object]) -> str:
    """A French sentence with d' and qu' before the names that begin with a vowel; letters keep de and que."""
    return _ELIDING.sub(lambda found: _before_name(found, data.get(found[2])), form) if "e {" in form else form


def _before_name(found: re.Match[str], name: object) -> str:
    begins = normalize("NFD", name[:1]).casefold()[:1] if isinstance(name, str) and len(name) > 1 else ""
    return f"{found[1]}'{{{found[2]}}}" if begins and begins in "aeiou" else found[0]


def tell(
    ruleset: Ruleset[S],
    event: Event,
    language: str,
    places: Mapping[str, str] = {},
    players: Players = BY_SEAT,
    key: str = "",
) -> str:
    """The sentence of an event. Cards without a name are told by these places, by their handles.

    `key` is that of the event at its position (`Wording.key_at`), where that is known.
    """
    if isinstance(event, RecordEvent):
        return sentence("audit.core", language, type_name(type(event)), to_builtins(event), "record")
    if places:
        fields = {name: getattr(event, name) for name in own_fields(type(event))}
        event = replace(event, **placed(fields, places))
    return sentence(
        ruleset.catalogue.package,
        language,
        key or ruleset.wording.sentence_key(event),
        ruleset.wording.event_words(event, language, players),
    )


def placed(data: Mapping[str, object], places: Mapping[str, str]) -> dict[str, object]:
    """Those of the values that speak of cards without a name, with these by their places."""
    found = {
        key: tuple(_placed(one, places) for one in value) if isinstance(value, tuple) else _placed(value, places)
        for key, value in data.items()
    }
    return {key: value for key, value in found.items() if value != data[key]}


def _placed(value: object, places: Mapping[str, str]) -> object:
    return places.get(value, value) if isinstance(value, str) else value


def violation_sentence(
    ruleset: Ruleset[S], violation: Violation, language: str, places: Mapping[str, str] = {}, players: Players = BY_SEAT
) -> str:
    """The sentence of a violation; never that of an event whose name is the same as its key."""
    if places:
        violation = replace(violation, data={**violation.data, **placed(violation.data, places)})
    if violation.key in words("audit.core", language, "record"):
        data = ruleset.wording.finding_words(violation.data, language, players) if violation.rule.id else violation.data
        return sentence("audit.core", language, violation.key, data, "record")
    table = words(ruleset.catalogue.package, language, "sentences")
    known = (key for key in _shorter(violation.key) if key in table and key not in ruleset.rules.types)
    key = next(known, "unexpected")
    data = ruleset.wording.finding_words(violation.data, language, players)
    return sentence(ruleset.catalogue.package, language, key, data)


def edition_words(name: str, language: str) -> str:
    """An edition as it is called: by its date, and the first one by what it is."""
    return sentence("audit.core", language, "edition.first", {}, "record") if name == FIRST_EDITION else name


def switch_sentence(ruleset: Ruleset[S], name: str, language: str) -> str:
    """What a switch of a reading turns on, as a sentence; empty where the game does not say."""
    package, key = ruleset.catalogue.package, f"switch.{name}"
    if not has_file(package, language, "position") or key not in words(package, language, "position"):
        return ""
    return sentence(package, language, key, {}, "position")


def has_file(package: str, language: str, file: str) -> bool:
    """Whether a game has that file of words in that language."""
    return package_folder(package).joinpath("text", language, f"{file}.toml").is_file()


def _shorter(key: str) -> list[str]:
    return [*accumulate(key.split("."), "{}.{}".format)][::-1]


def _form(found: Sentence, language: str, data: Mapping[str, object]) -> str:
    if isinstance(found, str):
        return found
    n = data.get("n", 0)
    form = _plural(language, n if isinstance(n, int) else 0)
    return found.get(form) or found.get("other") or next(iter(found.values()))


_AND = {"en": ("{} and {}", "{}, and {}"), "fr": ("{} et {}",) * 2, "it": ("{} e {}",) * 2, "pl": ("{} i {}",) * 2}
"""How a list of two ends, and how a longer one, as the Unicode CLDR has it."""


_OR: Mapping[str, tuple[str, str]] = {
    "en": ("{} or {}", "{}, or {}"), "fr": ("{} ou {}", "{} ou {}"), "it": ("{} o {}", "{} o {}"),
    "pl": ("{} lub {}", "{} lub {}"),
}  # fmt: skip
"""The same of a list of which one is meant."""


def listed(names: Sequence[str], language: str) -> str:
    """Names as a sentence lists them: "A, B, and C"."""
    return _joined(names, language, _AND, "standard")


def alternatives(names: Sequence[str], language: str) -> str:
    """Names of which one is meant: "A, B, or C"."""
    return _joined(names, language, _OR, "or")


def _joined(
    names: Sequence[str], language: str, ends: Mapping[str, tuple[str, str]], style: Literal["standard", "or"]
) -> str:
    if len(names) < 2:
        return "".join(names)
    if language not in ends:
        from babel.lists import format_list

        return format_list(names, style, language)
    return ends[language][len(names) > 2].format(", ".join(names[:-1]), names[-1])


@cache
def _plural(language: str, n: int) -> str:
    if own := PLURAL_RULES.get(language):
        return own(abs(n))
    from babel import Locale

    return str(Locale.parse(language).plural_form(n))


class _Named(dict[str, object]):
    """A placeholder without a value stays readable."""

    def __missing__(self, key: str) -> str:
        return "…"
