"""Rulings and errata: entries of their own, in force from their edition on, cited before the rules they bear on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from msgspec.structs import replace

from audit.core.auditor import audit
from audit.core.cases import Case, cases_of, events_of, header_of, run
from audit.core.catalogue import LANGUAGES, Catalogue, Ruling, words
from audit.core.errors import UnknownEditionError
from audit.core.model import Event, Header, Verdict
from audit.core.rulings import cited
from audit.core.steps import Step
from audit.games.compile import RULESET
from audit.games.compile.cards import CARDS, PROTOCOLS
from audit.games.compile.events import Triggered
from audit.games.compile.rules import CATALOGUE
from replays.generating.simulate import simulated
from replays.judging.editions import OtherEditions, OtherVerdict
from replays.judging.replay import replay
from replays.judging.report import check
from replays.log.reader import Log, open_log
from replays.log.writer import write_log
from replays.terminal.rules import BROKEN, LEGAL, coverage_of
from tests.conftest import SHARED
from tests.yaml_files import read_yaml

FACTS = SHARED / "facts" / "compile-rulings.yaml"
SAMPLES = Path(__file__).resolve().parents[2] / "replays" / "samples"

RULINGS = tuple(CATALOGUE.rulings.values())
PROTOCOL_NAMES = tuple(PROTOCOLS)
PLAYABLE = tuple(one for one in RULINGS if set(one.cards) <= CARDS.keys())
NOT_SHOWN: set[str] = set()

every_ruling = pytest.mark.every("ruling", RULINGS, ids=lambda one: one.id)


def named(id: str) -> Case:
    return next(case for case in cases_of("audit.games.compile") if case.id == id)


def verdicts(case: Case, edition: str) -> list[Verdict]:
    header = replace(header_of(RULESET, case), edition=edition)
    return [step.verdict for step in audit(RULESET, header, events_of(RULESET, case)) if step.seq]


def last_cited(case: Case, edition: str = "") -> list[str]:
    return [rule.id for rule in cited(RULESET, run(RULESET, case)[-1], edition)]


# The entries


@every_ruling
def test_a_ruling_bears_on_rules_that_there_are(ruling: Ruling) -> None:
    assert ruling.bears_on
    assert set(ruling.bears_on) <= CATALOGUE.rules.keys()
    assert ruling.kind in ("ruling", "clarification", "erratum")


@pytest.mark.every("ruling", PLAYABLE, ids=lambda one: one.id)
def test_a_ruling_speaks_of_events_that_there_are(ruling: Ruling) -> None:
    assert ruling.events
    assert set(ruling.events) <= RULESET.rules.types.keys()


@pytest.mark.every("language", LANGUAGES)
def test_every_ruling_is_said_in_whole_sentences_of_every_language(language: str) -> None:
    said = words("audit.games.compile", language, "rulings")
    assert list(said) == [one.id for one in RULINGS]
    assert len(set(said.values())) == len(said)
    assert all(text[0].isupper() and text.endswith(".") and "  " not in text for text in said.values())


@pytest.mark.skipif(not FACTS.exists(), reason="needs the folder shared/ beside the project")
def test_every_official_ruling_and_erratum_is_an_entry_with_its_cards_and_edition() -> None:
    facts = read_yaml(FACTS)
    for fact in facts["rulings"]:
        assert set(fact["cards"]) - {"fire-5"} == set(CATALOGUE[fact["id"]].cards)
        assert (CATALOGUE[fact["id"]].kind == "ruling") == ("beyond" in fact or fact["id"] in SINCE_MAIN_2)
    errata = {f"erratum.{fact['card']}": fact["since"] for fact in facts["errata"]}
    assert errata == {one.id: one.edition for one in RULINGS if one.kind == "erratum"}


SINCE_MAIN_2 = {f"cx-{number}" for number in range(25, 37)}
"""What these rulings say stands in no document of the first sets."""


def test_a_ruling_is_found_by_its_id_and_by_its_number() -> None:
    assert CATALOGUE["cx-01"] is CATALOGUE["ruling.gravity-2"]


# Followed and broken


@cache
def coverage() -> dict[str, dict[str, object]]:
    return coverage_of(RULESET)


@pytest.mark.every("ruling", PLAYABLE, ids=lambda one: one.id)
def test_every_ruling_is_followed_once_and_broken_once(ruling: Ruling) -> None:
    entry = coverage()[ruling.id]
    assert bool(entry[LEGAL] and entry[BROKEN]) != (ruling.id in NOT_SHOWN)


def test_a_ruling_is_cited_right_before_the_rule_it_bears_on() -> None:
    found = last_cited(named("flipped-card-shifted-from-under"))
    assert found.index("ruling.gravity-2") < found.index("effects.must-be-applied")


def test_a_broken_ruling_is_named_first() -> None:
    assert last_cited(named("covering-card-shifted-instead"))[0] == "ruling.gravity-2"


def test_a_ruling_about_another_card_is_not_cited() -> None:
    assert not any(id.startswith("ruling.metal") for id in last_cited(named("flipped-card-shifted-from-under")))


@pytest.mark.every(
    ("side", "lines"),
    [
        (
            {"hand": ["metal-0"], "deck": ["time-2", "smoke-1", "smoke-2", "smoke-4"]},
            [{"type": "refreshed"}, {"type": "drew", "cards": ["time-2", "smoke-1", "smoke-2", "smoke-0"]}],
        ),
        (
            {"hand": ["metal-1"], "lines": [["metal-5", "metal-3", "metal-2"], [], []]},
            [{"type": "played", "card": "metal-1", "line": 1, "face": "down"}],
        ),
        ({"trash": ["smoke-3"]}, [{"type": "played", "card": "smoke-3", "line": 2, "face": "up"}]),
    ],
    ids=["drawn", "played while a compile is due", "not in the hand"],
)
def test_a_ruling_about_a_text_that_does_not_act_is_not_cited(
    side: dict[str, object], lines: list[dict[str, object]]
) -> None:
    """The event is about that card, and something else forbids it."""
    table = {
        "A": {"protocols": ["metal", "smoke", "time"], "hand": ["metal-0"], "lines": [[], [], []], **side},
        "B": {"protocols": ["mirror", "life", "love"], "lines": [[], [], []]},
    }
    position = {"player": "A", "phase": "compile", "turn": 3, "sides": table}
    log = tuple({"player": "A", **line} for line in lines)
    case = Case(id="", title="", proves=(), verdict="broken", setup={"position": position}, log=log)
    found = last_cited(case)
    assert found
    assert not found[0].startswith(("ruling.", "erratum.")), found


def test_no_viewer_learns_a_face_down_card_from_a_ruling() -> None:
    log = open_log(SAMPLES / "clean.jsonl")
    for step in audit(RULESET, log.header, log):
        known = {rule.id for rule in cited(RULESET, step, viewer="judge")}
        assert {rule.id for rule in cited(RULESET, step, viewer="public")} <= known


# Editions


def test_a_log_without_an_edition_is_judged_by_the_newest() -> None:
    assert CATALOGUE.editions == ("first", "2024-10", "2024-12", "2025-08", "2025-09")
    assert CATALOGUE.edition("") == "2025-09"


@pytest.mark.every(
    ("date", "edition"),
    [("2024-11", "2024-10"), ("2025", "2025-09"), ("2024-01", "first"), ("2030-01-31", "2025-09"), ("first", "first")],
)
def test_a_date_means_the_last_edition_until_then(date: str, edition: str) -> None:
    assert CATALOGUE.edition(date) == edition


def test_an_edition_that_nobody_knows_is_an_error_with_those_there_are() -> None:
    with pytest.raises(UnknownEditionError) as failure:
        CATALOGUE.edition("deluxe")
    assert failure.value.known == CATALOGUE.editions


def test_a_ruling_is_cited_from_its_edition_on() -> None:
    case = named("flipped-card-shifted-from-under")
    assert "ruling.gravity-2" in last_cited(case, "2025-09")
    assert "ruling.gravity-2" not in last_cited(case, "2024-10")


def test_a_superseded_ruling_holds_until_the_one_that_supersedes_it() -> None:
    catalogue = Catalogue("audit.games.compile", (), {})
    old, new = catalogue.rulings["erratum.life-0"], catalogue.rulings["ruling.life-0"]
    old = catalogue.rulings[old.id] = replace(old, superseded_by=new.id)
    assert [catalogue.holds(old, edition) for edition in ("first", "2024-10", "2025-08", "2025-09")] == [
        False, True, True, False,
    ]  # fmt: skip


@pytest.mark.every("edition", ["2024-10", "2024-12", "2025-08"])
def test_covered_metal_1_bars_in_editions_before_its_ruling(edition: str) -> None:
    case = named("compiled-once-metal-1-is-covered")
    assert Verdict.ILLEGAL in verdicts(case, edition)
    assert set(verdicts(case, "2025-09")) == {Verdict.LEGAL}


def test_only_the_first_print_of_life_0_deletes_itself_before_it_is_covered() -> None:
    case = named("life-0-as-first-printed")
    assert set(verdicts(case, "first")) == {Verdict.LEGAL}
    assert all(Verdict.ILLEGAL in verdicts(case, edition) for edition in CATALOGUE.editions[1:])


def other_editions(case: Case) -> OtherEditions:
    header = header_of(RULESET, case)
    return OtherEditions(RULESET, header, list(audit(RULESET, header, events_of(RULESET, case))))


def test_a_step_that_another_edition_judges_otherwise_says_so_and_why() -> None:
    others = other_editions(named("compiled-once-metal-1-is-covered"))
    compiled = others.steps[1]
    otherwise = OtherVerdict(Verdict.ILLEGAL, (CATALOGUE.rulings["ruling.metal-1"],))
    assert others.of(compiled) == dict.fromkeys(("first", "2024-10", "2024-12", "2025-08"), otherwise)


def test_of_two_changes_the_one_that_matters_is_named() -> None:
    """The first print has Metal 1 and Life 0 otherwise; the game names both, and here it is Life 0."""
    case = named("deletes-itself-under-a-card")
    position = case.setup["position"]
    assert isinstance(position, dict)
    case = replace(case, setup={"position": {**position, "x-shown": "metal-1"}})
    triggered = next(step for step in other_editions(case).steps if type(step.event) is Triggered)
    said = other_editions(case).of(triggered)
    assert {edition: [one.id for one in other.by] for edition, other in said.items()} == {"first": ["erratum.life-0"]}


def as_log(tmp_path: Path, header: Header, events: Sequence[Event]) -> Log:
    write_log(tmp_path / "game.jsonl", header, events)
    return open_log(tmp_path / "game.jsonl")


def test_a_report_lists_the_events_that_other_editions_judge_otherwise_and_why(tmp_path: Path) -> None:
    case = named("compiled-once-metal-1-is-covered")
    (compiled,) = check(as_log(tmp_path, header_of(RULESET, case), events_of(RULESET, case))).otherwise
    assert compiled["seq"] == 1
    assert compiled["editions"] == dict.fromkeys(("first", "2024-10", "2024-12", "2025-08"), "illegal")
    assert compiled["editions_by"] == {key: ["ruling.metal-1"] for key in ("first", "2024-10", "2024-12", "2025-08")}


@pytest.mark.parametrize("edition", ["2025-09", "first"])
def test_a_report_and_a_replay_say_the_same_of_other_editions(tmp_path: Path, edition: str) -> None:
    header, events = simulated(RULESET, 7, "greedy", ("life", "gravity", "speed", "water", "metal", "spirit"))
    log = as_log(tmp_path, replace(header, edition=edition), events)
    steps = [step for step in replay(log).steps if step.get("editions")]
    keys = ("seq", "verdict", "editions", "editions_by")
    assert steps
    assert [{key: step[key] for key in keys} for step in steps] == check(log).otherwise


def test_a_game_without_such_cards_is_not_judged_again() -> None:
    assert other_editions(named("second-play")).verdicts == {}


NEVER_ALIKE = {one.id for one in RULINGS if one.changes_play and one.edition > "2024-10"}
"""The entries by which 2024-10 and 2025-09 may judge a game otherwise."""


def judged(edition: str, header: Header, events: Sequence[Event]) -> list[Step]:
    return list(audit(RULESET, replace(header, edition=edition), events))


@pytest.mark.every("seed", range(20))
def test_2024_10_and_2025_09_differ_where_the_rulings_say_so_and_nowhere_else(seed: int) -> None:
    """All thirty protocols: six of them in each game, and another six in the next."""
    pool = [PROTOCOL_NAMES[(6 * seed + at) % len(PROTOCOL_NAMES)] for at in range(6)]
    header, events = simulated(RULESET, seed, ("uniform", "greedy", "chains")[seed // 5 % 3], pool)
    newest, older = judged("2025-09", header, events), judged("2024-10", header, events)
    otherwise = OtherEditions(RULESET, header, newest)
    for step, before in zip(newest, older, strict=True):
        new = {rule.id for rule in cited(RULESET, step, "2025-09")}
        old = {rule.id for rule in cited(RULESET, before, "2024-10")}
        assert not old - new
        assert all(CATALOGUE.rulings[id].edition > "2024-10" for id in new - old)
        if step.verdict is not before.verdict:
            assert {ruling.id for ruling in otherwise.of(step)["2024-10"].by} <= NEVER_ALIKE


def test_what_changes_play_is_marked_in_the_data() -> None:
    assert {one.id: one.edition for one in RULINGS if one.changes_play} == {
        "ruling.metal-1": "2025-09", "erratum.life-0": "2024-10",
    }  # fmt: skip
    assert CATALOGUE.switches_before("2024-10") == {"before-2025-09"}
    assert CATALOGUE.switches_before("2025-09") == frozenset()


@pytest.mark.every("language", LANGUAGES)
def test_a_ruling_about_a_card_calls_it_by_its_name(language: str) -> None:
    said, names = words("audit.games.compile", language, "rulings"), words("audit.games.compile", language, "names")
    for ruling in PLAYABLE:
        for card in ruling.cards:
            protocol, _, value = card.rpartition("-")
            stem = names[f"protocol.{protocol}"][:1]
            assert stem in said[ruling.id]
            assert value in said[ruling.id]
