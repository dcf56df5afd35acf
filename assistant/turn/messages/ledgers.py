"""What is said of a ledger that is of no use, or of another moment than its workbook, in English; out come messages."""

from __future__ import annotations

from assistant.turn.findings import Message

LEDGERS = (
    Message("ARB-070", "error",
            "The ledger {ledger} is missing beside {book}. {near} beside it is of this campaign: call it {ledger}"
            " again. Put it back: it holds the dice secret and every snapshot. If it is lost, take the newest whole one"
            " that lies among the backups: arbitro ledger {book} --rescue. Only if that fails start a new one:"
            " arbitro ledger {book} --renew"),
    Message("ARB-071", "error",
            "The ledger {ledger} is damaged. Take the newest whole one that lies among the backups:"
            " arbitro ledger {book} --rescue. Only if that fails start a new one, which ends the dice that were"
            " promised: arbitro ledger {book} --renew"),
    Message("ARB-072", "error",
            "The ledger {ledger} is of the campaign {theirs}, and {book} says that it is of {ours}. If somebody typed"
            " over the campaign's id, type {theirs} into {cell} again; else put the right ledger beside the"
            " workbook."),
    Message("ARB-380", "error",
            "The ledger {ledger} is held by another program or is just being synchronised, and was waited for in vain."
            " It is not damaged, and nothing was changed. Close what else uses it, or wait a while, and run the command"
            " again."),
    Message("ARB-381", "error",
            "The ledger {ledger} may not be read or written here: it or its folder is read-only, or belongs to somebody"
            " else. It is not damaged, and nothing was changed. Give yourself the right to write both, and run the"
            " command again."),
    Message("ARB-382", "error",
            "The snapshot of change {number} is not in the ledger {ledger}: it was damaged and could not be rescued."
            " What came after it can still be brought back: arbitro history {book}"),
    Message("ARB-383", "warning", "Nobody can tell what was changed by hand: {why}"),
    Message("ARB-073", "error", "The ledger {ledger} was written by a newer Arbitro. Update Arbitro."),
    Message("ARB-389", "error",
            "The ledger {ledger} has format {number}, which no Arbitro reads any more. Start a new one:"
            " arbitro ledger {book} --renew"),
    Message("ARB-074", "error",
            "The ledger {ledger} cannot be written. Close what else may be using it and try again; "
            "else see that its folder is not read-only and the disk not full."),
    Message("ARB-386", "error",
            "{when} cannot be corrected: what was done after it is not in the ledger, which was put back or belonged to"
            " another history. Correct only what came after that."),
    Message("ARB-387", "error", "Unproved: {text} That accuses nobody; it only says that no ledger holds it."),
    Message("ARB-388", "error",
            "The workbook {book} and the ledger {ledger} tell two histories. They part at {point}: from there the"
            " workbook has {ours}; the ledger has {theirs}, last changed by {who}. Nothing was changed. Somebody has"
            " played on at another computer, or a cloud folder has put another file here. If you have the file that"
            " belongs here, put it back. Else choose; the other history is kept as a file. To go on with the workbook:"
            " arbitro ledger {book} --keep workbook. To go on with the ledger: arbitro ledger {book} --keep ledger"),
    Message("ARB-230", "error",
            "The ledger {ledger} is older than {book}: it knows the campaign as far as {then}, and the workbook stands"
            " at {now}. Nothing was changed. Was one of them put back from a backup, or by a cloud folder? Then put the"
            " newer ledger back in its place: what Arbitro did in between does not count as typed by hand. If that"
            " ledger is lost, let the older one take the workbook as it is: arbitro ledger {book} --rescue. If"
            " nothing was put back, somebody has typed over the Desk: go on from a backup of the workbook instead."),
    Message("ARB-243", "error",
            "The ledger {ledger} is older than {book}: both stand at {now}, but what was ruled, corrected or begun"
            " there since is not in the ledger. Nothing was changed. Was one of them put back from a backup, or by a"
            " cloud folder? Then put the newer ledger back in its place. If it is lost, let the older one take the"
            " workbook as it is: arbitro ledger {book} --rescue. If nothing was put back, somebody has typed what"
            " only Arbitro writes: go on from a backup of the workbook instead."),
    Message("ARB-231", "info",
            "The ledger that fits {book} lies beside it: {copy}. Move {ledger} to another folder and give this one its"
            " name."),
    Message("ARB-232", "info",
            "A backup holds the workbook as the older ledger knows it: {copy}. Only to go back there, and to play again"
            " what came after it: keep {book} in another folder and put a copy of that backup in its place, under its"
            " name."),
    Message("ARB-233", "error",
            "The workbook {book} is older than its ledger {ledger}: the workbook stands at {now}, the ledger knows the"
            " campaign as far as {then}. Nothing was changed. Was one of them put back from a backup, or by a cloud"
            " folder? Then put the newer workbook back in its place. To go on from {now} instead, as after an undo:"
            " arbitro undo {book} {way}",
            ("keep", {"yes": "The workbook {book} is older than its ledger {ledger}: the workbook stands at {now}, the"
                             " ledger knows the campaign as far as {then}. Nothing was changed. Was one of them put"
                             " back from a backup, or by a cloud folder? Then put the newer workbook back in its place."
                             " To go on from {now} instead: arbitro ledger {book} --keep workbook"})),
)
