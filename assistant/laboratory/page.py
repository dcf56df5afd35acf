"""The page of an experiment: what its totals say, in words, tables and charts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction
from assistant.laboratory.experiment import PLACES, Variant
from assistant.laboratory.totals import FEWEST, Difference, Totals, VariantTotals, differences, error_at, share
from assistant.pictures.charts import GREY, Chart, ChartLine, Panel, chart_in_words, chart_svg
from assistant.pictures.colours import faction_colours
from assistant.reporting.pages import ChartDrawing, ExperimentPage, ExperimentSection, FigureCell, Grid
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording, campaign_title

TENTHS_BELOW = 1000
"""Means whose greatest is below a hundred are drawn with tenths."""
MOST_PANELS = 9
MEASURED = {"length": N_("Ordinary turns"), "battles": N_("Battles"), "quiet": N_("Turns without a battle")}
"""What `totals.MEASURES` are called."""


@dataclass(frozen=True)
class Played:
    """What the page is about. `start`: the first variant's campaign before it; `first`: the first seed; `look`: which
    look at the campaigns it is, 0 for the only one; `turns`: how many at most, 0 for all; `again`: the command that
    writes a campaign of these, with SEED for its seed; `pilot`: what the pilot said, "" for none.
    """

    ruleset: Ruleset
    start: Campaign
    variants: Sequence[Variant]
    totals: Totals
    first: int
    look: int = 0
    turns: int = 0
    again: str = ""
    pilot: str = ""


def build_experiment_page(played: Played, words: Wording) -> ExperimentPage:
    """The page in the language of `words`."""
    totals = played.totals
    warning = words.text(N_("More than one campaign in a hundred had a fault ({faulty} of {all}). Trust nothing on this"
                            " page until that is put right."), faulty=words.number(totals.faulty),
                         all=words.number(totals.played)) if totals.doubtful else ""
    return ExperimentPage(
        words.lang, words.text(N_("From the laboratory")), campaign_title(played.start.desk, words),
        tuple(_about(played, words)), warning,
        tuple(section for section in (
            _faults(played, words), _winners(played, words), _endings(played, words), _differences(played, words),
            _pace(played, words), _turns(played, words), _course(played, words), *_uses(played, words))
            if section is not None),
        (words.text(N_("Robots have played this, not people: it says how the numbers of the rules work, and not how"
                       " well a club will do.")),
         words.text(N_("All dice come from the seeds. No die of a real campaign can be foretold from this page."))))


def _about(played: Played, words: Wording) -> Iterator[str]:
    totals = played.totals
    yield words.text(N_("Rulebook: {title}"), title=Verbatim(played.ruleset.title))
    yield words.text(N_("Campaigns played by robots: {n} (seeds {first} to {last})."), n=words.number(totals.played),
                     first=Verbatim(played.first), last=Verbatim(played.first + totals.seeds - 1))
    if played.turns:
        yield words.plural(N_("Each was played for {n} turn at most."), N_("Each was played for {n} turns at most."),
                           played.turns)
    if played.pilot:
        yield played.pilot


# Winners.


def _winners(played: Played, words: Wording) -> ExperimentSection:
    """Who won, in every variant."""
    lines, grids = list[str](), list[Grid]()
    for variant, counted in zip(played.variants, played.totals.variants, strict=True):
        cells = len(played.totals.factions)
        rows = []
        for faction in sorted(played.totals.factions, key=lambda code: -counted.wins[code]):
            seen = share(counted.wins[faction], counted.over, error_at(played.look, cells))
            between = _between(percent(seen.low, words), percent(seen.high, words), words)
            rows.append((FigureCell(_name(played, faction, words)),
                         FigureCell(words.number(counted.wins[faction]), True),
                         FigureCell(percent(seen.value, words), True),
                         FigureCell(between, bar=round(seen.value * 100))))
        if counted.over:
            grids.append(Grid((variant.name or words.text(N_("Faction")), words.text(N_("won")),
                               words.text(N_("share")), words.text(N_("between"))), tuple(rows)))
        lines += _ends(variant, counted, words)
    if grids:
        lines.append(words.text(N_("The share is of the campaigns that ended, by the rulebook's own ending; a shared"
                                   " victory counts for each. All intervals of a table together are right with"
                                   " {share} certainty."),
                                share=Verbatim(percent(1 - error_at(played.look, 1), words))))
    return ExperimentSection(words.text(N_("Who wins")), tuple(lines), tuple(grids))


def _ends(variant: Variant, counted: VariantTotals, words: Wording) -> Iterator[str]:
    """How many campaigns ended at all, and how many without a winner."""
    head = f"{variant.name}: " if variant.name else ""
    unended = counted.campaigns - counted.over
    if unended:
        yield head + words.plural(N_("{n} campaign had not ended when it was left."),
                                  N_("{n} campaigns had not ended when they were left."), unended)
    if counted.drawn:
        yield head + words.plural(N_("{n} campaign ended without a winner."),
                                  N_("{n} campaigns ended without a winner."), counted.drawn)


def _name(played: Played, faction: str, words: Wording) -> str:
    row = played.start.table(Faction).get(faction)
    return faction if row is None else row.name(words.lang)


# What decided.


def _endings(played: Played, words: Wording) -> ExperimentSection | None:
    """How campaigns ended, by what the rulebook's ending says of it."""
    grids = []
    for variant, counted in zip(played.variants, played.totals.variants, strict=True):
        rows = tuple((FigureCell(words.number(one.campaigns), True), FigureCell(
            percent(one.campaigns / counted.over, words), bar=round(100 * one.campaigns / counted.over)),
            FigureCell(str(one.seed), True), FigureCell(one.told.get(words.lang, "")))
            for _, one in sorted(counted.endings.items(), key=lambda pair: (-pair[1].campaigns, pair[0])))
        if rows:
            grids.append(Grid((words.text(N_("campaigns")), words.text(N_("share")), words.text(N_("first seed")),
                               words.text(N_("its ending"))), rows, variant.name))
    lines = (words.text(N_("Campaigns whose endings differ only in who won, and by how much, are one row; the seed is"
                           " the first of them.")),)
    return ExperimentSection(words.text(N_("What decided")), lines, tuple(grids)) if grids else None


# Differences.


def _differences(played: Played, words: Wording) -> ExperimentSection | None:
    """How the variants differ from the first one, seed by seed."""
    if len(played.variants) < 2:
        return None
    grids = []
    found = differences(played.totals, played.look)
    for number, variant in enumerate(played.variants):
        rows = tuple(_difference_row(played, one, words) for one in found if one.variant == number)
        if rows:
            grids.append(Grid((variant.name, words.text(N_("difference")), words.text(N_("between")),
                               words.text(N_("certain")), words.text(N_("gain from pairing"))), rows))
    lines = (
        words.text(N_("Compared with {variant}, on the same seeds."), variant=Verbatim(played.variants[0].name)),
        words.text(N_("A difference is certain where all that are called certain, over all variants and factions"
                      " together, are right with {share} certainty (Holm). The gain says how many times as many"
                      " campaigns it would take without the same seeds."),
                   share=Verbatim(percent(1 - error_at(played.look, 1), words))),
        *([words.text(N_("A mean has an interval from {least} campaigns on."), least=FEWEST)]
          if played.totals.variants[0].campaigns < FEWEST else ()))
    return ExperimentSection(words.text(N_("What each number does")), lines, tuple(grids))


def _difference_row(played: Played, one: Difference, words: Wording) -> tuple[FigureCell, ...]:
    points = one.measure == "won"
    what = words.text(N_("{name} wins"), name=Verbatim(_name(played, one.faction, words))) if points else words.text(
        MEASURED[one.measure])

    def difference_text(value: float | None) -> str:
        if value is None:
            return ""
        if points:
            shown = decimal(value * 100, 1, words, signed=True)
            return words.text(N_("{difference} points"), difference=Verbatim(shown))
        return decimal(value, 2, words, signed=True)

    between = "" if one.low is None else _between(difference_text(one.low), difference_text(one.high), words)
    return (FigureCell(what), FigureCell(difference_text(one.value), True), FigureCell(between, True),
            FigureCell(words.text(N_("yes")) if one.holds else words.text(N_("no"))),
            FigureCell("" if one.gain is None else f"{decimal(one.gain, 1, words)}×", True))


# Pace.


def _pace(played: Played, words: Wording) -> ExperimentSection:
    """Battles a turn, turns without any, and how long campaigns are."""
    rows = []
    for number, (variant, counted) in enumerate(zip(played.variants, played.totals.variants, strict=True)):
        turns = sum(length * n for length, n in counted.lengths.items())
        mean = decimal(turns / counted.campaigns, 1, words) if counted.campaigns else ""
        battles = "" if counted.mean_battles is None else decimal(counted.mean_battles, 2, words)
        quiet = "" if counted.quiet_share is None else percent(counted.quiet_share, words)
        refused = percent(counted.refused / counted.orders, words) if counted.orders else ""
        name = variant.name or (words.text(N_("as it is")) if not number else "")
        wars = decimal(counted.sum_of("wars") / counted.sum_of("campaigns"), 1, words) if counted.courses else ""
        free = percent(counted.sum_of("free") / all_of, words) if (all_of := counted.sum_of("frontiers")) else ""
        shown = (words.number(counted.campaigns), mean, battles, quiet, wars, free, refused)
        rows.append((FigureCell(name), *(FigureCell(text, True) for text in shown)))
    heads = ("", words.text(N_("campaigns")), words.text(N_("turns")), words.text(N_("battles a turn")),
             words.text(N_("turns without a battle")), words.text(N_("wars")),
             words.text(N_("frontiers free to fight")), words.text(N_("orders refused")))
    base = played.totals.variants[0]
    grids = [Grid(heads, tuple(rows), words.text(N_("Ordinary turns; those before the first and after the last do not"
                                                     " count. Wars, and frontiers where nothing forbids to fight, are"
                                                     " counted before a turn's last phase; there are none where places"
                                                     " of two owners never lie side by side.")))]
    grids = grids if any(one.sum_of("frontiers") for one in played.totals.variants) else [_without(grids[0], 6)]
    if base.campaigns:
        grids += [_counts(words.text(N_("ordinary turns")), base.lengths, words.text(N_("campaigns")), words),
                  _counts(words.text(N_("battles in a turn")), base.paces, words.text(N_("turns")), words)]
    return ExperimentSection(words.text(N_("Pace")), (), tuple(grids))


def _without(grid: Grid, *columns: int) -> Grid:
    """A grid without columns that say nothing."""
    kept = [place for place in range(len(grid.heads)) if place not in columns]
    return Grid(tuple(grid.heads[place] for place in kept),
                tuple(tuple(row[place] for place in kept) for row in grid.rows), grid.note)


def _counts(what: str, counts: Mapping[int, int], of: str, words: Wording) -> Grid:
    every = sum(counts.values())
    return Grid((what, of, words.text(N_("share"))), tuple(
        (FigureCell(words.number(value), True), FigureCell(words.number(counts[value]), True),
         FigureCell(percent(counts[value] / every, words), bar=round(100 * counts[value] / every)))
        for value in sorted(counts)))


def _turns(played: Played, words: Wording) -> ExperimentSection | None:
    """Turn by turn, whether a campaign lives or freezes, and from when on the leader wins."""
    base = played.totals.variants[0]
    if len(base.courses) < 2:
        return None
    rows = []
    for number, one in sorted(base.courses.items()):
        means = (decimal(n / one.campaigns, 1, words) for n in (one.battles, one.wars, one.frontiers, one.free))
        shown = (words.number(one.campaigns), *means, percent(one.quiet / one.campaigns, words),
                 percent(one.won / one.led, words) if one.led else "")
        rows.append((FigureCell(base.turns[number]), *(FigureCell(text, True) for text in shown)))
    heads = (N_("turn"), N_("campaigns"), N_("battles"), N_("wars"), N_("frontiers"), N_("free to fight"),
             N_("without a battle"), N_("the leader won"))
    lines = (words.text(N_("The leader is who alone holds most places at the end of the turn, in campaigns with a"
                           " winner.")),)
    grid = Grid(tuple(map(words.text, heads)), tuple(rows))
    return ExperimentSection(words.text(N_("Turn by turn")), lines,
                             (grid if base.sum_of("frontiers") else _without(grid, 4, 5),))


# The course over the turns.


def _course(played: Played, words: Wording) -> ExperimentSection | None:
    """Money, places and other figures over the turns: the mean over the campaigns that were still played."""
    base = played.totals.variants[0]
    numbers = [number for number in sorted(base.turns) if any(number in by for by in base.figures.values())]
    if len(numbers) < 2:
        return None
    colours = faction_colours(played.start.table(Faction))
    names = [PLACES, *(name for name in base.figures if name != PLACES)]
    panels = [panel for name in names if name in base.figures
              for panel in _panels(played, words, name, numbers, colours)][:MOST_PANELS]
    chart = Chart(words.lang, words.text(N_("How it went, on average")),
                  tuple(base.turns[number] for number in numbers), tuple(panels))
    variant = played.variants[0].name
    lines = (words.text(N_("The mean at the end of each turn over the campaigns that were still played.")),
             *([words.text(N_("Variant: {variant}."), variant=Verbatim(variant))] if variant else ()))
    return ExperimentSection(chart.title, lines, (), (ChartDrawing(chart_svg(chart), chart_in_words(chart, words)),)
                             ) if panels else None


def _panels(played: Played, words: Wording, name: str, numbers: Sequence[int], colours: Mapping[str, str]
            ) -> Iterator[Panel]:
    """The panel of a figure; none where it was always 0."""
    by_turn = played.totals.variants[0].figures[name]
    means = {code: tuple(_mean(by_turn.get(number, {}).get(code)) for number in numbers)
             for code in played.totals.factions}
    known = [abs(value) for values in means.values() for value in values if value is not None]
    if not any(known):
        return
    tenths = max(known) < TENTHS_BELOW
    yield Panel(words.figure(name), tuple(
        ChartLine(code, colours.get(code, GREY), values if tenths else tuple(
            None if value is None else round(value / 10) for value in values))
        for code, values in means.items() if any(value is not None for value in values)),
        (lambda value: Verbatim(decimal(value / 10, 1, words))) if tenths else words.number)


def _mean(sums: tuple[int, int] | None) -> int | None:
    return None if sums is None else round(10 * sums[1] / sums[0])


# Rules and events.


def _uses(played: Played, words: Wording) -> Iterator[ExperimentSection]:
    """How often each rule was used, and which never."""
    base, ruleset = played.totals.variants[0], played.ruleset
    if not base.campaigns:
        return
    rows = tuple(
        (FigureCell(words.printed_chapter(key)), FigureCell(percent(base.rules[key][0] / base.campaigns, words),
                                        bar=round(100 * base.rules[key][0] / base.campaigns)),
         FigureCell(decimal(base.rules[key][1] / base.campaigns, 1, words), True))
        for key in (*ruleset.citations, *sorted(base.rules.keys() - ruleset.citations.keys())) if key in base.rules)
    never = [words.printed_chapter(key) for key in ruleset.citations if key not in base.rules]
    untold = [word for word in ruleset.events if word not in base.events]
    lines = [words.text(N_("Never used by any event: {list}."), list=Verbatim("; ".join(dict.fromkeys(never))))
             ] if never else []
    if untold:
        lines.append(words.text(N_("Events that never happened: {list}."), list=Verbatim(", ".join(untold))))
    yield ExperimentSection(
        words.text(N_("Which rules are used")), tuple(lines),
        (Grid((words.text(N_("rule")), words.text(N_("campaigns with it")), words.text(N_("times a campaign"))),
              rows),))


# Faults.


def _faults(played: Played, words: Wording) -> ExperimentSection | None:
    """The campaigns that do not count, each with its seed."""
    totals = played.totals
    if not totals.faulty:
        return None
    rows = tuple((FigureCell(str(one.seed), True), FigureCell(played.variants[one.variant].name), FigureCell(one.at),
                  FigureCell(one.fault)) for one in totals.faults)
    lines = [words.plural(N_("{n} seed does not count, because one of its campaigns has a fault."),
                          N_("{n} seeds do not count, because one of their campaigns has a fault."), totals.dropped)]
    if played.again:
        lines.append(words.text(N_("To look at one of them: {command}"), command=Verbatim(played.again)))
    return ExperimentSection(words.text(N_("Faults")), tuple(lines), (Grid(
        (words.text(N_("seed")), words.text(N_("variant")), words.text(N_("where")), words.text(N_("what"))), rows),))


# Numbers.


def decimal(value: float, digits: int, words: Wording, *, signed: bool = False) -> str:
    """A number with some digits behind the point or comma of the language; with its sign, if it is a difference."""
    text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    text = text.replace("-", "−") if float(text) else text.lstrip("+-")
    return text.replace(".", ",") if words.lang == "it" else text


def percent(part: float, words: Wording) -> str:
    """A share in per cent, to a tenth."""
    return f"{decimal(part * 100, 1, words)} %"


def _between(low: str, high: str, words: Wording) -> str:
    return words.text(N_("{low} to {high}"), low=Verbatim(low), high=Verbatim(high))
