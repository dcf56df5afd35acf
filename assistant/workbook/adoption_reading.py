"""Reads a club's own workbook as a campaign's tables, with the doubts that only the referee can settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Colour, Column, Ref
from assistant.campaign.records import Desk, Event, Faction, Node, Road
from assistant.campaign.tables import Record
from assistant.turn import codes
from assistant.turn.findings import Finding, Where, nearest
from assistant.turn.ruleset import Ruleset
from assistant.wording import Verbatim
from assistant.workbook.adoption_match import (
    BLANK,
    MOST,
    NEIGHBOURS,
    ClubTable,
    LearntCodes,
    Lesson,
    TablePick,
    adoptable_records,
    can_read,
    field_headings,
    find_table_blocks,
    first_obstacle,
    know_neutrals,
    know_rows,
    learn,
    match_table,
    split_codes,
    title_fit,
)
from assistant.workbook.layout import sheet_title
from assistant.workbook.ooxml.book import OoxmlBook
from assistant.workbook.ooxml.cells import cell_address, letters_of
from assistant.workbook.read.grid import ALIKE, fold

ROUNDS = 4
"""How often the tables are matched: each time with what the others were found to hold."""
ROWS_SHOWN = 3
TITLED = 6
"""How much a title must say for a table that is not understood to be named."""
FIXED = (Faction.sheet, Node.sheet, Road.sheet)
"""Tables that do not grow in play."""
YES = ("", "y", "yes", "s", "si", "sì", "ok")
NO = ("n", "no", "-", "–")
"""Answers that take what is proposed, and that leave a table or column alone."""


@dataclass(frozen=True)
class TableDoubt:
    """Something that only the referee can say. `place`: what an answer names; `finding`: the question; `rows`: the
    club's own rows; `proposed`: what counts if nothing is said; `weight`: what depends on it.
    """

    place: str
    finding: Finding
    rows: tuple[str, ...] = ()
    proposed: str = ""
    weight: int = 0


def rows_beside(table: ClubTable, rows: Sequence[int]) -> tuple[str, ...]:
    """The headings of a club's table and the first of these rows, as they are shown beside a question."""
    return (f"{table.block.area.top}: " + " | ".join(table.block.headings.values()),
            *(f"{n}: {table.row_texts(n)}" for n in rows[:ROWS_SHOWN]))


@dataclass
class BookReading:
    """A club's workbook as read. `odd_roads`: cells in which a place is said to be its own neighbour."""

    picks: list[TablePick] = field(default_factory=list)
    doubts: list[TableDoubt] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    tables: list[ClubTable] = field(default_factory=list)
    odd_roads: list[str] = field(default_factory=list)

    def pick(self, sheet: str) -> TablePick | None:
        """The table that is read as a record's, if there is one."""
        return next((p for p in self.picks if p.record.sheet == sheet), None)

    @property
    def score(self) -> int:
        """How much of it is understood."""
        return sum(pick.score for pick in self.picks)


def read_club_book(book: OoxmlBook, ruleset: Ruleset, lang: str, answers: Mapping[str, str], *, alone: bool = False
                   ) -> BookReading:
    """Read all tables. `answers`: by place (`TableDoubt.place`, or any heading's cell) what the referee said;
    `alone`: nobody is asked, so a word that is like nothing known does not count as blank.

    Raises `Damaged`, `Hostile`.
    """
    return _Reader(book, ruleset, lang, answers, alone=alone).read()


class _Reader:
    """Reads one workbook."""

    def __init__(self, book: OoxmlBook, ruleset: Ruleset, lang: str, answers: Mapping[str, str], *, alone: bool
                 ) -> None:
        self.ruleset, self.lang, self.alone = ruleset, lang, alone
        self.records = {r.sheet: r for r in adoptable_records(ruleset)}
        blocks = find_table_blocks(book)
        single = {b.title for b in blocks if sum(o.title == b.title for o in blocks) == 1}
        self.tables = [ClubTable(book, b, b.title if b.title in single else f"{b.title}!{b.area}") for b in blocks]
        self.answers = {fold(place): text for place, text in answers.items()}
        self.result = BookReading(tables=self.tables)
        self.known = LearntCodes()

    def read(self) -> BookReading:
        """Match the tables until nothing changes, then learn their values."""
        picks: dict[str, tuple[ClubTable, TablePick]] = {}
        for _ in range(ROUNDS):
            picks = self._choose(picks)
            self._know(picks)
        for table, pick in picks.values():
            self._learn(table, pick)
            pick.copied = pick.copied or issubclass(pick.record, Event) or _must_move(table, pick)
        self.result.picks = [pick for _, pick in picks.values()]
        self._make_roads(picks)
        self._make_named(picks)
        self._name_misfits(picks)
        self._check_answers(picks)
        self.result.doubts.sort(key=lambda doubt: -doubt.weight)
        return self.result

    # --- tables ----------------------------------------------------------------------------------
    def _choose(self, before: Mapping[str, tuple[ClubTable, TablePick]]) -> dict[str, tuple[ClubTable, TablePick]]:
        """The best table for each record, with what the tables of the round before are known to hold."""
        best: list[tuple[int, int, ClubTable, TablePick]] = []
        used = {sheet: _codes_used(before, sheet) for sheet in self.records}
        for table in self.tables:
            said = self.answers.get(fold(table.place), "")
            wanted = self._record(said) if said else None
            if fold(said) in NO and said:
                continue
            tried = [pick for record in ([wanted] if wanted else self.records.values())
                     if (pick := match_table(table, record, self.known, used[record.sheet], self.lang,
                                             self._forced_fields(table, record)))]
            if tried:
                pick = max(tried, key=lambda p: (p.score, -list(self.records).index(p.record.sheet)))
                # what a human has said weighs more than any evidence in the cells
                pick.score += 1000 * (wanted is not None)
                best.append((-pick.score, len(best), table, pick))
        chosen: dict[str, tuple[ClubTable, TablePick]] = {}
        for _, _, table, pick in sorted(best, key=lambda entry: entry[:2]):
            chosen.setdefault(pick.record.sheet, (table, pick))
        order = {table: n for n, table in enumerate(self.tables)}
        return dict(sorted(chosen.items(), key=lambda entry: order[entry[1][0]]))

    def _record(self, word: str) -> type[Record] | None:
        return next((r for r in self.records.values() if fold(word) in (fold(r.sheet), fold(r.sheet_it), fold(r.file))),
                    None)

    def _field(self, record: type[Record], word: str) -> str:
        """The field that a heading means, in the reader's language first; "" for none."""
        for lang in (self.lang, "en", "it"):
            for name, heading in field_headings(record, lang).items():
                if fold(word) == fold(heading):
                    return name
        return next((name for name in field_headings(record, "en") if fold(word) == fold(name)), "")

    def _forced_fields(self, table: ClubTable, record: type[Record]) -> dict[int, str]:
        """Column -> field, "" for none, where the referee said so."""
        forced = {}
        for i in table.texts:
            said = self.answers.get(fold(heading_place(table, i)), "")
            name = self._field(record, said) if said else ""
            if said and (name or fold(said) in NO):
                forced[i] = name
        return forced

    # --- codes -----------------------------------------------------------------------------------
    def _know(self, picks: Mapping[str, tuple[ClubTable, TablePick]]) -> None:
        """Take down the codes and names of all tables that have a code of their own."""
        known = LearntCodes()
        for sheet, (table, pick) in picks.items():
            keys = [c for c in pick.record.columns() if c.key]
            if len(keys) != 1 or issubclass(pick.record, Event) or keys[0].name not in pick.columns:
                continue
            lesson = self._lesson(table, pick, keys[0])
            texts = table.texts[pick.columns[keys[0].name]]
            names = [table.texts[i] for name, i in pick.columns.items() if name in ("name", "name_it", "name_en")]
            know_rows(known, sheet, [(code, texts[n], [held[n] for held in names if n in held])
                                     for n, code in lesson.texts.items() if code])
        sides = next((c for c in self.records[Faction.sheet].columns() if c.name == "side"), None)
        if sides is not None and isinstance(sides.kind, Choice):
            known.side = sides.name, tuple(sides.kind.options)
        self._know_neutrals(known)
        self._know_seats(known, picks)
        self.known = known

    def _know_neutrals(self, known: LearntCodes) -> None:
        """Words for neutral stand for the faction to which the rulebook gives what is nobody's."""
        role = next((c for c in self.records[Faction.sheet].columns() if c.name == "role"), None)
        if role is None or not isinstance(role.kind, Choice) or "neutral" not in role.kind.options:
            return
        campaign = self._blank_campaign()
        neutral = next((f.faction for f in campaign.table(Faction) if getattr(f, "role", "") == "neutral"), "")
        if neutral and Faction.sheet in known.words:
            known.plain[Faction.sheet].setdefault(neutral.casefold(), neutral)
            words = ("neutral", "neutrale", "neutri", "neutrali", "neutrals", "nobody", "nessuno")
            know_neutrals(known, neutral, (neutral, *words))

    def _blank_campaign(self) -> Campaign:
        campaign = Campaign(self.ruleset.records)
        desk: Any = self.ruleset.record(Desk.sheet)()
        desk.ruleset = self.ruleset.id
        campaign.by_sheet(Desk.sheet).add(desk)
        self.ruleset.prepare(campaign)
        return campaign

    def _know_seats(self, known: LearntCodes, picks: Mapping[str, tuple[ClubTable, TablePick]]) -> None:
        """The capital of each faction: the place marked so, or the first that it holds."""
        table, pick = picks.get(Node.sheet, (None, None))
        if table is None or pick is None or "owner" not in pick.columns or "node" not in pick.columns:
            return
        owners, places = table.texts[pick.columns["owner"]], table.texts[pick.columns["node"]]
        marked = table.texts[pick.columns["capital"]] if "capital" in pick.columns else {}
        for first in (True, False):
            for n, owner in owners.items():
                yes = n in marked and marked[n].casefold() not in NO
                code = known.words.get(Faction.sheet, {}).get(owner.casefold(), "")
                if code and n in places and yes == first:
                    known.seats.setdefault(code, places[n])

    # --- values ----------------------------------------------------------------------------------
    def _lesson(self, table: ClubTable, pick: TablePick, c: Column) -> Lesson:
        """How one column is read, with what the referee said of its words."""
        i = pick.columns[c.name]
        whose: dict[int, str] = {}
        owner = next((k for k in pick.record.columns() if k.name == "faction" and isinstance(k.kind, Ref)), None)
        if owner is not None and c.name != "faction" and "faction" in pick.columns:
            words = self.known.words.get(Faction.sheet, {})
            whose = {n: words.get(text.casefold(), text) for n, text in table.texts[pick.columns["faction"]].items()}
        return learn(c, table.texts[i], self.known, whose, self._answered_words(table, i, c))

    def _answered_words(self, table: ClubTable, i: int, c: Column) -> dict[str, str]:
        """What the referee said of a column's words, as its kind reads it: the club's word, casefolded -> ours."""
        said = self.answers.get(fold(heading_place(table, i)), "")
        if not said or fold(said) in (*YES, *NO):
            return {}
        pairs = [part.partition("=")[::2] for part in said.split(";" if ";" in said else ",") if part.strip()]
        if "=" not in said:
            doubtful = learn(c, table.texts[i], self.known, {}).doubtful
            pairs = [(word, said) for word in doubtful]
        told = {}
        for word, ours in pairs:
            code = self._readable(c, ours.strip())
            if code is not None and word.strip():
                told[word.strip().casefold()] = code
        return told

    def _readable(self, c: Column, text: str) -> str | None:
        """A text as a column reads it, codes for names, blank for a dash; None if it cannot."""
        if text in ("-", "–"):
            return BLANK
        if c.kind.table:
            words = self.known.words.get(c.kind.table, {})
            return words.get(text.casefold(), None if words else text)
        if not can_read(c, text):
            return None
        return str(c.kind.read(text)) if isinstance(c.kind, Choice) else text

    def _learn(self, table: ClubTable, pick: TablePick) -> None:
        """Learn how each column is read; doubts for what is only guessed."""
        if issubclass(pick.record, Event):
            return
        for name, i in list(pick.columns.items()):
            c = pick.record.column(name)
            texts = table.texts[i]
            if isinstance(c.kind, Colour) and not texts and table.fills[i]:
                pick.fills[name] = i
                del pick.columns[name]
                continue
            if not texts:
                del pick.columns[name]  # nothing stands there: a column of ours has the drop-down
                continue
            lesson = pick.lessons[name] = self._lesson(table, pick, c)
            place = heading_place(table, i)
            if self.alone and fold(place) not in self.answers:
                lesson.leave_unread()
            settled = fold(place) in self.answers
            if name in pick.guessed and fold(place) not in self.answers:
                self._doubt_column(table, pick, c, i)
            elif lesson.doubtful and not settled:
                self._doubt_values(table, pick, c, i, lesson)

    def _doubt_values(self, table: ClubTable, pick: TablePick, c: Column, i: int, lesson: Lesson) -> None:
        words = [word for word in lesson.doubtful if word in lesson.learnt]
        if not words:
            return
        rows = [n for n, text in table.texts[i].items() if text in words]
        pairs = {word: shown_word(c, lesson.learnt[word], self.lang) for word in words}
        if any(isinstance(c.kind, Ref) and len({lesson.texts[n] for n in rows if table.texts[i][n] == word}) > 1
               for word in words):
            pairs = {table.texts[i][n] + f" ({self._whose(table, pick, n)})": lesson.texts[n] for n in rows}
        proposed = "; ".join(f"{word} = {ours or '-'}" for word, ours in pairs.items())
        data = {"seen": Verbatim(", ".join(words)), "n": len(rows), "heading": c.heading(self.lang),
                "text": Verbatim(table.block.headings[i]), "list": Verbatim(self._choices(c))}
        self._ask(codes.ASK_VALUES, pick.record.sheet, heading_place(table, i), rows, table, data, proposed,
                  100 + len(rows) + 200 * any(ours == "" for ours in pairs.values()))

    def _whose(self, table: ClubTable, pick: TablePick, row: int) -> str:
        text = table.texts[pick.columns["faction"]].get(row, "") if "faction" in pick.columns else str(row)
        return self.known.words.get(Faction.sheet, {}).get(text.casefold(), text)

    def _doubt_column(self, table: ClubTable, pick: TablePick, c: Column, i: int) -> None:
        rows = list(table.texts[i])
        data = {"seen": Verbatim(table.block.headings[i]), "heading": c.heading(self.lang),
                "list": Verbatim(", ".join(field_headings(pick.record, self.lang).values()))}
        self._ask(codes.ASK_COLUMN, pick.record.sheet, heading_place(table, i), rows, table, data,
                  c.heading(self.lang), 400 if c.key else 90)

    def _choices(self, c: Column) -> str:
        if c.kind.table:
            return ", ".join(list(dict.fromkeys(self.known.words.get(c.kind.table, {}).values()))[:30])
        return ", ".join(c.word(code, self.lang) for code in c.kind.words)

    def _ask(self, code: str, sheet: str, place: str, rows: Sequence[int], table: ClubTable, data: Mapping[str, Any],
             proposed: str, weight: int) -> None:
        if any(doubt.place == place for doubt in self.result.doubts):
            return
        self.result.doubts.append(TableDoubt(place, Finding(code, "warning", Where(sheet), dict(data), "", place),
                                        rows_beside(table, rows), proposed, weight))

    # --- rows that are made ----------------------------------------------------------------------
    def _make_roads(self, picks: Mapping[str, tuple[ClubTable, TablePick]]) -> None:
        """A list of neighbours beside each place is roads."""
        table, pick = picks.get(Node.sheet, (None, None))
        if table is None or pick is None or Road.sheet in picks or Road.sheet not in self.records:
            return
        for i, texts in table.texts.items():
            parts = [part for text in texts.values() for part in split_codes(text)]
            fit = sum(self.known.names(Node.sheet, part) for part in parts)
            if i in pick.columns.values() or fold(table.block.headings[i]) not in map(fold, NEIGHBOURS) or (
                    not parts or fit < MOST * len(parts)):
                continue
            words, places = self.known.words[Node.sheet], pick.lessons["node"].texts
            pairs = {tuple(sorted((places[n], words.get(part.casefold(), part)))): n for n, text in texts.items()
                     for part in split_codes(text) if n in places}
            made = [{"a": a, "b": b} for a, b in sorted(pairs) if a != b]
            self.result.odd_roads = [f"{letters_of(i)}{n}" for (a, b), n in sorted(pairs.items()) if a == b]
            self.result.picks.append(TablePick(self.records[Road.sheet], table.block, {"a": i, "b": i}, copied=True,
                                               made=made))
            return

    def _make_named(self, picks: Mapping[str, tuple[ClubTable, TablePick]]) -> None:
        """Rows that other tables name, of a table that the club does not keep: each is made of the rows that name it.

        Two factions may call an army of theirs the same; then its code begins with the faction's.
        """
        for table, pick in list(picks.values()):
            for c in [c for c in pick.record.columns() if c.name in pick.lessons and isinstance(c.kind, Ref)]:
                target = self.records.get(c.kind.table)
                keys = [k for k in target.columns() if k.key] if target is not None else []
                if target is None or self.result.pick(target.sheet) or len(keys) != 1 or target.sheet in FIXED or not (
                        any(k.name == "faction" for k in target.columns())):
                    continue
                self._make_of(table, pick, c, target, keys[0])

    def _make_of(self, table: ClubTable, pick: TablePick, c: Column, target: type[Record], key: Column) -> None:
        forced = {pick.columns[c.name]: key.name}
        match = match_table(table, target, self.known, (), self.lang, forced)
        if match is None or "faction" not in match.columns:
            return
        lessons = {name: self._lesson(table, match, target.column(name)) for name in match.columns if name != key.name}
        lessons = {name: lesson for name, lesson in lessons.items() if any(lesson.texts.values())}
        match.columns = {name: i for name, i in match.columns.items() if name in (key.name, *lessons)}
        whose = lessons["faction"].texts
        named = pick.lessons[c.name]
        shared = len({(whose.get(n), text) for n, text in named.texts.items()}) > len(set(named.texts.values()))
        has_name = any(k.name == "name" for k in target.columns())
        made: dict[str, dict[str, str]] = {}
        for n, text in list(named.texts.items()):
            code = f"{whose.get(n, '')}-{text}" if shared else short_code(text, made)
            row = made.setdefault(code, {key.name: code, **({"name": text} if has_name and code != text else {})})
            for name, lesson in lessons.items():
                if n in lesson.texts:
                    row.setdefault(name, lesson.texts[n])
            if code != text:
                named.texts[n], named.learnt[text] = code, code
        for name, lesson in lessons.items():
            if lesson.doubtful and fold(heading_place(table, match.columns[name])) not in self.answers:
                self._doubt_values(table, match, target.column(name), match.columns[name], lesson)
        if shared:
            pick.copied = True
        match.copied, match.made, match.lessons = True, list(made.values()), lessons
        self.result.picks.append(match)

    def _name_misfits(self, picks: Mapping[str, tuple[ClubTable, TablePick]]) -> None:
        """A warning about each table whose title says what it is, but whose columns do not."""
        read = {table.place for table, _ in picks.values()}
        for table in self.tables:
            record = next((r for r in self.records.values() if title_fit(table.block.title, r) >= TITLED
                           and self.result.pick(r.sheet) is None), None)
            if record is not None and table.place not in read and fold(table.place) not in self.answers:
                self.result.findings.append(Finding(
                    codes.NO_KEY_CHOSEN, "warning", Where(record.sheet),
                    {"where": Verbatim(table.place), "list": Verbatim(", ".join(_needed_headings(record, self.lang)))}))

    # --- answers ---------------------------------------------------------------------------------
    def _check_answers(self, picks: Mapping[str, tuple[ClubTable, TablePick]]) -> None:
        """Findings for answers that name no place, or say what cannot be."""
        read = {table.place: pick for table, pick in picks.values()}
        places: dict[str, tuple[ClubTable, int]] = {fold(t.place): (t, 0) for t in self.tables}
        places |= {fold(heading_place(t, i)): (t, i) for t in self.tables for i in t.texts}
        for place, said in self.answers.items():
            if place in GENERAL:
                continue
            table, i = places.get(place, (None, 0))
            if table is None:
                self._wrong(codes.NO_PLACE, place, said)
            elif not i and fold(said) not in (*YES, *NO) and self._record(said) is None:
                words = [sheet_title(r, self.lang) for r in self.records.values()]
                self._wrong(codes.NO_SUCH_TABLE, place, said, near=nearest(said, words, ALIKE),
                            list=Verbatim(", ".join(words)))
            elif not i and (record := self._record(said)) and (table.place not in read
                                                               or read[table.place].record is not record):
                self._wrong(codes.NO_KEY_CHOSEN, place, said, sheet=record.sheet,
                            list=Verbatim(", ".join(_needed_headings(record, self.lang))))
            elif i and fold(said) not in (*YES, *NO):
                self._check_column(table, i, said, read.get(table.place))

    def _check_column(self, table: ClubTable, i: int, said: str, pick: TablePick | None) -> None:
        place = heading_place(table, i)
        picks = [p for p in (pick, *self.result.picks) if p is not None and p.block is table.block]
        fields = [(p, name) for p in picks for name, column in p.columns.items() if column == i]
        if not picks:
            self._wrong(codes.NO_TABLE_CHOSEN, place, said)
        elif any(self._field(p.record, said) for p in picks) or any(
                self._answered_words(table, i, p.record.column(name))
            for p, name in fields if not name.startswith("*")):
            return
        else:
            values = [word for p, name in fields if not name.startswith("*")
                      for word in self._choices(p.record.column(name)).split(", ") if word]
            words = list(dict.fromkeys([*values, *field_headings(picks[0].record, self.lang).values()]))
            self._wrong(codes.NO_SUCH_COLUMN, place, said, sheet=picks[0].record.sheet,
                        near=nearest(said, words, ALIKE), list=Verbatim(", ".join(words)))

    def _wrong(self, code: str, place: str, said: str, **data: Any) -> None:
        where = Where(str(data.pop("sheet", "")))
        self.result.findings.append(Finding(code, "error", where, {"seen": Verbatim(said), "where": Verbatim(place),
                                                                   **data}))


GENERAL = ("scenario", "rulebook")
"""Places of answers that concern the whole workbook."""


def heading_place(table: ClubTable, column: int) -> str:
    """The cell of a column's heading, by which an answer names the column."""
    return cell_address(table.block.title, letters_of(column), table.block.area.top)


def shown_word(c: Column, text: str, lang: str) -> str:
    """A text that a column reads as the sheet would show it."""
    return c.word(c.kind.read(text), lang) if c.kind.words and text else text


def _needed_headings(record: type[Record], lang: str) -> list[str]:
    return [c.heading(lang) for c in record.columns() if c.key or (c.required and isinstance(c.kind, Ref))]


def _codes_used(picks: Mapping[str, tuple[ClubTable, TablePick]], sheet: str) -> set[str]:
    """The codes of a table that columns of other tables name."""
    return {text.casefold() for other, (table, pick) in picks.items() if other not in (sheet, Event.sheet)
            for name, i in pick.columns.items()
            if isinstance(kind := pick.record.column(name).kind, Ref) and kind.table == sheet
            for text in table.texts[i].values()}


def _must_move(table: ClubTable, pick: TablePick) -> bool:
    """Whether a table cannot stay the club's own: Arbitro will write what the club calls otherwise, or has no room."""
    if pick.record.sheet not in FIXED and first_obstacle(table.book, table.block) is not None:
        return True
    return any(not lesson.plain and (pick.record.column(name).edit != "referee" or pick.record.column(name).key)
               for name, lesson in pick.lessons.items())


def short_code(text: str, taken: Mapping[str, Mapping[str, str]]) -> str:
    """A code without blanks for a row that has only a name: its longest word, or all of it."""
    if " " not in text:
        return text
    longest = max(text.split(), key=len)
    if longest not in taken or taken[longest].get("name") == text:
        return longest
    return text.replace(" ", "-")
