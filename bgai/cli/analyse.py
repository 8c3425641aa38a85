"""Analyses a match: what each decision cost, ratings, luck.

    bgai analyse match.mat
    bgai analyse match.mat --plies 3 --md match.md --report match.html
    bgai analyse match.mat --rollouts 0.03 --trials 1296

Looks 2 plies ahead unless told otherwise, at every play, every double and every roll before which somebody might have
doubled, every answer and every resignation. Answers are kept while it works: interrupted or killed, the same command
goes on where it was, and a finished analysis is shown again at once, as a page, in Markdown or as JSON.

With --ray the decisions are looked at on a cluster (docs/cluster.md).

The file of the match may be of any kind that `docs/matchfiles.md` describes. What is wrong in it is said on the
standard error, and the rest is analysed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from contextlib import ExitStack
from pathlib import Path

from bgai import history
from bgai.analysis import Analysis, MatchAnalyst, Rollouts
from bgai.analysis.decision import MARKS
from bgai.analysis.kept import Kept, file_for
from bgai.analysis.match import FEWEST
from bgai.analyst import Analyst
from bgai.catalogue import open_model
from bgai.cli.analysis_pages import markdown, page
from bgai.cli.cluster import add_ray, asked_workers
from bgai.cli.looking import asked, asked_player
from bgai.cli.main import OK
from bgai.cli.options import add_level, add_model, number_from_0, whole_number
from bgai.cli.stages import Stages
from bgai.errors import InputError
from bgai.files import write_whole
from bgai.levels import read_time
from bgai.match_state import position
from bgai.matchfiles.found import MatchFile
from bgai.matchfiles.reading import read_match_file
from bgai.model import Model
from bgai.move_filter import FILTERS
from bgai.notation.xgid import format_xgid
from bgai.record import MatchRecord
from bgai.rollout import Settings as RolloutSettings
from bgai.search import MOST_PLIES
from bgai.version import JSON_VERSION
from bgai.workers import Workers

PLIES, ERRORS, TRIALS, TRUNCATION, SETTLED = 2, 20, 1296, 11, 3.0
DOUBTFUL = MARKS[-1][1]


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("words", nargs="*", metavar="FILE", help="a file of a match")
    parser.add_argument(
        "--rollouts",
        nargs="?",
        type=number_from_0("a loss of equity of 0 or more, such as 0.03"),
        const=DOUBTFUL,
        metavar="LOSS",
        help="roll out decisions that lose more equity, and decisions with the cube that are as close"
        f" (default {DOUBTFUL:g})",
    )
    parser.add_argument(
        "--trials",
        type=whole_number(1),
        metavar="N",
        help=f"of a rollout, a multiple of 36, at least {FEWEST} (default {TRIALS})",
    )
    parser.add_argument(
        "--errors", type=whole_number(0), default=ERRORS, metavar="N", help=f"shown, 0 for all (default {ERRORS})"
    )
    parser.add_argument("--report", metavar="FILE", help="write a report with boards as HTML")
    parser.add_argument("--md", metavar="FILE", help="write the same as on the terminal in Markdown")
    parser.add_argument("--json", nargs="?", const="-", metavar="FILE", help="write all of it as JSON, or print it")
    parser.add_argument("--again", action="store_true", help="do not use answers that were kept")
    parser.add_argument("--no-history", action="store_true", help="do not keep the analysis for `bgai history`")
    add_model(parser)
    group = parser.add_argument_group("looking ahead")
    group.add_argument(
        "--plies", type=whole_number(0), metavar="N", help=f"look N plies ahead, 0 to {MOST_PLIES} (default {PLIES})"
    )
    group.add_argument("--time", metavar="T", help="look as far as this time for a decision allows: 100ms, 2s")
    group.add_argument(
        "--filter",
        default="normal",
        metavar="NAME",
        help=f"how many plays are looked at more deeply: {', '.join(FILTERS)} (default normal)",
    )
    group.add_argument("--threads", type=whole_number(1), metavar="N", help="default: one for each core")
    add_level(group)
    add_ray(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    words: list[str] = options.words
    if len(words) != 1:
        found = "none" if not words else f"{len(words)}"
        raise InputError(f"expected one file of a match in front of the options, found {found}")
    _check_outputs(options)
    analyst = _analyst(options)
    try:
        with Stages() as watch:
            match = read_match_file(words[0], lambda done, all: watch("games read", done, all))
    except OSError as error:
        raise InputError(f"cannot read the file {words[0]!r}: {error.strerror}") from error
    for problem in match.problems:
        print(f"bgai: {words[0]}: {problem}", file=sys.stderr)
    if not match.record.games:
        raise InputError(f"{words[0]!r} holds no game")
    with asked_workers(options) as workers:
        analysis = _analysed(analyst, match, options.threads or os.cpu_count() or 1, workers, again=options.again)
    if not analysis.decisions:
        raise InputError(_nothing_decided(words[0], match.record))
    if not options.no_history and history.installed():
        _remember(analysis, words[0])
    if options.report is not None:
        _write(options.report, _report(analysis, analyst.model))
    if options.md is not None:
        _write(options.md, markdown(analysis, options.errors))
    if options.json is not None:
        text = json.dumps({"version": JSON_VERSION, **analysis.to_dict()}, allow_nan=False)
        if options.json == "-":
            print(text)
            return OK
        _write(options.json, f"{text}\n")
    print(page(analysis, options.errors))
    return OK


def _nothing_decided(name: str, record: MatchRecord) -> str:
    """What to say of a file that holds a position and no more."""
    state = record.final
    if not state.playing:
        return f"{name!r} holds no decision, expected a match"
    seen = position(state)
    asks = f"bgai coach {format_xgid(seen)}"
    asks += " explains it" if seen.dice is not None else " explains the cube, with a roll behind it the play"
    return f"{name!r} holds a position and no decision, expected a match; {asks}, bgai move ranks the plays"


def _check_outputs(options: argparse.Namespace) -> None:
    """What cannot be written is said before the work, not after it.

    Raises:
        InputError: a folder that is missing, or stands where the file should be.
    """
    for name in filter(None, (options.report, options.md, options.json)):
        path = Path(name)
        if path.is_dir():
            raise InputError(f"cannot write the file {name!r}: it is a folder")
        if not path.parent.is_dir():
            raise InputError(f"cannot write the file {name!r}: there is no folder {str(path.parent)!r}")


def _remember(analysis: Analysis, source: str) -> None:
    """Keeps it in the history. That this fails is said, but the analysis is shown all the same."""
    try:
        history.remember(analysis, source=source)
    except InputError as error:
        print(f"bgai: not kept in the history: {error}", file=sys.stderr)


def _report(analysis: Analysis, model: Model) -> str:
    """The page, with what the coach says of the errors."""
    # Only here, because pictures and pages are of no use to others.
    from bgai.analysis.report import explain_errors, write_report

    with Stages() as watch:
        told = explain_errors(analysis, Analyst.of(model), progress=lambda done, all: watch("explained", done, all))
    return write_report(analysis, told)


def _write(name: str, text: str) -> None:
    try:
        write_whole(Path(name), text.encode())
    except OSError as error:
        raise InputError(f"cannot write the file {name!r}: {error.strerror}") from error


def _analyst(options: argparse.Namespace) -> MatchAnalyst:
    """Who analyses, as the options say.

    Raises:
        InputError: options that contradict each other or cannot be.
    """
    time = options.time
    if time is not None:
        time = read_time(time if time.endswith("s") else f"{time}s")
    plies = PLIES if (options.plies, time, options.level) == (None, None, None) else options.plies
    wanted = argparse.Namespace(**vars(options) | {"plies": plies, "time": time, "threads": 1})
    level = asked(wanted).level
    rollouts = None
    if options.rollouts is not None:
        settings = RolloutSettings(trials=options.trials or TRIALS, truncation=TRUNCATION, settled=SETTLED)
        rollouts = Rollouts(options.rollouts, settings)
    elif options.trials is not None:
        raise InputError("--trials is for rollouts, expected --rollouts beside it")
    return MatchAnalyst(open_model(asked_player(options).model), level, rollouts)


def _analysed(
    analyst: MatchAnalyst, match: MatchFile, threads: int, workers: Workers | None, *, again: bool
) -> Analysis:
    path = file_for(analyst.description(match.record))
    problems = [str(problem) for problem in match.problems]
    with ExitStack() as stack:
        watch = stack.enter_context(Stages())
        kept = _kept(path, again=again)
        if kept is not None:
            stack.enter_context(kept)
        try:
            return analyst.analyse(
                match.record, threads=threads, workers=workers, kept=kept, progress=watch, problems=problems
            )
        except KeyboardInterrupt:
            if kept is not None:
                print("\nbgai: what is answered is kept; the same command goes on from there", file=sys.stderr)
            raise


def _kept(path: Path, *, again: bool) -> Kept | None:
    """The file of answers; None, which is said, if there can be none."""
    try:
        if again:
            path.unlink(missing_ok=True)
        return Kept(path)
    except OSError as error:
        print(f"bgai: answers are not kept, cannot write {str(path)!r}: {error.strerror}", file=sys.stderr)
        return None
