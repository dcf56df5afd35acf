"""The machine around the program: its files, how files are replaced and backed up, language, clock and shell."""

from __future__ import annotations

import ast
import contextlib
import errno
import gc
import getpass
import locale
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import datetime
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

NO_PICTURES_VARIABLE = "ARBITRO_NO_PICTURES"
GC_THRESHOLDS = (100_000, 50, 50)
"""Thresholds of the garbage collector. A workbook is a million objects, all of which stay alive: scanning them over and
over takes a tenth of the time of a command on a huge campaign, and a fifth of a click in Excel, where xlwings has
loaded pandas.
"""


def shipped_folder(name: str) -> Path:
    """The folder ``reports`` or ``workbook_templates``.

    An installed wheel holds it inside the package, a checkout beside it. Raises FileNotFoundError
    when neither is there: the installation is incomplete.
    """
    package = Path(__file__).resolve().parent
    for place in (package / name, package.parent / name):
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the installation lacks the folder {name}")


def current_time() -> datetime:
    """The current time in the time zone of this machine. Only the front ends ask for it; a phase never sees a clock."""
    return datetime.now().astimezone()


def scenario_names(ruleset_id: str, home: str = "") -> list[str]:
    """The names of the scenarios that come with a ruleset, in alphabetical order.

    `home`: the folder of a plug-in, which keeps them in ``scenario_names``; "" for a ruleset that ships with Arbitro.
    """
    place = _scenario_home(ruleset_id, home)
    return sorted(p.name for p in place.iterdir() if p.is_dir() and any(p.glob("*.csv"))) if place.is_dir() else []


def shipped_scenario(ruleset_id: str, name: str, home: str = "") -> Path:
    """The folder of a scenario's CSVs. Raises KeyError for an unknown name."""
    if name not in scenario_names(ruleset_id, home):
        raise KeyError(name)
    return _scenario_home(ruleset_id, home) / name


def _scenario_home(ruleset_id: str, home: str) -> Path:
    return Path(home) / "scenarios" if home else shipped_folder("workbook_templates") / ruleset_id


def collect_garbage_seldom() -> None:
    """Collect garbage seldom, because this process runs one command and ends; never scan what is loaded by now."""
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def skip_final_garbage_collection() -> None:
    """Leave nothing to scan for the three collections that Python makes while it exits.

    They took a seventh of the time of a short command.
    """
    gc.freeze()


def pictures_wanted() -> bool:
    """Whether commands draw pictures by default: yes, unless the environment variable `NO_PICTURES_VARIABLE` is set."""
    return not os.environ.get(NO_PICTURES_VARIABLE)


def machine_language() -> str:
    """The language that the machine is set to (``en`` or ``it``); English for any other.

    Windows usually sets none of these variables, and names its languages in full (``Italian_Italy``).
    """
    words = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    spoken = next((word for word in words if word), None) or locale.getlocale()[0] or ""
    return "it" if spoken.casefold().startswith("it") else "en"


# Quoting for the shells of Windows, macOS and Linux.


_PLAIN_WORD = re.compile(r"[\w./:+-]+")
_EXPANDED = re.compile(r'[$`!"\\]')
_VARIABLE = re.compile(r"([$%])(?=\w)(.)")
_NOT_FOR_BOTH = r"`|\$[^\w\s.,;)-]"


def quote_for_shell(word: str, *, windows: bool = os.name == "nt") -> str:
    """A word of a command, quoted where a shell would split or expand it.

    Double quotes, which all shells know, serve for blanks, apostrophes and nearly everything else. Where they do not,
    the form depends on the machine: the shells of macOS and Linux leave text in single quotes alone.
    """
    if _PLAIN_WORD.fullmatch(word):
        return word
    if windows:
        return _quote_for_windows(word)
    return "'" + word.replace("'", r"'\''") + "'" if _EXPANDED.search(word) else f'"{word}"'


def _quote_for_windows(word: str) -> str:
    """A form that works in both shells of Windows.

    PowerShell expands ``$name`` within double quotes, the old command line ``%NAME%`` anywhere; so the quotes are
    closed after the sign and opened again one letter later. PowerShell only continues a word after a closing quote if
    the word did not begin with one. For a backquote, or a dollar before a bracket, no form works in both: this is
    PowerShell's.
    """
    if re.search(_NOT_FOR_BOTH, word):
        return "'" + word.replace("'", "''") + "'"
    if not _VARIABLE.search(word):
        return f'"{word}"'
    first, rest = (word[0], word[1:]) if _PLAIN_WORD.match(word) else ("./", word)
    return f'{first}"' + _VARIABLE.sub(r'\1"\2"', rest) + '"'


# Names that a package imports on first use.
#
# The front ends look a command up by its name, and nothing is loaded for the commands that are not called.


def lazy_attributes(package: str, source: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package that imports its public names on first use.

    `source`: the package's own file, which imports each of them for the type checker (``from … import name as name``).
    The returned function raises AttributeError for any other name.
    """
    module_of = {name.asname: node.module for node in ast.walk(ast.parse(Path(source).read_bytes()))
                 if isinstance(node, ast.ImportFrom) and node.module for name in node.names}

    def attribute(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(module_of[name]), name)

    return attribute


class Clock(NamedTuple):
    """`now`: the current time with its zone; `sleep`: waits for some seconds."""

    now: Callable[[], datetime]
    sleep: Callable[[float], None]


# Replacing a file as a whole.
#
# The new bytes go into a file beside it, are flushed to the disk, and take its place. Whoever reads the file meanwhile,
# or finds it after a crash, gets the old file or the new one and never half of either.


Replace = Callable[[Path, Path], None]
Wait = Callable[[float], None]
RETRY_DELAYS = (0.05, 0.1, 0.2, 0.4, 0.6, 0.65)
"""Seconds between attempts to replace a file that another program holds open."""
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2
"""Linux's AT_FDCWD (paths are relative to the working directory) and RENAME_EXCHANGE, for `renameat2`."""
_UNSUPPORTED_ERRORS = {errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.ENOENT}


def replace_atomically(
    path: Path, data: Iterable[bytes | memoryview], temporary: Path, like: Path | None = None
) -> None:
    """Replace a file's content, given in pieces, by way of a temporary file in the same folder.

    `like`: where the file does not exist yet, one whose permissions it gets. On OSError the file is unchanged.
    """
    real = path.resolve()
    try:
        write_and_sync(temporary, data, like=real if like is None or real.exists() else like)
        rename_over(temporary, real)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    flush_folder(real.parent)


def write_and_sync(temporary: Path, data: Iterable[bytes | memoryview], *, like: Path) -> None:
    """Write bytes, in pieces, to the disk, with the mode and (where allowed) the owner of the file `like`.

    Raises OSError.
    """
    # until it has the rights of the file that it replaces, nobody else may read it
    make_private(temporary)
    with temporary.open("wb") as out:
        out.writelines(data)
        copy_rights(like, temporary)
        out.flush()
        os.fsync(out.fileno())


def file_identity(path: Path) -> tuple[int, ...]:
    """What tells this very version of a file from one that is saved into it or takes its place; () if there is none."""
    try:
        now = path.stat()
    except OSError:  # who reads it says what is wrong
        return ()
    return now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns


def user_name() -> str:
    """Who uses this computer, "?" for an account without a name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return "?"


def make_private(temporary: Path) -> None:
    """Make an empty file that nobody else may read before its permissions are set. Raises OSError."""
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))


def copy_rights(real: Path, new: Path) -> None:
    """Give a new file the mode and owner of the file that it will replace; without one, those of any new file."""
    if not real.exists():
        # the mask can only be read by setting it
        umask = os.umask(0)
        os.umask(umask)
        new.chmod(0o666 & ~umask)
        return
    old, now = real.stat(), new.stat()
    if hasattr(os, "chown") and (old.st_uid, old.st_gid) != (now.st_uid, now.st_gid):
        with contextlib.suppress(PermissionError):  # only an administrator may give a file away
            os.chown(new, old.st_uid, old.st_gid)
    # after the owner, since a change of owner takes some of these bits away
    new.chmod(old.st_mode & 0o7777)


def rename_over(temporary: Path, real: Path, replace: Replace | None = None, wait: Wait = time.sleep) -> None:
    """Rename, with retries while another program holds the file. Raises OSError (PermissionError if it is still held).

    On Windows, Excel or a cloud service may hold a file; elsewhere a rename succeeds whoever is reading.
    """
    for pause in (*RETRY_DELAYS, None):
        try:
            (replace or os.replace)(temporary, real)
            return
        except PermissionError:
            if pause is None:
                raise
            wait(pause)


def swap_files(one: Path, other: Path) -> bool:
    """Swap two files atomically; False if the system or the disk cannot do that, or one file is missing.

    Raises OSError.
    """
    rename = swap_function()
    if rename is None:
        return False
    import ctypes

    if rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0:
        return True
    fault = ctypes.get_errno()
    if fault in _UNSUPPORTED_ERRORS:
        return False
    raise OSError(fault, os.strerror(fault), str(other))


def swap_function() -> Callable[..., int] | None:
    """The C function `renameat2`, which can swap two files; None where the system has none."""
    if sys.platform != "linux":
        return None
    import ctypes

    try:
        rename: Callable[..., int] = ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:  # an older C library
        return None
    return rename


def flush_folder(folder: Path) -> None:
    """Flush a folder's directory entries to the disk, where the system supports that.

    A network share or a USB stick may refuse. That error is ignored: the file has already been renamed, so a caller
    that reported "nothing was changed" would be wrong.
    """
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# Backups: the earlier file under a dated name in the folder ``<name>-backups``.
#
# They are dated by the file's own modification time, because no clock may influence what is written.


BACKUP_FOLDER_ENDING = "-backups"
_DATE_PATTERN = r" (\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d)(?: \((\d+)\))?"
"""The date in a backup's name: the file's modification time and, for several within one second, a number."""


def backup_folder(path: Path) -> Path:
    """The folder for the backups of a workbook and its ledger: ``<name>-backups`` beside them."""
    real = path.resolve()
    return real.with_name(f"{real.stem}{BACKUP_FOLDER_ENDING}")


def dated_backups(path: Path) -> list[Path]:
    """The dated backups of a file, oldest first."""
    return [backup for _, backup in _backups_with_dates(path.resolve())]


def back_up(path: Path, keep: int) -> Path | None:
    """Add a dated backup of a file and delete the oldest ones; None if nothing is to be backed up.

    `keep`: how many stay, 0 for no backups. Raises OSError.
    """
    real = path.resolve()
    if not keep or not real.is_file():
        return None
    at = time.strftime("%Y-%m-%d %H.%M.%S", time.localtime(real.stat().st_mtime))
    ours = _backups_with_dates(real)
    last = max((int(match[2] or 1) for match, _ in ours if match[1] == at), default=0)
    backup = back_up_under(real, f"{real.stem} {at}{f' ({last + 1})' if last else ''}{real.suffix}")
    for _, old in ours[:max(0, len(ours) + 1 - keep)]:
        old.unlink(missing_ok=True)
    return backup


def back_up_under(path: Path, name: str) -> Path:
    """Back up a file under this name, replacing an older backup of that name. Raises OSError."""
    real, folder = path.resolve(), backup_folder(path)
    folder.mkdir(exist_ok=True)
    backup = folder / name
    # a link cannot take the place of a file
    backup.unlink(missing_ok=True)
    link_or_copy(real, backup)
    return backup


def link_or_copy(real: Path, other: Path) -> None:
    """Hard-link a file to another name, or copy it on a disk without hard links. Raises OSError."""
    try:
        os.link(real, other)
    except OSError:
        shutil.copy2(real, other)


def remove_backup(backup: Path | None) -> None:
    """Delete the backup of a file that was not replaced after all, and its folder if that is empty now."""
    if backup is not None:
        backup.unlink(missing_ok=True)
        with contextlib.suppress(OSError):  # it holds other backups
            backup.parent.rmdir()


def _backups_with_dates(real: Path) -> list[tuple[re.Match[str], Path]]:
    """The backups of a file, oldest first, each with the match of its name."""
    folder = backup_folder(real)
    named = re.compile(re.escape(real.stem) + _DATE_PATTERN + re.escape(real.suffix))
    inside = folder.iterdir() if folder.is_dir() else ()
    ours = [(match, path) for path in inside if (match := named.fullmatch(path.name))]
    return sorted(ours, key=lambda pair: (pair[1].stat().st_mtime_ns, int(pair[0][2] or 1)))


# The user's own folder.


HOME = "ARBITRO_HOME"
"""The variable of the environment that names another folder."""


def user_folder() -> Path:
    """The folder for the user's own files, whether it exists or not."""
    if os.environ.get(HOME):
        return Path(os.environ[HOME])
    if os.name == "nt":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "arbitro"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "arbitro"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "arbitro"


def write_private(place: Path, text: str) -> Path:
    """Write a file that only its owner may read, atomically. Raises OSError."""
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    number, name = tempfile.mkstemp(dir=place.parent)  # which creates files with mode 0600
    try:
        with os.fdopen(number, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return place
