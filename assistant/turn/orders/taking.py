"""Takes the orders of a phase: which rows count, carrying them out, and judging them beforehand."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, RULES, Faction, Node, Order
from assistant.campaign.tables import Table
from assistant.turn.dice import NotThrown
from assistant.turn.findings import Finding, Later, nearest
from assistant.turn.game import Board, Game, Phase, Step
from assistant.turn.orders.reader import PLAIN, read_row, rows_of
from assistant.turn.orders.requests import HOUSE, Refused, Request, book_refusal, filled_columns
from assistant.turn.orders.verbs import Verb
from assistant.turn.questions import Invitation, Waiting, take_answers
from assistant.turn.views import playable

# Taking the orders of a phase and carrying them out.
#
# A row gets at most one refusal, with the book's own finding; a refused row changes nothing.


NO_CLUB, RULES_PLAY = "ARB-276", "ARB-307"


def take(board: Board) -> list[Request]:
    """The rows that the phase takes: those with a known verb at its time, the last of several about the same thing,
    and without those that fail the book's checks of every row.
    """
    rows = drop_replaced(board, admit_rows(board, rows_of_phase(board)))
    admits, waiting = board.game.orders.admits, rows[::-1]
    standing = []
    while waiting:
        request = waiting.pop()
        try:
            if admits is not None:
                admits(board, request)
        except Refused as why:
            refuse(board, request, why)
        if not request.row.status:
            standing.append(request)
        waiting += filter(None, [reinstate(board, request)])
    return standing


def rows_of_phase(board: Board) -> list[Request]:
    """The rows with the phase's word in the column Phase, in the order in which they count."""
    game = board.game
    return rows_of(game.orders, game.campaign, game.orders_word, game.reads)


def admit_rows(board: Board, requests: Iterable[Request]) -> list[Request]:
    """The rows whose verb exists and belongs to this phase; others, and those of factions without a club, are refused.
    """
    admitted = []
    for request in requests:
        role = board.game.campaign.table(Faction)[request.faction].role
        if role in CLUBLESS and not board.game.orders.neutrals:
            _refuse_clubless(board, request, role)
            continue
        try:
            if _is_for_this_phase(board, request):
                admitted.append(request)
        except Refused as why:
            refuse(board, request, why)
    return admitted


def _refuse_clubless(board: Board, request: Request, role: str) -> None:
    """An order of a faction that has no club; of one that the rules play the book may have a finding of its own."""
    if role == RULES and "no_club" in board.game.orders.says:
        refuse(board, request, Refused("no_club", "faction", faction=request.faction))
        return
    request.row.status = "refused"
    board.game.findings.append(Finding(RULES_PLAY if role == RULES else NO_CLUB, "error", request.where("faction"),
                                       {"faction": request.faction}, request.faction))


def _is_for_this_phase(board: Board, request: Request) -> bool:
    """Whether the phase takes the row; one that another phase takes is left alone where the book has no word for it.

    Raises `Refused` for words that are none.
    """
    book, row = board.game.orders, request.row
    if request.why is not None:
        raise request.why
    if request.problem and "not_understood" in book.says:
        raise Refused("not_understood", "text", text=request.problem, **_accepted_verbs(board))
    if not request.verb:
        italian = "it" in board.game.languages
        words = [*book, *(verb.it for verb in book.values() if italian)]
        word = row.verb or row.text
        raise Refused("unknown_verb", word=word, near=request.near or nearest(word, words), **_accepted_verbs(board),
                      why="word")
    if board.game.takes in book[request.verb].when:
        return True
    if "wrong_time" in book.says:
        when = board.game.taken_in(request.verb)
        raise Refused("wrong_time", "verb", verb=request.verb, times=" ".join(book[request.verb].when), when=when,
                      **_accepted_verbs(board), why="time" if when else "no time")
    return False


def _accepted_verbs(board: Board) -> dict[str, str]:
    """The word of the orders that the phase reads, and the verbs that it takes."""
    game = board.game
    return {"phase": game.orders_word, "list": " ".join(
        verb.en for verb in game.orders.values() if game.takes in verb.when)}


# --- replaced rows --------------------------------------------------------------------------------
def drop_replaced(board: Board, requests: list[Request]) -> list[Request]:
    """Keep only the last of several rows about the same thing; the earlier ones get a finding that names it."""
    things = [subject_of(board, request) for request in requests]
    last = {what: request for what, request in zip(things, requests, strict=True) if what is not None}
    standing = []
    for what, request in zip(things, requests, strict=True):
        if what is None or last[what] is request:
            standing.append(request)
        else:
            last[what].gave_way.append((request, replace_by(board, request, last[what])))
    return standing


def reinstate(board: Board, request: Request) -> Request | None:
    """The last of the rows that a refused row had replaced: where the book says so it stands again.

    None if the row is not refused or has replaced none.
    """
    if not board.game.orders.gives_back or request.row.status != "refused" or not request.gave_way:
        return None
    told = [finding for _, finding in request.gave_way]
    # by identity, since another row may have been told the very same
    board.game.findings[:] = [one for one in board.game.findings if not any(one is finding for finding in told)]
    *before, (standing, _) = request.gave_way
    request.gave_way = []
    standing.row.status = ""
    standing.gave_way = [(row, replace_by(board, row, standing)) for row, _ in before]
    return standing


def subject_of(board: Board, request: Request) -> tuple[str, ...] | None:
    """What a row is about, if a later row about the same thing replaces it; else None."""
    verb = board.game.orders[request.verb]
    same = verb.replaces
    if same is None or (same.unless and getattr(request, same.unless) != ""):
        return None
    named = [verb.kinds.get(name, PLAIN).same(board, request, name) for name in same.columns]
    if any(name == "unit" and not value for name, value in zip(same.columns, named, strict=True)):
        return None  # nobody knows whom it means
    return (request.faction, same.group, *named)


def replace_by(board: Board, request: Request, by: Request) -> Finding | None:
    """A row gives way to a later one. Returns the finding that says so, if the book has one."""
    request.row.status = "replaced"
    if "replaced" not in board.game.orders.says:
        return None
    return report_refusal(
        board, request, Refused("replaced", "verb", order=by.row.order, verb=request.verb, unit=request.unit))


def warn_of_duplicates(board: Board, requests: Iterable[Request]) -> None:
    """Two rows alike in every column are both carried out, with a warning on the later."""
    seen: set[tuple[Any, ...]] = set()
    for request in requests:
        if board.game.orders[request.verb].twins and request.row.status == "accepted":
            saying = (request.faction, *request.says())
            if saying in seen and "twins" in board.game.orders.says:
                report_refusal(board, request, Refused("twins", "verb"))
            seen.add(saying)


# --- carrying out ---------------------------------------------------------------------------------
def carry_all(board: Board, requests: Iterable[Request], *verbs: Verb) -> None:
    """Carry out, in turn, the rows of some verbs that are not judged yet; of all where none is named."""
    codes = {verb.en for verb in verbs}
    for request in requests:
        if not request.row.status and (not codes or request.verb in codes):
            carry_out(board, request)


def all_orders(board: Board) -> None:
    """The usual step of a phase that reads orders: each row that stands is carried out, one after the other."""
    carry_all(board, take(board))


def carry_out(board: Board, request: Request) -> bool:
    """Judge the columns in the book's order and do what the row asks; a refusal is told, and a row that is reinstated
    is carried out instead. Whether anything was done.
    """
    verb = board.game.orders[request.verb]
    if verb.deed is None:
        raise ValueError(f"nothing carries out {verb.en}")
    known = len(board.game.events)
    try:
        if verb.once is not None and not verb.once.late:
            once_more(board, request)
        verb.deed(board, request, *column_values(board, request))
    except Refused as why:
        refuse(board, request, why)
        earlier = reinstate(board, request)
        return earlier is not None and carry_out(board, earlier)
    except NotThrown:  # as far as it can be judged before its phase nothing is wrong with it
        pass
    who = _actor(board, request)
    if who is not None:
        _deeds_done(board).setdefault(who, []).append(request.row.order)
    request.row.status = "accepted"
    board.game.told_of[request.row.order] = tuple(event.no for event in board.game.events[known:])
    return True


def column_values(board: Board, request: Request) -> list[Any]:
    """The values of a row's columns for its deed. Raises `Refused`."""
    book, meant = board.game.orders, []
    verb = book[request.verb]
    for name, kind in verb.kinds.items():
        if not kind.is_judged_ahead(book.says):
            continue
        blank = getattr(request, name) in ("", None, [])
        if blank and "missing" in book.says and not kind.needed and not kind.optional(verb.columns):
            raise Refused("missing", name, verb=request.verb, column=name)
        value = kind.judge(board, request, name)
        meant += [value] if kind.at_once else []
    return meant


def late_meaning(board: Board, request: Request, name: str) -> Any:
    """What a column means that is judged late, for the deed. Raises `Refused`."""
    return board.game.orders[request.verb].kinds[name].judge(board, request, name)


def price(board: Board, request: Request) -> int:
    """What a row costs as things stand. Raises `Refused`."""
    cost = board.game.orders[request.verb].cost
    return cost.price(board, request) if cost is not None else 0


def afford(board: Board, request: Request, cost: int | None = None) -> int:
    """What the row costs, if its purse holds it. Raises `Refused` (overdrawn)."""
    purse = board.game.orders.purse
    cost = price(board, request) if cost is None else cost
    if purse is not None:
        purse.check(board, request, cost)
    return cost


def refuse(board: Board, request: Request, why: Refused) -> None:
    """Give the row its finding; an error sets its status, and the book may have more to say of it."""
    finding = report_refusal(board, request, why)
    if finding.stops:
        request.row.status = "refused"
        request.came_to("")
        if board.game.orders.refused is not None:
            board.game.orders.refused(board, request, finding)


def report_refusal(board: Board, request: Request, why: Refused) -> Finding:
    """Make a finding at the row: the book's own, or the shared one if it has none."""
    own = book_refusal(why, board.game.orders.says)
    if why.code not in board.game.orders.says and why.code in HOUSE:
        finding = Finding(own.code, "error", request.where(own.field), own.data, request.faction)
        board.game.findings.append(finding)
        return finding
    return request.find(board, own.code, own.field, **own.data)


def judge_ahead(board: Board, requests: Iterable[Request]) -> None:
    """Refuse rows for later phases for the first fault that nothing can put right until their time comes."""
    for request in requests:
        try:
            for name, kind in board.game.orders[request.verb].kinds.items():
                if not kind.only_names:
                    kind.ahead(board, request, name)
        except Refused as why:
            refuse(board, request, why)


# --- one deed a person and turn -------------------------------------------------------------------
def once_more(board: Board, request: Request) -> None:
    """Refuse a row of somebody who has done this turn what may be done (busy); see `Once`."""
    who, once = _actor(board, request), board.game.orders[request.verb].once
    done = _deeds_done(board).get(who, []) if who is not None else []
    if once is not None and who is not None and len(done) >= once.most(board, request):
        raise Refused("busy", once.column, person=who[-1], order=done[-1] if done else "", verb=request.verb)


def _actor(board: Board, request: Request) -> tuple[str, ...] | None:
    """Who acts in a row that counts as one of a few deeds: faction, group, person; None for a row that does not."""
    verb = board.game.orders.get(request.verb)
    if verb is None or verb.once is None:
        return None
    person = verb.kinds[verb.once.column].same(board, request, verb.once.column)
    return (request.faction, verb.once.group, person) if person else None


def _deeds_done(board: Board) -> dict[tuple[str, ...], list[str]]:
    """The orders by which somebody has acted this turn, those of its earlier phases among them."""
    game = board.game
    if game.acted is None:
        game.acted = {}
        for row in game.campaign.table(Order).of_turn(game.turn, lambda row: row.status == "accepted"):
            who = _actor(board, read_row(game.orders, game.campaign, row, reads=game.reads))
            if who is not None:
                game.acted.setdefault(who, []).append(row.order)
    return game.acted


# Checking orders: the judged steps of the phase itself are run on a copy, without throwing dice or guessing answers.
#
# A step that needs a die or an open question ends there without a finding; earlier findings stay, and the next step is
# run.


OVER = "ARB-045"
GameOf = Callable[[Campaign, str], Game]
"""Makes the game of a phase, by its id, of a campaign: with shut dice, and the answers that were typed."""
OrderCheck = Callable[[Campaign], list[Finding]]
"""What *Check orders* finds in a campaign."""
AnOrder = TypeVar("AnOrder", bound=Order)


def judge_orders(phases: Sequence[Phase], game_of: GameOf, campaign: Campaign,
                 invitations: Callable[[Game], list[Invitation]] = lambda game: [], certain: Container[str] = ()
                 ) -> list[Finding]:
    """Findings of the orders of the present phase, and of those that later phases read out of the same rows.

    `phases`: those of the turn from the present one on; the campaign is not changed. `invitations`: the questions that
    stop nothing, of which what was answered counts first. `certain`: the codes of findings that nothing changes until a
    later phase comes; where its orders are judged in time, the others are left to `judge_coming`.
    """
    work, findings = playable(campaign), list[Finding]()
    word = phases[0].orders if phases else ""
    for phase in phases:
        if word and phase.orders == word:
            game = game_of(work, phase.id)
            with suppress(Waiting):
                take_answers(game, invitations(game))
            early = phase.remarks_before if phase is not phases[0] else ()
            _keep(findings, [one for one in judge_phase(phase, game) if one.code in certain or one.code not in early])
    return findings


def judge_forms(phases: Sequence[Phase], game_of: GameOf, campaign: Campaign) -> list[Finding]:
    """Findings of what is typed into the forms of battles, as the next phase that reads them will."""
    for phase in phases:
        forms = [step for step in phase.steps if step.judged == "forms"]
        if forms:
            game = game_of(playable(campaign), phases[0].id)
            board = phase.board(game)
            for step in forms:
                _run_quietly(step, board)
            return game.findings
    return []


def judge_later(phases: Sequence[Phase], game_of: GameOf, campaign: Campaign, certain: Container[str] = ()
                ) -> list[Finding]:
    """Remarks on the orders that phases to come of this turn read: what nothing until then will put right.

    `phases`: as in `judge_orders`; those of the present phase's own word are judged there; `certain`: as in
    `judge_coming`.
    """
    work, findings = playable(campaign), list[Finding]()
    for phase in phases[1:]:
        if phase.orders and phase.orders != phases[0].orders:
            game = game_of(work, phase.id)
            board = phase.board(game)
            judge_ahead(board, admit_rows(board, rows_of_phase(board)))
            _keep(findings, [as_remark(one, Later(work.desk.turn, phase.id, one.code in certain))
                             for one in game.findings])
    return findings


def as_remark(finding: Finding, later: Later) -> Finding:
    """A finding of a phase to come: until it is the next, nothing stops for it."""
    return finding._replace(severity="warning" if later.certain else "info", later=later)


def judge_coming(phases: Sequence[Phase], game_of: GameOf, campaign: Campaign, certain: Container[str],
                 here: str = "") -> list[Finding]:
    """Remarks on the orders that phases to come read: what each of them would say, were it the next as things stand.

    `phases`: of the campaign's turn, in the order of play; `certain`: the codes of findings that nothing changes until
    then; `here`: the present phase, if it is one of them: what it says of its orders is no remark.
    """
    orders = playable(campaign)
    turn = orders.desk.turn
    words = {row.phase.lower() for row in orders.table(Order).of_turn(turn, lambda row: not row.status)}
    settled: dict[str, str] = {}
    before: dict[tuple[str, str], str] = {}
    remarks: list[Finding] = []
    reading = [phase for phase in phases if phase.orders in words]
    for phase in reading if any(phase.id != here for phase in reading) else ():
        work = orders.copy()
        work.desk.phase = phase.id
        for key, status in settled.items():
            work.table(Order)[key].status = status
        game = game_of(work, phase.id)
        game.ahead = phase.id != here
        named = partial(codes_in_order, nameable_tables(game), cells=game.orders.cells, shape=game.orders.shapes.unit)
        rows = {row.order: row for row in work.table(Order).of_turn(turn, lambda row: not row.status)}
        findings = [finding for finding in judge_phase(phase, game)
                    if finding.where.table == Order.sheet and finding.where.row in rows]
        settled |= {key: row.status for key, row in rows.items() if row.status}
        for finding in findings if game.ahead else ():
            if _is_made_before(game, finding, rows[finding.where.row].faction, before):
                continue
            row = rows[finding.where.row]
            later = Later(turn, phase.id, certain=True)
            if finding.code not in certain:
                earlier = (before.get(code) for code in named(row))
                later = Later(turn, phase.id, False, next(filter(None, earlier), ""), _cause(game, finding, row))
            remarks.append(as_remark(finding, later))
        refused = {finding.where.row for finding in findings if finding.stops}
        for key, row in rows.items():
            if key in settled and key not in refused:
                before |= {code: before.get(code, key) for code in named(row)}
    return remarks


def _is_made_before(game: Game, finding: Finding, faction: str, before: Container[tuple[str, str]]) -> bool:
    """Whether something is not there that an earlier order of the faction makes."""
    missing = game.orders.says.get("no_such_unit")
    return missing is not None and finding.code == missing.code and any(
        (faction, str(value).upper()) in before for value in finding.data.values())


def _cause(game: Game, finding: Finding, row: Order) -> str:
    """The unit that a row names, which is not where or what it should be; else the place, and what is wrong there."""
    said = " ".join(str(getattr(row, name)) for name in filled_columns(row, game.orders.cells)).upper()
    tables = [table for table in nameable_tables(game) if table.record is not Node]
    units = [unit for unit in re.findall(r"[\w-]+", said) if any(unit in table for table in tables)
             or re.fullmatch(game.orders.shapes.unit, unit)]
    named = units or [code for _, code in codes_in_order(nameable_tables(game), row, game.orders.cells)]
    return " ".join((row.faction, named[0], *(() if units else (finding.code,)))) if named else ""


def one_a_cause(findings: Iterable[Finding]) -> list[Finding]:
    """Findings with one remark for each cause: the first, which names the orders of the others."""
    given = list(findings)
    causes: dict[str, list[str]] = {}
    for finding in given:
        if finding.later is not None:
            causes.setdefault(finding.later.cause, []).append(finding.where.row)
    told: list[Finding] = []
    for finding in given:
        later = finding.later
        if later is None or not later.cause:
            told.append(finding)
        elif causes[later.cause]:
            told.append(finding._replace(later=later._replace(more=" ".join(causes[later.cause][1:]))))
            causes[later.cause] = []
    return told


def nameable_tables(game: Game) -> list[Table[Any]]:
    """The tables whose codes orders of the book name, but for that of the factions."""
    records = dict.fromkeys(record for verb in game.orders.values() for kind in verb.kinds.values()
                            for record in kind.tables() if not issubclass(record, Faction))
    return [game.campaign.by_sheet(record.sheet) for record in records]


def codes_in_order(tables: Sequence[Table[Any]], row: Order, cells: Iterable[str], shape: str = "(?!)"
                   ) -> list[tuple[str, str]]:
    """The faction of an order with each code of these tables that stands in it. `shape`: codes that another order may
    make count, too.
    """
    text = " ".join(str(getattr(row, name)) for name in filled_columns(row, cells))
    words = dict.fromkeys(re.findall(r"[\w-]+", text.upper()))
    return [(row.faction, word) for word in words
            if re.fullmatch(shape, word) or any(word in table for table in tables)]


def without_repeats(findings: Iterable[Finding]) -> list[Finding]:
    """Findings without the remarks on phases to come about rows that are refused already, or that repeat another."""
    given = list(findings)
    refused = {finding.where.row for finding in given if finding.stops and finding.where.table == Order.sheet}
    last = {(finding.code, finding.where, finding.later is None): finding for finding in given}
    return [finding for finding in given if finding.later is None or not (
        finding.where.row in refused or (finding.code, finding.where, True) in last
        or last[finding.code, finding.where, False] is not finding)]


def late_rows(past: Sequence[Phase], to_come: Sequence[Phase], game: Game) -> list[Finding]:
    """Warnings for open rows of this turn whose verbs are read only by phases that are over, while others of the same
    word are still to come.
    """
    findings = []
    for word in dict.fromkeys(phase.orders for phase in to_come if phase.orders):
        read = {phase.takes or word: phase.id for phase in past if phase.orders == word}
        for request in rows_of(game.orders, game.campaign, word, game.reads):
            when = game.orders[request.verb].when if request.verb else ()
            gone = next((read[time] for time in when if time in read), "")
            if gone and not any((phase.takes or word) in when for phase in to_come if phase.orders == word):
                findings.append(Finding(OVER, "warning", request.where(""), {"when": f"{game.turn} {gone}"},
                                     request.faction))
    return findings


def without_refused(campaign: Campaign, rows: Iterable[AnOrder], check: OrderCheck) -> list[AnOrder]:
    """New rows of Orders, as an absent club's robot proposes them, without those that the checks refuse."""
    work = campaign.copy()
    table = work.table(Order)
    kept = [row for row in rows if row.order not in table]
    for row in kept:
        table.add(row.copy())
    refused = {finding.where.row for finding in check(work) if finding.stops and finding.where.table == Order.sheet}
    return [row for row in kept if row.order not in refused]


def judge_phase(phase: Phase, game: Game, enough: Callable[[], bool] = lambda: False) -> list[Finding]:
    """Findings of the judged steps of a phase, which run on the game's own campaign; `enough`: asked after each step,
    whether the others need not be run.
    """
    game.campaign.note_changes()
    board = phase.board(game)
    for step in phase.steps:
        if step.judged == "together":
            _run_quietly(step, board)
        elif step.judged == "alone":
            for faction in [row.faction for row in game.campaign.table(Faction) if row.role not in CLUBLESS]:
                alone = board.alone(faction)
                if alone is not None:
                    _run_quietly(step, alone)
                    _keep(game.findings, alone.game.findings)
        if enough():
            break
    return game.findings


def _run_quietly(step: Step, board: Any) -> None:
    with suppress(Waiting, NotThrown):
        step.run(board)


def _keep(kept: list[Finding], more: Iterable[Finding]) -> None:
    kept += [finding for finding in more if finding not in kept]
