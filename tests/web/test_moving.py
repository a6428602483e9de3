"""The steps before a finding as a moving picture: what it is about, how large it is, and for whom."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from tests.web.lending import viewer_over
from web.drawing.moving import LAST, MOST, SHOWN, STEPS
from web.publishing.files import publish
from web.publishing.sources import source_at

SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"
Image = pytest.importorskip("PIL.Image", reason="needs audit[pictures]")
ImageSequence = pytest.importorskip("PIL.ImageSequence")
pytest.importorskip("cairosvg", reason="needs audit[pictures]")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "form"), [("dispute", "gif"), ("lotr-eleanor", "webp")])
def test_it_shows_the_ten_steps_before_the_finding_which_stays_longest_in_less_than_a_megabyte(
    name: str, form: str
) -> None:
    data = publish(source_at(str(SAMPLES / f"{name}.jsonl")), form, "public", ("fr",))
    assert len(data) < MOST
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.format == form.upper()
        assert 1 < picture.n_frames <= STEPS + 1
        lasting = [frame.info.get("duration") for frame in ImageSequence.Iterator(picture)] if form == "gif" else []
    assert not lasting or (lasting[-1], sum(lasting[:-1])) == (LAST, SHOWN * STEPS)


def test_another_viewer_and_another_language_see_another_picture() -> None:
    source = source_at(str(SAMPLES / "dispute.jsonl"))
    seen = (("judge", "en"), ("public", "en"), ("judge", "pl"))
    assert len({publish(source, "webp", viewer, (language,), 2) for viewer, language in seen}) == 3


def test_nobody_is_given_the_picture_that_was_made_for_another_viewer_side_or_language() -> None:
    client = viewer_over().test_client()
    asked = ("as=judge", "as=public", "as=judge&bottom=B", "as=judge&lang=pl", "as=judge")
    seen = [client.get(f"/games/dispute.gif?step=2&{one}").data for one in asked]
    assert seen[0] == seen[-1]
    assert len(set(seen)) == len(asked) - 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("lines", "frames"), [(1, 1), (2, 2), (13, STEPS + 1)])
def test_a_log_without_a_finding_shows_its_last_steps_as_far_as_it_has_some(
    lines: int, frames: int, tmp_path: Path
) -> None:
    log = (SAMPLES / "clean.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "game.jsonl").write_bytes(b"".join(log[:lines]))
    for form in ("gif", "webp"):
        with Image.open(io.BytesIO(publish(source_at(str(tmp_path / "game.jsonl")), form))) as picture:
            assert picture.n_frames == frames


def test_a_picture_that_would_be_too_large_has_fewer_colours_and_steps_and_is_smaller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    most = 4_000
    monkeypatch.setattr("web.drawing.moving.MOST", most)
    data = publish(source_at(str(SAMPLES / "lotr-crows.jsonl")), "gif", "public", ("en",), 3)
    assert len(data) < most
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.size[0] > 50


def test_a_moving_picture_ends_where_its_tables_end() -> None:
    data = publish(source_at(str(SAMPLES / "lotr-journey.jsonl")), "gif", "public", ("en",), 2)
    with Image.open(io.BytesIO(data)) as picture:
        picture.seek(picture.n_frames - 1)
        shown = picture.convert("RGB")
        below = shown.crop((0, shown.height - shown.width // 8, shown.width, shown.height))
        assert len(below.getcolors(1 << 16)) > 1


def test_a_judge_is_offered_the_picture_that_shows_no_hand_first() -> None:
    menu = viewer_over().test_client().get("/games/dispute?step=25").text.partition('<details class="share">')[2]
    first = re.search(r'<a [^>]*href="([^"]+)"', menu)
    assert first
    assert "dispute.png?" in first[1]
    assert "as=public" in first[1]
    assert menu.index("as the public may see it") < menu.index("As a judge sees the game") < menu.index("JSON")


def test_pictures_are_in_the_share_menu_and_by_suffix() -> None:
    client = viewer_over(AUDIT_VIEWPOINTS="public").test_client()
    page = client.get("/games/altered-duel?step=3").text
    for form in ("png", "gif"):
        assert re.search(rf'data-slot="{form}" href="/games/altered-duel\.{form}\?[^"]*step=3', page)
        assert client.get(f"/games/altered-duel.{form}?step=3").mimetype == f"image/{form}"
