"""`simulate --replay`: one campaign of the laboratory as a workbook with its ledger, phase by phase as it was played.

Its secret is the seed's, which everybody can foretell, so it is marked as the laboratory's, and neither `send` nor
`publish` nor `collect` takes it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import DeadlineSettings, Desk, InboxRow
from assistant.campaign.tables import Record, Table
from assistant.desk.commands.new_campaign import NewPlan, write_campaign_files
from assistant.desk.commands.resolve import resolve_loaded
from assistant.desk.commands.simulate import Setting, SimulatePlan, make_setting
from assistant.desk.play_phase import ResolveOptions
from assistant.desk.results import Exit, Result, Tell, quiet
from assistant.desk.workspace.workspace import (
    BOOK_FORMAT,
    LABORATORY_MARK,
    Abort,
    Workspace,
    abort,
    claim_workbook,
    folder_abort,
    open_workspace,
)
from assistant.laboratory.experiment import dice_secret, start_of
from assistant.ledger import path_of_ledger
from assistant.reporting.chronicle import NOTES, PRIVATE
from assistant.speech import faction_names
from assistant.turn import codes
from assistant.turn.robot_play import default_judge
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title


def replay_campaign(plan: SimulatePlan, seed: int, *, lang: str = "", tell: Tell = quiet) -> Result:
    """Write the campaign of a seed as a workbook with its ledger into a folder of its own, played as far as `simulate`
    plays it, or up to the phase in which it breaks down. Its folder must not hold it yet.

    Result data: ``file``, ``turn``, ``phase``, ``over``, ``fault``: why it breaks down, "" if it does not.
    """
    try:
        setting = make_setting(plan, lang)
    except Abort as stopped:
        return stopped.result("simulate")
    words = setting.words
    folder = plan.out or setting.folder.with_name(f"{setting.folder.name}-{seed}")
    path = folder / f"{folder.name}.xlsx"
    try:
        if len(setting.experiment.variants) > 1:
            raise abort(Exit.USAGE, codes.ONE_VARIANT, words.lang, words)
        for there in (path, path_of_ledger(path)):
            if there.exists():
                raise abort(Exit.FILE, codes.FILE_EXISTS, words.lang, words, file=str(there))
        folder.mkdir(parents=True, exist_ok=True)
        _write_start(setting, path, seed)
        fault = _play(setting, path, tell)
        return _result(setting, path, seed, fault)
    except Abort as stopped:
        return stopped.result("simulate")
    except OSError as fault:
        return folder_abort(fault, folder, N_("the campaign"), lang, words).result("simulate")


# The start.


def _write_start(setting: Setting, path: Path, seed: int) -> None:
    """Workbook and ledger before the first phase. Raises `Abort`."""
    ruleset, words = setting.ruleset, setting.words
    campaign = without_people(start_of(setting.experiment, ruleset, 0, seed))
    desk = campaign.desk
    mark = hashlib.sha256(repr(sorted(setting.what.items())).encode()).hexdigest()[:8]
    desk.campaign_id, desk.marks, desk.format = f"{LABORATORY_MARK}{seed}-{mark}", "", BOOK_FORMAT
    desk.language = words.lang
    named = Wording(ruleset, words.lang, faction_names(campaign, words.lang))
    title = words.text(N_("{title} (laboratory, seed {seed})"), title=Verbatim(campaign_title(desk, named)),
                       seed=Verbatim(seed))
    desk.title = str(title)
    with claim_workbook(path, "simulate", words.lang, words):
        write_campaign_files(ruleset, campaign, path, dice_secret(seed), words.lang,
                             NewPlan(ruleset.id, laboratory=True), True)


def without_people(campaign: Campaign) -> Campaign:
    """The campaign without addresses, notes, mails and deadlines: what is left is the play's."""
    bare = campaign.copy()
    for sheet, record in campaign.records().items():
        if issubclass(record, InboxRow):
            bare.put(Table(record, []))
            continue
        hidden = {column.name: column.default for column in record.columns()
                  if column.name in (*PRIVATE.get(sheet, ()), *NOTES)}
        if sheet == Desk.sheet:
            hidden |= {column.name: column.default for column in DeadlineSettings.columns()}
        if hidden:
            rows: list[tuple[str, Record]] = [(key, row.with_values(hidden))
                                              for key, row in campaign.by_sheet(sheet).raw_rows()]
            bare.put(Table.of(record, rows))
    return bare


# Playing it.


def _play(setting: Setting, path: Path, tell: Tell) -> str:
    """Resolve turn after turn; returns why the rulebook breaks down, "" if it does not. Raises `Abort`."""
    ruleset, turns = setting.ruleset, set[str]()
    while True:
        sitting = open_workspace(path, setting.words.lang)
        sitting.book.draws = False
        desk = sitting.campaign.desk
        turns.add(desk.turn)
        if ruleset.is_over(sitting.campaign) or 0 < setting.experiment.turns < len(turns):
            return ""
        try:
            _resolve(setting, sitting, f"{desk.turn}.{list(ruleset.phase_ids(sitting.campaign))[-1]}")
        except Abort:
            raise
        except Exception:  # a rulebook may fail in any way; its fault is told by what follows
            return _play_to_the_fault(setting, path)
        tell(ruleset.when(desk.turn, "", setting.words.lang))


def _play_to_the_fault(setting: Setting, path: Path) -> str:
    """Resolve phase after phase of a turn in which one breaks down, as far as it goes; returns what that one says.
    Raises `Abort`.
    """
    while True:
        sitting = open_workspace(path, setting.words.lang)
        sitting.book.draws = False
        try:
            _resolve(setting, sitting, "")
        except Abort:
            raise
        except Exception as fault:
            return " ".join(f"{type(fault).__name__}: {fault}".split())
        if setting.ruleset.is_over(sitting.campaign):
            return ""


def _resolve(setting: Setting, sitting: Workspace, until: str) -> None:
    """Resolve some phases as robots and the laboratory's referee play them. Raises `Abort` where one does not end."""
    done = resolve_loaded(sitting, until, ResolveOptions(
        judge=default_judge(sitting.ruleset), tempers=setting.experiment.tempers))
    if done.exit is not Exit.DONE:
        raise Abort(done.exit, done.findings, sitting.lang, sitting.wording)


def _result(setting: Setting, path: Path, seed: int, fault: str) -> Result:
    words, ruleset = setting.words, setting.ruleset
    sitting = open_workspace(path, words.lang)
    desk, over = sitting.campaign.desk, ruleset.is_over(sitting.campaign)
    result = Result("simulate", wording=words)
    result.data.update(file=str(path), turn=desk.turn, phase=desk.phase, over=over, fault=fault, seed=seed)
    if fault:
        result.find([codes.finding(codes.BREAKS_DOWN, turn=Verbatim(desk.turn), phase=Verbatim(desk.phase),
                                   fault=Verbatim(fault), file=Verbatim(path.name))])
    result.say(words.text(N_("The campaign of seed {seed} is {file}; its ledger lies beside it."), seed=Verbatim(seed),
                          file=Verbatim(str(path))))
    return result
