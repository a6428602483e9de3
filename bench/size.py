"""How much code decides the rules: code lines and modules of the core and of each game.

A code line is a line that is not blank and holds more than a comment or a docstring.

python -m bench.size
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import Path

import click

AUDIT = Path(__file__).resolve().parent.parent / "audit"
CORE, GAMES = AUDIT / "core", AUDIT / "games"
NO_CODE = frozenset(
    {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
)


def code_lines(source: str) -> int:
    """The code lines of a source."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    lines = {line for t in tokens if t.type not in NO_CODE for line in range(t.start[0], t.end[0] + 1)}
    return len(lines.difference(docstring_lines(source)))


def docstring_lines(source: str) -> Iterator[int]:
    """The lines of docstrings, those below a field or a constant included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def parts() -> dict[str, list[Path]]:
    """The modules of the core, and of each game by the name of its folder."""
    games = sorted(path.parent for path in GAMES.glob("*/game.py"))
    return {"core": sorted(CORE.rglob("*.py"))} | {game.name: sorted(game.rglob("*.py")) for game in games}


@click.command()
def main() -> None:
    """Print the code lines and modules of the core and of each game."""
    total = 0
    for name, paths in parts().items():
        lines = sum(code_lines(path.read_text("utf-8")) for path in paths)
        total += lines
        click.echo(f"{name:<12} {lines:>7,} code lines in {len(paths):>3} modules")
    click.echo(f"{'all':<12} {total:>7,} code lines")


if __name__ == "__main__":
    main()
