"""Which sentences of a document say which rules, from how alike they are in meaning; and which rules it does not say.

The likeness of a sentence to the statements of a rule is weighed against everything else that it could mean: how alike
it is to other rules, how alike other sentences are to the rule, and whether its neighbours speak of the same topic.
A clause of a sentence may say a rule alone, and a sentence that points back ("in that case") is understood only with
the one before it: so clauses are compared too, and each sentence once more together with the one before. Then the
rules compete: a sentence that surely says another rule says this one less probably.

The weights were fitted to the French, Italian and Polish documents of Compile and to two that were written for it;
`python -m bench.linking` measures them on documents in further languages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import exp

from msgspec import Struct

_BETWEEN_CLAUSES = re.compile(r"[;:,.()–—]\s+|\s[–—]\s")

Grid = Sequence[Sequence[float]]
"""A row for each rule, a column for each sentence."""

NEAREST = 10
"""Likeness is measured against the mean of so many nearest rules and sentences."""

REACH = 8
"""Sentences farther off than this tell nothing about the topic of a sentence."""

CLAUSE_WORDS = 3
"""Fewer words than these are no clause."""
CLAUSE_HANDICAP = 0.02
"""A clause has to be this much more alike than its sentence to count."""

WEIGHTS = (-1.46, -0.84, 2.3, 0.38, 5.18, 1.89, 4.16, 0.92, 2.69)
BIAS = -0.64
RIVALS = (0.788, -0.002, 0.074, -0.115, -0.087, -1.476)
RIVALS_BIAS = 1.08
"""The second weighing, shifted so that "not said" is right in nine of ten of the documents that it was fitted to."""
FARTHEST = 5
"""A rule that is not among so many likeliest ones of a sentence is simply far behind."""
MOST_MARGIN = 0.5

SAID = 0.5
"""From this probability on a passage is taken to say a rule."""

MEASURED = frozenset({"de", "en", "es", "fr", "it", "nl", "pl", "pt", "ru"})
"""Languages in which proposals were held against documents linked by hand; in another none is certain."""


class Likeness(Struct, frozen=True):
    """How alike sentences and rules are.

    `mean` is the mean likeness of a sentence to the statements of a rule, `best` that to the most alike of them and of
    the passages that are linked to the rule.
    """

    mean: Grid
    best: Grid


class Answer(Struct, frozen=True):
    """What is proposed for one rule: the likeliest passages, best first, each with its probability from 0 to 1.

    In a language that is not `MEASURED` the order of the passages may help, and no answer is certain.
    """

    rule: str
    passages: tuple[tuple[str, float], ...]
    is_measured: bool = True

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
        return round(abs(2 * self.probability - 1), 3) if self.is_measured else 0.0

    @property
    def chosen(self) -> tuple[str, ...]:
        """The passages that are taken to say it: every likely one."""
        return tuple(passage for passage, value in self.passages if value >= SAID)


def clauses(sentence: str) -> list[str]:
    """The clauses of a sentence by its commas and the like; none of a sentence that has but one."""
    found = [part for part in _BETWEEN_CLAUSES.split(sentence) if len(part.split()) >= CLAUSE_WORDS]
    return found if len(found) > 1 else []


def answers(
    topics: Mapping[str, str], passages: Sequence[str], alone: Likeness, in_context: Likeness, most: int = 3
) -> list[Answer]:  # fmt: skip
    """An answer for each rule, the least certain first.

    `topics` maps the rules, in the order of the catalogue, to their topics; `passages` names the passage of each
    sentence. `alone` is the likeness of each sentence and its clauses, `in_context` that of each together with the
    sentence before it.
    """
    if not passages:
        return [Answer(rule, ()) for rule in topics]
    chances = probabilities(list(topics.values()), alone, in_context)
    found = [Answer(rule, _by_passage(passages, row, most)) for rule, row in zip(topics, chances, strict=True)]
    return sorted(found, key=lambda answer: answer.certainty)


def _by_passage(passages: Sequence[str], row: Sequence[float], most: int) -> tuple[tuple[str, float], ...]:
    likeliest: dict[str, float] = {}
    for passage, value in zip(passages, row, strict=True):
        likeliest[passage] = max(value, likeliest.get(passage, 0.0))
    order = sorted(likeliest, key=lambda passage: -likeliest[passage])[:most]
    return tuple((passage, round(likeliest[passage], 3)) for passage in order)


def probabilities(topics: Sequence[str], alone: Likeness, in_context: Likeness) -> list[list[float]]:
    """How probable it is that each sentence says each rule."""
    weighed = _summed(features(topics, alone, in_context), WEIGHTS, BIAS)
    return [[_logistic(value) for value in row] for row in _summed(_rivalry(weighed), RIVALS, RIVALS_BIAS)]


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


def features(topics: Sequence[str], alone: Likeness, in_context: Likeness) -> tuple[Grid, ...]:
    """What is weighed: likeness, against the nearest others, margins, and the support of the neighbourhood."""
    both = _both(alone)
    scaled, wider = _against_nearest(both), _against_nearest(_both(in_context))
    return (
        both, alone.best, scaled, _support(topics, scaled), _among_rules(scaled), _margins(scaled), _neighbours(scaled),
        wider, _among_rules(wider),
    )  # fmt: skip


def _both(likeness: Likeness) -> Grid:
    rows = zip(likeness.mean, likeness.best, strict=True)
    return [[(a + b) / 2 for a, b in zip(one, other, strict=True)] for one, other in rows]


def _among_rules(grid: Grid) -> Grid:
    """How far each rule is above the best of the others for a sentence, or below it."""
    return _turned(_margins(_turned(grid)))


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
