"""Tables that bgai computes: against published ones, and continued beyond their length."""

from __future__ import annotations

from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest

from bgai.errors import ConfigError, InputError
from bgai.met import MatchEquityTable, Rates, build_met, check_met, compare_met, default_met, extend_met, read_met
from bgai.met.builder import _Bent, extend_post

GNUBG = Path("/usr/share/gnubg/met")


def cut(met: MatchEquityTable, length: int) -> MatchEquityTable:
    return MatchEquityTable("cut", met.pre[:length, :length], met.post[:length])


def test_the_usual_rates_come_close_to_kazaross() -> None:
    """The figures of docs/met.md."""
    found = compare_met(build_met(), default_met())
    assert (found.length, found.away) == (25, (2, 9))
    assert found.largest < 0.0031
    assert found.root_mean_square < 0.0007
    assert np.abs(build_met().post - default_met().post).max() < 0.0024


def test_more_or_fewer_gammons_come_less_close() -> None:
    best = compare_met(build_met(), default_met()).root_mean_square
    for rates in (
        Rates(gammon=0.26),
        Rates(gammon=0.32),
        Rates(efficiency=1, centred=1),
        Rates(efficiency=0, centred=0),
    ):
        assert compare_met(build_met(rates), default_met()).root_mean_square > best


@pytest.mark.skipif(not GNUBG.is_dir(), reason="gnubg's tables are not installed")
def test_a_fully_live_cube_gives_thornbergs_table() -> None:
    """mec26: Claes Thornberg's program with perfect cubes and 26 % gammons, printed with three decimals.

    Its Crawford entries come from other rates after the Crawford game, which the other entries hardly feel.
    """
    live = build_met(Rates(gammon=0.26, backgammon=0, efficiency=1, centred=1, free_drop=(0.015, 0.004)), 15)
    other = read_met(GNUBG / "mec26.xml")
    assert np.abs(live.pre - other.pre[:15, :15])[1:, 1:].max() < 0.0025
    assert abs(live.pre[1, 0] - other.pre[1, 0]) < 1e-9


def test_small_tables_by_hand() -> None:
    """Crawford and post-Crawford entries follow from the rates alone."""
    met = build_met(Rates(gammon=0.2, backgammon=0.1, free_drop=(0.01, 0)), 4)
    assert met.post.tolist() == pytest.approx([0.5, 0.49, 0.5 * (0.8 * 0.5 + 0.2), 0.5 * (0.8 * 0.49 + 0.2)])
    assert met.mwc(2, 1) == pytest.approx(0.5 * (0.8 * 0.5 + 0.2))
    assert met.mwc(3, 1) == pytest.approx(0.5 * (0.8 * 0.49 + 0.1 * 0.5 + 0.1))
    assert met.mwc(4, 1) == pytest.approx(0.5 * (0.8 * met.post[2] + 0.1 * 0.49 + 0.1 * 0.5))


def test_3_away_2_away_by_hand() -> None:
    """Without gammons and with perfect cubes: every step of the recursion."""
    met = build_met(Rates(gammon=0, backgammon=0, efficiency=1, centred=1, free_drop=(0, 0)), 3)
    assert met.post.tolist() == [0.5, 0.5, 0.25]
    # Doubled to 2 by the 3-away player, the opponent holds a dead cube: the match is 75 % won with 2 points (1-away,
    # 2-away Crawford) or lost. The value 0.75 p reaches that of a pass, 50 % at 2-away, 2-away, at p = 2/3.
    # Doubled to 2 by the 2-away player, the other redoubles to 4 at once, as the match is lost with the game anyway:
    # the value p reaches that of a pass, 25 % at 3-away, 1-away Crawford, at p = 1/4.
    expected = 0.25 + (0.5 - 0.25) * (0.5 - 0.25) / (2 / 3 - 0.25)
    assert met.mwc(3, 2) == pytest.approx(expected)


def test_a_bent_line() -> None:
    line = _Bent(0.1, 0.9, 0.75, 0.8)
    assert [line.at(chance) for chance in (0.0, 0.375, 0.75, 1.0)] == pytest.approx([0.1, 0.45, 0.8, 0.9])
    assert [line.chance_of(value) for value in (0.0, 0.45, 0.85, 1.0)] == pytest.approx([0.0, 0.375, 0.875, 1.0])
    assert _Bent(0.5, 0.9, 0.0, 0.5).at(0.0) == 0.5


@pytest.mark.parametrize(("length", "bound"), [(9, 0.0012), (15, 0.0011), (20, 0.0011)])
def test_continuing_the_table_from_a_part_of_it(length: int, bound: float) -> None:
    """What lies beyond the part is computed as well as it was projected."""
    whole = default_met()
    continued = extend_met(cut(whole, length), 25)
    assert np.array_equal(continued.pre[:length, :length], whole.pre[:length, :length])
    assert compare_met(continued, whole).largest < bound
    assert np.abs(continued.post - whole.post).max() < 0.0005


@pytest.mark.parametrize("length", [26, 64, 100])
def test_beyond_25_points(length: int) -> None:
    met = default_met(length)
    assert met.length == length
    assert met is default_met(length)
    assert met.notes == ("beyond 25-away computed by bgai from the entries before",)
    assert check_met(met, 1e-12) == []
    assert np.array_equal(met.pre[:25, :25], default_met().pre)
    # Smooth across the seam: the steps from one entry to the next change gradually.
    steps = np.diff(met.pre[9:40, 9:40], axis=1)
    assert np.abs(np.diff(steps, axis=1)).max() < 0.004


def test_beyond_a_table_of_few_decimals() -> None:
    """Its last entries are rounded, so that the computed ones behind them need not fit."""
    usual = default_met()
    coarse = MatchEquityTable("coarse", usual.pre[:15, :15].round(2), usual.post[:15].round(2))
    met = extend_met(coarse, 40)
    assert check_met(met, 1e-12) == []
    assert met.notes == ("beyond 15-away computed by bgai from the entries before",)
    assert compare_met(met, usual).largest < 0.012


def test_rates_that_lead_nowhere() -> None:
    with pytest.raises(ConfigError, match="these rates lead to an impossible table: 5-away, 2-away: found"):
        build_met(Rates(gammon=0.6, backgammon=0, efficiency=0, centred=0), 5)


@pytest.mark.check
def test_a_very_long_match() -> None:
    met = build_met(length=300)
    assert check_met(met, 1e-12) == []
    # Far from the end a match is a random walk, so chances go by the normal law with one spread.
    for mine, theirs in [(300, 280), (300, 250), (120, 105), (75, 65)]:
        deviations = -NormalDist().inv_cdf(float(met.mwc(mine, theirs)))
        assert deviations * (mine + theirs) ** 0.5 / (mine - theirs) == pytest.approx(0.535, abs=0.007)


@pytest.mark.parametrize(
    "rates",
    [Rates(), Rates(0, 0, 0, 0, (0, 0)), Rates(0, 0, 1, 1, (0, 0)), Rates(0.5, 0.2, 1, 1), Rates(0.6, 0.6, 0, 1)],
)
def test_any_rates_give_a_sound_table(rates: Rates) -> None:
    met = build_met(rates, 17)
    assert check_met(met, 1e-12) == []
    assert np.array_equal(met.grid, build_met(rates, 17).grid, equal_nan=True)
    # Nothing depends on how far a table goes.
    assert np.array_equal(met.pre[:9, :9], build_met(rates, 9).pre)


def test_the_shortest() -> None:
    met = build_met(length=1)
    assert (met.pre.tolist(), met.post.tolist()) == ([[0.5]], [0.5])
    assert extend_post(np.array([0.5]), 1, Rates()).tolist() == [0.5]


def test_rates_out_of_range() -> None:
    for wrong, said in (
        ({"gammon": 1.2}, "rate 'gammon': expected 0 to 0.6, found 1.2"),
        ({"gammon": 0.1, "backgammon": 0.2}, "rate 'backgammon': expected 0 to 0.1, found 0.2"),
        ({"efficiency": -1.0}, "rate 'efficiency': expected 0 to 1, found -1"),
        ({"free_drop": (0.1, 0.0)}, "rate 'free_drop'"),
    ):
        with pytest.raises(ConfigError, match=said.replace("(", r"\(")):
            Rates(**wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="found 0"):
        build_met(length=0)
