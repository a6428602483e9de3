"""Cases in the viewer: what a judge can do with a phone, and what everybody else is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace
from werkzeug.test import TestResponse

from audit.core.ruleset import ruleset
from cli import audit
from replays.cases.book import CaseBook, StoreShelf
from replays.cases.bundle import page_of, public_bundle_of
from replays.cases.bundle_check import check_bundle
from replays.cases.bundle_mark import START
from replays.cases.case import line_of
from replays.cases.writing import FIELDS, KINDS, NOTED, made, opened, opinion_on, place_of_log
from replays.store.ledgers import StoredLedger
from replays.store.store import Store
from replays.terminal.cases import case_lines
from replays.trust.verify import NOBODY
from tests.web.lending import viewer_over
from web import create_app, samples
from web.games.folder_library import FolderLibrary
from web.games.store_library import StoreLibrary
from web.rulebooks.quotes import Quote
from web.site.tokens import make_token

DISPUTE = Path("replays/samples/dispute.jsonl")
NEEDS = "play.face-up-needs-protocol"
HERE = {"Sec-Fetch-Site": "same-origin"}
FAR = {"REMOTE_ADDR": "203.0.113.9"}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    with Store(tmp_path / "games.db") as store:
        store.import_log(DISPUTE)
        yield store


@pytest.fixture
def app(store: Store) -> Flask:
    return viewer_over(StoreLibrary(store))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def game(store: Store) -> str:
    return store.find("r3-t12")


def post(client: FlaskClient, address: str, **data: object) -> TestResponse:
    return client.post(address, data={"by": "Ada", **data}, headers=HERE)


@pytest.fixture
def case(client: FlaskClient, game: str) -> str:
    form = {"game": game, "step": "25", "question": "May <b>it</b>?", "languages": ["en", "fr"]}
    done = post(client, "/cases", **form)
    assert done.status_code == 303, done.text
    return done.headers["Location"].partition("#")[0]


FORM = {"game": "dispute", "step": "25", "question": "May it?"}


def test_a_case_is_opened_where_no_case_was_before_in_a_folder_of_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "not" / "yet"))
    client = create_app().test_client()
    done = post(client, "/cases", **FORM)
    assert done.status_code == 303, done.text
    assert "May it?" in client.get(done.headers["Location"]).text


def test_where_no_case_can_be_kept_the_page_names_no_folder_of_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "data").write_text("a file where the folder should be")
    answer = post(create_app().test_client(), "/cases", **FORM)
    assert answer.status_code == 400
    assert "cannot be written" in answer.text
    assert str(tmp_path) not in answer.text


def test_cases_of_before_the_first_import_are_there_after_it_and_those_of_the_store_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))
    browser = create_app().test_client()
    early = post(browser, "/cases", **FORM).headers["Location"]
    id = early.partition("#")[0].rsplit("/", 1)[1]
    assert CliRunner().invoke(audit, ["case", "show", id]).exit_code == 0
    asked = ["case", "open", str(DISPUTE), "Why here?", "--at", "25", "--by", "Ada"]
    assert CliRunner().invoke(audit, asked).exit_code == 0
    for app in (browser.application, create_app(StoreLibrary(Store()))):
        listed = app.test_client().get("/cases").text
        assert "May it?" in listed
        assert "Why here?" in listed
        assert app.test_client().get(early).status_code == 200
    done = CliRunner().invoke(audit, ["case", "rule", id, "--no", "Not here.", "--by", "Ada"])
    assert done.exit_code == 0, done.output
    assert "Not here." in browser.get(early).text


def rule(client: FlaskClient, case: str, **more: object) -> TestResponse:
    words = {"reason-en": "Not here.", "reason-fr": "Pas ici.", "decision": "no", "rules": NEEDS}
    return post(client, f"{case}/events", kind="ruled", **{**words, **more})


def test_the_form_is_filled_in_from_the_step_and_the_opinion_of_the_auditor(client: FlaskClient, game: str) -> None:
    form = client.get(f"/cases/new?game={game}&step=25").text
    assert "Is this allowed? Ada plays Plague 5 face up in line 2." in form
    assert 'type="hidden" name="step" value="25"' in form


def test_the_whole_way_of_a_case(client: FlaskClient, case: str, store: Store, game: str) -> None:
    page = client.get(case).text
    assert "May &lt;b&gt;it&lt;/b&gt;?" in page
    assert not re.search(r'name="remedy"[^>]* checked', page)
    assert re.search(r'name="decision" value="no" checked', page)
    assert NEEDS in page
    assert (
        post(client, f"{case}/events", kind="claimed", player="A", sheet="A plague-5 1", said="Line 1").status_code
        == 303
    )
    assert post(client, f"{case}/events", kind="agreed", text="A's turn").status_code == 303
    photo = (BytesIO(b"\x89PNG"), "../../x.png")
    assert post(client, f"{case}/events", kind="evidence", file=photo).status_code == 303
    assert rule(client, case, player="A", infraction="wrong line", level="warning").status_code == 303
    assert post(client, f"{case}/events", kind="appealed", player="B", reason="No.").status_code == 303
    assert rule(client, case).status_code == 400  # a judge again
    assert rule(client, case, role="head-judge").status_code == 303
    plan = client.get(f"{case}/remedy?to=24").text
    assert "Plague 5" in plan
    assert post(client, f"{case}/events", kind="remedied", to="24").status_code == 303
    page = client.get(case).text
    assert "final" in page
    branch = re.search(r'href="(/games/\w+)\?step=24"', page)
    assert branch
    assert "A branch of r3-t12, after event 24." in client.get(branch[1]).text
    compared = client.get(f"/games/{game}/branches?with={branch[1].rpartition('/')[2]}").text
    assert "The same up to event 24" in compared
    assert store.export(game) == DISPUTE.read_bytes()
    assert not store.verify().bad


ENTRIES: dict[str, list[tuple[dict[str, object], list[str]]]] = {
    "opened": [({"question": "May <b>it</b>?"}, ["May <b>it</b>?"])],
    "opined": [({}, ["Said by version"])],
    "claimed": [({"player": "A", "said": "It was line 1."}, ["Ada says", "It was line 1."])],
    "agreed": [({"text": "It was Ada's <turn>."}, ["Agreed by all", "It was Ada's <turn>."])],
    "evidence": [({"text": "Our own words.", "source": "Page 3."}, ["Our own words.", "Page 3."])],
    "ruled": [
        ({"decision": said, "reasons": {"en": why}, "rules": [NEEDS]}, [why])
        for said, why in (("no", "Not in line 2."), ("other", "Read it again."))
    ],
    "reworded": [({"reasons": {"en": "Read the card again."}}, ["In other words", "Read the card again."])],
    "question_changed": [
        ({"questions": {"en": "Is it that line?"}}, ["The question in other words", "Is it that line?"])
    ],
    "remedied": [({"to": 24, "game": "r3-t12 again"}, ["Back to event 24. The game goes on as r3-t12 again."])],
    "appealed": [({"player": "B", "reason": "The card says more."}, ["Bo appeals.", "The card says more."])],
    "made_final": [({"reason": "Nobody appealed."}, ["Made final", "Nobody appealed."])],
    "withdrawn": [({"reason": "They shook hands."}, ["Withdrawn", "They shook hands."])],
    "superseded": [({"case": "cabcdefg", "reason": "It was reprinted."}, ["Case cabcdefg holds", "It was reprinted."])],
    "shared": [({"audience": "judges"}, ["Only judges may see this case."])],
}  # fmt: skip
"""What an entry of each type is made of, and what a judge reads of it."""


@pytest.fixture
def every_entry(store: Store) -> str:
    """A case with an entry of each type, as the store keeps it; each is told, whether it could come there or not."""
    who = {"by": "Ada", "role": "judge", "at": "2026-01-02T10:00:00Z"}
    place, known = place_of_log(DISPUTE.read_bytes(), 25, "dispute.jsonl")
    first = opened(place, {**who, **ENTRIES["opened"][0][0], **known})
    more = [
        made(kind, {**who, **values})
        for kind, found in ENTRIES.items() for values, _ in found if kind not in ("opened", "opined")
    ]  # fmt: skip
    events = [first, opinion_on(first, who), *more]
    StoredLedger(store, "case", first.id).append([line_of(each) for each in events], 0, "Ada")
    return first.id


def untold(text: str) -> set[str]:
    """The types of entries of which some word is not in a text."""
    return {kind for kind, found in ENTRIES.items() for _, said in found if any(words not in text for words in said)}


def test_every_entry_of_a_case_is_told_in_terminal_page_and_bundle(
    client: FlaskClient, store: Store, every_entry: str
) -> None:
    assert ENTRIES.keys() == KINDS.keys()
    address = f"/cases/{every_entry}"
    assert untold("\n".join(case_lines(CaseBook(StoreShelf(store)).case(every_entry), "en"))) == set()
    assert untold(unescape(client.get(address).text.partition("<main")[2])) == set()
    assert untold(unescape(client.get(f"{address}/bundle.html").text.partition(START)[0])) == set()


def test_the_public_bundle_tells_the_question_and_the_rulings_alone(store: Store, every_entry: str) -> None:
    case = CaseBook(StoreShelf(store)).case(every_entry)
    page = unescape(page_of(public_bundle_of(replace(case, is_public=True))).decode())
    assert untold(page) == set(ENTRIES), "the words of the question and of the last ruling were changed"
    assert ("Not in line 2." in page, "Read the card again." in page, "Read it again." in page) == (True, True, False)
    assert ("Is it that line?" in page, "May <b>it</b>?" in page) == (True, False)
    public = ("ruled", "reworded", "question_changed")
    secret = [words for kind, found in ENTRIES.items() if kind not in public for _, said in found
              for words in said if words in page]  # fmt: skip
    assert secret == []


def test_the_page_has_a_form_for_every_entry_that_is_words_alone(client: FlaskClient, case: str) -> None:
    page = client.get(case).text
    for kind, fields in NOTED.items():
        form = page.partition(f'name="kind" value="{kind}"')[2].partition("</form>")[0]
        assert all(f'name="{name}"' in form for name in fields)
        assert not re.search(rf"{kind}\.\w", form), "a label has no words"
    assert "What everybody agrees on" in page
    assert FIELDS.keys() == KINDS.keys() - {"opened", "opined"}


def test_a_case_says_question_and_verdict_in_each_of_its_languages(client: FlaskClient, game: str) -> None:
    form = client.get(f"/cases/new?game={game}&step=25").text
    usual = re.search(r'<textarea name="question"[^>]*>([^<]*)</textarea>', form)
    assert usual
    opened = post(client, "/cases", game=game, step="25", question=unescape(usual[1]), languages=["en", "fr", "pl"])
    case = opened.headers["Location"].partition("#")[0]
    assert rule(client, case).status_code == 303
    assert post(client, f"{case}/events", kind="shared", audience="public").status_code == 303
    french = client.get(f"{case}?lang=fr").text
    assert re.search(r'<h1 class="asks" lang="fr">Est-ce permis', french)
    assert '<p class="quiet" lang="en">Is this allowed?' in french
    assert '<p class="quiet" lang="pl">' in french
    assert "L’avis de l’auditeur, demandé par Ada" in french
    assert re.search(r'lang="fr">Est-ce permis', client.get(f"{case}?lang=fr&as=public").text)
    bundle = client.get(f"{case}/bundle.html").text
    assert '<p lang="fr">Est-ce permis' in bundle
    assert check_bundle("case.html", bundle.encode(), NOBODY).problems == ()


MISSED = "compile/9A.action.-/fire.life.water:f5f4f1;l2;:l1,w2:9:/death.metal.speed:;m2;:4:8:"
"""Line 1 of A should have been compiled before the action."""


def test_a_judge_asks_in_both_languages_at_once_and_each_player_reads_the_own_one(
    client: FlaskClient, game: str
) -> None:
    assert 'name="question-fr"' in client.get(f"/cases/new?game={game}&step=25").text
    both = {"question": "May it lie there?", "question-fr": "Peut-elle être là ?"}
    case = post(client, "/cases", game=game, step="25", **both).headers["Location"].partition("#")[0]
    for language, question in (("en", both["question"]), ("fr", both["question-fr"])):
        asked = re.search(r'<h1 class="asks" lang="(..)">([^<]+)', client.get(f"{case}?lang={language}").text)
        assert asked
        assert asked.groups() == (language, question)


def test_a_case_opened_from_an_answer_keeps_what_was_missed_before(client: FlaskClient) -> None:
    form = {"position": MISSED, "asked": "A life-1 2", "question": "May it?", "languages": ["en", "fr"]}
    case = post(client, "/cases", **form).headers["Location"].partition("#")[0]
    page = client.get(f"{case}?lang=fr").text
    assert re.search(r'<p class="judged undetermined">.*compil', page)
    assert re.search(r'lang="en">[^<]*[Cc]ompil', page)
    bundle = client.get(f"{case}/bundle.html").text
    assert "compile.mandatory" in bundle
    assert check_bundle("case.html", bundle.encode(), NOBODY).problems == ()


class OneQuote:
    """A rulebook of one sentence of our own."""

    def of(self, ruleset: str, rule: str) -> list[Quote]:
        return [Quote("fr", "Une phrase à nous.", "bateaux-fr", "abc", "3"), Quote("it", "Altro.", "b-it", "d", "1")]

    def version(self) -> str:
        return "1"


def test_a_case_quotes_the_loaded_rulebooks_in_its_languages(
    app: Flask, client: FlaskClient, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.extensions, "audit.quotes", OneQuote())
    rule(client, case)
    post(client, f"{case}/events", kind="shared", audience="public")
    for page in (case, f"{case}?as=public", f"{case}/bundle.html"):
        text = client.get(page).text
        assert "Une phrase à nous." in text, page
        assert "Altro." not in text


def test_two_judges_at_once_on_two_phones(client: FlaskClient, case: str) -> None:
    assert rule(client, case, expected="2").status_code == 303
    second = rule(client, case, expected="2", by="Ben")
    assert second.status_code == 409
    assert "expected version 2, found version 3" in second.text
    assert "ruled by Ada" in second.text


def test_a_remedy_that_was_planned_before_another_judge_wrote_is_refused(client: FlaskClient, case: str) -> None:
    rule(client, case, remedy="backup")
    pages = client.get(case).text + client.get(f"{case}/remedy").text
    forms = re.findall(r"<form.*?</form>", pages, re.DOTALL)
    written = [dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) for form in forms if f"{case}/events" in form]
    post(client, f"{case}/events", kind="agreed", text="A's turn")
    assert {one["expected"] for one in written} == {"3"}
    assert post(client, f"{case}/events", **written[-1]).status_code == 409


def test_who_is_no_judge_sees_no_case_before_it_is_public(app: Flask, client: FlaskClient, case: str) -> None:
    rule(client, case, player="A", infraction="secret-infraction", level="warning", remedy="backup")
    far = app.test_client()
    assert far.get(case, environ_base=FAR).status_code == 404
    assert "May" not in far.get("/cases", environ_base=FAR).text
    for address in ("/cases/new", "/cases/infractions", f"{case}/remedy", f"{case}/bundle.html"):
        assert far.get(address, environ_base=FAR).status_code in (403, 404)
    assert "published" not in client.get("/cases").text
    done = post(client, f"{case}/events", kind="shared", audience="public")
    assert done.headers["Location"].endswith("#published")
    assert "No, that is not allowed.</b>" in (listed := client.get("/cases").text)
    assert "published" in listed
    told = far.get(case, environ_base=FAR).text
    assert "Not here." in told
    assert "The game is backed up." in told
    for secret in ("secret-infraction", "compile/3A", "fire-4"):
        assert secret not in told
        assert secret not in far.get(f"{case}/bundle.html", environ_base=FAR).text
    assert "May" in far.get("/cases", environ_base=FAR).text


@pytest.mark.parametrize(
    ("role", "status"), [("viewer", 403), ("scorekeeper", 403), ("judge", 303), ("head-judge", 303)]
)
def test_name_and_role_come_from_the_token(app: Flask, case: str, role: str, status: int) -> None:
    signed = {"Authorization": f"Bearer {make_token(f'the {role}', role)}", **HERE}
    data = {
        "kind": "ruled",
        "by": "Somebody else",
        "role": "head-judge",
        "reason-en": "So.",
        "decision": "no",
        "rules": NEEDS,
    }
    done = app.test_client().post(f"{case}/events", data=data, headers=signed, environ_base=FAR)
    assert done.status_code == status
    page = app.test_client().get(case).text
    assert "Somebody else" not in page
    if status == 303:
        assert f"the {role} ({role.replace('-', ' ')})" in page


def test_a_form_of_another_site_opens_nothing(client: FlaskClient, game: str, app: Flask) -> None:
    data = {"game": game, "step": "25", "question": "x"}
    assert client.post("/cases", data=data, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert app.test_client().post("/cases", data=data, headers=HERE, environ_base=FAR).status_code == 403


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "nothing"}, {"kind": "agreed", "text": ""}, {"kind": "agreed", "text": "x" * 10_001},
        {"kind": "claimed", "player": "A", "sheet": "what?"}, {"kind": "ruled", "decision": "no", "rules": "no.such"},
        {"kind": "ruled", "decision": "perhaps", "reason-en": "x"}, {"kind": "made_final"}, {"kind": "evidence"},
        {"kind": "superseded", "case": "../x", "reason": "x"}, {"kind": "shared", "audience": "everybody"},
        {"kind": "agreed", "text": "x", "role": "king"}, {"kind": "agreed", "text": "x", "by": "y" * 101},
        {"kind": "opened"}, {"kind": "opined"}, {"kind": "remedied", "to": "999"},
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_line_and_nothing_is_written(
    client: FlaskClient, case: str, wrong: dict[str, str], store: Store
) -> None:
    before = CaseBook(StoreShelf(store)).all()
    assert post(client, f"{case}/events", **wrong).status_code == 400
    assert CaseBook(StoreShelf(store)).all() == before


def test_a_form_that_is_refused_stays_open_with_all_that_was_typed_and_what_may_be_meant(
    client: FlaskClient, case: str
) -> None:
    typed = {"rules": "play.face-up-need-protocol", "reason-en": "My own words.", "infraction": "Haste", "cards": "x-1"}
    refused = rule(client, case, **typed, level="note")
    form = refused.text.partition('<details class="do" open>')[2].partition("</form>")[0]
    assert all(words in form for words in typed.values())
    (instead,) = re.findall(r'name="instead" value="([^"]+)">', form)
    assert f'href="{case}?lang=fr"' in refused.text
    assert client.get(f"{case}/events?lang=fr").headers["Location"].startswith(f"{case}?lang=fr")
    assert rule(client, case, **typed, level="note", player="A", instead=instead).status_code == 303
    assert "My own words." in client.get(case).text


def test_a_claim_that_cannot_be_read_is_told_in_words_with_what_may_be_meant(client: FlaskClient, case: str) -> None:
    claim = {"kind": "claimed", "player": "B", "said": "It was there.", "sheet": "A refresh\nA plage-5 2"}
    form = post(client, f"{case}/events?lang=fr", **claim).text.partition('<details class="do" open>')[2]
    assert "column" not in form
    assert "It was there." in form
    instead = unescape(re.findall(r'name="instead" value="([^"]+)"', form)[0])
    assert instead == "sheet=A refresh\nA plague-5 2"
    assert post(client, f"{case}/events", **claim, instead=instead).status_code == 303


def test_a_file_that_is_no_picture_is_only_downloaded(client: FlaskClient, case: str) -> None:
    post(client, f"{case}/events", kind="evidence", file=(BytesIO(b"<script>1</script>"), "x.html"))
    address = re.search(rf'href="({case}/files/\w+)"', client.get(case).text)
    assert address
    answer = client.get(address[1])
    assert answer.mimetype == "application/octet-stream"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert client.get(f"{case}/files/{'0' * 64}").status_code == 404
    assert client.get(f"{case}/files/..%2f..%2fetc%2fpasswd").status_code == 404


def test_the_head_judge_finds_what_is_urgent_first_and_the_infractions(
    client: FlaskClient, case: str, game: str
) -> None:
    rule(client, case, player="A", infraction="=wrong", level="warning")
    second = post(client, "/cases", game=game, step="73", question="Second?").headers["Location"].partition("#")[0]
    rule(client, second, rules="refresh.only-under-five")
    post(client, f"{second}/events", kind="appealed", player="A")
    post(client, "/cases", game=game, step="87", question="Third?")
    page = client.get("/cases").text
    order = [page.index(words) for words in ("Second?", "Third?", "May &lt;b")]
    assert order == sorted(order)
    assert b"'=wrong" in client.get("/cases/infractions?form=csv").data
    assert client.get("/cases/infractions?form=json").get_json()[0]["player"] == "Ada"
    assert "wrong" in client.get("/cases/infractions").text
    assert "Cases decided by it" in client.get(f"/rules/compile/{NEEDS}").text


def test_a_case_on_a_position_alone(client: FlaskClient) -> None:
    line = "compile/4A.action.-/fire.life.water:f3;;l1*:4:9:/death.metal.speed:;;:5:13:"
    done = post(client, "/cases", position=line, asked="A fire-1 2", question="May it?")
    assert done.status_code == 303
    assert line in client.get(done.headers["Location"]).text
    assert post(client, "/cases", position="compile/x", question="May it?").status_code == 400
    assert post(client, "/cases", position=line, question="").status_code == 400


HANDS = "compile/3A.action.-/plague.fire.water:w3*;;:p51f41:13:/spirit.gravity.hate:;g6*;:5:13:"


def test_a_case_on_a_position_that_is_asked_about_from_a_step_keeps_game_step_and_players(
    client: FlaskClient, game: str
) -> None:
    given = {"game": game, "step": "25", "position": HANDS, "asked": "A plague-5 3"}
    form = client.get("/cases/new", query_string=given).text
    assert "Is this allowed? Ada plays Plague 5 face up in line 3." in form
    assert "r3-t12 · 25" in form
    page = client.get(post(client, "/cases", **given, question="May it?").headers["Location"]).text
    assert f'href="/games/{game}?step=25"' in page
    assert "Ada plays Plague 5 face up in line 3." in page
    assert 'value="backup"' in page


def test_a_case_has_the_players_whom_the_address_names_and_no_seat_that_is_not_there(client: FlaskClient) -> None:
    named = ["A Ada <b>", "Z Zoe", "B " + "x" * 3000, "B"]
    given = {"position": HANDS, "asked": "A plague-5 3", "player": named}
    assert "Is this allowed? Ada &lt;b&gt; plays Plague 5" in client.get("/cases/new", query_string=given).text
    page = client.get(post(client, "/cases", **given, question="May it?").headers["Location"]).text
    assert "Ada &lt;b&gt; plays Plague 5 face up in line 3." in page
    assert "Zoe" not in page
    assert "xxx" not in page


def test_only_a_game_is_backed_up(client: FlaskClient) -> None:
    case = post(client, "/cases", position=HANDS, question="May it?").headers["Location"]
    page = client.get(case).text
    assert 'value="backup"' not in page
    assert "Only the position is in question." in page


def test_contradictions_are_said_to_judges(client: FlaskClient, case: str, game: str, app: Flask) -> None:
    rule(client, case, role="head-judge")
    second = post(client, "/cases", game=game, step="25", question="Again?").headers["Location"].partition("#")[0]
    rule(client, second, role="head-judge", decision="yes")
    assert "contradict each other" in client.get("/cases").text
    assert "contradict" not in app.test_client().get("/cases", environ_base=FAR).text
    assert made("made_final", {"by": "x", "role": "judge", "at": "2026-01-01T00:00:00Z"})


DRAWS = "87"
"""The event of the dispute by which Ada draws Water 0 and Fire 0, which only she has seen."""


def test_a_case_at_a_draw_is_opened_with_the_question_that_everybody_may_read(client: FlaskClient, game: str) -> None:
    form = client.get(f"/cases/new?game={game}&step={DRAWS}").text
    assert "Is this allowed? Ada draws 2 cards." in form
    asked = {"game": game, "step": DRAWS, "question": "Is this allowed? Ada draws 2 cards."}
    case = post(client, "/cases", **asked).headers["Location"].partition("#")[0]
    assert rule(client, case).status_code == 303
    assert "Not everybody has seen" not in client.get(case).text
    assert post(client, f"{case}/events", kind="shared", audience="public").status_code == 303
    for language, says in (("en", "Ada draws 2 cards."), ("fr", "Ada pioche 2 cartes"), ("pl", "Ada dobiera 2 karty")):
        page = client.get(f"{case}?as=public&lang={language}").text
        assert says in page
        assert not re.search(r"(Water|Eau|Woda|Fire|Feu|Ogień) 0", page)


def test_who_publishes_a_question_with_a_hidden_card_is_told_which(client: FlaskClient, game: str) -> None:
    asked = {"game": game, "step": DRAWS, "question": "May Ada draw eau 0 here?"}
    warned = post(client, "/cases", **asked)
    assert (warned.status_code, "Not everybody has seen Water 0." in warned.text) == (400, True)
    case = post(client, "/cases", **asked, knowing="1").headers["Location"].partition("#")[0]
    assert "Publish" not in client.get(case).text, "there is nothing to show yet"
    rule(client, case)
    assert "Not everybody has seen Water 0." in client.get(case).text


def test_a_question_is_asked_in_other_words_in_each_language_and_the_history_keeps_the_first(
    client: FlaskClient, game: str
) -> None:
    asked = {"game": game, "step": DRAWS, "question": "May Ada draw eau 0 here?", "knowing": "1"}
    case = post(client, "/cases", **asked, languages="fr").headers["Location"].partition("#")[0]
    words = {"kind": "question_changed", "question-en": "May Ada draw Water 0?", "question-fr": "Peut-elle piocher ?"}
    warned = post(client, f"{case}/events", **words)
    form = warned.text.partition('id="question_changed" open>')[2].partition("</form>")[0]
    assert (warned.status_code, "Not everybody has seen Water 0." in form) == (400, True)
    assert post(client, f"{case}/events", **{**words, "question-en": "May Ada draw?"}).status_code == 303
    rule(client, case, role="head-judge")
    assert "Not everybody has seen" not in client.get(case).text
    assert post(client, f"{case}/events", **{**words, "role": "judge"}, knowing="1").status_code == 400, "it is final"
    post(client, f"{case}/events", kind="shared", audience="public")
    for language, says in (("en", "May Ada draw?"), ("fr", "Peut-elle piocher ?")):
        shown = unescape(client.get(f"{case}?as=public&lang={language}").text)
        assert says in shown.partition("</h1>")[0]
        assert "eau 0" not in shown
    assert "May Ada draw eau 0 here?" in client.get(case).text


HIDDEN = {"reason-en": "Bo still holds Gravity 5.", "reason-fr": "Bo tient encore lo Spirito n. 3."}


def test_a_reason_that_names_a_hidden_card_is_told_before_it_is_ruled_and_its_words_can_be_changed(
    client: FlaskClient, case: str
) -> None:
    warned = rule(client, case, **HIDDEN)
    form = warned.text.partition('<details class="do" open>')[2].partition("</form>")[0]
    assert warned.status_code == 400
    assert "Not everybody has seen Gravity 5, Spirit 3." in form
    assert all(words in form for words in HIDDEN.values())
    assert rule(client, case, **HIDDEN, knowing="1").status_code == 303
    page = client.get(case).text
    assert "Not everybody has seen Gravity 5, Spirit 3." in page
    assert 'id="reworded"' in page
    assert post(client, f"{case}/events", kind="reworded", **{"reason-en": "Gravity 5."}).status_code == 400
    words = {"reason-en": "Line 2 is another protocol's.", "reason-fr": "La ligne 2 est d'un autre."}
    assert post(client, f"{case}/events", kind="reworded", **words).status_code == 303
    assert "Not everybody has seen" not in client.get(case).text
    post(client, f"{case}/events", kind="shared", audience="public")
    for public in (f"{case}?as=public", f"{case}?as=public&lang=fr"):
        told = client.get(public).text
        assert "Spirit" not in told
        assert "Gravity 5" not in told
        assert "La ligne 2" in told


def test_the_words_of_a_final_ruling_are_changed_by_a_head_judge_alone(client: FlaskClient, case: str) -> None:
    rule(client, case, role="head-judge")
    words = {"kind": "reworded", "reason-en": "Not in line 2."}
    assert post(client, f"{case}/events", **words, role="judge").status_code == 400
    assert post(client, f"{case}/events", **words, role="head-judge").status_code == 303


RULE_IN_FRENCH = r'name="reason-fr"[^>]*>([^<]+)</textarea>'


def test_every_reason_of_the_form_is_shown_with_its_language_if_one_of_them_was_changed(
    client: FlaskClient, case: str
) -> None:
    filled_in = unescape(re.findall(RULE_IN_FRENCH, client.get(case).text)[0])
    rule(client, case, **{"reason-en": "Line 2 is another's.", "reason-fr": filled_in})
    post(client, f"{case}/events", kind="shared", audience="public")
    page = unescape(client.get(f"{case}?as=public&lang=fr").text)
    assert f'<p lang="fr" class="why"><small class="quiet">FR</small> {filled_in}</p>' in page
    assert '<small class="quiet">EN</small> Line 2 is another' in page
    bundle = unescape(client.get(f"{case}/bundle.html").text)
    assert bundle.partition("<h3>")[0].count(filled_in) == 1


def test_the_role_is_kept_like_the_name_and_what_it_decides_is_said_before(client: FlaskClient, game: str) -> None:
    form = {"game": game, "step": "25", "question": "May it?", "role": "head-judge"}
    page = client.get(post(client, "/cases", **form).headers["Location"]).text
    ruling = page.partition('value="ruled"')[2].partition("</form>")[0]
    assert 'value="head-judge" checked' in ruling
    assert "is final at once: nobody can appeal" in ruling


def test_what_a_remedy_does_is_said_and_the_one_that_is_still_to_be_done_is_offered_first(
    client: FlaskClient, case: str
) -> None:
    assert "No card is moved." in client.get(case).text
    rule(client, case, remedy="backup")
    page = client.get(case).text
    assert "That is still to be done:" in page.partition('<div class="doings">')[0]
    plan = client.get(f"{case}/remedy").text
    assert "Everybody has seen since:" in plan
    assert "public has seen" not in plan
    post(client, f"{case}/events", kind="remedied", to="24")
    assert "still to be done" not in client.get(case).text
    for remedy in ("repair", "as-it-stands"):
        other = post(client, "/cases", **FORM | {"game": game_of(page)}).headers["Location"].partition("#")[0]
        rule(client, other, remedy=remedy)
        assert f'{other}/remedy"' not in client.get(other).text


def test_a_repair_is_refused_until_the_reason_says_what_is_put_right(client: FlaskClient, case: str) -> None:
    catalogue = ruleset("compile").catalogue
    said = {f"reason-{code}": catalogue.statement(catalogue[NEEDS], code) for code in ("en", "fr")}
    before = client.get(case).text
    refused = rule(client, case, remedy="repair", **said)
    assert refused.status_code == 400
    assert "what the players put right" in refused.text
    assert client.get(case).text == before
    assert rule(client, case, remedy="repair", **{"reason-en": "That card goes back to the hand."}).status_code == 303


def test_the_players_are_told_where_the_game_goes_back_to(client: FlaskClient, case: str) -> None:
    rule(client, case, remedy="backup")
    post(client, f"{case}/events", kind="shared", audience="public")
    assert "It goes on from where" not in client.get(f"{case}?as=public").text
    post(client, f"{case}/events", kind="remedied", to="24")
    assert "It goes on from where it stood after event 24." in client.get(f"{case}?as=public").text


def test_what_a_judge_puts_back_by_hand_comes_before_the_list_of_what_is_undone(client: FlaskClient, case: str) -> None:
    rule(client, case, remedy="backup")
    plan = client.get(f"{case}/remedy?to=24").text
    open_now, _, folded = plan.partition("<details>")
    assert "What lies elsewhere again" in open_now
    assert 'class="undo"' in folded
    assert folded.index("To undo, the newest first") < folded.index('class="undo"')


def game_of(page: str) -> str:
    """The game of which a case speaks."""
    return str(re.findall(r'href="/games/(\w+)\?step=', page)[0])


def to_be_backed_up(library: FolderLibrary) -> tuple[FlaskClient, str, str]:
    """A judge's pages over a library, a case of which the game is to be backed up, and the plan of that."""
    client = create_app(library).test_client()
    case = post(client, "/cases", **FORM).headers["Location"].partition("#")[0]
    rule(client, case, remedy="backup")
    return client, case, client.get(f"{case}/remedy").text


def test_a_branch_is_kept_where_the_games_lie_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    client, case, plan = to_be_backed_up(FolderLibrary(samples(), tmp_path / "branches"))
    assert "Make the branch" in plan
    assert "audit serve" not in plan
    assert post(client, f"{case}/events", kind="remedied", to="24").status_code == 303
    branch = re.search(r'href="(/games/[\w-]+)\?step=24"', client.get(case).text)
    assert branch
    assert "A branch of r3-t12, after event 24." in client.get(branch[1]).text
    assert [*(tmp_path / "branches").iterdir()] != []


def test_where_games_are_only_read_no_branch_is_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    client, case, plan = to_be_backed_up(FolderLibrary(samples()))
    assert "it keeps no branch" in plan
    assert "Make the branch" not in plan
    assert post(client, f"{case}/events", kind="remedied", to="24").status_code == 400


def test_an_overturned_ruling_is_folded_away_below_the_one_that_holds(client: FlaskClient, case: str) -> None:
    assert rule(client, case).status_code == 303
    assert post(client, f"{case}/events", kind="appealed", player="B", reason="No.").status_code == 303
    assert re.search(r'value="head-judge" checked', client.get(case).text)
    assert rule(client, case, role="head-judge", decision="yes").status_code == 303
    assert post(client, f"{case}/events", kind="shared", audience="public").status_code == 303
    page = client.get(f"{case}?as=public").text
    holds, _, former = page.partition('<details class="former">')
    assert "Yes, that is allowed." in holds
    assert "No, that is not allowed." not in holds
    assert "An earlier ruling, which no longer holds" in former
    assert [*re.findall(r"</span> (\w+)</span> <time", former)] == ["open", "ruled", "appealed", "final"]


def test_rules_and_cards_of_a_ruling_are_typed_and_shown_by_their_names(
    client: FlaskClient, case: str, store: Store
) -> None:
    form = unescape(client.get(f"{case}?lang=pl").text)
    title = ruleset("compile").catalogue.title(ruleset("compile").catalogue[NEEDS], "pl")
    assert re.search(rf'name="rules" value="[^"]*{re.escape(title)}', form)
    assert rule(client, case, rules=f"{title}; turn.one-action", cards="Ogień 0; Plague 1, water-3").status_code == 303
    (kept,) = CaseBook(StoreShelf(store)).all()
    assert kept.ruling
    assert list(kept.ruling.rules) == [NEEDS, "turn.one-action"]
    assert list(kept.ruling.cards) == ["fire-0", "plague-1", "water-3"]


def test_a_case_is_called_by_its_question_in_the_readers_language(client: FlaskClient, case: str) -> None:
    page = client.get(f"{case}?lang=en").text
    crumbs = re.findall(r'<p class="crumbs">(.*?)</p>', page, re.DOTALL)[0]
    assert "May" in crumbs
    assert not re.search(r"<title>[a-z0-9]{8,} –", page)
