"""Updates, checks and compiles message catalogues, and previews messages with sample names."""

from __future__ import annotations

import ast
import csv
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.catalogues import DOMAIN, LANGUAGES, locale_folder
from assistant.environment import scenario_names, shipped_folder, shipped_scenario
from assistant.rulebook_source import (
    brace_names,
    noted_texts,
    odd_forms,
    plain_text,
    read_modules,
    source_folder,
    text_faults,
)
from assistant.speech import Brace, Names, RowName, braces
from assistant.turn.findings import Message as FindingText
from assistant.turn.messages import COMMON, COMMON_EVENTS
from assistant.turn.numbers import Number
from assistant.turn.rulebooks import UnfitRuleset, installed_rulesets, load
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import Meaning, meaning_of
from assistant.wording import TITLE_SEPARATOR, WORD, Wording

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message


# Previews of messages with sample names.
#
# Also checks: names without an article after a preposition or at the head of a sentence, and forms of names that the
# language does not have.


SAMPLE_KINDS = ("masculine", "feminine", "plural", "vowel")
_NAMES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "it": {"faction": ("Papato", "Turchia", "Spagna e collegati", "Inghilterra"),
           "place": ("Golfo di Napoli", "Zara", "Castello di Trowbridge", "Alessandria"),
           "piece": ("V-1", "S-2", "Compagnia bianca", "A-MIL")},
    "en": {"faction": ("Papal State", "Venice", "Ottomans", "England"),
           "place": ("Gulf of Naples", "Zara", "Trowbridge Castle", "Upper Adriatic"),
           "piece": ("V-1", "S-2", "White Company", "A-MIL")},
}
"""Names of factions, places and other things, one for each of `SAMPLE_KINDS`."""


def meanings_by_text(ruleset: Ruleset | None) -> dict[str, Mapping[str, Meaning]]:
    """Text -> what its parameters mean, of declared messages; for other texts parameter names decide."""
    declared: list[Any] = [*COMMON.values(), *COMMON_EVENTS.values()] if ruleset is None else [
        *ruleset.events.values(), *ruleset.questions.values(), *ruleset.findings.values()]
    return {text: message.means for message in declared if message.means
            for text in (message.text, *(message.variants[1].values() if message.variants else ()))}


def _is_name(brace: Brace, means: Mapping[str, Meaning] | None) -> bool:
    return meaning_of(brace.name, means) in ("faction", "place")


def preview_messages(catalogue: Catalog, lang: str, ruleset: Ruleset | None) -> Iterator[str]:
    """Every message of a catalogue: once, or with a name of each kind where it names a faction or a place."""
    means = meanings_by_text(ruleset)
    for message in catalogue:
        if not message.id or message.context:
            continue
        spoken = message.id if lang == "en" or isinstance(message.id, str) else message.string or ()
        for msgid in (spoken,) if isinstance(spoken, str) else spoken:
            meanings = means.get(msgid)
            kinds = range(len(SAMPLE_KINDS)) if any(_is_name(brace, meanings) for brace in braces(msgid)) else (0,)
            yield from dict.fromkeys(_with_samples(msgid, lang, ruleset, meanings, kind) for kind in kinds)


def _with_samples(
    msgid: str, lang: str, ruleset: Ruleset | None, means: Mapping[str, Meaning] | None, kind: int
) -> str:
    """A message with names of one kind of `SAMPLE_KINDS`; a second parameter that names something takes the next
    kind.
    """
    called: dict[str, dict[str, RowName]] = {"faction": {}, "place": {}, "piece": {}}
    data: dict[str, Any] = {}
    for place, name in enumerate(dict.fromkeys(brace.name for brace in braces(msgid))):
        meaning = meaning_of(name, means)
        if meaning in called:
            code = f"~{name}"
            called[meaning][code] = RowName(_NAMES[lang][meaning][(kind + place) % len(SAMPLE_KINDS)])
            data[name] = code
        else:
            data[name] = f"<{name}>"
    words = Wording(ruleset, lang, Names(lang, called["faction"], called["place"], called["piece"]))
    return words.sentence(msgid, data, means)


def preview_catalogues(catalogues: Iterable[tuple[Catalog, Ruleset | None]], lang: str) -> Iterator[str]:
    """All messages of some catalogues, one a line."""
    for catalogue, ruleset in catalogues:
        yield from preview_messages(catalogue, lang, ruleset)


# Message catalogues: ``python -m assistant.edit_catalogue update`` or ``check``, for Arbitro or for a plug-in.
#
# `update` collects every text that a reader may see, from the code, the templates and the declarations of
# the rulesets that ship with Arbitro, merges them into the .po files in a fixed order, and lists texts without a
# translation and texts no longer used. What a ruleset declares with its Italian is not collected; a catalogue in which
# nothing is left is deleted. `check` changes nothing; it fails if `update` would have something to do, if a translation
# is missing, fuzzy, or has other braces than its original, or if anything is wrong with a text in two languages.
# With the id of an installed ruleset both look only at its catalogue: a plug-in's is in the folder ``locale`` beside
# its code. `compile` gives a checkout the compiled catalogues that an installation has.


PACKAGE = Path(__file__).resolve().parent
MARKS = frozenset({"_", "N_", "text", "Said", "TableOf", "besides", "DeclaredTable", "sparse_table", "Fact", "Circle"})
PLURALS = frozenset({"plural"})
PLURAL_FORMS = "nplurals=2; plural=(n != 1);"
"""One and many. Newer versions of Babel know more forms (Italian millions since 2.18); we use no others, and our files
must not depend on the version.
"""
_MARKED = re.compile(rf"\b(?:{'|'.join(sorted(MARKS | PLURALS))})\s*\(")
NO_DATE = datetime(2026, 1, 1, tzinfo=UTC)
"""The date in every catalogue: fixed, so that only changed texts change a file."""



@dataclass
class Texts:
    """What is to be translated in one domain: single texts, (one, many) pairs, and single words."""

    texts: set[str] = field(default_factory=set)
    plurals: dict[str, str] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.texts or self.plurals or self.words)

    def add(self, texts: Iterable[str]) -> None:
        """Add texts, except blank ones."""
        self.texts.update(text for text in texts if text)


# --- collecting -------------------------------------------------------------------------------
def add_python_texts(source: str, into: Texts) -> None:
    """Add the texts of a Python file: the first argument of the marks, both of ``plural``.

    Raises SyntaxError for a file that is not Python, if it seems to contain a mark.
    """
    if not _MARKED.search(source):  # true of most files; parsing all would take seconds
        return
    inside_plurals: set[ast.AST] = set()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or node in inside_plurals:
            continue
        name = _called_name(node)
        if name in PLURALS and len(node.args) > 1:
            inside_plurals.update(node.args[:2])
            one, many = _literal(node.args[0]), _literal(node.args[1])
            if one and many:
                into.plurals[one] = many
        elif name in MARKS and node.args:
            into.add(filter(None, [_literal(node.args[0])]))
            into.add(_literal(word.value) or "" for word in node.keywords if word.arg == "label")


def _called_name(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id if node.func.id != "text" else ""
    return node.func.attr if isinstance(node.func, ast.Attribute) and node.func.attr in ("text", "plural") else ""


def _literal(node: ast.AST) -> str | None:
    return plain_text(node.args[0] if isinstance(node, ast.Call) and _called_name(node) in ("N_", "_") and node.args
                      else node)


def add_template_texts(source: bytes, into: Texts) -> None:
    """Add the texts that a Jinja template marks with ``_("…")``."""
    from jinja2.ext import babel_extract

    for _, function, message, _ in babel_extract(BytesIO(source), ("_", "ngettext"), [], {"trimmed": "true"}):
        if function == "ngettext" and isinstance(message, tuple):
            into.plurals[str(message[0])] = str(message[1])
        elif isinstance(message, str):
            into.add([message])


def _of_findings(messages: Iterable[FindingText], into: Texts) -> None:
    for message in messages:
        into.add((message.text, *(message.variants[1].values() if message.variants else ())))


def add_ruleset_texts(ruleset: Ruleset, into: Texts) -> None:
    """Add the texts that a ruleset declares, but no headings: these are declared in both languages."""
    _of_findings(ruleset.findings.values(), into)
    for event in ruleset.events.values():
        into.add((event.text, *(event.variants[1].values() if event.variants else ()), *(event.verdicts or ())))
    for question in ruleset.questions.values():
        into.add((question.text, *(question.variants[1].values() if question.variants else ()),
                  *([question.duty] if question.duty else ())))
    for number in ruleset.numbers:
        into.add((number.meaning, *((number.unit,) if isinstance(number, Number) else number.words)))
    into.add(verb.help for verb in ruleset.verbs.values())
    into.add((*ruleset.categories.values(), ruleset.shared))
    into.words.update(ruleset.words)


def shipped_rulesets() -> list[Ruleset]:
    """The rulesets that ship with Arbitro."""
    return [load(name) for name, place in installed_rulesets().items() if place.startswith("assistant.")]


def scenario_titles(ruleset: Ruleset) -> Iterator[str]:
    """The titles of a ruleset's scenarios, which readers see in their own language."""
    home = ruleset.homes()[0]
    for name in scenario_names(home.ruleset, home.folder):
        desk = shipped_scenario(home.ruleset, name, home.folder) / "desk.csv"
        settings = dict(line[:2] for line in csv.reader(desk.read_text("utf-8").splitlines())) if desk.is_file() else {}
        title = settings.get("title", "")
        yield "" if TITLE_SEPARATOR in title else title


def texts_of(ruleset: Ruleset) -> Texts:
    """What is to be translated of one ruleset: texts declared or marked in its code, without those that have their
    Italian there.
    """
    texts = Texts()
    add_ruleset_texts(ruleset, texts)
    if type(ruleset).__module__.startswith("assistant."):  # titles of plug-ins are not translated
        texts.add(scenario_titles(ruleset))
    folder = source_folder(ruleset)
    for path in sorted(folder.rglob("*.py")) if folder else ():
        add_python_texts(path.read_text(encoding="utf-8"), texts)
    for text in noted_texts(ruleset, read_modules(ruleset)):
        (texts.words if text.word else texts.texts).discard(text.english)
    return texts


def collect(rulesets: Iterable[Ruleset]) -> dict[str, Texts]:
    """Domain -> its texts, of Arbitro and these rulesets."""
    wings = PACKAGE / "rulesets"
    domains = {DOMAIN: Texts(), **{ruleset.homes()[0].domain: texts_of(ruleset) for ruleset in rulesets}}
    house = domains[DOMAIN]
    _of_findings(COMMON.values(), house)
    for path in sorted(PACKAGE.rglob("*.py")):
        if wings not in path.parents and path != Path(__file__).resolve():
            add_python_texts(path.read_text(encoding="utf-8"), house)
    for path in sorted(shipped_folder("reports").glob("*.j2")):
        add_template_texts(path.read_bytes(), house)
    return domains


# --- catalogues -------------------------------------------------------------------------------
def read_catalogue(path: Path, lang: str, domain: str) -> Catalog:
    """The catalogue in a file; an empty one if there is no file."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import read_po

    if not path.is_file():
        return Catalog(locale=lang, domain=domain)
    with path.open("rb") as stream:
        return read_po(stream, locale=lang, domain=domain)


def merge_texts(texts: Texts, old: Catalog, lang: str, domain: str) -> Catalog:
    """A catalogue of texts with their known translations, in a fixed order."""
    from babel.messages.catalog import Catalog

    new = Catalog(locale=lang, domain=domain, project="Arbitro", copyright_holder="the authors of Arbitro",
                  creation_date=NO_DATE, revision_date=NO_DATE, last_translator="Arbitro", language_team="Arbitro",
                  msgid_bugs_address="see README.md", fuzzy=False)
    new.mime_headers = [("Plural-Forms", PLURAL_FORMS)]
    new.header_comment = f"# {domain}: the words of Arbitro, language {lang}."
    keys: list[tuple[str, str | tuple[str, str], str | None]] = [
        (text, text, None) for text in texts.texts if text not in texts.plurals]
    keys += [(text, (text, many), None) for text, many in texts.plurals.items()]
    keys += [(word, word, WORD) for word in texts.words]
    for first, msgid, context in sorted(keys, key=lambda k: (k[2] or "", k[0])):
        known = old.get(first, context=context)
        string = known.string if known is not None else None
        if isinstance(msgid, tuple) != isinstance(string, (tuple, list)):
            string = None
        flags = ("fuzzy",) if known is not None and known.fuzzy else ()
        new.add(msgid, string, context=context, flags=flags)
    return new


def po_bytes(catalogue: Catalog) -> bytes:
    """A catalogue as the bytes of its .po file."""
    from babel.messages.pofile import write_po

    out = BytesIO()
    write_po(out, catalogue, width=110, no_location=True, sort_output=False)
    lines = out.getvalue().decode("utf-8").splitlines()
    # the line that names the version of Babel would change the file with each new one
    return ("\n".join(line for line in lines if not line.startswith('"Generated-By:')) + "\n").encode("utf-8")


def identity(message: Message) -> tuple[str, str]:
    """Context and text of a message."""
    return message.context or "", message.id[0] if isinstance(message.id, tuple) else str(message.id)


def problems(catalogue: Catalog) -> list[str]:
    """What is wrong with translations: missing, fuzzy, different braces, or forms that the language lacks."""
    faults = []
    for message in catalogue:
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, (tuple, list)) else (message.id,)
        given = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
        strings = [text or "" for text in given]
        if not all(strings) or len(strings) < len(ids):
            faults.append(f"not translated: {ids[0]!r}")
        elif message.fuzzy:
            faults.append(f"fuzzy: {ids[0]!r}")
        # the singular may do without the number: "one order"
        elif brace_names(ids[-1]) != brace_names(strings[-1]) or not brace_names(strings[0]) <= brace_names(*ids):
            faults.append(f"other braces: {ids[0]!r}")
        lang = str(catalogue.locale_identifier)
        odd = [form for text in ids for form in odd_forms(text, "en")]
        odd += [form for text in strings for form in odd_forms(text, lang)]
        faults += [f"no such form: {form} of {ids[0]!r}" for form in odd]
    return faults


@dataclass(frozen=True)
class CatalogueState:
    """One .po file: its present and its wanted content, and what is wrong or unused in it."""

    path: Path
    now: bytes
    wanted: bytes
    wrong: tuple[str, ...]
    unused: tuple[str, ...]


def catalogue_states(
    rulesets: Iterable[Ruleset], collected: Mapping[str, Texts] | None = None
) -> Iterator[CatalogueState]:
    """All catalogues, language by language. `collected`: the result of `collect`, if it is at hand."""
    every = list(rulesets)
    places = {DOMAIN: locale_folder(), **{r.homes()[0].domain: locale_folder(r) for r in every}}
    for domain, texts in sorted((collect(every) if collected is None else collected).items()):
        yield from _states_in(domain, places[domain], texts)


def catalogue_states_of(ruleset: Ruleset) -> Iterator[CatalogueState]:
    """The catalogues of one ruleset."""
    yield from _states_in(ruleset.homes()[0].domain, locale_folder(ruleset), texts_of(ruleset))


def _states_in(domain: str, place: Path, texts: Texts) -> Iterator[CatalogueState]:
    for lang in LANGUAGES[1:]:
        path = place / lang / "LC_MESSAGES" / f"{domain}.po"
        if not (texts or path.is_file()):
            continue
        old = read_catalogue(path, lang, domain)
        new = merge_texts(texts, old, lang, domain)
        there = {identity(m) for m in new}
        unused = tuple(sorted(f"not used any more: {identity(m)[1]!r}" for m in old if identity(m) not in there))
        yield CatalogueState(
            path, path.read_bytes() if path.is_file() else b"", po_bytes(new) if texts else b"", tuple(problems(new)),
            unused
        )


def compile_all() -> None:
    """Compile each of our .po files to a .mo beside it, and delete those of catalogues that are gone."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    for compiled in locale_folder().glob("*/LC_MESSAGES/*.mo"):
        if not compiled.with_suffix(".po").is_file():
            compiled.unlink()
    for source in sorted(locale_folder().glob("*/LC_MESSAGES/*.po")):
        with source.open("rb") as text, source.with_suffix(".mo").open("wb") as made:
            write_mo(made, read_po(text))


def italian_catalogues(rulesets: Iterable[Ruleset], *, house: bool = True) -> Iterator[tuple[Catalog, Ruleset | None]]:
    """All Italian texts of rulesets, after those of Arbitro itself. Their ids are the English texts."""
    if house:
        yield read_catalogue(locale_folder() / "it" / "LC_MESSAGES" / f"{DOMAIN}.po", "it", DOMAIN), None
    for ruleset in rulesets:
        domain = ruleset.homes()[0].domain
        catalogue = read_catalogue(locale_folder(ruleset) / "it" / "LC_MESSAGES" / f"{domain}.po", "it", domain)
        for text in noted_texts(ruleset, read_modules(ruleset)):
            catalogue.add(text.english, text.italian, context=WORD if text.word else None)
        yield catalogue, ruleset


def _report_faults(rulesets: Iterable[Ruleset]) -> bool:
    """Print what is wrong with texts that rulesets declare with their Italian. Returns whether anything is."""
    faults = [(ruleset.id, fault) for ruleset in rulesets for fault in text_faults(ruleset, read_modules(ruleset))]
    for name, fault in faults:
        print(f"{name}/{fault.place}: {fault.kind} {fault.detail}: {fault.text!r}")
    return bool(faults)


def _print_preview(lang: str, name: str = "") -> int:
    for line in preview_catalogues(
        italian_catalogues([load(name)] if name else shipped_rulesets(), house=not name), lang
    ):
        print(line)
    return 0


def main(arguments: list[str]) -> int:
    """Run ``update``, ``check``, ``compile``, or ``preview_messages``, which prints every message of a language with
    sample names. With an id: for that ruleset alone.

    Returns 0 if nothing is wrong, 1 if something is, 2 for wrong usage.
    """
    if arguments == ["compile"]:
        compile_all()
        return 0
    if arguments[:1] == ["aloud"] and len(arguments) in (2, 3) and arguments[1] in LANGUAGES:
        return _print_preview(*arguments[1:])
    if arguments[:1] not in (["update"], ["check"]) or len(arguments) > 2:
        print("usage: python -m assistant.edit_catalogue update|check [RULESET], aloud en|it [RULESET], or compile",
              file=sys.stderr)
        return 2
    try:
        rulesets = [load(arguments[1])] if arguments[1:] else shipped_rulesets()
    except (KeyError, UnfitRuleset) as no:
        print(f"no such ruleset, or it cannot be used: {no}. Installed: {', '.join(installed_rulesets())}",
              file=sys.stderr)
        return 2
    bad = _report_faults(rulesets)
    for work in catalogue_states_of(rulesets[0]) if arguments[1:] else catalogue_states(rulesets):
        stale = work.now != work.wanted
        for line in (*work.unused, *work.wrong):
            print(f"{work.path.parent.parent.name}/{work.path.name}: {line}")
        if stale and arguments[0] == "update" and not work.wanted:
            work.path.unlink()
        elif stale and arguments[0] == "update":
            work.path.parent.mkdir(parents=True, exist_ok=True)
            work.path.write_bytes(work.wanted)
        elif stale:
            print(f"{work.path.parent.parent.name}/{work.path.name}: not up to date, run update")
            bad = True
        bad = bad or bool(work.wrong)
    return int(bad)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
