"""The sigmoid of a vector of logits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir

from bgai.kernels.vector import FUSE, INT32, call, splat

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


def sigmoid(builder: Any, logits: Any) -> Any:
    """1 / (1 + 2**t) with t = -x log2 e, the power of two split into a whole and a fractional part."""
    vector = logits.type
    length = vector.count
    integers = ir.VectorType(INT32, length)
    power = builder.fmul(logits, splat(-_LOG2_E, length))
    for sign, limit in (("<", 126.0), (">", -126.0)):
        bound = splat(limit, length)
        power = builder.select(builder.fcmp_unordered(sign, power, bound), power, bound)
    whole = call(builder, f"llvm.rint.v{length}f32", vector, power)
    fraction = builder.fsub(power, whole)
    value = splat(_EXP2[-1], length)
    for coefficient in reversed(_EXP2[:-1]):
        value = builder.fadd(builder.fmul(value, fraction, flags=FUSE), splat(coefficient, length), flags=FUSE)
    exponent = builder.add(builder.fptosi(whole, integers), splat(127, length, INT32))
    scale = builder.bitcast(builder.shl(exponent, splat(23, length, INT32)), vector)
    one = splat(1.0, length)
    return builder.fdiv(one, builder.fadd(one, builder.fmul(value, scale)))


def sigmoid_plain(logits: Any) -> Any:
    """The same in NumPy."""
    return 1 / (1 + np.exp(-np.clip(logits, -87, 87)))
