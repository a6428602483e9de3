"""A game as a scorekeeper keeps it: what is amended or taken back is shown, and counts for nothing."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.event_rules import numbered
from audit.core.model import Event, Header, Verdict
from audit.core.record_events import Amended, Checkpoint, Gap, PositionSet, TakenBack, superseded
from audit.core.ruleset import ruleset
from replays.errors import LogError
from replays.generating.simulate import simulated
from replays.judging.replay import replay
from replays.judging.report import Report, check
from replays.judging.tally import Tally, superseded_steps
from replays.judging.versions import engine, fingerprint
from replays.log.reader import open_log
from replays.log.writer import line_of
from replays.store.store import Store
from replays.terminal.replay_screen import Screen, summary
from replays.terminal.reports import judged_lines, junit, sarif, text
from replays.trust.seal import seal
from replays.trust.verify import verify

GAME = ruleset("compile")
SAMPLE = Path(__file__).resolve().parents[2] / "replays" / "samples" / "kept-by-hand.jsonl"
LINES = SAMPLE.read_bytes().splitlines(keepends=True)
SLIP, PUT_RIGHT, TAKEN_BACK, NOT_JUDGED = 45, 47, 32, 62
"""The seqs of a card written in the wrong line, of its amendment, of a take-back, and of a play after a gap."""
ABOUT_THE_RECORD = [
    number for number, line in enumerate(LINES) if json.loads(line).get("type") in (
        "amended", "taken_back", "position_set", "gap", "flagged", "checkpoint"
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def report() -> Report:
    return check(open_log(SAMPLE))


@pytest.fixture(scope="module")
def screen() -> Screen:
    return Screen(GAME, replay(open_log(SAMPLE)))


def log_of(header: Header, events: list[Event]) -> io.BytesIO:
    return io.BytesIO("".join(f"{line}\n" for line in (line_of(header), *map(line_of, events))).encode())


class TestTheSample:
    """Declines unspoken, a late record, an amendment, a take-back, a gap, a position, a flag and a checkpoint."""

    def test_it_has_every_event_about_the_record_and_no_finding(self, report: Report) -> None:
        assert {json.loads(LINES[number])["type"] for number in ABOUT_THE_RECORD} == {
            "amended", "taken_back", "position_set", "gap", "flagged", "checkpoint"
        }  # fmt: skip
        assert report.findings == []
        assert report.diverged_from is None

    def test_it_says_how_much_was_judged_and_why_the_rest_was_not(self, report: Report) -> None:
        assert (report.judged, report.steps, report.superseded) == (report.steps - 1, 225, 3)
        (why,) = report.unchecked
        assert why["steps"] == 1
        assert "not recorded" in str(why["reason"])

    def test_of_a_game_in_which_nothing_stands_nothing_is_said_to_be_judged(self) -> None:
        kept = [*LINES[:2], b'{"seq": 2, "type": "taken_back", "to": 0}\n']
        report = check(open_log(io.BytesIO(b"".join(line.strip() + b"\n" for line in kept))))
        assert report.steps == 0
        assert list(judged_lines(report, "en")) == ["1 event is amended or taken back."]

    def test_a_finding_without_a_rule_has_no_line_for_one(self) -> None:
        amended = b'{"seq": 2, "type": "amended", "from": 9}\n'
        report = check(open_log(io.BytesIO(b"".join([*LINES[:2], amended]))), language="fr")
        assert len(report.findings) == 1
        assert not [line for line in text(report, "fr") if line.strip().startswith("–")]

    def test_a_slip_that_was_put_right_is_a_finding_at_its_step_alone(self) -> None:
        game = replay(open_log(SAMPLE))
        slip = game.steps[game.steps.of_seq[SLIP]]
        assert (slip["verdict"], slip["superseded_by"]) == ("illegal", PUT_RIGHT)
        assert "Metal 6 may be face up only" in str(slip["message"])
        assert game.findings == []
        assert game.counts["illegal"] == 0

    def test_inferred_steps_go_with_the_event_that_they_lead_to(self) -> None:
        steps = replay(open_log(SAMPLE)).steps
        aside = [step for step in steps if step.get("superseded_by") == PUT_RIGHT]
        assert [step["seq"] for step in aside] == [None, SLIP, None, None, SLIP + 1]

    def test_a_late_record_says_so_and_so_does_the_step_that_it_was_inferred_as(self) -> None:
        inferred, recorded = (step for step in replay(open_log(SAMPLE)).steps if step.get("late"))
        assert (inferred["seq"], inferred["late"]) == (None, recorded["seq"])
        assert inferred["sentence"] == recorded["sentence"]

    def test_a_step_that_was_not_judged_says_why(self) -> None:
        game = replay(open_log(SAMPLE))
        step = game.steps[game.steps.of_seq[NOT_JUDGED]]
        assert step["verdict"] == "unchecked"
        assert str(step["message"]).startswith(f"{step['sentence']} Something before this was not recorded.")

    def test_in_the_store_nothing_that_was_put_right_is_found(self, tmp_path: Path) -> None:
        with Store(tmp_path / "games.db") as store:
            id = store.import_log(SAMPLE).game
            assert store.export(id) == SAMPLE.read_bytes()
            store.follow()
            row = store.shown.game(id)
            assert row is not None
            assert (row.findings, row.events, row.verdicts["unchecked"], row.fidelity) == (0, 97, 1, "partial")
            assert store.shown.findings(id) == ()
            assert store.shown.games(verdict="illegal").total == 0


class TestReports:
    """The same in every format, and the exit codes as ever."""

    def test_the_text_names_what_was_not_judged(self, report: Report) -> None:
        said = "\n".join(text(report, "en"))
        assert "3 events are amended or taken back." in said
        assert f"{report.judged} of {report.steps} steps were judged; 1 was not:" in said
        assert "1 × Something before this was not recorded." in said

    def test_the_text_names_gaps_positions_and_flags_and_does_not_call_the_log_clean(self, report: Report) -> None:
        said = "\n".join(text(report, "en"))
        assert "No findings in what was judged." in said
        assert "1 gap: something was not recorded at event 61." in said
        assert "The position was set at event 63." in said
        assert "Event 58 is flagged" in said

    def test_a_log_that_ends_in_a_gap_is_not_called_clean(self) -> None:
        log = log_of(open_log(SAMPLE).header, [Gap(seq=1, note="All of it.")])
        said = "\n".join(text(check(open_log(log)), "en"))
        assert "No findings in what was judged." in said
        assert "something was not recorded at event 1." in said

    def test_of_a_whole_log_it_says_that_all_was_judged(self) -> None:
        whole = check(open_log(SAMPLE.with_name("clean.jsonl")))
        assert list(judged_lines(whole, "en")) == [f"All {whole.steps} steps were judged."]

    @pytest.mark.parametrize("language", ["fr", "it", "pl"])
    def test_in_every_language(self, language: str) -> None:
        said = "\n".join(text(check(open_log(SAMPLE), language=language), language))
        assert "224" in said
        assert "{" not in said

    def test_sarif_says_it_beside_each_log(self, report: Report) -> None:
        (run,) = json.loads(sarif([report], "en"))["runs"]
        (log,) = run["artifacts"]
        assert log["location"]["uri"] == report.log
        assert (log["properties"]["judged"], log["properties"]["steps"]) == (report.judged, report.steps)
        assert run["results"] == []

    def test_junit_says_it_in_the_test_case(self, report: Report) -> None:
        (case,) = ElementTree.fromstring(junit([report], "en"))
        assert {one.get("name"): one.get("value") for one in case.iter("property")} == {
            "steps": str(report.steps), "judged": str(report.judged), "superseded": "3",
            "engine": engine(), "catalogue": fingerprint("compile"), "edition": report.edition,
        }  # fmt: skip
        assert "1 was not" in (case.findtext("system-out") or "")

    def test_a_finding_without_a_rule_has_its_place_in_every_report(self) -> None:
        wrong = json.loads(LINES[ABOUT_THE_RECORD[-1]])
        wrong["position"]["turn"] += 3
        lines = [*LINES[: ABOUT_THE_RECORD[-1]], json.dumps(wrong).encode() + b"\n"]
        found = check(open_log(io.BytesIO(b"".join(lines))))
        (finding,) = found.findings
        assert (finding["type"], finding["rules"], finding["statement"]) == ("checkpoint", [], "")
        assert json.loads(sarif([found], "en"))["runs"][0]["results"][0]["ruleId"] == "unexpected"
        assert "stands otherwise" in "\n".join(text(found, "en"))
        assert "stands otherwise" in junit([found], "en")


class TestTheTerminal:
    """Walking through the game."""

    def test_a_step_that_stands_no_longer_says_since_when_by_whom_and_why(self, screen: Screen) -> None:
        lines = "\n".join(screen.step(screen.replay.steps.of_seq[SLIP]))
        assert "✗ Ada plays Metal 6 face up in line 2." in lines
        assert f"Stands no longer since event {PUT_RIGHT}.\n  By Cleo.\n  Reason: It lay in line 1" in lines

    def test_it_is_struck_through_where_there_are_styles(self) -> None:
        painted = Screen(GAME, replay(open_log(SAMPLE)), paint=lambda style, words: f"<{style}>{words}</{style}>")
        assert "<struck><illegal>✗ Ada plays Metal 6" in "\n".join(painted.step(painted.replay.steps.of_seq[SLIP]))

    def test_an_amendment_names_the_steps_it_sets_aside(self, screen: Screen) -> None:
        index = screen.replay.steps.of_seq[PUT_RIGHT]
        lines = "\n".join(screen.step(index))
        assert f"Steps {index - 5} to {index - 1} stand no longer." in lines

    def test_unchecked_and_recorded_steps_have_their_marks(self, screen: Screen) -> None:
        of_seq = screen.replay.steps.of_seq
        assert "~ Bruno plays Card 18 (unnamed) face down in line 1. Something" in "\n".join(
            screen.step(of_seq[NOT_JUDGED])
        )
        assert "· The players go back" in "\n".join(screen.step(of_seq[TAKEN_BACK]))

    def test_walking_goes_on_from_where_the_record_leads(self, screen: Screen) -> None:
        amended = screen.replay.steps.of_seq[PUT_RIGHT]
        before = amended - 6
        assert screen.beside(before, 1) == amended
        assert screen.beside(amended, -1) == before
        assert screen.beside(amended - 5, 1) == amended - 4, "who looks into it walks through it"
        assert screen.beside(amended - 1, 1) == amended

    def test_the_end_counts_every_event(self, screen: Screen) -> None:
        assert summary(screen.replay)[0] == "97 events. No findings in what was judged."


class TestSeals:
    """A line about the record is a line like any other."""

    @pytest.mark.parametrize("number", ABOUT_THE_RECORD)
    def test_a_changed_field_of_an_event_about_the_record_is_found(self, tmp_path: Path, number: int) -> None:
        sealed, log = seal(SAMPLE), tmp_path / "game.jsonl"
        log.write_bytes(SAMPLE.read_bytes())
        assert verify(log, sealed).is_unaltered
        changed = json.loads(LINES[number])
        changed[next(key for key in changed if key not in ("seq", "type"))] = "another"
        log.write_bytes(b"".join([*LINES[:number], json.dumps(changed).encode() + b"\n", *LINES[number + 1 :]]))
        verdict = verify(log, sealed)
        assert not verdict.is_unaltered
        assert verdict.bad is not None
        assert (verdict.bad.line, verdict.bad.kind) == (number + 1, "altered")


class TestIds:
    """An event may have a name of its own, once in a log."""

    def test_an_id_said_twice_is_a_problem_that_names_both_lines(self) -> None:
        number = ABOUT_THE_RECORD[2]
        again = LINES[number].replace(b"{", b'{"id": "b-water", ', 1)
        lines = [*LINES[:number], again, *LINES[number + 1 :]]
        with pytest.raises(LogError) as caught:
            list(open_log(io.BytesIO(b"".join(lines))))
        assert any(problem.field == "id" and "b-water" in problem.found for problem in caught.value.problems)

    def test_a_log_says_in_its_header_that_it_is_complete(self) -> None:
        header = json.loads(LINES[0]) | {"complete": True}
        log = open_log(io.BytesIO(json.dumps(header).encode() + b"\n" + b"".join(LINES[1:])))
        assert log.header.complete
        assert check(log).findings


class TestPositions:
    """Where a stored record leads."""

    def test_the_position_of_a_stored_game_is_that_of_what_stands(self, tmp_path: Path) -> None:
        header, events = simulated(GAME, 5, most=60)
        log: list[Event] = [*events[:40], events[20], Amended(seq=0, from_=41), *events[40:], Gap(seq=0)]
        log += [*events[30:33], TakenBack(seq=0, to=62)]
        numbers = [numbered(event, seq) for seq, event in enumerate(log, 1)]
        with Store(tmp_path / "games.db") as store:
            id = store.import_log(log_of(header, numbers)).game
            end = GAME.rules.replay_to(GAME.rules.start(header), events)
            assert GAME.disclosure.view(store.state(id)) == GAME.disclosure.view(end)

    def test_a_position_that_was_set_is_where_it_goes_on(self, tmp_path: Path) -> None:
        header, events = simulated(GAME, 5, most=60)
        set_to = json.loads(LINES[63])["position"]
        log: list[Event] = [*events[:30], PositionSet(seq=31, position=set_to)]
        with Store(tmp_path / "games.db") as store:
            id = store.import_log(log_of(header, log)).game
            assert GAME.disclosure.view(store.state(id))["turn"] == set_to["turn"]


class TestRecordsOfEveryKind:
    """Whatever leads back to wherever, counting while reading gives what counting at the end gives."""

    @pytest.mark.parametrize("seed", range(3))
    def test_what_is_counted_is_what_stands(self, seed: int) -> None:
        header, events = record(seed)
        steps = list(audit(GAME, header, events))
        aside = superseded_steps(steps)
        tally = Tally()
        for step in steps:
            tally.count(step, {"seq": step.seq} if step.verdict.is_finding else None)
        stand = [step for step in steps if step.event and step.index not in aside]
        for verdict in Verdict:
            assert tally.counts[verdict] == sum(step.verdict is verdict for step in stand), verdict
        assert [one["seq"] for one in tally.findings] == [step.seq for step in stand if step.verdict.is_finding]
        assert tally.superseded == sum(1 for step in steps if step.seq and step.index in aside)
        found = check(open_log(log_of(header, events)))
        assert [one["seq"] for one in found.findings] == [one["seq"] for one in tally.findings]

    def test_what_an_amendment_set_aside_stands_again_after_one_of_that_amendment(self) -> None:
        header, events = simulated(GAME, 3, most=12)
        log = [*events[:9], Amended(seq=0, from_=6), events[5], Amended(seq=0, from_=10), *events[9:]]
        log = [numbered(event, seq) for seq, event in enumerate(log, 1)]
        assert superseded(log) == {10: 12, 11: 12}
        tally = Tally()
        for step in audit(GAME, header, log):
            tally.count(step)
        assert (tally.superseded, tally.legal) == (2, len(events))

    def test_amendments_of_amendments_lead_back_without_judging_each_of_them_again(self) -> None:
        header, events = simulated(GAME, 3, most=6)
        log = [*events, *(Amended(seq=seq, from_=seq - 1) for seq in range(7, 67))]
        last = list(audit(GAME, header, log))[-1]
        assert last.state == GAME.rules.replay_to(GAME.rules.start(header), log)

    def test_an_amendment_of_what_is_still_to_come_sets_nothing_aside(self) -> None:
        header, events = simulated(GAME, 3, most=8)
        log = [*events, Amended(seq=9, from_=12)]
        report = check(open_log(log_of(header, log)))
        assert (report.superseded, [finding["type"] for finding in report.findings]) == (0, ["amended"])
        assert not [step for step in replay((header, log)).steps if step.get("superseded_by")]


@pytest.mark.every(
    ("told", "control", "turn"),
    [
        ([PositionSet(seq=0, position={"control": "A"})], "A", 4),
        ([PositionSet(seq=0, position={"control": "A"}), PositionSet(seq=0, position={"turn": 9})], "A", 9),
        ([PositionSet(seq=0, position={})], None, 4),
        ([Gap(seq=0), Checkpoint(seq=0, position={"control": "B"})], "B", 4),
        ([Gap(seq=0), Checkpoint(seq=0, position={})], None, 4),
    ],
)
def test_what_a_set_position_leaves_out_stays_as_it_was(told: list[Event], control: str | None, turn: int) -> None:
    game = ruleset("compile")
    header, events = simulated(game, 3)
    begun = [*events[: next(at for at, one in enumerate(events) if getattr(one, "turn", 0) == 4) + 1], *told]
    log = [numbered(event, seq) for seq, event in enumerate(begun, 1)]
    last = list(audit(game, header, log))[-1]
    assert type(last.event) is type(told[-1])
    for state in (last.state, game.rules.replay_to(game.rules.start(header), log)):
        seen = game.disclosure.view(state)
        assert (seen["control"], seen["turn"]) == (control, turn)
        assert (
            seen["sides"]
            == game.disclosure.view(game.rules.replay_to(game.rules.start(header), events[: len(begun) - len(told)]))[
                "sides"
            ]
        )


def record(seed: int) -> tuple[Header, list[Event]]:
    """A record that leads back again and again, sometimes to before what it led back to already."""
    header, events = simulated(GAME, seed, most=120)
    random = Random(seed)
    log: list[Event] = []
    for event in wrong(events, random):
        log.append(numbered(event, len(log) + 1))
        if random.random() < 0.06:
            to = max(0, len(log) - random.randrange(12))
            lead = Amended(seq=1, from_=to + 1) if random.random() < 0.5 else TakenBack(seq=1, to=to)
            log.append(numbered(lead, len(log) + 1))
        elif random.random() < 0.02:
            log.append(Gap(seq=len(log) + 1))
    return header, log


def wrong(events: list[Event], random: Random) -> Iterator[Event]:
    """The events, here and there one of them twice or with another line."""
    for event in events:
        yield event
        if random.random() < 0.08:
            yield replace(event, line=random.randint(1, 3)) if hasattr(event, "line") else event
