"""Plain sentences of card texts: a file of each language words their forms, as regular expressions over small letters.

A text is read if every sentence of it fits a form. What it does then is for the game to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

Said = tuple[str, Mapping[str, str]]
"""A sentence that was read: its kind, and what stands in the named places of its form."""


class PlainSentences(Struct, frozen=True):
    """How one language words sentences that say all they do.

    forms: each kind of sentence with one of its forms.
    ends: where one sentence ends and the next begins.
    numbers: the numbers that are written as words.
    """

    forms: tuple[tuple[str, re.Pattern[str]], ...]
    ends: re.Pattern[str]
    numbers: Mapping[str, int]

    def split(self, text: str) -> list[str]:
        """The sentences of a text in small letters."""
        return [one for one in self.ends.split(text) if one]

    def read(self, sentences: Iterable[str]) -> list[Said] | None:
        """What these sentences say; None where one of them fits no form, or there is none."""
        found = [self._said(one) for one in sentences]
        return [one for one in found if one] if found and None not in found else None

    def number(self, word: str) -> int:
        """How many a word says, as a numeral of up to three digits or in letters; any other word counts as one."""
        return int(word) if word.isdecimal() and len(word) <= 3 else self.numbers.get(word, 1)

    def _said(self, sentence: str) -> Said | None:
        for kind, form in self.forms:
            if found := form.fullmatch(sentence):
                return kind, {name: said for name, said in found.groupdict().items() if said is not None}
        return None


def plain_sentences(words: Mapping[str, object], kinds: Sequence[str], parts: Mapping[str, str]) -> PlainSentences:
    """The sentences that a language file words: `kinds` are its lists of forms, `parts` what {…} stands for in them."""
    numbers = {word: n for n, group in enumerate(_listed(words, "numbers"), 1) for word in group.split()}
    parts = {**parts, "n": rf"(?P<n>{'|'.join(numbers)}|\d{{1,3}})"}

    def form(text: str) -> re.Pattern[str]:
        for name, part in parts.items():
            text = text.replace(f"{{{name}}}", part)
        return re.compile(text)

    forms = tuple([(kind, form(text)) for kind in kinds for text in _listed(words, kind)])
    return PlainSentences(forms, re.compile(rf"[.;!]+\s*|,? (?:{words['then']}) "), numbers)


def small_letters(text: str) -> str:
    """A text as the forms expect it: small letters, single spaces, plain apostrophes, no stop at its end."""
    return " ".join(text.casefold().replace("’", "'").split()).rstrip(".:!; ")


def _listed(words: Mapping[str, object], name: str) -> list[str]:
    found = words[name]
    return [str(one) for one in found] if isinstance(found, list) else []
