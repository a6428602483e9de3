"""The architecture: which package may import which, and what the code may not name.

Each check is a function from a source to its offences, tried first on a few lines that break it.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pytest

from web.offline.building import OURS_LEFT_OUT

ROOT = Path(__file__).resolve().parent.parent
CORE, GAMES = ROOT / "audit" / "core", ROOT / "audit" / "games"
SHELLS = ("flask", "flask_babel", "flask_smorest", "click", "web", "commands", "cli")

ARROWS = {
    "audit": (*SHELLS, "marshmallow", "eventsourcing", "replays"),
    "replays": SHELLS,
    "web": ("click", "commands", "cli"),
    "commands": ("cli",),
}
"""What each package may not import."""

FOLDERS = {
    "replays": {
        "log": "", "judging": "log", "generating": "log judging", "scoresheet": "log judging",
        "importing": "log judging scoresheet", "table": "log judging scoresheet", "trust": "log",
        "store": "log trust judging", "rulebooks": "judging", "season": "log judging scoresheet store rulebooks",
        "cases": "log judging table trust store season", "conformance": "log judging generating scoresheet terminal",
        "terminal": "log importing judging table store rulebooks season cases",
    },
    "web": {
        "drawing": "", "scenes": "drawing", "site": "", "games": "site drawing scenes rulebooks",
        "rules": "site games scenes", "table": "site drawing scenes games rules", "rulebooks": "site games",
        "cases": "site games publishing", "season": "site games", "publishing": "site drawing scenes games rulebooks",
        "api": "site games publishing table cases season", "offline": "site games",
    },
}  # fmt: skip
"""Which folders of its own package each folder may import."""

GAME_WORDS = re.compile(
    r"(?:re)?compil\w*|protocols?|draft(?:s|ed)?|(?:un)?cover(?:s|ed|ing)?|committed|trash(?:es|ed)?|flip(?:s|ped)?"
    r"|shift(?:s|ed)?|refresh(?:es|ed)?|rearrang\w*"
    r"|lotr|surges?|doomed|peril|staging|quests?|encounters?|treacher\w+|ambush|guarded|villagers?"
    r"|altered|expeditions?|limbo|mana|hero(?:es)?|reserves?|landmarks?|tumults?|mornings?|noon|afternoons?|dusk|nights?"
    r"|fleeting|anchored|asleep|initiative|arenas?|regions?|factions?"
)
GAME_NAMES_ONLY = frozenset({"line", "lane"})
"""Words of a game where they name something; in prose a file has lines too."""


PRINTS = re.compile(r"print|click\.s?echo|click\.echo_via_pager|sys\.std(?:out|err)\.write")


class Token(NamedTuple):
    line: int
    text: str
    prose: bool


@cache
def walked(source: str) -> tuple[ast.AST, ...]:
    """Every node of the source, which several checks look at."""
    return tuple(ast.walk(ast.parse(source)))


# Who may import whom


@cache
def imports(source: str, package: str) -> tuple[tuple[int, str], ...]:
    """Line and dotted name of everything the source imports, by statement or by `import_module("…")`."""
    return tuple(_imports(source, package))


def _imports(source: str, package: str) -> Iterator[tuple[int, str]]:
    for node in walked(source):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                parents = package.split(".")[: len(package.split(".")) - level + 1] if level else []
                base = ".".join([*parents, *([module] if module else [])])
                yield from ((node.lineno, f"{base}.{alias.name}") for alias in names)
            case ast.Call(
                func=ast.Attribute(attr="import_module") | ast.Name(id="import_module" | "__import__"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node.lineno, name


def is_within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def forbidden_imports(source: str, package: str, forbidden: tuple[str, ...]) -> list[str]:
    return [f"{line}: imports {name}" for line, name in imports(source, package) if is_within(name, forbidden)]


@pytest.mark.every(
    "line",
    [
        "import flask", "import os, flask.json as j", "from flask import request", "from ..web import games",
        "from .. import web", "def late():\n    import flask", "import_module('flask')",
        "importlib.import_module('web.games')",
    ],
)  # fmt: skip
def test_every_way_to_import_is_seen(line: str) -> None:
    assert forbidden_imports(line, "project.audit", ("flask", "project.web", "web"))


def test_a_name_that_only_begins_alike_is_let_through() -> None:
    assert not forbidden_imports("import flasks\nfrom clicker import x", "audit", ("flask", "click"))


@pytest.mark.every("package", ARROWS)
def test_packages_import_only_downwards(package: str) -> None:
    assert not offences(
        python_files(package), lambda path: forbidden_imports(read(path), package_of(path), ARROWS[package])
    )


@pytest.mark.every("package", FOLDERS)
def test_folders_of_a_package_import_only_the_folders_named_here(package: str) -> None:
    folders = FOLDERS[package]
    assert {path.parent.name for path in (ROOT / package).glob("*/__init__.py")} == set(folders)
    for folder, allowed in folders.items():
        others = tuple(f"{package}.{other}" for other in folders if other not in (folder, *allowed.split()))
        for path in python_files(f"{package}/{folder}"):
            assert not forbidden_imports(read(path), package_of(path), others), path.relative_to(ROOT)


def test_the_core_imports_no_ruleset_and_no_ruleset_imports_another() -> None:
    games = tuple(f"audit.games.{name}" for name in ruleset_folders())
    for path in python_files("audit"):
        others = tuple(game for game in games if not is_within(package_of(path), (game,)))
        assert not forbidden_imports(read(path), package_of(path), others), path.relative_to(ROOT)


# One place prints


def printing(source: str) -> list[str]:
    """Calls that write to a terminal."""
    calls = (node for node in walked(source) if isinstance(node, ast.Call))
    return [f"{call.lineno}: {ast.unparse(call.func)}" for call in calls if PRINTS.fullmatch(ast.unparse(call.func))]


@pytest.mark.every("line", ["click.echo('x')", "click.secho(x)", "print(x)", "sys.stdout.write(x)"])
def test_every_way_to_print_is_seen(line: str) -> None:
    assert printing(f"def f():\n    {line}")


def test_what_commands_print_is_sanitized_in_one_place() -> None:
    files = [path for path in (*python_files("commands"), ROOT / "cli.py") if path.name != "common.py"]
    assert files
    assert not offences(files, lambda path: printing(read(path)))


# No word of any game in the core


def tokens(source: str) -> Iterator[Token]:
    """Names, strings and comments; a string or comment with a blank in it is prose. `re.compile` is Python's own."""
    before = ("", "")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        text = token.string
        if token.type == tokenize.NAME and not (before == ("re", ".") and text == "compile"):
            yield Token(token.start[0], text, prose=False)
        elif token.type not in (tokenize.NAME, tokenize.OP) and re.search("[A-Za-z]", text):
            prose = token.type == tokenize.COMMENT or bool(re.search(r"\s", text))
            for offset, row in enumerate(text.replace("`re.compile`", "").split("\n")):
                yield Token(token.start[0] + offset, row, prose)
        before = (before[1], text)


def split_words(text: str) -> Iterator[str]:
    """`ControlTaken`, `control_taken` and `CONTROL_TAKEN` are two words each."""
    for run in re.findall("[A-Za-z]+", text):
        yield from (word.lower() for word in re.findall("[A-Z]+(?![a-z])|[A-Z]?[a-z]+", run))


def game_words(source: str, events: frozenset[str] = frozenset()) -> list[str]:
    """Words of games among the names, strings and comments of a source; `events` are events of the rulesets."""
    found = []
    for token in tokens(source):
        words = list(split_words(token.text))
        bad = {word for word in words if GAME_WORDS.fullmatch(word)}
        bad |= GAME_NAMES_ONLY.intersection([] if token.prose else words)
        bad |= events.intersection(re.findall(r"\w+", token.text))
        found += [f"{token.line}: says {word!r}" for word in sorted(bad)]
    return found


@pytest.mark.every(
    "source",
    [
        "def is_uncovered(card): ...",
        "state.line",
        "f(in_line=3)",
        'fields = {"line": 1}',
        '"""Until the surge resolves."""',
        "x = 1  # the expedition moves",
        "from audit import compile",
        "LimboEntry = 1",
        'text = f"{player} recompiles"',
        'event.type == "mana_placed"',
    ],
)
def test_a_word_of_a_game_is_seen_wherever_it_hides(source: str) -> None:
    assert game_words(source)


def test_an_event_of_a_ruleset_is_seen_by_its_name_and_its_tag() -> None:
    events = frozenset({"ControlTaken", "control_taken"})
    assert game_words("isinstance(event, ControlTaken)", events)
    assert game_words('"""`control_taken` is special."""', events)


def test_words_of_python_and_of_text_files_are_let_through() -> None:
    assert not game_words(
        'pattern = re.compile("x")\n"""The first line of a log."""\n@functools.cache\ndef deadline(): ...\n'
    )


def test_the_core_has_no_word_of_any_game() -> None:
    events = multi_word_events()
    assert not offences(python_files("audit/core"), lambda path: game_words(read(path), events))


WORDS_OF_THE_WEB = frozenset({"shift", "shifted", "region"})
"""A key of the keyboard, and what a screen reader listens to."""


def test_what_draws_a_table_has_no_word_of_any_game() -> None:
    files = [*python_files("web/scenes"), *python_files("web/drawing"), ROOT / "replays/terminal/scene_lines.py"]
    files += [path for path in (ROOT / "web/static").iterdir() if path.suffix in (".js", ".css", ".json")]
    for path in files:
        words = set(split_words(read(path)))
        assert not {word for word in words if GAME_WORDS.fullmatch(word)} - WORDS_OF_THE_WEB, path.name


# Cards are data, rules are objects


def card_comparisons(source: str) -> list[str]:
    """Places that ask whether a card is a certain one: `card == "…"`, `card in {"…"}`, `match card: case "…"`."""
    found = []
    for node in walked(source):
        match node:
            case ast.Compare(left=left, comparators=comparators):
                sides = [left, *comparators]
                if any(is_card(side) for side in sides) and any(has_text(side) for side in sides):
                    found.append(f"{node.lineno}: asks which card it is")
            case ast.Match(subject=subject, cases=cases) if is_card(subject):
                found += [f"{case.pattern.lineno}: asks which card it is" for case in cases if has_text(case.pattern)]
    return found


def is_card(node: ast.AST) -> bool:
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return name in ("card", "card_id", "printed") or name.endswith("_card")


def has_text(node: ast.AST) -> bool:
    """Whether a text of letters is written out there, alone or among others; `TABLE["key"]` looks one up instead.

    A lone sign, such as the mark of an unknown card, is no text.
    """
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and bool(re.search("[a-z]{2}", node.value))
    return not isinstance(node, ast.Subscript) and any(has_text(inner) for inner in ast.iter_child_nodes(node))


def named(source: str, ids: frozenset[str], what: str) -> list[str]:
    """Strings that are one of these ids."""
    return [f"{line}: names the {what} {text}" for line, text in texts(source) if text in ids]


@cache
def texts(source: str) -> tuple[tuple[int, str], ...]:
    """Every string that is written in the source, with its line."""
    nodes = (node for node in walked(source) if isinstance(node, ast.Constant))
    return tuple((node.lineno, node.value) for node in nodes if isinstance(node.value, str))


@pytest.mark.every(
    "source",
    [
        'card == "fire-2"',
        '"thalin" != event.card',
        'top.card in {"fire-2", "fire-3"}',
        'match event.card:\n    case "fire-2" | "fire-3": ...',
    ],
)
def test_asking_for_a_certain_card_is_seen(source: str) -> None:
    assert card_comparisons(source)


def test_asking_whether_two_cards_are_the_same_is_let_through() -> None:
    assert not card_comparisons('card == other\ncard in hand\ncard[0] == "?"\ncard != "?"')
    assert not card_comparisons('kind == "enemy"\ncard in TABLE["flipped"]')


def test_a_named_card_or_rule_is_seen_and_a_text_about_it_is_not() -> None:
    assert named('POOL["fire-2"]', frozenset({"fire-2"}), "card") == ["1: names the card fire-2"]
    assert not named('help = "audit rule play.face-up"', frozenset({"play.face-up"}), "rule")


def test_nothing_asks_which_card_it_is() -> None:
    assert not offences(python_files("audit"), lambda path: card_comparisons(read(path)))


def test_cards_are_named_where_they_are_declared_and_where_a_rule_is_about_them_and_nowhere_else() -> None:
    ids = card_ids()
    files = [path for path in python_files("audit") if not is_part(path, "cards") and not is_part(path, "rules")]
    assert not offences(files, lambda path: named(read(path), ids, "card"))


def test_rules_are_cited_as_objects() -> None:
    ids = rule_ids()
    files = [path for folder in ARROWS for path in python_files(folder) if not is_part(path, "rules")]
    assert not offences(files, lambda path: named(read(path), ids, "rule"))


# What searches ends at the same place in machine code


AT_ONCE = ("all", "any", "next", "sum", "min", "max", "sorted", "list", "tuple", "set", "frozenset", "dict")
"""Takes from a generator expression, in machine code as in the source, as much as it needs; all else takes a list."""


def searches_to_the_end(source: str) -> list[str]:
    """Generator expressions that search, and so spend of the budget, where machine code makes a list of them first."""
    taken = {
        id(call.args[0])
        for call in walked(source)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in AT_ONCE and call.args
    }
    loose = [node for node in walked(source) if isinstance(node, ast.GeneratorExp) and id(node) not in taken]
    return [f"{node.lineno}: searches to the end once it is compiled" for node in loose if names_inference(node)]


def names_inference(node: ast.AST) -> bool:
    inner = ast.walk(node)
    return any(getattr(one, "id", "") == "inference" or getattr(one, "attr", "") == "inference" for one in inner)


@pytest.mark.every(
    "source",
    [
        "next(filter(None, (to(inference, one) for one in records)))",
        "found = (self.inference.paths(state, one) for one in records)",
        "for way in (to(inference, one) for one in records): ...",
    ],
)
def test_a_search_that_machine_code_goes_on_with_is_seen(source: str) -> None:
    assert searches_to_the_end(source)


def test_a_search_that_ends_where_the_source_ends_is_let_through() -> None:
    assert not searches_to_the_end("next((way for one in records if (way := to(inference, one))), ())")
    assert not searches_to_the_end("list(map(len, (one for one in records)))")


def test_the_core_searches_as_far_in_machine_code_as_in_the_source() -> None:
    assert not offences(python_files("audit/core"), lambda path: searches_to_the_end(read(path)))


def test_the_rulesets_have_rules_cards_and_events_to_look_for() -> None:
    """Without them the checks above would look for nothing."""
    assert ruleset_folders()
    assert rule_ids()
    assert card_ids()
    assert multi_word_events()


# What the site holds


def test_the_site_leaves_out_no_module_that_its_pages_import() -> None:
    reached = set(files_imported_by(ROOT / "web" / "offline" / "device.py"))
    assert len(reached) > 200
    inside = (PurePosixPath(path.relative_to(ROOT)) for path in reached)
    assert [str(path) for path in inside if any(path.match(pattern) for pattern in OURS_LEFT_OUT)] == []


def files_imported_by(start: Path) -> Iterator[Path]:
    """The files of ours that a file imports, itself or through others."""
    found, waiting = {start}, [start]
    while waiting:
        path = waiting.pop()
        yield path
        named = (file for _, name in imports(read(path), package_of(path)) for file in files_of(name))
        waiting += (new := set(named) - found)
        found |= new


def files_of(name: str) -> Iterator[Path]:
    """The files that the import of a dotted name runs: of a module, and of the packages above it."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        place = ROOT.joinpath(*parts[:end])
        yield from (file for file in (place / "__init__.py", place.with_suffix(".py")) if file.is_file())


# What there is


def read(path: Path) -> str:
    return path.read_text("utf-8")


def python_files(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def package_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).parts[:-1])


def is_part(path: Path, room: str) -> bool:
    """Whether the file is the room (`rules.py`) or lies in it (`rules/play.py`)."""
    return room in (*path.relative_to(ROOT).parts[:-1], path.stem)


def offences(files: list[Path], check: Callable[[Path], list[str]]) -> list[str]:
    return [f"{path.relative_to(ROOT)}:{offence}" for path in files for offence in check(path)]


def ruleset_folders() -> list[str]:
    """The games: folders that declare events."""
    return sorted(path.name for path in GAMES.iterdir() if (path / "events.py").is_file() or (path / "events").is_dir())


def multi_word_events() -> frozenset[str]:
    """Names and tags of the rulesets' events; one of a single word (`Played`) may belong to every game."""
    classes = [
        node.name
        for path in python_files("audit")
        if is_part(path, "events")
        for node in walked(read(path))
        if isinstance(node, ast.ClassDef)
    ]
    several = [name for name in classes if len(list(split_words(name))) > 1]
    return frozenset(several) | {re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower() for name in several}


def card_ids() -> frozenset[str]:
    """Every card that has words in a ruleset's language file."""
    return frozenset(key for path in GAMES.glob("*/text/en/cards.toml") for key in tomllib.loads(read(path)))


def rule_ids() -> frozenset[str]:
    """Every id declared by `rule("…", …)`."""
    return frozenset(
        node.args[0].value
        for path in python_files("audit")
        if is_part(path, "rules")
        for node in walked(read(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rule" and node.args
        if isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str)
    )
