"""The inner loops that decide the speed of everything, written for vector registers.

Numba's own loops leave most of a wide register unused here, so these emit LLVM vector code directly. It names
no instruction set but in one place: LLVM splits the vectors into what the processor has. With the JIT switched off
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
"""Widths of first layers are multiples of this."""
LANES = 16
"""Widths of hidden layers are multiples of this."""

_config: Any = numba.config

_FLOAT = ir.FloatType()
_INT16, _INT32 = ir.IntType(16), ir.IntType(32)
_FUSE = ("contract",)
_GROUP = 8
_WIDE = bool(get_host_cpu_features().get("avx512f"))
_COMPRESSES = bool(get_host_cpu_features().get("avx512vbmi2")) and not (_config.CPU_NAME or _config.CPU_FEATURES)
"""Whether code is compiled for a processor with the instruction that `_native_list` names. For another, LLVM would
end the process."""

ROWS = 8
"""Positions that pass through the dense layers together."""

LISTED = 32
"""Units of a sparse layer that are looked at together."""

TOGETHER = 4
"""Rows that are added or subtracted without a look whether there are more. A position after a play differs from the
one before in three or four slots, and a loop whose end cannot be foreseen costs more than a row of zeros."""

_BLOCKS = (4 * BLOCK, BLOCK) if _WIDE else (BLOCK,)
"""Elements of a table's rows that are summed at once."""

_CHUNKS = (2 * LANES, LANES) if _WIDE else (_GROUP,)
"""Outputs of a hidden layer that are summed at once: what keeps the sums of all ROWS in registers."""

_SPARSE_CHUNKS = (4 * LANES, 2 * LANES, LANES)
"""The same where one position is summed after the other."""


def _vector(length: int) -> ir.VectorType:
    return ir.VectorType(_FLOAT, length)


def _int(kind: ir.Type, value: int) -> ir.Constant:
    return ir.Constant(kind, value)


def _splat(value: float, length: int, element: ir.Type = _FLOAT) -> ir.Constant:
    return ir.Constant(ir.VectorType(element, length), [value] * length)


def _load(builder: Any, data: Any, offset: Any, length: int) -> Any:
    place = builder.gep(data, [offset])
    vector = ir.VectorType(data.type.pointee, length)
    return builder.load(builder.bitcast(place, vector.as_pointer()), align=1)


def _store(builder: Any, value: Any, data: Any, offset: Any) -> None:
    builder.store(value, builder.bitcast(builder.gep(data, [offset]), value.type.as_pointer()), align=1)


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


def _sum_rows_code(finish: Any) -> Any:
    """Code that sums rows of a table for several positions and stores what `finish(builder, sum)` makes of it."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def data(number: int) -> Any:
            return _data(context, builder, signature.args[number], arguments[number])

        def length_of(number: int, axis: int) -> Any:
            array = context.make_array(signature.args[number])(context, builder, arguments[number])
            return builder.extract_value(array.shape, axis)

        table, gained, lost, numbers, source, target = (data(number) for number in (0, 1, 2, 3, 5, 6))
        count, stride = arguments[4], arguments[7]
        width, room = length_of(5, 0), length_of(1, 1)
        integer = width.type
        element = table.type.pointee
        add, subtract = (builder.fadd, builder.fsub) if element == _FLOAT else (builder.add, builder.sub)
        done = _int(integer, 0)
        for length in _BLOCKS:
            total = cgutils.alloca_once(builder, ir.VectorType(element, length))
            block = _int(integer, length)
            blocks = builder.udiv(builder.sub(width, done), block)
            # All positions pass a block before the next: they have many rows in common.
            with cgutils.for_range(builder, blocks) as outer, cgutils.for_range(builder, count) as positions:
                offset = builder.add(done, builder.mul(outer.index, block))
                builder.store(_load(builder, source, offset, length), total)
                for which, (rows, combine) in enumerate(((gained, add), (lost, subtract))):
                    place = builder.add(builder.mul(positions.index, _int(integer, 2)), _int(integer, which))
                    groups = builder.udiv(builder.load(builder.gep(numbers, [place])), _int(integer, TOGETHER))
                    begin = builder.mul(positions.index, room)
                    with cgutils.for_range(builder, groups) as loop:
                        first = builder.add(begin, builder.mul(loop.index, _int(integer, TOGETHER)))
                        for number in range(TOGETHER):
                            place = builder.gep(rows, [builder.add(first, _int(integer, number))])
                            row = builder.mul(builder.sext(builder.load(place), integer), width)
                            values = _load(builder, table, builder.add(row, offset), length)
                            builder.store(combine(builder.load(total), values), total)
                to = builder.add(builder.mul(positions.index, stride), offset)
                _store(builder, finish(builder, builder.load(total)), target, to)
            done = builder.add(done, builder.mul(blocks, block))
        return context.get_dummy_value()

    return code


def _rectified_floats(builder: Any, values: Any) -> Any:
    if values.type.element != _FLOAT:
        values = builder.sitofp(values, _vector(values.type.count))
    return _rectified(builder, values)


@intrinsic
def _sum_rows(_typing, table, gained, lost, numbers, count, source, target, stride):
    kinds = types.void(table, gained, lost, numbers, types.intp, source, target, types.intp)
    return kinds, _sum_rows_code(lambda builder, total: total)


@intrinsic
def _sum_rows_rectified(_typing, table, gained, lost, numbers, count, source, target, stride):
    kinds = types.void(table, gained, lost, numbers, types.intp, source, target, types.intp)
    return kinds, _sum_rows_code(_rectified_floats)


def _positive(builder: Any, values: Any, offset: Any, length: int) -> Any:
    """Which of `length` values are greater than 0, as bits of an integer."""
    part = _load(builder, values, offset, length)
    zero = ir.Constant(part.type, None)
    compare = builder.fcmp_ordered if part.type.element == _FLOAT else builder.icmp_signed
    return compare(">", part, zero)


def _native_list(builder: Any, mask: Any, numbers: Any, place: Any) -> None:
    """Stores the chosen numbers one after the other, and zeros behind them."""
    # The form that writes to memory what is chosen, and no more, is very slow on some processors.
    nothing = ir.Constant(numbers.type, None)
    name = f"llvm.x86.avx512.mask.compress.v{LISTED}i16"
    _store(builder, _call(builder, name, numbers.type, numbers, nothing, mask), place, _int(_INT32, 0))


def _portable_list(builder: Any, mask: Any, numbers: Any, place: Any) -> None:
    """Stores the chosen numbers one after the other."""
    kind = ir.FunctionType(ir.VoidType(), [numbers.type, numbers.type.as_pointer(), mask.type])
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.masked.compressstore.v{LISTED}i16")
    builder.call(function, [numbers, builder.bitcast(place, numbers.type.as_pointer()), mask])


def _sparse_code(store_list: Any) -> Any:
    """Code for one rectified dense layer, input by input, of those that are positive."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        weights, sums, units, values = (
            _data(context, builder, signature.args[number], arguments[number]) for number in range(4)
        )
        count, stride, inputs, outputs = arguments[4:]
        integer = inputs.type
        biases = builder.mul(inputs, outputs)
        step = _int(integer, LISTED)
        found = cgutils.alloca_once(builder, integer)
        with cgutils.for_range(builder, count) as positions:
            begin = builder.mul(positions.index, inputs)
            builder.store(_int(integer, 0), found)
            with cgutils.for_range(builder, builder.udiv(inputs, step)) as loop:
                offset = builder.mul(loop.index, step)
                mask = _positive(builder, sums, builder.add(begin, offset), LISTED)
                first = _broadcast(builder, builder.trunc(offset, _INT16), LISTED)
                numbers = builder.add(first, ir.Constant(first.type, list(range(LISTED))))
                place = builder.load(found)
                store_list(builder, mask, numbers, builder.gep(units, [place]))
                number = builder.ctpop(builder.bitcast(mask, ir.IntType(LISTED)))
                builder.store(builder.add(place, builder.zext(number, integer)), found)
            done = _int(integer, 0)
            for lanes in _SPARSE_CHUNKS:
                parts = range(0, lanes, LANES)
                totals = [cgutils.alloca_once(builder, _vector(LANES)) for _ in parts]
                chunks = builder.udiv(builder.sub(outputs, done), _int(integer, lanes))
                with cgutils.for_range(builder, chunks) as outer:
                    output = builder.add(done, builder.mul(outer.index, _int(integer, lanes)))
                    for part, total in zip(parts, totals, strict=True):
                        place = builder.add(builder.add(biases, output), _int(integer, part))
                        builder.store(_load(builder, weights, place, LANES), total)
                    with cgutils.for_range(builder, builder.load(found)) as loop:
                        unit = builder.zext(builder.load(builder.gep(units, [loop.index])), integer)
                        value = _broadcast(builder, builder.load(builder.gep(sums, [builder.add(begin, unit)])), LANES)
                        if value.type.element != _FLOAT:
                            value = builder.sitofp(value, _vector(LANES))
                        row = builder.add(builder.mul(unit, outputs), output)
                        for part, total in zip(parts, totals, strict=True):
                            weight = _load(builder, weights, builder.add(row, _int(integer, part)), LANES)
                            product = builder.fmul(value, weight, flags=_FUSE)
                            builder.store(builder.fadd(builder.load(total), product, flags=_FUSE), total)
                    row = builder.add(builder.mul(positions.index, stride), output)
                    for part, total in zip(parts, totals, strict=True):
                        result = _rectified(builder, builder.load(total))
                        _store(builder, result, values, builder.add(row, _int(integer, part)))
                done = builder.add(done, builder.mul(chunks, _int(integer, lanes)))
        return context.get_dummy_value()

    return code


@intrinsic
def _sparse_native(_typing, weights, sums, units, values, count, stride, inputs, outputs):
    return types.void(weights, sums, units, values, *(types.intp,) * 4), _sparse_code(_native_list)


@intrinsic
def _sparse_portable(_typing, weights, sums, units, values, count, stride, inputs, outputs):
    return types.void(weights, sums, units, values, *(types.intp,) * 4), _sparse_code(_portable_list)


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
    vector = ir.VectorType(value.type, lanes)
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


def _sums_plain(table: Any, gained: Any, lost: Any, numbers: Any, count: int, source: Any) -> Any:
    """What `sum_rows` stores, [count, H]."""
    total = np.repeat(source[None], count, axis=0)
    for position, (gains, losses) in enumerate(numbers[:count]):
        total[position] += table[gained[position, :gains]].sum(axis=0, dtype=table.dtype)
        total[position] -= table[lost[position, :losses]].sum(axis=0, dtype=table.dtype)
    return total


def _sum_rows_plain(*arguments: Any) -> None:
    *inputs, target, stride = arguments
    for position, total in enumerate(_sums_plain(*inputs)):
        target[position * stride :][: len(total)] = total


def _sum_rows_rectified_plain(*arguments: Any) -> None:
    *inputs, target, stride = arguments
    for position, total in enumerate(_sums_plain(*inputs)):
        target[position * stride :][: len(total)] = np.maximum(total, 0)


def _layer_plain(weights: Any, values: Any, numbers: tuple[int, ...], finish: Any) -> None:
    start, begin, stride, inputs, outputs, target = numbers
    matrix = weights[start : start + inputs * outputs].reshape(inputs, outputs)
    bias = weights[start + inputs * outputs :][:outputs]
    rows = values[: ROWS * stride].reshape(ROWS, stride)
    rows[:, target : target + outputs] = finish(rows[:, begin : begin + inputs] @ matrix + bias)


def _dense_plain(weights: Any, values: Any, *numbers: int) -> None:
    _layer_plain(weights, values, numbers, lambda total: np.maximum(total, 0))


def _sparse_plain(
    weights: Any, sums: Any, units: Any, values: Any, count: int, stride: int, inputs: int, outputs: int
) -> None:
    matrix, bias = weights[: inputs * outputs].reshape(inputs, outputs), weights[inputs * outputs :][:outputs]
    inner = np.maximum(sums[: count * inputs].reshape(count, inputs), 0).astype(np.float32)
    values[: count * stride].reshape(count, stride)[:, :outputs] = np.maximum(inner @ matrix + bias, 0)


def _chances_plain(weights: Any, values: Any, *numbers: int) -> None:
    _layer_plain(weights, values, numbers, lambda total: 1 / (1 + np.exp(-np.clip(total, -87, 87))))


_PLAIN = bool(_config.DISABLE_JIT)

lowest_bit: Any = _lowest_bit_plain if _PLAIN else _lowest_bit
"""Position of the lowest one-bit of an int64 that is not 0."""

sum_rows: Any = _sum_rows_plain if _PLAIN else _sum_rows
"""`target[p * stride :][:H] = source + sum(table[gained[p, :gains]]) - sum(table[lost[p, :losses]])` for positions p.

Arguments: table [R, H], gained int32[P, ...], lost int32[P, ...], numbers int64[P, 2] with gains and losses, count,
source [H], target [...], stride. The first `count` positions are summed. Table, source and target are all float32 or
all int16, which wraps around. H is a multiple of BLOCK, gains and losses are of TOGETHER.
"""

sum_rows_rectified: Any = _sum_rows_rectified_plain if _PLAIN else _sum_rows_rectified
"""The same into a float32 target, with negative results replaced by 0."""

dense: Any = _dense_plain if _PLAIN else _dense
"""One rectified dense layer for ROWS positions.

Arguments: weights float32[...], values float32[ROWS * stride], start, begin, stride, inputs, outputs, target.
`weights` holds at `start` the matrix [inputs, outputs], then the bias. A row of `values` has its inputs at
`begin`, and gets its outputs at `target`; `outputs` is a multiple of LANES.
"""

sparse_portable: Any = _sparse_plain if _PLAIN else _sparse_portable
"""`sparse` without the instruction that it uses on some processors; the same to the bit."""

sparse: Any = _sparse_native if _COMPRESSES and not _PLAIN else sparse_portable
"""One rectified layer whose inputs are mostly 0 or less, and count as 0 then.

Arguments: weights float32[...] as for `dense`, from their beginning, sums [count * inputs], float32 or int16, units
int16[inputs + LISTED] scratch, values float32[count * stride], count, stride, inputs, outputs. A row of `values` gets
its outputs at its beginning. Each sum runs over the inputs in order.
"""

chances: Any = _chances_plain if _PLAIN else _chances
"""The last layer: the same with sigmoids instead, `outputs` a multiple of 8."""


def aligned(array: Any) -> Any:
    """A copy that begins where a vector register's load does not cross two lines of the cache."""
    room = np.empty(array.nbytes + 64, dtype=np.uint8)
    begin = -room.ctypes.data % 64
    copy = room[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
