"""The version, for the package and for what it writes."""

__version__ = "0.1.0"
JSON_VERSION = 1
"""Of the `--json` contract, docs/json.md: grows when a key changes its meaning or goes, not when one is added."""
