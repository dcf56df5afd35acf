"""What the extension itself says, when Arbitro cannot speak: these texts travel inside it, in both languages."""

from __future__ import annotations

from assistant.buttons.button_list import BUTTONS
from assistant.catalogues import translator
from assistant.turn.texts import N_

TEXTS: dict[str, str] = {
    "working": N_("Arbitro: {verb} ..."),
    "so_far": N_("{line} ({n} s)"),
    "busy": N_("Arbitro is still at work on the last click: {verb}. Wait until it is done."),
    "no_python": N_("Arbitro is not where it was when its buttons were installed ({python}). "
                    "Run in a terminal: arbitro setup libreoffice"),
    "silent": N_("Arbitro gave no answer in {n} s and was stopped. The workbook is as it was before the click. "
                 "Click again; if it stays so, run in a terminal: arbitro doctor"),
    "ended": N_("Arbitro could not do it. The workbook is as it was before the click. "
                "Run in a terminal: arbitro doctor"),
    "read_only": N_("The workbook is open for reading only: somebody else has it open, or the file is protected. "
                    "Close it, and open it when it is free."),
    "never_saved": N_("The workbook has never been saved. Save it into a folder first."),
    "look_there": N_("Look there: {path}"),
    "more": N_("... and {n} more; all of it stands in the workbook."),
}


def in_language(lang: str) -> dict[str, str]:
    """The texts in a language, with the captions of the buttons by their verbs."""
    _ = translator(lang)
    return {**{name: _(text) for name, text in TEXTS.items()}, **{b.verb: b.caption(lang) for b in BUTTONS}}
