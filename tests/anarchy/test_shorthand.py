"""The lines that a player types (section 4): every one of the table, in Italian and in English."""

from __future__ import annotations

import re
from typing import Any

import pytest

from assistant.turn.orders.verbs import as_order_book
from assistant.wording import Wording
from tests.anarchy.cases import anarchy, build, case

ARMIES = """A-BLK r 2105 S9, A-BOH a 0411 S9 noble=BOH, A-BRI a 2205 S9 noble=BRI, A-MAR a 0809 S9 noble=MAR
    A-MIL a 0802 S9 noble=MIL, A-YPR r 0608 S9 noble=YPR, A-STE r 0605 S9 noble=STE, A-ROB a 0407 S9 noble=ROB
    A-MEU r 1902 S9 noble=MEU, A-CHE r 1902 S9 noble=CHE, A-TAL a 0901 K6 noble=TAL
    M-WE1 a 0407 S9 kind=welsh employer=A-ROB, M-FL2 n 1609 S9 kind=flemish moves_next=r"""
GIVEN: dict[str, Any] = {
    "armies": ARMIES,
    "nobles": "FHB a 4 4 state=prisoner captor=r held_in=P1",
    "places": """malmesbury-castle 0605 castle_tower 3 8 holder=r S9, dorchester 2104 village 4 7
        faringdon 1404 village 4 6
        abingdon-abbey 1904 abbey 6 6, oxford 1902 town 8 7, cricklade 1004 village 4 5, corsham 0509 village 4 7
        trowbridge-castle 0411 castle_tower 5 3 holder=a S9""",
    "convoys": "C-OXF r 1404 3, C-KNG r 0608 5", "prisoners": "P1 a r 0605 S2",
}
LINES: list[tuple[str, str, str, dict[str, str]]] = [
    # side, Italian, English, what is meant
    ("royal", "PROVVISTE A-BLK convoglio", "SUPPLY A-BLK convoy",
     {"verb": "SUPPLY", "unit": "A-BLK", "choice": "convoy"}),
    ("angevin", "ATTEGGIAMENTO A-BOH se_attaccato=rifiuta", "POSTURE A-BOH if_attacked=refuse",
     {"verb": "POSTURE", "unit": "A-BOH", "choice": "if_attacked=refuse"}),
    ("angevin", "RACCOGLI A-BRI", "COLLECT A-BRI", {"verb": "COLLECT", "unit": "A-BRI"}),
    ("angevin", "DIVIDI A-MAR -> A-MAW: L1 B2 w:W5", "SPLIT A-MAR -> A-MAW: L1 B2 w:W5",
     {"verb": "SPLIT", "unit": "A-MAR", "target": "A-MAW", "men": "L1 B2 w:W5"}),
    ("angevin", "TRASFERISCI A-MIL -> A-BRI: £4", "TRANSFER A-MIL -> A-BRI: £4",
     {"verb": "TRANSFER", "unit": "A-MIL", "target": "A-BRI", "amount": "4"}),
    ("royal", "UNISCI A-YPR a A-STE", "MERGE A-YPR to A-STE", {"verb": "MERGE", "unit": "A-YPR", "target": "A-STE"}),
    ("royal", "GUARNIGIONE A-STE entra malmesbury-castle S2 B1", "GARRISON A-STE in malmesbury-castle S2 B1",
     {"verb": "GARRISON", "unit": "A-STE", "target": "malmesbury-castle", "men": "S2 B1", "choice": "in"}),
    ("royal", "AGGREGA C-KNG a A-YPR", "ATTACH C-KNG to A-YPR",
     {"verb": "ATTACH", "unit": "A-YPR", "target": "C-KNG"}),
    ("angevin", "PAGA M-WE1 da A-ROB", "PAY M-WE1 from A-ROB", {"verb": "PAY", "unit": "A-ROB", "target": "M-WE1"}),
    ("angevin", "SCORTA P1 A-BRI", "ESCORT P1 A-BRI", {"verb": "ESCORT", "unit": "A-BRI", "target": "P1"}),
    ("angevin", "RISCATTO FHB da A-MIL", "RANSOM FHB from A-MIL",
     {"verb": "RANSOM", "unit": "A-MIL", "target": "FHB"}),
    ("royal", "CONVOGLIO C-DOR a dorchester 3", "CONVOY C-DOR at dorchester 3",
     {"verb": "CONVOY", "unit": "C-DOR", "target": "dorchester", "amount": "3"}),
    ("royal", "SCARICA C-OXF faringdon 3", "UNLOAD C-OXF faringdon 3",
     {"verb": "UNLOAD", "unit": "C-OXF", "target": "faringdon", "amount": "3"}),
    ("royal", "CARICA C-OXF faringdon 2", "LOAD C-OXF faringdon 2",
     {"verb": "LOAD", "unit": "C-OXF", "target": "faringdon", "amount": "2"}),
    ("angevin", "MUOVI A-MIL 0803 0904 1004", "MOVE A-MIL 0803 0904 1004",
     {"verb": "MOVE", "unit": "A-MIL", "path": "0803 0904 1004"}),
    ("royal", "RESTA A-MEU", "HOLD A-MEU", {"verb": "HOLD", "unit": "A-MEU"}),
    ("royal", "MERCENARI M-FL2 1509 1408", "MERCS M-FL2 1509 1408",
     {"verb": "MERCS", "unit": "M-FL2", "path": "1509 1408"}),
    ("angevin", "RECLUTA A-MIL abingdon-abbey L1 P1", "RECRUIT A-MIL abingdon-abbey L1 P1",
     {"verb": "RECRUIT", "unit": "A-MIL", "target": "abingdon-abbey", "men": "L1 P1"}),
    ("royal", "INGEGNERE A-CHE oxford", "ENGINEER A-CHE oxford",
     {"verb": "ENGINEER", "unit": "A-CHE", "target": "oxford"}),
    ("angevin", "RIFORNISCI A-MIL cricklade", "PROVISION A-MIL cricklade",
     {"verb": "PROVISION", "unit": "A-MIL", "target": "cricklade"}),
    ("royal", "COMPRA 2 da C-OXF con A-MEU", "BUY 2 from C-OXF with A-MEU",
     {"verb": "BUY", "unit": "A-MEU", "target": "C-OXF", "amount": "2"}),
    ("angevin", "PROMETTI 12 a M-WE1 con A-ROB", "PROMISE 12 to M-WE1 with A-ROB",
     {"verb": "PROMISE", "unit": "A-ROB", "target": "M-WE1", "amount": "12"}),
    ("royal", "ATTACCA A-TAL con A-MEU", "ATTACK A-TAL with A-MEU",
     {"verb": "ATTACK", "unit": "A-MEU", "target": "A-TAL"}),
    ("angevin", "SACCHEGGIA corsham con A-ROB 3", "SACK corsham with A-ROB 3",
     {"verb": "SACK", "unit": "A-ROB", "target": "corsham", "amount": "3"}),
    ("royal", "ASSEDIA trowbridge-castle con A-YPR", "BESIEGE trowbridge-castle with A-YPR",
     {"verb": "BESIEGE", "unit": "A-YPR", "target": "trowbridge-castle"}),
    ("royal", "ASSALTA trowbridge-castle con A-YPR", "ASSAULT trowbridge-castle with A-YPR",
     {"verb": "ASSAULT", "unit": "A-YPR", "target": "trowbridge-castle"}),
    ("angevin", "ENTRA A-BOH trowbridge-castle", "ENTER A-BOH trowbridge-castle",
     {"verb": "ENTER", "unit": "A-BOH", "target": "trowbridge-castle"}),
    ("angevin", "SORTITA trowbridge-castle", "SALLY trowbridge-castle",
     {"verb": "SALLY", "unit": "trowbridge-castle"}),
    ("royal", "LEVA A-YPR", "LIFT A-YPR", {"verb": "LIFT", "unit": "A-YPR"}),
    ("royal", "ARRENDITI malmesbury-castle", "SURRENDER malmesbury-castle",
     {"verb": "SURRENDER", "unit": "malmesbury-castle"}),
    ("angevin", "STACCA A-ROB M-WE1", "DETACH A-ROB M-WE1", {"verb": "DETACH", "unit": "A-ROB", "target": "M-WE1"}),
]


@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize(("side", "italian", "english", "meant"), LINES, ids=[line[2].split()[0] for line in LINES])
def test_a_line_is_understood(side: str, italian: str, english: str, meant: dict[str, str], lang: str) -> None:
    """4: shorthand typed by a player, as the table has it; case does not matter."""
    for line in (italian, italian.lower()) if lang == "it" else (english, english.lower()):
        read = anarchy().understand(line, build("movement", **GIVEN), side)
        assert read.problem == ""
        fields = {k: str(v) for k, v in read.fields.items() if str(v)}
        assert {k: fields.get(k, "").lower() for k in meant} == {k: v.lower() for k, v in meant.items()}, fields


@pytest.mark.parametrize(("line", "meant"), [
    ("SACK corsham A-ROB", {"unit": "A-ROB", "target": "corsham"}),
    ("RISCATTO FHB A-MIL", {"unit": "A-MIL", "target": "FHB"}),
    ("UNLOAD Faringdon 3 C-OXF", {"unit": "C-OXF", "target": "faringdon", "amount": 3}),
    ("MERGE A-YPR A-STE YPR", {"unit": "A-YPR", "target": "A-STE", "choice": "YPR"}),
])
def test_a_row_finds_its_column_by_what_it_is(line: str, meant: dict[str, object]) -> None:
    """Where only one column takes such rows it does not matter which is named first."""
    read = dict(anarchy().understand(line, build("movement", **GIVEN), "royal").fields)
    assert {name: said for name, said in read.items() if name != "verb"} == meant


SHORT: dict[str, Any] = {"armies": "A1 r 0605 S9 noble=N1, B1 r 0605 S9 noble=N2, A3 a 0605 S9 noble=N3",
                         "places": "oxford 0605 town 8 7", "prisoners": "P1 a r 0605 S2"}


@pytest.mark.parametrize(("line", "meant"), [
    ("SPLIT A1 A8 S3 B1", {"unit": "A1", "target": "A8", "men": "S3 B1"}),
    ("DIVIDI A1 -> A8: S3", {"unit": "A1", "target": "A8", "men": "S3"}),
    ("SPLIT B1 B-2 S3", {"unit": "B1", "target": "B-2", "men": "S3"}),
    ("CONVOY C9 Oxford 3", {"unit": "C9", "target": "oxford", "amount": 3}),
    ("CONVOGLIO c9 a oxford 3", {"unit": "c9", "target": "oxford", "amount": 3}),
    ("MERGE A1 B1", {"unit": "A1", "target": "B1"}),
    ("TRANSFER A1 B1 S3 B2", {"unit": "A1", "target": "B1", "men": "S3 B2"}),
    ("ESCORT P1 A1 S3 P2", {"unit": "A1", "target": "P1", "men": "S3 P2"}),
    ("RECRUIT A1 oxford L1 P1", {"unit": "A1", "target": "oxford", "men": "L1 P1"}),
    ("MOVE A1 0606 attack", {"unit": "A1", "path": "0606", "choice": "attack"}),
])
def test_codes_without_a_hyphen_are_codes(line: str, meant: dict[str, object]) -> None:
    """Those of rows that are there, and new ones; a rank's letter and a number are men, where nothing is called so."""
    read = anarchy().understand(line, build("movement", **SHORT), "royal")
    assert {name: said for name, said in read.fields.items() if name != "verb"} == meant


def test_a_mistyped_code_without_a_hyphen_is_named() -> None:
    """ANA-002 says which group was meant."""
    after = case("movement", armies="A1 a 0605 K6 noble=N1", orders="a: MOVE A2 0606", findings="* ANA-002", then="")
    assert {"x": "A2", "near": "A1"}.items() <= dict(after.finding("ANA-002")).items()


def test_the_example_of_a_line_is_of_the_verb_that_was_typed() -> None:
    """ARB-089: in either language, with what the faction has itself, and none where it may order nothing with it."""
    campaign, book = build("movement", **SHORT), as_order_book(anarchy().verbs)
    for text, lang, line in (("please recruit men", "en", ""),
                             ("vorrei: recluta!", "it", ""),
                             ("SUPPLY the men", "en", "SUPPLY A1 place"), ("hello there", "en", "SUPPLY A1 place"),
                             ("posture, please", "en", "POSTURE A1 on-meeting=attack"),
                             ("un atteggiamento", "it", "ATTEGGIAMENTO A1 incontro=attacca")):
        verb = next(filter(None, map(book.code, re.findall(r"\w+", text))), "")
        cards = anarchy().order_cards(anarchy().view(campaign, "royal"), lang, Wording(anarchy(), lang).text, "royal")
        assert next((card.example for card in cards
                     if card.example and verb in ("", book.code(card.verb))), "") == line


def test_a_word_without_a_place_is_named_with_what_is_like_it() -> None:
    """ANA-002: the verb is known, one of its words is not; nothing is guessed."""
    after = case("movement", armies="A1 a 0605 K6 noble=N1", places="corsham 0605 village 4 7",
                 orders="a: SACK corsh with A1", findings="* ANA-002", then="")
    assert {"x": "corsh", "near": "corsham"}.items() <= dict(after.finding("ANA-002")).items()


def test_a_line_towards_a_far_place() -> None:
    """4: MUOVI A-MIL verso Oxford."""
    for line in ("a: MUOVI A1 verso Oxford", "a: MOVE A1 to Oxford", "a: muovi a1 oxford"):
        after = case("movement", armies="A1 a 0605 K6 noble=N1", nodes="0608 open name=Oxford", orders=line)
        assert after.get("A1", "node") == "0608"


@pytest.mark.parametrize(("line", "path", "choice"), [
    ("MUOVI A-MEU verso faringdon attacca", "faringdon", "attack"),
    ("MOVE A-MEU to Faringdon NE2 pass", "Faringdon NE2", "pass"),
    ("MOVE A-MEU faringdon attack", "faringdon", "attack"),
    ("MOVE A-MEU faringdon", "faringdon", ""),
])
def test_what_to_do_on_meeting_stands_behind_a_far_place(line: str, path: str, choice: str) -> None:
    """4: MOVE has a path and a choice, and the last word of the line is no part of the place's name."""
    read = dict(anarchy().understand(line, build("movement", **GIVEN), "royal").fields)
    assert read == {"verb": "MOVE", "unit": "A-MEU", "path": path, **({"choice": choice} if choice else {})}


def test_what_is_no_order_is_said_to_be_none() -> None:
    """ANA-001: the nearest word is offered."""
    after = case("movement", armies="A1 a 0605 K6 noble=N1", orders="a: MUOV A1 0606", findings="* ANA-001", then="")
    assert after.finding("ANA-001")["near"] == "MOVE A1 0606"


def test_words_do_the_same_as_columns() -> None:
    """A line in words and the columns come to the same."""
    armies = "A1 r 0605 K2 S6 noble=N1 money=9, A2 r 0605 S5"
    by_columns = case("reorganise", armies=armies, orders="r TRANSFER A1 A2 S2 £2.5")
    in_words = case("reorganise", armies=armies, orders="r: TRASFERISCI A1 -> A2: S2 £2,5")
    assert by_columns.changed() == in_words.changed()
    assert in_words.get("A2", "money") == "2.5"
