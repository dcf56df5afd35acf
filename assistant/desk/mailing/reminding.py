"""`remind`: a campaign in; a short mail to each club that is awaited out, once a phase."""

from __future__ import annotations

from pathlib import Path

from assistant.campaign.records import REFEREE, Faction
from assistant.desk import codes
from assistant.desk.evening.reports import answers_refused, words_of
from assistant.desk.mailing.counter import NOBODY, Counter, PostWish
from assistant.desk.mailing.handing_over import hand_over
from assistant.desk.mailing.packages import Package, Write, reminder
from assistant.desk.mailing.sending import UNSAID, addresses_missing
from assistant.desk.playing.next_steps import waited_for, where_of
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.copies import tokens_of
from assistant.desk.sitting.sitting import At, Sitting, sit
from assistant.desk.sitting.stops import Stop, club_of, folder_stop, of_one_moment
from assistant.post.out.addresses import addresses_in
from assistant.post.out.clock import Clock
from assistant.post.out.letters import Letter
from assistant.post.out.settings import load
from assistant.turn.superseded import in_force
from assistant.wording import N_, Verbatim

SUBJECT = N_("[{campaign}] {name}: you are awaited, {where}")
AWAITED = N_("The campaign stands at {where} and waits for you:")
BY = N_("Please answer by {deadline}.")


@of_one_moment
def remind(at: At, folder: Path, *, clock: Clock, wish: PostWish = UNSAID, by: str = "", lang: str = "") -> Result:
    """Write once to each club for which the present phase waits; who owes nothing gets nothing.

    `folder`: for the ``.eml`` of a dry run; `by`: until when they have time, in words. Result data: as `send`.
    """
    try:
        sitting = sit(at, lang)
        sitting.stop_on_data()
        post = load()
        result = Result("remind", findings=sitting.reading.findings, wording=sitting.wording)
        wish = wish.spelled(lambda typed: club_of(sitting.campaign, typed, sitting.wording))
        waiting = _waiting(sitting)
        wanted = [code for code in waiting if code in wish.only or not wish.only]
        if not wanted:
            result.data["sent"] = 0
            result.say(sitting.wording.text(N_("No club is awaited.")))
            return result
        if post is None and not wish.dry:
            result.exit = Exit.REFUSED
            result.find([codes.finding(codes.NOBODY_REMINDED, list=", ".join(wanted))])
            return result
        result.find(addresses_missing(sitting, wanted))
        packages = _packages(sitting, wanted, " ".join(by.split()))
        hand_over(Counter(sitting, post or NOBODY, clock, wish), result, packages, folder)
    except Stop as stopped:
        return stopped.result("remind")
    except OSError as fault:
        return folder_stop(fault, folder, N_("the mails"), lang).result("remind")
    return result


def _waiting(sitting: Sitting) -> list[str]:
    """The clubs that are awaited, in the order in which they are."""
    campaign, ruleset = in_force(sitting.campaign), sitting.ruleset
    if ruleset.is_over(campaign):
        return []
    awaited = waited_for(ruleset, campaign, sitting.wording, answers_refused(sitting))
    factions = campaign.table(Faction)
    return list(dict.fromkeys(one.who for one in awaited if one.who != REFEREE and one.who in factions
                              and factions[one.who].role != "robot"))


def _as_written(letter: Letter) -> Write:
    """A reminder replaces nothing, and so has nothing more to say."""
    return lambda notices: letter


def _packages(sitting: Sitting, wanted: list[str], by: str) -> list[Package]:
    """A letter for each that has an address, in its own language."""
    campaign, ruleset, tokens = in_force(sitting.campaign), sitting.ruleset, tokens_of(sitting)
    found = []
    for code in wanted:
        row = campaign.table(Faction)[code]
        view = ruleset.view(campaign, code)
        words = words_of(ruleset, view, row.language)
        due = [one.what for one in waited_for(ruleset, view, words) if one.who == code]
        where = Verbatim(where_of(ruleset, view, words))
        lines = [words.text(AWAITED, where=where), *(f"- {one}" for one in due),
                 *([words.text(BY, deadline=Verbatim(by))] if by else [])]
        subject = words.text(SUBJECT, campaign=Verbatim(view.desk.title or ruleset.title), where=where,
                             name=Verbatim(row.name(words.lang)))
        letter = reminder(words, code, subject, lines, tokens.get(code, ""))
        to = addresses_in(row.mail)[0]
        if to:
            found.append(Package(letter, to, words, [], _as_written(letter)))
    return found
