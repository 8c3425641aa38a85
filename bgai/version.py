"""The version, for the package and for what it writes."""

__version__ = "0.1.0"
JSON_VERSION = 1
"""Version of the `--json` contract; see docs/json.md."""
