"""After an update: what another version of this program judged is told, and judged again while nobody waits."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterable, Iterator

import pytest
from small_game import HEADER, game, line, resolve

from audit.core.catalogue import rule
from audit.core.model import Event, Header, Verdict
from audit.core.ruleset import Ruleset
from audit.core.steps import Step
from replays.store import projections
from replays.store.projections import Projections
from replays.store.store import Store

Steps = Iterator[Step]
pytestmark = pytest.mark.sampled(2)  # what is judged again is the same in every database
LAYING = rule("lay.on-a-pile", "permission")


def judging(verdict: Verdict) -> object:
    """An auditor that says the same of every event."""

    def annotate(ruleset: Ruleset[object], header: Header, events: Iterable[Event]) -> Steps:
        state = ruleset.rules.start(header)
        for index, event in enumerate(events, 1):
            yield Step(index, event.seq, event, verdict, (LAYING,), (), state, state)

    return annotate


def log(name: str, events: int = 4) -> bytes:
    return game(events, HEADER.replace(b'"g1"', b'"%s"' % name.encode()))


def opened(url: str, version: str, verdict: Verdict, monkeypatch: pytest.MonkeyPatch) -> Store:
    """The store, opened by a version of this program that judges so."""
    monkeypatch.setattr(projections, "judge", lambda package: version)
    return Store(url, resolve=resolve, annotate=judging(verdict))  # type: ignore[arg-type]


@pytest.fixture
def stored(url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Three games that the old version judged: it was content with all of them."""
    with opened(url, "old", Verdict.LEGAL, monkeypatch) as store:
        for name in "abc":
            store.import_log(io.BytesIO(log(name)))
        store.follow()
        assert store.outdated() == 0
    return url


def findings(store: Store) -> list[int]:
    """Of every game, as the list has it and as statistics have it."""
    listed = sorted(row.findings for row in store.shown.every_game())
    assert sorted(facts.findings for facts in store.shown.facts()) == listed
    return listed


def test_until_they_are_judged_again_the_games_say_who_judged_them(
    stored: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(stored, "new", Verdict.ILLEGAL, monkeypatch) as store:
        assert store.waiting() == 0
        assert store.outdated() == 3
        assert [facts.judged_by for facts in store.shown.facts()] == ["old"] * 3
        assert findings(store) == [0, 0, 0]


def test_they_are_judged_again_in_the_time_there_is(stored: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(stored, "new", Verdict.ILLEGAL, monkeypatch) as store:
        assert store.catch_up(0) == 3
        assert store.catch_up(60) == 0
        assert store.outdated() == 0
        assert findings(store) == [4, 4, 4]
        assert [facts.judged_by for facts in store.shown.facts()] == ["new"] * 3


def test_new_games_come_first(stored: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(stored, "new", Verdict.ILLEGAL, monkeypatch) as store:
        store.import_log(io.BytesIO(log("d")))
        assert store.catch_up(0) == 3
        assert findings(store) == [0, 0, 0, 4]
        assert store.outdated() == 3


def test_a_command_that_lists_games_does_not_judge_a_season_again(stored: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(stored, "new", Verdict.ILLEGAL, monkeypatch) as store:
        store.follow()
        assert store.outdated() == 3
        store.rebuild()
        assert store.outdated() == 0


def test_a_game_that_is_appended_to_meanwhile_is_shown_whole(stored: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(stored, "new", Verdict.ILLEGAL, monkeypatch) as store:
        game = store.find("b")
        statements, appended = Projections.statements, []

        def slowly(shown: Projections, id: str, place: int) -> object:
            found = statements(shown, id, place)
            if id == game and not appended:
                appended.append(store.append(game, line(5), expected=4))
                store.follow()
            return found

        monkeypatch.setattr(Projections, "statements", slowly)
        store.catch_up(60)
        assert appended == [5]
        assert sorted(row.events for row in store.shown.every_game()) == [4, 4, 5]
        assert findings(store) == [4, 4, 5]
        assert store.outdated() == 0


def test_a_store_that_is_closed_waits_for_the_game_being_judged_and_begins_no_other(
    stored: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(stored, "new", Verdict.ILLEGAL, monkeypatch)
    begun, may_go_on, statements = threading.Event(), threading.Event(), Projections.statements

    def slowly(shown: Projections, id: str, place: int) -> object:
        begun.set()
        may_go_on.wait(60)
        return statements(shown, id, place)

    monkeypatch.setattr(Projections, "statements", slowly)
    judging_on = threading.Thread(target=store.catch_up, args=(60,))
    judging_on.start()
    begun.wait(60)
    closing = threading.Thread(target=store.close)
    closing.start()
    closing.join(0.1)
    assert closing.is_alive()
    may_go_on.set()
    closing.join(60)
    judging_on.join(60)
    assert store.catch_up(60) == 0
    monkeypatch.setattr(Projections, "statements", statements)
    with opened(stored, "new", Verdict.ILLEGAL, monkeypatch) as again:
        assert again.outdated() == 2


def test_two_versions_that_serve_one_store_do_not_undo_each_others_work_for_ever(
    stored: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(stored, "new", Verdict.ILLEGAL, monkeypatch) as store:
        store.catch_up(60)
        with opened(stored, "old", Verdict.LEGAL, monkeypatch) as other:
            other.catch_up(60)
            assert other.outdated() == 0
        monkeypatch.setattr(projections, "judge", lambda package: "new")
        assert store.catch_up(60) == 0
        assert store.outdated() == 3


def test_what_another_process_has_judged_again_is_not_judged_once_more(
    stored: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        opened(stored, "new", Verdict.ILLEGAL, monkeypatch) as store,
        opened(stored, "new", Verdict.IMPOSSIBLE, monkeypatch) as other,
    ):
        assert store.catch_up(0) == 3
        other.catch_up(60)
        assert store.catch_up(60) == 0
        assert {verdict for row in store.shown.every_game() for verdict in row.verdicts} == {"impossible"}


def positions_of(store: Store, version: str) -> int:
    """How many positions are kept that this version made."""
    kept = store._tables.read("SELECT data FROM shown_positions")
    return sum(str(data).startswith(f"{version}\n") for (data,) in kept)


def test_the_positions_that_another_version_kept_are_made_anew_in_the_time_there_is(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projections, "LONG", 1)
    monkeypatch.setattr(projections, "engine", lambda: "old")
    with opened(url, "same", Verdict.LEGAL, monkeypatch) as store:
        for name in "abc":
            store.import_log(io.BytesIO(log(name)))
        store.follow()
        assert positions_of(store, "old") == 3
    monkeypatch.setattr(projections, "engine", lambda: "new")
    with opened(url, "same", Verdict.LEGAL, monkeypatch) as store:
        assert store.catch_up(0) == 3
        assert positions_of(store, "new") == 0
        assert store.catch_up(60) == 0
        assert positions_of(store, "new") == 3
