"""Hostile logs found by watching which code they reach (needs atheris, and so Linux or macOS).

    python -m bench.fuzz_guided [--minutes 1] [--ruleset compile] [--corpus DIR]

Begins with the logs of random games and damages them as `bench.fuzz` does. What reaches new code is kept in the
corpus and damaged further. Ends with an error, and the case on disk, at the first crash.
"""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import atheris
import click

with atheris.instrument_imports(include=["audit", "replays"]):
    import audit.games.compile  # noqa: F401 - so that the game is watched too
    from bench.fuzz import MUTATIONS, damaged, judge, seeds

LONGEST = 60_000
SLOWER = 20
"""Seconds libFuzzer waits for one case: watched code is many times slower."""


def begin(corpus: Path, name: str) -> None:
    """Lay the first logs into the corpus, short enough to be tried often."""
    corpus.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(seeds(name)):
        (corpus / f"seed-{number}").write_bytes(b"".join(data.splitlines(keepends=True)[: 30 + 10 * number]))


def take(data: bytes) -> None:
    """Judge one case."""
    outcome = judge(data)
    if outcome.what == "crash":
        raise AssertionError(outcome.error)


def mutate(data: bytes, most: int, seed: int) -> bytes:
    """Damage a case by what we know of logs, or as the fuzzer likes."""
    random = Random(seed)
    if random.random() < 0.3:
        return bytes(atheris.Mutate(data, most))
    return damaged(data, random.choice(list(MUTATIONS)), random)[:most]


@click.command()
@click.option("--minutes", default=1.0, show_default=True)
@click.option("--ruleset", "name", default="compile", show_default=True)
@click.option("--corpus", type=click.Path(path_type=Path), default=Path("build/fuzz"), show_default=True)
def main(minutes: float, name: str, corpus: Path) -> None:
    """Fuzz for so long."""
    begin(corpus, name)
    limits = [f"-max_total_time={int(60 * minutes)}", f"-max_len={LONGEST}", f"-timeout={SLOWER}", "-rss_limit_mb=1500"]
    places = [f"-artifact_prefix={corpus.parent}/", str(corpus)]
    atheris.Setup([sys.argv[0], *limits, *places], take, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
