"""How strong a model is: points a game against other programs, and millipoints lost on reference decisions.

    python benchmarks/strength.py models/0001-first --games 20000 --bench
    python benchmarks/strength.py models/0001-first --games 0 --bench --plies 1
    python benchmarks/strength.py gnubg --opponents pubeval

Games are cubeless money games at 0-ply (gnubg's count: the static net, no search), each played twice with the same
dice and seats changed; the interval comes from the spread of such pairs. `--luck` takes the luck of the rolls out too,
by the model's own judgement (`bgai.luck`): the same mean with an interval several times smaller. `--bench` adds the
public reference decisions, checker plays and cubes, on which the peers are scored in the same run: all of them at
0-ply, cubes at every ply too, and `--decisions` checker plays in a fixed random order where programs look ahead; `*`
marks the levels whose values made the reference, which favours them. bgai's cube code is also fed with gnubg-nn's
chances, which shows it apart from the network. `curve.py` has more levels. The peers must be installed:
`pip install gnubg-nn bgsage`. Ctrl-C ends the games and keeps those that were played.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cube import PARTS, cube_losses, efficiencies
from duel import Score, play_duel, play_pairs, score
from lookahead import BGAI, LEVELS, measure_levels
from peers import PEERS
from players import ModelPlayer, Player, player
from reference import PHASES, Mean, checker_losses, read_checker, read_records
from report import RESULTS, print_table, write_results
from tqdm import tqdm

from bgai.catalogue import open_model
from bgai.errors import BgaiError

SELF_CHECK_PAIRS = 20


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; returns its exit code."""
    options = _options(arguments)
    try:
        return _measure(options)
    except BgaiError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="strength.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", metavar="MODEL", help=f"a kept model or the folder of one, or {', '.join(PEERS)}")
    parser.add_argument("--games", type=int, default=20000, help="games against each opponent (default 20000)")
    parser.add_argument("--seed", type=int, default=1, help="of the dice (default 1)")
    parser.add_argument("--luck", action="store_true", help="also give points with the luck of the dice taken out")
    parser.add_argument("--opponents", default=",".join(PEERS), help="comma-separated (default %(default)s)")
    parser.add_argument("--bench", action="store_true", help="score the reference decisions too")
    parser.add_argument("--plies", type=int, default=2, help="how far --bench looks ahead, 0 to 2 (default 2)")
    parser.add_argument("--decisions", type=int, default=500, help="checker plays looking ahead (default 500)")
    parser.add_argument("--self-check", action="store_true", help="first let each player play itself: must give 0")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="default: one for each core")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder for the JSON file")
    options = parser.parse_args(arguments)
    options.opponents = [name for name in options.opponents.split(",") if name]
    unknown = sorted(set(options.opponents) - set(PEERS))
    if unknown:
        parser.error(f"unknown opponent {unknown[0]!r}, expected some of {', '.join(PEERS)}")
    if options.games < 0 or options.processes < 1:
        parser.error("--games is at least 0 and --processes at least 1")
    if not 0 <= options.plies <= 2 or options.decisions < 1:
        parser.error("--plies is 0 to 2 and --decisions at least 1")
    return options


def _measure(options: argparse.Namespace) -> int:
    ours = player(options.model)
    opponents = {name: player(name) for name in options.opponents}
    for each in {ours.name: ours, **opponents}.values():
        if options.self_check and not _scores_zero_against_itself(each, options.seed):
            print(f"error: {each.title} does not score 0 against itself", file=sys.stderr)
            return 1
    content: dict[str, Any] = {"kind": "strength", "player": _describe(ours), "plies": "0-ply (gnubg count)"}

    if options.bench:
        content["bench"] = _measure_plays(ours, opponents)
        if options.plies and isinstance(ours, ModelPlayer):
            content["looking ahead"] = _measure_ahead(ours, options)
        content["cube"] = _measure_cubes(ours, options.plies)

    duels: dict[str, Score] = {}
    interrupted = False
    for name, opponent in opponents.items():
        if interrupted or options.games < 2:
            break
        with tqdm(total=options.games // 2 * 2, unit="game", desc=f"against {opponent.title}") as bar:
            luck = options.model if options.luck and isinstance(ours, ModelPlayer) else None
            games, interrupted = play_duel(
                options.model, name, options.seed, options.games // 2, options.processes, bar.update, luck
            )
        if len(games.points):
            duels[opponent.title] = score(games)
    if duels:
        content["duels"] = {
            "rules": "cubeless money, pairs of games with the same dice",
            "seed": options.seed,
            "games_asked": options.games,
            "opponents": {title: asdict(each) for title, each in duels.items()},
        }
        print_table(
            f"{ours.title}, cubeless money, points a game ± 95 % interval (gammons include backgammons)",
            ["opponent", "games", "points a game", "luck out", "won", "gammons", "bg", "lost", "gammons", "bg"],
            [_duel_row(title, each) for title, each in duels.items()],
        )
    if "bench" in content or duels:
        print(f"\nwritten: {os.path.relpath(write_results(options.results, f'strength-{ours.name}', content))}")
    return 130 if interrupted else 0


def _measure_plays(ours: Player, opponents: dict[str, Player]) -> dict[str, Any]:
    """Scores checker plays at 0-ply, prints them, and returns what goes into the results."""
    decisions = read_checker()
    everyone = {each.name: each for each in (ours, *(opponents.get(name) or player(name) for name in PEERS))}
    losses = {each.title: checker_losses(each, decisions) for each in everyone.values()}
    print_losses(f"Loss on {len(decisions)} public reference decisions", losses)
    return {
        "unit": "millipoints a decision",
        "players": {title: {part: asdict(each) for part, each in parts.items()} for title, parts in losses.items()},
    }


def _measure_ahead(ours: ModelPlayer, options: argparse.Namespace) -> dict[str, Any]:
    """Scores checker plays of programs that look ahead, prints them, and returns what goes into the results."""
    levels = [
        level
        for level in LEVELS
        if 1 <= level.plies <= options.plies and level.filter == "normal" and level.variant != "cubeful"
    ]
    found = measure_levels(levels, options.model, options.seed, options.decisions)
    rows = {level: level.title.replace(BGAI, ours.name, 1) for level in found}
    print_losses(
        f"Looking ahead, at most {options.decisions} of them",
        {rows[level] + " *" * level.favoured: measured.losses for level, measured in found.items()},
    )
    return {
        "unit": "millipoints and CPU-milliseconds a decision",
        "seed": options.seed,
        "players": {rows[level]: asdict(measured) for level, measured in found.items()},
    }


def print_losses(title: str, losses: dict[str, dict[str, Mean]]) -> None:
    """Prints losses by phase."""
    parts = (*PHASES, "all")
    print_table(
        f"{title}, millipoints a decision ± standard error",
        ["player", *parts],
        [[name, *(str(means.get(part, "–")) for part in parts)] for name, means in losses.items()],
    )


def _measure_cubes(ours: Player, plies: int) -> dict[str, Any]:
    """Scores cube decisions, prints them, and returns what goes into the results."""
    records = list(read_records("cube"))
    model = ours.model if isinstance(ours, ModelPlayer) else None
    fitted = model or open_model(None)
    losses = cube_losses(model, fitted, records, plies)
    print_table(
        f"Loss on {len(records)} public cube decisions, millipoints a decision ± standard error",
        ["player", *PARTS],
        [[title, *(str(parts[part]) for part in PARTS)] for title, parts in losses.items()],
    )
    return {
        "unit": "millipoints a decision",
        "efficiency": efficiencies(fitted),
        "players": {title: {part: asdict(each) for part, each in parts.items()} for title, parts in losses.items()},
    }


def _scores_zero_against_itself(each: Player, seed: int) -> bool:
    return not play_pairs(each, each, seed, 0, SELF_CHECK_PAIRS).points.sum(axis=1).any()


def _describe(each: Player) -> dict[str, Any]:
    if not isinstance(each, ModelPlayer):
        return {"name": each.title}
    manifest = each.model.manifest
    return {
        "name": manifest.name,
        "encoder": manifest.encoder,
        "layers": manifest.layers,
        "weights_sha256": manifest.weights_sha256,
    }


def _duel_row(title: str, each: Score) -> list[str]:
    counts = (
        each.wins,
        each.gammons_won,
        each.backgammons_won,
        each.losses,
        each.gammons_lost,
        each.backgammons_lost,
    )
    shares = [f"{100 * count / each.games:.1f} %" for count in counts]
    plain = "–" if each.without_luck is None else f"{each.without_luck:+.4f} ± {each.without_luck_interval_95:.4f}"
    return [title, str(each.games), f"{each.points_per_game:+.3f} ± {each.interval_95:.3f}", plain, *shares]


if __name__ == "__main__":
    sys.exit(main())
