"""Parses typed lines into orders, answers, dice, withdrawals and battle results."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import UnreadableValue
from assistant.campaign.records import Army, Battle, Die, Faction, FormRow, Order, Question, code_lookup
from assistant.campaign.tables import Record
from assistant.catalogues import LANGUAGES
from assistant.desk.inputs import unknown_battle
from assistant.desk.play_phase import TurnPhase, has_asked, next_order_phase, phases_to_come
from assistant.turn import codes
from assistant.turn.absence import parse_club_line, parse_standing_order, readiness_word
from assistant.turn.battle_form import BLANK, FormLine
from assistant.turn.battle_results import NOT_READ, ResultReader, add_line, is_confirmation, unfit_report
from assistant.turn.battle_sentences import ResultReading, format_line
from assistant.turn.dice import REFEREE
from assistant.turn.findings import Finding, Where
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.orders.words import fold, strip_marks
from assistant.turn.questions import check_answer, strip_until
from assistant.turn.ruleset import Ruleset
from assistant.wording import Verbatim
from assistant.workbook.read.load_campaign import kinds_in_words

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
YES = r"(?:yes|yep|yeah|si|ok|okay|va bene|d accordo|agreed|exactly|esatto|certo)"
COURTESY = r"(?:please|thanks|thank you|many thanks|per favore|grazie|grazie mille|that s it|that is it|yes|si|ok)"
"""How a club, in folded words, agrees to what its receipt proposed."""


@dataclass(frozen=True)
class TypedLine:
    """A line with its kind. `kind`: ``order``, ``withdrawal``, ``answer``, ``die``, ``battle``, or ``unclear`` for one
    about one of several battles; `words`: without prefix.
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
    # the order of these questions decides: what can be only one thing is asked before what may be several
    if withdrawn_order(words, campaign, faction):
        return TypedLine("withdrawal", faction, words)
    words = name_battle(words, ruleset, campaign, faction)
    first = words.split()[0].casefold() if words else ""
    if first in CHOICE_WORDS and _named_question(words.partition(" ")[2], campaign):
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
    if first in BATTLE_WORDS or first in _form_records(ruleset):
        return TypedLine("battle", faction, words)
    owner = faction or _owner_of_units(campaign, words)
    if kind_and_rest(words, ruleset)[0] and _is_answer(words, ruleset, campaign, faction, owner):
        return TypedLine("answer", faction, words)
    if len(battles := match_battles(words, ruleset, campaign, faction)) == 1:
        return TypedLine("battle", faction, f"{BATTLE_WORDS[0]} {battles[0][0]} {words}")
    if battles:
        return TypedLine("unclear", faction, words)
    if faction == REFEREE:  # who answers and throws, but has no orders
        return TypedLine("order", "", strip_marks(text)) if first in _verb_words(ruleset) else TypedLine(
            "answer", REFEREE, words)
    return TypedLine("order", owner, words)


def _named_question(words: str, campaign: Campaign) -> Question | None:
    """The open question with whose name a line begins, with the answer in it."""
    name, _, text = words.strip().partition(" ")
    named = (q for q in campaign.table(Question) if q.status == "open" and name in (q.question, q.ident))
    return next((_with_answer(q, text) for q in named if text.strip()), None)


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


def heading_of(line: str, campaign: Campaign) -> str:
    """The faction, or the referee, that a line names with a colon and nothing else: the lines below are its. "" for any
    other line.
    """
    name, colon, rest = strip_marks(line).rpartition(":")
    owner, unit = _owner_and_unit(campaign, name.strip()) if colon and not rest else ("", "")
    return "" if unit else owner


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


def is_agreement(line: str) -> bool:
    """Whether a line agrees and says nothing else: ``yes``, ``sì, grazie``, ``ok thanks``."""
    words = " ".join(re.findall(r"[^\W_]+", fold(line)))
    return "?" not in line and re.fullmatch(rf"{YES}(?: {COURTESY})*", words) is not None


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
                                     *(row for _, row in ruleset.open_invitations(campaign)))):
        return False
    if question is not None and unfit_in_advance(question, ruleset, campaign) and as_order_book(ruleset.verbs).get(
            as_order_book(ruleset.verbs).code(words.split(maxsplit=1)[0])):
        return False
    # whoever writes the question's own name answers it; a word of its kind may as well begin a sentence
    named = in_full or words.split(maxsplit=1)[0].casefold() in ruleset.questions
    return bool((ruleset.understand if named else ruleset.read)(words, campaign, owner).problem)


def unfit_in_advance(question: Question, ruleset: Ruleset, campaign: Campaign) -> Finding | None:
    """Why an answer to a question that is not open can never be one; None where it can. A standing answer is judged
    where it is taken, as it says what it is about.
    """
    if question.status == "open" or question.stands or strip_until(question.answer)[1]:
        return None
    unfit = check_answer(ruleset.questions, ruleset.findings, campaign, question)
    return unfit if unfit is not None and unfit.stops else None


def _verb_words(ruleset: Ruleset) -> set[str]:
    return {word.casefold() for verb in ruleset.verbs.values() for word in (verb.en, verb.it)}


def kind_and_rest(words: str, ruleset: Ruleset) -> tuple[str, str]:
    """The kind of question that a line begins with, by its code or its words in either language, and the rest.

    ("", words) where it begins with none.
    """
    if _has_question_code(words, ruleset):
        kind, _, rest = words.strip().partition("/")
        return kind.casefold(), rest
    parts, kinds = words.split(), kinds_in_words(ruleset)
    for end in range(min(len(parts), 1 + max((said.count(" ") for said in kinds), default=0)), 0, -1):
        kind = kinds.get(" ".join(parts[:end]).casefold(), "")
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
    for code in (word.upper() for word in re.split(r"[\s,>→]+", words) if word):
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
    if (named := _named_question(words, campaign)) is not None:
        return named if faction in ("", REFEREE, named.to) else None
    kind, rest = kind_and_rest(words, ruleset)
    about, _, answer = rest.partition(" ")
    about = code_lookup(campaign.table(Faction)).get(about.casefold(), about)
    if is_standing_answer(words, ruleset):
        record = campaign.table(Question).record
        return record(question=record.standing_name(kind, faction, ""), kind=kind, to=faction, answer=rest) if (
            faction) else None
    mine = [q for q in campaign.table(Question)
            if q.kind == kind and q.status == "open" and faction in ("", q.to)]
    # of one that stops nothing the row is of nothing but itself
    invited = [type(q)(question=q.question, turn=q.turn, phase=q.phase, kind=q.kind, to=q.to, about=q.about)
               for _, q in ruleset.open_invitations(campaign) if q.kind == kind and faction in ("", q.to)]
    for question in (*mine, *invited):
        if question.about and about.casefold() == question.about.casefold() and answer:
            return _with_answer(question, answer)
    bare = [q for q in (*invited, *mine) if not q.about] or mine
    # whoever writes a question's name in full means that one and no other, which may be answered already
    if rest and bare and (bare[0] in invited or (len(bare) == 1 and not _has_question_code(words, ruleset))):
        return _with_answer(bare[0], rest)
    moment = next_asking_phase(ruleset, campaign, kind)
    if mine or not faction or moment is None or not rest:
        return None
    known = {code for table in campaign.tables().values() for code, _ in table.items()}
    subject = about if answer and about.split("/")[0] in known else ""
    record = campaign.table(Question).record
    row = record(question=record.name_for(moment.turn, moment.phase, kind, faction, subject), turn=moment.turn,
                 phase=moment.phase, kind=kind, to=faction, about=subject)
    there = campaign.table(Question).get(row.ident)
    if there is not None and there.to != faction:
        return None  # it is somebody else's
    return _with_answer(row, answer if subject else rest)


def _with_answer(question: Question, answer: str) -> Question:
    return question.with_values({"answer": answer.strip()})


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


# Withdrawal lines: one order by its number, or all that were sent before.


WITHDRAW_ALL = "*"
"""Stands for all orders of the club."""
_WITHDRAWAL = re.compile(r"(?:withdraw|cancel|ritira|ritiro|ritiriamo|annulla|annullo|annulliamo)\s+(\S.*?)[.!]?",
                   re.IGNORECASE)
_ALL_WORDS = ("all", "everything", "all orders", "tutto", "tutti", "tutti gli ordini")


def withdrawn_order(line: str, campaign: Campaign, faction: str) -> str:
    """The number of the order that a line withdraws, ``WITHDRAW_ALL`` for all of the faction; "" for any other line.

    ``withdraw 1500-r2-V-1``, ``ritira 1500-r2-V-1``, ``withdraw all``, ``annulla tutto``. The order need not
    exist (any more, or yet: `undo` may have removed it, and it comes in again before this line).
    """
    match = _WITHDRAWAL.fullmatch(strip_marks(line))
    what = " ".join(match[1].casefold().split()) if match else ""
    if what in _ALL_WORDS:
        return WITHDRAW_ALL if faction else ""
    known = campaign.table(Order).spelling_of(what)
    row = campaign.table(Order).get(known)
    if row is not None and row.faction:
        return known if faction in ("", row.faction) and not row.status else ""
    number = re.fullmatch(r"\S+-(\S+?)-\d+", what)
    return known if number and number[1] == faction.casefold() else ""


# What lines say of a battle: the referee's into its form, a club's into its report, which counts once the referee
# confirms it.


@lru_cache(maxsize=16)
def _form_records(ruleset: Ruleset) -> dict[str, type[FormRow]]:
    return {name.casefold(): record for record in ruleset.forms
            for name in (record.sheet, record.sheet_it, record.file)}


@dataclass(frozen=True)
class BattleLine:
    """A line about a battle. `battle`: its code; `text`: what is said of it; `sheet`: the further sheet that it names.
    """

    battle: str
    text: str
    sheet: type[FormRow] | None = None


def parse_battle_line(words: str, ruleset: Ruleset, campaign: Campaign) -> BattleLine:
    """``battle ID ...`` or ``SHEET ID ...`` in its parts."""
    first, battle, text = [*words.split(None, 2), "", ""][:3]
    return BattleLine(campaign.table(Battle).spelling_of(battle.rstrip(":")), text,
                      _form_records(ruleset).get(first.casefold()))


def name_battle(words: str, ruleset: Ruleset, campaign: Campaign, faction: str) -> str:
    """A line about a battle with ``battle ID`` before it, if it begins with the code of one or as a line of the form of
    one that waits; any other line as it is.
    """
    first, table = words.partition(" ")[0].rstrip(":"), campaign.table(Battle)
    if table.spelling_of(first) in table:
        return f"{BATTLE_WORDS[0]} {words}"
    waiting = table.open_rows(campaign.desk.turn, lambda battle: battle.hold == "asked") if ruleset.form else ()
    for row in waiting:
        try:
            line = result_reader(ruleset, campaign, row.battle, faction).in_form(words)
        except UnreadableValue:
            continue
        if line.fighter and not line.ordered:
            return f"{BATTLE_WORDS[0]} {row.battle} {words}"
    return words


def match_battles(words: str, ruleset: Ruleset, campaign: Campaign, faction: str) -> list[tuple[str, ResultReading]]:
    """The waiting battles of which a sentence may tell that names none and is no order, with what it says."""
    table = campaign.table(Battle)
    waiting = table.open_rows(campaign.desk.turn, lambda battle: battle.hold == "asked") if ruleset.form else ()
    readings = [(row.battle, result_reader(ruleset, campaign, row.battle, faction).in_words(words))
                for row in waiting]
    told = [(battle, reading) for battle, reading in readings if reading != ResultReading()]
    owner = faction if faction != REFEREE else ""
    if not told or (owner and not ruleset.read(words, campaign, owner).problem):
        return []
    return [one for one in told if one[1].lines] or told


def result_reader(ruleset: Ruleset, campaign: Campaign, battle: str, faction: str = "") -> ResultReader:
    """The reader of what somebody, "" for the referee, says of a battle."""
    return ResultReader.of(ruleset, campaign, battle, "" if faction == REFEREE else faction, Verbatim)


def is_blank_form(words: str, ruleset: Ruleset, campaign: Campaign, faction: str) -> bool:
    """Whether a line is one of a form in which nothing is filled in."""
    try:
        said = parse_battle_line(words, ruleset, campaign)
        line = result_reader(ruleset, campaign, said.battle, faction).in_form(said.text, said.sheet)
    except UnreadableValue:
        return False
    return not line.names and BLANK in words


def unclear_result(text: str, faction: str, told: Iterable[tuple[str, ResultReading]]) -> Finding:
    """That a line may say several things of a battle, or of several: which, in both languages."""
    meant = {lang: list(dict.fromkeys(f"{battle} {format_line(line, lang)}" for battle, reading in told
                                      for line in (*reading.lines, *reading.proposals))) for lang in LANGUAGES}
    return codes.finding(codes.UNCLEAR, None, faction, text=Verbatim(text), word=Verbatim(""), fault="nothing",
                         sheet=Battle.sheet, column="", verb="", left="", yes="", again="", more="", n=len(meant["en"]),
                         **{f"list_{lang}": Verbatim("; ".join(lines)) for lang, lines in meant.items()})


def put_battle_line(words: str, ruleset: Ruleset, campaign: Campaign, taken: Iterable[Record]
                    ) -> list[Battle | FormRow] | Finding:
    """The rows of a battle's form with what a line of the referee's says, or what is wrong with the line. `taken`: rows
    that come before it. Raises `UnreadableValue`.
    """
    battle_line = parse_battle_line(words, ruleset, campaign)
    reader = result_reader(ruleset, campaign, battle_line.battle)
    reading = reader.read(battle_line.text, battle_line.sheet)
    if not reading.lines:
        return unclear_result(words, "", [(battle_line.battle, reading)])
    rows, before = list[Any](), {(row.sheet, row.ident): row for row in reversed(list(taken))}
    for line in reading.lines:
        key = (line.row.sheet, line.row.ident)
        old = before.get(key) or campaign.by_sheet(key[0]).get(key[1])
        rows.append(line.row if old is None else line.put_into(old.copy()))
        before[key] = rows[-1]
        wrong = line_finding(line, reader, words) if battle_line.sheet is None else None
        if wrong is not None:
            return wrong
    return rows


def is_clubs_report(line: TypedLine, ruleset: Ruleset, campaign: Campaign) -> bool:
    """Whether a line about a battle is a club's report on it, and not the referee's."""
    return ruleset.form is not None and line.faction not in ("", REFEREE) and (
        next_asking_phase(ruleset, campaign, ruleset.form.question) is not None)


def take_report(line: TypedLine, ruleset: Ruleset, campaign: Campaign, taken: Sequence[Question]) -> Question | Finding:
    """A club's report with what a line adds to it, or what is wrong with the line. `taken`: answers that come with it.
    """
    report_line, form = parse_battle_line(line.words, ruleset, campaign), ruleset.form
    moment = next_asking_phase(ruleset, campaign, form.question) if form is not None else None
    if form is None or moment is None:
        raise LookupError(line.words)
    record, about = campaign.table(Question).record, f"{report_line.battle}/{line.faction}"
    name = record.name_for(moment.turn, moment.phase, form.question, line.faction, about)
    report = record(question=name, turn=moment.turn, phase=moment.phase, kind=form.question, to=line.faction,
                    about=about)
    typed = replace(report, answer=report_line.text.strip())
    row = campaign.table(Battle).record(battle=report_line.battle)
    wrong = unknown_battle(ruleset, campaign, row, campaign.desk.turn)
    if wrong is not None and wrong.stops:
        return wrong
    before = next((q for q in reversed(taken) if q.ident == report.ident), campaign.table(Question).get(report.ident))
    report.answer = before.answer if before is not None else ""
    lines = judged_lines(result_reader(ruleset, campaign, report_line.battle, line.faction), typed)
    if isinstance(lines, Finding):
        return lines
    for form_line in lines:
        add_line(form, campaign, report, form_line, form_line.as_typed)
    return report


def judged_lines(reader: ResultReader, report: Question) -> list[FormLine] | Finding:
    """What a club's answer says of its battle, each line as it could be typed; or why nothing of it is taken, at the
    answer: it cannot be read, may mean several things, or the rulebook has something against it.
    """
    lines = list[FormLine]()
    for part in filter(None, map(str.strip, report.answer.split(";"))):
        try:
            told = reader.read(part)
        except UnreadableValue as unfit:
            return unfit_report(NOT_READ, report, reader.battle, unfit)
        if not told.lines:
            return unclear_result(part, report.to, [(reader.battle, told)])
        lines += [line._replace(as_typed=line.as_typed or format_line(line)) for line in told.lines]
    wrong = next(filter(None, (line_finding(line, reader, report.answer) for line in lines)), None)
    return lines if wrong is None else wrong._replace(where=Where(Question.sheet, report.ident, "answer"))


def line_finding(line: FormLine, reader: ResultReader, text: str) -> Finding | None:
    """What the rulebook finds wrong with a line about a battle that waits; of a club's, with what it says of its side.
    """
    fault = reader.fault(line)
    return None if fault is None else Finding(
        fault.code, reader.messages[fault.code].severity, Where(), {**fault.data, "text": Verbatim(text)}, reader.club)
