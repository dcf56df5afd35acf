"""What dice are thrown for, in the order of the year, with the title of each kind of throw."""

from functools import partial

from assistant.rulesets.bloodlust import both
from assistant.turn.dice import RollKinds

ROLLS = RollKinds()
"""The kinds of throw by their word."""
counted = partial(ROLLS.purpose, dice="2d6", faces=True)
"""Dice of which the book counts each that succeeds (rulebook: Words)."""
INSULT = ROLLS.purpose(both("Free rolls for insults", "Tiri gratuiti per le offese"),
                       "insult/{Factions}/{Factions}", "d6")
HERO = ROLLS.purpose(both("Heroes", "Eroi"), "hero/{Factions}")
LEVEL = ROLLS.purpose(both("Levels of heroes", "Livelli degli eroi"), "hero_level/{Factions}")
LEADER_WR = ROLLS.purpose(both("WR of new commanders", "WR dei nuovi comandanti"), "leader_wr/{Leaders*}", "2d6")
ATTRIBUTE = ROLLS.purpose(both("Attributes", "Attributi"), "attribute/{Leaders*}/{n}", "2d6")
STRENGTH = ROLLS.purpose(both("Strengths", "Punti di forza"), "strength/{Leaders*}/{n}", "3d6")
WEAKNESS = ROLLS.purpose(both("Weaknesses", "Debolezze"), "weakness/{Leaders*}/{n}", "2d6")
RECRUIT = ROLLS.purpose(both("Recruits", "Reclute"), "recruit/{Factions}/{n}")
MERCENARY = ROLLS.purpose(both("Mercenaries", "Mercenari"), "mercenary/{Factions}/{n}")
OPPOSITION = ROLLS.purpose(both("Opposition at home", "Opposizione in patria"), "opposition/{Factions}/{n}")
OPPOSED_MERCENARY = ROLLS.purpose("", "opposition/{Factions}/m{n}")
FORAGE = counted(both("Foraging", "Foraggiamento"), "forage/{Units*}")
WAR = counted(both("War checks", "Prove di guerra"), "war/{Factions}")
TARGET = ROLLS.purpose(both("Targets of war", "Bersagli di guerra"), "target/{Factions}/{Factions}", again="/{n}")
PROVINCE = ROLLS.purpose(both("Provinces to invade", "Province da invadere"),
                         "province/{Factions}/{Nodes}", again="/{n}")
INVADERS = ROLLS.purpose(both("Order of invaders", "Ordine degli invasori"), "invaders/{Armies*}", again="/{n}")
MOVE = counted(both("Army movements", "Movimenti d'armata"), "move/{Armies*}", dice="d6", again="/{n}")
LEVY = ROLLS.purpose(both("Ad-hoc armies", "Armate di leva"), "levy/{Armies*}/{n}")
TYPE = ROLLS.purpose(both("Army types", "Tipi d'esercito"), "army_type/{Armies*}")
ATTACKING = counted(both("Who attacks on the table", "Chi attacca al tavolo"), "attacking/{Armies*}", dice="d6")
FATE = counted(both("Fates of commanders", "Sorti dei comandanti"), "fate/{Leaders*}", dice="d6")
WOUND = ROLLS.purpose(both("Wounds", "Ferite"), "wound/{Leaders*}", "d6")
FATE_WEAKNESS = ROLLS.purpose(both("Weaknesses of captives", "Debolezze dei prigionieri"),
                              "fate_weakness/{Leaders*}", "2d6", "/{n}")
RETREAT = counted(both("Retreats", "Ritirate"), "retreat/{Armies*}", dice="d6")
RECOVERY = counted(both("Recoveries", "Riprese"), "recovery/{Units*}")
WEAPON_LOST = ROLLS.purpose(both("Weapons gone", "Armi sparite"), "weapon_lost/{Weapons*}", "d4")
LOOT = counted(both("Looting", "Saccheggio"), "loot/{Armies*}", dice="d6")
STAYING = counted(both("Staying at war", "Chi resta in guerra"), "staying/{Units*}")
SIEGE = counted(both("Siege tests", "Prove d'assedio"), "siege/{Units*}")
WILL = counted(both("Morale checks", "Prove di morale"), "will/{Factions}", again="/{n}")
DISBAND = counted(both("Disband or Not", "Congedo invernale"), "disband/{Units*}")
DEATH = ROLLS.purpose(both("Deaths of leaders", "Morti dei capi"), "death/{Factions}", "2d6")
WEAPON = ROLLS.purpose(both("Weapons that appear", "Armi che appaiono"), "weapon/{Weapons*}")
WEAPON_PROVINCE = ROLLS.purpose(both("Where weapons appear", "Dove appaiono le armi"),
                                "weapon_province/{Weapons*}", "d36")
TRADE = counted(both("Trade", "Commercio"), "trade/{Nodes}")
DIPLOMAT = ROLLS.purpose(both("Where envoys go", "Dove vanno gli inviati"),
                         "diplomat/{Factions}/{Factions}", again="/{n}")
STANCE = ROLLS.purpose(both("Stances", "Atteggiamenti"), "stance/{Factions}")
DIPLOMACY = counted(both("Diplomacy", "Diplomazia"), "diplomacy/{Factions}", dice="d6")
ALLIANCE = ROLLS.purpose(both("Alliances considered", "Alleanze valutate"), "alliance/{Factions}/{Factions}")
CLASH = counted(both("Battles off the table", "Battaglie non giocate"),
                "clash/{Battles*}/{attacker|defender}", dice="d6")
HITS = ROLLS.purpose(both("Hits off the table", "Colpi fuori dal tavolo"), "hits/{Units*}")
LEADER_HIT = ROLLS.purpose(both("Commanders hit off the table", "Comandanti colpiti fuori dal tavolo"),
                           "leader_hit/{Leaders*}")
MELEE = counted(both("Melees of the calculator", "Mischie della calcolatrice"),
                "melee/{Melee*}/{n}/{a|b}/{attack|defence}", dice="d6")
