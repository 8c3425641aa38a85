"""Ranks the legal plays of a position and a roll.

    bgai move 4HPwATDgc/ABMA 31
    bgai move 4HPwATDgc/ABMA 3-1 --top 0 --json
    bgai move XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10
    bgai move 4HPwATDgc/ABMA 31 --match 7 --score 3-5
    bgai move 4HPwATDgc/ABMA 31 --plies 2
    bgai move 4HPwATDgc/ABMA 31 --time 500ms --threads 2
    bgai move --file positions.txt --json

The position is a GNU Backgammon position ID, with or without its match ID, an XGID or another name of a position
(docs/formats.md); the dice are part of it or follow it, written 31, 3-1, 3,1 or 3 1. Match, score and cube are part of
it or given by options; a bare position ID means money play with a centred cube.

All numbers are those of the player who moves, per unit of the cube. Plays are ranked by equity, with the cube and at
the score; --cubeless leaves the cube out. A loss is what a play gives away beside the best one, in thousandths of a
point. In a file each line is an ID and its dice; blank lines and lines that begin with # are skipped, and dice and
options given beside --file hold for lines that do not say these things themselves.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from bgai.answers import DECIMALS, plies_record
from bgai.cli.agreed import Agreed, add_agreed
from bgai.cli.answers import Answer, Answers
from bgai.cli.lines import answer_file
from bgai.cli.looking import Asked, asked, said_depth
from bgai.cli.options import add_ascii, add_cubeless, add_file, add_json, add_looking, add_model, plain, whole_number
from bgai.cli.question import Question, looks_like_id, read_question, read_roll, say_remarks
from bgai.errors import InputError
from bgai.notation.drawing import draw, wants_colour

TOP = 10


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    parser.add_argument("words", nargs="*", metavar="ID DICE", help="a position ID, an XGID or the like, and a roll")
    parser.add_argument(
        "--top", type=whole_number(0), default=TOP, metavar="N", help=f"plays to show, 0 for all (default {TOP})"
    )
    parser.add_argument("--play", metavar="PLAY", help="say as well what this play costs, such as '13/10 6/5'")
    add_cubeless(parser)
    add_agreed(parser)
    add_looking(parser)
    add_model(parser)
    add_json(parser)
    add_file(parser, "an ID and its dice each")
    add_ascii(parser)


def run(options: argparse.Namespace) -> int:
    """Runs the command."""
    words: list[str] = options.words
    agreed = Agreed.of(options)
    if options.file is not None:
        if words and looks_like_id(words[0]):
            raise InputError(f"expected either an ID or --file, found both {words[0]!r} and --file {options.file}")
        if options.play is not None:
            raise InputError("expected no --play beside --file, which asks about many positions")
        roll = read_roll(words)
        answers = Answers(asked(options, cubeful=not options.cubeless))
        top = options.top if options.json else 1
        answer_file(
            options.file,
            lambda line: _read(line, agreed, roll),
            lambda questions: answers.moves(questions, top),
            None if options.json else one_line,
        )
        return 0
    question = _read(words, agreed)
    who = asked(options, cubeful=not options.cubeless)
    asked_play = None if options.play is None else play_record(who, question, options.play)
    answer = Answers(who).moves([question], options.top if options.json else 0)[0]
    if asked_play is not None:
        answer["asked"] = asked_play
    print(json.dumps(answer) if options.json else _page(question, answer, who, options))
    return 0


def _read(words: list[str], agreed: Agreed, roll: tuple[int, int] | None = None) -> Question:
    question = read_question(words, roll, agreed)
    say_remarks(question.remarks, words)
    return question


def play_record(who: Asked, question: Question, text: str) -> dict[str, Any]:
    """What a play costs that is asked about, as `--json` prints it: looked at as deeply as the best one."""
    # Only here, because analyses bring rollouts with them, which take time to load.
    from bgai.analysis import analyse_play

    found = analyse_play(who.analyst, question.position, text)
    return {
        "play": found.chosen.text,
        "plies": plies_record(found.chosen.plies),
        "equity": round(found.chosen.equity, DECIMALS) + 0.0,
        "loss": round(found.loss, DECIMALS) + 0.0,
        "mwc_loss": None if found.mwc_loss is None else round(found.mwc_loss, DECIMALS) + 0.0,
        "mark": found.mark or None,
        "best": found.best.text,
    }


def said_play(asked: dict[str, Any]) -> str:
    """The same in a line."""
    if asked["play"] == asked["best"]:
        return f"{asked['play'] or 'no play'} is the best play"
    mwc = "" if asked["mwc_loss"] is None else f", {100 * asked['mwc_loss']:.2f}% to win the match"
    mark = f": {asked['mark']}" if asked["mark"] else ""
    return (
        f"{asked['play']} ({said_depth(asked['plies'])}) gives up {1000 * asked['loss']:.1f}{mwc} beside"
        f" {asked['best']}{mark}"
    )


def one_line(answer: Answer) -> str:
    """The best play in a line, for `--file` without `--json`."""
    best = answer["plays"][0]
    high, low = answer["dice"]
    looked = f"  {said_depth(best['plies'])}" if best["plies"] != 0 else ""
    return f"{answer['position_id']} {high}{low}  {best['equity']:+.3f}  {best['play'] or 'no legal play'}{looked}"


_CHANCES = (("win", 8), ("win_gammon", 6), ("win_backgammon", 7), ("lose_gammon", 8), ("lose_backgammon", 7))


def table(plays: list[dict[str, Any]]) -> str:
    """Plays with their numbers, one a line, under a heading."""
    match = plays[0]["mwc"] is not None
    width = max(len("play"), *(len(entry["play"] or "no legal play") for entry in plays))
    depths = [said_depth(entry["plies"]) for entry in plays]
    wide = 0 if set(depths) == {"0-ply"} else 2 + max(map(len, depths))
    heading = f"{'':4}{'play':{width}}{'  depth' if wide else '':{wide}}  equity    loss  cubeless{'   match' * match}"
    lines = [
        f"{'':{len(heading) + 1}}{'wins':^22}  {'loses':^15}".rstrip(),
        f"{heading}      all gammon  backg.   gammon  backg.",
    ]
    for number, (entry, depth) in enumerate(zip(plays, depths, strict=True), 1):
        chances = "".join(f"{100 * entry[name]:{places}.1f}%" for name, places in _CHANCES)
        looked = f"  {depth:{wide - 2}}" if wide else ""
        won = f"  {100 * entry['mwc']:5.2f}%" if match else ""
        lines.append(
            f"{number:>3} {entry['play'] or 'no legal play':{width}}{looked}  {entry['equity']:+.3f}"
            f"  {1000 * entry['loss']:6.1f}    {entry['cubeless_equity']:+.3f}{won} {chances}"
        )
    return "\n".join(lines)


def _page(question: Question, answer: Answer, who: Asked, options: argparse.Namespace) -> str:
    """The board, then the table."""
    plays, top = answer["plays"], options.top
    shown = plays[:top] if top else plays
    high, low = question.roll
    what = f"X to play {high}-{low}, {answer['position_id']}"
    if not plays[0]["play"]:
        count = "no legal play, the turn passes"
    else:
        count = "1 legal play" if len(plays) == 1 else f"{len(plays)} legal plays"
        if len(shown) < len(plays):
            count += f", the best {len(shown)} (--top 0 shows all)"
    how = "cubeless" if options.cubeless else "with the cube"
    heading = f"{answer['model']}, {who.how}, {how}, losses in millipoints: {count}"
    position = question.position
    board = draw(position.board, ascii_only=plain(options), position=position, colour=wants_colour(sys.stdout))
    judged = ["", said_play(answer["asked"])] if "asked" in answer else []
    return "\n".join([board, what, "", heading, *who.legend, "", table(shown), *judged])
