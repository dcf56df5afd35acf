"""What a report shows of others: all that all may know, and what shares a hex.

See rulebook: Records, Who may know what.
"""

from __future__ import annotations

import json
from typing import Any

from assistant.reporting.build import build_page
from assistant.reporting.render import render_html, render_json, render_text
from assistant.wording import Wording
from tests.anarchy.cases import anarchy, build


def shown(faction: str = "royal", **tables: Any) -> dict[str, list[dict[str, str]]]:
    """The tables of what a faction sees of others, by title."""
    view = anarchy().view(build("close", **tables), faction)
    return {sighting.title: [{name: row.as_text()[name] for name in sighting.fields} for row in sighting.rows]
            for sighting in anarchy().sightings(view, faction)}


ENEMY: dict[str, Any] = {
    "armies": "A1 r 0605 S9 noble=N1, E1 a 0606 S6 noble=E:7 besieging=keep came_from=0507, "
              "ME a 0606 L3 kind=welsh employer=E1, E2 a 0701 S4 inside=lair, E3 a 0801 D4 unarmed=yes safe_on=4, "
              "M9 n 0901 S8 kind=flemish moves_next=a",
    "nobles": "E4 a 4 2 place=lair, E5 a 3 2 state=prisoner captor=r held_in=P1, E6 a 3 2 army=E2 state=wounded",
    "places": "keep 0606 castle_motte 5 8 holder=r S9, lair 0701 castle_stone 5 2 holder=a S9 B1 lord=E4",
    "prisoners": "P1 a r 0605",
}


def test_commanders_and_followers_of_the_enemy_are_seen() -> None:
    """EX-41: angevins see A-YPR's hex, commander and the attached Fleming counter; castle and siege are public."""
    tables = shown(**ENEMY)
    rows = {row["army"]: row for row in tables["Their commanders, and what they are about"]}
    assert {army: {k: v for k, v in row.items() if v and k != "army"} for army, row in rows.items()} == {
        "E1": {"commander": "E", "besieging": "keep"}, "ME": {"employer": "E1"}, "E2": {"inside": "lair"}}
    assert tables["Where they came from"] == [{"army": "E1", "came_from": "0507"}]
    assert tables["Mercenaries whom nobody pays"] == [{"army": "M9", "node": "0901", "moves_next": "angevin"}]
    assert tables["Without arms, or under safe conduct"] == [{"army": "E3", "unarmed": "yes", "safe_on": "4"}]


def test_nobles_and_castles_of_the_enemy_are_seen() -> None:
    """2: prestige, whereabouts, fate and captors of nobles are public; so are holder and lord of a castle."""
    tables = shown(**ENEMY)
    assert {r["noble"]: (r["prestige"], r["army"], r["place"]) for r in tables["Nobles of others"]} == {
        "E": ("7", "E1", ""), "E4": ("4", "", "lair"), "E6": ("3", "E2", "")}
    assert [tuple(r.values()) for r in tables["Their wounded, captive and dead nobles"]] == [
        ("E5", "prisoner", "royal", "P1"), ("E6", "wounded", "", "")]
    assert [(r["place"], r["holder"], r["lord"]) for r in tables["Castles of others"]] == [("lair", "angevin", "E4")]
    assert "What your groups see of places" not in tables


def test_what_shares_a_hex_is_seen() -> None:
    """8: H columns while one of its groups is in that hex: stores, garrison, loads and engines; not elsewhere."""
    given = {"places": "lair 0605 castle_stone 5 2 holder=a S9 B1, ham 0605 village 3 2, den 0701 castle_stone 5 2 "
                       "holder=a S8",
             "convoys": "C1 a 0605 2 animals=4 home=ham goal=lair heading=goal, C2 a 0701 3",
             "trains": "T1 a 0605 rams=2 engineers=1 oxen=4 peasants=3, T2 a 0701 rams=1"}
    tables = shown(armies="A1 r 0605 S9", **given)
    assert [tuple(r.values()) for r in tables["What your groups see of places"]] == [
        ("ham", "3", ""), ("lair", "5", "S9 B1")]
    assert [tuple(r.values()) for r in tables["What your groups see of them"]] == [("C1", "4", "1", "2")]
    assert [tuple(r.values()) for r in tables["Engines that your groups see"]] == [("T1", "2", "0", "0", "0")]
    assert [tuple(r.values()) for r in tables["Their crews and oxen"]] == [("T1", "1", "4", "3")]
    assert {r["train"] for r in tables["Siege trains of others"]} == {"T1", "T2"}
    assert tables["Where they come from and go"][0] == {
        "convoy": "C1", "home": "ham", "goal": "lair", "heading": "goal", "came_from": ""}
    away = shown(armies="A1 r 0505 S9", **given)
    assert not {title for title in away if "your groups see" in title or "crews" in title}


def test_the_report_has_them_in_each_form() -> None:
    """8: the enemy's commander stands in the letter, the page and the data alike."""
    page = build_page(anarchy(), anarchy().view(build("close", **ENEMY), "royal"), "royal",
                      Wording(anarchy(), "it"), 0, {})
    assert "I loro comandanti" in render_text(page)
    for told in (render_text(page), render_html(page)):
        assert "Comandante" in told
        assert "E4" in told
        assert "lair" in told
    assert "E4" in json.dumps(json.loads(render_json(page)))
