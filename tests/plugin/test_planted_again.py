"""The same kinds of faults, planted by somebody else: in a stranger's islands, and in a book that Arbitro has written.

Each is a slip as an author makes it, in a book of many modules that the kit was not written beside.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module, invalidate_caches
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest

from assistant.draft_ruleset import new_package, read_answer_file, read_answers
from assistant.testing import kit
from assistant.turn.ruleset import Ruleset
from tests.plugin.planting import TESTS, opening
from tests.plugin.test_planted import checked, confirmed, elsewhere, said

Slips = Sequence[tuple[str, str, str]]
"""A module, what stands there once, and what shall stand there."""
DUNES = ("map: hexes\nfactions: 3\nturns: Spring/Primavera Autumn/Autunno\nlength: 5\nrounds: 2\nsecret: all\n"
         "battles: {}\ndice: {}\nmoney: silver/argento\n")
REEFS = {"dunes": DUNES.format("table", "none"), "reefs": DUNES.format("dice", "2d6")}
SHARED = "tests.sketches.islands"


def sources(book: str) -> dict[str, str]:
    """The files of a book, each by its path in the package."""
    if book == "islands":
        folder = TESTS / "sketches" / "islands"
        return {str(path.relative_to(folder)): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.*"))
                if path.suffix in (".py", ".csv", ".po")}
    told, _ = read_answers(read_answer_file(REEFS[book])[0], book.capitalize())
    within = f"arbitro_{book}/"
    return {path.removeprefix(within): text for path, text in new_package(book, told).items() if within in path}


@contextmanager
def slipped(book: str, place: Path, slips: Slips = ()) -> Iterator[Ruleset]:
    """A book with some slips, installed under its name. `place`: an empty folder."""
    files, name = sources(book), f"slipped_{place.name.replace('-', '_')}_{book}"
    for module, was, now in slips:
        assert files[f"{module}.py"].count(was) == 1, f"{book}/{module} has not once: {was}"
        files[f"{module}.py"] = files[f"{module}.py"].replace(was, now)
    for path, text in files.items():
        (place / name / path).parent.mkdir(parents=True, exist_ok=True)
        whole = text.replace(SHARED, name).replace(f"arbitro_{book}", name)
        (place / name / path).write_text(whole, encoding="utf-8")
    with kit.plug_in(place, **{book: f"{name}:{book.upper()}"}):
        invalidate_caches()
        try:
            yield getattr(import_module(name), book.upper())
        finally:
            for module in [one for one in sys.modules if one.partition(".")[0] == name]:
                del sys.modules[module]


def tried(ruleset: Ruleset) -> str:
    """What is said of every verb, in a year."""
    return said(lambda: kit.every_verb(ruleset, opening(ruleset)))


def played(ruleset: Ruleset) -> str:
    """What is said of robots."""
    return said(lambda: kit.robots_play(ruleset, opening(ruleset), phases=100))


class Plant(NamedTuple):
    """A fault in a book. `by`: what finds it; `says`: words of what it says; `sound`: how it is done rightly."""

    book: str
    by: Callable[[Ruleset], str]
    says: str
    slips: Slips
    sound: Slips = ()


HIRED = "                  \"money\", 3, to=\"army\""
ALL_HEAR = ("from assistant.turn.chapters", "from assistant.campaign.records import ALL\nfrom assistant.turn.chapters")
EVENT = ("money", "        EventType(\"dunes.hired\", both(", """        EventType("dunes.sent", both(
            "{army} sends {n} men home.", "{army} manda a casa {n} uomini."), "money", 3, to="army"),
        EventType("dunes.hired", both(""")
BOOK = ("__init__", "order_book(marches.march, money.hire,", "order_book(marches.march, money.hire, money.send,")
COUNTED = ("money", "from assistant.turn.orders.columns import Amount",
           "from assistant.turn.game import next_code\nfrom assistant.turn.orders.columns import Amount")
SEND = """@order("send", "manda", when=("money",), unit=OWN, amount=Amount(usual=(5, 1, 10)),
       replaces=same("deed", "unit"), help=both("Send men home.", "Manda uomini a casa."))
def send(land: Land, request: Request, army: Army, men: int) -> None:
    \"\"\"They go.\"\"\"
    refuse_if(men > army.men or not army.node, "DUN-031", "amount", army=army.army)
{}

def hiring("""


def sending(*lines: str) -> Slips:
    """Another verb, which no robot orders."""
    return [EVENT, BOOK, COUNTED, ("money", "import Refused, Request", "import Refused, Request, refuse_if"),
            ("money", "def hiring(", SEND.format("".join(f"    {line}\n" for line in lines)))]


SENT = ("army.men -= men", "land.tell(\"dunes.sent\", army=army.army, n=men)")
SPLIT = ("land.armies.add(Army(army=next_code(land.armies, {}), faction=army.faction, node=army.node, men=men))", *SENT)
QUESTION = [
    ("battles", "    questions=(\n", """    questions=(
        QuestionType("stance", both("{about}: attack or wait?", "{about}: attacchi o aspetti?"),
                     answers={"attacca": "attack", "aspetta": "wait"}),
"""), *(("__init__", f'"Battaglie {n}", "2", waits_for=(', f'"Battaglie {n}", "2", waits_for=("stance", ')
        for n in (1, 2))]
FORM = "        ask = Ask(\"battle_result\""
STANCE = 'Ask("stance", side.faction, row.node + "." + side.army, ("attack", "wait"), "attack")'
OPEN = "    for row in land.battles.where(lambda one: one.status == \"open\"):\n"
ALL_SIDES = ("for row in land.battles.where(lambda one: one.status == \"open\") "
             "for side in (land.armies[row.side_a], land.armies[row.side_b])")
PLANTS = {
    "1. a column of an account is seen by all": (
        Plant("islands", confirmed, "Accounts.balance", [("sheets", "balance: int = own(", "balance: int = public(")]),
        Plant("dunes", confirmed, "Factions.chest", [("sheets", "chest: int = own(", "chest: int = public(")])),
    "2. a treaty, a hire is told to all": (
        Plant("islands", confirmed, "isl.peace", [
            ("texts", 'make peace.", "diplomacy", 1, "10", to="a b"', 'make peace.", "diplomacy", 1, "10", to=ALL')]),
        Plant("dunes", confirmed, "dunes.hired", [("money", HIRED, HIRED.replace('"army"', "ALL")),
                                                  ("money", *ALL_HEAR)])),
    "3. a voyage is told to all": (
        Plant("islands", confirmed, "isl.sailed", [
            ("texts", 'sails {path}.", "moves", 4, "3", to="army"', 'sails {path}.", "moves", 4, "3", to=ALL')]),
        Plant("dunes", confirmed, "dunes.marched", [("marches", 'to="army"', "to=ALL"), ("marches", *ALL_HEAR)])),
    "4. a brace of an event's text that nobody fills": (
        Plant("islands", checked, "nothing fills the field captain", [
            ("texts", "at {node} as {other}.", "at {node} as {other}, under {captain}.")]),
        Plant("dunes", checked, "nothing fills the field price", [
            ("money", "{n?man|men} for {cost} silver.", "{n?man|men} at {price} silver each."),
            ("money", "{n?uomo|uomini} per {cost} argento.", "{n?uomo|uomini} a {price} argento.")])),
    "5. a brace of a finding's text that nobody fills": (
        Plant("islands", checked, "nothing fills the field owner", [
            ("texts", "{node} is neither.", "{node} belongs to {owner}.")]),
        Plant("dunes", checked, "nothing fills the field node", [
            ("money", "at a place that is yours.", "at a place that is yours, not at {node}."),
            ("money", "in un luogo tuo.\"))))", "in un luogo tuo, non a {node}.\"))))")])),
    "6. an event that rests on no rule": (
        Plant("islands", played, "isl.taken cites no rule", [
            ("texts", 'takes it.", "sieges", 0, "6", to', 'takes it.", "sieges", 0, to'),
            ("play", '"Battaglie", "5", waits', '"Battaglie", "", waits')]),
        Plant("dunes", checked, "does not say where it is printed", [
            ("victory", '(Citation("4", "Chapter 4", "capitolo 4"),)', "()")])),
    "7. money that changes without an event": (
        Plant("islands", tried, "gold: 2 -> 13 is told by no event", [
            ("play", '            sea.tell("isl.income", faction=house.faction, n=gold)\n', "")]),
        Plant("dunes", tried, "is told by no event", [
            ("money", "            faction.chest += amount\n", ""),
            ("money", "faction=faction.faction, n=amount)\n",
             "faction=faction.faction, n=amount)\n            faction.chest += amount\n")])),
    "8. a deed that only people order changes a unit without an event": (
        Plant("islands", tried, "is told by no event", [
            ("orders", '    sea.tell("isl.joined", army=squadron.army, other=other.army, n=other.ships)\n', "")]),
        Plant("dunes", tried, "men: 20 -> 15 is told by no event", sending(SENT[0]), sending(*SENT))),
    "9. a deed that changes a row and then refuses": (
        Plant("islands", tried, "is told ISL-008, an error, and is carried out", [
            ("orders", "taking import afford", "taking import afford, refuse"),
            ("orders", '    if ships >= squadron.ships:\n        raise Refused("ISL-008", "amount", '
             "army=squadron.army, have=squadron.ships)\n    squadron.ships -= ships\n",
             "    had, squadron.ships = squadron.ships, max(0, squadron.ships - ships)\n    if ships >= had:\n"
             '        refuse(sea, request, Refused("ISL-008", "amount", army=squadron.army, have=had))\n'
             "        return\n")]),
        Plant("dunes", tried, "is told DUN-030, an error, and is carried out", [
            ("money", "taking import carry_all, take", "taking import carry_all, refuse, take"),
            ("money", "        raise Refused(\"DUN-030\", \"amount\", amount=men, cost=cost, left=faction.chest)\n",
             "        army.men += men\n        refuse(land, request, Refused(\"DUN-030\", \"amount\", amount=men, "
             "cost=cost, left=0))\n        return\n")])),
    "10. a verb that names a phase that there is not": (
        Plant("islands", checked, "may be given for 'market', which no phase takes", [
            ("orders", '"convoglio", when=("trade",)', '"convoglio", when=("market",)')]),
        Plant("dunes", checked, "may be given for 'winter', which no phase takes", [
            ("money", 'when=("money",)', 'when=("winter",)')])),
    "11. a step that must judge all orders together and does not say so": (
        Plant("islands", checked, "no step of it says that *check* runs it", [
            ("play", 'Step(noting, "together"), Step(sailing)', "Step(noting), Step(sailing)")]),
        Plant("dunes", checked, "no step of it says that *check* runs it", [
            ("__init__", 'Step(money.hiring, "together")', "Step(money.hiring)")])),
    "12. rows that are handled in an order from outside": (
        Plant("islands", elsewhere, "in another process it comes to something else", [
            ("play", "for code in sea.ways}", "for code in set(sea.ways)}")]),
        Plant("dunes", elsewhere, "in another process it comes to something else", [
            ("battles", "    for place in land.places:\n",
             "    for place in [land.places[code] for code in {one.node for one in land.armies if one.node}]:\n")])),
    "13. a die that is not the floor's": (
        Plant("islands", checked, "zlib is no throw of dice", [
            ("play", "from typing import Any\n", "from typing import Any\nimport zlib\n"),
            ("play", "        if trial.passed:\n", "        if zlib.crc32(scout.army.encode()) % 6 > 1:\n")]),
        Plant("dunes", checked, "os.urandom() is no throw of dice", [
            ("money", "from assistant.turn.chapters", "import os\n\nfrom assistant.turn.chapters"),
            ("money", "        if amount:\n", "        amount += os.urandom(1)[0] % 6\n        if amount:\n")])),
    "14. a campaign that never ends": (
        Plant("islands", played, "Let last_turn or is_over say when it ends", [("__init__", '}Au"', '}Wi"')]),
        Plant("dunes", played, "Let last_turn or is_over say when it ends", [("victory", "}Autumn", "}Winter")])),
    "15. two throws of a phase that share a key": (
        Plant("islands", tried, "two throws have the key scout:1Sp", [
            ("board", '"scout:{Armies}:{turn}"', '"scout:{turn}"'),
            ("play", "SCOUT_DIE(scout.army, sea.game.turn)", "SCOUT_DIE(sea.game.turn)")]),
        Plant("reefs", tried, "two throws have the key clash:", [
            ("battles", '"clash:{Battles}:{a|b}"', '"clash:{Battles}"'),
            ("battles", "CLASH(row.battle, side)", "CLASH(row.battle)")])),
    "16. a crash in a verb that no robot orders": (
        Plant("islands", tried, "'blockade' crashes when it is judged: KeyError", [
            ("orders", "    squadron.blocks = port.node\n",
             "    if sea.houses[port.owner].gold >= 0:\n        squadron.blocks = port.node\n")]),
        Plant("dunes", tried, "'send' crashes when it is judged: ZeroDivisionError", sending(
            "assert 100 // (army.men - men)", *SENT), sending(*SENT))),
    "17. a battle's row that is added although it may have been typed before": (
        Plant("islands", tried, "a battle that was typed before it is laid out", [
            ("play", '            row = sea.battles.get(code) or sea.battles.add(Battle(battle=code))\n',
             '            row = sea.battles.add(Battle(battle=next_code(sea.battles, f"B{sea.game.turn}.{{}}")))\n')]),
        Plant("dunes", tried, "a battle that was typed before it is laid out", [
            ("battles", "        land.battles.add(row)\n",
             "        if row.battle not in land.battles:\n            land.battles.add(row)\n")])),
    "18. a counter over a secret sheet that gives visible codes": (
        Plant("islands", tried, "Count each owner's rows by themselves", [
            ("board", '        code = free_name(self.squadrons, f"{faction}-{node}-{self.game.turn}")',
             '        code = next_code(self.squadrons, "Q-{}")')]),
        Plant("dunes", tried, "Count each owner's rows by themselves", sending(
            SPLIT[0].format('"A-{}"'), *SENT), sending(SPLIT[0].format('army.faction + "-{}"'), *SENT))),
    "19. of two secret choices one side is asked first": (
        Plant("islands", tried, "Ask both at once with choose_all", [
            ("play", "said = sea.game.choose_all(asks)", "said = [sea.game.choose(ask) for ask in asks]")]),
        Plant("dunes", tried, "Ask both at once with choose_all", [
            *QUESTION, ("battles", FORM, f"        [land.game.choose({STANCE}) for side in (a, b)]\n{FORM}")],
            [*QUESTION, ("battles", OPEN, f"    land.game.choose_all([{STANCE} {ALL_SIDES}])\n{OPEN}")])),
    "20. 'not yours' is said of a unit of which nobody may know": (
        Plant("islands", tried, "may not know", [
            ("orders", "OwnUnit(Squadron)", "OwnUnit(Squadron, known=lambda row: True)")]),
        Plant("dunes", tried, "may not know", [
            ("marches", "OwnUnit(Army)", "OwnUnit(Army, known=lambda army: True)"),
            ("__init__", '"not_yours": role("DUN-002"', '"not_yours": role("DUN-001", near="word"')])),
}
CASES = [(kind, plant) for kind, both in PLANTS.items() for plant in both]


@cache
def of_a_sound_one(book: str, by: Callable[[Ruleset], str], sound: Slips) -> str:
    """What a check says of a book without the fault."""
    with TemporaryDirectory() as name, slipped(book, Path(name), sound) as ruleset:
        return by(ruleset)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "plant"), CASES, ids=[f"{kind} ({plant.book})" for kind, plant in CASES])
def test_what_somebody_else_planted_is_found(kind: str, plant: Plant, tmp_path: Path) -> None:
    """Alone, by one of the kit's checks or by `arbitro rulesets --check`, and not where it is not planted."""
    with slipped(plant.book, tmp_path, plant.slips) as ruleset:
        assert plant.says in plant.by(ruleset)
    sound = of_a_sound_one(plant.book, plant.by, tuple(plant.sound)) if plant.by is not confirmed else ""
    assert sound == ""
