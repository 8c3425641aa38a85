"""Everything that is compiled: legal plays, the network's forward pass, whole games.

Kernels are plain functions over arrays. They never raise and never check: the modules one layer up do.
They take tables and weights as arguments, so nothing of a model is frozen into compiled code.
"""
