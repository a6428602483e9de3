"""Errors of loading a document and of comparing documents. The text of each is one line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit.core.catalogue import LANGUAGES
from audit.core.errors import AuditError


class RulebookError(AuditError):
    """Base of all that can be wrong with a document; `name` is the file's name."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(f"{name}: {said}")
        self.name = name


class EmptyDocumentError(RulebookError):
    """There is no word in it."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "the document is empty")


class BinaryDocumentError(RulebookError):
    """It is no text: `looks_like` names the format where its first bytes tell it."""

    def __init__(self, name: str, looks_like: str = "") -> None:
        kind = f" ({looks_like})" if looks_like else ""
        super().__init__(
            name, f"this is no text but binary data{kind}; load plain text, Markdown, HTML, DOCX, ODT or a PDF"
        )
        self.looks_like = looks_like


class TooLargeError(RulebookError):
    """It is larger than a rulebook can be."""

    def __init__(self, name: str, size: int, limit: int) -> None:
        super().__init__(name, f"{size / 1e6:.1f} MB is more than the {limit / 1e6:.0f} MB allowed for a rulebook")
        self.size = size
        self.limit = limit


class EncodingError(RulebookError):
    """No encoding makes text of it, or not the one that was asked for."""

    def __init__(self, name: str, tried: tuple[str, ...]) -> None:
        super().__init__(name, f"cannot be read as {', '.join(tried)}; save it as UTF-8")
        self.tried = tried


class GarbledError(RulebookError):
    """Its letters were garbled when somebody saved it in the wrong encoding; `looks` is a word of it as it stands."""

    def __init__(self, name: str, looks: str, read_as: str = "") -> None:
        said = f"read as {read_as}, its letters" if read_as else "its letters"
        super().__init__(
            name,
            f"{said} are garbled (“{looks}”); say its --encoding, or save it as UTF-8; nothing was stored",
        )
        self.looks = looks
        self.read_as = read_as


class EncryptedPdfError(RulebookError):
    """A PDF that asks for a password."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "the PDF is protected by a password; save it without one")


class ImagePdfError(RulebookError):
    """A PDF whose pages are pictures."""

    def __init__(self, name: str, pages: int) -> None:
        count = "its one page" if pages == 1 else f"its {pages} pages"
        super().__init__(name, f"the PDF has no text layer on {count}; run it through OCR first")
        self.pages = pages


class BrokenPdfError(RulebookError):
    """A PDF that cannot be opened."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, f"the PDF cannot be read, it is damaged or cut off ({reason})")
        self.reason = reason


class BrokenOfficeError(RulebookError):
    """A file of a word processor that cannot be opened."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(name, f"the document cannot be read, it is damaged or cut off ({reason})")
        self.reason = reason


class MissingExtraError(RulebookError):
    """A library of the optional extra `rulebooks` is needed and not installed."""

    def __init__(self, name: str, library: str) -> None:
        super().__init__(name, f"this needs {library}: pip install 'audit[rulebooks]'")
        self.library = library


class WrongLanguageError(RulebookError):
    """It is written in another language than was said."""

    def __init__(self, name: str, said: str, detected: str, confidence: float) -> None:
        super().__init__(
            name,
            f"said to be {_language(said)}, but the text reads like {_language(detected)} ({confidence:.0%} sure); "
            "nothing was stored",
        )
        self.said = said
        self.detected = detected
        self.confidence = confidence


class NoLanguageError(RulebookError):
    """What was said to be its language is no language."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(name, f"{said!r} is no language; say it by its code, such as fr, it, pl, en or de")
        self.said = said


class UnknownLanguageError(RulebookError):
    """Nobody said the language, and it could not be told."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "its language cannot be told; say it with --lang")


class NothingLinkedError(RulebookError):
    """It was called by the name of a known document and has none of its passages."""

    def __init__(self, name: str, document: str, passages: int) -> None:
        super().__init__(
            name,
            f"none of its {passages} passages is one of {document}; is it the right file? nothing was stored",
        )
        self.document = document
        self.passages = passages


class OtherDocumentError(RulebookError):
    """It was called by the name of a known document and is an edition of another one."""

    def __init__(self, name: str, document: str, recognised: str) -> None:
        super().__init__(
            name, f"its sentences are those of {recognised}, not of {document}; load it as that; nothing was stored"
        )
        self.document = document
        self.recognised = recognised


class UnknownRulebookError(RulebookError):
    """No document of that id is loaded, or not that edition."""

    def __init__(self, document: str, known: tuple[str, ...]) -> None:
        there = f"; there are {', '.join(known)}" if known else "; no rulebook is loaded"
        super().__init__(document, f"this rulebook is not loaded{there}")
        self.document = document
        self.known = known


class UnknownEditionError(UnknownRulebookError):
    """A document is loaded, and not in that edition."""

    def __init__(self, document: str, edition: str, known: tuple[str, ...]) -> None:
        said = f"no loaded edition begins with {edition!r}; there are {', '.join(known)}"
        RulebookError.__init__(self, document, said)
        self.document = document
        self.edition = edition
        self.known = known


class DocumentIdError(RulebookError):
    """The id asked for is no id."""

    def __init__(self, document: str) -> None:
        super().__init__(document or "''", "an id is small letters, digits and dashes, such as compile-faq-fr")
        self.document = document


class UnknownPassageError(RulebookError):
    """A rulebook has no passage of that id."""

    def __init__(self, document: str, passage: str) -> None:
        super().__init__(document, f"has no passage {passage!r}")
        self.document = document
        self.passage = passage


def _language(code: str) -> str:
    """A language by its English name and its code."""
    from babel import Locale, UnknownLocaleError  # it takes a while to load, and few rulebooks are refused

    try:
        return f"{Locale.parse(code).english_name} ({code})"
    except (UnknownLocaleError, ValueError):
        return code


class NothingToCompareError(AuditError):
    """A game is published in one language, or not in one that was asked for."""

    def __init__(self, game: str, published: Sequence[str], wanted: Sequence[str] = ()) -> None:
        there = ", ".join(published)
        if wanted:
            said = f"{game} is published in {there}; there is no edition in {', '.join(wanted)}"
        else:
            said = f"{game} is published in one language only ({there}); there is nothing to compare it with"
            said += ", unless an earlier edition of it is loaded as well"
        super().__init__(said)
        self.game = game
        self.published = tuple(published)
        self.wanted = tuple(wanted)


class NothingLoadedError(AuditError):
    """Fewer than two of a game's documents are loaded, so that nothing can be compared: which ones are missing."""

    def __init__(self, game: str, missing: Mapping[str, str]) -> None:
        listed = "; ".join(f"audit rulebook add FILE --as {name} --lang {code}" for code, name in missing.items())
        super().__init__(f"nothing of {game} can be compared: load two of its documents or more, with: {listed}")
        self.game = game
        self.missing = dict(missing)


class NoStatementsError(AuditError):
    """Our own statements of the rules are not there in a language that was asked for."""

    def __init__(self, language: str) -> None:
        there = ", ".join(LANGUAGES)
        super().__init__(f"our own statements of the rules are there in {there}, and not in {language}")
        self.language = language
