"""TMX 1.4: linked passages as a translation memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from audit.rulebooks.exports.entries import (
    XML_LANG,
    Entry,
    Note,
    by_language,
    document,
    local,
    parsed,
    printable,
    severity_of,
    text_of,
)  # fmt: skip

_DOCTYPE = '<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'


def write_tmx(found: Iterable[Entry], languages: Sequence[str] = ()) -> bytes:
    """A memory with one unit a segment; the rules as properties, the findings as notes."""
    root = ET.Element("tmx", version="1.4")
    ET.SubElement(
        root, "header", creationtool="audit", creationtoolversion="1", segtype="block", adminlang="en",
        srclang="*all*", datatype="plaintext", attrib={"o-tmf": "audit"},
    )  # fmt: skip
    body = ET.SubElement(root, "body")
    for entry in found:
        unit = ET.SubElement(body, "tu", tuid=entry.id)
        for note in entry.notes:
            said = f"{note.severity} {'-'.join(note.languages)}: {note.text}"
            ET.SubElement(unit, "note").text = printable(said)
        for rule in entry.rules:
            ET.SubElement(unit, "prop", type="x-rule").text = rule
        for language, text in by_language(entry.texts, languages):
            variant = ET.SubElement(unit, "tuv", {XML_LANG: language})
            ET.SubElement(variant, "seg").text = printable(text)
    return document(root, _DOCTYPE)


def read_tmx(data: bytes) -> list[Entry]:
    """The units of a memory; raises `ExchangeError`. Notes of other tools are cosmetic ones."""
    root = parsed(data, "TMX", "tmx")
    return [_entry(unit) for unit in root.iter() if local(unit) == "tu"]


def _entry(unit: ET.Element) -> Entry:
    props = tuple(text_of(prop) for prop in unit.findall("prop") if prop.get("type") == "x-rule")
    texts = {_language(variant): text_of(variant.find("seg")) for variant in unit.findall("tuv")}
    notes = tuple(note_from(text_of(note)) for note in unit.findall("note"))
    return Entry(unit.get("tuid", ""), props, texts, notes)


def _language(variant: ET.Element) -> str:
    return variant.get(XML_LANG) or variant.get("lang") or ""


def note_from(text: str) -> Note:
    """A note written as `changes fr-it: …`, or any other text."""
    head, colon, said = text.partition(": ")
    severity, _, languages = head.partition(" ")
    if not colon or severity_of(severity) != severity:
        return Note(severity_of(""), (), text)
    return Note(severity_of(severity), tuple(languages.split("-")), said)
