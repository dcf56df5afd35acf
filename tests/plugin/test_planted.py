"""The kit finds what is wrong with somebody's rulebook: each kind of fault is planted alone into two of them.

Of twenty kinds seventeen are faults, and three are for the author to confirm, as they may be meant so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from assistant import desk
from assistant.desk.commands.lint_ruleset import WRONG, public_items
from assistant.testing import kit
from assistant.turn.ruleset import Ruleset
from tests.plugin.planting import Replaced, opening, planted

PHASES, VERBS = 4, 4


def checked(ruleset: Ruleset) -> str:
    """What `arbitro rulesets --check` says."""
    return "\n".join(line for line in desk.lint_ruleset(ruleset.id, lang="en").finding_lines() if WRONG in line)


def confirmed(ruleset: Ruleset) -> str:
    """What is seen by all."""
    return " ".join(public_items(ruleset))


def said(check: Callable[[], object]) -> str:
    """What a check of the kit says; "" for nothing."""
    try:
        check()
    except AssertionError as wrong:
        return str(wrong)
    return ""


def tried(ruleset: Ruleset) -> str:
    """What is said of every verb."""
    return said(lambda: kit.every_verb(ruleset, opening(ruleset), phases=PHASES, most=VERBS))


def played(ruleset: Ruleset) -> str:
    """What is said of robots."""
    return said(lambda: kit.robots_play(ruleset, opening(ruleset), phases=30))


def elsewhere(ruleset: Ruleset) -> str:
    """What is said of another process."""
    return said(lambda: kit.in_another_process(ruleset, opening(ruleset), phases=4))


def typed_early(ruleset: Ruleset) -> str:
    """What is said of battles that were typed early."""
    return said(lambda: kit.battles_may_be_typed_early(ruleset, opening(ruleset), phases=10))


def past(ruleset: Ruleset) -> str:
    """What is said of undo, redo and verify."""
    return said(lambda: kit.undo_and_redo(ruleset, opening(ruleset), phases=2))


class Plant(NamedTuple):
    """A fault in a rulebook. `by`: what finds it; `says`: words of what it says; `sound`: other lines without the
    fault, for what a rulebook must have first.
    """

    host: str
    by: Callable[[Ruleset], str]
    says: str
    replaced: Replaced
    sound: Replaced = ()


TO_CONFIRM = {
    "1. a column of an account is seen by all": (
        Plant("realms", confirmed, "Factions.resources", [("resources: int = own(", "resources: int = public(")]),
        Plant("walls", confirmed, "Factions.wealth", [("wealth: int = own(", "wealth: int = public(")])),
    "2. a treaty is told to all": (
        Plant("realms", confirmed, "checked", [('"diplomacy", 2, "2", to="faction")', '"diplomacy", 2, "2", to=ALL)')]),
        Plant("walls", confirmed, "spied", [('"news", 1, "4", to="person")', '"news", 1, "4", to=ALL)')])),
    "3. a voyage is told to all": (
        Plant("waters", confirmed, "marched", [('"moves", 1, "1", to="army")', '"moves", 1, "1", to=ALL)')]),
        Plant("walls", confirmed, "moved", [('"moves", 2, "1", to="army")', '"moves", 2, "1", to=ALL)')])),
}
FORCE = "class Force(base.Army):\n"
HIDDEN = (FORCE, FORCE + '    army: str = own(Text(), "Force", "Forza", key=True, required=True)\n')
DUG = "    force.dug = True\n"
NEW = '    land.forces.add(Force(army=next_code(land.forces, {}), faction=force.faction, node=force.node))\n'
WALLED = "        request.came_to(why)\n"
BAND = '        land.bands.add(Band(army=next_code(land.bands, "{}"), faction=E, node=place.node, units="F"))\n'
STEP = ("Sheet, Step\n", "Sheet, Step, next_code\n")
ASK = ("from assistant.turn.ruleset", "from assistant.turn.questions import Ask, QuestionType\n"
                                      "from assistant.turn.ruleset")
BID = [("questions = {}", 'questions = {"bid": QuestionType("bid", "What do you bid?")}'), ASK]
COUNT = "    if desert.game.turn == str(DAYS):\n"
CLAIM = "    verbs = order_book(claim"
OFFER = [(CLAIM, f"""    questions = {{"offer": QuestionType("offer", "What do you offer? {{other}}")}}
{CLAIM}"""), ASK]
FORD = "    for ford in land.fords:\n"
ASKED = 'Ask("{}", one.faction, options=("yes", "no"), default="yes", asked={})'
FAULTS = {
    "4. a brace of an event's text that nobody fills": (
        Plant("wells", checked, "nothing fills the field depth", [(
            '"{faction} digs at {node}: {roll}."', '"{faction} digs at {node}, {depth} deep: {roll}."')]),
        Plant("realms", tried, "event hired is told without what fills {m}", [(
            '"{faction} hires {n} units."', '"{faction} hires {m} units."')])),
    "5. a brace of a finding's text that nobody fills": (
        Plant("realms", checked, "nothing fills the field short", [(
            "{left} in the chest. Hire fewer.", "{left} in the chest, {short} short. Hire fewer.")]),
        Plant("walls", tried, "finding WAL-007 is told without what fills {c}", [(
            "may use joins {a} and {b}.", "may use joins {a} and {b}, only {c}.")])),
    "6. an event that rests on no rule": (
        Plant("wells", tried, "the event well.found cites no rule", [
            ('"news", 1, "2", verdicts', '"news", 1, "", verdicts'), ('"Scavo", "2"', '"Scavo", ""')]),
        Plant("realms", tried, "the event hired cites no rule", [
            ('"works", 3, "1", to', '"works", 3, "", to'), ('"Arruolamento", "1"', '"Arruolamento", ""')])),
    "7. money that changes without an event": (
        Plant("realms", tried, "Factions G.resources: 1 -> 4 is told by no event", [(
            '        land.tell("earned", roll=test, faction=realm.faction, node=node.node)\n', "")]),
        Plant("walls", tried, "Factions V.wealth", [(
            '        land.tell("income", faction=faction.faction, n=faction.wealth)\n', "")])),
    "8. a deed that only people order changes a unit without an event": (
        Plant("waters", tried, "dug: False -> True is told by no event", [(
            '    land.tell("dug", army=force.army)\n', "")]),
        Plant("realms", tried, "units: 5 -> 6 is told by no event", [(
            '    land.tell("hired", faction=realm.faction, n=amount)\n', "")])),
    "9. a deed that changes a row and then refuses": (
        Plant("realms", tried, "is told RLM-003, an error, and is carried out", [
            ("taking import all_orders", "taking import all_orders, refuse"),
            ('        raise Refused("RLM-003", "amount", cost=amount, left=realm.resources)\n',
             '        realm.units += 1\n        refuse(land, request, Refused("RLM-003", "amount", cost=amount, '
             'left=realm.resources))\n        return\n')]),
        Plant("walls", tried, "refused orders have left Nodes", [
            ("taking import all_orders", "taking import all_orders, refuse"),
            ("        request.came_to(why)\n", '        if why == "done":\n            refuse(land, request, Refused('
             '"WAL-008", "target", node=place.node))\n            continue\n        request.came_to(why)\n')])),
    "10. a verb that names a phase that there is not": (
        Plant("wells", checked, "may be given for 'night', which no phase takes", [(
            'when=("day",)', 'when=("night",)')]),
        Plant("realms", checked, "may be given for 'autumn', which no phase takes", [(
            'when=("hire",)', 'when=("autumn",)')])),
    "11. a step that must judge all orders together and does not say so": (
        Plant("wells", checked, "no step of it says that *check* runs it", [(
            'Step(digging, "together")', "Step(digging)")]),
        Plant("waters", tried, "Mark the step that refuses it together or alone", [(
            'Step(all_orders, "together")', "Step(all_orders)")])),
    "12. rows that are handled in an order from outside": (
        Plant("wells", tried, "played again", [
            ("from dataclasses import dataclass", "import random\nfrom dataclasses import dataclass"),
            ("    carry_all(desert, take(desert))", "    carry_all(desert, sorted(take(desert), key=lambda one: "
                                                    "random.random()))")]),
        Plant("realms", elsewhere, "in another process it comes to something else", [(
            "    for node in land.nodes:\n        realm =",
            "    for node in map(land.nodes.__getitem__, {one.node for one in land.nodes}):\n        realm =")])),
    "13. a die that is not the floor's": (
        Plant("wells", checked, "random is no throw of dice", [
            ("from dataclasses import dataclass", "import random\nfrom dataclasses import dataclass"),
            ("camp.barrels += int(trial.passed)", "camp.barrels += random.Random(desert.game.turn).randint(0, 1)")]),
        Plant("walls", checked, "secrets is no throw of dice", [
            ("from dataclasses import dataclass", "import secrets\nfrom dataclasses import dataclass"),
            ("what=there if trial.passed", "what=there if secrets.randbelow(2)")])),
    "14. a campaign that never ends": (
        Plant("wells", played, "After 30 phases at most the campaign is 31 dig", [(
            "return campaign.desk.turn == str(DAYS)", "return False")]),
        Plant("toll", checked, "Nothing says when a campaign ends", [(
            '    def last_turn(self, campaign: Campaign) -> bool:\n        """Chapter 3."""\n'
            '        return campaign.desk.turn == "12"\n\n', "")])),
    "15. two throws of a phase share a key": (
        Plant("wells", tried, "two throws have the key dig:", [(
            'f"dig:{place.node}:{request.faction}:{desert.game.turn}"', 'f"dig:{place.node}:{desert.game.turn}"')]),
        Plant("walls", tried, "two throws have the key spy:", [
            ('Purpose("spy:{People}:{turn}", "1d100")', 'Purpose("spy:{turn}", "1d100")'),
            ("SPY(person.person, land.game.turn)", "SPY(land.game.turn)")])),
    "16. a crash in a verb that no robot orders": (
        Plant("realms", tried, "'hire' crashes when it is judged: ZeroDivisionError", [(
            "    if amount > realm.resources:", "    if amount > realm.resources // (amount - 1):")]),
        Plant("waters", tried, "'dig' crashes when it is judged: KeyError", [(
            "    force.dug = True", "    force.dug = bool(land.nodes[force.army])")])),
    "17. a battle's row that is added although it may have been typed before": (
        Plant("waters", typed_early, "a battle that was typed before it is laid out", [
            ("Step, next_code", "Step, free_code"), ("next_code(land.battles", "free_code(land.battles")]),
        Plant("realms", typed_early, "a battle that was typed before it is laid out", [
            ("            land.battles.add(battle)\n", "            if battle.battle not in land.battles:\n"
                                                     "                land.battles.add(battle)\n")])),
    "18. a counter over a secret sheet that gives visible codes": (
        Plant("waters", tried, "Count each owner's rows by themselves", [HIDDEN, (DUG, DUG + NEW.format('"S{}"'))],
              [HIDDEN, (DUG, DUG + NEW.format('force.faction + "{}"'))]),
        Plant("walls", tried, "Count each owner's rows by themselves", [STEP, (WALLED, WALLED + BAND.format("D-{}"))],
              [STEP, (WALLED, WALLED + BAND.format("B-{}"))])),
    "19. of two secret choices one side is asked first": (
        Plant("wells", tried, "A is asked", [*BID, (COUNT, f"""    for one in desert.camps:
        desert.game.choose({ASKED.format("bid", {})})
{COUNT}""")], [*BID, (COUNT, f"""    desert.game.choose_all([{ASKED.format('bid', {})} for one in desert.camps])
{COUNT}""")]),
        Plant("toll", tried, "and sees by it what was answered", [*OFFER, (FORD, f"""    other = ""
    for one in land.lords:
        other = land.game.choose({ASKED.format("offer", '{"other": other}')})
{FORD}""")], [*OFFER, (FORD, f"""    land.game.choose_all([
        {ASKED.format("offer", '{"other": ""}')} for one in land.lords])
{FORD}""")])),
    "20. 'not yours' is said of a unit of which nobody may know": (
        Plant("waters", tried, "of which N may not know", [
            HIDDEN, ('@order("dig", "trincera", when=("week",), unit=OwnUnit(Force)',
                     '@order("dig", "trincera", when=("week",), unit=OwnUnit(Force, known=lambda row: True)'),
            ('"not_yours": role("WTR-002", word="word")', '"not_yours": role("WTR-001", word="word")')], [HIDDEN]),
        Plant("walls", tried, "of which E may not know", [
            ("known=lambda row: False", "known=lambda row: True"),
            ('"not_yours": role("WAL-002", word="word")', '"not_yours": role("WAL-001", word="word")')])),
}


@cache
def of_a_sound_one(host: str, by: Callable[[Ruleset], str], sound: Replaced) -> str:
    """What a check says of a rulebook without the fault."""
    with TemporaryDirectory() as name, planted(host, Path(name), sound) as ruleset:
        return by(ruleset)


MORE = {
    "a club learns whether others have ordered something": (
        Plant("wells", tried, "is not the same when others have ordered nothing", [
            ("from assistant.turn.texts import keyed", """from assistant.turn.texts import keyed
from assistant.turn.views import Viewer


class Peeking(Viewer):
    def exceptions(self):
        return {"Factions": lambda row, seen: seen.with_values({"barrels": len(self.campaign.table(base.Order))})}"""),
            ("    def last_turn", """    def viewer(self, campaign, faction):
        return Peeking(campaign, self.rules(campaign), faction)

    def last_turn""")]),),
    "what is kept outside of the campaign is not undone": (
        Plant("wells", past, "'verify' finds a phase that comes to something else", [
            ("DAYS = 3\n", "DAYS = 3\nDUG: list[str] = []\n"),
            ("    camp.barrels += int(trial.passed)\n",
             "    DUG.append(camp.faction)\n    camp.barrels += len(DUG)\n")]),),
}
"""Two more that are not on the list."""
CASES = [(kind, plant) for kind, both in {**TO_CONFIRM, **FAULTS, **MORE}.items() for plant in both]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "plant"), CASES, ids=[f"{kind} ({plant.host})" for kind, plant in CASES])
def test_what_is_planted_is_found(kind: str, plant: Plant, tmp_path: Path) -> None:
    """Alone, by one of the kit's checks or by `arbitro rulesets --check`, and not where it is not planted."""
    with planted(plant.host, tmp_path, plant.replaced) as ruleset:
        assert plant.says in plant.by(ruleset)
    sound = of_a_sound_one(plant.host, plant.by, tuple(plant.sound)) if plant.by is not confirmed else ""
    assert sound == ""
