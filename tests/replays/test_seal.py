"""A sealed log cannot be changed unnoticed, and a log whose end is not pinned is never called intact."""

from __future__ import annotations

import json
import random
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from small_game import HEADER, game, line

from commands.verifying import NotForThisFileError, verified
from replays.errors import LogError
from replays.log.canonical import canonical
from replays.log.strict_json import NotARecordError
from replays.said import Said
from replays.trust.keys import KeyProblemError, key, keys, make_key, public_key, trust
from replays.trust.seal import Chain, Seal, SealError, as_text, beside, read_seal, seal, seal_file, signed
from replays.trust.verify import NOBODY, Signers, Verification, of_game, verify

EVENTS = 6
LOG = game(EVENTS)


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.setenv("AUDIT_DATA_DIR", str(folder))
    return folder


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(LOG)
    return path


def checked(path: Path, data: bytes, made: Seal) -> Verification:
    path.write_bytes(data)
    return verify(path, made)


def found(path: Path, data: bytes, made: Seal) -> tuple[int, str]:
    result = checked(path, data, made)
    assert result.exit_code == 1
    assert "intact" not in " ".join(result.lines())
    assert result.bad is not None
    assert result.checked == result.bad.line - 1
    return result.bad.line, result.bad.kind


def by(*names: str) -> Signers:
    return Signers(tuple(map(key, names)), every=True, known=keys())


def test_an_untouched_log_is_intact_by_the_word_of_the_signer_who_is_asked_for(log: Path) -> None:
    make_key("judge")
    result = verify(log, signed(seal(log), "judge"), signers=by("judge"))
    assert result.is_intact
    assert result.exit_code == 0
    assert (result.checked, result.events) == (EVENTS + 1, EVENTS)
    assert result.lines()[0].endswith("game.jsonl: intact")
    assert "7 lines checked; the end is pinned by its seal" in result.lines()[2]
    assert result.lines()[1] == f"signed by judge ({key('judge').id})"


def test_a_seal_that_nobody_signed_is_said_to_be_anybodys(log: Path) -> None:
    result = verify(log, seal(log))
    assert (result.is_unaltered, result.is_intact, result.exit_code) == (True, False, 1)
    assert result.lines()[1] == "the seal is not signed: it may be anybody's"
    assert result.answer == "unaltered since it was sealed, but nobody signed it"


def test_every_change_of_a_single_byte_is_found_in_its_line(log: Path) -> None:
    made = seal(log)
    dice = random.Random(7)
    for at, byte in enumerate(LOG):
        other = (10, 34, dice.randrange(256), byte ^ 1)[at % 4]
        if other != byte:
            where, kind = found(log, LOG[:at] + bytes([other]) + LOG[at + 1 :], made)
            assert where == LOG[:at].count(b"\n") + 1, (at, other)
            assert kind in {"altered", "not a record", "torn", "unknown version"}, (at, other)


def test_whatever_a_byte_of_a_small_log_becomes_is_found(log: Path) -> None:
    small = b'{"log":"audit/1","ruleset":"small"}\n{"seq":1,"type":"pile_taken","pile":1}\n'
    log.write_bytes(small)
    made = seal(log)
    assert verify(BytesIO(small), made).is_unaltered
    for at, byte in enumerate(small):
        for other in {*range(at % 5, 256, 5)} - {byte}:
            result = verify(BytesIO(small[:at] + bytes([other]) + small[at + 1 :]), made)
            assert result.bad is not None, (at, other)
            assert result.bad.line == small[:at].count(b"\n") + 1, (at, other)
            assert not result.is_unaltered


def test_a_byte_left_out_or_put_in_anywhere_is_found_in_its_line(log: Path) -> None:
    made = seal(log)
    for at in range(len(LOG)):
        where, _ = found(log, LOG[:at] + (LOG[at + 1 :] if at % 2 else b" " + LOG[at:]), made)
        assert where == LOG[:at].count(b"\n") + 1, at


def test_every_cut_is_found_and_told_from_a_change(log: Path) -> None:
    made = seal(log)
    for kept in range(1, len(LOG)):
        where, kind = found(log, LOG[:kept], made)
        assert where == LOG[:kept].count(b"\n") + 1, kept
        assert kind == ("removed" if LOG[:kept].endswith(b"\n") else "torn"), kept


def test_every_line_removed_is_found(log: Path) -> None:
    made = seal(log)
    lines = LOG.splitlines(keepends=True)
    for at in range(1, len(lines)):
        assert found(log, b"".join(lines[:at] + lines[at + 1 :]), made) == (at + 1, "removed")
    assert found(log, b"".join(lines[1:]), made)[0] == 1


def test_every_line_said_twice_or_put_in_is_found(log: Path) -> None:
    made = seal(log)
    lines = LOG.splitlines(keepends=True)
    for at in range(1, len(lines)):
        assert found(log, b"".join([*lines[: at + 1], *lines[at:]]), made) == (at + 2, "inserted")
        assert found(log, b"".join([*lines[:at], line(at + 1), *lines[at:]]), made) == (at + 1, "inserted")
    assert found(log, LOG + line(EVENTS + 1), made) == (EVENTS + 2, "grown")


def test_every_two_lines_that_changed_places_are_found(log: Path) -> None:
    made = seal(log)
    for one in range(EVENTS + 1):
        for other in range(one + 1, EVENTS + 1):
            lines = LOG.splitlines(keepends=True)
            lines[one], lines[other] = lines[other], lines[one]
            where, kind = found(log, b"".join(lines), made)
            assert where == one + 1
            assert kind == "altered" if one else kind == "not a record"


def test_events_put_in_and_renumbered_are_found_too(log: Path) -> None:
    lines = LOG.splitlines(keepends=True)
    later = [text.replace(b'"seq": %d' % n, b'"seq": %d' % (n + 1)) for n, text in enumerate(lines)][3:]
    assert found(log, b"".join([*lines[:3], line(3), *later]), seal(log))[0] == 5


def test_a_later_version_of_the_log_is_told_from_a_change(log: Path) -> None:
    made = seal(log)
    assert found(log, LOG.replace(b"audit/1", b"audit/2"), made) == (1, "unknown version")


def test_events_cannot_be_carried_to_another_game(log: Path) -> None:
    made = seal(log)
    other = HEADER.replace(b"g1", b"g2")
    assert found(log, game(EVENTS, other), made) == (1, "altered")
    log.write_bytes(game(EVENTS, other))
    assert seal(log).head != made.head


def test_the_head_does_not_hang_on_blanks_but_the_seal_does(log: Path) -> None:
    made = seal(log)
    spaced = LOG.replace(b'"seq": 3,', b'"seq":3,')
    assert found(log, spaced, made) == (4, "altered")
    assert verify(log, expect_head=made.head).is_intact


def test_whoever_names_signers_needs_them_besides_the_head(log: Path) -> None:
    """The head may have been published by whoever changed the log."""
    make_key("judge")
    asked = Signers((key("judge"),), every=True)
    head = seal(log).head
    alone = verify(log, expect_head=head)
    assert (alone.exit_code, alone.answer) == (0, "intact by the head you gave")
    assert verify(log, expect_head=head, signers=asked).exit_code == 1
    assert verify(log, seal(log), expect_head=head, signers=asked).exit_code == 1
    assert verify(log, seal_file(log, "judge"), expect_head=head, signers=asked).answer == "intact"


def test_without_anything_from_outside_no_log_is_called_intact(log: Path) -> None:
    for data in (LOG, LOG[: LOG.rindex(b"\n", 0, -1) + 1], HEADER):
        log.write_bytes(data)
        result = verify(log)
        assert result.bad is None
        assert not result.is_tail_pinned
        assert not result.is_intact
        assert result.exit_code == 1
        assert "not pinned: lines may be missing" in result.lines()[1]
        assert "intact" not in result.lines()[0]


def test_an_expected_count_pins_the_end(log: Path) -> None:
    right = verify(log, expect_count=EVENTS)
    assert right.is_unaltered
    assert (right.is_intact, right.answer) == (False, "no bad line found")
    more, fewer = verify(log, expect_count=EVENTS + 1), verify(log, expect_count=EVENTS - 1)
    assert more.bad is not None
    assert (more.bad.line, more.bad.kind) == (EVENTS + 2, "removed")
    assert fewer.bad is not None
    assert (fewer.bad.line, fewer.bad.kind) == (EVENTS + 1, "inserted")


def test_an_expected_head_pins_all_of_it(log: Path) -> None:
    head = seal(log).head
    assert verify(log, expect_head=head.upper()).is_intact
    log.write_bytes(LOG + line(EVENTS + 1))
    longer = verify(log, expect_head=head)
    assert longer.bad is not None
    assert (longer.bad.line, longer.bad.kind) == (EVENTS + 2, "inserted")
    log.write_bytes(LOG.replace(b"oak", b"elm"))
    changed = verify(log, expect_head=head)
    assert changed.bad is not None
    assert (changed.bad.line, changed.bad.kind) == (0, "altered")


def test_a_gap_in_seq_tells_without_a_seal(log: Path) -> None:
    log.write_bytes(game(3) + line(5))
    result = verify(log)
    assert result.bad is not None
    assert (result.bad.line, result.bad.kind) == (5, "removed")


@pytest.mark.parametrize("data", [b"", None])
def test_a_missing_and_an_empty_log_never_pass(log: Path, data: bytes | None) -> None:
    made = seal(log)
    log.unlink() if data is None else log.write_bytes(data)
    with pytest.raises(LogError):
        verify(log, made)
    with pytest.raises(LogError):
        verify(log, expect_count=0)
    with pytest.raises(LogError):
        seal(log)


@pytest.mark.parametrize("data", [LOG[:-9], game(2) + b"{}\n", game(2) + line(5), game(2) + b"\xff\n", b"[]\n"])
def test_a_log_with_a_bad_line_is_not_sealed(log: Path, data: bytes) -> None:
    log.write_bytes(data)
    with pytest.raises(LogError, match="a good line to seal"):
        seal(log)


def test_a_log_without_its_last_end_of_line_is_sealed_as_it_is(log: Path) -> None:
    log.write_bytes(LOG[:-1])
    made = seal(log)
    assert verify(log, made).is_unaltered
    assert found(log, LOG, made) == (EVENTS + 1, "altered")


def test_whoever_verifies_names_the_signers(log: Path) -> None:
    judge, _ = make_key("judge"), make_key("scorer")
    made = signed(seal(log), "judge")
    result = verify(log, made, signers=by("judge"))
    assert result.is_intact
    assert [(s.name, s.key, s.is_valid, s.is_trusted) for s in result.signatures] == [("judge", judge.id, True, True)]
    unnamed = verify(log, made)
    assert (unnamed.answer, unnamed.exit_code) == ("unaltered since somebody signed it", 1)
    assert unnamed.lines()[1] == "nobody you asked for has signed the seal"
    assert unnamed.lines()[2] == f"signed by the key {judge.id}, which calls itself judge; you did not ask for it"
    assert not verify(log, made, signers=by("scorer")).is_intact
    assert not verify(log, made, signers=by("judge", "scorer")).is_intact
    assert verify(log, signed(made, "scorer"), signers=by("judge", "scorer")).is_intact
    assert verify(log, made, signers=Signers(keys())).is_intact
    assert not verify(log, seal(log), signers=Signers(keys())).is_intact


def test_a_signer_who_takes_anothers_name_gets_none_here(log: Path, data_folder: Path) -> None:
    """The name in a signature is the signer's own choice; only the key counts."""
    make_key("judge")
    real = data_folder / "keys"
    real.rename(data_folder / "real")
    make_key("judge")
    made = signed(seal(log), "judge")
    (data_folder / "keys").rename(data_folder / "forger")
    (data_folder / "real").rename(real)
    result = verify(log, made, signers=by("judge"))
    assert (result.is_intact, result.answer) == (False, "unaltered since somebody signed it")
    assert "which calls itself judge; you did not ask for it" in result.lines()[2]


def test_whatever_is_changed_in_a_signed_seal_breaks_the_signature(log: Path) -> None:
    make_key("judge")
    made = signed(seal(log, at="2025-09-01T10:00:00Z"), "judge")
    said = msgspec.to_builtins(made)
    changes = {
        "game": "g2", "ruleset": "tall", "log": "audit/0", "events": 5, "head": "00" * 32, "at": "",
        "lines": [*said["lines"][:-1], "0" * 16], "root": "00" * 32, "secret": seal(log).secret,
    }  # fmt: skip
    assert set(changes) == set(said) - {"seal", "signatures", "stamps"}
    for name, value in changes.items():
        forged = msgspec.convert({**said, name: value}, Seal)
        result = verify(log, forged, signers=by("judge"))
        assert result.bad is not None, name
        assert "the seal is not what judge" in result.bad.detail
        assert not result.signatures[0].is_valid


def test_a_seal_of_the_former_version_is_still_verified_and_made_anew(log: Path) -> None:
    make_key("judge")
    new = msgspec.to_builtins(seal(log))
    old = msgspec.convert({**new, "seal": "audit-seal/1", "root": "", "secret": ""}, Seal)
    beside(log).write_bytes(as_text(signed(old, "judge")))
    kept = read_seal(beside(log))
    assert verify(log, kept, signers=by("judge")).is_intact
    with pytest.raises(SealError, match="seal the log again"):
        kept.tree_head()
    assert seal_file(log, "judge").seal == "audit-seal/2"
    assert verify(log, read_seal(beside(log)), signers=by("judge")).is_intact


def test_a_seal_whose_tree_is_of_another_log_does_not_pass(log: Path) -> None:
    """Whoever seals could sign a root of something else; then the log and the proofs of it would differ."""
    make_key("judge")
    wrong = msgspec.convert({**msgspec.to_builtins(seal(log)), "root": "11" * 32}, Seal)
    result = verify(log, signed(wrong, "judge"), signers=by("judge"))
    assert result.bad is not None
    assert "the tree of the seal" in result.bad.detail


def test_a_log_changed_together_with_its_unsigned_seal_needs_a_signature_to_tell(log: Path) -> None:
    log.write_bytes(LOG.replace(b"oak", b"elm"))
    make_key("judge")
    assert verify(log, seal(log), signers=by("judge")).exit_code == 1


def test_a_seal_lies_beside_its_log_and_several_may_sign_it(log: Path) -> None:
    make_key("one")
    make_key("other")
    seal_file(log, "one", at="2025-09-01")
    seal_file(log, "other", at="2025-09-02")
    seal_file(log, "other")
    made = read_seal(beside(log))
    assert [each.name for each in made.signatures] == ["one", "other"]
    assert made.at == "2025-09-01"
    assert all(each.is_valid for each in verify(log, made).signatures)


def test_a_log_that_has_grown_is_sealed_anew_but_a_changed_one_is_not(log: Path) -> None:
    make_key("one")
    seal_file(log, "one")
    log.write_bytes(game(EVENTS + 1))
    assert seal_file(log).events == EVENTS + 1
    log.write_bytes(LOG)
    with pytest.raises(SealError, match="no longer says what was sealed"):
        seal_file(log, "one")


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", '{"seal": "audit-seal/1"}', '{"seal": "audit-seal/2"', "\0", '{"a": 1, "a": 2}'],
)
def test_a_damaged_seal_is_an_error_of_one_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "game.jsonl.seal"
    path.write_text(text)
    with pytest.raises(SealError) as caught:
        read_seal(path)
    assert "\n" not in str(caught.value)


def test_a_seal_of_a_later_version_and_one_that_is_not_there_are_named(log: Path) -> None:
    seal_file(log)
    said = json.loads(beside(log).read_text())
    beside(log).write_text(json.dumps({**said, "seal": "audit-seal/9"}, separators=(",", ":")))
    with pytest.raises(SealError, match='expected a seal of version "audit-seal/2", found "audit-seal/9"'):
        read_seal(beside(log))
    with pytest.raises(SealError, match="no such file"):
        read_seal(f"{log}.nowhere")


def test_keys_are_kept_apart_and_only_their_owner_can_sign(log: Path, data_folder: Path) -> None:
    mine = make_key("mine")
    assert (data_folder / "keys" / "mine.pem").stat().st_mode & 0o077 == 0
    theirs = trust(mine.text.replace(" mine", " Ada"), "ada")
    assert public_key(mine.text).raw == theirs.raw
    assert [each.name for each in keys()] == ["ada", "mine"]
    assert key(mine.id).raw == mine.raw
    with pytest.raises(KeyProblemError, match="only its public half"):
        signed(seal(log), "ada")
    with pytest.raises(KeyProblemError, match="already"):
        make_key("mine")
    with pytest.raises(KeyProblemError, match="none of that name"):
        key("nobody")
    for bad in ("../mine", "", "a/b", "ż"):
        with pytest.raises(KeyProblemError, match="a name is letters"):
            make_key(bad)
    for bad in ("", "audit-key/1 AAAA x", "ssh-ed25519 AAAA x", "audit-key/1 ??? x"):
        with pytest.raises(KeyProblemError, match="expected a line"):
            trust(bad)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text("ab\n\"é😀\ufb33", max_size=3), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip


@given(st.dictionaries(st.text('ab"é😀\ufb33', max_size=3), values, max_size=4), st.booleans(), st.booleans())
def test_the_canonical_form_is_that_of_rfc_8785_however_a_line_is_written(
    data: dict[str, object], is_ascii: bool, is_tight: bool
) -> None:
    separators = (",", ":") if is_tight else (" , ", "\t:  ")
    written = json.dumps(data, ensure_ascii=is_ascii, separators=separators).encode()
    assert canonical(written) == rfc8785.dumps(data)  # type: ignore[arg-type]


@pytest.mark.every(
    "text",
    [b'{"a":1,"a" :2}', b'{"a" :1,"a":1}', b'{"a":1}{}', b'{"a":1}\r', b"{}\0", b"", b'{"a":9007199254740993}', b"[1]"],
)
def test_what_two_programs_might_read_differently_has_no_canonical_form(text: bytes) -> None:
    with pytest.raises(NotARecordError):
        canonical(text)


def test_the_head_is_a_chain_from_the_header_as_documented() -> None:
    from hashlib import sha256

    chain = Chain()
    chain.add(b'{"ruleset": "small", "log": "audit/1"}')
    chain.add(b'{"type": "pile_taken", "seq": 1, "pile": 2}')
    first = sha256(b'audit-chain/1\n{"log":"audit/1","ruleset":"small"}').digest()
    assert chain.head == sha256(first + b'{"pile":2,"seq":1,"type":"pile_taken"}').digest()


def test_a_seal_that_is_verified_by_itself_says_what_it_is_and_what_to_verify(log: Path) -> None:
    make_key("judge")
    for key_name, by_whom in ((None, "not signed"), ("judge", "signed in the name of judge")):
        seal_file(log, key_name)
        with pytest.raises(NotForThisFileError, match=f"a seal of 7 lines, {by_whom}; .*{log.name}$"):
            verified(str(beside(log)), NOBODY)


@pytest.mark.parametrize("name", ["finding.pdf", "table.png", "table.svg", "forum.md", "sheet.html"])
def test_a_picture_or_a_sheet_is_said_to_carry_no_seal(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"<!doctype html><p>A sheet")
    with pytest.raises(NotForThisFileError, match="no log or seal in it; verify the log"):
        verified(str(tmp_path / name), NOBODY)


def test_the_name_of_a_game_does_not_read_as_a_word_of_the_answer() -> None:
    said = Said("no_bad_line")
    assert of_game("altered", "league-1", said) == "Altered, game league-1: no bad line found"
    assert of_game("altered", "", said) == "Altered: no bad line found"
    assert of_game("", "league-1", said) == "game league-1: no bad line found"
    assert of_game("", "", said) == "no bad line found"
