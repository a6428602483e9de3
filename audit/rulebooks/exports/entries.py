"""What all formats carry: a unit with its texts by language and its notes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from xml.etree import ElementTree as ET
from xml.parsers import expat

from msgspec import Struct

from audit.core.errors import AuditError
from audit.rulebooks.findings import Finding, Severity
from audit.rulebooks.linked import LINKED
from audit.rulebooks.matrix import is_of_a_pair
from audit.rulebooks.report import who
from audit.rulebooks.segments import Unit

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
XML_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
PRIORITY = {Severity.CHANGES: "1", Severity.MISLEADS: "4", Severity.COSMETIC: "8"}
"""How urgent a finding is, from 1 to 10, as XLIFF counts."""


class ExchangeError(AuditError):
    """A file of translators cannot be read: the format it should be, and what is wrong with it."""

    def __init__(self, format: str, why: str) -> None:
        super().__init__(f"this cannot be read as {format}: {why}")
        self.format = format
        self.why = why


class Note(Struct, frozen=True):
    """A finding as a note: how grave, the two languages it is about, and what differs."""

    severity: Severity
    languages: tuple[str, ...]
    text: str


class Entry(Struct, frozen=True):
    """A unit to exchange: id, rules, the text of each language, notes."""

    id: str
    rules: tuple[str, ...]
    texts: dict[str, str]
    notes: tuple[Note, ...] = ()


def entries(units: Iterable[Unit], findings: Iterable[Finding] = (), language: str = "en") -> list[Entry]:
    """The linked passages of the loaded documents, with the findings on them worded in `language`."""
    told = [(one, _note(one, language)) for one in findings]
    return [
        Entry(unit.id, unit.segment.rules, texts, tuple(note for one, note in told if _is_on(one, unit)))
        for unit in units
        if (texts := {code: side.text for code, side in unit.sides.items() if side.sentences})
    ]


def _note(finding: Finding, language: str) -> Note:
    said = " ".join([finding.message(language), *who(finding, language)])
    return Note(finding.severity, finding.languages, said)


def _is_on(finding: Finding, unit: Unit) -> bool:
    """Whether a finding is on a unit; one on passages that people linked is on the unit of its rule."""
    if not unit.id.endswith(LINKED):
        return finding.segment == unit.id
    is_of_place = is_of_a_pair(finding.segment) and finding.rule in unit.segment.rules
    return is_of_place and {*finding.languages} <= unit.sides.keys()


def notes_between(entry: Entry, *languages: str) -> list[Note]:
    """The notes that are about these languages alone."""
    return [note for note in entry.notes if set(note.languages) <= set(languages)]


def changed(before: Sequence[Entry], after: Sequence[Entry]) -> list[tuple[str, str, str, str]]:
    """What a translator changed: id, language, text before, text after; ids that were not exported are left out."""
    known = {entry.id: entry for entry in before}
    return [
        (entry.id, language, known[entry.id].texts.get(language, ""), text)
        for entry in after
        if entry.id in known
        for language, text in entry.texts.items()
        if text != known[entry.id].texts.get(language, "")
    ]


def parsed(data: bytes, format: str, root: str) -> ET.Element:
    """The root element of an XML file; raises `ExchangeError` if it is broken, another format, or defines entities."""
    try:
        _refuse_entities(data, format)
        found = ET.fromstring(data)
    except (ET.ParseError, expat.ExpatError) as error:
        raise ExchangeError(format, str(error)) from None
    if local(found) != root:
        raise ExchangeError(format, f"it begins with <{local(found)}>, not with <{root}>")
    return found


def local(element: ET.Element) -> str:
    """The name of an element without its namespace."""
    return element.tag.rsplit("}", 1)[-1]


def text_of(element: ET.Element | None) -> str:
    """All text inside an element, its inline elements included."""
    return "".join(element.itertext()) if element is not None else ""


def document(root: ET.Element, doctype: str = "") -> bytes:
    """An XML file, indented; text inside an element is not touched."""
    ET.indent(root)
    head = '<?xml version="1.0" encoding="UTF-8"?>\n' + doctype
    return (head + ET.tostring(root, encoding="unicode") + "\n").encode()


def severity_of(value: str) -> Severity:
    """A severity by its name; one that is unknown is cosmetic."""
    return Severity(value) if value in set(Severity) else Severity.COSMETIC


def printable(text: str) -> str:
    """Text without characters that XML 1.0 does not allow."""
    return "".join(letter for letter in text if letter >= " " or letter in "\t\n\r")


def by_language(texts: Mapping[str, str], languages: Sequence[str]) -> list[tuple[str, str]]:
    """Texts in the order of the languages asked for; all if none is asked for."""
    return [(code, texts[code]) for code in (languages or list(texts)) if code in texts]


def _refuse_entities(data: bytes, format: str) -> None:
    def refuse(*_: object) -> None:
        raise ExchangeError(format, "it defines entities, which no such file needs")

    parser = expat.ParserCreate()
    parser.EntityDeclHandler = refuse
    parser.Parse(data, True)
