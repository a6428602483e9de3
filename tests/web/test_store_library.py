"""The viewer over the store: the same pages as over the logs, searched, followed and appended to."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copyfile

import pytest
from msgspec.structs import replace

from replays.store.shown_game import rule_weights
from replays.store.store import Store, VersionConflictError
from web import create_app
from web.games.folder_library import FolderLibrary
from web.games.library import Filters
from web.games.store_library import StoreLibrary
from web.site.headers import UnknownGameError

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
EYES = ("judge", "public", "A")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with Store(url) as store:
        for name in ("clean", "dispute", "lotr-crows"):
            store.import_log(SAMPLES / f"{name}.jsonl")
        yield store


@pytest.fixture
def library(store: Store) -> StoreLibrary:
    return StoreLibrary(store)


def test_a_stored_game_is_the_game_of_its_log(store: Store, library: StoreLibrary, tmp_path: Path) -> None:
    copyfile(SAMPLES / "dispute.jsonl", tmp_path / "dispute.jsonl")  # just written, as what is stored: it may go on
    logs, game = FolderLibrary(tmp_path), store.find("r3-t12")
    for viewer in EYES:
        stored = library.game(game, viewer=viewer, language="pl", reading=None)
        assert list(stored.steps) == list(logs.game("dispute", viewer=viewer, language="pl", reading=None).steps)
    assert library.log(game) == (SAMPLES / "dispute.jsonl").read_bytes()


def test_games_are_found_and_glanced_at(store: Store, library: StoreLibrary) -> None:
    page = library.games("", Filters(), 1)
    assert (page.total, page.number, len(page.games)) == (3, 1, 3)
    (found,) = library.games("ada", Filters(ruleset="compile", rule="compile.ten-or-more", verdict="illegal"), 9).games
    assert found.id == store.find("r3-t12")
    assert [step for step, _, _ in found.findings] == [25, 73, 87, 103, 116]
    assert found.steps == 130
    store.import_log(SAMPLES / "hand-entered.jsonl")
    for one in library.games("", Filters(), 1).games:
        assert one.steps == len(library.game(one.id, viewer="judge", language="en", reading=None).steps) - 1
    assert library.games("nobody", Filters(), 1).total == 0
    assert library.games("", Filters(rule="\0"), 1).total == 0


def test_a_list_knows_the_figures_of_a_game_from_the_store_as_from_a_folder(
    library: StoreLibrary, tmp_path: Path
) -> None:
    copyfile(SAMPLES / "dispute.jsonl", tmp_path / "dispute.jsonl")
    (stored,) = library.games("ada", Filters(ruleset="compile", verdict="illegal"), 1).games
    (filed,) = FolderLibrary(tmp_path).games("", Filters(), 1).games
    assert replace(stored.figures, judged_by="") == filed.figures
    assert filed.figures.findings == len(stored.findings) > 0


def test_uses_of_a_rule_are_told_as_the_public_may_know_them(store: Store, library: StoreLibrary) -> None:
    uses = library.rule_uses("compile", "play.face-up-needs-protocol", "en")
    illegal = [use for use in uses if use.verdict == "illegal"]
    assert [(use.title, use.step) for use in illegal] == [("r3-t12", 25)]
    assert illegal[0].sentence


def test_what_is_not_stored_is_unknown(library: StoreLibrary) -> None:
    for ask in (library.log, library.version):
        with pytest.raises(UnknownGameError):
            ask("none")
    with pytest.raises(UnknownGameError):
        library.append("none", b"", 0)


def test_appending_changes_version_and_state(tmp_path: Path, url: str) -> None:
    lines = (SAMPLES / "dispute.jsonl").read_bytes().splitlines(keepends=True)
    start = tmp_path / "start.jsonl"
    start.write_bytes(b"".join(lines[:20]))
    with Store(url) as store:
        id = store.import_log(start).game
        library = StoreLibrary(store)
        before = (library.version(id), library.state())
        assert library.append(id, lines[20], 19).version == 20
        assert all(new != old for new, old in zip((library.version(id), library.state()), before, strict=True))
        assert len(library.game(id, viewer="judge", language="en", reading=None).steps) == 21
        with pytest.raises(VersionConflictError):
            library.append(id, lines[20], 19)


@pytest.mark.sampled(2)
def test_pages_of_the_store_are_served_to_many_at_once(store: Store, library: StoreLibrary) -> None:
    app = create_app(library)
    id = store.find("r3-t12")

    def ask(path: str) -> int:
        return app.test_client().get(path).status_code

    paths = [
        "/",
        f"/games/{id}?step=25",
        f"/games/{id}.html?as=public&lang=en",
        "/rules/compile/play.face-up-needs-protocol",
    ]
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(ask, paths * 2)) == {200}


def test_the_weight_of_a_rule_is_its_games_and_its_steps(store: Store) -> None:
    found = rule_weights(store, "compile")
    used = store.shown.uses("compile", "play.face-up-needs-protocol")
    weight = found["play.face-up-needs-protocol"]
    assert (weight.games, weight.steps) == (len({use.game for use in used}), len(used))
    assert weight.games == 2
    assert rule_weights(store, "none") == {}
