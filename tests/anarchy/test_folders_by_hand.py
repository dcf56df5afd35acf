"""Folders of CSVs as somebody writes them who has the rulebook page alone: what it says nothing of may be missing."""

from __future__ import annotations

from pathlib import Path

from assistant.campaign.campaign import Campaign
from assistant.desk.commands.rulesets import prepare_and_check
from assistant.turn.phases import resolve
from assistant.workbook.read.csv_folder import read_folder
from tests.anarchy.cases import anarchy

FACTIONS = "faction,side\nroyal,royal\nangevin,angevin\n"
ARMIES = "army,faction,node,foot\nA1,royal,0605,9\n"


def begun(place: Path, **files: str) -> tuple[Campaign, set[str]]:
    """The campaign of a folder as it begins, and the codes of what stops it."""
    for name, text in {"factions": FACTIONS, "armies": ARMIES, "desk": "turn,phase\n3,movement\n", **files}.items():
        (place / f"{name}.csv").write_text(text, encoding="utf-8")
    _, campaign, findings = read_folder(place, anarchy())
    return campaign, {f.code for f in [*findings, *prepare_and_check(anarchy(), campaign)] if f.stops}


def test_what_is_not_listed_is_open_ground(tmp_path: Path) -> None:
    """2: a folder needs no nodes.csv, nor a row for a hex that a road leads to; the road still costs 1."""
    campaign, stops = begun(tmp_path, roads="from_node,to_node,kind\n0605,0604,road\n")
    assert not stops
    assert anarchy().realm(campaign).step_cost("0605", "0604") == 1


def test_a_road_between_hexes_that_do_not_touch_is_told_all_the_same(tmp_path: Path) -> None:
    """ANA-914: a road of hexes that are listed nowhere, and do not touch."""
    assert begun(tmp_path, nodes="node\n", roads="from_node,to_node\n0605,0608\n")[1] == {"ANA-914"}


def test_the_neutrals_need_no_row(tmp_path: Path) -> None:
    """1: the third faction, neutral, is the referee's; who lists two clubs has it, too."""
    campaign, stops = begun(tmp_path, armies=f"{ARMIES}M1,neutral,0808,5\n",
                            convoys="convoy,faction,node\nC1,neutral,0606\n")
    assert not stops
    assert [f.faction for f in campaign.by_sheet("Factions")] == ["angevin", "neutral", "royal"]
    assert begun(tmp_path, armies=f"{ARMIES}M1,neutrl,0808,5\n")[1] == {"ARB-030"}


def test_a_castle_is_held_by_its_lords_side(tmp_path: Path) -> None:
    """5.3: a castle belongs to the side of the noble who commands it."""
    campaign, stops = begun(tmp_path, nobles="noble,faction,prestige,loyalty\nBOH,angevin,5,2\n",
                            places="place,node,kind,lord\nkeep,0808,castle_stone,BOH\nham,0809,village,BOH\n")
    assert not stops
    assert [p.holder for p in campaign.by_sheet("Places")] == ["", "angevin"]


def test_who_lies_before_a_castle_besieges_it(tmp_path: Path) -> None:
    """2: Armies: `besieging`: without sieges.csv the siege begins with the campaign."""
    campaign, stops = begun(tmp_path, armies="army,faction,node,foot,besieging\nA1,royal,0605,9,keep\n",
                            places="place,node,kind,holder,resources\nkeep,0605,castle_motte,angevin,3\n")
    assert not stops
    siege = campaign.by_sheet("Sieges")["keep"].as_text()
    assert [siege[name] for name in ("besieger", "started_on", "days", "resources_at_start", "state")] == [
        "royal", "3", "0", "3", "on"]


def test_orders_are_headed_as_the_page_heads_them(tmp_path: Path) -> None:
    """2: Orders: `Order, Day, Faction, Order` and `N., Giorno, Fazione, Ordine`: the code, and what is ordered."""
    rest = {"Day,Faction,Order,Unit,Path": "Order", "Giorno,Fazione,Ordine,Unità,Percorso": "N."}
    for heads, code in rest.items():
        campaign, stops = begun(tmp_path, orders=f"{code},{heads}\nD3-07,3,royal,MOVE,A1,0604\n")
        assert not stops
        assert [(o.order, o.verb, o.unit) for o in campaign.by_sheet("Orders")] == [("D3-07", "MOVE", "A1")]


def test_answers_name_their_question_in_any_letters(tmp_path: Path) -> None:
    """5: the keys of questions: `HIRE/a1/0604/m1#2` is hire/A1/0604/M1#2, and battle/b3-1 the battle's that comes."""
    campaign, stops = begun(tmp_path, armies=f"{ARMIES}M1,neutral,0604,5\n", answers=(
        "turn,phase,question,answer\n3,movement,HIRE/a1/0604/m1,no\n3,movement,hire/A1/0604/m1#2,pay\n"
        "3,movement,Battle/b3-1,auto\n3,movement,retreat/X9/0604,0605\n"))
    assert not stops
    assert {q.question for q in campaign.by_sheet("Questions")} == {
        "battle/B3-1", "hire/A1/0604/M1", "hire/A1/0604/M1#2", "retreat/X9/0604"}


def test_switches_in_a_clubs_words(tmp_path: Path) -> None:
    """3.3: an option in Italian, with its article or without: the season is inverno or l'inverno."""
    for typed in ("inverno", "L'inverno", "winter"):
        campaign, stops = begun(tmp_path, rules=f"key,value\nanarchy.season,{typed}\n")
        assert not stops
        assert anarchy().realm(campaign).rules.season == "winter"


def test_an_answer_to_nobody_in_particular_is_the_referees(tmp_path: Path) -> None:
    """5: `battle/<battle>` goes to the referee: without a column To it is no club's report on a battle (ARB-301)."""
    campaign, stops = begun(tmp_path, answers="turn,phase,question,answer\n3,movement,battle/B3-1,entered\n", armies=(
        "army,faction,node,foot,loyalty,on_meeting,if_attacked\nA1,royal,0605,9,8,attack,ask\n"
        "E1,angevin,0604,4,2,pass,fight\n"), orders="turn,faction,verb,unit,path\n3,royal,MOVE,A1,0604\n",
        battles="battle,outcome,how,turns\nB3-1,attacker,fled,9\n")
    outcome = resolve(anarchy(), campaign, bytes(32))
    assert not stops
    assert {f.code for f in outcome.findings} == set()
    assert [q.kind for q in outcome.questions] == ["retreat"]
