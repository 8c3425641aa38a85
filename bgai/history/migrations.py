"""How a data base of an older version becomes one of the present version.

Each step is a function that is given a connection inside a transaction; the number of the version is written in the
same transaction, so a data base is never between two versions. Steps are written in SQL and with names as they were
then: `tables` may have changed since.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sqlalchemy import Connection, insert, inspect, select, text, update

from bgai.errors import InputError
from bgai.history.plans import plans_of_plays
from bgai.history.tables import METADATA, VERSION
from bgai.notation.positionid import parse_position_id

Step = Callable[[Connection], None]


def _game_plans(connection: Connection) -> None:
    """Plays get the game plan of who decided."""
    connection.execute(text("ALTER TABLE decisions ADD COLUMN plan VARCHAR(40)"))
    plays = connection.execute(text("SELECT id, position_id FROM decisions WHERE kind = 'play' ORDER BY id")).all()
    if plays:
        plans = plans_of_plays(np.stack([parse_position_id(row.position_id) for row in plays]))
        values = [{"id": row.id, "plan": plan} for row, plan in zip(plays, plans, strict=True)]
        connection.execute(text("UPDATE decisions SET plan = :plan WHERE id = :id"), values)


STEPS: tuple[Step, ...] = (_game_plans,)
"""The first leads from version 1 to version 2, and so on."""


def present() -> int:
    """The version that this program makes and works with."""
    return 1 + len(STEPS)


def version_of(connection: Connection) -> int:
    """The version of a data base; 0 for an empty one.

    Raises:
        InputError: it holds something else, or is of a version that this program does not know.
    """
    tables = inspect(connection).get_table_names()
    if not tables:
        return 0
    if VERSION.name not in tables:
        raise InputError(f"expected an empty data base or a history of bgai, found the table {sorted(tables)[0]!r}")
    numbers = connection.execute(select(VERSION.c.number)).scalars().all()
    if len(numbers) != 1 or numbers[0] < 1:
        raise InputError(f"expected the number of its version, found {numbers}")
    if numbers[0] > present():
        raise InputError(
            f"it is of version {numbers[0]}, and this program knows versions up to {present()}; expected a newer bgai"
        )
    return int(numbers[0])


def upgrade(connection: Connection) -> None:
    """Makes the tables in an empty data base, or brings those of an older version to the present one."""
    version = version_of(connection)
    if version == 0:
        METADATA.create_all(connection)
        connection.execute(insert(VERSION).values(number=present()))
        return
    for step in STEPS[version - 1 :]:
        step(connection)
    connection.execute(update(VERSION).values(number=present()))
