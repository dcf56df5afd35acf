"""What a map shows comes from its reader's view: every place of it and none besides, marches, battles, orders, fog."""

from __future__ import annotations

from itertools import islice, pairwise
from pathlib import Path

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import REFEREE, Event, Faction, Node, Road, Rule
from assistant.pictures.map_scene import scene_of
from assistant.pictures.render import map_svg
from assistant.pictures.scene import FORCES, GLYPHS, MARKS, WAYS, Scale, Scene, alt_text, scale_of
from assistant.rulesets.anarchy.records import Order as DayOrder
from assistant.rulesets.bloodlust.records import Faction as Nation
from assistant.rulesets.giglio.records import Army, Order
from assistant.rulesets.warriors.land import Country
from assistant.rulesets.warriors.ruleset import WARRIORS
from assistant.testing import kit
from assistant.testing.fog import leaking_columns
from assistant.turn.map_symbols import Looks
from assistant.turn.phases import resolve
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from tests.pictures.boards import DEMOS, played, readers, scene, seen_by, start
from tests.pictures.reading_maps import texts, tree
from tests.played import scripted
from tests.plugin.installing import SMALL, installed_at
from tests.sketches.realms import REALMS
from tests.sketches.walls import WALLS
from tests.sketches.waters import WATERS
from tests.warriors.scenario import SECRET, borderlands


def check_whole(ruleset: Ruleset, campaign: Campaign, reader: str) -> None:
    """Every place of the view is on the map, none besides, and nothing names another or has a look that nobody knows.
    """
    view, shown = seen_by(ruleset, campaign, reader), scene(ruleset, campaign, reader)
    places = {place.code for place in shown.places}
    owners = {owner.code for owner in shown.owners}

    assert places == set(view.table(Node).keys())
    assert len({(place.x, place.y) for place in shown.places}) == len(shown.places)
    assert {code for way in shown.ways for code in (way.a, way.b)} <= places
    assert {force.place for force in shown.forces} | {mark.place for mark in shown.marks} <= places
    assert {code for march in shown.marches for code in march.path} <= places
    assert {code for code in (*(place.owner for place in shown.places), *(force.owner for force in shown.forces),
                              *(march.owner for march in shown.marches)) if code} <= owners
    assert owners <= set(view.table(Faction).keys())
    assert {place.glyph for place in shown.places} <= set(GLYPHS)
    assert {way.style for way in shown.ways} <= set(WAYS)
    assert {force.kind for force in shown.forces} <= set(FORCES)
    assert {mark.kind for mark in shown.marks} <= set(MARKS)


@pytest.mark.parametrize("name", DEMOS)
def test_every_place_of_the_view_and_none_besides(name: str) -> None:
    """Of all five rulebooks, for everybody, the referee and clubs."""
    ruleset, campaign = start(name)

    for reader in readers(campaign):
        check_whole(ruleset, campaign, reader)


@pytest.mark.parametrize("ruleset", [REALMS, WALLS, WATERS], ids=lambda one: one.id)
def test_a_rulebook_that_declares_nothing_has_a_map(ruleset: Ruleset) -> None:
    """Owners, glyphs and ways are derived from the usual columns."""
    (place,) = Path(ruleset.homes()[0].folder, "scenarios").iterdir()
    campaign = kit.opening(ruleset, place)

    assert type(ruleset.looks) is Looks
    for reader in readers(campaign):
        check_whole(ruleset, campaign, reader)


@pytest.mark.parametrize("name", SMALL)
def test_the_smallest_plug_ins_have_a_map(name: str, tmp_path: Path) -> None:
    """Without roads, armies and coordinates places still lie apart."""
    with installed_at(tmp_path, {name: SMALL[name]}):
        ruleset = load(name)
        (place,) = Path(ruleset.homes()[0].folder, "scenarios").iterdir()
        campaign = kit.opening(ruleset, place)

        for reader in readers(campaign):
            check_whole(ruleset, campaign, reader)


def test_places_that_lie_exactly_below_one_another_can_be_drawn() -> None:
    """The Realms laid out by their roads have two such pairs; each realm is there all the same."""
    (place,) = Path(REALMS.homes()[0].folder, "scenarios").iterdir()
    shown = scene(REALMS, kit.opening(REALMS, place), REFEREE)

    assert len({spot.x for spot in shown.places}) < len(shown.places)
    assert all(owner.name in map_svg(shown).svg for owner in shown.owners)


# --- what is known ----------------------------------------------------------------------------------------------
def test_strength_is_shown_to_who_knows_it() -> None:
    """Ducats under a marker are its owner's and the referee's to know."""
    ruleset, campaign = start("giglio")
    own = {force.code: force for force in scene(ruleset, campaign, "F").forces}
    others = {force.code: force for force in scene(ruleset, campaign, "M").forces}
    army = next(row for row in campaign.table(Army) if row.faction == "F" and row.kind == "army")

    assert (own[army.army].strength, own[army.army].own) == (str(army.value), True)
    assert (others[army.army].strength, others[army.army].own) == ("", False)


@pytest.mark.parametrize(("name", "phases"), [("incursio", 12), ("giglio", 9)])
def test_what_a_club_may_not_know_changes_nothing_on_its_map(name: str, phases: int) -> None:
    """Every unknown fact is changed, and not a letter of the scene is another one."""
    ruleset, now, before = played(name, phases)

    for faction in readers(now)[2:3]:
        assert leaking_columns(ruleset, now, faction, before, keep=lambda row: getattr(row, "event", "") == "opened",
                     package=lambda r, c, f, b: repr(scene(r, c, f, before=b))) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["anarchy", "warriors", "bloodlust"])
def test_what_no_club_may_know_changes_nothing_on_maps(name: str) -> None:
    """The same of the other rulebooks, in the midst of things."""
    ruleset, now, before = played(name, 12)

    for faction in ("", *readers(now)[2:]):
        assert leaking_columns(ruleset, now, faction, before, keep=lambda row: getattr(row, "event", "") == "opened",
                     package=lambda r, c, f, b: repr(scene(r, c, f, before=b))) == [], faction


def test_fog_says_when_a_place_was_seen_last() -> None:
    """The defenders of Esdef see where they stand; of other cells they know the day of their last sighting."""
    ruleset, now, _ = played("incursio", 12)
    places = {place.code: place for place in scene(ruleset, now, "esdef").places}
    public = scene(ruleset, now, "")

    assert {place.seen for place in places.values()} >= {"now", "never"}
    assert all(place.last_seen == f"day {place.last_seen.removeprefix('day ')}" for place in places.values()
               if place.seen == "earlier")
    assert {place.seen for place in public.places} == {"now"}
    assert public.forces == ()


def test_squares_out_of_sight_bear_the_turn_of_the_last_look() -> None:
    """The Borderlands with fog, to the end of turn 2: what each faction's own view tells is when it truly looked."""
    campaign, looked = borderlands(), dict[tuple[str, str], str]()
    campaign.table(Rule).add(Rule(key="fog", value="near"))
    for _ in range(20):
        outcome = resolve(WARRIORS, campaign, SECRET)
        campaign = outcome.campaign
        land = Country(WARRIORS.game(campaign))
        looked |= {(row.faction, node.node): outcome.turn for row in land.factions for eye in land.eyes(row.faction)
                   for node in land.nodes if land.map.distance(eye, node.node) <= land.rules.sight}
    for faction in [row.faction for row in campaign.table(Faction)]:
        view = WARRIORS.view(campaign, faction)
        unseen = WARRIORS.looks.unseen_places(WARRIORS.game(view), faction)
        assert {node: turn for node, (_, turn) in unseen.items()} == {
            node: looked.get((faction, node), "") for node in unseen}
        if faction == "dwarfs":
            picture = tree(map_svg(scene(WARRIORS, campaign, faction)).svg)
            assert {"turn 2", "Out of sight, as last seen"} <= texts(picture)


@pytest.mark.parametrize("name", DEMOS)
def test_no_two_signs_of_places_have_the_same_words_in_the_legend(name: str) -> None:
    """Where a kind of place has several signs, as settlements by their level have, the legend says which is which."""
    ruleset, now, _ = played(name, 10)
    signs = {(place.label, place.glyph) for place in scene(ruleset, now, REFEREE).places if place.label}

    assert len({label for label, _ in signs}) == len(signs) > 0


SCALES = {"giglio": "", "anarchy": "km", "warriors": "", "bloodlust": "", "incursio": ""}


@pytest.mark.parametrize("name", SCALES)
def test_a_map_has_a_scale_where_its_rulebook_knows_lengths(name: str) -> None:
    """Kilometres where the book has them; else no bar, which would mean nothing."""
    ruleset, campaign = start(name)
    found = scene(ruleset, campaign, "")

    assert (found.scale_name, found.scale > 0) == (SCALES[name], bool(SCALES[name]))


def test_where_roads_take_days_the_scale_is_a_days_march() -> None:
    """Half of the roads are drawn longer than so for their days, half of them shorter."""
    spots = {"A": (0.0, 0.0), "B": (30.0, 0.0), "C": (30.0, 80.0), "D": (0.0, 5.0)}
    ways = [(Road(a="A", b="B"), "road"), (Road(a="B", b="C"), "track"), (Road(a="A", b="D"), "lane")]

    class Marching(Looks):
        days = "days"

    assert scale_of(Marching(), "graph", ways, spots, lambda road: 3.0 if road.a == "A" else 4.0, str.upper
                    ) == Scale(15.0, "DAY'S MARCH", "usual")
    assert scale_of(Marching(), "graph", ways[2:], spots, lambda road: 1.0, str) == Scale()
    assert scale_of(Looks(), "graph", ways, spots, lambda road: 1.0, str) == Scale()


def test_a_nation_in_unrest_has_its_provinces_so() -> None:
    """Tanaephis: after its disaster the provinces of Derigion are in unrest, in the legend's and the picture's words;
    what a plug-in declares is drawn alike (`test_the_legend_tells_what_places_show`).
    """
    ruleset, now = start("bloodlust")
    calm = scene(ruleset, now, "")
    shaken = now.copy()
    shaken.table(Nation)["DER"].unrest = 4
    risen = scene(ruleset, shaken, "", "it")

    assert not any(place.revolt for place in calm.places)
    assert {place.owner for place in risen.places if place.revolt} == {"DER"}
    assert all(place.revolt for place in risen.places if place.owner == "DER")
    assert "Disordini: " in alt_text(risen)
    assert "Disordini" in map_svg(risen).svg


# --- what happened -------------------------------------------------------------------------------------------------
def test_marches_and_captures_of_the_turn() -> None:
    """What the events tell since the last report is on the map, each with its owner and its words."""
    ruleset, now, before = played("giglio", 9)
    shown = scene(ruleset, now, "", "en", before)
    told = [event for _, event in now.table(Event).in_file_order()][len(before.table(Event)):]
    moved = {tuple(str(event.data["path"]).split()) for event in told if event.event == "army.moved"}

    assert moved <= {march.path for march in shown.marches}
    assert {mark.place for mark in shown.marks if mark.kind == "captured"} == {
        event.data["node"] for event in told if event.event == "place.taken"}
    assert all(mark.note for mark in shown.marks)


def test_what_was_lost_has_marched_for_its_owner() -> None:
    """A fleet that was launched and lost since the last report is on neither view; its arrows are its owner's."""
    ruleset, now, before = played("giglio", 9)
    work = now.copy()
    for n, (event, data) in enumerate((("fleet.sailed", {"fleet": "S-F9", "frm": "Z4", "to": "Z3"}), (
            "fleet.lost", {"fleet": "S-F9", "faction": "S", "node": "Z3", "why": "storm"}))):
        work.table(Event).add(Event(90_000 + n, work.desk.turn, work.desk.phase, "all", event, data=data))

    assert [march.owner for march in scene(ruleset, work, "", "en", before).marches if march.path == ("Z4", "Z3")] == [
        "S"]


def test_only_what_has_changed() -> None:
    """The map of changes marks the places that differ from the last report, and shows no marches."""
    ruleset, now, before = played("giglio", 9)
    shown = scene(ruleset, now, "", "en", before, changes=True)
    old, new = ({p.code: (p.owner, p.walls, p.besieged) for p in scene(ruleset, one, "").places}
                for one in (before, now))

    assert shown.marches == ()
    assert {mark.kind for mark in shown.marks} == {"changed"}
    assert {code for code in new if old[code] != new[code]} <= {mark.place for mark in shown.marks}


def test_open_orders_are_drawn_as_they_are_understood_for_their_club_alone() -> None:
    """A line of a club's becomes an arrow or a mark on its own map, and on nobody else's; the map of a receipt shows
    them alone, wherever they lead.
    """
    ruleset, campaign, _ = played("giglio", 3)
    work = campaign.copy()
    army = next(row for row in work.table(Army) if row.faction == "F" and row.kind == "army")
    road = next(row for row in work.table(Road) if army.node in (row.a, row.b) and row.kind == "road")
    goal = road.b if road.a == army.node else road.a
    for row in list(work.table(Order)):
        work.table(Order).remove(row.ident)
    for n, text in enumerate((f"{army.army} muove {army.node} {goal}", f"{army.army} assedia {goal}")):
        work.table(Order).add(Order(order=f"x{n}", turn=work.desk.turn, phase="r1", faction="F", text=text))
    alone = scene_of(ruleset, seen_by(ruleset, work, "F"), "F", "en", close_up=True, only_orders=True)

    assert [march.path for march in scene(ruleset, work, "F").marches if march.ordered] == [(army.node, goal)]
    assert [(march.path, march.ordered) for march in alone.marches] == [((army.node, goal), True)]
    assert [(mark.place, mark.kind) for mark in alone.marks] == [(goal, "ordered")]
    assert {army.node, goal} <= set(alone.focus)
    for other in (scene(ruleset, work, reader) for reader in ("", "M", REFEREE)):
        assert not any(march.ordered for march in other.marches)
        assert not any(mark.kind == "ordered" for mark in other.marks)


def test_a_march_through_hexes_is_drawn_as_it_is_typed() -> None:
    """Hexes, directions, or one far place; what cannot be read is no arrow, but a mark where its group stands."""
    ruleset = load("anarchy")
    work = next(state for state, _ in scripted("anarchy", DEMOS["anarchy"], "never") if state.desk.phase == "movement")
    orders = work.table(DayOrder)
    row = next(row for row in orders.of_turn(work.desk.turn) if (row.verb, row.unit) == ("MOVE", "A-MIL"))
    for one in orders.of_turn(work.desk.turn):
        if one.ident != row.ident:
            orders.remove(one.ident)
    for typed, drawn in (("0803 0904", ("0802", "0803", "0904")), ("S SE", ("0802", "0803", "0904")),
                         ("Faringdon", ("0802", "1404")), ("nowhere at all", ())):
        row.path = typed
        shown = scene_of(ruleset, seen_by(ruleset, work, "angevin"), "angevin", "en", only_orders=True)
        assert [march.path for march in shown.marches] == ([drawn] if drawn else []), typed
        assert [mark.place for mark in shown.marks] == ([] if drawn else ["0802"]), typed


def test_a_close_up_is_of_the_own_area() -> None:
    """Its places are the faction's or of its forces; who has nothing gets the whole map."""
    ruleset, campaign = start("giglio")
    shown = scene(ruleset, campaign, "F", close_up=True)
    mine = {p.code for p in shown.places if p.owner == "F"} | {f.place for f in shown.forces if f.owner == "F"}

    assert shown.focus
    assert set(shown.focus) <= mine
    assert scene(ruleset, campaign, "", close_up=True).focus == ()


# --- in words -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("lang", "said"), [("en", "Places held: "), ("it", "Luoghi tenuti: ")])
def test_the_text_in_the_pictures_place_tells_the_situation(lang: str, said: str) -> None:
    """Whose map and when, who holds how much, own forces with strength, what was taken."""
    ruleset, now, before = played("giglio", 9)
    shown = scene(ruleset, now, "F", lang, before)
    text = alt_text(shown)
    own = next(force for force in shown.forces if force.own and force.strength)

    assert text.startswith(f"{'Mappa' if lang == 'it' else 'Map'}: {shown.title}, {shown.turn}.")
    assert said in text
    assert f"{own.code} {own.strength} (" in text
    for mark in shown.marks[:3]:
        assert next(place.name for place in shown.places if place.code == mark.place) in text
    assert len(text) < 1500


# --- from report to report -------------------------------------------------------------------------------------------
def moved(one: Scene, two: Scene) -> float:
    """Which share of the names on two maps does not stand at the same side of its place on both."""
    first, second = map_svg(one).placed, map_svg(two).placed
    names = {*first, *second}
    return sum(first.get(code) != second.get(code) for code in names) / len(names)


def test_sieges_move_next_to_no_name_from_report_to_report() -> None:
    """Three sieges begin in one phase: at most one name in twenty stands elsewhere on the next report's map."""
    ruleset, now, before = played("giglio", 9)
    then, after = scene(ruleset, before, ""), scene(ruleset, now, "", before=before)

    assert sum(place.besieged for place in after.places) - sum(place.besieged for place in then.places) == 3
    assert 0 < moved(then, after) <= 0.05


@pytest.mark.slow
def test_names_stay_put_through_the_demo() -> None:
    """Through ten rounds of Italy, from each round's report to the next, never more than one name in twenty moves."""
    ruleset = load("giglio")
    rounds = [before for before, _ in islice(scripted("giglio", "italy-1500", "never"), 40)
              if before.desk.phase.endswith(".move")]
    shown = [scene(ruleset, state, "F") for state in rounds]

    assert len(shown) == 10
    assert max(moved(one, two) for one, two in pairwise(shown)) <= 0.05
