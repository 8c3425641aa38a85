"""The layers behind the first: most units are silent in any one position, so only the active ones are added."""

from __future__ import annotations

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
"""Positions whose sums are made side by side: one after the other, each would wait for its additions to end."""

_CHUNKS = (2 * LANES, LANES) if WIDE else (LANES,)
"""Outputs of a hidden layer that are summed at once: what keeps the sums of all positions in registers."""

_LAST = 8
"""The same of the last layer."""

_config: Any = numba.config
_COMPRESSES = bool(get_host_cpu_features().get("avx512vbmi2")) and not (_config.CPU_NAME or _config.CPU_FEATURES)
"""Whether code is compiled for a processor with the instruction that `_native_list` names. For another, LLVM would
end the process."""


def _native_list(builder: Any, values: Any, inputs: Any, units: Any, found: Any) -> None:
    """Lists the units of positive value; how many they are into `found`."""
    # Later layers are as wide as so many floats or a multiple.
    length = LANES if values.type.pointee == FLOAT else LISTED
    with groups(builder, inputs, int_constant(inputs.type, 0), length) as (offset, _):
        here = load(builder, values, offset, length)
        compare = builder.fcmp_ordered if here.type.element == FLOAT else builder.icmp_signed
        mask = compare(">", here, ir.Constant(here.type, None))
        first = broadcast(builder, builder.trunc(offset, INT16), length)
        numbers = builder.add(first, ir.Constant(first.type, list(range(length))))
        # The form that writes to memory what is chosen, and no more, is very slow on some processors.
        nothing = ir.Constant(numbers.type, None)
        name = f"llvm.x86.avx512.mask.compress.v{length}i16"
        place = builder.load(found)
        store(builder, call(builder, name, numbers.type, numbers, nothing, mask), units, place)
        number = builder.ctpop(builder.bitcast(mask, ir.IntType(length)))
        builder.store(builder.add(place, builder.zext(number, inputs.type)), found)


def _portable_list(builder: Any, values: Any, inputs: Any, units: Any, found: Any) -> None:
    """The same without this instruction: each unit is written over by the next unless its value is positive."""
    with cgutils.for_range(builder, inputs) as loop:
        value = builder.load(builder.gep(values, [loop.index]))
        compare = builder.fcmp_ordered if value.type == FLOAT else builder.icmp_signed
        positive = compare(">", value, ir.Constant(value.type, 0))
        place = builder.load(found)
        builder.store(builder.trunc(loop.index, INT16), builder.gep(units, [place]))
        builder.store(builder.add(place, builder.zext(positive, inputs.type)), found)


def _write_values(builder: Any, values: Any, units: Any, number: Any, active: Any) -> None:
    """The values of the listed units, as floats."""
    with cgutils.for_range(builder, number) as loop:
        unit = builder.zext(builder.load(builder.gep(units, [loop.index])), number.type)
        value = builder.load(builder.gep(values, [unit]))
        if value.type != FLOAT:
            value = builder.sitofp(value, FLOAT)
        builder.store(value, builder.gep(active, [loop.index]))


def _list_code(make_list: Any) -> Any:
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        values, units, active, found = (
            data_of(context, builder, signature.args[number], arguments[number]) for number in (0, 4, 5, 6)
        )
        count, stride, inputs = arguments[1:4]
        room = builder.add(inputs, int_constant(inputs.type, LISTED))
        with cgutils.for_range(builder, count) as rows:
            number = cgutils.alloca_once(builder, inputs.type)
            builder.store(int_constant(inputs.type, 0), number)
            begin = builder.mul(rows.index, room)
            row = builder.gep(values, [builder.mul(rows.index, stride)])
            numbers = builder.gep(units, [begin])
            make_list(builder, row, inputs, numbers, number)
            listed = builder.load(number)
            builder.store(listed, builder.gep(found, [rows.index]))
            _write_values(builder, row, numbers, listed, builder.gep(active, [begin]))
        return context.get_dummy_value()

    return code


@intrinsic
def _list_active_native(_typing, values, count, stride, inputs, units, active, found):
    return types.void(values, *(types.intp,) * 3, units, active, found), _list_code(_native_list)


@intrinsic
def _list_active_portable(_typing, values, count, stride, inputs, units, active, found):
    return types.void(values, *(types.intp,) * 3, units, active, found), _list_code(_portable_list)


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


def _layer_code(finish: Any, *chunks: int) -> Any:
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
    return types.void(*kinds), _layer_code(rectified, *_CHUNKS)


@intrinsic
def _chances(_typing, weights, start, units, active, found, count, values, stride, inputs, outputs):
    kinds = (weights, types.intp, units, active, found, types.intp, values, *(types.intp,) * 3)
    return types.void(*kinds), _layer_code(sigmoid, _LAST)


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


list_active_portable: Any = _list_active_plain if PLAIN else _list_active_portable
"""`list_active` without the instruction that it uses on some processors; the same."""

list_active: Any = _list_active_native if _COMPRESSES and not PLAIN else list_active_portable
"""Lists the active units of each row: those whose value is positive.

Arguments: values [...], float32 or int16, count of rows, stride, inputs, units int16[count * (inputs + LISTED)] and
active float32 of the same length, filled with the units and their values, both written beyond, found int64[count],
filled with how many they are. A row of `values` begins with the inputs; they are a multiple of LANES, if int16 of
LISTED.
"""

hidden: Any = _layer_plain(lambda total: np.maximum(total, 0)) if PLAIN else _hidden
"""One layer whose negative results are replaced by 0.

Arguments: weights float32[...], start, units, active and found of `list_active`, count, values float32[...], stride,
inputs, outputs. `weights` holds at `start` the matrix [inputs, outputs], then the bias. A row of `values` gets its
outputs at its beginning; they are a multiple of LANES. Each sum runs over the inputs in order.
"""

chances: Any = _layer_plain(sigmoid_plain) if PLAIN else _chances
"""The last layer: the same with sigmoids instead, `outputs` a multiple of 8."""
