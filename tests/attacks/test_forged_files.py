"""Published files that somebody has tampered with. None of them is called intact, and the answer says what is wrong."""

from __future__ import annotations

import json
import random
import re
from base64 import b64decode
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from bench.attacks_nodes import attack
from replays.judging.versions import code_digest, engine
from replays.trust.keys import make_key
from replays.trust.seal import beside, seal_file, write_seal
from replays.trust.verify import NOBODY
from tests.attacks.table import EVENTS, JUDGE, Json, Table, forged, judge, record_in, rewritten
from web.publishing import check
from web.publishing.bundle import unpacked
from web.publishing.check import PublishedCheck, RecordError, check_published
from web.publishing.disclosed import shown_lines
from web.publishing.files import publish
from web.publishing.record import source_of_record
from web.publishing.sources import source_at
from web.publishing.withheld import withheld

FORMS = ["json", "html"]
LONG_SAMPLES = ("kept-by-hand", "altered-two-teams")
MAIN = b'<main class="stage" id="main">'


@pytest.fixture(scope="module")
def _sat_down(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """One table for all attacks on its files."""
    folder = tmp_path_factory.mktemp("table")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AUDIT_DATA_DIR", str(folder / "data"))
        return Table(folder)


@pytest.fixture
def table(_sat_down: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(_sat_down.folder / "data"))
    return _sat_down


@pytest.fixture
def another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table whose log or keys the test changes."""
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    return Table(tmp_path)


def refused(found: PublishedCheck, *words: str) -> None:
    """The answer is no, by its exit code and in words."""
    told = "\n".join(found.lines())
    assert not found.is_intact
    assert found.exit_code == 1
    assert "intact" not in told
    for word in words:
        assert word in told


def findings(record: Json) -> list[Json]:
    return cast("list[Json]", record["findings"])


def steps(record: Json) -> list[Json]:
    return cast("list[Json]", record["steps"])


def lines(record: Json) -> list[Json]:
    """The events as they are shown: in a judge's file the log, in another the events of the steps."""
    if record["viewer"] == "judge":
        return cast("list[Json]", record["log"])
    return [{}, *(cast(Json, step["event"]) for step in steps(record) if step["seq"])]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("viewer", ["judge", "public", "A"])
def test_what_the_judge_published_is_intact(table: Table, form: str, viewer: str) -> None:
    found = table.check(table.publish(form, viewer, JUDGE))
    assert found.is_intact
    by_word = f", as {JUDGE} published it; {found.hidden} fields hidden by the rules" if found.hidden else ""
    assert found.lines()[0].endswith(f": intact{by_word}")
    assert found.judgement == (check.PROVEN if viewer == "judge" else check.BY_WORD)


class TestFindings:
    """Somebody wants other findings than the log gives."""

    def test_emptied_findings(self, table: Table) -> None:
        file = forged(table.publish("html"), lambda record: record.update(findings=[]))
        refused(table.check(file), "findings: the file has 0, judged again there are 5")

    def test_another_verdict_message_and_rule(self, table: Table) -> None:
        def change(record: Json) -> None:
            findings(record)[0].update(verdict="legal", rules=["play.face-up"])
            steps(record)[25].update(verdict="legal", message="fine")

        found = table.check(forged(table.publish("json"), change))
        refused(found, 'finding 0 (seq 25), verdict: the file says "legal", judged again "illegal"')
        refused(found, "finding 0 (seq 25), rules", 'step 25 (seq 25), message: the file says "fine"')

    @pytest.mark.parametrize(("form", "viewer"), [("json", "public"), ("html", "judge")])
    def test_the_forger_signs_too(self, another: Table, form: str, viewer: str) -> None:
        """A signature by somebody else changes nothing, whatever name it has."""
        (another.folder / "data").rename(another.folder / "judges")
        make_key(JUDGE)
        by = record_in(another.publish(form, viewer, JUDGE))["by"]
        (another.folder / "data").rename(another.folder / "forgers")
        (another.folder / "judges").rename(another.folder / "data")
        file = forged(another.publish(form, viewer), lambda record: record.update(findings=[], by=by))
        refused(another.check(file), f"in the name of {JUDGE}")


class TestWords:
    """Somebody wants a reader to see other words."""

    def test_a_word_on_the_page(self, table: Table) -> None:
        file = table.publish("html")
        refused(table.check(rewritten(file, file.read_bytes().replace(b"5 findings", b"0 findings"))), "altered")

    def test_a_word_in_another_language(self, table: Table) -> None:
        file = table.folder / "page.html"
        file.write_bytes(publish(table.source, "html", languages=("en", "fr")))
        refused(table.check(rewritten(file, file.read_bytes().replace("Étape".encode(), b"Etape"))), "altered")

    def test_a_word_in_a_file_with_hidden_cards(self, table: Table) -> None:
        file = table.publish("html", "public", JUDGE)
        refused(table.check(rewritten(file, file.read_bytes().replace(b"5 findings", b"0 findings"))), "NOT signed")

    @pytest.mark.every(
        ("viewer", "said"), [("judge", "altered"), ("public", "other words are shown than those of the record")]
    )
    def test_a_sentence_of_a_step_that_only_the_script_shows(self, table: Table, viewer: str, said: str) -> None:
        file = table.publish("html", viewer)
        data = file.read_bytes()
        found = re.search(rb'"s":"([^"]{20,})"', data)
        assert found
        refused(table.check(rewritten(file, data.replace(found[0], b'"s":"Nothing happened."'))), said)

    def test_what_only_the_whole_log_can_tell(self, table: Table) -> None:
        """Whoever may see the hidden cards makes a public file again, and finds what its reader cannot."""
        file = forged(table.publish("json", "public"), lambda record: record.update(findings=[]))
        assert table.check(file).answer != "intact"
        refused(table.check(file, table.log), "findings: the file has 0")
        honest = table.publish("html", "public")
        assert table.check(honest, table.log).is_intact

    def test_a_file_with_hidden_cards_that_nobody_signed_is_never_called_unaltered(self, table: Table) -> None:
        """The judge sealed the log. What the file says of hidden cards is nobody's word all the same."""
        found = table.check(table.publish("json", "public"))
        refused(found, "nobody signed it, only its log", "by nobody's word")
        assert not found.differences

    def test_what_is_told_twice_has_to_be_told_alike(self, table: Table) -> None:
        """Nobody signed these files, and nobody can judge them again. Still they must not contradict themselves."""

        def log_line(record: Json) -> None:
            cast("list[Json]", record["log"])[25]["line"] = 3

        def named(record: Json) -> None:
            line = next(one for one in cast("list[Json]", record["log"]) if one.get("type") == "identified")
            line["is"] = "love-1"

        changes: tuple[tuple[Callable[[Json], object], str], ...] = (
            (log_line, "log, line 26: not an event of the steps"),
            (named, "names what the steps do not"),
            (lambda record: cast("list[Json]", record["log"]).pop(), "of the steps is not there"),
            (lambda record: steps(record)[25].update(sentence="Nothing."), "step 25: other words than its event has"),
            (lambda record: findings(record)[1].update(message="fine"), "finding 1 (seq 73): not what its step says"),
            (lambda record: findings(record)[0].update(statement="May be."), "finding 0 (seq 25): not what its step"),
            (lambda record: findings(record).pop(), "findings: the file has 4, its steps have 5"),
            (lambda record: cast(Json, record["verdicts"]).update(illegal=0), "the counts are not those of the steps"),
            (lambda record: record.update(fidelity="exact", diverged_from=7), "the counts are not those of the steps"),
            (lambda record: steps(record)[3].pop("verdict"), "the steps cannot be read: KeyError"),
        )
        for change, words in changes:
            refused(table.check(forged(table.publish("json", "public"), change)), "altered", words)


class TestTheLogInside:
    """Somebody wants another game."""

    @pytest.mark.parametrize(("form", "viewer"), [("json", "judge"), ("html", "public")])
    def test_an_event_is_changed(self, table: Table, form: str, viewer: str) -> None:
        file = forged(table.publish(form, viewer), lambda record: lines(record)[25].update(line=3))
        refused(table.check(file), "the log")

    def test_the_last_events_are_left_out(self, table: Table) -> None:
        file = forged(table.publish("json"), lambda record: lines(record).pop())
        refused(table.check(file), "the log")
        file = forged(table.publish("json", "public"), lambda record: steps(record).pop())
        refused(table.check(file), "said to be shown, and is not")

    def test_a_name_is_changed_in_the_whole_file(self, table: Table) -> None:
        file = table.publish("html")
        refused(table.check(rewritten(file, file.read_bytes().replace(b"Ada", b"Eve"))), "not the one that was sealed")

    def test_a_hidden_card_is_claimed(self, table: Table) -> None:
        """A reader of a public file is told that a face-down card was a certain one."""

        def claim(record: Json) -> None:
            del lines(record)[1]["count"]
            lines(record)[1].update(cards=["death-1", "death-2", "death-3", "death-4", "death-5"])

        file = forged(table.publish("json", "public"), claim)
        refused(table.check(file), "line 2: cards.0: is shown, but the seal proves nothing of it")

    def test_another_number_of_hidden_cards_is_claimed_and_a_field_added(self, table: Table) -> None:
        for field, value in (("count", 6), ("note", "agreed")):
            file = forged(table.publish("json", "public"), lambda record: lines(record)[1].update({field: value}))  # noqa: B023
            refused(table.check(file), f"line 2: {field}: was not sealed")

    def test_an_event_moves_to_another_place(self, table: Table) -> None:
        def swap(record: Json) -> None:
            log = lines(record)
            log[3], log[4] = log[4], log[3]

        def swap_events(record: Json) -> None:
            one, other = steps(record)[3], steps(record)[4]
            one["event"], other["event"] = other["event"], one["event"]

        refused(table.check(forged(table.publish("json"), swap)), "the log")
        refused(table.check(forged(table.publish("json", "public"), swap_events)), "not the event of its place")

    def test_one_game_stands_for_another(self, tmp_path: Path, table: Table) -> None:
        """The seal of a genuine game is put into a file of another one."""
        (tmp_path / "other").mkdir()
        proof = record_in(Table(tmp_path / "other", "clean", EVENTS).publish("json"))["proof"]
        for viewer in ("judge", "public"):
            file = forged(table.publish("json", viewer), lambda record: record.update(proof=proof))
            refused(table.check(file), "the log")

    def test_an_older_seal_of_the_same_game(self, another: Table) -> None:
        """A judge sealed the game half-way. That seal says nothing of what was added later, and that is said."""
        start = another.folder / "start.jsonl"
        start.write_bytes(b"".join(another.log.read_bytes().splitlines(keepends=True)[:60]))
        from replays.trust.seal import seal_file

        seal_file(start, JUDGE)
        start.write_bytes(another.log.read_bytes())
        file = another.folder / "grown.json"
        file.write_bytes(publish(source_at(start), "json"))
        refused(another.check(file), "71 events more than were sealed")
        assert read_again(beside(start)) == 59


def read_again(path: Path) -> int:
    return int(json.loads(path.read_bytes())["events"])


class TestJudgedBy:
    """Somebody wants the game judged by other rules, or to blame another version."""

    def test_another_edition_and_reading_beside_the_log(self, table: Table) -> None:
        file = forged(table.publish("json"), lambda record: record.update(edition="2019-01", reading="2019-01"))
        refused(table.check(file), "edition: the record says '2019-01'", "reading: the record says '2019-01'")

    def test_another_reading_in_the_log(self, table: Table) -> None:
        file = forged(table.publish("json"), lambda record: lines(record)[0].update(reading="fr"))
        refused(table.check(file), "the log")

    @pytest.mark.parametrize("name", ["engine", "catalogue"])
    def test_another_version_is_said_and_what_differs_is_shown(self, table: Table, name: str) -> None:
        def change(record: Json) -> None:
            record[name] = "0.0.9"
            findings(record).pop()

        found = table.check(forged(table.publish("json"), change))
        refused(found, "made by another version", "findings: the file has 4, judged again there are 5")
        assert found.made_by

    def test_a_file_of_another_version_is_never_intact_even_without_a_difference(self, table: Table) -> None:
        refused(table.check(forged(table.publish("json"), lambda record: record.update(engine="0.0.9"))), "0.0.9")

    def test_another_version_does_not_excuse_a_forged_signature_or_log(self, table: Table) -> None:
        for viewer in ("judge", "public"):
            file = forged(table.publish("json", viewer, JUDGE), lambda record: record.update(engine="0.0.9"))
            assert table.check(file).answer == "altered"
            file = forged(
                table.publish("json", viewer),
                lambda record: (record.update(engine="0.0.9"), lines(record)[25].update(line=3)),
            )
            assert table.check(file).answer == "altered"

    def test_the_version_moves_with_the_code(self, tmp_path: Path) -> None:
        """Two copies of one program that differ in a rule are two versions; a comment in a picture is none."""
        for name, text in (("one", "limit = 3\n"), ("other", "limit = 4\n"), ("same", "limit = 3\r\n")):
            (tmp_path / name / "rules").mkdir(parents=True)
            (tmp_path / name / "rules" / "play.py").write_bytes(text.encode())
            (tmp_path / name / "rules" / "play.pyc").write_bytes(name.encode())
        one, other, same = (code_digest([tmp_path / name]) for name in ("one", "other", "same"))
        assert one == same != other
        assert re.fullmatch(r"[\w.]+\+[0-9a-f]{12}", engine())

    def test_a_viewer_who_is_none(self, table: Table) -> None:
        with pytest.raises(Exception, match="no viewer is called 'C'"):
            table.check(forged(table.publish("json", "public"), lambda record: record.update(viewer="C")))

    def test_a_former_file_is_no_longer_believed(self, table: Table) -> None:
        file = forged(table.publish("json"), lambda record: record.update(replay="audit-replay/1"))
        with pytest.raises(RecordError, match="prove nothing"):
            table.check(file)


@pytest.mark.parametrize("viewer", ["judge", "public", "A"])
@pytest.mark.parametrize("form", FORMS)
def test_any_value_word_attribute_script_or_style_is_missed_in_a_signed_file(
    table: Table, form: str, viewer: str
) -> None:
    data = table.publish(form, viewer, JUDGE).read_bytes()
    answers = dict(attack(data, form, 10, random.Random(f"{form} {viewer}"), table.folder / "changed"))
    assert answers
    assert set(answers.values()) <= {"altered", "unreadable", "made by another version"}


class TestSomethingElseInTheFile:
    """Somebody puts more into the file than belongs there."""

    @pytest.mark.every("viewer", ["judge", "public"])
    def test_the_genuine_record_in_a_comment_before_a_forged_one(self, table: Table, viewer: str) -> None:
        data = table.publish("html", viewer).read_bytes()
        found = re.search(rb'<script type="application/json" id="annotations">.*?</script>', data, re.S)
        assert found
        file = forged(table.folder / f"{viewer}.html", lambda record: record.update(findings=[]))
        with pytest.raises(RecordError, match="a page has one record, found 2"):
            table.check(rewritten(file, file.read_bytes().replace(b"<style>", b"<!--" + found[0] + b"--><style>")))

    @pytest.mark.every(
        ("viewer", "where", "what"),
        [
            ("judge", b"</body>", b"<script>document.title = 'legal'</script>"),
            ("public", b"</body>", b"<!-- judged legal -->"),
            ("public", b"</body>", b"<style>.finding { display: none }</style>"),
            ("public", MAIN, b"<script>document.title = 'legal'</script>"),
            ("public", MAIN, b'<script type="application/json" id="replay">{}</script>'),
            ("public", MAIN, b'<img src="https://example.org/legal.png">'),
        ],
    )
    def test_a_comment_a_script_a_style_or_a_picture(
        self, table: Table, viewer: str, where: bytes, what: bytes
    ) -> None:
        file = table.publish("html", viewer)
        data = file.read_bytes()
        assert where in data
        refused(table.check(rewritten(file, data.replace(where, what + where, 1))), "altered")

    @pytest.mark.every(
        ("viewer", "old", "new"),
        [
            ("public", b'"use strict";', b'"use sloppy";'),
            ("judge", b'href="#panel"', b'href="https://example.org/"'),
            ("public", b"default-src &#39;none&#39;", b"x"),
        ],
    )
    def test_our_script_an_address_or_the_policy_is_changed(
        self, table: Table, viewer: str, old: bytes, new: bytes
    ) -> None:
        file = table.publish("html", viewer)
        data = file.read_bytes()
        assert old in data
        refused(table.check(rewritten(file, data.replace(old, new))), "altered")

    @pytest.mark.every("viewer", ["judge", "public"])
    @pytest.mark.every(
        "change",
        [
            lambda data: data.replace(b'{"replay"', b'{"findings":[],"replay"'),
            lambda data: data.rstrip().removesuffix(b"}") + b',"findings":[]}\n',
            lambda data: data.replace(b'","game"', b'", "game"', 1),
            lambda data: data + b"{}\n",
            lambda data: b" " + data,
        ],
    )
    def test_a_key_said_twice_or_something_around_a_record(
        self, table: Table, viewer: str, change: Callable[[bytes], bytes]
    ) -> None:
        file = table.publish("json", viewer)
        rewritten(file, change(file.read_bytes()))
        with suppress(RecordError):
            refused(table.check(file), "altered")


class TestSignatures:
    """Somebody wants a reader to believe in another signer, or in none."""

    @pytest.mark.every("viewer", ["judge", "public"])
    def test_a_stripped_signature_is_said(self, table: Table, viewer: str) -> None:
        def strip(record: Json) -> None:
            record.pop("by")
            cast(Json, record["proof"]).pop("signatures")
            cast(Json, record["seal"])["signatures"] = []

        found = table.check(forged(table.publish("json", viewer, JUDGE), strip))
        refused(found, "nobody signed it")
        assert found.lines()[1] == "no signature: this file may be anybody's"

    @pytest.mark.every("viewer", ["judge", "public"])
    def test_a_stripped_seal_is_said(self, table: Table, viewer: str) -> None:
        found = table.check(forged(table.publish("json", viewer), lambda record: record.pop("proof")))
        refused(found)
        assert found.lines()[1] == "no signature: this file may be anybody's"
        assert "said to be sealed, but the file holds no seal" in "\n".join(found.lines())

    def test_without_a_named_signer_no_file_is_called_intact(self, table: Table) -> None:
        for viewer in ("judge", "public"):
            file = table.publish("html", viewer, JUDGE)
            found = check_published(file, NOBODY)
            refused(found, "unaltered since somebody signed it")
            assert found.lines()[1] == "nobody you asked for has signed this file or its log"

    def test_another_signer_who_is_asked_for(self, another: Table) -> None:
        make_key("table-7")
        refused(check_published(another.publish("json"), judge("table-7")), "you did not ask for it")

    def test_a_signature_of_another_file(self, table: Table) -> None:
        """The judge signed the public file. That signature is put under the file of a seat."""
        by = record_in(table.publish("json", "public", JUDGE))["by"]
        refused(table.check(forged(table.publish("json", "A"), lambda record: record.update(by=by))), "NOT signed")

    def test_another_signer_is_named_on_the_page(self, table: Table) -> None:
        def rename(record: Json) -> None:
            cast("list[Json]", cast(Json, record["seal"])["signatures"])[0]["name"] = "The head judge"

        refused(
            table.check(forged(table.publish("json"), rename)), "what is said of the seal is not what the seal proves"
        )

    def test_another_name_beside_a_genuine_signature(self, another: Table) -> None:
        """The seal is the judge's, the name is somebody else's, and the file is made anew of both."""
        seal = another.seal
        renamed = [replace(each, name="The head judge") for each in seal.signatures]
        write_seal(replace(seal, signatures=tuple(renamed)), beside(another.log))
        refused(another.check(another.publish("html")), "in the name of The head judge")

    def test_another_name_beside_a_signature_of_the_file(self, table: Table) -> None:
        file = table.publish("json", "public", JUDGE)
        forged(file, lambda record: cast("list[Json]", record["by"])[0].update(name="The head judge"))
        refused(table.check(file), "in the name of The head judge")

    def test_a_signature_has_one_spelling(self, table: Table) -> None:
        """Base64 leaves two bits unused at the end: another letter there would be the same signature."""
        file = table.publish("json", "public", JUDGE)
        written = str(cast("list[Json]", record_in(file)["by"])[0]["signature"])
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        last = written.rstrip("=")[-1]
        other = written.replace(f"{last}==", f"{letters[letters.index(last) ^ 1]}==")
        assert b64decode(other) == b64decode(written)
        refused(table.check(rewritten(file, file.read_bytes().replace(written.encode(), other.encode()))), "NOT signed")

    def test_a_seal_called_unbroken(self, another: Table) -> None:
        another.log.write_bytes(another.log.read_bytes().replace(b'"Ada"', b'"Eve"'))
        file = another.publish("json")
        refused(another.check(file), "said to be broken")
        refused(
            another.check(forged(file, lambda record: cast(Json, record["seal"]).update(standing="sealed"))),
            "said to be sealed, but the file holds no seal",
        )

    def test_the_secret_of_the_seal_in_a_public_file(self, table: Table) -> None:
        secret = table.seal.secret
        for form in FORMS:
            assert secret.encode() not in table.publish(form, "public").read_bytes()


@pytest.mark.parametrize(
    ("sample", "events"),
    [
        ("altered-duel", None),
        ("lotr-crows", None),
        ("hidden", EVENTS),
        *(pytest.param(name, None, marks=pytest.mark.prove) for name in ("hidden", *LONG_SAMPLES)),
    ],
)
def test_samples_of_every_game_are_intact_for_every_viewer(
    sample: str, events: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    table = Table(tmp_path, sample, events)
    for viewer in ("public", table.source.header.players[0].seat):
        found = table.check(table.publish("json", viewer, JUDGE))
        assert found.is_intact, viewer
        assert not found.withheld, viewer
        assert table.check(table.publish("json", viewer), table.log).is_intact, viewer
    assert table.check(table.publish("json", "judge", JUDGE)).is_intact


def test_a_file_that_is_none(tmp_path: Path) -> None:
    for text in (b"", b"<p>", b"{}", b"[1]", b"\xff", b"<!doctype html>", b"[" * 100_000):
        file = tmp_path / "page.html"
        file.write_bytes(text)
        with pytest.raises(RecordError, match="not a published record"):
            check_published(file)


PUT_ON_DECK = (
    {"log": "audit/1", "ruleset": "compile", "players": [{"seat": "A"}, {"seat": "B"}], "setup": {"position": {
        "turn": 9, "phase": "action", "player": "B", "sides": {
            "A": {"protocols": ["unity", "fire", "life"], "lines": [["unity-1*", "fire-1*"], [], []], "deck": 5},
            "B": {"protocols": ["corruption", "smoke", "water"], "hand": ["corruption-1", "smoke-1"], "deck": 5},
        }}}},
    {"type": "played", "player": "B", "card": "corruption-1", "line": 1, "face": "up"},
    {"type": "returned", "card": "fire-1", "to": "A"},
    {"type": "put_on_deck", "cards": ["fire-1"], "deck": "A"},
)  # fmt: skip


@pytest.mark.parametrize("star", ["*", ""])
def test_a_card_that_goes_face_down_onto_a_deck_is_hidden_by_the_rules_unless_it_lay_open(
    star: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    log, file = tmp_path / "game.jsonl", tmp_path / "game.json"
    header, *events = PUT_ON_DECK
    lines = [header, *({"seq": seq, **event} for seq, event in enumerate(events, 1))]
    log.write_text("".join(f"{json.dumps(line)}\n" for line in lines).replace("fire-1*", f"fire-1{star}"))
    seal_file(log)
    file.write_bytes(publish(source_at(log), "json", "public"))
    assert not check_published(file).withheld
    record = check.record_in(unpacked(file.read_bytes()))
    assert record.proof
    shown = shown_lines(record.log[0], record.steps)
    kept_back = [*record.proof.openings[:3], {**dict.fromkeys(shown[3], "salt"), "cards": ["#" + "A" * 43]}]
    told = withheld("public", source_of_record(record), kept_back, shown)
    assert told == ([] if star else ["line 4: cards.0"])
