"""The other pages: lists, rules, cards, languages, errors, headers."""

from __future__ import annotations

import re
from os import utime
from pathlib import Path
from time import time

import pytest
from flask.testing import FlaskClient

from audit.core.catalogue import LANGUAGES
from audit.core.ruleset import ruleset
from tests.web.lending import viewer_over
from tests.web.made import MadeLibrary, dispute, header
from web.games.folder_library import AT_REST, FolderLibrary
from web.games.library import PAGE

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
RULE = "play.face-up-needs-protocol"
PAGES = ("/", "/games/dispute?step=3", "/embed/dispute", "/rules/", "/rules/compile", f"/rules/compile/{RULE}",
         "/cards/compile", "/about", "/nowhere")  # fmt: skip


def text_of(client: FlaskClient, address: str, language: str = "en") -> str:
    return client.get(address, headers={"Accept-Language": language}).get_data(as_text=True)


def found_games(text: str) -> list[str]:
    return re.findall(r'class="title" href="/games/([\w-]+)', text)


# The list of games


@pytest.mark.parametrize(
    ("query", "games"),
    [
        ("", ["dispute", "long", "nasty", "other"]),
        ("q=regional", ["dispute"]),
        ("q=r3-t12 bo", ["dispute"]),
        ("q=nobody", []),
        ("player=BO&ruleset=compile", ["dispute", "long", "nasty"]),
        ("verdict=undetermined", ["dispute", "nasty", "other"]),
        ("rule=compile.mandatory", ["dispute", "nasty", "other"]),
        ("rule=COMPILER%20EST%20OBLIGATOIRE", ["dispute", "nasty", "other"]),
        ("rule=compile", []),
    ],
)
def test_games_are_found_by_words_players_rules_and_verdicts(client: FlaskClient, query: str, games: list[str]) -> None:
    assert found_games(text_of(client, f"/?{query}")) == games


def test_the_list_tells_each_name_once_and_who_won(tmp_path: Path) -> None:
    for name in ("clean", "altered-duel"):
        (tmp_path / f"{name}.jsonl").write_bytes((SAMPLES / f"{name}.jsonl").read_bytes())
    text = text_of(viewer_over(FolderLibrary(tmp_path)).test_client(), "/", "fr")
    assert len(re.findall(r"\bAnn\b", text)) == 1
    assert "<b>A</b> Ada" in text
    assert "Bo a trois protocoles compilés et gagne la partie." in text


def test_a_game_without_a_name_is_called_by_its_players_not_by_its_file(tmp_path: Path) -> None:
    log = (SAMPLES / "clean.jsonl").read_text("utf-8").replace('"game": "r1-t3", ', "", 1)
    (tmp_path / "x7f3.jsonl").write_text(log, "utf-8")
    text = text_of(viewer_over(FolderLibrary(tmp_path)).test_client(), "/")
    assert re.search(r'class="title" href="/games/x7f3">Ada – Bo</a>', text)


def test_a_search_without_accents_finds_names_with_them() -> None:
    library = MadeLibrary({"one": (header("Łódź, stół 3"), dispute())})
    assert found_games(text_of(viewer_over(library).test_client(), "/?q=lodz stol")) == ["one"]


def test_there_are_fifty_games_on_a_page() -> None:
    games = {f"g{number:03}": (header(f"game {number}"), dispute()[:2]) for number in range(PAGE + 3)}
    client = viewer_over(MadeLibrary(games)).test_client()
    assert len(found_games(text_of(client, "/"))) == PAGE
    assert found_games(text_of(client, "/?page=2")) == ["g050", "g051", "g052"]
    assert found_games(text_of(client, "/?page=99")) == found_games(text_of(client, "/?page=2"))
    assert "player=ada" in text_of(client, "/?player=ada&page=2")
    assert re.search(r'rel="next" href="/\?page=2&amp;q=game"', text_of(client, "/?q=game"))


def test_an_empty_store_says_how_a_game_comes_into_it() -> None:
    client = viewer_over(MadeLibrary({})).test_client()
    assert "audit store import" in text_of(client, "/")
    searched = text_of(client, "/?player=ada")
    assert "No game matches." in searched
    assert "audit store import" not in searched


# Rules and cards


def test_a_rule_is_said_in_four_languages_with_its_places_and_its_uses(client: FlaskClient) -> None:
    text = text_of(client, f"/rules/compile/{RULE}")
    catalogue = ruleset("compile").catalogue
    for language in LANGUAGES:
        assert f'id="{language}"' in text
    assert catalogue.statement(catalogue[RULE], "en") in text
    assert 'href="/games/dispute?step=3"' in text
    assert catalogue[RULE].places["it"].section in text


def test_every_rule_has_a_page_and_stands_in_the_list(client: FlaskClient) -> None:
    listed = text_of(client, "/rules/compile")
    for rule in ruleset("compile").catalogue:
        assert f'href="/rules/compile/{rule.id}"' in listed


def test_rules_and_cards_are_found_by_their_words(client: FlaskClient) -> None:
    rules = text_of(client, "/rules/compile?q=face up protocol")
    assert RULE in rules
    assert "control.neutral-start" not in rules
    cards = text_of(client, "/cards/compile?q=fire")
    assert 'id="fire-2"' in cards
    assert 'id="water-1"' not in cards


# Languages


SHEET = "game friday   A Ada: fire life water   B Bo: death metal speed   first A\nA fire-3 1\nB speed-5 2 down\n"


def test_a_folder_holds_score_sheets_beside_logs(tmp_path: Path) -> None:
    (tmp_path / "friday.jsonl").write_bytes((SAMPLES / "dispute.jsonl").read_bytes())
    (tmp_path / "friday.txt").write_text(SHEET, "utf-8")
    (tmp_path / "todo.txt").write_text("buy bread\n", "utf-8")
    (tmp_path / "torn.txt").write_text(SHEET.replace("fire-3", "fire-33"), "utf-8")
    games = FolderLibrary(tmp_path)
    games.catch_up(60)
    client = viewer_over(games).test_client()
    listed = text_of(client, "/", "fr")
    assert re.findall(r'class="title" href="/games/([\w.-]+)', listed) == ["friday", "friday.txt"]
    assert "torn.txt" in listed
    assert "La ligne 2 est illisible" in listed
    assert "todo.txt" not in listed
    assert client.get("/games/friday.txt?step=1").status_code == 200
    assert client.get("/games/todo.txt").status_code == 404
    assert client.get("/games/friday.txt.jsonl").data.startswith(b'{"log"')
    elsewhere = viewer_over(games).test_client()
    elsewhere.environ_base["REMOTE_ADDR"] = "203.0.113.9"
    assert "torn.txt" not in text_of(elsewhere, "/")


def test_a_file_that_nobody_has_written_for_an_hour_is_a_finished_record(tmp_path: Path) -> None:
    log = tmp_path / "dispute.jsonl"
    log.write_bytes((SAMPLES / "dispute.jsonl").read_bytes())
    games = FolderLibrary(tmp_path)
    client = viewer_over(games).test_client()
    fresh = games.version("dispute")
    assert '"provisional"' in text_of(client, "/games/dispute.json")
    utime(log, (time() - AT_REST - 9,) * 2)
    assert games.version("dispute") != fresh
    assert '"provisional"' not in text_of(client, "/games/dispute.json")


@pytest.mark.parametrize(
    ("language", "games", "one", "few", "many"),
    [
        ("en", "Games", "1 game", "3 games", "5 games"),
        ("fr", "Parties", "1 partie", "3 parties", "5 parties"),
        ("it", "Partite", "1 partita", "3 partite", "5 partite"),
        ("pl", "Rozgrywki", "1 partia", "3 partie", "5 partii"),
    ],
)
def test_the_interface_speaks_four_languages_and_counts_right(
    language: str, games: str, one: str, few: str, many: str
) -> None:
    for count, words in ((1, one), (3, few), (5, many)):
        library = MadeLibrary({f"g{n}": (header(date="2025-09-01"), dispute()[:2]) for n in range(count)})
        text = text_of(viewer_over(library).test_client(), f"/?lang={language}")
        assert f'<html lang="{language}">' in text
        assert f"<h1>{games}</h1>" in text
        assert re.search(rf"{words}\b", text)


@pytest.mark.parametrize(
    ("language", "day"),
    [("en", "September 1, 2025"), ("fr", "1 septembre 2025"), ("it", "1 settembre 2025"), ("pl", "1 września 2025")],
)
def test_dates_are_written_as_the_reader_writes_them(client: FlaskClient, language: str, day: str) -> None:
    assert day in text_of(client, "/", language)


def test_the_address_is_stronger_than_the_browser_and_stays_in_the_links(client: FlaskClient) -> None:
    text = text_of(client, "/?lang=pl", "fr")
    assert '<html lang="pl">' in text
    assert 'href="/rules/?lang=pl"' in text
    assert '<html lang="fr">' in text_of(client, "/?lang=xx", "fr")


# Errors and headers


@pytest.mark.parametrize(
    "address",
    ["/nowhere", "/games/none", "/games/none.json", "/games/../etc", "/embed/none", "/rules/none",
     "/rules/compile/none", "/cards/none", "/games/dispute?as=C", "/games/dispute?reading=none",
     "/games/dispute/steps/9"],
)  # fmt: skip
def test_what_is_not_there_is_said_with_a_page(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert "<h1>There is no such" in answer.get_data(as_text=True)


def test_templates_escape_all_that_is_not_written_in_them_and_show_no_token_that_is_typed(root: Path) -> None:
    texts = [path.read_text("utf-8") for path in (root / "web" / "templates").glob("*.html")]
    assert {said for text in texts for said in re.findall(r"(.)\s*\|\s*safe\b|autoescape", text)} == {'"'}
    tokens = [field for text in texts for field in re.findall(r'<input[^>]*name="token"[^>]*>', text)]
    assert tokens
    assert [field for field in tokens if 'type="password"' not in field] == []


def test_nothing_of_an_address_comes_back_as_markup(client: FlaskClient) -> None:
    nasty = "<script>alert(1)</script>"
    for address in (f"/?q={nasty}&player={nasty}&rule={nasty}", f"/games/dispute?step={nasty}",
                    f"/rules/compile?q={nasty}", f"/games/{nasty}", f"/rules/compile/{nasty}",
                    f"/cards/compile?q={nasty}", f"/?lang={nasty}"):  # fmt: skip
        assert nasty not in text_of(client, address)


@pytest.mark.parametrize("address", PAGES)
def test_every_page_loads_nothing_from_elsewhere_and_runs_nothing_inline(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    text = answer.get_data(as_text=True)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", text)
    assert not re.findall(r"<script(?![^>]*(?:src=\"/static/|application/json))", text)
    assert not re.findall(r'(?:src|href|action)="(?:https?:)?//', re.sub(r"https?://localhost", "", text))


@pytest.mark.every(
    "address", ["/", "/nowhere", "/games/dispute.svg", "/games/dispute.jsonl", "/api/v1/rulesets", "/static/base.css"]
)
def test_every_answer_keeps_a_browser_from_guessing_telling_and_listening(client: FlaskClient, address: str) -> None:
    headers = client.get(address).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Permissions-Policy"] == "camera=(), microphone=(), geolocation=()"
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'")
    assert ("script-src" not in policy and "sandbox" in policy) == address.endswith(".svg")


def test_only_an_embedded_game_may_stand_in_a_frame(client: FlaskClient) -> None:
    assert "frame-ancestors 'none'" in client.get("/games/dispute").headers["Content-Security-Policy"]
    assert "frame-ancestors *" in client.get("/embed/dispute").headers["Content-Security-Policy"]


def test_a_page_of_a_game_is_asked_for_anew_each_time(client: FlaskClient) -> None:
    assert client.get("/games/dispute").headers["Cache-Control"] == "private, no-cache"


def test_files_are_kept_for_good_because_their_address_changes_with_them(client: FlaskClient) -> None:
    text = text_of(client, "/")
    style = re.search(r'href="(/static/\w+/base.css)', text)
    assert style is not None
    answer = client.get(style[1])
    assert answer.status_code == 200
    assert "max-age=31536000" in answer.headers["Cache-Control"]


# A folder of logs


def test_a_folder_of_logs_is_a_library() -> None:
    client = viewer_over().test_client()
    ids = found_games(text_of(client, "/"))
    assert ids == sorted(path.stem for path in SAMPLES.glob("*.jsonl"))
    for id in ids:
        assert client.get(f"/games/{id}?step=3").status_code == 200


@pytest.mark.parametrize("id", ["..", ".hidden", "../samples/clean", "a/b", "", "clean.jsonl"])
def test_no_id_leads_out_of_the_folder(root: Path, id: str) -> None:
    library = FolderLibrary(root / "replays" / "samples")
    with pytest.raises(Exception, match="no game is called"):
        library.version(id)


def test_a_file_that_is_no_log_is_no_game(tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl").write_text("not a log\n")
    assert found_games(text_of(viewer_over(FolderLibrary(tmp_path)).test_client(), "/")) == []


@pytest.mark.parametrize(
    ("language", "keys", "box"),
    [
        ("en", "Shift n p", "top command"),
        ("fr", "Maj n p", "commande primaire"),
        ("it", "Maiusc n p", "comando superiore"),
        ("pl", "Shift n p", "górna komenda"),
    ],
)
def test_keys_and_boxes_are_called_as_on_the_keyboard_and_in_the_rulebook(
    client: FlaskClient, language: str, keys: str, box: str
) -> None:
    assert f"<kbd>{keys}</kbd>" in text_of(client, "/about", language)
    assert f"<dt>{box}</dt>" in text_of(client, "/cards/compile", language)
