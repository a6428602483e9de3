"""Reads the text of a file from its bytes: its format, its encoding, and what had to be assumed."""

from __future__ import annotations

import importlib
import io
import logging
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Literal, Protocol, cast

from msgspec import Struct

from audit.rulebooks import errors
from audit.rulebooks.formats.office import office_text
from audit.rulebooks.formats.pdf_layout import Piece, laid_out
from audit.rulebooks.formats.web_page import declared_encoding, is_web_page, page_text

MAX_BYTES = 20_000_000
"""Bytes. The thickest rulebooks are a tenth of it."""

FEWEST_LETTERS_A_PAGE = 10

LEAST_PLAUSIBLE = 0.5
"""The share of usual letters beyond ASCII below which a guessed encoding is taken for a wrong one."""

FEWEST_GARBLED, MANY_GARBLED = 3, 0.3
"""So many words with letters beyond ASCII, and so great a share of them, garble a whole document."""

_SIGNATURES = {
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"\xd0\xcf\x11\xe0": "an old Office document",
    b"\x1f\x8b": "a gzip archive",
    b"\x7fELF": "a program",
    b"MZ": "a program",
}
_MARKS = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
_POLISH = frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻ„”–—…§ °©")
_WESTERN = frozenset("àâäçéèêëîïôöùûüÿœæÀÂÇÉÈÊËÎÏÔÙÛÜŒìòÌÒ«»’‘“•·€")
_EUROPEAN = _POLISH | _WESTERN | frozenset("ßÄÖáíñúãõÁÍÑÚÃÕ¡¿")
_MARKDOWN = re.compile(r"^(?:#{1,6}\s|\s*[-*]\s+\*\*|```|\|.+\|$)", re.MULTILINE)
_WORDS = re.compile(r"\S+")
_CONTROL = frozenset(chr(code) for code in range(32)) - frozenset("\t\n\r\f\v\x1a")

Format = Literal["text", "markdown", "html", "docx", "odt", "pdf"]


class Read(Struct, frozen=True):
    """A document's text; `assumed` says that the encoding was guessed and not declared or certain."""

    text: str
    format: Format
    encoding: str
    assumed: bool = False
    pages: int = 0


def read(data: bytes, name: str, encoding: str = "", language: str = "") -> Read:
    """The text of a file; raises a `RulebookError` that says in one line why there is none.

    `encoding` overrides what would be detected; `language` helps to tell one-byte encodings apart.
    """
    if len(data) > MAX_BYTES:
        raise errors.TooLargeError(name, len(data), MAX_BYTES)
    if not data.strip(b"\x00 \t\r\n"):
        raise errors.EmptyDocumentError(name)
    if data[:1024].lstrip().startswith(b"%PDF"):
        return _pdf(data, name)
    if data.startswith(b"PK\x03\x04"):
        text, kind = office_text(data, name, MAX_BYTES)
        return Read(_checked(text, name), "docx" if kind == "docx" else "odt", "utf-8")
    for start, kind in _SIGNATURES.items():
        if data.startswith(start):
            raise errors.BinaryDocumentError(name, kind)
    page = is_web_page(data)
    text, used, assumed = decoded(data, name, encoding or (declared_encoding(data) if page else ""), language)
    if page:
        return Read(_checked(page_text(text), name), "html", used, assumed)
    return Read(_checked(text, name), "markdown" if _is_markdown(text, name) else "text", used, assumed)


def decoded(data: bytes, name: str, encoding: str = "", language: str = "") -> tuple[str, str, bool]:
    """The text, its encoding, and whether that was assumed; raises a `RulebookError` where it is no text."""
    if encoding:
        return _as(data, name, encoding), encoding, False
    for mark, declared in _MARKS.items():
        if data.startswith(mark):
            return _as(data, name, declared), declared.removesuffix("-sig"), False
    if wide := _wide(data):
        return _as(data, name, wide), wide, True
    if b"\x00" in data:
        raise errors.BinaryDocumentError(name)
    try:
        return _sound(data.decode("utf-8"), name), "utf-8", False
    except UnicodeDecodeError:
        return _one_byte(data, name, language)


def _as(data: bytes, name: str, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        raise errors.EncodingError(name, (encoding,)) from None


def _wide(data: bytes) -> str:
    """UTF-16 without a mark: every other byte of European text is zero."""
    sample = data[:4096]
    half = max(1, len(sample) // 2)
    if sample[1::2].count(0) > half * 0.8:
        return "utf-16-le"
    return "utf-16-be" if sample[0::2].count(0) > half * 0.8 else ""


def _one_byte(data: bytes, name: str, language: str) -> tuple[str, str, bool]:
    """Central European where that gives Polish letters, else Western European."""
    if sum(byte < 9 or 13 < byte < 32 for byte in data) > len(data) * 0.01:
        raise errors.BinaryDocumentError(name)
    tried = ("cp1252", "cp1250", "iso-8859-2", "latin-1")
    if language == "pl":
        tried = ("cp1250", "iso-8859-2", "cp1252", "latin-1")
    readable = {encoding: text for encoding in tried if (text := _or_nothing(data, encoding))}
    if not readable:
        raise errors.EncodingError(name, ("utf-8", *tried))
    best = max(readable, key=lambda encoding: (_plausible(readable[encoding]), -tried.index(encoding)))
    if _plausible(readable[best], _EUROPEAN) < LEAST_PLAUSIBLE:
        raise errors.GarbledError(name, _odd_word(readable[best]), best)
    return _sound(readable[best], name, best), best, True


def _sound(text: str, name: str, read_as: str = "") -> str:
    """The text, unless much of it would be other letters if its bytes had not been taken for those of `read_as`."""
    beyond = [word for word in _WORDS.findall(text) if not word.isascii()]
    garbled = [word for word in beyond if _was_utf8(word, read_as)]
    if len(garbled) >= FEWEST_GARBLED and len(garbled) > len(beyond) * MANY_GARBLED:
        raise errors.GarbledError(name, garbled[0], read_as)
    return text


def _was_utf8(word: str, read_as: str) -> bool:
    for encoding in (read_as,) if read_as else ("cp1252", "latin-1", "cp1250", "mac-roman"):
        try:
            if word.encode(encoding).decode("utf-8") != word:
                return True
        except UnicodeError:
            continue
    return False


def _odd_word(text: str) -> str:
    odd = frozenset(letter for letter in text if ord(letter) > 127) - _EUROPEAN
    word = next((word for word in _WORDS.findall(text) if odd & frozenset(word)), "")
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in word)


def _or_nothing(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return ""


def _plausible(text: str, usual: frozenset[str] = _POLISH | _WESTERN) -> float:
    """The share of the letters beyond ASCII that are usual: those of a French, Italian or Polish text."""
    beyond = [letter for letter in text if ord(letter) > 127]
    return sum(letter in usual for letter in beyond) / max(1, len(beyond))


def _checked(text: str, name: str) -> str:
    if sum(letter in _CONTROL for letter in text) > len(text) * 0.005:
        raise errors.BinaryDocumentError(name)
    if not any(letter.isalpha() for letter in text):
        raise errors.EmptyDocumentError(name)
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n")).replace("\x1a", "")


def _is_markdown(text: str, name: str) -> bool:
    return name.lower().endswith((".md", ".markdown")) or len(_MARKDOWN.findall(text)) >= 5


Matrix = Sequence[float]
Visitor = Callable[[str, Matrix, Matrix, object, float], None]


class _Page(Protocol):
    def extract_text(self, *, visitor_text: Visitor) -> str: ...


class _Reader(Protocol):
    is_encrypted: bool
    pages: list[_Page]

    def decrypt(self, password: str) -> int: ...


def _pdf(data: bytes, name: str) -> Read:
    try:
        library = importlib.import_module("pypdf")
        logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    except ImportError:
        raise errors.MissingExtraError(name, "pypdf") from None
    try:
        reader = cast(_Reader, library.PdfReader(io.BytesIO(data)))
        if reader.is_encrypted and not reader.decrypt(""):
            raise errors.EncryptedPdfError(name)
        pages = [_pieces(page) for page in reader.pages]
    except errors.EncryptedPdfError:
        raise
    except Exception as error:  # the library has no one base of all that a broken file makes it raise
        raise errors.BrokenPdfError(name, str(error)[:120] or type(error).__name__) from None
    text = laid_out(pages)
    if sum(letter.isalpha() for letter in text) < FEWEST_LETTERS_A_PAGE * max(1, len(pages)):
        raise errors.ImagePdfError(name, len(pages))
    return Read(_checked(text, name), "pdf", "pdf", pages=len(pages))


def _pieces(page: _Page) -> list[Piece]:
    """The pieces of text of a page with their places."""
    found: list[Piece] = []

    def visit(text: str, frame: Matrix, place: Matrix, _: object, size: float) -> None:
        x = place[4] * frame[0] + place[5] * frame[2] + frame[4]
        y = place[4] * frame[1] + place[5] * frame[3] + frame[5]
        scale = abs(place[3] * frame[3]) or abs(place[0] * frame[0]) or 1.0
        lines = [line for line in text.split("\n") if line.strip()]
        found.extend(Piece(x, y - number * size * scale, size * scale, line) for number, line in enumerate(lines))

    page.extract_text(visitor_text=visit)
    return found
