"""Cases: opened, argued, ruled, appealed, found again; one judge wins and the other is told."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from copy import copy
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from audit.core.ruleset import ruleset
from cli import audit
from commands.verifying import verified
from replays.cases.book import CaseBook, CaseConflictError, FolderShelf, StoreShelf, UnknownCaseError
from replays.cases.case import Case, CaseError, CaseState
from replays.cases.consequences import consequence, reach
from replays.cases.disclosed import secrets_named, told
from replays.cases.events import AnyEvent
from replays.cases.infractions import as_csv, infractions
from replays.cases.precedents import contradictions, stale
from replays.cases.writing import made, opened, opinion_on, place_of_log, precedents_of_case, ruled
from replays.log.reader import open_log
from replays.season.comparing import StoredGame
from replays.store.store import Store
from replays.trust.ledger import UnknownLedgerError
from replays.trust.verify import NOBODY
from tests import command_line

DISPUTE = Path("replays/samples/dispute.jsonl")
NEEDS = "play.face-up-needs-protocol"
JUDGE = {"by": "Ada", "role": "judge", "at": "2026-01-02T10:00:00Z"}
HEAD = {"by": "Zoë", "role": "head-judge", "at": "2026-01-02T10:30:00Z"}


@pytest.fixture(params=["folder", "store"])
def book(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[CaseBook]:
    if request.param == "folder":
        (tmp_path / "cases").mkdir()
        yield CaseBook(FolderShelf(tmp_path / "cases"))
        return
    url = request.getfixturevalue("url") if "url" in request.fixturenames else tmp_path / "games.db"
    with Store(url) as store:
        yield CaseBook(StoreShelf(store))


def opened_at(book: CaseBook, seq: int = 25, **more: object) -> Case:
    place, known = place_of_log(DISPUTE.read_bytes(), seq, "dispute.jsonl")
    event = opened(place, {**JUDGE, "question": "May it?", "languages": ["en", "pl"], **known, **more})
    return book.open(event, opinion_on(event, JUDGE))


def ruling(
    case: Case, decision: str = "no", rule: str = NEEDS, who: dict[str, str] = JUDGE, **more: object
) -> AnyEvent:
    return ruled(case, {**who, "decision": decision, "rules": [rule], "reasons": {"en": "So."}, **more})


def test_the_auditor_says_at_once_what_the_log_of_the_case_says(book: CaseBook) -> None:
    case = opened_at(book)
    assert case.state is CaseState.OPEN
    assert case.opinion
    assert [(each.verdict, each.rules[0]) for each in case.opinion.judged] == [("illegal", NEEDS)]
    assert case.opened.players == {"A": "Ada", "B": "Bo"}
    assert (case.opinion.engine, len(case.opinion.catalogue)) != ("", 0)


def test_the_way_from_open_to_final(book: CaseBook) -> None:
    case = opened_at(book)
    case = book.add(case.id, ruling(case))
    assert case.state is CaseState.RULED
    for player in ("Q", "Bo"):
        with pytest.raises(CaseError, match="there are A, B"):
            book.add(case.id, made("appealed", {**JUDGE, "role": "player", "by": "Bo", "player": player}))
    case = book.add(case.id, made("appealed", {**JUDGE, "role": "player", "by": "Bo", "player": "B"}))
    assert case.state is CaseState.APPEALED
    with pytest.raises(CaseError, match="head judge"):
        book.add(case.id, ruling(case))
    case = book.add(case.id, ruling(case, "yes", who=HEAD))
    assert case.state is CaseState.FINAL
    assert [each.decision for each in case.rulings] == ["no", "yes"]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("appealed", {"player": "A"}), ("claimed", {"player": "Q"}),
        ("made_final", {}), ("superseded", {"case": "cxyz", "reason": "x"}),
        ("remedied", {"to": 1, "game": "x"}), ("opened", {}), ("evidence", {}), ("nothing", {}),
        ("agreed", {"text": ""}), ("agreed", {"text": "x" * 10_001}), ("agreed", {"text": "x", "role": "player"}),
        ("agreed", {"text": "x", "at": "now"}), ("agreed", {"text": "x", "more": 1}), ("shared", {"audience": "all"}),
    ],
)  # fmt: skip
def test_what_cannot_happen_in_an_open_case_is_refused_and_nothing_is_written(
    book: CaseBook, kind: str, values: dict[str, object]
) -> None:
    case = opened_at(book)
    with pytest.raises(CaseError) as told_why:
        book.add(case.id, made(kind, {**JUDGE, **values}))
    assert "\n" not in str(told_why.value)
    assert book.case(case.id).version == case.version


def test_two_judges_at_once_one_wins_and_the_other_is_told_which_case_and_both_versions(book: CaseBook) -> None:
    case = opened_at(book)
    book.add(case.id, ruling(case), expected=2)
    with pytest.raises(CaseConflictError) as conflict:
        book.add(case.id, ruling(case, "yes", who={**JUDGE, "by": "Ben"}), expected=2)
    found = conflict.value
    assert (found.case, found.expected, found.found) == (case.id, 2, 3)
    assert found.since == ["ruled by Ada at 2026-01-02T10:00:00Z"]
    assert [each.by for each in book.case(case.id).rulings] == ["Ada"]


def test_two_judges_with_a_database_between_them(url: str) -> None:
    with Store(url) as one, Store(url) as other:
        first, second = CaseBook(StoreShelf(one)), CaseBook(StoreShelf(other))
        case = opened_at(first)
        seen = second.case(case.id)
        first.add(case.id, ruling(case), seen.version)
        with pytest.raises(CaseConflictError):
            second.add(case.id, ruling(seen), seen.version)
        assert [each.id for each in second.all()] == [case.id]
        assert second.all()[0].version == 3
        hash = first.keep(case.id, b"\x00" * 700_000)
        values = {"name": "../x", "sha256": hash, "size": 700_000}
        first.add(case.id, made("evidence", {**JUDGE, **values}))
        assert second.file(case.id, hash) == b"\x00" * 700_000
        assert not one.verify().bad
        assert one.shown.games("").total == 0


def test_a_file_is_kept_under_its_hash_and_a_changed_one_is_not_given_out(book: CaseBook, tmp_path: Path) -> None:
    case = opened_at(book)
    hash = book.keep(case.id, b"a photo")
    with pytest.raises(UnknownLedgerError):
        book.file(case.id, hash)  # nobody has made it evidence
    book.add(case.id, made("evidence", {**JUDGE, "name": "../../etc/passwd", "sha256": hash, "size": 7}))
    assert book.file(case.id, hash) == b"a photo"
    with pytest.raises(UnknownLedgerError):
        book.file(case.id, "../../../etc/passwd")
    for size in (0, 8_000_001):
        with pytest.raises(CaseError):
            book.keep(case.id, b"x" * size)
    for path in tmp_path.glob("cases/*.files/*"):
        path.write_bytes(b"another")
        with pytest.raises(UnknownLedgerError):
            book.file(case.id, hash)


@pytest.mark.parametrize("name", ["", "../x", "c", "zzzz", "x" * 1000, "\0", "case:1"])
def test_a_case_that_is_not_there(book: CaseBook, name: str) -> None:
    with pytest.raises(UnknownCaseError):
        book.case(name)


# Precedents


def test_a_like_situation_is_found_and_says_why(book: CaseBook) -> None:
    first = opened_at(book)
    book.add(first.id, ruling(first, cards=["plague-5"]))
    again = opened_at(book)
    (found,) = [each for each in precedents_of_case(book, again) if each.kind == "case"]
    assert found.id == first.id
    assert {("rule", NEEDS), ("card", "plague-5"), ("verb", "played")} <= set(found.why)
    other = opened_at(book, 103)
    assert first.id not in [each.id for each in precedents_of_case(book, other)]


def test_official_rulings_are_found_by_card(book: CaseBook) -> None:
    case = opened_at(book, 116)
    found = {each.id: each for each in precedents_of_case(book, case)}
    assert found["ruling.gravity-2"].kind == "ruling"
    assert ("card", "gravity-2") in found["ruling.gravity-2"].why


def test_a_changed_rule_makes_exactly_the_rulings_stale_that_cite_it(book: CaseBook) -> None:
    cases = [opened_at(book, seq) for seq in (25, 73, 87)]
    for case, rule in zip(cases, (NEEDS, "refresh.only-under-five", "draw.from-top-to-hand"), strict=True):
        book.add(case.id, ruling(case, rule=rule, cards=["plague-5"] if rule == NEEDS else []))
    assert [stale(case) for case in book.all()] == [[], [], []]
    catalogue = ruleset("compile").catalogue
    whole = catalogue.statement

    class Changed(type(catalogue)):  # type: ignore[misc]
        def statement(self, rule: object, language: str = "en") -> str:
            said = str(whole(rule, language))  # type: ignore[arg-type]
            return said + "!" if getattr(rule, "id", "") == "refresh.only-under-five" and language == "pl" else said

    changed = copy(catalogue)
    changed.__class__ = Changed
    found = {case.id: [(each.kind, each.id, each.how) for each in stale(case, changed)] for case in book.all()}
    assert found == {
        cases[0].id: [], cases[1].id: [("rule", "refresh.only-under-five", "changed")], cases[2].id: [],
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["rule", "card", "edition"])
def test_what_is_gone_or_changed_is_named(book: CaseBook, kind: str) -> None:
    case = opened_at(book)
    event = ruling(case, cards=["plague-5"])
    assert isinstance(event, msgspec.Struct)
    cites = [{**msgspec.to_builtins(each)} for each in getattr(event, "cites", ())]
    for each in cites:
        if each["kind"] == kind:
            each["hash"] = "0" * 16
    case = book.add(case.id, msgspec.structs.replace(event, cites=msgspec.convert(cites, type(event.cites))))  # type: ignore[attr-defined]
    assert [(each.kind, each.how) for each in stale(case)] == [(kind, "changed")]


def test_two_final_rulings_that_contradict_each_other_are_listed(book: CaseBook) -> None:
    one, other, third = opened_at(book), opened_at(book), opened_at(book, 73)
    book.add(one.id, ruling(one, "no", who=HEAD))
    assert contradictions(book.all()) == []
    book.add(other.id, ruling(other, "yes"))
    book.add(third.id, ruling(third, "yes", who=HEAD))
    assert contradictions(book.all()) == []  # one of them can still be appealed
    book.add(other.id, made("made_final", JUDGE))
    (found,) = contradictions(book.all())
    assert {found.one, found.other} == {one.id, other.id}
    assert (found.verb, found.rules) == ("played", (NEEDS,))
    book.add(one.id, made("superseded", {**HEAD, "case": other.id, "reason": "read again"}))
    assert contradictions(book.all()) == []


# For an event


def test_warnings_add_up_and_formulas_are_only_text(book: CaseBook) -> None:
    for number, level in enumerate(("warning", "warning", "game-loss")):
        who = {**JUDGE, "at": f"2026-01-0{number + 1}T10:00:00Z"}
        case = opened_at(book, **who, round=str(number), players={"A": "=ADA" if number else "=Ada", "B": "Bo"})
        penalty = {"player": "A", "infraction": " +wrong line", "level": level}
        book.add(case.id, ruling(case, penalty=penalty))
    found = infractions(book.all())
    assert [(each.level, each.before, each.warnings) for each in found] == [
        ("warning", 0, 1), ("warning", 1, 2), ("game-loss", 2, 2),
    ]  # fmt: skip
    assert [each.before for each in infractions(book.all(), round="2")] == [2]
    text = as_csv(found).decode()
    assert "'=Ada" in text
    assert "' +wrong line" in text
    assert not re.search(r"(^|,) *[=+\-@]", text, re.M)
    _, second, first = book.all()
    book.add(first.id, made("superseded", {**HEAD, "case": second.id, "reason": "judged anew"}))
    assert [(each.level, each.before) for each in infractions(book.all())] == [("warning", 0), ("game-loss", 1)]


def test_a_penalty_is_for_somebody_who_plays(book: CaseBook) -> None:
    case = opened_at(book)
    with pytest.raises(CaseError, match="nobody called C plays"):
        book.add(case.id, ruling(case, penalty={"player": "C", "infraction": "x", "level": "warning"}))


def test_the_public_is_told_nothing_before_a_judge_says_so_and_then_no_card_nor_penalty(book: CaseBook) -> None:
    case = opened_at(book)
    assert told(case) is None
    penalty = {"player": "A", "infraction": "secret-penalty", "level": "warning"}
    case = book.add(case.id, ruling(case, cards=["plague-5"], penalty=penalty))
    case = book.add(case.id, made("claimed", {**JUDGE, "player": "A", "said": "I held Fire 4"}))
    case = book.add(case.id, made("shared", {**JUDGE, "audience": "public"}))
    text = msgspec.json.encode(told(case)).decode()
    for secret in ("plague-5", "fire", "Fire 4", case.opened.position, case.opened.line, "secret-penalty", "Bo"):
        assert secret not in text
    assert NEEDS in text
    assert told(book.add(case.id, made("shared", {**JUDGE, "audience": "judges"}))) is None


# The command line


def test_the_hidden_cards_that_a_question_names_are_told_and_none_of_a_position_that_cannot_be_read(
    book: CaseBook,
) -> None:
    case = opened_at(book, 87, question="May Ada draw Water 0 here?")
    assert secrets_named(case, "fr") == ("Eau 0",)
    lost = msgspec.structs.replace(case, opened=msgspec.structs.replace(case.opened, position="compile/nothing"))
    assert secrets_named(lost, "fr") == ()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("AUDIT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("AUDIT_NAME", "Ada")
    shutil.copy(DISPUTE, tmp_path / "game.jsonl")
    return tmp_path


def run(*words: object, code: int = 0) -> Result:
    done = CliRunner().invoke(audit, list(map(str, words)))
    assert done.exit_code == code, (done.output, done.exception)
    return done


def id_in(done: Result) -> str:
    return done.output.split(":")[0]


@pytest.mark.parametrize("place", ["store", "folder"])
def test_the_dispute_from_the_question_to_the_branch_with_the_command_line_alone(folder: Path, place: str) -> None:
    log = folder / "game.jsonl"
    inside = ["--in", folder / "cases"] if place == "folder" else []
    run("store", "import", log)
    case = id_in(run("case", "open", log, "--at", 25, "--langs", "en,fr,pl", "May it lie here?", *inside))
    run("case", "claim", case, "A", "A plague-5 1", "--said", "I said line one.", *inside)
    run("case", "claim", case, "B", "A plague-5 2", *inside)
    run("case", "agree", case, "It was A's turn.", *inside)
    (folder / "photo.png").write_bytes(b"\x89PNG")
    run("case", "evidence", case, "--file", folder / "photo.png", *inside)
    run("case", "rule", case, "--no", "--rule", NEEDS, "Not in line 2.", "--remedy", "backup", *inside)
    run("case", "appeal", case, "--player", "A", "I never let go of it.", *inside)
    run("case", "rule", case, "--no", "--rule", NEEDS, "It was let go.", "--role", "head-judge", "--by", "Zoë", *inside)
    plan = run("case", "remedy", case, "--to", 24, *inside)
    assert "Plague 5" in plan.output
    branch = plan.output.split()[-1]
    shown = run("case", "show", case, *inside, "--lang", "pl").output
    assert "ostateczna" in shown
    run("store", "append", branch, played_on(folder), "--expected", 24)
    found = json.loads(run("store", "show", branch, "--json").output)
    assert found["game"]["events"] == 25
    assert run("store", "export", "r3-t12").output == log.read_text()
    listed = run("precedents", log, "--at", 25, *inside).output
    assert case in listed
    assert "both rest on Face up only at its protocol; both concern Plague 5" in listed


def played_on(folder: Path) -> Path:
    path = folder / "more.jsonl"
    path.write_text('{"seq": 25, "type": "played", "player": "A", "card": "plague-5", "line": 1, "face": "up"}\n')
    return path


def test_a_case_on_a_position_without_any_log(folder: Path) -> None:
    line = "compile/4A.action.-/fire.life.water:f3;;l1*:4:9:/death.metal.speed:;;:5:13:"
    done = run("case", "open", line, "--asked", "A fire-1 2", "May it?", "--in", folder / "cases")
    shown = run("case", "show", id_in(done), "--in", folder / "cases").output
    assert line in shown
    assert "✗" in shown or "✓" in shown or "?" in shown


@pytest.mark.every(
    "words",
    [
        ("case", "open", "game.jsonl", "x"), ("case", "open", "game.jsonl", "--at", "999", "x"),
        ("case", "open", "game.jsonl", "--at", "25", ""), ("case", "open", "nothing", "--at", "1", "x"),
        ("case", "open", "compile/x", "x"), ("case", "show", "../x"), ("case", "show", "\udcff"),
        ("case", "evidence", "ID", "--file", "nothing.png"), ("case", "evidence", "ID", "--file", "/dev/zero"),
        ("case", "rule", "ID", "x"), ("case", "rule", "ID", "--no", "--rule", "no.such", "x"),
        ("case", "rule", "ID", "--no", "--reading", "none", "x"), ("case", "claim", "ID", "A", "what?"),
        ("case", "final", "ID"), ("case", "remedy", "ID", "--to", "1", "--log", "game.jsonl"),
        ("case", "agree", "ID", "x", "--expected", "1"), ("case", "agree", "ID", "x", "--token", "audit.x.y"),
        ("case", "supersede", "ID", "ID", "x"), ("precedents", "no.such.rule"), ("case", "agree", "ID", "x\udcff"),
    ],
)  # fmt: skip
def test_bad_input_is_one_clear_line(folder: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    case = id_in(run("case", "open", folder / "game.jsonl", "--at", 25, "x", "--in", folder / "cases"))
    before = (folder / "cases" / f"{case}.case.jsonl").read_bytes()
    inside = (*words, "--in", "cases")
    monkeypatch.chdir(folder)
    done = command_line.run(*(word.replace("ID", case) for word in inside))
    said = done.stderr.decode("utf-8", "replace")
    assert done.returncode == 2, said
    assert "Traceback" not in said
    assert len([line for line in said.splitlines() if line and not line.startswith(("Usage", "Try"))]) == 1
    assert (folder / "cases" / f"{case}.case.jsonl").read_bytes() == before


# Stored games under a ruling


def test_a_ruling_shows_the_stored_games_that_it_would_judge_otherwise_and_how_far_they_stand(folder: Path) -> None:
    log = folder / "game.jsonl"
    run("store", "import", log)
    case = id_in(run("case", "open", log, "--at", 25, "May it?"))
    run("case", "rule", case, "--yes", "--rule", NEEDS, "--card", "plague-5", "It may.")
    (found,) = map(json.loads, run("store", "reaudit", "--ruling", case, "--json").output.splitlines())
    assert run("store", "reaudit", "--ruling", case, "--json").output == json.dumps(found, ensure_ascii=False) + "\n"
    assert [(each["seq"], each["before"], each["after"]) for each in found["events"]] == [(25, "illegal", "legal")]
    assert found["stands"] == found["last"] == 130
    other = id_in(run("case", "open", log, "--at", 36, "May it?"))
    rules = json.loads(run("case", "show", other, "--json").output)["events"][1]["judged"][0]["rules"]
    run("case", "rule", other, "--no", "--rule", rules[0], "--card", "spirit-4", "It may not.")
    assert "stands up to event 35 of 130" in run("store", "reaudit", "--ruling", other).output
    third = id_in(run("case", "open", log, "--at", 25, "May it?"))
    run("case", "rule", third, "--no", "--rule", NEEDS, "It may not.")
    assert "says what the rules say" in run("store", "reaudit", "--ruling", third).output


@pytest.mark.every(("seq", "decision"), [(25, "yes"), (25, "no"), (36, "no"), (36, "yes")])
def test_a_ruling_reaches_the_step_ruled_on_and_those_like_it(seq: int, decision: str) -> None:
    place, known = place_of_log(DISPUTE.read_bytes(), seq, "dispute.jsonl")
    event = opened(place, {**JUDGE, "question": "May it?", **known})
    case = Case(event, (event, ruling(Case(event, (event,)), decision)))
    log = open_log(DISPUTE)
    found = reach(case)
    if found is None:
        assert (seq, decision) in ((25, "no"), (36, "yes"))
        return
    answer = consequence(found, StoredGame("", log.header, log.ruleset, tuple(log)))
    assert answer
    assert seq in {each.seq for each in answer.events}
    assert {each.sentence for each in answer.events} <= {
        "Ada plays Plague 5 face up in line 2.", "Bo plays Spirit 4 face up in line 1."
    }  # fmt: skip


# The bundle


@pytest.fixture
def bundle(folder: Path) -> Path:
    log, inside = folder / "game.jsonl", ["--in", folder / "cases"]
    run("key", "make", "head")
    run("seal", log, "--key", "head")
    case = id_in(run("case", "open", log, "--at", 25, "--langs", "en,it,pl", "May it lie <b>here</b>?", *inside))
    (folder / "photo.png").write_bytes(b"\x89PNG")
    run("case", "evidence", case, "--file", folder / "photo.png", *inside)
    run("case", "claim", case, "A", "A plague-5 1", *inside)
    run("case", "rule", case, "--no", "--rule", NEEDS, "Not in line 2.", *inside)
    run("case", "share", case, "public", *inside)
    run("case", "bundle", case, "--log", log, "-o", folder / "case.html", "--key", "head", *inside)
    run("case", "bundle", case, "--log", log, "-o", folder / "public.html", "--key", "head", "--public", *inside)
    return folder / "case.html"


def test_a_bundle_is_one_page_with_the_rules_in_the_players_languages_and_is_verified_whole(bundle: Path) -> None:
    said = run("verify", bundle, "--signer", "head").output
    assert ": intact (case c" in said
    page = bundle.read_text()
    assert "May it lie &lt;b&gt;here&lt;/b&gt;?" in page
    for language in ("en", "it", "pl"):
        assert ruleset("compile").catalogue.statement(ruleset("compile").catalogue[NEEDS], language) in page
    assert "src=http" not in page.replace('"', "")
    assert "unaltered since somebody signed it" in run("verify", bundle, code=1).output


def test_whatever_is_changed_in_a_bundle_is_seen(bundle: Path) -> None:
    page = bundle.read_text()
    for old, new in (
        ("Not in line 2.", "Just as it is."), ("<main>", "<main><p>x</p>"), ("iVBO", "iVBP"), ("Ada", "Eve"),
        ('"illegal"', '"legal"'), ("plague-5", "plague-4"), ("</body>", "<script>1</script></body>"),
    ):  # fmt: skip
        assert old in page
        bundle.write_text(page.replace(old, new, 1))
        assert run("verify", bundle, "--signer", "head", code=1).output.startswith(f"{bundle}: altered")


def test_languages_that_are_none_of_ours_are_refused_before_anything_is_read(bundle: Path) -> None:
    page = bundle.read_text()
    for languages in ("[]", '["e\\u0000n"]', '["../../compile/text/en"]', '["en","de"]'):
        bundle.write_text(re.sub(r'"languages":\[[^]]*\]', lambda _: f'"languages":{languages}', page, count=1))  # noqa: B023
        with pytest.raises(CaseError, match="expected some of the languages"):
            verified(str(bundle), NOBODY)


def test_the_bundle_for_everybody_has_the_proof_of_the_line_and_no_hidden_card(bundle: Path) -> None:
    page = bundle.with_name("public.html").read_text()
    assert "game_id" not in page
    assert ": intact (case c" in run("verify", bundle.with_name("public.html"), "--signer", "head").output
    assert '"proof":"audit-proof/1"' in page
    for secret in ("compile/3A.action", "fire-4", "photo", "setup"):
        assert secret not in page


def test_a_file_of_a_case_is_sealed_and_verified_like_notes(bundle: Path) -> None:
    (path,) = (bundle.parent / "cases").glob("*.case.jsonl")
    run("seal", path, "--key", "head")
    assert "intact" in run("verify", path, "--signer", "head").output
    path.write_bytes(path.read_bytes().replace(b"Not in line 2", b"Not in line 3"))
    assert "is not what was sealed" in run("verify", path, "--signer", "head", code=1).output
