"""A folder and reports to be written into it; they, an index of all that lies there, and older ones put aside out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.reporting.render import render_index
from assistant.reporting.shelf.entries import FORMS, Entry, entry, file_of
from assistant.reporting.shelf.index import build_index, for_club, whose
from assistant.reporting.shelf.insets import PICTURES
from assistant.turn.calendar import OVER
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.safe.saving import write_files

INDEX = "index"
WHOLE = "whole"
Words = Callable[[Ruleset, Campaign, str], Wording]


def reports_folder(book: Path) -> Path:
    """Where the reports of a workbook lie if nobody says otherwise: beside it."""
    return book.with_name(f"{book.stem}-reports")


def copies_folder(book: Path) -> Path:
    """Where the clubs' copies of a workbook are written if nobody says otherwise: beside it."""
    return book.with_name(f"{book.stem}-copies")


def returned_folder(book: Path) -> Path:
    """Where what clubs send back is looked for if nobody says otherwise: beside the workbook, and apart from the
    copies, so that new copies take the place of nothing that a club has filled in.
    """
    return book.with_name(f"{book.stem}-returned")


def index_of(stem: str) -> str:
    """The name of the index of one club's reports, by the name of its files."""
    return f"{INDEX}-{stem}.html"


def put_on_shelf(ruleset: Ruleset, campaign: Campaign, folder: Path, files: Mapping[str, bytes], words: Words,
                 lang: str) -> list[str]:
    """Write reports into a folder, with an index of all that lie there and one for each club; older reports of the
    same names go into a folder below it, named after their moment.

    `files`: name -> content; `words`: the words of a language; `lang`: of the index (default: the workbook's). Returns
    the names of what was written. All of it is written or none. Raises OSError.
    """
    new = _entries("", {name: len(data) for name, data in files.items()}, lambda name: files[name].decode())
    stems = {one.stem: one for one in new}
    lying = [one for place in _places(ruleset, folder) for one in _lying(folder, place)]
    older = [one for one in lying if not one.folder and one.stem in stems and _moment(one) != _moment(stems[one.stem])]
    for one in older:
        _put_aside(folder, one)
    replaced = {(one.folder, one.stem) for one in new} | {(_moment(one), one.stem) for one in older}
    kept = [one for one in lying if (one.folder, one.stem) not in replaced]
    moved = [Entry(**{**{name: getattr(one, name) for name in one.__dataclass_fields__}, "folder": _moment(one)})
             for one in older]
    indexes = _indexes(ruleset, campaign, [*new, *moved, *kept], words, lang)
    write_files(folder, {**files, **indexes})
    for stem in stems:
        for form in (WHOLE, *PICTURES):
            if file_of(stem, form) not in files:
                (folder / file_of(stem, form)).unlink(missing_ok=True)
    return [*files, *indexes]


def _indexes(ruleset: Ruleset, campaign: Campaign, entries: list[Entry], words: Words, lang: str) -> dict[str, bytes]:
    """The folder's index, and one for each club where it is not that club's alone."""
    if not entries:
        return {}
    of_all = build_index(ruleset, entries, words(ruleset, campaign, lang or campaign.desk.language))
    found = {file_of(INDEX, "html"): render_index(of_all).encode()}
    clubs = whose(entries)
    for club in sorted(clubs) if len(clubs) > 1 or any(one.kind == "referee" for one in entries) else ():
        own = [one for one in entries if one.kind == "faction" and one.faction == club]
        page = build_index(ruleset, for_club(entries, club), words(ruleset, campaign, lang or own[0].lang))
        found[index_of(own[0].stem)] = render_index(page).encode()
    return found


# --- what lies there --------------------------------------------------------------------------------------
def _places(ruleset: Ruleset, folder: Path) -> list[str]:
    """The folder itself, "", and those below it that are named after a moment."""
    if not folder.is_dir():
        return []
    phases = (*ruleset.calendar.phases(), OVER)
    below = [one.name for one in folder.iterdir() if one.is_dir() and one.name.partition(".")[2] in phases]
    return ["", *sorted(below)]


def _lying(folder: Path, place: str) -> list[Entry]:
    sizes = {one.name: one.stat().st_size for one in (folder / place).iterdir() if one.is_file()}
    return _entries(place, sizes, lambda name: (folder / place / name).read_text(encoding="utf-8", errors="replace"))


def _entries(place: str, sizes: Mapping[str, int], text: Callable[[str], str]) -> list[Entry]:
    """The reports among files: name -> bytes; `text`: reads one."""
    found = []
    for name in sorted(sizes):
        stem = name.removesuffix(".json")
        if name != stem and file_of(stem, "html") in sizes:
            forms = {form: sizes[file] for form in (*FORMS, WHOLE) if (file := file_of(stem, form)) in sizes}
            found.append(entry(text(name), place, stem, forms))
    return [one for one in found if one is not None]


def _moment(one: Entry) -> str:
    """The name of the folder in which reports of that moment are kept."""
    return f"{one.turn}.{one.phase}"


def _put_aside(folder: Path, one: Entry) -> None:
    """Copy a report's files into the folder of its moment; a report that is renewed there takes the old one's place."""
    place = folder / _moment(one)
    files = [file_of(one.stem, form) for form in one.sizes]
    write_files(place, {name: (folder / name).read_bytes() for name in files})
