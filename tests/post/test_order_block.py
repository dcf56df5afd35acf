"""The block of a report's mail: of every rulebook and in both languages it orders nothing until it is filled in."""

from __future__ import annotations

from itertools import product

import pytest

from assistant.post.club_form import SentTexts, order_block, sift_mail
from assistant.post.parse_mail import read_mail
from assistant.reporting.build import build_page
from assistant.rulesets.anarchy.ruleset import ANARCHY
from assistant.rulesets.giglio.ruleset import GIGLIO
from assistant.turn.ruleset import Ruleset
from assistant.wording import Wording
from tests.post.mails import CODE, quoted, raw
from tests.post.test_copies import england
from tests.reporting.test_italy import year
from tests.sweeps import fast_among


@pytest.mark.parametrize(("ruleset", "lang"), fast_among(product([GIGLIO, ANARCHY], ["it", "en"]), (GIGLIO, "it")))
def test_a_block_is_read_again_as_it_was_filled_in(ruleset: Ruleset, lang: str) -> None:
    """Inert as it was sent, quoted or not; filled in, also in a quote, its lines come back with its turn and code."""
    campaign = year()["1500", "budget"] if ruleset is GIGLIO else england()
    faction = "V" if ruleset is GIGLIO else "royal"
    words = Wording(ruleset, lang)
    page = build_page(ruleset, ruleset.view(campaign, faction), faction, words)
    lines = list(order_block(page.template, words, CODE, page.turn))
    whole = "\n".join(lines)
    sent = SentTexts([whole])

    assert len(lines) > 4
    for untouched in (whole, quoted(*lines)):
        assert sift_mail(read_mail(raw(untouched)), sent, bool).lines == ()
    answer = next((line for line in lines if line.startswith("#") and line[1:2].isalnum()), "#one")
    there = [answer[1:] if line == answer else line for line in lines[:-1]] + ["two", lines[-1]]
    mail = read_mail(raw(quoted(*there), subject="Re"))
    found = sift_mail(mail, sent, lambda line: line in (answer[1:], "two"))

    assert set(found.lines) == {answer[1:], "two"} & set(there)
    assert (mail.tokens, found.turns) == ((CODE,), (page.turn,))
