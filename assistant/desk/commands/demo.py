"""`demo`: plays a rulebook's scripted year by the commands that a referee types."""

from __future__ import annotations

import csv
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Faction, Order
from assistant.desk.commands.new_campaign import BACKGROUND_FILES as BACKGROUNDS
from assistant.desk.commands.new_campaign import NewPlan, new_campaign
from assistant.desk.commands.report import faction_file_name, report
from assistant.desk.commands.resolve import resolve_loaded
from assistant.desk.commands.rulesets import find_ruleset, scenarios_of
from assistant.desk.intake.incoming import Input
from assistant.desk.intake.take_orders import take_orders_loaded
from assistant.desk.play_phase import ResolveOptions, TurnPhase, phases_to_come
from assistant.desk.results import Exit, Result, Tell, quiet
from assistant.desk.workspace.workspace import (
    Abort,
    Workspace,
    abort,
    factions_with_reports,
    file_abort,
    folder_abort,
    open_workspace,
)
from assistant.environment import machine_language
from assistant.files import backup_folder
from assistant.turn import codes
from assistant.turn.ruleset import Ruleset, UnfitRuleset, installed, load
from assistant.turn.texts import N_
from assistant.wording import Verbatim, campaign_title

# What a demo announces, and what it recommends to open first.


LATEST = "latest"
"""The folder of the reports after the last phase."""
LANGUAGE = {"en": N_("Reports in English, their club's own language: {list}."),
            "it": N_("Reports in Italian, their club's own language: {list}.")}


def announcement(sitting: Workspace, moments: Sequence[TurnPhase], folder: Path) -> Iterator[str]:
    """What will be played, what there will be to see, and where."""
    words, campaign, ruleset = sitting.wording, sitting.campaign, sitting.ruleset
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
    said = result.wording.plural(
        N_("{n} remark on the script, whose clubs make mistakes on purpose, to show what Arbitro says of them:"),
        N_("{n} remarks on the script, whose clubs make mistakes on purpose, to show what Arbitro says of them:"),
        len(result.findings))
    kinds = {finding.code: finding for finding in reversed(result.findings)}
    first = [finding for finding in result.findings if kinds[finding.code] is finding]
    shown = Result("demo", findings=first, wording=result.wording)
    rest = len(result.findings) - len(kinds)
    more = [result.wording.plural(N_("and {n} more of these kinds."), N_("and {n} more of these kinds."), rest)]
    return [said, *(f"  {line}" for line in [*shown.finding_lines(), *more[:rest]])]


def busiest_turn(campaign: Campaign, turns: Iterable[str]) -> tuple[str, int]:
    """Of some turns the one with most battles, of several the first, and how many there were; "" where no turn was
    played to its end.
    """
    fought = Counter(battle.turn for battle in campaign.table(Battle))
    turn = max(turns, key=lambda one: fought[one], default="")
    return turn, fought[turn]


def say_what_to_open(result: Result, sitting: Workspace, out: Path, turns: Sequence[str]) -> Path:
    """Say where all lies, and what to open first: the gazette of the turn with most battles. Returns that page."""
    words, campaign = sitting.wording, sitting.campaign
    result.say(words.plural(N_("{n} event was played."), N_("{n} events were played."), result.events))
    result.say(words.text(N_("One workbook for each phase lies in {folder}, from {first} to {last}."), folder=str(out),
                          first=result.data["copies"][0], last=result.data["copies"][-1]))
    languages = {code: campaign.table(Faction)[code].language for code in factions_with_reports(campaign)}
    for lang in sorted(set(languages.values()) - {words.lang}):
        own = [words.called(code) for code, spoken in languages.items() if spoken == lang]
        result.say(words.text(LANGUAGE[lang], list=", ".join(own)))
    result.say(words.text(N_("Go on playing with: arbitro status {file}"), file=str(sitting.path)))
    turn, battles = busiest_turn(campaign, turns)
    page = out / "reports" / (turn or LATEST) / "gazette.html"
    result.say(words.plural(N_("Open first: {file} ({turn}, with {n} battle)"),
                            N_("Open first: {file} ({turn}, with {n} battles)"), battles, file=str(page),
                            turn=Verbatim(sitting.ruleset.turn_name(turn or campaign.desk.turn, words.lang))))
    pages = {code: page.with_name(f"{faction_file_name(code)}.html") for code in languages}
    club = max(pages, key=lambda code: (languages[code] == words.lang, pages[code].stat().st_size))  # has most to tell
    result.say(words.text(N_("Then what one club may know of it: {file}"), file=str(pages[club])))
    result.say(words.text(N_("Then the workbook: {file}"), file=str(sitting.path)))
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

    `word`: what stands in the column For of orders that do not say it; `fights`: the phase of other rows that name
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
        found = cls(word=str(ruleset.record(Order.sheet).column("phase").default),
                    fights=next((one.id for one in phases if waited and waited in one.waits_for), ""))
        for name in SCRIPT:
            if (folder / name).is_file():
                with (folder / name).open(encoding="utf-8-sig", newline="") as file:
                    found.files[name] = list(csv.reader(file))
        return found

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
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise folder_abort(fault, out, N_("the workbooks and reports"), lang) from fault
        path = out / f"{place.name}.xlsx"
        _delete_earlier_demo(out, path)
        with _without_script(place) as state:
            _require_done(new_campaign(NewPlan(book.id, folder=state, language=lang, secret=SECRET), path, lang=lang))
        return _play(path, Script.read(place, book), lang, tell, pictures=pictures)
    except Abort as stopped:
        return stopped.result("demo")
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
    """The result of a command that must succeed. Raises `Stop`."""
    if result.exit != Exit.DONE:
        raise _Refused(result)
    return result


def _default_ruleset() -> str:
    """The ruleset of a demo that names none: of those with a scenario the one of the lowest rank; "" for none."""
    fit = []
    for name in installed():
        with suppress(UnfitRuleset):  # a plug-in that cannot be used keeps nobody from seeing another book
            fit.append(load(name))
    return min(((one.demo_rank, one.id) for one in fit if scenarios_of(one)), default=(0, ""))[1]


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
            if file.name in BACKGROUNDS or (file.suffix == ".csv" and file.name not in SCRIPT):
                shutil.copyfile(file, Path(place) / file.name)
        yield Path(place)


def _play(path: Path, script: Script, lang: str, tell: Tell, *, pictures: bool) -> Result:
    """Phase by phase, as long as something is scripted for what lies ahead."""
    sitting = open_workspace(path, lang)
    ruleset, out = sitting.ruleset, path.parent
    left = _scripted_phases(ruleset, list(phases_to_come(ruleset, sitting.campaign)), script.moments())
    for line in announcement(sitting, left, out):
        tell(line)
    result = Result("demo", wording=sitting.wording)
    copies: list[str] = []
    _require_done(report(path, out / "reports" / START))
    with tempfile.TemporaryDirectory(prefix="arbitro-") as folder:
        for number, moment in enumerate(left, 1):
            if number == 1 or ruleset.phase(moment.phase).orders:
                sources = script.write(ruleset, _phases_until_orders(ruleset, left[number - 1:]), Path(folder))
                _require_done(take_orders_loaded(sitting, sources))
            done = _require_done(resolve_loaded(sitting, "", ResolveOptions()))
            result.events += done.events
            result.find(done.findings)
            copies.append(f"{number:02}-{moment.turn}-{moment.phase}.xlsx")
            shutil.copyfile(path, out / copies[-1])
            tell(f"[{number}/{len(left)}] {done.lines[0]}")
            if done.data["turn"] != moment.turn:
                best = busiest_turn(sitting.campaign, _past_turns([*left[:number], TurnPhase(done.data["turn"], "")]))[
                    0
                ]
                _require_done(report(path, out / "reports" / moment.turn, since=moment.turn,
                               pictures=pictures and best == moment.turn))
    _require_done(report(path, out / "reports" / LATEST, pictures=pictures))
    _delete_backups(path)
    at = sitting.campaign.desk
    result.data.update(book=path.name, copies=copies, reports=[LATEST, START, *_past_turns(left)],
                       turn=at.turn, phase=at.phase)
    result.data["page"] = str(say_what_to_open(result, sitting, out, _past_turns(left)))
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
