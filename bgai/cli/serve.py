"""Answers over HTTP until Ctrl-C: an API for front ends, and a page to play on.

    bgai serve
    bgai serve --port 9000 --model 1 --threads 2
    bgai serve --host 0.0.0.0 --token-file token.txt --cors https://example.org --log-json

Only this machine is served unless --host says otherwise, under the name localhost or those of --allow-host. With
--token-file, or with a token in BGAI_TOKEN, requests have to carry it; the page and the documentation can be seen
without. docs/http.md explains the API, /docs lists it.
Needs fastapi, uvicorn and some more, installed with bgai[server].
"""

from __future__ import annotations

import argparse
import importlib.util
import ipaddress
import os
import stat
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from bgai.catalogue import open_model
from bgai.cli.options import add_model, whole_number
from bgai.errors import InputError

if TYPE_CHECKING:
    from bgai.server.settings import Settings

TOKEN = "BGAI_TOKEN"
HOST, PORT = "127.0.0.1", 8000
MEBI = 1 << 20

_NEEDED = ("fastapi", "uvicorn", "prometheus_client", "python_multipart", "sqlalchemy")


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("--host", default=HOST, metavar="H", help=f"address to listen on (default {HOST})")
    parser.add_argument(
        "--port", type=whole_number(0, 65535), default=PORT, metavar="N", help=f"default {PORT}; 0: any free one"
    )
    add_model(parser)
    parser.add_argument(
        "--threads", type=whole_number(1, 256), default=1, metavar="N", help="of each deep question and job (default 1)"
    )
    parser.add_argument(
        "--token-file", metavar="FILE", help=f"holds the token that requests have to carry (default: ${TOKEN})"
    )
    parser.add_argument(
        "--cors", nargs="+", default=[], metavar="ORIGIN", help="sites whose pages may ask here (default: none)"
    )
    parser.add_argument(
        "--allow-host",
        nargs="+",
        default=[],
        metavar="NAME",
        help="names of this server (default: localhost; any if --host serves other machines)",
    )
    parser.add_argument("--db", metavar="URL", help="where games are kept (default: an SQLite file of the user)")
    limits = parser.add_argument_group("limits")
    limits.add_argument("--max-body", type=whole_number(1, 1024), metavar="MB", help="size of a request (default 4)")
    limits.add_argument(
        "--max-seconds", type=whole_number(1, 3600), metavar="N", help="time for a question (default 20)"
    )
    limits.add_argument(
        "--max-jobs", type=whole_number(1), metavar="N", help="rollouts and analyses that run or wait (default 16)"
    )
    limits.add_argument(
        "--max-job-seconds", type=whole_number(1), metavar="N", help="that one of them may run (default 3600)"
    )
    parser.add_argument("--log-json", action="store_true", help="log one JSON object a line")
    parser.add_argument("--quiet", action="store_true", help="do not log requests")


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise InputError(f"{', '.join(missing)} missing, installed with: pip install bgai[server]")
    # Only here, because they take time to load and are no part of the player.
    from bgai.server.observing import start_logging
    from bgai.server.running import bound, serve

    settings = _settings(options)
    open_model(settings.model)
    found = bound(options.host, options.port)
    start_logging(as_json=options.log_json, requests=not options.quiet)
    with found:
        host, port = found.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else host
        if settings.token is None and not _own(host):
            print("bgai: other machines are answered and need no token; --token-file asks for one", file=sys.stderr)
        if not settings.hosts and not _own(host):
            settings = replace(settings, hosts=("*",))
        said = f"http://{shown}:{port}: the page; /docs: the API. Ctrl-C stops it."
        serve(settings, [found], lambda: print(said, flush=True))
    return 0


def _settings(options: argparse.Namespace) -> Settings:
    from bgai.server.settings import Settings

    limits = {
        "max_body": None if options.max_body is None else options.max_body * MEBI,
        "max_seconds": options.max_seconds,
        "max_jobs": options.max_jobs,
        "max_job_seconds": options.max_job_seconds,
    }
    return Settings(
        model=options.model,
        threads=options.threads,
        token=_token(options.token_file),
        cors=tuple(options.cors),
        hosts=tuple(options.allow_host),
        db=options.db,
        **{name: value for name, value in limits.items() if value is not None},
    )


def _token(name: str | None) -> str | None:
    """The token from a file, else from the environment; never from the command line, which everybody can see."""
    if name is None:
        return os.environ.get(TOKEN) or None
    try:
        with open(name, encoding="utf-8") as file:
            readable = stat.S_IMODE(os.fstat(file.fileno()).st_mode) & (stat.S_IRGRP | stat.S_IROTH)
            text = file.read(4096).strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the file {name!r}: {getattr(error, 'strerror', None) or error}") from None
    if readable and os.name == "posix":
        print(f"bgai: {name} can be read by others, expected chmod 600", file=sys.stderr)
    if not text:
        raise InputError(f"--token-file: {name} is empty")
    return text


def _own(host: str) -> bool:
    return ipaddress.ip_address(host.partition("%")[0]).is_loopback
