"""The tables of the data base in which games are kept, and what brings an older one to the present version."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData()
PRESENT = 1
"""The version that this program makes and works with."""

VERSION = Table("games_version", METADATA, Column("number", Integer, nullable=False))

ROOMS = Table(
    "kept_games",
    METADATA,
    Column("id", String(32), primary_key=True),
    # How many happenings there are.
    Column("version", Integer, nullable=False),
    # UTC.
    Column("created", DateTime, nullable=False),
    Column("changed", DateTime, nullable=False, index=True),
    # JSON of `Agreement.to_dict`.
    Column("agreement", Text, nullable=False),
    Column("server_seed", LargeBinary(32), nullable=False),
    # JSON of a text, because a text of PostgreSQL does not have every character.
    Column("player_seed", Text, nullable=False),
    Column("committed_first", Boolean, nullable=False),
)

HAPPENINGS = Table(
    "happenings",
    METADATA,
    Column("room_id", ForeignKey("kept_games.id", ondelete="CASCADE"), primary_key=True),
    # From 1: the version after it.
    Column("number", Integer, primary_key=True),
    # JSON of `Happening.to_dict`.
    Column("happening", Text, nullable=False),
)

COMMITMENTS = Table(
    "commitments",
    METADATA,
    # As `fair_dice.commitment_of` makes it.
    Column("commitment", String(64), primary_key=True),
    Column("server_seed", LargeBinary(32), nullable=False),
    # UTC.
    Column("made", DateTime, nullable=False, index=True),
)
