"""Bear-offs solved to the end: tables of positions in which all checkers of both sides are at home.

    >>> import numpy as np
    >>> from bgai import bearoff
    >>> board = np.zeros(26, dtype=np.int8)
    >>> board[[6, 20]] = 1, -1
    >>> exact = bearoff.two_sided(2)
    >>> exact.covers(board[None])
    array([ True])
    >>> round(float(exact.outcomes(board[None])[0, 0]), 4)
    0.7847

`two_sided` is exact, with and without the cube, for few checkers; `one_sided` takes up to fifteen checkers and has the
gammons, and looks at the two sides as if each played for itself. `docs/bearoff.md` says where they come from, how
good the second is, and how they are kept.

`solving` computes the tables, `keeping` writes and reads files, `tables` looks things up, `opening` puts these
together, and `compiled` hands them to the kernels.
"""

from bgai.bearoff.compiled import EXACT, bearoffs, held_by_tables, network_alone, no_bearoffs, put_bear_offs
from bgai.bearoff.opening import one_sided, one_sided_file, two_sided, two_sided_file
from bgai.bearoff.solving import LARGEST, Work, two_sided_work
from bgai.bearoff.tables import CubeEquities, OneSided, TwoSided

__all__ = [
    "EXACT",
    "LARGEST",
    "CubeEquities",
    "OneSided",
    "TwoSided",
    "Work",
    "bearoffs",
    "held_by_tables",
    "network_alone",
    "no_bearoffs",
    "one_sided",
    "one_sided_file",
    "put_bear_offs",
    "two_sided",
    "two_sided_file",
    "two_sided_work",
]
