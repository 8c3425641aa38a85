"""Rollouts and analyses as jobs: started, watched, cancelled, and their results; and match files converted."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import APIRouter, Body, File, Form, Request, UploadFile
from pydantic import Field
from starlette.responses import HTMLResponse, Response, StreamingResponse

from bgai import client as shapes
from bgai.analyst import Analyst
from bgai.cube_decision import check_cube_question
from bgai.errors import InputError
from bgai.kernels.strata import BLOCK
from bgai.levels import Level
from bgai.matchfiles import MatchFile, losses, read_match, write_match
from bgai.met.table import LONGEST_PLAYED
from bgai.model import Model
from bgai.position import Position
from bgai.rollout import MOST_TRIALS, Rollout
from bgai.rollout import Settings as RolloutSettings
from bgai.rollout_record import to_record
from bgai.server.documented import (
    QUESTION,
    answer,
    as_json,
    asked,
    desk_of,
    jobs_of,
    problems,
    settings_of,
)
from bgai.server.event_stream import EventStream
from bgai.server.examples import ANSWERS, CUBE_XGID, START
from bgai.server.jobs import BY_CALLER, ENDED, Cancelled, Job, Progress, Result
from bgai.server.json_route import JsonRoute
from bgai.server.observing import PREFIX
from bgai.server.positions import before_roll, read_given, with_roll
from bgai.server.problems import FieldError, Problem, naming
from bgai.server.question_routes import LevelName, ModelName, Question
from bgai.version import JSON_VERSION

router = APIRouter(prefix=PREFIX, tags=["jobs"], route_class=JsonRoute)

REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"
"""A report is one page that needs nothing else."""

JobId = Annotated[str, Field(max_length=40, description="As the job was answered with.")]
FileName = Annotated[UploadFile, File(description="A file of a match: .mat, .sgf, Snowie, eXtreme Gammon or our JSON.")]


class RolloutQuestion(Question):
    """What is played out: with dice the best plays, else no double and double, take."""

    model: ModelName | None = None
    trials: Annotated[int, Field(ge=BLOCK, le=MOST_TRIALS, multiple_of=BLOCK)] = 1296
    """Of each candidate at most: a multiple of 36, at best of 1,296."""
    seed: Annotated[int, Field(ge=0, lt=2**64)] = 1
    truncation: Annotated[int, Field(ge=1, le=1000)] | None = None
    """Trials end with the network's value after so many plies."""
    candidates: Annotated[int, Field(ge=0, le=10_000)] = 5
    """Plays to compare, those that are best at 0-ply; 0 for all."""
    cubeful: bool = True
    settled: Annotated[float, Field(gt=0, le=100)] | None = 3.0
    """Drops a candidate, and ends at last, when the best leads by so many standard errors of the difference."""
    error: Annotated[float, Field(gt=0, le=10)] | None = None
    """Ends when every standard error is at most this."""


@router.post(
    "/rollouts",
    status_code=202,
    summary="Start a rollout",
    response_model=None,
    responses={**answer(shapes.Job, "The job", ANSWERS["job"], 202), **QUESTION},
)
async def rollout(
    question: Annotated[
        RolloutQuestion,
        Body(
            openapi_examples=asked(
                plays=(
                    "Two plays",
                    {"position": {"id": START, "dice": [3, 1]}, "trials": 72, "truncation": 5, "candidates": 2},
                ),
                cube=("A cube action", {"position": CUBE_XGID, "trials": 36, "truncation": 3}),
            )
        ),
    ],
    request: Request,
) -> Response:
    """Both sides play at 0-ply and turn the cube. The result depends on the seed and on nothing else."""
    settings = settings_of(request)
    position, _ = read_given(question.position)
    if position.dice is None:
        position = before_roll(position, double=True)
        with naming("position"):
            check_cube_question(position)
    else:
        with_roll(position)
    if question.trials > settings.max_trials:
        raise FieldError("trials", f"found {question.trials}, expected at most {settings.max_trials} on this server")
    rolled = RolloutSettings(
        trials=question.trials,
        seed=question.seed,
        truncation=question.truncation,
        cubeful=question.cubeful,
        settled=question.settled,
        error=question.error,
    )
    model = desk_of(request).players.model(question.model)
    job = jobs_of(request).start(
        "rollout", lambda job: _roll_out(job, position, rolled, model, question.candidates, settings.threads)
    )
    return started(job)


@router.post(
    "/analyses",
    status_code=202,
    summary="Start the analysis of a match",
    response_model=None,
    responses={**answer(shapes.Job, "The job", ANSWERS["job"] | {"kind": "analysis"}, 202), **QUESTION},
)
async def analyse(
    request: Request,
    file: FileName,
    level: Annotated[LevelName, Form()] = "2-ply",
    model: Annotated[ModelName | None, Form()] = None,
) -> Response:
    """Every decision and every roll of a file. The result is JSON as docs/analysis.md has it, and a report as HTML."""
    found, opened = desk_of(request).players.level(level, model)
    if found.noise:
        raise FieldError("level", f"{level!r} errs on purpose, expected one that does not, such as 2-ply")
    match = await _read(request, file)
    length = match.record.rules.length
    if length > LONGEST_PLAYED:
        raise FieldError("file", f"found a match to {length}, expected at most {LONGEST_PLAYED}")
    threads = settings_of(request).threads
    return started(jobs_of(request).start("analysis", lambda job: analysis_of(job, match, found, opened, threads)))


@router.get(
    "/jobs/{id}",
    summary="How far a job is",
    response_model=None,
    responses={**answer(shapes.Job, "The job", ANSWERS["job"]), **problems(401, 404, 422)},
)
async def job(id: JobId, request: Request) -> Response:
    """Its state and its progress."""
    return as_json(jobs_of(request).find(id).to_dict())


@router.get(
    "/jobs/{id}/events",
    summary="Progress as server-sent events",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "An event `job` with the job at each step, the last one when it is over",
            "content": {"text/event-stream": {"example": f"event: job\ndata: {json.dumps(ANSWERS['job'])}\n\n"}},
        },
        **problems(401, 404, 422, 429),
    },
)
async def events(id: JobId, request: Request) -> Response:
    """A stream that ends with the job. A new connection begins with how things stand, so nothing gets lost."""
    jobs = jobs_of(request)
    found = jobs.find(id)

    async def stream() -> AsyncIterator[str]:
        async for seen in found.changes():
            yield ": still here\n\n" if seen is None else f"event: job\ndata: {json.dumps(seen)}\n\n"

    return EventStream(stream(), jobs.stream())


@router.get(
    "/jobs/{id}/result",
    summary="What a job has found",
    response_model=None,
    responses={
        200: {
            "description": "A rollout as docs/json.md has it, an analysis as docs/analysis.md has it",
            "content": {"application/json": {"schema": {"type": "object"}, "example": ANSWERS["result"]}},
        },
        **problems(401, 404, 409, 422),
    },
)
async def result(id: JobId, request: Request) -> Response:
    """Of a cancelled rollout: what it had found until then."""
    return as_json(_result(jobs_of(request).find(id)).record)


@router.get(
    "/jobs/{id}/report",
    summary="The report of an analysis",
    response_class=HTMLResponse,
    responses={
        200: {"description": "One page", "content": {"text/html": {"example": "<!DOCTYPE html>…"}}},
        **problems(401, 404, 409, 422),
    },
)
async def report(id: JobId, request: Request) -> Response:
    """One page with graph, errors, diagrams and the coach's words, which needs nothing else."""
    page = _result(jobs_of(request).find(id)).report
    if page is None:
        raise Problem(404, "a rollout has no report, only a result")
    return HTMLResponse(page, headers={"content-security-policy": REPORT_POLICY})


@router.delete(
    "/jobs/{id}",
    summary="Cancel a job",
    response_model=None,
    responses={**answer(shapes.Job, "The job", ANSWERS["job"] | {"state": "cancelled"}), **problems(401, 404, 422)},
)
async def cancel(id: JobId, request: Request) -> Response:
    """It ends at its next step. A job that is over stays as it is."""
    found = jobs_of(request).find(id)
    found.stop(BY_CALLER)
    return as_json(found.to_dict())


@router.post(
    "/conversions",
    summary="A file of a match in another format",
    response_model=None,
    responses={**answer(shapes.Converted, "The match", ANSWERS["conversion"]), **QUESTION},
    tags=["match files"],
)
async def convert(
    request: Request,
    file: FileName,
    to: Annotated[Literal["mat", "sgf", "snowie", "json"], Form(description="The format to write.")],
) -> Response:
    """Says what was wrong in the file, and what the format has no place for."""
    match = await _read(request, file)
    record = match.record
    text = await desk_of(request).do(lambda: write_match(record, to))
    return as_json(
        {
            "version": JSON_VERSION,
            "found": match.format,
            "format": to,
            "text": text,
            "players": list(record.players),
            "length": record.rules.length,
            "games": len(record.games),
            "problems": [str(problem) for problem in match.problems],
            "losses": [str(problem) for problem in losses(record, to)],
        }
    )


def started(job: Job) -> Response:
    """The answer to who has started a job."""
    return as_json(job.to_dict(), 202, {"location": f"{PREFIX}/jobs/{job.id}"})


def _result(job: Job) -> Result:
    if job.result is None:
        if job.state == "failed" and job.problem is not None:
            raise job.problem
        what = f"was cancelled: {job.reason}" if job.state == "cancelled" else f"is {job.state}"
        raise Problem(409, f"the job {what}, so it has no result")
    if job.state not in ENDED:
        raise Problem(409, f"the job is {job.state}, so it has no result yet")
    return job.result


async def _read(request: Request, file: UploadFile) -> MatchFile:
    """The match of an upload. Its name counts for nothing but its ending."""
    data = await file.read()
    ending = ".txt" if (file.filename or "").lower().endswith(".txt") else ""
    with naming("file"):
        return await desk_of(request).do(lambda: _parsed(data, ending))


def _parsed(data: bytes, name: str) -> MatchFile:
    try:
        match = read_match(data, name)
    except InputError as error:
        raise InputError(str(error).removeprefix(f"{name}: ")) from error
    if not match.record.games:
        raise InputError("holds no game")
    return match


def _roll_out(
    job: Job, position: Position, settings: RolloutSettings, model: Model, candidates: int, threads: int
) -> Result:
    rollout = Rollout(position, settings, model=model, most=candidates)
    total = settings.trials * len(rollout.candidates)

    def advance(played: Rollout) -> None:
        best = played.ranked()[0]
        half = f" ± {best.half_width:.3f}" if math.isfinite(best.half_width) else ""
        note = f"{best.name} {best.equity[0]:+.3f}{half}"
        job.advance(Progress("trials", sum(one.trials for one in played.candidates), total, note))

    job.advance(Progress("trials", 0, total))
    try:
        rollout.run(threads=threads, progress=advance, halt=job.halt)
        if job.halt.said and not rollout.complete:
            raise Cancelled
    except Cancelled:
        if rollout.ranked():
            job.result = Result(to_record(rollout))
        raise
    return Result(to_record(rollout))


def analysis_of(job: Job, match: MatchFile, level: Level, model: Model, threads: int) -> Result:
    """Does the work of a job that analyses a match."""
    # Only here, because analyses and their pages take time to load.
    from bgai.analysis import MatchAnalyst
    from bgai.analysis.report import explain_errors, write_report

    def advance(stage: str, done: int, total: int) -> None:
        job.advance(Progress(stage, done, total))

    advance("decisions", 0, 0)
    problems = [str(problem) for problem in match.problems]
    analyst = MatchAnalyst(model, level)
    analysis = analyst.analyse(match.record, threads=threads, progress=advance, problems=problems, halt=job.halt)
    explained = explain_errors(analysis, Analyst.of(model), progress=lambda *done: advance("explanations", *done))
    advance("report", 0, 1)
    return Result({"version": JSON_VERSION, **analysis.to_dict()}, write_report(analysis, explained))
