"""Rollouts as JSON: what they say, and everything needed to repeat or to extend them."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from bgai.errors import BgaiError, InputError
from bgai.kernels.trial_cube import VALUES
from bgai.model import Model
from bgai.notation.identify import read_position
from bgai.notation.positionid import format_position_id
from bgai.notation.xgid import format_xgid
from bgai.outcomes import NAMES
from bgai.rollout import Rollout, Settings
from bgai.rollout_candidates import Candidate, cube_advice
from bgai.version import JSON_VERSION

METHOD = 1
"""Counted up whenever the same settings give other numbers, so that old blocks are never joined with new ones."""

_DECIMALS = 6

Record = dict[str, Any]


def to_record(rollout: Rollout) -> Record:
    """The JSON object, see docs/json.md."""
    ranked = rollout.ranked()
    return {
        "version": JSON_VERSION,
        "position_id": format_position_id(rollout.position.board),
        "xgid": format_xgid(rollout.position),
        "dice": None if rollout.position.dice is None else list(rollout.position.dice),
        "model": rollout.model.name,
        "weights_sha256": rollout.model.manifest.weights_sha256,
        "filter_sha256": rollout.model.manifest.filter_sha256,
        "method": METHOD,
        "settings": asdict(rollout.settings),
        "complete": rollout.complete,
        "stopped": rollout.stopped,
        "cube": _cube(rollout, ranked),
        "candidates": [_candidate(rollout, one, ranked[0]) for one in ranked],
    }


def _cube(rollout: Rollout, ranked: list[Candidate]) -> Record | None:
    if not rollout.is_cube_decision or len(ranked) < 2:
        return None
    action, answer = cube_advice(rollout.position, ranked)
    return {"action": action, "answer": answer, "double_pass": 1.0}


def _candidate(rollout: Rollout, one: Candidate, best: Candidate) -> Record:
    equity, error = one.equity
    cubeless, cubeless_error = one.cubeless_equity
    outcomes, errors = one.outcomes
    loss, loss_error = best.lead(one)
    match = rollout.stakes.match
    return {
        "name": one.name,
        "position_id": format_position_id(one.board),
        "trials": one.trials,
        "dropped": one.dropped,
        "equity": _rounded(equity),
        "equity_error": _rounded(error),
        "interval_95": _rounded(one.half_width),
        "loss": _rounded(loss) if one.after else None,
        "loss_error": _rounded(loss_error) if one.after else None,
        "cubeless_equity": _rounded(cubeless),
        "cubeless_equity_error": _rounded(cubeless_error),
        "mwc": _rounded(rollout.stakes.centre + rollout.stakes.half * equity) if match else None,
        "mwc_error": _rounded(rollout.stakes.half * error) if match else None,
        **{name: _rounded(chance) for name, chance in zip(NAMES, outcomes.tolist(), strict=True)},
        "errors": {name: _rounded(error) for name, error in zip(NAMES, errors.tolist(), strict=True)},
        "blocks": one.values.tolist(),
    }


def _rounded(value: float) -> float | None:
    # Adding 0 turns -0.0 into 0.0.
    return round(value, _DECIMALS) + 0.0 if math.isfinite(value) else None


def from_record(record: Any, model: str | Model | None = None) -> Rollout:
    """The rollout as it was, to be extended.

    Args:
        model: where the record's model is to be found, if not among the kept ones.

    Raises:
        InputError: not a record of a rollout, or one made by another model or version.
        ModelError: the model is not there.
    """
    if not isinstance(record, dict) or not isinstance(record.get("candidates"), list) or "settings" not in record:
        raise InputError("expected what `bgai rollout --json` printed")
    if record.get("method") != METHOD:
        raise InputError(f"method: found {record.get('method')!r}, this version of bgai continues method {METHOD} only")
    try:
        position = read_position(record["xgid"]).position
        candidates = record["candidates"]
        rollout = Rollout(
            position,
            Settings(**record["settings"]),
            model=record["model"] if model is None else model,
            most=len(candidates) if position.dice else 0,
        )
        manifest = rollout.model.manifest
        for key, what, found in (
            ("weights_sha256", "weights", manifest.weights_sha256),
            ("filter_sha256", "weights of the filter", manifest.filter_sha256),
        ):
            if found != record[key]:
                raise InputError(f"model: found other {what}, {found[:12]}…, expected {record[key][:12]}…")
        there = {(one.name, format_position_id(one.board)): one for one in rollout.candidates}
        for entry in candidates:
            one = there[entry["name"], entry["position_id"]]
            one.blocks = [np.array(block, dtype=np.float64).reshape(VALUES) for block in entry["blocks"]]
            one.dropped = bool(entry["dropped"])
        rollout.stopped = record["stopped"]
    except BgaiError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"damaged record of a rollout: {error!r}") from error
    return rollout
