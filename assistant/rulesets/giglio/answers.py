"""The words in which a question of Il Giglio may be answered, in either language -> the option that they mean."""

from __future__ import annotations

from collections.abc import Mapping

CHOICES: Mapping[str, str] = {
    "stop": "stop", "fermarsi": "stop", "fermo": "stop", "ferma": "stop", "retreat": "retreat", "go_back": "retreat",
    "go back": "retreat", "indietreggiare": "retreat", "indietreggia": "retreat", "indietro": "retreat",
    "attack": "attack", "attaccare": "attack", "attacca": "attack", "attacco": "attack", "shut_in": "shut_in",
    "shut in": "shut_in", "rinchiudersi": "shut_in", "rinchiuditi": "shut_in",
}
ACCEPT: Mapping[str, str] = {
    "accept": "accept", "accetta": "accept", "accetto": "accept", "yes": "accept", "sì": "accept", "si": "accept",
    "refuse": "refuse", "rifiuta": "refuse", "rifiuto": "refuse", "no": "refuse",
}
YES_NO: Mapping[str, str] = {"yes": "yes", "sì": "yes", "si": "yes", "no": "no"}
