"""Every exception that bgai raises on purpose.

    BgaiError
    ├── InputError        what the caller gave is not usable: a bad position, roll, option, file
    │   ├── PositionError     not a position, or one that cannot occur
    │   ├── DiceError         not a roll of two dice
    │   ├── PlayError         text that is no legal play
    │   ├── RuleError         an event of a match that the rules do not allow, or rules that contradict each other
    │   ├── ModelError        a model that is unknown, damaged or of another kind
    │   └── ConfigError       a configuration that is unknown or out of range
    ├── TrainingError     a run that cannot go on: a loss that is no number, a full disk
    └── ClusterError      a cluster that does not do its work

A message is one line: what was found, what was expected, and where.

    try:
        position = bgai.parse_position(text)
    except bgai.InputError as error:
        print(f"error: {error}")
"""

from __future__ import annotations


class BgaiError(Exception):
    """Base of all of them."""


class InputError(BgaiError, ValueError):
    """What the caller gave cannot be used; the command line ends with exit code 2."""


class PositionError(InputError):
    """Text or numbers that are not a backgammon position."""


class DiceError(InputError):
    """Something that is not a roll of two dice."""


class PlayError(InputError):
    """Text that is not a legal play in the position it was given for."""


class RuleError(InputError):
    """An event that the rules do not allow here, or rules that contradict each other."""


class ModelError(InputError):
    """A model that is unknown, damaged, or made for another version."""


class ConfigError(InputError):
    """A configuration with an unknown key or a value out of range."""


class TrainingError(BgaiError, RuntimeError):
    """A training run that cannot go on."""


class ClusterError(BgaiError, RuntimeError):
    """A cluster that does not do its work."""
