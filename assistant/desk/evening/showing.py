"""A demo before and after it is played in; out what it will show, and the page that is worth seeing first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Battle, Faction
from assistant.desk.evening.reports import file_name
from assistant.desk.playing.play import Moment
from assistant.desk.results import Result
from assistant.desk.sitting.sitting import Sitting, reported_to
from assistant.titles import campaign_title
from assistant.wording import N_, Verbatim

LATEST = "latest"
"""The folder of the reports after the last phase."""
LANGUAGE = {"en": N_("Reports in English, their club's own language: {list}."),
            "it": N_("Reports in Italian, their club's own language: {list}.")}


def announced(sitting: Sitting, moments: Sequence[Moment], folder: Path) -> Iterator[str]:
    """What will be played, what there will be to see, and where."""
    words, campaign, ruleset = sitting.wording, sitting.campaign, sitting.ruleset
    first, last = (ruleset.when(*moment, words.lang) for moment in (moments[0], moments[-1]))
    yield words.plural(
        N_("{rulebook}, {title}: {count} factions play {first} by a script, with orders, choices, battles and"
           " mistakes."),
        N_("{rulebook}, {title}: {count} factions play from {first} to {last} by a script, {n} phases with their"
           " orders, choices, battles and mistakes."), len(moments), rulebook=ruleset.title,
        title=campaign_title(campaign.desk, words), count=len(reported_to(campaign)), first=Verbatim(first),
        last=Verbatim(last))
    yield words.text(N_("Afterwards you can look at the workbook as it was after each phase, at every club's report and"
                        " at the public gazette."))
    yield words.text(N_("It takes less than a minute and writes into {folder} only."), folder=str(folder))


def mistakes(result: Result) -> list[str]:
    """What Arbitro remarked on the script, one of each kind, with a line above that says whose mistakes these are."""
    if result.wording is None or not result.findings:
        return []
    said = result.wording.plural(
        N_("{n} remark on the script, whose clubs make mistakes on purpose, to show what Arbitro says of them:"),
        N_("{n} remarks on the script, whose clubs make mistakes on purpose, to show what Arbitro says of them:"),
        len(result.findings))
    kinds = {one.code: one for one in reversed(result.findings)}
    shown = Result("demo", findings=[one for one in result.findings if kinds[one.code] is one], wording=result.wording)
    rest = len(result.findings) - len(kinds)
    more = [result.wording.plural(N_("and {n} more of these kinds."), N_("and {n} more of these kinds."), rest)]
    return [said, *(f"  {line}" for line in [*shown.finding_lines(), *more[:rest]])]


def fullest(campaign: Campaign, turns: Iterable[str]) -> tuple[str, int]:
    """Of some turns the one with most battles, of several the first, and how many there were; "" where no turn was
    played to its end.
    """
    fought = Counter(battle.turn for battle in campaign.table(Battle))
    turn = max(turns, key=lambda one: fought[one], default="")
    return turn, fought[turn]


def say_where(result: Result, sitting: Sitting, out: Path, turns: Sequence[str]) -> Path:
    """Say where all lies, and what to open first: the gazette of the turn with most battles. Returns that page."""
    words, campaign = sitting.wording, sitting.campaign
    result.say(words.plural(N_("{n} event was played."), N_("{n} events were played."), result.events))
    result.say(words.text(N_("One workbook for each phase lies in {folder}, from {first} to {last}."), folder=str(out),
                          first=result.data["copies"][0], last=result.data["copies"][-1]))
    languages = {code: campaign.table(Faction)[code].language for code in reported_to(campaign)}
    for lang in sorted(set(languages.values()) - {words.lang}):
        own = [words.called(code) for code, spoken in languages.items() if spoken == lang]
        result.say(words.text(LANGUAGE[lang], list=", ".join(own)))
    result.say(words.text(N_("Go on playing with: arbitro status {file}"), file=str(sitting.path)))
    turn, battles = fullest(campaign, turns)
    page = out / "reports" / (turn or LATEST) / "gazette.html"
    result.say(words.plural(N_("Open first: {file} ({turn}, with {n} battle)"),
                            N_("Open first: {file} ({turn}, with {n} battles)"), battles, file=str(page),
                            turn=Verbatim(sitting.ruleset.turn_name(turn or campaign.desk.turn, words.lang))))
    pages = {code: page.with_name(f"{file_name(code)}.html") for code in languages}
    club = max(pages, key=lambda code: (languages[code] == words.lang, pages[code].stat().st_size))  # has most to tell
    result.say(words.text(N_("Then what one club may know of it: {file}"), file=str(pages[club])))
    result.say(words.text(N_("Then the workbook: {file}"), file=str(sitting.path)))
    return page
