"""One line proven without the rest, a hidden card opened later, heads that go on, and a witness's list."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import cast

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands.verifying import HeadCheck, verified
from replays.trust import merkle
from replays.trust.commitments import OpeningError, commitment, committed, line_salt, opening, without_summary
from replays.trust.keys import key, make_key
from replays.trust.proofs import (
    Continues,
    LineProof,
    as_json,
    continues,
    is_continued,
    is_proof_of,
    leaves_of,
    prove_line,
    signed_head,
)
from replays.trust.seal import Seal, SealError, beside, read_seal, seal_file
from replays.trust.witness import check_growth, check_list, read_list, witness
from tests.attacks.table import EVENTS, JUDGE, Json, Table, judge
from web.publishing.disclosed import shown_line, whole_line

DREW = 1
"""The event by which A draws five cards that nobody else sees."""


def proof(table: Table, at: int, viewer: str, *fields: str) -> LineProof:
    line = whole_line(table.source, at)
    shown = shown_line(table.source, table.source.replay(viewer, "en"), at)
    return prove_line(table.seal, leaves_of(table.log, table.seal), at, line, shown, fields)


def checked(table: Table, made: LineProof) -> HeadCheck:
    file = table.folder / "step.proof"
    file.write_bytes(as_json(made))
    found = verified(str(file), judge())
    assert isinstance(found, HeadCheck)
    return found


class TestOneLine:
    """A player proves what happened at one moment, and nothing more."""

    def test_every_line_can_be_proven_without_the_rest(self, table: Table) -> None:
        seal, leaves = table.seal, leaves_of(table.log, table.seal)
        for at in range(seal.events + 1):
            line = whole_line(table.source, at)
            assert prove_line(seal, leaves, at, line, line).problem() == ""
        assert checked(table, proof(table, 25, "public")).is_intact

    def test_nothing_can_be_told_in_the_place_of_a_hidden_field(self, table: Table) -> None:
        proofs = (proof(table, at, "public") for at in range(1, table.seal.events + 1))
        made = next(one for one in proofs if '"?"' in json.dumps(one.shown))
        assert made.problem() == ""
        told = json.loads(json.dumps(made.shown).replace('"?"', '"?fire3.1"'))
        changed = msgspec.structs.replace(made, shown=told)
        assert changed.problem() == "something is told of a hidden field"

    def test_a_proof_names_no_hidden_card(self, table: Table) -> None:
        made = proof(table, DREW, "public")
        assert made.shown == {"seq": 1, "type": "drew", "player": "A", "count": 5}
        assert made.hidden == 5
        text = as_json(made).decode()
        assert not any(str(card) in text for card in cast("list[str]", whole_line(table.source, DREW)["cards"]))
        assert table.seal.secret not in text

    def test_a_hidden_card_is_opened_later_one_by_one(self, table: Table) -> None:
        cards = cast("list[str]", whole_line(table.source, DREW)["cards"])
        for at, card in enumerate(cards):
            made = proof(table, DREW, "public", f"cards.{at}")
            assert cast("list[str]", made.shown["cards"]) == ["?"] * at + [card] + ["?"] * (4 - at)
            assert (made.problem(), made.hidden) == ("", 4)
            assert checked(table, made).is_intact
        assert proof(table, DREW, "public", "cards").hidden == 0

    def test_a_deck_in_the_header_is_opened_card_by_card(self, table: Table) -> None:
        made = proof(table, 0, "public", "setup.decks.A.3")
        decks = cast("dict[str, dict[str, list[str]]]", whole_line(table.source, 0)["setup"])["decks"]
        shown = cast("dict[str, dict[str, list[str]]]", made.shown["setup"])["decks"]["A"]
        assert shown[3] == decks["A"][3]
        assert {card for at, card in enumerate(shown) if at != 3} == {"?"}
        assert made.problem() == ""

    def test_another_card_than_the_one_that_was_hidden(self, table: Table) -> None:
        made = proof(table, DREW, "public", "cards.0")
        lied = msgspec.structs.replace(made, shown={**made.shown, "cards": ["death-9", "?", "?", "?", "?"]})
        assert checked(table, lied).problem == "the line is not in the sealed log"
        hidden = msgspec.structs.replace(made, shown={**made.shown, "cards": ["?", "death-9", "?", "?", "?"]})
        assert "the seal proves nothing of it" in checked(table, hidden).problem

    def test_a_line_in_another_place_or_of_another_game(self, table: Table, tmp_path: Path) -> None:
        made = proof(table, 25, "public")
        assert msgspec.structs.replace(made, line=26).problem()
        (tmp_path / "other").mkdir()
        other = signed_head(Table(tmp_path / "other", "clean", EVENTS).seal)
        assert msgspec.structs.replace(made, signed=other).problem()

    @pytest.mark.parametrize("field", ["cards.5", "cards.x", "cards.0.0", "hand", "cards.-1"])
    def test_a_field_that_is_not_there(self, table: Table, field: str) -> None:
        with pytest.raises(OpeningError, match="there is no such field"):
            proof(table, DREW, "public", field)

    def test_a_damaged_proof_is_an_error_of_one_line(self, table: Table) -> None:
        file = table.folder / "step.proof"
        for text in (b'{"proof"', b'{"proof":"audit-proof/9"}', b'{"proof":1}', b'{"proof":[' + b"[" * 100_000):
            file.write_bytes(text)
            with pytest.raises(SealError) as caught:
                verified(str(file), judge())
            assert "\n" not in str(caught.value)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("a?#\u00e9", max_size=2),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["a", "b", "count", "#"]), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
objects = st.dictionaries(st.sampled_from(["a", "b", "cards", "count", "type"]), values, max_size=4)
SALT = bytes(16)


@given(objects, objects)
def test_whatever_is_shown_of_a_line_opens_it_or_is_refused(line: Json, shown: Json) -> None:
    how = json.loads(json.dumps(opening(line, shown, SALT)))
    try:
        assert committed(shown, how) == commitment(line, SALT)
    except OpeningError:
        assert shown != line
    assert committed(line, opening(line, line, SALT)) == commitment(line, SALT)


@given(objects, objects)
def test_no_two_lines_have_one_commitment(one: Json, other: Json) -> None:
    is_same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (commitment(one, SALT) == commitment(other, SALT)) == is_same


def test_an_entry_of_the_setup_that_is_told_in_part_is_not_committed_to_name_by_name() -> None:
    line = {"setup": {"costs": {"fox": 2, "owl": 3}, "decks": {"A": ["fox"]}, "mode": "duel"}}
    told = {"setup": {"costs": {"fox": 2}, "decks": {"A": ["?"]}, "mode": "duel"}}
    assert without_summary(line, told) == {"setup": {"decks": {"A": ["?"]}, "mode": "duel"}}


def test_a_hidden_field_cannot_be_guessed_without_the_salt() -> None:
    """Two games with the same secret have the same hashes; with another secret every hash is another."""
    line: Json = {"seq": 1, "cards": ["fire-1"]}
    hashes = {str(opening(line, {"seq": 1}, line_salt(bytes([one]) * 32, 1))) for one in range(50)}
    assert len(hashes) == 50


class TestTree:
    """The tree is that of RFC 9162: these roots are those of its reference implementations."""

    LEAVES = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
    ROOTS = (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    )

    def test_roots(self) -> None:
        leaves = [merkle.leaf_hash(bytes.fromhex(leaf)) for leaf in self.LEAVES]
        assert [merkle.root(leaves[:size]).hex() for size in range(1, 9)] == list(self.ROOTS)
        assert merkle.root([]) == sha256().digest()

    def test_every_leaf_is_proven_in_its_place_only_and_every_tree_continues_the_smaller_ones(self) -> None:
        leaves = [merkle.leaf_hash(bytes([at])) for at in range(20)]
        for size in range(1, 20):
            root = merkle.root(leaves[:size])
            for at in range(size):
                path = merkle.inclusion_proof(leaves[:size], at)
                places = [place for place in range(size) if merkle.is_included(leaves[at], place, size, path, root)]
                assert places == [at]
            for earlier in range(1, size + 1):
                path = merkle.consistency_proof(leaves[:size], earlier)
                old = merkle.root(leaves[:earlier])
                assert merkle.is_consistent(earlier, size, old, root, path)
                assert not merkle.is_consistent(earlier, size, sha256().digest(), root, path)
                assert not merkle.is_consistent(earlier, size, old, root, [*path, root])
                assert not path or not merkle.is_consistent(earlier, size, old, root, path[:-1])


class TestWitness:
    """Somebody who sealed a game wants to change it later, or to show two people two games."""

    @pytest.fixture
    def halfway(self, table: Table) -> tuple[Table, Seal]:
        """A game sealed after sixty lines, and again at its end."""
        beside(table.log).unlink()
        lines = table.log.read_bytes()
        table.log.write_bytes(b"".join(lines.splitlines(keepends=True)[:60]))
        early = seal_file(table.log, JUDGE)
        table.log.write_bytes(lines)
        seal_file(table.log, JUDGE)
        make_key("witness")
        return table, early

    def since(self, table: Table, events: int) -> Continues:
        return continues(leaves_of(table.log, table.seal), events, table.log)

    def test_a_later_head_continues_an_earlier_one(self, halfway: tuple[Table, Seal]) -> None:
        table, early = halfway
        heads = table.folder / "heads.jsonl"
        witness(heads, signed_head(early), "witness", "2025-09-01T12:30:00+00:00")
        later = signed_head(table.seal, self.since(table, 59))
        cosigned = witness(heads, later, "witness", "2025-09-01T13:00:00+00:00")
        assert [each.name for each in cosigned.signatures] == [JUDGE, "witness"]
        assert check_list(read_list(heads), key("witness")) is None
        assert check_list(read_list(heads), key(JUDGE)) is not None
        assert is_proof_of(self.since(table, 0), later.head), "also of the header alone"

    def test_a_witness_signature_is_one_more_signature_of_the_seal(self, halfway: tuple[Table, Seal]) -> None:
        table, _ = halfway
        cosigned = witness(table.folder / "heads.jsonl", signed_head(table.seal), "witness", "")
        file = table.folder / "game.head"
        file.write_bytes(as_json(cosigned))
        assert verified(str(file), judge(JUDGE, "witness")).is_intact

    def test_a_game_that_was_rewritten_is_not_signed(self, halfway: tuple[Table, Seal]) -> None:
        table, early = halfway
        heads = table.folder / "heads.jsonl"
        witness(heads, signed_head(early), "witness", "")
        with pytest.raises(SealError, match="nothing proves that this continues it"):
            witness(heads, signed_head(table.seal), "witness", "")
        table.log.write_bytes(table.log.read_bytes().replace(b'"Ada"', b'"Eve"'))
        beside(table.log).unlink()
        seal_file(table.log, JUDGE)
        with pytest.raises(SealError, match="nothing proves that this continues it"):
            witness(heads, signed_head(table.seal, self.since(table, 59)), "witness", "")
        assert witness(heads, signed_head(table.seal), "witness", "", another=True)

    def test_a_proof_of_something_else_is_refused(self, halfway: tuple[Table, Seal]) -> None:
        table, early = halfway
        forged = msgspec.structs.replace(self.since(table, 58), events=59, root=early.root)
        assert not is_continued(early.tree_head(), signed_head(table.seal, forged))
        with pytest.raises(SealError, match="the proof does not hold"):
            witness(table.folder / "heads.jsonl", signed_head(table.seal, forged), "witness", "")

    def test_a_head_with_a_forged_signature_is_not_signed(self, halfway: tuple[Table, Seal]) -> None:
        table, early = halfway
        forged = msgspec.structs.replace(signed_head(table.seal), signatures=early.signatures)
        with pytest.raises(SealError, match=f"in the name of {JUDGE} does not hold"):
            witness(table.folder / "heads.jsonl", forged, "witness", "")

    def test_a_list_that_was_changed_is_named_by_its_line(self, halfway: tuple[Table, Seal]) -> None:
        table, early = halfway
        heads = table.folder / "heads.jsonl"
        witness(heads, signed_head(early), "witness", "")
        witness(heads, signed_head(table.seal, self.since(table, 59)), "witness", "")
        first, second = heads.read_bytes().splitlines(keepends=True)
        renamed = first.replace(b"r3-t12", b"r3-t13") + second
        for data, line in ((second, 1), (second + first, 1), (first + first, 2), (renamed, 1)):
            heads.write_bytes(data)
            problem = check_list(read_list(heads), key("witness"))
            assert problem is not None
            assert problem.line == line
        heads.write_bytes(first)
        assert check_list(read_list(heads), key("witness")) is None

    def test_a_line_by_somebody_else_is_no_line_of_the_list_whoever_its_witness_is(
        self, halfway: tuple[Table, Seal]
    ) -> None:
        table, early = halfway
        make_key("stranger")
        heads = table.folder / "heads.jsonl"
        witness(heads, signed_head(early), "witness", "")
        witness(heads, signed_head(table.seal, self.since(table, 59)), "stranger", "")
        problem = check_list(read_list(heads))
        assert problem is not None
        assert problem.line == 2

    def test_two_lists_of_one_witness_contradict_each_other(self, halfway: tuple[Table, Seal]) -> None:
        """The witness shows the organiser one list and the players another; both are signed."""
        table, early = halfway
        one, other = table.folder / "one.jsonl", table.folder / "other.jsonl"
        witness(one, signed_head(early), "witness", "")
        witness(other, signed_head(table.seal), "witness", "")
        problem = check_growth(read_list(one), read_list(other))
        assert problem is not None
        assert (problem.line, problem.reason) == (1, "not the entry of the earlier list")
        shorter = check_growth(read_list(one), ())
        assert shorter is not None
        assert "ends before it" in shorter.reason


def test_a_seal_of_a_very_long_log_is_read_again(tmp_path: Path) -> None:
    """A seal has no line limit: that of a hundred thousand events is larger than a line of a log may be."""
    log = tmp_path / "long.jsonl"
    lines = [b'{"log":"audit/1","ruleset":"small","game":"long"}\n']
    lines += [b'{"seq":%d,"type":"pile_taken","pile":1}\n' % seq for seq in range(1, 60_001)]
    log.write_bytes(b"".join(lines))
    seal_file(log)
    assert read_seal(beside(log)).events == 60_000
