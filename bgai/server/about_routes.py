"""What the server says about itself: health, metrics, models and levels."""

from __future__ import annotations

import csv

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import Response

from bgai import client as shapes
from bgai.catalogue import open_model
from bgai.levels import PLAIN, ROLLOUT, TABLE, WEAKENED
from bgai.model import Manifest
from bgai.search import MOST_PLIES
from bgai.server.documented import answer, as_json, desk_of, problems
from bgai.server.examples import ANSWERS
from bgai.server.observing import PREFIX
from bgai.version import JSON_VERSION, __version__

router = APIRouter(tags=["server"])


@router.get(
    "/healthz",
    summary="Whether the server answers",
    response_model=None,
    responses={
        200: {
            "description": "It does",
            "content": {
                "application/json": {"example": {"status": "ok", "version": "0.1.0", "model": "0002-generations"}}
            },
        }
    },
)
async def healthz(request: Request) -> Response:
    """200 while it does."""
    return as_json({"status": "ok", "version": __version__, "model": desk_of(request).players.default.name})


@router.get(
    "/metrics",
    summary="Counters for Prometheus",
    response_class=Response,
    responses={
        200: {
            "description": "Prometheus' text format",
            "content": {"text/plain": {"example": "bgai_http_requests_total 1"}},
        },
        **problems(401),
    },
)
async def metrics(request: Request) -> Response:
    """Requests by route, their times, questions that wait, jobs by state, and the process."""
    return Response(generate_latest(request.app.state.metrics.registry), headers={"content-type": CONTENT_TYPE_LATEST})


@router.get(
    f"{PREFIX}/models",
    summary="The kept models",
    response_model=None,
    responses={**answer(shapes.Models, "The oldest first", ANSWERS["models"]), **problems(401)},
)
async def models(request: Request) -> Response:
    """Those that requests can name."""
    players = desk_of(request).players
    default = players.default
    manifests = await desk_of(request).do(
        lambda: [open_model(str(folder)).manifest for folder in players.models.values()]
    )
    known = dict(zip(players.models, manifests, strict=True))
    known.setdefault(default.name, default.manifest)
    entries = [_model(name, manifest, name == default.name) for name, manifest in known.items()]
    return as_json({"version": JSON_VERSION, "models": entries})


@router.get(
    f"{PREFIX}/levels",
    summary="The levels by name",
    response_model=None,
    responses={**answer(shapes.Levels, "The levels", ANSWERS["levels"]), **problems(401)},
)
async def levels(request: Request) -> Response:
    """Those that err come first, the weakest first. Times up to `seconds`, such as `500ms`, are levels too."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = {row["level"]: row["loss"] for row in csv.DictReader(line for line in file if not line.startswith("#"))}
    entries: list[dict[str, object]] = [
        {
            "name": name,
            "plies": 0 if name in WEAKENED else None if name == ROLLOUT else int(name[0]),
            "errs": name in WEAKENED,
        }
        for name in (*WEAKENED, *(f"{plies}-ply" for plies in range(MOST_PLIES + 1)), ROLLOUT)
    ]
    for entry in entries:
        loss = rows.get(str(entry["name"]))
        entry["loss"] = float(loss) if loss else None
    seconds = desk_of(request).players.seconds
    return as_json({"version": JSON_VERSION, "default": PLAIN.name, "seconds": seconds, "levels": entries})


def _model(name: str, manifest: Manifest, default: bool) -> dict[str, object]:
    return {
        "name": name,
        "default": default,
        "parent": manifest.parent,
        "encoder": manifest.encoder,
        "layers": list(manifest.layers),
        "games": manifest.games,
        "weights_sha256": manifest.weights_sha256,
    }
