"""What is said of a ruleset to whoever writes it (`arbitro rulesets --check ID`), in English; out come messages."""

from __future__ import annotations

from assistant.turn.findings import Message

FOR_AUTHORS = (
    Message("ARB-321", "error", "{what} is wrong in this ruleset.", ("kind", {
        "id": "The ruleset calls itself '{what}', its entry point '{name}'. Give both the same name.",
        "sheet": "The sheet {what} is missing among `records`. Add it: every campaign needs it.",
        "code": "The code {what} begins as those of the house. Give findings a prefix of the ruleset's own.",
        "see": "{what}. Say it with `see` at the column, or with `whose` of the record.",
        "calendar": "No phase is declared. List the phases in `calendar`.",
        "verb": "'{what}' may be given for '{name}', which no phase takes. Write the word of a phase's `orders` or "
                "`takes`.",
        "column": "'{what}' takes the column {name}, which the record of Orders has not. Add the column there.",
        "question": "The phase {what} waits for '{name}', which is no kind of question. Declare it in `questions`.",
        "import": "{what}: {name} is not for rulesets. Import from assistant.campaign and assistant.turn only.",
        "event": "{what}: the event '{name}' is told and not declared. Declare it in `events`.",
        "finding": "{what}: the finding '{name}' is given and not declared. Declare it in `findings`.",
        "role": "The verbs refuse what is `{what}` ({where}) with the finding {name}, which is not declared. Declare it"
                " in `findings`, or name another code in `says`.",
        "brace": "The finding {name}, with which the verbs refuse what is `{what}` ({where}), has the brace '{brace}',"
                 " which nothing fills. Hand it on in `says`: role(\"{name}\", {brace}=...), one of: {words}.",
        "scenario": "No campaign can be begun with the scenario {what}: {name}",
    })),
    Message("ARB-322", "warning", "{what} is missing in this ruleset.", ("kind", {
        "attribute": "`{what}` is not declared, so nobody knows it who lists the rulebooks.",
        "orders": "The phase {what} takes orders for '{name}', and no verb may be given then.",
        "rule": "{what} cites no rule. Say with it on which chapter it rests.",
        "citation": "{what} cites '{name}', which `citations` do not declare, so that reports show the key.",
        "category": "The event {what} is of the category '{name}', which has no heading. Declare it in `categories`.",
        "scenario": "The ruleset comes without a scenario: put one into the folder scenarios beside its code.",
        "italian": "{what} texts have no Italian, '{text}' the first of them. Collect them with: python -m"
                   " assistant.dev.catalogue update {name}",
    })),
)
"""What would not play rightly, and what a reader would miss."""
