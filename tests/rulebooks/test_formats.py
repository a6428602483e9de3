"""Rulebooks from a word processor and from the web: the same passages, wherever the text comes from."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest

from audit.rulebooks.cutting import cut
from audit.rulebooks.errors import BinaryDocumentError, BrokenOfficeError, TooLargeError
from audit.rulebooks.formats.office import office_text
from audit.rulebooks.reading import read

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
ODT = "urn:oasis:names:tc:opendocument:xmlns:"


def archive(part: str, text: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(part, text)
    return held.getvalue()


def docx() -> bytes:
    def paragraph(text: str, style: str = "", more: str = "") -> str:
        named = f'<w:pStyle w:val="{style}"/>' if style else ""
        return f"<w:p><w:pPr>{named}{more}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"

    entry = "<w:numPr><w:ilvl/></w:numPr>"
    body = (
        paragraph("The Lantern Game", "Heading1")
        + paragraph("Each night", "Heading2")
        + "<w:p><w:r><w:t>The keeper draws </w:t></w:r><w:del><w:r><w:delText>nine</w:delText></w:r></w:del>"
        + "<w:ins><w:r><w:t>two lamps.</w:t></w:r></w:ins></w:p>"
        + paragraph("Lamps that burn stay.", more=entry)
    )
    return archive("word/document.xml", f'<w:document xmlns:w="{WORD}"><w:body>{body}</w:body></w:document>')


def odt() -> bytes:
    body = (
        '<text:h text:outline-level="1">The Lantern Game</text:h><text:h text:outline-level="2">Each night</text:h>'
        "<text:p>The keeper draws<text:s/>two <office:annotation><text:p>how many?</text:p></office:annotation>"
        "lamps.</text:p>"
        "<text:list><text:list-item><text:p>Lamps that burn stay.</text:p></text:list-item></text:list>"
    )
    names = f'xmlns:office="{ODT}office:1.0" xmlns:text="{ODT}text:1.0"'
    return archive("content.xml", f"<office:document-content {names}>{body}</office:document-content>")


def html() -> bytes:
    return (
        "<!DOCTYPE html><html><head><meta charset=utf-8><title>Shop</title></head><body><nav><a>Home</a></nav>"
        "<h1>The Lantern Game</h1><script>let a = 1 < 2</script><div><h2>Each night</h2>"
        "<p>The keeper draws\n <b>two</b>&nbsp;lamps.</p><ul><li>Lamps that burn stay.</li></ul></div>"
        "<footer>© 2024</footer></body></html>"
    ).encode()


@pytest.mark.parametrize(("made", "form"), [(docx, "docx"), (odt, "odt"), (html, "html")])
def test_one_text_gives_the_same_passages_from_every_format(made: Callable[[], bytes], form: str) -> None:
    found = read(made(), "lantern")
    assert found.format == form
    book = cut(found.text, "lantern", "en")
    passages = [(passage.heading, passage.kind, passage.text) for passage in book.passages]
    above = ("The Lantern Game", "Each night")
    assert passages == [
        (above, "paragraph", "The keeper draws two lamps."), (above, "bullet", "Lamps that burn stay."),
    ]  # fmt: skip


def test_a_file_is_known_by_what_is_in_it_and_not_by_its_name() -> None:
    assert read(docx(), "lantern.txt").format == "docx"
    assert read(html(), "lantern.odt").format == "html"


def test_an_archive_that_is_no_document_is_refused() -> None:
    with pytest.raises(BinaryDocumentError, match="neither DOCX nor ODT"):
        read(archive("game.exe", "x"), "game.zip")


def test_a_document_that_is_cut_off_or_no_xml_says_so() -> None:
    with pytest.raises(BrokenOfficeError, match="damaged or cut off"):
        read(docx()[:-40], "lantern.docx")
    with pytest.raises(BrokenOfficeError):
        read(archive("content.xml", "<text"), "lantern.odt")


def test_a_document_that_would_blow_up_is_not_unpacked() -> None:
    with pytest.raises(TooLargeError):
        office_text(archive("content.xml", " " * 5000), "lantern.odt", 1000)
    bomb = '<!DOCTYPE a [<!ENTITY b "lamp">]><a>&b;</a>'
    with pytest.raises(BrokenOfficeError, match="entities"):
        read(archive("content.xml", bomb), "lantern.odt")


def test_the_encoding_that_a_page_names_is_used() -> None:
    page = '<html><head><meta charset="iso-8859-2"></head><body><p>Gracz może zagrać kartę.</p></body></html>'
    found = read(page.encode("iso-8859-2"), "zasady.html")
    assert (found.text, found.encoding) == ("Gracz może zagrać kartę.", "iso-8859-2")
