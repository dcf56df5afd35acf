"""Who is asked whether a workbook came through unharmed: bytes, other readers, LibreOffice, the schema."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from lxml import etree

from tests.books.parts import Parts, child, local, rels_of
from tests.books.readers import letters
from tests.books.spelled import STRICT
from tests.libreoffice import convert
from tests.once import run_folder

ROOT = Path(__file__).resolve().parents[2]
Grid = dict[str, dict[str, Any]]
"""Sheet title -> address -> value."""


# --- bytes ---------------------------------------------------------------------------------------
def reachable(parts: Parts) -> dict[str, str]:
    """All members that relationships lead to from the package, with the members that hold relationships;
    name in lower case -> the member's own spelling."""
    known = {m.replace("\\", "/").lstrip("/").casefold(): m for m in parts.members}
    found: dict[str, str] = {}
    todo = [""]
    while todo:
        source = todo.pop()
        rels = rels_of(source).casefold()
        if rels in known:
            found[rels] = known[rels]
        for _, _, target in parts.relationships(source):
            if target.casefold() in known and target.casefold() not in found:
                found[target.casefold()] = known[target.casefold()]
                todo.append(target)
    return found


def altered(before: Parts, after: Parts) -> dict[str, str]:
    """What became of the members that are not as they were: name -> changed, gone, new or unreachable."""
    old, new = reachable(before), reachable(after)
    found = {name: "changed" for name in before.members if name in after.members
             and before.members[name] != after.members[name]}
    found.update({name: "gone" for name in before.members if name not in after.members})
    found.update({name: "new" for name in after.members if name not in before.members})
    found.update({old[key]: "unreachable" for key in old if key not in new and old[key] in after.members})
    return found


def changed_members(before: bytes, after: bytes) -> list[str]:
    """The members that are not in both files with the same bytes."""
    old, new = Parts(before).members, Parts(after).members
    return [name for name in {**old, **new} if old.get(name) != new.get(name)]


# --- sheets --------------------------------------------------------------------------------------
def strings(parts: Parts) -> list[str]:
    """The shared strings, each as canonical XML."""
    for _, kind, target in parts.relationships(parts.book):
        if kind == "sharedStrings":
            return [canonical(si) for si in parts.xml(target) if local(si) == "si"]
    return []


def canonical(element: Any) -> str:
    """An element as text that does not depend on prefixes."""
    text = etree.tostring(element, method="c14n", with_comments=True).decode()
    return re.sub(r"<(/?)\w+:", r"<\1", re.sub(r' xmlns(:\w+)?="[^"]*"', "", text))


def cells(parts: Parts, sheet: str) -> dict[str, tuple[Any, ...]]:
    """Address -> everything that the file says of a cell, strings looked up; cells that say nothing are left out."""
    shared = strings(parts)
    found: dict[str, tuple[Any, ...]] = {}
    number = 0
    for row in child(parts.xml(parts.sheets()[sheet]), "sheetData"):
        if local(row) != "row":
            continue
        number = int(row.get("r", number + 1))
        column = 0
        for cell in row:
            if local(cell) != "c":
                continue
            column = _column(cell.get("r")) if cell.get("r") else column + 1
            kind, inside = cell.get("t", "n"), [canonical(one) for one in cell]
            if kind == "s":
                kind, inside = "inlineStr", [shared[int(child(cell, "v").text)]]
            if kind == "inlineStr":
                inside = [re.sub(r"^<(is|si)>|</(is|si)>$|<rPh.*?</rPh>", "", inside[0]) if inside else ""]
                inside = [inside[0].replace(' xml:space="preserve"', "")]
            found[f"{letters(column)}{number}"] = (
                kind if inside else "n", tuple(inside), cell.get("s", "0"), cell.get("cm"), cell.get("vm"))
    return found


def _column(ref: str) -> int:
    number = 0
    for one in re.sub(r"[\d$]", "", ref):
        number = number * 26 + ord(one) - 64
    return number


def differing(before: Parts, after: Parts, sheet: str) -> set[str]:
    """The addresses of all cells that are not as they were, be it value, kind, formula or style."""
    old, new = cells(before, sheet), cells(after, sheet)
    return {ref for ref in {*old, *new} if old.get(ref) != new.get(ref)}


def frame(parts: Parts, sheet: str) -> str:
    """All of a sheet but its rows and the area it says it covers."""
    root = parts.xml(parts.sheets()[sheet])
    for name in ("dimension",):
        one = child(root, name)
        if one is not None:
            root.remove(one)
    data = child(root, "sheetData")
    for row in [e for e in data if local(e) == "row"]:
        tail = (row.tail or "").strip()
        assert not tail
        data.remove(row)
    return etree.tostring(root, method="c14n", with_comments=True).decode()


def rows(parts: Parts, sheet: str) -> dict[int, dict[str, str]]:
    """Row number -> its attributes but for its number and span."""
    found: dict[int, dict[str, str]] = {}
    number = 0
    for row in child(parts.xml(parts.sheets()[sheet]), "sheetData"):
        if local(row) == "row":
            number = int(row.get("r", number + 1))
            found[number] = {str(k): str(v) for k, v in row.attrib.items() if k not in ("r", "spans")}
    return found


def only_grown(before: Parts, after: Parts, part: str) -> list[str]:
    """What was changed in a part that may only get longer lists (styles, strings): one line for each breach."""
    old, new = before.xml(part), after.xml(part)
    found = []
    if local(old) == "sst":
        pairs = [("sst", list(old), [e for e in new if local(e) == "si"])]
    else:
        pairs = [(local(e), list(e), list(child(new, local(e)))) for e in old]
    for name, mine, theirs in pairs:
        kept = [canonical(e) for e in theirs[:len(mine)]]
        if kept != [canonical(e) for e in mine]:
            found.append(f"{part}: {name} was changed")
    for one in (new, *new):
        if one.get("count") and local(one) != "sst" and int(one.get("count")) != len(one):
            found.append(f"{part}: the count of {local(one)} is wrong")
    if local(new) == "sst" and new.get("uniqueCount") and int(new.get("uniqueCount")) != len(strings(after)):
        found.append(f"{part}: uniqueCount is wrong")
    return found


def workbook_frame(parts: Parts) -> str:
    """The workbook part but for how it is calculated."""
    root = parts.xml(parts.book)
    calc = child(root, "calcPr")
    if calc is not None:
        root.remove(calc)
    return etree.tostring(root, method="c14n", with_comments=True).decode()


# --- the schema ----------------------------------------------------------------------------------
@lru_cache(maxsize=4)
def messages(data: bytes) -> dict[str, Counter[str]]:
    """What the Open XML SDK's rules, as openxml-audit has them, say of each part; of the same bytes it is worked out
    once a run, whichever process of the run asks.
    """
    kept = run_folder() / f"schema-{hashlib.sha256(data).hexdigest()}.json"
    if not kept.exists():
        new = kept.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(_validated(data)), encoding="utf-8")
        new.replace(kept)
    return {part: Counter(told) for part, told in json.loads(kept.read_text(encoding="utf-8")).items()}


@cache
def _validator() -> Any:
    """The schema is asked once about a part with the same bytes, whatever the other parts are, and of the places of
    elements nothing is counted, as it is not kept.
    """
    from openxml_audit import OpenXmlValidator, context

    validator, told = OpenXmlValidator(max_errors=0), dict[tuple[str, bytes], list[Any]]()
    validate = validator._schema_validator.validate_part

    def remembered(part: Any, found: Any) -> Any:
        which = part.uri, hashlib.sha256(part.raw_content or b"").digest()
        if which not in told:
            before = len(found.errors)
            validate(part, found)
            told[which] = found.errors[before:]
        else:
            found.errors.extend(told[which])
        return found.errors

    validator._schema_validator.validate_part = remembered
    context._sibling_position = lambda element: 1
    return validator


def _validated(data: bytes) -> dict[str, Counter[str]]:
    """Places are without their numbers, which shift when rows are added. Strict workbooks are translated first."""
    parts = Parts(data)
    for old, new in STRICT.items():
        parts.members = {name: content.replace(new, old) for name, content in parts.members.items()}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"book.xls{'m' if b'.macroEnabled.' in parts.members['[Content_Types].xml'] else 'x'}"
        path.write_bytes(parts.bytes())
        result = _validator().validate(str(path))
    found: dict[str, Counter[str]] = {}
    for error in result.errors:
        said = re.sub(r"\[\d+\]", "", f"{error.path}: {error.description}")
        if "inline-string cell" not in said:  # advice about what Excel will do at the next saving
            found.setdefault(error.part_uri, Counter())[said] += 1
    return found


def own_messages(data: bytes, own: Iterable[str]) -> list[str]:
    """The messages of the schema about parts that Arbitro made, whether or not a change has brought them. `own`:
    their names.
    """
    found = messages(data)
    return [f"{part}: {said} ({n} times)" for part in sorted({f"/{name}" for name in own} & found.keys())
            for said, n in found[part].items()]


def new_messages(before: bytes, after: bytes, *, kinds: bool = False) -> list[str]:
    """The messages of the schema that a change has brought. `kinds`: only such as the part had none of before,
    for workbooks of programs whose own spelling is at fault and is copied with the look of a cell.
    """
    old = messages(before)
    return [f"{part}: {said} ({n} times)" for part, counted in messages(after).items()
            for said, n in (counted - old.get(part, Counter())).items()
            if not (kinds and said in old.get(part, Counter()))]


# --- other readers -------------------------------------------------------------------------------
def read_by(engine: str, paths: Sequence[Path], *, seconds: int = 300) -> dict[str, Grid | str]:
    """All values of workbooks as openpyxl or calamine see them, read in a child process: name -> grid, or what
    went wrong with it. A child that dies takes only the rest of its own list with it, which is said.
    """
    found: dict[str, Grid | str] = {}
    todo = list(paths)
    while todo:
        done = subprocess.run([sys.executable, "-m", "tests.books.readers", engine, *map(str, todo)], cwd=ROOT,
                              capture_output=True, text=True, timeout=seconds, check=False)
        lines = done.stdout.splitlines()
        for line in lines:
            name, grid = json.loads(line)
            found[name] = grid
        if len(lines) < len(todo):
            found[todo[len(lines)].name] = f"the process died: {done.returncode} {done.stderr[-300:]}"
        todo = todo[len(lines) + 1:]
    return found


def by_office(paths: Sequence[Path], folder: Path) -> dict[str, Grid | str]:
    """All values of workbooks as LibreOffice sees them: opened, calculated, saved by it and read from there."""
    out = convert("xlsx", folder / "office", *paths)
    made = [out / path.with_suffix(".xlsx").name for path in paths]
    found = read_by("as_spelled", [path for path in made if path.exists()])
    return {path.name: found.get(path.name, "LibreOffice did not open it") for path in made}


def missing_values(grid: Grid | str, wanted: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Where a reader does not see what it should; `wanted`: sheet title -> address -> value."""
    if isinstance(grid, str):
        return [grid]
    found = []
    for title, expected in wanted.items():
        seen = grid.get(title, {})
        found += [f"{title}!{ref}: {seen.get(ref)!r} for {value!r}" for ref, value in expected.items()
                  if not same(seen.get(ref), value)]
    return found


def same(seen: Any, wanted: Any) -> bool:
    """Whether two values are one for a reader: blank is nothing, numbers are numbers, line ends are one."""
    if wanted in (None, "") or seen in (None, ""):
        return wanted in (None, "") and seen in (None, "")
    if isinstance(wanted, (int, float)) and not isinstance(wanted, bool):
        return isinstance(seen, (int, float)) and float(seen) == float(wanted)
    return isinstance(seen, str) and seen.replace("\r\n", "\n") == str(wanted)


def joined(problems: Iterable[str]) -> str:
    """Problems as one text, the first twenty."""
    return "\n".join(list(problems)[:20])
