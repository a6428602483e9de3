"""TBX (ISO 30042:2019), dialect TBX-Basic: the term base.

The forms to look for, what is an action, and where it takes a card, have no place in TBX-Basic and travel as notes.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

from audit.rulebooks.exports.entries import XML_LANG, ExchangeError, document, parsed, printable, text_of
from audit.rulebooks.terms import Concept, Term, TermBase

NAMESPACE = "urn:iso:std:iso:30042:ed-2"
_LANGUAGES = ("fr", "it", "pl")
_PREFERRED, _ADMITTED = "preferredTerm-admn-sts", "admittedTerm-admn-sts"
_FORMS, _FROM, _TO = "forms: ", "from: ", "to: "
_ACTION = "action"
_DOCTYPE_STYLE = {"type": "TBX-Basic", "style": "dca", XML_LANG: "en"}


def write_tbx(base: TermBase, title: str = "compile") -> bytes:
    """The term base: a concept entry each, the preferred term and the admitted ones marked."""
    ET.register_namespace("", NAMESPACE)
    root = ET.Element(_tag("tbx"), _DOCTYPE_STYLE)
    source = _add(_add(_add(root, "tbxHeader"), "fileDesc"), "sourceDesc")
    _add(source, "p").text = f"Terms of {title}"
    body = _add(_add(root, "text"), "body")
    for id, concept in base.concepts.items():
        _write_concept(_add(body, "conceptEntry", id=id), concept)
    return document(root)


def read_tbx(data: bytes) -> TermBase:
    """A term base from TBX; raises `ExchangeError`. A concept needs an id and an English term."""
    root = parsed(data, "TBX", "tbx")
    found = {}
    for entry in root.iter(_tag("conceptEntry")):
        id = entry.get("id", "")
        if not id:
            raise ExchangeError("TBX", "a concept entry has no id")
        found[id] = _read_concept(id, entry)
    return TermBase(found)


def _write_concept(entry: ET.Element, concept: Concept) -> None:
    if concept.family:
        _add(entry, "descrip", type="subjectField").text = concept.family
    if concept.action:
        _add(entry, "note").text = _ACTION
    for head, places in ((_FROM, concept.source), (_TO, concept.to)):
        if places:
            _add(entry, "note").text = head + " ".join(places)
    for language in ("en", *_LANGUAGES):
        if term := concept.term(language):
            _write_language(_add(entry, "langSec", **{XML_LANG: language}), term)


def _write_language(section: ET.Element, term: Term) -> None:
    for word, status in ((term.term, _PREFERRED), *((other, _ADMITTED) for other in term.also)):
        box = _add(section, "termSec")
        _add(box, "term").text = printable(word)
        _add(box, "termNote", type="administrativeStatus").text = status
        if status == _PREFERRED and term.forms:
            _add(box, "note").text = printable(_FORMS + " | ".join(term.forms))


def _read_concept(id: str, entry: ET.Element) -> Concept:
    terms = {s.get(XML_LANG, ""): _read_language(s) for s in entry.findall(_tag("langSec"))}
    if "en" not in terms:
        raise ExchangeError("TBX", f"{id} has no English term")
    notes = [text_of(note) for note in entry.findall(_tag("note"))]
    family = text_of(entry.find(f"{_tag('descrip')}[@type='subjectField']"))
    return Concept(
        terms["en"].term, family, _ACTION in notes, _places(notes, _FROM), _places(notes, _TO),
        **{language: terms.get(language) for language in _LANGUAGES},
    )  # fmt: skip


def _read_language(section: ET.Element) -> Term:
    preferred = ""
    also: list[str] = []
    forms: tuple[str, ...] = ()
    for box in section.iter(_tag("termSec")):
        word = text_of(box.find(_tag("term")))
        status = text_of(box.find(_tag("termNote")))
        if preferred and status != _PREFERRED:
            also.append(word)
            continue
        preferred = word
        note = text_of(box.find(_tag("note")))
        forms = tuple(note.removeprefix(_FORMS).split(" | ")) if note.startswith(_FORMS) else ()
    return Term(preferred, tuple(also), forms)


def _places(notes: list[str], head: str) -> tuple[str, ...]:
    return next((tuple(note.removeprefix(head).split()) for note in notes if note.startswith(head)), ())


def _tag(name: str) -> str:
    return f"{{{NAMESPACE}}}{name}"


def _add(parent: ET.Element, name: str, **attributes: str) -> ET.Element:
    return ET.SubElement(parent, _tag(name), attributes)
