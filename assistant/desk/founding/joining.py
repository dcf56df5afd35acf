"""`new --into`: a scenario or CSVs, and a club's file, in; the file with the campaign's sheets, and a ledger, out."""

from __future__ import annotations

from pathlib import Path

from assistant.desk.founding.club_file import ClubFile
from assistant.desk.founding.rulebooks import find_ruleset
from assistant.desk.founding.starting import Plan, dice_secret, founded, tell_unsound
from assistant.desk.playing.next_steps import desk_lines
from assistant.desk.results import Exit, Result
from assistant.desk.sitting.stops import Stop, claim_on, file_stop
from assistant.speech.names import factions_of
from assistant.turn.ruleset import Ruleset
from assistant.wording import N_, Wording
from assistant.workbook.adopt.adopted import Adoption
from assistant.workbook.book_errors import BookError
from assistant.workbook.read.grid import Notes


def new_into(plan: Plan, path: Path, *, lang: str = "") -> Result:
    """Put a new campaign's sheets behind the club's own, of which nothing changes; all or nothing.

    Result data: ``file``, ``turn``, ``phase``, ``campaign``, ``factions``, ``titles`` (of our sheets, by English name).
    """
    try:
        ruleset = find_ruleset(plan.ruleset, lang)
        with claim_on(path, "new", lang):
            return _put_in(plan, ruleset, path, lang)
    except Stop as stopped:
        return stopped.result("new")
    except (BookError, OSError) as fault:
        return file_stop(fault, path, lang).result("new")


def _put_in(plan: Plan, ruleset: Ruleset, path: Path, lang: str) -> Result:
    """What the command does under its claim. Raises `Stop`, `BookError`, OSError."""
    secret, club = dice_secret(plan.secret, lang), ClubFile(path, lang)
    club.need_no_ledger(force=plan.force)
    campaign, findings, words = founded(plan, ruleset, secret, lang)
    words = words.of_file(path)
    sound, notes = not any(f.stops for f in findings), Notes(campaign.desk.language)
    speaking = Wording(ruleset, campaign.desk.language, factions_of(campaign, campaign.desk.language))
    said = speaking.text(N_("The campaign's sheets were put into the club's workbook."))
    lines = desk_lines(ruleset, campaign, speaking, path.name, [said])
    with club.harm(words):
        data, reading = Adoption(path, club.data, ruleset, [], notes).make(campaign, {}, speaking, lines)
    if sound and any(f.stops for f in reading.findings):
        raise Stop(Exit.REFUSED, reading.findings, lang, words)
    club.replace(data, reading, secret, "new", words, sound=sound)
    result = Result("new", findings=[*notes.findings, *reading.placed(findings)], wording=words)
    club.tell(result, reading, ruleset, words)
    result.data.update(titles=reading.cells.titles)
    tell_unsound(result)
    return result
