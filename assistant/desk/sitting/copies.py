"""Codes of clubs' copies: a sitting in; each faction's code out, and whose a code is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from assistant.desk import codes
from assistant.desk.results import Exit
from assistant.desk.sitting.sitting import Sitting, reported_to
from assistant.desk.sitting.stops import stop
from assistant.ledger import Ledger, LedgerTrouble, path_of
from assistant.post.tokens import token_of, tokens_in
from assistant.wording import Verbatim

RENEWED = "copies"
"""Under which key the ledger keeps how often each faction's code was renewed."""


class Codes(NamedTuple):
    """The codes of a campaign's clubs. `now`: faction -> the one that counts; `factions`: each that counts, or did
    before it was renewed -> its faction.
    """

    now: Mapping[str, str]
    factions: Mapping[str, str]


def tokens_of(sitting: Sitting, renew: str = "") -> dict[str, str]:
    """The codes of all factions that get copies. `renew`: whose is to be another from now on. Raises `Stop`."""
    return {faction: known[-1] for faction, known in _all_tokens(sitting, renew).items()}


def _all_tokens(sitting: Sitting, renew: str = "") -> dict[str, list[str]]:
    """Faction -> its codes, the one that counts last."""
    ours = sitting.campaign.desk.campaign_id
    try:
        with Ledger.open(path_of(sitting.path), ours) as ledger:
            renewed: dict[str, int] = json.loads(ledger.noted(RENEWED) or "{}")
            if renew:
                renewed[renew] = renewed.get(renew, 0) + 1
                ledger.note(RENEWED, json.dumps(renewed, sort_keys=True))
            return {code: [token_of(ledger.secret, ours, code, n) for n in range(renewed.get(code, 0) + 1)]
                    for code in reported_to(sitting.campaign)}
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble


def codes_of(sitting: Sitting) -> Codes:
    """The codes of all factions that get copies. Raises `Stop`."""
    found = _all_tokens(sitting)
    return Codes({faction: known[-1] for faction, known in found.items()},
                 {code: faction for faction, known in found.items() for code in known})


def sender(sitting: Sitting, text: str, turn: str, file: str, known: Codes | None = None) -> str:
    """The faction whose orders a copy brings. `text`: where its code stands; `turn`: of which it is; `file`: its name;
    `known`: the codes, where somebody has them already.

    Raises `Stop` for a code that is none of this campaign or counts no more, for codes of several clubs, and for a copy
    of another turn.
    """
    said = dict.fromkeys(tokens_in(text))
    known = known or codes_of(sitting)
    if len({known.factions.get(code, "") for code in said}) > 1:
        raise stop(Exit.REFUSED, codes.TWO_CODES, sitting.lang, sitting.wording, file=file,
                   list=Verbatim(", ".join(said)))
    for faction, code in known.now.items():
        if code in said:
            if turn != sitting.campaign.desk.turn:
                raise stop(Exit.REFUSED, codes.STALE_COPY, sitting.lang, sitting.wording, file=file, faction=faction,
                           seen=turn, turn=sitting.campaign.desk.turn)
            return faction
        if any(known.factions.get(one) == faction for one in said):
            raise stop(Exit.REFUSED, codes.OLD_CODE, sitting.lang, sitting.wording, file=file, faction=faction)
    raise stop(Exit.REFUSED, codes.NO_CODE, sitting.lang, sitting.wording, file=file)
