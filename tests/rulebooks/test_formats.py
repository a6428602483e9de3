"""Rulebooks from a word processor and from the web: the same passages, wherever the text comes from."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Protocol

import pytest

from audit.rulebooks.cutting import cut
from audit.rulebooks.errors import BinaryDocumentError, BrokenOfficeError, TooLargeError
from audit.rulebooks.formats.office import office_text
from audit.rulebooks.formats.pdf_layout import Piece, laid_out
from audit.rulebooks.reading import read

pytestmark = pytest.mark.usefixtures("with_limits")

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


@pytest.mark.every(("made", "form"), [(docx, "docx"), (odt, "odt"), (html, "html")])
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


# A PDF by its layout


def two_columns(pages: int = 3) -> bytes:
    """A booklet in two columns with a running head, page numbers, a heading over both columns, and parted words."""
    page = pytest.importorskip("fpdf").FPDF()
    page.set_auto_page_break(False)
    for number in range(1, pages + 1):
        page.add_page()
        _put(page, 10, 8, 8, "The Lantern Game - rules")
        _put(page, 10, 20, 18, f"Night {number}: what the keepers of the light have to do")
        for x, words in ((10, "left"), (110, "right")):
            _put(page, x, 40, 13, f"The {words} side")
            for at, text in enumerate((f"On the {words} the keeper draws two lam-", f"ps in night {number}.")):
                _put(page, x, 50 + 5 * at, 10, text)
            for at, text in enumerate(("* Lamps that burn stay on the", "table.", "* Others go to the store.")):
                _put(page, x, 65 + 5 * at, 10, text)
        _put(page, 100, 285, 8, str(number))
    return bytes(page.output())


class Canvas(Protocol):
    def set_font(self, family: str, *, size: float) -> None: ...
    def text(self, x: float, y: float, text: str) -> None: ...


def _put(page: Canvas, x: float, y: float, size: float, text: str) -> None:
    page.set_font("helvetica", size=size)
    page.text(x, y, text)


def test_a_pdf_in_columns_is_read_column_by_column_without_its_running_heads() -> None:
    pytest.importorskip("pypdf")
    found = read(two_columns(), "lantern.pdf")
    assert found.format == "pdf"
    assert found.text.split("\n\n")[:9] == [
        "# Night 1: what the keepers of the light have to do",
        "## The left side",
        "On the left the keeper draws two lamps in night 1.",
        "- Lamps that burn stay on the table.",
        "- Others go to the store.",
        "## The right side",
        "On the right the keeper draws two lamps in night 1.",
        "- Lamps that burn stay on the table.",
        "- Others go to the store.",
    ]
    assert "rules" not in found.text


def page_of(*rows: tuple[float, float, float, str]) -> list[Piece]:
    """Pieces by x, rows from the top, size and text."""
    return [Piece(x, 800 - y, size, text) for x, y, size, text in rows]


def test_three_columns_with_running_heads_and_feet_at_one_height() -> None:
    pages = []
    for number in (1, 2, 3):
        rows: list[tuple[float, float, float, str]] = [(30, 20, 8, "The Lantern Game"), (450, 20, 8, "Night rules")]
        rows += [(30, 780, 7, "Harbour Press 2020"), (290, 782, 8, f"{number} / 3")]
        for x, name in ((30, "first"), (220, "second"), (410, "third")):
            rows += [(x, 80, 12, f"The {name} watch")]
            said = (
                f"In the {name} watch the keeper draws",
                "two lamps and puts the third one",
                f"back in night {number}.",
            )
            rows += [(x, 100 + 12 * at, 9, text) for at, text in enumerate(said)]
        pages.append(page_of(*rows))
    assert laid_out(pages).split("\n\n")[:6] == [
        "# The first watch", "In the first watch the keeper draws two lamps and puts the third one back in night 1.",
        "# The second watch", "In the second watch the keeper draws two lamps and puts the third one back in night 1.",
        "# The third watch", "In the third watch the keeper draws two lamps and puts the third one back in night 1.",
    ]  # fmt: skip
    assert not any(word in laid_out(pages) for word in ("Lantern", "rules", "Harbour", "/ 3"))


def test_wide_spaces_of_justified_lines_do_not_join_two_columns() -> None:
    left = ("Each keeper of the light draws two", "lamps and puts the third of them", "back into the store of night 1.")
    right = ("No keeper may look into the store", "before the night has begun and the", "lamps of both sides are lit.")
    justified = [line.replace(" ", "    ") for line in left]
    rows = [(30.0, 50.0 + 12 * at, 9.0, text) for at, text in enumerate(justified)]
    rows += [(230.0, 50.0 + 12 * at, 9.0, text) for at, text in enumerate(right)]
    assert laid_out([page_of(*rows)]).split("\n\n") == [" ".join(left), " ".join(right)]


@pytest.mark.every("sign", list("•▶➤✦❖◆★✔–"))
def test_a_bullet_of_any_sign_begins_an_entry_over_two_lines(sign: str) -> None:
    said = (
        "Before the night each keeper does this:",
        f"{sign} Draw two lamps and put them on",
        "the table.",
        f"{sign} Sleep.",
    )
    page = page_of(*((30, 50 + 12 * at, 10, text) for at, text in enumerate(said)))
    assert laid_out([page]).split("\n\n")[1:] == ["- Draw two lamps and put them on the table.", "- Sleep."]


def test_questions_and_answers_over_two_lines_stand_apart_without_a_gap() -> None:
    said = (
        "Q: May a keeper look into the store", "before the night has begun?", "A: Yes. The store is open to both",
        "keepers at any time.", "Q: Can a lamp burn twice?", "A: No.", "1) First the oil.",
        "2) Then the wick, which is", "trimmed.",
    )  # fmt: skip
    page = page_of(*((30, 50 + 12 * at, 10, text) for at, text in enumerate(said)))
    assert laid_out([page]).split("\n\n") == [
        "Q: May a keeper look into the store before the night has begun?",
        "A: Yes. The store is open to both keepers at any time.", "Q: Can a lamp burn twice?", "A: No.",
        "1) First the oil.", "2) Then the wick, which is trimmed.",
    ]  # fmt: skip


def test_a_heading_over_two_lines_is_one_heading() -> None:
    below = "They draw two lamps, light one of them and put the other one into the store of the house."
    heading = ("What the keepers of the light", "have to do each night")
    page = page_of((30, 40, 18, heading[0]), (30, 60, 18, heading[1]), (30, 100, 10, below))
    assert laid_out([page]).split("\n\n")[0] == "# What the keepers of the light have to do each night"


def test_a_pdf_of_single_words_gives_whole_sentences() -> None:
    pytest.importorskip("pypdf")
    page = pytest.importorskip("fpdf").FPDF()
    page.add_page()
    x = 10.0
    for word in ["Every", "keeper", "draws", "two", "lamps", "before", "the", "night", "begins."]:
        _put(page, x, 30, 10, word)
        x += page.get_string_width(word + " ")
    assert read(bytes(page.output()), "words.pdf").text == "Every keeper draws two lamps before the night begins."
