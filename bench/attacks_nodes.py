"""Changes every part of published files that a reader sees or a program reads, one at a time, and verifies each file.

The parts are the values of the record and, in a page, every text, every attribute, the script and the style. Each kind
of file is made for the judge, the public and a seat, in each language, signed as a whole and not. In a signed file
every change has to be noticed. In a file for the public or a seat that nobody signed, what rests on hidden cards cannot
be judged: the answer then says that nobody signed it. The table shows how many changes are named all the same.

Usage: python -m bench.attacks_nodes [--most 400] [--seed 1] [--games dispute,lotr-crows,altered-duel]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from audit.core.catalogue import LANGUAGES
from bench.attacks import checked, remembered, sealed
from replays.trust.keys import make_key
from web.publishing.files import PublishError, publish
from web.publishing.record import encoded
from web.publishing.sources import source_at

FORMS = ("json", "html")
_TOKEN = re.compile(r"<(?:script|style)\b.*?</(?:script|style)>|<[^>]*>|[^<]+", re.S)
_VALUE = re.compile(r'="([^"]*)"')
_RECORD = re.compile(r'(?s)(<script type="application/json" id="annotations">)(.*?)(</script>)')
PER_BLOCK = 40
"""So many places are changed in each script and style."""

Changed = tuple[str, bytes]
"""What kind of part was changed, and the file with it."""


def leaves(value: object, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:
    """The path of every value in a record."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not inside and path:
        yield path
    for at, inner in inside:
        yield from leaves(inner, (*path, at))


def other(value: object) -> object:
    """Another value of the same type, or as near as can be."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, int):
        return value + 1
    return letter_changed(value, len(value) // 2) if isinstance(value, str) else ["x"]


def letter_changed(text: str, at: int) -> str:
    """The same text with another letter there."""
    return f"{text[:at]}{'e' if text[at : at + 1] != 'e' else 'a'}{text[at + 1 :]}"


def with_value(record: dict[str, object], path: tuple[object, ...]) -> dict[str, object]:
    """A record with another value there."""
    changed: dict[str, object] = json.loads(json.dumps(record))
    inside: Any = changed
    for at in path[:-1]:
        inside = inside[at]
    inside[path[-1]] = other(inside[path[-1]])
    return changed


def records_changed(data: bytes, most: int, dice: random.Random) -> Iterator[Changed]:
    """A record with each of its values changed, at most so many."""
    record = json.loads(data)
    paths = list(leaves(record))
    for path in dice.sample(paths, min(most, len(paths))):
        where = str(path[0]) if path[0] not in ("steps", "findings", "log") else f"{path[0]}: {path[-1]}"
        yield where if not where[-1].isdigit() else str(path[0]), encoded(with_value(record, path))


def pages_changed(data: bytes, most: int, dice: random.Random) -> Iterator[Changed]:
    """A page with each of its texts, attributes, scripts and styles changed, at most so many; its record as well."""
    text = data.decode()
    places = list(_places(text))
    for kind, at in dice.sample(places, min(most, len(places))):
        yield kind, letter_changed(text, at).encode()
    found = _RECORD.search(text)
    assert found
    for where, changed in records_changed(found[2].encode(), most // 2, dice):
        new = changed.decode().rstrip("\n").translate({ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"})
        yield f"record, {where}", (text[: found.start(2)] + new + text[found.end(2) :]).encode()


def _places(text: str) -> Iterator[tuple[str, int]]:
    for token in _TOKEN.finditer(text):
        said, start = token[0], token.start()
        if said.startswith(("<script", "<style")):
            kind = "style" if said.startswith("<style") else "data" if "application/json" in said[:60] else "script"
            if 'id="annotations"' not in said[:60]:
                yield from ((kind, start + len(said) * n // PER_BLOCK) for n in range(1, PER_BLOCK))
        elif said.startswith("<"):
            yield from (("attribute", start + value.start(1)) for value in _VALUE.finditer(said) if value[1])
            yield "element", start + 1
        elif said.strip():
            yield "text", start + said.index(said.strip())


def attack(data: bytes, form: str, most: int, dice: random.Random, file: Path) -> Iterator[tuple[str, str]]:
    """What was changed, and the answer."""
    change: Callable[[bytes, int, random.Random], Iterator[Changed]]
    change = records_changed if form == "json" else pages_changed
    for kind, changed in change(data, most, dice):
        if changed != data:
            file.write_bytes(changed)
            yield kind, checked(file)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=400, help="changes of each file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", default="dispute,lotr-crows,altered-duel")
    parser.add_argument("--kinds", action="store_true", help="by kind, what is not named in unsigned files")
    asked = parser.parse_args()
    remembered()
    dice = random.Random(asked.seed)
    print(f"{'file':44}{'changes':>9}{'noticed':>9}{'answered nobody signed':>24}{'missed':>8}")
    unnamed: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name:
        os.environ["AUDIT_DATA_DIR"] = name
        make_key("judge")
        for game in asked.games.split(","):
            source = source_at(sealed(Path(name), game))
            for viewer, language, form, signed in _files(source.header.players[0].seat):
                try:
                    data = publish(source, form, viewer, (language,), key="judge" if signed else None)
                except PublishError:
                    continue
                answers = Counter[str]()
                for kind, answer in attack(data, form, asked.most, dice, Path(name) / "changed"):
                    nobody = answer.startswith("nobody signed")
                    missed = answer == "intact" or answer.startswith("unaltered") or (signed and nobody)
                    answers["missed" if missed else "nobody" if nobody else "noticed"] += 1
                    unnamed.update([f"{form} {kind}"] if nobody or missed else [])
                totals.update(answers)
                what = f"{game} {form} for {viewer}, {language}, {'signed' if signed else 'not signed'}"
                _print(what, answers)
    _print("all", totals)
    if asked.kinds:
        print(*(f"{count:6} {kind}" for kind, count in unnamed.most_common()), sep="\n")


def _files(seat: str) -> Iterator[tuple[str, str, str, bool]]:
    for number, viewer in enumerate(("judge", "public", seat)):
        for at, form in enumerate(FORMS):
            for signed in (True, False):
                yield viewer, LANGUAGES[(number + at + signed) % len(LANGUAGES)], form, signed


def _print(what: str, answers: Counter[str]) -> None:
    print(
        f"{what:44}{answers.total():>9,}{answers['noticed']:>9,}{answers['nobody']:>24,}{answers['missed']:>8,}",
        flush=True,
    )


if __name__ == "__main__":
    main()
