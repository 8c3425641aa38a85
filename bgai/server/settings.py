"""How a server is set up."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from bgai.errors import ConfigError

_NAME = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9_.-]{0,252})")

LEAST_BODY = 1024
"""Bytes that every question fits into."""


@dataclass(frozen=True)
class Settings:
    """What whoever starts the server decides.

    Raises:
        ConfigError: a number out of range, or an origin or a token that cannot be.
    """

    model: str | None = None
    """A kept model by name or number, or the folder of one; None: the latest kept. Requests can only name kept ones."""
    threads: int = 1
    """Of each deep question and each job."""
    token: str | None = field(default=None, repr=False)
    """What requests have to carry as a bearer token; None: nobody is asked."""
    cors: tuple[str, ...] = ()
    """Origins whose pages may ask and read answers, such as `https://example.org`, or `*`."""
    hosts: tuple[str, ...] = ()
    """Names under which the server may be asked, beside `localhost` and addresses in numbers, or `*`."""
    db: str | None = None
    """Where games are kept, as a URL of SQLAlchemy; None: the file of `bgai.room`."""
    max_body: int = 4 << 20
    """Bytes of a request, at most."""
    max_seconds: float = 20.0
    """For one question. Looking ahead ends in time, with what it has; what cannot do that is answered with 504."""
    max_waiting: int = 32
    """Questions that wait for each pool of threads, at most."""
    max_jobs: int = 16
    """Jobs that run or wait, at most."""
    max_job_seconds: float = 3600.0
    """That a job may run; then it is cancelled, and keeps what it has found."""
    kept_jobs: int = 64
    """Finished jobs whose results are kept, at most, and for an hour at most."""
    max_trials: int = 36 * 1296
    """Of each candidate of a rollout."""

    def __post_init__(self) -> None:
        lowest = {
            "threads": 1,
            "max_body": LEAST_BODY,
            "max_waiting": 1,
            "max_jobs": 1,
            "kept_jobs": 1,
            "max_trials": 36,
        }
        for name, least in lowest.items():
            if getattr(self, name) < least:
                raise ConfigError(f"{name}: found {getattr(self, name)}, expected {least} or more")
        if not 0.1 <= self.max_seconds <= 3600:
            raise ConfigError(f"max_seconds: found {self.max_seconds:g}, expected 0.1 to 3600")
        if not self.max_job_seconds > 0:
            raise ConfigError(f"max_job_seconds: found {self.max_job_seconds:g}, expected more than 0")
        for host in self.hosts:
            if host != "*" and not _NAME.fullmatch(host):
                raise ConfigError(f"hosts: found {host!r}, expected a name such as example.org, or *")
        for origin in self.cors:
            if origin != "*" and not (origin.startswith(("http://", "https://")) and origin.count("/") == 2):
                raise ConfigError(f"cors: found {origin!r}, expected an origin such as https://example.org, or *")
        if self.token is not None and not (len(self.token) >= 16 and self.token.isascii() and self.token.isprintable()):
            raise ConfigError("token: expected at least 16 printable ASCII characters")
