"""The pages of cases: the list with the urgent ones first, one case, opening one, and what can be done next."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import cast

from flask import Blueprint, Flask, Response, abort, redirect, render_template, request, url_for
from flask_babel import force_locale
from flask_babel import gettext as _
from msgspec import Struct
from werkzeug.datastructures import MultiDict

from audit.core.catalogue import LANGUAGES
from audit.core.errors import AuditError, UnknownRuleError, near_name
from audit.core.ruleset import ruleset
from audit.rulebooks.titles import rule_words
from replays.cases.book import MAX_FILE, CaseConflictError, UnknownCaseError
from replays.cases.case import URGENT, Case, CaseError, CaseState
from replays.cases.events import AnyEvent
from replays.cases.infractions import person
from replays.cases.opening import Place, judged_lines, place_at, suggested
from replays.cases.precedents import Likeness, citing, contradictions, stale
from replays.cases.words import (
    case_word,
    entry_lines,
    entry_words,
    history_lines,
    moment_words,
    signed_by,
    stale_words,
    statements,
    tongues,
    why_words,
)
from replays.cases.writing import (
    FIELDS,
    NOTED,
    branched,
    made,
    opened,
    opinion_on,
    place_of_log,
    precedents_of_case,
    precedents_of_place,
    ruled,
)
from replays.error_words import error_words
from replays.errors import LogError
from replays.judging.sentences import Json
from replays.log.reader import open_log
from replays.table.answer import AnswerWriter, answered
from replays.table.backing_up import PlanWriter, plan
from replays.table.guesses import guesses
from replays.table.question import UnreadEventError, header_at, question
from web.cases.downloads import PICTURES, case_files, fresh, printed_words
from web.cases.shelf import (
    book,
    for_judges,
    judges_only,
    named,
    readable,
    seen,
    whose_word,
)
from web.games.address import library, number_in, prepared
from web.games.store_library import StoreLibrary
from web.site.languages import chosen, links_lead_to
from web.site.reader import reader
from web.site.write_access import known_name, remember_name, writer

cases = Blueprint("cases", __name__)
OPENING = ("game", "step", "position", "asked")
"""What the form of a new case takes from its address."""
CORRECTED = ("rules", "sheet")
"""The fields for which something is proposed where they cannot be read."""
LEVELS = ("note", "warning", "game-loss", "match-loss", "disqualification")
REMEDIES = ("as-it-stands", "backup", "repair")


def add_to(app: Flask) -> None:
    """Serve the cases."""
    app.register_blueprint(cases)
    app.register_blueprint(case_files)
    app.jinja_env.globals.update(
        case_word=word,
        case_moment=moment_words,
        case_signed=lambda event: signed_by(chosen(), event),
        cases_by_rule=by_rule,
        printed_words=printed_words,
    )
    app.extensions["audit.cases.version"] = lambda: book().version()


class Refused(Struct, frozen=True):
    """Why a form was refused: in words, the field that is wrong, and what would fit there, each also in words."""

    said: str = ""
    field: str = ""
    meant: Sequence[tuple[str, str]] = ()


NO_PROBLEM = Refused()


class AlikeView(Struct, frozen=True):
    """Something decided before, as a page tells it."""

    it: Likeness
    question: str
    decision: str
    why: Sequence[str]


def by_rule(name: str, rule: str) -> list[Case]:
    """The cases that were decided by a rule, as far as this reader may know of them."""
    return citing(readable(), name, rule)


def word(key: str, **data: object) -> str:
    """A word about cases in the language of the page."""
    return case_word(chosen(), key, **data)


@cases.get("/cases")
def index() -> Response:
    """The cases that this reader may know of; those in which somebody has to do something first."""
    found = sorted(readable(), key=lambda case: URGENT.index(case.state) if case.state in URGENT else len(URGENT))
    is_judge = reader().is_judge
    return fresh(
        render_template(
            "cases.html", cases=found, is_judge=is_judge, states=CaseState, urgent=URGENT,
            stale={case.id: stale_words(chosen(), stale(case)) for case in found} if is_judge else {},
            contradictions=contradictions(found) if is_judge else [],
        )
    )  # fmt: skip


@cases.get("/cases/<case>")
def page(case: str) -> Response:
    """One case: for a judge whole, with what can be done next, or as everybody sees it."""
    found, public = seen(case, as_public=request.args.get("as") == "public")
    if found is None:
        assert public
        said = statements(public.ruleset, _rules_of(public.rulings), _own_first())
        return fresh(
            render_template(
                "case_public.html", case=public, said=said, own_reasons=_own_reasons, is_preview=reader().is_judge
            )
        )
    return fresh(_whole(found))


def _rules_of(rulings: Sequence[object]) -> list[str]:
    return [rule for each in rulings for rule in cast("Sequence[str]", each.rules)]  # type: ignore[attr-defined]


def _own_first() -> tuple[str, ...]:
    return tuple(dict.fromkeys((chosen(), *LANGUAGES)))


def _whole(case: Case, given: MultiDict[str, str] | None = None, problem: Refused = NO_PROBLEM) -> str:
    """The page of a case for a judge; of a form that was refused, all that was `given` in it, and what is wrong."""
    decision, rules = suggested(case)
    forms = _forms(case)
    kind = given.get("kind", "") if given else ""

    def kept(form: str, name: str, usual: str = "") -> str:
        return given.get(name, usual) if given and kind == form else usual

    languages = tongues(case, case.opened.lang)
    rules_named = {rule for each in case.rulings for rule in each.rules}
    told = (*case.opinion.judged, *case.opinion.doubts) if case.opinion else ()
    rules_named |= {rule for each in told for rule in each.rules[:1]}
    said = statements(case.opened.ruleset, sorted(rules_named | set(rules)), _own_first())
    return render_template(
        "case.html", case=case, problem=problem, decision=decision, rules=rules, said=said, spoken=languages,
        refused=kind if kind in forms else "", forms=forms, kept=kept, own_reasons=_own_reasons,
        reasons={code: said.get(rules[0], {}).get(code, "") if rules else "" for code in languages},
        stale=stale_words(chosen(), stale(case)), person=lambda seat: person(case, seat),
        name=(given.get("by") if given else "") or known_name(),
        precedents=_alike(precedents_of_case(book(), case)[:8]),
        levels=LEVELS, remedies=REMEDIES, pictures=PICTURES, token=reader().token, noted_kinds=NOTED,
        noted=[(_kind(each), list(entry_lines(case, each, chosen()))) for each in case.events if _kind(each) in NOTED],
        history=[(entry_words(chosen(), each), history_lines(case, each, chosen())) for each in case.events],
        is_stored=isinstance(library().inner, StoreLibrary), state=case.state.value,
    )  # fmt: skip


def _forms(case: Case) -> set[str]:
    """What may be written down in a case as it is."""
    ruling, state = case.ruling, case.state
    found = {"shared"}
    if state in (CaseState.OPEN, CaseState.APPEALED):
        found |= {"ruled", "withdrawn"}
    if state is CaseState.RULED:
        found |= {"appealed", "made_final"}
    if state in (CaseState.OPEN, CaseState.APPEALED, CaseState.RULED):
        found |= {"claimed", "evidence", *NOTED}
    if ruling and state in (CaseState.RULED, CaseState.FINAL):
        found.add("superseded")
    return found


def _own_reasons(reasons: Mapping[str, str], rules: Sequence[str], said: Mapping[str, Mapping[str, str]]) -> Json:
    """The reasons of a ruling, in the language of the page first; not those that are the words of a rule below them."""
    told = {code: text for code, text in reasons.items() if all(said.get(rule, {}).get(code) != text for rule in rules)}
    return {code: told[code] for code in sorted(told, key=lambda code: code != chosen())}


def _alike(found: Sequence[Likeness]) -> list[AlikeView]:
    """What was decided before, each with its question or its title, what was decided, and why it is thought alike."""
    return [AlikeView(each, *_decided(each), why_words(chosen(), each.why)) for each in found]


def _decided(each: Likeness) -> tuple[str, str]:
    if each.kind != "case":
        return "", ""
    case = book().case(each.id)
    told = case.opened.questions.get(chosen()) or case.opened.question
    return told, word(f"decision.{case.ruling.decision}") if case.ruling else ""


def _kind(event: AnyEvent) -> str:
    return str(event.__struct_config__.tag)


@cases.get("/cases/new")
def ask_to_open() -> Response:
    """The form for a case at a step of a game, or on a position."""
    judges_only()
    return fresh(_form(request.args, ""))


def _form(given: MultiDict[str, str], problem: str) -> str:
    place: Place | None = None
    known: dict[str, object] = {}
    step: Mapping[str, object] = {}
    if given.get("game") or given.get("position"):
        try:
            place, known = _place(given)
            step = _asked_about(given, chosen())
        except AuditError as error:
            problem = problem or error_words(error, chosen())
    found, sentence = precedents_of_place(book(), place)[:5] if place else [], str(step.get("sentence") or "")
    return render_template(
        "case_new.html", given=given, place=place, known=known, problem=problem, name=known_name(),
        token=reader().token, precedents=_alike(found),
        question=given.get("question") or _usual_question(step),
        codes=LANGUAGES, sentence=str(step.get("message") or sentence),
    )  # fmt: skip


def _usual_question(step: Mapping[str, object]) -> str:
    sentence = str(step.get("sentence") or "")
    return str(_("Is this allowed? %(sentence)s", sentence=sentence)) if sentence else ""


def _questions(given: MultiDict[str, str], question: str, languages: Sequence[str]) -> dict[str, str]:
    """The usual question in the other languages of a case; nothing where the judge asks in words of their own."""
    if question != _usual_question(_asked_about(given, chosen())):
        return {}
    found = {}
    for code in (code for code in languages if code in LANGUAGES and code != chosen()):
        with force_locale(code):
            found[code] = _usual_question(_asked_about(given, code))
    return found


def _asked_about(given: MultiDict[str, str], language: str) -> Mapping[str, object]:
    """The step that a new case is about, in a language: that of a game, or the last one asked."""
    if given.get("game"):
        game = prepared(given["game"], "judge", language, "")
        return game.steps[game.nearest(number_in(given.get("step", ""), otherwise=0))]
    lines = [line for line in given.getlist("asked") if line.strip()]
    if not lines:
        return {}
    found = answered(question(header_at(given.get("position", "").strip()), lines))
    return cast("Sequence[Json]", AnswerWriter(found, (language,)).json()["steps"])[-1]


def _place(given: MultiDict[str, str]) -> tuple[Place, dict[str, object]]:
    if not given.get("game"):
        lines = [line for line in given.getlist("asked") if line.strip()]
        return place_at(given.get("position", "").strip(), lines), {}
    id = given["game"]
    game = prepared(id, "judge", chosen(), "")
    step = game.nearest(number_in(given.get("step", ""), otherwise=0))
    seq = next((game.steps[at]["seq"] for at in range(step, len(game.steps)) if game.steps[at].get("seq")), 0)
    place, known = place_of_log(library().log(id), cast(int, seq), id)
    return place, {**known, "game_id": id}


@cases.post("/cases")
def open_case() -> Response:
    """Open a case, with the auditor's opinion at once."""
    token = writer()
    who, form = named(token), request.form
    try:
        place, known = _place(form)
        languages = list(dict.fromkeys((chosen(), *form.getlist("languages"))))
        question = form.get("question", "").replace("\r\n", "\n").strip()
        event = opened(place, {
            **who, "question": question, "lang": chosen(),
            "languages": languages, "questions": _questions(form, question, languages),
            "round": form.get("round", "").strip(), "table": form.get("table", "").strip(),
            "tournament": form.get("tournament", "").strip(), **known,
        })  # fmt: skip
        case = book().open(event, opinion_on(event, who), by=whose_word(token))
    except AuditError as problem:
        links_lead_to("cases.ask_to_open", **{name: form.getlist(name) for name in OPENING if name in form})
        return fresh(_form(form, error_words(problem, chosen())), 400)
    return remember_name(_to(case.id), who["by"])


def _to(id: str, anchor: str = "now") -> Response:
    answer: Response = redirect(url_for("cases.page", case=id, _anchor=anchor), 303)  # type: ignore[assignment]
    return answer


@cases.get("/cases/<case>/events")
def written(case: str) -> Response:
    """Where a form of a case is sent to, opened as a page: the case."""
    return _to(for_judges(case).id)


@cases.post("/cases/<case>/events")
def write(case: str) -> Response:
    """Add what happened. The form names the version that its author has seen."""
    request.max_content_length = MAX_FILE + 100_000
    token = writer()
    found = for_judges(case)
    who, form = named(token), _corrected(request.form)
    kind = form.get("kind", "")
    try:
        _write(found, kind, who, form, whose_word(token))
    except AuditError as problem:
        links_lead_to("cases.page", case=found.id)
        is_late = isinstance(problem, CaseConflictError)
        return fresh(_whole(book().case(case), form, _refused(found, form, problem)), 409 if is_late else 400)
    return remember_name(_to(found.id, "published" if kind == "shared" else "now"), who["by"])


def _corrected(form: MultiDict[str, str]) -> MultiDict[str, str]:
    """A form with what it was refused for put right, where its sender took up what was proposed: `field=value`."""
    name, _, value = form.get("instead", "").partition("=")
    found = MultiDict(form)
    if name in CORRECTED:
        found[name] = value
    return found


def _refused(case: Case, form: MultiDict[str, str], error: AuditError) -> Refused:
    """Why a form was refused, at which field, and what may have been meant there."""
    if isinstance(error, UnknownRuleError) and form.get("kind") == "ruled":
        near = near_name(error.rule, [entry.id for entry in ruleset(case.opened.ruleset).catalogue.entries])
        rules = [near if rule == error.rule else rule for rule in form.get("rules", "").replace(",", " ").split()]
        meant = [("rules=" + " ".join(rules), rule_words(near, chosen()))] if near else []
        return Refused(error_words(error, chosen()), "rules", meant)
    if isinstance(error, LogError) and form.get("kind") == "claimed":
        return Refused(error_words(error, chosen()), "sheet", list(_meant(case, form, error)))
    if isinstance(error, UnknownCaseError):
        return Refused(error_words(error, chosen()), "case")
    return Refused(str(error) if isinstance(error, CaseConflictError) else error_words(error, chosen()))


def _meant(case: Case, form: MultiDict[str, str], error: LogError) -> Iterator[tuple[str, str]]:
    """The sheet of a claim with the line that cannot be read as it may have been meant, and what it says then."""
    if not isinstance(error, UnreadEventError):
        return
    lines, number = _sheet(form), error.problems[0].line
    opened = case.opened
    for one in guesses(header_at(opened.position, opened.reading or None, opened.edition), lines, number, chosen()):
        yield "sheet=" + "\n".join([*lines[: number - 1], str(one["line"]), *lines[number:]]), str(one["sentence"])


def _sheet(form: MultiDict[str, str]) -> list[str]:
    return [line.strip() for line in form.get("sheet", "").splitlines() if line.strip()]


def _write(case: Case, kind: str, who: dict[str, str], form: MultiDict[str, str], by: str) -> None:
    if kind == "remedied":
        _remedy(case, who, form, by)
        return
    expected = number_in(form.get("expected", ""), otherwise=case.version)
    book().add(case.id, _event(case, kind, who, form, by), expected, by)


def _event(case: Case, kind: str, who: Mapping[str, str], form: MultiDict[str, str], by: str) -> AnyEvent:
    def text(name: str) -> str:
        return form.get(name, "").replace("\r\n", "\n").strip()

    if kind == "ruled":
        reasons = {code: text(f"reason-{code}") for code in tongues(case, case.opened.lang) if text(f"reason-{code}")}
        penalty = {"player": text("player"), "infraction": text("infraction"), "level": text("level")}
        return ruled(case, {
            **who, "decision": text("decision"), "rules": text("rules").replace(",", " ").split(), "reasons": reasons,
            "cards": text("cards").replace(",", " ").split(), "remedy": text("remedy"),
            "penalty": penalty if penalty["infraction"] else None,
        })  # fmt: skip
    if kind == "claimed":
        sheet = _sheet(form)
        judged = judged_lines(case.opened, sheet, case.opened.lang) if sheet else ()
        return made(kind, {**who, "player": text("player"), "said": text("said"), "sheet": sheet, "judged": judged})
    if kind == "evidence":
        return made(kind, {**who, **_file(case, by), "text": text("text"), "source": text("source")})
    if kind == "superseded":
        return made(kind, {**who, "case": book().find(text("case")), "reason": text("reason")})
    if kind not in FIELDS:
        abort(400)
    return made(kind, {**who, **{name: text(name) for name in FIELDS[kind]}})


def _file(case: Case, by: str) -> dict[str, object]:
    given = request.files.get("file")
    if given is None or not given.filename:
        return {}
    data = given.read(MAX_FILE + 1)
    name = given.filename.replace("\\", "/").rpartition("/")[2][:200]
    media = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return {"name": name, "sha256": book().keep(case.id, data, by), "size": len(data), "media": media}


def _remedy(case: Case, who: Mapping[str, str], form: MultiDict[str, str], by: str) -> None:
    """Make the branch and store it; the case says where the game goes on."""
    make_branch(
        case, number_in(form.get("to", ""), otherwise=-1), who,
        number_in(form.get("expected", ""), otherwise=case.version), by,
    )  # fmt: skip


def make_branch(case: Case, to: object, who: Mapping[str, str], expected: int, by: str) -> Case:
    """The case with a branch of its game, which is stored; raises `CaseError`, `CaseConflictError`."""
    inner = library().inner
    if not isinstance(inner, StoreLibrary):
        raise CaseError(case.id, _("A branch is a new game, and these games cannot be added to; serve the store."))
    if not case.opened.game_id or not isinstance(to, int) or isinstance(to, bool):
        raise CaseError(case.id, "a branch leaves a game after the event `to`")
    branch = branched(case, library().log(case.opened.game_id), to, who, chosen())
    found = book().add(case.id, branch.event, expected, by)
    inner.store.import_log(BytesIO(branch.log), by=by)
    inner.store.follow()
    return found


@cases.get("/cases/<case>/remedy")
def remedy(case: str) -> Response:
    """The plan for going back, for a judge who reads it aloud; then the branch is one tap away."""
    found = for_judges(case)
    to = number_in(request.args.get("to", ""), otherwise=max(0, (found.opened.seq or 1) - 1))
    said, problem = _plan(found, to)
    return fresh(
        render_template(
            "case_remedy.html", case=found, plan=said, problem=problem, to=to, name=known_name(), token=reader().token
        )
    )


def _plan(case: Case, to: int) -> tuple[Json, str]:
    try:
        log = open_log(BytesIO(library().log(case.opened.game_id)))
        return PlanWriter(plan(log.header, list(log), to, case.opened.game), chosen()).json(), ""
    except AuditError as problem:
        return {}, str(problem)
