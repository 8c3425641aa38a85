"""The layers behind the first: most units are silent in any one position, so only the active ones are added.

Positions after plays of one position have most of their active units in common. Some such positions share one list of
the units that are active in any of them: the weights of a unit are then loaded once for all. A silent unit of the list
has the value 0 and changes no digit.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba.core import cgutils, types
from numba.extending import intrinsic

from bgai.kernels.sigmoid import sigmoid, sigmoid_plain
from bgai.kernels.vector import (
    FLOAT,
    INT16,
    LANES,
    PLAIN,
    WIDE,
    add_product,
    broadcast,
    call,
    data_of,
    float_vector,
    groups,
    int_constant,
    load,
    rectified,
    splat,
    store,
)

LISTED = 32
"""Room behind a list of active units, for writing many at once."""

_SIZES = (4, 1)
"""Positions whose sums are made side by side: one after the other, each would wait for its additions to end. So many
share a list."""

_CHUNKS = (2 * LANES, LANES) if WIDE else (LANES,)
"""Outputs of a hidden layer that are summed at once: what keeps the sums of all positions in registers."""

_SHARED_CHUNKS = (4 * LANES, *_CHUNKS) if WIDE else _CHUNKS
"""The same of positions that share a list."""

_LAST = 8
"""The same of the last layer."""

_config: Any = numba.config
_COMPRESSES = bool(get_host_cpu_features().get("avx512vbmi2")) and not (_config.CPU_NAME or _config.CPU_FEATURES)
"""Whether code is compiled for a processor with the instruction that `_native_list` names. For another, LLVM would
end the process."""


def _is_positive(builder: Any, value: Any, kind: Any) -> Any:
    compare = builder.fcmp_ordered if kind == FLOAT else builder.icmp_signed
    return compare(">", value, ir.Constant(value.type, None if isinstance(value.type, ir.VectorType) else 0))


def _either(builder: Any, conditions: list[Any]) -> Any:
    return reduce(builder.or_, conditions)


def _native_list(builder: Any, rows: list[Any], inputs: Any, units: Any, found: Any) -> None:
    """Lists the units whose value is positive in any of the rows; how many they are into `found`."""
    # Later layers are as wide as so many floats or a multiple.
    kind = rows[0].type.pointee
    length = LANES if kind == FLOAT else LISTED
    with groups(builder, inputs, int_constant(inputs.type, 0), length) as (offset, _):
        mask = _either(builder, [_is_positive(builder, load(builder, row, offset, length), kind) for row in rows])
        first = broadcast(builder, builder.trunc(offset, INT16), length)
        numbers = builder.add(first, ir.Constant(first.type, list(range(length))))
        # The form that writes to memory what is chosen, and no more, is very slow on some processors.
        nothing = ir.Constant(numbers.type, None)
        name = f"llvm.x86.avx512.mask.compress.v{length}i16"
        place = builder.load(found)
        store(builder, call(builder, name, numbers.type, numbers, nothing, mask), units, place)
        number = builder.ctpop(builder.bitcast(mask, ir.IntType(length)))
        builder.store(builder.add(place, builder.zext(number, inputs.type)), found)


def _portable_list(builder: Any, rows: list[Any], inputs: Any, units: Any, found: Any) -> None:
    """The same without this instruction: each unit is written over by the next unless it is to be listed."""
    kind = rows[0].type.pointee
    with cgutils.for_range(builder, inputs) as loop:
        values = [builder.load(builder.gep(row, [loop.index])) for row in rows]
        positive = _either(builder, [_is_positive(builder, value, kind) for value in values])
        place = builder.load(found)
        builder.store(builder.trunc(loop.index, INT16), builder.gep(units, [place]))
        builder.store(builder.add(place, builder.zext(positive, inputs.type)), found)


def _write_values(builder: Any, rows: list[Any], units: Any, number: Any, actives: list[Any]) -> None:
    """The values of the listed units in each row, as floats, 0 where they are silent."""
    with cgutils.for_range(builder, number) as loop:
        unit = builder.zext(builder.load(builder.gep(units, [loop.index])), number.type)
        for row, active in zip(rows, actives, strict=True):
            value = builder.load(builder.gep(row, [unit]))
            positive = _is_positive(builder, value, value.type)
            value = builder.select(positive, value, ir.Constant(value.type, 0))
            if value.type != FLOAT:
                value = builder.sitofp(value, FLOAT)
            builder.store(value, builder.gep(active, [loop.index]))


def _list_code(make_list: Any, *sizes: int) -> Any:
    """Code that makes one list for so many rows; a size of 1 comes last."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, units, active, found = (
            data_of(context, builder, signature.args[number], arguments[number]) for number in (0, 4, 5, 6)
        )
        count, stride, inputs = arguments[1:4]
        room = builder.add(inputs, int_constant(inputs.type, LISTED))
        done = int_constant(inputs.type, 0)
        for size in sizes:
            with groups(builder, count, done, size) as (first, end):
                numbers = [builder.add(first, int_constant(inputs.type, row)) for row in range(size)]
                rows = [builder.gep(values, [builder.mul(number, stride)]) for number in numbers]
                actives = [builder.gep(active, [builder.mul(number, room)]) for number in numbers]
                listed = builder.gep(units, [builder.mul(first, room)])
                length = cgutils.alloca_once(builder, inputs.type)
                builder.store(int_constant(inputs.type, 0), length)
                make_list(builder, rows, inputs, listed, length)
                for number in numbers:
                    builder.store(builder.load(length), builder.gep(found, [number]))
                _write_values(builder, rows, listed, builder.load(length), actives)
            done = end
        return context.get_dummy_value()

    return code


@intrinsic
def _list_active_native(_typing, values, count, stride, inputs, units, active, found):
    return types.void(values, *(types.intp,) * 3, units, active, found), _list_code(_native_list, 1)


@intrinsic
def _list_active_portable(_typing, values, count, stride, inputs, units, active, found):
    return types.void(values, *(types.intp,) * 3, units, active, found), _list_code(_portable_list, 1)


@intrinsic
def _list_shared_native(_typing, values, count, stride, inputs, units, active, found):
    return types.void(values, *(types.intp,) * 3, units, active, found), _list_code(_native_list, *_SIZES)


@intrinsic
def _list_shared_portable(_typing, values, count, stride, inputs, units, active, found):
    return types.void(values, *(types.intp,) * 3, units, active, found), _list_code(_portable_list, *_SIZES)


def _fill_up(builder: Any, lists: Any, numbers: Any) -> Any:
    """Fills lists up with unit 0 and the value 0, so that all are as long as the longest; returns its length."""
    longest = numbers[0]
    for number in numbers[1:]:
        longest = builder.select(builder.icmp_unsigned(">", number, longest), number, longest)
    if len(numbers) > 1:
        rounded = builder.add(longest, int_constant(longest.type, LANES - 1))
        for (units, active), number in zip(lists, numbers, strict=True):
            with groups(builder, rounded, number, LANES) as (place, _):
                store(builder, splat(0, LANES, INT16), units, place)
                store(builder, splat(0.0, LANES), active, place)
    return longest


def _layer_code(finish: Any, *chunks: int, shared: bool) -> Any:
    """Code for one layer, active unit by active unit; `finish(builder, sums)` is what becomes of the sums of a row."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        weights, units, active, found, values = (
            data_of(context, builder, signature.args[number], arguments[number]) for number in (0, 2, 3, 4, 6)
        )
        start, count, stride, inputs, outputs = (arguments[number] for number in (1, 5, 7, 8, 9))
        integer = inputs.type
        matrix = builder.gep(weights, [start])
        room = builder.add(inputs, int_constant(integer, LISTED))
        done = int_constant(integer, 0)
        for size in _SIZES:
            with groups(builder, count, done, size) as (first, end):
                rows = [builder.add(first, int_constant(integer, row)) for row in range(size)]
                begins = [builder.mul(row, room) for row in rows]
                if shared:
                    # The list stands at the first row of those that share it.
                    listed = builder.gep(units, begins[:1])
                    lists = [(listed, builder.gep(active, [begin])) for begin in begins]
                    longest = builder.load(builder.gep(found, rows[:1]))
                else:
                    lists = [(builder.gep(units, [begin]), builder.gep(active, [begin])) for begin in begins]
                    numbers = [builder.load(builder.gep(found, [row])) for row in rows]
                    longest = _fill_up(builder, lists, numbers)
                targets = [builder.gep(values, [builder.mul(row, stride)]) for row in rows]
                _add_units(builder, matrix, lists, longest, (inputs, outputs), targets, (finish, chunks))
            done = end
        return context.get_dummy_value()

    return code


def _add_units(builder: Any, matrix: Any, lists: Any, longest: Any, shape: Any, targets: Any, how: Any) -> None:
    """Sums the listed units of some positions side by side, each in order, and writes what becomes of the sums."""
    inputs, outputs = shape
    finish, chunks = how
    integer = inputs.type
    biases = builder.mul(inputs, outputs)
    done = int_constant(integer, 0)
    for width in chunks:
        lanes = min(width, LANES)
        parts = [int_constant(integer, part) for part in range(0, width, lanes)]
        totals = [[cgutils.alloca_once(builder, float_vector(lanes)) for _ in parts] for _ in lists]
        with groups(builder, outputs, done, width) as (output, end):
            for row in totals:
                for part, total in zip(parts, row, strict=True):
                    bias = builder.add(builder.add(biases, output), part)
                    builder.store(load(builder, matrix, bias, lanes), total)
            with cgutils.for_range(builder, longest) as loop:
                for (units, active), row in zip(lists, totals, strict=True):
                    unit = builder.zext(builder.load(builder.gep(units, [loop.index])), integer)
                    value = broadcast(builder, builder.load(builder.gep(active, [loop.index])), lanes)
                    begin = builder.add(builder.mul(unit, outputs), output)
                    for part, total in zip(parts, row, strict=True):
                        weight = load(builder, matrix, builder.add(begin, part), lanes)
                        builder.store(add_product(builder, builder.load(total), value, weight), total)
            for target, row in zip(targets, totals, strict=True):
                for part, total in zip(parts, row, strict=True):
                    store(builder, finish(builder, builder.load(total)), target, builder.add(output, part))
        done = end


@intrinsic
def _hidden(_typing, weights, start, units, active, found, count, values, stride, inputs, outputs):
    kinds = (weights, types.intp, units, active, found, types.intp, values, *(types.intp,) * 3)
    return types.void(*kinds), _layer_code(rectified, *_CHUNKS, shared=False)


@intrinsic
def _hidden_shared(_typing, weights, start, units, active, found, count, values, stride, inputs, outputs):
    kinds = (weights, types.intp, units, active, found, types.intp, values, *(types.intp,) * 3)
    return types.void(*kinds), _layer_code(rectified, *_SHARED_CHUNKS, shared=True)


@intrinsic
def _chances(_typing, weights, start, units, active, found, count, values, stride, inputs, outputs):
    kinds = (weights, types.intp, units, active, found, types.intp, values, *(types.intp,) * 3)
    return types.void(*kinds), _layer_code(sigmoid, _LAST, shared=True)


def _list_active_plain(values: Any, count: int, stride: int, inputs: int, units: Any, active: Any, found: Any) -> None:
    for row in range(count):
        here = values[row * stride :][:inputs]
        begin = row * (inputs + LISTED)
        positive = np.flatnonzero(here > 0)
        found[row] = len(positive)
        units[begin:][: len(positive)] = positive
        active[begin:][: len(positive)] = here[positive]


def _layer_plain(finish: Any) -> Any:
    def layer(
        weights: Any, start: int, units: Any, active: Any, found: Any, count: int, values: Any, stride: int, *shape: int
    ) -> None:
        inputs, outputs = shape
        matrix, bias = np.split(weights[start:][: (inputs + 1) * outputs].reshape(inputs + 1, outputs), [inputs])
        for row in range(count):
            begin = row * (inputs + LISTED)
            here, which = active[begin:][: found[row]], units[begin:][: found[row]]
            values[row * stride :][:outputs] = finish(here @ matrix[which] + bias[0])

    return layer


_NATIVE = _COMPRESSES and not PLAIN

list_active_portable: Any = _list_active_plain if PLAIN else _list_active_portable
list_shared_portable: Any = _list_active_plain if PLAIN else _list_shared_portable
"""`list_active` and `list_shared` without the instruction that they use on some processors; the same."""

list_active: Any = _list_active_native if _NATIVE else list_active_portable
"""Lists the active units of each row: those whose value is positive.

Arguments: values [...], float32 or int16, count of rows, stride, inputs, units int16[count * (inputs + LISTED)] and
active float32 of the same length, filled with the units and their values, both written beyond, found int64[count],
filled with how many they are. A row of `values` begins with the inputs; they are a multiple of LANES, if int16 of
LISTED.
"""

list_shared: Any = _list_shared_native if _NATIVE else list_shared_portable
"""The same for `hidden_shared` and `chances`, which get lists of the same `count` of rows: rows that share a list have
the units that are active in any of them, and 0 as the value of those that are silent."""

hidden: Any = _layer_plain(lambda total: np.maximum(total, 0)) if PLAIN else _hidden
"""One layer whose negative results are replaced by 0.

Arguments: weights float32[...], start, units, active and found of `list_active`, count, values float32[...], stride,
inputs, outputs. `weights` holds at `start` the matrix [inputs, outputs], then the bias. A row of `values` gets its
outputs at its beginning; they are a multiple of LANES. Each sum runs over the inputs in order.
"""

hidden_shared: Any = hidden if PLAIN else _hidden_shared
"""The same with units, active and found of `list_shared`, and the same results to the last digit."""

chances: Any = _layer_plain(sigmoid_plain) if PLAIN else _chances
"""The last layer: as `hidden_shared` with sigmoids instead, `outputs` a multiple of 8."""
