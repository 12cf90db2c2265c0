"""Weights for features that are there or not, learnt from two classes: the same bytes on every machine.

A support vector machine (dual coordinate descent, squared hinge) over features scaled by how differently the
two classes use them (Wang and Manning, 2012), each example by the root of the number of its features. Sums
are exact (`fsum`), because interpreters sum floats differently.
"""

from __future__ import annotations

import math
import random

PENALTY = 2.0
EPOCHS = 12
SMOOTHING = 0.5
SEED = 1


def fit(examples: list[list[int]], classes: list[bool], size: int) -> tuple[list[float], float]:
    """A weight for each of `size` features, and the bias: a positive sum speaks for the true class.

    An example weighs the sum of the weights of its features by the root of their number, plus the bias.
    """
    squares = [ratio * ratio for ratio in _log_ratios(examples, classes, size)]
    weights = [0.0] * size
    bias = 0.0
    slack = 1 / (2 * PENALTY)
    scales = [1 / math.sqrt(max(1, len(features))) for features in examples]
    curvature = [
        math.fsum([squares[place] for place in features]) * scale * scale + 1 + slack
        for features, scale in zip(examples, scales, strict=True)
    ]
    alphas = [0.0] * len(examples)
    order = list(range(len(examples)))
    shuffle = random.Random(SEED).shuffle
    for _ in range(EPOCHS):
        shuffle(order)
        for index in order:
            features, scale, old = examples[index], scales[index], alphas[index]
            sign = 1 if classes[index] else -1
            margin = math.fsum(map(weights.__getitem__, features)) * scale + bias
            gradient = sign * margin - 1 + slack * old
            new = max(0.0, old - gradient / curvature[index])
            if new == old:
                continue
            alphas[index] = new
            step = (new - old) * sign
            bias += step
            step *= scale
            for place in features:
                weights[place] += step * squares[place]
    return weights, bias


def _log_ratios(examples: list[list[int]], classes: list[bool], size: int) -> list[float]:
    """For each feature the logarithm of how much oftener the true class has it; 0 where it never occurs."""
    counts = {True: [SMOOTHING] * size, False: [SMOOTHING] * size}
    for features, one_of in zip(examples, classes, strict=True):
        count = counts[one_of]
        for place in features:
            count[place] += 1
    yes, no = counts[True], counts[False]
    shift = math.log(math.fsum(yes) / math.fsum(no))
    # Rounded, so that the last digit of a logarithm, in which libraries differ, does not matter.
    return [
        round(math.log(yes[place] / no[place]) - shift, 6)
        if yes[place] != SMOOTHING or no[place] != SMOOTHING
        else 0.0
        for place in range(size)
    ]


def weigh(features: list[int], weights: list[float], bias: float) -> float:
    """What an example weighs."""
    return math.fsum([weights[place] for place in features]) / math.sqrt(max(1, len(features))) + bias
