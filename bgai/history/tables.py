"""The tables of the data base as they are in the present version; `migrations` leads there from older ones."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Date,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    func,
)

METADATA = MetaData()

VERSION = Table("history_version", METADATA, Column("number", Integer, nullable=False))

PLAYERS = Table("players", METADATA, Column("id", Integer, primary_key=True), Column("name", Text, nullable=False))

SPELLINGS = Table(
    "spellings",
    METADATA,
    # As `identity.key_of` makes it.
    Column("key", Text, primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
)

MATCHES = Table(
    "matches",
    METADATA,
    Column("id", Integer, primary_key=True),
    # As `identity.digest_of` makes it.
    Column("digest", String(32), nullable=False, unique=True),
    # 0 for money.
    Column("length", Integer, nullable=False),
    Column("score_0", Integer, nullable=False),
    Column("score_1", Integer, nullable=False),
    # Seat; None if the match was not finished, and for money.
    Column("winner", Integer),
    Column("played", Date, nullable=False),
    # UTC.
    Column("analysed", DateTime, nullable=False),
    Column("source", Text),
    Column("model", Text, nullable=False),
    Column("level", Text, nullable=False),
    Column("met", Text),
    Column("depth", Float, nullable=False),
    # The whole analysis: the JSON of `Analysis.to_dict`, compressed by zlib.
    Column("analysis", LargeBinary, nullable=False),
)

SEATS = Table(
    "seats",
    METADATA,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player_id", ForeignKey("players.id"), nullable=False, index=True),
)

GAMES = Table(
    "games",
    METADATA,
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    # From 0.
    Column("number", Integer, primary_key=True),
    # As in `EndOfGame`; None if the game was not finished.
    Column("winner", Integer),
    Column("points", Integer),
    Column("how", String(20)),
    # What it brought seat 0, as in `Analysis.results`.
    Column("result", Float),
)

DECISIONS = Table(
    "decisions",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), nullable=False),
    Column("game", Integer, nullable=False),
    Column("event", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("kind", String(20), nullable=False),
    # Of the board as in `Decision.position`.
    Column("position_id", String(14), nullable=False),
    Column("best", Text, nullable=False),
    Column("made", Text, nullable=False),
    Column("loss", Float, nullable=False),
    # None for money.
    Column("mwc_loss", Float),
    Column("cost", Float, nullable=False),
    Column("mark", String(10), nullable=False),
    Column("fault", String(20)),
    Column("counted", Boolean, nullable=False),
    Column("close", Boolean, nullable=False),
    Column("forced", Boolean, nullable=False),
    # Of who decides, for plays, as in `bgai.coach.plans`; None for all else.
    Column("plan", String(40)),
    UniqueConstraint("match_id", "game", "event", "kind"),
)

CARDS = Table(
    "cards",
    METADATA,
    Column("id", Integer, primary_key=True),
    # Whose error it was; None for positions from a list, which are everybody's.
    Column("player_id", ForeignKey("players.id")),
    Column("match_id", ForeignKey("matches.id", ondelete="CASCADE"), index=True),
    # As `Problem.digest` makes it.
    Column("digest", String(32), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("position_id", String(14), nullable=False),
    # JSON of `Problem.to_dict`.
    Column("problem", Text, nullable=False),
    Column("made_on", Date, nullable=False),
    Column("due", Date, nullable=False),
    Column("repetitions", Integer, nullable=False),
    # Days.
    Column("interval", Integer, nullable=False),
    Column("ease", Float, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("right", Integer, nullable=False),
)
Index("cards_once", func.coalesce(CARDS.c.player_id, 0), CARDS.c.digest, unique=True)
