"""Rollouts and analyses as jobs, and match files converted."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

import bgai
from bgai.analysis import Analysis
from bgai.catalogue import open_model
from bgai.matchfiles import read_match, write_match
from bgai.rollout import Settings as RolloutSettings
from bgai.rollout_record import to_record
from bgai.server import app, job_routes, jobs, running
from bgai.server.jobs import Cancelled, Job
from bgai.server.settings import Settings
from tests.halting import HaltAfter
from tests.server.conftest import API, START, Serve, Served, events, problem

OPENING = {"id": START, "dice": [3, 1]}
SHORT = {"position": OPENING, "trials": 72, "truncation": 2, "candidates": 2}
LONG = {"position": OPENING, "trials": 36 * 1000, "truncation": 5, "candidates": 2, "settled": None}
"""Takes minutes if nobody cancels it."""

MAT = """ 3 point match

 Game 1
 Ann : 0                        Ben : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
  2)  Doubles => 2                Drops
      Wins 1 point
"""


def upload(served: Served, path: str, text: str | bytes, name: str = "club.mat", **fields: str) -> Any:
    return served.request("POST", f"{API}/{path}", files={"file": (name, text)}, data=fields)


def test_a_rollout_is_that_of_the_library(api: Served) -> None:
    response = api.post("rollouts", **SHORT, seed=7)
    assert response.status_code == 202
    job = response.json()
    assert response.headers["location"] == f"{API}/jobs/{job['id']}"
    over = api.wait(job["id"])
    assert (over["state"], over["has_result"], over["has_report"]) == ("done", True, False)
    assert over["progress"]["done"] == over["progress"]["total"] == 2 * 72
    assert over["progress"]["note"].startswith("8/5 6/5 +")
    settings = bgai.RolloutSettings(trials=72, truncation=2, seed=7, settled=3.0)
    rollout = bgai.Rollout(bgai.Position(dice=(3, 1)), settings, most=2)
    rollout.run(threads=1)
    assert api.get(f"{API}/jobs/{job['id']}/result").json() == to_record(rollout)
    assert problem(api.get(f"{API}/jobs/{job['id']}/report"), 404)["detail"].startswith("a rollout has no report")


def test_a_cube_is_rolled_out_before_the_roll(api: Served) -> None:
    question = {"position": {"id": START, "length": 3, "score": [1, 1]}, "trials": 36, "truncation": 1}
    job = api.ask("rollouts", **question)
    assert api.wait(job["id"])["state"] == "done"
    record = api.get(f"{API}/jobs/{job['id']}/result").json()
    assert [one["name"] for one in record["candidates"]] == ["no double", "double, take"]


def test_a_rollout_can_be_cancelled_and_says_what_it_had_found(api: Served) -> None:
    job = api.ask("rollouts", **LONG)
    while not api.get(f"{API}/jobs/{job['id']}").json()["progress"]["done"]:
        time.sleep(0.02)
    assert problem(api.get(f"{API}/jobs/{job['id']}/result"), 409)["detail"].startswith("the job is running")
    api.request("DELETE", f"{API}/jobs/{job['id']}")
    over = api.wait(job["id"])
    assert (over["state"], over["reason"]) == ("cancelled", "it was cancelled by a request")
    record = api.get(f"{API}/jobs/{job['id']}/result").json()
    assert record["complete"] is False
    assert 36 <= record["candidates"][0]["trials"] < 36 * 1000


def test_a_rollout_ends_within_a_block() -> None:
    """Which may take seconds: a deletion and the end of the time for jobs do not wait for that."""
    loop = asyncio.new_event_loop()
    halt = HaltAfter(60)
    job = Job("rollout", loop, halt=halt)
    settings = RolloutSettings(trials=36 * 1000, truncation=2)
    with pytest.raises(Cancelled):
        job_routes._roll_out(job, bgai.Position(dice=(3, 1)), settings, open_model(), 1, 1)
    assert job.result is not None
    assert job.result.record["candidates"][0]["trials"] == 36
    assert halt.looks_after <= 3
    loop.close()


def test_a_job_that_waits_ends_at_once_when_it_is_cancelled(api: Served) -> None:
    first, second = api.ask("rollouts", **LONG), api.ask("rollouts", **LONG)
    assert second["state"] == "waiting"
    assert api.request("DELETE", f"{API}/jobs/{second['id']}").json()["state"] == "cancelled"
    assert problem(api.get(f"{API}/jobs/{second['id']}/result"), 409)["detail"].startswith("the job was cancelled")
    api.request("DELETE", f"{API}/jobs/{first['id']}")
    assert api.wait(first["id"])["state"] == "cancelled"


def test_events_tell_the_story_from_any_point(api: Served) -> None:
    job = api.ask("rollouts", **SHORT)
    told = events(api.get(f"{API}/jobs/{job['id']}/events").text)
    assert told[-1]["state"] == "done"
    assert [one["progress"]["done"] for one in told] == sorted(one["progress"]["done"] for one in told)
    assert events(api.get(f"{API}/jobs/{job['id']}/events").text) == [told[-1]]


def watched(job: Job, *, slow: float = 0.0, end_in: str = "") -> Any:
    """A watcher of a job: the states that it sees. It ends the job when it has seen `end_in`."""

    async def watch() -> list[str]:
        told = []
        async for seen in job.changes():
            assert seen is not None
            told.append(seen["state"])
            if seen["state"] == end_in:
                job.end("done")
            await asyncio.sleep(slow)
        return told

    return watch()


def test_every_watcher_sees_the_end() -> None:
    async def watch() -> list[list[str]]:
        job = Job("rollout", asyncio.get_running_loop())
        job.begin()
        seen = [await asyncio.wait_for(watched(job, end_in="running"), 5)]
        job = Job("rollout", asyncio.get_running_loop())
        job.begin()
        asyncio.get_running_loop().call_later(0.05, job.end, "done")
        return seen + await asyncio.wait_for(asyncio.gather(watched(job, slow=0.2), watched(job)), 5)

    assert asyncio.run(watch()) == [["running", "done"]] * 3


def test_what_was_cancelled_does_not_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where both happen at the same moment."""
    loop = asyncio.new_event_loop()
    job, now = Job("rollout", loop), time.time

    def meanwhile() -> float:
        monkeypatch.setattr(jobs.time, "time", now)
        thread = threading.Thread(target=job.stop, args=("enough",))
        thread.start()
        thread.join(0.2)
        return now()

    monkeypatch.setattr(jobs.time, "time", meanwhile)
    assert job.begin()
    assert (job.state, job.ended) == ("running", None)
    other = Job("rollout", loop)
    other.stop("enough")
    assert not other.begin()
    assert other.state == "cancelled"
    loop.close()


def test_a_deep_analysis_ends_when_it_is_cancelled(api: Served) -> None:
    job = upload(api, "analyses", MAT, level="7-ply").json()
    behind = api.ask("rollouts", **SHORT)
    while api.get(f"{API}/jobs/{job['id']}").json()["state"] != "running":
        time.sleep(0.02)
    time.sleep(0.2)
    api.request("DELETE", f"{API}/jobs/{job['id']}")
    over = api.wait(job["id"])
    assert (over["state"], over["has_result"]) == ("cancelled", False)
    assert api.wait(behind["id"])["state"] == "done"


def test_a_job_may_only_take_so_long(serve: Serve) -> None:
    served = serve(max_job_seconds=0.5)
    job = served.ask("rollouts", **LONG)
    over = served.wait(job["id"])
    assert (over["state"], over["reason"]) == ("cancelled", "it took longer than 0.5 s, the limit of this server")


def test_a_match_is_analysed(api: Served) -> None:
    response = upload(api, "analyses", MAT, level="0-ply")
    assert response.status_code == 202, response.text
    over = api.wait(response.json()["id"])
    assert (over["state"], over["has_report"]) == ("done", True), over
    result = api.get(f"{API}/jobs/{over['id']}/result").json()
    analysis = Analysis.from_dict(result)
    assert analysis.record.players == ("Ann", "Ben")
    assert analysis.level == "0-ply"
    assert {one.kind for one in analysis.decisions} >= {"play", "double", "answer"}
    report = api.get(f"{API}/jobs/{over['id']}/report")
    assert report.text.startswith("<!DOCTYPE html>")
    assert "Ann" in report.text
    policy = report.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script" not in policy


@pytest.mark.parametrize("to", ["mat", "sgf", "snowie", "json"])
def test_a_match_is_converted(api: Served, to: str) -> None:
    found = upload(api, "conversions", MAT, to=to).json()
    assert (found["found"], found["format"], found["players"]) == ("mat", to, ["Ann", "Ben"])
    assert found["text"] == write_match(read_match(MAT.encode()).record, to)
    again = read_match(found["text"].encode(), "match.txt" if to == "snowie" else "").record
    assert again.games[0].events == read_match(MAT.encode()).record.games[0].events


def test_what_was_wrong_in_a_file_is_said(api: Served) -> None:
    found = upload(api, "conversions", MAT.replace("8/4 6/4", "8/4 6/5"), to="mat").json()
    assert "'8/4 6/5' is not legal" in found["problems"][0]


@pytest.mark.parametrize(
    ("path", "data", "fields", "field", "message"),
    [
        ("analyses", b"", {}, "file", "no match: the file is empty"),
        ("analyses", MAT.replace("3 point", "65 point").encode(), {}, "file", "a match to 65, expected at most 64"),
        ("analyses", b"hello", {}, "file", "no match of a known kind"),
        ("analyses", b"\x00\xff" * 99, {}, "file", "no match"),
        ("analyses", b'{"format": 1}', {}, "file", ""),
        ("analyses", MAT.encode(), {"level": "beginner"}, "level", "errs on purpose"),
        ("analyses", MAT.encode(), {"level": "x"}, "level", "unknown level"),
        ("analyses", MAT.encode(), {"model": "/tmp"}, "model", "unknown model"),
        ("conversions", MAT.encode(), {"to": "pdf"}, "to", "'json'"),
        ("conversions", MAT.encode(), {}, "to", "is missing"),
        ("conversions", b"hello", {"to": "mat"}, "file", "no match"),
    ],
)
def test_files_and_fields_that_cannot_be_used_are_refused(
    api: Served, path: str, data: bytes, fields: dict[str, str], field: str, message: str
) -> None:
    details = problem(upload(api, path, data, **fields), 422)
    assert [error["field"] for error in details["errors"]] == [field]
    assert message in details["errors"][0]["message"]
    assert "match: " not in details["detail"].removeprefix("file: no match: ")


def test_a_file_is_a_file(api: Served) -> None:
    response = api.request("POST", f"{API}/analyses", data={"file": "a match"}, files={"more": b""})
    assert problem(response, 422)["detail"] == "file: expected a file, found text"


@pytest.mark.parametrize(
    ("body", "field", "message"),
    [
        ({"trials": 35}, "trials", "36"),
        ({"trials": 50}, "trials", "multiple of 36"),
        ({"trials": 36 * 27_777}, "trials", "on this server"),
        ({"seed": 2**64}, "seed", "less than"),
        ({"truncation": 0}, "truncation", "greater"),
        ({"settled": float("inf")}, "settled", "less than or equal"),
        ({"position": {"board": {"player": {}, "opponent": {"3": 15}}}}, "position", "the game is over"),
    ],
)
def test_rollouts_that_cannot_be_are_refused(api: Served, body: dict[str, Any], field: str, message: str) -> None:
    content = {"position": OPENING} | body
    if body.get("settled"):
        data = b'{"position": {"id": "4HPwATDgc/ABMA", "dice": [3, 1]}, "settled": Infinity}'
        response = api.request("POST", f"{API}/rollouts", content=data, headers={"content-type": "application/json"})
        details = problem(response, 422)
    else:
        details = api.refused("rollouts", **content)
    assert details["errors"][0]["field"] == field
    assert message in details["errors"][0]["message"]


def test_what_has_nothing_to_choose_fails_with_its_reason(api: Served) -> None:
    closed = {"player": {"bar": 1, "6": 14}, "opponent": {str(point): 2 for point in range(1, 7)}}
    job = api.ask("rollouts", position={"board": closed, "dice": [5, 2]})
    over = api.wait(job["id"])
    assert over["state"] == "failed"
    assert "no legal play" in over["problem"]["detail"]
    assert "no legal play" in problem(api.get(f"{API}/jobs/{job['id']}/result"), 422)["detail"]


@pytest.mark.parametrize("path", ["", "/events", "/result", "/report"])
def test_unknown_jobs_are_not_there(api: Served, path: str) -> None:
    assert "no job" in problem(api.get(f"{API}/jobs/nothing{path}"), 404)["detail"]


def test_there_are_never_too_many_jobs(serve: Serve) -> None:
    served = serve(max_jobs=2, kept_jobs=1)
    jobs = [served.ask("rollouts", **LONG) for _ in range(2)]
    response = served.post("rollouts", **SHORT)
    assert problem(response, 429)["detail"].startswith("2 jobs run or wait")
    assert int(response.headers["retry-after"]) > 0
    for job in reversed(jobs):  # of those that are over the last one is kept
        served.request("DELETE", f"{API}/jobs/{job['id']}")
    assert served.wait(jobs[0]["id"])["state"] == "cancelled"
    last = served.ask("rollouts", **SHORT)
    assert served.wait(last["id"])["state"] == "done"
    found = [served.get(f"{API}/jobs/{job['id']}").status_code for job in (*jobs, last)]
    assert found == [404, 404, 200]


def test_jobs_are_cancelled_when_the_server_stops(serve: Serve, caplog: pytest.LogCaptureFixture) -> None:
    served = serve()
    job = served.ask("rollouts", **LONG)
    with caplog.at_level("WARNING", "bgai.server"):
        served.app.state.stop()
    assert "jobs are cancelled because the server stops" in caplog.text
    over = served.wait(job["id"])
    assert (over["state"], over["reason"]) == ("cancelled", "the server is stopping")
    assert served.refused("rollouts", **SHORT)["status"] == 503


def test_a_server_stops_although_something_does_not_end(monkeypatch: pytest.MonkeyPatch, games: str) -> None:
    monkeypatch.setattr(app, "PATIENCE", 0.3)
    go_on = threading.Event()

    def stuck(_: Job) -> jobs.Result:
        go_on.wait(30)
        return jobs.Result({})

    with Served(Settings(db=games)) as served:

        async def start() -> Job:
            started: Job = served.app.state.jobs.start("rollout", stuck)
            return started

        job = served.run(start())
        while job.state != "running":
            time.sleep(0.01)
        begin = time.monotonic()
    assert time.monotonic() - begin < 10
    assert job.state == "cancelled"
    assert not served.app.state.idle
    go_on.set()


@pytest.mark.parametrize("idle", [True, False])
def test_ctrl_c_ends_the_process(monkeypatch: pytest.MonkeyPatch, idle: bool) -> None:
    """Python would wait at its end for threads that are left behind."""

    def run(self: running.Server, _sockets: object) -> None:
        self.config.app.state.idle = idle  # type: ignore[union-attr]
        raise KeyboardInterrupt

    def leave(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(running.Server, "run", run)
    monkeypatch.setattr(running.os, "_exit", leave)
    monkeypatch.setattr(running.logging, "shutdown", lambda: None)
    with pytest.raises(KeyboardInterrupt if idle else SystemExit):
        running.serve(Settings(), [], lambda: None)
