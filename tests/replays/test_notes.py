"""Notes on the steps of a game: they never touch the log, and nothing of them is lost on the way."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from cli import audit
from replays.cases.note import (
    NoteConflictError,
    NoteKind,
    Notes,
    NotesHeader,
    Standing,
    add,
    as_markdown,
    from_markdown,
    index_of,
    made,
    placed,
    read_notes,
    short_hash,
)
from replays.log.lines import Lines
from replays.store.ledgers import StoredLedger
from replays.store.store import Store
from replays.trust.ledger import FileLedger, Ledger, LedgerConflictError
from replays.trust.seal import seal_file
from tests import command_line

DISPUTE = Path("replays/samples/dispute.jsonl")
HEADER = NotesHeader(ruleset="compile", game="r3-t12", start="0" * 16)
LINE = "1" * 16


@pytest.fixture
def log(tmp_path: Path) -> Path:
    shutil.copy(DISPUTE, tmp_path / "game.jsonl")
    return tmp_path / "game.jsonl"


def run(*words: object, code: int = 0) -> Result:
    done = CliRunner().invoke(audit, list(map(str, words)))
    assert done.exit_code == code, done.output
    return done


def written(log: Path, text: str, *more: str) -> None:
    run("note", "add", log, "--at", "25", "--by", "Ada", text, *more)


@given(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20),
    st.sampled_from(NoteKind),
)
def test_markdown_and_back_gives_the_same_bytes_whatever_is_said_and_by_whom(
    text: str, author: str, kind: NoteKind
) -> None:
    note = made({"seq": 3, "line": LINE, "text": text, "author": author, "kind": kind.value, "layer": "-->\n## x"})
    notes = Notes(HEADER, (note,))
    told = as_markdown(notes)
    assert from_markdown(told, "notes").lines() == notes.lines()
    assert as_markdown(from_markdown(told, "notes")) == told


@pytest.mark.parametrize("form", ["jsonl", "md"])
def test_out_and_in_twice_is_the_same_file_authors_included(log: Path, tmp_path: Path, form: str) -> None:
    written(log, "Why?\n\n> or so", "--kind", "?")
    run("note", "add", log, "--at", "30-40", "--by", "Zoë", "--lang", "fr", "--public", "Ça tient.")
    first, second = tmp_path / f"one.{form}", tmp_path / f"two.{form}"
    run("note", "export", log, "-o", first)
    other = tmp_path / "other.jsonl"
    shutil.copy(log, other)
    run("note", "import", other, first)
    run("note", "export", other, "-o", second)
    assert first.read_bytes() == second.read_bytes()
    assert (tmp_path / "other.notes.jsonl").read_bytes() == (tmp_path / "game.notes.jsonl").read_bytes()
    assert run("note", "import", other, first).output == "0 new\n"


@pytest.mark.parametrize("form", ["jsonl", "md"])
def test_public_notes_hold_no_hash_of_a_line_and_come_in_again(log: Path, tmp_path: Path, form: str) -> None:
    """From the hash of a line in which five cards were drawn these can be found by trying."""
    run("note", "add", log, "--at", "1-2", "--by", "Ada", "--public", "Five cards.")
    written(log, "For judges.")
    out, other = tmp_path / f"public.{form}", tmp_path / "other.jsonl"
    run("note", "export", log, "--public", "-o", out)
    hashes = {short_hash(line) for line in log.read_bytes().splitlines()[:3]}
    listed = run("note", "list", log, "--as", "public", "--json").output
    for said in (out.read_text(), listed):
        assert "Five cards." in said
        assert "For judges." not in said
        assert not any(each in said for each in hashes)
    shutil.copy(log, other)
    assert run("note", "import", other, out).output == "1 new\n"
    assert run("note", "import", log, out).output == "0 new\n"
    assert json.loads(run("note", "list", other, "--json").output)["standing"] == "fits"


def test_notes_never_touch_the_log_or_its_seal_and_have_one_of_their_own(log: Path) -> None:
    seal_file(log)
    before = log.read_bytes(), Path(f"{log}.seal").read_bytes()
    written(log, "Why?")
    notes = log.with_name("game.notes.jsonl")
    run("seal", notes)
    assert (log.read_bytes(), Path(f"{log}.seal").read_bytes()) == before
    assert "nobody signed it" in run("verify", notes, code=1).output
    written(log, "And this?")
    assert "sealed up to line 2; 1 line since, by nobody" in run("verify", notes, code=1).output
    notes.write_bytes(notes.read_bytes().replace(b"Ada", b"Eve"))
    assert "line 2 is not what was sealed" in run("verify", notes, code=1).output


def test_a_signed_file_of_notes_is_intact(log: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    written(log, "Why?")
    run("key", "make", "t12")
    run("seal", log.with_name("game.notes.jsonl"), "--key", "t12")
    assert "intact" in run("verify", log.with_name("game.notes.jsonl"), "--signer", "t12").output


def test_what_no_longer_fits_the_log_is_said_and_not_shown_at_a_step(log: Path) -> None:
    written(log, "Why in this line?")
    assert "Why in this line?" in run("replay", log, "--at", "25").output
    lines = log.read_bytes().split(b"\n")
    lines[25] = lines[25].replace(b'"line": 2', b'"line": 3')
    log.write_bytes(b"\n".join(lines))
    assert "Why in this line?" not in run("replay", log).output
    assert "another event there now" in run("note", "list", log).output


def test_white_space_in_the_log_changes_nothing(log: Path) -> None:
    written(log, "Why?")
    lines = log.read_bytes().splitlines()
    log.write_bytes(
        b"".join(json.dumps(json.loads(line), separators=(" , ", " : ")).encode() + b"\n" for line in lines)
    )
    assert json.loads(run("note", "list", log, "--json").output)["standing"] == "fits"


def test_a_log_that_ends_before_the_event_has_it_no_more() -> None:
    lines = [line for batch in Lines(DISPUTE).batches() for line in batch]
    index = index_of(lines)
    note = made({"seq": 100, "line": index.lines[100], "text": "x", "author": "Ada"})
    assert placed([note], index)[0].standing is Standing.FITS
    assert placed([note], index_of(lines[:50]))[0].standing is Standing.GONE


def test_the_public_reads_what_is_public(log: Path) -> None:
    written(log, "for judges")
    written(log, "for all", "--public")
    assert "for judges" not in run("note", "list", log, "--as", "public").output
    shown = run("replay", log, "--at", "25", "--as", "public").output
    assert "for all" in shown
    assert "for judges" not in shown


def _ledger(kind: str, folder: Path, url: str) -> Ledger:
    return FileLedger(folder / "game.notes.jsonl") if kind == "file" else StoredLedger(Store(url), "notes", "abc")


@pytest.mark.parametrize("kind", ["file", "store"])
def test_who_has_not_seen_the_last_note_is_told_and_nothing_is_lost(kind: str, tmp_path: Path, url: str) -> None:
    ledger = _ledger(kind, tmp_path, url)
    first = made({"seq": 1, "line": LINE, "text": "x", "author": "Ada"})
    assert add(ledger, HEADER, [first]) == 1
    assert add(ledger, HEADER, [first]) == 0
    with pytest.raises(LedgerConflictError) as told:
        ledger.append([b'{"type":"note"}\n'], 1, "Ben")
    assert (told.value.expected, told.value.found) == (1, 2)
    with pytest.raises(NoteConflictError):
        add(ledger, HEADER, [made({"id": first.id, "seq": 1, "line": LINE, "text": "y", "author": "Eve"})])
    found = read_notes(ledger.lines(), ledger.name)
    assert found
    assert [note.text for note in found.notes] == ["x"]


def test_the_store_keeps_notes_beside_its_games_and_verifies_both(log: Path, tmp_path: Path, url: str) -> None:
    with Store(url) as store:
        game = store.import_log(log).game
        add(StoredLedger(store, "notes", game), HEADER, [made({"seq": 1, "line": LINE, "text": "x", "author": "A"})])
        store.follow()
        assert store.shown.games("").total == 1
        assert store.rebuild() == 1
        assert store.ledgers("notes") == [(game, 2)]
        assert not store.verify().bad


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"\xff\xfe\n", "UTF-8"),
        (b"{}\n", "what the entry may hold"),
        (b'{"type":"note","id":"a","seq":1,"line":"x","text":"t","author":"A","at":"now"}\n', "line 2"),
        (b"half", "lines that end in LF"),
    ],
)
def test_a_file_of_something_else_is_one_clear_line(log: Path, line: bytes, told: str) -> None:
    written(log, "Why?")
    notes = log.with_name("game.notes.jsonl")
    notes.write_bytes(notes.read_bytes().splitlines(keepends=True)[0] + line)
    said = run_main("note", "list", log)
    assert told in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("--at", "999", "--by", "A", "x"), ("--at", "-1", "--by", "A", "x"), ("--at", "3-1", "--by", "A", "x"),
        ("--at", "x", "--by", "A", "x"), ("--at", "3", "--by", "", "x"), ("--at", "3", "--by", "A", ""),
        ("--at", "3", "--by", "A", "x" * 10_001), ("--at", "3", "--by", "A", "\udcff"),
    ],
)  # fmt: skip
def test_a_note_that_cannot_be_is_refused(log: Path, words: tuple[str, ...]) -> None:
    run_main("note", "add", log, *words)
    assert not log.with_name("game.notes.jsonl").exists()


def run_main(*words: object) -> str:
    """What the command says on standard error, after exit code 2."""
    done = command_line.run(*map(str, words))
    assert done.returncode == 2, done.stderr
    assert b"Traceback" not in done.stderr
    return done.stderr.decode()


def test_what_a_note_says_cannot_drive_the_terminal(log: Path) -> None:
    written(log, "\x1b[2J\u202eevil")
    assert "\x1b" not in run("note", "list", log).output
    assert "\u202e" not in run("replay", log, "--at", "25").output


# In what is given away


@pytest.mark.parametrize("form", ["html", "json"])
def test_a_published_file_carries_the_notes_that_its_viewer_may_read(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    run("key", "make", "t12")
    run("seal", log, "--key", "t12")
    written(log, "A secret remark", "--kind", "?")
    written(log, "An open remark", "--public")
    judged, public = tmp_path / f"judged.{form}", tmp_path / f"public.{form}"
    run("publish", log, "-o", judged, "--key", "t12")
    run("publish", log, "-o", public, "--as", "public", "--key", "t12")
    for path in (judged, public):
        said = run("verify", path, "--signer", "t12").output
        assert "intact" in said
        assert "not part of the log, by the word of whoever signed this file" in said
    whole = page_in(public)
    assert "An open remark" in whole
    assert "A secret remark" not in whole
    assert "A secret remark" in page_in(judged)


def page_in(path: Path) -> str:
    from web.publishing.bundle import unpacked

    return unpacked(path.read_bytes()).decode()


def test_a_note_that_nobody_signed_makes_no_file_intact_and_a_changed_one_is_seen(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    run("key", "make", "t12")
    run("seal", log, "--key", "t12")
    written(log, "An open remark", "--public")
    path = tmp_path / "game.json"
    run("publish", log, "-o", path)
    assert "intact" not in run("verify", path, "--signer", "t12", code=1).output
    run("publish", log, "-o", path, "--key", "t12")
    path.write_text(path.read_text().replace("An open remark", "A forged remark"))
    assert "altered" in run("verify", path, "--signer", "t12", code=1).output


def test_the_text_for_a_forum_has_the_notes_and_a_game_without_names_has_none(log: Path, tmp_path: Path) -> None:
    written(log, "An *open* remark", "--public")
    run("publish", log, "-o", tmp_path / "game.md", "--as", "public")
    assert r"Ada: An \*open\* remark" in (tmp_path / "game.md").read_text()
    run("publish", log, "-o", tmp_path / "game.json", "--anonymous")
    assert "remark" not in (tmp_path / "game.json").read_text()
