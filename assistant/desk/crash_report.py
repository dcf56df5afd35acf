"""Reports an unexpected exception: says whether a plug-in or Arbitro is at fault."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from traceback import walk_tb
from types import CodeType

from assistant.turn.ruleset import GROUP, OURS
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording


def describe_fault(fault: Exception, lang: str) -> list[str]:
    """Sentences about an unexpected exception; if a plug-in's code raised it, they name the plug-in and the line."""
    words, kind = Wording(None, lang), type(fault).__name__
    found = _innermost_plugin_frame(fault)
    if found is None:
        ours = N_("Arbitro has a fault of its own ({reason}). The step that was under way changed nothing.")
        return [words.text(ours, reason=Verbatim(kind))]
    entry, code, line = found
    reason = f"{kind}: {fault}" if str(fault) else kind
    return [
        words.text(
            N_(
                "The rulebook {ruleset} (package {package}) has a fault in {file}, line {line}, in {function}: "
                "{reason}. The step that was under way changed nothing. Send its author this line and what you did "
                "last; until it is mended, this step cannot be done with it."
            ),
            ruleset=Verbatim(entry.name),
            package=Verbatim(entry.dist.name if entry.dist else _top_package(entry)),
            file=Verbatim(_path_in_package(code, _top_package(entry))),
            line=Verbatim(str(line)),
            function=Verbatim(code.co_name),
            reason=Verbatim(reason),
        )
    ]


def details_sentence(fault: Exception, lang: str) -> str:
    """The sentence that says where the details of the exception are, with the brace {file}."""
    if _innermost_plugin_frame(fault) is None:
        return Wording(None, lang).text(N_("Details for whoever mends it: {file}"))
    return Wording(None, lang).text(N_("Details for its author: {file}"))


def _innermost_plugin_frame(fault: Exception) -> tuple[EntryPoint, CodeType, int] | None:
    """The innermost frame of a traceback in a plug-in's package, even if Arbitro's own code raised the exception."""
    strangers = {_top_package(one): one for one in entry_points(group=GROUP) if not one.module.startswith(OURS)}
    found = None
    for frame, line in walk_tb(fault.__traceback__):
        entry = strangers.get(str(frame.f_globals.get("__name__", "")).partition(".")[0])
        if entry is not None and not frame.f_code.co_filename.startswith("<"):
            found = entry, frame.f_code, line
    return found


def _top_package(entry: EntryPoint) -> str:
    return entry.module.partition(".")[0]


def _path_in_package(code: CodeType, top: str) -> str:
    """The path of a plug-in's file from its package on, such as ``arbitro_wells/__init__.py``."""
    parts = Path(code.co_filename).parts
    return "/".join(parts[len(parts) - 1 - parts[::-1].index(top):] if top in parts else parts[-1:])
