"""A folder or the store that is followed: each finding once, and to a webhook nothing that is hidden."""

from __future__ import annotations

import hmac
import json
import socket
import threading
import time
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import audit
from replays.season import watching
from replays.season.judging import Asked
from replays.season.sources import followed, stored
from replays.season.watching import TRIES, News, Outbox, Watch, Webhook, WebhookError
from replays.store.store import Store

DISPUTE = (Path(__file__).resolve().parents[2] / "replays" / "samples" / "dispute.jsonl").read_bytes()


def seqs(found: Iterator[object]) -> list[int | None]:
    return [news.seq for news in found if isinstance(news, News)]


def first(lines: int) -> bytes:
    return b"".join(DISPUTE.splitlines(keepends=True)[: lines + 1])


def test_a_finding_is_told_when_it_comes_and_once(tmp_path: Path) -> None:
    watch = Watch(Asked())
    assert seqs(watch.look(followed(tmp_path))) == []
    for lines, told in ((24, []), (30, [25]), (30, []), (90, [73, 87]), (130, [103, 116]), (130, [])):
        (tmp_path / "game.jsonl").write_bytes(first(lines))
        assert seqs(watch.look(followed(tmp_path))) == told


def test_the_store_is_followed_too(tmp_path: Path) -> None:
    watch = Watch(Asked())
    with Store(tmp_path / "games.db") as store:
        (tmp_path / "game.jsonl").write_bytes(first(30))
        store.import_log(tmp_path / "game.jsonl")
        assert seqs(watch.look(stored(store))) == [25]
        (tmp_path / "game.jsonl").write_bytes(first(80))
        store.import_log(tmp_path / "game.jsonl")
        assert seqs(watch.look(stored(store))) == [73]
        assert seqs(watch.look(stored(store))) == []


def test_a_log_that_cannot_be_read_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_text("no log")
    watch = Watch(Asked())
    (trouble,) = watch.look(followed(tmp_path))
    assert "game.jsonl" in str(trouble)
    assert list(watch.look(followed(tmp_path))) == []


def test_a_folder_that_is_taken_away_is_told_once_and_followed_again_when_it_is_back(tmp_path: Path) -> None:
    folder, away = tmp_path / "season", tmp_path / "away"
    folder.mkdir()
    (folder / "game.jsonl").write_bytes(first(30))
    watch = Watch(Asked())
    assert seqs(watch.look(followed(folder))) == [25]
    folder.rename(away)
    (trouble,) = watch.look(followed(folder))
    assert "no folder of that name" in str(trouble)
    assert list(watch.look(followed(folder))) == []
    away.rename(folder)
    (folder / "game.jsonl").write_bytes(first(80))
    assert seqs(watch.look(followed(folder))) == [73]


def test_everybody_is_told_no_card_and_no_rule_about_a_card_nobody_saw(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_bytes(DISPUTE)
    told = {news.seq: news.told for news in Watch(Asked()).look(followed(tmp_path)) if isinstance(news, News)}
    assert told[25]["rule"] == "play.face-up-needs-protocol"
    assert told[73]["player"] == "B"
    assert "rule" not in told[87]
    assert "water-0" not in json.dumps(list(told.values()))
    assert all(set(said) <= {"game", "ruleset", "event", "round", "seq", "verdict", "turn", "player", "rule"}
               for said in told.values())  # fmt: skip


@pytest.fixture
def hook() -> Iterator[tuple[str, list[tuple[bytes, str | None]], list[int]]]:
    """An address that takes news, what it was sent, and the answers that it has still to give."""
    got: list[tuple[bytes, str | None]] = []
    answers: list[int] = []

    class Taker(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((self.rfile.read(int(self.headers["Content-Length"])), self.headers["X-Audit-Signature"]))
            self.send_response(answers.pop(0) if answers else 204)
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *said: object) -> None:
            """Nothing is printed."""

    server = HTTPServer(("127.0.0.1", 0), Taker)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/news", got, answers
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_webhook_is_sent_what_everybody_may_know_signed(
    hook: tuple[str, list[tuple[bytes, str | None]], list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, got, _ = hook
    (tmp_path / "game.jsonl").write_bytes(DISPUTE)
    monkeypatch.setenv("AUDIT_WEBHOOK_SECRET", "our secret")
    done = CliRunner().invoke(audit, ["watch", str(tmp_path), "--once", "--webhook", url])
    assert done.exit_code == 1
    assert len(got) == 5
    for body, signature in got:
        assert signature == "sha256=" + hmac.new(b"our secret", body, sha256).hexdigest()
        assert b"plague-5" not in body
    assert "plague" in done.output.lower()


@pytest.mark.parametrize(("answers", "sent"), [([500, 503], 3), ([500] * 9, TRIES), ([302] * 9, TRIES)])
def test_a_webhook_is_tried_a_few_times_and_led_nowhere_else(
    hook: tuple[str, list[tuple[bytes, str | None]], list[int]],
    answers: list[int],
    sent: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each pause is twice as long as the one before."""
    url, got, to_come = hook
    to_come += answers
    paused: list[float] = []
    monkeypatch.setattr(watching.time, "sleep", paused.append)
    try:
        Webhook(url, pause=1).send({"seq": 1})
    except WebhookError:
        assert len(answers) > TRIES
    assert len(got) == sent
    assert paused == [2**number for number in range(sent - 1)]


@pytest.mark.every(
    "address",
    [
        "http://example.com/x", "ftp://example.com", "file:///etc/passwd", "example.com", "", "https://", "https://[x",
        "https://example.com:x/", "https://example.com:99999/", "https://exa mple.com/", "https://me:secret@example.com",
        "https://xn--\u00fc\u00fc.example/",
    ],
)  # fmt: skip
def test_news_go_by_https_or_to_this_machine(address: str) -> None:
    with pytest.raises(WebhookError):
        Webhook(address)


def test_findings_are_added_to_a_file(tmp_path: Path) -> None:
    (tmp_path / "game.jsonl").write_bytes(DISPUTE)
    asked = ["watch", str(tmp_path), "--once"]
    assert CliRunner().invoke(audit, [*asked, "--to", str(tmp_path / "found.txt")]).exit_code == 1
    for name in ("a.jsonl", "zero.jsonl"):  # looked at before the game, and after it
        (tmp_path / name).write_bytes(b"no log\n")
        assert CliRunner().invoke(audit, asked).exit_code == 2
        (tmp_path / name).unlink()
    (tmp_path / "game.jsonl").write_bytes(b"".join(DISPUTE.splitlines(keepends=True)[:20]))
    assert CliRunner().invoke(audit, asked).exit_code == 0
    assert [json.loads(line)["seq"] for line in (tmp_path / "found.txt").open()] == [25, 73, 87, 103, 116]


def test_an_address_may_have_any_letters(
    hook: tuple[str, list[tuple[bytes, str | None]], list[int]],
) -> None:
    url, got, _ = hook
    Webhook(f"{url}/d\u00e9j\u00e0 vu?q=\u0142", pause=0).send({"seq": 1})
    assert len(got) == 1
    with pytest.raises(WebhookError, match="invalid"):
        Webhook("https://m\u00fcnchen.invalid/", pause=0).send({"seq": 1})


def test_news_that_were_not_taken_are_sent_again_and_those_that_are_refused_are_not(
    hook: tuple[str, list[tuple[bytes, str | None]], list[int]],
) -> None:
    url, got, to_come = hook
    outbox = Outbox(Webhook(url, pause=0))
    for seq in (1, 2, 3):
        outbox.put({"seq": seq})
    to_come += [204, *[503] * TRIES]
    with pytest.raises(WebhookError):
        outbox.send()
    assert len(outbox) == 2
    to_come += [400] * TRIES
    with pytest.raises(WebhookError):
        outbox.send()
    outbox.send()
    assert [json.loads(body)["seq"] for body, _ in got] == [1, *[2] * TRIES, *[2] * TRIES, 3]


def test_a_look_is_not_kept_waiting_at_each_finding_by_a_webhook_that_fails(
    hook: tuple[str, list[tuple[bytes, str | None]], list[int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, got, to_come = hook
    monkeypatch.setattr("replays.season.watching.time.sleep", lambda seconds: None)
    (tmp_path / "game.jsonl").write_bytes(DISPUTE)
    to_come += [500] * TRIES
    done = CliRunner().invoke(audit, ["watch", str(tmp_path), "--once", "--webhook", url])
    assert done.exit_code == 2
    assert done.output.count("seq ") == 5
    assert done.output.count("given up") == 1
    assert len(got) == TRIES


def test_a_webhook_that_answers_letter_by_letter_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.season.watching.DEADLINE", 0.2)
    monkeypatch.setattr("replays.season.watching.TRIES", 1)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def drip() -> None:
            taken, _ = server.accept()
            with taken:
                for letter in b"HTTP/1.1 204 " + b"x" * 30:
                    taken.sendall(bytes([letter]))
                    time.sleep(0.02)

        slow = threading.Thread(target=drip)
        slow.start()
        began = time.monotonic()
        with pytest.raises(WebhookError, match="no whole answer"):
            Webhook(f"http://127.0.0.1:{server.getsockname()[1]}/").send({"seq": 1})
        assert time.monotonic() - began < 0.7
        slow.join()
