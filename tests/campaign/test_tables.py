"""Tables and their copies against plain lists of rows, by chance: what is in them, in which order, and whose it is."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign, FieldSet, RowAdded, RowRemoved, changes
from assistant.campaign.records import Event, Order, Question
from assistant.campaign.tables import LazyRows, Table, natural

TURNS = ("1", "2", "3")


@dataclass
class Told:
    """A table, and what must be in it: key -> turn, text, data, in the order of the sheet."""

    table: Table[Question]
    rows: dict[str, tuple[str, str, dict[str, object]]]
    held: list[Question] = field(default_factory=list)

    def agrees(self) -> None:
        """What the table says by all its ways is what must be in it."""
        seen = [(key, (row.turn, row.answer, row.asked)) for key, row in self.table.raw_rows()]
        assert seen == list(self.rows.items())
        assert self.table.keys_in_file_order() == list(self.rows)
        assert self.table.keys() == sorted(self.rows, key=natural)
        assert len(self.table) == len(self.rows)


def question(number: int, turn: str, answer: str) -> Question:
    """A question of a turn, settled where it has an answer."""
    return Question(question=f"Q{number}", turn=turn, phase=phase(answer), answer=answer,
                    status="answered" if answer else "open", asked={"said": [answer]})


def phase(answer: str) -> str:
    """The phase of a question: what has an answer is of another than what has none."""
    return "told" if answer else "put"


def told(row: Question) -> tuple[str, str, dict[str, object]]:
    """What a row says, by itself."""
    return row.turn, row.answer, {"said": list(row.asked["said"])}


def begun(chance: random.Random) -> Told:
    """A table of thirty rows, twelve of which sleep."""
    rows = [question(n, TURNS[n // 10], "yes" if n < 20 else "") for n in range(30)]

    def block(first: int) -> LazyRows[Question]:
        return LazyRows([f"Q{n}" for n in range(first, first + 6)], frozenset({TURNS[first // 10]}), str(first),
                      lambda: [question(n, TURNS[n // 10], "yes") for n in range(first, first + 6)])

    parts: list[LazyRows[Question] | list[Question]] = [block(0), rows[6:12], block(12), rows[18:]]
    chance.shuffle(parts)
    keys = [key for part in parts
            for key in (part.keys if isinstance(part, LazyRows) else [row.question for row in part])]
    by_key = {row.question: told(row) for row in rows}
    return Told(Table.partly_asleep(Question, parts), {key: by_key[key] for key in keys})


def one_change(chance: random.Random, one: Told, number: int) -> None:
    """Ask for rows, change one that was handed out now or before, take one in, take one out."""
    deed = chance.choice(["ask", "walk", "turn", "where", "change", "change", "nested", "add", "remove"])
    if deed == "walk":
        one.held += list(one.table)
        assert [row.question for row in one.held[-len(one.rows):]] == one.table.keys()
    elif deed == "turn":
        turn = chance.choice(TURNS)
        found = one.table.of_turn(turn)
        assert [row.question for row in found] == sorted(
            (key for key, row in one.rows.items() if row[0] == turn), key=natural)
        for part, has in (("told", True), ("put", False)):
            assert [row.question for row in one.table.of_turn(turn, parts=(part,))] == [
                row.question for row in found if bool(row.answer) is has]
        open_rows = {row.question for row in one.table.open_rows(turn)}
        assert open_rows >= {row.question for row in found} | {key for key, row in one.rows.items() if not row[1]}
        one.held += found
    elif deed == "where":
        found = one.table.where(lambda row: row.answer == "")
        assert [row.question for row in found] == sorted(
            (key for key, row in one.rows.items() if not row[1]), key=natural)
        one.held += found
    elif deed == "add":
        one.held.append(one.table.add(question(100 + number, chance.choice(TURNS), "")))
        one.rows[f"Q{100 + number}"] = told(one.held[-1])
    elif one.rows:
        row = one.table[chance.choice(list(one.rows))]
        if deed == "remove":
            assert one.table.remove(row.question) is row
            del one.rows[row.question]
            one.held = [other for other in one.held if other is not row]
        else:
            row = chance.choice([row, *one.held])  # also one that was handed out before the table was copied
            if deed == "nested":
                row.asked["said"].append(number)
            elif deed == "change":
                row.turn, row.answer = chance.choice(TURNS), chance.choice(["", f"said {number}"])
                row.status, row.phase = "answered" if row.answer else "open", phase(row.answer)
            one.rows[row.question] = told(row)
            one.held.append(row)


@pytest.mark.parametrize("seed", range(40))
def test_who_changes_a_row_changes_one_table(seed: int) -> None:
    """Whatever is asked of a table and of copies of copies of it: a change shows in that one and in no other."""
    chance = random.Random(seed)
    tables = [begun(chance)]
    for number in range(150):
        one = chance.choice(tables)
        if chance.random() < 0.15 and len(tables) < 8:
            tables.append(Told(one.table.copy(), dict(one.rows)))
        else:
            one_change(chance, one, number)
        if number % 10 == 0:
            for each in tables:
                each.agrees()
    for each in tables:
        each.agrees()
        assert {key: told(row) for key, row in each.table.items()} == each.rows


def orders(*codes: str) -> Campaign:
    """A campaign of some orders and two events."""
    campaign = Campaign((Order, Event))
    for code in codes:
        campaign.table(Order).add(Order(order=code, turn="1"))
    for no in (1, 2):
        campaign.table(Event).add(Event(no=no, turn="1", event="rain", data={"where": ["V8"]}))
    return campaign


def test_a_copy_differs_by_what_was_changed_in_it() -> None:
    """Value, row that came, row that went: each is told of the campaign in which it was done."""
    before = orders("a", "b", "c")
    held = before.table(Order)["a"]
    after = before.copy()
    after.table(Order)["b"].status = "accepted"
    after.table(Order).remove("c")
    after.table(Order).add(Order(order="d"))
    after.table(Event)["2"].data["where"].append("V9")

    assert [(type(change), change.sheet, change.key) for change in changes(before, after)] == [
        (FieldSet, "Orders", "b"), (RowAdded, "Orders", "d"), (RowRemoved, "Orders", "c"), (FieldSet, "Events", "2")]
    held.status = "refused"
    assert (before.table(Order)["a"].status, after.table(Order)["a"].status) == ("refused", "")


def test_what_differs_holds_no_row_of_either_campaign() -> None:
    """A row that came is told by a copy: who changes it changes no campaign."""
    before, after = orders(), orders("a")
    [added] = changes(before, after)
    assert isinstance(added, RowAdded)
    added.row.status = "refused"  # type: ignore[attr-defined]
    assert after.table(Order)["a"].status == ""


def test_a_table_stands_in_one_campaign() -> None:
    """Put into a second one it is a copy there."""
    first, second = orders("a"), orders()
    second.put(first.table(Order))
    second.table(Order)["a"].status = "refused"
    assert first.table(Order)["a"].status == ""


def test_what_is_made_of_tables_is_made_once_as_long_as_they_say_the_same() -> None:
    """For copies, too, whether somebody has walked over them or not; anew where a row says something else."""
    made = []

    def codes(table: Table[Order]) -> tuple[str, ...]:
        made.append(table)
        return tuple(row.order + row.status for row in table)

    campaign = orders("b", "a")
    assert campaign.derive(codes, Order) == ("a", "b")
    for row in campaign.table(Order):
        assert row.status == ""
    twin = campaign.copy()
    assert twin.derive(codes, Order) is campaign.derive(codes, Order)
    assert len(made) == 1
    twin.table(Order)["a"].status = "!"
    assert (twin.derive(codes, Order), campaign.derive(codes, Order)) == (("a!", "b"), ("a", "b"))


def test_a_table_is_put_back_as_it_stood() -> None:
    """Rows that changed, came, went, or came again under an old key; who holds a row holds it as it was."""
    before = Table(base.Node, [base.Node(node=f"N{n}", name="old") for n in range(1, 6)])
    table = before.copy()
    held, fresh = table["N1"], table.add(base.Node(node="N6", name="fresh"))
    mark = table.mark()
    late = table["N2"]
    held.name = late.name = fresh.name = "new"
    table.remove("N3")
    table.remove("N6")
    table.add(base.Node(node="N6", name="other"))
    table.add(base.Node(node="N0"))
    assert [row.name for row in table] == ["", "new", "new", "old", "old", "other"]

    table.put_back(mark)

    assert [(row.node, row.name) for row in table] == [*((f"N{n}", "old") for n in range(1, 6)), ("N6", "fresh")]
    assert (table["N1"], table["N2"], table["N6"]) == (held, late, fresh)
    assert (table["N1"] is held, table["N2"] is late, table["N6"] is fresh) == (True, True, True)
    late.name = "later"
    assert table.copy()["N2"].name == "later"
    assert before["N2"].name == "old"
    assert table.keys_in_file_order() == [f"N{n}" for n in range(1, 7)]


# --- what has changed since the last event --------------------------------------------------------------
def played(*codes: str) -> Campaign:
    """A copy of a campaign of some places, whose rows note their changes."""
    campaign = Campaign((base.Node, Order, Event))
    for code in codes:
        campaign.table(base.Node).add(base.Node(node=code, name="old"))
    copy = campaign.copy()
    copy.note_changes()
    return copy


def test_rows_that_change_come_or_go_are_untold_until_an_event_takes_them() -> None:
    """Not those that are only read, or set to what they say; each once, in a fixed order."""
    campaign = played("b", "a", "c", "d")
    nodes = campaign.table(base.Node)
    for node in nodes:
        assert node.name == "old"
    nodes["d"].name = "old"
    assert campaign.untold_names() == []
    nodes["b"].name = "new"
    nodes["b"].name = "newer"
    nodes.remove("c")
    nodes.add(base.Node(node="e")).name = "fresh"
    nodes.get("a").name = "new"  # type: ignore[union-attr]
    assert campaign.take_untold() == ["Nodes/a", "Nodes/b", "Nodes/c", "Nodes/e"]
    assert campaign.untold_names() == []
    nodes["e"].name = "known"
    assert campaign.untold_names() == ["Nodes/e"]


def test_what_the_assistant_notes_and_what_becomes_of_every_order_is_told_by_no_event() -> None:
    """Another status is."""
    campaign = played()
    campaign.table(Event).add(Event(no=1))
    order = campaign.table(Order).add(Order(order="o1", status="accepted"))
    assert campaign.untold_names() == []
    order.status = "pinned"
    assert campaign.untold_names() == ["Orders/o1"]


def test_what_is_put_back_is_untold_no_more() -> None:
    """And what was untold before still is, also where an event has told of it since."""
    campaign = played("a", "b")
    nodes = campaign.table(base.Node)
    nodes["a"].name = "new"
    mark = campaign.mark()
    nodes["b"].name = "new"
    campaign.take_untold()
    nodes.remove("a")
    campaign.put_back(mark)
    assert campaign.untold_names() == ["Nodes/a"]
    assert [node.name for node in nodes] == ["new", "old"]


def test_a_phase_that_is_played_after_another_begins_with_nothing_untold() -> None:
    """And notes what changes in it from the first change on."""
    campaign = played("a", "b")
    campaign.table(base.Node)["a"].name = "new"
    assert campaign.take_untold() == ["Nodes/a"]
    campaign.note_changes()
    assert campaign.untold_names() == []
    campaign.table(base.Node)["b"].name = "new"
    assert campaign.take_untold() == ["Nodes/b"]


def test_a_form_that_is_laid_out_once_more_is_untold_as_the_first_time() -> None:
    """A phase that stopped to ask has written it before."""
    campaign = Campaign((base.Battle, Event))
    campaign.table(base.Battle).add(base.Battle(battle="B1", turn="1"))
    again = campaign.copy()
    again.note_changes()
    battle = again.table(base.Battle)["B1"]
    assert battle.hold == "asked"
    battle.turn = "1"
    assert again.untold_names() == ["Battles/B1"]


def test_a_row_that_notes_its_changes_is_a_row_like_any_other() -> None:
    """It equals one of its values; copies of it, and rows made of its class, note nothing."""
    campaign = played("a")
    row = campaign.table(base.Node)["a"]
    plain = base.Node(node="a", name="old")
    assert row == plain
    assert plain == row
    assert repr(row) == repr(plain)
    for other in (row.copy(), row.with_values({"name": "old"}), type(row)(node="a", name="old")):
        other.name = "new"
        assert other != row
    assert campaign.copy().table(base.Node)["a"].__class__ is base.Node
    assert campaign.untold_names() == []
