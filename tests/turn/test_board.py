"""What rulebooks build their worlds on: tables by name, free codes, throws again on a tie, purposes of dice."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from assistant.campaign import records as base
from assistant.campaign.campaign import Campaign
from assistant.campaign.tables import Table
from assistant.turn.dice import Dice, Purpose, Roll, RollKind, RollKinds, Throw, by_word
from assistant.turn.findings import Message, Where
from assistant.turn.game import Board, Game, One, Sheet, free_code, free_name, next_code
from assistant.turn.numbers import Rules
from assistant.turn.rulings import highest_thrower, rank_by_throw


class Land(Board):
    """A board of two tables."""

    desk = One(base.Desk)
    armies = Sheet(base.Army)


def land(*armies: str) -> Land:
    """A campaign with these armies, as a phase sees it."""
    campaign = Campaign(base.BASE)
    campaign.table(base.Desk).add(base.Desk(ruleset="land", turn="3", phase="march"))
    for army in armies:
        campaign.table(base.Army).add(base.Army(army=army, faction="V"))
    messages = {"LAN-001": Message("LAN-001", "warning", "{unit} stands alone.")}
    return Land(Game(campaign, Rules((), ""), Dice("3", b"secret"), "march", messages))


def test_a_board_has_the_campaigns_own_tables() -> None:
    """What is added by a board's name for a table stands in the campaign, and the desk is its one row."""
    board = land("V-1")

    board.armies.add(base.Army(army="V-2", faction="V"))

    assert board.armies is board.campaign.table(base.Army)
    assert [army.army for army in board.armies] == ["V-1", "V-2"]
    assert board.desk.turn == "3"


def test_a_finding_stands_at_its_row_and_goes_to_whom_it_concerns() -> None:
    """The row's own faction, where no other is named."""
    board = land("V-1")
    army = board.armies["V-1"]

    found = [board.find("LAN-001", army, "node", unit="V-1"), board.find("LAN-001", army, "node", "M", unit="V-1")]

    assert [(one.where, one.faction, one.severity) for one in found] == [
        (Where("Armies", "V-1", "node"), faction, "warning") for faction in ("V", "M")]
    assert board.game.findings == found


def test_questions_and_dice_of_one_name_come_again_each_turn() -> None:
    """Turn and phase tell them apart, and a name that was typed early says kind and subject."""
    turns = [base.TurnDie(key="hunger/V-1", turn=turn, phase="march", value="4") for turn in ("1", "2")]
    early = base.TurnQuestion(question="retreat/V-1", turn="3", phase="march")
    early.complete()

    assert len({die.ident for die in turns}) == 2
    assert (early.kind, early.about) == ("retreat", "V-1")
    assert base.TurnQuestion.name_for("3", "march", "retreat", "V", "V-1") == "retreat/V-1"


def table(*codes: str) -> Table[base.Army]:
    """Armies with these codes."""
    return land(*codes).armies


def test_the_next_code_follows_the_highest() -> None:
    """A number that was given up is not given again; codes of another shape do not count."""
    assert next_code(table("W1", "W7", "X9", "W7a"), "W{}") == "W8"
    assert next_code(table(), "P{}") == "P1"


def test_a_free_code_is_the_lowest() -> None:
    """A gap is filled first."""
    assert free_code(table("V-1", "V-3"), "V-{}") == "V-2"
    assert free_code(table(), "V-{}") == "V-1"


def test_a_free_name_keeps_its_stem() -> None:
    """The stem itself is free or gets a number from 2 on."""
    assert free_name(table(), "P3-out") == "P3-out"
    assert free_name(table("P3-out", "P3-out-2"), "P3-out") == "P3-out-3"


@dataclass
class Box:
    """Throws that are known beforehand: by name, one after the other."""

    faces: dict[str, list[int]]

    def __call__(self, name: str, again: int) -> Roll:
        total = self.faces[name][again - 1]
        return Roll(f"{name}:{again}", "1d6", total, (total,), "public")


def keys(rolls: list[Roll]) -> list[str]:
    """What was thrown, in order."""
    return [roll.key for roll in rolls]


def test_those_who_tie_at_the_top_throw_again() -> None:
    """Only they: who threw less is out; the winner is alone at the top."""
    winner, rolls = highest_thrower("ABC", Box({"A": [5, 2], "B": [5, 4], "C": [3]}))

    assert winner == "B"
    assert keys(rolls) == ["A:1", "B:1", "C:1", "A:2", "B:2"]


def test_who_is_alone_throws_no_die() -> None:
    """There is nothing to be decided."""
    assert highest_thrower(["A"], Box({})) == ("A", [])


def test_everybody_is_ranked_and_equals_throw_again_among_themselves() -> None:
    """A second throw decides within the group of equals and nowhere else."""
    order, rolls = rank_by_throw("ABCD", Box({"A": [2, 6], "B": [5], "C": [2, 1], "D": [6]}))

    assert order == ["D", "B", "A", "C"]
    assert keys(rolls) == ["A:1", "B:1", "C:1", "D:1", "A:2", "C:2"]


def test_a_purpose_gives_key_and_dice_of_a_throw() -> None:
    """The braces are filled in their order; a throw that comes again is marked."""
    siege = Purpose("siege:{Nodes}:{turn}:{n}", again=":t{n}")

    assert siege("V8", 1500, 3) == Throw("siege:V8:1500:3", "1d6")
    assert siege("V8", 1500, 3, again=2).key == "siege:V8:1500:3:t2"
    assert Purpose("lot:{Factions}", "")("V", dice="1d4") == Throw("lot:V", "1d4")


def test_a_purpose_is_about_as_much_as_it_says() -> None:
    """A part too few would be the key of another throw; what never comes again has no second key."""
    with pytest.raises(TypeError):
        Purpose("siege:{Nodes}:{turn}")("V8")
    with pytest.raises(TypeError):
        Purpose("storm:{turn}")(1500, again=2)


def test_a_kind_of_throw_knows_the_shapes_of_its_purposes() -> None:
    """Words to choose from are shapes of their own; those of throws that come again stand behind."""
    kind = RollKind.of("Refusals", Purpose("refusal/{Armies*}/{knights|bows}-{n}", "1d10", "#{n}"),
                       Purpose("refusal/{Armies*}/{Nobles}", "1d10"))

    assert (kind.word, kind.dice) == ("refusal", "1d10")
    assert kind.shapes == ("refusal/{Armies*}/knights-{n}", "refusal/{Armies*}/bows-{n}", "refusal/{Armies*}/{Nobles}",
                           "refusal/{Armies*}/knights-{n}#{n}", "refusal/{Armies*}/bows-{n}#{n}")


def test_a_kind_of_throw_is_declared_once() -> None:
    """Two of one word could not be counted apart."""
    with pytest.raises(ValueError, match="twice"):
        by_word(RollKind("siege", "Sieges"), RollKind("siege", "Storms"))
    rolls = RollKinds()
    rolls.purpose("Sieges", "siege:{Nodes}")
    with pytest.raises(ValueError, match="twice"):
        rolls.purpose("Storms", "siege:{Armies*}")


def test_a_purpose_and_its_kind_of_throw_are_declared_at_once() -> None:
    """The purposes of one word are one kind, with the title and the thrower of the first."""
    rolls = RollKinds()
    siege = rolls.purpose("Sieges", "siege:{Nodes}", by="besieger")
    sally = rolls.purpose("", "siege:{Armies*}:sally", again="#{n}")

    assert (siege("V1").key, sally("V-1", again=2).key) == ("siege:V1", "siege:V-1:sally#2")
    assert rolls == by_word(RollKind.of("Sieges", siege, sally, by="besieger"))


def test_a_board_throws_for_a_purpose() -> None:
    """The throw is the game's own: for one key another run of the phase shows the same."""
    board, order = land(), Purpose("order/{Factions}", "1d20")

    trial = board.trial(order("V"), 1, {"guns": 2})

    assert land().roll(order("V")) == trial.roll
    assert trial.total == trial.roll.total + 2
