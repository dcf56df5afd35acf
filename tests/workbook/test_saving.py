"""The save protocol: all or nothing, the one before kept, nothing lost where another program holds the file."""

from __future__ import annotations

import io
import os
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant import environment
from assistant.environment import backup_folder
from assistant.workbook import save as saving
from assistant.workbook.save import (
    SAVED_MEANWHILE,
    files_saved_meanwhile,
    has_stale,
    leave_copy,
    lock_of,
    remove_stale,
    replace_file,
    sha256,
)
from assistant.workbook.screening import BookChanged, BookHeld, BookLocked, BookUnsafe

OLD = 1_790_000_000
"""A time of change: in September 2026."""


def package(**parts: str) -> bytes:
    """A small zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in parts.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return out.getvalue()


NEW, BEFORE = package(a="new"), package(a="before")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file that lies there."""
    place = tmp_path / "war.xlsx"
    place.write_bytes(BEFORE)
    os.utime(place, (OLD, OLD))
    return place


def beside(path: Path) -> list[str]:
    """What lies in the folder of a file."""
    return sorted(one.name for one in path.parent.iterdir())


# --- the file -----------------------------------------------------------------------------------
def test_the_new_content_takes_the_place_and_the_old_one_is_kept(path: Path) -> None:
    """The backup is dated by the file's own time of change, no clock is asked."""
    replace_file(path, NEW, sha256(BEFORE))

    assert path.read_bytes() == NEW
    assert beside(path) == ["war-backups", "war.xlsx"]
    (backup,) = backup_folder(path).iterdir()
    assert backup.read_bytes() == BEFORE
    assert backup.name.startswith("war 2026-09-2")
    assert int(backup.stat().st_mtime) == OLD


def test_a_file_that_is_new_has_no_backup(tmp_path: Path) -> None:
    """Nothing lay there before."""
    replace_file(tmp_path / "war.xlsx", NEW)

    assert beside(tmp_path / "war.xlsx") == ["war.xlsx"]


def test_the_last_backups_are_kept(path: Path) -> None:
    """As many as are asked for, those of one second told apart; what a club put there stays."""
    backup_folder(path).mkdir()
    (backup_folder(path) / "notes.txt").write_text("ours")
    for number in range(5):
        replace_file(path, package(a=str(number)), keep=3)
        os.utime(path, (OLD, OLD))

    kept = sorted(one.name for one in backup_folder(path).iterdir())
    assert len(kept) == 4
    assert "notes.txt" in kept
    books = {one.read_bytes() for one in backup_folder(path).iterdir() if one.suffix == ".xlsx"}
    assert books == {package(a=str(number)) for number in (1, 2, 3)}


def test_backups_can_be_left_out(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the environment, for who keeps copies in another way."""
    monkeypatch.setenv(saving.BACKUPS_VARIABLE, "0")
    replace_file(path, NEW)

    assert beside(path) == ["war.xlsx"]


def test_mode_and_link_stay(path: Path) -> None:
    """The file that a link means is replaced, with the access that it had; the backup lies beside it."""
    path.chmod(0o664)
    other = path.parent / "elsewhere"
    other.mkdir()
    link = other / "link.xlsx"
    link.symlink_to(path)
    replace_file(link, NEW)

    assert link.is_symlink()
    assert path.read_bytes() == NEW
    assert stat.S_IMODE(path.stat().st_mode) == 0o664
    assert beside(link) == ["link.xlsx"]
    assert backup_folder(link) == backup_folder(path)


def test_what_somebody_saved_meanwhile_stays(path: Path) -> None:
    """The fingerprint is compared just before the place is taken, after all that takes time."""
    def late(_: bytes) -> None:
        path.write_bytes(b"by hand")

    with pytest.raises(BookChanged):
        replace_file(path, NEW, sha256(BEFORE), verify=late)

    assert path.read_bytes() == b"by hand"
    assert beside(path) == ["war.xlsx"]


def damaged() -> bytes:
    """A package in which one bit of a part is another one."""
    data = bytearray(package(a="x" * 200))
    data[60] ^= 1
    return bytes(data)


@pytest.mark.parametrize("data", [damaged(), b"no package", NEW[:-30]])
def test_a_package_that_is_not_whole_never_takes_the_place(path: Path, data: bytes) -> None:
    """It is read again and looked through before, whatever else the writer looks for."""
    with pytest.raises(BookUnsafe):
        replace_file(path, data, verify=lambda _: None)

    assert path.read_bytes() == BEFORE
    assert beside(path) == ["war.xlsx"]


@pytest.mark.parametrize("data", [damaged(), b"no package"])
def test_what_lay_there_before_may_come_back_as_it_was(path: Path, data: bytes) -> None:
    """An undo brings back the file that there was, not a better one."""
    replace_file(path, data, check=False)

    assert path.read_bytes() == data


def test_the_writer_may_look_through_it_as_well(path: Path) -> None:
    """What it does not like stops the save."""
    def never(data: bytes) -> None:
        raise ValueError(f"{len(data)} bytes")

    with pytest.raises(BookUnsafe, match=saving.DAMAGED_RESULT) as caught:
        replace_file(path, NEW, verify=never)

    assert str(caught.value.__cause__) == f"{len(NEW)} bytes"
    assert beside(path) == ["war.xlsx"]


# --- a file that is saved at the very last moment ---------------------------------------------------
def saved_anew(path: Path, data: bytes) -> None:
    """As programs save that write a new file and rename it."""
    other = path.with_name("of another program")
    other.write_bytes(data)
    os.replace(other, path)


Save = Callable[[Path, bytes], Any]
WAYS: dict[str, Save] = {"anew": saved_anew, "into it": Path.write_bytes}
"""How another program saves: into a new file that it renames, or into the one that lies there."""


def saving_at(monkeypatch: pytest.MonkeyPatch, save: Save, path: Path, late: bytes, *, swapped: bool) -> None:
    """Let another program save right before the system is asked to let two files change places, the last that is done
    after the last look; `swapped`: whether it can do that.
    """
    real = environment.swap_function

    def found() -> Callable[..., int] | None:
        save(path, late)
        return real() if swapped else None

    monkeypatch.setattr(environment, "swap_function", found)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_saved_after_the_last_look_is_kept_beside(path: Path, monkeypatch: pytest.MonkeyPatch, way: str
                                                          ) -> None:
    """Ours has the place, which the ledger knows; the file that came out of it has a name that says what it is."""
    late = package(a=SAVED_MEANWHILE)
    saving_at(monkeypatch, WAYS[way], path, late, swapped=True)
    replace_file(path, NEW, sha256(BEFORE))

    assert path.read_bytes() == NEW
    assert path.with_name("war (saved meanwhile).xlsx").read_bytes() == late
    assert files_saved_meanwhile(path) == [path.with_name("war (saved meanwhile).xlsx")]
    assert beside(path) == ["war (saved meanwhile).xlsx", "war-backups", "war.xlsx"]


def test_what_is_saved_twice_meanwhile_has_two_names(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same bytes once, others under the next free name."""
    for late, new in ((b"1", b"a"), (b"2", b"b"), (b"1", b"c")):
        saving_at(monkeypatch, saved_anew, path, late, swapped=True)
        replace_file(path, package(a=new.decode()), sha256(path.read_bytes()))
        monkeypatch.undo()

    assert {one.name: one.read_bytes() for one in files_saved_meanwhile(path)} == {
        "war (saved meanwhile).xlsx": b"1", "war (saved meanwhile, 2).xlsx": b"2"}


@pytest.mark.parametrize("way", WAYS)
def test_where_files_cannot_change_places_a_second_look_is_taken(path: Path, monkeypatch: pytest.MonkeyPatch, way: str
                                                                 ) -> None:
    """What was saved after the first look keeps its place, and who is late is told."""
    late = package(a=SAVED_MEANWHILE)
    saving_at(monkeypatch, WAYS[way], path, late, swapped=False)
    with pytest.raises(BookChanged):
        replace_file(path, NEW, sha256(BEFORE))

    assert path.read_bytes() == late
    assert beside(path) == ["war.xlsx"]


@pytest.mark.parametrize("way", WAYS)
def test_what_is_saved_while_the_second_look_is_taken_keeps_its_place(path: Path, monkeypatch: pytest.MonkeyPatch,
                                                                      way: str) -> None:
    """The file must be the same one, with the same time of change, right before it is replaced."""
    late, real = package(a=SAVED_MEANWHILE), os.link
    monkeypatch.setattr(environment, "swap_function", lambda: None)

    def linked(source: Path, target: Path) -> None:
        real(source, target)
        if target.name.endswith("-out.tmp"):
            WAYS[way](path, late)

    monkeypatch.setattr(os, "link", linked)
    with pytest.raises(BookChanged):
        replace_file(path, NEW, sha256(BEFORE))

    assert path.read_bytes() == late
    assert beside(path) == ["war.xlsx"]


def test_what_is_saved_into_the_old_file_after_the_second_look_is_kept_beside(
        path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its other name has it."""
    late = package(a=SAVED_MEANWHILE)
    monkeypatch.setattr(environment, "swap_function", lambda: None)

    def replace_late(temporary: Path, real: Path) -> None:
        real.write_bytes(late)
        os.replace(temporary, real)

    replace_file(path, NEW, sha256(BEFORE), replace=replace_late)

    assert path.read_bytes() == NEW
    assert [one.read_bytes() for one in files_saved_meanwhile(path)] == [late]
    assert beside(path) == ["war (saved meanwhile).xlsx", "war-backups", "war.xlsx"]


@pytest.mark.parametrize("swapped", [True, False])
def test_a_file_is_replaced_where_nobody_saves_meanwhile(path: Path, monkeypatch: pytest.MonkeyPatch, swapped: bool
                                                         ) -> None:
    """Nothing lies about then, on any system."""
    saving_at(monkeypatch, Path.write_bytes, path.with_name("other.xlsx"), b"", swapped=swapped)
    replace_file(path, NEW, sha256(BEFORE))

    assert path.read_bytes() == NEW
    assert beside(path) == ["other.xlsx", "war-backups", "war.xlsx"]


def test_what_is_saved_while_a_held_file_is_waited_for_stays(path: Path) -> None:
    """Whoever holds it saves, and lets go: there is a look before every attempt."""
    late = package(a="saved meanwhile")
    attempts: list[Path] = []

    def held_once(source: Path, target: Path) -> None:
        attempts.append(target)
        if len(attempts) == 1:
            saved_anew(target, late)
            raise PermissionError(13, "held")
        os.replace(source, target)

    with pytest.raises(BookChanged):
        replace_file(path, NEW, sha256(BEFORE), replace=held_once, wait=lambda _: None)

    assert path.read_bytes() == late
    assert beside(path) == ["war.xlsx"]


# --- a file that is held, as Excel does it on Windows -----------------------------------------------
def test_a_file_that_is_held_for_a_moment_is_waited_for(path: Path) -> None:
    """The cloud folder's service lets go of it after the third attempt."""
    attempts: list[Path] = []
    waited: list[float] = []

    def held_twice(source: Path, target: Path) -> None:
        attempts.append(target)
        if len(attempts) < 3:
            raise PermissionError(13, "held")
        os.replace(source, target)

    replace_file(path, NEW, replace=held_twice, wait=waited.append)

    assert path.read_bytes() == NEW
    assert (len(attempts), waited) == (3, [0.05, 0.1])


def test_a_file_that_stays_held_is_left_alone_and_its_content_handed_back(path: Path) -> None:
    """After two seconds; no temporary file and no backup are left."""
    waited: list[float] = []

    def held(*_: Path) -> None:
        raise PermissionError(13, "held")

    with pytest.raises(BookHeld) as caught:
        replace_file(path, NEW, replace=held, wait=waited.append)

    assert caught.value.content == NEW
    assert sum(waited) == pytest.approx(2)
    assert path.read_bytes() == BEFORE
    assert beside(path) == ["war.xlsx"]


def test_a_copy_is_left_under_a_free_and_harmless_name(path: Path) -> None:
    """Never over another file, never in another folder."""
    first, second = leave_copy(path, NEW, "turn 1500"), leave_copy(path, BEFORE, "turn 1500")
    third = leave_copy(path, NEW, "turn ../../x:\n")

    assert [one.name for one in (first, second)] == ["war (turn 1500).xlsx", "war (turn 1500, 2).xlsx"]
    assert third.parent == path.parent
    assert (first.read_bytes(), second.read_bytes(), third.read_bytes()) == (NEW, BEFORE, NEW)
    assert len(beside(path)) == 4


# --- what a crash leaves ----------------------------------------------------------------------------
def test_only_the_temporary_files_of_this_workbook_are_swept(path: Path) -> None:
    """Those of another one may be in use, and what is called otherwise is not ours."""
    mine = path.with_name(f".arbitro-{saving.file_mark(path)}-abcd_123.tmp")
    other = path.with_name(f".arbitro-{saving.file_mark(path.with_name('peace.xlsx'))}-abcd_123.tmp")
    for one in (mine, other, path.with_name(".arbitro-notes.tmp")):
        one.write_bytes(b"rest")

    assert has_stale(path)
    assert remove_stale(path) == [mine.name]
    assert not has_stale(path)
    assert other.exists()
    assert path.with_name(".arbitro-notes.tmp").exists()


@pytest.mark.parametrize("out", ["", "-out"])
def test_what_came_out_before_a_crash_is_swept_or_kept(path: Path, out: str) -> None:
    """The name says what ours were: the new content and the old one go, what another program saved stays beside."""
    late = package(a=SAVED_MEANWHILE)
    stem = f".arbitro-{saving.file_mark(path)}-{sha256(NEW)[:16]}-{sha256(BEFORE)[:16]}"
    left = path.with_name(f"{stem}{out}.tmp")
    for content in (NEW, BEFORE, late):
        left.write_bytes(content)
        assert has_stale(path)
        assert remove_stale(path) == [left.name]
        assert beside(path) == [*(["war (saved meanwhile).xlsx"] if content == late else []), "war.xlsx"]
    os.link(files_saved_meanwhile(path)[0], left)  # killed when it had got its name
    remove_stale(path)

    assert [one.read_bytes() for one in files_saved_meanwhile(path)] == [late]
    assert beside(path) == ["war (saved meanwhile).xlsx", "war.xlsx"]


def test_temporary_files_look_like_no_workbook(path: Path) -> None:
    """A glob of workbooks does not find them."""
    seen: list[str] = []

    def look(_: bytes) -> None:
        seen.extend(one.name for one in path.parent.iterdir() if one != path)
        assert list(path.parent.glob("*.xls*")) == [path]

    replace_file(path, NEW, verify=look)

    assert len(seen) == 1
    assert seen[0].startswith(".arbitro-")


# --- lock files -------------------------------------------------------------------------------------
def excel_lock(name: str) -> bytes:
    """165 bytes as Excel writes them: the name in the old encoding, and in 16 bits a sign."""
    old, wide = name.encode("cp1252", "replace"), name.encode("utf-16-le")
    return (bytes([len(old)]) + old.ljust(54) + len(name).to_bytes(2, "little") + wide).ljust(165, b" ")


@pytest.mark.parametrize(("name", "content", "user"), [
    ("~$war.xlsx", excel_lock("Anna Bianchi"), "Anna Bianchi"),
    ("~$war.xlsx", excel_lock("Łukasz Żak"), "Łukasz Żak"),
    ("~$war.xlsx", bytes([4]) + b"Anna" + bytes(50), "Anna"),
    ("~$war.xlsx", bytes([6]) + "Nicolò".encode("cp1252") + bytes(50), "Nicolò"),
    ("~$war.xlsx", b"", ""),
    (".~lock.war.xlsx#", b"Bruno Neri,bneri,PC-BRUNO,01.01.2026 20:00,file:///x;", "Bruno Neri"),
    (".~lock.war.xlsx#", rb"Neri\, Bruno,bneri,PC,01.01.2026 20:00,file:///x;", "Neri, Bruno"),
    (".~lock.war.xlsx#", b",bneri,PC,01.01.2026 20:00,file:///x;", "bneri"),
    (".~lock.war.xlsx#", b"An\x07na\xe2\x80\xae,x,PC,,;", "Anna"),
])
def test_who_has_the_workbook_open_is_read_from_the_lock_file(path: Path, name: str, content: bytes,
                                                              user: str) -> None:
    """Of Excel and of LibreOffice, in either encoding; nothing is written then."""
    path.with_name(name).write_bytes(content)

    assert lock_of(path) == user
    with pytest.raises(BookLocked) as caught:
        replace_file(path, NEW)
    assert (caught.value.user, caught.value.lock) == (user, name)
    assert path.read_bytes() == BEFORE


def test_the_lock_file_of_a_linked_workbook_counts(path: Path) -> None:
    """It lies beside the file that is meant."""
    link = path.parent / "sub" / "link.xlsx"
    link.parent.mkdir()
    link.symlink_to(path)
    path.with_name("~$war.xlsx").write_bytes(excel_lock("Anna"))

    assert lock_of(link) == "Anna"
