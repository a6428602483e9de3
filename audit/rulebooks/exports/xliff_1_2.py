"""XLIFF 1.2, which older translators' programs read: linked passages of two languages, findings as notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree as ET

from audit.rulebooks.exports.entries import (
    PRIORITY,
    XML_LANG,
    XML_SPACE,
    Entry,
    Note,
    document,
    local,
    notes_between,
    printable,
    severity_of,
    text_of,
)  # fmt: skip

NAMESPACE = "urn:oasis:names:tc:xliff:document:1.2"
VERSION = "1.2"


def write_xliff_1_2(found: Iterable[Entry], source: str, target: str, original: str = "compile") -> bytes:
    """The units that have the source language; one without the target is an untranslated unit.

    The attribute `resname` holds the id of the unit as it is.
    """
    root = ET.Element("xliff", {"xmlns": NAMESPACE, "version": VERSION})
    languages = {"source-language": source, "target-language": target}
    file = ET.SubElement(root, "file", {"original": original, "datatype": "plaintext", **languages})
    body = ET.SubElement(file, "body")
    for entry in found:
        if source in entry.texts:
            _unit(body, entry, source, target)
    return document(root)


def units_of_1_2(root: ET.Element) -> list[Entry]:
    """The units of every file in it, each with the two languages of its file."""
    files = (element for element in root if local(element) == "file")
    return [entry for file in files for entry in _units(file)]


def _units(file: ET.Element) -> Iterator[Entry]:
    languages = (file.get("source-language", ""), file.get("target-language", ""))
    for unit in file.iter():
        if local(unit) != "trans-unit":
            continue
        parts = {local(part): text_of(part) for part in unit}
        texts = {
            language: parts[name] for name, language in zip(("source", "target"), languages, strict=True)
            if name in parts and language
        }  # fmt: skip
        notes = [note for note in unit if local(note) == "note"]
        rules = tuple(text_of(note) for note in notes if note.get("from") == "rule")
        said = tuple(_note(note) for note in notes if note.get("from") != "rule")
        yield Entry(unit.get("resname", unit.get("id", "")), rules, texts, said)


def _unit(body: ET.Element, entry: Entry, source: str, target: str) -> None:
    name = re.sub(r"[^\w.:-]", "_", entry.id)
    unit = ET.SubElement(body, "trans-unit", {"id": name, "resname": entry.id, XML_SPACE: "preserve"})
    ET.SubElement(unit, "source", {XML_LANG: source}).text = printable(entry.texts[source])
    if target in entry.texts:
        ET.SubElement(unit, "target", {XML_LANG: target, "state": "translated"}).text = printable(entry.texts[target])
    for rule in entry.rules:
        ET.SubElement(unit, "note", {"from": "rule"}).text = rule
    for note in notes_between(entry, source, target):
        marks = {"from": f"{note.severity} {'-'.join(note.languages)}", "priority": PRIORITY[note.severity]}
        ET.SubElement(unit, "note", {**marks, "annotates": "target"}).text = printable(note.text)


def _note(note: ET.Element) -> Note:
    severity, _, languages = note.get("from", "").partition(" ")
    return Note(severity_of(severity), tuple(filter(None, languages.split("-"))), text_of(note))
