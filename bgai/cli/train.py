"""Trains a network by self-play, from a recipe in configs/.

    bgai train configs/td.toml
    bgai train configs/td.toml --set optim.lr=0.001 --out runs/slow
    bgai train --resume runs/slow

Ctrl-C saves and says how to go on. A run's folder holds the resolved configuration, log.jsonl, a TensorBoard
folder, the checkpoint, the last model and the best one.
"""

from __future__ import annotations

import argparse
import importlib.util
from pathlib import Path

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


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ConfigError(f"training needs {', '.join(missing)}; install with: pip install 'bgai[train]'")
    if (options.config is None) == (options.resume is None):
        raise ConfigError("expected either a recipe (configs/td.toml) or --resume FOLDER")
    if options.resume is not None and (options.set or options.out is not None):
        raise ConfigError("--resume goes on with the run as it is; --set and --out belong to a new run")
    from bgai_train.config import load_config
    from bgai_train.loop import resume_run, start_run

    if options.resume is not None:
        resume_run(options.resume)
    else:
        config = load_config(options.config, options.set)
        start_run(config, options.out or Path("runs") / config.name)
    return 0
