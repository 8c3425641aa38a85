"""Trains a network by games against itself, from a recipe in configs/.

    bgai train configs/td.toml
    bgai train configs/generations.toml
    bgai train configs/td.toml --set optim.lr=0.001 --out runs/slow
    bgai train --resume runs/slow
    bgai train configs/td.toml --resume runs/td

A recipe beside --resume must be that of the run. Ctrl-C saves and says how to go on. A run's folder holds the resolved
configuration, log.jsonl, a TensorBoard folder, the checkpoint, the last model and the best one, and the positions that
a recipe with [label] labels. With --ray a cluster plays, labels and measures, and this machine learns
(docs/cluster.md).
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path

from bgai.cli.cluster import add_ray, asked_workers
from bgai.errors import ConfigError

NEEDED = ("torch", "tqdm", "tensorboard")


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("config", nargs="?", type=Path, metavar="CONFIG", help="the recipe, a TOML file")
    parser.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="change one key, such as optim.lr=0.01"
    )
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="the run's folder (default: runs/NAME)")
    parser.add_argument("--resume", type=Path, metavar="FOLDER", help="go on with the run in this folder")
    parser.add_argument(
        "--device",
        default="cpu",
        metavar="NAME",
        help="where the network learns: cpu (default), cuda, cuda:N, mps or auto; see docs/devices.md",
    )
    add_ray(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        install = "pip install 'bgai[train]' (in a clone: pip install '.[train]')"
        raise ConfigError(f"training needs {', '.join(missing)}; install with: {install}")
    if options.config is None and options.resume is None:
        raise ConfigError("expected a recipe (configs/td.toml) or --resume FOLDER, found neither")
    if options.resume is not None and options.out is not None:
        raise ConfigError("--resume goes on in the folder of the run; --out belongs to a new run")
    if options.config is None and options.set:
        raise ConfigError("--set changes a recipe, and --resume alone goes on with the run as it is")
    from bgai_train.config import load_config
    from bgai_train.following import follow
    from bgai_train.loop import resume_run, start_run
    from bgai_train.processes import joined

    config = None if options.config is None else load_config(options.config, options.set)
    with joined(options.device, say) as processes:
        if not processes.first:
            follow(processes)
            return 0
        with asked_workers(options) as workers:
            if options.resume is not None:
                resume_run(options.resume, config, processes, workers)
            elif config is not None:
                start_run(config, options.out or Path("runs") / config.name, processes, workers)
    return 0


def say(line: str) -> None:
    """Tells what is no error."""
    print(f"bgai train: {line}", file=sys.stderr)
