"""The trainer: a network learns backgammon by playing against itself.

Installed as `bgai_train`. Start with `loop`, which reads from top to bottom like the recipe it is.
"""
