"""bgai behind the protocols of other programs and servers."""
