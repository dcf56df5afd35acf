"""Parses typed lines into orders, answers, dice, withdrawals and battle results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Text, Typed, Whole
from assistant.campaign.records import Army, Battle, Die, Faction, FormRow, Question, code_lookup
from assistant.desk.intake.check_inputs import unknown_battle
from assistant.desk.play_phase import TurnPhase, has_asked, next_order_phase, phases_to_come
from assistant.desk.typed_inputs import form_fields
from assistant.turn.absence import parse_club_line, parse_standing_order, readiness_word
from assistant.turn.answers import check_answer
from assistant.turn.battle_form import fits_column, set_from_text
from assistant.turn.battle_results import NOT_READ, battle_code, is_confirmation, parse_report, unfit_report
from assistant.turn.dice import REFEREE
from assistant.turn.dice_purposes import example_of_battle
from assistant.turn.findings import Finding
from assistant.turn.orders.words import strip_marks
from assistant.turn.questions import UnfitAnswer, strip_until
from assistant.turn.ruleset import Ruleset
from assistant.workbook.read.input_rows import kinds_in_words

# Plain lines such as ``V8 F7``, ``V: V8 F7``, ``bribe V8 50``: the first words decide what a line is.
#
# Questions, dice and battles may be named in English or in Italian.


DIE_WORDS = ("die", "dice", "dado", "dadi")
REFEREES = (REFEREE, "arbitro")
ANSWER_WORDS = ("answer", "risposta")
CHOICE_WORDS = ("choice", "scelta")
"""Words before a question's own name and an option; elsewhere they may be a kind of question."""
BATTLE_WORDS = ("battle", "battaglia")
_PREFIX = re.compile(r"\s*([^:\n]+?)\s*:\s*(\S.*)", re.DOTALL)


@dataclass(frozen=True)
class TypedLine:
    """A line with its kind. `kind`: ``order``, ``answer``, ``die``, ``battle`` or ``form`` (a further part of a
    battle's); `words`: without prefix.
    """

    kind: str
    faction: str
    words: str


def classify_line(text: str, ruleset: Ruleset, campaign: Campaign, faction: str = "") -> TypedLine:
    """Determine the faction and the kind of a line; list marks and surrounding punctuation are stripped.

    A prefix before a colon (a faction's code or name, or the code of an army or of anything else a faction has)
    says whose; else `faction`; else the only faction with an army where the line begins.
    """
    words = strip_marks(text)
    match = _PREFIX.fullmatch(words)
    if match:
        owner, unit = _owner_and_unit(campaign, match[1])
        if owner:
            faction, words = owner, strip_marks(match[2])
            if unit and not words.upper().startswith(unit.upper()):
                words = f"{unit} {words}"
    first = words.split()[0].casefold() if words else ""
    if first in CHOICE_WORDS and _names_open_question(words.partition(" ")[2], campaign):
        return TypedLine("answer", faction, words.split(None, 1)[1])
    if faction and is_club_statement(words, ruleset):
        return TypedLine("answer", faction, words)
    if (short := _answer_first(words, ruleset, campaign, faction)) is not None:
        return short
    if first in ANSWER_WORDS and " " in words and first not in _verb_words(ruleset) and not kind_and_rest(
            words, ruleset)[0]:
        return TypedLine("answer", faction, words.split(None, 1)[1])
    if is_standing_answer(words, ruleset):
        return TypedLine("answer", faction, words)
    if _has_question_code(words, ruleset) or (first in BATTLE_WORDS and _answers_battle(words, ruleset, campaign)):
        return TypedLine("answer", faction, words)
    if first in DIE_WORDS:
        return TypedLine("die", faction, words)
    if first in BATTLE_WORDS and faction in ("", REFEREE) and (told := _confirmation_answer(words, ruleset)):
        return TypedLine("answer", REFEREE, told)
    if first in BATTLE_WORDS:
        return TypedLine("battle", faction, words)
    if first in _form_records(ruleset):
        return TypedLine("form", faction, words)
    owner = faction or _owner_of_units(campaign, words)
    if kind_and_rest(words, ruleset)[0] and _is_answer(words, ruleset, campaign, faction, owner):
        return TypedLine("answer", faction, words)
    if faction == REFEREE:  # who answers and throws, but has no orders
        return TypedLine("order", "", strip_marks(text))
    return TypedLine("order", owner, words)


def _names_open_question(words: str, campaign: Campaign) -> bool:
    """Whether a line begins with the name of an open question, and says something to it."""
    name, _, text = words.strip().partition(" ")
    return bool(text) and any(q.status == "open" and name in (q.question, q.ident) for q in campaign.table(Question))


def _answer_first(words: str, ruleset: Ruleset, campaign: Campaign, faction: str) -> TypedLine | None:
    """``yes D1-07``: an answer, then what the one open question is about that takes it; None for any other line."""
    word, _, about = words.partition(" ")
    asked = [row for row in campaign.table(Question) if about and row.status == "open" and row.kind in ruleset.questions
             and row.about.casefold() == about.strip().casefold() and faction in ("", REFEREE, row.to)]
    open_ones = [row for row in asked if word.casefold() in {
        *ruleset.questions[row.kind].answers, *row.options.replace(",", " ").split()}]
    if len(open_ones) != 1:
        return None
    return TypedLine("answer", faction or open_ones[0].to, f"{open_ones[0].question} {word}")


def is_club_statement(words: str, ruleset: Ruleset) -> bool:
    """Whether a line says ``wait``, ``ready`` or an order that shall stand until it is changed."""
    return bool(readiness_word(words)) or (
        parse_standing_order(words) is not None and not is_standing_answer(words, ruleset)
    )


def _moment_of_readiness(ruleset: Ruleset, campaign: Campaign) -> TurnPhase:
    """The phase of which a club says that it is ready: the present one, or the next one that takes orders."""
    desk = campaign.desk
    coming = None if ruleset.is_over(campaign) or has_asked(campaign) else next_order_phase(ruleset, campaign)
    return TurnPhase(desk.turn, desk.phase) if coming is None else coming[0]


def may_club_send(line: TypedLine, faction: str) -> bool:
    """Whether a line may stand in the mail of a club: its own orders, answers and reports of battles, no dice."""
    return faction in ("", REFEREE) or (line.faction in ("", faction) and line.kind != "die")


def _confirmation_answer(words: str, ruleset: Ruleset) -> str:
    """``battle ID confirmed`` as the answer to the question that waits for the form; "" for anything else."""
    parts = words.split()
    confirmed = ruleset.form is not None and len(parts) == 3 and is_confirmation(ruleset.form, parts[2])
    return f"{ruleset.form.question} {parts[1]} {ruleset.form.confirmed[0]}" if confirmed and ruleset.form else ""


def is_standing_answer(words: str, ruleset: Ruleset) -> bool:
    """Whether a line is an answer that shall stand until it is changed: ``KIND [ABOUT] ANSWER until changed``."""
    return bool(kind_and_rest(words, ruleset)[0]) and strip_until(words)[1]


def _answers_battle(words: str, ruleset: Ruleset, campaign: Campaign) -> bool:
    """Whether a line about a battle is no result but one of the options of the question that the battle puts."""
    question = find_question(words, ruleset, campaign, REFEREE)
    return question is not None and _question_takes(question, ruleset, campaign)


def _question_takes(question: Question, ruleset: Ruleset, campaign: Campaign) -> bool:
    return bool(question.options) and check_answer(ruleset.questions, ruleset.findings, campaign, question) is None


def prefix_of(words: str) -> str:
    """What stands before the colon with which a line begins; "" without one."""
    match = _PREFIX.fullmatch(words)
    return match[1] if match else ""


def _is_answer(words: str, ruleset: Ruleset, campaign: Campaign, faction: str, owner: str) -> bool:
    """Whether a line that begins like an answer is one, though the rulebook may know an order of that word.

    It is one if an open question takes it, or bears all the words of its kind where these are several, or if it cannot
    be read as an order. A word that is an order's, too,
    begins an answer only while such a question is open: a mistyped order would be lost as an answer that nobody asks
    for.
    """
    question = find_question(words, ruleset, campaign, faction)
    kind, rest = kind_and_rest(words, ruleset)
    in_full = len(words.split()) - len(rest.split()) > 1
    if question is not None and (in_full or _question_takes(question, ruleset, campaign)):
        return True
    if words.split(maxsplit=1)[0].casefold() in _verb_words(ruleset) and not any(
            q.kind == kind for q in (*(q for q in campaign.table(Question) if q.status == "open"),
                                     *(row for _, row in ruleset.invited(campaign)))):
        return False
    return bool(ruleset.understand(words, campaign, owner).problem)


def _verb_words(ruleset: Ruleset) -> set[str]:
    return {word.casefold() for verb in ruleset.verbs.values() for word in (verb.en, verb.it)}


def kind_and_rest(words: str, ruleset: Ruleset) -> tuple[str, str]:
    """The kind of question that a line begins with, by its code or its words in either language, and the rest.

    ("", words) where it begins with none.
    """
    if _has_question_code(words, ruleset):
        kind, _, rest = words.strip().partition("/")
        return kind.casefold(), rest
    parts = words.split()
    for end in range(len(parts), 0, -1):
        kind = kinds_in_words(ruleset).get(" ".join(parts[:end]).casefold(), "")
        if kind:
            return kind, " ".join(parts[end:])
    return "", words


def _has_question_code(words: str, ruleset: Ruleset) -> bool:
    """Whether a line begins with a question's kind and subject in one word: ``accept/A-TAL/1307/A-MEU``."""
    kind, slash, _ = (words.split() or [""])[0].partition("/")
    return bool(slash) and kind.casefold() in ruleset.questions


def _owner_and_unit(campaign: Campaign, code: str) -> tuple[str, str]:
    """The faction and the unit that a prefix names; ("", "") for neither."""
    wanted = code.casefold()
    if wanted in REFEREES:
        return REFEREE, ""
    if wanted in (known := code_lookup(campaign.table(Faction))):
        return known[wanted], ""
    for table in campaign.tables().values():
        if "faction" in {c.name for c in table.record.columns()} and table.record.unique:
            for key, row in table.items():
                if key.casefold() == wanted:
                    return row.faction, key
    return "", ""


def _owner_of_units(campaign: Campaign, words: str) -> str:
    """The faction of the first unit that is named, or the only one with an army at the first node; else ""."""
    codes = [word.upper() for word in re.split(r"[\s,>→]+", words) if word]
    for code in codes:
        owner, unit = _owner_and_unit(campaign, code)
        if unit:
            return owner
        there = {a.faction for a in campaign.table(Army) if a.node.upper() == code.split("-")[0]}
        if there:
            return there.pop() if len(there) == 1 else ""
    return ""


def find_question(words: str, ruleset: Ruleset, campaign: Campaign, faction: str) -> Question | None:
    """The question that ``KIND [ABOUT] ANSWER`` answers, with the answer in it; None if there is none such.

    An open one if it fits, also by its own name; else, with the faction known, the next phase that may ask it. One
    that shall stand until it is changed is of no phase.
    """
    if faction and is_club_statement(words, ruleset):
        return parse_club_line(words, campaign.table(Question).record, faction, _moment_of_readiness(ruleset, campaign))
    name, _, text = words.strip().partition(" ")
    for question in campaign.table(Question):
        if question.status == "open" and name in (question.question, question.ident) and text.strip():
            return _with_answer(question, text) if faction in ("", REFEREE, question.to) else None
    kind, rest = kind_and_rest(words, ruleset)
    about, _, answer = rest.partition(" ")
    if is_standing_answer(words, ruleset):
        record = campaign.table(Question).record
        return record(question=record.standing_named(kind, faction, ""), kind=kind, to=faction, answer=rest) if (
            faction) else None
    mine = [q for q in campaign.table(Question)
            if q.kind == kind and q.status == "open" and faction in ("", q.to)]
    for question in mine:
        if question.about and about.casefold() == question.about.casefold() and answer:
            return _with_answer(question, answer)
    invited = _invited_answer(ruleset, campaign, kind, faction, rest)
    if invited is not None:
        return invited
    bare = [q for q in mine if not q.about] if mine else []
    # whoever writes a question's name in full means that one and no other, which may be answered already
    if (len(mine) == 1 or len(bare) == 1) and not _has_question_code(words, ruleset):
        return _with_answer((bare or mine)[0], rest) if rest else None
    moment = next_asking_phase(ruleset, campaign, kind)
    if mine or not faction or moment is None or not rest:
        return None
    known = {code for table in campaign.tables().values() for code, _ in table.items()}
    subject = about if answer and about.split("/")[0] in known else ""
    record = campaign.table(Question).record
    row = record(question=record.named(moment.turn, moment.phase, kind, faction, subject), turn=moment.turn,
                 phase=moment.phase, kind=kind, to=faction, about=subject)
    there = campaign.table(Question).get(row.ident)
    if there is not None and there.to != faction:
        return None  # it is somebody else's
    return _with_answer(row, answer if subject else rest)


def _invited_answer(ruleset: Ruleset, campaign: Campaign, kind: str, faction: str, rest: str) -> Question | None:
    """The answer to a question that stops nothing, where ``[ABOUT] ANSWER`` is one; the row of nothing but itself."""
    about, _, answer = rest.partition(" ")
    for _one, row in ruleset.invited(campaign):
        said = answer if row.about and about.casefold() == row.about.casefold() else "" if row.about else rest
        if row.kind == kind and faction in ("", row.to) and said:
            bare = type(row)(question=row.question, turn=row.turn, phase=row.phase, kind=row.kind, to=row.to,
                             about=row.about)
            return _with_answer(bare, said)
    return None


def _with_answer(question: Question, answer: str) -> Question:
    fresh = question.copy()
    fresh.answer = answer.strip()
    return fresh


def next_asking_phase(ruleset: Ruleset, campaign: Campaign, kind: str) -> TurnPhase | None:
    """The next phase that may put a question of a kind."""
    for moment in phases_to_come(ruleset, campaign):
        if kind in ruleset.phase(moment.phase).waits_for:
            return moment
    return None


def split_die(words: str) -> tuple[str, str, str] | None:
    """``die KEY VALUE [DICE]`` -> key, value, dice ("" where they are not said); None if it is not that.

    Several dice may be said one by one: ``die KEY 6 2 5 1 [DICE]``.
    """
    key, *parts = words.split()[1:] or [""]
    faces = 1
    while parts[faces:] and parts[faces].isdecimal():
        faces += 1
    if not parts or len(parts) > faces + 1:
        return None
    return key, " ".join(parts[:faces]), parts[faces] if parts[faces:] else ""


def die_from_line(after: Campaign, key: str, value: str, dice: str) -> Die:
    """A die as a line tells it: of the present phase, unless purposes come again and this phase has none such; then it
    waits, without turn and phase, for the phase that throws it.
    """
    table, desk = after.table(Die), after.desk
    here = table.record(key=key, value=value, dice=dice, turn=desk.turn, phase=desk.phase)
    waiting = table.record(key=key, value=value, dice=dice)
    return here if here.ident == waiting.ident or here.ident in table else waiting


def fill_form(words: str, campaign: Campaign) -> Battle | None:
    """``battle ID value …`` or ``battle ID field=value …`` as a row with its form; None if it does not fit.

    Bare values go to the form's columns from left to right, each to the next that can hold it, a word to the next
    that knows it; a field may be called by its heading in either language, with ``_`` for blanks.
    """
    parts = words.split()[1:]
    if len(parts) < 2:
        return None
    record = campaign.table(Battle).record
    code = campaign.table(Battle).spelled(parts[0])
    old = campaign.table(Battle).get(code)
    row = old.copy() if old else record(battle=code)
    names = form_fields(record)
    if any("=" not in part for part in parts[1:]):  # a whole result: nothing of an earlier one stays in the form
        for name in names:
            setattr(row, name, record.column(name).default)
    called = {heading.casefold().replace(" ", "_"): name for name in names
              for heading in (record.column(name).it, record.column(name).en, name)}
    left = iter(names)
    for part in parts[1:]:
        name, sign, value = part.partition("=")
        if sign:
            if not set_from_text(row, called.get(name.casefold(), ""), value):
                return None
        elif not any(fits_column(record, name, part, campaign) and set_from_text(row, name, part) for name in left):
            return None
    return row


def battle_example(ruleset: Ruleset, campaign: Campaign, lang: str) -> str:
    """How the line of a result is written here: an open battle's code, or what such codes are like, then columns."""
    table = campaign.table(Battle)
    code = next((key for key, row in table.items() if row.hold == "asked"), "") or example_of_battle(ruleset, campaign)
    said = []
    for name in form_fields(table.record):
        c = table.record.column(name)
        told = c.hint(lang).split(",")[0] if type(c.kind) is Text and "," in c.hint(lang) else ""
        value = "5" if isinstance(c.kind, (Typed, Whole)) else c.word(next(iter(c.kind.options)), lang) if (
            isinstance(c.kind, Choice)) else told
        said += [value] if value else []
    return " ".join([("battaglia" if lang == "it" else "battle"), code or "B1", *said[:4]])


@lru_cache(maxsize=16)
def _form_records(ruleset: Ruleset) -> dict[str, type[FormRow]]:
    return {name.casefold(): record for record in ruleset.forms
            for name in (record.sheet, record.sheet_it, record.file)}


def form_row_example(words: str, ruleset: Ruleset, lang: str) -> str:
    """How a line for a sheet of the form is written: its key, then ``column=value``."""
    sheet = words.split(maxsplit=1)[0].casefold()
    record = _form_records(ruleset)[sheet]
    said = [c.heading(lang).upper() for c in record.columns() if c.required]
    called = [record.column(name).heading(lang) for name in form_fields(record)]
    return " ".join([sheet, *said, f"{called[0].casefold().replace(' ', '_')}=1"])


def fill_part(words: str, ruleset: Ruleset, campaign: Campaign) -> FormRow | None:
    """``SHEET BATTLE value …`` or ``… column=value`` as a row of a further sheet of the form; None if it does not fit.

    Bare values go to the columns from left to right, as in `fill_form`; a code only to a column of such codes.
    A row that is there already keeps what the line does not say.
    """
    parts = words.split()
    record = _form_records(ruleset)[parts[0].casefold()]
    names = [c.name for c in record.columns() if c.edit != "assistant"]
    called = {heading.casefold().replace(" ", "_"): name for name in names
              for heading in (record.column(name).it, record.column(name).en, name)}
    said: list[tuple[str, str]] = []
    left = iter(names)
    for part in parts[1:]:
        name, sign, value = part.partition("=")
        fitting = called.get(name.casefold(), "") if sign else next(
            (n for n in left if fits_column(record, n, part, campaign)), "")
        if not fitting:
            return None
        said.append((fitting, value if sign else part))
    if not {c.name for c in record.columns() if c.required} <= dict(said).keys():
        return None
    row = record()
    if not all(set_from_text(row, name, value) for name, value in said):
        return None
    old = campaign.by_sheet(record.sheet).get(row.ident)
    if old is None:
        return row
    row = old.copy()
    return row if all(set_from_text(row, name, value) for name, value in said) else None


# A club's report on a battle: an answer that counts once the referee confirms it.


def report_from_line(line: TypedLine, ruleset: Ruleset, campaign: Campaign) -> Question | None:
    """What a club tells of a battle: ``battle ID a 26 55``, or a line for a further sheet of its form.

    None where the line is something else: it is the referee's, or the rulebook declares no form.
    """
    parts = line.words.split(None, 2)
    form = ruleset.form
    if form is None or line.faction in ("", REFEREE) or len(parts) < 3 or line.kind not in ("battle", "form"):
        return None
    moment = next_asking_phase(ruleset, campaign, form.question)
    if moment is None:
        return None
    record = campaign.table(Question).record
    about = f"{campaign.table(Battle).spelled(parts[1])}/{line.faction}"
    name = record.named(moment.turn, moment.phase, form.question, line.faction, about)
    return record(question=name, turn=moment.turn, phase=moment.phase, kind=form.question, to=line.faction, about=about,
                  answer=parts[2].strip())


def check_report(report: Question, kind: str, ruleset: Ruleset, campaign: Campaign,
                taken: Sequence[Question]) -> Question | Finding:
    """A report as it is to be kept, or what is wrong with it.

    A result takes the place of what the club told before, a further row (`kind` ``form``) stands beside it. `taken`:
    answers that come with it.
    """
    battle = battle_code(report)
    wrong = unknown_battle(ruleset, campaign, campaign.table(Battle).record(battle=battle), campaign.desk.turn)
    if ruleset.form is None or (wrong is not None and wrong.stops):
        return wrong or unfit_report(NOT_READ, report, battle)
    try:
        parse_report(ruleset.form, campaign, report, "")
    except UnfitAnswer:
        return unfit_report(NOT_READ, report, battle)
    before = next((q for q in reversed(taken) if q.ident == report.ident), campaign.table(Question).get(report.ident))
    if kind == "form" and before is not None and before.answer.strip():
        told = [part.strip() for part in before.answer.split(";")]
        report.answer = "; ".join(dict.fromkeys([*told, report.answer]))
    return report
