"""The steps of a game that used each rule: noted by what they cite, kept in few bytes for each rule."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain
from operator import sub
from typing import TYPE_CHECKING

import msgspec

from audit.core.event_rules import Citations
from audit.core.model import Verdict
from audit.core.steps import LEGAL
from audit.rulebooks.findings import Weight
from replays.judging.tally import SetAside

if TYPE_CHECKING:
    from replays.store.store import Store

Use = tuple[int, int | None, str]
"""A step that used a rule: its index, its seq, its verdict."""
VERDICTS = tuple(map(str, Verdict))
_NUMBERS = {verdict: number for number, verdict in enumerate(VERDICTS)}
_LEGAL = _NUMBERS[LEGAL.value]


def rule_weights(store: Store, ruleset: str) -> dict[str, Weight]:
    """The weight of every rule of a ruleset that some stored game cites."""
    store.follow()
    return {rule: Weight(games, steps) for rule, (games, steps) in store.shown.weights(ruleset).items()}


class RuleUses:
    """The steps that used each rule."""

    def __init__(self, aside: SetAside) -> None:
        """`aside` has heard of every step that is noted here, and knows which of them stand no longer."""
        self._aside = aside
        self._citing: defaultdict[Citations, list[int]] = defaultdict(list)
        self.unusual: dict[int, Verdict] = {}
        """The verdicts of the steps that were not simply legal, by index."""

    def citing(self, rules: Citations) -> list[int]:
        """The list in which to note a step that cites these rules, by its index."""
        return self._citing[rules]

    def rules(self) -> list[str]:
        """The rules that were used."""
        return list(_by_rule(self._standing()))

    def packed(self) -> Iterator[tuple[str, int, bytes]]:
        """Each rule, how many steps used it, and these steps in few bytes."""
        standing, less, numbers = self._standing(), self._less(), self._numbers()
        found: dict[tuple[Citations, ...], tuple[int, bytes]] = {}
        for rule, groups in _by_rule(standing).items():
            if groups not in found:
                steps = sorted(chain.from_iterable([standing[rules] for rules in groups]))
                found[groups] = len(steps), _packed(steps, less, numbers)
            yield rule, *found[groups]

    def _standing(self) -> Mapping[Citations, Sequence[int]]:
        """The steps that stand and cite the same rules."""
        aside = self._aside.found()
        if not aside:
            return self._citing
        return {rules: [step for step in steps if step not in aside] for rules, steps in self._citing.items()}

    def _less(self) -> dict[int, int | None]:
        """By how much the seq of a step is less than its index; None for a step that is not recorded."""
        return {index: None if seq is None else index - seq for index, seq in self._aside.seqs.items()}

    def _numbers(self) -> dict[int, int]:
        """The number of the verdict of every step."""
        return dict.fromkeys(self._aside.seqs, _LEGAL) | {
            index: _NUMBERS[verdict.value] for index, verdict in self.unusual.items()
        }


def _by_rule(cited: Mapping[Citations, Sequence[int]]) -> dict[str, tuple[Citations, ...]]:
    """For each rule, what is cited together with it. Rules that are always cited together have the same steps."""
    found: defaultdict[str, dict[Citations, None]] = defaultdict(dict)
    for rules, steps in cited.items():
        if steps:
            for rule in rules:
                found[rule.id][rules] = None
    return {rule: tuple(groups) for rule, groups in found.items()}


def _packed(steps: Sequence[int], less: Mapping[int, int | None], numbers: Mapping[int, int]) -> bytes:
    """Steps in few bytes: how far each is from the one before, by how much its seq is less, its verdict."""
    apart = [*map(sub, steps, chain((0,), steps))]
    data = apart, [*map(less.__getitem__, steps)], [*map(numbers.__getitem__, steps)]
    return zlib.compress(msgspec.msgpack.encode(data))


def unpacked(data: object) -> Iterator[Use]:
    """The steps of such bytes."""
    read = zlib.decompress(bytes(data))  # type: ignore[call-overload]
    apart, less, verdicts = msgspec.msgpack.decode(read, type=tuple[list[int], list[int | None], list[int]])
    for step, fewer, verdict in zip(accumulate(apart), less, verdicts, strict=True):
        yield step, None if fewer is None else step - fewer, VERDICTS[verdict]
