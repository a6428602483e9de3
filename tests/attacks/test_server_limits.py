"""Floods, streams that take all places, files that never end, and many who make and revoke tokens at once."""

from __future__ import annotations

import multiprocessing
import os
import zlib
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from audit.rulebooks.errors import RulebookError
from replays.files import UnreadableFileError, read_whole
from replays.limited import TooCostlyError, limited
from replays.rulebooks.loading import Loading
from replays.rulebooks.store import RulebookStore
from web import create_app
from web.games.live import BusyError, Slots
from web.site.limits import Buckets, TooOftenError
from web.site.tokens import Role, make_token, revoke, token_of, tokens

pytestmark = pytest.mark.usefixtures("with_limits")

FAR = "203.0.113.9"


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))


def far(client: FlaskClient, address: str = FAR, token: str = "") -> FlaskClient:
    client.environ_base["REMOTE_ADDR"] = address
    if token:
        client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token}"
    return client


def test_a_flood_from_one_address_holds_up_nobody_with_a_token(tmp_path: Path) -> None:
    slow = {"AUDIT_API_BURST": 5, "AUDIT_API_RATE": 0.001, "AUDIT_PAGE_BURST": 5, "AUDIT_PAGE_RATE": 0.001}
    app = create_app(config=slow)
    token = make_token("reader", "viewer")
    flood = far(app.test_client())
    for path in ("/about", "/api/v1/games"):
        answers = [flood.get(path).status_code for _ in range(9)]
        assert answers.count(429) == 4, answers
    assert flood.get("/about").headers["Retry-After"]
    forged = far(app.test_client(), token="audit.00000000.x")
    assert forged.get("/about").status_code == 429
    known = far(app.test_client(), token=token)
    assert [known.get(path).status_code for path in ("/about", "/api/v1/games")] == [200, 200]
    assert far(app.test_client(), "198.51.100.7").get("/about").status_code == 200


def test_one_household_is_one_client() -> None:
    app = create_app(config={"AUDIT_PAGE_BURST": 4, "AUDIT_PAGE_RATE": 0.001})
    answers = [far(app.test_client(), f"2001:db8:1:2::{n}").get("/about").status_code for n in range(8)]
    assert answers.count(429) == 4


@pytest.mark.parametrize(
    "address", ["/compare/compile?page=9", "/games/dispute.gif?step=1", "/api/v1/games/dispute/file?form=md"]
)
def test_what_takes_long_has_a_limit_of_its_own(address: str) -> None:
    app = create_app(config={"AUDIT_COSTLY_BURST": 2, "AUDIT_COSTLY_RATE": 0.001})
    client = far(app.test_client())
    answers = [client.get(address).status_code for _ in range(4)]
    assert answers == [200, 200, 429, 429]
    assert client.get("/about").status_code == 200


def take(file: str, count: int, refused: object) -> None:
    buckets = Buckets(0.0001, 100, file=file, name="page")
    for _ in range(count):
        try:
            buckets.take("a")
        except TooOftenError:
            refused.put(1)  # type: ignore[attr-defined]


def test_several_processes_count_as_one(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("fork")
    refused = fork.Queue()
    children = [fork.Process(target=take, args=(str(tmp_path / "limits.db"), 50, refused)) for _ in range(4)]
    for child in children:
        child.start()
    for child in children:
        child.join(60)
        assert child.exitcode == 0
    assert sum(refused.get(timeout=5) for _ in range(100)) == 100
    assert refused.empty()


def test_limits_that_cannot_be_written_down_still_hold(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    buckets = Buckets(0.001, 2, file=str(tmp_path / "file" / "limits.db"))
    buckets.take("a")
    buckets.take("a")
    with pytest.raises(TooOftenError):
        buckets.take("a")


def test_streams_of_strangers_leave_places_for_those_who_are_known() -> None:
    slots = Slots(most=9, each=4)
    taken = [slots.take("stranger 1", is_known=False) for _ in range(4)]
    with pytest.raises(BusyError):
        slots.take("stranger 1", is_known=False)
    taken += [slots.take("stranger 2", is_known=False) for _ in range(2)]
    with pytest.raises(BusyError):
        slots.take("stranger 3", is_known=False)
    known = [slots.take("token 1", is_known=True) for _ in range(3)]
    with pytest.raises(BusyError):
        slots.take("token 1", is_known=True)
    for give_back in (*taken, *known):
        give_back()
    assert len([slots.take("token 1", is_known=True) for _ in range(9)]) == 9


def make_and_revoke(folder: str, me: int, rounds: int) -> None:
    os.environ["AUDIT_DATA_DIR"] = folder
    for number in range(rounds):
        make_token(f"gone {me}-{number}", "viewer")
        make_token(f"kept {me}-{number}", "viewer")
        revoke(f"gone {me}-{number}")


def test_tokens_made_and_revoked_by_many_at_once_are_neither_lost_nor_revived(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("fork")
    children = [fork.Process(target=make_and_revoke, args=(str(tmp_path / "data"), me, 8)) for me in range(4)]
    for child in children:
        child.start()
    for child in children:
        child.join(120)
        assert child.exitcode == 0
    assert sorted(token.name for token in tokens()) == sorted(f"kept {me}-{n}" for me in range(4) for n in range(8))


def test_a_name_may_be_given_again_and_the_old_token_stays_revoked() -> None:
    old = make_token("table 4", "judge")
    revoke("table 4")
    new = make_token("table 4", "viewer")
    assert token_of(old) is None
    found = token_of(new)
    assert found is not None
    assert found.role is Role.VIEWER


def test_tokens_from_before_are_taken_over_once(tmp_path: Path) -> None:
    from hashlib import sha256

    import msgspec

    kept = [{"id": "0a0a0a0a", "name": "old", "role": "judge", "hash": sha256(b"s").hexdigest(), "made": "2025-01-01"}]
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tokens.json").write_bytes(msgspec.json.encode(kept))
    assert token_of("audit.0a0a0a0a.s") is not None
    revoke("old")
    assert token_of("audit.0a0a0a0a.s") is None
    assert tokens() == ()
    assert not (tmp_path / "data" / "tokens.json").exists()


def endless() -> None:
    while True:
        pass


def greedy() -> int:
    return len(bytearray(3_000_000_000))


def refusing() -> None:
    raise RulebookError("x", "no words")


@pytest.mark.parametrize("work", [endless, greedy])
def test_work_without_end_is_given_up(work: object) -> None:
    with pytest.raises((TooCostlyError, MemoryError)):
        limited("x", work, seconds=1)  # type: ignore[arg-type]


def test_an_error_of_limited_work_comes_back_as_it_is() -> None:
    with pytest.raises(RulebookError, match="no words"):
        limited("x", refusing)


def many_times(pages: int) -> bytes:
    """A small PDF that lists one page again and again, and that page says a lot."""
    said = b" ".join(b"(Word %d of a page that says a lot) Tj 0 -2 Td" % n for n in range(1500))
    packed = zlib.compress(b"BT /F1 2 Tf 72 720 Td " + said + b" ET")
    kids = b" ".join([b"3 0 R"] * pages)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Count %d /Kids [%s] >>" % (pages, kids),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]  # fmt: skip
    made, places = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(made))
        made += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, rows)
    return made + table + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(made))


@pytest.mark.prove
def test_a_small_pdf_that_lists_one_page_two_thousand_times_is_given_up(tmp_path: Path) -> None:
    pytest.importorskip("pypdf")
    data = many_times(2000)
    assert len(data) < 32_000
    with pytest.raises(RulebookError, match="takes too long"):
        RulebookStore(tmp_path / "books").add_bytes(data, "small.pdf", Loading("small-en", "en"))
    assert not list((tmp_path / "books").rglob("*.json"))


@pytest.mark.skipif(os.name != "posix", reason="needs devices and pipes as files")
def test_what_is_no_plain_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), Path("/dev/null")):
        with pytest.raises(UnreadableFileError, match="not a plain file"):
            read_whole(path, 10)
        with pytest.raises(RulebookError, match="not a plain file"):
            RulebookStore(tmp_path / "books").add(path, Loading("x-en", "en"))
    (tmp_path / "long").write_bytes(b"x" * 11)
    with pytest.raises(UnreadableFileError, match="longer than 10 bytes"):
        read_whole(tmp_path / "long", 10)
