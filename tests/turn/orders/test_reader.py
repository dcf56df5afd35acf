"""Sentences become the orders that they say; what is not clear becomes a proposal, and chat is no order."""

from __future__ import annotations

import csv
import time
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from assistant.campaign.campaign import Campaign
from assistant.turn.orders.divide_line import read_orders
from assistant.turn.orders.lexicon import Lexicon
from assistant.turn.orders.phrases import Token
from assistant.turn.orders.requests import CELLS
from assistant.turn.orders.sentences import LineReading, what_it_comes_to
from assistant.turn.orders.verbs import OrderBook, as_order_book, order_line
from assistant.turn.orders.words import strip_marks
from assistant.turn.rulebooks import load
from tests.rulesets.test_cards import started
from tests.sweeps import fast_among

HERE = Path(__file__).parent
BOOKS = ("anarchy", "bloodlust", "giglio", "incursio", "warriors")


class Said(NamedTuple):
    """A sentence of a file: who says it when, and the lines that say the same (`none`: it is chat; `ask`: unclear)."""

    book: str
    faction: str
    phase: str
    line: str
    kind: str
    lines: str


@cache
def opening(book: str, phase: str) -> Campaign:
    """The first scenario of a book, in the phase that reads orders by a word."""
    ruleset = load(book)
    campaign = started(ruleset, "en")
    ruleset.fold(campaign)
    ruleset.prepare(campaign)
    for name in ruleset.phase_ids(campaign) if phase else ():
        if phase in (name, ruleset.phase(name).orders):
            campaign.desk.phase = name
            break
    return campaign


@cache
def lexicon(book: str, faction: str, phase: str) -> Lexicon:
    """What words mean for a faction."""
    ruleset = load(book)
    return Lexicon(as_order_book(ruleset.verbs), ruleset.view(opening(book, phase), faction), faction)


def read(book: str, faction: str, line: str, phase: str = "") -> LineReading:
    """A line as a faction's is read."""
    ruleset, words = load(book), lexicon(book, faction, phase)
    now = ruleset.phase(words.campaign.desk.phase)
    return read_orders(words.book, words.campaign, faction, line,
                       lambda fields: ruleset.is_legal(words.campaign, faction, fields), words, now=[
                           now.takes or now.orders], season=ruleset.season_of(words.campaign))


def plain(fields: Mapping[str, Any]) -> dict[str, str]:
    """The columns that an order fills, as text in capitals."""
    return {name: str(value).upper() for name, value in fields.items() if value not in ("", None)}


def meaning(said: Said, fields: Mapping[str, Any]) -> dict[str, str]:
    """The columns that an order fills, by what they come to: a castle and the town beside it are one hex."""
    verb, campaign = as_order_book(load(said.book).verbs).get(fields.get("verb", "")), opening(said.book, said.phase)
    return plain(what_it_comes_to(verb, campaign, fields)) if verb is not None else {}


def meant(said: Said) -> list[list[dict[str, str]]]:
    """The orders that a sentence may stand for."""
    campaign = opening(said.book, said.phase)
    return [[meaning(said, load(said.book).understand(line.strip(), campaign, said.faction).fields)
             for line in way.split("&")] for way in said.lines.split("||")]


def sentences(name: str) -> list[Said]:
    """The sentences of a file."""
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return [Said(row["rulebook"], row["faction"], row["phase"], row["line"], row["expected"], row["canonical"])
                for row in csv.DictReader(file)]


def verdict(said: Said) -> str:
    """How a sentence was read: ``right``, ``proposed``, ``missed`` or ``wrong``; chat and unclear ones: ``left``."""
    reading = read(said.book, said.faction, said.line, said.phase)
    orders = [meaning(said, fields) for fields in reading.orders]
    if said.kind in ("none", "ask"):
        return "wrong" if orders else "left"
    ways = meant(said)
    if orders:
        return "right" if orders in ways else "wrong"
    return "proposed" if any([meaning(said, fields)] in ways for fields in reading.proposals) else "missed"


# --- how many are understood ------------------------------------------------------------------------
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("name", "right", "offered"), [("phrases.csv", 1.0, 1.0), ("everyday.csv", 0.9, 1.0)])
def test_sentences_are_read(book: str, name: str, right: float, offered: float) -> None:
    """None is taken as something else; at least 85 % must be right and 95 % offered, and it has been better."""
    said = [one for one in sentences(name) if one.book == book]
    verdicts = Counter(verdict(one) for one in said)
    orders = len(said) - verdicts["left"]

    assert verdicts["wrong"] == 0
    assert verdicts["right"] >= max(right, 0.85) * orders
    assert verdicts["right"] + verdicts["proposed"] >= max(offered, 0.95) * orders

FRESH = (
    ("fresh.csv", "anarchy", 8, 10), ("fresh.csv", "bloodlust", 9, 11), ("fresh.csv", "giglio", 10, 11),
    ("fresh.csv", "incursio", 10, 10), ("fresh.csv", "warriors", 9, 10), ("mails.csv", "anarchy", 46, 48),
    ("mails.csv", "bloodlust", 43, 45), ("mails.csv", "giglio", 46, 47), ("mails.csv", "incursio", 43, 45),
    ("mails.csv", "warriors", 43, 45), ("mails2.csv", "anarchy", 19, 20), ("mails2.csv", "bloodlust", 15, 17),
    ("mails2.csv", "incursio", 18, 19), ("evenings.csv", "anarchy", 39, 39))
"""File, book, and how many of its fresh sentences must be right, and right or proposed."""


@pytest.mark.parametrize(("name", "book", "right", "offered"), fast_among(FRESH, *FRESH[:5], FRESH[-1]))
def test_fresh_sentences_are_read(name: str, book: str, right: int, offered: int) -> None:
    """Those of writers who know only the club's page, a club member's with some that are like them, and those of the
    sort that first evenings had: none is taken as something else, and as many are right, or at least proposed, as have
    been.
    """
    verdicts = Counter(verdict(one) for one in sentences(name) if one.book == book)

    assert verdicts["wrong"] == 0
    assert verdicts["right"] >= right
    assert verdicts["right"] + verdicts["proposed"] >= offered


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("name", "right", "offered"), [
    ("polite.csv", 0.76, 0.82), ("phone.csv", 0.82, 0.88), ("rambling.csv", 0.25, 0.7), ("voices.csv", 0.5, 0.66)])
def test_other_ways_of_speaking_are_read(book: str, name: str, right: float, offered: float) -> None:
    """Of courteous people, of those who type on a phone, of those who think aloud before they order, and of five clubs
    that each have a voice of their own, some of whose orders may not be given yet: none is taken as something else,
    and as many are right, or at least proposed, as have been.
    """
    said = [one for one in sentences(name) if one.book == book]
    verdicts = Counter(verdict(one) for one in said)
    orders = len(said) - verdicts["left"]

    assert verdicts["wrong"] == 0
    assert verdicts["right"] >= right * orders
    assert verdicts["right"] + verdicts["proposed"] >= offered * orders


@pytest.mark.parametrize("book", fast_among(BOOKS, "giglio"))
def test_what_is_like_an_order_is_none(book: str) -> None:
    """What is half wanted, over, denied, somebody else's, or only talked of."""
    said = [one for one in sentences("no_orders.csv") if one.book == book]

    assert [one.line for one in said if verdict(one) == "wrong"] == []


OTHERS = (
    ("giglio", "V", "", "Florence pays us 30 ducats"),
    ("giglio", "V", "", "Firenze ci paga 30 ducati"),
    ("bloodlust", "BAT", "war", "DER declares war on us"),
    ("bloodlust", "BAT", "war", "DER ci dichiara guerra"),
    ("bloodlust", "BAT", "war", "DER leaves the alliance"),
    ("bloodlust", "BAT", "war", "we are at war with DER"),
    ("bloodlust", "BAT", "war", "siamo in guerra con DER"),
    ("anarchy", "royal", "", "the king is at Calne"),
    ("anarchy", "royal", "", "il re è a Calne"),
    ("anarchy", "royal", "", "wait for the king"),
    ("anarchy", "royal", "", "A-BOH marches to Calne"),
    ("warriors", "men", "", "O1 marches to F07"))
"""What somebody else does, and how things are."""


@pytest.mark.parametrize(("book", "faction", "phase", "line"), OTHERS)
def test_what_others_do_is_no_order(book: str, faction: str, phase: str, line: str) -> None:
    """Nor is what is so already."""
    assert read(book, faction, line, phase).orders == ()


@pytest.mark.parametrize(("book", "faction", "phase", "line", "left_out"), [
    ("giglio", "V", "budget", "Offer Milan an alliance until 1502, with free passage for both of us.", {"both"}),
    ("giglio", "V", "budget", "Offer Milan an alliance until 1502, with free trade and our best wishes.",
     {"free", "trade"}),
    ("anarchy", "royal", "", "send a new convoy with three food from Oxford Castle to Brightwell", {"Brightwell"}),
    ("giglio", "V", "r1", "V-2 to Padova in May", {"in May"}),
    ("giglio", "V", "r1", "stop V-1 at Brescia and fortify Padova", {"Brescia", "stop V-1"})])
def test_all_that_no_proposal_says_is_named(book: str, faction: str, phase: str, line: str, left_out: set[str]) -> None:
    """Words without a place, and those of another part of the line."""
    reading = read(book, faction, line, phase)

    assert reading.proposals
    assert set(reading.left_out) == left_out
    assert len(reading.left_out) == len(left_out)


@pytest.mark.parametrize(("book", "faction", "phase", "line", "meant", "left_out"), [
    ("incursio", "esdef", "", "send C into Bosco Vecchio", {"move"}, ()),
    ("giglio", "V", "budget", "versa 30 di Milano nella nostra cassa", set(), ()),
    ("giglio", "FR", "budget", "leave some men in Asti", {"garrison"}, ()),
    ("giglio", "FR", "budget", "Proponi ai Savoia un'alleanza fino al 1501, a patto che nn tocchino Asti",
     {"ally"}, ()),
    ("giglio", "FR", "r1", "FR-2 va ad Alessandria, a patto che Milano non tocchi Asti", {"move"},
     ("a patto che", "Milano non tocchi Asti")),
    ("anarchy", "royal", "", "A-YPR castles Oxford", {"MOVE"}, ()),
    ("anarchy", "angevin", "", "Brian puts two spearmen into the castle and the town", {"GARRISON"}, ("town",)),
    ("anarchy", "angevin", "", "A-EMP goes to Cirencester and passes on meeting zombies", {"MOVE"},
     ("passes", "on meeting zombies")),
    ("bloodlust", "BAT", "recruit", "a roll and a captain", set(), ()),
    ("bloodlust", "BAT", "recruit", "buy a roll and a captain", {"captain"}, ("roll",)),
    ("bloodlust", "PIO", "recruit", "con gli altri quattro prendiamo un paio di mercenari", {"mercenary"},
     ("quattro",)),
    ("giglio", "P", "budget", "if Spain proposes an alliance to us we refuse it", set(), ()),
    ("giglio", "P", "budget", "we refuse an alliance with Spain", set(), ()),
    ("giglio", "P", "budget", "any alliance with Spain: refuse", set(), ()),
    ("giglio", "P", "budget", "no alliance with Spain please", set(), ()),
    ("giglio", "P", "budget", "rifiutiamo l'alleanza con la Spagna", set(), ()),
    ("giglio", "P", "budget", "no a un'alleanza con la Spagna", set(), ()),
    ("warriors", "undead", "", "vorremmo muovere dopo che gli altri abbiano finito di bere", {"initiative"},
     ("abbiano", "finito", "bere"))])
def test_what_can_be_meant_in_two_ways_is_asked(book: str, faction: str, phase: str, line: str, meant: set[str],
                                                left_out: tuple[str, ...]) -> None:
    """And nothing of it is let go without a word."""
    reading = read(book, faction, line, phase)

    assert reading.orders == ()
    assert {fields["verb"] for fields in reading.proposals} == meant
    assert reading.left_out == left_out


def test_what_one_part_lacks_and_the_next_one_says_is_asked() -> None:
    """A sapper needs a post; whether the garrison is it or an order of its own, nobody knows."""
    reading = load("giglio").read("hire a sapper, garrison Bologna", opening("giglio", "budget"), "P")

    assert [dict(fields) for fields in reading.proposals] == [{"verb": "enlist", "option": "sapper", "target": "P8"}]
    assert reading.left_out == ("garrison",)


@pytest.mark.parametrize(("line", "note"), [
    ("allea SV passo 1501 nota non toccare Asti", "non toccare Asti"),
    ("allea SV passo 1501, nota: non toccare Asti", "non toccare Asti"),
    ("Offer Savoy an alliance with passage until 1501, note: leave Asti alone", "leave Asti alone")])
def test_a_line_may_hold_the_note_of_its_order(line: str, note: str) -> None:
    """Behind the word for it, in the book's notation and in a sentence."""
    reading = load("giglio").read(line, opening("giglio", "budget"), "FR")

    assert dict(reading.fields) == {"verb": "ally", "partner": "SV", "option": "passage", "amount": 1501, "note": note}


def test_a_new_name_may_be_of_several_words() -> None:
    """All up to a comma, a preposition or a number; a code is none."""
    (split,) = read("anarchy", "angevin", "Earl Robert splits off five knights, call it the Empress's ride").orders
    (found,) = read("warriors", "orcs", "fonda una nuova forza di nome Zanne Nuove a Skullcairn, vc 1").orders

    assert (split["target"], split["note"]) == ("A-NEW", "the Empress's ride")
    assert (found["name"], found["place"]) == ("Zanne Nuove", "C02")


@pytest.mark.parametrize(("book", "faction", "phase", "line", "left_out"), [
    ("giglio", "V", "r1", "V-2 to Padova in May", "in May"),
    ("giglio", "V", "r1", "V-2 to Padova in autumn", "autumn"),
    ("giglio", "V", "r1", "V-2 a Padova domani", "domani"),
    ("bloodlust", "BAT", "recruit", "buy 2 rolls in autumn", "autumn"),
    ("bloodlust", "BAT", "recruit", "summer: buy 2", "summer"),
    ("warriors", "men", "", "M1 moves to E08 tomorrow", "tomorrow")])
def test_another_time_is_only_proposed(book: str, faction: str, phase: str, line: str, left_out: str) -> None:
    """The proposal says what it leaves out; the present month and season say nothing."""
    reading = read(book, faction, line, phase)

    assert reading.orders == ()
    assert reading.proposals
    assert left_out in reading.left_out


def test_the_present_time_says_nothing() -> None:
    """By the name that the calendar gives it."""
    assert read("giglio", "V", "V-2 to Padova in April", "r1").orders == (MOVE,)
    assert read("bloodlust", "BAT", "buy 2 rolls this spring", "recruit").orders == ({"verb": "buy", "amount": 2},)


@pytest.mark.parametrize(("book", "faction", "phase", "line", "same"), [
    ("giglio", "M", "r1", "m1 a pavia e m2 a piacenza", "M-1 moves M0 M1 & M-2 moves M1 M4"),
    ("incursio", "esdef", "", "Ruderic: costruzione della miniera a Pontesalice; Aldemar: contrabbando",
     "build 21 @16 (E2) & mission smuggling (E1)"),
    ("incursio", "esdef", "", "Old Ruderic, who was always good with a shovel, begins a mine at Pontesalice.",
     "build 21 @16 (E2)"),
    ("incursio", "esdef", "", "f + a from 17 over to tre mulini", "move 17>10 FA"),
    ("warriors", "dwarfs", "", "Thane Orla leads the Stonegate Watch into K04, grumbling as she goes.", "D2 move K04"),
    ("giglio", "HRI", "", "Please leave a garrison in Trent, drawn from the first army that is camped there.",
     "garrison HRI1 from HRI-1")])
def test_asides_and_lists_are_told_apart(book: str, faction: str, phase: str, line: str, same: str) -> None:
    """What says more of somebody is let go; each of a list is an order of its own."""
    reading = read(book, faction, line, phase)

    assert [plain(fields) for fields in reading.orders] in meant(Said(book, faction, phase, line, "order", same))


# --- what a sentence may be -------------------------------------------------------------------------
MOVE = {"verb": "move", "unit": "V-2", "path": "V0 V5"}


@pytest.mark.parametrize("line", [
    "V-2 goes to Padova", "V-2 a Padova", "Padova: V-2", "la V-2 vada a Padova", "portate V-2 a Padova, per favore",
    "spostala: V-2 da Venezia a Padova", "V-2 marches to Padua tonight, thanks", "l'armata V-2 marcerà su Padova",
    "the second army goes to Padova", "la seconda armata va a Padova", "V-2 va a Pdova", "v-2 → padova",
    "V-2, at Venezia, is to go to Padova",
])
def test_a_march_is_said_in_many_ways(line: str) -> None:
    """Words in any order, forms of verbs, small slips, and the place where the army stands."""
    assert read("giglio", "V", line, "r1").orders == (MOVE,)


@pytest.mark.parametrize(("book", "faction", "phase", "line"), [
    ("warriors", "orcs", "", "arruola 10 arcieri goblin a C02 in O1"),
    ("warriors", "orcs", "", "raise 10 goblin archers at C02 in O1"),
    ("giglio", "V", "", "allea F 1502 senza passo"), ("giglio", "V", "", "ally F 1502 no passage")])
def test_lines_have_names_for_codes(book: str, faction: str, phase: str, line: str) -> None:
    """In the reader's language, and without lines between the words; typed back they are the same order."""
    ruleset, campaign = load(book), opening(book, phase)
    fields = ruleset.understand(line, campaign, faction).fields
    lang = "it" if line.startswith("a") and "no " not in line else "en"
    assert sorted(order_line(as_order_book(ruleset.verbs), campaign, fields, lang).split()) == sorted(line.split())


@pytest.mark.parametrize(("book", "faction", "phase", "line", "same"), [
    ("incursio", "esdef", "", "il fante nuovo lo mettiamo a Collegrano", "deploy 9 F"),
    ("incursio", "esdef", "", "Torvald, please have a look at tile 10", "spy 10 (E4)"),
    ("bloodlust", "VOR", "recruit", "Sign up one captain", "captain 1"),
    ("anarchy", "royal", "", "La compagnia di Ypres mette a sacco Chippenham", "SACK A-YPR chippenham"),
    ("anarchy", "royal", "", "A-BLK si chiude dentro a Brightwell", "ENTER A-BLK brightwell-castle"),
    ("warriors", "orcs", "", "Fangwood Raiders stand on the defensive", "O2 order defend"),
    ("warriors", "orcs", "", "O4 gives battle if somebody comes", "O4 contact fight"),
    ("warriors", "men", "", "M2 se ne va in G06", "M2 move G06"),
    ("anarchy", "royal", "", "A-YPR goes to the keep of Oxford", "A-YPR move oxford-castle"),
    ("anarchy", "royal", "", "A-YPR pays A-STE 5 pounds", "TRANSFER A-YPR A-STE 5"),
    ("anarchy", "royal", "", "A-STE gives 5 pounds to A-YPR", "TRANSFER A-STE A-YPR 5"),
    ("giglio", "V", "", "pay Milan 30 from the treasury", "pay M 30"),
    ("giglio", "V", "", "paga 30 a Milano dalla nostra cassa", "pay M 30"),
    ("giglio", "V", "", "tutti e 20 gli uomini di V-1 a Padova", "move V-1 20 V6 V5"),
    ("giglio", "V", "", "recruit all 20 men at Padova", "recruit 20 V5"),
    ("giglio", "V", "", "man the walls of Brescia", "garrison V7"),
    ("warriors", "men", "", "M1a gets 2 figures from the stores", "refill F07 M1a 2"),
    ("warriors", "men", "", "2 figure a M1a dal magazzino", "refill F07 M1a 2"),
    ("bloodlust", "BAT", "recruit", "2 rolls for our money", "buy 2"),
    ("bloodlust", "BAT", "recruit", "spend cash on 2 rolls", "buy 2"),
    ("incursio", "esdef", "", "bring the cavalry into the garrison at Altaguardia", "enter 17 C"),
    ("giglio", "M", "", "patto con Firenze fino al 1502, niente passo", "ally F 1502 no_passage"),
    ("incursio", "varannah", "", "il soldato e il distruttore di Dirupo scendono a Valle Cupa", "move 40>39 TrDi"),
    ("incursio", "varannah", "", "Tr di Dirupo va a Valle Cupa", "move 40>39 Tr"),
    ("incursio", "varannah", "", "il soldato demoniaco e il distruttore che stanno a Dirupo scendono a Valle Cupa",
     "move 40>39 TrDi"),
    ("incursio", "varannah", "", "il demone distruttore di Dirupo va a Valle Cupa", "move 40>39 Di"),
    ("incursio", "varannah", "", "l'assalitore di Dirupo invece lo mandiamo ad Acquaferma, per la linea rossa",
     "move 40>33 As"),
    ("incursio", "varannah", "", "da Valle Cupa il distruttore e il soldato attaccano Mirtaia, primo attacco",
     "attack 39>32 DiTr n1"),
    ("incursio", "varannah", "", "da Torbiera si assalta Fornace con l'assalitore e il soldato, n2, x2",
     "attack 26>19 AsTr n2 x2"),
    ("incursio", "varannah", "", "secondo attacco: da Torbiera si assalta Fornace con l'assalitore in testa e dietro "
     "il soldato demoniaco, max due scontri di fila", "attack 26>19 AsTr n2 x2"),
    ("incursio", "varannah", "", "first attack Fornace from Torbiera with As", "attack 26>19 As"),
    ("incursio", "esdef", "", "i fanti di 17 vanno a 18", "move 17>18 FF"),
    ("incursio", "esdef", "", "the foot soldier at 17 moves to 18", "move 17>18 F"),
    ("giglio", "FR", "", "L'armata di Asti lasci una guarnigione in città per favore", "garrison FR5 from FR-1"),
    ("giglio", "FR", "", "Come obiettivo segreto prendiamo il territorio di Milano, mi raccomando acqua in bocca",
     "objective territory M"),
    ("giglio", "FR", "", "poi a Lione metterei in piedi un esercito nuovo da sessanta ducati", "recruit 60 FR0 new"),
    ("giglio", "FR", "", "Manda 40 ducati ai Savoia da parte nostra", "pay SV 40"),
    ("anarchy", "royal", "", "A-YPR leaves Chippenham for Oxford", "A-YPR move oxford"),
    ("anarchy", "angevin", "", "SPLIT A-ROB A-EMQ K5 EMP with six pounds", "SPLIT A-ROB A-EMQ K5 6 EMP"),
    ("anarchy", "angevin", "", "A-ROB splits off five knights and the Empress as a new group A-EMQ and 6 pounds",
     "SPLIT A-ROB A-EMQ K5 6 EMP"),
    ("anarchy", "angevin", "", "A-EMP goes via Tetbury to Cirencester and passes on meeting enemies",
     "MOVE A-EMP tetbury cirencester pass"),
    ("warriors", "orcs", "", "Hi, could the Red Maw please switch over to march?", "O1 order march"),
    ("warriors", "orcs", "", "We'd like to move as early as we can", "initiative first"),
    ("warriors", "orcs", "", "If anybody attacks the Fangwod Raiders they should step back without a fight",
     "O2 contact counter_march"),
    ("warriors", "orcs", "", "Please set up a new force called Bone Breakers at Skullcairn with a V.C. 1 commander, "
     "on defend", 'found "Bone Breakers" at C02 vc 1 defend'),
    ("bloodlust", "PIO", "recruit", "Ciao arbitro! Mi compreresti un tiro in più con le risorse? Grazie", "compra 1"),
    ("bloodlust", "PIO", "recruit", "prendiamo un paio di mercenari", "mercenari 2"),
    ("bloodlust", "PIO", "invade", "poi Mano di Ferro entra con la sua Schiera in Ambravall da Chagarfell",
     "invade PIO-a1 D2 P4"),
    ("warriors", "undead", "", "vorremmo muovere per ultimi, se il dado lo permette", "iniziativa ultimo"),
    ("warriors", "undead", "", "la Leva del Tumulo sale sulle zattere di cane e va fino a J10", "U3 naviga BT2 J10"),
    ("warriors", "undead", "", 'arruola 5 Scheletri a Naharet nelle "Lame del Deserto"',
     'arruola 5 un_skel a O11 in "Lame del Deserto"'),
    ("giglio", "P", "budget", "also hire a sapper, he should be posted in Bologna", "enlist sapper P8"),
    ("giglio", "P", "budget", "assolda un geniere, va messo ad Ancona", "enlist sapper P5"),
    ("giglio", "P", "budget", "put 45 ducats on the table to become Strategos", "bid 45"),
    ("giglio", "P", "budget", "offer Venice a treaty with free passage, lasting until the end of 1502",
     "ally V passage 1502"),
    ("bloodlust", "PIO", "envoys", "a fine stagione mandiamo un ambasciatore a Thunk, che almeno loro stiano buoni",
     "envoy THU")])
def test_what_clubs_wrote_is_understood(book: str, faction: str, phase: str, line: str, same: str) -> None:
    """Sentences that were proposed, refused or taken as something else."""
    (fields,) = read(book, faction, line, phase).orders
    assert plain(fields) == plain(load(book).understand(same, opening(book, phase), faction).fields)


@pytest.mark.parametrize(("line", "ducats"), [
    ("recruit forty ducats at Verona", 40), ("recluta quaranta ducati a Verona", 40),
    ("arruoliamo una ventina di ducati a Verona", 20), ("raise a hundred and twenty ducats at Verona", 120),
    ("trentacinque ducati di fanti a Verona", 35)])
def test_numbers_may_be_written_in_words(line: str, ducats: int) -> None:
    """In both languages."""
    assert read("giglio", "V", line).orders == ({"verb": "recruit", "amount": ducats, "target": "V6"},)


def test_one_sentence_may_hold_several_orders() -> None:
    """With the verb, or whoever acts, named once."""
    two = ({"verb": "move", "army": "D2", "path": "K04"}, {"verb": "move", "army": "D4", "path": "K03"})
    on = read("anarchy", "angevin", "Miles goes to Cricklade and gathers provisions there")

    assert read("warriors", "dwarfs", "D2 goes to K04 and D4 to K03").orders == two
    assert read("warriors", "dwarfs", "D2 to K04; D4 goes to K03").orders == two
    assert [(one["verb"], one["unit"]) for one in on.orders] == [("MOVE", "A-MIL"), ("PROVISION", "A-MIL")]


def test_half_of_a_sentence_is_not_taken() -> None:
    """Where a part is no order, the other is proposed only."""
    reading = read("giglio", "V", "V-2 goes to Padova, the rest does what the Doge says", "r1")

    assert reading.orders == ()
    assert reading.proposals == (MOVE,)


@pytest.mark.parametrize(("book", "faction", "phase", "line"), [
    ("bloodlust", "BAT", "recruit", "Take care!"), ("bloodlust", "BAT", "recruit", "I have no idea"),
    ("bloodlust", "BAT", "recruit", "we leave everything as it is"), ("bloodlust", "BAT", "war", "our enemy is DER"),
    ("warriors", "men", "", "let the enemy go first"), ("warriors", "men", "", "prima il nemico"),
    ("giglio", "V", "", "our debt to the bank is 30 ducats"), ("giglio", "V", "", "we owe Milan 30 ducats"),
    ("giglio", "V", "", "pay Florence and Sicily 40"), ("giglio", "V", "r1", "the rest of V-1 goes to Padua"),
    ("giglio", "V", "r1", "il resto della V-1 va a Padova"),
    ("giglio", "V", "", "recruit 40 at Treviso (ignore this line)"),
    ("giglio", "V", "", "recruit 40 at Treviso (bozza da confermare)"),
    ("anarchy", "royal", "", "the keys of Calne"), ("anarchy", "royal", "", "A-YPR moves to Calne (this is wrong)")])
def test_everyday_words_order_nothing(book: str, faction: str, phase: str, line: str) -> None:
    """A word that everybody uses names no verb, and what takes an order back is not passed over."""
    assert read(book, faction, line, phase).orders == ()


@pytest.mark.parametrize("line", [
    "can V-2 reach Padova?", "V-2 does not go to Padova", "V-2 non va a Padova", "hello everybody", "a domani",
    "we lost again, bad luck", "", "?", "...", "vi mando gli ordini domani sera", "il resto resta com'è"])
def test_chat_is_no_order(line: str) -> None:
    """Nor is a question, or what somebody does not do."""
    reading = read("giglio", "V", line, "r1")

    assert (reading.orders, reading.proposals) == ((), ())


@pytest.mark.parametrize("line", [
    "V-2 goes to Padova unless besieged", "forse V-2 va a Padova", "V-2 might go to Padova",
    "V-2 stays or goes to Padova", "se possibile V-2 va a Padova", "could V-2 go to Padova?"])
def test_a_word_that_means_something_is_never_dropped(line: str) -> None:
    """What may be meant is proposed."""
    reading = read("giglio", "V", line, "r1")

    assert reading.orders == ()
    assert MOVE in reading.proposals


@pytest.mark.parametrize("line", ["xyzzy moves V6 V5", "V- muove V6 V5"])
def test_a_march_is_proposed_with_the_army_that_makes_it(line: str) -> None:
    """A line of places alone is no answer: ``F1`` is how somebody may write army F-1, too."""
    assert read("giglio", "V", line, "r1").proposals == ({"verb": "move", "unit": "V-1", "path": "V6 V5"},)


@pytest.mark.parametrize("line", ["V-1 moves V-2", "V-1 moves M-1"])
def test_of_several_readings_only_those_are_proposed_that_may_be_given(line: str) -> None:
    """A yes to another would only be refused: armies that stand apart hand nothing over, whichever of them gives."""
    assert read("giglio", "V", line, "r1").proposals == ()


DOUBTFUL = (
    ("bloodlust", "BAT", "muster", "u3 does not forage"),
    ("bloodlust", "BAT", "muster", "u3 non foraggia"),
    ("bloodlust", "BAT", "muster", "u3 forages if it must"),
    ("bloodlust", "PIO", "invade", "a1 invades D3 if attacked"),
    ("bloodlust", "PIO", "invade", "a1 invade D3 se attaccata"),
    ("warriors", "men", "", "M2 fights if it is sunny"),
    ("bloodlust", "BAT", "war", "We honour our pact with DER"),
    ("bloodlust", "BAT", "war", "We want a treaty with DER"),
    ("bloodlust", "BAT", "war", "Vogliamo un trattato con DER"),
    ("bloodlust", "BAT", "war", "Siamo alleati di DER"),
    ("giglio", "F", "", "We honour our pact with V"),
    ("bloodlust", "BAT", "war", "Basta con la guerra a DER"),
    ("giglio", "F", "r1", "Can F-1 reach Siena? F-2 goes to Pisa."),
    ("giglio", "V", "r1", "V-2 goes to Padova (?)"),
    ("giglio", "V", "r1", "V-2 goes to Padova, if they agree"),
    ("giglio", "V", "r1", "V-2 goes to Padova, if you agree"),
    ("giglio", "V", "r1", "V-2 va a Padova, se l'arbitro lo permette"),
    ("giglio", "V", "r1", "V-2 goes to Padova, otherwise we go to Verona"),
    ("giglio", "V", "r1", "V-2 goes to Padova, we have to take Verona with V-1"),
    ("giglio", "V", "r1", "V-2 va a Padova, tanto se piove non parte"),
    ("giglio", "F", "r1", "F-1 marches to Siena, Zanzibar"),
    ("giglio", "F", "r1", "F-1 marches to Siena, old Zanzibar"),
    ("giglio", "F", "r1", "F-1 vai a Siena invece che ad Arezzo"),
    ("giglio", "F", "r1", "F-1 goes to Siena rather than to Arezzo"),
    ("giglio", "F", "r1", "F-1 ha assediato Siena"),
    ("giglio", "V", "", "we have recruited 50 at Venice"),
    ("giglio", "V", "r1", "V-2 è andata a Padova"),
    ("warriors", "orcs", "", "We recruited 10 goblin archers at C02 in O1"),
    ("giglio", "V", "r1", "V-2 va a Padova, una volta che si può"),
    ("giglio", "V", "r1", "V-2 goes to Padova, should they come"),
    ("giglio", "V", "r1", "V-2 va a Padova, sempre che si possa"),
    ("giglio", "V", "r1", "V-2 goes to Padova, once they are gone"),
    ("giglio", "V", "r1", "V-2 va a Padova, nell'eventualità di guerra"),
    ("giglio", "V", "r1", "Next spring V-2 marches to Padova"),
    ("giglio", "V", "r1", "V-2 marches to Padova next season"),
    ("giglio", "F", "", "recluta 20 ad Arezzo, rinforza la cinta"),
    ("giglio", "V", "r1", "V-2 goes to Padova, we can take Verona with V-1"),
    ("giglio", "V", "r1", "V-2 va a Milano e la assedia"),
    ("giglio", "F", "r1", "Instead of going to Siena, F-1 goes to Arezzo"),
    ("incursio", "esdef", "", "all three from 17 move to 18"),
    ("giglio", "F", "r1", "F-1 could go to Siena"),
    ("giglio", "F", "r1", "F-1 andò a Siena"),
    ("giglio", "F", "r1", "F-1 goes to Siena in two turns"),
    ("giglio", "F", "r1", "F-1 va a Siena, fintanto che posso"),
    ("bloodlust", "BAT", "war", "the war with DER is over"),
    ("giglio", "V", "r1", "V-2 goes ın order to Padova"),
)
"""Book, faction, phase, and what a club wrote that is no order."""


@pytest.mark.parametrize(("book", "faction", "phase", "line"), DOUBTFUL)
def test_what_is_doubtful_orders_nothing(book: str, faction: str, phase: str, line: str) -> None:
    """A negation, a condition, a question, another time, what is over, and a word that nobody knows."""
    assert read(book, faction, line, phase).orders == ()


def test_what_is_like_a_doubt_is_an_order() -> None:
    """A reason, a greeting, the last year of a treaty, the end of a pact, a name in quotes, and a word for failure."""
    treaty = {"verb": "ally", "amount": 1505, "partner": "M"}
    found = {"verb": "found", "name": "Out of Luck", "place": "H06", "vc": 1}
    forage = {"verb": "forage", "subject": "BAT-u3", "option": "or_disband"}

    assert read("giglio", "F", "Treaty with Milan, last year 1505").orders == (treaty,)
    assert read("giglio", "V", "V-2 goes to Padova, because they attacked us", "r1").orders == (MOVE,)
    assert read("giglio", "V", "V-2 a Padova, ovviamente. Grazie Marco", "r1").orders == (MOVE,)
    assert read("incursio", "esdef", "all four from 17 move to 18").orders[0]["units"] == "FFAC"
    assert read("warriors", "men", 'found a new Force "Out of Luck" at Longbridge, vc 1').orders == (found,)
    assert read("bloodlust", "BAT", "u3 forages, if it fails disband it", "muster").orders == (forage,)
    assert read("bloodlust", "BAT", "We end our pact with DER", "war").orders == ({"verb": "break", "target": "DER"},)


@pytest.mark.parametrize(("book", "faction", "phase", "line", "order"), [
    ("giglio", "V", "r1", "V-2 va a Padova e ci rimarrà", MOVE),
    ("giglio", "V", "r1", "V-2 va a Padova e si ferma lì", MOVE),
    ("giglio", "V", "r1", "Could V-2 go to Padova, please", MOVE),
    ("giglio", "V", "budget", "Could you pay 30 to Milano", {"verb": "pay", "partner": "M", "amount": 30}),
    ("giglio", "V", "r1", "stop the siege of Padova", {"verb": "lift", "target": "V5"}),
    ("giglio", "V", "r1", "we give up the siege of Padova", {"verb": "lift", "target": "V5"}),
    ("giglio", "V", "r1", "smettiamo l'assedio di Padova", {"verb": "lift", "target": "V5"}),
    ("bloodlust", "BAT", "war", "we quit the alliance with DER", {"verb": "break", "target": "DER"}),
    ("anarchy", "royal", "", "A-YPR, leaving Chippenham, marches to Oxford",
     {"verb": "MOVE", "unit": "A-YPR", "path": "oxford"}),
    ("anarchy", "royal", "", "A-YPR va a Oxford passando da Calne",
     {"verb": "MOVE", "unit": "A-YPR", "path": "calne oxford"}),
    ("incursio", "esdef", "", "attack Tre Mulini with FF outside 17",
     {"verb": "attack", "node": "17", "to_node": "10", "units": "FF"}),
    ("incursio", "esdef", "", "leave 17 FF", {"verb": "leave", "node": "17", "units": "FF"}),
    ("incursio", "esdef", "", "move 2 F from 17 to 10",
     {"verb": "move", "node": "17", "to_node": "10", "units": "FF"})])
def test_what_is_like_something_else_is_read(book: str, faction: str, phase: str, line: str,
                                             order: dict[str, Any]) -> None:
    """Staying after a march, asking own people, giving up a siege, leaving one's place, and units outside a town."""
    assert read(book, faction, line, phase).orders == (order,)


@pytest.mark.parametrize(("book", "faction", "line", "name"), [
    ("giglio", "V", "arruola uno V7", "amount"), ("giglio", "V", "arruola un V7", "amount"),
    ("warriors", "men", "refill M1a un F07", "figures")])
def test_one_is_a_number_in_the_books_own_form(book: str, faction: str, line: str, name: str) -> None:
    """In a sentence it may be an article."""
    assert load(book).understand(line, opening(book, ""), faction).fields[name] == 1


@pytest.mark.parametrize("word", ["non", "if", "se", "nothing"])
def test_a_word_that_denies_orders_nothing_by_itself(word: str) -> None:
    """A book that declares it is refused; in a phrase it may stand."""
    book = as_order_book(load("bloodlust").verbs)

    assert OrderBook(book.values(), book.says, cells=book.cells[len(CELLS):], like={"forage": (f"{word} food",)})
    with pytest.raises(ValueError, match=word):
        OrderBook(book.values(), book.says, cells=book.cells[len(CELLS):], like={"forage": (word,)})


def test_politeness_in_a_note_stays() -> None:
    """Behind an order it is let go."""
    assert strip_marks("- V-2 goes to Padova, please") == "V-2 goes to Padova"
    assert strip_marks("V-2 stays: tell them many thanks") == "V-2 stays: tell them many thanks"


def test_a_word_in_quotes_is_not_corrected() -> None:
    """Also where the same word without quotes was, before it."""
    words = lexicon("giglio", "V", "r1")

    assert words.known_word(Token("Pdova")).folded == "padova"
    assert words.known_word(Token("Pdova", quoted=True)).folded == "pdova"


def test_what_does_not_happen_may_be_an_order() -> None:
    """An army that does not move stays."""
    stay = ({"verb": "stay", "unit": "SV-1"},)

    assert read("giglio", "SV", "SV-1 non si muove", "r1").orders == stay
    assert read("giglio", "SV", "SV-1 doesn't move this time", "r1").orders == stay


def test_what_is_left_out_is_filled_in_where_few_things_fit() -> None:
    """Only with legal orders, three at most, and never taken."""
    reading = read("giglio", "V", "go to Padova", "r1")

    assert reading.orders == ()
    assert 0 < len(reading.proposals) <= 3
    assert all(plain(one)["path"].endswith("V5") and "unit" in one for one in reading.proposals)
    assert read("giglio", "F", "pay 30 ducats").orders == ()


def test_a_name_of_several_things_means_the_one_that_fits() -> None:
    """Venezia is a nation and its city."""
    assert read("giglio", "F", "ally with Venezia until 1503").orders[0]["partner"] == "V"
    assert read("giglio", "V", "recruit 20 ducats at Venezia").orders[0]["target"] == "V0"


def test_a_name_in_quotes_is_a_name() -> None:
    """A Force that is founded may be called by any words."""
    reading = read("warriors", "men", 'found a new Force "March On" at Longbridge, vc 1')

    assert reading.orders == ({"verb": "found", "name": "March On", "place": "H06", "vc": 1},)


def test_what_a_faction_does_not_see_is_no_word_for_it() -> None:
    """The name of a unit of others that its view lacks is read as any unknown word, in what it proposes, too."""
    line = "dismiss the Dune archers"
    strange, unknown = (read("bloodlust", "PIO", words, "muster") for words in (line, "dismiss the Zzyzx qwerty"))

    assert read("bloodlust", "BAT", line, "muster").orders == ({"verb": "dismiss", "subject": "BAT-u2"},)
    assert strange.orders == unknown.orders == ()
    assert strange.proposals == unknown.proposals


@pytest.mark.parametrize("line", [
    "V-2 " * 500, "to from in a " * 300, "V-2 Padova Venezia Verona " * 10, "V-2 va a " + "ò" * 5000,
    "a, b, c, d, e, f, g, h; and then and then", "\x00\ufeff\u202e V-2", "((((" * 500, "V-2 goes to 'Padova' \"",
    "V-2 " + ", ".join(["goes to Padova"] * 9), "=cmd|' /C calc'!A0"])
def test_a_hostile_line_takes_no_time(line: str) -> None:
    """However long it is; nothing is taken from nonsense."""
    read("giglio", "V", "V-2 goes to Padova", "r1")
    begun = time.perf_counter()
    reading = read("giglio", "V", line, "r1")

    assert time.perf_counter() - begun < 2
    assert len(reading.orders) <= 9


def test_the_same_line_is_always_read_alike() -> None:
    """Also with words that were learned from another line before."""
    ruleset, words = load("giglio"), lexicon("giglio", "V", "r1")
    fresh = read_orders(as_order_book(ruleset.verbs), words.campaign, "V", "portate V-2 a Padova", lambda fields: True)

    assert fresh == read("giglio", "V", "portate V-2 a Padova", "r1")
