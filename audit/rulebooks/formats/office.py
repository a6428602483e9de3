"""The text of a DOCX or ODT file: its headings, list entries and paragraphs, each on a line of its own.

Both are ZIP archives with one XML part that holds the text. What was deleted with changes tracked, and what was noted
in the margin, is no text of the document.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree as ET
from xml.parsers import expat

from audit.rulebooks.errors import BinaryDocumentError, BrokenOfficeError, TooLargeError

_PARTS = {"word/document.xml": "docx", "content.xml": "odt"}
_SKIPPED = frozenset({"del", "moveFrom", "tracked-changes", "annotation", "footnote", "note", "instrText", "delText"})
_BREAKS = {"tab": " ", "br": "\n", "line-break": "\n", "s": " ", "cr": "\n"}
_DEEPEST = 6


def office_text(data: bytes, name: str, most: int) -> tuple[str, str]:
    """The text and the format; raises `BinaryDocumentError` for another archive, `BrokenOfficeError` if broken."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            part = next((part for part in _PARTS if part in archive.namelist()), "")
            if not part:
                raise BinaryDocumentError(name, "a ZIP archive that is neither DOCX nor ODT")
            size = archive.getinfo(part).file_size
            if size > most:
                raise TooLargeError(name, size, most)
            root = _parsed(archive.read(part))
    except (zipfile.BadZipFile, ET.ParseError, expat.ExpatError, NotImplementedError, RuntimeError, OSError) as error:
        raise BrokenOfficeError(name, str(error)[:120] or type(error).__name__) from None
    return "\n\n".join(filter(None, _blocks(root))), _PARTS[part]


def _parsed(data: bytes) -> ET.Element:
    """The root element; entities of its own, which could blow it up, are refused."""
    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise expat.ExpatError("it defines entities")

    parser.EntityDeclHandler = refuse
    parser.Parse(data, True)
    return ET.fromstring(data)


def _blocks(root: ET.Element, listed: bool = False) -> Iterator[str]:
    """Each heading, list entry and paragraph, marked as in Markdown."""
    for element in root:
        kind = _local(element)
        if kind in _SKIPPED:
            continue
        if kind in ("p", "h"):
            yield _marked(element, listed)
        else:
            yield from _blocks(element, listed or kind == "list-item")


def _marked(element: ET.Element, listed: bool) -> str:
    text = " ".join("".join(_pieces(element)).split())
    level = _level(element)
    if not text or not level:
        return f"- {text}" if text and (listed or _is_entry(element)) else text
    return f"{'#' * min(level, _DEEPEST)} {text}"


def _pieces(element: ET.Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        kind = _local(child)
        if kind not in _SKIPPED:
            yield _BREAKS.get(kind, "")
            yield from _pieces(child)
        yield child.tail or ""


def _level(element: ET.Element) -> int:
    """The level of a heading; 0 for a paragraph."""
    if _local(element) == "h":
        return int(_attribute(element, "outline-level") or 1)
    style = next((_attribute(one, "val") for one in element.iter() if _local(one) == "pStyle"), "")
    outline = next((_attribute(one, "val") for one in element.iter() if _local(one) == "outlineLvl"), "")
    if outline.isdigit():
        return int(outline) + 1
    number = "".join(letter for letter in style if letter.isdigit())
    head = style.rstrip("0123456789 ").casefold()
    if head in ("title", "titre", "titolo", "tytu", "tytul"):
        return int(number or 1)
    return int(number or 0) if head in _HEADINGS else 0


_HEADINGS = frozenset(
    {"heading", "überschrift", "berschrift", "titre", "titolo", "nagwek", "nagłówek", "ttulo", "título"}
)


def _is_entry(element: ET.Element) -> bool:
    """A paragraph of a Word file with a number or a bullet."""
    return any(_local(one) == "numPr" for one in element.iter())


def _attribute(element: ET.Element, name: str) -> str:
    return next((value for key, value in element.attrib.items() if key.rsplit("}", 1)[-1] == name), "")


def _local(element: ET.Element) -> str:
    return element.tag.rsplit("}", 1)[-1]
