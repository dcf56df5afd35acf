"""The sheet Inbox: whatever came, how it was read, and what the referee decides about it.

`entries_of` is the one place from which its rows derive. `read_decisions` says what the referee has typed there; what
is to count is collected as if it came now. What a decision may still take is kept in the ledger, which `undo` leaves
alone.
"""

from __future__ import annotations

import base64
import json
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import CLUBLESS, DECISIONS, Faction, InboxRow, Order, Question
from assistant.campaign.tables import grouped
from assistant.desk.clubs.diff_copies import Part, RowChange, Selection
from assistant.desk.clubs.read_copies import Arrival, OpenedArrival, fingerprint_of, open_arrival, source_of
from assistant.desk.intake.incoming import proposals_of, row_words
from assistant.desk.intake.line_parser import classify_line
from assistant.desk.workspace.workspace import Workspace, club_codes
from assistant.ledger import Ledger
from assistant.turn import codes
from assistant.turn.findings import Finding, Where
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording
from assistant.workbook.read.csv_folder import decode_text

LONGEST_HELD = 2_000
"""Signs of what came that a row shows."""
DOUBT_REASONS = {
    "too_large": N_("it is too large to be read"),
    "too_deep": N_("its parts are nested too deep"),
    "too_many_parts": N_("it has too many parts"),
    "broken": N_("a part of it is damaged"),
    "encrypted": N_("it is encrypted: ask for it in plain"),
    "locked_zip": N_("its zip needs a password: ask for the file itself"),
    "zip_in_zip": N_("its zip holds another zip: ask for the file itself"),
    "too_much_inflated": N_("its zip unpacks to more than is read"),
    "outlook_item": N_("a mail hangs on it in Outlook's own form: ask for the mail forwarded, or for the file itself"),
    "charset": N_("its text is in no known character set"),
    "two_codes": N_("it bears codes of several clubs, or one that is not of this campaign"),
    "other_code": N_("its code is of no club of this campaign"),
    "struck_out": N_("orders in it are struck out"),
    "text_and_html": N_("its text and its HTML say different things"),
    "two_blocks": N_("two filled blocks in it say different things"),
    "block_and_lines": N_("its filled block and the lines outside it say different things"),
    "two_copies": N_("two copies in it say different things"),
    "no_code": N_("it bears no code"),
    "other_turn": N_("its block is of another turn"),
    "automatic": N_("a program sent it by itself"),
    "returned": N_("a server says that a mail did not arrive"),
    "confirmed": N_("a program says that a mail arrived or was read"),
}
"""Why a mail is asked about, as the referee reads it."""


# What came.


@dataclass(frozen=True)
class ClubMail:
    """A mail, as its club is answered. `key`: by which the mailbox knows it; `name`: as it is shown; `at`: when it
    came; `sender`: of its From line; `quiet`: it gets no answer; `club`: whose code it names, "" where at most its
    files do; `listed`: its lines that are neither order nor ours nor a signature; `asked`: why nothing of it is taken,
    keys of `DOUBT_REASONS`; `rivals`: the lines between which somebody is to decide; `agreed`: the line of our receipt
    to which it says yes; `coded`: a code that is valid now stands in it; `held`:
    its own words; `takes`, `files`: the lines and files of it that a decision may take.
    """

    key: str
    name: str
    at: int
    sender: str = ""
    quiet: bool = False
    club: str = ""
    listed: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    rivals: tuple[tuple[str, ...], ...] = ()
    agreed: str = ""
    coded: bool = False
    held: str = ""
    takes: tuple[str, ...] = ()
    files: tuple[Arrival, ...] = ()
    idle: bool = False
    """Nothing of it is anybody's order, and nobody has to decide."""

    @property
    def when(self) -> str:
        """Its time as the clock on this machine's wall shows it."""
        return Arrival(self.name, self.at).when


@dataclass(frozen=True)
class InboxEntry:
    """What a row of the Inbox is to say. `source`: what tells it from others, whenever it is read; `takes`: what comes
    in if the referee decides that it counts; `rivals`: the sources between which he decides.
    """

    source: str
    when: str
    sender: str
    club: str
    held: str
    reading: str
    verdict: str
    takes: Arrival | None = None
    rivals: tuple[str, ...] = ()


def visible_text(text: str) -> str:
    """A text without control characters, direction marks and other signs that nobody sees; its lines stay."""
    plain = (sign if sign in "\n " else " " if unicodedata.category(sign)[0] == "Z" or sign == "\t" else
             "" if unicodedata.category(sign)[0] == "C" else sign for sign in text)
    return "".join(plain).strip()


def entries_of(workspace: Workspace, opened: Sequence[OpenedArrival], chosen: Selection,
               taken: Sequence[tuple[Part, Sequence[RowChange]]], mails: Sequence[ClubMail]) -> list[InboxEntry]:
    """The rows for all that came, each source once. `taken`: what became of the rows of what counts now."""
    reader = _EntryReader(workspace, [one for one in opened if not one.arrival.decided], chosen, taken)
    entries = [entry for mail in mails for entry in reader.of_mail(mail)]
    entries += [entry for one in reader.opened if not one.arrival.together for entry in reader.of_file(one, "")]
    return list({entry.source: entry for entry in entries}.values())


class _EntryReader:
    """Words what came of one collection."""

    def __init__(self, workspace: Workspace, opened: Sequence[OpenedArrival], chosen: Selection,
                 taken: Sequence[tuple[Part, Sequence[RowChange]]]) -> None:
        self.opened = opened
        self._workspace, self._chosen, self._taken = workspace, chosen, taken
        self._words = workspace.sheet_wording

    # --- mails ------------------------------------------------------------------------------
    def of_mail(self, mail: ClubMail) -> Iterator[InboxEntry]:
        """The rows of a mail: of its own lines, and of each of its files."""
        if mail.asked:
            yield from self._doubtful_entries(mail)
            return
        mine = [one for one in self.opened if one.arrival.together == mail.key and (
            one.arrival.data or one.arrival.trouble is None)]
        files = [entry for one in mine if not one.arrival.lines for entry in self.of_file(one, mail.sender)]
        lines = [entry for one in mine if one.arrival.lines for entry in self._of_lines(one, mail.sender)]
        yield from files
        yield from lines
        whole = self._of_whole(mail, [one for one in mine if one.arrival.lines], bool(files), bool(lines))
        if whole is not None:
            yield whole

    def _doubtful_entries(self, mail: ClubMail) -> Iterator[InboxEntry]:
        verdict = "open" if mail.coded and not mail.idle else "aside"
        why = "; ".join(self._words.text(DOUBT_REASONS[one]) for one in mail.asked)
        told_by_files = {*mail.asked} <= {"automatic", "two_copies", "no_code"}
        sources = tuple(f"{mail.key}#{number}" for number in range(1, len(mail.rivals) + 1))
        if len(sources) > 1:
            for source, rival in zip(sources, mail.rivals, strict=True):
                yield self._entry(source, mail, "\n".join(rival), why, verdict, _lines_of_mail(mail, rival), sources)
        elif mail.takes or mail.held or not mail.files or not told_by_files:
            takes = _lines_of_mail(mail, mail.takes) if mail.takes else None
            waits = bool(takes) or not mail.files or not told_by_files
            yield self._entry(mail.key, mail, mail.held, why, verdict if waits else "aside", takes)
        yield from self._of_held_files(mail, why, verdict)

    def _of_held_files(self, mail: ClubMail, why: str, verdict: str) -> Iterator[InboxEntry]:
        """The rows of files that wait with their mail, and what stands in each."""
        sources, known = tuple(map(source_of, mail.files)), club_codes(self._workspace) if mail.files else None
        for source, file in zip(sources, mail.files, strict=True):
            one = open_arrival(file, self._workspace, self._workspace.campaign, known) if known is not None else None
            rows = [] if one is None else list(self._row_texts(one))
            faults = [] if one is None or one.incoming is not None else map(self._words.finding, one.findings)
            takes = file if one is not None and one.incoming is not None else None
            club = file.club or (one.coded if one is not None else "") or mail.club
            yield InboxEntry(source, mail.when, mail.sender, club, "\n".join([file.name, *rows]),
                             " ".join([why, *faults]), verdict, takes, sources if "two_copies" in mail.asked else ())

    def _of_whole(self, mail: ClubMail, mine: Sequence[OpenedArrival], files: bool, lines: bool) -> InboxEntry | None:
        """The row of the mail itself; None where those of its files and lines say all."""
        rivals = self._rivals_of(mine)
        if rivals:
            return self._entry(mail.key, mail, mail.held, self._about(mine[0].arrival.name), "open", mine[0].arrival,
                               rivals)
        if self.counts(mine):
            return self._entry(mail.key, mail, mail.held, self.summary_of(mine), self._verdict_of(mine))
        if lines or (files and not mail.held):
            return None
        if any(one.incoming is not None for one in mine):
            return self._entry(mail.key, mail, mail.held, self._about(mine[0].arrival.name), "aside")
        if files and mail.takes and not mail.club:
            return self._entry(mail.key, mail, mail.held, self._words.text(DOUBT_REASONS["no_code"]), "open",
                               _lines_of_mail(mail, mail.takes))
        if files or not mail.coded:
            return self._entry(mail.key, mail, mail.held, self._words.text(N_("nothing in it is an order")), "aside")
        return self._entry(mail.key, mail, mail.held, self._words.text(
            N_("nothing in it was understood as an order or an answer")), "open")

    # --- files ------------------------------------------------------------------------------
    def of_file(self, one: OpenedArrival, sender: str) -> Iterator[InboxEntry]:
        """The rows of a file, and of its lines that were not understood."""
        arrival = one.arrival
        club = one.club or one.coded or arrival.club or next(iter(self._owners(one)), "")
        rivals = self._rivals_of([one])
        right = bool(one.club or one.coded or arrival.club)
        if rivals:
            reading, verdict = self._about(arrival.name), "open"
        elif self.counts([one]):
            reading, verdict = self.summary_of([one]), self._verdict_of([one])
        elif one.incoming is None:
            reading = " ".join(map(self._words.finding, one.findings))
            verdict = "open" if right and any(fault.stops for fault in one.findings) else "aside"
        else:
            reading, verdict = self._about(arrival.name) or self._words.text(N_("nothing in it is an order")), "aside"
            faults = [fault for fault in one.incoming.findings if fault.stops and not line_of(fault)]
            if faults and not one.incoming.rows():  # a table of which no row was understood
                reading, verdict = " ".join(map(self._words.finding, faults)), "open" if right else "aside"
        held = "\n".join([arrival.name, *self._row_texts(one)])
        yield InboxEntry(source_of(arrival), arrival.when, sender, club, held, reading, verdict,
                         arrival if rivals else None, rivals)
        yield from self._of_lines(one, sender)

    def _row_texts(self, one: OpenedArrival) -> Iterator[str]:
        incoming = one.incoming
        if incoming is None:
            return
        for row in (*incoming.orders, *incoming.answers):
            yield row_words(row, self._workspace.ruleset, self._words, self._workspace.campaign)

    def _owners(self, one: OpenedArrival) -> list[str]:
        return list(dict.fromkeys(part.faction for part in self._chosen.parts if one in part.opened))

    # --- lines ------------------------------------------------------------------------------
    def _of_lines(self, one: OpenedArrival, sender: str) -> Iterator[InboxEntry]:
        """A row for each line that was not understood, or for each that it may have meant; and for what is refused."""
        right = bool(one.club or one.arrival.club or not one.arrival.together)
        for finding in one.incoming.findings if one.incoming is not None else ():
            line = line_of(finding)
            if not finding.stops or not line or finding.where.table:
                continue
            club = one.club or self._club_of_line(one.arrival, finding, line)
            verdict = "open" if club else "aside"
            meant = proposals_of(finding, self._words.lang)
            whole = source_of_line(one.arrival, line)
            sources = tuple(f"{whole}.{number}" for number in range(1, len(meant) + 1)) if meant[1:] else (whole,)
            for source, proposal in zip(sources, meant or ("",), strict=True):
                why = self._words.text(N_("if it counts: {text}"), text=Verbatim(proposal)) if meant[1:] else ""
                takes = Arrival(f"{one.arrival.name}.txt", one.arrival.at, proposal.encode(), club=club)
                yield InboxEntry(source, one.arrival.when, sender, club, line,
                                 f"{self._words.finding(finding)} {why}".strip(), verdict,
                                 takes if proposal else None, sources if meant[1:] else ())
        for part, changes in self._taken:
            for change in changes if one in part.opened and right else ():
                if change.how == "refused" and change.finding is not None and change.row in part.rows:
                    text = row_words(change.row, self._workspace.ruleset, self._words, self._workspace.campaign)
                    yield InboxEntry(source_of_line(one.arrival, text), one.arrival.when, sender,
                                     part.faction, text, self._words.finding(change.finding),
                                     "open" if part.faction else "aside")

    def _club_of_line(self, arrival: Arrival, finding: Finding, line: str) -> str:
        """The club that a line names in a file without a code, if the referee hands it in: as its orders count, what of
        it is not understood is the club's. What came by mail needs a code.
        """
        if arrival.together:
            return ""
        campaign = self._workspace.campaign
        whole = next((typed for typed in decode_text(arrival.data).splitlines() if typed.strip().endswith(line)), line)
        club = finding.faction or classify_line(whole, self._workspace.ruleset, campaign).faction
        row = campaign.table(Faction).get(club)
        return club if row is not None and row.role not in CLUBLESS else ""

    # --- what became of it ------------------------------------------------------------------
    def counts(self, mine: Collection[OpenedArrival]) -> bool:
        return any(one in part.opened for part in self._chosen.parts for one in mine)

    def _rivals_of(self, mine: Collection[OpenedArrival]) -> tuple[str, ...]:
        pairs = [pair for pair in self._chosen.rivals if any(one in part.opened for part in pair for one in mine)]
        return tuple(dict.fromkeys(source_of(part.opened[0].arrival) for pair in pairs for part in pair))

    def summary_of(self, mine: Collection[OpenedArrival]) -> str:
        """How the rows that count were understood."""
        texts = [row_words(change.row, self._workspace.ruleset, self._words, self._workspace.campaign)
                 for change in self._changes_of(mine)
                 if change.how != "refused" and isinstance(change.row, (Order, Question))]
        return "; ".join(texts) or self._words.text(
            N_("it counts, and changes nothing") if self._verdict_of(mine) == "counts" else
            N_("nothing of it could be taken: its rows stand below"))

    def _changes_of(self, mine: Collection[OpenedArrival]) -> list[RowChange]:
        return [change for part, changes in self._taken if any(one in part.opened for one in mine)
                for change in changes]

    def _verdict_of(self, mine: Collection[OpenedArrival]) -> str:
        """What became of what counts as the newest: nothing where each of its rows was refused."""
        changes = self._changes_of(mine)
        return "aside" if changes and all(change.how == "refused" for change in changes) else "counts"

    def _about(self, name: str) -> str:
        return " ".join(dict.fromkeys(self._words.finding(fault) for fault in self._chosen.findings
                                      if name in (fault.data.get("file"), fault.data.get("other"))))

    def _entry(self, source: str, mail: ClubMail, held: str, reading: str, verdict: str, takes: Arrival | None = None,
               rivals: tuple[str, ...] = ()) -> InboxEntry:
        return InboxEntry(source, mail.when, mail.sender, mail.club, held or mail.name, reading, verdict, takes, rivals)


def _lines_of_mail(mail: ClubMail, lines: Sequence[str]) -> Arrival:
    return Arrival(f"{mail.name}.txt", mail.at, "\n".join(lines).encode(), club=mail.club, lines=True)


# The rows.


def enter_rows(workspace: Workspace, after: Campaign, entries: Iterable[InboxEntry]) -> None:
    """Put what came onto the sheet of `after`: a row for what is new; what became of a row of this turn about which
    the referee has not decided.
    """
    table, turns = after.table(InboxRow), workspace.ruleset.calendar.turns.key
    known = {row.source: row.no for row in table}
    next_no = max([0, *known.values()]) + 1
    for entry in entries:
        row = table.get(str(known[entry.source])) if entry.source in known else None
        if row is None:
            known[entry.source] = next_no
            table.add(InboxRow(next_no, entry.club, _display_text(entry.held), _display_text(entry.reading),
                               entry.verdict, turn=after.desk.turn, when=entry.when, sender=_display_text(entry.sender),
                               source=entry.source))
            next_no += 1
        elif not row.decided and turns(row.turn) >= turns(after.desk.turn):
            standing = row.verdict == entry.verdict == "counts"  # what it said when it was taken stays
            row.turn, row.verdict = after.desk.turn, entry.verdict
            row.club = row.club or entry.club
            row.reading = row.reading if standing else _display_text(entry.reading)


def _display_text(text: str) -> str:
    plain = visible_text(text)
    return plain if len(plain) <= LONGEST_HELD else plain[:LONGEST_HELD - 1] + "…"


# What a decision may take, as the ledger keeps it.


_HELD_KEY = "inbox.held"
"""The ledger's key for what decisions may take: source -> its turn, name, time, club, bytes and rivals."""


@dataclass
class HeldArrivals:
    """What decisions may take. `rows`: by source."""

    rows: dict[str, dict[str, str]] = field(default_factory=dict)

    @classmethod
    def read(cls, ledger: Ledger) -> HeldArrivals:
        """As the ledger keeps it. Raises `LedgerTrouble`."""
        return cls(json.loads(ledger.read_note(_HELD_KEY) or "{}"))

    def keep(self, ledger: Ledger, entries: Iterable[InboxEntry], turn: str) -> None:
        """Add what came; what is of another turn goes. Raises `LedgerTrouble`."""
        kept = {source: row for source, row in self.rows.items() if row["turn"] == turn}
        for entry in entries:
            if entry.takes is not None:
                kept[entry.source] = {
                    "turn": turn, "name": entry.takes.name, "at": str(entry.takes.at), "club": entry.takes.club,
                    "data": base64.b64encode(entry.takes.data).decode(), "lines": "yes" if entry.takes.lines else "",
                    "rivals": "\n".join(entry.rivals)}
        if kept != self.rows:
            self.rows = kept
            ledger.note(_HELD_KEY, json.dumps(kept, sort_keys=True))

    def arrival(self, row: InboxRow) -> Arrival | None:
        """What comes in if a row counts; None where nothing can."""
        kept = self.rows.get(row.source)
        if kept is None:
            return None
        club = kept["club"] or row.club
        return Arrival(kept["name"], int(kept["at"]), base64.b64decode(kept["data"]), f"={row.source}", club=club,
                       decided=row.source, lines=bool(kept["lines"]))

    def rivals(self, row: InboxRow) -> list[str]:
        """The other sources between which the referee decides."""
        kept = self.rows.get(row.source, {"rivals": ""})
        return [source for source in kept["rivals"].split("\n") if source not in ("", row.source)]


# Decisions.


@dataclass
class InboxDecisions:
    """What the referee has decided. `arrivals`: what is to count, now or as before; `fresh`: keys of the rows about
    which he decides now, with the word; `settled`: sources that are dealt with.
    """

    arrivals: list[Arrival] = field(default_factory=list)
    fresh: dict[str, str] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)

    def leave_out(self, arrivals: Iterable[Arrival]) -> list[Arrival]:
        """The arrivals about which he has not decided."""
        return [one for one in arrivals if source_of(one) not in self.settled]


def read_decisions(workspace: Workspace, held: HeldArrivals, *, again: bool) -> InboxDecisions:
    """What the referee has typed into the column Decide. `again`: what he decided before comes in once more, where
    `undo` has taken it out.
    """
    found = InboxDecisions()
    for key, row in workspace.campaign.table(InboxRow).in_file_order():
        if row.decided:
            found.settled.add(row.source)
            if again and row.verdict == "counts" and (arrival := held.arrival(row)) is not None:
                found.arrivals.append(arrival)
        elif row.decide:
            _decide(workspace, held, key, row, found)
    for key, word in found.fresh.items():
        row = workspace.campaign.table(InboxRow)[key]
        found.settled.add(row.source)
        found.settled |= set(held.rivals(row)) if word == "counts" else set()
    parts = grouped(workspace.campaign.table(InboxRow), lambda row: row.source.partition("#")[0])
    found.settled |= {whole for whole, rows in parts.items() if any(row.source in found.settled for row in rows)
                      and all(row.source in found.settled or row.verdict == "aside" for row in rows)}
    return found


def without_decided(one: OpenedArrival, settled: Collection[str]) -> OpenedArrival:
    """What was opened, without findings about its lines on which the referee has decided."""
    if one.incoming is not None and not one.arrival.decided:
        one.incoming.findings = [finding for finding in one.incoming.findings if not (
            {source_of_line(one.arrival, line_of(finding)), f"{source_of_line(one.arrival, line_of(finding))}.1"}
            & set(settled))]
    return one


def source_of_line(arrival: Arrival, line: str) -> str:
    """What tells a line of an arrival from others."""
    return f"{source_of(arrival)}#{fingerprint_of(line.encode('utf-8', 'replace'))}"


def line_of(finding: Finding) -> str:
    """The line that a finding is about, as it was typed; "" for none."""
    return str(finding.data.get("text", finding.data.get("question", "")))


def _decide(workspace: Workspace, held: HeldArrivals, key: str, row: InboxRow, found: InboxDecisions) -> None:
    """One row in which something is typed."""
    def say(code: str, name: str = "decide", **data: object) -> None:
        found.findings.append(codes.finding(code, Where(InboxRow.sheet, key, name), row.club, row=row.no, **data))

    clubs = [club.faction for club in workspace.campaign.table(Faction) if club.role not in CLUBLESS]
    arrival = held.arrival(row)
    if row.decide not in DECISIONS:
        say(codes.INBOX_WORD, seen=Verbatim(row.decide))
    elif row.verdict == "counts":
        if row.decide != "counts":
            say(codes.INBOX_TAKEN)
    elif row.decide != "does not" and row.club not in clubs:
        say(codes.INBOX_NO_CLUB, "club", list=", ".join(clubs))
    elif row.decide == "counts" and arrival is None:
        say(codes.INBOX_NOTHING)
    else:
        found.fresh[key] = row.decide
        found.arrivals += [arrival] if row.decide == "counts" and arrival is not None else []


def enter_decisions(workspace: Workspace, after: Campaign, found: InboxDecisions, held: HeldArrivals,
                    opened: Sequence[OpenedArrival], chosen: Selection,
                    taken: Sequence[tuple[Part, Sequence[RowChange]]]) -> list[Finding]:
    """Put what was decided onto the sheet of `after`; findings for what could not be taken."""
    table, words, findings = after.table(InboxRow), workspace.sheet_wording, list[Finding]()
    reader = _EntryReader(workspace, opened, chosen, taken)
    for key, word in found.fresh.items():
        row = table[key]
        if word != "counts":
            row.verdict = "asked" if word == "ask" else word
            continue
        mine = [one for one in opened if one.arrival.decided == row.source]
        refused = [change.finding for part, changes in taken if any(one in part.opened for one in mine)
                   for change in changes if change.how == "refused"]
        if not reader.counts(mine) or refused:
            faults = [fault for one in mine for fault in (*one.findings, *(
                one.incoming.findings if one.incoming is not None else ())) if fault.stops]
            row.reading = _display_text(" ".join(words.finding(fault) for fault in (*faults, *filter(None, refused))))
            if not reader.counts(mine):
                findings.append(codes.finding(codes.INBOX_NOTHING, Where(InboxRow.sheet, key, "decide"), row.club,
                                              row=row.no))
                continue
        else:
            row.reading = _display_text(reader.summary_of(mine))
        row.verdict = "counts"
        for other in table:
            if other.source in held.rivals(row) and not other.decided:
                standing = table[str(other.no)]
                standing.verdict, standing.decide = "does not", ""
                standing.reading = _display_text(words.text(N_("row {no} counts in its place"), no=row.no))
    return findings


def close_agreed(after: Campaign, held: HeldArrivals, mails: Iterable[ClubMail], words: Wording) -> None:
    """Close the rows of lines that their clubs meant as our receipts proposed: they have said yes."""
    agreed = {(mail.club, mail.agreed) for mail in mails if mail.agreed}
    for row in [row for row in after.table(InboxRow) if row.waits] if agreed else ():
        arrival = held.arrival(row)
        if arrival is not None and (row.club, arrival.data.decode("utf-8", "replace")) in agreed:
            standing = after.table(InboxRow)[str(row.no)]
            standing.verdict, standing.reading = "counts", _display_text(words.text(N_("its club has said yes")))


def asked_rows(campaign: Campaign) -> list[InboxRow]:
    """The rows of this turn of which the question goes back to their clubs."""
    return [row for row in campaign.table(InboxRow) if row.verdict == "asked" and row.turn == campaign.desk.turn]
