"""bgai over HTTP."""
