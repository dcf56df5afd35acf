"""Every printed or assumed table of the rulebook page, row by row, as the phases read it."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.wording import named_wording
from tests.anarchy.cases import RANKS, After, anarchy, case
from tests.sweeps import fast_among

# --- loyalty (7) --------------------------------------------------------------------------------------
PRESTIGE = {0: -2, 1: -2, 2: -2, 3: -1, 4: -1, 5: 0, 6: 0, 7: 1, 8: 1, 9: 2, 10: 2}
NUMBERS = {12: 2, 10: 2, 9: 1, 5: 1, 4: 0, 0: 0, -4: 0, -5: -1, -9: -1, -10: -2, -12: -2}


def probe(side: str, mover: str, met: str, loyalty: int, **given: Any) -> After:
    """A group of that side meets a neutral one of 15 heads and lets it be."""
    return case("movement", armies=f"A1 {side} 0605 {mover}, A2 n 0606 {met} loyalty={loyalty} on_meeting=pass",
                orders=f"{side} MOVE A1 0606 0707 choice=pass", **given)


def modifier(after: After) -> int:
    """The sum of the modifiers of the only loyalty test."""
    return sum(n for _, n in after.event("loyalty_tested", "A2").roll["modifiers"])


@pytest.mark.parametrize("side", ["r", "a"])
@pytest.mark.parametrize(("prestige", "royal"), PRESTIGE.items())
def test_the_commanders_prestige_moves_loyalty(side: str, prestige: int, royal: int) -> None:
    """7: from -2 to +2 for a royal commander, the other way round for an angevin one."""
    rules = {"prestige_clamp": "0-10"} if prestige == 0 else {}
    after = probe(side, f"S14 noble=N1:{prestige}", "S15", 5, rules=rules)
    assert modifier(after) == (royal if side == "r" else -royal)


@pytest.mark.parametrize("side", ["r", "a"])
@pytest.mark.parametrize(("more", "royal"), NUMBERS.items())
def test_numbers_move_loyalty(side: str, more: int, royal: int) -> None:
    """7: mover's heads less the met group's: 10 or more 2, 5 to 9 1, -4 to 4 nothing, and so down."""
    after = probe(side, f"S{15 + more}", "S15", 5)
    assert modifier(after) == (royal if side == "r" else -royal)


@pytest.mark.parametrize("side", ["r", "a"])
@pytest.mark.parametrize(("level", "verdict"), [
    (1, "angevin"), (2, "angevin"), (3, "angevin"), (4, "angevin"), (5, "neutral"), (6, "neutral"), (7, "royal"),
    (8, "royal"), (9, "royal"), (10, "royal")])
def test_the_level_says_whose_it_is(side: str, level: int, verdict: str) -> None:
    """7: 1-4 angevin, 5-6 neutral, 7-10 royal, whoever comes."""
    after = probe(side, "S15", "S15", level)
    assert after.get("A2", "faction") == verdict
    assert after.get("A2", "node") == ("0607" if verdict == "neutral" else "0606")


@pytest.mark.parametrize(("side", "level", "total"), [("r", 9, 10), ("a", 2, 1)])
def test_the_level_is_kept_within_1_and_10(side: str, level: int, total: int) -> None:
    """7 Loyalty: a great name with a great host: 9 +2 +2 is 10, 2 -2 -2 is 1."""
    after = probe(side, "S26 noble=N1:10", "S15", level)
    assert after.event("loyalty_tested", "A2").roll["total"] == total


# --- composition (8.2) --------------------------------------------------------------------------------
COMPOSITION = """
3  1/1/1/0  0/2/0/1  0/0/2/1
4  1/1/1/1  1/2/0/1  0/0/2/2
5  1/2/1/1  1/2/1/1  0/1/2/2
6  2/2/1/1  1/3/1/1  0/1/3/2
7  2/2/2/1  1/3/1/2  0/1/3/3
8  2/3/2/1  1/4/1/2  1/1/3/3
9  2/3/2/2  2/4/1/2  1/1/4/3
10 3/3/2/2  2/4/2/2  1/1/4/4
11 3/4/2/2  2/5/2/2  1/1/5/4
12 3/4/3/2  2/5/2/3  1/2/5/4"""


@pytest.mark.parametrize("row", COMPOSITION.split("\n")[1:], ids=lambda row: row.split()[0])
def test_the_composition_table(row: str) -> None:
    """8.2: K/S/L/B of 3 to 12 fighters, Normans, Flemings, Welsh."""
    size, *figures = row.split()
    after = case("opening", day=0, armies=f"""A1 r 0605 size={size}, M1 n 0705 kind=flemish size={size}
        M2 n 0805 kind=welsh size={size}""")
    for group, wanted in zip(("A1", "M1", "M2"), figures, strict=True):
        men = after.of(group)
        assert "/".join(men[rank] for rank in ("knights", "foot", "light", "bows")) == wanted
        assert men["dismounted"] == men["peasants"] == "0"


@pytest.mark.parametrize(("kind", "garrison"), [
    ("norman", "K3 S3 B2 L2"), ("flemish", "K2 S4 B2 L2"), ("welsh", "K1 S1 B4 L4")])
def test_a_garrison_is_row_10_of_its_type(kind: str, garrison: str) -> None:
    """5.3: a castle without garrison figures gets row 10 of its `garrison_kind`; its noble comes on top."""
    after = case("opening", day=0, places=f"keep 0605 castle_stone 5 8 holder=r garrison_kind={kind}")
    assert after.men("keep") == garrison


def test_the_opening_leaves_men_who_are_named() -> None:
    """5.1: `size` is read only when all ranks are blank."""
    case("opening", day=0, armies="A1 r 0605 size=9 K1 L3", places="keep 0605 castle_stone 5 8 holder=r S4", then="")


# --- refusal (15.5) -----------------------------------------------------------------------------------
MODIFIER: dict[str, Any] = {"K": -2, "D": -1, "S": -1, "B": 0, "L": 0, "P": 0}
FATES = {**dict.fromkeys(range(1, 5), "free"), **dict.fromkeys((5, 6, 7), "taken"),
         **dict.fromkeys((8, 9), "wounded"), **dict.fromkeys((10, 11, 12), "killed")}


@pytest.mark.parametrize("hurt", [False, True])
@pytest.mark.parametrize("die", fast_among(range(1, 11), 1, 4, 7, 10))
@pytest.mark.parametrize("rank", "KDSBLP")
def test_the_fate_of_a_man_who_refuses_battle(rank: str, die: int, hurt: bool) -> None:
    """15.5: 1-4 free, 5-7 prisoner, 8-9 wounded, 10 killed; knights -2, armour -1, the hurt +2, least 1."""
    others = "P" if rank == "L" else "L"
    dice = ", ".join([f"refusal/A2/{RANKS[rank]}-1={die}", "refusal/A2/N2=1",
                      *(f"refusal/A2/{RANKS[others]}-{n}=1" for n in range(1, 6))])
    after = case("movement", armies=f"A1 r 0605 K6 noble=N1, A2 a 0606 {rank}1 {others}5 noble=N2 if_attacked=refuse",
                 wounded=f"W1 a {RANKS[rank]} A2" if hurt else "", dice=dice, defaults=True,
                 orders="r MOVE A1 0606 choice=attack")
    fate = FATES[max(1, die + MODIFIER[rank] + (2 if hurt else 0))]
    there = after.of("A2")[RANKS[rank]] == "1"
    assert there == (fate in ("free", "wounded"))
    taken = after.row("Prisoners", "P1") if fate == "taken" else {}
    captured = "dismounted" if rank == "K" else RANKS[rank]
    assert taken.get(captured, "0") == ("1" if fate == "taken" else "0")
    wounds = {w.wounded: w.state for w in after.campaign.by_sheet("Wounded")}
    expected = {"taken": "prisoner", "killed": "dead"}.get(fate, "hurt")
    assert wounds == ({"W1": expected} if hurt else {"W1": "hurt"} if fate == "wounded" else {})


@pytest.mark.parametrize(("die", "state"), [
    (1, "free"), (6, "free"), (7, "prisoner"), (9, "prisoner"), (10, "wounded")])
def test_the_fate_of_a_noble_who_refuses_battle(die: int, state: str) -> None:
    """15.5: a noble has -2; his prestige falls by 1 even if he is taken."""
    after = case("movement", armies="A1 r 0605 K6 noble=N1, A2 a 0606 L5 noble=N2:4 if_attacked=refuse",
                 dice=", ".join([f"refusal/A2/N2={die}", *(f"refusal/A2/light-{n}=1" for n in range(1, 6))]),
                 orders="r MOVE A1 0606 choice=attack", defaults=True)
    assert after.get("N2", "state", "prestige") == (state, "3")


# --- healing (15.7) -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("die", "days"), [(1, 0), (2, 4), (3, 4), (4, 3), (5, 3), (6, 3), (7, 2), (8, 2), (9, 1),
                                           (10, 1)])
def test_the_healing_table(die: int, days: int) -> None:
    """15.7: 1 dies, 2-3 four days, 4-6 three, 7-8 two, 9-10 one."""
    after = case("provisions", armies="A1 r 0605 S4", wounded="W1 r foot A1", places="ham 0605 village 3 8",
                 dice=f"healing/W1={die}",
                 then=f"W1 state=in_care place=ham back_on={3 + days}" if days else "W1 state=dead, A1 S3")
    assert after.event("in_care" if days else "wounded_died").audience == "royal"


# --- surrender (16) -----------------------------------------------------------------------------------
def surrendered(die: int, besieger: int = 5, order: str = "", left: str = "0", **given: Any) -> After:
    """A castle of 4 men with its noble, and a group inside it, surrender to a besieger of that prestige."""
    massacre = given.pop("massacre", "no")
    return case(
        "close", armies=f"""A1 r 0605 S9 noble=N1:{besieger} besieging=keep
            A2 a 0605 K1 L2 noble=N2 inside=keep money=6""",
        nobles="N3 a 3 3 place=keep", orders=order, dice=f"surrender/keep={die}",
        sieges="keep r 2 resources_at_start=4",
        places=f"keep 0605 castle_motte {left} 3 holder=a K1 S2 B1 lord=N3 massacre={massacre}", **given)


@pytest.mark.parametrize(("die", "fate"), [
    (1, "killed"), (2, "killed"), (5, "prisoners"), (6, "prisoners"), (7, "prisoners"), (8, "unarmed"), (9, "unarmed"),
    (10, "armed")])
def test_the_surrender_table(die: int, fate: str) -> None:
    """16, card 3: killed, prisoners (knights dismounted), out unarmed and on foot, out with arms and horses."""
    after = surrendered(die)
    assert after.get("keep", "holder", "lord") == ("royal", "")
    assert after.men("keep") == ""
    nobles = [after.get(n, "state") for n in ("N2", "N3")]
    if fate in ("killed", "prisoners"):
        assert nobles == ["prisoner", "prisoner"]
        assert after.men("A2") == ""
        captives = list(after.campaign.by_sheet("Prisoners"))
        men = after.men(captives[0].prisoners) if captives else ""
        assert men == ("D2 S2 B1 L2" if fate == "prisoners" else "")
        assert after.get("A1", "money") == "6"
    else:
        out = after.of("keep-out")
        assert (out["faction"], out["node"], out["unarmed"], out["state"]) == (
            "angevin", "0605", "yes" if fate == "unarmed" else "no", "active")
        assert after.men("keep-out") == ("D2 S2 B1 L2" if fate == "unarmed" else "K2 S2 B1 L2")
        assert out["safe_on"] == "4"
        assert nobles == ["free", "free"]
    assert after.event("surrendered", "keep").audience == "all"


@pytest.mark.parametrize(("given", "lang", "told"), [
    ({}, "en", "and everybody in it is a prisoner. It had no food left. "),
    ({}, "it", "i difensori sono tutti prigionieri. Non aveva più viveri. "),
    ({"order": "a SURRENDER keep", "left": "3"}, "en", "It gave up by order, with food left. "),
    ({"order": "a SURRENDER keep", "left": "3"}, "it", "La resa è stata ordinata, e c'erano ancora viveri. "),
    ({"order": "a SURRENDER keep"}, "en", "It had no food left. ")])
def test_a_surrender_says_why(given: dict[str, Any], lang: str, told: str) -> None:
    """16: a castle gives up without food or by order; one that has none left needs no order."""
    after = surrendered(5, **given, defaults=True)
    assert told in named_wording(anarchy(), after.campaign, lang).event(after.event("surrendered", "keep"))


@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_surrender_of_before_the_cause_was_told_has_none(lang: str) -> None:
    """A file of an earlier version: the sentence is left out."""
    after = surrendered(5)
    event = after.event("surrendered", "keep")
    event.data = {name: value for name, value in event.data.items() if name != "cause"}
    said = named_wording(anarchy(), after.campaign, lang).event(event)
    assert "cause" not in said
    assert "1d10=5" in said


@pytest.mark.parametrize(("given", "total"), [
    ({"besieger": 6}, 5), ({"besieger": 7}, 6), ({"massacre": "yes"}, 3),
    ({"order": "a SURRENDER keep", "left": "3"}, 7), ({"order": "a SURRENDER keep", "left": "2"}, 5),
    ({"order": "a SURRENDER keep", "left": "3", "besieger": 9, "massacre": "yes"}, 6)])
def test_what_modifies_a_surrender(given: dict[str, Any], total: int) -> None:
    """16: by order with more than half left +2, a besieger of prestige 7 +1, a massacre -2."""
    after = surrendered(5, **given, defaults=True)
    assert after.event("surrendered", "keep").roll["total"] == total


@pytest.mark.parametrize(("die", "given", "total"), [
    (10, {"besieger": 9}, 10), (1, {"massacre": "yes"}, 1)])
def test_the_surrender_is_kept_within_1_and_10(die: int, given: dict[str, Any], total: int) -> None:
    """16: the result is kept within 1 and 10."""
    assert surrendered(die, **given).event("surrendered", "keep").roll["total"] == total


# --- mercenaries after looting (11.6) -------------------------------------------------------------------
def looted(heads: int, share: int, die: int, prestige: int = 5, promised: int = 1) -> After:
    """A village of 10 points is sacked by a company of that many Welsh, who get a share."""
    return case("movement", armies=f"""A1 a 0605 K20 noble=N1:{prestige}
        M1 a 0605 L{heads} kind=welsh employer=A1 contract=promised promised={promised} hired_on=1""",
                places="ham 0606 village 10 7", orders="a MOVE A1 0606; a SACK A1 ham 10", defaults=True,
                answers=f"share/A1/M1 = {share}", dice=f"share/M1={die}")


@pytest.mark.parametrize(("die", "fate"), [
    (1, "revolt"), (2, "revolt"), (3, "desert"), (4, "desert"), (5, "desert"), (6, "grumble"), (7, "grumble"),
    (8, "grumble"), (9, "loyal"), (10, "loyal")])
def test_the_looting_table(die: int, fate: str) -> None:
    """11.6: 1-2 revolt, 3-5 desert, 6-8 grumble, 9-10 loyal (paid); short 60 % is no modifier."""
    after = looted(5, 2, die)
    wanted = {"loyal": ("angevin", "paid", "no"), "grumble": ("angevin", "promised", "yes"),
              "desert": ("neutral", "none", "no"), "revolt": ("neutral", "none", "no")}[fate]
    assert after.get("M1", "faction", "contract", "grumbles") == wanted
    assert bool(after.events("revolt")) == (fate == "revolt")
    assert bool(after.events("deserted")) == (fate in ("desert", "revolt"))


@pytest.mark.parametrize(("heads", "share", "modifiers"), [
    (8, 6, [2]), (4, 3, [2]), (7, 5, [1]), (4, 2, [1]), (5, 2, []), (4, 1, []), (5, 1, [-2]), (4, 0, [-2, -1])])
def test_how_short_the_share_is(heads: int, share: int, modifiers: list[int]) -> None:
    """11.6: short by up to 25 % +2, 26-50 % +1, 51-75 % 0, more -2; below what was promised -1."""
    after = looted(heads, share, 5)
    assert sorted(n for _, n in after.event("share", "M1").roll["modifiers"]) == sorted(modifiers)


def test_a_great_commander_is_believed() -> None:
    """11.6: prestige of 7 or more +1, as it is after the battle, before the loss for looting."""
    assert [n for _, n in looted(5, 2, 5, prestige=6).event("share", "M1").roll["modifiers"]] == [1]
    assert [n for _, n in looted(5, 2, 5, prestige=5).event("share", "M1").roll["modifiers"]] == []


def test_a_point_a_head_makes_them_loyal_to_the_end() -> None:
    """11.6: one point a head: no die, paid."""
    after = case("movement", armies="""A1 a 0605 K20 noble=N1
        M1 a 0605 L5 kind=welsh employer=A1 contract=promised promised=9 hired_on=1""",
                 places="ham 0606 village 10 7", orders="a MOVE A1 0606; a SACK A1 ham 10", defaults=True,
                 answers="share/A1/M1 = 5")
    assert after.get("M1", "contract") == "paid"
    assert "share/M1" not in after.throws
    assert after.get("A1", "money") == "5"


# --- weather and season (18) ----------------------------------------------------------------------------
@pytest.mark.parametrize(("die", "shift"), [
    (1, -3), (2, -2), (3, -1), (4, 0), (5, 0), (6, 0), (7, 0), (8, 1), (9, 2), (10, 3)])
def test_the_weather_table(die: int, shift: int) -> None:
    """18.1: 1 -3, 2 -2, 3 -1, 4-7 nothing, 8 +1, 9 +2, 10 +3, at all places."""
    after = case("opening", day=0, rules={"weather": "roll"}, dice=f"weather={die}",
                 places="ham 0605 village 5 7, keep 0606 castle_motte 4 3 holder=a S5")
    assert after.get("ham", "resources") == str(5 + shift)
    assert after.get("keep", "resources") == str(4 + shift)
    assert after.event("weather").audience == "all"


SEASONS = {1: "winter", 2: "winter", 3: "spring", 4: "spring", 5: "summer", 6: "summer", 7: "summer", 8: "autumn",
           9: "autumn", 10: "autumn"}


@pytest.mark.parametrize(("die", "season"), SEASONS.items())
def test_the_season_table(die: int, season: str) -> None:
    """18.2: 1-2 winter, 3-4 spring, 5-7 summer, 8-10 autumn; kept for the whole campaign."""
    after = case("opening", day=0, rules={"season": "roll"}, dice=f"season={die}")
    assert season in {str(v) for v in after.event("season").data.values()}


# --- villages (14.6, 13.1) ------------------------------------------------------------------------------
LEVY = {0: (0, 0, 0), 1: (2, 0, 0), 2: (3, 0, 0), 3: (3, 1, 0), 4: (4, 1, 0), 5: (4, 2, 0), 6: (5, 2, 0), 7: (5, 2, 1),
        8: (6, 3, 1), 9: (6, 3, 2), 10: (7, 4, 2)}
RECRUITS = {0: (0, 0), 1: (0, 0), 2: (0, 0), 3: (0, 2), 4: (0, 2), 5: (1, 2), 6: (1, 2), 7: (2, 3), 8: (2, 3),
            9: (3, 4), 10: (3, 4)}


@pytest.mark.parametrize(("kind", "resources"), fast_among([
    *((kind, n) for kind in ("village", "abbey") for n in range(1, 11)), ("town", 5), ("priory", 5)],
    ("village", 1), ("village", 4), ("village", 10), ("abbey", 3), ("abbey", 9), ("priory", 5)))
def test_the_levy_table(kind: str, resources: int) -> None:
    """14.6: P/L/S by resources; a monastery half of P and of L, no S, at least one peasant."""
    p, light, s = LEVY[resources]
    if kind in ("abbey", "priory"):
        p, light, s = max(p // 2, 1), light // 2, 0
    after = case("movement", armies="A1 a 0605 K30 noble=N1", places=f"ham 0606 {kind} {resources} 7",
                 orders="a MOVE A1 0606; a SACK A1 ham 1")
    assert after.event("battle_opened", 31 + p + light + s)
    given: dict[str, Any] = {"armies": "A1 a 0605 K30 noble=N1", "places": f"ham 0606 {kind} {resources} 7",
                             "orders": "a MOVE A1 0606; a SACK A1 ham 1", "battles": "B3-1 attacker fled 5"}
    for rank, men in (("peasants", p), ("light", light), ("foot", s)):
        case("movement", **given, losses=f"B3-1 levy {rank} {men} 0 0")
        case("movement", **given, losses=f"B3-1 levy {rank} {men + 1} 0 0", waits="battle/B3-1", findings="* ANA-802")


@pytest.mark.parametrize(("resources", "most"), RECRUITS.items())
def test_the_recruits_table(resources: int, most: tuple[int, int]) -> None:
    """13.1: light foot and peasants a place gives a day."""
    light, peasants = most
    given: dict[str, Any] = {"armies": "A1 r 0605 S5 noble=N1 money=20", "places": f"ham 0605 village {resources} 7"}
    if light or peasants:
        men = " ".join(f"{k}{n}" for k, n in (("L", light), ("P", peasants)) if n)
        after = case("movement", **given, orders=f"r RECRUIT A1 ham {men}")
        assert after.get("A1", "light", "peasants") == (str(light), str(peasants))
        assert float(after.get("A1", "money")) == 20 - light - peasants / 2  # type: ignore[arg-type]
    for more in (f"L{light + 1}", f"P{peasants + 1}"):
        after = case("movement", **given, orders=f"r RECRUIT A1 ham {more}", findings="o1 ANA-402", then="")
        assert (after.finding("ANA-402")["l"], after.finding("ANA-402")["p"]) == (light, peasants)


# --- movement costs (2.1) -------------------------------------------------------------------------------
@pytest.mark.parametrize(("terrain", "a", "b"), [
    ("open", 1, 1), ("forest", 2, 1), ("hill", 2, 1), ("river", 3, 3), ("marsh", 3, 3), ("coast", 1, 1),
    ("forest+hill", 2, 1), ("coast+hill", 2, 1), ("hill+marsh", 3, 3)])
@pytest.mark.parametrize("terrain_set", ["A", "B"])
def test_the_cost_of_a_hex(terrain: str, a: int, b: int, terrain_set: str) -> None:
    """2.1: open 1, forest and hill 2 (set B: 1), river and marsh 3, coast 1: the worst only."""
    cost = a if terrain_set == "A" else b
    path = ["0606", "0607", "0608", "0609", "0610"]
    after = case("movement", armies="A1 r 0605 S9 noble=N1", nodes=f"0606 {terrain}",
                 rules={"A": {}, "B": {"terrain_set": "B"}}[terrain_set], orders=f"r MOVE A1 {' '.join(path)}",
                 findings="o1 ANA-103" if cost > 1 else "")
    assert after.get("A1", "node") == path[5 - cost]


def test_costs_may_be_typed_over() -> None:
    """3.1, terrain_set custom: the numbers of the sheet are used."""
    case("movement", armies="A1 r 0605 S9 noble=N1", nodes="0606 forest",
         rules={"terrain_set": "custom", "cost_forest": 4}, orders="r MOVE A1 0606 0607", then="A1 node=0607")
    case("movement", armies="A1 r 0605 S9 noble=N1", nodes="0606 forest",
         rules={"terrain_set": "custom", "cost_forest": 6}, orders="r MOVE A1 0606", findings="o1 ANA-103", then="")


# --- battles not played (7) -----------------------------------------------------------------------------
def men_worth(value: int) -> str:
    """Knights and peasants of that value."""
    return " ".join(f"{k}{n}" for k, n in (("K", value // 5), ("P", value % 5)) if n)


def fought(value: int, attacker: int, defender: int, **given: Any) -> After:
    """A group of that value attacks twenty peasants, with these dice."""
    return case("movement", armies=f"A1 r 0605 {men_worth(value)}, A2 a 0606 P20 loyalty=1 if_attacked=fight",
                orders="r MOVE A1 0606 choice=attack", defaults=True,
                dice=f"auto/B3-1/attacker={attacker}, auto/B3-1/defender={defender}", **given)


@pytest.mark.parametrize(("value", "bonus"), [
    (20, 0), (24, 0), (25, 1), (29, 1), (30, 2), (34, 2), (35, 3), (39, 3), (40, 4), (59, 4), (60, 6), (79, 6),
    (80, 8), (99, 8)])
def test_the_superiority_table(value: int, bonus: int) -> None:
    """7, auto: 125 % +1, 150 +2, 175 +3, 200 +4, 300 +6, 400 +8: a draw where the weaker throws so much more."""
    assert fought(value, 1, 1 + bonus).row("Battles", "B3-1")["outcome"] == "draw"
    assert fought(value, 2, 1 + bonus).row("Battles", "B3-1")["outcome"] == "attacker"


def test_five_times_as_strong_needs_no_dice() -> None:
    """7, auto: 500 %: no dice, the stronger wins without loss."""
    after = case("movement", armies="A1 r 0605 K20, A2 a 0606 P20 loyalty=1 if_attacked=fight",
                 orders="r MOVE A1 0606 choice=attack", defaults=True)
    assert after.row("Battles", "B3-1")["outcome"] == "attacker"
    assert not [key for key in after.throws if key.startswith("auto")]
    assert after.men("A1") == "K20"
    assert after.men("A2") == "P10"
    assert after.men("P1") == "P5"


@pytest.mark.parametrize(("attacker", "defender", "left", "taken"), [
    (4, 3, "P14", "P3"), (8, 4, "P14", "P3"), (9, 4, "P10", "P5"), (10, 1, "P10", "P5")])
def test_the_losers_losses(attacker: int, defender: int, left: str, taken: str) -> None:
    """7, auto: the loser loses 30 %, by 5 or more 50 %; half of them dead, rounded up, the rest captured."""
    after = fought(20, attacker, defender)
    assert (after.men("A2"), after.men("P1")) == (left, taken)
    assert after.men("A1") == "K4"


def test_a_draw_costs_both_ten_percent() -> None:
    """7, auto: 10 % each; half of them dead, rounded down, the rest hurt."""
    after = fought(20, 5, 5)
    assert after.men("A2") == "P19"
    assert [(w.army, w.rank, w.state) for w in after.campaign.by_sheet("Wounded")] == [("A2", "peasants", "hurt")]
