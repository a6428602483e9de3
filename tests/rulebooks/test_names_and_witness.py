"""What every editor expects of names and terms, and our own statement where only one edition says a rule."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.against import untold
from audit.rulebooks.checks.concepts import forbidden, misnamed
from audit.rulebooks.findings import Kind, Severity
from audit.rulebooks.qa import compared
from audit.rulebooks.segments import Placed, Segment, Side, Unit
from audit.rulebooks.statements import Saying
from audit.rulebooks.terms import parse_terms, term_base
from audit.rulebooks.witness import against_statements

BASE = term_base(CATALOGUE.package)


def side(language: str, *sentences: str) -> Side:
    placed = (Placed(f"1.{n}", n, text, (1, 1), "tale", "Watch") for n, text in enumerate(sentences, 1))
    return Side(language, tuple(placed))


def unit(rule: str, *sides: Side, linked: bool = True) -> Unit:
    addresses = {one.language: tuple(sentence.address for sentence in one.sentences) for one in sides}
    return Unit(Segment(rule, (rule,), addresses if linked else {}), {one.language: one for one in sides})


# Names


@pytest.mark.every(
    ("language", "text", "name"),
    [
        ("fr", "Retournez Lumiére 2 tout de suite.", ""),
        ("fr", "Retournez Vitese 2 tout de suite.", "Vitesse"),
        ("fr", "Retournez Luce 2 tout de suite.", "Lumière"),
        ("it", "Volta la carta Lumière 2.", "Luce"),
        ("fr", "Piochez au Tour 2 seulement.", ""),
    ],
)
def test_a_card_is_called_by_its_name_in_the_language(language: str, text: str, name: str) -> None:
    found = [dict(one.data)["name"] for one in misnamed(side(language, text), CATALOGUE.package)]
    assert found == ([name] if name else [])


def test_a_game_without_protocols_has_no_name_to_miss() -> None:
    assert list(misnamed(side("fr", "Retournez Vitese 2."), "audit.games.altered")) == []


def test_a_forbidden_word_is_found_wherever_it_stands_for_the_term() -> None:
    base = parse_terms('[lamp]\nen = "lamp"\nfr = {term = "lampe", never = ["lanterne"]}\n')
    (found,) = forbidden(side("fr", "Prenez une Lanterne."), base)
    assert (found.code, dict(found.data)["term"], found.severity) == ("forbidden", "lampe", Severity.MISLEADS)
    assert list(forbidden(side("fr", "Prenez une lampe."), base)) == []


# Our own statement


LIMIT, MANY = "cache.five-card-limit", "effects.turn-player-sets-order"


def saying(rule: str, *sides: Side, known: bool = True) -> list[Saying]:
    return [Saying(one.language, (rule,), one, known=known) for one in sides]


def against(*said: Saying) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(one.code, one.kind, one.languages) for one in against_statements(said, CATALOGUE, BASE)]


def test_a_number_that_no_statement_of_the_rule_has_is_told() -> None:
    text = CATALOGUE.statement(CATALOGUE[LIMIT], "it").replace("cinque", "sei")
    (found,) = against_statements(saying(LIMIT, side("it", text)), CATALOGUE, BASE)
    assert (found.code, found.kind, found.severity, found.languages) == (
        "against-own", "number", Severity.MISLEADS, ("it",)
    )  # fmt: skip
    assert "our own statement" in found.message("en")


def test_a_document_that_says_what_is_stated_stands_beside_the_one_that_does_not() -> None:
    wrong, right = side("de", "Die Reihenfolge bestimmt dein Gegner."), side("es", "El jugador activo decide el orden.")
    (found,) = against_statements([*saying(MANY, wrong), *saying(MANY, right)], CATALOGUE, BASE)
    assert (found.code, found.languages, found.severity) == ("exchange", ("de", "es"), Severity.CHANGES)
    assert found.message("en") == (
        "In German it says “Gegner” (the opponent), in Spanish “jugador activo” (the turn player)."
    )


@pytest.mark.every(
    ("rule", "language", "sentence", "code"),
    [
        ("field.face-down-value", "de", "Verdeckt ist jede Karte 3 wert.", "against-own"),
        ("setup.youngest-drafts-first", "es", "Escoge primero el jugador de más edad.", "against-own"),
        ("compile.beats-opponent", "de", "Deine Summe ist mindestens so hoch wie die des Gegners.", "against-own"),
        ("compile.one-line-a-turn", "de", "Mehr als zwei Linien kannst du nicht kompilieren.", "against-own"),
        ("interrupt.unwinds-backwards", "fr", "On les reprend du plus ancien au plus récent.", "against-own"),
        ("return.field-to-hand", "de", "Die Karte kommt auf die Hand dessen, der den Effekt ausführt.", "against-own"),
        (MANY, "ru", "Порядок определяет соперник того, чей ход.", "against-own"),
        ("reveal.wakes-nothing", "it", "Si rivela la carta e si applica anche il suo testo.", "against-own"),
        ("discard.player-picks", "it", "Le carte da scartare le decide l'avversario.", "put-in"),
        ("discard.player-picks", "fr", "Les cartes défaussées sont tirées au hasard.", "put-in"),
        ("each.leaves-covered-out", "fr", "« Chaque » n'affecte pas les cartes recouvertes.", "left-out"),
        ("effects.as-far-as-possible", "fr", "Même s'il est précisé le contraire, il s'applique.", "against-own"),
        ("info.own-face-down", "pl", "Gracze mogą oglądać zakryte karty po obu stronach pola.", "put-in"),
        (
            "compile.player-picks-line",
            "fr",
            "Si plusieurs lignes conviennent, l'adversaire choisit laquelle.",
            "put-in",
        ),
        ("play.on-own-side", "pl", "Kartę z ręki dokłada się do linii po dowolnej stronie.", "against-own"),
        ("field.protocol-gates-line", "it", "Dice quali carte si possono mettere lì a faccia in giù.", "against-own"),
        ("compile.deletes-as-one-event", "fr", "On supprime les cartes de la ligne une par une.", "against-own"),
        ("recompile.reward", "it", "Oltre a voltare il protocollo riceve la prima carta.", "against-own"),
        (
            "control.back-on-refresh",
            "pl",
            "Oddaje znacznik, ale nie wtedy, gdy uzupełnia karty na ręce.",
            "against-own",
        ),
        ("play.face-down-any-line", "pl", "Zakrytą kartę zagrywa się tylko w jej linii.", "against-own"),
        ("shift.protocol-does-not-matter", "fr", "Elle va dans la ligne qui correspond au sien.", "against-own"),
        ("draw.from-top-to-hand", "it", "La prima carta del mazzo va negli scarti.", "against-own"),
        ("info.hand-private", "fr", "On sait combien de cartes compte une main, ainsi que lesquelles.", "against-own"),
    ],
)
def test_a_word_that_turns_a_rule_round_is_told(rule: str, language: str, sentence: str, code: str) -> None:
    said = saying(rule, side(language, sentence), side("en", CATALOGUE.statement(CATALOGUE[rule], "en")))
    found = against_statements(said, CATALOGUE, BASE)
    assert [(one.languages[0], one.code.replace("exchange", "against-own")) for one in found] == [(language, code)]


@pytest.mark.every(
    ("rule", "language", "sentence"),
    [
        ("compile.one-line-a-turn", "it", "In un turno non puoi compilare più di una colonna."),
        ("play.without-useful-effect", "fr", "On peut jouer une carte même si son effet ne peut pas s'appliquer."),
        ("play.face-up-needs-protocol", "es", "Para jugarla bocarriba, su protocolo tiene que estar en esa línea."),
        ("target.both-sides", "pl", "O ile nie napisano inaczej, efekt działa po obu stronach pola."),
        ("compile.mandatory", "de", "Du kommst um das Kompilieren nicht herum."),
    ],
    ids=["no more than one", "even if one cannot", "must in a condition", "unless otherwise stated", "no way round"],
)
def test_the_same_in_other_words_is_none(rule: str, language: str, sentence: str) -> None:
    assert against(*saying(rule, side(language, sentence))) == []


def test_what_another_rule_of_the_sentence_says_was_not_put_in() -> None:
    text, other = side("fr", "Le joueur défausse, puis son adversaire."), side("es", "Elige quien descarta.")
    beside = saying("discard.player-picks", other)
    assert [found[0] for found in against(*beside, *saying("discard.player-picks", text))] == ["put-in"]
    assert against(*beside, Saying("fr", ("discard.player-picks", "recompile.reward"), text)) == []


BACK = ("control.back-on-compile", "control.back-on-refresh")
OCCASIONS = [
    ("it", "Se chi compila ha l'indicatore di controllo, lo rimette nella posizione neutrale.", True),
    ("it", "Se chi compila o ricarica ha l'indicatore di controllo, lo rimette nella posizione neutrale.", False),
    ("pl", "Posiadacz znacznika kontroli, który uzupełnia karty na ręce, odkłada go na pozycję neutralną.", True),
    ("fr", "Qui compile ou rafraichit remet le Module de contrôle au centre de la table.", False),
]


@pytest.mark.every(("language", "sentence", "is_told"), OCCASIONS)
def test_one_of_two_occasions_that_was_left_out_is_told(language: str, sentence: str, is_told: bool) -> None:
    found = against(Saying(language, BACK, side(language, sentence)))
    assert found == ([("left-out", "term", (language,))] if is_told else [])


def test_the_second_part_of_the_turn_in_place_of_the_first_is_told() -> None:
    rule = "turn.cache-after-compile"
    assert [kind for _, kind, _ in against(*saying(rule, side("fr", "Passez à la phase Fin.")))] == ["term"]
    assert against(*saying(rule, side("fr", "Passez à la phase Mémoire cache, puis à la phase Fin."))) == []


LINKED_AND_PUT_IN = [
    ("setup.first-turn", "es", "El primer turno es de quien eligió en segundo lugar.", True),
    ("setup.first-turn", "nl", "De eerste beurt is voor wie als tweede koos.", True),
    ("recompile.possible", "es", "Una línea compilada puede compilarse una segunda vez.", False),
    ("owner.through-all-zones", "fr", "Défaussée, la carte revient à son ancien propriétaire.", True),
    ("turn.stuck-player", "es", "Quien no puede compilar, jugar ni recargar pierde la partida.", True),
    ("field.value-counts", "de", "Die Zahl zählt nur dann zur Summe, wenn die Karte frei liegt.", True),
    ("field.stack", "es", "Una pila son las cartas de los dos jugadores en una línea.", True),
    ("committed.keeps-facing", "de", "Eine gebundene Karte wird stets verdeckt.", True),
    ("play.face-chosen-by-player", "de", "Ob sie offen oder verdeckt liegt, entscheidet, wer sie spielt.", False),
    ("refresh.counts-as-drawing", "de", "Es gilt nicht als Ziehen und löst nichts aus.", True),
    ("play.on-own-side", "de", "Du legst sie auf deine eigene Seite, nie auf die deines Gegners.", False),
    ("play.face-down-any-line", "de", "Für verdeckte Karten gibt es keine Einschränkung.", False),
    ("turn.cache-after-compile", "es", "Tras compilar, te saltas la comprobación de la caché.", True),
    ("info.open-to-both", "es", "Las papeleras son secretas para ambos jugadores.", True),
    ("effects.must-be-applied", "es", "No hay más remedio que aplicarlo.", False),
    ("play.face-down-any-line", "pt", "Cabe em qualquer linha, desde que o jogador já lá tenha uma carta.", True),
    ("play.face-down-any-line", "pl", "Można w dowolnej linii, pod warunkiem że leży tam już karta.", True),
    ("play.face-down-any-line", "de", "Sie passt in jede Linie, sofern nicht anders angegeben.", False),
    ("recompile.card-changes-hands", "fr", "Celui qui l'a perdue reste propriétaire de la carte.", True),
    ("recompile.card-changes-hands", "cs", "Kdo ji ztratil, zůstává majitelem karty.", True),
    ("recompile.card-changes-hands", "en", "The winner remains the owner of the card.", False),
]


@pytest.mark.every(("rule", "language", "sentence", "is_told"), LINKED_AND_PUT_IN)
def test_what_changes_a_rule_may_not_be_put_in_a_linked_passage(
    rule: str, language: str, sentence: str, is_told: bool
) -> None:
    right = saying(rule, side("en", CATALOGUE.statement(CATALOGUE[rule], "en")))
    found = against(*saying(rule, side(language, sentence), known=False), *right)
    assert bool(found) is is_told


def test_one_fault_is_told_once_also_where_a_word_was_put_in() -> None:
    rule, text = "field.stack", "Una pila son las cartas de los dos jugadores en una línea."
    right = saying(rule, side("en", CATALOGUE.statement(CATALOGUE[rule], "en")))
    (found,) = against_statements([*saying(rule, side("es", text), known=False), *right], CATALOGUE, BASE)
    other = replace(found, kind=Kind.NUMBER, code="exchange")
    assert (found.code, found.kind) == ("put-in", Kind.ACTOR)
    assert untold([found], [other]) == []


def test_a_sentence_of_more_rules_does_not_answer_for_an_order_in_time() -> None:
    rule = "cover-trigger.before-covering"
    wrong = saying(rule, side("fr", "L'effet en question est résolu après qu'elle a été recouverte."))
    more = Saying("fr", (rule, "committed.lands-regardless"), side("fr", "Il agit avant que la carte n'arrive."))
    assert [kind for _, kind, _ in against(*wrong, more)] == ["time"]


def test_what_one_document_alone_says_was_not_put_in() -> None:
    assert against(*saying("discard.player-picks", side("fr", "Le joueur défausse, puis son adversaire."))) == []


def test_what_our_statement_alone_says_is_no_finding() -> None:
    assert against(*saying(LIMIT, side("it", "Scarta le carte."))) == []


def test_every_statement_agrees_with_itself() -> None:
    said = [one for rule in CATALOGUE for one in statements(rule.id)]
    assert against(*said) == []


def statements(rule: str) -> list[Saying]:
    texts = ((code, CATALOGUE.statement(CATALOGUE[rule], code)) for code in ("en", "fr", "it", "pl"))
    return saying(rule, *(side(code, text) for code, text in texts))


def test_what_another_check_tells_already_is_not_told_again() -> None:
    found = against_statements(saying(LIMIT, side("it", "Tieni sei carte, non cinque.")), CATALOGUE, BASE)
    assert untold(found, found) == []


# Whole places


def test_of_a_place_of_several_sentences_only_a_contradiction_counts() -> None:
    more = unit("watch", side("fr", "Prenez 5 cartes.", "Dormez 8 nuits."), side("it", "Prendi 5 carte."), linked=False)
    assert list(compared(more, BASE)) == []
    other = unit("watch", side("fr", "Prenez 5 cartes.", "Dormez."), side("it", "Prendi 6 carte."), linked=False)
    assert [found.code for found in compared(other, BASE)] == ["exchange"]
