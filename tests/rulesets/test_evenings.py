"""What first evenings asked of the answers: what is known is not called unknown, and every order is spoken of."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant import desk
from assistant.turn.rulebooks import load
from assistant.wording import Wording
from tests.fresh import new_campaign
from tests.playing import take_lines
from tests.rulesets.test_told_at_once import scenario, told
from tests.turn.orders.test_reader import opening, plain, read


@pytest.mark.parametrize(("book", "line", "words"), [
    ("anarchy", "angevin: Brian draws two food from Wallingford town",
     "PROVISION has no use for the number 'two' here. Did you mean: PROVISION A-BRI wallingford? Of your line this"
     " would be left out: 'two'."),
    ("anarchy", "angevin: send a convoy with 2 food from Castle Combe to Malmesbury",
     "'Malmesbury' is known, but CONVOY has no use for it here. Did you mean: CONVOY C-NEW castle-combe 2? Of your line"
     " this would be left out: 'Malmesbury'. What is left out is a line of its own: MOVE C-NEW "),
    ("incursio", "varannah: Azhkarr takes a look at 17", "Did you mean: spy 17 soldiers (V1); spy 17 structures (V1)?"
     " Send the one that you mean, or several, each on a line of its own."),
    ("warriors", "orcs: Krug Crow-eater goes two squares west",
     "directions and distances are not understood; name the places. Write for example 'O3 move G02'")])
def test_a_finding_says_what_is_wrong_with_a_word(book: str, line: str, words: str) -> None:
    """A number, a known name, a direction: each is told as what it is, and the example is of the verb that was meant.
    """
    (found,) = told(scenario(book), line)
    assert words in scenario(book).wording.finding(found)


def test_what_one_order_makes_another_moves(tmp_path: Path) -> None:
    """The convoy is there when its march begins; one that nobody makes is likened to none of others."""
    path = new_campaign(tmp_path / "war.xlsx", "anarchy")
    lines = take_lines(path, "angevin: CONVOY C-NEW castle-combe 2\nangevin: MOVE C-NEW Malmesbury")
    assert lines.lines[0] == "All 2 lines count."
    assert not [finding for finding in lines.findings if finding.code == "ANA-002"]
    (found,) = told(scenario("anarchy"), "angevin: MOVE C-NOW Malmesbury")
    assert "C-REA" not in scenario("anarchy").wording.finding(found)


@pytest.mark.parametrize(("book", "lines", "order"), [
    ("anarchy", "angevin: A-ROB splits off five knights and the Empress, call it the Empress's ride\n"
     "angevin: The Empress's ride then goes via Tetbury to Cirencester", "MOVE, Unit A-NEW, Path Tetbury"),
    ("anarchy", "angevin: SPLIT A-ROB A-EMQ K5 EMP: the Empress's ride\n"
     "angevin: The Empress's ride then goes via Tetbury to Cirencester", "MOVE, Unit A-EMQ, Path Tetbury"),
    ("warriors", "orcs: Please set up a new force called Bone Breakers at Skullcairn with a V.C. 1 commander\n"
     "orcs: and raise ten goblin mob there in Skullcairn for the Bone Breakers",
     "Place Skullcairn (C02), Force BONE BREAKERS"),
    ("warriors", 'undead: Fonda "Lame del Deserto" a Naharet con vc 1\n'
     "undead: arruola 5 Scheletri a Naharet nelle Lame del Deserto", "Place Naharet (O11), Force LAME DEL DESERTO"),
    ("warriors", 'undead: vorrei fondare una nuova forza a Naharet, si chiama "Lame del Deserto", condottiero da 1 pto'
     "\nundead: e nelle Lame del Deserto arruolerei 5 scheletri, sempre a Naharet", "Force LAME DEL DESERTO")])
def test_what_one_order_makes_is_known_by_its_new_name(tmp_path: Path, book: str, lines: str, order: str) -> None:
    """To the lines behind it."""
    taken = take_lines(new_campaign(tmp_path / "war.xlsx", book), lines)
    assert taken.lines[0] == "All 2 lines count."
    assert order in "\n".join(taken.lines)


def test_earlier_orders_are_spoken_of(tmp_path: Path) -> None:
    """Those that count, in short, and those that do not, with why."""
    path = new_campaign(tmp_path / "war.xlsx", "bloodlust")
    take_lines(path, "PIO: lead c1 a1\nPIO: forage u3\nPIO: go to war against Vorozion")
    again = "\n".join(take_lines(path, "PIO: withdraw 987Sp-muster-PIO-1").lines)
    assert "Your earlier orders that still count:\n- forage, Subject Hearth" in again
    assert "Your earlier order 'go to war against Vorozion' (987Sp-war-PIO-1) does not count: " in again
    assert "To take it back: withdraw 987Sp-war-PIO-1" in again


def test_orders_on_which_dice_decide_are_named_by_their_lines(tmp_path: Path) -> None:
    """Each order has a line of its own under what follows, or stands there."""
    path = new_campaign(tmp_path / "war.xlsx", "warriors")
    lines = take_lines(path, "orcs: O1 order march\norcs: O3 order explore\norcs: O2 contact fight\n"
                             "orcs: We want to move last").lines
    assert "From turn 1, Orders on, dice, answers or a battle decide: lines 1, 2, 4." in lines


@pytest.mark.parametrize(("line", "order", "phase"), [
    ("FR: in aprile FR-1 marcia da Asti su Casale Monferrato", "1500-r1-FR-1", "April I: marches"),
    ("FR: FR-1 marches to Casale Monferrato in May", "1500-r3-FR-1", "May I: marches"),
    ("FR: nella prima fase di aprile FR-1 marcia da Asti su Casale Monferrato", "1500-r1-FR-1", "April I: marches"),
    ("FR: FR-1 marches to Casale Monferrato in late April", "1500-r2-FR-1", "April II: marches")])
def test_an_order_for_a_month_goes_to_its_first_phase(tmp_path: Path, line: str, order: str, phase: str) -> None:
    """Which the answer names; or to that of the half that is named."""
    lines = "\n".join(take_lines(new_campaign(tmp_path / "war.xlsx", "giglio"), line).lines)
    assert f"({order})" in lines
    assert phase in lines


def test_marches_without_a_warning_are_offered() -> None:
    """By square, without the one where the Force stands."""
    ruleset = load("warriors")
    view = ruleset.view(opening("warriors", ""), "orcs")
    moves = [order for order in ruleset.legal_orders(view, "orcs", verbs=["move"]) if not order.warned]
    assert {order.unit for order in moves} == {"O1", "O2", "O3", "O4"}


def test_all_kinds_of_order_are_shown_before_the_first_turn() -> None:
    """The opening takes none, so that those of the next day stand there."""
    ruleset, campaign = load("anarchy"), scenario("anarchy").campaign
    say = Wording(ruleset, "en").text
    cards = ruleset.order_cards(ruleset.view(campaign, "angevin"), "en", say, "angevin", now=True, brief=True)
    assert {"MOVE", "TRANSFER", "RANSOM"} <= {card.verb for card in cards}


def test_an_order_that_gets_less_says_what_is_to_be_done(tmp_path: Path) -> None:
    """What is bought already stands, and orders that together may get no more cost no more."""
    path = new_campaign(tmp_path / "war.xlsx", "bloodlust")
    words = scenario("bloodlust").wording
    first = [words.finding(finding) for finding in take_lines(path, "VOR: buy 6").findings]
    assert any("you get 4" in text for text in first)
    again = [words.finding(finding) for finding in take_lines(path, "VOR: buy 4").findings]
    assert any("are bought already. For fewer, take your earlier order back." in text for text in again)


def test_a_garrison_that_is_put_in_order_is_named() -> None:
    """With all that stands in it."""
    (found,) = told(scenario("incursio"), "esdef: reorder 16 AAFF")
    assert scenario("incursio").wording.finding(found).startswith("In the garrison are FAF: write exactly these")


@pytest.mark.parametrize(("book", "line", "words"), [
    ("bloodlust", "PIO: lead c1 a1 with 2 of the Northern Watch", "it can be read in more than one way"),
    ("incursio", "varannah: Azhkarr spies on 17 from the west with 2 men", "'west' was not understood")])
def test_a_word_is_blamed_only_for_what_all_proposals_leave_out(book: str, line: str, words: str) -> None:
    """A word that one proposal has is not at fault, and a spy goes no way."""
    (found,) = told(scenario(book), line)
    assert words in scenario(book).wording.finding(found)


def test_an_earlier_order_counts_no_longer(tmp_path: Path) -> None:
    """And what stands in its way is said."""
    path = new_campaign(tmp_path / "war.xlsx", "bloodlust")
    take_lines(path, "VOR: forage u1")
    again = "\n".join(take_lines(path, "VOR: lead m1 a2").lines)
    assert "Your earlier order 'forage u1' (987Sp-muster-VOR-1) does not count: " in again


def test_lines_of_two_mails_with_the_same_number_are_called_by_their_orders(tmp_path: Path) -> None:
    """Two first lines are two orders."""
    path = new_campaign(tmp_path / "war.xlsx", "warriors")
    mails = tmp_path / "a.txt", tmp_path / "b.txt"
    for mail, text in zip(mails, ("O1 order march\nO3 order explore", "O2 order explore"), strict=True):
        mail.write_text(text)
    sources = [desk.Input(mail.name, path=mail) for mail in mails]
    lines = desk.take_orders(path, sources, faction="orcs", lang="en").lines
    assert "All 3 lines count." in lines
    assert not any("(line " in line or "lines 1" in line for line in lines)


@pytest.mark.parametrize(("line", "answer"), [
    ("if Spain proposes an alliance to us we refuse it", "ally confirm S refuse"),
    ("any alliance with Spain: refuse", "ally confirm S refuse"),
    ("rifiutiamo l'alleanza con la Spagna", "ally confirm S refuse")])
def test_a_refusal_is_offered_as_the_answer_in_advance(tmp_path: Path, line: str, answer: str) -> None:
    """It is no order, and never the treaty itself; the answer is told as one, beside the line in which it came."""
    path = new_campaign(tmp_path / "war.xlsx", "giglio")
    assert f"Did you mean: {answer}? If you mean that" in "\n".join(take_lines(path, f"P: {line}").lines)
    taken = take_lines(path, "P: ally confirm Spain refuse").lines
    assert taken[:2] == ["Your line counts.", "1. 'P: ally confirm Spain refuse': Answer in advance: ally confirm S: "
                         "refuse"]


def test_orders_of_one_line_stand_where_they_belong(tmp_path: Path) -> None:
    """The fleet counts, though the garrison beside it is there already."""
    path = new_campaign(tmp_path / "war.xlsx", "giglio")
    lines = take_lines(path, "P: build a fleet in Ancona and leave a garrison in Bologna").lines
    counts = lines.index("This counts:")
    assert any("garrison, Place Bologna" in line for line in lines[:counts])
    assert "fleet, Place Ancona (P5)" in lines[counts + 1]


def test_what_gets_nobody_does_not_count_and_costs_nothing(tmp_path: Path) -> None:
    """As things stand."""
    lines = take_lines(new_campaign(tmp_path / "war.xlsx", "warriors"), "undead: rimpiazza U1b 5 a O11").lines
    assert lines[0] == "Your line does not count yet."
    assert not any("cost" in line for line in lines)


def test_an_order_that_is_repeated_is_cited_by_its_code(tmp_path: Path) -> None:
    """And a yes at the command line is told where it works."""
    path = new_campaign(tmp_path / "war.xlsx", "warriors")
    lines = "\n".join(take_lines(path, "undead: U2 order march\nundead: U2 order march: please\nundead: yes").lines)
    assert "Same as No. 1-turn-undead-2; counted once." in lines
    assert "'undead: yes' agrees to" not in lines
    assert "'yes' agrees to what a receipt by mail proposes" in lines


@pytest.mark.parametrize(("book", "faction", "phase", "line", "same"), [
    ("incursio", "esdef", "", "Our first attack today: the other foot soldier and the rider hit Bosco Vecchio from "
     "Altaguardia, foot in front", "attack 17>18 FC n1"),
    ("incursio", "esdef", "", "First attack: rider and one foot soldier hit Bosco Vecchio from Altaguardia, foot in "
     "front", "attack 17>18 FC n1"),
    ("incursio", "esdef", "", "first attack Bosco Vecchio from Altaguardia with F", "attack 17>18 F"),
    ("incursio", "esdef", "", "Hi ref, one foot soldier and one archer from outside Altaguardia march to Pontesalice",
     "move 17>16 FA"),
    ("incursio", "esdef", "", "one foot soldier and one archer standing outside Altaguardia march to Pontesalice",
     "move 17>16 FA"),
    ("incursio", "esdef", "", "Could Torvald spy on Porto Salino tonight?", "spy 8 (E4)"),
    ("incursio", "esdef", "", "Torvald, could you spy on Porto Salino tonight?", "spy 8 (E4)"),
    ("anarchy", "royal", "", "I mercenari fiamminghi liberi di Hungerford vengano verso il nostro gruppo più vicino",
     "MERCS M-FL2"),
    ("anarchy", "royal", "", "sempre a Oxford Waleran assume pure un ingegnere", "ENGINEER A-MEU oxford"),
    ("anarchy", "royal", "", "Una volta arrivato a Malmesbury, Ypres prende dall'abbazia il cibo x domani",
     "PROVISION A-YPR malmesbury-abbey"),
    ("anarchy", "royal", "", "Having arrived at Malmesbury, Ypres takes food for tomorrow from the abbey",
     "PROVISION A-YPR malmesbury-abbey"),
    ("anarchy", "royal", "", "Guglielmo di Ypres marcia fino a Malmesbury e passa oltre per strada",
     "MOVE A-YPR malmesbury-abbey pass"),
    ("bloodlust", "DER", "recruit", "and put the other thirteen rolls into new troops of our own", "recruit 13"),
    ("bloodlust", "DER", "muster", "After that please set up a second army at Serafine", "form DER-a2 D3"),
    ("bloodlust", "DER", "muster", "Berengar Sall should go and join Aurelien's army, the Guard of Pole",
     "lead DER-c1 DER-a1"),
    ("bloodlust", "DER", "war", "we want to fite Alweg before anyone else", "war ALW"),
    ("bloodlust", "DER", "envoys", "and at the end of the season send an ambassador to the Vorozion", "envoy VOR"),
    ("giglio", "HRI", "budget", "La nostra armata di Trento lasci una guarnigione in città, per cortesia",
     "garrison HRI1 from HRI-1"),
    ("incursio", "varannah", "", "assailant and destroyer from Dirupo against Valle Cupa, up to two battles in a row",
     "attack 40>39 AsDi x2"),
    ("warriors", "dwarfs", "", "we'd rather move as late as we can", "initiative last")])
def test_what_new_players_wrote_is_understood(book: str, faction: str, phase: str, line: str, same: str) -> None:
    """Sentences that were proposed, refused or taken as something else."""
    (fields,) = read(book, faction, line, phase).orders
    assert plain(fields) == plain(load(book).understand(same, opening(book, phase), faction).fields)


@pytest.mark.parametrize(("book", "first", "again"), [
    ("incursio", "esdef: move 17>16 F", "esdef: one foot soldier marches from Altaguardia to Pontesalice"),
    ("bloodlust", "PIO: forage u3", "PIO: PIO-u3 can live off the land"),
    ("giglio", "FR: garrison FR5 from FR-1", "FR: L'armata di Asti lasci una guarnigione in città per favore")])
def test_an_order_said_again_does_not_come_back_when_it_is_withdrawn(tmp_path: Path, book: str, first: str,
                                                                     again: str) -> None:
    """However it is said, it was there already."""
    path = new_campaign(tmp_path / "war.xlsx", book)
    faction, ident = first.split(":", maxsplit=1)[0], take_lines(path, first).data["taken"][0]["id"]
    said = take_lines(path, again)
    assert (said.data["taken"][0]["how"], said.data["taken"][0]["id"]) == ("same", ident)
    assert "(" + ident + ")" not in "\n".join(take_lines(path, f"{faction}: withdraw {ident}").lines[2:])


def test_a_setting_is_told_in_words(tmp_path: Path) -> None:
    """Not as it is written in a cell."""
    taken = take_lines(new_campaign(tmp_path / "war.xlsx", "anarchy"), "royal: Se attaccano il re, si combatte")
    assert any("if attacked fight" in line for line in taken.lines)
