"""What is seen of each request: counters for Prometheus, and a line in the log."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from datetime import UTC, datetime
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bgai.server.problems import Problem, respond, unexpected

LOGGER = logging.getLogger("bgai.server")
REQUESTS = logging.getLogger("bgai.server.requests")

PREFIX = "/api/v1"
"""Of the routes of the API."""

_IDS = re.compile(r"(?<=/games/)[^/]+|(?<=/jobs/)[^/]+")
"""Who knows one may play on, or read and cancel, so that none is in the log."""
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)


class Metrics:
    """The counters of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        labels = ["route", "method", "status"]
        self.requests = Counter("bgai_http_requests", "Requests that were answered", labels, registry=self.registry)
        self.seconds = Histogram(
            "bgai_http_request_seconds",
            "Time until the answer was sent",
            ["route"],
            buckets=_BUCKETS,
            registry=self.registry,
        )
        self.running = Gauge("bgai_http_requests_running", "Requests being answered", registry=self.registry)
        self.waiting = Gauge("bgai_pool_pending", "Questions that wait or run", ["pool"], registry=self.registry)
        self.refused = Counter(
            "bgai_refused", "Questions refused because of the load", ["pool"], registry=self.registry
        )
        self.late = Counter("bgai_too_long", "Questions whose time was over", ["pool"], registry=self.registry)
        self.jobs = Gauge("bgai_jobs", "Jobs that are kept, by state", ["state"], registry=self.registry)


class Observer:
    """An ASGI app around all others: what it lets through is counted and logged, what failed there is answered."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics
        self._known: dict[tuple[str, str, int], tuple[Any, Any]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begin = time.perf_counter()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        self._metrics.running.inc()
        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            if not isinstance(error, Problem):
                LOGGER.exception("unexpected error", extra={"fields": {"path": _logged(scope["path"])}})
            if status:
                raise
            await respond(error if isinstance(error, Problem) else unexpected())(scope, receive, sending)
        finally:
            self._metrics.running.dec()
            self._count(scope, status, time.perf_counter() - begin)

    def _count(self, scope: Scope, status: int, seconds: float) -> None:
        route = _route(scope)
        method = scope["method"] if scope["method"] in _METHODS else "other"
        key = (route, method, status)
        if key not in self._known:
            self._known[key] = (
                self._metrics.requests.labels(route, method, str(status)),
                self._metrics.seconds.labels(route),
            )
        requests, histogram = self._known[key]
        requests.inc()
        histogram.observe(seconds)
        if REQUESTS.isEnabledFor(logging.INFO):
            client = scope.get("client")
            fields = {
                "method": method,
                "path": _logged(scope["path"]),
                "status": status,
                "ms": round(1000 * seconds, 2),
                "client": client[0] if client else None,
            }
            REQUESTS.info("request", extra={"fields": fields})


def shortened(id: str) -> str:
    """As much of an id as the log may hold: enough to find what belongs together, too little to use it."""
    return f"{id[:4]}..."


def _logged(path: str) -> str:
    return _IDS.sub(lambda found: shortened(found[0]), path)


def _route(scope: Scope) -> str:
    """The route as it is documented: how many different paths are asked for is up to those who ask."""
    path: str | None = getattr(scope.get("route"), "path", None)
    if path is None:
        return "none"
    # What the routes of a router are put behind is no part of their own paths.
    return path if not scope["path"].startswith(PREFIX) or path.startswith(PREFIX) else PREFIX + path


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter`."""
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry)


class TextLines(logging.Formatter):
    """The same for people. Texts of requests are quoted, so that none can write a line of its own."""

    def format(self, record: logging.LogRecord) -> str:
        """See `logging.Formatter`."""
        moment = datetime.fromtimestamp(record.created).strftime("%H:%M:%S")
        fields = "".join(f" {name}={json.dumps(value)}" for name, value in getattr(record, "fields", {}).items())
        error = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return f"{moment} {record.getMessage()}{fields}{error}"


def start_logging(*, as_json: bool, requests: bool = True) -> None:
    """Logs to the standard error; without `requests` only what is not about a single request."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if as_json else TextLines())
    for name in ("bgai.server", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(logging.INFO)
    REQUESTS.setLevel(logging.NOTSET if requests else logging.WARNING)
