"""A game published without the names of its players, and what `audit verify` says of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from replays.trust.keys import make_key
from replays.trust.seal import seal_file
from web.publishing.bundle import packed
from web.publishing.check import PROVEN, check_published
from web.publishing.disclosed import AnonymousError, anonymous
from web.publishing.files import publish
from web.publishing.sources import Source, source_at

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sealed log in which the players are named in the header, in a note and in the event."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    lines = [json.loads(line) for line in (SAMPLES / "dispute.jsonl").read_text().splitlines()]
    lines[0] |= {"meta": {"table": "12", "event": "Cup of Ada"}}
    lines[25]["note"] = "Ada asked for a judge"
    lines[26]["note"] = "a board of wood"
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    make_key("table-9")
    seal_file(path, "table-9", at="2025-09-01T12:00:00+00:00")
    return path


@pytest.fixture
def source(log: Path) -> Source:
    return source_at(log)


@pytest.mark.parametrize(
    ("form", "viewer"), [("html", "A"), ("json", "public"), ("md", "judge"), ("svg", "A"), ("sheet", "public")]
)
def test_no_file_says_a_name(form: str, viewer: str, source: Source) -> None:
    assert b"Ada" in publish(source, form, viewer)
    made = publish(anonymous(source), form, viewer, at=26)
    for name in (b"Ada ", b'Ada"', b">Bo<", b'"Bo"', b"B Bo"):
        assert name not in made
    assert b"a board of wood" in made or viewer == "public" or form in ("md", "svg", "sheet")


@pytest.mark.parametrize(("form", "viewer"), [("html", "public"), ("json", "judge"), ("json", "B")])
def test_it_is_still_the_sealed_game(form: str, viewer: str, source: Source, log: Path, tmp_path: Path) -> None:
    file = tmp_path / f"file.{form}"
    made = publish(anonymous(source), form, viewer)
    file.write_bytes(packed(made) if form == "html" else made)
    found = check_published(file)
    assert found.is_unaltered
    assert not found.unsealed
    assert found.hidden >= 4
    assert (found.judgement == PROVEN) == (viewer == "judge")
    assert check_published(file, log=log).judgement == PROVEN


def test_the_names_that_are_left_out_cannot_be_put_back_otherwise(source: Source, tmp_path: Path) -> None:
    file = tmp_path / "file.json"
    record = json.loads(publish(anonymous(source), "json"))
    record["log"][0]["players"][0]["name"] = "Eve"
    file.write_text(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n")
    assert check_published(file).answer == "altered"


def test_a_game_whose_seats_are_the_names_says_why_not() -> None:
    with pytest.raises(AnonymousError, match="every event names its seat"):
        anonymous(source_at(SAMPLES / "altered-duel.jsonl"))


def test_the_seal_of_a_game_that_is_called_by_a_player_is_left_out(source: Source, log: Path, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in source.lines]
    log.write_text(
        "".join(json.dumps({**line, **({"game": "Ada-1"} if "log" in line else {})}) + "\n" for line in lines)
    )
    log.with_name(f"{log.name}.seal").unlink()
    seal_file(log, "table-9", at="2025-09-01T12:00:00+00:00")
    file = tmp_path / "file.json"
    file.write_bytes(publish(anonymous(source_at(log)), "json"))
    assert b"Ada" not in file.read_bytes()
    assert check_published(file).unsealed == "not sealed"


def test_a_game_without_names_is_as_it_was(source: Source) -> None:
    without = anonymous(source)
    assert anonymous(without) is without
