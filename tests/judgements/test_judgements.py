"""Whatever the auditor said of the cases and of kept logs, it says still: verdicts, rules, reasons and positions.

These tests do not show that a judgement is right; the cases and the situations of the cards do. They show that no
judgement changes unnoticed. After a change that is meant: `python -m tests.judgements`, and look at what differs.
"""

from __future__ import annotations

import msgspec
import pytest

from audit.core.ruleset import rulesets
from tests.judgements.kept import (
    FOLDER,
    audited,
    cases,
    digest,
    digests,
    judgements,
    kept_digests,
    kept_judgements,
    logs,
    said,
)

KEPT = {name: kept_digests(name) for name in rulesets() if (FOLDER / f"{name}.steps.tsv").is_file()}
LOGS = {name: [*cases(name), *logs(name)] for name in KEPT}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("sixth", range(6))
@pytest.mark.parametrize("name", KEPT)
def test_what_is_said_of_each_step_is_what_was_said_of_it(name: str, sixth: int) -> None:
    for log in LOGS[name][sixth::6]:
        kept, now = KEPT[name][log.name], digests(log)
        at = next((at for at, (one, other) in enumerate(zip(now, kept, strict=False)) if one != other), None)
        assert at is None, f"step {at} of {log.name} is judged otherwise than before: {said(log)[at]}"
        assert len(now) == len(kept), f"{log.name} has {len(now)} steps, not {len(kept)} as before"


@pytest.mark.parametrize("name", KEPT)
def test_every_judgement_is_given_as_often_as_before(name: str) -> None:
    now, kept = judgements(step for log in LOGS[name] for step in audited(log)), kept_judgements(name)
    differing = {words: (kept.get(words, 0), now[words]) for words in {*kept, *now} if kept.get(words, 0) != now[words]}
    assert differing == {}, "before and now; if the change is meant: python -m tests.judgements"


@pytest.mark.every("name", rulesets())
def test_every_ruleset_has_kept_judgements_with_findings_among_them(name: str) -> None:
    assert any(words.startswith("illegal") for words in kept_judgements(name))
    assert set(KEPT[name]) == {log.name for log in LOGS[name]}


def test_a_step_is_another_as_soon_as_one_word_of_it_is() -> None:
    log = next(log for log in LOGS["compile"] if log.name == "second-play")
    words = said(log)[-1]
    assert digest(words) == kept_digests("compile")["second-play"][-1]
    assert digest({**words, "clock": None}) != digest(words)
    assert digest(msgspec.json.decode(msgspec.json.encode(words))) == digest(words)
