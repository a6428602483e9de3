"""A rulebook is loaded whole or not at all; one line says what is wrong with it."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from audit.core.catalogue import Catalogue
from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.errors import (
    BinaryDocumentError,
    BrokenOfficeError,
    BrokenPdfError,
    DocumentIdError,
    EmptyDocumentError,
    EncodingError,
    EncryptedPdfError,
    ImagePdfError,
    NothingLinkedError,
    OtherDocumentError,
    RulebookError,
    TooLargeError,
    UnknownLanguageError,
    UnknownPassageError,
    UnknownRulebookError,
    WrongLanguageError,
)
from audit.rulebooks.quoting import Quoter
from audit.rulebooks.reading import MAX_BYTES, read
from commands.rulebook_lines import said_of
from replays.rulebooks.folder import rulebooks_folder
from replays.rulebooks.loading import Added, Loading
from replays.rulebooks.store import RulebookStore, RulebookStoreError

pytestmark = pytest.mark.usefixtures("with_limits")

RULE = CATALOGUE["refresh.up-to-five"]
FRENCH = "La gardienne allume la lampe à la tombée de la nuit, où qu'elle soit. Elle éteint l'autre."
POLISH = "Latarnik zapala lampę o zmierzchu, gdziekolwiek się znajduje. Gaśnie też każda inna żarówka."


@pytest.fixture
def rulebook_store(tmp_path: Path) -> RulebookStore:
    return RulebookStore(tmp_path / "rulebooks")


def put(rulebook_store: RulebookStore, text: str, document: str = "lantern-en", language: str = "en") -> str:
    return rulebook_store.add_bytes(text.encode(), "rules.md", Loading(document, language)).edition


def files(rulebook_store: RulebookStore) -> list[str]:
    return sorted(file.name for file in rulebook_store.folder.rglob("*") if file.is_file())


def test_a_document_is_kept_and_shown(rulebook_store: RulebookStore, house_rules: str) -> None:
    edition = put(rulebook_store, house_rules)
    kept = rulebook_store.show("lantern-en")
    assert (kept.rulebook.edition, kept.source, kept.format) == (edition, "rules.md", "markdown")
    assert kept.rulebook["lantern-en/the-lantern-game/numbered-rules/4.2.a"].lines == (26, 26)


def test_two_editions_stand_side_by_side_and_the_later_one_is_shown(
    rulebook_store: RulebookStore, house_rules: str
) -> None:
    first = put(rulebook_store, house_rules)
    later = rulebook_store.add_bytes(
        house_rules.replace("two lamps", "three lamps").encode(), "rules.md", Loading("lantern-en", "en")
    )
    assert later.since == {"unchanged": 12, "edited": 1}
    assert [one.rulebook.edition for one in rulebook_store.editions()] == [first, later.edition]
    assert rulebook_store.show("lantern-en").rulebook.edition == later.edition
    assert rulebook_store.show("lantern-en", first).rulebook.edition == first


def test_loading_the_same_file_again_changes_nothing(rulebook_store: RulebookStore, house_rules: str) -> None:
    put(rulebook_store, house_rules)
    again = rulebook_store.add_bytes(house_rules.encode(), "rules.md", Loading("lantern-en", "en"))
    assert again.again
    assert len(rulebook_store.editions()) == 1


def test_an_older_file_loaded_again_leaves_the_current_edition_current(
    rulebook_store: RulebookStore, house_rules: str
) -> None:
    newer = house_rules.replace("two lamps", "three lamps")
    for text in (house_rules, newer):
        rulebook_store.add_bytes(text.encode(), "house.txt", Loading("house", "en"))
    current = rulebook_store.show("house").rulebook.edition
    again = rulebook_store.add_bytes(house_rules.encode(), "house.txt", Loading("house", "en"))
    assert (again.again, again.current, dict(again.since)) == (True, current, {})
    assert rulebook_store.show("house").rulebook.edition == current
    assert rulebook_store.add_bytes(newer.encode(), "house.txt", Loading("house", "en")).current == ""
    assert any(current in line and "remove" in line for line in said_of(again))


def test_a_document_is_removed_with_its_links(rulebook_store: RulebookStore, house_rules: str) -> None:
    edition = put(rulebook_store, house_rules)
    rulebook_store.link("lantern-en", "lamp.once", ["the-lantern-game/questions/q2/2"])
    assert rulebook_store.remove("lantern-en") == [edition]
    assert files(rulebook_store) == []


def test_one_edition_is_removed_and_the_other_stays(rulebook_store: RulebookStore, house_rules: str) -> None:
    first, later = put(rulebook_store, house_rules), put(rulebook_store, house_rules + "\nOne more.\n")
    rulebook_store.remove("lantern-en", first)
    assert [one.rulebook.edition for one in rulebook_store.editions()] == [later]


def test_a_link_a_person_made_is_kept_and_can_be_taken_away(rulebook_store: RulebookStore, house_rules: str) -> None:
    edition = put(rulebook_store, house_rules)
    made = rulebook_store.link("lantern-en", "lamp.once", ["the-lantern-game/questions/q2/2"], by="Ada")
    assert made.by == "Ada"
    assert rulebook_store.links("lantern-en", edition) == {"lamp.once": ("lantern-en/the-lantern-game/questions/q2/2",)}
    rulebook_store.link("lantern-en", "lamp.once", [])
    assert rulebook_store.links("lantern-en", edition) == {}


def test_a_link_to_a_passage_that_is_not_there_is_refused(rulebook_store: RulebookStore, house_rules: str) -> None:
    put(rulebook_store, house_rules)
    with pytest.raises(UnknownPassageError, match="no passage 'q99'"):
        rulebook_store.link("lantern-en", "lamp.once", ["q99"])


def test_a_document_that_is_not_there_names_those_that_are(rulebook_store: RulebookStore, house_rules: str) -> None:
    put(rulebook_store, house_rules)
    with pytest.raises(UnknownRulebookError, match="there are lantern-en"):
        rulebook_store.show("lantern-fr")


def test_the_folder_is_where_the_user_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    assert rulebooks_folder() == tmp_path / "rulebooks"
    monkeypatch.delenv("AUDIT_DATA_DIR")
    assert rulebooks_folder().is_absolute()


def locked_pdf() -> bytes:
    library = pytest.importorskip("pypdf")
    writer, out = library.PdfWriter(io.BytesIO(written_pdf("A lamp burns all night long."))), io.BytesIO()
    writer.encrypt("secret", algorithm="RC4-128")
    writer.write(out)
    return out.getvalue()


def picture_pdf() -> bytes:
    library = pytest.importorskip("pypdf")
    writer, out = library.PdfWriter(), io.BytesIO()
    writer.add_blank_page(200, 200)
    writer.add_blank_page(200, 200)
    writer.write(out)
    return out.getvalue()


def written_pdf(text: str) -> bytes:
    page = pytest.importorskip("fpdf").FPDF()
    page.add_page()
    page.set_font("Helvetica", size=12)
    page.multi_cell(0, 6, text)
    return bytes(page.output())


def broken_pdf() -> bytes:
    pytest.importorskip("pypdf")
    return b"%PDF-1.7\nthis is not one\n"


@pytest.mark.every(
    ("data", "error", "said"),
    [
        (lambda: b"", EmptyDocumentError, "is empty"),
        (lambda: b" \n\t\n", EmptyDocumentError, "is empty"),
        (lambda: b"123 --- 456\n", EmptyDocumentError, "is empty"),
        (lambda: b"\x89PNG\r\n\x1a\n" + bytes(50), BinaryDocumentError, "a PNG picture"),
        (lambda: b"PK\x03\x04" + bytes(range(256)), BrokenOfficeError, "damaged"),
        (lambda: bytes(range(256)) * 9, BinaryDocumentError, "binary data"),
        (lambda: os.urandom(4000), RulebookError, "rules.txt: "),
        (locked_pdf, EncryptedPdfError, "password"),
        (picture_pdf, ImagePdfError, "no text layer"),
        (broken_pdf, BrokenPdfError, "cannot be read"),
    ],
)
def test_what_is_no_rulebook_is_refused_in_one_line_and_nothing_is_stored(
    rulebook_store: RulebookStore, data: Callable[[], bytes], error: type[RulebookError], said: str
) -> None:
    with pytest.raises(error) as caught:
        rulebook_store.add_bytes(data(), "rules.txt", Loading("lantern-en", "en"))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert files(rulebook_store) == []


def test_a_file_of_two_hundred_megabytes_is_refused_without_reading_it(
    rulebook_store: RulebookStore, tmp_path: Path
) -> None:
    file = tmp_path / "huge.txt"
    with file.open("wb") as out:
        out.truncate(200_000_000)
    with pytest.raises(TooLargeError) as caught:
        rulebook_store.add(file, Loading("lantern-en", "en"))
    assert caught.value.data() == {"name": "huge.txt", "size": 200_000_000, "limit": MAX_BYTES}


def test_a_file_that_is_not_there_or_a_folder_is_one_clear_line(rulebook_store: RulebookStore, tmp_path: Path) -> None:
    with pytest.raises(RulebookStoreError, match=r"gone\.txt: cannot be read: No such file"):
        rulebook_store.add(tmp_path / "gone.txt", Loading("lantern-en", "en"))
    with pytest.raises(RulebookStoreError, match="not a plain file"):
        rulebook_store.add(tmp_path, Loading("lantern-en", "en"))


@pytest.mark.parametrize("document", ["../up", "Big", "a b", "x/y", "-a"])
def test_an_id_that_is_none_is_refused(rulebook_store: RulebookStore, document: str) -> None:
    with pytest.raises(DocumentIdError):
        put(rulebook_store, "A lamp burns all night long.", document)


def test_a_document_in_another_language_than_said_is_refused(rulebook_store: RulebookStore) -> None:
    pytest.importorskip("lingua")
    with pytest.raises(WrongLanguageError) as caught:
        rulebook_store.add_bytes(FRENCH.encode(), "regles.txt", Loading("lanterna-it", "it"))
    assert (caught.value.said, caught.value.detected) == ("it", "fr")


def test_a_language_nobody_said_is_detected(rulebook_store: RulebookStore) -> None:
    pytest.importorskip("lingua")
    assert rulebook_store.add_bytes(POLISH.encode(), "zasady.txt", Loading("latarnia")).language == "pl"


def test_a_language_that_cannot_be_told_is_asked_for(rulebook_store: RulebookStore) -> None:
    with pytest.raises(UnknownLanguageError, match="--lang"):
        rulebook_store.add_bytes(b"Ok", "rules.txt", Loading("lantern"))


@pytest.mark.every(
    ("text", "encoding", "assumed"),
    [
        (FRENCH, "utf-8", False), (FRENCH, "utf-16", False), (FRENCH, "utf-16-le", True), (FRENCH, "utf-16-be", True),
        (FRENCH, "cp1252", True), (POLISH, "utf-8", False), (POLISH, "cp1250", True), (POLISH, "iso-8859-2", True),
    ],
)  # fmt: skip
def test_the_encoding_is_found_and_it_is_said_when_it_was_assumed(text: str, encoding: str, assumed: bool) -> None:
    found = read(text.encode(encoding), "rules.txt")
    assert (found.text, found.assumed) == (text, assumed)


def test_an_encoding_that_was_asked_for_and_does_not_fit_is_refused() -> None:
    with pytest.raises(EncodingError, match="cannot be read as utf-8"):
        read(POLISH.encode("cp1250"), "zasady.txt", "utf-8")


def test_a_mark_at_the_start_of_a_file_is_no_part_of_its_text() -> None:
    assert read(FRENCH.encode("utf-8-sig"), "regles.txt").text == FRENCH


def test_a_pdf_with_a_text_layer_is_read(rulebook_store: RulebookStore) -> None:
    pytest.importorskip("pypdf")
    added = rulebook_store.add_bytes(
        written_pdf("The keeper on watch draws two lamps. The third one is put back at once."),
        "rules.pdf",
        Loading("lantern-en", "en"),
    )
    assert added.format == "pdf"
    assert "draws two lamps" in rulebook_store.show("lantern-en").rulebook.passages[0].text


def test_the_wrong_file_under_a_known_name_links_to_nothing_and_is_not_stored(rulebook_store: RulebookStore) -> None:
    with pytest.raises(NothingLinkedError, match="is it the right file"):
        rulebook_store.add_bytes(FRENCH.encode(), "regles.txt", Loading("compile-faq-fr"))
    assert files(rulebook_store) == []
    loading = Loading("compile-faq-fr", although_unlinked=True)
    assert rulebook_store.add_bytes(FRENCH.encode(), "regles.txt", loading).links["new"] == 1


def test_a_write_that_breaks_off_leaves_the_old_edition_and_no_half_file(
    rulebook_store: RulebookStore, house_rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition = put(rulebook_store, house_rules)
    before = files(rulebook_store)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("audit.core.files.os.fsync", full)
    with pytest.raises(RulebookStoreError, match="No space left"):
        put(rulebook_store, house_rules + "\nOne more.\n")
    assert files(rulebook_store) == before
    assert rulebook_store.show("lantern-en").rulebook.edition == edition


def test_the_error_names_a_damaged_stored_file(rulebook_store: RulebookStore, house_rules: str) -> None:
    edition = put(rulebook_store, house_rules)
    (rulebook_store.folder / "lantern-en" / f"{edition}.json").write_text("{", "utf-8")
    with pytest.raises(RulebookStoreError, match=f"{edition}.json: is damaged"):
        rulebook_store.editions()


def test_proposals_are_made_for_rules_nobody_has_linked_yet(
    rulebook_store: RulebookStore, rulebook_file: Callable[[str], Path]
) -> None:
    rulebook_store.add(rulebook_file("compile-rules-it"), Loading("my-compile-it", "it"))
    rule = "victory.three-compiled"
    proposed = rulebook_store.proposals("my-compile-it", CATALOGUE, [rule])
    assert proposed
    assert proposed[0].score >= proposed[-1].score
    rulebook_store.link("my-compile-it", rule, [proposed[0].passage])
    assert rule not in {one.rule for one in rulebook_store.proposals("my-compile-it", only(CATALOGUE, rule))}


def only(catalogue: Catalogue, rule: str) -> Catalogue:
    fewer = Catalogue(catalogue.package, (), catalogue.documents)
    fewer.rules = {rule: catalogue[rule]}
    return fewer


@pytest.mark.parametrize(
    "document", ["compile-faq-fr", "compile-rules-it", "compile-rules-pl", "lotr-reveal-fr", "altered-rules-fr"]
)
def test_the_five_documents_load_and_link_to_the_last_passage(
    rulebook_store: RulebookStore, rulebook_file: Callable[[str], Path], document: str
) -> None:
    added = rulebook_store.add(rulebook_file(document), Loading(document))
    assert added.links == {"unchanged": added.passages}


def test_an_edition_is_known_by_its_words_whatever_it_is_called(
    rulebook_store: RulebookStore, rulebook_file: Callable[[str], Path]
) -> None:
    added = rulebook_store.add(rulebook_file("compile-faq-fr"), Loading("questions-de-lucie"))
    assert (added.document, added.recognised) == ("questions-de-lucie", "compile-faq-fr")
    assert set(added.links) == {"unchanged"}
    quoted = Quoter(CATALOGUE, rulebook_store, ("fr",)).of(RULE)
    assert [one.document for one in quoted] == ["questions-de-lucie"]
    assert str(quoted[0].standing) == "quoted"


def test_a_document_without_an_id_takes_the_one_it_is_known_by(
    rulebook_store: RulebookStore, rulebook_file: Callable[[str], Path]
) -> None:
    assert rulebook_store.add(rulebook_file("compile-rules-it"), Loading()).document == "compile-rules-it"


def test_a_document_without_an_id_that_nobody_knows_takes_the_name_of_its_file(
    rulebook_store: RulebookStore, house_rules: str
) -> None:
    added = rulebook_store.add_bytes(house_rules.encode(), "Lantern Rules 2.md", Loading(language="en"))
    assert (added.document, added.recognised) == ("lantern-rules-2", "")


def test_a_known_document_under_the_name_of_another_is_refused(
    rulebook_store: RulebookStore, rulebook_file: Callable[[str], Path]
) -> None:
    with pytest.raises(OtherDocumentError, match="those of compile-faq-fr"):
        rulebook_store.add(rulebook_file("compile-faq-fr"), Loading("lotr-reveal-fr"))
    assert files(rulebook_store) == []


def test_of_several_documents_of_one_language_the_stronger_is_quoted_first(
    rulebook_store: RulebookStore, house_rules: str
) -> None:
    for document, rank in (("lantern-rules", "rules"), ("lantern-errata", "errata"), ("lantern-faq", "faq")):
        text = f"{house_rules}\n\nThis is the {document}."
        rulebook_store.add_bytes(text.encode(), "r.md", Loading(document, "en", game="compile", rank=rank))
        rulebook_store.link(document, RULE.id, ["the-lantern-game/questions/q2/2"])
    quoted = Quoter(CATALOGUE, rulebook_store, ("en",)).of(RULE)
    assert [one.rank for one in quoted if one.text] == ["errata", "faq", "rules"]


def test_a_quotation_says_whether_its_edition_is_the_latest(rulebook_store: RulebookStore, house_rules: str) -> None:
    for text in (house_rules, house_rules.replace("two lamps", "three lamps")):
        rulebook_store.add_bytes(text.encode(), "r.md", Loading("lantern-en", "en", game="compile"))
        rulebook_store.link("lantern-en", RULE.id, ["the-lantern-game/questions/q2/2"])
    quoted = [one for one in Quoter(CATALOGUE, rulebook_store, ("en",)).of(RULE) if one.text]
    assert [one.latest for one in quoted] == [False, True]


def loaded(
    rulebook_store: RulebookStore, text: str, document: str = "", game: str = "", name: str = "house.md"
) -> Added:
    return rulebook_store.add_bytes(text.encode(), name, Loading(document, "en", game=game))


def test_a_new_edition_is_of_the_game_and_rank_of_the_edition_before(
    rulebook_store: RulebookStore, house_rules: str
) -> None:
    rulebook_store.add_bytes(house_rules.encode(), "h.md", Loading("house", "en", game="compile", rank="faq"))
    loaded(rulebook_store, house_rules.replace("two lamps", "three lamps"), "house")
    kept = rulebook_store.show("house").rulebook
    assert (kept.game, kept.rank) == ("compile", "faq")


def test_the_same_words_loaded_again_with_a_game_are_of_that_game(
    rulebook_store: RulebookStore, house_rules: str
) -> None:
    loaded(rulebook_store, house_rules, "house")
    rulebook_store.link("house", "lamp.once", ["the-lantern-game/questions/q2/2"])
    again = loaded(rulebook_store, house_rules, "house", "compile")
    assert (again.again, again.had_game, again.game, again.linked) == (True, "", "compile", 1)
    assert rulebook_store.show("house").rulebook.game == "compile"
    assert loaded(rulebook_store, house_rules, "house").had_game == "compile"


def test_a_new_edition_under_another_name_is_known_by_its_words(
    rulebook_store: RulebookStore, house_rules: str
) -> None:
    loaded(rulebook_store, house_rules, "house", "compile")
    later = loaded(rulebook_store, house_rules.replace("two lamps", "three lamps"), name="house-2.md")
    assert (later.document, later.recognised, later.game) == ("house", "house", "compile")
    assert loaded(rulebook_store, house_rules, "other").recognised == ""
    assert loaded(rulebook_store, "# A\n\n" + house_rules.split("## ")[1], name="part.md").document == "part"
