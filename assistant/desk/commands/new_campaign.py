"""`new`: a workbook from a scenario or a folder of CSV files; `demo`: one made and played; `ledger --renew`."""

from __future__ import annotations

import contextlib
import csv
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Faction, Order, Outline, Rule
from assistant.campaign.tables import Table
from assistant.desk.commands.report import faction_file_name, report
from assistant.desk.commands.resolve import resolve_loaded
from assistant.desk.commands.rulesets import PLAYED_TABLES, find_ruleset, prepare_and_check, scenarios_of
from assistant.desk.intake.incoming import Input
from assistant.desk.intake.take_orders import take_orders_loaded
from assistant.desk.next_steps import desk_lines
from assistant.desk.play_phase import ResolveOptions, TurnPhase, phases_to_come
from assistant.desk.results import Exit, Result, Tell, quiet
from assistant.desk.workspace.check_against_ledger import find_second_copies, open_playable
from assistant.desk.workspace.detect_edits import first_fingerprints
from assistant.desk.workspace.workspace import (
    BOOK_FORMAT,
    Abort,
    Workspace,
    abort,
    catches_abort,
    claim_workbook,
    factions_with_reports,
    file_abort,
    file_faults,
    folder_faults,
    ledger_abort,
    open_workspace,
    playing_factions,
    require_folder,
)
from assistant.desk.workspace.writer import WriteAccess, save_secrets_copy
from assistant.environment import backup_folder, machine_language
from assistant.laboratory.experiment import is_playable
from assistant.ledger import LEDGER_SUFFIX, SECRET_BYTES, Ledger, LedgerTrouble, Mail, campaign_id, path_of_ledger
from assistant.pictures.background import DAMAGED, LARGEST, TOO_LARGE, Background, read_background
from assistant.speech import faction_names
from assistant.turn import codes
from assistant.turn.codes import NEWER_BOOK
from assistant.turn.findings import Finding
from assistant.turn.messages import COMMON_EVENTS, RENEWED, add_common_event
from assistant.turn.numbers import type_values
from assistant.turn.phases import blocks_phase
from assistant.turn.rulebooks import UnfitRuleset, installed_rulesets, load, package_text
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
    background = _read_background(path)
    if background.why:
        why = Verbatim(words.text(background.why, what=Verbatim(background.what)))
        return [codes.finding(codes.BAD_BACKGROUND, file=path.name, why=why)]
    table = campaign.table(Outline)
    known = {row.outline for row in table}
    for row in background.rows:
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


@dataclass(frozen=True)
class NewPlan:
    """What `new_campaign` is asked for. `secret`: hexadecimal digits, "" to draw one; `dress`: what makes a workbook
    with buttons of a plain one, by its bytes and language, for a file that ends in .xlsm; `clicks`: it is played by
    clicks, so its Desk names buttons; `rules`: values typed into its Rules; `laboratory`: it is
    one of the laboratory, so that no second copy of its secret is kept.
    """

    ruleset: str
    scenario: str = ""
    folder: Path | None = None
    language: str = ""
    title: str = ""
    secret: str = ""
    force: bool = False
    dress: Callable[[bytes, str], bytes] | None = None
    clicks: bool = False
    rules: Mapping[str, int | str] = field(default_factory=dict)
    laboratory: bool = False


@catches_abort("new")
def new_campaign(plan: NewPlan, path: Path, *, lang: str = "") -> Result:
    """Build a workbook and its ledger. Nothing is written when something in the folder would keep a phase from
    starting.

    Result data: ``file``, ``turn``, ``phase``, ``campaign``, ``factions``.
    """
    ruleset = find_ruleset(plan.ruleset, lang)
    if path.suffix.casefold() != (".xlsx" if plan.dress is None else ".xlsm"):
        raise abort(Exit.USAGE, codes.NOT_XLSX, lang, file=path.name)
    secret = dice_secret(plan.secret, lang)
    _refuse_to_overwrite(plan, path, lang)
    campaign, findings, wording = make_campaign(plan, ruleset, secret, lang)
    desk, spoken = campaign.desk, wording.lang
    with claim_workbook(path, "new", spoken, wording):
        # somebody may have made it before it was claimed
        _refuse_to_overwrite(plan, path, lang)
        write_campaign_files(ruleset, campaign, path, secret, spoken, plan,
                             not any(blocks_phase(f) for f in findings))
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

    Raises `Abort` where the folder cannot be read.
    """
    campaign, findings = _read_records(plan, ruleset, lang)
    type_values(campaign.table(Rule), plan.rules)
    if plan.folder is not None and not len(campaign.table(Faction)) and not findings:
        raise abort(Exit.REFUSED, codes.EMPTY_FOLDER, lang, folder=plan.folder.name)
    desk = campaign.desk
    if desk.format > BOOK_FORMAT:
        raise abort(Exit.REFUSED, NEWER_BOOK, lang, file=f"{type(desk).file}.csv", seen=desk.format, known=BOOK_FORMAT)
    # marks of another ledger's chain would make it a workbook of two histories
    desk.format, desk.marks = BOOK_FORMAT, ""
    desk.ruleset = ruleset.id
    desk.title = readable(plan.title).strip() or desk.title or ruleset.title
    desk.language = plan.language or desk.language or "en"
    if plan.language and plan.folder is None:  # a folder says itself which club reads what
        for faction in campaign.table(Faction):
            faction.language = plan.language
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
    """The secret of hexadecimal digits, or a new one where none was typed. Raises `Abort`."""
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
    """Never overwrite a workbook or ledger without `force`. Raises `Abort`."""
    for there in (path, path_of_ledger(path)):
        if there.exists() and not plan.force:
            raise abort(Exit.FILE, codes.FILE_EXISTS, lang, file=there.name)
    require_folder(path, lang)


def _read_records(plan: NewPlan, ruleset: Ruleset, lang: str) -> tuple[Campaign, list[Finding]]:
    """The records of the folder, or of the scenario without what its script plays. Raises `Abort`."""
    folder = plan.folder or scenario_folder(plan.scenario, ruleset, lang)
    with file_faults(folder, lang):
        _, campaign, findings = read_folder(folder, ruleset)
    if plan.folder is None:
        played = (*PLAYED_TABLES, *ruleset.forms)
        for record in played:
            campaign.put(Table(campaign.table(record).record))
        findings = [f for f in findings if f.where.table not in {r.sheet for r in played}]
        campaign.desk.language = lang or machine_language()
    return campaign, findings


def scenario_folder(name: str, ruleset: Ruleset, lang: str) -> Path:
    """The folder of a scenario, the rulebook's first one for "". Raises `Abort` where there is none such."""
    known = scenarios_of(ruleset)
    name = name or next(iter(known), "")
    try:
        return known[name]
    except KeyError as no:
        raise abort(Exit.USAGE, codes.NO_SUCH_SCENARIO, lang, scenario=name, list=", ".join(known),
                   none="" if known else "yes", title=Verbatim(ruleset.title)) from no


def write_campaign_files(ruleset: Ruleset, campaign: Campaign, path: Path, secret: bytes, lang: str, plan: NewPlan,
                         sound: bool) -> None:
    """The ledger first, then the workbook; when the workbook cannot be written no new ledger is left.

    `sound`: no finding is to be put right in the workbook first, so that its cells get their fingerprints. Raises
    `Abort`.
    """
    ledger_path, desk = path_of_ledger(path), campaign.desk
    words = Wording(ruleset, desk.language, faction_names(campaign, desk.language))
    lines = desk_lines(ruleset, campaign, words, "" if plan.dress or plan.clicks else path.name, [])
    kept = rename_old_ledger(ledger_path) if plan.force and ledger_path.exists() else None
    try:
        with Ledger.create(ledger_path, desk.campaign_id, secret, ruleset.version, package_text(ruleset)) as ledger:
            ledger.commit_turn(desk.turn, playing_factions(campaign))
            if sound:
                ledger.keep_marks(first_fingerprints(campaign))
            if not plan.laboratory:
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


@catches_abort("ledger")
def renew_ledger(path: Path, *, secret: str = "", lang: str = "") -> Result:
    """Start a new ledger with new dice secrets beside a workbook; an old one is set aside, not deleted.

    The workbook gets an event for everybody that says so. Result data: ``ledger``, ``rename_old_ledger``.
    """
    try:
        workspace = open_playable(path, lang)
        drawn, place = dice_secret(secret, lang), path_of_ledger(path)
        with workspace.claim("ledger --renew"):
            find_second_copies(workspace)
            old = rename_old_ledger(place) if place.exists() else None
            _renew(workspace, drawn, place, old)
    except OSError as fault:
        return file_abort(fault, path_of_ledger(path), lang).result("ledger")
    result = Result("ledger", findings=[*workspace.second_copies], wording=workspace.wording, events=1)
    result.data.update(ledger=place.name, set_aside=old.name if old else "")
    result.say(workspace.wording.text(
        N_("A new ledger was started. The dice of this turn change, and what was done before cannot be undone.")))
    if old is not None:
        result.say(workspace.wording.text(N_("The old one is kept as {file}."), file=old.name))
    return result


def _renew(workspace: Workspace, secret: bytes, place: Path, old: Path | None) -> None:
    """Create the new ledger and its event; on failure put the old one back. Raises `Abort`, OSError."""
    campaign = workspace.campaign
    try:
        began = workspace.ruleset.version if workspace.began is None else workspace.began
        with Ledger.create(place, campaign.desk.campaign_id, secret, began,
                           package_text(workspace.ruleset)) as ledger:
            ledger.outbox.take_over(_mails_of(old))
            ledger.commit_turn(campaign.desk.turn, playing_factions(campaign))
            _tell_renewal(workspace, ledger, old is not None)
            save_secrets_copy(ledger)
        for ledger_file in backup_folder(place).glob(f"*{LEDGER_SUFFIX}"):
            if _has_other_secret(ledger_file, secret):  # no rescue may go back to it
                rename_old_ledger(ledger_file)
    except (LedgerTrouble, Abort) as fault:
        place.unlink(missing_ok=True)
        if old is not None:
            old.rename(place)
        raise (workspace.ledger_stop(fault) if isinstance(fault, LedgerTrouble) else fault) from fault


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
                return [row._replace(step=0) for row in ledger.outbox.rows()]
    return []


def _tell_renewal(workspace: Workspace, ledger: Ledger, had_one: bool) -> None:
    """Write the event into the workbook: every club may know that the dice promised to it are gone."""
    after = workspace.campaign.copy()
    add_common_event(after, RENEWED, {"old": had_one})
    session = WriteAccess(workspace, ledger, workspace.look(ledger))
    session.commit("renew", after, [workspace.sheet_wording.text(COMMON_EVENTS[RENEWED].text)])


# What a demo announces, and what it recommends to open first.


LATEST = "latest"
"""The folder of the reports after the last phase."""
LANGUAGE = {"en": N_("Reports in English, their club's own language: {list}."),
            "it": N_("Reports in Italian, their club's own language: {list}.")}


def announcement(workspace: Workspace, moments: Sequence[TurnPhase], folder: Path) -> Iterator[str]:
    """What will be played, what there will be to see, and where."""
    words, campaign, ruleset = workspace.wording, workspace.campaign, workspace.ruleset
    first, last = (ruleset.when(*moment, words.lang) for moment in (moments[0], moments[-1]))
    yield words.plural(
        N_("{rulebook}, {title}: {count} factions play {first} by a script, with orders, choices, battles and"
           " mistakes."),
        N_("{rulebook}, {title}: {count} factions play from {first} to {last} by a script, {n} phases with their"
           " orders, choices, battles and mistakes."), len(moments), rulebook=ruleset.title,
        title=campaign_title(campaign.desk, words), count=len(factions_with_reports(campaign)), first=Verbatim(first),
        last=Verbatim(last))
    yield words.text(N_("Afterwards you can look at the workbook as it was after each phase, at every club's report and"
                        " at the public gazette."))
    yield words.text(N_("It takes less than a minute and writes into {folder} only."), folder=str(folder))


def remarks_on_script(result: Result) -> list[str]:
    """What Arbitro remarked on the script, one of each kind, with a line above that says whose mistakes these are."""
    if result.wording is None or not result.findings:
        return []
    text = result.wording.plural(
        N_("The clubs of the demo make mistakes on purpose. Arbitro found {n}:"),
        N_("The clubs of the demo make mistakes on purpose. Arbitro found {n}, of these kinds:"),
        len(result.findings))
    kinds = {finding.code: finding for finding in reversed(result.findings)}
    first = [finding for finding in result.findings if kinds[finding.code] is finding]
    shown = Result("demo", findings=first, wording=result.wording)
    rest = len(result.findings) - len(kinds)
    more = [result.wording.plural(N_("and {n} more of these kinds."), N_("and {n} more of these kinds."), rest)]
    return [text, *(f"  {line}" for line in [*shown.finding_lines(), *more[:rest]])]


def busiest_turn(campaign: Campaign, turns: Iterable[str]) -> tuple[str, int]:
    """Of some turns the one with most battles, of several the first, and how many there were; "" where no turn was
    played to its end.
    """
    fought = Counter(battle.turn for battle in campaign.table(Battle))
    turn = max(turns, key=lambda other: fought[other], default="")
    return turn, fought[turn]


def say_what_to_open(result: Result, workspace: Workspace, out: Path, turns: Sequence[str]) -> Path:
    """Say where all lies, and what to open first: the gazette of the turn with most battles. Returns that page."""
    words, campaign = workspace.wording, workspace.campaign
    result.say(words.plural(N_("{n} event."), N_("{n} events."), result.events))
    result.say(words.text(N_("One workbook for each phase lies in {folder}, from {first} to {last}."), folder=str(out),
                          first=result.data["copies"][0], last=result.data["copies"][-1]))
    languages = {code: campaign.table(Faction)[code].language for code in factions_with_reports(campaign)}
    for lang in sorted(set(languages.values()) - {words.lang}):
        own = [words.name_of(code) for code, spoken in languages.items() if spoken == lang]
        result.say(words.text(LANGUAGE[lang], list=", ".join(own)))
    result.say(words.text(N_("Go on playing with: arbitro status {file}"), file=str(workspace.path)))
    turn, battles = busiest_turn(campaign, turns)
    page = out / "reports" / (turn or LATEST) / "gazette.html"
    result.say(words.plural(N_("Open first: {file} ({turn}, with {n} battle)"),
                            N_("Open first: {file} ({turn}, with {n} battles)"), battles, file=str(page),
                            turn=Verbatim(workspace.ruleset.turn_name(turn or campaign.desk.turn, words.lang))))
    pages = {code: page.with_name(f"{faction_file_name(code)}.html") for code in languages}
    club = max(pages, key=lambda code: (languages[code] == words.lang, pages[code].stat().st_size))  # has most to tell
    result.say(words.text(N_("Then what one club may know of it: {file}"), file=str(pages[club])))
    result.say(words.text(N_("Then the workbook: {file}"), file=str(workspace.path)))
    return page


# `demo`.


SECRET = "64656d6f" * 8
"""A fixed secret, so that the demo is the same everywhere; its dice come from the scenario."""

SCRIPT = ("orders.csv", "answers.csv", "battle_results.csv", "dice.csv")
START = "start"
TURN_NAMES = ("turn", "year", "day")


@dataclass
class Script:
    """What people do, by the moment for which it is meant: file name -> rows of text, the headings first.

    `word`: what stands in the column Phase of orders that do not say it; `fights`: the phase of other rows that name
    none, the one that waits for battles; `given`: rows that were handed in already.
    """

    files: dict[str, list[list[str]]] = field(default_factory=dict)
    word: str = ""
    fights: str = ""
    given: set[tuple[str, int]] = field(default_factory=set)

    @classmethod
    def read(cls, folder: Path, ruleset: Ruleset) -> Script:
        """The scripted files of a scenario's folder. Raises OSError."""
        waited = ruleset.form.question if ruleset.form is not None else ""
        phases = ruleset.calendar.phases().values()
        script = cls(word=str(ruleset.record(Order.sheet).column("phase").default),
                     fights=next((phase.id for phase in phases if waited and waited in phase.waits_for), ""))
        for name in SCRIPT:
            if (folder / name).is_file():
                with (folder / name).open(encoding="utf-8-sig", newline="") as file:
                    script.files[name] = list(csv.reader(file))
        return script

    def rows(self, name: str) -> Iterator[tuple[TurnPhase, list[str]]]:
        """The rows of one file with their moments."""
        heading, *rows = self.files[name]
        turn = next(i for i, word in enumerate(heading) if word in TURN_NAMES)
        phase = heading.index("phase") if "phase" in heading else None
        unsaid = self.word if name == SCRIPT[0] else self.fights
        for row in rows:
            yield TurnPhase(row[turn], unsaid if phase is None else row[phase]), row

    def moments(self) -> set[TurnPhase]:
        """All moments for which something is scripted; orders stand under the word of their phase."""
        return {moment for name in self.files for moment, _ in self.rows(name)}

    def write(self, ruleset: Ruleset, evening: list[TurnPhase], folder: Path) -> list[Input]:
        """Write what is meant for some phases as CSVs, to be taken by `arbitro orders`."""
        words = {TurnPhase(m.turn, ruleset.phase(m.phase).orders) for m in evening}
        sources = []
        for name, (heading, *_) in self.files.items():
            wanted = words if name == SCRIPT[0] else set(evening)
            meant = [(number, row) for number, (moment, row) in enumerate(self.rows(name))
                     if moment in wanted and (name, number) not in self.given]
            self.given |= {(name, number) for number, _ in meant}
            rows = [row for _, row in meant]
            if rows:
                with (folder / name).open("w", encoding="utf-8", newline="") as file:
                    csv.writer(file).writerows([heading, *rows])
                sources.append(Input(name, path=folder / name))
        return sources


@catches_abort("demo")
def demo(out: Path, *, ruleset: str = "", folder: Path | None = None, lang: str = "", tell: Tell = quiet,
         pictures: bool = False) -> Result:
    """Play a scenario's script into a folder, in a language, or the machine's; clubs' reports are in their own.

    `ruleset`: id (default: of those with a scenario the one of the lowest `demo_rank`); `folder`: a scenario
    of one's own; `pictures`: the latest reports, and those of a turn with more battles than any before, have maps and
    charts. Leaves ``<scenario>.xlsx`` with its ledger, a copy ``NN-<turn>-<phase>.xlsx`` after each phase, and reports
    under ``reports``: those before the first phase, which promise its dice, in ``reports/start``, those of a
    turn in a folder of its name, those of the last phase in ``reports/latest``. Result data: ``book``, ``copies``,
    ``reports``, ``turn``, ``phase``, ``page``: the gazette that is worth seeing first.
    """
    lang = lang or machine_language()
    try:
        name = ruleset or _default_ruleset()
        book = find_ruleset(name, lang)
        place = folder or _first_scenario(book, lang)
        script = Script.read(place, book)
        if not script.moments():
            raise abort(Exit.REFUSED, codes.NO_SCRIPT, lang, scenario=place.name, title=book.title, ruleset=book.id,
                        robots="yes" if is_playable(book) else "no")
        with folder_faults(out, N_("the workbooks and reports"), lang):
            out.mkdir(parents=True, exist_ok=True)
        path = out / f"{place.name}.xlsx"
        _delete_earlier_demo(out, path)
        with _without_script(place) as state:
            _require_done(new_campaign(NewPlan(book.id, folder=state, language=lang, secret=SECRET), path, lang=lang))
        return _play(path, script, lang, tell, pictures=pictures)
    except OSError as fault:
        return file_abort(fault, out, lang).result("demo")


class _Refused(Abort):
    """A command of the demo was refused: its result is the demo's."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.exit, result.findings, wording=result.wording)
        self.refused = result

    def result(self, command: str) -> Result:
        """The refused command's own result."""
        self.refused.command = command
        return self.refused


def _require_done(result: Result) -> Result:
    """The result of a command that must succeed. Raises `Abort`."""
    if result.exit != Exit.DONE:
        raise _Refused(result)
    return result


def _default_ruleset() -> str:
    """The ruleset of a demo that names none: of those with a scenario the one of the lowest rank; "" for none."""
    fit = []
    for name in installed_rulesets():
        with suppress(UnfitRuleset):  # a plug-in that cannot be used keeps nobody from seeing another book
            fit.append(load(name))
    return min(((ruleset.demo_rank, ruleset.id) for ruleset in fit if scenarios_of(ruleset)), default=(0, ""))[1]


def _first_scenario(ruleset: Ruleset, lang: str) -> Path:
    places = scenarios_of(ruleset)
    if not places:
        raise abort(Exit.USAGE, codes.NO_SUCH_SCENARIO, lang, scenario=ruleset.id, list="")
    return next(iter(places.values()))


def _delete_earlier_demo(out: Path, path: Path) -> None:
    """Delete what an earlier demo left, and nothing else."""
    numbered = [p for p in out.glob("[0-9][0-9]-*.xlsx") if p.is_file()]
    for old in (path, path.with_suffix(".arbitro"), *numbered):
        old.unlink(missing_ok=True)
    _delete_backups(path)


def _delete_backups(path: Path) -> None:
    """Delete the backups: the demo's own copies make them superfluous."""
    if backup_folder(path).is_dir():
        shutil.rmtree(backup_folder(path))


@contextmanager
def _without_script(folder: Path) -> Iterator[Path]:
    """A copy of a scenario's folder without its script."""
    with tempfile.TemporaryDirectory(prefix="arbitro-") as place:
        for file in sorted(folder.iterdir()):
            if file.name in BACKGROUND_FILES or (file.suffix == ".csv" and file.name not in SCRIPT):
                shutil.copyfile(file, Path(place) / file.name)
        yield Path(place)


def _play(path: Path, script: Script, lang: str, tell: Tell, *, pictures: bool) -> Result:
    """Phase by phase, as long as something is scripted for what lies ahead."""
    workspace = open_workspace(path, lang)
    ruleset, out = workspace.ruleset, path.parent
    left = _scripted_phases(ruleset, list(phases_to_come(ruleset, workspace.campaign)), script.moments())
    for line in announcement(workspace, left, out):
        tell(line)
    result = Result("demo", wording=workspace.wording)
    copies: list[str] = []
    _require_done(report(path, out / "reports" / START))
    with tempfile.TemporaryDirectory(prefix="arbitro-") as folder:
        for number, moment in enumerate(left, 1):
            if number == 1 or ruleset.phase(moment.phase).orders:
                sources = script.write(ruleset, _phases_until_orders(ruleset, left[number - 1:]), Path(folder))
                _require_done(take_orders_loaded(workspace, sources))
            done = _require_done(resolve_loaded(workspace, "", ResolveOptions()))
            result.events += done.events
            result.find(done.findings)
            copies.append(f"{number:02}-{moment.turn}-{moment.phase}.xlsx")
            shutil.copyfile(path, out / copies[-1])
            tell(f"[{number}/{len(left)}] {done.lines[0]}")
            if done.data["turn"] != moment.turn:
                past = _past_turns([*left[:number], TurnPhase(done.data["turn"], "")])
                best = busiest_turn(workspace.campaign, past)[0]
                _require_done(report(path, out / "reports" / moment.turn, since=moment.turn,
                               pictures=pictures and best == moment.turn))
    _require_done(report(path, out / "reports" / LATEST, pictures=pictures))
    _delete_backups(path)
    at = workspace.campaign.desk
    result.data.update(book=path.name, copies=copies, reports=[LATEST, START, *_past_turns(left)],
                       turn=at.turn, phase=at.phase)
    result.data["page"] = str(say_what_to_open(result, workspace, out, _past_turns(left)))
    return result


def _phases_until_orders(ruleset: Ruleset, way: list[TurnPhase]) -> list[TurnPhase]:
    """The first phase and those after it up to the next one that takes orders: what comes in together."""
    count = next((n for n, m in enumerate(way) if n and ruleset.phase(m.phase).orders), len(way))
    return way[:count]


def _scripted_phases(ruleset: Ruleset, way: list[TurnPhase], scripted: set[TurnPhase]) -> list[TurnPhase]:
    """The phases up to the last one for which something is scripted, and those after it of the same turn in which
    nobody is awaited.
    """
    last = max((n for n, m in enumerate(way) if m in scripted or TurnPhase(m.turn, ruleset.phase(m.phase).orders)
                in scripted), default=-1)
    for moment in way[last + 1:]:
        phase = ruleset.phase(moment.phase)
        if last < 0 or moment.turn != way[last].turn or phase.orders or phase.waits_for:
            break
        last += 1
    return way[:last + 1]


def _past_turns(moments: Iterable[TurnPhase]) -> list[str]:
    """The turns that were played to the end, in order."""
    turns = list(dict.fromkeys(m.turn for m in moments))
    return turns[:-1]
