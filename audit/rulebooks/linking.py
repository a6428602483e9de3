"""Which sentences of a document say which rules, from how alike they are in meaning; and which rules it does not say.

The likeness of a sentence to the statements of a rule is weighed against everything else that it could mean: how alike
it is to other rules, how alike other sentences are to the rule, and whether its neighbours speak of the same topic.
Then the rules compete: a sentence that surely says another rule says this one less probably.

The weights were fitted to the French, Italian and Polish documents of Compile and to two that were written for it;
`python -m bench.linking` measures them on documents in further languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp

from msgspec import Struct

Grid = Sequence[Sequence[float]]
"""A row for each rule, a column for each sentence."""

NEAREST = 10
"""Likeness is measured against the mean of so many nearest rules and sentences."""

REACH = 8
"""Sentences farther off than this tell nothing about the topic of a sentence."""

WEIGHTS = (-12.96, 10.28, 3.02, 1.11, 7.01, 1.72, 4.3)
BIAS = -1.3
RIVALS = (1.017, -0.256, 0.085, -0.137, -0.055, -2.682)
RIVALS_BIAS = 1.69
"""The second weighing, shifted so that "not said" is right in nine of ten of the documents that it was fitted to."""
FARTHEST = 5
"""A rule that is not among so many likeliest ones of a sentence is simply far behind."""
MOST_MARGIN = 0.5

SAID = 0.5
"""From this probability on a passage is taken to say a rule."""


class Answer(Struct, frozen=True):
    """What is proposed for one rule: the likeliest passages, best first, each with its probability from 0 to 1."""

    rule: str
    passages: tuple[tuple[str, float], ...]

    @property
    def probability(self) -> float:
        """How probable it is that the document says the rule."""
        return max((value for _, value in self.passages), default=0.0)

    @property
    def is_said(self) -> bool:
        """Whether the document is taken to say the rule."""
        return self.probability >= SAID

    @property
    def certainty(self) -> float:
        """How sure the answer is, from 0 for a toss-up to 1: of the passages, or that there is none."""
        return abs(2 * self.probability - 1)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The passages that are taken to say it: every likely one."""
        return tuple(passage for passage, value in self.passages if value >= SAID)


def answers(topics: Mapping[str, str], passages: Sequence[str], mean: Grid, best: Grid, most: int = 3) -> list[Answer]:
    """An answer for each rule, the least certain first.

    `topics` maps the rules, in the order of the catalogue, to their topics; `passages` names the passage of each
    sentence. `mean` is the mean likeness of a sentence to the statements of a rule, `best` that to the most alike of
    them and of the passages that are linked to the rule.
    """
    if not passages:
        return [Answer(rule, ()) for rule in topics]
    chances = probabilities(list(topics.values()), mean, best)
    found = [Answer(rule, _by_passage(passages, row, most)) for rule, row in zip(topics, chances, strict=True)]
    return sorted(found, key=lambda answer: answer.certainty)


def _by_passage(passages: Sequence[str], row: Sequence[float], most: int) -> tuple[tuple[str, float], ...]:
    likeliest: dict[str, float] = {}
    for passage, value in zip(passages, row, strict=True):
        likeliest[passage] = max(value, likeliest.get(passage, 0.0))
    order = sorted(likeliest, key=lambda passage: -likeliest[passage])[:most]
    return tuple((passage, round(likeliest[passage], 3)) for passage in order)


def probabilities(topics: Sequence[str], mean: Grid, best: Grid) -> list[list[float]]:
    """How probable it is that each sentence says each rule."""
    alone = _summed(features(topics, mean, best), WEIGHTS, BIAS)
    return [[_logistic(value) for value in row] for row in _summed(_rivalry(alone), RIVALS, RIVALS_BIAS)]


def _summed(grids: Sequence[Grid], weights: Sequence[float], bias: float) -> list[list[float]]:
    height, width = len(grids[0]), len(grids[0][0])
    return [
        [bias + sum(weight * grid[i][j] for weight, grid in zip(weights, grids, strict=True)) for j in range(width)]
        for i in range(height)
    ]


def _rivalry(grid: Grid) -> tuple[Grid, ...]:
    """How a sentence stands among the sentences for a rule, and the rule among the rules for the sentence."""
    turned = _turned(grid)
    rival = _turned([_best_others(column) for column in turned])
    other = [_best_others(row) for row in grid]
    return (
        grid, _less(grid, rival), _less(grid, other), _turned([_ranks(column) for column in turned]),
        [_ranks(row) for row in grid], [[_logistic(value) for value in row] for row in rival],
    )  # fmt: skip


def _best_others(values: Sequence[float]) -> list[float]:
    """For each value the best of the others."""
    first, second = (sorted(values, reverse=True) * 2)[:2]
    return [second if value == first else first for value in values]


def _less(one: Grid, other: Grid) -> list[list[float]]:
    return [[a - b for a, b in zip(left, right, strict=True)] for left, right in zip(one, other, strict=True)]


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=lambda at: -values[at])
    ranks = [0.0] * len(values)
    for rank, at in enumerate(order):
        ranks[at] = float(min(rank, FARTHEST))
    return ranks


def features(topics: Sequence[str], mean: Grid, best: Grid) -> tuple[Grid, ...]:
    """What is weighed: likeness, against the nearest others, margins, and the support of the neighbourhood."""
    both = [[(a + b) / 2 for a, b in zip(one, other, strict=True)] for one, other in zip(mean, best, strict=True)]
    scaled = _against_nearest(both)
    by_rule = _margins(_turned(scaled))
    return both, best, scaled, _support(topics, scaled), _turned(by_rule), _margins(scaled), _neighbours(scaled)


def _against_nearest(grid: Grid) -> list[list[float]]:
    """Twice the likeness, less the mean of the nearest in the row and in the column."""
    rows = [_nearest(row) for row in grid]
    columns = [_nearest(column) for column in _turned(grid)]
    return [
        [2 * value - row - columns[j] for j, value in enumerate(line)] for line, row in zip(grid, rows, strict=True)
    ]


def _nearest(values: Sequence[float]) -> float:
    kept = sorted(values)[-NEAREST:]
    return sum(kept) / len(kept)


def _margins(grid: Grid) -> list[list[float]]:
    """How far each value of a row is above the best of the others, or below it."""
    return [_margin(row) for row in grid]


def _margin(row: Sequence[float]) -> list[float]:
    first = max(range(len(row)), key=lambda at: row[at])
    second = max((value for at, value in enumerate(row) if at != first), default=row[first])
    above = [value - (second if at == first else row[first]) for at, value in enumerate(row)]
    return [min(MOST_MARGIN, max(-MOST_MARGIN, value)) for value in above]


def _support(topics: Sequence[str], grid: Grid) -> list[list[float]]:
    """How much the sentences around speak of the topic of a rule; a nearer one counts more."""
    by_topic = {topic: _around(topic, topics, grid) for topic in dict.fromkeys(topics)}
    return [by_topic[topic] for topic in topics]


def _around(topic: str, topics: Sequence[str], grid: Grid) -> list[float]:
    rows = [row for row, name in zip(grid, topics, strict=True) if name == topic]
    best = [max(column) for column in zip(*rows, strict=True)]
    return [_weighed(best, at) for at in range(len(best))]


def _weighed(values: Sequence[float], at: int) -> float:
    near = [other for other in range(max(0, at - REACH), min(len(values), at + REACH + 1)) if other != at]
    weights = [exp(-abs(other - at) / 2) for other in near]
    total = sum(weight * values[other] for weight, other in zip(weights, near, strict=True))
    return total / sum(weights) if weights else 0.0


def _neighbours(grid: Grid) -> list[list[float]]:
    """The most alike of the neighbouring rules in the sentences around: a text goes through a topic in order."""
    wide = [[max(row[max(0, j - 2) : j + 3]) for j in range(len(row))] for row in grid]
    height = len(grid)
    near = [[other for other in range(max(0, i - 2), min(height, i + 3)) if other != i] for i in range(height)]
    return [[max((wide[k][j] for k in near[i]), default=0.0) for j in range(len(grid[i]))] for i in range(height)]


def _turned(grid: Grid) -> list[list[float]]:
    return [list(column) for column in zip(*grid, strict=True)]


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, value))))
