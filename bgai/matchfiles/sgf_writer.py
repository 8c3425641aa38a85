"""Writes `.sgf` files in GNU Backgammon's dialect: one tree a game."""

from __future__ import annotations

import numpy as np

from bgai.board import BAR, flip
from bgai.events import (
    AcceptResignation,
    Beaver,
    Double,
    Event,
    Pass,
    Play,
    Raccoon,
    Resign,
    Roll,
    SetUp,
    StartGame,
    Take,
)
from bgai.match_state import MatchState
from bgai.matchfiles.found import Problem
from bgai.matchfiles.sgf_points import COLOURS, letter
from bgai.matchfiles.sgf_reader import TEXTS
from bgai.matchfiles.sgf_text import escape
from bgai.matchfiles.writing import Happening, common_losses, happenings, is_nackgammon
from bgai.position import CUBE_LIMIT
from bgai.record import MatchRecord
from bgai.version import __version__

_WORDS = {Double: "double", Beaver: "double", Raccoon: "double", Take: "take", Pass: "drop"}


def write_sgf(record: MatchRecord) -> str:
    """The match as SGF."""
    nackgammon = is_nackgammon(record)
    trees = []
    for number, game in enumerate(happenings(record)):
        if nackgammon:
            del game[1]
        nodes = [_root(record, number, game), *_nodes(game)]
        trees.append("(;" + "\n;".join(nodes) + ")\n")
    return "".join(trees)


def sgf_losses(record: MatchRecord) -> list[Problem]:
    """What gets lost by writing so, a line each."""
    found = common_losses(record)
    said = [key for key in record.metadata if key not in (*TEXTS.values(), "variation")]
    if said:
        found.append(Problem(f"SGF has no place for: {', '.join(said)}"))
    if not record.games:
        found.append(Problem("SGF has a tree for each game, and there is none"))
    return found


def _root(record: MatchRecord, number: int, game: list[Happening]) -> str:
    before, started = game[0].before, game[0].after
    rules = record.rules
    parts = ["FF[4]GM[6]CA[UTF-8]", f"AP[bgai:{__version__}]"]
    parts.append(f"MI[length:{rules.length}][game:{number}][ws:{before.score[0]}][bs:{before.score[1]}]")
    parts += [f"P{colour}[{escape(name)}]" for colour, name in zip(COLOURS, record.players, strict=True)]
    if number == 0:
        texts = {key: record.metadata[name] for key, name in TEXTS.items() if name in record.metadata}
        texts |= {"GC": record.comment} if record.comment else {}
        parts += [f"{key}[{escape(text)}]" for key, text in texts.items()]
    names = {
        "NoCube": not rules.cube,
        "Crawford": bool(rules.length) and rules.crawford,
        "CrawfordGame": started.crawford,
        "Jacoby": rules.jacoby,
        "Nackgammon": is_nackgammon(record),
        "Beavers": rules.beavers,
        "Raccoons": rules.raccoons,
        f"AutomaticDoubles{rules.automatic_doubles}": bool(rules.automatic_doubles),
        f"CubeLimit{rules.cube_limit}": rules.cube_limit != CUBE_LIMIT,
    }
    agreed = ":".join(name for name, there in names.items() if there)
    parts += [f"RU[{agreed}]"] * bool(agreed)
    start = game[0].event
    if isinstance(start, StartGame) and start.automatic:
        parts.append(f"CV[{2**start.automatic}]")
    end = game[-1].after.result
    if end is not None:
        parts.append(f"RE[{COLOURS[end.winner]}+{end.points}{'R' * (end.how == 'resignation')}]")
    return "".join(parts)


def _nodes(game: list[Happening]) -> list[str]:
    nodes: list[str] = []
    remarks: list[str] = []

    def add(node: str) -> None:
        nodes.append(node + "".join(f"C[{escape(chr(10).join(remarks))}]" for _ in remarks[:1]))
        remarks.clear()

    for place, happening in enumerate(game):
        event, before = happening.event, happening.before
        if happening.comment:
            remarks.append(happening.comment)
        match event:
            case StartGame() | Roll():
                following = game[place + 1].event if place + 1 < len(game) else None
                if not isinstance(following, Play) and not _is_implied(event, following):
                    add(f"PL[{COLOURS[event.seat]}]DI[{_dice(happening.after)}]")
            case Play():
                letters = "".join(letter(event.seat, start) + letter(event.seat, end) for start, end in event.steps)
                add(f"{COLOURS[event.seat]}[{_dice(before)}{letters}]")
            case SetUp():
                *first, last = _set_up(event)
                nodes += first
                add(last)
            case Double() | Beaver() | Raccoon() | Take() | Pass():
                add(f"{COLOURS[event.seat]}[{_WORDS[type(event)]}]")
            case Resign() | AcceptResignation():
                pass
    if remarks:
        nodes.append(f"C[{escape(chr(10).join(remarks))}]")
    return nodes


def _dice(state: MatchState) -> str:
    """The roll that waits, of an opening roll the larger die first."""
    assert state.dice is not None
    first, second = state.dice
    return f"{second}{first}" if state.turn == 0 and first < second else f"{first}{second}"


def _is_implied(event: Event, following: Event | None) -> bool:
    """Whether a position begins the game and this opening roll is the one that a reader makes up before it."""
    return (
        isinstance(following, SetUp)
        and isinstance(event, StartGame)
        and sorted(event.dice) == [1, 2]
        and event.seat == following.seat
    )


def _set_up(event: SetUp) -> list[str]:
    """The nodes of a position, as GNU Backgammon reads them. `00` stands for no dice."""
    board = np.array(event.checkers)
    own, other = board, flip(board)
    white, black = (own, other) if event.seat == 0 else (other, own)
    letters = [
        "".join(f"[{letter(seat, place)}]" * int(side[place]) for place in range(1, BAR + 1) if side[place] > 0)
        for seat, side in enumerate((white, black))
    ]
    owner = "c" if event.owner is None else COLOURS[event.owner].lower()
    player = f"PL[{COLOURS[event.seat]}]"
    nodes = [f"CV[{event.cube}]", f"CP[{owner}]", f"{player}AE[a:y]AW{letters[0]}AB{letters[1]}"]
    first, second = event.dice or (0, 0)
    return [*nodes, f"{player}DI[{first}{second}]"]
