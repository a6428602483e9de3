"""Each statement of a rule or ruling and each summary of a card, read alone, as on a card in front of a judge.

What is read alone may not lean on a sentence that is not shown, and says a thing with the word the language has for it.
`audit rule --ruleset NAME --lang LANGUAGE` prints the statements one by one, for reading by eye.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from audit.core.catalogue import LANGUAGES, Catalogue
from audit.games.altered.rules import CATALOGUE as ALTERED
from audit.games.compile.rules import CATALOGUE as COMPILE
from audit.games.lotr_reveal.rules import CATALOGUE as LOTR_REVEAL
from tests.read_alone import Sentence, complaints, numbers

FOLDER = Path(__file__).resolve().parents[1] / "audit" / "games"
CATALOGUES: Mapping[str, Catalogue] = {"altered": ALTERED, "compile": COMPILE, "lotr_reveal": LOTR_REVEAL}
TEXTS = sorted(FOLDER.glob("*/text/en/rules.toml"))
GAMES = [path.relative_to(FOLDER).parts[0] for path in TEXTS]
WITH_CARDS = [path.relative_to(FOLDER).parts[0] for path in sorted(FOLDER.glob("*/text/en/cards.toml"))]


RETURNS = {"en": ("return", "hand"), "fr": ("renvo", "main"), "it": ("tornare", "mano"), "pl": ("zwró", "ręk|ręce")}
"""The verb that takes a card off the field to a hand, and the word that says where to."""

ITSELF = {"en": "this card", "fr": "cette carte", "it": "questa carta", "pl": r"\b(ta|tej|tę) kart"}

TURNING = {"en": r"\bturn", "fr": r"\bretourn", "it": r"\bvolt", "pl": r"\bodwr"}
TURNED = ["compile.turns-protocol", "compile.steps-in-order", "recompile.reward", "after.whole-compile-first"]
"""The verb each rulebook has for what a compile does to a protocol, and the rules that speak of it."""

# Rules that hold in one mode only name it: alone, "the tie-break" could be that of the other mode.
MODES = {
    "altered.ffa.": "Free for All",
    "altered.2v2.": r"2v2|team|équipe|partenaire|squadr|drużyn|four players|À quatre|In quattro|czworo",
    "recompile.": r"recompil|again|à nouveau|ricompil|un'altra volta|ponown",
}


def statements(game: str, language: str) -> Iterator[Sentence]:
    told = rules(game, language) | rulings(game, language)
    yield from (Sentence(game, language, id, text) for id, text in told.items())


def summaries(game: str, language: str) -> Iterator[Sentence]:
    for card, boxes in cards(game, language).items():
        for box, text in boxes.items():
            yield Sentence(game, language, f"{card}.{box}", text, of_a_card=True)


@cache
def rules(game: str, language: str) -> dict[str, str]:
    return tomllib.loads((FOLDER / game / "text" / language / "rules.toml").read_text("utf-8"))


@cache
def rulings(game: str, language: str) -> dict[str, str]:
    path = FOLDER / game / "text" / language / "rulings.toml"
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


@cache
def cards(game: str, language: str) -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((FOLDER / game / "text" / language / "cards.toml").read_text("utf-8"))


@cache
def names(game: str, language: str) -> Mapping[str, str]:
    return tomllib.loads((FOLDER / game / "text" / language / "names.toml").read_text("utf-8"))


def doubtful(sentences: Iterable[Sentence]) -> dict[str, list[str]]:
    """What is not understood, by its id, with why."""
    return {f"{one.id}: {one.text}": why for one in sentences if (why := complaints(one))}


@pytest.mark.every("language", LANGUAGES)
@pytest.mark.every("game", GAMES)
def test_a_statement_is_understood_alone(game: str, language: str) -> None:
    assert doubtful(statements(game, language)) == {}


@pytest.mark.every("language", LANGUAGES)
@pytest.mark.every("game", WITH_CARDS)
def test_a_summary_of_a_card_is_understood_alone(game: str, language: str) -> None:
    assert doubtful(summaries(game, language)) == {}


def test_every_game_with_rules_is_read() -> None:
    assert set(CATALOGUES) <= set(GAMES)
    assert {"compile"} <= set(WITH_CARDS)
    read = {(game, sentence.id) for game in GAMES for sentence in statements(game, "en")}
    assert {(game, rule.id) for game, catalogue in CATALOGUES.items() for rule in catalogue} <= read


@pytest.mark.every("language", LANGUAGES)
@pytest.mark.every("game", GAMES)
def test_no_two_rules_are_said_alike(game: str, language: str) -> None:
    alike: dict[str, list[str]] = {}
    for id, text in rules(game, language).items():
        alike.setdefault(re.sub(r"\W+", " ", text.casefold()), []).append(id)
    assert [ids for ids in alike.values() if len(ids) > 1] == []


@pytest.mark.parametrize("game", WITH_CARDS)
def test_the_languages_agree_on_every_number_of_a_card(game: str) -> None:
    for card, boxes in cards(game, "en").items():
        for box in boxes:
            said = {language: numbers(cards(game, language)[card][box], language) for language in LANGUAGES}
            ones = said["en"].count(1) - said["pl"].count(1)
            assert ones >= 0, (card, box, said)
            said["pl"] = [1] * ones + said["pl"]  # Polish has no article: a card in the singular is one card
            assert len({tuple(found) for found in said.values()}) == 1, (card, box, said)


@pytest.mark.every("language", LANGUAGES)
def test_a_card_that_returns_a_card_says_whose_hand_it_goes_to(language: str) -> None:
    verb, where = RETURNS[language]
    returning = [sentence for sentence in summaries("compile", language) if _says(verb, sentence)]
    assert len(returning) >= 4
    assert [sentence.id for sentence in returning if not _says(where, sentence)] == []


@pytest.mark.every("language", LANGUAGES)
def test_only_the_card_itself_is_called_this_card(language: str) -> None:
    """The card that was picked or flipped is that card; in French and Polish one word could be either."""
    english = {sentence.id: sentence.text for sentence in summaries("compile", "en")}
    itself = [sentence.id for sentence in summaries("compile", language) if _says(ITSELF[language], sentence)]
    assert [id for id in itself if "this card" not in english[id]] == []


def _says(pattern: str, sentence: Sentence) -> bool:
    return re.search(pattern, sentence.text, re.I) is not None


@pytest.mark.every("rule", TURNED)
@pytest.mark.every("language", LANGUAGES)
def test_a_protocol_is_turned_with_the_verb_of_the_rulebook(language: str, rule: str) -> None:
    assert re.search(TURNING[language], rules("compile", language)[rule], re.I)


@pytest.mark.every("language", LANGUAGES)
def test_a_rule_about_a_card_names_the_card(language: str) -> None:
    for rule in COMPILE:
        if rule.topic == "cards":
            text = rules("compile", language)[rule.id]
            assert any(_called(card, language) in text for card in rule.cards), (rule.id, text)


def _called(card: str, language: str) -> str:
    protocol, _, value = card.rpartition("-")
    known = names("compile", language)
    return known["card"].format(protocol=known[f"protocol.{protocol}"], value=value)


@pytest.mark.every("language", LANGUAGES)
@pytest.mark.every("beginning", MODES)
def test_a_rule_of_one_mode_names_the_mode(beginning: str, language: str) -> None:
    told = [one for game in GAMES for one in statements(game, language) if one.id.startswith(beginning)]
    assert told
    assert [one.id for one in told if not _says(MODES[beginning], one)] == []


@pytest.mark.every("language", LANGUAGES)
def test_the_correction_of_love_2_leaves_the_draw_of_the_opponent(language: str) -> None:
    """The French correction speaks of the refresh only; the card has the opponent draw before it."""
    opponent = {"en": "opponent", "fr": "adversaire", "it": "avversario", "pl": "przeciwnik"}[language]
    assert opponent in rules("compile", language)["card.love-2"]
    assert opponent in cards("compile", language)["love-2"]["middle"].casefold()


@pytest.mark.every(
    ("game", "language", "text"),
    [
        ("compile", "en", "Such text acts for any way of being covered, a shift as much as a play."),
        ("compile", "en", "The component goes back even when its holder leaves the protocols alone."),
        ("compile", "en", "A card announced for that line arrives."),
        ("compile", "en", "The card beneath a shifted card is laid bare, and its text acts at once."),
        ("compile", "en", "Other effects on the top card of a deck do nothing while the deck is empty."),
        ("compile", "en", "draw 2."),
        ("compile", "en", "Draw 2"),
        ("compile", "en", "Draw {count}."),
        ("compile", "fr", "Cette carte peut aussi se jouer face inactive visible."),
        ("compile", "fr", "Vider la ligne et tourner le protocole sont deux étapes distinctes."),
        ("compile", "fr", "Une compilation va supprimer cette carte : déplacez-la plutôt ailleurs."),
        ("compile", "fr", "Vous passez votre phase Mémoire cache."),
        ("compile", "fr", "Après une défausse de l'adversaire : piochez 1 carte."),
        ("compile", "it", "Il passaggio vale anche quando la carta è scartata o mescolata in un mazzo."),
        ("compile", "it", "Serve inoltre che in quella colonna il totale del giocatore superi quello dell'avversario."),
        ("compile", "it", "Quel testo agisce comunque si arrivi ad annidare la carta."),
        ("compile", "it", "Al posto del giro del protocollo, chi ricompila guadagna una carta."),
        ("compile", "pl", "Taki tekst działa przy każdym sposobie zasłonięcia."),
        ("compile", "pl", "Jeśli takich tekstów jest więcej, kolejność wybiera gracz wykonujący turę."),
        ("compile", "pl", "Zamiast obracać protokół, gracz otrzymuje kartę z wierzchu talii przeciwnika."),
        ("compile", "pl", "Znacznik wraca na miejsce, gdy posiadacz nie rusza protokołów."),
        ("compile", "pl", "Discard a card."),
        ("altered", "en", "Drawing is part of the morning too: two cards for everybody."),
        ("altered", "en", "Such an action is no object and does not go from zone to zone."),
        ("altered", "fr", "Ainsi, qui a l'initiative épuise ses réactions avant qu'un autre n'en joue une seule."),
        ("altered", "it", "Anche la Pesca fa parte del mattino: due carte a testa."),
        ("altered", "it", "Un effetto può comunque mettere qualcosa dal lato del compagno, per esempio un gettone."),
        ("altered", "pl", "O zmierzchu tego dnia drużyna sumuje cechy wszystkich swoich Postaci."),
        ("lotr_reveal", "pl", "Każde odkrycie z talii spotkań idzie tymi krokami."),
        ("lotr_reveal", "pl", "Także w kroku 11 reakcje czekają, aż skończą się wszystkie efekty wymuszone."),
    ],
)
def test_what_leans_or_uses_a_wrong_word_is_noticed(game: str, language: str, text: str) -> None:
    assert complaints(Sentence(game, language, "read-alone", text))


@pytest.mark.every(
    ("language", "text", "said"),
    [
        ("en", "Draw 2. Then shift another uncovered card to another line.", [1, 2]),
        ("fr", "Défaussez une carte. Puis choisissez une autre ligne.", [1]),
        ("it", "Sposta in un'altra colonna 1 carta.", [1]),
        ("pl", "Za każde 2 karty zagraj 1 kartę.", [1, 2]),
    ],
)
def test_an_article_before_a_card_counts_and_before_a_line_does_not(language: str, text: str, said: list[int]) -> None:
    assert numbers(text, language) == said
