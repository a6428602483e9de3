"""A sentence that is a text in English, as programs read it, and can be said in the other languages too."""

from __future__ import annotations

PACKAGE = "replays"


class Said(str):
    """What a check says: its English words, and by its key and what is named in it the words of any language."""

    __slots__ = ("data", "key")
    file = "verify"
    key: str
    data: dict[str, object]

    def __new__(cls, key: str, /, **data: object) -> Said:
        """The sentence of that key in the file of its kind."""
        found = super().__new__(cls, _words("en", key, data, cls.file))
        found.key, found.data = key, data
        return found


class GameTitle(Said):
    """A game as it is called, by the name of its ruleset; one that has no title here keeps that name."""

    __slots__ = ()
    file = "games"


def in_language(said: object, language: str) -> str:
    """What is said, in that language; several things as a list, and what is nothing but a text as it stands."""
    if isinstance(said, Said):
        return str(said) if language == "en" else _words(language, said.key, said.data, said.file)
    if isinstance(said, tuple):
        from audit.core.sentences import listed

        return listed([in_language(each, language) for each in said], language)
    return str(said)


def _words(language: str, key: str, data: dict[str, object], file: str) -> str:
    from audit.core.sentences import sentence

    return sentence(PACKAGE, language, key, {name: _told(name, value, language) for name, value in data.items()}, file)


def _told(name: str, value: object, language: str) -> object:
    """Something named in a sentence. A count stays a number, which decides the form; a reason may be a known phrase."""
    if isinstance(value, int):
        return value
    if name == "reason" and language != "en" and not isinstance(value, Said):
        from replays.error_words import phrase

        return phrase(language, value) or value
    return in_language(value, language)
