"""Plain sentences of card texts: each kind in each language, as cards and players write it."""

from __future__ import annotations

import pytest

from audit.games.altered.texts import deeds, done_in_play, is_of_a_phase, subjects, when_played

SENTENCES: dict[str, dict[str, tuple[str, ...]]] = {
    "en": {
        "draw": (
            "Draw a card", "Draw two cards", "Draw 2 cards", "You may draw a card", "Each player draws a card",
            "Target opponent draws a card", "Each opponent draws two cards", "All players draw a card",
            "Your opponents draw a card",
        ),
        "ready": (
            "Ready a Mana Orb", "Ready two Mana Orbs", "Ready two of your Mana Orbs", "Ready 2 exhausted Mana Orbs",
            "Ready one of your Mana Orbs",
        ),
        "reserve": (
            "Send it to Reserve", "Send me to Reserve", "Return target Character to Reserve",
            "Return two Characters to their owners' Reserve", "Put this card in Reserve",
            "Send up to two Characters to Reserve", "Resupply", "Resupply 2",
        ),
        "hand": (
            "Return it to its owner's hand", "Return target Character to hand",
            "Return two Characters to their owners' hands",
        ),
        "discard": (
            "Discard a card", "Discard two cards from your hand", "Sacrifice me", "Sacrifice a Character",
            "Target opponent discards a card", "Each player sacrifices a Character",
        ),
        "exhaust": (
            "Exhaust target card", "Exhaust two cards", "Exhaust me",
        ),
        "boost": (
            "I gain 1 boost", "I gain two boosts", "It gains 2 boosts", "Target Character gains 1 boost",
            "Each Character gains 1 boost", "Up to two Characters gain 1 boost",
        ),
        "status": (
            "I gain Anchored", "It gains Fleeting", "Target Character becomes Asleep",
        ),
        "token": (
            "Create a Robot token", "Create two Robot tokens", "Create a Robot token in target Expedition",
            "You may create a Robot token",
        ),
        "cheaper": (
            "I cost 1 less", "Your Spells cost 1 less", "Your Spells cost one less", "Characters cost 1 more",
            "Spells you play cost 1 less", "Your next Spell costs 1 less", "I cost 2 mana less",
        ),
    },
    "fr": {
        "draw": (
            "Piochez une carte", "Piochez deux cartes", "Pioche 2 cartes", "Vous pouvez piocher une carte",
            "Chaque joueur pioche une carte", "Chaque adversaire pioche une carte",
            "Tous les joueurs piochent deux cartes", "Votre adversaire pioche une carte",
            "L'adversaire ciblé pioche une carte", "Vos adversaires piochent une carte",
        ),
        "ready": (
            "Redressez une Orbe de Mana", "Redressez deux Orbes de Mana", "Redresse une de tes Orbes de Mana",
            "Redressez deux de vos Orbes de Mana", "Redressez un Orbe de Mana",
        ),
        "reserve": (
            "Envoyez-la en Réserve", "Envoyez-moi en Réserve", "Renvoyez le Personnage ciblé en Réserve",
            "Envoyez deux Personnages en Réserve", "Mettez cette carte en Réserve",
            "Renvoyez-les dans la Réserve de leur propriétaire", "Ravitaillez", "Ravitaillement",
        ),
        "hand": (
            "Renvoyez-le dans la main de son propriétaire",
            "Renvoyez le Personnage ciblé dans la main de son propriétaire", "Reprenez une carte en main",
            "Renvoyez-les dans la main de leur propriétaire",
        ),
        "discard": (
            "Défaussez une carte", "Défaussez deux cartes de votre main", "Sacrifiez-moi", "Sacrifiez un Personnage",
            "Chaque adversaire défausse une carte", "Défaussez-vous d'une carte",
            "Les adversaires défaussent une carte", "Tous les joueurs défaussent une carte",
            "Défaussez-vous de deux cartes",
        ),
        "exhaust": (
            "Épuisez une carte", "Épuisez-la", "Épuisez deux cartes",
        ),
        "boost": (
            "Je gagne 1 boost", "Je gagne deux boosts", "Personnage ciblé gagne 1 boost", "Il gagne 2 boosts",
            "Chaque Personnage gagne 1 boost", "Deux Personnages gagnent 1 boost",
            "Le Personnage ciblé gagne un boost",
        ),
        "status": (
            "Il devient Endormi", "Je gagne Ancré", "Je deviens Fugace", "Le Personnage ciblé gagne Ancré",
            "Ils deviennent Endormis",
        ),
        "token": (
            "Créez un jeton Robot", "Créez deux jetons Robot", "Vous pouvez créer un jeton Robot",
            "Créez un jeton Robot dans l'Expédition ciblée", "Chaque joueur crée un jeton Robot",
        ),
        "cheaper": (
            "Je coûte 1 de moins", "Vos Sorts coûtent 1 de moins", "Les Personnages coûtent 1 de plus",
            "Je coûte 1 mana de moins", "Vos Sorts coûtent un de moins",
        ),
    },
    "it": {
        "draw": (
            "Pesca una carta", "Pesca due carte", "Peschi 2 carte", "Puoi pescare una carta",
            "Ogni giocatore pesca una carta", "Ogni avversario pesca una carta",
            "Tutti i giocatori pescano una carta", "Il tuo avversario pesca due carte",
            "L'avversario bersaglio pesca una carta", "I tuoi avversari pescano una carta",
        ),
        "ready": (
            "Raddrizza un Globo di Mana", "Raddrizza due Globi di Mana", "Raddrizza due dei tuoi Globi di Mana",
            "Raddrizza una Sfera di Mana", "Raddrizza due delle tue Sfere di Mana",
            "Raddrizza due Globi di Mana esauriti",
        ),
        "reserve": (
            "Mandami nella Riserva", "Mandala nella Riserva", "Manda un Personaggio nella Riserva",
            "Rimanda il Personaggio bersaglio nella Riserva del suo proprietario",
            "Rimanda due Personaggi in Riserva", "Metti questa carta nella Riserva", "Rifornisci", "Rifornimento",
        ),
        "hand": (
            "Restituisci un Personaggio in mano del suo proprietario", "Rimettilo in mano",
            "Riprendi una carta in mano", "Restituisci il Personaggio bersaglio nella mano del proprietario",
            "Rimanda un Personaggio nella mano del suo proprietario",
        ),
        "discard": (
            "Scarta una carta", "Scarta due carte dalla mano", "Sacrificami", "Sacrifica un Personaggio",
            "Ogni avversario scarta una carta", "Tutti i giocatori scartano una carta", "Scartala",
        ),
        "exhaust": (
            "Esaurisci una carta", "Esaurisci due carte", "Esauriscila",
        ),
        "boost": (
            "Ottengo un potenziamento", "Ottengo 2 potenziamenti",
            "Il Personaggio bersaglio ottiene 1 potenziamento", "Guadagno 1 boost",
            "Ogni Personaggio ottiene un potenziamento", "Due Personaggi ottengono 1 potenziamento",
        ),
        "status": (
            "Divento Ancorato", "Ottengo Ancorato", "Un Alleato diventa Fugace",
            "Il Personaggio bersaglio ottiene Addormentato", "Due Personaggi diventano Addormentati",
        ),
        "token": (
            "Crea un segnalino Robot", "Crea due segnalini Robot", "Puoi creare un segnalino Robot",
            "Crea una pedina Robot", "Ogni giocatore crea un segnalino Robot",
            "Crea un segnalino Robot nella Spedizione bersaglio",
        ),
        "cheaper": (
            "Costo 1 in meno", "Le tue Magie costano 1 in meno", "I Personaggi costano 1 in più",
            "Le tue Magie costano un mana in meno", "La tua prossima Magia costa 1 in meno", "Costo 1 mana in meno",
        ),
    },
    "pl": {
        "draw": (
            "Dobierz kartę", "Dobierz dwie karty", "Dobierasz 2 karty", "Możesz dobrać kartę",
            "Każdy gracz dobiera kartę", "Każdy przeciwnik dobiera kartę", "Wszyscy gracze dobierają kartę",
            "Wybrany przeciwnik dobiera kartę", "Dobierz pięć kart", "Dobierz jedną kartę",
        ),
        "ready": (
            "Odśwież Kulę Many", "Odśwież dwie Kule Many", "Odśwież swoją Kulę Many", "Przygotuj Kulę Many",
            "Odśwież dwie swoje Kule Many", "Odśwież pięć Kul Many",
        ),
        "reserve": (
            "Odeślij ją do Rezerwy", "Odeślij mnie do Rezerwy", "Odeślij do Rezerwy wybraną Postać",
            "Odeślij dwie Postacie do Rezerwy", "Odłóż tę kartę do Rezerwy", "Uzupełnij",
        ),
        "hand": (
            "Zwróć ją na rękę właściciela", "Zwróć wybraną Postać na rękę właściciela", "Weź kartę na rękę",
            "Zwróć na rękę wybraną Postać", "Zwróć dwie Postacie na rękę właścicieli",
        ),
        "discard": (
            "Odrzuć kartę", "Odrzuć dwie karty", "Odrzuć kartę z ręki", "Poświęć Postać", "Poświęć mnie",
            "Przeciwnik odrzuca kartę", "Każdy gracz odrzuca kartę", "Wszyscy gracze odrzucają kartę",
        ),
        "exhaust": (
            "Wyczerp kartę", "Wyczerp wybraną kartę", "Wyczerp dwie karty",
        ),
        "boost": (
            "Zyskuję 1 wzmocnienie", "Zyskuję dwa wzmocnienia", "Wybrana Postać zyskuje 1 wzmocnienie",
            "Otrzymuję wzmocnienie", "Każda Postać zyskuje 1 wzmocnienie", "Dwie Postacie zyskują 1 wzmocnienie",
        ),
        "status": (
            "Postać staje się Ulotna", "Zyskuję Zakotwiczenie", "Staję się Zakotwiczony",
            "Wybrana Postać zyskuje Uśpienie", "Staję się Zakotwiczona", "Postacie stają się Uśpione",
        ),
        "token": (
            "Stwórz żeton Robota", "Stwórz dwa żetony Robota", "Możesz stworzyć żeton Robota",
            "Utwórz żeton Robota w wybranej Wyprawie", "Każdy gracz tworzy żeton Robota",
        ),
        "cheaper": (
            "Kosztuję 1 mniej", "Twoje Zaklęcia kosztują 1 mniej", "Twoje Zaklęcia kosztują o 1 mniej",
            "Postacie kosztują o 1 więcej", "Kosztuję o 1 mniej many", "Twoje Zaklęcia kosztują o jeden mniej",
        ),
    },
}  # fmt: skip

AT_A_MOMENT = {
    "en": (
        ("At Noon", "At Dusk", "At Night", "At the start of your turn", "At the end of the day"),
        ("draw a card", "I gain 1 boost", "create a Robot token", "discard a card"),
    ),
    "fr": (
        ("À Midi", "À la Nuit", "Au Crépuscule", "Au début de votre tour", "À la fin du jour"),
        ("piochez une carte", "je gagne 1 boost", "créez un jeton Robot", "défaussez une carte"),
    ),
    "it": (
        ("A Mezzogiorno", "Al Crepuscolo", "Di Notte", "All'inizio del tuo turno", "Alla fine del giorno"),
        ("pesca una carta", "ottengo 1 potenziamento", "crea un segnalino Robot", "scarta una carta"),
    ),
    "pl": (
        ("W Południe", "O Zmierzchu", "W Nocy", "Na początku swojej tury", "Na koniec dnia"),
        ("dobierz kartę", "zyskuję 1 wzmocnienie", "stwórz żeton Robota", "odrzuć kartę"),
    ),
}
"""Moments, and what is done then."""

SAID = [(kind, one) for kinds in SENTENCES.values() for kind, texts in kinds.items() for one in texts]
MOMENTS = [(when, what) for moments, deeds_then in AT_A_MOMENT.values() for when in moments for what in deeds_then]


def written(text: str) -> tuple[str, ...]:
    """A sentence as different people write it down."""
    return (text, f"{text}.", text.lower(), text.upper())


@pytest.mark.every(("kind", "text"), SAID)
def test_a_sentence_does_what_it_says_in_each_language(kind: str, text: str) -> None:
    for one in written(text):
        if kind == "cheaper":
            assert subjects(one) == {"cost"}, one
        else:
            assert [deed.kind for deed in deeds(one) or ()] == [kind], one


@pytest.mark.every(("when", "what"), MOMENTS)
def test_what_is_done_at_a_moment_is_read_with_any_sign_and_in_either_order(when: str, what: str) -> None:
    before = (f"{when}, {what}", f"{when}: {what}", f"{when}\u00a0: {what}", f"{when} {what}")
    for text in (*before, f"{what.capitalize()} {when.lower()}", f"{what.capitalize()}, {when.lower()}"):
        for one in written(text):
            assert done_in_play(one) == deeds(what), one
            assert is_of_a_phase(one), one
            assert deeds(one) is None, one
            assert when_played((one,), is_spell=False) == (), one


@pytest.mark.every(
    "text",
    [
        "At noontide draw a card", "At Noon dance around the table", "Dobierz wiatr w południe", "Défaussera une carte",
        "Draw a card. Dance at noon",
    ],
)  # fmt: skip
def test_what_only_begins_alike_is_not_read(text: str) -> None:
    assert deeds(text) is None
    assert done_in_play(text) is None
