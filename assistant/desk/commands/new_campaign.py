"""`new`: a workbook with its ledger from a scenario or a folder of CSV files."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL, Battle, Die, Event, Faction, FindingRow, Order, Outline, Question, Rule
from assistant.campaign.tables import Record, Table
from assistant.desk.commands.rulesets import find_ruleset, scenarios_of
from assistant.desk.next_steps import desk_lines
from assistant.desk.results import Exit, Result
from assistant.desk.workspace.detect_edits import first_fingerprints
from assistant.desk.workspace.version_check import abort_on_data, find_second_copies
from assistant.desk.workspace.workspace import (
    BOOK_FORMAT,
    Abort,
    Workspace,
    abort,
    claim_workbook,
    file_abort,
    ledger_abort,
    open_workspace,
    playing_factions,
    require_folder,
)
from assistant.desk.workspace.writer import WriteAccess, save_secrets_copy
from assistant.environment import machine_language
from assistant.files import backup_folder
from assistant.ledger import LEDGER_SUFFIX, SECRET_BYTES, Ledger, LedgerTrouble, Mail, campaign_id, path_of_ledger
from assistant.pictures.background import DAMAGED, LARGEST, TOO_LARGE, Background, read_background
from assistant.speech import faction_names
from assistant.turn import codes
from assistant.turn.codes import NEWER_BOOK
from assistant.turn.findings import Finding
from assistant.turn.messages import COMMON_EVENTS, RENEWED
from assistant.turn.numbers import starting_values, write_values
from assistant.turn.phases import blocks_phase, check_campaign
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title
from assistant.workbook.read.csv_folder import read_folder
from assistant.workbook.read.grid import readable
from assistant.workbook.save import replace_file
from assistant.workbook.screening import BookError
from assistant.workbook.write.new_workbook import new_workbook_bytes, paused_collection

# The background map of a scenario.


BACKGROUND_FILES = ("background.geojson", "background.json", "background.svg")
"""What a scenario's background may be called."""


def add_background(folder: Path, campaign: Campaign, words: Wording) -> list[Finding]:
    """Put what a scenario's background holds beside its outlines. A broken one is left out, with a finding."""
    path = next((folder / name for name in BACKGROUND_FILES if (folder / name).is_file()), None)
    if path is None:
        return []
    found = _read_background(path)
    if found.why:
        why = Verbatim(words.text(found.why, what=Verbatim(found.what)))
        return [codes.finding(codes.BAD_BACKGROUND, file=path.name, why=why)]
    table = campaign.table(Outline)
    known = {row.outline for row in table}
    for row in found.rows:
        if row.outline not in known:  # what the scenario says itself counts
            table.add(row)
    return []


def _read_background(path: Path) -> Background:
    try:
        if path.stat().st_size > LARGEST:
            return Background(why=TOO_LARGE)
        return read_background(path.read_bytes())
    except OSError:
        return Background(why=DAMAGED)


# `new_campaign`, `ledger --renew`.


SHORTEST_SECRET = 16
PLAYED_TABLES: tuple[type[Record], ...] = (Order, Question, Battle, Die, Event, FindingRow)
"""Tables of a scripted year that a new campaign of the same scenario starts without."""


@dataclass(frozen=True)
class NewPlan:
    """What `new_campaign` is asked for. `secret`: hexadecimal digits, "" to draw one; `dress`: what makes a workbook
    with buttons of a plain one, by its bytes and language, for a file that ends in .xlsm.
    """

    ruleset: str
    scenario: str = ""
    folder: Path | None = None
    language: str = ""
    title: str = ""
    secret: str = ""
    force: bool = False
    dress: Callable[[bytes, str], bytes] | None = None


def new_campaign(plan: NewPlan, path: Path, *, lang: str = "") -> Result:
    """Build a workbook and its ledger. Nothing is written when something in the folder would keep a phase from
    starting.

    Result data: ``file``, ``turn``, ``phase``, ``campaign``, ``factions``.
    """
    try:
        ruleset = find_ruleset(plan.ruleset, lang)
        if path.suffix.casefold() != (".xlsx" if plan.dress is None else ".xlsm"):
            raise abort(Exit.USAGE, codes.NOT_XLSX, lang, file=path.name)
        secret = dice_secret(plan.secret, lang)
        _refuse_to_overwrite(plan, path, lang)
        campaign, findings, wording = make_campaign(plan, ruleset, secret, lang)
        desk, spoken = campaign.desk, wording.lang
        with claim_workbook(path, "new", spoken, wording):
            _refuse_to_overwrite(plan, path, lang)
            _write_files(ruleset, campaign, path, secret, spoken, plan, not any(blocks_phase(f) for f in findings))
    except Abort as stopped:
        return stopped.result("new")
    result = Result("new", findings=findings, wording=wording)
    result.data.update(file=path.name, turn=desk.turn, phase=desk.phase, campaign=desk.campaign_id,
                       factions=playing_factions(campaign))
    result.say(wording.text(N_("{file} is ready: {title}, {when}."), file=path.name,
                            title=campaign_title(desk, wording), when=ruleset.when(desk.turn, desk.phase, spoken)))
    say_unsound(result)
    result.say(wording.text(N_("Keep {ledger} beside it and to yourself: it holds the dice secret and every snapshot."),
                            ledger=path_of_ledger(path).name))
    return result


def make_campaign(plan: NewPlan, ruleset: Ruleset, secret: bytes, lang: str) -> tuple[Campaign, list[Finding], Wording]:
    """The new campaign, findings to be put right before its first phase, and its wording.

    Raises `Stop` where the folder cannot be read.
    """
    campaign, findings = _read_records(plan, ruleset, lang)
    if plan.folder is not None and not len(campaign.table(Faction)) and not findings:
        raise abort(Exit.REFUSED, codes.EMPTY_FOLDER, lang, folder=plan.folder.name)
    desk = campaign.desk
    if desk.format > BOOK_FORMAT:
        raise abort(Exit.REFUSED, NEWER_BOOK, lang, file=f"{type(desk).file}.csv", seen=desk.format, known=BOOK_FORMAT)
    desk.format, desk.marks = BOOK_FORMAT, ""
    desk.ruleset = ruleset.id
    desk.title = readable(plan.title).strip() or desk.title or ruleset.title
    desk.language = plan.language or desk.language or "en"
    desk.campaign_id = desk.campaign_id or campaign_id(secret)
    spoken = lang or desk.language
    wording = Wording(ruleset, spoken, faction_names(campaign, spoken))
    if any(blocks_phase(f) for f in findings):
        raise Abort(Exit.REFUSED, findings, spoken, wording)
    folder = plan.folder or scenario_folder(plan.scenario, ruleset, lang)
    findings = [*findings, *add_background(folder, campaign, wording)]
    return campaign, [*findings, *prepare_and_check(ruleset, campaign)], wording


def say_unsound(result: Result) -> None:
    """Say, where a finding of a result keeps phases from starting, that it comes before the first phase."""
    if any(blocks_phase(f) for f in result.findings) and result.wording is not None:
        result.say(result.wording.text(N_("Put the findings right in the workbook: no phase starts before.")))


def dice_secret(typed: str, lang: str) -> bytes:
    """The secret of hexadecimal digits, or a new one where none was typed. Raises `Stop`."""
    if not typed:
        return os.urandom(SECRET_BYTES)
    try:
        secret = bytes.fromhex(typed)
    except ValueError:
        secret = b""
    if len(secret) < SHORTEST_SECRET:
        raise abort(Exit.USAGE, codes.BAD_SECRET, lang)
    return secret


def _refuse_to_overwrite(plan: NewPlan, path: Path, lang: str) -> None:
    """Never overwrite a workbook or ledger without `force`. Raises `Stop`."""
    for there in (path, path_of_ledger(path)):
        if there.exists() and not plan.force:
            raise abort(Exit.FILE, codes.FILE_EXISTS, lang, file=there.name)
    require_folder(path, lang)


def _read_records(plan: NewPlan, ruleset: Ruleset, lang: str) -> tuple[Campaign, list[Finding]]:
    """The records of the folder, or of the scenario without what its script plays. Raises `Stop`."""
    folder = plan.folder or scenario_folder(plan.scenario, ruleset, lang)
    try:
        _, campaign, findings = read_folder(folder, ruleset)
    except (BookError, OSError) as fault:
        raise file_abort(fault, folder, lang) from fault
    if plan.folder is None:
        played = (*PLAYED_TABLES, *ruleset.forms)
        for record in played:
            campaign.put(Table(campaign.table(record).record))
        findings = [f for f in findings if f.where.table not in {r.sheet for r in played}]
        campaign.desk.language = lang or machine_language()
    return campaign, findings


def scenario_folder(name: str, ruleset: Ruleset, lang: str) -> Path:
    """The folder of a scenario, the rulebook's first one for "". Raises `Stop` where there is none such."""
    known = scenarios_of(ruleset)
    name = name or next(iter(known), "")
    try:
        return known[name]
    except KeyError as no:
        raise abort(Exit.USAGE, codes.NO_SUCH_SCENARIO, lang, scenario=name, list=", ".join(known),
                   none="" if known else "yes", title=Verbatim(ruleset.title)) from no


def prepare_and_check(ruleset: Ruleset, campaign: Campaign) -> list[Finding]:
    """Bring the records into their form and check them; what must be put right before the first phase.

    Of a switch on which they are silent they say from here on what the book begins with; a campaign of which phases
    were played, such as an exported one, keeps the default that it was played by.
    """
    ruleset.fold(campaign)
    ruleset.prepare(campaign)
    rules = campaign.table(Rule)
    if not any(event.phase for event in campaign.table(Event)):
        write_values(rules, starting_values(ruleset.numbers, ruleset.typed_rules(rules)))
    return check_campaign(ruleset, campaign)


def _write_files(ruleset: Ruleset, campaign: Campaign, path: Path, secret: bytes, lang: str, plan: NewPlan,
           sound: bool) -> None:
    """The ledger first, then the workbook; when the workbook cannot be written no new ledger is left.

    `sound`: no finding is to be put right in the workbook first, so that its cells get their fingerprints.
    """
    ledger_path, desk = path_of_ledger(path), campaign.desk
    words = Wording(ruleset, desk.language, faction_names(campaign, desk.language))
    lines = desk_lines(ruleset, campaign, words, "" if plan.dress else path.name, [])
    kept = rename_old_ledger(ledger_path) if plan.force and ledger_path.exists() else None
    try:
        with Ledger.create(ledger_path, desk.campaign_id, secret, ruleset.version) as ledger:
            ledger.commit_turn(desk.turn, playing_factions(campaign))
            if sound:
                ledger.keep_marks(first_fingerprints(campaign))
            save_secrets_copy(ledger)
        with paused_collection():
            data = new_workbook_bytes(ruleset, campaign, path, words, lines)
            data = plan.dress(data, desk.language) if plan.dress is not None else data
        replace_file(path, data)
    except (LedgerTrouble, BookError, OSError, Abort) as fault:
        ledger_path.unlink(missing_ok=True)
        if kept is not None:
            kept.rename(ledger_path)
        if isinstance(fault, Abort):
            raise
        if isinstance(fault, LedgerTrouble):
            raise ledger_abort(fault, path, lang) from fault
        raise file_abort(fault, path, lang) from fault


def rename_old_ledger(ledger: Path) -> Path:
    """Rename a ledger to the first free ``<name>.old-<n>`` and return its new path. Raises OSError."""
    number = 1
    while (place := ledger.with_name(f"{ledger.name}.old-{number}")).exists():
        number += 1
    return ledger.rename(place)


def renew_ledger(path: Path, *, secret: str = "", lang: str = "") -> Result:
    """Start a new ledger with new dice secrets beside a workbook; an old one is set aside, not deleted.

    The workbook gets an event for everybody that says so. Result data: ``ledger``, ``rename_old_ledger``.
    """
    try:
        sitting = open_workspace(path, lang)
        abort_on_data(sitting)
        drawn, place = dice_secret(secret, lang), path_of_ledger(path)
        with sitting.claim("ledger --renew"):
            find_second_copies(sitting)
            old = rename_old_ledger(place) if place.exists() else None
            _renew(sitting, drawn, place, old)
    except Abort as stopped:
        return stopped.result("ledger")
    except OSError as fault:
        return file_abort(fault, path_of_ledger(path), lang).result("ledger")
    result = Result("ledger", findings=[*sitting.second_copies], wording=sitting.wording, events=1)
    result.data.update(ledger=place.name, set_aside=old.name if old else "")
    result.say(sitting.wording.text(
        N_("A new ledger was started. The dice of this turn change, and what was done before cannot be undone.")))
    if old is not None:
        result.say(sitting.wording.text(N_("The old one is kept as {file}."), file=old.name))
    return result


def _renew(sitting: Workspace, secret: bytes, place: Path, old: Path | None) -> None:
    """Create the new ledger and its event; on failure put the old one back. Raises `Stop`, OSError."""
    campaign = sitting.campaign
    try:
        began = sitting.ruleset.version if sitting.began is None else sitting.began
        with Ledger.create(place, campaign.desk.campaign_id, secret, began) as ledger:
            ledger.outbox.take_over(_mails_of(old))
            ledger.commit_turn(campaign.desk.turn, playing_factions(campaign))
            _tell_renewal(sitting, ledger, old is not None)
            save_secrets_copy(ledger)
        for one in backup_folder(place).glob(f"*{LEDGER_SUFFIX}"):
            if _has_other_secret(one, secret):  # no rescue may go back to it
                rename_old_ledger(one)
    except (LedgerTrouble, Abort) as fault:
        place.unlink(missing_ok=True)
        if old is not None:
            old.rename(place)
        raise (sitting.ledger_stop(fault) if isinstance(fault, LedgerTrouble) else fault) from fault


def _has_other_secret(path: Path, secret: bytes) -> bool:
    """Whether it is a whole ledger with another secret of the dice."""
    with contextlib.suppress(LedgerTrouble), Ledger.open(path, "") as ledger:
        return ledger.secret != secret
    return False


def _mails_of(old: Path | None) -> list[Mail]:
    """What a ledger that is set aside knows of mails that went out, as far as it can be read; of which of its changes
    they tell does not matter any more.
    """
    with contextlib.suppress(LedgerTrouble):
        if old is not None:
            with Ledger.open(old, "") as ledger:
                return [replace(row, step=0) for row in ledger.outbox.rows()]
    return []


def _tell_renewal(sitting: Workspace, ledger: Ledger, had_one: bool) -> None:
    """Write the event into the workbook: every club may know that the dice promised to it are gone."""
    after = sitting.campaign.copy()
    events, desk = after.table(Event), after.desk
    events.add(events.record(no=max((e.no for e in events), default=0) + 1, turn=desk.turn, phase=desk.phase,
                             audience=ALL, event=RENEWED, rule=COMMON_EVENTS[RENEWED].rule,
                             data={"old": had_one}))
    words = sitting.sheet_wording
    said = words.text(COMMON_EVENTS[RENEWED].text)
    session = WriteAccess(sitting, ledger, sitting.look(ledger))
    session.commit("renew", after, desk_lines(sitting.ruleset, after, words, sitting.path.name, [said]))

