"""A new edition comes: the games are gone over again, the old verdicts stand beside the new, nothing is overwritten."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from audit.games.compile.rules import CATALOGUE
from audit.rulebooks.cutting import cut
from replays.season.cache import Cache
from replays.season.comparing import (
    PassageChange,
    Reaudited,
    RulebookSet,
    changed_passages,
    reaudit_json,
    reaudit_lines,
    reauditing,
)
from replays.season.season import answered
from replays.season.sources import Source, logs_at, stored
from replays.season.workers import alone
from replays.store.store import Store

SAMPLES = Path(__file__).parents[2] / "replays" / "samples"
FIRST = "# Rules\n\nThe lamp is lit at dusk.\n\nThe lamp is put out at dawn.\n"
LATER = FIRST.replace("at dusk", "at midnight")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "games.db") as made:
        for name in ("clean", "hand-entered"):
            made.import_log(SAMPLES / f"{name}.jsonl")
        yield made


def linked(text: str, rule: str = "turn.cache-after-compile") -> RulebookSet:
    book = cut(text, "lantern-pl", "pl")
    return RulebookSet((book,), {("lantern-pl", book.edition): {rule: (book.passages[0].id,)}})


def reaudited(
    games: Iterable[Source], after: str | None = None, passages: Iterable[PassageChange] = (), language: str = "en"
) -> list[Reaudited]:
    """Every game gone over again, as `audit store reaudit` does it, with nothing kept from before."""
    with Cache(None) as cache:
        return list(answered(reauditing(after, passages, language), games, cache, alone))


def test_games_whose_verdicts_change_with_the_reading_are_told_old_beside_new(store: Store) -> None:
    (clean,) = [one for one in reaudited(stored(store), after="pl") if one.verdicts]
    change = clean.verdicts[0]
    assert (change.seq, change.before.verdict, change.after.verdict) == (257, "legal", "illegal")
    assert change.before.message == ""
    assert "End" in change.after.message
    assert clean.findings == (0, 2)
    assert clean.readings == ("standard", "pl")


def test_going_over_the_store_again_leaves_games_and_verdicts_as_they_are(store: Store) -> None:
    ids = [row.id for row in store.shown.games().rows] or [game.game for game in stored(store)]
    before = [(store.export(id), store.head(id), store.shown.game(id), store.shown.findings(id)) for id in ids]
    position = store.position()
    reaudited(stored(store), after="pl")
    assert [(store.export(id), store.head(id), store.shown.game(id), store.shown.findings(id)) for id in ids] == before
    assert store.position() == position


def test_the_same_reading_and_the_same_books_touch_no_game(store: Store) -> None:
    assert not any(one.is_touched for one in reaudited(stored(store)))
    assert changed_passages(CATALOGUE, linked(FIRST), linked(FIRST)) == []


def test_a_passage_with_other_words_touches_the_games_that_cite_its_rule(store: Store) -> None:
    changes = changed_passages(CATALOGUE, linked(FIRST), linked(LATER))
    (change,) = changes
    assert (change.rule, change.language) == ("turn.cache-after-compile", "pl")
    assert change.before.text == "The lamp is lit at dusk."
    assert change.after.text == "The lamp is lit at midnight."
    touched = [one for one in reaudited(stored(store), passages=changes) if one.is_touched]
    assert touched
    for one in touched:
        assert not one.verdicts
        cited = one.passages["turn.cache-after-compile"]
        uses = [use.seq for use in store.shown.uses("compile", "turn.cache-after-compile") if use.game == one.id]
        assert set(cited) <= set(uses)


def test_a_changed_passage_of_a_rule_nobody_cites_touches_no_game(store: Store) -> None:
    rule = "card.love-3"
    changes = changed_passages(CATALOGUE, linked(FIRST, rule), linked(LATER, rule))
    assert [change.rule for change in changes] == [rule]
    assert not any(one.is_touched for one in reaudited(stored(store), passages=changes))


def test_a_folder_of_logs_is_gone_over_like_the_store(store: Store) -> None:
    logs = logs_at([str(SAMPLES / "clean.jsonl"), str(SAMPLES / "hand-entered.jsonl")])
    found = {one.game: one.verdicts for one in reaudited(logs, after="pl")}
    assert found == {one.game: one.verdicts for one in reaudited(stored(store), after="pl")}


def test_a_reading_that_a_game_does_not_have_is_told_of_that_game(store: Store) -> None:
    found = reaudited(stored(store), after="klingon")
    assert len(found) == 2
    for one in found:
        assert "klingon" in one.trouble
        assert one.is_touched


@pytest.mark.parametrize(
    ("language", "sums", "verdict"),
    [
        ("fr", "1 avec un autre verdict, 1 passage cité autrement", "contraire aux règles"),
        ("it", "1 con un altro verdetto, 1 passo citato in altro modo", "contrario alle regole"),
        ("pl", "1 z innym werdyktem, 1 fragment cytowany inaczej", "niezgodne z zasadami"),
    ],
)
def test_the_report_speaks_the_readers_language(store: Store, language: str, sums: str, verdict: str) -> None:
    changes = changed_passages(CATALOGUE, linked(FIRST), linked(LATER))
    found = reaudited(stored(store), after="pl", passages=changes, language=language)
    text = "\n".join(reaudit_lines(found, changes, language))
    assert text.endswith(sums)
    assert verdict in text


def test_the_report_shows_both_verdicts_and_both_passages(store: Store) -> None:
    changes = changed_passages(CATALOGUE, linked(FIRST), linked(LATER))
    text = "\n".join(reaudit_lines(reaudited(stored(store), after="pl", passages=changes), changes))
    assert "- The lamp is lit at dusk." in text
    assert "+ The lamp is lit at midnight." in text
    assert "seq 257   - legal" in text
    assert "seq 257   + illegal" in text
    assert text.endswith("with another verdict, 1 changed passage")
    data = reaudit_json(reaudited(stored(store), after="pl", passages=changes), changes)
    assert data["games"][0]["readings"] == ("standard", "pl")
    assert data["passages"][0]["after"]["text"] == "The lamp is lit at midnight."
