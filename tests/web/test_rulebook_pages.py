"""The pages of the loaded rulebooks: loading, reading, linking, and who may."""

from __future__ import annotations

import io
import re
from pathlib import Path
from threading import Event

import pytest
from flask.testing import FlaskClient

from audit.rulebooks.linking import Answer
from replays.rulebooks.linking import rejected
from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from tests.command_line import run
from tests.web.books_made import FRENCH, VIEWER_ORIGIN, load_own, load_real, viewer
from web.rulebooks.qa_kept import Learning
from web.site.tokens import make_token

RULE, TITLE = "victory.three-compiled", "Three compiled protocols win"
HAND = "setup.opening-hand"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    return viewer(tmp_path, monkeypatch)


def upload(client: FlaskClient, data: bytes, name: str = "bateaux.md", **more: str) -> tuple[int, str]:
    headers = {"Origin": more.pop("origin", "http://localhost")}
    fields = {"document": "bateaux-fr", "language": "fr", "game": "compile", **more}
    answer = client.post(
        "/rulebooks/", data={**fields, "file": (io.BytesIO(data), name)}, headers=headers,
        content_type="multipart/form-data",
    )  # fmt: skip
    return answer.status_code, answer.get_data(as_text=True)


def test_without_a_rulebook_the_page_says_so_and_how_to_load_one(here: FlaskClient) -> None:
    text = here.get("/rulebooks/").get_data(as_text=True)
    assert "No rulebook is loaded" in text
    assert "audit rulebook add" in text


def test_an_uploaded_rulebook_is_listed_and_read(here: FlaskClient) -> None:
    assert upload(here, FRENCH.encode())[0] == 303
    assert "bateaux-fr" in here.get("/rulebooks/").get_data(as_text=True)
    text = here.get("/rulebooks/bateaux-fr").get_data(as_text=True)
    assert "trois bateaux" in text
    assert "trois bateaux" not in here.get("/rulebooks/bateaux-fr?q=perdu").get_data(as_text=True)


def test_a_changed_edition_says_what_has_changed_and_stands_first_in_the_list(here: FlaskClient) -> None:
    told = []
    for text in (FRENCH, FRENCH.replace("trois bateaux", "quatre bateaux")):
        upload(here, text.encode(), document="bateaux-fr")
        edition = RulebookStore().show("bateaux-fr").rulebook.edition
        page = here.get(f"/rulebooks/bateaux-fr?edition={edition}&loaded={'new' if told else 'first'}")
        told.append(page.get_data(as_text=True))
    assert 'aria-current="true">Rulebooks' in told[0]
    assert "Loaded as bateaux-fr." in told[0]
    assert "A new edition of bateaux-fr." in told[1]
    assert "1 passage has changed" in told[1]
    listed = here.get("/rulebooks/").get_data(as_text=True)
    assert listed.index("current edition</b> " + edition[:8]) < listed.index("earlier edition")


@pytest.mark.parametrize(
    ("data", "name", "fields", "said"),
    [
        (b"", "empty.txt", {}, "no word"),
        (bytes(range(256)) * 40, "photo.jpg", {}, "no text"),
        (FRENCH.encode(), "b.md", {"language": "pl"}, "reads like"),
        (FRENCH.encode(), "b.md", {"document": "Not An Id"}, "small letters"),
        (FRENCH.encode(), "b.md", {"document": "compile-faq-fr"}, "right file"),
        (b"%PDF-1.7\nnothing", "b.pdf", {}, "PDF"),
        (b"x" * 21_000_000, "long.txt", {}, "20 MB"),
    ],
)
def test_what_cannot_be_loaded_is_told_and_nothing_is_stored(
    here: FlaskClient, tmp_path: Path, data: bytes, name: str, fields: dict[str, str], said: str
) -> None:
    status, text = upload(here, data, name, **fields)
    assert status in (400, 413)
    alert = re.search(r'role="alert">([^<]+)', text)
    assert alert
    assert said in alert[1]
    assert RulebookStore().editions() == []
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def pdf(pages: int, password: str = "") -> bytes:
    pypdf = pytest.importorskip("pypdf")
    writer = pypdf.PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(width=200, height=200)
    if password:
        writer.encrypt(password)
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


@pytest.mark.parametrize(("password", "said"), [("", "pictures of pages"), ("secret", "protected by a password")])
def test_a_pdf_without_words_or_behind_a_password_is_told(here: FlaskClient, password: str, said: str) -> None:
    status, text = upload(here, pdf(2, password), "scan.pdf")
    assert status == 400
    assert said in text
    assert RulebookStore().editions() == []


def test_a_form_of_another_site_loads_nothing(here: FlaskClient) -> None:
    assert upload(here, FRENCH.encode(), origin="http://elsewhere.example")[0] == 403
    sent = {"document": "bateaux-fr", "file": (io.BytesIO(FRENCH.encode()), "b.md")}
    assert here.post("/rulebooks/", data=sent, content_type="multipart/form-data").status_code == 403
    assert RulebookStore().editions() == []


def test_a_name_that_only_leads_to_this_machine_is_not_this_machine(here: FlaskClient) -> None:
    sent = {"document": "bateaux-fr", "language": "fr", "file": (io.BytesIO(FRENCH.encode()), "b.md")}
    headers = {"Host": "trap.example", "Origin": "http://trap.example"}
    answer = here.post("/rulebooks/", data=sent, headers=headers, content_type="multipart/form-data")
    assert answer.status_code == 403
    assert RulebookStore().editions() == []


@pytest.mark.parametrize(("role", "status"), [("judge", 303), ("viewer", 403), ("scorekeeper", 403)])
def test_from_elsewhere_a_token_of_a_judge_is_needed(here: FlaskClient, role: str, status: int) -> None:
    token = make_token(f"a {role}", role)
    here.environ_base["REMOTE_ADDR"] = "203.0.113.9"
    assert upload(here, FRENCH.encode())[0] == 403
    assert upload(here, FRENCH.encode(), token=token)[0] == status


def test_a_stranger_is_not_given_the_whole_book(here: FlaskClient) -> None:
    load_own()
    here.environ_base["REMOTE_ADDR"] = "203.0.113.9"
    for address in ("/rulebooks/bateaux-fr", "/rulebooks/bateaux-fr/links?propose=1"):
        answer = here.get(address)
        assert answer.status_code == 200
        assert "trois bateaux" not in answer.get_data(as_text=True)


def test_a_proposal_is_confirmed_and_the_link_taken_away_again(here: FlaskClient) -> None:
    edition = load_own()
    passage = RulebookStore().show("bateaux-fr").rulebook.rules[-1].id
    address = f"/rulebooks/bateaux-fr/links?propose=1&rule={RULE}"
    assert "Confirm" in here.get(address).get_data(as_text=True)
    sent = {"act": "confirm", "rule": RULE, "passage": passage, "by": "Zofia"}
    assert here.post("/rulebooks/bateaux-fr/links", data=sent, headers=VIEWER_ORIGIN).status_code == 303
    assert RulebookStore().links("bateaux-fr", edition) == {RULE: (passage,)}
    assert RULE in here.get("/rulebooks/bateaux-fr").get_data(as_text=True)
    here.post("/rulebooks/bateaux-fr/links", data={"act": "remove", "rule": RULE}, headers=VIEWER_ORIGIN)
    assert RulebookStore().links("bateaux-fr", edition) == {}


def test_a_new_edition_shows_every_part_of_a_split_passage_and_asks_for_a_look(here: FlaskClient) -> None:
    text = "# Port\n\nLe port ouvre à l'aube. Deux pilotes attendent au quai. Chacun a sa lanterne.\n\nLa nuit tombe.\n"
    changed = text.replace("l'aube. Deux", "l'aube.\n\nDeux").replace("nuit tombe", "marée monte")
    loading = Loading("port-fr", "fr", game="compile")
    RulebookStore().add_bytes(text.encode(), "port.md", loading)
    RulebookStore().link("port-fr", RULE, [RulebookStore().show("port-fr").rulebook.passages[0].id])
    RulebookStore().add_bytes(changed.encode(), "port.md", loading)
    page = here.get("/rulebooks/port-fr/links").get_data(as_text=True)
    assert "look whether it still says the rule" in page
    assert page.count("Deux pilotes attendent") == 1
    sent = {"act": "confirm", "rule": RULE, "passage": ["port-fr/port/1", "port-fr/port/2"]}
    assert here.post("/rulebooks/port-fr/links", data=sent, headers=VIEWER_ORIGIN).status_code == 303
    assert "look whether" not in here.get("/rulebooks/port-fr/links").get_data(as_text=True)


def test_a_batch_of_answers_is_kept_at_once(here: FlaskClient) -> None:
    edition = load_own()
    passage = RulebookStore().show("bateaux-fr").rulebook.rules[-1].id
    rules = [RULE, "refresh.up-to-five", "compile.mandatory"]
    sent = {"act": "batch", "rule": rules, "says": f"{RULE}\t{passage}", "later": "compile.mandatory", "by": "Zofia"}
    assert here.post("/rulebooks/bateaux-fr/links", data=sent, headers=VIEWER_ORIGIN).status_code == 303
    assert RulebookStore().links("bateaux-fr", edition) == {RULE: (passage,), "refresh.up-to-five": ()}
    assert "does not say it" in here.get("/rulebooks/bateaux-fr/links").get_data(as_text=True)


def test_answers_are_offered_the_least_certain_first(here: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    load_own()
    passage = RulebookStore().show("bateaux-fr").rulebook.rules[-1].id
    offered = [Answer("compile.mandatory", ((passage, 0.55),)), Answer(RULE, ((passage, 0.02),))]
    monkeypatch.setattr("web.rulebooks.pages.learned_answers", lambda *_: offered)
    text = here.get("/rulebooks/bateaux-fr/links?propose=1").get_data(as_text=True)
    assert text.index("compile.mandatory") < text.index(RULE)
    assert re.findall(r'value="([^"]+)&#9;[^"]+" checked', text) == ["compile.mandatory"]


def test_beside_proposals_in_a_language_that_was_never_measured_that_is_said(
    here: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_own()
    passage = RulebookStore().show("bateaux-fr").rulebook.rules[-1].id
    for is_measured in (True, False):
        offered = [Answer(RULE, ((passage, 0.9),), is_measured)]
        monkeypatch.setattr("web.rulebooks.pages.learned_answers", lambda *_, found=offered: found)
        here.application.extensions["audit.learning"] = Learning()
        text = here.get("/rulebooks/bateaux-fr/links?propose=1").get_data(as_text=True)
        assert ("never measured in this language" in text) is not is_measured


def test_while_proposals_by_meaning_are_prepared_the_page_answers_by_words_and_says_so(
    here: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_own()
    passage = RulebookStore().show("bateaux-fr").rulebook.rules[-1].id
    may_finish = Event()

    def slow(*_: object) -> list[Answer]:
        may_finish.wait(10)
        return [Answer(RULE, ((passage, 0.9),))]

    monkeypatch.setattr("web.rulebooks.pages.learned_answers", slow)
    address = "/rulebooks/bateaux-fr/links?propose=1"
    first = here.get(address).get_data(as_text=True)
    assert "are being prepared" in first
    assert "link-answer" not in first
    may_finish.set()
    later = here.get(address).get_data(as_text=True)
    assert "are being prepared" not in later
    assert later.count("link-answer") == 1


def test_proposals_of_an_earlier_edition_name_its_own_passages(here: FlaskClient) -> None:
    edition = load_own()
    later = "# Autre\n\n## Tout\n\nLa partie s'arrête quand un joueur n'a plus de bateau, et il a perdu la partie.\n"
    RulebookStore().add_bytes(later.encode(), "b.md", Loading("bateaux-fr", "fr", game="compile"))
    answer = here.get(f"/rulebooks/bateaux-fr/links?edition={edition}&propose=1&rule={RULE}")
    assert answer.status_code == 200
    assert "autre/tout" not in answer.get_data(as_text=True)


def test_a_rejected_proposal_is_not_made_again(here: FlaskClient) -> None:
    load_own()
    address = f"/rulebooks/bateaux-fr/links?propose=1&rule={RULE}"
    offered = re.findall(r'name="passage" value="([^"]+)"', here.get(address).get_data(as_text=True))
    sent = {"act": "reject", "rule": RULE, "passage": offered[0]}
    here.post("/rulebooks/bateaux-fr/links", data=sent, headers=VIEWER_ORIGIN)
    again = re.findall(r'name="passage" value="([^"]+)"', here.get(address).get_data(as_text=True))
    assert offered[0] not in again
    assert rejected(RulebookStore(), RulebookStore().show("bateaux-fr")) == {(RULE, offered[0])}
    assert [one.document for one in RulebookStore().editions()] == ["bateaux-fr"]


@pytest.mark.parametrize("sent", [{"rule": "no.such-rule", "passage": "x"}, {"rule": RULE, "passage": "no/such"}])
def test_a_link_to_what_is_not_there_is_refused(here: FlaskClient, sent: dict[str, str]) -> None:
    edition = load_own()
    assert here.post("/rulebooks/bateaux-fr/links", data=sent, headers=VIEWER_ORIGIN).status_code == 400
    assert RulebookStore().links("bateaux-fr", edition) == {}


def test_what_is_not_loaded_is_no_page(here: FlaskClient) -> None:
    assert here.get("/rulebooks/compile-faq-fr").status_code == 404


def test_a_new_edition_is_marked_against_the_one_before(here: FlaskClient) -> None:
    load_own()
    changed = FRENCH.replace("trois bateaux et", "quatre bateaux et") + "\nOn range ensuite tous les bateaux.\n"
    upload(here, changed.encode())
    text = here.get("/rulebooks/bateaux-fr/links").get_data(as_text=True)
    assert "edited" in text
    assert "new" in text


def test_what_was_edited_shows_the_old_words_beside_the_new(here: FlaskClient) -> None:
    load_own()
    upload(here, FRENCH.replace("trois bateaux", "quatre bateaux").encode())
    text = here.get("/rulebooks/bateaux-fr/links").get_data(as_text=True)
    assert "<del>trois</del>" in text
    assert "<ins>quatre</ins>" in text
    assert "100 %" not in text


def test_an_edition_that_is_not_there_is_no_page(here: FlaskClient) -> None:
    load_own()
    assert here.get("/rulebooks/bateaux-fr?edition=zzzz").status_code == 404


def test_a_link_a_person_made_is_quoted_without_a_new_start(here: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.rulebooks.quotes.SECOND", 0.0)
    load_own()
    passage = RulebookStore().show("bateaux-fr").rulebook.rules[-1].id
    assert "il a perdu" not in here.get(f"/rules/compile/{RULE}").get_data(as_text=True)
    RulebookStore().link("bateaux-fr", RULE, [passage])
    page = here.get(f"/rules/compile/{RULE}").text
    assert "il a perdu" in page
    shown = [*re.findall("<(?:title|h1).*", page), here.get("/rules/compile").text, run("rule", RULE).stdout.decode()]
    assert [text.partition(TITLE)[1] for text in shown] == [TITLE] * 4, "what is quoted is no name of the rule"


def test_a_rule_page_quotes_a_language_of_its_own(here: FlaskClient) -> None:
    german = "# Regeln\n\nWer als Erster alle drei Protokolle auf der fertigen Seite hat, gewinnt die Partie.\n"
    RulebookStore().add_bytes(german.encode(), "regeln.md", Loading("regeln-de", "de", game="compile"))
    RulebookStore().link("regeln-de", RULE, [RulebookStore().show("regeln-de").rulebook.rules[0].id])
    text = here.get(f"/rules/compile/{RULE}").get_data(as_text=True)
    assert "Deutsch" in text
    assert "gewinnt die Partie" in text


def test_restored_words_of_a_scan_are_shown_with_what_stood_there(here: FlaskClient, root: Path) -> None:
    load_real(root)
    text = here.get("/rulebooks/compile-rules-pl?only=restored").get_data(as_text=True)
    first = next(p for p in RulebookStore().show("compile-rules-pl").rulebook.passages if p.corrections)
    assert f'id="p-{first.id}"' in text
    assert "<del" in text
    assert "<ins" in text


def test_from_a_passage_one_gets_to_its_rules_and_what_is_not_ticked_is_left_for_later(
    here: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    edition = load_own()
    one, other = (passage.id for passage in RulebookStore().show("bateaux-fr").rulebook.passages)
    offered = [Answer("compile.mandatory", ((other, 0.9),)), Answer(HAND, ((one, 0.2),)), Answer(RULE, ((one, 0.7),))]
    monkeypatch.setattr("web.rulebooks.pages.learned_answers", lambda *_: offered)
    assert f"passage={one}" in here.get("/rulebooks/bateaux-fr").get_data(as_text=True)
    page = here.get(f"/rulebooks/bateaux-fr/links?propose=1&passage={one}").get_data(as_text=True)
    assert re.findall(r'name="rule" value="([a-z.-]+)"', page) == [RULE, HAND]
    answers = {"act": "batch", "of": one, "rule": [RULE, HAND], "says": f"{RULE}\t{one}"}
    kept = here.post("/rulebooks/bateaux-fr/links", data=answers, headers=VIEWER_ORIGIN)
    assert f"passage={one}" in kept.headers["Location"]
    assert RulebookStore().links("bateaux-fr", edition) == {RULE: (one,)}


def test_a_document_without_a_game_says_so_and_is_given_one_by_loading_it_again(here: FlaskClient) -> None:
    assert upload(here, FRENCH.encode(), game="")[0] == 303
    said = here.get("/rulebooks/bateaux-fr?loaded=first").get_data(as_text=True)
    assert "No game is known for this document." in said
    assert upload(here, FRENCH.encode())[0] == 303
    page = here.get("/rulebooks/bateaux-fr?loaded=game").get_data(as_text=True)
    assert "It is a document of Compile now." in page
    assert "Link it to the rules" in page
