"""Whether it was right to resign, and to accept."""

from __future__ import annotations

from bgai.analysis.decision import Choice, Decision
from bgai.analysis.questions import Moment, decided
from bgai.analysis.worth import mwc_of
from bgai.analyst import Analyst
from bgai.bot import Bot
from bgai.events import AcceptResignation, Resign
from bgai.match_state import MatchState, position
from bgai.opinions import ROLLED
from bgai.rollout_analyst import RolledAnalyst
from bgai.stakes import Stakes

OFFERS = ("resign a single game", "resign a gammon", "resign a backgammon")


def resignation(analyst: Analyst, moment: Moment, event: Resign) -> Decision:
    """The offer to lose so much. One of too little is refused, and so brings and costs nothing."""
    play_on, stakes = _play_on(analyst, moment.after)
    worth = [play_on, *(min(float(loss), play_on) for loss in stakes.lose[0])]
    choices = [
        Choice(text, equity, mwc_of(stakes, equity), plies=_plies(analyst))
        for text, equity in zip(("play on", *OFFERS), worth, strict=True)
    ]
    return decided(moment, "resignation", choices, OFFERS[event.value - 1])


def resignation_answer(analyst: Analyst, moment: Moment, offered: Resign) -> Decision:
    """Content with the offer, or not."""
    play_on, stakes = _play_on(analyst, moment.before)
    worth = (float(stakes.lose[0, offered.value - 1]), play_on)
    choices = [
        Choice(text, -equity, None if mwc is None else 1 - mwc, plies=_plies(analyst))
        for text, equity in zip(("accept", "refuse"), worth, strict=True)
        for mwc in [mwc_of(stakes, equity)]
    ]
    made = "accept" if isinstance(moment.event, AcceptResignation) else "refuse"
    return decided(moment, "resignation answer", choices, made)


def _play_on(analyst: Analyst, offered: MatchState) -> tuple[float, Stakes]:
    """What playing on is worth to who has resigned, and that player's stakes."""
    seen = position(offered)
    worth = Bot(analyst).resignation_worth(offered)
    return -worth.otherwise, analyst.stakes(seen.cube, seen.score, seen.cube_limit)


def _plies(analyst: Analyst) -> int:
    return ROLLED if isinstance(analyst, RolledAnalyst) else analyst.settings.plies
