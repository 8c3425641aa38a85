"""The whole way of a small network with one hidden layer, for plays that are only to be sorted.

Nothing but the plays' worth is computed. A play's sums stay in registers, and the sigmoids of AT_ONCE plays are made
side by side.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from bgai.kernels.sigmoid import sigmoid, sigmoid_plain
from bgai.kernels.vector import (
    BLOCK,
    INT32,
    PLAIN,
    add_product,
    add_rows,
    as_floats,
    broadcast,
    data_of,
    float_vector,
    groups,
    int_constant,
    length_of,
    load,
    rectified,
    splat,
    store,
)
from bgai.kernels.vector_rows import sums_plain

AT_ONCE = 16
"""Plays that are valued at once."""
_LANES = 16
_OUTPUTS = 5
_PADDED = 8


def _sums(builder: Any, vectors: list[Any]) -> Any:
    """The sums of 8 vectors of 16 floats, as one vector of 8."""
    segment = _LANES
    while len(vectors) > 1:
        # Each segment of a vector belongs to one sum; half of it is added to the other half.
        segment //= 2
        low = [place for place in range(2 * _LANES) if place // segment % 2 == 0]
        high = [place + segment for place in low]
        vectors = [
            _add_shuffled(builder, first, second, low, high)
            for first, second in zip(vectors[::2], vectors[1::2], strict=True)
        ]
    pairs = list(range(0, _LANES, 2))
    return _add_shuffled(builder, vectors[0], vectors[0], pairs, [place + 1 for place in pairs])


def _add_shuffled(builder: Any, first: Any, second: Any, low: list[int], high: list[int]) -> Any:
    kind = ir.VectorType(INT32, len(low))
    return builder.fadd(
        builder.shuffle_vector(first, second, ir.Constant(kind, low)),
        builder.shuffle_vector(first, second, ir.Constant(kind, high)),
    )


@intrinsic
def _write_logits(_typing, table, source, gained, lost, number, weights, logits, place):
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table, source, gained, lost, weights, logits = (
            data_of(context, builder, signature.args[argument], arguments[argument]) for argument in (0, 1, 2, 3, 5, 6)
        )
        number, place = arguments[4], arguments[7]
        width = length_of(context, builder, signature.args[1], arguments[1], 0)
        zero = int_constant(width.type, 0)
        total = cgutils.alloca_once(builder, ir.VectorType(table.type.pointee, BLOCK))
        outputs = [cgutils.alloca_once(builder, float_vector(_LANES)) for _ in range(_OUTPUTS)]
        for output in outputs:
            builder.store(ir.Constant(float_vector(_LANES), None), output)
        with groups(builder, width, zero, BLOCK) as (offset, _):
            builder.store(load(builder, source, offset, BLOCK), total)
            add_rows(builder, table, (gained, lost), (number, number), width, offset, total)
            active = rectified(builder, builder.load(total))
            for part in range(0, BLOCK, _LANES):
                lanes = ir.Constant(ir.VectorType(INT32, _LANES), list(range(part, part + _LANES)))
                values = as_floats(builder, builder.shuffle_vector(active, active, lanes))
                begin = builder.add(offset, int_constant(width.type, part))
                for output in outputs:
                    weight = load(builder, weights, begin, _LANES)
                    builder.store(add_product(builder, builder.load(output), values, weight), output)
                    begin = builder.add(begin, width)
        nothing = [ir.Constant(float_vector(_LANES), None)] * (_PADDED - _OUTPUTS)
        sums = _sums(builder, [builder.load(output) for output in outputs] + nothing)
        biases = builder.mul(width, int_constant(width.type, _OUTPUTS))
        result = builder.fadd(sums, load(builder, weights, biases, _PADDED))
        for output in range(_OUTPUTS):
            to = builder.add(place, int_constant(width.type, output * AT_ONCE))
            builder.store(builder.extract_element(result, int_constant(INT32, output)), builder.gep(logits, [to]))
        return context.get_dummy_value()

    kinds = (table, source, gained, lost, types.intp, weights, logits, types.intp)
    return types.void(*kinds), code


@intrinsic
def _write_worth(_typing, logits, worth, target, begin):
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        logits, worth, target = (
            data_of(context, builder, signature.args[number], arguments[number]) for number in range(3)
        )

        def place(number: int) -> Any:
            return int_constant(arguments[3].type, number)

        def least(one: Any, other: Any) -> Any:
            return builder.select(builder.fcmp_ordered("<", one, other), one, other)

        win, gammon, backgammon, lost_gammon, lost_backgammon = (
            sigmoid(builder, load(builder, logits, place(output * AT_ONCE), AT_ONCE)) for output in range(_OUTPUTS)
        )
        gammon = least(gammon, win)
        lost_gammon = least(lost_gammon, builder.fsub(splat(1.0, AT_ONCE), win))
        chances = (win, gammon, least(backgammon, gammon), lost_gammon, least(lost_backgammon, lost_gammon))
        total = broadcast(builder, builder.load(builder.gep(worth, [place(_OUTPUTS)])), AT_ONCE)
        for output, chance in enumerate(chances):
            factor = broadcast(builder, builder.load(builder.gep(worth, [place(output)])), AT_ONCE)
            total = add_product(builder, total, factor, chance)
        store(builder, total, target, arguments[3])
        return context.get_dummy_value()

    return types.void(logits, worth, target, types.intp), code


def _write_logits_plain(
    table: Any, source: Any, gained: Any, lost: Any, number: int, weights: Any, logits: Any, place: int
) -> None:
    total = sums_plain(table, gained[None], lost[None], np.array([[number, number]]), 1, source)[0]
    split = _OUTPUTS * len(total)
    matrix, bias = weights[:split].reshape(_OUTPUTS, -1), weights[split:][:_OUTPUTS]
    logits[place::AT_ONCE] = matrix @ np.maximum(total, 0).astype(np.float32) + bias


def _write_worth_plain(logits: Any, worth: Any, target: Any, begin: int) -> None:
    chances = sigmoid_plain(logits.reshape(_OUTPUTS, AT_ONCE))
    chances[3] = np.minimum(chances[3], 1 - chances[0])
    for output, above in ((1, 0), (2, 1), (4, 3)):
        chances[output] = np.minimum(chances[output], chances[above])
    target[begin : begin + AT_ONCE] = worth[_OUTPUTS] + worth[:_OUTPUTS] @ chances


write_logits: Any = _write_logits_plain if PLAIN else _write_logits
"""The logits of one position.

Arguments: table [R, H] and source [H] as for `sum_rows`, gained int32[...] and lost int32[...], number of rows in
each, weights float32[5 * H + 8] with the five rows of the outer matrix, then the bias, logits float32[5 * AT_ONCE],
place. Logit k stands at `logits[k * AT_ONCE + place]`.
"""

write_worth: Any = _write_worth_plain if PLAIN else _write_worth
"""What AT_ONCE positions are worth, from their logits.

Arguments: logits float32[5 * AT_ONCE], worth float32[6], see `bgai.kernels.static.worth_of`, target float32[...],
begin. No event is more likely than the one that it is part of.
"""
