"""bgai: a backgammon player that teaches itself.

    >>> import bgai
    >>> board = bgai.parse_position_id("4HPwATDgc/ABMA")
    >>> len(bgai.legal_plays(board, (3, 1)))
    16
    >>> bgai.NetPlayer.of().rank(board, (3, 1))[0].play
    '8/5 6/5'
    >>> bgai.decide_cube(bgai.Analyst.of(), bgai.Position()).action
    'no double'

The same looking ahead (plies in gnubg's count), with little time, on two threads, and by playing positions out:

    >>> analyst = bgai.Analyst.of(plies=2, filter="narrow", threads=2)
    >>> ranked = analyst.rank([bgai.Position(dice=(3, 1))])
    >>> int(ranked.plies[ranked.order[0]])
    2
    >>> bgai.Analyst.of(plies=7, seconds=0.05).evaluate(bgai.Position()).plies > 7
    False
    >>> rollout = bgai.Rollout(bgai.Position(dice=(3, 1)), bgai.RolloutSettings(trials=36, truncation=2), most=2)
    >>> rollout.run(threads=1)
    >>> rollout.ranked()[0].name
    '8/5 6/5'

Players by name, see `bgai.levels`:

    >>> bgai.read_player("2-ply").analyst().settings.plies
    2
    >>> bgai.Bot.of("beginner").name.endswith(":beginner")
    True
    >>> players = bgai.level_duellist("1-ply"), bgai.level_duellist("random")
    >>> bgai.play_level_duel(*players, games=2, seed=1).games
    2

Boards, chances and equities are always those of the player on roll; see `bgai.board` and `bgai.outcomes`.
"""

from bgai import interrupt as interrupt
from bgai.analyst import Analyst
from bgai.board import START, Board, as_board, flip, pip_count, result
from bgai.bot import Bot
from bgai.catalogue import kept_models, open_model
from bgai.cube_decision import CubeAction, CubeDecision, cube_action, decide_cube
from bgai.diagram import diagram_png, diagram_svg
from bgai.duel import DuelResult, duellist, play_duel
from bgai.errors import (
    BgaiError,
    ConfigError,
    DiceError,
    InputError,
    ModelError,
    PlayError,
    PositionError,
    RuleError,
    TrainingError,
)
from bgai.evaluator import Evaluator, KernelEvaluator, TorchEvaluator
from bgai.game import Game, Turn, play_game, turns
from bgai.level_duel import LevelDuellist, level_duellist, play_level_duel
from bgai.levels import Level, PlayerName, read_level, read_player
from bgai.luck import LuckJudge
from bgai.match import apply, rebuild
from bgai.match_play import MatchPlayer, play_match
from bgai.match_rules import Rules
from bgai.match_state import MatchState, new_match
from bgai.met import MatchEquityTable, default_met, read_met
from bgai.model import Manifest, Model, load_model
from bgai.move_filter import FILTERS, Filter
from bgai.notation.drawing import draw
from bgai.notation.identify import read_position
from bgai.notation.matchid import format_gnubg_id, parse_gnubg_id
from bgai.notation.playtext import format_play, parse_play
from bgai.notation.positionid import format_position_id, parse_position_id
from bgai.notation.reading import Reading
from bgai.notation.xgid import format_xgid, parse_xgid
from bgai.opinions import ROLLED, CubeOpinion, Evaluation, RankedPlays
from bgai.outcomes import Outcomes, equity, invert
from bgai.player import HeuristicPlayer, NetPlayer, Player, RandomPlayer, RankedPlay
from bgai.plays import Plays, PlaysBatch, legal_plays, legal_plays_batch
from bgai.position import Cube, Position, Score
from bgai.record import MatchRecord
from bgai.rollout import Rollout
from bgai.rollout import Settings as RolloutSettings
from bgai.search import Settings
from bgai.version import __version__

__all__ = [
    "FILTERS",
    "ROLLED",
    "START",
    "Analyst",
    "BgaiError",
    "Board",
    "Bot",
    "ConfigError",
    "Cube",
    "CubeAction",
    "CubeDecision",
    "CubeOpinion",
    "DiceError",
    "DuelResult",
    "Evaluation",
    "Evaluator",
    "Filter",
    "Game",
    "HeuristicPlayer",
    "InputError",
    "KernelEvaluator",
    "Level",
    "LevelDuellist",
    "LuckJudge",
    "Manifest",
    "MatchEquityTable",
    "MatchPlayer",
    "MatchRecord",
    "MatchState",
    "Model",
    "ModelError",
    "NetPlayer",
    "Outcomes",
    "PlayError",
    "Player",
    "PlayerName",
    "Plays",
    "PlaysBatch",
    "Position",
    "PositionError",
    "RandomPlayer",
    "RankedPlay",
    "RankedPlays",
    "Reading",
    "Rollout",
    "RolloutSettings",
    "RuleError",
    "Rules",
    "Score",
    "Settings",
    "TorchEvaluator",
    "TrainingError",
    "Turn",
    "__version__",
    "apply",
    "as_board",
    "cube_action",
    "decide_cube",
    "default_met",
    "diagram_png",
    "diagram_svg",
    "draw",
    "duellist",
    "equity",
    "flip",
    "format_gnubg_id",
    "format_play",
    "format_position_id",
    "format_xgid",
    "invert",
    "kept_models",
    "legal_plays",
    "legal_plays_batch",
    "level_duellist",
    "load_model",
    "new_match",
    "open_model",
    "parse_gnubg_id",
    "parse_play",
    "parse_position_id",
    "parse_xgid",
    "pip_count",
    "play_duel",
    "play_game",
    "play_level_duel",
    "play_match",
    "read_level",
    "read_met",
    "read_player",
    "read_position",
    "rebuild",
    "result",
    "turns",
]
