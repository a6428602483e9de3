"""A published game says by whose word it is what was written at the table: from a log, and from the store alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from replays.store.reading import UnknownGameError
from replays.store.store import Store
from replays.trust.keys import make_key
from replays.trust.seal import SealError, seal_file
from web import create_app
from web.games.store_library import StoreLibrary
from web.publishing.files import publish
from web.publishing.sources import source_at, source_in

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
LINES = (SAMPLES / "dispute.jsonl").read_bytes().splitlines(keepends=True)


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with Store(url) as store:
        yield store


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log that the judge of table 9 has sealed and signed."""
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"".join(LINES))
    make_key("table-9")
    seal_file(path, "table-9", at="2025-09-01T12:00:00+00:00")
    return path


class TestStored:
    """The seal of a game in the store."""

    def test_a_game_published_from_the_store_is_the_one_published_from_its_log(self, store: Store, log: Path) -> None:
        store.import_log(log)
        for form in ("json", "html", "md"):
            assert publish(source_in(store, "r3-t12"), form) == publish(source_at(log), form)
        assert store.sealed(store.find("r3-t12")) is not None

    def test_a_stored_game_is_sealed_and_signed_where_it_lies(self, store: Store) -> None:
        id = store.import_log(SAMPLES / "dispute.jsonl").game
        assert store.sealed(id) is None
        unsigned = store.seal(id)
        assert (unsigned.events, unsigned.head) == (130, store.head(id))
        make_key("table-9")
        signed = store.seal(id, "table-9")
        assert store.sealed(id) == signed
        assert [each.name for each in signed.signatures] == ["table-9"]
        with pytest.raises(UnknownGameError):
            store.seal("none")

    def test_a_game_that_goes_on_is_said_to_have_grown_until_it_is_sealed_again(
        self, store: Store, tmp_path: Path
    ) -> None:
        start = tmp_path / "start.jsonl"
        start.write_bytes(b"".join(LINES[:100]))
        seal_file(start)
        id = store.import_log(start).game
        store.append(id, LINES[100], expected=99)
        assert source_in(store, id).seal.standing == "grown"
        store.seal(id)
        assert source_in(store, id).seal.standing == "sealed"

    def test_a_log_that_is_no_longer_what_its_seal_says_is_not_stored(self, store: Store, log: Path) -> None:
        log.write_bytes(log.read_bytes().replace(b'"Ada"', b'"Eve"'))
        with pytest.raises(SealError, match="nothing was stored"):
            store.import_log(log)
        log.write_bytes(b"".join(LINES[:-3]))
        with pytest.raises(SealError, match="nothing was stored"):
            store.import_log(log)
        store.follow()
        assert store.shown.games().total == 0

    def test_an_older_seal_does_not_take_the_place_of_a_newer_one(self, store: Store, log: Path) -> None:
        id = store.import_log(log).game
        kept = store.sealed(id)
        log.write_bytes(b"".join(LINES[:50]))
        log.with_name("game.jsonl.seal").unlink()
        seal_file(log)
        store.import_log(log)
        assert store.sealed(id) == kept

    @pytest.mark.parametrize("url", ["sqlite"], indirect=True)
    def test_the_viewers_file_changes_when_the_game_is_sealed(self, store: Store) -> None:
        id = store.import_log(SAMPLES / "dispute.jsonl").game
        client = create_app(StoreLibrary(store)).test_client()
        before = client.get(f"/games/{id}.html?lang=en")
        assert "was not sealed" in before.get_data(as_text=True)
        root = store.seal(id).root
        after = client.get(f"/games/{id}.html?lang=en", headers={"If-None-Match": before.headers["ETag"]})
        assert after.status_code == 200
        assert root in after.get_data(as_text=True)
