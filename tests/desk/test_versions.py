"""A campaign outlives a version of its rules: nobody answers for what another version made, everybody for the rest."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from assistant import desk
from assistant.campaign.records import Rule
from assistant.desk import CorrectionOptions, CorrectionRequest, Exit, Input
from assistant.desk.past.correct import never_confirm
from assistant.desk.results import Result
from assistant.ledger import Ledger, current_provenance, path_of_ledger
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.testing.cases import campaign_of
from assistant.turn.event_types import EACH_TIME, EventType
from assistant.turn.game import Game, Phase
from assistant.turn.messages import RULING
from assistant.turn.numbers import Number, Switch, earlier_defaults
from assistant.turn.questions import Ask
from tests import hand
from tests.desk import tiny
from tests.desk.conftest import copied
from tests.desk.test_correct import WHY, yes
from tests.desk.test_upgrades import SAMPLES
from tests.desk.test_verify import forget_fingerprints, put
from tests.playing import codes_of, take_lines

Use = Callable[..., None]


def play(patch: pytest.MonkeyPatch, version: str, tribute: int = 3, chapter: str = "1",
         was: Mapping[str, int] | None = None) -> None:
    """Make a version of Two Villages of it in which each march brings tribute, cited as a chapter."""
    def march(game: Game) -> None:
        tiny.march(game)
        for side in game.campaign.table(tiny.Faction):
            side.gold += game.rules.tribute
            game.tell("paid", [side.faction], rule=chapter, n=game.rules.tribute)

    numbers = (*tiny.Tiny.numbers[:2], Number("tribute", tribute, "gold", "1", "What a march brings.", was=was))
    patch.setattr(tiny.Tiny, "version", version)
    patch.setattr(tiny.Tiny, "numbers", numbers)
    patch.setattr(tiny.Tiny, "events", {**tiny.EVENTS, "paid": EventType("paid", "{n} gold come in.", to=EACH_TIME)})
    patch.setitem(tiny.DECLARED, "march", Phase("march", "March", "Marcia", "1", march, orders="march"))


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """`play`, until the test is over."""
    return partial(play, monkeypatch)


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory, fresh: Path) -> Path:
    """A turn and the march of the next by version 1, each phase a command of its own."""
    book = copied(fresh, tmp_path_factory.mktemp("versions"))
    with pytest.MonkeyPatch.context() as patch:
        play(patch, "1")
        take_lines(book, "A: M1", "B: M1")
        for _ in range(2):
            assert desk.resolve(book, defaults=True).exit == Exit.DONE
        take_lines(book, "battle B1.M1 A 3")
        assert desk.resolve(book).exit == Exit.DONE
        take_lines(book, "A: A1")
        assert desk.resolve(book, until="2.march").exit == Exit.DONE
    return book.parent


@pytest.fixture
def played(use: Use, campaign: Path, tmp_path: Path) -> Path:
    """It, to play on; by version 1 until another is used."""
    use("1")
    return copied(campaign, tmp_path)


def verify(book: Path) -> Result:
    """The verdict, in English."""
    return desk.verify(book, lang="en")


def correct(book: Path, *lines: str, write: bool = False) -> Result:
    """What a correction would come to, or comes to."""
    wish = CorrectionRequest(tuple(Input(line, text=line) for line in lines))
    return desk.correct(book, wish, CorrectionOptions(WHY), confirm=yes if write else never_confirm, lang="en")


def rule(book: Path, key: str = "tribute") -> Any:
    """What the sheet Rules says of a number; None where it has no such row."""
    row = campaign_of(book).table(Rule).get(key)
    return None if row is None else row.value


# --- who resolved a phase -------------------------------------------------------------------------
def test_the_ledger_notes_who_resolved_each_phase(played: Path) -> None:
    """Versions of Arbitro and of the rules, and a fingerprint of the code, for phases and for nothing else."""
    with Ledger.open(path_of_ledger(played), "") as ledger:
        steps, makers = ledger.steps(), ledger.makers()

    assert set(makers) == {step.id for step in steps if step.verb == "resolve"}
    assert set(makers.values()) == {current_provenance(tiny.TINY)}
    assert current_provenance(tiny.TINY).rules == "1"
    assert len(current_provenance(tiny.TINY).code) == 12


def test_each_wing_has_a_fingerprint_of_its_own() -> None:
    """The same code the same one, each time; another rulebook's is another."""
    assert current_provenance(GIGLIO) == current_provenance(GIGLIO)
    assert current_provenance(GIGLIO).code != current_provenance(tiny.TINY).code


# --- what another version made --------------------------------------------------------------------
def test_a_changed_citation_accuses_nobody(use: Use, played: Path) -> None:
    """The first trial of the two: said once, and verified."""
    use("2", chapter="1.4, p. 12")

    result = verify(played)

    assert (result.exit, result.data["verified"], codes_of(result)) == (Exit.DONE, True, ["ARB-132"])
    assert result.data["phases"] == 4
    (line,) = result.finding_lines()
    assert "Arbitro 0.1.0 (rules 1, code" in line
    assert "2 phases" in line


def test_the_same_version_answers_for_its_citations(use: Use, played: Path) -> None:
    """What was resolved by the code that runs now must come out the same, to the last sign."""
    use("1", chapter="1.4, p. 12")

    assert codes_of(verify(played)) == ["ARB-126"]


def test_a_changed_number_accuses_no_chest(use: Use, played: Path) -> None:
    """The second trial: the version is named, the phases are told, nobody is accused, but nothing is claimed either."""
    use("2", tribute=5)

    result = verify(played)

    assert (result.exit, result.data["verified"], codes_of(result)) == (Exit.DONE, False, ["ARB-133"])
    assert [(one["turn"], one["phase"], one["hand"]) for one in result.data["otherwise"]] == [
        ("1", "march", "no"), ("2", "march", "no")]
    first = result.data["otherwise"][0]
    assert (first["sheet"], first["row"], first["field"]) == ("Factions", "A", "gold")
    assert first["by"] == {**current_provenance(tiny.TINY)._asdict(), "rules": "1"}
    assert result.lines == ["2 of 4 phases are the same; another version resolved the others."]


def test_a_cheat_is_not_excused_by_another_version(use: Use, played: Path) -> None:
    """Gold that somebody typed since is named at its cell, beside a number that changed."""
    use("2", tribute=5)
    cell = put(played, "Factions", campaign_of(played).by_sheet("Factions")["A"].gold, 100)

    result = verify(played)

    assert (result.exit, codes_of(result)) == (Exit.REFUSED, ["ARB-126", "ARB-133"])
    assert (result.data["first"]["cell"], result.data["first"]["found"]) == (cell, "100")


def test_a_citation_that_somebody_typed_is_not_excused(use: Use, played: Path) -> None:
    """Only what Arbitro itself had written may read otherwise."""
    use("2", chapter="1.4, p. 12")
    put(played, "Events", "1", "as I say")

    result = verify(played)

    assert (result.exit, codes_of(result)) == (Exit.REFUSED, ["ARB-126", "ARB-132"])
    assert (result.data["first"]["sheet"], result.data["first"]["found"]) == ("Events", "as I say")


@pytest.mark.slow
def test_a_cheat_in_what_this_version_resolved_is_not_excused_by_what_another_did(use: Use, played: Path) -> None:
    """The march of turn 3 is today's: its gold is judged as ever, also where the ledger's fingerprints are gone."""
    use("2", tribute=5)
    assert desk.resolve(played, until="3.march", defaults=True).exit == Exit.DONE
    put(played, "Factions", campaign_of(played).by_sheet("Factions")["A"].gold, 100)
    forget_fingerprints(played)

    result = verify(played)

    assert "ARB-126" in codes_of(result)
    assert (result.data["first"]["turn"], result.data["first"]["phase"]) == ("3", "march")


@pytest.mark.slow
def test_where_the_ledger_does_not_know_it_is_said(use: Use, played: Path) -> None:
    """Tampered with, and the fingerprints, too: neither an accusation nor a verdict."""
    use("2", tribute=5)
    put(played, "Factions", campaign_of(played).by_sheet("Factions")["A"].gold, 100)
    forget_fingerprints(played)

    result = verify(played)

    assert (result.exit, result.data["verified"], codes_of(result)) == (Exit.DONE, False, ["ARB-133", "ARB-134"])
    assert [one["hand"] for one in result.data["otherwise"]] == ["no", "unknown"]


def test_a_file_that_nobody_touched_needs_no_fingerprints(use: Use, played: Path) -> None:
    """The ledger knows the bytes before and after each change."""
    use("2", tribute=5)
    forget_fingerprints(played)

    assert codes_of(verify(played)) == ["ARB-133"]


def test_a_phase_that_does_not_end_any_more_is_told_of_its_version(use: Use, played: Path,
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    """The new rulebook asks what nobody was asked: that is not the referee's doing."""
    use("2")

    def fight(game: Game) -> None:
        game.ask(Ask("stance", "A", "M1"))

    monkeypatch.setitem(tiny.DECLARED, "fight", Phase("fight", "Fight", "Battaglia", "3", fight))

    result = verify(played)

    assert (result.exit, codes_of(result)) == (Exit.DONE, ["ARB-133"])
    assert "it does not end any more" in result.finding_lines()[0]


# --- correcting -----------------------------------------------------------------------------------
def test_a_citation_is_no_consequence_of_a_correction(use: Use, played: Path) -> None:
    """Only the spoils change sides."""
    before = correct(played, "battle B1.M1 B 3").data
    use("2", chapter="1.4, p. 12")

    after = correct(played, "battle B1.M1 B 3").data

    assert after["differences"] == before["differences"]
    assert after["void"] == before["void"]
    assert after["by_version"] == []


def test_what_another_version_made_is_no_consequence_of_a_correction(use: Use, played: Path) -> None:
    """The spoils are the correction's, the tribute is the version's; both are written, and then verified."""
    use("2", tribute=5)

    result = correct(played, "battle B1.M1 B 3", write=True)

    assert result.data["committed"], result.finding_lines()
    spoils = int(campaign_of(played).by_sheet("Dice")["spoils:B1.M1"].value)
    assert {(d["row"], d["new"] - d["old"]) for d in result.data["differences"] if d["sheet"] == "Factions"} == {
        ("A", -spoils), ("B", spoils)}
    assert {(d["row"], d["new"] - d["old"]) for d in result.data["by_version"] if d["sheet"] == "Factions"} == {
        ("A", 2), ("B", 2)}
    assert any("not consequences" in line for line in result.lines)
    assert [one["by"]["rules"] for one in verify(played).data["otherwise"]] == ["1"]


@pytest.mark.slow
def test_what_people_did_since_is_carried_through_another_version(use: Use, played: Path) -> None:
    """A ruling and an order that came later stand after a correction of the past."""
    put(played, "Nodes", "Middle", "Muddle")
    assert desk.accept(played, [], why="so the map says", everything=True).exit == Exit.DONE
    use("2", tribute=5)
    take_lines(played, "B: B1")

    result = correct(played, "battle B1.M1 B 3", write=True)

    assert result.data["committed"], result.finding_lines()
    after = campaign_of(played)
    assert after.by_sheet("Nodes")["M1"].name == "Muddle"
    assert [e.event for e in after.by_sheet("Events")].count(RULING) == 1
    assert desk.status(played).data["by_hand"] == []
    assert codes_of(verify(played)) == ["ARB-133"]


# --- a default that changes -----------------------------------------------------------------------
@pytest.mark.slow
def test_an_older_campaign_keeps_its_default(use: Use, played: Path) -> None:
    """It verifies, its next march brings what it brought, and Rules says so from its first change on."""
    use("2", tribute=5, was={"1": 3})
    assert (verify(played).data["verified"], codes_of(verify(played))) == (True, [])
    assert rule(played) is None
    gold = campaign_of(played).by_sheet("Factions")["A"].gold

    assert desk.resolve(played, until="3.march", defaults=True).exit == Exit.DONE

    assert campaign_of(played).by_sheet("Factions")["A"].gold == gold + 3
    assert rule(played) == 3
    assert desk.status(played).data["by_hand"] == []
    assert (verify(played).data["verified"], codes_of(verify(played))) == (True, [])


def test_whatever_is_the_first_change_writes_it(use: Use, played: Path) -> None:
    """An order that is taken; and it is written once."""
    use("2", tribute=5, was={"1": 3})
    take_lines(played, "B: B1")
    assert rule(played) == 3
    take_lines(played, "A: M1")

    assert [row.key for row in campaign_of(played).table(Rule)].count("tribute") == 1
    assert desk.check(played).data["by_hand"] == []


@pytest.mark.slow
def test_undo_brings_the_bytes_back_and_the_default_still_holds(use: Use, played: Path) -> None:
    """Nobody has typed it, so that it is not kept as typed; the next change writes it again."""
    use("2", tribute=5, was={"1": 3})
    before = played.read_bytes()
    assert desk.resolve(played, defaults=True).exit == Exit.DONE
    assert rule(played) == 3

    assert desk.undo(played).exit == Exit.DONE

    assert played.read_bytes() == before
    assert desk.status(played).data["by_hand"] == []
    assert desk.redo(played).exit == Exit.DONE
    assert rule(played) == 3
    take_lines(played, "A: M1")
    assert desk.undo(played).exit == Exit.DONE
    assert (desk.status(played).data["by_hand"], codes_of(verify(played))) == ([], [])


@pytest.mark.slow
def test_a_blank_number_has_the_earlier_default_too(use: Use, book: Path) -> None:
    """A row without a value says nothing; undo brings it back as it was."""
    use("1")
    (book.parent / "csv" / "rules.csv").write_text("key,value\ntribute,\n")
    blank = book.with_name("blank.xlsx")
    assert desk.new_campaign(desk.NewPlan("tiny", folder=book.parent / "csv"), blank).exit == Exit.DONE
    use("2", tribute=5, was={"1": 3})
    before = blank.read_bytes()
    assert desk.resolve(blank).exit == Exit.DONE
    assert rule(blank) == 3

    assert desk.undo(blank).exit == Exit.DONE

    assert blank.read_bytes() == before
    assert (desk.status(blank).data["by_hand"], codes_of(verify(blank))) == ([], [])


@pytest.mark.slow
def test_a_correction_keeps_it_too(use: Use, played: Path) -> None:
    """The past is replayed with what held then."""
    before = correct(played, "battle B1.M1 B 3").data
    use("2", tribute=5, was={"1": 3})

    result = correct(played, "battle B1.M1 B 3", write=True)

    assert (result.data["committed"], result.data["by_version"]) == (True, [])
    assert result.data["differences"] == before["differences"]
    assert rule(played) == 3
    assert (verify(played).data["verified"], desk.status(played).data["by_hand"]) == (True, [])


def test_a_change_by_hand_beside_it_is_decided_on_as_ever(use: Use, played: Path) -> None:
    """What somebody typed is named alone, put back or kept; what was written for the default is nobody's doing."""
    use("2", tribute=5, was={"1": 3})
    put(played, "Nodes", "Middle", "Muddle")
    assert [one["sheet"] for one in desk.status(played).data["by_hand"]] == ["Nodes"]

    assert desk.revert(played, [], everything=True).exit == Exit.DONE

    assert (rule(played), desk.status(played).data["by_hand"]) == (3, [])


def test_a_number_that_a_person_typed_stands(use: Use, played: Path) -> None:
    """The house rule of the campaign beats either default."""
    use("2", tribute=5, was={"1": 3})
    take_lines(played, "A: M1")
    put(played, "Rules", 3, 9)
    assert desk.accept(played, [], why="a rich year", everything=True).exit == Exit.DONE
    gold = campaign_of(played).by_sheet("Factions")["A"].gold

    assert desk.resolve(played, until="3.march", defaults=True).exit == Exit.DONE

    assert campaign_of(played).by_sheet("Factions")["A"].gold == gold + 9
    assert (verify(played).data["verified"], rule(played)) == (True, 9)


@pytest.mark.slow
def test_a_campaign_that_begins_now_has_the_new_default(use: Use, folder: Path, tmp_path: Path) -> None:
    """Nothing of the old one is written into it."""
    use("2", tribute=5, was={"1": 3})
    book = tmp_path / "new.xlsx"
    assert desk.new_campaign(desk.NewPlan("tiny", folder=folder), book).exit == Exit.DONE
    gold = campaign_of(book).by_sheet("Factions")["A"].gold

    take_lines(book, "A: M1")
    assert desk.resolve(book).exit == Exit.DONE

    assert (campaign_of(book).by_sheet("Factions")["A"].gold, rule(book)) == (gold + 5, None)


def test_a_renewed_ledger_knows_with_which_rules_the_campaign_began(use: Use, played: Path) -> None:
    """It takes that over from the one that it sets aside."""
    use("2", tribute=5, was={"1": 3})
    assert desk.renew_ledger(played).exit == Exit.DONE
    with Ledger.open(path_of_ledger(played), "") as ledger:
        assert ledger.began == "1"
    assert rule(played) == 3


@pytest.mark.parametrize(("began", "held"), [("", 10), ("1", 10), ("2", 20), ("3", 20), ("4", None), ("10", None)])
def test_each_version_has_its_default(began: str, held: int | None) -> None:
    """10 until version 1, 20 until version 3, 30 since."""
    number = Number("fee", 30, "gold", "1", "A fee.", was={"1": 10, "3": 20})
    assert earlier_defaults([number], "", began) == ({} if held is None else {"fee": held})


def test_a_switch_has_its_earlier_option_by_edition() -> None:
    """What an edition decides was decided by that edition, too; a plain default does not touch it."""
    plain = Switch("sky", ("wet", "dry"), "1", "The sky.", was={"1": "dry"})
    preset = Switch("sky", ("wet", "dry"), "1", "The sky.", {"EN": "wet"}, was={"1": "dry"})
    each = Switch("sky", ("wet", "dry"), "1", "The sky.", {"EN": "wet"}, was={"1": {"EN": "dry"}})
    assert earlier_defaults([plain], "EN", "1") == {"sky": "dry"}
    assert (earlier_defaults([preset], "EN", "1"), earlier_defaults([preset], "IT", "1")) == ({}, {"sky": "dry"})
    assert (earlier_defaults([each], "EN", "1"), earlier_defaults([each], "IT", "1")) == ({"sky": "dry"}, {})


# --- the rulebooks that ship ----------------------------------------------------------------------
def sample(name: str, place: Path) -> Path:
    """A copy of the workbook of a sample, with its ledger."""
    for path in (SAMPLES / name).iterdir():
        shutil.copyfile(path, place / path.name)
    return next(place.glob("*.xlsx"))


def cite_otherwise(patch: pytest.MonkeyPatch) -> None:
    """Every event rests on another page."""
    tell = Game.tell

    def cited(game: Game, event: str, to: Any = None, /, *, rule: str = "", **rest: Any) -> Any:
        return tell(game, event, to, rule=f"{rule or game.phase_rule}, p. 7", **rest)

    patch.setattr(Game, "tell", cited)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["anarchy-days", "giglio-year"])
def test_running_campaigns_outlive_new_citations(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every event of the samples is cited otherwise: verified, and said once."""
    book = sample(name, tmp_path)
    cite_otherwise(monkeypatch)

    result = verify(book)

    assert (result.exit, result.data["verified"], codes_of(result)) == (Exit.DONE, True, ["ARB-132"])
    assert "an earlier Arbitro" in result.finding_lines()[0]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "line"), [("giglio-year", "battle B1500.1.M7 a 45 60"),
                                            ("anarchy-days", "die promise/M-WE1 9")])
def test_new_citations_are_no_consequence_of_a_correction(name: str, line: str, tmp_path: Path,
                                                          monkeypatch: pytest.MonkeyPatch) -> None:
    """It lists what it would have listed before."""
    book = sample(name, tmp_path)
    before = correct(book, line).data
    cite_otherwise(monkeypatch)

    after = correct(book, line).data

    assert uncited(after["differences"]) == uncited(before["differences"])
    assert (after["void"], after["by_version"]) == (before["void"], [])


def uncited(differences: list[dict[str, Any]]) -> list[str]:
    """Differences without the rules that they cite."""
    return [json.dumps({**one, "rule": "", **{side: {**one[side], "rule": ""} for side in ("old", "new")
                                              if isinstance(one[side], dict)}}, sort_keys=True) for one in differences]


@pytest.mark.slow
def test_a_running_campaign_outlives_a_new_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The taxes of Il Giglio's villages change: no chest of 1500 is accused, whether the old value is kept or not."""
    book = sample("giglio-year", tmp_path)

    def taxes(was: Mapping[str, int] | None) -> None:
        numbers = [Number(one.key, 12, one.unit, one.source, one.meaning, was=was)
                   if isinstance(one, Number) and one.key == "tax_village" else one for one in GIGLIO.numbers]
        monkeypatch.setattr(type(GIGLIO), "numbers", tuple(numbers))

    taxes({"1": 10})
    assert (verify(book).data["verified"], codes_of(verify(book))) == (True, ["ARB-132"])
    taxes(None)
    result = verify(book)
    assert (result.exit, codes_of(result)) == (Exit.DONE, ["ARB-132", "ARB-133"])
    assert {one["hand"] for one in result.data["otherwise"]} == {"no"}
    taxes({"1": 10})
    assert desk.resolve(book, defaults=True).exit == Exit.DONE
    assert rule(book, "tax_village") == 10


@pytest.mark.slow
def test_texts_that_another_version_worded_are_nobodys(tmp_path: Path) -> None:
    """What earlier code worded otherwise is not called typed over; once today's code has written, what is typed is."""
    book = sample("giglio-year", tmp_path)
    assert "ARB-185" not in codes_of(desk.check(book))
    assert desk.resolve(book, defaults=True).exit == Exit.DONE
    assert "ARB-185" not in codes_of(desk.check(book))
    typed = hand.opened(book)
    sheet = next(typed[name] for name in typed.sheetnames if name in ("Rules", "Regole"))
    heading = next(cell for row in sheet.iter_rows(max_row=8) for cell in row if cell.value in ("Source", "Fonte"))
    sheet.cell(heading.row + 1, heading.column).value = "somebody's own book"
    typed.save(book)
    assert "ARB-185" in codes_of(desk.check(book))


def test_a_ledger_of_earlier_code_says_so() -> None:
    """A sample has no notes: its phases were resolved by an earlier version, its campaign began before versions."""
    place = SAMPLES / "giglio-year" / "giglio.arbitro"
    with Ledger.open(place, "") as ledger:
        assert {maker.arbitro for maker in ledger.makers().values()} == {""}
        assert ledger.began == ""
