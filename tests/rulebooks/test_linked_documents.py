"""An editor loads documents that the project does not know, links them to rules, and asks what they say otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.errors import NothingToCompareError
from audit.rulebooks.findings import Finding, Kind, Severity
from commands.readings import qa
from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from replays.rulebooks.tasks import tasks
from replays.rulebooks.translation_qa import TranslationQA

HAND, DRAW = "setup.opening-hand", "refresh.up-to-five"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path))


def linked(document: str, language: str, sentence: str, rule: str = HAND) -> None:
    """A document of one sentence, linked to a rule by a person."""
    text = f"# A\n\n{sentence}\n"
    RulebookStore().add_bytes(text.encode(), f"{document}.md", Loading(document, language, game="compile"))
    RulebookStore().link(document, rule, ["a/1"], "Ada")


def findings(*languages: str) -> list[Finding]:
    return TranslationQA("compile", CATALOGUE, languages).findings()


def between_documents() -> list[Finding]:
    """What two documents contradict each other in; one alone may contradict our own statement."""
    return [found for found in findings() if len(found.languages) > 1]


SAID = {
    "en": "Each player begins with {} cards in hand.",
    "de": "Jeder Spieler beginnt mit {} Karten auf der Hand.",
    "es": "Cada jugador empieza con {} cartas en la mano.",
    "cs": "Každý hráč začíná s {} kartami v ruce.",
    "ru": "Каждый игрок начинает с {} картами в руке.",
    "pl": "Każdy gracz zaczyna z {} kartami na ręce.",
    "nl": "Iedere speler begint met {} kaarten in de hand.",
    "pt": "Cada jogador começa com {} cartas na mão.",
}
SIX = {
    "en": "six", "de": "sechs", "es": "seis", "cs": "šesti", "ru": "шестью", "pl": "sześcioma", "nl": "zes",
    "pt": "seis",
}  # fmt: skip
FIVE = {
    "en": "five", "de": "fünf", "es": "cinco", "cs": "pěti", "ru": "пятью", "pl": "pięcioma", "nl": "vijf",
    "pt": "cinco",
}  # fmt: skip


@pytest.mark.every("language", [code for code in SAID if code != "es"])
def test_another_number_of_cards_in_hand_is_a_contradiction_in_any_language(language: str) -> None:
    linked("mano", "es", SAID["es"].format(FIVE["es"]))
    linked("other", language, SAID[language].format(SIX[language]))
    (found,) = findings()
    assert (found.kind, found.severity, set(found.languages)) == (Kind.NUMBER, Severity.CHANGES, {"es", language})
    assert found.rule == HAND


@pytest.mark.every("language", [code for code in SAID if code != "es"])
def test_the_same_number_is_none(language: str) -> None:
    linked("mano", "es", SAID["es"].format(FIVE["es"]))
    linked("other", language, SAID[language].format(FIVE[language]))
    assert findings() == []


def test_two_documents_of_one_language_are_held_against_each_other() -> None:
    linked("first-de", "de", SAID["de"].format("fünf"))
    linked("second-de", "de", SAID["de"].format("sechs"))
    (found,) = findings()
    assert {quote.language for quote in found.quotes} == {"de", "second-de"}


def test_documents_of_different_rules_are_not_held_against_each_other() -> None:
    linked("mano", "es", SAID["es"].format("cinco"))
    linked("hand", "de", SAID["de"].format("sechs"), DRAW)
    assert between_documents() == []


def test_what_one_may_and_the_other_must_is_told() -> None:
    linked("mano", "es", "Debes robar cartas.", DRAW)
    linked("hand", "de", "Du darfst Karten ziehen.", DRAW)
    assert [found.kind for found in findings()] == [Kind.MODALITY]


@pytest.mark.every(
    ("spanish", "other", "sentence"),
    [
        ("Debes robar cartas.", "de", "Du darfst nur Karten ziehen, wenn du weniger als fünf hast."),
        ("Debes robar cartas.", "ru", "Карты берут, даже если нельзя взять все."),
        ("Puedes mirar tus cartas.", "cs", "Soupeřovy karty si prohlížet nesmíte."),
        ("Luego roba cartas.", "de", "Bevor du Karten ziehst, sag es an."),
        ("Antes de robar, avisa.", "ru", "После этого возьмите карты."),
        ("Después, roba hasta cinco.", "ru", "Возьмите карты до пяти."),
        ("No puedes cambiar de lado.", "de", "Den Platz darfst du wechseln, die Seite niemals."),
        ("Debes robar cartas.", "de", "Du darfst nur Karten ziehen."),
        ("Puedes robar cartas.", "en", "You cannot draw cards unless the text says so."),
        ("Antes de robar, avisa.", "de", "Zieh Karten nach deiner Wahl."),
    ],
    ids=[
        "only if", "even if one cannot", "of the opponent", "then", "after that", "up to five", "not the rest",
        "may only", "cannot unless", "of your choice",
    ],
)  # fmt: skip
def test_what_can_both_be_true_is_no_contradiction(spanish: str, other: str, sentence: str) -> None:
    linked("mano", "es", spanish, DRAW)
    linked("hand", other, sentence, DRAW)
    assert between_documents() == []


@pytest.mark.every(
    ("spanish", "other", "sentence", "kind"),
    [
        ("Puedes mirar tus cartas.", "cs", "Své karty si prohlížet nesmíte.", Kind.MODALITY),
        ("Antes de robar, avisa.", "ru", "После того как взяли карты, скажите.", Kind.TIME),
        ("Avisa. Debes robar cartas.", "de", "Du darfst Karten ziehen.", Kind.MODALITY),
        ("Roba tres cartas.", "cs", "Karty lízejte ve čtyřech.", Kind.NUMBER),
    ],
)
def test_what_cannot_both_be_true_is_told(spanish: str, other: str, sentence: str, kind: Kind) -> None:
    linked("mano", "es", spanish, DRAW)
    linked("hand", other, sentence, DRAW)
    assert [found.kind for found in findings()] == [kind]


@pytest.mark.parametrize(
    ("spanish", "other"),
    [
        ("Se puede compilar una línea si suma diez o más.", "Mit zehn oder mehr musst du kompilieren."),
        ("El jugador de turno necesita diez o más.", "Mit zehn oder mehr, auch gegen deinen Gegner."),
    ],
    ids=["may if", "a party that the rule does not name"],
)
def test_a_sentence_that_only_tells_the_limit_of_a_rule_contradicts_none(spanish: str, other: str) -> None:
    linked("mano", "es", spanish, "compile.ten-or-more")
    linked("hand", "de", other, "compile.ten-or-more")
    assert between_documents() == []


@pytest.mark.parametrize(("rules", "count"), [(["info.open-to-both"], 0), ([], 1)])
def test_a_may_that_another_rule_of_the_passage_says_is_of_that_rule(rules: list[str], count: int) -> None:
    linked("hand", "de", "Abgeworfene Karten musst du offen ablegen.", "discard.trash-is-face-up")
    linked("mano", "es", "El descarte está boca arriba y se puede mirar.", "discard.trash-is-face-up")
    for rule in rules:
        RulebookStore().link("mano", rule, ["a/1"], "Ada")
    assert len(between_documents()) == count


def test_one_fault_is_one_finding_in_whatever_words_the_others_have_the_limit() -> None:
    linked("mano", "es", "Debes tener menos de 5 cartas.", DRAW)
    linked("hand", "de", "Mit 5 oder mehr Karten ist es verboten.", DRAW)
    linked("more", "en", "It is forbidden with 5 or more cards.", DRAW)
    linked("ruka", "cs", "S 4 nebo více kartami je to zakázáno.", DRAW)
    (found,) = (found for found in findings() if "cs" in found.languages)
    assert found.kind is Kind.NUMBER
    assert {quote.language for quote in found.quotes} == {"cs", "de", "en", "es"}


def test_a_language_that_is_loaded_can_be_asked_for() -> None:
    linked("mano", "es", SAID["es"].format("cinco"))
    linked("hand", "de", SAID["de"].format("sechs"))
    linked("ruka", "cs", SAID["cs"].format("šesti"))
    assert {frozenset(found.languages) for found in findings("de", "es")} == {frozenset({"de", "es"})}
    assert CliRunner().invoke(qa, ["compile", "--lang", "de,es", "--fail-on", "error"]).exit_code == 1


def test_a_language_that_is_not_loaded_is_refused_with_those_that_are() -> None:
    linked("mano", "es", SAID["es"].format("cinco"))
    with pytest.raises(NothingToCompareError, match=r"published in .*es; there is no edition in de"):
        findings("de", "es")


def test_a_second_italian_document_is_held_against_the_known_one(rulebook_file: Callable[[str], Path]) -> None:
    RulebookStore().add(rulebook_file("compile-rules-it"), Loading("compile-rules-it"))
    linked("nuovo", "it", "Ogni giocatore inizia la partita con una mano di 6 carte.")
    told = [found for found in findings() if "nuovo" in found.languages]
    assert [(found.kind, found.rule) for found in told] == [(Kind.NUMBER, HAND)]


@pytest.mark.every(
    ("rule", "language", "sentence", "kind"),
    [
        ("return.field-to-hand", "de", "Zurückholen: eine Karte vom Spielfeld oben auf das Deck legen.", Kind.TERM),
        ("compile.beats-opponent", "es", "Si hay empate, también se compila.", Kind.QUANTITY),
        ("compile.clears-both-sides", "de", "Du löschst nur deine Karten; die deines Gegners bleiben.", Kind.ACTOR),
        ("turn.phase-order", "de", "Erst Kompilierungsprüfung, Kontrollprüfung und Pufferprüfung.", Kind.ORDER),
        ("refresh.up-to-five", "es", "Renovar la mano significa robar cinco cartas.", Kind.QUANTITY),
        ("all.includes-covered", "es", "Designa solo las descubiertas y excluye las cubiertas.", Kind.QUANTITY),
        ("rearrange.must-differ", "de", "Niemand ist verpflichtet, die Protokolle anders zu ordnen.", Kind.MODALITY),
        ("rearrange.must-differ", "es", "Quedas exento de dejarlos en otro orden.", Kind.MODALITY),
        ("info.own-face-down", "ru", "Игроку не разрешается смотреть на свои закрытые карты.", Kind.MODALITY),
        ("compile.one-line-a-turn", "de", "Passen zwei Linien, kompilierst du jede davon.", Kind.QUANTITY),
        ("committed.announced-line-stands", "es", "Si el protocolo ya no vale, la carta vuelve en cambio al mazo.",
         Kind.EXCEPTION),
        ("rearrange.cards-stay", "de", "Die Karten wandern mit ihrem Protokoll mit.", Kind.NEGATION),
        ("reveal.wakes-nothing", "de", "Wer eine Karte vorzeigt, führt ihren Text aus.", Kind.NEGATION),
        ("info.counts-open", "ru", "Число карт в руке держат в секрете, оно секретно.", Kind.NEGATION),
        ("effects.cards-beat-rules", "es", "Si una carta dice otra cosa, mandan las reglas.", Kind.ORDER),
        ("cover-trigger.before-covering", "es", "La carta entra en juego antes de que se resuelva el texto.",
         Kind.ORDER),
        ("shift.other-line-same-side", "nl", "Een kaart verhuist naar een lijn aan de overkant.", Kind.PLACE),
        ("discard.trash-is-face-up", "pt", "A carta vai virada para baixo para o descarte.", Kind.PLACE),
        ("return.field-to-hand", "cs", "Karta se vrací z pole navrch balíčku.", Kind.TERM),
        ("field.face-down-blank", "es", "Boca abajo, la carta conserva sus comandos.", Kind.NEGATION),
        ("field.value-counts", "de", "Die Zahl wird von der Summe des Stapels abgezogen.", Kind.QUANTITY),
        ("play.face-down-any-line", "nl", "Een dichte kaart hoort alleen bij haar protocol.", Kind.QUANTITY),
        ("info.open-to-both", "es", "El descarte solo lo mira su dueño.", Kind.ACTOR),
        ("effects.turn-player-sets-order", "de", "Die Reihenfolge bestimmt, wer nicht am Zug ist.", Kind.ACTOR),
        ("compile.not-stopped-midway", "es", "Si el total baja, la compilación se interrumpe.", Kind.EXCEPTION),
        ("each.leaves-covered-out", "de", "Das Wort nennt jede Karte, auch die überdeckte.", Kind.EXCEPTION),
        ("setup.pick-order-kept", "fr", "Chacun pose ses protocoles comme il veut, quel que soit l'ordre.", Kind.ORDER),
        ("setup.pick-order-kept", "de", "Die Protokolle legt jeder so hin, wie es ihm beliebt.", Kind.ORDER),
        ("control.dealt-with-first", "de",
         "Zuerst wird kompiliert oder aufgefrischt, danach wird die Kontrollmarke zurückgegeben und umgeordnet.",
         Kind.ORDER),
        ("effects.source-side-decides", "en", "The affected player settles how an effect is applied.", Kind.ACTOR),
        ("interrupt.lost-text-dropped", "it", "Il testo si risolve anche se la carta è stata annidata.",
         Kind.EXCEPTION),
        ("field.bottom-command", "es", "El texto inferior funciona, esté o no cubierta su carta.", Kind.EXCEPTION),
        ("deck.only-drawing-reshuffles", "pl", "Nową talię tworzy nie tylko dobieranie kart.", Kind.QUANTITY),
        ("all.includes-covered", "es", "Las descubiertas cuentan; las cubiertas quedan fuera.", Kind.QUANTITY),
        ("owner.lasts", "pt", "A carta fica com o novo dono até ao fim deste turno.", Kind.TIME),
        ("control.gained", "es", "Quien gane en al menos una línea toma la ficha de control.", Kind.NUMBER),
        ("committed.announced-line-stands", "de", "Passt das Protokoll nicht, so wähle neu.", Kind.EXCEPTION),
        ("effects.may-only-if-said", "de", "Jeder Schritt eines Effekts ist freiwillig.", Kind.QUANTITY),
        ("shift.lays-bare-card-below", "de", "Ihr Text wirkt erst im nächsten Zug.", Kind.TIME),
        ("field.face-down-value", "de", "Eine verdeckte Karte hat den Wert eins.", Kind.NUMBER),
        ("each.leaves-covered-out", "nl", "Het woord meent ze, zelfs als de tekst ze niet noemt.", Kind.EXCEPTION),
        ("each.leaves-covered-out", "it", "Tocca solo le carte annidate, salvo sia scritto altro.", Kind.QUANTITY),
        ("committed.queue", "fr", "Elles arrivent dans l'ordre inverse de leur engagement.", Kind.ORDER),
        ("interrupt.unwinds-backwards", "pl", "Najpierw te, które weszły jako pierwsze.", Kind.ORDER),
        ("owner.face-up-at-opponents-protocol", "pl", "Można, chyba że protokół należy do przeciwnika.",
         Kind.EXCEPTION),
        ("compile.player-picks-line", "it", "Se più colonne valgono, compila ciascuna di esse.", Kind.QUANTITY),
        ("control.gained", "nl", "Wie in precies twee lijnen voorligt, neemt de controle.", Kind.QUANTITY),
        ("owner.lasts", "de", "Sie bleibt dort bis zum Ende des nächsten Zuges.", Kind.TIME),
        ("return.field-to-hand", "de", "Auf die Hand des Spielers, dessen Effekt es ist.", Kind.ACTOR),
        ("return.field-to-hand", "es", "A la mano del jugador cuyo efecto lo pide, sea de quien sea.", Kind.ACTOR),
        ("compile.one-line-a-turn", "it", "In un turno se ne possono compilare fino a due.", Kind.NUMBER),
        ("victory.three-compiled", "es", "Gana quien compile primero dos de sus tres protocolos.", Kind.NUMBER),
        ("info.hand-private", "pt", "Sabe-se quantas cartas há na mão, bem como quais.", Kind.NEGATION),
    ],
)  # fmt: skip
def test_one_document_alone_is_held_against_our_own_statement(
    rule: str, language: str, sentence: str, kind: Kind
) -> None:
    linked("regeln", language, sentence, rule)
    (found,) = findings()
    assert found.kind is kind
    assert not re.search(r"“[a-z]+-[a-z-]+”", found.message("en")), "a raw name in a sentence"


@pytest.mark.every(
    ("rule", "language", "sentence"),
    [
        ("return.field-to-hand", "de", "Zurückholen: eine Karte vom Spielfeld auf die Hand ihres Besitzers nehmen."),
        ("compile.beats-opponent", "es", "Con un empate no basta."),
        ("control.dealt-with-first", "de", "Zuerst kommt der Marker, und erst danach wird kompiliert."),
        ("refresh.up-to-five", "es", "Renovar la mano significa robar hasta tener cinco cartas."),
        ("control.rearrangement-is-a-choice", "de", "Daraus folgt keine Pflicht, Protokolle umzuordnen."),
        ("compile.beats-opponent", "es", "No basta con un empate, hay que superarlo."),
        ("rearrange.cards-stay", "es", "Las cartas no acompañan al protocolo."),
        ("reveal.wakes-nothing", "es", "Tampoco actúa texto alguno por revelarla."),
        ("cover-trigger.before-covering", "es", "Con el texto pasa esto: antes de cubrirla, se resuelve."),
        ("compile.beats-opponent", "sv", "Din summa måste vara högre."),
        ("effects.as-far-as-possible", "nl", "Kun je niet alles doen, doe dan zoveel mogelijk."),
        ("compile.one-line-a-turn", "es", "No más de una línea; cualquier otra espera."),
        ("control.either-players-protocols", "de", "Neu geordnet werden die Protokolle eines der beiden Spieler."),
        ("shift.other-line-same-side", "de", "Die Karte kommt in eine andere Linie derselben Seite."),
        ("setup.deck-of-eighteen", "es", "Son dieciocho cartas de tus tres protocolos."),
        ("target.uncovered-by-default", "de",
         "Effekte treffen nur, was nicht bedeckt ist, sofern nichts anderes steht."),
        ("turn.phase-order", "de", "Auftakt, Kontrollprüfung, Kompilierprüfung, Aktion, Cacheprüfung."),
        ("effects.hits-own-cards-if-need-be", "ru", "Если другой цели нет, должны взять свою карту."),
        ("owner.lasts", "es", "La carta ha pasado al otro jugador hasta el final de la partida."),
        ("start-end.own-visible-text", "de", "Nur die Texte des Spielers am Zug, nicht die seines Gegners."),
        ("target.uncovered-by-default", "de", "Bedeckte Karten lässt ein Effekt aus, wenn der Text sie nicht nennt."),
        ("target.field-only", "de", "Karten auf der Hand, im Deck oder in der Ablage können nicht gewählt werden."),
        ("each.leaves-covered-out", "es", "Se refiere solo a las descubiertas, salvo que el texto diga otra cosa."),
        ("deck.reshuffle-on-draw", "es", "Si no queda mazo y debes robar, baraja la papelera."),
        ("interrupt.newest-goes-first", "de", "Neuer Text wird vor allem anderen ausgeführt, das nun warten muss."),
        ("info.not-the-opponents", "de", "Tabu sind die verdeckten Karten deines Gegners."),
        ("shift.lays-bare-card-below", "es", "La que había debajo queda al aire."),
        ("field.face-down-value", "es", "Una carta boca abajo vale 2, como 1 y 1."),
        ("each.leaves-covered-out", "es", "«Cada» deja fuera las cubiertas, aunque el texto no lo diga."),
        ("turn.cache-after-compile", "ru", "Кто компилировал, остаётся без действия, но проходит проверку кэша."),
        ("committed.queue", "pl", "Docierają jedna po drugiej, w kolejności, w jakiej wyruszyły."),
        ("compile.player-picks-line", "fr", "Quand toutes conviennent, choisissez celle que vous compilez."),
        ("control.gained", "fr", "Qui a une valeur supérieure sur deux lignes ou plus prend le Module de contrôle."),
        ("owner.lasts", "it", "Il nuovo controllore la tiene per il resto della partita."),
        ("return.field-to-hand", "de", "Wer sie besitzt, nimmt die Karte vom Feld auf die Hand seines Besitzers."),
        ("compile.one-line-a-turn", "it", "Anche se due colonne vanno bene, se ne può compilare soltanto una."),
        ("compile.beats-opponent", "it", "Se in una colonna superi l'avversario, la compili."),
        ("victory.three-compiled", "nl", "De eerste met drie van de drie protocollen wint."),
        ("play.outer-boxes-passive", "it", "I riquadri superiore e inferiore agiscono secondo le proprie condizioni."),
    ],
)  # fmt: skip
def test_a_sentence_that_says_the_rule_in_its_own_way_has_no_fault(rule: str, language: str, sentence: str) -> None:
    linked("regeln", language, sentence, rule)
    assert findings() == []


def test_that_another_player_decides_is_told_rather_than_a_not_beside_it() -> None:
    linked("regole-b", "it", "Chi scarta decide quali carte scartare.", "discard.player-picks")
    linked("regole-a", "it", "Non sai scegliere? Decide l'avversario quali carte scarti.", "discard.player-picks")
    (found,) = findings()
    assert found.kind is Kind.ACTOR
    assert "avversario" in found.message("en")


def test_the_latest_edition_is_compared_although_only_the_one_before_was_said_to_be_of_the_game() -> None:
    linked("mano", "es", SAID["es"].format("cinco"))
    linked("hand", "de", SAID["de"].format("fünf"))
    later = f"# A\n\n{SAID['de'].format('sechs')}\n"
    RulebookStore().add_bytes(later.encode(), "hand-2.md", Loading("hand", "de"))
    assert [one.kind for one in findings()] == [Kind.NUMBER]
    assert [one.document for one in tasks("compile", CATALOGUE)] == ["hand"]
