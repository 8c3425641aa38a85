"""The app: everything that answers over HTTP, put together.

>>> from bgai.server.app import create_app
>>> from bgai.server.settings import Settings
>>> create_app(Settings()).title
'bgai'
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.middleware.cors import CORSMiddleware

from bgai.met.table import LONGEST_PLAYED
from bgai.position import Position
from bgai.server import about_routes, docs_page, job_routes, page_files, question_routes, room_routes, wildbg_routes
from bgai.server.answers import play_records
from bgai.server.asking import Desk
from bgai.server.documented import ProblemDetails
from bgai.server.gate import Gate, Headed, Secured
from bgai.server.jobs import Jobs
from bgai.server.observing import PREFIX, Metrics, Observer
from bgai.server.players import Players
from bgai.server.pools import Pool
from bgai.server.problems import add_handlers
from bgai.server.settings import Settings
from bgai.version import __version__

LOGGER = logging.getLogger("bgai.server")

PATIENCE = 10
"""Seconds that answers, and work that was begun, may still take when the server stops."""

DESCRIPTION = (
    "Backgammon over HTTP: plays, evaluations, cube decisions, rollouts, explanations, match files, and games against"
    " the bot. Numbers are those of the player on roll, as docs/json.md defines them. Errors are problem details"
    " (RFC 9457) that name the field."
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """A server's app. Models are opened and threads are started when it starts, and closed when it stops."""
    settings = settings or Settings()
    metrics = Metrics()
    app = FastAPI(
        title="bgai",
        version=__version__,
        description=DESCRIPTION,
        lifespan=_lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.settings = settings
    app.state.metrics = metrics
    # Not included but put in directly, which makes the app start, and find its routes, several times as fast.
    for router in (question_routes, job_routes, about_routes, wildbg_routes):
        app.router.routes += router.router.routes
    app.include_router(room_routes.router, prefix=PREFIX)
    docs_page.add_docs(app, ProblemDetails)
    page_files.add_page(app)
    add_handlers(app)
    # The last one added is the first that a request meets.
    app.add_middleware(Gate, settings=settings)
    if settings.cors:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=["authorization", "content-type", "if-none-match", "last-event-id"],
            expose_headers=["retry-after", "location", "etag"],
        )
    app.add_middleware(Headed)
    app.add_middleware(Observer, metrics=metrics)
    app.add_middleware(Secured)
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    settings: Settings = app.state.settings
    metrics: Metrics = app.state.metrics
    players = await run_in_threadpool(Players, settings)
    with ExitStack() as stack:
        app.state.rooms = stack.enter_context(room_routes.open_rooms(players, settings.db))
        quick = Pool("quick", 2, settings.max_waiting, metrics)
        deep = Pool("deep", 1, settings.max_waiting, metrics, nice=2)
        work = Pool("jobs", 1, settings.max_jobs, metrics, nice=5)
        jobs = Jobs(work, settings.max_jobs, settings.kept_jobs, settings.max_job_seconds, metrics)
        app.state.jobs = jobs
        app.state.desk = Desk(players, quick, deep, settings.max_seconds)
        app.state.idle = True
        end = math.inf

        def stop() -> None:
            nonlocal end
            end = min(end, time.monotonic() + PATIENCE)
            stopped = jobs.stop_all()
            if stopped:
                LOGGER.warning("jobs are cancelled because the server stops", extra={"fields": {"jobs": stopped}})

        def close() -> None:
            # Threads end before the data base that they use is closed, but nobody waits for ever.
            left = [pool for pool in (quick, deep, work) if not pool.close(max(end - time.monotonic(), 0.0))]
            if left:
                LOGGER.warning("work that does not end is left behind")
                app.state.idle = False

        app.state.stop = stop
        stack.callback(close)
        stack.callback(stop)
        await run_in_threadpool(_warm_up, players)
        yield


def _warm_up(players: Players) -> None:
    """The first answer of all takes seconds, because something is compiled; nobody should wait for it."""
    for name in ("0-ply", "1-ply"):
        who = players.answering(name)
        play_records(who.analyst, who.record, [(Position(dice=(3, 1)), 1)])
        who.analyst.met(LONGEST_PLAYED)
