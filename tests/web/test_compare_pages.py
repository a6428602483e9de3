"""One game under several readings, over all games, and what a published file says of the printed words."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from replays.season.readings import changes_of
from tests.web.books_made import viewer
from web import samples
from web.publishing.files import publish
from web.publishing.record import encoded, read_record
from web.publishing.sources import source_at
from web.rulebooks.quotes import Quote

DISPUTE = samples() / "dispute.jsonl"
WORDS = "Words of a small rulebook written for this test."


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FlaskClient]:
    with pytest.MonkeyPatch.context() as patch:
        yield viewer(tmp_path_factory.mktemp("here"), patch)


def text_of(client: FlaskClient, address: str) -> str:
    return client.get(address).get_data(as_text=True)


def test_two_readings_of_a_form_part_at_a_step_and_the_rule_is_named(here: FlaskClient) -> None:
    seq = {one.switch: one.seq for one in changes_of("clean", (samples() / "clean.jsonl").read_bytes())}
    text = text_of(here, "/games/clean/compare?reading=standard&reading=pl")
    assert f"The first difference is at event {seq['compile-ends-turn']}" in text
    assert "turn.cache-after-compile" in text
    assert "not loaded" in text
    assert "/games/clean?reading=pl" in text or "reading=pl" in text


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("language", "place", "there"),
    [
        ("en", "Stack of Ada in line 1, from the protocol on", "Gravity 5 (face down)"),
        ("fr", "Pile d&#39;Ada dans la ligne 1, depuis le protocole", "Gravité 5 (face inactive)"),
        ("it", "Pila di Ada nella colonna 1, a partire dal protocollo", "a faccia in giù"),
        ("pl", "Stos gracza Ada w linii 1, licząc od protokołu", "Grawitacja 5 (zakryta)"),
    ],
)
def test_what_differs_after_the_parting_is_told_in_words(
    here: FlaskClient, language: str, place: str, there: str
) -> None:
    text = text_of(here, f"/games/hand-entered/compare?readings=fr,it,pl&lang={language}")
    assert place in text
    assert there in text
    assert "sides.A" not in text
    assert "gravity-5" not in text


def test_one_reading_never_parts_from_itself(here: FlaskClient) -> None:
    assert "judge every step of this game alike" in text_of(here, "/games/clean/compare?readings=standard")


@pytest.mark.parametrize("address", [
    "/games/clean/compare?readings=klingon", "/games/clean/compare?readings=standard,nothing",
    "/games/nothing/compare", "/compare/compile/again?reading=klingon",
])  # fmt: skip
def test_a_reading_or_a_game_that_does_not_exist_is_no_page(here: FlaskClient, address: str) -> None:
    assert here.get(address).status_code == 404


def test_the_public_sees_no_hidden_card_in_a_comparison(here: FlaskClient) -> None:
    elsewhere = {"REMOTE_ADDR": "203.0.113.9"}
    answer = here.get("/games/clean/compare?readings=standard,pl&as=judge", environ_base=elsewhere)
    assert answer.status_code == 403
    public = here.get("/games/clean/compare?readings=standard,pl", environ_base=elsewhere).text
    assert ".hand.1" not in public


def test_over_all_games_the_most_consequential_comes_first(here: FlaskClient) -> None:
    text = text_of(here, "/compare/compile")
    numbers = [int(part.split("</b>")[0]) for part in text.split("<h2><b>")[1:]]
    assert numbers == sorted(numbers, reverse=True)
    assert numbers[0] > 0
    assert "the cache is not checked" in text


def test_a_game_whose_editions_agree_says_so(here: FlaskClient) -> None:
    assert "do not disagree" in text_of(here, "/compare/altered")


def test_games_and_pages_of_games_lead_there(here: FlaskClient) -> None:
    assert "/compare/compile" in text_of(here, "/")
    assert "/games/dispute/compare" in text_of(here, "/games/dispute")


# What a published file says of the printed words


def finder(ruleset: str, rule: str) -> tuple[Quote, ...]:
    return (Quote("fr", WORDS, "compile-faq-fr", "abcd1234", "Le début, 3–4"),)


@pytest.mark.parametrize("form", ["html", "json", "md"])
def test_unasked_a_published_file_names_the_place_and_holds_no_words(form: str) -> None:
    text = publish(source_at(DISPUTE), form, "public", ("en",), quotes=finder).decode()
    assert WORDS not in text
    assert "compile-faq-fr" in text
    assert text == publish(source_at(DISPUTE), form, "public", ("en",)).decode()


@pytest.mark.parametrize("form", ["html", "json", "md"])
def test_asked_it_quotes_with_document_edition_and_place(form: str) -> None:
    text = publish(source_at(DISPUTE), form, "public", ("en",), quotes=finder, quoted=True).decode()
    for said in (WORDS, "abcd1234", "Le début, 3–4"):
        assert said in text
    assert "this edition is not loaded" in text


def test_words_that_no_longer_match_are_told() -> None:
    def changed(ruleset: str, rule: str) -> tuple[Quote, ...]:
        return (Quote("fr", WORDS, "compile-faq-fr", "abcd1234", "Le début, 3–4", fits=False),)

    text = publish(source_at(DISPUTE), "md", quotes=changed, quoted=True).decode()
    assert "no longer has these words" in text


def test_a_record_with_quotes_is_read_back_to_the_same_bytes() -> None:
    import msgspec

    data = publish(source_at(DISPUTE), "json", quotes=finder, quoted=True)
    assert encoded(msgspec.to_builtins(read_record(data))) == data
    old = json.loads(data)
    del old["printed"]
    assert encoded(msgspec.to_builtins(read_record(encoded(old)))) == encoded(old)


def test_games_judged_again_show_both_verdicts_and_stay_as_they_are(here: FlaskClient) -> None:
    before = here.get("/games/clean.jsonl").get_data()
    text = text_of(here, "/compare/compile/again?reading=pl")
    assert text.index('class="verdict legal"') < text.index('class="verdict illegal"')
    assert "standard › pl" in text
    assert here.get("/games/clean.jsonl").get_data() == before


@pytest.mark.prove
def test_a_reading_that_changes_nothing_says_so(here: FlaskClient) -> None:
    assert "No game on this page is judged otherwise" in text_of(here, "/compare/compile/again?reading=it")
