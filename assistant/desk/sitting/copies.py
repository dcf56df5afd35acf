"""Codes of clubs' copies: a sitting in; each faction's code out, and whose a code is."""

from __future__ import annotations

import json

from assistant.desk import codes
from assistant.desk.results import Exit
from assistant.desk.sitting.sitting import Sitting, reported_to
from assistant.desk.sitting.stops import stop
from assistant.ledger import Ledger, LedgerTrouble, path_of
from assistant.post.tokens import token_of, tokens_in

RENEWED = "copies"
"""Under which key the ledger keeps how often each faction's code was renewed."""


def tokens_of(sitting: Sitting, renew: str = "") -> dict[str, str]:
    """The codes of all factions that get copies. `renew`: whose is to be another from now on. Raises `Stop`."""
    return {faction: codes_of[-1] for faction, codes_of in _all_tokens(sitting, renew).items()}


def _all_tokens(sitting: Sitting, renew: str = "") -> dict[str, list[str]]:
    """Faction -> its codes, the one that counts last."""
    ours = sitting.campaign.desk.campaign_id
    try:
        with Ledger.open(path_of(sitting.path), ours, write=bool(renew)) as ledger:
            renewed: dict[str, int] = json.loads(ledger.noted(RENEWED) or "{}")
            if renew:
                renewed[renew] = renewed.get(renew, 0) + 1
                ledger.note(RENEWED, json.dumps(renewed, sort_keys=True))
            return {code: [token_of(ledger.secret, ours, code, n) for n in range(renewed.get(code, 0) + 1)]
                    for code in reported_to(sitting.campaign)}
    except LedgerTrouble as trouble:
        raise sitting.ledger_stop(trouble) from trouble


def sender(sitting: Sitting, text: str, turn: str, file: str) -> str:
    """The faction whose orders a copy brings. `text`: where its code stands; `turn`: of which it is; `file`: its name.

    Raises `Stop` for a code that is none of this campaign or counts no more, and for a copy of another turn.
    """
    said = set(tokens_in(text))
    for faction, known in _all_tokens(sitting).items():
        if known[-1] in said:
            if turn != sitting.campaign.desk.turn:
                raise stop(Exit.REFUSED, codes.STALE_COPY, sitting.lang, sitting.wording, file=file, faction=faction,
                           seen=turn, turn=sitting.campaign.desk.turn)
            return faction
        if said & set(known):
            raise stop(Exit.REFUSED, codes.OLD_CODE, sitting.lang, sitting.wording, file=file, faction=faction)
    raise stop(Exit.REFUSED, codes.NO_CODE, sitting.lang, sitting.wording, file=file)
