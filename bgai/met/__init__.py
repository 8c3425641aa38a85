"""Match equity: the chance of winning a match from each score.

    >>> from bgai.met import default_met
    >>> met = default_met()
    >>> round(met.mwc(2, 1, crawford=True), 5), round(met.mwc(2, 1, post_crawford=True), 5)
    (0.32264, 0.48803)
    >>> met.outcome_mwc((4, 2), 2).round(3).tolist()
    [0.0, 0.0, 0.0, 0.5, 1.0, 1.0]

`table` holds the chances and looks them up, `points` derives take points and gammon values, `checks` finds mistakes
in a table, `builder` computes tables and continues them beyond their length, `files` reads and writes them.
`docs/met.md` says where the numbers come from and how good they are.
"""

from bgai.met.builder import Rates, build_met, extend_met
from bgai.met.checks import Difference, Problem, check_met, compare_met
from bgai.met.files import default_met, format_met, read_met
from bgai.met.points import gammon_values, take_point
from bgai.met.table import RESULTS, MatchEquityTable

__all__ = [
    "RESULTS",
    "Difference",
    "MatchEquityTable",
    "Problem",
    "Rates",
    "build_met",
    "check_met",
    "compare_met",
    "default_met",
    "extend_met",
    "format_met",
    "gammon_values",
    "read_met",
    "take_point",
]
