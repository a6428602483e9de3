"""The bundle of a case: one page that opens offline, with all that it rests on, to be checked whole.

For judges it holds the case as it is kept, the log with its seal, and the files. For the public it holds what everybody
may know of the case and, where the log is sealed, the proof of the line in question as the public may know it.
"""

from __future__ import annotations

import io
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from html import escape
from typing import cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from audit.core.catalogue import LANGUAGES
from audit.core.typography import sanitize_text
from audit.rulebooks.titles import rule_words
from replays.cases.book import CaseBook
from replays.cases.bundle_mark import START
from replays.cases.case import Case, CaseError, read_case
from replays.cases.disclosed import ToldCase, ToldRuling, told
from replays.cases.events import AnyEvent, Claimed, Evidence, Judged, Noted, Opened, Opined, Ruled
from replays.cases.infractions import person
from replays.cases.words import (
    case_word,
    entry_lines,
    entry_words,
    history_lines,
    moment_words,
    own_reasons,
    signed_by,
    statements,
    tongues,
)
from replays.judging.replay import replay
from replays.judging.versions import engine, fingerprint
from replays.log.reader import open_log
from replays.trust.ledger import LedgerSeal, seal_of
from replays.trust.proofs import LineProof
from replays.trust.seal import Seal, Signature, signature_by

VERSION = "audit-case-bundle/1"
NEAR = 3
"""So many steps before and after the one in question are told."""
PICTURES = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
_UNSAFE = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026", 0x2028: "\\u2028", 0x2029: "\\u2029"}


class BundledFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A file that is evidence, in base64."""

    name: str
    media: str
    data: str


class ToldStep(Struct, frozen=True, forbid_unknown_fields=True):
    """A step near the one in question, in each language."""

    seq: int
    verdict: str
    said: dict[str, str]


class PrintedWords(Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a rulebook that say a rule, and where they stand."""

    language: str
    text: str
    where: str


Printed = Callable[[str], Sequence[PrintedWords]]
"""The printed words of a rule."""


class Bundle(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All that is in the page. The signatures come last: they are of the page without them."""

    bundle: str
    engine: str
    catalogue: str
    languages: tuple[str, ...]
    case: tuple[str, ...] = ()
    case_seal: LedgerSeal | None = None
    public: ToldCase | None = None
    log: tuple[str, ...] = ()
    log_seal: Seal | None = None
    proof: LineProof | None = None
    steps: tuple[ToldStep, ...] = ()
    rules: dict[str, dict[str, str]] = {}
    quotes: dict[str, tuple[PrintedWords, ...]] = {}
    """What the loaded rulebooks print of the rules of the rulings, in the languages of the case."""
    files: dict[str, BundledFile] = {}
    by: tuple[Signature, ...] = ()


def bundle_of(
    book: CaseBook, id: str, *, log: bytes = b"", seal: Seal | None = None, language: str = "en", at: str = "",
    printed: Printed = lambda _: (),
) -> Bundle:  # fmt: skip
    """The bundle of a case for judges; `log` is that of its game, `printed` gives the printed words of a rule."""
    case = book.case(id)
    lines = book.lines(case.id)
    languages = tongues(case, language)
    files = {
        each.sha256: BundledFile(each.name, each.media, b64encode(book.file(case.id, each.sha256)).decode())
        for each in case.evidence if each.sha256
    }  # fmt: skip
    return Bundle(
        bundle=VERSION, engine=engine(), catalogue=fingerprint(case.opened.ruleset), languages=languages,
        case=tuple(line.decode().removesuffix("\n") for line in lines),
        case_seal=seal_of(lines, f"case {case.id}", at), log=_log_lines(log), log_seal=seal,
        steps=tuple(told_steps(log, case.opened.seq, languages)) if log and case.opened.seq is not None else (),
        rules=statements(case.opened.ruleset, rules_of(case), languages), files=files,
        quotes=_quotes([rule for each in case.rulings for rule in each.rules], languages, printed),
    )  # fmt: skip


def _quotes(
    rules: Sequence[str], languages: Sequence[str], printed: Printed
) -> dict[str, tuple[PrintedWords, ...]]:  # fmt: skip
    found = {rule: tuple(one for one in printed(rule) if one.language in languages) for rule in rules}
    return {rule: quotes for rule, quotes in found.items() if quotes}


def public_bundle_of(
    case: Case, language: str = "en", proof: LineProof | None = None, printed: Printed = lambda _: ()
) -> Bundle:  # fmt: skip
    """The bundle of a case for everybody; raises `CaseError` where the case is not public."""
    public = told(case)
    if public is None:
        raise CaseError(case.id, "it is not public")
    rules = [rule for each in public.rulings for rule in each.rules]
    languages = tongues(case, language)
    return Bundle(
        bundle=VERSION, engine=engine(), catalogue=fingerprint(public.ruleset), languages=languages, public=public,
        proof=proof, rules=statements(public.ruleset, rules, languages), quotes=_quotes(rules, languages, printed),
    )  # fmt: skip


def _log_lines(log: bytes) -> tuple[str, ...]:
    return tuple(log.decode().split("\n")) if log else ()


def rules_of(case: Case) -> list[str]:
    """Every rule that a ruling or the auditor names."""
    judged = [each for claim in case.claims for each in claim.judged]
    judged += [*case.opinion.judged, *case.opinion.doubts] if case.opinion else []
    named = [*(rule for each in case.rulings for rule in each.rules), *(each.rules[0] for each in judged if each.rules)]
    return list(dict.fromkeys(named))


def told_steps(log: bytes, seq: int, languages: Sequence[str]) -> Iterator[ToldStep]:
    """The steps near an event, in each language."""
    source = open_log(io.BytesIO(log))
    events = list(source)
    found = {code: replay((source.header, events), language=code).steps for code in languages}
    first = next(iter(found.values()))
    for number in range(len(first)):
        at = cast("int | None", first[number]["seq"])
        if at and abs(at - seq) <= NEAR:
            said = {
                code: str(steps[number].get("message") or steps[number]["sentence"]) for code, steps in found.items()
            }
            yield ToldStep(at, str(first[number]["verdict"]), said)


def signed(made: Bundle, key: str) -> Bundle:
    """The bundle with a signature by one's own key of that name."""
    return replace(made, by=(signature_by(key, signed_data(page_of(replace(made, by=())))),))


def signed_data(page: bytes) -> bytes:
    """What a signature is of: the page without signatures."""
    return VERSION.encode() + b"\n" + sha256(page).hexdigest().encode()


def page_of(made: Bundle) -> bytes:
    """The page of a bundle: the same bundle gives the same bytes."""
    said = msgspec.json.encode(made, order="deterministic").decode()
    first = made.languages[0] if made.languages else "en"
    case = read_case([f"{line}\n".encode() for line in made.case], "case") if made.case else None
    body = "\n".join(_whole(made, case, first) if case else _told(made, first))
    title = case.id if case else made.public.id if made.public else ""
    return (
        f'<!doctype html>\n<html lang="{first}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "img-src data:; base-uri 'none'; form-action 'none'\">\n"
        f"<title>{_text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n"
        f"{START}{said.translate(_UNSAFE)}</script>\n</body>\n</html>\n"
    ).encode()


def bundle_in(data: bytes, file: str) -> Bundle:
    """The bundle in a page; raises `CaseError`."""
    inside = data.partition(START.encode())[2].partition(b"</script>")[0]
    try:
        found = msgspec.json.decode(inside, type=Bundle)
    except (msgspec.MsgspecError, RecursionError, ValueError) as problem:
        raise CaseError(file, f"not the bundle of a case: {problem}") from None
    if found.bundle != VERSION:
        raise CaseError(file, f'expected "{VERSION}", found "{found.bundle[:40]}"')
    if not found.languages or not set(found.languages) <= set(LANGUAGES):
        raise CaseError(file, f"expected some of the languages {', '.join(LANGUAGES)}")
    return found


def _whole(made: Bundle, case: Case, language: str) -> Iterator[str]:
    opened, say = case.opened, partial(case_word, language)
    yield from _asked(opened, language)
    state = _text(say(f"state.{case.state}"))
    yield f"<p class=state>{state} · {_text(case.id)} · {_text(signed_by(language, opened))}</p>"
    for ruling in reversed(case.rulings):
        yield from _ruling(made, ruling, language)
        if ruling.penalty:
            level, who = say(f"level.{ruling.penalty.level}"), person(case, ruling.penalty.player)
            yield f"<p>{_text(say('penalty.words', player=who, infraction=ruling.penalty.infraction, level=level))}</p>"
    yield f"<h2>{_text(say('steps'))}</h2>"
    if opened.seq is not None:
        yield f"<p>{_text(say('step', game=opened.game, seq=opened.seq))}</p>"
    yield "<ol>"
    for step in made.steps:
        mark = ' class="in"' if step.seq == opened.seq else ""
        yield f'<li value="{step.seq}"{mark}>{_tongues(step.said)}</li>'
    yield "</ol>"
    yield f"<p class=quiet>{_text(say('position'))}: <code>{_text(opened.position)}</code></p>"
    said = [line for each in case.events for line in _event(made, case, each, language)]
    yield from (f"<h2>{_text(say('asked'))}</h2>", *said) if said else ()
    yield from _history(case, language)


def _event(made: Bundle, case: Case, event: AnyEvent, language: str) -> Iterator[str]:
    """What the auditor and players say, files, and what judges wrote down; the history tells all other entries."""
    say = partial(case_word, language)
    match event:
        case Opined():
            yield f"<h3>{_text(say('event.opined'))}</h3>{_judged((*event.judged, *event.doubts))}"
            yield from (f"<p class=quiet>{_text(say('otherwise', who=who))}</p>" for who in event.otherwise)
            yield f"<p class=quiet>{_text(say('fixed', engine=event.engine, catalogue=event.catalogue[:12]))}</p>"
        case Claimed():
            yield f"<h3>{_text(say('player.says', player=person(case, event.player)))}</h3>"
            yield f"<p>{_text(event.said)}</p>{_judged(event.judged)}"
        case Evidence():
            yield f"<h3>{_text(say('event.evidence'))}</h3>"
            yield from _evidence(made, event, language)
        case Noted():
            yield f"<h3>{_text(say(f'event.{event.__struct_config__.tag}'))}</h3>"
            yield _lines(entry_lines(case, event, language))


def _evidence(made: Bundle, event: Evidence, language: str) -> Iterator[str]:
    if event.text:
        yield f"<blockquote>{_text(event.text)}</blockquote>"
    kept = made.files.get(event.sha256 or "")
    if kept and event.media in PICTURES:
        yield f'<img alt="{_text(event.name)}" src="data:{event.media};base64,{_text(kept.data)}">'
    if event.sha256:
        said = case_word(language, "file", name=event.name, size=event.size, sha256=event.sha256)
        yield f"<p class=quiet>{_text(said)}</p>"
    if event.source:
        yield f"<p class=quiet>{_text(event.source)}</p>"


def _ruling(made: Bundle, ruling: Ruled, language: str) -> Iterator[str]:
    yield from _decided(made, ruling, language)
    yield f"<p class=quiet>{_text(signed_by(language, ruling))}</p></section>"


def _decided(made: Bundle, ruling: Ruled | ToldRuling, language: str) -> Iterator[str]:
    """What was decided and what becomes of the game, in each language; then why, and by which rules."""
    decided = _text(case_word(language, f"decision.{ruling.decision}"))
    yield f'<section class="{_text(ruling.decision)}"><h2>{decided}</h2>'
    others = [code for code in made.languages if code != language]
    yield _tongues({code: case_word(code, f"decision.{ruling.decision}") for code in others})
    if ruling.remedy:
        yield _tongues({code: case_word(code, f"remedy.{ruling.remedy}") for code in (language, *others)})
    if isinstance(ruling, ToldRuling) and ruling.back_to is not None:
        back = {code: case_word(code, "remedy.back_to", to=ruling.back_to) for code in (language, *others)}
        yield _tongues(back)
    rules = {rule: made.rules.get(rule, {}) for rule in ruling.rules}
    yield _tongues(own_reasons(ruling.reasons, rules.values()))
    for rule, said in rules.items():
        name = rule_words(rule, language)
        code = f" <small>{_text(rule)}</small>" if name != rule else ""
        yield f"<h3>{_text(name)}{code}</h3>{_tongues(said)}{_printed(made, rule)}"


def _history(case: Case, language: str) -> Iterator[str]:
    yield f"<h2>{_text(case_word(language, 'history'))}</h2><ol>"
    for event in case.events:
        more = () if event in case.rulings else history_lines(case, event, language)  # each ruling is told above
        yield f"<li>{_text(entry_words(language, event))}{_lines(more)}</li>"
    yield "</ol>"


def _lines(said: Iterable[str]) -> str:
    return "".join(f"<p>{_text(line)}</p>" for line in said)


def _told(made: Bundle, language: str) -> Iterator[str]:
    public = made.public
    if public is None:
        return
    yield from _asked(public, language)
    yield f"<p class=state>{_text(case_word(language, f'state.{public.state}'))} · {_text(public.id)}</p>"
    for ruling in reversed(public.rulings):
        yield from _decided(made, ruling, language)
        yield f"<p class=quiet>{_text(ruling.by)}, {_text(moment_words(ruling.at))}</p></section>"


def _asked(case: Opened | ToldCase, language: str) -> Iterator[str]:
    """The question in the language of the page, then in the other languages of the case."""
    every = {case.lang: case.question, **case.questions}
    first = language if language in every else case.lang
    yield f'<h1 lang="{_text(first)}">{_text(every[first])}</h1>'
    yield _tongues({code: every[code] for code in every if code != first and code in (case.lang, *case.languages)})


def _printed(made: Bundle, rule: str) -> str:
    return "".join(
        f'<blockquote lang="{_text(one.language)}">{_text(one.text)} <small>{_text(one.where)}</small></blockquote>'
        for one in made.quotes.get(rule, ())
    )


def _judged(judged: Sequence[Judged]) -> str:
    return "".join(
        f'<p class="{_text(each.verdict)}">{_text(each.said)} <code>{_text(" ".join(each.rules[:1]))}</code></p>'
        + _tongues(each.words)
        for each in judged
    )


def _tongues(said: Mapping[str, str]) -> str:
    return "".join(f'<p lang="{_text(code)}">{_text(text)}</p>' for code, text in said.items() if text)


def _text(text: str) -> str:
    return escape(sanitize_text(text)).replace("\n", "<br>")


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#15181d;background:#f5f6f8;overflow-wrap:anywhere}"
    "main{max-width:46rem;margin:auto;padding:1rem}h1{font-size:1.3rem}h2{font-size:1.1rem}h3{font-size:1rem}"
    ".state{font-weight:600}.quiet{color:#545d68}"
    "section{background:#fff;border-left:6px solid #545d68;padding:.5rem 1rem}"
    "section.no{border-color:#b3211b}section.yes{border-color:#1b6a40}.illegal,.impossible{color:#b3211b}"
    ".in{background:#fbe9e7}img{max-width:100%}blockquote{border-left:3px solid #ccd2da;margin:0;padding-left:1rem}"
    "@media(prefers-color-scheme:dark){body{color:#e9ecf0;background:#12151a}section{background:#1b2027}"
    ".quiet{color:#a0abb8}.in{background:#3a1f1e}.illegal,.impossible{color:#ff8a80}}"
)
