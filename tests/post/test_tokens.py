"""Codes of club copies: made from the secret, read however people pass them on, never mended."""

from __future__ import annotations

import pytest

from assistant.ledger.outbox import token_of, tokens_in

SECRET = bytes(range(32))
CODE = token_of(SECRET, "c0ffee", "V")


def test_a_code_is_one_factions_of_one_campaign() -> None:
    """Another faction, campaign, secret or renewal gives another code; the same gives the same."""
    others = {token_of(SECRET, "c0ffee", "M"), token_of(SECRET, "c0ffee", "V", 1), token_of(SECRET, "beef", "V"),
              token_of(bytes(32), "c0ffee", "V")}

    assert token_of(SECRET, "c0ffee", "V") == CODE
    assert len(others | {CODE}) == 5


@pytest.mark.parametrize("said", [
    "{code}", "Re: [Italy 1500] {small}, spring", "code {blanks} of Venice", "{dashes}", "{broken}", "({code})."])
def test_a_code_is_read_however_it_comes(said: str) -> None:
    """Small letters, blanks, other dashes and a line break inside it do not matter."""
    text = said.format(code=CODE, small=CODE.lower(), blanks=CODE.replace("-", " "), dashes=CODE.replace("-", "\u2013"),
                       broken=CODE.replace("-", "-\r\n", 1))

    assert list(tokens_in(text)) == [CODE]


def test_a_mistyped_code_is_none() -> None:
    """Whichever sign is another, and also where two neighbours changed places: it is not mended."""
    for place in (i for i, sign in enumerate(CODE) if sign != "-" and i > 3):
        other = "2" if CODE[place] != "2" else "3"
        assert list(tokens_in(CODE[:place] + other + CODE[place + 1:])) == []
    assert list(tokens_in("ARB-126 and ARB-340 are findings")) == []
