"""Sums of a table's rows: the first layer of several positions."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from bgai.kernels.vector import (
    BLOCK,
    PLAIN,
    WIDE,
    add_rows,
    data_of,
    groups,
    int_constant,
    length_of,
    load,
    store,
)

_BLOCKS = (4 * BLOCK, BLOCK) if WIDE else (BLOCK,)
"""Elements of a table's rows that are summed at once."""


def _sum_rows_code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    table, gained, lost, numbers, source, target = (
        data_of(context, builder, signature.args[number], arguments[number]) for number in (0, 1, 2, 3, 5, 6)
    )
    count, stride = arguments[4], arguments[7]
    width = length_of(context, builder, signature.args[5], arguments[5], 0)
    room = length_of(context, builder, signature.args[1], arguments[1], 1)
    integer = width.type
    done = int_constant(integer, 0)
    for length in _BLOCKS:
        total = cgutils.alloca_once(builder, ir.VectorType(table.type.pointee, length))
        # All positions pass a block before the next: they have many rows in common.
        with (
            groups(builder, width, done, length) as (offset, end),
            cgutils.for_range(builder, count) as positions,
        ):
            builder.store(load(builder, source, offset, length), total)
            begin = builder.mul(positions.index, room)
            lists = [builder.gep(rows, [begin]) for rows in (gained, lost)]
            place = builder.gep(numbers, [builder.mul(positions.index, int_constant(integer, 2))])
            number = [builder.load(builder.gep(place, [int_constant(integer, which)])) for which in (0, 1)]
            add_rows(builder, table, lists, number, width, offset, total)
            to = builder.add(builder.mul(positions.index, stride), offset)
            store(builder, builder.load(total), target, to)
        done = end
    return context.get_dummy_value()


@intrinsic
def _sum_rows(_typing, table, gained, lost, numbers, count, source, target, stride):
    kinds = types.void(table, gained, lost, numbers, types.intp, source, target, types.intp)
    return kinds, _sum_rows_code


def sums_plain(table: Any, gained: Any, lost: Any, numbers: Any, count: int, source: Any) -> Any:
    """What `sum_rows` stores, [count, H]."""
    total = np.repeat(source[None], count, axis=0)
    for position, (gains, losses) in enumerate(numbers[:count]):
        total[position] += table[gained[position, :gains]].sum(axis=0, dtype=table.dtype)
        total[position] -= table[lost[position, :losses]].sum(axis=0, dtype=table.dtype)
    return total


def _sum_rows_plain(*arguments: Any) -> None:
    *inputs, target, stride = arguments
    for position, total in enumerate(sums_plain(*inputs)):
        target[position * stride :][: len(total)] = total


sum_rows: Any = _sum_rows_plain if PLAIN else _sum_rows
"""`target[p * stride :][:H] = source + sum(table[gained[p, :gains]]) - sum(table[lost[p, :losses]])` for positions p.

Arguments: table [R, H], gained int32[P, ...], lost int32[P, ...], numbers int64[P, 2] with gains and losses, count,
source [H], target [...], stride. The first `count` positions are summed. Table, source and target are all float32 or
all int16, which wraps around. H is a multiple of BLOCK, gains and losses are of TOGETHER.
"""
