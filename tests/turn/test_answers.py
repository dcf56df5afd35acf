"""What an answer is: read into what it means, or told why it cannot be."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import UnreadableValue
from assistant.campaign.records import BASE, Army, Desk, Faction, Node
from assistant.campaign.records import Question as BaseQuestion
from assistant.rulesets.anarchy.ruleset import ANARCHY as ANARCHY_BOOK
from assistant.rulesets.giglio.ruleset import GIGLIO as GIGLIO_BOOK
from assistant.turn.dice import REFEREE, Dice
from assistant.turn.findings import Message
from assistant.turn.game import Game
from assistant.turn.numbers import Rules
from assistant.turn.orders.words import fold, meaning_of_word
from assistant.turn.questions import (
    Amount,
    AnswerContext,
    AnswerKind,
    Ask,
    Codes,
    Option,
    Parts,
    QuestionType,
    Shares,
    Text,
    Told,
    Waiting,
    offering,
    strip_until,
)
from assistant.turn.ruleset import Ruleset
from assistant.turn.texts import keyed
from assistant.wording import Wording


def read(kind: AnswerKind, text: str, *options: str, **more: Any) -> Any:
    """What an answer means, or the role under which it cannot be taken."""
    try:
        return replace(kind, offer=AnswerContext(options, **more)).read(text)
    except UnreadableValue as unfit:
        return unfit.reason


# --- words --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("typed", "folded"), [
    (" Sì ", "si"), ("GO  BACK", "go_back"), ("shut-in", "shut_in"), ("all'incontro", "all_incontro"),
    ("all’incontro", "all_incontro")])
def test_case_accents_blanks_hyphens_and_apostrophes_do_not_count(typed: str, folded: str) -> None:
    """One fold for all words that people type."""
    assert fold(typed) == folded


@pytest.mark.parametrize(("known", "typed"), [
    ("accettare", "accetta"), ("accettare", "accetto"), ("accetta", "accettare"), ("attack", "to attack"),
    ("indietreggiare", "Indietreggia"), ("rinchiudersi", "rinchiuditi"), ("rinchiudersi", "si rinchiude"),
    ("fermarsi", "fermo"), ("combatte", "combattere"), ("combatti", "combattere"), ("prende", "prendere"),
    ("brucia", "bruciare"), ("resta", "restare"), ("si_chiude", "chiudersi"), ("chiuditi", "chiudersi"),
    ("ritirati", "ritirarsi"), ("cedono", "cedere"), ("libera", "liberare"), ("uccide", "UCCIDERE"),
    ("prometti", "promettere"), ("esce", "esce"), ("fuggire", "fuggi"), ("finire", "finisci")])
def test_a_verb_is_understood_in_the_imperative_and_in_the_infinitive(known: str, typed: str) -> None:
    """Whichever of the two a ruleset has declared; in English with or without its to."""
    assert meaning_of_word(typed, {known: "it"}) == "it"


@pytest.mark.parametrize("typed", ["attaccano le trombe", "acceptare", "", "are", "accettazione"])
def test_another_word_is_none(typed: str) -> None:
    """What only resembles a known word is not taken for it."""
    assert meaning_of_word(typed, {"accettare": "accept", "attacca": "attack"}) == ""


OFFERED = {
    GIGLIO_BOOK: {"choice": "stop, retreat, attack, shut_in", "ally_confirm": "accept, refuse", "betrayal": "yes, no"},
    ANARCHY_BOOK: {
        "attack": "attack, pass", "accept": "fight, refuse, shut_in", "join": "yes, no", "battle": "entered, auto",
        "standoff": "attack, withdraw", "hire": "pay, promise:n, no", "convoy": "buy:3, take, pass",
        "train": "take, burn, pass", "prize": "take, loot:2, burn"},
}
RULINGS = ("free", "held", "killed", "give_way", "stay", "abandon", "burn", "men", "nobles")


@pytest.mark.parametrize("lang", ["it", "en"])
@pytest.mark.parametrize("book", OFFERED)
def test_every_option_is_understood_as_it_is_shown(book: Ruleset, lang: str) -> None:
    """In either language, from the list of possibilities straight into the answer."""
    wording = Wording(book, lang)
    for kind, offered in OFFERED[book].items():
        options = offered.split(", ")
        declared = book.questions[kind]
        for option, shown in zip(options, wording.options(offered).split(", "), strict=True):
            example = shown.rpartition(" ")[2].rstrip(")")  # promise:amount (for example promise:12)
            typed, meant = example if ":n" in option else shown, option.replace(":n", ":12")
            answer = replace(declared.answer, offer=AnswerContext(options, declared.answers))
            assert answer.read(typed) == meant, (kind, shown)


@pytest.mark.parametrize("lang", ["it", "en"])
def test_rulings_are_understood_as_they_are_shown(lang: str) -> None:
    """What the referee may rule in The Anarchy."""
    wording = Wording(ANARCHY_BOOK, lang)
    for option in RULINGS:
        answers = ANARCHY_BOOK.questions["ruling"].answers
        assert Option(offer=AnswerContext(RULINGS, answers)).read(wording.options(option)) == option


# --- kinds --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("text", "value"), [
    ("stop", "stop"), ("STOP", "stop"), ("Stop.", "stop"), (" to stop ", "stop"), ("fermarsi", "stop"),
    ("ferma", "stop"), ("go back", "retreat"), ("attaccare", "unknown"), ("Gascony", "unknown"), ("0", "unknown")])
def test_an_option_is_one_of_those_offered(text: str, value: str) -> None:
    """By itself or by a word of the ruleset; a word whose option is not offered is none."""
    words = {"fermarsi": "stop", "go back": "retreat", "attaccare": "attack"}
    assert read(Option(), text, "stop", "retreat", words=words) == value


@pytest.mark.parametrize(("text", "value"), [
    ("Y", "yes"), ("vero", "yes"), ("TRUE", "yes"), ("1", "yes"), ("s", "yes"), ("Sì.", "yes"), ("n", "no"),
    ("falso", "no"), ("0", "no"), ("perhaps", "unknown")])
def test_yes_and_no_are_said_as_in_every_cell(text: str, value: str) -> None:
    """Where they are offered; elsewhere such a word is none."""
    assert read(Option(), text, "yes", "no") == value
    assert read(Option(), text, "stop", "retreat") == "unknown"


@pytest.mark.parametrize(("text", "value"), [
    ("buy:3", "buy:3"), ("buy 5", "buy:5"), ("compra: 2", "buy:2"), ("buy:6", "unknown"), ("buy:0", "unknown"),
    ("buy", "unknown"), ("buy:many", "unknown"), ("promise:0", "promise:0"), ("promise 999", "promise:999"),
    ("promise:1000", "unknown"), ("pass", "pass")])
def test_an_option_may_ask_for_an_amount(text: str, value: str) -> None:
    """``buy:5`` up to five, ``promise:n`` within the bounds of its declaration."""
    kind = Option(amounts={"promise": (0, 999)})
    assert read(kind, text, "buy:5", "promise:n", "pass", words={"compra": "buy"}) == value


@pytest.mark.parametrize(("kind", "text", "value"), [
    (Amount(), "50", 50), (Amount(), "5.0", 5), (Amount(), " 7 ", 7), (Amount(), "-1", "range"),
    (Amount(), "1.5", "whole"), (Amount(), "²", "number"), (Amount(0, 5), "6", "range"),
    (Amount(1, 10), "0", "range"), (Amount(), "ten", "number")])
def test_an_amount_is_whole_and_within_its_bounds(kind: Amount, text: str, value: int | str) -> None:
    """What is none is told apart from one that is out of bounds."""
    assert read(kind, text) == value


@pytest.mark.parametrize(("kind", "text", "value"), [
    (Codes(2), "V-1 V-3", ("V-1", "V-3")), (Codes(2), "v-3, v-1", ("V-3", "V-1")), (Codes(2), "V-1", "unknown"),
    (Codes(2), "V-1 V-1 V-2", ("V-1", "V-2")), (Codes(2), "V-1 V-9", "unknown"), (Codes(), "V-2", ("V-2",)),
    (Codes(every=True), "V-3 > V-1 > V-2", ("V-3", "V-1", "V-2")), (Codes(every=True), "V-3 V-1", "unknown"),
    (Codes(every=True, instead=("draw", "sorte")), "Sorte", ()), (Codes(every=True), "draw", "unknown")])
def test_codes_stand_in_a_line(kind: Codes, text: str, value: object) -> None:
    """Some of them, or each once in an order that counts."""
    assert read(kind, text, "V-1", "V-2", "V-3") == value


@pytest.mark.parametrize(("text", "value"), [
    ("80 30 40", (80, 30, 40)), ("80+30+40", (80, 30, 40)), ("blocchi", ()), ("80 30", "range"),
    ("80 many", "unknown"), ("80 70 0", "unknown")])
def test_an_amount_comes_in_parts(text: str, value: object) -> None:
    """Each more than nothing, and together the whole."""
    assert read(Parts(150, instead=("blocks", "blocchi")), text) == value


@pytest.mark.parametrize(("text", "value"), [
    ("V-1=20 V-2=13", {"V-1": 20, "V-2": 13}), ("v-1:20, v-2 = 13", {"V-1": 20, "V-2": 13}),
    ("V-1=33", {"V-1": 33}), ("V-1=20 V-2=12", "range"), ("V-1=0 V-2=33", "range"), ("V-3=33", "range"),
    ("V-1=20 V-2=13 please", "unknown"), ("V-1=20 V-1=13", "unknown"), ("twenty", "unknown")])
def test_an_amount_is_shared_out_among_units(text: str, value: object) -> None:
    """No unit more than it has, all together what is due, each named once."""
    assert read(Shares({"V-1": 40, "V-2": 20}, 33), text) == value


def test_a_text_may_be_anything_or_what_a_reader_makes_of_it() -> None:
    """What the reader cannot read cannot be taken."""
    assert read(Text(), "  Sir Hugh ") == "Sir Hugh"
    assert read(Text(reader=str.upper), "hold") == "HOLD"
    assert read(Text(reader=lambda text: ""), "hold") == "unknown"


def test_places_and_factions_may_be_called_by_name() -> None:
    """Also where a question lists their codes; a name that two of the offered ones have means neither."""
    campaign = Campaign(BASE)
    for node, name in (("V8", "Udine"), ("V9", "Zara"), ("V10", "Zara")):
        campaign.table(Node).add(Node(node=node, name=name))
    campaign.table(Faction).add(Faction(faction="M", name_it="Milano", name_en="Milan"))
    kind = QuestionType("way", "")

    def way(text: str, *options: str) -> Any:
        try:
            return offering(Option(), campaign, kind, options).read(text)
        except UnreadableValue:
            return None

    assert [way(text, "V8", "V9") for text in ("v8", "udine", "Zara", "V10", "Milano")] == [
        "V8", "V8", "V9", None, None]
    assert way("zara", "V9", "V10") is None
    assert [way(text, "M", "V8") for text in ("milano", "Milan")] == ["M", "M"]


# --- a game ---------------------------------------------------------------------------------------
WRONG = Told("TST-001", {"x": "answer", "list": "options"})
TYPES = keyed(
    QuestionType("way", "", wrong=WRONG), QuestionType("sum", "", answer=Amount(), wrong=WRONG,
                                                       beyond=Told("TST-002", {"n": "most", "for": "place"})),
    QuestionType("name", "", by_default=Told("TST-003", {"question": "question", "default": "default"})))
MESSAGES = keyed(Message("TST-001", "error", "'{x}'? {list}"), Message("TST-002", "error", "{n} {for}"),
                      Message("TST-003", "info", "{question} {default}"))
WAY = Ask("way", "A", "1", ("GAS", "BUR"), "GAS")


def game(**answers: str) -> Game:
    """A game at turn 1, phase p, with answers to questions of faction A, kind -> text."""
    campaign = Campaign(BASE)
    campaign.table(Desk).add(Desk(ruleset="none", turn="1", phase="p"))
    campaign.table(Faction).add(Faction(faction="A"))
    campaign.table(Army).add(Army(army="A-1", faction="A"))
    given = {f"1.p.{kind}.A.1": text for kind, text in answers.items()}
    return Game(campaign, Rules((), ""), Dice("1", b""), "p", MESSAGES, given, questions=TYPES)


@pytest.mark.parametrize("method", ["ask", "choose", "answer_to", "may_choose"])
def test_no_phase_is_handed_an_answer_outside_the_options(method: str) -> None:
    """Whatever it asks with: the question stays open, and its finding stands at its cell under the book's own code."""
    one = game(way="Gascony")

    with pytest.raises(Waiting) as stopped:
        getattr(one, method)(WAY)

    assert stopped.value.questions == [WAY]
    (found,) = one.findings
    assert (found.code, dict(found.data)) == ("TST-001", {"x": "Gascony", "list": "GAS BUR"})
    assert (found.where.table, found.where.row, found.where.field) == ("Questions", "1.p.way.A.1", "answer")
    assert found.faction == "A"


def test_an_answer_comes_as_it_is_meant() -> None:
    """Options by their code, numbers as numbers."""
    assert game(way="bur").ask(WAY) == "BUR"
    assert game(sum="30").amount(Ask("sum", "A", "1")) == 30
    assert game(way="default").choose(WAY) == "GAS"


def test_a_number_out_of_bounds_has_a_finding_of_its_own() -> None:
    """Filled from the question and from the bounds of this one."""
    one = game(sum="30")
    with pytest.raises(Waiting):
        one.amount(Ask("sum", "A", "1", asked={"place": "V8"}, answer=Amount(0, 20)))
    assert [(f.code, dict(f.data)) for f in one.findings] == [("TST-002", {"n": 20, "for": "V8"})]


def test_all_that_is_open_is_said_at_once() -> None:
    """What cannot be taken beside what is missing; what is good is not asked again."""
    one = game(way="Gascony", sum="30")
    asks = [WAY, Ask("sum", "A", "1"), Ask("name", "A", "1")]
    with pytest.raises(Waiting) as stopped:
        one.ask_all(asks)
    assert stopped.value.questions == [asks[0], asks[2]]


def test_a_choice_that_the_phase_does_not_wait_for_takes_the_default_and_says_so() -> None:
    """Where the book says what happens as a rule."""
    asked = Ask("name", "A", "1", ("yes", "no"), "no")
    one = game()
    assert one.may_choose(asked) == "no"
    assert [(f.code, dict(f.data)) for f in one.findings] == [
        ("TST-003", {"question": "1.p.name.A.1", "default": "no"})]
    assert game(name="yes").may_choose(asked) == "yes"


def test_a_question_without_options_takes_any_words_and_default_for_its_default() -> None:
    """Such as the name of a new noble."""
    asked = Ask("name", "A", "1", (), "A knight")
    assert game(name=" Sir Hugh ").ask(asked) == "Sir Hugh"
    assert game(name="predefinito").ask(asked) == "A knight"


def test_a_kind_that_is_asked_for_otherwise_than_declared_is_the_ruleset_s_fault() -> None:
    """It is told when the phase is first run, not when somebody answers."""
    with pytest.raises(TypeError, match="way"):
        game(way="GAS").amount(WAY)


def test_a_question_of_a_kind_that_nobody_declared_is_held_against_its_options_too() -> None:
    """A plug-in may forget it; the house's own finding says so (ARB-135)."""
    one = game(stance="Gascony")
    with pytest.raises(Waiting):
        one.ask(Ask("stance", "A", "1", ("stand", "flee")))
    assert [f.code for f in one.findings] == ["ARB-135"]


def test_the_referee_s_answers_concern_no_faction() -> None:
    """Their findings are the referee's alone."""
    one = Game(game().campaign, Rules((), ""), Dice("1", b""), "p", MESSAGES, {"1.p.way.referee.1": "x"},
               questions=TYPES)
    with pytest.raises(Waiting):
        one.ask(Ask("way", REFEREE, "1", ("GAS",)))
    assert [f.faction for f in one.findings] == [""]


# --- until changed --------------------------------------------------------------------------------
@pytest.mark.parametrize(("text", "plain"), [
    ("stop until changed", "stop"), ("M stop, until changed.", "M stop"), ("stop fino a nuovo avviso", "stop"),
    ("- Until  Changed", "-"), ("stop UNTIL FURTHER NOTICE", "stop"), ("passa fino a nuovo ordine", "passa")])
def test_what_makes_an_answer_stand_is_understood_in_both_languages(text: str, plain: str) -> None:
    """Behind the answer, whatever the case of letters."""
    assert strip_until(text) == (plain, True)
    assert strip_until(plain) == (plain, False)


def test_a_row_that_stands_is_named_so_that_no_question_is_called_like_it() -> None:
    """In every ruleset alike, with its faction in it."""
    for record in (BaseQuestion, ANARCHY_BOOK.record("Questions")):
        assert issubclass(record, BaseQuestion)
        name = record.standing_name("accept", "royal", "A-TAL")
        assert name == "standing.accept.royal.A-TAL"
        assert record(question=name, kind="accept").stands
        assert not record(question=name, turn="1", phase="movement").stands
        assert not record(question="accept/A-TAL/1307/A-MEU").stands
