"""What people tell of a battle in their own words: understood, or proposed, or refused; never something else."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.columns import UnreadableValue
from assistant.campaign.records import Battle, Faction, Question
from assistant.desk.intake.line_parser import classify_line, judged_lines, result_reader
from assistant.turn.battle_results import blank_lines, fight_of
from assistant.turn.battle_sentences import ResultReading, format_line
from assistant.turn.findings import Finding
from assistant.turn.phases import resolve
from assistant.turn.ruleset import Ruleset
from tests.turn.test_club_form import SECRET, STARTS

pytestmark = pytest.mark.slow
"""Battles of five campaigns are waited for."""


@cache
def waiting(book: str) -> tuple[Ruleset, Campaign, str]:
    """A campaign that waits for the result of a battle, and the battle's code."""
    ruleset, campaign = STARTS[book][0], STARTS[book][1]()
    for _ in range(6):
        outcome = resolve(ruleset, campaign, SECRET)
        campaign = outcome.campaign
        if not outcome.done:
            break
    row = campaign.table(Battle).open_rows(campaign.desk.turn, lambda battle: battle.hold == "asked")[0]
    return ruleset, campaign, row.battle


def told(book: str, club: str, text: str) -> ResultReading:
    """What a club, "" for the referee, says of the battle."""
    ruleset, campaign, battle = waiting(book)
    return result_reader(ruleset, campaign, battle, club).read(text)


SAID = [
    ("giglio", "V", "we won, M lost 26", ["winner=b losses_a=26"]),
    ("giglio", "V", "abbiamo vinto noi", ["winner=b"]),
    ("giglio", "V", "abbiamo perso noi, 55 ducati persi dai nostri", ["winner=a losses_b=55"]),
    ("giglio", "V", "55 ducati le nostre perdite", ["losses_b=55"]),
    ("giglio", "M", "pari, noi 26 di perdite", ["winner=draw losses_a=26"]),
    ("giglio", "V", "pareggio", ["winner=draw"]),
    ("giglio", "", "nessuno ha vinto", ["winner=draw"]),
    ("anarchy", "royal", "we won, the angevins fled on turn nine", ["outcome=attacker how=fled turns=9"]),
    ("anarchy", "angevin", "abbiamo perso, siamo fuggiti", ["outcome=attacker how=fled"]),
    ("anarchy", "royal", "A1: two foot killed, one wounded", ["A1 foot: killed=2", "A1 foot: wounded=1"]),
    ("anarchy", "royal", "due cavalieri di A1 uccisi e un arciere ferito",
     ["A1 knights: killed=2", "A1 bows: wounded=1"]),
    ("anarchy", "angevin", "N2 è stato catturato", ["E1 N2: captured=1"]),
    ("anarchy", "", "draw, time ran out", ["outcome=draw how=time"]),
    ("bloodlust", "SEK", "we won, Vorozion retreats", ["winner=attacker retreat=defender"]),
    ("bloodlust", "VOR", "abbiamo perso, ci ritiriamo", ["winner=attacker retreat=defender"]),
    ("bloodlust", "SEK", "SEK-u1: destroyed", ["SEK-u1: destroyed=yes"]),
    ("bloodlust", "SEK", "Furies took three hits and routed", ["SEK-u1: hits=3 routed=yes"]),
    ("bloodlust", "SEK", "Furei took 3 hits", ["SEK-u1: hits=3"]),
    ("bloodlust", "VOR", "VOR-u1 in rotta, VOR-u2 distrutta", ["VOR-u1: routed=yes", "VOR-u2: destroyed=yes"]),
    ("bloodlust", "VOR", "VOR-u1 non è in rotta", ["VOR-u1: routed=no"]),
    ("bloodlust", "", "Vorozion ha vinto, i Sekeker si ritirano", ["winner=defender retreat=attacker"]),
    ("warriors", "orcs", "O1a tre uccisi e due in rotta", ["O1a: killed=3 routed=2"]),
    ("warriors", "men", "M1a all killed", ["M1a: killed=10"]),
    ("warriors", "orcs", "abbiamo perso, quattro turni", ["outcome=defender day_turns=4"]),
    ("warriors", "men", "O1's commander was killed", ["O1: commander_killed=yes"]),
    ("warriors", "orcs", "il condottiero di O1 è caduto", ["O1: commander_killed=yes"]),
    ("incursio", "esdef", "ci restano due fanti", ["att_after=FF"]),
    ("incursio", "varannah", "fuori resta un assalitore, in guarnigione nessuno", ["open_after=As garrison_after=-"]),
    ("incursio", "", "attackers have two foot left, outside nobody", ["att_after=FF open_after=-"]),
    ("giglio", "M", "ci hanno battuti; noi 40 ducati di perdite", ["winner=b losses_a=40"]),
    ("giglio", "V", "V was beaten by M", ["winner=a"]),
    ("anarchy", "angevin", "siamo scappati al sesto turno", ["how=fled turns=6"]),
    ("anarchy", "royal", "A1 lost a knight dead and two foot hurt", ["A1 knights: killed=1", "A1 foot: wounded=2"]),
    ("bloodlust", "VOR", "i Sekeker ci hanno battuti, noi ci siamo ritirati", ["winner=attacker retreat=defender"]),
    ("bloodlust", "SEK", "we beat Vorozion", ["winner=attacker"]),
    ("anarchy", "royal", "gli attaccanti hanno battuto i difensori", ["outcome=attacker"]),
    ("warriors", "men", "abbiamo resistito, cinque turni", ["outcome=defender day_turns=5"]),
    ("warriors", "men", "M1a: four dead, two ran", ["M1a: killed=4 routed=2"]),
    ("incursio", "varannah", "fuori sopravvive un solo assalitore", ["open_after=As"]),
    ("incursio", "varannah", "garrison wiped out", ["garrison_after=-"])]


@pytest.mark.parametrize(("book", "club", "text", "lines"), SAID)
def test_a_result_in_people_s_own_words_is_understood(book: str, club: str, text: str, lines: list[str]) -> None:
    """By who won and who ran, by code, name and rank, in digits and words, with a slip; also without the code."""
    ruleset, campaign, _ = waiting(book)
    assert [format_line(line) for line in told(book, club, text).lines] == lines
    line = classify_line(text, ruleset, campaign, club)
    assert (line.kind, line.faction) == ("battle", club)


@pytest.mark.parametrize(("book", "club", "text", "some"), [
    ("warriors", "men", "M1a lost 3", ["M1a: killed 3", "M1a: left in rout 3", "M1a: left by order 3"]),
    ("warriors", "men", "abbiamo vinto noi, M1 ha perso 3 basi", ["outcome defender", "M1a: killed 3"]),
    ("warriors", "men", "M1a routed", ["M1a: left in rout 10"]),
    ("anarchy", "angevin", "E1 ha perso due fanti armati", ["E1 foot: killed 2", "E1 foot: captured 2"]),
    ("bloodlust", "VOR", "Legionaries took 3 hits", ["VOR-u1: hits 3", "VOR-u2: hits 3"]),
    ("giglio", "V", "we beat them and lost 30 ducats", ["winner b"])])
def test_what_may_mean_several_things_is_proposed(book: str, club: str, text: str, some: list[str]) -> None:
    """Nothing is taken; each proposal is a line that the form takes."""
    reading = told(book, club, text)
    offered = [format_line(line, "en") for line in reading.proposals]
    assert reading.lines == ()
    assert set(some) <= set(offered)
    for line in offered:
        assert told(book, club, line).lines, line


@pytest.mark.parametrize(("book", "club", "text"), [
    ("giglio", "V", "che bella partita"), ("bloodlust", "SEK", "what a fight"),
    ("warriors", "men", "see you on thursday"), ("incursio", "esdef", "grazie della serata")])
def test_chat_is_no_result(book: str, club: str, text: str) -> None:
    """Neither with the battle's code nor without."""
    ruleset, campaign, _ = waiting(book)
    assert classify_line(text, ruleset, campaign, club).kind == "order"
    try:
        reading = told(book, club, text)
    except UnreadableValue:
        return
    assert not reading.lines or book == "incursio"  # whose form says what is wrong with the units


@pytest.mark.parametrize("book", STARTS)
@pytest.mark.parametrize("lang", ["en", "it"])
def test_a_line_in_words_is_read_like_the_form(book: str, lang: str) -> None:
    """What a proposal says is typed back, in the words of the form."""
    for _, club, text, lines in [said for said in SAID if said[0] == book]:
        for line in told(book, club, text).lines:
            again = told(book, club, format_line(line, lang)).lines
            assert [format_line(one) for one in again] in ([format_line(line)], lines)
    ruleset, campaign, battle = waiting(book)
    assert blank_lines(ruleset, campaign, campaign.table(Battle)[battle], lang)


@pytest.mark.parametrize("book", STARTS)
def test_a_cell_is_read_as_a_line_is_taken_in(book: str) -> None:
    """Whoever of the battle says it: the same lines, or in both cases none that counts."""
    ruleset, campaign, battle = waiting(book)
    readers = [result_reader(ruleset, campaign, battle, club) for club in ("", *campaign.table(Faction).keys())]
    for reader in [reader for reader in readers if reader.side or not reader.club]:
        for text in dict.fromkeys(said[2] for said in SAID if said[0] == book):
            taken = judged_lines(reader, Question(question="report", to=reader.club, answer=text))
            try:
                lines = [line for _, line in reader.lines_in(text)]
            except UnreadableValue:
                lines = []
            if isinstance(taken, Finding):
                assert not lines or any(map(reader.fault, lines)), (reader.club, text)
            else:
                assert list(map(format_line, lines)) == list(map(format_line, taken)), (reader.club, text)


@pytest.mark.parametrize(("book", "text", "said"), [
    ("giglio", "V won, M lost 26, V lost 55", {"winner": "b", "losses_a": 26, "losses_b": 55}),
    ("bloodlust", "Vorozion won, SEK retreats; SEK-u1 took 3 hits", {"winner": "defender", "retreat": "attacker"}),
    ("warriors", "the attackers won, four turns; M1a 3", {"outcome": "attacker", "day_turns": 4})])
def test_what_the_referee_answers_in_a_cell_is_read_as_a_line_is(book: str, text: str, said: Mapping[str, object]
                                                                 ) -> None:
    """Also in his own words, between lines in those of the form."""
    ruleset, campaign, battle = waiting(book)
    assert ruleset.form is not None
    campaign = campaign.copy()
    form, clubs = ruleset.form, fight_of(ruleset, campaign, battle)
    assert clubs is not None
    (asked,) = [row for row in campaign.table(Question) if row.kind == form.question and row.status == "open"]
    asked.answer = text
    outcome = resolve(ruleset, campaign, SECRET)
    row = outcome.campaign.table(Battle)[battle]
    assert {name: getattr(row, name) for name in said} == said, outcome.findings
