"""The ledger's SQLite file: its tables, its health on opening, and what one transaction does. Synchronous.

Answers are never changed: a row is written once, and deleted only if its bytes turn out damaged. Claims and answers
live in one file so that one transaction decides "is there an answer, is somebody getting one, or may I": no moment
lies between. A transaction is `BEGIN IMMEDIATE`, so that a second process waits its turn and never meets "database is
locked". WAL with synchronous=NORMAL survives any death of the process; a power cut may cost the last moments, not
the file. The rows have a rowid, as a table keyed by the hash itself came out twice as large.
"""

import contextlib
import itertools
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from holoscope.core import Completion, LedgerError
from holoscope.engine import salvage
from holoscope.engine.codec import decode, encode
from holoscope.engine.leases import Lease, Owner, door, owners

SCHEMA = 1
_APPLICATION = 0x486F6C6F
"""Tells our files from other SQLite files."""
_MOST_VERSIONS = 10_000
"""A schema beyond this is damage, not a later version."""
_BUSY_S = 600.0
"""How long another process may hold the file before that is an error."""
_TABLES = f"""
    BEGIN IMMEDIATE;
    CREATE TABLE answers (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, value BLOB NOT NULL);
    CREATE TABLE claims (key BLOB PRIMARY KEY, owner TEXT NOT NULL) WITHOUT ROWID;
    PRAGMA application_id = {_APPLICATION};
    PRAGMA user_version = {SCHEMA};
    COMMIT;
"""


class Database:
    """An opened ledger file. One thread writes, another reads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.notice = ""
        """What the user should be told about the opening; empty as a rule."""
        folder = path.with_name(f"{path.name}.owners")
        with self.errors_explained():
            folder.mkdir(parents=True, exist_ok=True)
            with door(folder):
                others = owners(folder)
                self._writer = self._open_or_mend(others)
                self._reader = _connect(path)
                self.owner = Owner(folder)
                self._drop_dead_claims(others)

    def commit(self, actions: Sequence[Callable[[], object]]) -> list[object]:
        """Run `actions` in order within one transaction; what each returned."""
        with self.errors_explained(), _transaction(self._writer):
            self._alive: dict[str, bool] = {}
            return [action() for action in actions]

    def get_many(self, keys: Sequence[bytes]) -> dict[bytes, Completion]:
        """The answers there are; a damaged one counts as none."""
        marks = ",".join("?" * len(keys))
        with self.errors_explained():
            rows = self._reader.execute(f"SELECT key, value FROM answers WHERE key IN ({marks})", keys).fetchall()
        return {key: completion for key, value in rows if (completion := decode(value)) is not None}

    def put(self, key: bytes, completion: Completion) -> None:
        """Within `commit`: keep an answer, and end the claim to it. An answer that is there already stays."""
        self._writer.execute(
            "INSERT INTO answers (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING", (key, encode(completion))
        )
        self._writer.execute("DELETE FROM claims WHERE key = ?", (key,))

    def release(self, key: bytes) -> None:
        """Within `commit`: end this owner's claim, without an answer."""
        self._writer.execute("DELETE FROM claims WHERE key = ? AND owner = ?", (key, self.owner.name))

    def claim(self, key: bytes) -> Completion | Lease:
        """Within `commit`: the answer if there is one, else whether the caller may get it."""
        row = self._writer.execute("SELECT value FROM answers WHERE key = ?", (key,)).fetchone()
        if row is not None:
            if (completion := decode(row[0])) is not None:
                return completion
            self._writer.execute("DELETE FROM answers WHERE key = ?", (key,))
        row = self._writer.execute("SELECT owner FROM claims WHERE key = ?", (key,)).fetchone()
        if row is not None and self._is_alive(row[0]):
            return Lease.TAKEN
        self._writer.execute("INSERT OR REPLACE INTO claims (key, owner) VALUES (?, ?)", (key, self.owner.name))
        return Lease.MINE

    def close(self) -> None:
        """Give up all claims and close the file."""
        with contextlib.suppress(sqlite3.Error):  # on a full disk they stay, and end with their owner all the same
            self._writer.execute("DELETE FROM claims WHERE owner = ?", (self.owner.name,))
        self._reader.close()
        self._writer.close()
        self.owner.close()

    @contextlib.contextmanager
    def errors_explained(self) -> Iterator[None]:
        """Turn what SQLite and the file system say into one line for the user."""
        try:
            yield
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:  # sqlite3 decodes damaged names in its messages
            raise LedgerError(_explained(self.path, error)) from error

    def _is_alive(self, owner: str) -> bool:
        if owner not in self._alive:
            self._alive[owner] = self.owner.is_alive(owner)
        return self._alive[owner]

    def _drop_dead_claims(self, others: list[str]) -> None:
        if not others:
            self._writer.execute("DELETE FROM claims")
            return
        for (name,) in self._writer.execute("SELECT DISTINCT owner FROM claims").fetchall():
            if not self.owner.is_alive(name):
                self._writer.execute("DELETE FROM claims WHERE owner = ?", (name,))

    def _open_or_mend(self, others: list[str]) -> sqlite3.Connection:
        """A sound file, if need be a new one with what could be read of the damaged one."""
        if not others and self.path.exists():
            log = _beside(self.path, "-wal")
            logged = log.read_bytes() if log.exists() else b""  # SQLite drops a log that it can't read
            if damage := _damage(self.path):
                self.notice = _mend(self.path, logged, damage)
        return _connect(self.path)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA page_size = {salvage.PAGE}")
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        # A file system without shared memory refuses WAL; then only FULL keeps the file sound through a power cut.
        connection.execute(f"PRAGMA synchronous = {'NORMAL' if mode == 'wal' else 'FULL'}")
        _ensure_tables(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # a full disk makes SQLite roll back by itself
            connection.execute("ROLLBACK")
        raise


def _ensure_tables(connection: sqlite3.Connection, path: Path) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not tables:
        connection.executescript(_TABLES)
    elif application != _APPLICATION:
        raise LedgerError(f"{path} is an SQLite file, but not a ledger; name another folder with --out")
    elif version > SCHEMA:
        raise LedgerError(
            f"{path} has schema {version} and this version of holoscope reads up to {SCHEMA}: pip install -U holoscope"
        )


def _damage(path: Path) -> str:
    """What is wrong with the file; empty if it is sound, or another program's."""
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=_BUSY_S)) as connection:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
            if found != "ok":
                return str(found).splitlines()[-1]
            names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master").fetchall()}
        return _header_damage(path, names)
    except UnicodeDecodeError:
        return "its schema is no text"
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF not in _DAMAGED:
            raise
        return str(error)


def _header_damage(path: Path, names: set[str]) -> str:
    """What is wrong with the header of a ledger whose pages are sound: SQLite takes much of it as it is."""
    with path.open("rb") as file:
        header = file.read(100)
    ours = names >= {"answers", "claims"}
    if not ours and header[68:72] != _APPLICATION.to_bytes(4, "big"):
        return ""
    version = int.from_bytes(header[60:64], "big")
    writable, unused = {header[18], header[19]} <= {1, 2}, not any(header[72:92])
    named = header[68:72] == _APPLICATION.to_bytes(4, "big")
    sound = ours and named and writable and unused and 0 < version <= _MOST_VERSIONS
    return "" if sound else "its header is damaged"


def _mend(path: Path, logged: bytes, damage: str) -> str:
    """Put a new file with every readable answer in place of a damaged one, which is kept; what happened, in words."""
    mended = path.with_name(f"{path.name}.mending")
    for suffix in ("", "-wal", "-shm"):
        _beside(mended, suffix).unlink(missing_ok=True)
    with contextlib.closing(_connect(mended)) as connection:
        with _transaction(connection):
            connection.executemany(
                "INSERT INTO answers (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
                salvage.answers(path, logged),
            )
        (saved,) = connection.execute("SELECT count(*) FROM answers").fetchone()
    aside = _free_name(path.with_name(f"{path.name}.damaged-{time.strftime('%Y%m%dT%H%M%S')}"))
    if logged:
        _beside(aside, "-wal").write_bytes(logged)
    path.rename(aside)
    for suffix in ("-wal", "-shm"):
        _beside(path, suffix).unlink(missing_ok=True)
    mended.rename(path)
    return (
        f"{path} was damaged ({damage}): {saved} answers read from it are in a new ledger, the old one is {aside.name}"
    )


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _free_name(path: Path) -> Path:
    return next(p for n in itertools.count(1) if not (p := _beside(path, f"-{n}" if n > 1 else "")).exists())


_DAMAGED = (
    *(sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_FORMAT),
    *(sqlite3.SQLITE_SCHEMA, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH),
)
"""What SQLite says of a broken file; a sound one meets none of these."""


def _explained(path: Path, error: sqlite3.Error | OSError | UnicodeDecodeError) -> str:
    if isinstance(error, OSError):
        return f"the ledger {path} cannot be used: {error}"
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _DAMAGED or isinstance(error, UnicodeDecodeError):
        return f"{path} is damaged ({error}); end what uses it and run the same command again: what is readable is kept"
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return f"no answer can be written to {path} ({error}); free some space and run the same command again"
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return f"another program has held {path} for {_BUSY_S:.0f} s; end it and run the same command again"
    return f"the ledger {path} cannot be used: {error}"
