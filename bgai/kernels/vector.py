"""The inner loops that decide the speed of everything, written for vector registers: what they have in common.

Numba's own loops leave most of a wide register unused here, so the modules `vector_...` emit LLVM vector code
directly. It names no instruction set but in one place: LLVM splits the vectors into what the processor has. With the
JIT switched off (`NUMBA_DISABLE_JIT=1`) the NumPy functions at the end of each module stand in; they also say what
its loops compute.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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

ROWS = 8
"""Positions that pass through a network together."""

TOGETHER = 4
"""Rows that are added or subtracted without a look whether there are more. A position after a play differs from the
one before in three or four slots, and a loop whose end cannot be foreseen costs more than a row of zeros."""

_config: Any = numba.config

PLAIN = bool(_config.DISABLE_JIT)
"""Whether the compiler is switched off."""
WIDE = bool(get_host_cpu_features().get("avx512f"))
"""Whether registers hold 64 bytes."""

FLOAT = ir.FloatType()
INT16, INT32 = ir.IntType(16), ir.IntType(32)
FUSE = ("contract",)


def float_vector(length: int) -> ir.VectorType:
    return ir.VectorType(FLOAT, length)


def int_constant(kind: ir.Type, value: int) -> ir.Constant:
    return ir.Constant(kind, value)


def splat(value: float, length: int, element: ir.Type = FLOAT) -> ir.Constant:
    return ir.Constant(ir.VectorType(element, length), [value] * length)


def load(builder: Any, data: Any, offset: Any, length: int) -> Any:
    place = builder.gep(data, [offset])
    vector = ir.VectorType(data.type.pointee, length)
    return builder.load(builder.bitcast(place, vector.as_pointer()), align=1)


def store(builder: Any, value: Any, data: Any, offset: Any) -> None:
    builder.store(value, builder.bitcast(builder.gep(data, [offset]), value.type.as_pointer()), align=1)


def call(builder: Any, name: str, result: Any, *arguments: Any) -> Any:
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), arguments)


def broadcast(builder: Any, value: Any, lanes: int) -> Any:
    vector = ir.VectorType(value.type, lanes)
    single = builder.insert_element(ir.Constant(vector, ir.Undefined), value, int_constant(INT32, 0))
    return builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), splat(0, lanes, INT32))


def add_product(builder: Any, total: Any, value: Any, weight: Any) -> Any:
    """`total + value * weight`, rounded once where the processor can."""
    return builder.fadd(total, builder.fmul(value, weight, flags=FUSE), flags=FUSE)


def rectified(builder: Any, value: Any) -> Any:
    """Negative numbers replaced by 0."""
    zero = ir.Constant(value.type, None)
    compare = builder.fcmp_ordered if value.type.element == FLOAT else builder.icmp_signed
    return builder.select(compare(">", value, zero), value, zero)


def as_floats(builder: Any, values: Any) -> Any:
    return values if values.type.element == FLOAT else builder.sitofp(values, float_vector(values.type.count))


def data_of(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """The pointer to an array's elements."""
    return context.make_array(kind)(context, builder, value).data


def length_of(context: Any, builder: Any, kind: Any, value: Any, axis: int) -> Any:
    return builder.extract_value(context.make_array(kind)(context, builder, value).shape, axis)


@contextmanager
def groups(builder: Any, count: Any, begin: Any, size: int) -> Iterator[tuple[Any, Any]]:
    """A loop over whole groups of `size` from `begin` to `count`: yields a group's beginning and the end of all."""
    step = int_constant(count.type, size)
    number = builder.udiv(builder.sub(count, begin), step)
    end = builder.add(begin, builder.mul(number, step))
    with cgutils.for_range(builder, number) as loop:
        yield builder.add(begin, builder.mul(loop.index, step)), end


def add_rows(builder: Any, table: Any, lists: Any, count: Any, width: Any, offset: Any, total: Any) -> None:
    """Adds rows of a table [R, width] to the vector in `total`, their elements from `offset` on.

    Args:
        lists: pointers to the numbers of the rows that are added and of those that are taken away.
        count: how many there are in each; multiples of TOGETHER.
    """
    element = table.type.pointee
    length = total.type.pointee.count
    add, subtract = (builder.fadd, builder.fsub) if element == FLOAT else (builder.add, builder.sub)
    for rows, number, combine in zip(lists, count, (add, subtract), strict=True):
        with groups(builder, number, int_constant(width.type, 0), TOGETHER) as (first, _):
            for place in range(TOGETHER):
                row = builder.load(builder.gep(rows, [builder.add(first, int_constant(width.type, place))]))
                begin = builder.add(builder.mul(builder.sext(row, width.type), width), offset)
                builder.store(combine(builder.load(total), load(builder, table, begin, length)), total)


@intrinsic
def _lowest_bit(_typing, word):
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), code


def _lowest_bit_plain(word: int) -> int:
    return (int(word) & -int(word)).bit_length() - 1


lowest_bit: Any = _lowest_bit_plain if PLAIN else _lowest_bit
"""Position of the lowest one-bit of an int64 that is not 0."""


def aligned(array: Any) -> Any:
    """A copy that begins where a vector register's load does not cross two lines of the cache."""
    room = np.empty(array.nbytes + 64, dtype=np.uint8)
    begin = -room.ctypes.data % 64
    copy = room[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
