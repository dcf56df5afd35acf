"""The orders of The Anarchy, each declared in the chapter that carries it out, in the order of its page."""

from __future__ import annotations

from assistant.rulesets.anarchy.evening.closing import give_up
from assistant.rulesets.anarchy.march.acts import assault, attack, besiege, engineer, enter, provision, recruit, sack
from assistant.rulesets.anarchy.march.dealing import buying, hiring, luring, promising, taking
from assistant.rulesets.anarchy.march.reading_moves import hold, lift, mercs, move, sally
from assistant.rulesets.anarchy.morning.captives import escort, ransom
from assistant.rulesets.anarchy.morning.convoys import load, make, unload
from assistant.rulesets.anarchy.morning.garrisons import garrison
from assistant.rulesets.anarchy.morning.provisions import supply
from assistant.rulesets.anarchy.morning.regrouping import attach, collect, detach, merge, pay, posture, split, transfer
from assistant.rulesets.anarchy.orders.columns import ANYWHERE, FILLERS, SHAPES
from assistant.rulesets.anarchy.orders.taking import PURSE, SAYS, say_refused
from assistant.turn.orders.verbs import declared

VERBS = declared(
    supply, posture, collect, split, transfer, merge, garrison, attach, detach, pay, escort, ransom,
    make, load, unload, move, hold, mercs,
    recruit, engineer, provision, buying, taking, hiring, promising, luring, attack, sack, besiege, assault, enter,
    sally, lift, give_up,
    says=SAYS, purse=PURSE, shapes=SHAPES, fillers=FILLERS, anywhere=ANYWHERE, refused=say_refused, neutrals=True)
