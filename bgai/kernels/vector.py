"""The inner loops that decide the speed of everything, written for vector registers.

Numba's own loops leave most of a wide register unused here, so these emit LLVM vector code directly. It names
no instruction set: LLVM splits the vectors into what the processor has. With the JIT switched off
(`NUMBA_DISABLE_JIT=1`) the NumPy functions at the end stand in; they also say what the loops compute.
"""

from __future__ import annotations

import math
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba.core import cgutils, types
from numba.extending import intrinsic

BLOCK = 64
"""Widths of first layers are multiples of this: the floats that one pass keeps in registers."""
LANES = 16
"""Widths of hidden layers are multiples of this."""

_FLOAT = ir.FloatType()
_INT32 = ir.IntType(32)
_FUSE = ("contract",)
_GROUP = 8

ROWS = 8
"""Positions that pass through the dense layers together."""

_CHUNKS = (2 * LANES, LANES) if get_host_cpu_features().get("avx512f") else (_GROUP,)
"""Outputs of a hidden layer that are summed at once: what keeps the sums of all ROWS in registers."""


def _vector(length: int) -> ir.VectorType:
    return ir.VectorType(_FLOAT, length)


def _splat(value: float, length: int, element: ir.Type = _FLOAT) -> ir.Constant:
    return ir.Constant(ir.VectorType(element, length), [value] * length)


def _load(builder: Any, data: Any, offset: Any, length: int) -> Any:
    place = builder.bitcast(builder.gep(data, [offset]), _vector(length).as_pointer())
    return builder.load(place, align=4)


def _store(builder: Any, value: Any, data: Any, offset: Any) -> None:
    builder.store(value, builder.bitcast(builder.gep(data, [offset]), value.type.as_pointer()), align=4)


def _call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)


def _rectified(builder: Any, value: Any) -> Any:
    zero = ir.Constant(value.type, None)
    return builder.select(builder.fcmp_ordered(">", value, zero), value, zero)


def _data(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.make_array(kind)(context, builder, value).data


@intrinsic
def _lowest_bit(_typing, word):
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


def _sum_rows_code(rectify: bool) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        table = _data(context, builder, kinds[0], arguments[0])
        rows = _data(context, builder, kinds[1], arguments[1])
        source = _data(context, builder, kinds[4], arguments[4])
        target = _data(context, builder, kinds[5], arguments[5])
        source_array = context.make_array(kinds[4])(context, builder, arguments[4])
        to = arguments[6]
        width = builder.extract_value(source_array.shape, 0)
        integer = width.type
        block = ir.Constant(integer, BLOCK)
        added, count = arguments[2], arguments[3]
        total = cgutils.alloca_once(builder, _vector(BLOCK))
        with cgutils.for_range(builder, builder.udiv(width, block)) as blocks:
            offset = builder.mul(blocks.index, block)
            builder.store(_load(builder, source, offset, BLOCK), total)
            for start, stop, combine in (
                (ir.Constant(integer, 0), added, builder.fadd),
                (added, count, builder.fsub),
            ):
                with cgutils.for_range(builder, stop, start=start) as loop:
                    row = builder.sext(builder.load(builder.gep(rows, [loop.index])), integer)
                    values = _load(builder, table, builder.add(builder.mul(row, width), offset), BLOCK)
                    builder.store(combine(builder.load(total), values), total)
            result = builder.load(total)
            _store(builder, _rectified(builder, result) if rectify else result, target, builder.add(to, offset))
        return context.get_dummy_value()

    return code


@intrinsic
def _sum_rows(_typing, table, rows, added, count, source, target, to):
    return types.void(table, rows, types.intp, types.intp, source, target, types.intp), _sum_rows_code(rectify=False)


@intrinsic
def _sum_rows_rectified(_typing, table, rows, added, count, source, target, to):
    return types.void(table, rows, types.intp, types.intp, source, target, types.intp), _sum_rows_code(rectify=True)


def _layer(builder: Any, weights: Any, values: Any, numbers: Any, lanes: int, done: Any, finish: Any) -> Any:
    """IR for one dense layer over ROWS rows of `values`, `lanes` outputs at a time, from output `done` on.

    Returns how many outputs are done when no whole `lanes` are left. The outputs of all rows are summed side by
    side, so that a weight is loaded once for all of them. Each sum runs over the inputs in order: a row's result
    does not depend on the rows beside it.
    """
    start, begin, stride, inputs, outputs, target = numbers
    integer = inputs.type
    biases = builder.add(start, builder.mul(inputs, outputs))
    rows = [builder.mul(stride, ir.Constant(integer, row)) for row in range(ROWS)]
    sums = [cgutils.alloca_once(builder, _vector(lanes)) for _ in range(ROWS)]
    width = ir.Constant(integer, lanes)
    count = builder.udiv(builder.sub(outputs, done), width)
    with cgutils.for_range(builder, count) as chunks:
        output = builder.add(done, builder.mul(chunks.index, width))
        bias = _load(builder, weights, builder.add(biases, output), lanes)
        for place in sums:
            builder.store(bias, place)
        with cgutils.for_range(builder, inputs) as loop:
            weight = _load(
                builder, weights, builder.add(builder.add(start, output), builder.mul(loop.index, outputs)), lanes
            )
            column = builder.add(begin, loop.index)
            for row, place in zip(rows, sums, strict=True):
                value = builder.load(builder.gep(values, [builder.add(row, column)]))
                product = builder.fmul(_broadcast(builder, value, lanes), weight, flags=_FUSE)
                builder.store(builder.fadd(builder.load(place), product, flags=_FUSE), place)
        for row, place in zip(rows, sums, strict=True):
            result = finish(builder, builder.load(place))
            _store(builder, result, values, builder.add(builder.add(row, target), output))
    return builder.add(done, builder.mul(count, width))


def _broadcast(builder: Any, value: Any, lanes: int) -> Any:
    vector = _vector(lanes)
    single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, ir.Constant(_INT32, 0))
    return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), _splat(0, lanes, _INT32))


_LOG2_E = math.log2(math.e)
_EXP2 = (
    1.0,
    6.9314718056e-1,
    2.4022650696e-1,
    5.5504108665e-2,
    9.6181291076e-3,
    1.3333558146e-3,
    1.5403530394e-4,
    1.5252733804e-5,
)
"""Taylor coefficients of 2**x, ln(2)**k / k!; on [-0.5, 0.5] they are good to 5e-9."""


def _sigmoid(builder: Any, logits: Any) -> Any:
    """1 / (1 + 2**t) with t = -x log2 e, the power of two split into a whole and a fractional part."""
    vector = logits.type
    integers = ir.VectorType(_INT32, _GROUP)
    power = builder.fmul(logits, _splat(-_LOG2_E, _GROUP))
    for sign, limit in (("<", 126.0), (">", -126.0)):
        bound = _splat(limit, _GROUP)
        power = builder.select(builder.fcmp_unordered(sign, power, bound), power, bound)
    whole = _call(builder, f"llvm.rint.v{_GROUP}f32", vector, power)
    fraction = builder.fsub(power, whole)
    value = _splat(_EXP2[-1], _GROUP)
    for coefficient in reversed(_EXP2[:-1]):
        value = builder.fadd(builder.fmul(value, fraction, flags=_FUSE), _splat(coefficient, _GROUP), flags=_FUSE)
    exponent = builder.add(builder.fptosi(whole, integers), _splat(127, _GROUP, _INT32))
    scale = builder.bitcast(builder.shl(exponent, _splat(23, _GROUP, _INT32)), vector)
    one = _splat(1.0, _GROUP)
    return builder.fdiv(one, builder.fadd(one, builder.fmul(value, scale)))


def _layer_code(finish: Any, *lanes: int) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        weights = _data(context, builder, signature.args[0], arguments[0])
        values = _data(context, builder, signature.args[1], arguments[1])
        done = ir.Constant(arguments[2].type, 0)
        for width in lanes:
            done = _layer(builder, weights, values, arguments[2:], width, done, finish)
        return context.get_dummy_value()

    return code


@intrinsic
def _dense(_typing, weights, values, start, begin, stride, inputs, outputs, target):
    return types.void(weights, values, *(types.intp,) * 6), _layer_code(_rectified, *_CHUNKS)


@intrinsic
def _chances(_typing, weights, values, start, begin, stride, inputs, outputs, target):
    return types.void(weights, values, *(types.intp,) * 6), _layer_code(_sigmoid, _GROUP)


def _lowest_bit_plain(word: int) -> int:
    return (int(word) & -int(word)).bit_length() - 1


def _sum_rows_plain(table: Any, rows: Any, added: int, count: int, source: Any, target: Any, to: int) -> None:
    total = source + table[rows[:added]].sum(axis=0) - table[rows[added:count]].sum(axis=0)
    target[to : to + len(source)] = total


def _sum_rows_rectified_plain(table: Any, rows: Any, added: int, count: int, source: Any, target: Any, to: int) -> None:
    _sum_rows_plain(table, rows, added, count, source, target, to)
    np.maximum(target[to : to + len(source)], 0, out=target[to : to + len(source)])


def _layer_plain(weights: Any, values: Any, numbers: tuple[int, ...], finish: Any) -> None:
    start, begin, stride, inputs, outputs, target = numbers
    matrix = weights[start : start + inputs * outputs].reshape(inputs, outputs)
    bias = weights[start + inputs * outputs :][:outputs]
    rows = values[: ROWS * stride].reshape(ROWS, stride)
    rows[:, target : target + outputs] = finish(rows[:, begin : begin + inputs] @ matrix + bias)


def _dense_plain(weights: Any, values: Any, *numbers: int) -> None:
    _layer_plain(weights, values, numbers, lambda total: np.maximum(total, 0))


def _chances_plain(weights: Any, values: Any, *numbers: int) -> None:
    _layer_plain(weights, values, numbers, lambda total: 1 / (1 + np.exp(-np.clip(total, -87, 87))))


_config: Any = numba.config
_PLAIN = bool(_config.DISABLE_JIT)

lowest_bit: Any = _lowest_bit_plain if _PLAIN else _lowest_bit
"""Position of the lowest one-bit of an int64 that is not 0."""

sum_rows: Any = _sum_rows_plain if _PLAIN else _sum_rows
"""`target[to : to + H] = source + sum(table[rows[:added]]) - sum(table[rows[added:count]])`.

Arguments: table float32[R, H], rows int32[...], added, count, source float32[H], target float32[...], to; H a
multiple of BLOCK; source and target may be the same.
"""

sum_rows_rectified: Any = _sum_rows_rectified_plain if _PLAIN else _sum_rows_rectified
"""The same, with negative results replaced by 0."""

dense: Any = _dense_plain if _PLAIN else _dense
"""One rectified dense layer for ROWS positions.

Arguments: weights float32[...], values float32[ROWS * stride], start, begin, stride, inputs, outputs, target.
`weights` holds at `start` the matrix [inputs, outputs], then the bias. A row of `values` has its inputs at
`begin`, and gets its outputs at `target`; `outputs` is a multiple of LANES.
"""

chances: Any = _chances_plain if _PLAIN else _chances
"""The last layer: the same with sigmoids instead, `outputs` a multiple of 8."""
