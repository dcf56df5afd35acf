"""The will to fight, the end of the campaign, the score: phase 5 (5)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal

from assistant.campaign.columns import Codes, Ref, Whole, column
from assistant.campaign.records import ALL
from assistant.campaign.tables import Record
from assistant.rulesets.warriors import ROLLS, book, both
from assistant.rulesets.warriors.land import Country, needing
from assistant.rulesets.warriors.records import Faction
from assistant.turn.chapters import Chapter, Citation, Modifier, Rules
from assistant.turn.event_types import Said
from assistant.turn.rulings import Score

# Phase 5: the will to fight (5).


class WillNumbers(Rules):
    """What moves the will, and when it is tested."""

    will_won: int = book.to_will(1, "Each battle won", "Ogni battaglia vinta")
    will_lost: int = book.to_will(-1, "Each battle lost", "Ogni battaglia perduta")
    will_taken: int = book.to_will(1, "Each stronghold taken and held", "Ogni caposaldo preso e tenuto")
    will_gone: int = book.to_will(-1, "Each own stronghold in other hands", "Ogni proprio caposaldo in mano altrui")
    will_capital_taken: int = book.to_will(3, "Each enemy capital held", "Ogni capitale nemica tenuta")
    will_capital_lost: int = book.to_will(-3, "The own capital in other hands", "La propria capitale in mano altrui")
    will_fail_at: int = book.threshold(0, "Below {n} the campaign is over for a faction.",
                                       "Sotto {n} la campagna è finita per una fazione.")
    will_trigger: Literal["force_test", "any_force", "all_forces"] = book.switch(
        "The will is tested for {option}.", "La volontà si prova per {option}.",
        ("a Force lost in its test", "una Forza perduta nel test"), ("any Force that is lost", "ogni Forza perduta"),
        ("nothing less than all Forces", "niente meno di tutte le Forze"), usual=True)
    will_tests: Literal["once", "per_trigger"] = book.switch(
        "The will is tested {option}.", "La volontà si prova {option}.", ("once a turn", "una volta per turno"),
        ("for each reason", "per ogni motivo"))
    will_battles: Literal["campaign", "turn"] = book.switch(
        "For the will count the battles of {option}.", "Per la volontà contano le battaglie {option}.",
        ("the campaign", "della campagna"), ("the turn", "del turno"))
    capital_is_stronghold: Literal["no", "yes"] = book.switch("A capital {option} as a stronghold besides.",
                                                              "Una capitale {option} anche come caposaldo.",
                                                              ("does not count", "non conta"), ("counts", "conta"))


WILL_CHAPTER = Chapter(
    both("5 Will to fight", "5 Volontà di combattere"), (Citation("5", "phase 5", "fase 5", "5 Will to fight"),),
    WillNumbers, events=(
    book.event("tallied", "battles", 5, "{faction:the} {faction?has|have} drawn {battle}.",
               "{faction:il} {faction?ha|hanno} pareggiato {battle}.",
               variants=("came", {
                   "won": ("{faction:the} {faction?has|have} won {battle}.",
                           "{faction:il} {faction?ha|hanno} vinto {battle}."),
                   "lost": ("{faction:the} {faction?has|have} lost {battle}.",
                            "{faction:il} {faction?ha|hanno} perduto {battle}.")}), means={"battle": "text"},
               to="faction"),
    book.event("without_forces", "news", 1, "{faction:the} {faction?has|have} no Force on the map.",
               "{faction:il} non {faction?ha|hanno} Forze sulla mappa.", to="faction"),
    book.event("forces_again", "news", 3, "{faction:the} {faction?has|have} Forces on the map again.",
               "{faction:il} {faction?ha|hanno} di nuovo Forze sulla mappa.", to="faction"),
    book.event("will_passed", "news", 1,
               "{faction:the} {faction?holds|hold}, {faction?its|their} will to fight does not break: {roll}",
               "{faction:il} {faction?regge|reggono}, la volontà di combattere non cede: {roll}",
               means={"reasons": "text"}, to="faction"),
    book.event("will_rolled", "news", 1, "Test of the will of {faction:the}: {roll}",
               "Test della volontà {faction:di}: {roll}", to="faction"),
    book.event("will_failed", "news", 1,
               "{faction:the} {faction?gives|give} up the campaign: {faction?its|their} will to fight is broken.",
               "{faction:il} {faction?esce|escono} dalla campagna: non {faction?ha|hanno} più la volontà di "
               "combattere.", means={"reasons": "text"}, to=ALL),
    book.event("nothing_left", "news", 1,
               "{faction:the} {faction?has|have} nothing left and {faction?is|are} out of the campaign.",
               "{faction:il} non {faction?ha|hanno} più nulla ed {faction?esce|escono} dalla campagna.", to=ALL),
))

WILL = ROLLS.purpose(both("The will to fight", "La volontà di combattere"), "will/{Factions}", again="/{n}")


def will(land: Country) -> None:
    """Factions with nothing left are out; those with a reason are tested, all at once; without a war it ends."""
    for row in land.players():
        without = not any(army.faction == row.faction for army in land.active())
        # owed once for each time that a faction is left without Forces
        if without and not row.gone:
            land.owe_will_test(row.faction, "no_forces")
        if without != row.gone:
            row.gone = without
            land.tell("without_forces" if without else "forces_again", faction=row.faction)
    # who has neither Forces nor places is out without a test
    holders = {army.faction for army in land.armies if army.left} | {place.holder for place in land.places()}
    empty = [row for row in land.players() if row.faction not in holders]
    tested = [(row, *_test(land, row)) for row in land.players() if row.will_due and row not in empty]
    for row in empty:
        _leave_campaign(land, row, "nothing_left")
    for row, dice, failed in tested:
        reasons, row.will_due, row.omen = row.will_due, "", 0
        for throw in dice[:-1] if failed else dice:
            land.tell("will_passed", roll=[throw], faction=row.faction, total=throw, reasons=reasons)
        if failed:  # what it has thrown, and with what, stays its own
            land.tell("will_rolled", roll=dice[-1:], faction=row.faction)
            _leave_campaign(land, row, "will_failed", total=dice[-1], reasons=reasons)
    if not land.at_war():
        tell_end(land)


WILL_TABLE: tuple[Modifier[Counter[str]], ...] = tuple(
    Modifier(label, itemgetter(what), f"will_{what}") for label, what in (
        (both.word("battles won", "battaglie vinte"), "won"), (both.word("battles lost", "battaglie perdute"), "lost"),
        (both.word("strongholds taken", "capisaldi presi"), "taken"),
        (both.word("strongholds lost", "capisaldi perduti"), "gone"),
        (both.word("capitals taken", "capitali prese"), "capital_taken"),
        (both.word("capital lost", "capitale perduta"), "capital_lost")))
"""What moves the will, by how often it happened: each is worth the number will_ with that word."""


def will_modifiers(land: Country, faction: str, *, turn: bool = False) -> dict[str, int]:
    """The modifiers of a faction's will, by name; their sum is its score (rulebook: End and score)."""
    rules, row = WillNumbers.of(land), land.factions[faction]
    won, lost = _battles(land, faction) if rules.will_battles == "turn" and turn else (row.won, row.lost)
    count = Counter(won=won, lost=lost)
    for place in land.places():
        fort = place.place == "stronghold" or rules.capital_is_stronghold == "yes"
        if place.founder == faction and place.holder and not land.friendly(place.holder, faction):
            count.update(gone=fort, capital_lost=place.place == "capital")
        elif place.holder == faction != place.founder and not land.friendly(place.founder, faction):
            count.update(taken=fort, capital_taken=place.place == "capital" and land.hostile(place.founder, faction))
    return land.modifiers(WILL_TABLE, count)


REASONS = {
    "place_lost": both("You have lost {node:the}", "Hai perduto {node:il}"),
    "battle_lost": both("You have lost {battle:the}", "Hai perduto {battle:il}"),
    "force_lost": both("You have lost {army:the}", "Hai perduto {army:il}"),
    "no_forces": both("You have no Force on the map", "Non hai Forze sulla mappa"),
}
"""Why a test of the will is owed, by the word that the faction's row notes."""
TEST_AHEAD = both("{why}: the referee tests your will to fight. 1d6 is thrown, as things stand with {n}; below {need} "
                  "you are out. {odds}. You need do nothing.",
                  "{why}: l'arbitro prova la tua volontà di combattere. Si tira 1d6, per ora con {n}; sotto {need} sei "
                  "fuori. {odds}. Non devi fare nulla.")
CANNOT_FAIL = both("It cannot fail", "Non può fallire")
FAILS_ON = both("It fails on {k} or less", "Fallisce con {k} o meno")
CANNOT_PASS = both("No throw can pass it", "Nessun tiro può superarla")


def test_ahead(land: Country, row: Faction) -> Said:
    """The test of the will that a faction owes: for what, and how it may end."""
    word, _, lost = row.will_due.partition(",")[0].partition(":")
    bonus = sum(will_modifiers(land, row.faction, turn=True).values()) + row.omen
    least = WillNumbers.of(land).will_fail_at
    worst = least - 1 - bonus
    odds = Said(CANNOT_FAIL) if worst < 1 else Said(FAILS_ON, {"k": worst}) if worst < 6 else Said(CANNOT_PASS)
    return Said(TEST_AHEAD, {"why": Said(REASONS[word], dict.fromkeys(("node", "battle", "army"), lost)),
                             "n": f"{bonus:+d}", "need": least, "odds": odds})


def _battles(land: Country, faction: str) -> tuple[int, int]:
    """Battles that a faction has won and lost this turn."""
    won = lost = 0
    for battle in land.battles.of_turn(land.game.turn, lambda battle: battle.outcome in ("attacker", "defender")):
        winner = "A" if battle.outcome == "attacker" else "D"
        sides = {row.side for row in land.battle_armies if row.battle == battle.battle
                 and land.faction_of(row.army) == faction}
        won, lost = won + (winner in sides), lost + bool(sides - {winner, ""})
    return won, lost


def _test(land: Country, row: Faction) -> tuple[list[Score], bool]:
    """Test a faction's will: the dice, and whether it failed. By switch one test for each reason."""
    rules = WillNumbers.of(land)
    times = len(row.will_due.split(",")) if rules.will_tests == "per_trigger" else 1
    mods = {**will_modifiers(land, row.faction, turn=True), "omen": row.omen}
    dice: list[Score] = []
    for again in range(1, times + 1):
        score = land.score(WILL(row.faction, again=again), mods, land.own(row.faction))
        dice.append(needing(score, rules.will_fail_at))
        if score.at_most(rules.will_fail_at - 1):
            return dice, True
    return dice, False


def _leave_campaign(land: Country, row: Faction, what: str, **told: object) -> None:
    """A faction leaves the campaign: its Forces are destroyed, its places and boats belong to nobody."""
    row.status, row.will_due, row.omen = "out", "", 0
    for army in land.armies:
        if army.faction == row.faction and army.left:
            land.take_off(army, "destroyed")
    for place in land.places(row.faction):
        place.holder, place.store = "", 0
    for boat in land.boats:
        if boat.faction == row.faction:
            boat.faction = ""
    land.tell(what, faction=row.faction, **told)


# The end of the campaign, and the score.


class EndNumbers(Rules):
    """When the campaign ends."""

    max_turns: int = book.number(52, "turns", "The campaign ends after {n} {n?turn|turns}.",
                                 "La campagna finisce dopo {n} {n?turno|turni}.", "ASSUMED", 1, setup=True)


END_CHAPTER = Chapter(
    both("End and score", "Fine e punteggio"),
    (Citation("end", "Arbitro's rule", "regola di Arbitro", "End and score"),), EndNumbers, events=(
    book.event("campaign_ends", "news", 0, "Victory of {winners:the}.", "Vittoria: {winners}.",
               variants=("winners", {"": ("Nobody is left.", "Non resta nessuno.")}), to=ALL),
))

@dataclass(eq=False, repr=False)
class Aim(Record, sheet="Victory", sheet_it="Vittoria"):
    """How far a faction is from the end: with whom it is at war still, its score where the reader may know it, and the
    turns that are left, this one included.
    """

    faction: str = column(Ref("Factions"), "Faction", "Fazione", key=True)
    at_war: tuple[str, ...] = column(Codes("Factions"), "Still at war with", "Ancora in guerra con")
    score: int | None = column(Whole(blank=True), "Score now", "Punteggio adesso")
    turns: int = column(Whole(0), "Turns left", "Turni rimasti")
    allies: tuple[str, ...] = column(Codes("Factions"), "Allies", "Alleati")


AT_WAR = both("You are at war with {at_war:the}", "Sei in guerra con {at_war:il}")
AT_WAR_WITH_ALLIES = both("You are at war with {at_war:the}, allied with {allies:the}",
                          "Sei in guerra con {at_war:il}, in alleanza con {allies:il}")
AT_PEACE = both("You are at war with nobody", "Non sei in guerra con nessuno")
SCORE_NOW = both("{what}. Your score is {score}; {turns} {turns?turn|turns} left, this one included.",
                 "{what}. Il tuo punteggio è {score}; {turns?resta|restano} {turns} {turns?turno|turni}, compreso "
                 "questo.")


def clock(aim: Aim) -> Said:
    """With whom a faction is at war, its score, and how long it has."""
    what = Said(AT_PEACE if not aim.at_war else AT_WAR_WITH_ALLIES if aim.allies else AT_WAR, {
        "at_war": list(aim.at_war), "allies": list(aim.allies)})
    return Said(SCORE_NOW, {"what": what, "score": aim.score or 0, "turns": aim.turns})


def aims(land: Country, reader: str) -> list[Aim]:
    """All factions in play, the reader's first; in the fog battles and lost places of others are not counted."""
    codes, left = [row.faction for row in land.players()], max(0, EndNumbers.of(land).max_turns - land.turn + 1)
    return [Aim(own, tuple(other for other in codes if land.hostile(own, other)),
                score(land, own) if own == reader or land.rules.fog == "open" else None, left,
                tuple(other for other in codes if other != own and land.friendly(other, own)))
            for own in sorted(codes, key=lambda code: code != reader)]


def score(land: Country, faction: str) -> int:
    """The score of a faction: the sum of its will's modifiers."""
    return sum(will_modifiers(land, faction).values())


def tell_end(land: Country, *, by_score: bool = False) -> None:
    """Tell the end: those left have won, or at the turn limit the best score, then the most strength."""
    left = [row.faction for row in land.players()]
    winners = left
    if by_score and left:
        # of equal scores the greater strength on the map wins, else they share
        ranks = {faction: (score(land, faction), sum(
            land.strength(army.army) for army in land.active() if army.faction == faction)) for faction in left}
        winners = [faction for faction in left if ranks[faction] == max(ranks.values())]
    land.tell("campaign_ends", factions=" ".join(left), winners=" ".join(winners), how="score" if by_score else "peace")


def close_turn(land: Country) -> None:
    """After the last turn the campaign ends by score."""
    if land.turn >= EndNumbers.of(land).max_turns:
        tell_end(land, by_score=True)
