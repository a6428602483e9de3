"""The kept position of a long game: there at once, the same as before, and never taken from a damaged row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from replays.judging.versions import engine
from replays.store import projections
from replays.store.projections import kept_position
from replays.store.store import Store

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"


@pytest.fixture
def store(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(projections, "LONG", 100)
    with Store(url) as store:
        store.import_log(SAMPLES / "clean.jsonl")
        yield store


def test_a_kept_position_is_the_one_that_the_events_lead_to(store: Store) -> None:
    (game,) = (row[0] for row in store._tables.read("SELECT DISTINCT game FROM audit_appends"))
    id, last = str(game), store.version(str(game))
    replayed = [store.state(id, at) for at in (0, 200, last)]
    store.follow()
    assert kept_position(store._tables, id, None) is not None
    assert kept_position(store._tables, id, last - 1) is None
    assert [store.state(id, at) for at in (0, 200, last)] == replayed
    store.append(id, b'{"seq": %d, "type": "flagged"}\n' % (last + 1), expected=last)
    assert store.state(id) == replayed[-1]


def test_a_damaged_position_is_passed_over_and_made_anew(store: Store) -> None:
    (game,) = (row[0] for row in store._tables.read("SELECT DISTINCT game FROM audit_appends"))
    id = str(game)
    wanted = store.state(id)
    store.follow()
    for damage in ("", "[]", '{"sides": 5}', "\x00", f"{engine()}\n[]", f'{engine()}\n{{"sides": 5}}'):
        store._tables.do("UPDATE shown_positions SET data = ?", (damage,))
        assert store.state(id) == wanted
    assert store.rebuild() == 1
    assert kept_position(store._tables, id, None) is not None


def test_a_position_that_another_version_made_is_passed_over_and_made_anew(store: Store, url: str) -> None:
    (game,) = (row[0] for row in store._tables.read("SELECT DISTINCT game FROM audit_appends"))
    id = str(game)
    wanted = store.state(id)
    store.follow()
    assert kept_position(store._tables, id, None) is not None
    store._tables.do("UPDATE shown_positions SET data = ?", ('0.0.9\n{"sides": {}}',))
    assert kept_position(store._tables, id, None) is None
    assert store.state(id) == wanted
    with Store(url) as updated:
        updated.follow()
        assert kept_position(updated._tables, id, None) is not None
        assert updated.state(id) == wanted
