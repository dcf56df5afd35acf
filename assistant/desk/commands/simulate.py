"""`simulate`: campaigns that robots play, their tables and their page, and one of them as a workbook."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import DeadlineSettings, Desk, InboxRow, Rule
from assistant.campaign.tables import Record, Table
from assistant.desk.commands.new_campaign import NewPlan, make_campaign, write_campaign_files
from assistant.desk.commands.resolve import resolve_loaded
from assistant.desk.commands.rulesets import WORKBOOK_SUFFIXES, find_ruleset
from assistant.desk.play_phase import ResolveOptions
from assistant.desk.results import Exit, Result, Tell, quiet
from assistant.desk.workspace.check_against_ledger import open_playable
from assistant.desk.workspace.workspace import (
    BOOK_FORMAT,
    LABORATORY_MARK,
    Abort,
    Workspace,
    abort,
    catches_abort,
    claim_workbook,
    faction_code,
    folder_faults,
    open_workspace,
)
from assistant.environment import machine_language, quote_for_shell
from assistant.laboratory.experiment import (
    PAIRED,
    PILOT,
    BadTemper,
    BadVariation,
    Draws,
    Experiment,
    Sample,
    Variant,
    dice_secret,
    grid,
    is_playable,
    players,
    start_of,
    tempers_of,
)
from assistant.laboratory.page import Played, build_experiment_page, decimal, percent
from assistant.laboratory.totals import (
    IN_PARTS,
    LOOKS,
    Totals,
    campaigns_needed,
    has_parquet,
    part_files,
    share_errors,
    total_files,
    total_rows,
    widest_half,
)
from assistant.laboratory.workers import (
    Cluster,
    ClusterTrouble,
    Crew,
    OneProcess,
    OtherExperiment,
    Processes,
    Store,
    all_samples,
    bundles_of,
    check_address,
    play_missing,
)
from assistant.ledger import current_provenance, path_of_ledger
from assistant.reporting.chronicle import NOTES, PRIVATE
from assistant.reporting.render import render_experiment
from assistant.speech import faction_names
from assistant.turn import codes
from assistant.turn.findings import nearest
from assistant.turn.numbers import range_text, type_values
from assistant.turn.phases import default_judge
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title
from assistant.workbook.save import write_files

# --- simulate -------------------------------------------------------------------------------------
# `simulate`: campaigns that robots play from a scenario or from a campaign as it stands, their tables and their page.
#
# What is read of a real campaign are its records. Its ledger is only looked for, to tell a referee's workbook from a
# club's copy: no secret of it is read.

CAMPAIGNS, PILOT_CAMPAIGNS = 200, 100
"""So many campaigns are played where nothing else is said, and so many in a pilot."""
LANGUAGE, FORMAT = "en", 1
"""The language of campaigns that are played, which no result depends on; the form of what is kept of them."""
NO_SECRET = bytes(32)
"""In place of a secret while a scenario is read: no die is thrown by it."""


@dataclass(frozen=True)
class SimulatePlan:
    """What is to be played. `of`: a rulebook's id, or the path of a workbook; `campaigns`: of each variant, 0
    for as many as is usual; `seed`: the first; `turns`: at most so many, 0 for all; `out`: the folder, None for one by
    the campaign's name; `vary`: numbers with their values, ``NAME=a,b``; `view`: from this faction's view, "" for the
    referee's; `tempers`: of robots, ``V=bold``, or ``bold`` for all that are not named; `margin`: so many points at
    most to either side of what is said of the victories, 0 where `campaigns` decides; with a margin these are the most;
    `workers`: how many processes of this machine play; `cluster`: the address of a scheduler of Dask, `cluster.LOCAL`
    for one that is started here, "" for none.
    """

    of: str
    scenario: str = ""
    campaigns: int = 0
    seed: int = 1
    turns: int = 0
    out: Path | None = None
    vary: tuple[str, ...] = ()
    view: str = ""
    tempers: tuple[str, ...] = ()
    margin: float = 0.0
    workers: int = 1
    cluster: str = ""

    @property
    def most(self) -> int:
        """How many campaigns of each variant are played, with a margin at most."""
        return self.campaigns or (LOOKS[-1] if self.margin else CAMPAIGNS)

    @property
    def first_look(self) -> int:
        """How many campaigns a margin needs at least."""
        return LOOKS[0]


class Setting(NamedTuple):
    """What is played, ready to begin. `what`: plain values by which it is known again; `again`: how the same command
    begins.
    """

    ruleset: Ruleset
    experiment: Experiment
    folder: Path
    what: Mapping[str, Any]
    words: Wording
    again: str


@catches_abort("simulate")
def simulate(plan: SimulatePlan, *, lang: str = "", tell: Tell = quiet,
             clock: Callable[[], float] = time.monotonic) -> Result:
    """Play campaigns by robots and write their tables and a page about them into a folder.

    What was played is kept there bundle by bundle: the same command goes on from it. `tell`: is given progress;
    `clock`: seconds, for the time that is left. Result data: ``folder``, ``page``, ``campaigns``, ``faults``,
    ``dropped``, ``variants``: of each its name, and ``won``: faction -> victories.
    """
    setting = make_setting(plan, lang)
    try:
        if plan.cluster:
            check_address(plan.cluster)
        with folder_faults(setting.folder, N_("what is played"), lang, setting.words):
            _open_store(Store(setting.folder, setting.what), setting)
            playing = _Playing(plan, setting, tell, clock)
            return _to_margin(playing) if plan.margin else _write_all(playing, plan.most, 0, "")
    except KeyboardInterrupt:
        tell(setting.words.text(N_("What was played is kept in {folder}; the same command goes on from there."),
                                folder=Verbatim(str(setting.folder))))
        raise
    except ClusterTrouble as trouble:
        raise abort(Exit.USAGE if trouble.why == "open" else Exit.REFUSED, codes.NO_CLUSTER, setting.words.lang,
                    setting.words, why=trouble.why, address=Verbatim(plan.cluster),
                    detail=Verbatim(trouble.detail)) from trouble


def running_code(ruleset: str) -> tuple[str, ...]:
    """Which code plays a rulebook in this process: versions and fingerprint. Raises KeyError if it is not installed."""
    return tuple(current_provenance(load(ruleset)))


# What is played.


def make_setting(plan: SimulatePlan, lang: str) -> Setting:
    """Read what is to be played and check it. Raises `Abort`."""
    source = Path(plan.of)
    of_file = plan.of.casefold().endswith(WORKBOOK_SUFFIXES)
    ruleset, variants, starts, words = _of_workbook(plan, lang) if of_file else _of_scenario(plan, lang)
    view = _viewer(plan, ruleset, starts[0], words)
    tempers = _tempers(plan, ruleset, starts[0], words)
    if view:
        starts = [_without_source(ruleset.view(start, view)) for start in starts]
    experiment = Experiment(ruleset.id, variants, tuple(starts), plan.turns, faction=view, tempers=tempers)
    name = f"{source.stem if of_file else ruleset.id}-laboratory"
    folder = plan.out or (source.with_name(name) if of_file else Path(name))
    return Setting(ruleset, experiment, folder, _identity(ruleset, experiment), words, _command(plan))


def _without_source(view: Campaign) -> Campaign:
    """The rows of a view alone, which other processes can be given: nothing leads back to the campaign itself."""
    alone = view.copy()
    for sheet, record in view.records().items():
        alone.put(Table.of(record, [(key, row.copy()) for key, row in view.by_sheet(sheet).raw_rows()]))
    return alone.copy()


def _of_workbook(plan: SimulatePlan, lang: str) -> tuple[Ruleset, tuple[Variant, ...], list[Campaign], Wording]:
    """Rulebook, variants and their starts of a referee's workbook. Raises `Abort`."""
    workspace = open_playable(Path(plan.of), lang)
    with workspace.ledger():  # a club's copy has none, and does not show the whole campaign
        pass
    ruleset, words = workspace.ruleset, workspace.wording
    if ruleset.is_over(workspace.campaign):
        raise abort(Exit.REFUSED, codes.CAMPAIGN_OVER, workspace.lang, words)
    _require_robots(ruleset, words)
    variants, starts = _variants(plan, ruleset, words), list[Campaign]()
    for variant in variants:
        starts.append(workspace.campaign.copy())
        type_values(starts[-1].table(Rule), variant.values)
    return ruleset, variants, starts, words


def _of_scenario(plan: SimulatePlan, lang: str) -> tuple[Ruleset, tuple[Variant, ...], list[Campaign], Wording]:
    """Rulebook, variants and their starts of a scenario. Raises `Abort`."""
    ruleset = find_ruleset(plan.of, lang)
    words = Wording(ruleset, lang or machine_language())
    _require_robots(ruleset, words)
    variants, starts = _variants(plan, ruleset, words), list[Campaign]()
    for variant in variants:
        made = NewPlan(ruleset.id, plan.scenario, language=LANGUAGE, rules=variant.values)
        start, findings, said = make_campaign(made, ruleset, NO_SECRET, words.lang)
        if any(finding.stops for finding in findings):
            raise Abort(Exit.REFUSED, findings, words.lang, said)
        starts.append(start)
    return ruleset, variants, starts, words


def _viewer(plan: SimulatePlan, ruleset: Ruleset, campaign: Campaign, words: Wording) -> str:
    """The faction from whose view it is played, "" for the referee's. Raises `Abort`."""
    view = faction_code(campaign, plan.view, words)
    if view and not isinstance(ruleset, Draws):
        raise abort(Exit.REFUSED, codes.NO_DRAW, words.lang, words, title=Verbatim(ruleset.title))
    return view


def _tempers(plan: SimulatePlan, ruleset: Ruleset, campaign: Campaign, words: Wording) -> dict[str, str]:
    """The tempers that are asked for. Raises `Abort`."""
    try:
        return tempers_of(plan.tempers, ruleset, lambda name: faction_code(campaign, name, words), players(campaign))
    except BadTemper as bad:
        raise abort(Exit.USAGE, codes.BAD_TEMPER, words.lang, words, why=bad.why, title=Verbatim(ruleset.title),
                    **{name: Verbatim(value) for name, value in bad.data.items()}) from bad


def _require_robots(ruleset: Ruleset, words: Wording) -> None:
    if not is_playable(ruleset):
        raise abort(Exit.REFUSED, codes.NO_ROBOTS, words.lang, words, title=Verbatim(ruleset.title))


def _variants(plan: SimulatePlan, ruleset: Ruleset, words: Wording) -> tuple[Variant, ...]:
    """The grid that is asked for. Raises `Abort`."""
    try:
        return grid(plan.vary, ruleset.numbers)
    except BadVariation as bad:
        data = {name: Verbatim(value) for name, value in bad.data.items() if name not in ("known", "rule")}
        if "known" in bad.data:
            data["near"] = Verbatim(nearest(str(bad.data["seen"]), bad.data["known"]) or bad.data["known"][0])
        if "rule" in bad.data:
            data |= {"key": Verbatim(bad.data["rule"].key), "allowed": Verbatim(range_text(bad.data["rule"]))}
        raise abort(Exit.USAGE, codes.BAD_VARIATION, words.lang, words, why=bad.why, title=Verbatim(ruleset.title),
                    ruleset=Verbatim(ruleset.id), **data) from bad


def _identity(ruleset: Ruleset, experiment: Experiment) -> dict[str, Any]:
    """What an experiment is known by: the code that plays it, its starts, its variants."""
    tempers = {"tempers": dict(experiment.tempers)} if experiment.tempers else {}
    return {"format": FORMAT, "ruleset": ruleset.id, **current_provenance(ruleset)._asdict(), "turns": experiment.turns,
            "view": experiment.faction, **tempers, "variants": [variant.name for variant in experiment.variants],
            "starts": [_digest(start) for start in experiment.starts]}


def _digest(campaign: Campaign) -> str:
    """A fingerprint of all rows of a campaign."""
    rows = [[sheet, key, row.as_text()] for sheet, table in campaign.tables().items() for key, row in table.raw_rows()]
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False, sort_keys=True).encode()).hexdigest()[:16]


def _command(plan: SimulatePlan) -> str:
    """The command that makes the same experiment, without what says how many and where."""
    words = ["arbitro", "simulate", quote_for_shell(plan.of)]
    for name, value in (("--scenario", plan.scenario), ("--turns", str(plan.turns or "")), ("--as", plan.view),
                        *(("--temper", temper) for temper in plan.tempers),
                        *(("--vary", varied) for varied in plan.vary)):
        words += [name, quote_for_shell(value)] if value else []
    return " ".join(words)


# Playing.


def _open_store(store: Store, setting: Setting) -> None:
    """Make the folder or find it again. Raises `Abort`, OSError."""
    try:
        store.open()
    except OtherExperiment as other:
        raise abort(Exit.REFUSED, codes.OTHER_EXPERIMENT, setting.words.lang, setting.words,
                    folder=Verbatim(str(setting.folder)), file=Verbatim(other.name)) from other


class _Playing:
    """Plays the campaigns of a command as they are asked for, and tells how long it will take."""

    def __init__(self, plan: SimulatePlan, setting: Setting, tell: Tell, clock: Callable[[], float]) -> None:
        self.plan, self.setting, self.tell, self._clock = plan, setting, tell, clock

    def samples(self, campaigns: int, series: str = PAIRED) -> Iterator[list[Sample]]:
        """So many campaigns seed by seed; those are played first that are not kept yet. Raises OSError."""
        setting, began = self.setting, self._clock()
        store = Store(setting.folder, setting.what, "" if series == PAIRED else series)
        store.open()
        bundles = bundles_of(self.plan.seed, campaigns)

        def tell_progress(done: int, every: int, before: int) -> None:
            left = round((self._clock() - began) / max(done - before, 1) * (every - done))
            self.tell(setting.words.text(
                N_("[{done}/{all}] about {time} left"), done=Verbatim(done), all=Verbatim(every),
                time=Verbatim(f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02}")))

        play_missing(store, bundles, self._crew(series), tell_progress)
        return all_samples(store, bundles)

    def _crew(self, series: str) -> Crew:
        experiment = replace(self.setting.experiment, series=series)
        if self.plan.cluster:
            return Cluster(experiment, self.plan.cluster, self.plan.workers, running_code,
                           running_code(experiment.ruleset))
        return OneProcess(experiment) if self.plan.workers < 2 else Processes(experiment, self.plan.workers)

    def totals(self, campaigns: int, series: str = PAIRED) -> Totals:
        """The sums over so many campaigns. Raises OSError."""
        totals = empty_totals(self.setting.experiment)
        for seed in self.samples(campaigns, series):
            totals.add(seed)
        return totals


def empty_totals(experiment: Experiment) -> Totals:
    """Sums over no campaign yet, for the factions that play."""
    return Totals.of(len(experiment.variants), players(experiment.starts[0]))


# Until a margin is reached.


def _to_margin(playing: _Playing) -> Result:
    """Play until what is said of the victories is within the margin, and write that. Raises OSError.

    It is looked at after 500, 1,000, 2,000 ... campaigns only, and a pilot on other seeds tells beforehand how many
    will do; the pilot counts nowhere.
    """
    plan, words = playing.plan, playing.setting.words
    looks = [look for look in LOOKS if look <= plan.most]
    errors = share_errors(playing.totals(PILOT_CAMPAIGNS, PILOT))
    needed = campaigns_needed(errors, PILOT_CAMPAIGNS, plan.margin / 100, looks)
    margin = Verbatim(decimal(plan.margin, 1, words))
    pilot = words.text(
        N_("A pilot of {pilot} campaigns, which does not count, says that {needed} are enough for {margin} points."),
        pilot=words.number(PILOT_CAMPAIGNS), needed=words.number(needed), margin=margin) if needed else words.text(
        N_("A pilot of {pilot} campaigns, which does not count, says that {most} are not enough for {margin} points."),
        pilot=words.number(PILOT_CAMPAIGNS), most=words.number(looks[-1]), margin=margin)
    playing.tell(pilot)
    widest, look = 0.0, 0
    for look, campaigns in enumerate(looks, 1):
        widest = widest_half(playing.totals(campaigns), look)
        if widest * 100 <= plan.margin:
            break
    result = _write_all(playing, looks[look - 1], look, pilot)
    result.data.update(margin=round(widest * 100, 4), needed=needed)
    result.lines.insert(0, words.text(
        N_("After {played} campaigns all that is said of the victories is right to within {points} points."),
        played=words.number(looks[look - 1]), points=Verbatim(decimal(widest * 100, 1, words))))
    return result


# What is written.


def _write_all(playing: _Playing, campaigns: int, look: int, pilot: str) -> Result:
    """Play so many campaigns, write tables and page, and say what came of it. Raises OSError."""
    plan, setting = playing.plan, playing.setting
    experiment, words, ruleset = setting.experiment, setting.words, setting.ruleset
    totals, parquet, written = empty_totals(experiment), has_parquet(), set[str]()
    for files in part_files(playing.samples(campaigns), totals, experiment.variants, parquet=parquet):
        write_files(setting.folder, files)
        written |= files.keys()
    files = total_files(total_rows(ruleset, totals, experiment.variants, look), parquet=parquet)
    shown = Played(ruleset, experiment.starts[0], experiment.variants, totals, plan.seed, look, plan.turns,
                   f"{setting.again} --replay SEED", pilot)
    page = f"laboratory-{words.lang}.html"
    files[page] = render_experiment(build_experiment_page(shown, words)).encode()
    write_files(setting.folder, files)
    _delete_stale_parts(setting.folder, written | files.keys())
    return _result(setting, totals, setting.folder / page, parquet=parquet)


def _delete_stale_parts(folder: Path, written: Iterable[str]) -> None:
    """Delete part files of an earlier call with other seeds. Raises OSError."""
    keep = set(written)
    for name in IN_PARTS:
        for path in sorted(folder.glob(f"{name}-*")):
            if path.name not in keep and path.suffix in (".csv", ".parquet"):
                path.unlink()


def _result(setting: Setting, totals: Totals, page: Path, *, parquet: bool) -> Result:
    words, experiment = setting.words, setting.experiment
    result = Result("simulate", wording=words)
    result.data.update(
        folder=str(setting.folder), page=str(page), campaigns=totals.played, faults=totals.faulty,
        dropped=totals.dropped, variants=[
            {"name": variant.name, "campaigns": counted.campaigns, "over": counted.over, "drawn": counted.drawn,
             "won": {faction: counted.wins[faction] for faction in totals.factions}}
            for variant, counted in zip(experiment.variants, totals.variants, strict=True)])
    for variant, counted in zip(experiment.variants, totals.variants, strict=True):
        head = f"{variant.name}: " if variant.name else ""
        won = ", ".join(f"{faction} {percent(counted.wins[faction] / counted.over, words)}"
                        for faction in sorted(totals.factions, key=lambda code: -counted.wins[code])
                        if counted.wins[faction])
        result.say(head + words.text(N_("Campaigns: {n}; played to their end: {over}. Who won: {list}."),
                                     n=words.number(counted.campaigns), over=words.number(counted.over),
                                     list=Verbatim(won or "–")))
    if totals.doubtful:
        result.find([codes.finding(codes.MANY_FAULTS, faulty=totals.faulty, all=totals.played,
                                   file=Verbatim(page.name))])
    elif totals.faulty:
        result.say(words.plural(N_("{n} campaign had a fault and does not count."),
                                N_("{n} campaigns had a fault and do not count."), totals.faulty))
    if not parquet:
        result.say(words.text(N_("The tables are CSV only. For Parquet as well: pip install \"arbitro[lab]\"")))
    result.say(words.text(N_("Open {file}; the tables lie beside it."), file=Verbatim(str(page))))
    return result


# --- replay seed ----------------------------------------------------------------------------------
# `simulate --replay`: one campaign of the laboratory as a workbook with its ledger, phase by phase as it was played.
#
# Its secret is the seed's, which everybody can foretell, so it is marked as the laboratory's, and neither `send` nor
# `publish` nor `collect` takes it.

@catches_abort("simulate")
def replay_campaign(plan: SimulatePlan, seed: int, *, lang: str = "", tell: Tell = quiet) -> Result:
    """Write the campaign of a seed as a workbook with its ledger into a folder of its own, played as far as `simulate`
    plays it, or up to the phase in which it breaks down. Its folder must not hold it yet.

    Result data: ``file``, ``turn``, ``phase``, ``over``, ``fault``: why it breaks down, "" if it does not.
    """
    setting = make_setting(plan, lang)
    words = setting.words
    folder = plan.out or setting.folder.with_name(f"{setting.folder.name}-{seed}")
    path = folder / f"{folder.name}.xlsx"
    with folder_faults(folder, N_("the campaign"), lang, words):
        if len(setting.experiment.variants) > 1:
            raise abort(Exit.USAGE, codes.ONE_VARIANT, words.lang, words)
        for there in (path, path_of_ledger(path)):
            if there.exists():
                raise abort(Exit.FILE, codes.FILE_EXISTS, words.lang, words, file=str(there))
        folder.mkdir(parents=True, exist_ok=True)
        _write_start(setting, path, seed)
        fault = _play(setting, path, tell)
        return _replay(setting, path, seed, fault)


# The start.


def _write_start(setting: Setting, path: Path, seed: int) -> None:
    """Workbook and ledger before the first phase. Raises `Abort`."""
    ruleset, words = setting.ruleset, setting.words
    campaign = without_people(start_of(setting.experiment, ruleset, 0, seed))
    desk = campaign.desk
    # two experiments with the same seed are two campaigns
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
        workspace = open_workspace(path, setting.words.lang)
        workspace.book.draws = False
        desk = workspace.campaign.desk
        turns.add(desk.turn)
        if ruleset.is_over(workspace.campaign) or 0 < setting.experiment.turns < len(turns):
            return ""
        if _fault_in(setting, workspace, f"{desk.turn}.{list(ruleset.phase_ids(workspace.campaign))[-1]}"):
            return _play_to_the_fault(setting, path)
        tell(ruleset.when(desk.turn, "", setting.words.lang))


def _play_to_the_fault(setting: Setting, path: Path) -> str:
    """Resolve phase after phase of a turn in which one breaks down, as far as it goes; returns what that one says.
    Raises `Abort`.
    """
    while True:
        workspace = open_workspace(path, setting.words.lang)
        workspace.book.draws = False
        if fault := _fault_in(setting, workspace, ""):
            return fault
        if setting.ruleset.is_over(workspace.campaign):
            return ""


def _fault_in(setting: Setting, workspace: Workspace, until: str) -> str:
    """Resolve some phases as robots and the laboratory's referee play them; returns what the rulebook says that breaks
    down, "" for none. Raises `Abort` where a phase does not end.
    """
    try:
        done = resolve_loaded(workspace, until, ResolveOptions(
            judge=default_judge(workspace.ruleset), tempers=setting.experiment.tempers))
    except Abort:
        raise
    except Exception as fault:  # a rulebook may fail in any way
        return " ".join(f"{type(fault).__name__}: {fault}".split())
    if done.exit is not Exit.DONE:
        raise workspace.abort_with(done.exit, done.findings)
    return ""


def _replay(setting: Setting, path: Path, seed: int, fault: str) -> Result:
    words, ruleset = setting.words, setting.ruleset
    workspace = open_workspace(path, words.lang)
    desk, over = workspace.campaign.desk, ruleset.is_over(workspace.campaign)
    result = Result("simulate", wording=words)
    result.data.update(file=str(path), turn=desk.turn, phase=desk.phase, over=over, fault=fault, seed=seed)
    if fault:
        result.find([codes.finding(codes.BREAKS_DOWN, turn=Verbatim(desk.turn), phase=Verbatim(desk.phase),
                                   fault=Verbatim(fault), file=Verbatim(path.name))])
    result.say(words.text(N_("The campaign of seed {seed} is {file}; its ledger lies beside it."), seed=Verbatim(seed),
                          file=Verbatim(str(path))))
    return result
