"""Files of matches and positions from other programs: read into `MatchRecord`, written from it.

    >>> head = " 3 point match\\n\\n Game 1\\n Ann : 0      Ben : 0\\n"
    >>> text = head + "  1) 31: 8/5 6/5     Doubles => 2\\n  2)  Drops\\n"
    >>> found = read_match(text.encode(), "club.mat")
    >>> found.format, found.record.players, found.record.final.score
    ('mat', ('Ann', 'Ben'), (0, 1))
    >>> print(write_match(found.record, "sgf").splitlines()[1])
    ;W[31hefe]

What is not as it should be in a file is mended and said:

    >>> print(*read_match(text.replace("6/5", "6/4").encode()).problems)  # doctest: +ELLIPSIS
    line 5, game 1: '8/5 6/4' is not legal with 3-1; legal: 24/23 8/5, ...; taken as it stands
"""

from bgai.matchfiles.found import MatchFile, Problem
from bgai.matchfiles.positions import PositionEntry, PositionFile, read_position_file, read_positions
from bgai.matchfiles.reading import FORMATS, read_match, read_match_file
from bgai.matchfiles.writers import WRITERS, format_of, losses, write_match, write_match_file

__all__ = [
    "FORMATS",
    "WRITERS",
    "MatchFile",
    "PositionEntry",
    "PositionFile",
    "Problem",
    "format_of",
    "losses",
    "read_match",
    "read_match_file",
    "read_position_file",
    "read_positions",
    "write_match",
    "write_match_file",
]
