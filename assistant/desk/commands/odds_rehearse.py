"""`odds`, `rehearse`: the chances of every throw that a phase will make, and the rest of the turn played many times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import ALL, REFEREE, Event
from assistant.desk.play_phase import current_phase
from assistant.desk.results import Exit, Result, Tell, quiet
from assistant.desk.workspace.check_against_ledger import open_playable
from assistant.desk.workspace.workspace import BookPlace, Workspace, catches_abort, faction_code, folder_faults
from assistant.pictures.colours import ink_on
from assistant.reporting.chances import DIGITS, REASONS, Outlook, grounds_of, outlook_of, throw_data, throw_lines
from assistant.reporting.facts import format_fraction
from assistant.reporting.pages import RehearsedPage, RehearsedPart
from assistant.reporting.reader import Reader
from assistant.reporting.render import render_rehearsal
from assistant.turn import codes
from assistant.turn.chances import Foresees, LeftOut, NotUnderstood, Odds, Prospect, odds_of, percent
from assistant.turn.findings import Finding
from assistant.turn.phases import refuse_invalid_rows, without_superseded
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import N_, meaning_of
from assistant.turn.throw_chances import (
    PLAYS,
    TurnPlay,
    clubs_of,
    clubs_of_robots,
    merged_events,
    new_battles,
    played_turns,
    plays_for,
    spread_of_numbers,
)
from assistant.turn.views import playable
from assistant.wording import Verbatim, Wording, named_wording
from assistant.workbook.save import write_files

# `odds`: of throws, and of battles that a rulebook fights itself.


@catches_abort("odds")
def odds(at: BookPlace, battle: str = "", *, faction: str = "", plays: int = 0, lang: str = "") -> Result:
    """The chances of every throw of the present phase and of every battle that the orders lead to, or of a battle that
    is described. Changes nothing, and throws none of the campaign's dice.

    `faction`: from its view alone; `plays`: how often the phase is played at most where chances cannot be reckoned
    exactly (0: `PLAYS`). Result data: ``battles``: of each what it is, ``dice``, ``chances`` (outcome -> 0 to 1),
    ``expected_losses`` of both sides, ``throws`` (0: all ways were counted) and then ``standard_error`` (outcome -> 0
    to 1); ``left_out``: the orders that lead to no battle as they would be refused, of each ``order``, ``code`` and
    ``text``. Where no battle is described also what `odds_of_phase` has.
    """
    described = bool(battle.strip())
    workspace = open_playable(at, lang)
    code = faction_code(workspace.campaign, faction, workspace.wording)
    if not described:
        _require_running_campaign(workspace, code)
    prospects = [] if code and not described else _requested_battles(workspace, battle)
    result = Result("odds", findings=[] if code else workspace.reading.findings, wording=workspace.wording)
    _tell_battles(result, workspace, prospects)
    if not described:
        told = odds_of_phase(workspace.ruleset, workspace.campaign, code, workspace.lang, plays or PLAYS)
        result.data |= told.data
        result.lines += told.lines
    return result


def _require_running_campaign(workspace: Workspace, faction: str) -> None:
    """Raise `Abort` for a campaign that is over, and for a club's copy, which has no ledger and does not show all that
    is there, unless it is asked of a faction.
    """
    if workspace.ruleset.is_over(workspace.campaign):
        raise workspace.abort(Exit.REFUSED, codes.CAMPAIGN_OVER)
    if not faction:
        with workspace.open_ledger():
            pass


# Battles that a rulebook fights itself.


def _tell_battles(result: Result, workspace: Workspace, prospects: Sequence[Prospect | LeftOut]) -> None:
    words = named_wording(workspace.ruleset, workspace.campaign, workspace.lang)
    reckoned = [(prospect, odds_of(prospect)) for prospect in prospects if isinstance(prospect, Prospect)]
    refused = [(out.order, out.why.code, words.finding(out.why)) for out in prospects if isinstance(out, LeftOut)]
    result.data["battles"] = [_battle_data(prospect, odds) for prospect, odds in reckoned]
    result.data["left_out"] = [{"order": order, "code": code, "text": why} for order, code, why in refused]
    for prospect, odds in reckoned:
        result.lines += _battle_lines(words, prospect, odds)
    for order, _, why in refused:
        result.say(words.text(N_("Order {order} is left out: {why}"), order=Verbatim(order), why=Verbatim(why)))


def _requested_battles(workspace: Workspace, battle: str) -> list[Prospect | LeftOut]:
    """The battles that are asked for, and the orders that lead to none. Raises `Abort` where there can be none."""
    ruleset, campaign = workspace.ruleset, without_superseded(workspace.campaign).copy()
    if not isinstance(ruleset, Foresees):
        if not battle.strip():
            return []
        raise workspace.abort(Exit.REFUSED, codes.NO_ODDS, title=workspace.ruleset.title, file=workspace.path.name)
    if not battle.strip():
        misfits = [LeftOut(row.where.row, row) for row in refuse_invalid_rows(workspace.ruleset, campaign)]
        return [*ruleset.battles_ahead(campaign), *misfits]
    typed = ruleset.typed_battle(campaign, battle)
    if isinstance(typed, NotUnderstood):
        too_many = {} if typed.most is None else {"over": "yes", "n": typed.most}
        raise workspace.abort(Exit.REFUSED, codes.NOT_UNDERSTOOD, text=typed.seen, example=typed.example, **too_many)
    return [typed]


def _battle_lines(words: Wording, prospect: Prospect, odds: Odds) -> list[str]:
    """A battle in lines: what it is, how it may end, what it costs, how that is known."""
    def decimal_text(number: float, places: int = 1) -> str:
        return format_fraction(words, Fraction(number), places)

    title = {name: Verbatim(value) if name in ("units", "order") else value
             for name, value in prospect.title.data.items()}
    ends = ", ".join(f"{words.word(outcome)} {decimal_text(chance * 100)} %"
                     for outcome, chance in odds.chances.items())
    lines = [words.text(prospect.title.text, **title), f"  {ends}"]
    if prospect.dice:
        lines.append("  " + words.text(N_("On average the attackers lose {att} {att?unit|units}, the defenders"
                                          " {others}."),
                                       att=Verbatim(decimal_text(odds.att_lost)),
                                       others=Verbatim(decimal_text(odds.def_lost))))
    if odds.throws:
        lines.append("  " + words.text(
            N_("{dice} {dice?die|dice}: thrown {n} {n?time|times}, not counted; the standard error is {error}"
               " {error?point|points} at most."),
            dice=prospect.dice, n=Verbatim(words.number(odds.throws)),
            error=Verbatim(decimal_text(max(odds.error.values()) * 100, 2))))
    return lines


def _battle_data(prospect: Prospect, odds: Odds) -> dict[str, Any]:
    return {**prospect.data, "dice": prospect.dice,
            "chances": {outcome: round(chance, DIGITS) for outcome, chance in odds.chances.items()},
            "expected_losses": {"attackers": round(odds.att_lost, DIGITS), "defenders": round(odds.def_lost, DIGITS)},
            "throws": odds.throws,
            "standard_error": {outcome: round(error, DIGITS) for outcome, error in odds.error.items()}}


def odds_of_phase(ruleset: Ruleset, campaign: Campaign, faction: str, lang: str, plays: int = PLAYS) -> Result:
    """The chances of the throws of the present phase. `faction`: from its view alone, "" for the referee.

    Result data: ``throws`` (see `throw_data`); ``throws_left_out``: of each ``purpose``, ``reason`` and ``text``;
    ``answered``: questions that the assistant answered itself, with its answers; ``assumed``: what stands in the place
    of hidden values; ``plays``: how often the phase was played in all.
    """
    view = ruleset.view(campaign, faction) if faction else campaign
    words = named_wording(ruleset, view, lang)
    outlook = outlook_of(Reader.of(ruleset, view, faction or REFEREE, words), plays)
    result = Result("odds", wording=words)
    _tell_throws(result, outlook)
    result.lines += grounds_of(outlook, hidden=True)
    return result


def _tell_throws(result: Result, outlook: Outlook) -> None:
    """The throws as lines and as plain values."""
    reader, foretold = outlook.reader, outlook.foretold
    words, desk = reader.wording, reader.view.desk
    left_out = {key: why for key, why in foretold.left_out.items() if not outlook.faction}
    result.data |= {"throws": [throw_data(outlook, throw) for throw in outlook.throws],
                    "throws_left_out": [{"purpose": key, "reason": why, "text": words.text(REASONS[why])}
                                        for key, why in left_out.items()],
                    "answered": dict(foretold.answered) if not outlook.faction else {},
                    "assumed": list(outlook.assumed), "plays": foretold.runs}
    when = Verbatim(reader.ruleset.when(desk.turn, desk.phase, words.lang))
    if foretold.stuck is not None:
        why = "; ".join(words.finding(finding) for finding in foretold.stuck.findings if finding.stops)
        result.say(words.text(N_("{phase} cannot be played to its end here, so its throws are left out: {why}"),
                              phase=when, why=Verbatim(why or words.text(N_("it waits for an answer")))))
    elif not outlook.throws:
        result.say(words.text(N_("{phase}: no throw decides anything as things stand."), phase=when))
    else:
        result.say(words.text(N_("{phase}, as things stand now:"), phase=when))
        for throw in throw_lines(outlook):
            result.lines += [f"- {throw.what}", *(f"    {line}" for line in throw.chances)]
    for why in dict.fromkeys(left_out.values()):
        keys = [key for key, other in left_out.items() if other == why]
        titles = dict.fromkeys(reader.roll_title(key) for key in keys)
        result.say(words.text(N_("Left out: {list} ({n} {n?throw|throws}): {why}."), list=Verbatim("; ".join(titles)),
                              n=len(keys), why=Verbatim(words.text(REASONS[why]))))


# `rehearse`: the rest of the turn with throw-away dice, and a page of what mostly happens.


COMMAND = "rehearse"
COLOUR = "#3b3630"
"""The colour of the page's head: that of no faction."""
HEAVY = 2
"""Events of at most this weight are told."""
MOSTLY = Fraction(9, 10)
"""What happens in so many plays or more mostly happens; what happens in fewer is where it branches."""
SELDOM = Fraction(1, 20)
"""What happens in fewer plays is left out."""
MOST_LINES = 25
EVERY = 20
"""So many plays pass between two words about how far it is."""


def rehearsal_file(book: Path, faction: str = "") -> Path:
    """Where the page goes: beside the workbook."""
    return book.with_name(f"{book.stem}-rehearsal{f'-{faction}' if faction else ''}.html")


@catches_abort(COMMAND)
def rehearse(at: BookPlace, *, faction: str = "", plays: int = 0, lang: str = "", tell: Tell = quiet) -> Result:
    """Play the rest of the turn on throw-away copies, and write what mostly happens onto a page beside the workbook.
    Neither the workbook nor the ledger changes, and none of the campaign's dice is thrown.

    `faction`: of what it knows alone; `plays`: how many, 0 for as many as take some ten seconds. Result data: ``file``,
    ``faction``, ``turn``, ``phase``, ``plays``, and what `rehearsal` has.
    """
    workspace = open_playable(at, lang)
    code = faction_code(workspace.campaign, faction, workspace.wording)
    _require_running_campaign(workspace, code)
    told = rehearsal(workspace.ruleset, workspace.campaign, code, workspace.lang, plays, tell)
    target = rehearsal_file(workspace.path, code)
    with folder_faults(target.parent, N_("the page"), lang):
        write_files(target.parent, {target.name: render_rehearsal(told.page).encode()})
    result = Result(COMMAND, findings=[] if code else workspace.reading.findings, wording=workspace.wording)
    here = current_phase(workspace.campaign)
    result.data |= {"file": str(target), "faction": code, "turn": here.turn, "phase": here.phase, **told.data}
    result.lines += _lines_of(told.page)
    result.say(workspace.wording.text(N_("The page is {file}."), file=Verbatim(str(target))))
    return result


def _lines_of(page: RehearsedPage) -> list[str]:
    """The page as lines of text."""
    lines = [page.title, *page.about]
    for part in page.sections:
        lines += ["", f"{part.title}:"] if part.rows else ["", f"{part.title}: {part.none}"]
        lines += ["  " + " · ".join(cell for cell in row if cell) for row in part.rows]
    return lines


# What the plays say.


class ToldRehearsal(NamedTuple):
    """The page, and the same as plain values: ``plays``; ``stuck``: phase -> share of the plays that cannot go on
    there; ``figures``: faction -> label -> ``now``, ``low``, ``middle``, ``high``; ``battles``: ``battle``, ``share``,
    ``won`` (side -> share); ``refused``: ``order``, ``code``, ``share``, ``text``; ``events``: ``event``, ``share``,
    ``text``; ``robots``: for whom they have ordered; ``answered``: questions a play, at most.
    """

    page: RehearsedPage
    data: dict[str, Any]


def rehearsal(ruleset: Ruleset, campaign: Campaign, faction: str, lang: str, plays: int = 0, tell: Tell = quiet
              ) -> ToldRehearsal:
    """Rehearse the rest of a turn. `faction`: of its view alone, "" for the referee; `plays`: 0 for as many as take
    some ten seconds.
    """
    view = ruleset.view(campaign, faction) if faction else campaign
    work = playable(view) if faction else campaign
    words = named_wording(ruleset, view, lang)
    number = plays or plays_for(ruleset, work)

    def progress(n: int) -> None:
        if n and n % EVERY == 0:
            tell(words.text(N_("{n} of {all} plays ..."), n=n, all=number))

    return _Summary(ruleset, work, list(played_turns(ruleset, work, number, progress)), words, faction).page()


class _Summary:
    """What many plays of a turn have in common, and where they differ."""

    def __init__(self, ruleset: Ruleset, start: Campaign, plays: Sequence[TurnPlay], words: Wording, faction: str
                 ) -> None:
        self.ruleset, self.start, self.plays, self.words, self.faction = ruleset, start, plays, words, faction
        self.shown = [faction] if faction else clubs_of(start)
        self.reader = Reader.of(ruleset, self._view(start), faction or REFEREE, words)

    def _view(self, campaign: Campaign) -> Campaign:
        return self.ruleset.view(campaign, self.faction) if self.faction else campaign

    def page(self) -> ToldRehearsal:
        """The page and its figures."""
        data = {"plays": len(self.plays), "figures": self._figures(), "battles": self._battles(),
                "refused": self._refused_orders(), "events": self._events(),
                "robots": [] if self.faction else clubs_of_robots(self.start, self.plays[0].campaign),
                "answered": max(play.answered for play in self.plays),
                "stuck": self._shares(play.stuck_at for play in self.plays)}
        return ToldRehearsal(self._page(data), data)

    def _share(self, n: int) -> float:
        return round(n / len(self.plays), 4)

    def _shares(self, things: Iterable[str]) -> dict[str, float]:
        counts: dict[str, int] = {}
        for thing in things:
            if thing:
                counts[thing] = counts.get(thing, 0) + 1
        return {thing: self._share(n) for thing, n in counts.items()}

    def _figures(self) -> dict[str, dict[str, dict[str, float]]]:
        """Each faction's figures now and at the end of the turn."""
        figures: dict[str, dict[str, dict[str, float]]] = {}
        for code in self.shown:
            now = dict(self.ruleset.glance(self.ruleset.view(self.start, code), code))
            ends: dict[str, list[float]] = {}
            for play in self.plays:
                for label, number in self.ruleset.glance(self.ruleset.view(play.campaign, code), code):
                    ends.setdefault(label, []).append(number)
            figures[code] = {label: {"now": now.get(label, 0), **spread_of_numbers(numbers)._asdict()}
                             for label, numbers in ends.items()}
        return figures

    def _battles(self) -> list[dict[str, Any]]:
        """The battles of the plays, by place and sides; who has won them how often."""
        fought: dict[tuple[str, str, str], list[int | None]] = {}
        for play in self.plays:
            known = self._view(play.campaign)
            for row in new_battles(self.start, known):
                a, b = (" ".join(side) for side in row.sides)
                fought.setdefault((str(getattr(row, "node", "")), a, b), []).append(row.winner_side)
        told: list[dict[str, Any]] = []
        for (node, a, b), won in sorted(fought.items(), key=lambda pair: (-len(pair[1]), pair[0])):
            place = self.words.names.text(node, "place") if node else ""
            sides = [", ".join(map(self.words.names.text, side.split())) for side in (a, b)]
            told.append({"battle": ": ".join(name for name in (place, " – ".join(name for name in sides if name))
                                             if name),
                         "share": min(self._share(len(won)), 1.0),
                         "won": {name: round(won.count(n) / len(won), 4) for n, name in enumerate(sides) if name}})
        return [row for row in told if row["share"] >= SELDOM]

    def _refused_orders(self) -> list[dict[str, Any]]:
        """Orders that were handed in and are refused in some of the plays."""
        known = {row.order for row in self.start.by_sheet("Orders")}
        found: dict[tuple[str, str], list[Finding]] = {}
        for play in self.plays:
            for finding in {(f.where.row, f.code): f for f in play.refused if f.where.row in known}.values():
                if not self.faction or finding.faction == self.faction:
                    found.setdefault((finding.where.row, finding.code), []).append(finding)
        return [{"order": order, "code": code, "share": self._share(len(rows)), "text": self.words.finding(rows[0])}
                for (order, code), rows in found.items()]

    def _events(self) -> list[dict[str, Any]]:
        """What happens in how many of the plays, the likeliest first."""
        told: dict[tuple[str, ...], list[Event]] = {}
        for play in self.plays:
            for kind, event in {self._kind(event): event for event in play.events if self._worth(event)}.items():
                told.setdefault(kind, []).append(event)
        listed = sorted(told, key=lambda kind: (-len(told[kind]), told[kind][0].no))
        return [{"event": kind[0], "share": self._share(len(told[kind])), "text": self._sentence(told[kind])}
                for kind in listed if len(told[kind]) >= SELDOM * len(self.plays)]

    def _kind(self, event: Event) -> tuple[str, ...]:
        """What is the same event in several plays: what it tells, of whom and where, but not how much."""
        means = self.reader.kind(event).means
        return event.event, *(f"{name}={value}" for name, value in event.data.items() if isinstance(value, str) or (
            isinstance(value, int) and meaning_of(name, means) != "any"))

    def _worth(self, event: Event) -> bool:
        heard = not self.faction or event.audience == ALL or self.faction in event.audience.split()
        kind = self.reader.kind(event)
        return heard and kind.weight <= HEAVY and kind.category != "money"

    def _sentence(self, told: Sequence[Event]) -> str:
        return self.reader.line(merged_events(told)).text.rstrip(" .:")

    # --- the page -------------------------------------------------------------------------------
    def _page(self, data: dict[str, Any]) -> RehearsedPage:
        words, here = self.words, current_phase(self.start)
        when = Verbatim(self.ruleset.when(here.turn, here.phase, words.lang))
        title = words.text(N_("Rehearsal from {phase} to the end of the turn"), phase=when)
        events = [(row, Fraction(row["share"]).limit_denominator(10_000)) for row in data["events"]]
        mostly = [row for row, share in events if share >= MOSTLY][:MOST_LINES]
        branching = [row for row, share in events if share < MOSTLY][:MOST_LINES]
        head = words.text(N_("In how many plays"))
        parts = (
            RehearsedPart(words.text(N_("What mostly happens")), (head, ""), _rows(mostly, "text"),
                          words.text(N_("nothing of weight"))),
            RehearsedPart(words.text(N_("Where it branches")), (head, ""), _rows(branching, "text"),
                          words.text(N_("nowhere of weight"))),
            RehearsedPart(words.text(N_("Battles")), (head, "", words.text(N_("won by"))), self._battle_rows(data),
                          words.text(N_("none"))),
            RehearsedPart(words.text(N_("Orders refused")), (head, "", ""), tuple(
                (_percent(row["share"]), row["order"], row["text"]) for row in data["refused"]),
                words.text(N_("none"))),
            RehearsedPart(words.text(N_("At the end of the turn")), tuple(words.text(text) for text in (
                N_("Faction"), N_("Figure"), N_("now"), N_("in the middle"), N_("in eight plays of ten"))),
                self._figure_rows(data), words.text(N_("nothing is counted"))))
        return RehearsedPage(words.lang, title, tuple(self._about(data)), parts, COLOUR, ink_on(COLOUR))

    def _battle_rows(self, data: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
        return tuple((_percent(row["share"]), row["battle"], ", ".join(
            f"{name} {_percent(share)}" for name, share in row["won"].items())) for row in data["battles"])

    def _figure_rows(self, data: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
        number = self.words.number
        return tuple((self.words.names.text(code), self.words.figure(label), number(of["now"]), number(of["middle"]),
                      self.words.text(N_("{low} to {high}"), low=number(of["low"]), high=number(of["high"])))
                     for code, figures in data["figures"].items() for label, of in figures.items())

    def _about(self, data: dict[str, Any]) -> Iterable[str]:
        """What the page rests on."""
        words = self.words
        yield words.text(N_("The coming phases were played {n} {n?time|times} on copies, with dice that are thrown"
                            " away: none of those that will fall was used."), n=data["plays"])
        if self.faction:
            yield words.text(N_("This is made of what {faction:the} {faction?knows|know} alone: who is not seen is not"
                                " there, and robots order for all others with what it knows."), faction=self.faction)
        elif data["robots"]:
            yield words.text(N_("Robots ordered for {list}, who had no orders."), list=Verbatim(
                ", ".join(map(words.names.text, data["robots"]))))
        if data["answered"]:
            yield words.text(N_("Questions were answered as a robot would, or by their defaults, and battles by dice."))
        for phase, share in data["stuck"].items():
            name = Verbatim(self.ruleset.phase(phase).name(words.lang))
            yield words.text(N_("{share} of the plays could not go on at {phase}, as no answer was taken there."),
                             share=Verbatim(_percent(share)), phase=name)


def _rows(rows: Sequence[dict[str, Any]], name: str) -> tuple[tuple[str, ...], ...]:
    return tuple((_percent(row["share"]), row[name]) for row in rows)


def _percent(share: float) -> str:
    return percent(Fraction(share).limit_denominator(10_000))
