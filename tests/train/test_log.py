"""The log and TensorBoard's scalars."""

from __future__ import annotations

from pathlib import Path

import pytest
from bgai_train.checkpoint import Progress
from bgai_train.log import LOG, SCALARS, RunLog, read_log
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from bgai.errors import TrainingError


def scalars(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """What TensorBoard shows of a run: steps and values by name."""
    events = EventAccumulator(str(folder / SCALARS), size_guidance={"scalars": 0})
    events.Reload()
    return {name: [(entry.step, entry.value) for entry in events.Scalars(name)] for name in events.Tags()["scalars"]}


def write(folder: Path, begin: int, games: list[int]) -> None:
    with RunLog(folder, Progress(games=begin)) as log:
        for number in games:
            log.write(
                "update", Progress(games=number), {"loss": number / 8, "note": "text", "part": {"deep": {"er": number}}}
            )


def test_every_number_is_a_line_and_a_scalar(tmp_path: Path) -> None:
    write(tmp_path, 0, [10, 20])
    assert [entry["games"] for entry in read_log(tmp_path, "update")] == [10, 20]
    assert read_log(tmp_path, "evaluation") == []
    assert scalars(tmp_path) == {
        "update/loss": [(10, 1.25), (20, 2.5)],
        "update/part/deep/er": [(10, 10.0), (20, 20.0)],
    }


@pytest.mark.parametrize("begin", [0, 20, 30])
def test_a_resumed_log_forgets_what_is_done_again_and_nothing_else(tmp_path: Path, begin: int) -> None:
    write(tmp_path, 0, [10, 20, 30])
    with (tmp_path / LOG).open("a") as file:
        file.write('{"kind": "update", "ga')
    write(tmp_path, begin, [40])
    expected = [games for games in (10, 20, 30) if games <= begin] + [40]
    assert [entry["games"] for entry in read_log(tmp_path, "update")] == expected
    assert [step for step, _ in scalars(tmp_path)["update/loss"]] == expected


def test_a_line_cut_short_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, 0, [10, 20])
    whole = (tmp_path / LOG).read_bytes()
    (tmp_path / LOG).write_bytes(whole[:-5])
    assert [entry["games"] for entry in read_log(tmp_path, "update")] == [10]


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"kind": "update"}', "\0\0\0"])
def test_a_damaged_line_is_named(tmp_path: Path, line: str) -> None:
    write(tmp_path, 0, [10])
    with (tmp_path / LOG).open("a") as file:
        file.write(line + "\n")
    with pytest.raises(TrainingError, match=r"log\.jsonl, line 2 is no entry"):
        read_log(tmp_path, "update")
