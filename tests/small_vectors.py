"""Runs the tests marked "small", in a process of its own with other settings of the compiler.

    NUMBA_DISABLE_JIT=1 python -m tests.small_vectors
    NUMBA_BOUNDSCHECK=1 python -m tests.small_vectors

`BGAI_CACHE` must name an empty folder: in code that was compiled before, nothing is checked.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numba
import numpy as np
import pytest

from bgai.kernels.compiler import kernel

TESTS = Path(__file__).parent


@kernel
def _number_at(numbers, index):  # type: ignore[no-untyped-def]
    return numbers[index]


def reading_out_of_range_fails() -> bool:
    """Whether kernels notice it."""
    try:
        _number_at(np.arange(4), 5)
    except IndexError:
        return True
    return False


def main() -> int:
    compiled = isinstance(_number_at, numba.core.dispatcher.Dispatcher)
    print(f"compiler {'on' if compiled else 'off'}")
    print(f"reading out of range {'fails' if reading_out_of_range_fails() else 'goes unnoticed'}")
    # The hash of a position wraps around, which NumPy's scalars remark on.
    quiet = ["-W", "ignore:overflow encountered:RuntimeWarning"]
    # Only the files that have such tests: importing others would open the bear-off tables, which are not solved in
    # any reasonable time without the compiler.
    files = [str(path) for path in sorted(TESTS.glob("test_*.py")) if "pytest.mark.small" in path.read_text("utf-8")]
    return int(pytest.main(["-q", "-m", "small", "-p", "no:cacheprovider", *quiet, *files]))


if __name__ == "__main__":
    sys.exit(main())
