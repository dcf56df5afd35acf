"""The file itself: what kind it is, who has it open, bytes that depend on nothing but the content, safe saving."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import io
import os
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assistant.workbook import codes
from assistant.workbook.port import BookChanged, BookLocked, BookUnsafe

FIXED_TIME = (2000, 1, 1, 0, 0, 0)
LARGEST_CONTENT = 512 * 1024 * 1024
"""Bytes that a workbook may hold when unpacked; more is a zip bomb or no campaign."""
MOST_MEMBERS = 10_000


@contextlib.contextmanager
def paused_collection() -> Iterator[None]:
    """No garbage collection for the while: openpyxl makes a million objects that all stay, and looking
    through them again and again costs a quarter of the time of loading and saving.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextlib.contextmanager
def unaided() -> Iterator[None]:
    """The first import of openpyxl without numpy, which it would load for numbers of numpy in cells: there
    are none in ours, and loading it takes as long as reading a club's workbook. Later imports are as ever.
    """
    if "numpy" in sys.modules or "openpyxl" in sys.modules:
        yield
        return
    sys.modules["numpy"] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules["numpy"]


def sha256(data: bytes) -> str:
    """The fingerprint of a file's bytes, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def refusal(data: bytes) -> tuple[str, dict[str, Any]] | None:
    """The finding's code and data when these bytes are no workbook that can be read, else None."""
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        encrypted = "EncryptedPackage".encode("utf-16-le") in data
        return (codes.ENCRYPTED if encrypted else codes.OLD_FORMAT), {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            names = {m.filename for m in members}
    except zipfile.BadZipFile:
        return codes.NO_WORKBOOK, {}
    if "[Content_Types].xml" not in names or not any(n.startswith("xl/") for n in names):
        return codes.NO_WORKBOOK, {}
    size = sum(m.file_size for m in members)
    if size > LARGEST_CONTENT or len(members) > MOST_MEMBERS or len(names) < len(members):
        return codes.UNSAFE, {"size": size // 2**20}
    return None


def lock_of(path: Path) -> str | None:
    """Who has the file open, as Excel's or LibreOffice's lock file beside it says; None: nobody; "": unknown."""
    excel = path.with_name(f"~${path.name}")
    if excel.exists():
        data = excel.read_bytes()
        length = data[0] if data else 0
        return data[1:1 + length].decode("latin-1").strip("\x00 ")
    office = path.with_name(f".~lock.{path.name}#")
    if office.exists():
        parts = office.read_bytes().decode("utf-8", "replace").split(",")
        return next((p.strip() for p in parts if p.strip()), "")
    return None


def refuse_if_locked(path: Path) -> None:
    """Raises `BookLocked` when another program has the file open."""
    user = lock_of(path)
    if user is not None:
        raise BookLocked(path, user)


class FixedZip(zipfile.ZipFile):
    """A zip whose bytes depend on its members alone: fixed times, members in one order.

    openpyxl writes some members in the order of a set; all are kept until the end and written sorted.
    """

    def __init__(self, target: io.BytesIO) -> None:
        super().__init__(target, "w", zipfile.ZIP_DEFLATED, allowZip64=True)
        self._members: dict[str, bytes] = {}

    def writestr(self, zinfo_or_arcname: Any, data: Any, *_: Any, **__: Any) -> None:
        """Keep a member until the archive is closed."""
        name = getattr(zinfo_or_arcname, "filename", zinfo_or_arcname)
        self._members[name] = data.encode() if isinstance(data, str) else data

    def write(self, filename: Any, arcname: Any = None, *_: Any, **__: Any) -> None:
        """Keep a file's bytes until the archive is closed."""
        self.writestr(str(arcname or filename), Path(filename).read_bytes())

    def close(self) -> None:
        """Write all members, the content types first as readers expect."""
        for name in sorted(self._members, key=lambda n: (n != "[Content_Types].xml", n)):
            info = zipfile.ZipInfo(name, FIXED_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            super().writestr(info, self._members[name], compresslevel=6)
        self._members = {}
        super().close()


def workbook_bytes(book: Any) -> bytes:
    """An openpyxl workbook as the bytes of a file; the same workbook gives the same bytes."""
    import datetime as dt

    from openpyxl.writer.excel import ExcelWriter

    book.properties.modified = dt.datetime(*FIXED_TIME)
    buffer = io.BytesIO()
    with paused_collection():
        ExcelWriter(book, FixedZip(buffer)).save()
    return buffer.getvalue()


def replace_file(path: Path, data: bytes, expected: str | None = None) -> None:
    """Put bytes in a file's place, all or nothing: temporary file beside it, flushed, renamed.

    `expected`: fingerprint that the file must still have. Raises `BookLocked`, `BookChanged`, and
    `BookUnsafe` where the folder or the file cannot be written.
    """
    real = path.resolve()
    refuse_if_locked(path)
    handle, name = tempfile.mkstemp(prefix=".arbitro-", suffix=".tmp", dir=real.parent)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        if real.exists():
            os.chmod(name, real.stat().st_mode & 0o7777)
        else:
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, 0o666 & ~umask)
        if expected is not None and (not real.exists() or sha256(real.read_bytes()) != expected):
            raise BookChanged(path, f"{path.name} was saved by somebody after it was read: run the command again")
        try:
            os.replace(name, real)
        except PermissionError as no:
            raise BookUnsafe(path, f"{path.name} cannot be replaced: is it open or read-only?") from no
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise
    _flush_folder(real.parent)


def _flush_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
