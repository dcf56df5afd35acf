"""A new rulebook: what is asked of its author, and the files that are made of the answers. Nothing is written here."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from assistant.campaign import map as maps
from assistant.turn.ruleset import INTERFACE
from assistant.turn.texts import N_

# --- answers --------------------------------------------------------------------------------------
# What is asked of somebody who begins a rulebook: questions, and texts in; answers that fit together out.

class TwoWords(NamedTuple):
    """A word in English and Italian; the Italian is the English where none was given."""

    en: str
    it: str


class DraftQuestion(NamedTuple):
    """One question. `key`: its name in a file of answers; `text`: the question (msgid); `usual`: what is proposed;
    `wanted`: what can be an answer, as it is typed (msgid); `read`: makes the answer of a text, None where it is none.
    """

    key: str
    text: str
    usual: str
    wanted: str
    read: Callable[[str], Any]


_WORD = r"[^\W\d_]+"
_TITLE = re.compile(r"[\w .,:;!?&()'-]{1,60}")
_DICE = re.compile(r"[1-9]d[1-9]\d?")
MOST_FACTIONS, MOST_ROUNDS, MOST_TURNS, MOST_SEASONS = 6, 6, 99, 12
NONE = ("none", "no", "nessuno", "nessuna")


def _text(typed: str) -> str | None:
    return typed if _TITLE.fullmatch(typed) else None


def _one_of(**words: str) -> Callable[[str], str | None]:
    """Reads one of some words, in English or Italian."""
    known = {**{en: en for en in words}, **{it: en for en, it in words.items()}}
    return lambda typed: known.get(typed.casefold())


def _whole(least: int, most: int) -> Callable[[str], int | None]:
    return lambda typed: int(typed) if re.fullmatch(r"[0-9]{1,3}", typed) and least <= int(typed) <= most else None


def _yes(typed: str) -> bool | None:
    return {"yes": True, "y": True, "sì": True, "si": True, "no": False, "n": False}.get(typed.casefold())


def _two_words(typed: str) -> TwoWords | None:
    if not re.fullmatch(rf"{_WORD}(?:/{_WORD})?", typed):
        return None
    en, _, it = typed.partition("/")
    return TwoWords(en, it or en)


def _money(typed: str) -> TwoWords | str | None:
    return "" if typed.casefold() in NONE else _two_words(typed)


def _dice(typed: str) -> str | None:
    return "" if typed.casefold() in NONE else typed if _DICE.fullmatch(typed) else None


def _turns(typed: str) -> tuple[TwoWords, ...] | None:
    words = [_two_words(part) for part in typed.replace(",", " ").split()]
    if not words or len(words) > MOST_SEASONS or None in words:
        return None
    named = tuple(word for word in words if word is not None)
    codes = [word.en.casefold() for word in named]
    # a turn is a number and a season, so no season may end as another does
    alike = any(one != other and one.endswith(other) for one in codes for other in codes)
    return None if alike or len(set(codes)) < len(codes) else named


def _languages(typed: str) -> tuple[str, ...] | None:
    words = tuple(typed.casefold().replace(",", " ").split())
    return words if words in (("en",), ("en", "it")) else None


QUESTIONS: tuple[DraftQuestion, ...] = (
    DraftQuestion("title", N_("What is the game called?"), "", N_("up to 60 letters"), _text),
    DraftQuestion("author", N_("Who writes it?"), N_("our club"), N_("up to 60 letters"), _text),
    DraftQuestion("map", N_("Is the map made of places with roads, of hexes or of squares?"), "nodes",
                  N_("nodes, hexes, squares"), _one_of(nodes="nodi", hexes="esagoni", squares="quadrati")),
    DraftQuestion("factions", N_("How many factions play?"), "2", f"2 - {MOST_FACTIONS}", _whole(2, MOST_FACTIONS)),
    DraftQuestion("turns", N_("What are turns called: one word if they are counted (day/giorno), else the seasons of a"
                              " year (Spring/Primavera Autumn/Autunno)?"), "day/giorno",
                  N_("words, each perhaps with its Italian behind a stroke"), _turns),
    DraftQuestion("length", N_("How many of these turns, or years, does a campaign last?"), "3", f"1 - {MOST_TURNS}",
                  _whole(1, MOST_TURNS)),
    DraftQuestion("rounds", N_("In how many rounds of a turn do armies march, each with its own orders?"), "1",
                  f"1 - {MOST_ROUNDS}", _whole(1, MOST_ROUNDS)),
    DraftQuestion("secret", N_("Whose orders are secret, and where armies are: nobody's, once they are carried out"
                               " (none), or everybody's (all)?"), "none", N_("none, all"),
                  _one_of(none="nessuno", all="tutti")),
    DraftQuestion("battles", N_("Are battles fought on the table, or by dice?"), "dice", N_("table, dice"),
                  _one_of(table="tavolo", dice="dadi")),
    DraftQuestion("dice", N_("Which dice does a side throw in a battle?"), "1d6", N_("1d6, 2d10 or the like, or none"),
                  _dice),
    DraftQuestion("money", N_("What is money called, if there is any?"), "gold/oro",
                  N_("a word, perhaps with its Italian behind a stroke, or none"), _money),
    DraftQuestion("languages", N_("Which languages do its texts have?"), "en it", "en, en it", _languages),
    DraftQuestion("robots", N_("Shall robots play for absent clubs?"), "yes", N_("yes, no"), _yes),
)
"""In the order in which they are asked."""


class WrongAnswer(NamedTuple):
    """An answer that cannot stand. `wanted`: what could (msgid), "" where two answers do not go together."""

    key: str
    seen: str
    wanted: str


def read_answers(typed: Mapping[str, str], usual_title: str) -> tuple[dict[str, Any], list[WrongAnswer]]:
    """The answers by their keys, with what is usual where nothing was typed; and what is wrong with them."""
    answers: dict[str, Any] = {}
    wrong = []
    for question in QUESTIONS:
        text = typed.get(question.key, "").strip() or question.usual or usual_title
        answers[question.key] = question.read(text)
        if answers[question.key] is None:
            wrong.append(WrongAnswer(question.key, text, question.wanted))
    if not wrong and answers["battles"] == "dice" and not answers["dice"]:
        wrong.append(WrongAnswer("dice", "none", "1d6"))
    return answers, wrong


def read_answer_file(text: str) -> tuple[dict[str, str], list[str]]:
    """Key -> answer, of lines ``key: answer``; and the lines that are none. Blank lines and those after # are left
    out, and quotation marks around an answer, so that simple YAML is read as well.
    """
    typed: dict[str, str] = {}
    strange = []
    keys = {question.key for question in QUESTIONS}
    for line in text.splitlines():
        key, colon, answer = line.partition(":")
        if not line.strip() or line.lstrip().startswith(("#", "---")):
            continue
        if colon and key.strip().casefold() in keys:
            typed[key.strip().casefold()] = answer.strip().strip("\"'")
        else:
            strange.append(line.strip())
    return typed, strange


# --- package --------------------------------------------------------------------------------------
# The files of a new rulebook, from what was answered; nothing is written here.

TEMPLATES = Path(__file__).with_name("drafts")
CHARACTERS_A_LINE = 96

# The scenario.


class DraftFaction(NamedTuple):
    """A faction of the scenario. `code`: also that of its army and home begins with it."""

    code: str
    en: str
    it: str


HOMES = tuple(DraftFaction(*words) for words in (
    ("N", "North", "Nord"), ("S", "South", "Sud"), ("E", "East", "Est"), ("W", "West", "Ovest"),
    ("H", "Highland", "Altopiano"), ("L", "Lowland", "Pianura")))
TREES = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Hazel", "Ivy", "Juniper", "Larch", "Maple", "Oak", "Pine",
         "Rowan", "Spruce", "Thorn", "Willow", "Yew")
ROWS = 4
STEP = 40


class Places(NamedTuple):
    """A map: rows of the sheet Nodes without owner and worth, the homes by faction, and roads."""

    nodes: list[dict[str, Any]]
    homes: dict[str, str]
    roads: list[tuple[str, str]]

    def near(self, place: str, kind: str) -> list[str]:
        """The places to which one may go from a place, in the order of the board."""
        land = {row["node"] for row in self.nodes if row.get("terrain") != "water"}
        if kind == "hexes":
            return [there for there in maps.adjacent_codes(place) if there in land]
        if kind == "squares":
            column, row = maps.square_column_row(place)
            around = [maps.square_code(column + east, row + south) for east, south in maps.SQUARE_OFFSETS.values()]
            return [there for there in around if there in land]
        return [b if a == place else a for a, b in self.roads if place in (a, b)]


def _ring(homes: Sequence[DraftFaction]) -> Places:
    """Homes around a ring of places with one in the middle."""
    nodes: list[dict[str, Any]] = [{"node": "C1", "name": TREES[0], "x": 0, "y": 0}]
    roads, at_home = list[tuple[str, str]](), dict[str, str]()
    for number, home in enumerate(homes, 1):
        angle = 2 * math.pi * (number - 1) / len(homes)
        for code, name, far in ((f"P{number}", TREES[number], 2), (f"{home.code}1", f"{home.en} Tower", 4)):
            nodes.append({"node": code, "name": name, "x": round(STEP * far * math.sin(angle)),
                          "y": round(-STEP * far * math.cos(angle))})
        at_home[home.code] = f"{home.code}1"
        roads += [(f"{home.code}1", f"P{number}"), (f"P{number}", "C1")]
        if number > 1:
            roads.append((f"P{number - 1}", f"P{number}"))
    return Places(nodes, at_home, roads)


def _grid(homes: Sequence[DraftFaction], kind: str) -> Places:
    """A board of hexes or squares: homes on its northern and southern edge, a lake in the middle."""
    columns = max(4, 2 * ((len(homes) + 1) // 2))
    code_of = maps.code_of if kind == "hexes" else maps.square_code
    nodes, names = list[dict[str, Any]](), iter(TREES)
    at_home = {home.code: code_of(1 + 2 * (place // 2), 1 if place % 2 == 0 else ROWS)
               for place, home in enumerate(homes)}
    owned = {code: home.en for home in homes for code in (at_home[home.code],)}
    for column in range(1, columns + 1):
        for row in range(1, ROWS + 1):
            code = code_of(column, row)
            name = f"{owned[code]} Tower" if code in owned else next(names, "")
            water = (column, row) == (columns // 2 + 1, 2)
            placed = {"x": column * STEP, "y": row * STEP + (0 if column % 2 else STEP // 2)} if kind == "hexes" else {}
            nodes.append({"node": code, "name": "Lake" if water else name, **placed,
                          "terrain": "water" if water else "open"})
    return Places(nodes, at_home, [])


def draw_places(answers: Mapping[str, Any]) -> Places:
    """The map of the scenario."""
    homes = HOMES[:answers["factions"]]
    return _ring(homes) if answers["map"] == "nodes" else _grid(homes, answers["map"])


def _table(rows: Iterable[Mapping[str, Any]]) -> str:
    listed = list(rows)
    text = io.StringIO()
    writer = csv.DictWriter(text, list(listed[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(listed)
    return text.getvalue()


def _scenario(name: str, answers: Mapping[str, Any], places: Places) -> dict[str, str]:
    """The tables of the scenario by the names of their files."""
    holders = {node: faction for faction, node in places.homes.items()}
    money = bool(answers["money"])
    tables = {
        "desk": _table([{"key": "ruleset", "value": name}, {"key": "title", "value": answers["title"]}]),
        "factions": _table({"faction": home.code, "name_en": home.en, "name_it": home.it,
                            **({"chest": 20} if money else {})} for home in HOMES[:answers["factions"]]),
        "nodes": _table({**row, "owner": holders.get(row["node"], ""),
                         **({"worth": 0 if row.get("terrain") == "water" else 6 if row["node"] in holders else 3}
                            if money else {})} for row in places.nodes),
        "armies": _table({"army": f"{code}-{number}", "faction": code, "node": node, "men": 20, "home": node}
                         for code, node in places.homes.items() for number in (1, 2)),
    }
    if places.roads:
        tables["roads"] = _table({"a": a, "b": b} for a, b in places.roads)
    return {f"{table}.csv": text for table, text in tables.items()}


def _examples(name: str, answers: Mapping[str, Any], places: Places, code: str) -> str:
    """Worked examples as cases, a JSON line each."""
    home = places.homes["N"]
    near = places.near(home, answers["map"])
    far = next(node for node in places.homes.values() if node != home and node not in near)
    first = "march" if answers["rounds"] == 1 else "march1"
    cases: list[dict[str, Any]] = [
        {"name": "an army marches to the next place", "orders": [f"N: march N-1 to {near[0]}"], "expected": {
            "rows": {"armies": [{"army": "N-1", "node": near[0]}]},
            "events": [{"event": f"{name}.marched", "army": "N-1", "start": home, "node": near[0], "rule": 1}]}},
        {"name": "it does not march farther", "orders": [
            {"order": "n1", "phase": first, "faction": "N", "verb": "march", "unit": "N-1", "target": far}],
         "expected": {"rows": {"orders": [{"order": "n1", "status": "refused"}]},
                      "findings": [{"code": f"{code}-010", "row": "n1", "field": "target"}]}}]
    if answers["money"]:
        cases.append({
            "name": "men cost what the Rules say, after all marches of the turn",
            "orders": [{"order": "n1", "phase": "money", "faction": "N", "verb": "hire", "unit": "N-1", "amount": 5}],
            "until": "money", "expected": {"rows": {"armies": [{"army": "N-1", "men": 25}]}, "events": [
                {"event": f"{name}.hired", "army": "N-1", "n": 5, "cost": 10}]}})
    return "".join(json.dumps({"name": case.pop("name"), "rulebook": name, "scenario": "first", **case}) + "\n"
                   for case in cases)


# The package.


def names_of(name: str) -> dict[str, str]:
    """How the parts of the package are called: its folder, its class, its instance, its findings."""
    words = [word for word in name.split("_") if word]
    return {"name": name, "package": f"arbitro_{name}", "cls": "".join(word.capitalize() for word in words),
            "const": name.upper(), "code": "".join(words)[:3].upper().ljust(3, "X")}


def new_package(name: str, answers: Mapping[str, Any]) -> dict[str, str]:
    """The files of a rulebook by their paths within its folder. `answers`: of `read_answers`, without a wrong one."""
    named, places = names_of(name), draw_places(answers)
    turns, money = answers["turns"], answers["money"]
    seasons = turns if len(turns) > 1 else ()
    chapters = {"table": answers["battles"] == "table", "secret": answers["secret"] == "all", "seasons": seasons}
    values = {
        **answers, **named, **chapters, "italian": "it" in answers["languages"], "interface": INTERFACE,
        "counted": turns[0], "last_season": seasons[-1].en if seasons else "", "last_chapter": 4 if money else 3,
        "span": {"en": "years", "it": "anni"} if seasons else {"en": "turns", "it": "turni"},
        "columns": ", ".join(_columns_used(answers))}
    package = named["package"]
    modules = ["sheets", "marches", "battles", "victory", "__init__", *(["money"] if money else []),
               *(["robot"] if answers["robots"] else [])]
    files = {"pyproject.toml": "pyproject.toml", "README.md": "README.md", f"tests/test_{name}.py": "test.py",
             f"{package}/words.toml": "words.toml", **{f"{package}/{module}.py": f"{module}.py" for module in modules}}
    written = {path: render_draft("new", template, values) for path, template in files.items()}
    written |= {f"{package}/scenarios/first/{file}": text for file, text in _scenario(name, answers, places).items()}
    written["tests/examples.jsonl"] = _examples(name, answers, places, named["code"])
    return dict(sorted(written.items()))


def _columns_used(answers: Mapping[str, Any]) -> list[str]:
    """What the module of the sheets imports to declare columns."""
    board = answers["map"]
    table, secret, money = answers["battles"] == "table", answers["secret"] == "all", bool(answers["money"])
    used = {"Choice": True, "Circle": secret, "Ref": True, "Square": board == "squares",
            "Text": board == "hexes" or secret or table, "Typed": money or table, "Whole": True, "column": secret,
            "given": board != "nodes" or money or table, "own": money or secret, "public": True, "wanted": True}
    return [name for name, needed in used.items() if needed]


def render_draft(folder: str, template: str, values: Mapping[str, Any]) -> str:
    """A file made of a template of ours. `values`: what stands in it; `italian` says whether texts have their Italian.
    """
    def declare_text(english: str, italian: str, indent: int = 0) -> str:
        """How a text is declared: with its Italian where the rulebook has some."""
        own, other = (json.dumps(text, ensure_ascii=False) for text in (english, italian))
        if not values["italian"]:
            return own
        short = len(own) + len(other) < CHARACTERS_A_LINE // 2
        return f"both({own}, {other})" if short else f"both(\n{' ' * (indent + 4)}{own},\n{' ' * (indent + 4)}{other})"

    text: str = _templates(folder).get_template(f"{template}.j2").render({**values, "t": declare_text})
    return text


@lru_cache
def _templates(folder: str) -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(loader=FileSystemLoader(TEMPLATES / folder), undefined=StrictUndefined, trim_blocks=True,
                              lstrip_blocks=True, keep_trailing_newline=True, autoescape=False)
    environment.filters["py"] = lambda text: json.dumps(str(text), ensure_ascii=False)
    return environment


def house_package(name: str, base: str, base_title: str, scenario: str) -> dict[str, str]:
    """The files of a package of house rules that builds on a rulebook.

    `base`, `base_title`: its id and title; `scenario`: one that it brings along, for the example, "" if it has none.
    """
    named = names_of(name)
    values = {**named, "base": base, "base_title": base_title, "italian": True}
    files = {"pyproject.toml": "pyproject.toml", "README.md": "README.md", f"tests/test_{name}.py": "test.py",
             f"{named['package']}/__init__.py": "__init__.py"}
    written = {path: render_draft("house", template, values) for path, template in files.items()}
    case = {"name": "a campaign begins", "rulebook": name, "scenario": scenario,
            "expected": {"rows": {"desk": {"ruleset": name}}}}
    written["tests/examples.jsonl"] = json.dumps(case) + "\n" if scenario else ""
    return dict(sorted(written.items()))
