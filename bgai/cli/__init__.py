"""The command line: one module a command, each with `configure` (its options) and `run` (what it does)."""
