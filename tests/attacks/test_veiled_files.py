"""Somebody without the signer's key leaves out, veils or adds: the answer is never "intact"."""

from __future__ import annotations

import io
import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from audit.core.errors import AuditError
from audit.core.ruleset import ruleset
from commands.verifying import NotForThisFileError, verified
from replays.log.reader import open_log
from replays.trust.commitments import HIDDEN, line_salt, opening, text_of
from replays.trust.keys import KeyProblemError, PublicKey, public_key
from replays.trust.ledger import FileLedger, seal_ledger
from replays.trust.merkle import inclusion_proof
from replays.trust.proofs import PROOF_VERSION, LineProof, as_json, leaves_of, prove_line, signed_head
from replays.trust.seal import SealError, Signature, as_text, beside, seal_file
from replays.trust.verify import Signers
from tests.attacks.table import EVENTS, JUDGE, Json, Table, forged, judge, record_in
from web.publishing.disclosed import anonymous, shown_line, whole_line
from web.publishing.files import publish
from web.publishing.record import RecordError
from web.publishing.sources import GROWN, SEALED, source_of
from web.publishing.withheld import withheld_of_line

Lines = list[Json]


@pytest.fixture(scope="module")
def _sat_down(tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder = tmp_path_factory.mktemp("table")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUDIT_DATA_DIR", str(folder / "data"))
        return Table(folder, events=EVENTS)


@pytest.fixture
def table(_sat_down: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(_sat_down.folder / "data"))
    return _sat_down


def retold(table: Table, viewer: str, change: Callable[[Lines], Lines]) -> Path:
    """A file of the game as somebody changed it, with the genuine seal; what differs from it is veiled."""
    honest = table.source
    told = change([json.loads(line) for line in honest.lines])
    log = open_log(io.BytesIO(b"".join(msgspec.json.encode(line) + b"\n" for line in told)))
    seal = replace(honest.seal, standing=SEALED if len(told) == len(honest.lines) else GROWN)
    source = replace(source_of(log), seal=seal, original=honest.original, sealed_lines=honest.lines)
    file = table.folder / f"retold-{viewer}.json"
    file.write_bytes(publish(source, "json", viewer))
    return file


def cut(at: int) -> Callable[[Lines], Lines]:
    return lambda lines: lines[: at + 1]


def header(**fields: object) -> Callable[[Lines], Lines]:
    return lambda lines: [
        {name: value for name, value in {**lines[0], **fields}.items() if value is not None},
        *lines[1:],
    ]


def event(seq: int, value: Json) -> Callable[[Lines], Lines]:
    return lambda lines: [*lines[:seq], {"seq": seq, **value}, *lines[seq + 1 :]]


def renamed(lines: Lines) -> Lines:
    players = cast("list[Json]", lines[0]["players"])
    return [{**lines[0], "players": [{**players[0], "name": "? Ada (disqualified)"}, *players[1:]]}, *lines[1:]]


RETOLD = {
    "cut at 1": cut(1), "cut at 23": cut(23), "cut at 72": cut(72), "the last event": cut(EVENTS - 1),
    "no first player": header(first=None), "no edition": header(edition=None), "no meta": header(meta=None),
    "another name": renamed,
    "a gap for the offence": event(25, {"type": "gap"}),
    "a flag for an event": event(25, {"type": "flagged"}),
}  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize("viewer", ["judge", "public", "A"])
@pytest.mark.parametrize("what", RETOLD)
def test_a_game_with_a_veil_is_never_intact(table: Table, what: str, viewer: str) -> None:
    file = retold(table, viewer, RETOLD[what])
    found = table.check(file)
    assert found.exit_code == 1, found.lines()
    assert "intact" not in "\n".join(found.lines())


CHANGES = ("delete", "swap", "twice", "veil", "retell")


def changed(what: str, at: int, other: int, field: int) -> Callable[[Lines], Lines]:
    """One event is deleted, swapped with another or told twice, or a field of it is left out or told otherwise."""

    def change(lines: Lines) -> Lines:
        rest = [lines[0], *lines[1:at], *lines[at + 1 :]]
        if what == "delete":
            return _renumbered(rest)
        if what == "twice":
            return _renumbered([*lines[: at + 1], *lines[at:]])
        if what == "swap":
            swapped = list(lines)
            swapped[at], swapped[other] = lines[other], lines[at]
            return _renumbered(swapped)
        name = sorted(lines[at].keys() - {"seq", "type"} or {"note"})[field % max(1, len(lines[at]) - 2)]
        told = {key: value for key, value in lines[at].items() if key != name}
        return [*lines[:at], told | ({name: lines[other].get(name, "B")} if what == "retell" else {}), *lines[at + 1 :]]

    return change


def _renumbered(lines: Lines) -> Lines:
    return [lines[0], *({**line, "seq": seq} for seq, line in enumerate(lines[1:], 1))]


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    what=st.sampled_from(CHANGES), viewer=st.sampled_from(["judge", "public", "A"]),
    at=st.integers(1, EVENTS), other=st.integers(1, EVENTS), field=st.integers(0, 9),
)  # fmt: skip
def test_no_change_of_any_event_or_field_is_intact(
    table: Table, what: str, viewer: str, at: int, other: int, field: int
) -> None:
    change = changed(what, at, other, field)
    lines = [json.loads(line) for line in table.source.lines]
    told = change(lines)
    assume(told != lines)
    try:
        file = retold(table, viewer, lambda _: told)
    except AuditError:
        return  # what nobody can read is not published
    assert table.check(file).exit_code == 1, (what, viewer, at, other, field)


def line_proof(table: Table, at: int, shown: Json, how: object) -> Path:
    leaves = leaves_of(table.log, table.seal)
    made = LineProof(
        proof=PROOF_VERSION, signed=signed_head(table.seal), line=at, shown=shown, opening=how,
        path=tuple(step.hex() for step in inclusion_proof(leaves, at)),
    )  # fmt: skip
    file = table.folder / "forged.proof"
    file.write_bytes(as_json(made))
    return file


def veiled(table: Table, at: int, field: str) -> tuple[Json, Json]:
    """A line with one field hidden, and how it is opened."""
    line = whole_line(table.source, at)
    rest = {name: value for name, value in line.items() if name != field}
    return rest, cast(Json, opening(line, rest, line_salt(table.seal.secret_bytes(), at)))


@pytest.mark.parametrize("text", ["? Ada broke the rule", "?1 of fire", "?\nintact", "?\u202e", "??", "?1\n"])
def test_no_text_is_put_beside_a_hidden_field(table: Table, text: str) -> None:
    rest, how = veiled(table, 25, "card")
    found = verified(str(line_proof(table, 25, {**rest, "card": text}, how)), judge())
    assert found.exit_code == 1
    assert "intact" not in found.lines()[0]


@pytest.mark.parametrize("field", ["seq", "type"])
def test_what_an_event_is_and_where_is_never_hidden(table: Table, field: str) -> None:
    rest, how = veiled(table, 25, field)
    shown = {**rest, "type": "gap"} if field == "type" else rest
    for told in (shown, rest):
        found = verified(str(line_proof(table, 25, told, how)), judge())
        assert found.exit_code == 1, (told, found.lines())


@pytest.mark.parametrize(("at", "field"), [(25, "player"), (25, "line"), (25, "face"), (0, "players"), (0, "meta")])
def test_what_the_rules_hide_from_nobody_is_withheld_in_a_proof(table: Table, at: int, field: str) -> None:
    found = verified(str(line_proof(table, at, *veiled(table, at, field))), judge())
    assert found.exit_code == 1
    assert found.lines()[0].endswith(": 1 field withheld, and nobody signed that")
    assert f"not hidden by the rules, and withheld: line {at + 1}: {field}" in found.lines()


@pytest.mark.parametrize("place", [0, 1, 2])
def test_no_item_of_an_open_list_is_hidden_in_a_proof(table: Table, place: int) -> None:
    line = json.loads(json.dumps(whole_line(table.source, 0)))
    seen = json.loads(json.dumps(line))
    seen["setup"]["protocols"]["A"][place] = "?"
    how = opening(line, seen, line_salt(table.seal.secret_bytes(), 0))
    found = verified(str(line_proof(table, 0, seen, how)), judge())
    assert found.lines()[0].endswith(": 1 field withheld, and nobody signed that")


@pytest.mark.every(
    ("event", "path", "is_withheld"),
    [
        ({"type": "position_set", "position": {"turn": 3, "player": "A"}}, "position", False),
        ({"type": "position_set", "position": {"turn": 3, "player": "A"}}, "position.player", True),
        ({"type": "flagged", "note": "look", "note_for": "public"}, "note_for", True),
        ({"type": "flagged", "x-own": 7}, "x-own", False),
    ],
)
def test_what_may_be_hidden_of_a_line_that_stands_alone(event: Json, path: str, is_withheld: bool) -> None:
    line: Json = {"seq": 3, **event}
    name, _, inner = path.partition(".")
    seen = {key: value for key, value in line.items() if key != name}
    if inner:
        seen[name] = {key: value for key, value in cast(Json, line[name]).items() if key != inner}
    how = opening(line, seen, bytes(16))
    assert withheld_of_line(ruleset("compile"), 3, seen, how) == ([f"line 4: {path}"] if is_withheld else [])


def test_a_card_that_a_proof_hides_is_told_in_the_first_line(table: Table) -> None:
    found = verified(str(line_proof(table, 25, *veiled(table, 25, "card"))), judge())
    assert (found.exit_code, found.lines()[0].partition(": ")[2]) == (0, "intact; 1 field not shown")


@pytest.mark.parametrize("sample", ["clean", "altered-two-teams", "lotr-journey"])
def test_an_honest_proof_of_any_line_withholds_nothing(tmp_path: Path, sample: str) -> None:
    table = Table(tmp_path, sample, EVENTS)
    game, leaves = ruleset(table.source.header.ruleset), leaves_of(table.log, table.seal)
    replay = table.source.replay("public", "en")
    for at in range(table.seal.events + 1):
        line = whole_line(table.source, at)
        made = prove_line(table.seal, leaves, at, line, shown_line(table.source, replay, at))
        assert withheld_of_line(game, at, made.shown, made.opening) == [], line


@pytest.mark.parametrize("field", ["ruleset", "game", "edition", "first"])
def test_by_what_the_game_is_judged_is_never_hidden(table: Table, field: str) -> None:
    found = verified(str(line_proof(table, 0, *veiled(table, 0, field))), judge())
    assert found.exit_code == 1


@pytest.mark.parametrize("told", [{"winner": "B"}, "?", [], {}])
def test_a_position_that_nobody_sealed_is_not_told(table: Table, told: object) -> None:
    rest, how = veiled(table, 25, "card")
    for opened in (HIDDEN + text_of(bytes(32)), {"winner": HIDDEN + text_of(bytes(32))}, text_of(bytes(16))):
        file = line_proof(table, 25, {**rest, "position": told}, {**how, "position": opened})
        assert verified(str(file), judge()).exit_code == 1


def test_a_position_told_otherwise_than_it_was_sealed_is_not_in_a_proof(tmp_path: Path, table: Table) -> None:
    """The judge sets a position. A proof for the public shows none, and one that is put there is refused."""
    lines = table.source.lines[:3]
    setting: Json = {"seq": 3, "type": "position_set", "position": {"turn": "A", "hands": {"A": ["fire-1"]}}}
    log = tmp_path / "set.jsonl"
    log.write_bytes(b"".join(line + b"\n" for line in (*lines, msgspec.json.encode(setting))))
    seal = seal_file(log, JUDGE)
    made = prove_line(seal, leaves_of(log, seal), 3, setting, {**setting, "position": {"turn": "B"}})
    assert made.shown == {"seq": 3, "type": "position_set"}
    assert made.problem() == ""
    for position in ({"turn": "B"}, {"winner": "B"}, "the winner is B"):
        assert replace(made, shown={**made.shown, "position": position}).problem()


def test_a_file_needs_the_log_that_was_sealed_to_follow_from_it(table: Table, tmp_path: Path) -> None:
    """The whole log is handed over with a public file. Without its seal, or with another, it proves nothing."""
    file = table.publish("json", "public")
    assert table.check(file, table.log).is_intact
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes(table.log.read_bytes())
    assert not table.check(file, alone).is_intact
    seal_file(alone)
    assert not table.check(file, alone).is_intact


def test_names_taken_out_are_by_the_word_of_who_signed_the_file(table: Table) -> None:
    file = table.folder / "nameless.json"
    for viewer in ("judge", "public"):
        file.write_bytes(publish(anonymous(table.source), "json", viewer))
        assert not table.check(file).is_intact
        assert not table.check(file, table.log).is_intact
        file.write_bytes(publish(anonymous(table.source), "json", viewer, key=JUDGE))
        told = table.check(file).lines()[0]
        assert f"intact, as {JUDGE} published it; " in told
        assert told.endswith(f"2 fields withheld by {JUDGE}")


class TestMoreThanTheRulesHide:
    """Somebody hides in a viewer's file what that viewer has seen."""

    @pytest.mark.parametrize(
        ("viewer", "seq", "field"),
        [
            ("public", 25, "card"), ("public", 25, "face"), ("public", 25, "line"), ("public", 27, "card"),
            ("A", 1, "cards"), ("A", 7, "card"), ("public", 1, "player"), ("B", 2, "cards"), ("public", 3, "turn"),
            ("public", 26, "to"), ("public", 0, "players"), ("public", 0, "setup"),
        ],
    )  # fmt: skip
    def test_a_field_is_withheld_and_told_as_such(self, table: Table, viewer: str, seq: int, field: str) -> None:
        file, secret = table.publish("json", viewer), table.seal.secret_bytes()
        line = whole_line(table.source, seq)

        def change(record: Json) -> None:
            steps, log = cast("list[Json]", record["steps"]), cast("list[Json]", record["log"])
            shown = log[0] if not seq else next(cast(Json, step["event"]) for step in steps if step.get("seq") == seq)
            shown.pop(field)
            for own in log[1:]:
                if own.get("x-seq", own["seq"]) == seq:
                    own.pop(field)
                    own.update({"card": "?9"} if field == "card" else {})
            openings = cast("list[object]", cast(Json, record["proof"])["openings"])
            openings[seq] = opening(line, shown, line_salt(secret, seq))

        found = table.check(forged(file, change))
        assert found.withheld
        for each in found.withheld:
            assert each.startswith((f"line {seq + 1}: {field}", "the log cannot be judged"))
        assert found.exit_code == 1
        assert "intact" not in "\n".join(found.lines())

    def test_a_field_that_goes_without_saying_is_not_hidden(self, tmp_path: Path) -> None:
        """A log of Altered spells out that a day is a normal one and that a card goes to the mana from the hand."""
        duel = Table(tmp_path, "altered-duel")
        steps = cast("list[Json]", record_in(duel.publish("json", "public"))["steps"])
        told = {step["seq"]: cast(Json, step["event"]) for step in steps if step["seq"]}
        assert told[1]["kind"] == "normal"
        assert told[12] == {
            "seq": 12, "type": "mana_placed", "player": "ann", "card": "?", "count": 1, "from": "hand", "face": "down",
        }  # fmt: skip


def test_a_cut_file_is_called_so(table: Table) -> None:
    assert table.check(retold(table, "public", cut(23))).answer == "cut"
    assert table.check(retold(table, "judge", cut(23))).answer == "cut"


class TestAddedOrSaidTwice:
    """Somebody adds to what was sealed, or writes it so that two readers understand it differently."""

    def test_lines_added_to_a_log_are_by_nobody(self, table: Table, tmp_path: Path) -> None:
        log = tmp_path / "grown.jsonl"
        lines = table.log.read_bytes().splitlines(keepends=True)
        log.write_bytes(b"".join(lines[:60]))
        seal_file(log, JUDGE)
        assert verified(str(log), judge()).exit_code == 0
        for more, words in ((1, "1 line"), (16, "16 lines")):
            log.write_bytes(b"".join(lines[: 60 + more]))
            found = verified(str(log), judge())
            assert found.exit_code == 1
            assert found.lines()[0] == f"{log}: sealed up to line 60; {words} since, by nobody"

    @pytest.mark.parametrize("name", ["game.notes.jsonl", "c-1.case.jsonl"])
    def test_lines_added_to_a_ledger_are_by_nobody(self, table: Table, tmp_path: Path, name: str) -> None:
        ledger = FileLedger(tmp_path / name)
        ledger.append([b'{"ledger":"audit-notes/1"}\n', b'{"text":"play on"}\n'], 0)
        seal_ledger(ledger.path, JUDGE)
        assert verified(str(ledger.path), judge()).exit_code == 0
        ledger.append([b'{"text":"a loss for Ada"}\n'], 2)
        found = verified(str(ledger.path), judge())
        assert found.exit_code == 1
        assert found.lines()[0] == f"{ledger.path}: sealed up to line 2; 1 line since, by nobody"

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            (b'"card":"plague-5"', b'"card":"fire-1","card":"plague-5"'),
            (b'"line":2,"', b'"line":1,"line":2,"'),
            (b'"line":2,"', b'"line": 2,"'),
            (b'"line":2,"', b'"line":20e-1,"'),
            (b'"type":"played"', b'"type":"\\u0070layed"'),
            (b'"events":75', b'"events":23,"events":75'),
        ],
    )
    def test_a_proof_is_written_in_one_way(self, table: Table, old: bytes, new: bytes) -> None:
        line = whole_line(table.source, 25)
        file = line_proof(table, 25, line, text_of(line_salt(table.seal.secret_bytes(), 25)))
        assert verified(str(file), judge()).exit_code == 0
        assert file.read_bytes().count(old) == 1
        file.write_bytes(file.read_bytes().replace(old, new))
        with pytest.raises(SealError, match="said twice"):
            verified(str(file), judge())

    def test_a_seal_and_a_head_are_written_in_one_way(self, table: Table, tmp_path: Path) -> None:
        log, head = tmp_path / "game.jsonl", tmp_path / "game.head"
        log.write_bytes(table.log.read_bytes())
        for file, data in ((beside(log), as_text(table.seal)), (head, as_json(signed_head(table.seal)))):
            file.write_bytes(data)
            asked = str(log if file.suffix == ".seal" else head)
            assert verified(asked, judge()).exit_code == 0
            for wrong in (data.replace(b'"game":', b'"game":"r4-t1","game":'), data + b"{}", data.rstrip() + b"\0"):
                file.write_bytes(wrong)
                with pytest.raises(SealError):
                    verified(asked, judge())

    @pytest.mark.parametrize("stamp", ["<h1>Ada is disqualified</h1>", "Ada cheated.", "AAAA\n", "\u202e"])
    def test_a_time_stamp_holds_no_words(self, table: Table, tmp_path: Path, stamp: str) -> None:
        log, head, page = tmp_path / "game.jsonl", tmp_path / "game.head", tmp_path / "game.html"
        log.write_bytes(table.log.read_bytes())
        head.write_bytes(as_json(replace(signed_head(table.seal), stamps=(stamp,))))
        beside(log).write_bytes(as_text(replace(table.seal, stamps=(stamp,))))
        for file in (log, head):
            with pytest.raises(SealError, match="stamps"):
                verified(str(file), judge())
        wrong = forged(table.publish("html"), lambda record: cast(Json, record["proof"]).update(stamps=[stamp]))
        page.write_bytes(wrong.read_bytes())
        with pytest.raises(RecordError, match="stamps"):
            verified(str(page), judge())

    def test_a_hash_is_spelt_in_one_way(self, table: Table) -> None:
        line = whole_line(table.source, 25)
        file = line_proof(table, 25, line, text_of(line_salt(table.seal.secret_bytes(), 25)))
        first = json.loads(file.read_bytes())["path"][0]
        for other in (first.upper(), f" {first}", f"{first}\\n"):
            wrong = file.with_name("other.proof")
            wrong.write_bytes(file.read_bytes().replace(first.encode(), other.encode()))
            with pytest.raises(SealError, match="path"):
                verified(str(wrong), judge())

    def test_a_head_is_no_page(self, table: Table, tmp_path: Path) -> None:
        """A browser would show whatever stands in it as a page."""
        page = tmp_path / "game.html"
        for data in (as_json(signed_head(table.seal)), table.publish("json").read_bytes()):
            page.write_bytes(data)
            with pytest.raises(RecordError, match="a browser would show it as a page"):
                verified(str(page), judge())


class TestSigners:
    """One who signs is not told as two, and a key with which anybody signs is no key."""

    def test_who_signs_twice_is_one_signer(self, table: Table, tmp_path: Path) -> None:
        head, signed = tmp_path / "game.head", signed_head(table.seal)
        head.write_bytes(as_json(replace(signed, signatures=signed.signatures * 3)))
        assert len(verified(str(head), judge()).lines()) == 3

    @pytest.mark.parametrize("raw", ["01" + "00" * 31, "ec" + "ff" * 30 + "7f", "00" * 32, "ee" + "ff" * 31])
    def test_a_key_with_which_anybody_signs(self, table: Table, tmp_path: Path, raw: str) -> None:
        head, key = tmp_path / "game.head", b64encode(bytes.fromhex(raw)).decode()
        anybody = Signature("club", key, b64encode(bytes([1]) + bytes(63)).decode())
        head.write_bytes(as_json(replace(signed_head(table.seal), signatures=(anybody,))))
        assert verified(str(head), Signers((PublicKey("club", bytes.fromhex(raw)),))).answer == "altered"
        with pytest.raises(KeyProblemError, match="anybody can sign"):
            public_key(f"audit-key/1 {key} club")


class TestTheFirstLine:
    """It is the answer, whatever stands below; and what does not hold for a file is refused."""

    def test_a_good_signature_of_the_log_is_not_told_before_the_answer(self, table: Table) -> None:
        def renamed_game(record: Json) -> None:
            cast("list[Json]", record["log"])[0]["game"] = "another"

        renamed = forged(table.publish("json"), renamed_game)
        head = table.folder / "game.head"
        head.write_bytes(as_json(replace(signed_head(table.seal), signatures=())))
        for file in (renamed, head):
            said = verified(str(file), judge()).lines()
            assert said[0].startswith(f"{file}: "), said
            assert "intact" not in said[0]

    @pytest.mark.parametrize("asked", [{"count": EVENTS}, {"head": "00" * 32}, {"log": "LOG"}])
    def test_an_option_that_is_not_for_such_a_file_is_refused(self, table: Table, asked: dict[str, Any]) -> None:
        head, notes = table.folder / "game.head", table.folder / "game.notes.jsonl"
        head.write_bytes(as_json(signed_head(table.seal)))
        files = [head, notes, *(() if "log" in asked else (table.publish("json"), table.publish("html")))]
        for file in files:
            with pytest.raises(NotForThisFileError):
                verified(str(file), judge(), **asked)
