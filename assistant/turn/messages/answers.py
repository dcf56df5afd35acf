"""What the house finds in answers and in the forms of battles, of every ruleset alike (ARB-135, 300 to 310)."""

from __future__ import annotations

from assistant.turn.findings import Message

ANSWERS = (
    Message("ARB-135", "error",
            "'{answer}' is not among the answers that this question takes. Type one of: {options}."),
    Message("ARB-300", "error",
            "Questions of the kind '{kind}' are put each time: no answer to them stands until it is changed. Answer "
            "each of them as it comes."),
    Message("ARB-308", "error", "'{answer}' is given as an answer of {faction:the}, of whom this is not asked: it does"
            " not count. Who is asked answers in the question's own row."),
    Message("ARB-309", "error", "As the result of {battle} cannot be read, {n} further {n?row|rows} of the report"
            " {n?does|do} not count either. Put the result right, and send the copy again.",
            ("why", {"key": "'{text}' does not count: columns that Arbitro has filled in were written over in its row."
                            " Ask the referee for a new copy, and type it there."})),
    Message("ARB-310", "warning", "{text}: {n} {n?row|rows} of the form of {battle} say the same, and all of them"
                                  " count. Take"
            " out what is too much."),
    # --- what clubs report of a battle
    Message("ARB-301", "error",
            "{faction:the} {faction?has|have} no part in {battle}: only who fought there reports on it. Take the"
            " answer out."),
    Message("ARB-302", "error", "'{text}' is no report on {battle}. Write the result as in its form, and then its"
            " further rows, each behind a semicolon."),
    Message("ARB-303", "info",
            "{faction:the} {faction?reports|report} on {battle}: {text}. The other side has not reported yet."),
    Message("ARB-304", "info", "Both sides have reported on {battle}, and nothing differs: {text}. Confirm it: answer"
            " its question with {answer}."),
    Message("ARB-305", "warning", "The reports on {battle} differ in {column}: {list}. Where it is one side's own, that"
            " side's report counts once it is confirmed; else type into the form what counts."),
    Message("ARB-306", "error", "The reports on {battle} differ in {column}: {list}. Type what counts into the form,"
            " then they count as confirmed."),
)
