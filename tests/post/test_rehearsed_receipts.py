"""What a receipt says of a mail of which most lines do not count: real mails of clubs of the five books."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.campaign.campaign import Campaign
from assistant.campaign.records import Faction, Order
from assistant.desk.clubs.collect import build_receipt, collect_all
from assistant.desk.clubs.collect_mail import MailBatch, read_mails, replies, sent_texts
from assistant.desk.clubs.diff_copies import RowChange
from assistant.desk.workspace.workspace import club_codes, open_workspace
from assistant.post.mail_server import FetchedMail
from assistant.turn.orders.verbs import as_order_book
from assistant.turn.phases import phases_ahead
from assistant.turn.rulebooks import load
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from tests.fresh import new_campaign
from tests.post.filling import SUNDAY
from tests.post.mails import raw
from tests.rulesets.test_cards import started

MAILS = {
    "giglio": ("V", ["r1: V-1 moves V6 V5", "moves V-1", "pay 30", "recruit V-1 30 V0 rubbish", "r2: V-1 moves V9 M0",
                     "siege V8 with dragons"],
               ["Path", "Partner", "'rubbish'", "V9", "'dragons'"]),
    "incursio": ("esdef", ["leave 9 F", "attack with FA", "mvoe FA to 10 quickly", "build a tower", "enter 9",
                           "FA goes to 77"],
                 ["At or from", "'mvoe'", "'tower'", "Units", "'77'"]),
    "anarchy": ("royal", ["MOVE A-BLK 2104", "ATTACH A-STE", "HOLD A-XXX", "RECRUIT A-YPR", "HOLD A-ROB",
                          "DANCE A-YPR"],
                ["ATTACH", "A-XXX", "Target", "not yours", "'DANCE'"]),
    "bloodlust": ("SEK", ["buy 1", "recruit two hundred dragons", "captain qwerty", "war SEKX", "invade Mars",
                          "post SEK-a1"],
                  ["'dragons'", "'qwerty'", "SEKX", "Mars", "Target"]),
    "warriors": ("men", ["order M1 march", "move M1", "move M1 to Z99", "dance M1", "order M1 dance", "move M2"],
                 ["Path", "'Z99'", "'dance'", "'dance'", "Path"]),
}


def receipt_of(ruleset: str, faction: str, lines: list[str], folder: Path, language: str, *more: list[str]) -> str:
    """The answer to a mail of a club that reads in a language, in a campaign of which nothing was played; `more`: the
    lines of other mails behind it.
    """
    workspace = open_workspace(new_campaign(folder / "war.xlsx", ruleset), "en")
    workspace.campaign.table(Faction)[faction].language = language
    known = club_codes(workspace)
    mails = []
    for number, some in enumerate((lines, *more), 1):
        headers = {"From": "anna@a.test", "Message-ID": f"<{number}@a.test>"}
        mail = raw("\n".join(some), subject=f"Re {known.now[faction]}", headers=headers)
        mails.append(FetchedMail(f"box/1/{number}", SUNDAY + 600 * number, mail))
    batch = read_mails(mails, workspace, known, lambda code: sent_texts(workspace, code))
    _, done = collect_all(workspace, batch.arrivals, dry_run=True)
    (reply,) = replies(batch.mails, done, workspace, ())
    return reply.receipt.text


@pytest.mark.slow
@pytest.mark.parametrize(("language", "first", "head", "missing"), [
    ("en", "1 of 6 lines counts.", "This does not count yet:", "Nothing is missing"),
    ("it", "1 riga su 6 conta.", "Questo non conta ancora:", "Non manca nulla")])
@pytest.mark.parametrize("ruleset", MAILS)
def test_the_first_line_says_how_many_count_and_each_other_names_its_fault(
        ruleset: str, language: str, first: str, head: str, missing: str, tmp_path: Path) -> None:
    """One of six lines counts; the others stand first, each with the word at fault or what it does not say."""
    faction, lines, faults = MAILS[ruleset]
    text = receipt_of(ruleset, faction, lines, tmp_path, language)
    assert text.splitlines()[0] == first, text
    bad = next(section for section in text.split("\n\n") if section.startswith(head))
    assert bad.count("\n- ") == 5, text
    assert [fault for fault in faults if language == "en" and fault not in bad] == [], bad
    assert missing not in text


@pytest.mark.slow
def test_a_receipt_tells_the_cost_and_what_follows(tmp_path: Path) -> None:
    """Of two turns of marches the second is judged where the first one ends."""
    text = receipt_of("giglio", "V", ["budget: recruit 30 V6 V-1", "r1: V-1 moves V6 V5", "r2: V-1 moves V5 V6"],
                      tmp_path, "en")
    words = [line for line in text.splitlines() if line]
    assert words[0] == "All 3 lines count."
    assert "Together these orders cost 30 ducats; at hand: 280." in words
    follows = words[words.index("What follows if nobody interferes:"):]
    assert follows[1:-1] == [
        "- Recruit −30; now 250 ducats in the chest.",
        "- The army of Venice (V-1) at Verona (V6): +30 ducats.",
        "- The army of Venice (V-1) marches: Verona (V6) → Padua (V5).",
        "- The army of Venice (V-1) marches: Padua (V5) → Verona (V6).",
        "- Ducats in the chest 280 → 250; Ducats under arms 300 → 330"]


@pytest.mark.slow
def test_each_line_of_a_receipt_stands_under_its_own_number(tmp_path: Path) -> None:
    """Also where a mail says the same twice, and where several mails came: they are numbered on."""
    text = receipt_of("giglio", "V", ["recruit 30 V6 V-1", "moves V-1", "recruit 30 V6 V-1", "moves V-1"], tmp_path,
                      "en", ["r1: V-1 moves V6 V5", "moves V-1", "recruit 30 V6 V-1"])
    listed = [line for line in text.splitlines() if line.startswith("- ") and "'" in line]
    assert [line[2:].split("'")[:2] for line in listed] == [
        ["2. ", "moves V-1"], ["4. ", "moves V-1"], ["6. ", "moves V-1"], ["5. ", "r1: V-1 moves V6 V5"],
        ["1. ", "recruit 30 V6 V-1"], ["3. ", "recruit 30 V6 V-1"], ["7. ", "recruit 30 V6 V-1"]], text
    assert text.splitlines()[0] == "4 of 7 lines count."


# --- the time of an order ---------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["giglio", "bloodlust"])
def test_a_verb_at_the_wrong_time_is_sent_to_a_phase_that_takes_it(ruleset: str) -> None:
    """Each verb at each phase of a year that refuses it for its time."""
    book = load(ruleset)
    campaign = started(book, "en")
    faction = next(row.faction for row in campaign.table(Faction) if row.role == "player")
    seen = 0
    for turn, name in list(phases_ahead(book, campaign, 60)):
        phase = book.phase(name)
        for verb in as_order_book(book.verbs).values() if phase.orders else ():
            if (phase.takes or phase.orders) in verb.when:
                continue
            work = campaign.copy()
            work.desk.turn, work.desk.phase = turn, name
            record = work.table(Order).record
            work.table(Order).add(record(order="x", turn=turn, phase=phase.orders, faction=faction, verb=verb.en,
                                         seq=1))
            findings = [finding for finding in book.check_orders(work) if finding.data.get("why") == "time"]
            for one in findings:
                then, there = str(one.data["when"]).split()
                named = book.phase(there)
                assert (named.takes or named.orders) in verb.when, (verb.en, turn, name)
                assert (then, there) != (turn, name)
                assert book.when(then, there, "en") in Wording(book, "en").finding(one)
            seen += len(findings)
    assert seen > 20


# --- fog --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("ruleset", MAILS)
def test_what_others_order_changes_no_word_of_a_receipt(ruleset: str) -> None:
    """It is made of the view, also what follows of the orders."""
    book, faction = load(ruleset), MAILS[ruleset][0]
    campaign = started(book, "en")
    turn, name = next((turn, name) for turn, name in phases_ahead(book, campaign) if book.phase(name).orders)
    campaign.desk.turn, campaign.desk.phase = turn, name
    table = campaign.table(Order)
    own = book.robot_orders(book.view(campaign, faction), faction) or _orders_of_mail(book, campaign, ruleset)
    for number, row in enumerate(own):
        row.order = f"own-{number}"
        table.add(row)
    rows = [RowChange("new", "order", row) for row in own]
    alone = build_receipt(book, campaign.copy(), faction, [], rows).text
    others = [row for other in campaign.table(Faction) if other.faction != faction
              for row in book.robot_orders(book.view(campaign, other.faction), other.faction)]
    for number, row in enumerate(others):
        row.order = f"other-{number}"
        table.add(row)
    assert build_receipt(book, campaign, faction, [], rows).text == alone


def _orders_of_mail(book: Ruleset, campaign: Campaign, ruleset: str) -> list[Order]:
    faction, (line, *_), _ = MAILS[ruleset]
    record, fields = campaign.table(Order).record, book.read(line, campaign, faction).fields
    word = book.phase(campaign.desk.phase).orders
    return [record(order="own", turn=campaign.desk.turn, phase=word, faction=faction, seq=1, **fields)]


# --- a yes ------------------------------------------------------------------------------------------------
@pytest.mark.slow
@pytest.mark.parametrize(("answer", "taken"), [
    ("Sì!", ["r1: V-1 moves V6 V5"]), ("yes", ["r1: V-1 moves V6 V5"]), ("Sì\nr1: V-1 stay", ["r1: V-1 stay"]),
    ("forse", [])])
def test_a_yes_alone_takes_the_one_line_that_a_receipt_proposed(answer: str, taken: list[str], tmp_path: Path) -> None:
    """Also when its mail is read again; beside an order it says nothing."""
    workspace = open_workspace(new_campaign(tmp_path / "war.xlsx", "giglio"), "en")
    known = club_codes(workspace)

    def batch_of(text: str, proposed: dict[str, str]) -> MailBatch:
        mail = raw(text, subject=f"Re {known.now['V']}", headers={"From": "anna@a.test"})
        return read_mails([FetchedMail("box/1/1", SUNDAY, mail)], workspace, known,
                          lambda code: sent_texts(workspace, code), proposed)

    first = batch_of("r1: V-1 moves V6 V5 rubbish", {})
    _, done = collect_all(workspace, first.arrivals, dry_run=True)
    (reply,) = replies(first.mails, done, workspace, ())
    assert reply.receipt.proposed == "r1: V-1 moves V6 V5"
    assert "enough to answer: yes" in reply.receipt.text

    second = batch_of(answer, {"V": reply.receipt.proposed})
    assert _lines(second, known.now["V"]) == taken
    assert second.agreed == ({"box/1/1": reply.receipt.proposed} if taken == [reply.receipt.proposed] else {})
    if second.agreed:
        assert _lines(batch_of(answer, second.agreed), known.now["V"]) == taken


def _lines(batch: MailBatch, code: str) -> list[str]:
    return [line for one in batch.arrivals if one.data for line in one.data.decode().splitlines() if line != code]


@pytest.mark.slow
def test_an_answer_in_advance_that_cannot_be_is_told_with_its_line(tmp_path: Path) -> None:
    """As a line that does not count."""
    text = receipt_of("giglio", "V", ["bribe CH0 much", "bribe CH0 20"], tmp_path, "en")
    assert text.splitlines()[0] == "1 of 2 lines counts."
    assert "'much' is not one of" in text
