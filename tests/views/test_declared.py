"""A view follows from what the columns say, and shows nothing of what they do not say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Circle, Flag, Ref, Text, When, Whole, Whose, column, describe_see
from assistant.campaign.tables import Record
from assistant.turn.numbers import Number, Rules, Switch
from assistant.turn.views import Viewer, make_view, secrecy_faults

NUMBERS = (Switch("fog", ("on", "off"), "1", "Whether camps are hidden."), Number("reach", 2, "hexes", "1", "Far."))
FOG = When("fog", "on", "owner", "public")


@dataclass
class Camp(Record):
    """A camp with something for everybody."""

    sheet: ClassVar[str] = "Camps"
    whose: ClassVar[Whose] = ("faction", "ally")

    camp: str = column(Text(), "Camp", "Campo", key=True, see="public")
    faction: str = column(Ref("Factions"), "Of", "Di", see="public")
    ally: str = column(Ref("Factions", blank=True), "Ally", "Alleato", see="public")
    men: int = column(Whole(), "Men", "Uomini", default=5, see="owner")
    place: str = column(Text(), "Place", "Posto", see=FOG)
    fires: bool = column(Flag(), "Fires", "Fuochi", see="public")
    mood: str = column(Text(), "Mood", "Umore", see=Circle("its owner; all, where fires burn",
                                                           lambda row, reader: row.fires or reader.owns(row)))
    note: str = column(Text(), "Note", "Nota", see="referee")
    silent: str = column(Text(), "Silent", "Muto")


@dataclass
class Secret(Record):
    """A sheet that says nothing of who sees it."""

    sheet: ClassVar[str] = "Secrets"

    secret: str = column(Text(), "Secret", "Segreto", key=True)
    text: str = column(Text(), "Text", "Testo")


@dataclass
class Spy(Record):
    """A row that is there for its owner."""

    sheet: ClassVar[str] = "Spies"
    whose: ClassVar[Whose] = Circle("who pays", lambda row, reader: reader.is_one_of(row.master))

    spy: str = column(Text(), "Spy", "Spia", key=True, see="owner")
    master: str = column(Text(), "Master", "Padrone", see="public")


def campaign() -> Campaign:
    """Two camps of A and B, a secret, a spy, events for A, all and the referee."""
    made = Campaign((base.Event, Camp, Secret, Spy))
    for row in (Camp("C1", "A", "", 7, "0101", fires=False, mood="merry", note="n", silent="s"),
                Camp("C2", "B", "A", 8, "0102", fires=True, mood="grim", note="n", silent="s"),
                Secret("S", "t"), Spy("X", "A"), Spy("Y", ""),
                base.Event(1, audience="A", event="a"), base.Event(2, audience="referee", event="b"),
                base.Event(3, audience="all", event="c", touched="Camps/C1")):
        made.by_sheet(row.sheet).add(row)
    return made


def seen(code: str, fog: str = "on") -> Campaign:
    """What a faction sees of it."""
    return make_view(Viewer(campaign(), Rules(NUMBERS, "", {"fog": fog}), code))


def cells(code: str, key: str, fog: str = "on") -> tuple[object, ...]:
    """What a faction reads of a camp."""
    row = seen(code, fog).by_sheet("Camps")[key]
    return row.men, row.place, row.mood, row.note, row.silent


@pytest.mark.parametrize(("code", "key", "fog", "read"), [
    ("A", "C1", "on", (7, "0101", "merry", "", "")),
    ("B", "C1", "on", (None, "", "", "", "")),
    ("B", "C1", "off", (None, "0101", "", "", "")),
    ("", "C1", "off", (None, "0101", "", "", "")),
    ("A", "C2", "on", (8, "0102", "grim", "", "")),
    ("", "C2", "on", (None, "", "grim", "", "")),
])
def test_who_reads_what_of_a_row(code: str, key: str, fog: str, read: tuple[object, ...]) -> None:
    """Owners by any of the fields that name them, a switch, the row itself, the referee, and nobody by silence."""
    assert cells(code, key, fog) == read


@pytest.mark.parametrize("code", ["A", "B", ""])
def test_a_sheet_that_declares_nothing_shows_nothing(code: str) -> None:
    """Closed by default: its key is the referee's, and with it the row."""
    assert len(seen(code).by_sheet("Secrets")) == 0


def test_who_does_not_see_the_key_does_not_see_the_row() -> None:
    """A row with a hidden key is not there; a blank owner is nobody, and nobody is no owner."""
    assert {code: seen(code).by_sheet("Spies").keys() for code in ("A", "B", "")} == {"A": ["X"], "B": [], "": []}


@pytest.mark.parametrize(("code", "told"), [("A", ["a", "c"]), ("B", ["c"]), ("", ["c"])])
def test_events_are_numbered_anew(code: str, told: list[str]) -> None:
    """Neither a number nor a touched record tells of an event that is not for the reader."""
    events = seen(code).table(base.Event)

    assert [event.event for event in events] == told
    assert [(key, event.no, event.touched) for key, event in events.in_file_order()] == [
        (str(no), no, "") for no in range(1, len(told) + 1)]


def test_a_view_leaves_the_campaign_alone_and_shows_the_same_twice() -> None:
    """It is a pure function, and a view of a view is the view."""
    whole, rules = campaign(), Rules(NUMBERS, "")
    before = {sheet: [row.as_text() for row in table] for sheet, table in whole.tables().items()}
    once = make_view(Viewer(whole, rules, "B"))
    twice = make_view(Viewer(once, rules, "B"))

    assert before == {sheet: [row.as_text() for row in table] for sheet, table in whole.tables().items()}
    for sheet, table in once.tables().items():
        assert [row.as_text() for row in table] == [row.as_text() for row in twice.by_sheet(sheet)]


def test_a_viewer_says_of_each_cell_whether_it_is_seen() -> None:
    """As the view shows it, cell by cell."""
    whole = campaign()
    viewer, camps, spies = Viewer(whole, Rules(NUMBERS, ""), "B"), whole.by_sheet("Camps"), whole.by_sheet("Spies")

    assert [c.name for c in Camp.columns() if viewer.sees(camps["C1"], c.name)] == ["camp", "faction", "ally", "fires"]
    assert viewer.owns(camps["C2"])
    assert not viewer.sees(spies["X"], "master")


def test_what_a_ruleset_shows_instead() -> None:
    """An exception gets the row and what the columns let the reader see of it."""
    class Rough(Viewer):
        """Who counts in tens."""

        def exceptions(self):  # type: ignore[no-untyped-def]
            """Men, roughly."""
            return {"Camps": self.rough}

        def rough(self, row: Camp, seen: Camp) -> Camp:
            """Rounded up."""
            if seen.men != row.men:
                seen.men = -(-row.men // 10) * 10
            return seen

    shown = make_view(Rough(campaign(), Rules(NUMBERS, ""), "B")).by_sheet("Camps")
    assert [(row.men, row.mood) for row in shown] == [(10, ""), (8, "grim")]


@dataclass
class Wrong(Record):
    """A record whose declaration is wrong in each way."""

    sheet: ClassVar[str] = "Wrongs"
    whose: ClassVar[Whose] = ("nobody",)

    wrong: str = column(Text(), "Wrong", "Torto", key=True, see=When("fog", "thick", "public", "referee"))
    far: str = column(Text(), "Far", "Lontano", see=When("reach", "2", "public", "referee"))


@dataclass
class Orphan(Record):
    """A record that names no owner."""

    sheet: ClassVar[str] = "Orphans"

    orphan: str = column(Text(), "Orphan", "Orfano", key=True, see=When("fog", "on", "owner", "public"))


def test_a_ruleset_is_told_what_it_does_not_say() -> None:
    """Columns without a word, owners who stand nowhere, switches that there are not."""
    assert secrecy_faults((Camp, Secret, Wrong, Orphan), NUMBERS) == [
        "Camps: silent does not say who may see it",
        "Secrets: secret does not say who may see it",
        "Secrets: text does not say who may see it",
        "Wrongs: its owner is to stand in nobody, which is no column",
        "Wrongs: wrong asks whether fog is thick, which no switch can be",
        "Wrongs: far asks whether reach is 2, which no switch can be",
        "Orphans: orphan is for the owner, and whose the row is stands nowhere",
    ]


def test_the_manual_says_it_in_words() -> None:
    """docs/sheets.md has its words from the same declaration."""
    words = {c.name: describe_see(c.see) for c in Camp.columns()}

    assert words["camp"] == "all"
    assert words["men"] == "its owner"
    assert words["place"] == "its owner if `fog` is on, else all"
    assert words["mood"] == "its owner; all, where fires burn"
    assert words["note"] == words["silent"] == "the referee"
