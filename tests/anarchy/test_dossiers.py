"""The hand-over of a battle to the table (rulebook: 15 Battle; 15.1, 15.2): maps, entry sides, what each side reads."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.wording import Wording
from tests.anarchy.cases import After, anarchy, case

HERE = "0606"  # even column: N 0605, NE 0706, SE 0707, S 0607, SW 0507, NW 0506
FROM = {"N": "0605", "NE": "0706", "SE": "0707", "S": "0607", "SW": "0507", "NW": "0506"}
ENTRY = {  # 1 map, 2 maps (U, W), 4 maps (UL, UR, LL, LR)
    "N": ("top", "top of U", "top of UL"),
    "NE": ("top", "right of U", "top of UR"),
    "SE": ("right", "right of W", "right of UR and LR"),
    "S": ("bottom", "bottom of W", "bottom of LR"),
    "SW": ("bottom", "left of W", "bottom of LL"),
    "NW": ("left", "left of U", "left of UL and LL"),
}
LONG = {"U": "upper", "W": "lower", "UL": "upper left", "UR": "upper right", "LL": "lower left", "LR": "lower right"}
OPPOSITE = {"N": "S", "NE": "SW", "SE": "NW", "S": "N", "SW": "NE", "NW": "SE"}


def opened(first: str, second: str, **given: Any) -> After:
    """A battle at `HERE`, ready for the table."""
    return case("movement", armies=f"{first} joins=no, {second} if_attacked=fight on_meeting=pass joins=no",
                referee="", waits="battle/B3-1", **given)


def lines(after: After, side: str) -> list[str]:
    """The dossier of a side, as sentences with their labels."""
    view = anarchy().view(after.campaign, side) if side != "referee" else after.campaign
    row = view.by_sheet("Battles")["B3-1"]
    words = Wording(anarchy(), "en")
    return [f"{s.label}: {words.text(s.text, **s.data)}" for s in anarchy().dossier(view, row, side)]


def one(found: list[str], *words: str) -> str:
    """The only sentence with these words."""
    fits = [line for line in found if all(w in line for w in words)]
    assert len(fits) == 1, (words, found)
    return fits[0]


def names_side(line: str, wanted: str) -> bool:
    """Whether a sentence names the side of the table: ``top of UL`` is said ``top of the upper left map``."""
    side, _, where = wanted.partition(" of ")
    if where:
        spelled = " and ".join(LONG[w] for w in where.split(" and "))
        side = f"{side} of the {spelled} map{'s' if ' and ' in where else ''}"
    return line.endswith(f": {side}")


@pytest.mark.parametrize(("column", "men"), [(0, 15), (1, 20), (2, 40)])
@pytest.mark.parametrize("towards", list(FROM))
def test_the_entry_side_of_a_group(towards: str, column: int, men: int) -> None:
    """15.1: by the campaign direction it came from; who never marched stands opposite."""
    after = opened(f"A1 r {FROM[towards]} S{men}", f"A2 a {HERE} S{30 - 15 if column == 0 else men}",
                   orders=f"r MOVE A1 {HERE} choice=attack")
    found = lines(after, "referee")
    assert names_side(one(found, "A1", f"S{men}"), ENTRY[towards][column])
    assert names_side(one(found, "A2:"), ENTRY[OPPOSITE[towards]][column])


@pytest.mark.parametrize(("first", "second", "maps"), [(15, 15, 1), (15, 16, 2), (30, 30, 2), (30, 31, 4), (60, 40, 4)])
def test_the_number_of_maps(first: int, second: int, maps: int) -> None:
    """15.1, EX-05: up to 30 characters one map, 31 to 60 two, 61 and more four."""
    after = opened(f"A1 r 0605 S{first}", f"A2 a {HERE} S{second}", orders=f"r MOVE A1 {HERE} choice=attack")
    line = one(lines(after, "royal"), str(first + second), "map")
    assert f"{maps} map" in line


@pytest.mark.parametrize(("terrain", "names"), [
    ("open", "La Prairie; Le Chemin des Croisés; La Croisée des Chemins; La Plaine"),
    ("forest", "Le Bois; La Forêt"), ("hill", "Le Fossé; Le Tertre; La Colline"), ("marsh", "Le Lagon; Le Fossé"),
    ("river", "La Rivière; Le Pont de Bois; Le Lagon; Le Ruisseau; Le Moulin; Le Gué"),
    ("coast", "La Plage; La Crique; La Tour de Gué; L'Abbaye"),
    ("forest+river", "Le Bois; La Forêt; La Rivière; Le Gué")])
def test_the_maps_of_a_hex(terrain: str, names: str) -> None:
    """15.2: at least one of the hex's list."""
    after = opened("A1 r 0605 S9", f"A2 a {HERE} S9", orders=f"r MOVE A1 {HERE} choice=attack",
                   nodes=f"{HERE} {terrain}")
    text = "\n".join(lines(after, "royal"))
    assert [name for name in names.split("; ") if name not in text] == []


@pytest.mark.parametrize(("kind", "name"), [("castle_motte", "La Motte Castrale"), ("castle_tower", "Le Nid d'Aigle"),
                                            ("castle_stone", "Le Château Normand"), ("village", "Le Hameau")])
def test_the_maps_of_a_place(kind: str, name: str) -> None:
    """5.3, 15.2: stone the Norman keep, tower the eagle's nest, motte the motte, and no other; villages their own."""
    given: dict[str, Any]
    if kind == "village":
        given = {"places": f"ham {HERE} village 5 8", "orders": f"a MOVE A1 {HERE}; a SACK A1 ham 1"}
    else:
        given = {"places": f"keep {HERE} {kind} 5 8 holder=r S9", "orders": f"a MOVE A1 {HERE}; a ASSAULT A1 keep"}
    after = case("movement", armies="A1 a 0605 S9", referee="", waits="battle/B3-1", **given)
    told = "\n".join(lines(after, "angevin"))
    maps = ("La Motte Castrale", "Le Nid d'Aigle", "Le Château Normand", "Le Hameau")
    assert [picture for picture in maps if picture in told] == [name]


def test_who_does_not_move_chooses_the_first_map() -> None:
    """15.2: the side that is not moving chooses the first map, then in turn."""
    after = opened("A1 r 0605 S9", f"A2 a {HERE} S9", orders=f"r MOVE A1 {HERE} choice=attack")
    line = one(lines(after, "royal"), "first map")
    assert "angevin" in line
    assert "royal" not in line


@pytest.mark.parametrize(("rules", "side"), [({}, "royal"), ({"attacker_def": "aggressor"}, "angevin")])
def test_who_deploys_as_the_attacker(rules: dict[str, str], side: str) -> None:
    """15.4: the side that entered the hex; by attacker_def aggressor the one who struck first."""
    after = case("movement", armies=f"A1 r 0605 S9 on_meeting=pass if_attacked=fight, A2 a {HERE} S9 on_meeting=attack",
                 orders=f"r MOVE A1 {HERE}", rules=rules, referee="", waits="battle/B3-1")
    assert side in one(lines(after, "royal"), "attacker")


JOINED: dict[str, Any] = {
    "armies": f"""A1 r 0605 K3 S6 noble=N1:7:9 money=33 loyalty=9 joins=no
        A2 a {HERE} S7 B2 noble=N2:6 starving=yes money=44 if_attacked=fight on_meeting=pass
        A3 r 0507 S4 L1 noble=N3:3 joins=yes""",
    "trains": "T1 r 0605 rams=1 engineers=1 oxen=2 peasants=3 escort=A1",
    "wounded": "W1 a foot A2",
    "orders": f"r MOVE A1 {HERE} choice=attack"}


def test_each_side_reads_its_own_in_full() -> None:
    """7: men, hurt men, nobles with prestige, starving, engines."""
    after = case("movement", **JOINED, referee="", waits="battle/B3-1", rules={"wounded_march": "free"})
    royal, angevin = "\n".join(lines(after, "royal")), "\n".join(lines(after, "angevin"))
    assert "K3 S6" in royal
    assert "S4 L1" in royal
    assert "N1 7" in royal
    assert "1 rams" in royal or "ram" in royal
    assert "S7 B2" in angevin
    assert "S1" in angevin
    assert "starves" in angevin


def test_of_the_enemy_only_what_stood_in_the_hex() -> None:
    """7: of joiners only names and entry sides; no money, no loyalty, no orders; hunger is the owner's."""
    after = case("movement", **JOINED, referee="", waits="battle/B3-1", rules={"wounded_march": "free"})
    royal, angevin = lines(after, "royal"), lines(after, "angevin")
    assert "S7 B2" in one(royal, "A2")
    joiner = one(angevin, "A3")
    assert "S4" not in joiner
    assert names_side(joiner, ENTRY["SW"][0])
    assert not [line for line in royal if "starves" in line]
    for text in (*royal, *angevin):
        assert "£" not in text
        assert "loyalty" not in text.lower()


def test_captives_are_told_of() -> None:
    """7: prisoners carried: defence 1, unarmed; how they are freed."""
    after = case("movement", armies=f"A1 r 0605 S9 joins=no, A2 a {HERE} S9 if_attacked=fight on_meeting=pass",
                 prisoners=f"P1 r a {HERE} S2 captor_army=A2 destination=den",
                 places="den 0609 castle_motte 3 2 holder=a S9",
                 orders=f"r MOVE A1 {HERE} choice=attack", referee="", waits="battle/B3-1")
    assert any("captives" in line and "S2" in line for line in lines(after, "angevin"))


def test_the_dossier_tells_the_endings() -> None:
    """7: twelve turns; the four endings."""
    after = opened("A1 r 0605 S9", f"A2 a {HERE} S9", orders=f"r MOVE A1 {HERE} choice=attack")
    line = one(lines(after, "royal"), "12 turns")
    assert all(word in line for word in ("eliminated", "flees", "surrenders", "time"))


def test_who_takes_no_part_reads_nothing() -> None:
    """A dossier is for those who fight; neutrals and the public get none."""
    after = opened("A1 r 0605 S9", f"A2 a {HERE} S9", orders=f"r MOVE A1 {HERE} choice=attack")
    public = anarchy().view(after.campaign, "")
    assert anarchy().dossier(public, public.by_sheet("Battles")["B3-1"], "") == []
