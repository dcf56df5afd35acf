"""The order words of Il Giglio in both languages (digest, section 5), and how an order is shown back.

Words are understood whatever their case and accents; blanks, hyphens and underscores are alike.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from assistant.rulesets.giglio.records import OBJECTIVES, SPECIALISTS
from assistant.turn.ruleset import Verb

BUDGET, SUMMER = "budget", "summer"
_SPRING, _BOTH, _SUMMER = (BUDGET,), (BUDGET, SUMMER), (SUMMER,)

VERBS: Mapping[str, Verb] = {one.en: one for one in (
    Verb("objective", "obiettivo", ("option", "partner"), _SPRING,
         "Choose the secret objective; for conquer also the faction whose territory is meant."),
    Verb("loan", "prestito", ("amount",), _SPRING, "Borrow from the bank, up to half of the city taxes."),
    Verb("recruit", "arruola", ("amount", "target", "unit"), _SPRING,
         "Pay men into an army at an own city; unit: which army, or new."),
    Verb("enlist", "ingaggia", ("option", "target"), _SPRING,
         "Hire a sapper, diplomat, spy or assassin; target: the post."),
    Verb("fleet", "flotta", ("target",), _SPRING, "Launch a fleet in an own port."),
    Verb("bid", "stratega", ("amount",), _SPRING, "Bid for the office of Strategos."),
    Verb("fortify", "fortifica", ("target",), _BOTH, "Fortify an own place."),
    Verb("repair", "ripara", ("target",), _BOTH, "Repair the damaged walls of an own place."),
    Verb("garrison", "guarnigione", ("target", "unit"), _BOTH,
         "Leave a garrison: from an army there or passing, or paid from the chest."),
    Verb("transfer", "trasferisci", ("unit", "target", "amount"), _BOTH,
         "Move ducats from one army to another in the same place; blank: all."),
    Verb("split", "dividi", ("unit", "amount"), _BOTH, "Make a new army of so many ducats."),
    Verb("attach", "assegna", ("unit", "target"), _BOTH, "Post a sapper with another army or place of the same node."),
    Verb("pay", "paga", ("partner", "amount"), _BOTH, "Send ducats to another faction."),
    Verb("ally", "allea", ("partner", "option", "amount", "note"), _BOTH,
         "Offer a treaty: passage or no_passage, last year, terms in the note."),
    Verb("dissolve", "sciogli", ("partner",), _BOTH, "End a treaty at once."),
    Verb("move", "muovi", ("unit", "path", "amount"), _SUMMER, "March along a path; an amount splits that much off."),
    Verb("stay", "fermo", ("unit",), _SUMMER, "Stand where the army is."),
    Verb("siege", "assedia", ("unit", "target"), _SUMMER, "Besiege the place where the army stands."),
    Verb("lift", "leva", ("unit", "target"), _SUMMER, "End a siege."),
    Verb("come_out", "esci", ("unit",), _SUMMER, "Leave the walls and take the field in the same place."),
    Verb("embark", "imbarca", ("unit", "target"), _SUMMER, "Go aboard an own empty fleet."),
    Verb("land", "sbarca", ("unit", "target"), _SUMMER, "Land from the fleet at a place it reaches."),
    Verb("sail", "salpa", ("unit", "path"), _SUMMER, "Sail one segment."),
    Verb("assassinate", "uccidi", ("unit", "option", "target"), _SUMMER,
         "Send an assassin against a commander, diplomat, sapper, spy or assassin."),
)}
"""The verbs by their English word, in the order of the digest."""

ENLISTED: Mapping[str, str] = {**SPECIALISTS, "diplomat": "diplomatico"}
"""What `enlist` hires: code -> Italian."""
VICTIMS: Mapping[str, str] = {"commander": "comandante", **ENLISTED}
"""What `assassinate` aims at: code -> Italian."""
PASSAGE: Mapping[str, str] = {"passage": "passo", "no_passage": "senza_passo"}
"""Options of `ally`: code -> Italian."""
NEW = "new"

OPTIONS: Mapping[str, Mapping[str, str]] = {
    "objective": OBJECTIVES, "enlist": ENLISTED, "ally": PASSAGE, "assassinate": VICTIMS,
}
"""The option words of each verb that has them: code -> Italian."""

_MORE_VERBS = {
    "recluta": "recruit", "arruolare": "recruit", "hire": "enlist", "strategos": "bid", "stratego": "bid",
    "offerta": "bid", "borrow": "loan", "guarnisci": "garrison", "presidia": "garrison", "assign": "attach",
    "alleati": "ally", "alleanza": "ally", "treaty": "ally", "resta": "stay", "ferma": "stay", "stop": "stay",
    "stai": "stay", "besiege": "siege", "assedio": "siege", "togli": "lift", "board": "embark", "kill": "assassinate",
    "assassina": "assassinate", "sortita": "come_out", "muove": "move", "moves": "move", "march": "move",
    "marcia": "move", "marches": "move",
}
_MORE_OPTIONS = {
    "passaggio": "passage", "con_passo": "passage", "no_passo": "no_passage", "senza_passaggio": "no_passage",
    "without_passage": "no_passage", "with_passage": "passage", "ambasciatore": "diplomat", "envoy": "diplomat",
    "alleati_rispettati": "allies_kept", "alleati_traditi": "allies_betrayed", "territory": "conquer",
    "rispettate": "allies_kept", "tradite": "allies_betrayed",
}


def fold(word: str) -> str:
    """A word without case, accents and outer blanks; inner blanks and hyphens become ``_``."""
    bare = unicodedata.normalize("NFKD", word.strip().casefold())
    return re.sub(r"[\s_-]+", "_", "".join(c for c in bare if not unicodedata.combining(c)))


_VERB_WORDS: dict[str, str] = {
    **_MORE_VERBS, **{fold(v.it): v.en for v in VERBS.values()}, **{fold(v.en): v.en for v in VERBS.values()}}


def canonical_verb(word: str) -> str:
    """The English verb of a word in either language, or ""."""
    return _VERB_WORDS.get(fold(word), "")


def option_code(word: str, verb: str = "") -> str:
    """The code of an option word in either language, or "". `verb`: only among the options of that verb."""
    options = OPTIONS.get(verb, {}) if verb else {c: it for words in OPTIONS.values() for c, it in words.items()}
    folded = fold(word)
    for code, italian in options.items():
        if folded in (fold(code), fold(italian)):
            return code
    code = _MORE_OPTIONS.get(folded, "")
    return code if code in options else ""


def canonical_option(word: str, verb: str = "") -> str:
    """As `option_code`, but an unknown word comes back as it was typed, for the finding that quotes it."""
    return option_code(word, verb) or word.strip()


def season_of(phase: str) -> str:
    """``budget`` or ``summer`` (r1 .. r10) of an order's phase, or ""."""
    if phase == BUDGET:
        return BUDGET
    return SUMMER if re.fullmatch(r"r([1-9]|10)", phase) else ""


_SHOWN: Mapping[str, tuple[str, str]] = {
    "objective": ("objective {option} {partner}", "obiettivo {option} {partner}"),
    "loan": ("loan {amount}", "prestito {amount}"),
    "recruit": ("recruit {amount} {target} {unit}", "arruola {amount} {target} {unit}"),
    "enlist": ("enlist {option} {target}", "ingaggia {option} {target}"),
    "fleet": ("fleet {target}", "flotta {target}"),
    "bid": ("bid {amount}", "stratega {amount}"),
    "fortify": ("fortify {target}", "fortifica {target}"),
    "repair": ("repair {target}", "ripara {target}"),
    "garrison": ("garrison {target} from {unit}", "guarnigione {target} da {unit}"),
    "transfer": ("transfer {amount} {unit} {target}", "trasferisci {amount} {unit} {target}"),
    "split": ("split {amount} {unit}", "dividi {amount} {unit}"),
    "attach": ("attach {unit} {target}", "assegna {unit} {target}"),
    "pay": ("pay {partner} {amount}", "paga {partner} {amount}"),
    "ally": ("ally {partner} {option} {amount}: {note}", "allea {partner} {option} {amount}: {note}"),
    "dissolve": ("dissolve {partner}", "sciogli {partner}"),
    "move": ("{unit} {amount} moves {path}", "{unit} {amount} muove {path}"),
    "stay": ("{unit} stay", "{unit} fermo"),
    "siege": ("siege {target} {unit}", "assedia {target} {unit}"),
    "lift": ("lift {target} {unit}", "leva {target} {unit}"),
    "come_out": ("come_out {unit}", "esci {unit}"),
    "embark": ("embark {unit} {target}", "imbarca {unit} {target}"),
    "land": ("land {unit} {target}", "sbarca {unit} {target}"),
    "sail": ("sail {unit} {path}", "salpa {unit} {path}"),
    "assassinate": ("assassinate {unit} {option} {target}", "uccidi {unit} {option} {target}"),
}


def show(fields: Mapping[str, Any], lang: str) -> str:
    """An order in one line of canonical shorthand, which `understand` reads back to the same order.

    `fields`: verb, unit, path, target, amount, partner, option, note; blank or missing ones are left out.
    """
    verb = canonical_verb(str(fields.get("verb", "")))
    if not verb:
        return str(fields.get("verb", ""))
    values = {name: "" if fields.get(name) is None else str(fields[name]) for name in
              ("unit", "path", "target", "amount", "partner", "option", "note")}
    if lang == "it" and values["option"] in OPTIONS.get(verb, {}):
        values["option"] = OPTIONS[verb][values["option"]]
    line = _SHOWN[verb][1 if lang == "it" else 0].format_map(values)
    line = re.sub(r"\s+", " ", line).strip()
    return re.sub(r"( from| da|\s*:)$", "", line).replace(" :", ":")


__all__ = ["BUDGET", "ENLISTED", "NEW", "OPTIONS", "PASSAGE", "SUMMER", "VERBS", "VICTIMS", "canonical_option",
           "canonical_verb", "fold", "option_code", "season_of", "show"]
