"""The orders of Il Giglio, each declared in the chapter that carries it out, in the order of the rulebook page (5)."""

from __future__ import annotations

from assistant.rulesets.giglio.spring.budget import bid, enlist, fleet, loan, objective, recruit
from assistant.rulesets.giglio.spring.staff import attach, fortify, garrison, pay, repair, split, transfer
from assistant.rulesets.giglio.spring.treaties import ally, dissolve
from assistant.rulesets.giglio.summer.actions import besiege, come_out, embark, land, lift, move, sail, stay
from assistant.rulesets.giglio.summer.assassins import assassinate
from assistant.rulesets.giglio.war.orders import FILLERS, PURSE, SAYS, SHAPES
from assistant.turn.orders.verbs import declared

VERBS = declared(
    objective, loan, recruit, enlist, fleet, bid,
    fortify, repair, garrison, transfer, split, attach, pay, ally, dissolve,
    move, stay, besiege, lift, come_out, embark, land, sail, assassinate,
    says=SAYS, bare=move, fillers=FILLERS, shapes=SHAPES, purse=PURSE)
