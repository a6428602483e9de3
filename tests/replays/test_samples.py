"""The sample games say the same as ever, in all four languages.

The expected words are kept beside this file; after a change that is meant, `python -m tests.replays.test_samples`
writes them anew, and the difference is there to be read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from audit.core.catalogue import LANGUAGES
from replays.judging.replay import replay
from replays.log.reader import open_log

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = sorted(ROOT.glob("replays/samples/*.jsonl"))
KEPT = Path(__file__).resolve().parent / "annotated"


def told(sample: Path, language: str) -> Iterator[str]:
    """One line a step: its number, its place in the log, the verdict, the first rule, what is said of it."""
    for step in replay(open_log(sample), language=language).steps[1:]:
        rules = step["rules"]
        assert isinstance(rules, list)
        words = step.get("message") or step["sentence"]
        yield f"{step['step']}\t{step['seq'] or '-'}\t{step['verdict']}\t{rules[0] if rules else '-'}\t{words}"


def kept(sample: Path, language: str) -> Path:
    return KEPT / f"{sample.stem}.{language}.tsv"


@pytest.mark.every("language", LANGUAGES)
@pytest.mark.every("sample", SAMPLES, ids=lambda sample: sample.stem)
def test_the_sample_is_annotated_as_before(sample: Path, language: str) -> None:
    assert list(told(sample, language)) == kept(sample, language).read_text("utf-8").splitlines()


def test_there_are_samples_of_every_kind() -> None:
    assert {"clean", "dispute", "hand-entered", "hidden"} <= {sample.stem for sample in SAMPLES}


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for each in SAMPLES:
        for code in LANGUAGES:
            kept(each, code).write_text("\n".join(told(each, code)) + "\n", "utf-8")
