"""Lints a ruleset: what a rulebook does not declare, or declares in vain.

What the code tells and does not declare is read from its source (`rulebook_source`), as far as it is written there as
a plain text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from assistant.campaign.records import ALL, BASE, OPTIONAL_RECORDS, REFEREE, Order
from assistant.campaign.tables import Record
from assistant.catalogues import italian_of
from assistant.desk.commands.rulesets import find_ruleset, prepare_and_check, scenarios_of
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.workspace import catches_abort
from assistant.environment import machine_language
from assistant.rulebook_source import (
    Modules,
    Slip,
    called_name,
    declared_faults,
    faults_in_scenario,
    private_uses,
    read_modules,
    text_faults,
)
from assistant.speech import braces
from assistant.turn.event_types import CATEGORIES, EACH_TIME
from assistant.turn.findings import Finding, Message, cited_keys, join_names
from assistant.turn.orders.requests import REASONS, ROLES
from assistant.turn.orders.verbs import as_order_book, roles_used
from assistant.turn.ruleset import OURS, Ruleset
from assistant.turn.texts import N_
from assistant.turn.views import secrecy_faults
from assistant.wording import Verbatim, Wording
from assistant.workbook.read.csv_folder import read_folder

WRONG, MISSING = "ARB-321", "ARB-322"
_BRACE = re.compile(r"\{[^{}]*\}")
NOISE = ("random", "secrets", "time", "uuid", "hashlib", "zlib")
"""Modules by which a phase that is played again comes to something else, or throws dice that nobody can verify."""
NOISY_METHODS = ("now", "today", "utcnow")
"""The same of methods, whatever they are called on."""
NOISY_CALLS = ("hash", "urandom", "getenv")
"""The same of functions: a text has another hash in each process."""
SHARED_SHEETS = "assistant.campaign.records"
"""Where the sheets are declared that all rulebooks share."""


@catches_abort("rulesets")
def lint_ruleset(ruleset_id: str, *, lang: str = "") -> Result:
    """What an installed ruleset leaves undeclared. Exit 1 where it would not play rightly, 0 where only words or
    citations are missing. Result data: ``ruleset``, ``wrong``, ``missing``: how many of each, ``seen_by_all``.
    """
    ruleset = find_ruleset(ruleset_id, lang)
    words = Wording(ruleset, lang or machine_language())
    result = Result("rulesets", wording=words)
    result.find(_lint_all(ruleset, ruleset_id))
    wrong = sum(finding.code == WRONG for finding in result.findings)
    missing = len(result.findings) - wrong
    result.exit = Exit.REFUSED if wrong else Exit.DONE
    seen = public_items(ruleset)
    result.data.update(ruleset=ruleset_id, wrong=wrong, missing=missing, seen_by_all=seen)
    if seen:
        result.say(words.text(N_("All see, beside secrets: {list}. Look whether it is meant so."),
                              list=Verbatim(join_names(seen))))
    result.say(words.text(N_("{title}: {wrong} wrong, {missing} missing."), title=Verbatim(ruleset.title), wrong=wrong,
                          missing=missing))
    return result


def _lint_all(ruleset: Ruleset, entry: str) -> Iterator[Finding]:
    yield from _lint_header(ruleset, entry)
    yield from (_wrong("see", what=fault) for fault in secrecy_faults(ruleset.records, ruleset.numbers))
    yield from _lint_phases_and_verbs(ruleset)
    yield from _lint_citations(ruleset)
    yield from _lint_source(ruleset)
    yield from _lint_scenarios(ruleset)
    if "it" in ruleset.languages:
        yield from _lint_italian(ruleset)


def _wrong(kind: str, **data: str) -> Finding:
    return Finding(WRONG, "error", data={"kind": kind, **{name: Verbatim(text) for name, text in data.items()}})


def _missing(kind: str, **data: str) -> Finding:
    return Finding(MISSING, "warning", data={"kind": kind, **{name: Verbatim(text) for name, text in data.items()}})


def _lint_header(ruleset: Ruleset, entry: str) -> Iterator[Finding]:
    if ruleset.id != entry:
        yield _wrong("id", what=ruleset.id, name=entry)
    yield from (_missing("attribute", what=name) for name in ("author", "version") if not getattr(ruleset, name))
    there = {record.sheet for record in ruleset.records}
    yield from (_wrong("sheet", what=record.sheet) for record in BASE
                if record.sheet not in there and record.sheet not in OPTIONAL_RECORDS)
    yield from (_wrong("code", what=code) for code in ruleset.findings if code.startswith("ARB-"))


def _lint_phases_and_verbs(ruleset: Ruleset) -> Iterator[Finding]:
    """Words that do not meet: of phases, of verbs, of columns, of questions."""
    phases = ruleset.calendar.phases()
    if not phases and type(ruleset).phase is Ruleset.phase:
        yield _wrong("calendar")
    taken = {phase.takes or phase.orders: phase.id for phase in phases.values() if phase.orders}
    given = {word for verb in ruleset.verbs.values() for word in verb.when}
    if phases:
        yield from (_wrong("verb", what=verb.en, name=word) for verb in ruleset.verbs.values()
                    for word in verb.when if word not in taken)
        yield from (_missing("orders", what=phase, name=word) for word, phase in taken.items() if word not in given)
    yield from (_wrong("judged", what=phase.id) for phase in phases.values()
                if phase.orders and phase.steps and not any(step.judged in ("together", "alone")
                                                            for step in phase.steps))
    yield from _lint_end(ruleset)
    columns = {column.name for column in ruleset.record(Order.sheet).columns()}
    yield from (_wrong("column", what=verb.en, name=name) for verb in ruleset.verbs.values()
                for name in verb.columns if name not in columns)
    yield from (_wrong("question", what=phase.id, name=kind) for phase in phases.values()
                for kind in phase.waits_for if kind not in ruleset.questions)
    yield from lint_roles(ruleset)


def _lint_end(ruleset: Ruleset) -> Iterator[Finding]:
    """A rulebook of which nothing says when a campaign ends."""
    says = any(getattr(type(ruleset), name) is not getattr(Ruleset, name)
               for name in ("last_turn", "is_over", "advance", "phase_ids"))
    if ruleset.calendar.turn and not says and not ruleset.closing:
        yield _wrong("end")


def lint_roles(ruleset: Ruleset) -> Iterator[Finding]:
    """What the book says of wrong orders in findings that it does not declare, or with braces that nothing fills; with
    the verbs and columns that are refused so.
    """
    book = as_order_book(ruleset.verbs)
    for name, declared in book.says.items():
        places = [place for verb in book.values() for role, place in roles_used(verb) if role == name]
        where = ", ".join(dict.fromkeys(places)) or name
        message = ruleset.findings.get(declared.code)
        if message is None:
            yield _wrong("role", what=name, name=declared.code, where=where)
            continue
        empty = sorted({brace.name for brace in braces(*_texts_of(message, name))} - set(declared.names or {}))
        yield from (_wrong("brace", what=name, name=declared.code, where=where, brace=brace,
                           words=", ".join(ROLES[name]))
                    for brace in empty)


def _texts_of(message: Message, role: str) -> list[str]:
    """The texts of a finding that a role may show: not those for the reasons of other roles."""
    others = {word for name, words in REASONS.items() if name != role for word in words}
    return [message.text, *(text for key, text in (message.variants[1].items() if message.variants else ())
                            if not any(f" {key}".endswith(f" {word}") for word in others))]


def _lint_citations(ruleset: Ruleset) -> Iterator[Finding]:
    """What cites nothing, or what nobody declares; categories of which no report knows the heading."""
    cited = [(phase.id, phase.rule) for phase in ruleset.calendar.phases().values()]
    phases_cite = all(rule for _, rule in cited)  # what an event does not say its phase does
    cited += [(event.type, event.rule) for event in ruleset.events.values() if event.rule or not phases_cite]
    cited += [(number.key, number.source) for number in ruleset.numbers]
    known = {key for citation in ruleset.citations.values() for key in (citation.key, *citation.was)}
    for what, rule in cited:
        if not rule:
            yield _missing("rule", what=what)
        yield from (_missing("citation", what=what, name=key) for key in cited_keys(rule) if known and key not in known)
    yield from (_missing("category", what=event.type, name=event.category) for event in ruleset.events.values()
                if event.category not in CATEGORIES and event.category not in ruleset.categories)


def _lint_source(ruleset: Ruleset) -> Iterator[Finding]:
    """Events and findings that the code uses without declaring them, events that nobody is said to hear, imports that a
    plug-in may not make, and what is wrong with texts in two languages; each with its file and line.
    """
    unheard = {event.type for event in ruleset.events.values() if not event.to}
    modules = read_modules(ruleset)
    package = type(ruleset).__module__.rpartition(".")[0]
    own = package if package.startswith(OURS) else ""
    yield from _lint_chapters(ruleset, modules)
    for file, module in modules.items():
        yield from (_wrong("noise", what=f"{file}, {line}", name=name) for line, name in _noise(module))
        yield from (_wrong("import", what=f"{file}, {line}", name=name) for line, name in private_uses(module, own))
        for node in ast.walk(module):
            place = f"{file}, {getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Call):
                name, texts = called_name(node), _texts(node.args[0]) if node.args else []
                for text in texts:
                    if name == "tell":
                        yield from _lint_telling(ruleset, node, text, place)
                    elif name in ("find", "finding", "Refused") and text not in ruleset.findings and not (
                            name == "Refused" and text in ROLES):
                        yield _wrong("finding", what=place, name=text)
                    elif text in unheard and len(node.args) > 1:
                        unheard.remove(text)
                        yield _wrong("unheard", what=place, name=text)
    yield from (_wrong("unheard", what="events", name=name) for name in sorted(unheard))
    yield from (_wrong(fault.kind, what=fault.place, text=fault.text, name=fault.detail)
                for fault in text_faults(ruleset, modules))
    yield from map(_finding_of, declared_faults(ruleset, modules))


def _finding_of(fault: Slip) -> Finding:
    return (_wrong if fault.wrong else _missing)(fault.kind, **fault.data)


def _noise(module: ast.Module) -> Iterator[tuple[int, str]]:
    """What is no throw of dice, each with its line: chance, the time, the machine, hashes."""
    brought = {name.asname or name.name for node in ast.walk(module) if isinstance(node, ast.ImportFrom)
               for name in node.names} | {"hash"}
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name) for name in node.names if name.name.partition(".")[0] in NOISE)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in NOISE:
            yield node.lineno, node.module or ""
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            its_own = isinstance(node.func, ast.Name) and name not in brought
            if not its_own and ((name.rpartition(".")[2] in NOISY_METHODS and not node.args)
                                or name.removeprefix("os.") in NOISY_CALLS):
                yield node.lineno, f"{name}()"


def _lint_chapters(ruleset: Ruleset, modules: Modules) -> Iterator[Finding]:
    """Chapters that cite nothing, each with the file and line where it is declared."""
    places = {text: f"{file}, {node.lineno}" for file, module in modules.items() for node in ast.walk(module)
              if isinstance(node, ast.Call) and node.args for text in _texts(node.args[0])}
    yield from (_wrong("chapter", what=places.get(chapter.title, "chapters"), name=chapter.title)
                for chapter in ruleset.chapters if not chapter.rule)


def _lint_telling(ruleset: Ruleset, call: ast.Call, event: str, place: str) -> Iterator[Finding]:
    """An event that nobody declares, or whose hearers neither its type nor who tells it names."""
    declared = ruleset.events.get(event)
    if declared is None:
        yield _wrong("event", what=place, name=event)
    elif len(call.args) == 1:
        if declared.to == EACH_TIME:
            yield _wrong("hearers", what=place, name=event)
        given = {keyword.arg for keyword in call.keywords}
        if isinstance(declared.to, str) and declared.to not in (EACH_TIME, ALL, REFEREE) and None not in given:
            yield from (_wrong("parameter", what=place, name=event, brace=name) for name in declared.to.split()
                        if name not in given)


def _texts(node: ast.expr) -> list[str]:
    """The texts that an expression can be, as far as they are written there."""
    if isinstance(node, ast.IfExp):
        return _texts(node.body) + _texts(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) and isinstance(node.value, str) else []


def _lint_scenarios(ruleset: Ruleset) -> Iterator[Finding]:
    """Whether a campaign can be begun with each scenario that comes along."""
    brought = scenarios_of(ruleset)
    if not brought:
        yield _missing("scenario")
    for name, folder in brought.items():
        _, campaign, findings = read_folder(folder, ruleset)
        words, problems = Wording(ruleset, "en"), findings or prepare_and_check(ruleset, campaign)
        stops = [finding for finding in problems if finding.stops]
        yield from (_wrong("scenario", what=name, name=f"{finding.code} {words.finding(finding)}") for finding in stops)
        if not stops:
            yield from map(_finding_of, faults_in_scenario(ruleset, campaign))


def _lint_italian(ruleset: Ruleset) -> Iterator[Finding]:
    """How many of the texts that it declares have no Italian."""
    texts = [*(finding.text for finding in ruleset.findings.values()),
             *(event_type.text for event_type in ruleset.events.values()),
             *(question_type.text for question_type in ruleset.questions.values()),
             *(verb.help for verb in ruleset.verbs.values()),
             *(rule.meaning for rule in ruleset.numbers)]
    lacking = [text for text in dict.fromkeys(texts)
               if any(map(str.isalpha, _BRACE.sub("", text))) and italian_of(text, ruleset) == text]
    if lacking:
        yield _missing("italian", what=str(len(lacking)), text=lacking[0])


def public_items(ruleset: Ruleset) -> list[str]:
    """What all see in a rulebook that has secrets, for its author to confirm: columns (``Sheet.field``) of its own on
    sheets whose rows belong to somebody, and events that are told to all.
    """
    own = {record: [column for column in record.columns() if not column.key and not _is_shared(record, column.name)]
           for record in ruleset.records if record.sheet != Order.sheet}
    hidden = [column for columns in own.values() for column in columns if column.see != "public"]
    if not hidden and all(event.to == ALL for event in ruleset.events.values()):
        return []
    columns = [f"{record.sheet}.{column.name}" for record, columns in own.items() if record.whose
               for column in columns if column.see == "public"]
    return [*columns, *(event.type for event in ruleset.events.values() if event.to == ALL)]


def _is_shared(record: type[Record], name: str) -> bool:
    """Whether a column is one that all rulebooks have, and the rulebook does not declare it anew."""
    holder = next((base for base in record.__mro__ if name in vars(base).get("__annotations__", {})), record)
    return holder.__module__ == SHARED_SHEETS
