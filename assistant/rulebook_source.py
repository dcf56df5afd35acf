"""Reads the source of a rulebook for the linter: texts, verbs, forms, names of Arbitro; finds what is wrong there."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, Army, Faction, Road
from assistant.speech import SPOKEN_LANGUAGES, braces
from assistant.turn.numbers import Number
from assistant.turn.orders.columns import Amount
from assistant.turn.orders.row_columns import Path
from assistant.turn.orders.verbs import Verb, as_order_book, check_words
from assistant.turn.orders.words import Words
from assistant.turn.ruleset import Ruleset

# --- declared texts -------------------------------------------------------------------------------
# Reads a rulebook's source: its texts in English and Italian, and what fills their braces; says what is wrong there.
#
# What is read is what stands there as plain text, so that a fault is named with its file and line.

BOTH = "both"
"""What a rulebook calls the object with which it declares its texts."""
WORD, WORDS = f"{BOTH}.word", f"{BOTH}.words"
"""Its methods for a single word and for a table of words."""
TELLING = frozenset({"tell", "find", "finding", "Refused", "refuse_if", "Finding", "role", "Told", "Ask"})
"""The calls that hand data to an event, a finding or a question."""
ALWAYS_FILLED = {"events": {"roll"}, "findings": {"sheet", "row", "column", "now"},
                 "questions": {"about", "options", "offered"}}
"""What the wording fills in by itself."""
_WHOLE = re.compile(r"\{[^{}]*\}")
_BRACE = re.compile(r"\{(\w+)[^{}]*\}")

Modules = Mapping[str, ast.Module]
"""The modules of a rulebook: file, relative to the rulebook's folder -> what stands in it."""


class DeclaredText(NamedTuple):
    """A text and its Italian, with its file and line; of a word `english` is its code."""

    english: str
    italian: str
    place: str
    word: bool = False


class TextFault(NamedTuple):
    """What is wrong with a text. `kind`: ``literal`` (it is no plain text), ``translations`` (it has another Italian
    elsewhere, `detail`), ``fields``, ``form`` (a form that the language lacks), ``late`` (it is declared only when a
    function runs), ``unfilled`` (nothing fills a brace of it).
    """

    kind: str
    place: str
    text: str
    detail: str = ""


# Reading the source.


def source_folder(ruleset: Ruleset) -> FilePath | None:
    """The folder of a rulebook's modules."""
    file = getattr(sys.modules.get(type(ruleset).__module__), "__file__", None)
    return FilePath(file).parent if file else None


def read_modules(ruleset: Ruleset) -> Modules:
    """The modules of a rulebook. Raises SyntaxError if one of them is not Python."""
    folder = source_folder(ruleset)
    return {path.relative_to(folder).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
            for path in sorted(folder.rglob("*.py"))} if folder else {}


def called_name(call: ast.Call) -> str:
    """The name of the function or method that is called; "" for anything else."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def plain_text(node: ast.AST | None) -> str | None:
    """The text of a literal; None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _pairs(call: ast.Call) -> list[tuple[ast.AST, str | None, str | None]]:
    """What a call of `both`, `both.word` or `both.words` declares: where, English, Italian; None for what is no plain
    text.
    """
    table, of_words = call.args[0] if call.args else None, ast.unparse(call.func) == WORDS
    if not of_words and len(call.args) == 2 and not call.keywords:
        return [(call, plain_text(table), plain_text(call.args[1]))]
    if not of_words or not isinstance(table, ast.Dict):
        return [(call, None, None)]
    return [(value, plain_text(key), plain_text(value)) for key, value in zip(table.keys, table.values, strict=True)]


def _declaring(modules: Modules) -> Iterator[tuple[str, ast.Call]]:
    """The calls of `both`, `both.word` and `both.words`, each with its file."""
    for file, module in modules.items():
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute)) and (
                    ast.unparse(node.func) in (BOTH, WORD, WORDS)):
                yield file, node


def declared_texts(modules: Modules) -> Iterator[DeclaredText]:
    """The texts and words that stand in both languages, in the order of the source."""
    for file, call in _declaring(modules):
        for node, english, italian in _pairs(call):
            if english is not None and italian is not None:
                yield DeclaredText(english, italian, _place(file, node), not isinstance(call.func, ast.Name))


def noted_texts(ruleset: Ruleset, modules: Modules) -> Iterator[DeclaredText]:
    """All that a rulebook has in both languages: what stands in the source, and what its object of texts has noted of
    whoever declares more than a text (`Sentences`).
    """
    in_source = list(declared_texts(modules))
    known = {text.english for text in in_source if not text.word}
    yield from in_source
    yield from (DeclaredText(english, italian, ruleset.id, False)
                for english, italian in ruleset.translations.texts.items() if english not in known)


def _place(file: str, node: ast.AST) -> str:
    return f"{file}, {getattr(node, 'lineno', 0)}"


# Judging the texts.


def text_faults(ruleset: Ruleset, modules: Modules) -> Iterator[TextFault]:
    """All that is wrong with the texts of a rulebook."""
    yield from translation_faults(modules, noted_texts(ruleset, modules))
    yield from _late_texts(modules)
    yield from unfilled_braces(ruleset, modules)


def translation_faults(modules: Modules, texts: Iterable[DeclaredText]) -> Iterator[TextFault]:
    """Texts that are no plain texts, have other fields or two Italian texts, or ask for forms that there are not."""
    for file, call in _declaring(modules):
        yield from (TextFault("literal", _place(file, node), english or "") for node, english, italian in _pairs(call)
                    if not english or not italian)
    first: dict[tuple[str, bool], DeclaredText] = {}
    for text in texts:
        before = first.setdefault((text.english, text.word), text)
        if before.italian != text.italian:
            yield TextFault("translations", text.place, text.english, before.place)
        if brace_names(text.english) != brace_names(text.italian):
            differing = brace_names(text.english) ^ brace_names(text.italian)
            yield TextFault("fields", text.place, text.english, ", ".join(sorted(differing)))
        odd = [*odd_forms(text.english, "en"), *odd_forms(text.italian, "it")]
        yield from (TextFault("form", text.place, text.english, form) for form in odd)


def brace_names(*texts: str) -> set[str]:
    """The names in the braces of some texts."""
    return {name for text in texts for name in _BRACE.findall(text)}


def odd_forms(text: str, lang: str) -> list[str]:
    """The braces of a text that ask for a form that the language does not have."""
    known = {brace.whole: brace for brace in braces(text)}
    forms = SPOKEN_LANGUAGES[lang].forms
    return [whole for whole in _WHOLE.findall(text) if (":" in whole or "?" in whole) and not (
        (brace := known.get(whole)) and (brace.form in forms or len(brace.variants) in (2, 4)))]


def _late_texts(modules: Modules) -> Iterator[TextFault]:
    """Texts that are declared within a function."""
    for file, call in _declaring(modules):
        if call in _within_functions(modules[file]):
            yield TextFault("late", _place(file, call), plain_text(call.args[0] if call.args else None) or "")


def _within_functions(module: ast.Module) -> set[ast.AST]:
    """All that is reached only when a function runs: no decorators, no defaults."""
    bodies = [node.body if isinstance(node.body, list) else [node.body] for node in ast.walk(module)
              if isinstance(node, (ast.FunctionDef, ast.Lambda))]
    return {inner for body in bodies for node in body for inner in ast.walk(node)}


# What fills the braces of a text.


def unfilled_braces(ruleset: Ruleset, modules: Modules) -> Iterator[TextFault]:
    """Braces that nobody fills, of events, findings and questions of which the source says all that is handed over, and
    of numbers and switches.
    """
    declared: dict[str, tuple[str, Any]] = {
        name: (group, message) for group in ALWAYS_FILLED for name, message in getattr(ruleset, group).items()}
    names = frozenset(declared)
    places = {str(plain_text(chain[-1])): _place(file, chain[-1]) for file, module in modules.items()
              for chain in _chains(module) if plain_text(chain[-1]) in names and _declares(chain, names)}
    places |= {text.english: text.place for text in declared_texts(modules)}
    filled = fillers(modules, declared)
    for name in (name for name in declared if name in filled):
        group, message = declared[name]
        texts = (message.text, *(message.variants[1].values() if message.variants else ()))
        yield from (TextFault("unfilled", places.get(text, places.get(name, "")), text, brace) for text in texts
                    for brace in sorted(brace_names(text) - filled[name] - ALWAYS_FILLED[group]))
    for rule in ruleset.numbers:
        allowed = {"n", "signed"} if isinstance(rule, Number) else {"option"}
        yield from (TextFault("unfilled", places.get(rule.meaning, rule.key), rule.meaning, brace)
                    for brace in sorted(brace_names(rule.meaning) - allowed))


def fillers(modules: Modules, names: Iterable[str]) -> dict[str, set[str]]:
    """Event, finding or question -> the names of what is handed over with it. Left out are those of which the source
    does not say it: that stand elsewhere than in a call with plain names for all its data, or are put together.
    """
    known, unknown, begun = defaultdict[str, set[str]](set), set[str](), set[str]()
    wanted = frozenset(names)
    for module in modules.values():
        for chain in _chains(module):
            node = chain[-1]
            if isinstance(node, ast.JoinedStr) and node.values and (head := plain_text(node.values[0])):
                begun.add(head)
            name = plain_text(node)
            if name not in wanted or _declares(chain, wanted) or _is_awaited(chain):
                continue
            handed = _data_names(chain)
            if handed is None:
                unknown.add(name)
            else:
                known[name] |= handed
    return {name: filled for name, filled in known.items()
            if name not in unknown and not name.startswith(tuple(begun))}


def _chains(module: ast.Module) -> Iterator[tuple[ast.AST, ...]]:
    """Every node, after those in which it stands."""
    todo: list[tuple[ast.AST, ...]] = [(module,)]
    while todo:
        chain = todo.pop()
        yield chain
        todo.extend((*chain, child) for child in ast.iter_child_nodes(chain[-1]))


def _declares(chain: tuple[ast.AST, ...], names: frozenset[str]) -> bool:
    """Whether a name stands in the declaration of an event, a finding or a question, or is the key of one in a table,
    outside of all functions.
    """
    if any(isinstance(node, (ast.FunctionDef, ast.Lambda)) for node in chain):
        return False
    table = chain[-2]
    return (isinstance(table, ast.Dict) and chain[-1] in table.keys) or any(
        plain_text(node.args[0]) in names and called_name(node) not in TELLING
        for node in chain if isinstance(node, ast.Call) and node.args)


def _is_awaited(chain: tuple[ast.AST, ...]) -> bool:
    return any(isinstance(node, ast.keyword) and node.arg == "waits_for" for node in chain)


def _data_names(chain: tuple[ast.AST, ...]) -> set[str] | None:
    """The names of the data of the call to which a name is given; None if they are not all there."""
    outer = next((number for number in range(len(chain) - 1, -1, -1) if isinstance(chain[number], ast.Call)), 0)
    call = chain[outer]
    if not isinstance(call, ast.Call) or called_name(call) not in TELLING or not all(
            isinstance(node, ast.IfExp) for node in chain[outer + 1:-1]):
        return None
    tables = [value for value in call.args if isinstance(value, ast.Dict)]
    tables += [keyword.value for keyword in call.keywords if keyword.arg in ("asked", "data", "names")
               and isinstance(keyword.value, ast.Dict)]
    keys = [plain_text(key) for table in tables for key in table.keys]
    words = [keyword.arg for keyword in call.keywords]
    open_ended = called_name(call) in ("Ask", "Finding", "Told") and len(tables) != 1
    return None if open_ended or None in keys or None in words else {*filter(None, keys), *filter(None, words)}


# --- public names ---------------------------------------------------------------------------------
# What rulebooks may use of Arbitro: the names on the page of `arbitro help plugins`, and no others.

PAGE = FilePath(__file__).with_name("manual") / "plugins.md"
"""The page's prose. Its lines ``@ module: Name Other*`` declare what is public; a star shows the methods, too."""
_MARK = "@ "


class PublicNames(NamedTuple):
    """A line of the page that declares names of one module. `starred`: those shown with their methods."""

    module: str
    names: tuple[str, ...]
    starred: frozenset[str]


def declared_names(line: str) -> PublicNames | None:
    """What a line of the page declares; None for a line of prose."""
    module, colon, names = line.removeprefix(_MARK).partition(": ")
    if not line.startswith(_MARK) or not colon:
        return None
    words = names.split()
    return PublicNames(module, tuple(word.rstrip("*") for word in words),
                       frozenset(word.rstrip("*") for word in words if word.endswith("*")))


@lru_cache
def public_names() -> dict[str, tuple[str, ...]]:
    """All that is public: module -> its names, in the order of the page."""
    found: dict[str, dict[str, None]] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if declared := declared_names(line):
            found.setdefault(declared.module, {}).update(dict.fromkeys(declared.names))
    return {module: tuple(names) for module, names in found.items()}


def is_public(module: str, name: str) -> bool:
    """Whether rulebooks may import a name of a module."""
    return name in public_names().get(module, ())


def private_uses(tree: ast.AST, own: str = "") -> Iterator[tuple[int, str]]:
    """What a module of a rulebook uses of Arbitro that is not public: line and full name, also of what it takes from
    a module that it imports as a name. `own`: the package of a rulebook that ships with Arbitro.
    """
    modules: dict[str, str] = {}
    nodes = list(ast.walk(tree))
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, one.name) for one in node.names if _is_ours(one.name, own))
        elif isinstance(node, ast.ImportFrom) and not node.level and _is_ours(node.module or "", own):
            for one in node.names:
                full = f"{node.module}.{one.name}"
                if full in public_names():
                    modules[one.asname or one.name] = full
                elif not is_public(node.module or "", one.name):
                    yield node.lineno, full
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            module = modules[node.value.id]
            if not is_public(module, node.attr):
                yield node.lineno, f"{module}.{node.attr}"


def _is_ours(module: str, own: str) -> bool:
    return f"{module}.".startswith("assistant.") and not (own and f"{module}.".startswith(f"{own}."))


# What verbs, forms and reports of a rulebook declare: what would play, but not as it is meant.


ACCOUNTS = "Accounts"
BOOKED = ("phase", "faction", "item", "amount", "balance")
"""What reports need of each booking, beside its turn or year."""
FORM_ENTRY = "Entry"


class Slip(NamedTuple):
    """Something declared that would not play as meant. `wrong`: it would play wrongly; else a reader misses something;
    `kind`: of the finding's variants; `data`: what fills its braces.
    """

    wrong: bool
    kind: str
    data: Mapping[str, str]


def declared_faults(ruleset: Ruleset, modules: Modules) -> Iterator[Slip]:
    """What is wrong whatever the scenario: prices, examples of amounts, words of times and forms, bookings."""
    for verb in ruleset.verbs.values():
        yield from _price_faults(ruleset, verb)
        yield from (Slip(True, "like", {"what": place_of(ruleset, verb.deed), "name": kind.like, "brace": name})
                    for name, kind in verb.kinds.items()
                    if isinstance(kind, Amount) and kind.amount_of is None and kind.like and not kind.like.isdecimal())
    yield from _shared_times(ruleset)
    yield from _word_faults(ruleset)
    yield from _booking_faults(ruleset)
    if "it" in ruleset.languages:
        yield from _form_words(ruleset, modules)


def place_of(ruleset: Ruleset, declared: Any) -> str:
    """The file, relative to the rulebook's folder, and line of a function or class: ``money.py, 41``; its name where it
    has no source.
    """
    thing = inspect.unwrap(declared) if inspect.isfunction(declared) else declared
    try:
        file, line = FilePath(inspect.getsourcefile(thing) or ""), inspect.getsourcelines(thing)[1]
    except (OSError, TypeError):  # made by a program, or installed without its source
        return str(getattr(thing, "__qualname__", thing))
    folder = source_folder(ruleset)
    name = file.relative_to(folder).as_posix() if folder is not None and folder in file.parents else file.name
    return f"{name}, {line}"


def _price_faults(ruleset: Ruleset, verb: Verb) -> Iterator[Slip]:
    """A price that is no number of the book, times a column that the verb has not, or for which no purse pays."""
    cost = verb.cost
    if cost is None or cost.reckoned is not None:
        return
    what = {"what": place_of(ruleset, verb.deed), "verb": verb.en}
    if cost.number and "{" not in cost.number and cost.number not in {number.key for number in ruleset.numbers}:
        yield Slip(True, "cost", {**what, "name": cost.number})
    if cost.times and cost.times not in verb.columns:
        yield Slip(True, "times", {**what, "name": cost.times})
    if as_order_book(ruleset.verbs).purse is None:
        yield Slip(True, "purse", what)


def _shared_times(ruleset: Ruleset) -> Iterator[Slip]:
    """Phases that share a word of the column Phase and take different verbs, where another time is refused."""
    if "wrong_time" not in as_order_book(ruleset.verbs).says:
        return
    phases: dict[str, dict[str, str]] = defaultdict(dict)
    for phase in ruleset.calendar.phases().values():
        if phase.orders:
            phases[phase.orders].setdefault(phase.takes or phase.orders, phase.id)
    yield from (Slip(True, "time", {"what": ", ".join(takers.values()), "name": word})
                for word, takers in phases.items() if len(takers) > 1)


def _word_faults(ruleset: Ruleset) -> Iterator[Slip]:
    """Words for what is no verb, and those that cannot be read."""
    book = as_order_book(ruleset.verbs)
    like = book.like
    try:
        for name in [name for name in like if name not in book]:
            where = f"{like.file.path.name}, {like.line(name)}" if isinstance(like, Words) else "like"
            yield Slip(False, "verb", {"what": where, "name": name, "list": ", ".join(book)})
        check_words(like)
    except ValueError as fault:
        yield Slip(True, "words", {"what": str(fault)})


def _booking_faults(ruleset: Ruleset) -> Iterator[Slip]:
    """A sheet Accounts that lacks what reports need of each booking."""
    for record in ruleset.records:
        names = {column.name for column in record.columns()} if record.sheet == ACCOUNTS else set(BOOKED)
        lacking = [name for name in BOOKED if name not in names]
        if record.sheet == ACCOUNTS and not names & {"turn", "year"}:
            lacking.insert(0, "turn")
        if lacking:
            yield Slip(True, "accounts", {"what": place_of(ruleset, record), "name": ", ".join(lacking)})


def _form_words(ruleset: Ruleset, modules: Modules) -> Iterator[Slip]:
    """Choices of the form of battles that have no second word: an Italian reader would have to type the English one."""
    for entry in ruleset.form.entries if ruleset.form is not None else ():
        words: dict[str, int] = defaultdict(int)
        for meant in entry.words.values():
            words[meant] += 1
        alone = [meant for meant, count in words.items() if count == 1 and len(meant) > 1]
        if alone:
            yield Slip(False, "words", {"what": _place_of_entry(modules, entry.name), "name": ", ".join(alone)})


def _place_of_entry(modules: Modules, name: str) -> str:
    for file, module in modules.items():
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and called_name(node) == FORM_ENTRY and node.args and (
                    isinstance(node.args[0], ast.Constant) and node.args[0].value == name):
                return f"{file}, {node.lineno}"
    return name


# With a scenario that can be begun.


def faults_in_scenario(ruleset: Ruleset, campaign: Campaign) -> Iterator[Slip]:
    """What shows only on a map and in a view: ways over roads of which there are none, sightings that leave out the
    armies of others.
    """
    yield from _way_faults(ruleset, campaign)
    if type(ruleset).sightings is Ruleset.sightings or not campaign.has(Army.sheet):
        return
    for faction in [row.faction for row in campaign.table(Faction) if row.role not in CLUBLESS]:
        view = ruleset.view(campaign, faction)
        by_itself = any(table.rows for table in Ruleset.sightings(ruleset, view, faction))
        if by_itself and not any(table.record.sheet == Army.sheet for table in ruleset.sightings(view, faction)):
            yield Slip(False, "sightings", {"what": place_of(ruleset, type(ruleset).sightings)})
            return


def _way_faults(ruleset: Ruleset, campaign: Campaign) -> Iterator[Slip]:
    kinds = {road.kind for road in campaign.table(Road)} if campaign.has(Road.sheet) else set()
    for verb in ruleset.verbs.values():
        yield from (Slip(True, "way", {"what": place_of(ruleset, verb.deed), "verb": verb.en, "name": kind.over})
                    for kind in verb.kinds.values()
                    if isinstance(kind, Path) and kind.over and kinds and kind.over not in kinds)
