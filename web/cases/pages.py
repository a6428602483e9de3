"""The pages of cases: the list with the urgent ones first, one case, and what can be done next."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import cast

from flask import Flask, Response, abort, render_template, request
from msgspec import Struct
from werkzeug.datastructures import MultiDict

from audit.core.catalogue import LANGUAGES
from audit.core.errors import AuditError, UnknownRuleError, near_name
from audit.core.ruleset import ruleset
from audit.rulebooks.titles import rule_words
from replays.cases.book import MAX_FILE, CaseConflictError, UnknownCaseError
from replays.cases.case import URGENT, Case, CaseState, RepairUnsaidError
from replays.cases.disclosed import secrets_in, secrets_named
from replays.cases.events import AnyEvent
from replays.cases.infractions import person
from replays.cases.opening import judged_lines, suggested
from replays.cases.precedents import citing, contradictions, stale
from replays.cases.words import (
    entry_lines,
    entry_words,
    history_lines,
    moment_words,
    own_reasons,
    signed_by,
    stale_words,
    statements,
    tongues,
)
from replays.cases.writing import (
    FIELDS,
    NOTED,
    made,
    precedents_of_case,
    ruled,
)
from replays.error_words import error_words
from replays.errors import LogError
from replays.judging.sentences import Json
from replays.table.completion import guesses
from replays.table.question import UnreadEventError, header_at
from web.cases import opening_pages  # noqa: F401  (its addresses belong to the same blueprint)
from web.cases.downloads import PICTURES, case_files, fresh, printed_words
from web.cases.remedy_pages import can_branch, make_branch
from web.cases.shelf import (
    alike,
    book,
    cards_shown,
    cards_typed,
    case_called,
    case_question,
    cases,
    for_judges,
    named,
    readable,
    rules_shown,
    rules_typed,
    seen,
    to_case,
    usual_role,
    whose_word,
    word,
)
from web.games.address import number_in
from web.site.labels import chosen, links_lead_to
from web.site.reader import reader
from web.site.tokens import Role, Token
from web.site.write_access import known_name, remember_name, writer

WORDS = {"ruled": "reason", "reworded": "reason", "question_changed": "question"}
"""The forms in whose words a hidden card may be named, each with the field that has them in every language."""

CORRECTED = ("rules", "sheet")
"""The fields for which something is proposed where they cannot be read."""


LEVELS = ("note", "warning", "game-loss", "match-loss", "disqualification")


REMEDIES = ("as-it-stands", "backup", "repair")


def add_to(app: Flask) -> None:
    """Serve the cases."""
    app.register_blueprint(cases)
    app.register_blueprint(case_files)
    app.jinja_env.globals.update(
        case_called=case_called,
        case_question=case_question,
        case_word=word,
        cards_shown=cards_shown,
        rules_shown=rules_shown,
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


def by_rule(name: str, rule: str) -> list[Case]:
    """The cases that were decided by a rule, as far as this reader may know of them."""
    return citing(readable(), name, rule)


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
    forms = _forms(case, reader().token)
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
        precedents=alike(precedents_of_case(book(), case)[:8]),
        levels=LEVELS, remedies=_remedies(case), pictures=PICTURES, role=usual_role(), token=reader().token,
        noted_kinds=NOTED,
        noted=[(_kind(each), list(entry_lines(case, each, chosen()))) for each in case.events if _kind(each) in NOTED],
        history=[(entry_words(chosen(), each), history_lines(case, each, chosen())) for each in case.events],
        can_branch=can_branch(case), state=case.state.value,
        secrets=() if case.is_public else secrets_named(case, chosen()),
    )  # fmt: skip


def _remedies(case: Case) -> tuple[str, ...]:
    """What may become of the game; only a game of which there is a log can be backed up."""
    return tuple(each for each in REMEDIES if each != "backup" or case.opened.game or case.opened.game_id)


def _forms(case: Case, token: Token | None) -> set[str]:
    """What this reader may write down in a case as it is."""
    ruling, state = case.ruling, case.state
    found = {"shared"}
    if state in (CaseState.OPEN, CaseState.APPEALED):
        found |= {"ruled", "withdrawn"}
    if state is CaseState.RULED:
        found |= {"appealed", "made_final", "reworded"}
    if state is CaseState.FINAL and (token is None or token.role is Role.HEAD_JUDGE):
        found |= {"reworded", "question_changed"}
    if state in (CaseState.OPEN, CaseState.APPEALED, CaseState.RULED):
        found |= {"question_changed", "claimed", "evidence", *NOTED}
    if ruling and state in (CaseState.RULED, CaseState.FINAL):
        found.add("superseded")
    return found


def _own_reasons(reasons: Mapping[str, str], rules: Sequence[str], said: Mapping[str, Mapping[str, str]]) -> Json:
    """The reasons of a ruling, in the language of the page first; not those that are the words of a rule below them."""
    told = own_reasons(reasons, [said.get(rule, {}) for rule in rules])
    return {code: told[code] for code in sorted(told, key=lambda code: code != chosen())}


def _kind(event: AnyEvent) -> str:
    return str(event.__struct_config__.tag)


@cases.get("/cases/<case>/events")
def written(case: str) -> Response:
    """Where a form of a case is sent to, opened as a page: the case."""
    return to_case(for_judges(case).id)


@cases.post("/cases/<case>/events")
def write(case: str) -> Response:
    """Add what happened. The form names the version that its author has seen."""
    request.max_content_length = MAX_FILE + 100_000
    token = writer()
    found = for_judges(case)
    who, form = named(token), _corrected(request.form)
    kind = form.get("kind", "")
    if hidden := _hidden_named(found, form):
        links_lead_to("cases.page", case=found.id)
        return fresh(_whole(found, form, Refused(word("shared.names", cards=", ".join(hidden)), WORDS[kind])), 400)
    try:
        _write(found, kind, who, form, whose_word(token))
    except AuditError as problem:
        links_lead_to("cases.page", case=found.id)
        is_late = isinstance(problem, CaseConflictError)
        return fresh(_whole(book().case(case), form, _refused(found, form, problem)), 409 if is_late else 400)
    anchor = "published" if kind == "shared" else "now"
    return remember_name(to_case(found.id, anchor), who["by"], who["role"])


def _hidden_named(case: Case, form: MultiDict[str, str]) -> tuple[str, ...]:
    """The cards that not everybody has seen and the words of a form name, unless its sender knows it."""
    field = WORDS.get(form.get("kind", ""))
    if not field or form.get("knowing"):
        return ()
    return secrets_in(case.opened, [*_in_languages(case, form, field).values()], chosen())


def _in_languages(case: Case, form: MultiDict[str, str], field: str) -> dict[str, str]:
    """The words of a field of a form, those that are not empty, by their languages."""
    told = {code: _text(form, f"{field}-{code}") for code in tongues(case, case.opened.lang)}
    return {code: text for code, text in told.items() if text}


def _text(form: MultiDict[str, str], name: str) -> str:
    return form.get(name, "").replace("\r\n", "\n").strip()


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
        name = case.opened.ruleset
        rules = [near if rule == error.rule else rule for rule in rules_typed(name, form.get("rules", ""))]
        meant = [("rules=" + rules_shown(name, rules), rule_words(near, chosen()))] if near else []
        return Refused(error_words(error, chosen()), "rules", meant)
    if isinstance(error, LogError) and form.get("kind") == "claimed":
        return Refused(error_words(error, chosen()), "sheet", list(_meant(case, form, error)))
    if isinstance(error, RepairUnsaidError):
        return Refused(word("remedy.unsaid"), "remedy")
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
    text = partial(_text, form)
    if kind == "reworded":
        return made(kind, {**who, "reasons": _in_languages(case, form, "reason")})
    if kind == "question_changed":
        return made(kind, {**who, "questions": _in_languages(case, form, "question")})
    if kind == "ruled":
        penalty = {"player": text("player"), "infraction": text("infraction"), "level": text("level")}
        name, known = case.opened.ruleset, case.opened.situation.cards
        return ruled(case, {
            **who, "decision": text("decision"), "rules": rules_typed(name, text("rules")),
            "reasons": _in_languages(case, form, "reason"), "cards": cards_typed(name, text("cards"), known),
            "remedy": text("remedy"),
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
