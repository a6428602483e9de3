"""What the first page of a long game makes, and what is left until somebody asks for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from audit.core.model import Event, Header
from audit.core.ruleset import SceneMaker, ruleset
from audit.core.scene_changes import changes
from replays.generating.simulate import simulated
from replays.judging.replay import Replay, replay
from replays.log.reader import open_log
from replays.log.writer import write_log
from tests.web.made import outlined
from web import create_app
from web.games.folder_library import FolderLibrary
from web.games.payload import PIECE, Piece, Prepared
from web.games.steps import OnDemand

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
GAMES = ("altered", "compile", "lotr-reveal")
VIEWERS = ("judge", "public")


@cache
def played(name: str) -> tuple[Header, tuple[Event, ...]]:
    """A game of three pieces and a bit, with a line left out, so that it has findings as well."""
    header, events = simulated(ruleset(name), 1)
    written = (event for event in islice(events, 3 * PIECE + 20) if event.seq != 150)
    return header, tuple(replace(event, seq=seq) for seq, event in enumerate(written, 1))


@cache
def replayed(name: str, viewer: str) -> Replay:
    return replay(played(name), viewer=viewer)


@pytest.mark.parametrize("step", [0, 250])
def test_a_page_makes_the_scenes_of_its_piece_alone(step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_log(tmp_path / "game.jsonl", *played("compile"))
    made, scene = list[object](), SceneMaker.scene

    def counted(maker: SceneMaker, *args: Any) -> object:
        made.append(args)
        return scene(maker, *args)

    monkeypatch.setattr(SceneMaker, "scene", counted)
    client = create_app(FolderLibrary(tmp_path)).test_client()
    assert client.get(f"/games/game?step={step}").status_code == 200
    assert PIECE <= len(made) < 1.5 * PIECE


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_pieces_of_a_game_are_the_same_game_as_one_piece(name: str, viewer: str) -> None:
    game = replayed(name, viewer)
    whole = Prepared(game, piece=len(game.outlines))
    assert len(whole.pieces) == 1
    assert shown(Prepared(game).pieces) == shown(whole.pieces)


def shown(pieces: Sequence[Piece]) -> list[object]:
    """The scenes and changes of pieces, with their cards in the place of the numbers."""
    deck, found = dict[int, object](), list[object]()
    for piece in pieces:
        table: Mapping[str, Any] = piece.cards()
        card, face = table["first"]
        for number, each in enumerate(table["cards"], card):
            deck[number] = {**each, "face": table["faces"][each["face"] - face] if "face" in each else None}
        found += [with_cards(each, deck) for each in (*piece.scenes, *piece.changes)]
    return sorted(map(str, found))


def with_cards(value: object, deck: Mapping[int, object], name: str = "") -> object:
    if isinstance(value, dict):
        return {key: with_cards(each, deck, key) for key, each in value.items()}
    if isinstance(value, list):
        return [with_cards(each, deck, name) for each in value]
    return deck[cast(int, value)] if name in ("card", "cards", "coming") and isinstance(value, int) else value


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("viewer", VIEWERS)
def test_the_chapter_is_told_without_the_whole_table_as_with_it(name: str, viewer: str) -> None:
    game = Prepared(replayed(name, viewer))
    assert game.chapters == [scene.chapter for scene in game.scenes]


@pytest.mark.parametrize("name", GAMES)
def test_what_changed_is_the_same_for_some_steps_as_for_all(name: str) -> None:
    game = Prepared(replayed(name, "judge"))
    touched = [()] * len(game.scenes)
    found = changes(game.scenes, touched, game.marks)
    assert len(found) == len(game.scenes)
    for start in range(0, len(found), 7):
        steps = range(start, min(start + 5, len(found)))
        assert changes(game.scenes, touched, game.marks, steps) == found[start : steps.stop]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("name", [*GAMES, *(file.name for file in sorted(SAMPLES.glob("*.jsonl")))])
def test_a_step_in_short_says_what_its_annotation_says(name: str, viewer: str) -> None:
    game = replayed(name, viewer) if name in GAMES else replay(open_log(SAMPLES / name), viewer=viewer)
    for short, step in zip(game.outlines, game.steps, strict=True):
        whole = outlined(dict(step))
        assert (short.seq, short.verdict, short.rules, short.because) == (
            whole.seq, whole.verdict, whole.rules, whole.because,
        )  # fmt: skip
        assert (short.superseded_by, short.provisional) == (whole.superseded_by, whole.provisional)
        event = cast("Mapping[str, object] | None", step["event"])
        assert short.may_be_noted or not event or not (event.get("note") or event["type"] == "flagged")


def test_items_are_made_in_stretches_and_kept() -> None:
    asked = list[range]()

    def squares(items: range) -> list[int]:
        asked.append(items)
        return [each * each for each in items]

    found = OnDemand(10, squares, stretch=4)
    assert (found[5], found[6], found[-1], len(found)) == (25, 36, 81, 10)
    assert asked == [range(4, 8), range(8, 10)]
    assert found[1:9:3] == [1, 16, 49]
    assert list(found) == [each * each for each in range(10)]
    assert len(asked) == 3
    with pytest.raises(IndexError):
        found[10]
