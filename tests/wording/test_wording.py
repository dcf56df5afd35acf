"""What a reader sees: sentences from types and parameters, in both languages."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from assistant.campaign.records import Event, Question
from assistant.catalogues import italian_of, load_translations, translator
from assistant.rulesets.giglio.records import CALENDAR
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.speech import fill_braces
from assistant.turn.chances import chance
from assistant.turn.dice import Roll
from assistant.turn.findings import Finding, Where
from assistant.turn.rulebooks import load
from assistant.turn.rulings import Trial, roll_data
from assistant.wording import Wording

IT, EN = Wording(GIGLIO, "it"), Wording(GIGLIO, "en")
SIEGE = Trial(Roll("siege:V8:1500:4", "1d6", 5, (5,), "M+V"),
              (("full rounds besieging", 2), ("besieger's sapper", 1), ("bribes", 2), ("garrison", -2), ("walls", -1)),
              7)


def event(kind: str, roll: dict[str, Any] | None = None, /, **data: Any) -> Event:
    return Event(no=1, turn="1500", phase="r1.move", audience="all", event=kind, rule="3b", data=data, roll=roll or {})


def test_a_siege_die_shows_every_modifier_by_name() -> None:
    """12.3: the die, each modifier, the total, what was needed and the verdict, in both languages."""
    told = event("siege.roll", SIEGE.as_data(), node="V8", besieger="M")
    assert EN.event(told) == (
        "M besieges V8: 1d6=5, +2 full rounds besieging, +1 besieger's sapper, +2 bribes, -2 garrison, -1 walls: 7, "
        "needs 7: the place falls")
    assert IT.event(told) == (
        "M assedia V8: 1d6=5, +2 fasi intere d'assedio, +1 geniere assediante, +2 corruzione, -2 guarnigione, "
        "-1 fortificazioni: 7, serve 7: la piazza cade")


def test_the_ruling_alone_stands_in_the_sentence() -> None:
    """A report that shows the roll beside its event can tell that the sentence has it already."""
    data = SIEGE.as_data()
    assert EN.roll(data) in EN.event(event("siege.roll", data, node="V8", besieger="M"))


def test_rolls_without_a_target_and_several_rolls() -> None:
    """Plain throws show what fell; several show what tells them apart, faces of several dice are added up."""
    one = Roll("storm:1500:3", "1d6", 4, (4,), "public")
    assert IT.roll(roll_data(one)) == "1d6=4"
    assert IT.roll(roll_data(Roll("auto:B1:V", "2d6", 9, (4, 5), "V"))) == "2d6=4+5"
    assert IT.roll(roll_data(Roll("auto:B1:V", "2d6", 9, (), "V", typed=True))) == "2d6=9"
    several = roll_data(Roll("order:V:1500", "1d20", 11, (11,), "public"),
                        Roll("order:S:1500", "1d20", 11, (11,), "public"),
                        Roll("order:S:1500:t2", "1d20", 3, (3,), "public"))
    named = Wording(GIGLIO, "it", {"V": "Venezia", "S": "Spagna"})
    assert named.roll(several) == "Venezia 1d20=11; Spagna 1d20=11, poi 1d20=3"
    unlike = roll_data(Roll("crossing/U/1", "1d6", 4, (4,), "V"), Roll("wounded/crossing/U/1/2", "1d6", 6, (6,), "V"))
    assert EN.roll(unlike) == "1d6=4; wounded 2 1d6=6"
    assert EN.roll({}) == ""


def test_throws_of_one_kind_are_told_together() -> None:
    """One for each figure, with what each needed, and that some faces decide alone where one did."""
    def test(what: str, n: int, face: int, **mods: int) -> Trial:
        return Trial(Roll(f"{what}/B1/U/{n}", "1d6", face, (face,), "V"), tuple(mods.items()), 4, natural=(1, 6))

    hurt, ran = [test("wounded", 1, 2), test("wounded", 2, 6)], [test("deserter", 1, 1, elite=3)]
    assert EN.roll(roll_data(*hurt)) == "2 times 1d6=2,6, needs 4"
    assert EN.roll(roll_data(*hurt, *ran)) == (
        "wounded 2 times 1d6=2,6, needs 4; deserter 1d6=1, +3 elite: 4, needs 4 (6 always, 1 never)")
    assert Wording(load("warriors"), "it").roll(roll_data(*hurt, *ran)).startswith("ferito 2 volte 1d6=2,6, serve 4; ")
    tied = roll_data(*(Roll(f"initiative/men/{n}", "1d6", n, (n,), "V") for n in (1, 2)))
    assert (EN.roll(tied), IT.roll(tied)) == ("throw 1: 1d6=1; throw 2: 1d6=2", "tiro 1: 1d6=1; tiro 2: 1d6=2")
    assert [one.passed for one in (*hurt, *ran)] == [False, True, False]
    assert chance("1d6", 3, 4, natural=(1, 6)) == Fraction(5, 6)


def test_a_trial_that_must_stay_low_says_so() -> None:
    """Rulebooks where a low die is good say: or less."""
    low = Trial(Roll("k", "1d10", 3, (3,), "public"), (), 4, "at most").as_data()
    assert EN.roll(low) == "1d10=3: 3, needs 4 or less"
    assert IT.roll(low) == "1d10=3: 3, serve 4 o meno"


@pytest.mark.parametrize(("kind", "data", "italian", "english"), [
    ("army.lost", {"army": "V-1", "node": "V8", "why": "no retreat"},
     "V-1 è perduta a V8: senza ritirata.", "V-1 is lost at V8: no retreat."),
    ("battle.result", {"battle": "B1500.3.V8", "winner": "draw", "status": "played"},
     "La battaglia B1500.3.V8 finisce in parità.", "B1500.3.V8 ends in a draw."),
    ("battle.result", {"battle": "B1500.3.V8", "winner": "M", "status": "played"},
     "M vince B1500.3.V8.", "M wins B1500.3.V8."),
    ("battle.offered", {"battle": "B1", "node": "V8", "type": "meeting", "side_a": "V", "side_b": "M"},
     "V e M si scontrano a V8: battaglia d'incontro.", "V and M clash at V8: a meeting battle."),
    ("contact.choices", {"node": "V8", "hand": "attack", "other": "shut_in", "hand_faction": "M",
                         "other_faction": "V"},
     "V8: M ha scelto di attaccare, V di rinchiudersi.", "V8: M chose to attack, V to shut in."),
    ("specialist.enlisted", {"kind": "sapper", "code": "V-S1"},
     "Il geniere V-S1 entra in servizio.", "Sapper V-S1 enters service."),
    ("army.moved", {"army": "V-1", "path": "V8 V9 V0"}, "V-1 marcia: V8 → V9 → V0.", "V-1 marches: V8 → V9 → V0."),
    ("winter.event", {"faction": "F", "event_no": 2, "node": ""},
     "Carestia nelle città di F: alla prossima riscossione rendono meno.",
     "Famine in the cities of F: they pay less at the next income."),
    ("works.begun", {"node": "V9", "ready_year": 1502},
     "Lavori a V9, pronti nel 1502.", "Works at V9, ready in 1502."),
    ("army.reorganised", {"frm": "V-1", "to": "V-2", "amount": 30},
     "30 ducati passano da V-1 a V-2.", "30 ducats pass from V-1 to V-2."),
    ("spy.report", {"army": "M-1", "kind": "diplomat", "value": 0},
     "La tua spia riferisce: M-1 non è un'armata, ma un diplomatico.",
     "Your spy reports: M-1 is no army, but a diplomat."),
    ("spy.report", {"army": "M-1", "kind": "diplomat", "value": 0, "marker": "M-1"},
     "La tua spia riferisce: M-1 è solo un diplomatico.", "Your spy reports: M-1 is only a diplomat."),
    ("spy.report", {"army": "M-1", "kind": "army", "value": 1},
     "La tua spia riferisce: M-1 ha 1 ducato.", "Your spy reports: M-1 has 1 ducat."),
    ("place.taken", {"by": "M", "node": "V8", "frm": "V", "how": "walked in"},
     "M entra in V8, senza mura e senza guarnigione, e la toglie a V.",
     "M marches into V8, which has neither walls nor garrison, and takes it from V."),
    ("winter.recap", {"table": {"V": {"places": 9, "capitals": 1, "ports": 2}, "M": {"places": 4, "capitals": 1}}},
     "L'anno è finito. V: luoghi 9, capitali 1, porti 2; M: luoghi 4, capitali 1.",
     "The year is over. V: places 9, capitals 1, ports 2; M: places 4, capitals 1."),
])
def test_events_are_sentences(kind: str, data: dict[str, Any], italian: str, english: str) -> None:
    """Types with parameters become sentences; words among the parameters are translated, years keep their digits."""
    assert IT.event(event(kind, **data)) == italian
    assert EN.event(event(kind, **data)) == english


def test_codes_are_called_by_name_where_names_are_given() -> None:
    """A parameter that is a code, or several codes in a line, is shown by its name."""
    named = Wording(GIGLIO, "it", {"V": "Venezia", "P": "Papato", "V8": "Padova"})
    assert named.event(event("siege.begun", node="V8", besieger="P")) == "Il Papato pone l'assedio a Padova."
    assert named.event(event("order.set", order="V P")) == "Ordine di mossa: Venezia, Papato."
    assert named.event(event("order.set", order=["V", "P"])) == "Ordine di mossa: Venezia, Papato."


def test_a_verification_without_a_winner_has_a_sentence_of_its_own() -> None:
    """Blank parameters leave no holes: the sentence of who reached something is left out."""
    end = event("campaign.end", reached="", winners="", detail={"V": {"objective": "ports", "reached": False}})
    assert EN.event(end) == "There is no winner. V: objective ports, reached no."
    assert IT.event(end) == "Nessun vincitore. V: obiettivo porti, centrato no."


def test_findings_say_what_was_seen_and_leave_out_what_is_not_known() -> None:
    """GIG-005 with and without a near code; GIG-002 names verb and phase in the language."""
    where = Where("Orders", "o1", "path")
    far = Finding("GIG-005", "error", where, {"node": "X9", "near": ""})
    near = Finding("GIG-005", "error", where, {"node": "V88", "near": "V8"})
    assert EN.finding(far) == "'X9' is not on the map."
    assert IT.finding(near) == "'V88' non è sulla mappa. Intendevi V8?"
    assert IT.finding(Finding("GIG-002", "error", where, {"verb": "siege", "phase": "budget"})) == (
        "L'ordine assedia si può dare in primavera e nelle fasi d'estate, non in Bilancio e arruolamento. Sposta lì la "
        "riga.")


def test_findings_of_the_house_name_sheets_in_the_language() -> None:
    """ARB findings are worded by the same catalogue, with or without a ruleset."""
    missing = Finding("ARB-010", "error", Where("Armies"), {"sheet": "Armies"})
    assert IT.finding(missing).startswith("Manca il foglio Armate.")
    assert Wording(None, "it").finding(missing).startswith("Manca il foglio Armate.")


def test_questions_are_sentences() -> None:
    """12.2: the bribe shows the modifiers before the die, a treaty without end says so."""
    bribe = Question(kind="bribe", to="M", about="V8",
                     asked={"node": "V8", "mods": {"full rounds besieging": 2, "walls": -1}, "target": 7, "step": 25})
    assert IT.question(bribe) == ("Assedio di V8: la piazza cade con 7. Prima del dado: +2 fasi intere d'assedio, "
                                  "-1 fortificazioni. Quanti ducati in corruzione, 25 per ogni +1?")
    treaty = Question(kind="ally_confirm", to="V", asked={"f": "P", "y": "-", "passage": "no_passage", "terms": "pace"})
    assert IT.question(treaty) == "P offre un patto senza scadenza, senza diritto di passaggio: pace"
    assert EN.question(treaty) == "P offers a treaty without end, no passage: pace"


def test_a_year_is_no_number_whose_thousands_are_set_apart() -> None:
    """The last year of a treaty, offered or refused; ducats beside it are grouped."""
    treaty = Question(kind="ally_confirm", to="V",
                      asked={"f": "P", "y": 1502, "passage": "no_passage", "terms": "pace"})
    assert IT.question(treaty) == "P offre un patto fino al 1502, senza diritto di passaggio: pace"
    past = Finding("GIG-007", "error", Where("Orders", "x", "amount"), {"amount": 1499, "what": "no year"})
    assert EN.finding(past).startswith("A treaty cannot end in 1499, which is past")
    assert EN.text("{year}, {turn}, {until}: {n}", year=1501, turn=1501, until=1502, n=1501) == (
        "1501, 1501, 1502: 1,501")


def test_a_question_names_what_is_offered_and_nothing_else() -> None:
    """6.4: who may not go back or shut himself in is not asked whether he will."""
    asked = {"node": "V8", "opponent": "M"}
    venice = Question(kind="choice", to="V", about="V8/M", options="stop, attack, shut_in", asked=asked)
    assert EN.question(venice) == "V8: you meet M. Your choice: stop, attack, shut in?"
    assert IT.question(venice) == "V8: hai davanti M. Che cosa fai: fermarsi, attaccare, rinchiudersi?"
    assert "shut in" not in EN.question(Question(kind="choice", to="HRI", about="V8/V", options="stop, retreat, attack",
                                                 asked=asked))


@pytest.mark.parametrize(("kind", "options", "end"), [
    ("accept", "fight, refuse, shut_in", ": fight, refuse, or shut the gates?"),
    ("accept", "fight, refuse", ": fight, or refuse?"),
    ("convoy", "buy:5, take, pass", ": buy, take, or pass?"), ("convoy", "buy:5, pass", ": buy, or pass?"),
    ("convoy", "take, pass", ": take, or pass?"), ("lure", "attack, pass", ": attack, or pass?"),
    ("hire", "pay, no", ": pay £2, or not?"), ("prize", "take, burn", ": take, or burn?"),
    ("prize", "take, loot:3, burn", ": take, loot, or burn?")])
def test_a_question_of_the_anarchy_names_what_is_offered(kind: str, options: str, end: str) -> None:
    """The sentence goes with its options."""
    asked = {"unit": "A1", "met": "B1", "hex": "0504", "convoy": "C1", "cargo": 4, "mercs": "M1", "cost": "2",
             "x": "C1"}
    question = Question(kind=kind, to="royal", about="A1/0504/B1", options=options, asked=asked)
    assert Wording(load("anarchy"), "en").question(question).endswith(end)


def test_an_answer_that_came_before_its_question_is_named() -> None:
    """Answers may be sent ahead: then only kind and subject are known, and no empty braces are shown."""
    assert IT.question(Question(kind="choice", to="V", about="V8/M")) == "scelta V8/M"
    assert EN.question(Question(kind="retreat_to", to="V", about="B1/V-1")) == "retreat to B1/V-1"


def test_the_calendar_of_dates_is_that_of_the_tables() -> None:
    """A date among the parameters is translated as the table of the rounds has it."""
    for english, italian in CALENDAR:
        assert (EN.word(english), IT.word(english)) == (english, italian)


def test_unknown_types_and_braces_never_fail() -> None:
    """An event of another version, a missing parameter, braces in a club's text: shown as they are."""
    assert EN.event(event("no.such", a=1)) == "no.such (a: 1)"
    assert EN.question(Question(kind="riddle", about="V8")) == "riddle (about: V8)"
    assert EN.finding(Finding("XYZ-1", "error", Where(), {"b": "x"})) == "XYZ-1 (b: x)"
    assert EN.event(event("army.landed", army="V-1")) == "V-1 lands {node:at}."
    assert EN.text("{a} of {b!r} {0}", a="{b}") == "{b} of {b!r} {0}"


def test_numbers_and_plurals() -> None:
    """Thousands are set apart as the language does it; one and many have their own sentences."""
    assert (IT.number(12345), EN.number(12345), IT.number(-1234)) == ("12.345", "12,345", "-1.234")
    assert IT.text("{n} of it", n=12345) == "12.345 of it"
    assert IT.plural("{n} finding.", "{n} findings.", 1) == "1 rilievo."
    assert IT.plural("{n} finding.", "{n} findings.", 2) == "2 rilievi."
    assert EN.plural("{n} finding.", "{n} findings.", 1200) == "1,200 findings."
    assert Wording(None, "en", {"5": "Cape Storm"}).plural("{n} finding.", "{n} findings.", 5) == "5 findings."


def test_words_come_from_the_catalogue_the_columns_or_stay() -> None:
    """A word is looked up among the ruleset's words, then the options of columns; codes stay as they are."""
    assert IT.word("no retreat") == "senza ritirata"
    assert IT.word("under_way") == "in corso"
    assert (EN.word("under_way"), EN.word("no_passage")) == ("under way", "no passage")
    assert (IT.word("V-1"), EN.word("my_own_words")) == ("V-1", "my_own_words")


def test_a_language_without_a_catalogue_speaks_english() -> None:
    """English needs no catalogue, and another language falls back to it."""
    assert Wording(GIGLIO, "fr").lang == "en"
    assert translator("en")("Standings") == "Standings"
    assert translator("it")("Standings") == "Classifica"
    assert italian_of("{fleet} sails to {to:the}.", GIGLIO) == "{fleet} va {to:dove}."
    assert italian_of("no such text", GIGLIO) == "no such text"


def test_a_checkout_without_compiled_catalogues_reads_the_source(tmp_path: Path) -> None:
    """Where the .mo is missing the .po is compiled in memory; where both are missing, English."""
    home = tmp_path / "it" / "LC_MESSAGES"
    home.mkdir(parents=True)
    (home / "toy.po").write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\n'
                                 'msgid "well"\nmsgstr "pozzo"\n', encoding="utf-8")
    assert load_translations("toy", tmp_path, "it").gettext("well") == "pozzo"
    assert load_translations("none", tmp_path, "it").gettext("well") == "well"


def test_later_sentences_with_a_blank_are_left_out() -> None:
    """Only a sentence after the first goes, and only where its parameter is there and blank."""
    values = {"a": "x", "near": ""}
    assert fill_braces("No {a}. Did you mean {near}? Go on.", lambda brace: values.get(brace.name)) == "No x. Go on."
    assert fill_braces("{near} is first. {gone}", lambda brace: values.get(brace.name)) == "is first. {gone}"


@pytest.mark.parametrize(("n", "told"), [(0, "0 mappe"), (1, "1 mappa"), ("1", "1 mappa"), (2, "2 mappe")])
def test_words_agree_with_numbers(n: int | str, told: str) -> None:
    """*1 mappa*, never *1 mappe*; also where the number was kept as a text."""
    assert IT.text("{n} {n?mappa|mappe}", n=n) == told
