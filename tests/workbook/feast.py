"""A tiny ruleset of the tests' own: guests, dishes, a kitchen. It shows every kind of column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import Choice, Codes, Data, Flag, Ref, Text, Typed, Whole, Whose, column
from assistant.campaign.tables import Record
from assistant.turn.calendar import Calendar
from assistant.turn.event_types import EventType
from assistant.turn.game import Phase
from assistant.turn.numbers import Number, Switch
from assistant.turn.orders.verbs import Verb
from assistant.turn.questions import QuestionType
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from assistant.workbook.port import DeskLines


@dataclass
class Node(base.Node):
    """A table in the hall."""

    whose: ClassVar[Whose] = ("owner",)

    owner: str = column(Ref("Factions", blank=True), "Held by", "Tenuto da", see="public")


@dataclass
class Army(base.Army):
    """A party of guests."""

    army: str = column(Text(r"[A-Z]{1,3}-\d+"), "Army", "Armata", key=True, see="public", required=True)
    guests: int = column(Whole(0, 500), "Guests", "Ospiti", see="public", hint=("people", "persone"))
    mood: str = column(Choice({"merry": "allegra", "sober": "sobria"}), "Mood", "Umore", default="sober", see="public")
    hungry: bool = column(Flag(), "Hungry", "Affamata", see="public")
    seen: tuple[str, ...] = column(Codes("Nodes"), "Has seen", "Ha visto", see="public")


@dataclass
class Order(base.Order):
    """An order at the table."""

    unit: str = column(Text(), "Unit", "Unità", edit="club", see="owner")
    amount: int | str = column(Typed(), "Plates", "Piatti", edit="club", see="owner", hint=("plates", "piatti"))
    note: str = column(Text(), "Note", "Nota", edit="club", see="owner", width=24)


@dataclass
class Battle(base.Battle):
    """A quarrel over a dish."""

    winner: str = column(Text(), "Winner", "Vincitore", edit="referee", see="public")
    losses: int | str = column(Typed(), "Losses", "Perdite", edit="referee", see="public")


@dataclass
class Dish(Record):
    """A dish; several rows of one name may stand."""

    sheet: ClassVar[str] = "Dishes"
    sheet_it: ClassVar[str] = "Portate di casa"
    file: ClassVar[str] = "dishes"
    unique: ClassVar[bool] = False
    about_en: ClassVar[str] = "What the kitchen sends."
    about_it: ClassVar[str] = "Che cosa manda la cucina."

    dish: str = column(Text(), "Dish", "Portata", key=True, edit="referee", see="public", required=True)
    cook: str = column(Ref("Factions"), "Cook", "Cuoco", key=True, edit="referee", see="public")
    price: int | None = column(Whole(blank=True), "Price", "Prezzo", edit="referee", see="public",
                               hint=("coins", "monete"))
    recipe: dict[str, Any] = column(Data(), "Recipe", "Ricetta", see="public", last=True)


CALENDAR = Calendar((Phase("serve", "Serving", "Servizio", "1", lambda game: None, orders="serve"),
                     Phase("toast", "Toast", "Brindisi", "2", lambda game: None)))


class Feast(Ruleset):
    """The Feast."""

    id = "feast"
    interface = 6
    title = "The Feast"
    editions = ("big", "small")
    calendar = CALENDAR
    records = (base.Desk, base.Faction, Node, base.Road, Army, Order, base.Question, Battle, base.Event, base.Die,
               base.FindingRow, base.Rule, Dish)
    numbers = (Number("plates", 12, "plates", "ch. 1", "Plates on a table.", usual=True),
               Switch("toast", ("loud", "quiet"), "ch. 2", "How the toast is made.", {"small": "quiet"}))
    events = {"served": EventType("served", "{army} is served {n} plates.", to=base.ALL)}  # noqa: RUF012
    questions = {"salt": QuestionType("salt", "More salt at {node}?")}  # noqa: RUF012
    verbs = {"eat": Verb("eat", "mangia", ("unit", "amount"), ("serve",))}  # noqa: RUF012

    def glance(self, view: Campaign, faction: str) -> list[tuple[str, int]]:
        """Nothing."""
        return []


FEAST = Feast()
OWN_LINK = '=HYPERLINK("#"&CELL("address",'
"""How the Desk's link to the next blank order begins, the one formula that a workbook of ours has."""
LINES = DeskLines("Evening 1, serving", (("R", "orders for the evening"), ("referee", "the salt")),
                  ("Gather the orders.", "Resolve."), ("Nothing yet.",))


def loader(ruleset_id: str) -> Ruleset:
    """The Feast, whatever else is installed. Raises KeyError."""
    return {"feast": FEAST}[ruleset_id]


def wording(lang: str = "en") -> Wording:
    """The words of the Feast."""
    return Wording(FEAST, lang)


def feast(lang: str = "en") -> Campaign:
    """A small campaign with something on every sheet."""
    made = Campaign(FEAST.records)
    rows: list[Record] = [
        base.Desk(ruleset="feast", title="Carnival", edition="big", language=lang, turn="1", phase="serve"),
        base.Faction(faction="R", name_en="Red", name_it="Rossi", colour="#b5202e", language=lang),
        base.Faction(faction="Y", name_en="Yellow", name_it="Gialli", colour="#f2d544", language=lang),
        Node(node="T1", name="High table", x=10, y=20, owner="R"), Node(node="T2", name="Low table", owner="Y"),
        Node(node="T10", name="Door"),
        base.Road(a="T1", b="T2", kind="bench"), base.Road(a="T1", b="T2", kind="rug"),
        Army(army="R-1", faction="R", node="T1", guests=120, mood="merry", hungry=True, seen=("T1", "T2")),
        Army(army="Y-1", faction="Y", node="T10", guests=7),
        Order(order="1-serve-R-1", turn="1", phase="serve", faction="R", seq=1, verb="eat", unit="R-1", amount=3),
        base.Question(question="1.serve.salt.R.T1", turn="1", phase="serve", kind="salt", to="R", about="T1",
                      asked={"node": "T1"}, status="open", options="yes, no"),
        Battle(battle="B1", turn="1", node="T2"),
        base.Event(no=1, turn="1", phase="serve", audience="all", event="served", rule="ch. 1",
                   data={"army": "R-1", "n": 3}),
        base.Die(key="salt:1", dice="1d6", value="4", turn="1", phase="serve", audience="public"),
        base.FindingRow(turn="1", phase="serve", table="Orders", row="1-serve-R-1", code="ARB-041", field="turn",
                        faction="R", data={"seen": "x", "near": "1"}),
        base.Rule(key="plates", value=10),
        Dish(dish="Soup", cook="R", price=-5, recipe={"salt": 1}), Dish(dish="Soup", cook="R"),
    ]
    for row in rows:
        made.by_sheet(type(row).sheet).add(row)
    return made


@lru_cache(maxsize=4)
def _bytes(lang: str) -> bytes:
    from assistant.workbook.write.new_workbook import new_workbook_bytes

    return new_workbook_bytes(FEAST, feast(lang), Path("feast.xlsx"), wording(lang), LINES)


def workbook(path: Path, lang: str = "en") -> Path:
    """Write the Feast's workbook, built once a language; returns the path."""
    path.write_bytes(_bytes(lang))
    return path


def plain(campaign: Campaign) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """A campaign as plain values, to compare."""
    return {sheet: [(key, {c.name: getattr(row, c.name) for c in row.columns()})
                    for key, row in table.in_file_order()] for sheet, table in campaign.tables().items()}
