"""`--ray`: the option of commands whose work can be spread over a cluster."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bgai.workers import Workers


def add_ray(parser: argparse._ActionsContainer) -> None:
    """The option."""
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="work on a Ray cluster: auto for the one that this machine belongs to, or HOST:PORT of its head; see"
        " docs/cluster.md",
    )


@contextmanager
def asked_workers(options: argparse.Namespace) -> Iterator[Workers | None]:
    """The workers of the cluster, which is told; None if none was asked for.

    Raises:
        ConfigError: see `bgai.cluster.ray_workers`.
    """
    if options.ray is None:
        yield None
        return
    # Only here, because it brings the bear-off tables.
    from bgai.cluster import ray_workers

    with ray_workers(options.ray) as workers:
        machines, cores = workers.machines, workers.cores
        print(
            f"bgai: a Ray cluster of {machines} machine{'s' * (machines != 1)} with {cores} core{'s' * (cores != 1)}\n"
            "bgai: waiting for the cluster's workers, each of which starts, and compiles on a new machine ...",
            file=sys.stderr,
        )
        yield workers
