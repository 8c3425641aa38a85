"""How positions and plays are written down and read back."""
