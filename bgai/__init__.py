"""bgai: a backgammon player that teaches itself."""

__version__ = "0.1.0"
