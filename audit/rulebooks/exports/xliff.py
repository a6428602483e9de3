"""XLIFF 2.1: linked passages of two languages, findings as notes with a priority. Version 1.2 is read as well."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from audit.rulebooks.exports.entries import (
    PRIORITY,
    XML_LANG,
    XML_SPACE,
    Entry,
    ExchangeError,
    Note,
    document,
    local,
    notes_between,
    parsed,
    printable,
    severity_of,
    text_of,
)  # fmt: skip
from audit.rulebooks.exports.xliff_1_2 import VERSION as FORMER
from audit.rulebooks.exports.xliff_1_2 import units_of_1_2

NAMESPACE = "urn:oasis:names:tc:xliff:document:2.0"


def write_xliff(found: Iterable[Entry], source: str, target: str, original: str = "compile") -> bytes:
    """The units that have the source language; one without the target is an untranslated unit.

    An id may hold no `#`, so the unit's id has `_2` in its place and the attribute `name` the id as it is.
    """
    ET.register_namespace("", NAMESPACE)
    root = _element(None, "xliff", version="2.1", srcLang=source, trgLang=target)
    file = _element(root, "file", id="passages", original=original)
    for entry in found:
        if source in entry.texts:
            _unit(file, entry, source, target)
    return document(root)


def read_xliff(data: bytes) -> list[Entry]:
    """The units of a file with their two languages; raises `ExchangeError`."""
    root = parsed(data, "XLIFF", "xliff")
    version = root.get("version", "")
    if version == FORMER:
        return units_of_1_2(root)
    if not version.startswith("2."):
        raise ExchangeError("XLIFF", f"version {version or 'unknown'} is neither 1.2 nor 2.x")
    pair = (root.get("srcLang", ""), root.get("trgLang", ""))
    return [_entry(unit, pair) for unit in root.iter() if local(unit) == "unit"]


def _unit(file: ET.Element, entry: Entry, source: str, target: str) -> None:
    unit = _element(file, "unit", id=re.sub(r"[^\w.:-]", "_", entry.id), name=entry.id)
    box = _element(unit, "notes")
    for rule in entry.rules:
        _element(box, "note", category="rule").text = rule
    for note in notes_between(entry, source, target):
        marks = {"category": f"{note.severity} {'-'.join(note.languages)}", "priority": PRIORITY[note.severity]}
        _element(box, "note", **marks, appliesTo="target").text = printable(note.text)
    state = "translated" if target in entry.texts else "initial"
    segment = _element(unit, "segment", id="s1", state=state)
    _said(segment, "source", source, entry.texts[source])
    if target in entry.texts:
        _said(segment, "target", target, entry.texts[target])


def _said(segment: ET.Element, name: str, language: str, text: str) -> None:
    element = _element(segment, name)
    element.set(XML_LANG, language)
    element.set(XML_SPACE, "preserve")
    element.text = printable(text)


def _entry(unit: ET.Element, pair: tuple[str, str]) -> Entry:
    texts = {}
    for name, language in zip(("source", "target"), pair, strict=True):
        parts = [text_of(part) for part in unit.iter(f"{{{NAMESPACE}}}{name}")]
        if parts:
            texts[language] = "".join(parts)
    notes = [note for note in unit.iter() if local(note) == "note"]
    rules = tuple(text_of(note) for note in notes if note.get("category") == "rule")
    said = tuple(_note(note) for note in notes if note.get("category") != "rule")
    return Entry(unit.get("name", unit.get("id", "")), rules, texts, said)


def _note(note: ET.Element) -> Note:
    severity, _, languages = note.get("category", "").partition(" ")
    return Note(severity_of(severity), tuple(filter(None, languages.split("-"))), text_of(note))


def _element(parent: ET.Element | None, tag: str, /, **attributes: str) -> ET.Element:
    tag = f"{{{NAMESPACE}}}{tag}"
    return ET.Element(tag, attributes) if parent is None else ET.SubElement(parent, tag, attributes)
