"""Lints a ruleset: what it does not declare, or declares in vain.

What the code tells and does not declare is read from its source, as far as it is written there as a plain text.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from assistant.campaign.records import BASE, OPTIONAL_RECORDS, Order
from assistant.catalogues import italian_of
from assistant.desk.commands.new_campaign import prepare_and_check
from assistant.desk.commands.rulesets import find_ruleset, scenarios_of
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.workspace import Abort
from assistant.environment import machine_language
from assistant.speech import braces
from assistant.turn.event_types import CATEGORIES
from assistant.turn.findings import Finding, cited_keys
from assistant.turn.orders.requests import ROLES
from assistant.turn.orders.verbs import as_order_book, roles_used
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.turn.views import undeclared
from assistant.wording import Verbatim, Wording
from assistant.workbook.read.csv_folder import read_folder

WRONG, MISSING = "ARB-321", "ARB-322"
_BRACE = re.compile(r"\{[^{}]*\}")
MAY_IMPORT = ("assistant.campaign", "assistant.turn", "assistant.rulesets", "assistant.testing")


def lint_ruleset(ruleset_id: str, *, lang: str = "") -> Result:
    """What an installed ruleset leaves undeclared. Exit 1 where it would not play rightly, 0 where only words or
    citations are missing. Result data: ``ruleset``, ``wrong``, ``missing``: how many of each.
    """
    try:
        ruleset = find_ruleset(ruleset_id, lang)
    except Abort as stopped:
        return stopped.result("rulesets")
    words = Wording(ruleset, lang or machine_language())
    result = Result("rulesets", wording=words)
    result.find(_lint_all(ruleset, ruleset_id))
    wrong = sum(finding.code == WRONG for finding in result.findings)
    missing = len(result.findings) - wrong
    result.exit = Exit.REFUSED if wrong else Exit.DONE
    result.data.update(ruleset=ruleset_id, wrong=wrong, missing=missing)
    result.say(words.text(N_("{title}: {wrong} wrong, {missing} missing."), title=Verbatim(ruleset.title), wrong=wrong,
                          missing=missing))
    return result


def _lint_all(ruleset: Ruleset, entry: str) -> Iterator[Finding]:
    yield from _lint_header(ruleset, entry)
    yield from (_wrong("see", what=said) for said in undeclared(ruleset.records, ruleset.numbers))
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
    columns = {column.name for column in ruleset.record(Order.sheet).columns()}
    yield from (_wrong("column", what=verb.en, name=name) for verb in ruleset.verbs.values()
                for name in verb.columns if name not in columns)
    yield from (_wrong("question", what=phase.id, name=kind) for phase in phases.values()
                for kind in phase.waits_for if kind not in ruleset.questions)
    yield from _lint_roles(ruleset)


def _lint_roles(ruleset: Ruleset) -> Iterator[Finding]:
    """What the book says of wrong orders in findings that it does not declare, or with braces that nothing fills; with
    the verbs and columns that are refused so.
    """
    book = as_order_book(ruleset.verbs)
    for name, one in book.says.items():
        places = [place for verb in book.values() for role, place in roles_used(verb) if role == name]
        where = ", ".join(dict.fromkeys(places)) or name
        message = ruleset.findings.get(one.code)
        if message is None:
            yield _wrong("role", what=name, name=one.code, where=where)
            continue
        texts = [message.text, *(message.variants[1].values() if message.variants else ())]
        empty = sorted({brace.name for brace in braces(*texts)} - set(one.names or {}))
        yield from (_wrong("brace", what=name, name=one.code, where=where, brace=brace, words=", ".join(ROLES[name]))
                    for brace in empty)


def _lint_citations(ruleset: Ruleset) -> Iterator[Finding]:
    """What cites nothing, or what nobody declares; categories of which no report knows the heading."""
    cited = [(phase.id, phase.rule) for phase in ruleset.calendar.phases().values()]
    phases_cite = all(rule for _, rule in cited)  # what an event does not say its phase does
    cited += [(event.type, event.rule) for event in ruleset.events.values() if event.rule or not phases_cite]
    cited += [(number.key, number.source) for number in ruleset.numbers]
    known = {key for one in ruleset.citations.values() for key in (one.key, *one.was)}
    for what, rule in cited:
        if not rule:
            yield _missing("rule", what=what)
        yield from (_missing("citation", what=what, name=key) for key in cited_keys(rule) if known and key not in known)
    yield from (_missing("category", what=event.type, name=event.category) for event in ruleset.events.values()
                if event.category not in CATEGORIES and event.category not in ruleset.categories)


def _lint_source(ruleset: Ruleset) -> Iterator[Finding]:
    """Events and findings that the code uses without declaring them, and imports that a plug-in may not make; each with
    its file and line.
    """
    home = ruleset.homes()[0].folder
    for path in sorted(Path(home).rglob("*.py")) if home else ():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            place = f"{path.relative_to(home).as_posix()}, {getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("assistant."):
                if not f"{node.module}.".startswith(tuple(f"{room}." for room in MAY_IMPORT)):
                    yield _wrong("import", what=place, name=node.module or "")
            elif isinstance(node, ast.Call):
                name, text = _called_name(node), _first_text(node)
                if name == "tell" and text and text not in ruleset.events:
                    yield _wrong("event", what=place, name=text)
                if name in ("find", "finding", "Refused") and text and text not in ruleset.findings and not (
                        name == "Refused" and text in ROLES):
                    yield _wrong("finding", what=place, name=text)


def _called_name(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def _first_text(node: ast.Call) -> str:
    first = node.args[0] if node.args else None
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""


def _lint_scenarios(ruleset: Ruleset) -> Iterator[Finding]:
    """Whether a campaign can be begun with each scenario that comes along."""
    brought = scenarios_of(ruleset)
    if not brought:
        yield _missing("scenario")
    for name, folder in brought.items():
        _, campaign, findings = read_folder(folder, ruleset)
        words, problems = Wording(ruleset, "en"), findings or prepare_and_check(ruleset, campaign)
        yield from (_wrong("scenario", what=name, name=f"{finding.code} {words.finding(finding)}")
                    for finding in problems if finding.stops)


def _lint_italian(ruleset: Ruleset) -> Iterator[Finding]:
    """How many of the texts that it declares have no Italian."""
    texts = [*(one.text for one in ruleset.findings.values()), *(one.text for one in ruleset.events.values()),
             *(one.text for one in ruleset.questions.values()), *(one.help for one in ruleset.verbs.values()),
             *(one.meaning for one in ruleset.numbers)]
    lacking = [text for text in dict.fromkeys(texts)
               if any(map(str.isalpha, _BRACE.sub("", text))) and italian_of(text, ruleset) == text]
    if lacking:
        yield _missing("italian", what=str(len(lacking)), name=ruleset.id, text=lacking[0])
