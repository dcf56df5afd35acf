"""Reports a crash, an unexpected exception: in sentences for the referee, with its details in a file.

The sentences say whether a plug-in or Arbitro is at fault.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING

from assistant.turn.rulebooks import GROUP
from assistant.turn.ruleset import OURS
from assistant.turn.texts import N_
from assistant.wording import Verbatim, Wording

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

CRASH_FILE = "arbitro-crash.txt"


def report_crash(fault: Exception, home: Path | None, lang: str, hide: Callable[[str], str] = str) -> list[str]:
    """Sentences about an unexpected exception, the last of which says where its details are.

    `home`: the folder for the details, None for none; they are not told of either where they cannot be written. `hide`:
    leaves out of the details what nobody may see.
    """
    import traceback

    lines = [_describe(fault, lang)]
    if home is None:
        return lines
    place = home / CRASH_FILE
    try:
        place.write_text(hide("".join(traceback.format_exception(fault))), encoding="utf-8")
    except OSError:
        return lines
    ours = _innermost_plugin_frame(fault) is None
    text = N_("Details for whoever mends it: {file}") if ours else N_("Details for its author: {file}")
    return [*lines, Wording(None, lang).text(text, file=Verbatim(str(place)))]


def _describe(fault: Exception, lang: str) -> str:
    """What is at fault; of a plug-in the file and the line."""
    words, kind = Wording(None, lang), type(fault).__name__
    frame = _innermost_plugin_frame(fault)
    if frame is None:
        ours = N_("Arbitro has a fault of its own ({reason}). The step that was under way changed nothing.")
        return words.text(ours, reason=Verbatim(kind))
    entry, code, line = frame
    reason = f"{kind}: {fault}" if str(fault) else kind
    return words.text(
        N_("The rulebook {ruleset} (package {package}) has a fault in {file}, line {line}, in {function}: "
           "{reason}. The step that was under way changed nothing. Send its author this line and what you did "
           "last; until it is mended, this step cannot be done with it."),
        ruleset=Verbatim(entry.name), package=Verbatim(entry.dist.name if entry.dist else _top_package(entry)),
        file=Verbatim(_path_in_package(code, _top_package(entry))), line=Verbatim(str(line)),
        function=Verbatim(code.co_name), reason=Verbatim(reason))


def _innermost_plugin_frame(fault: Exception) -> tuple[EntryPoint, CodeType, int] | None:
    """The innermost frame of a traceback in a plug-in's package, even if Arbitro's own code raised the exception."""
    from importlib.metadata import entry_points
    from traceback import walk_tb

    strangers = {_top_package(point): point for point in entry_points(group=GROUP) if not point.module.startswith(OURS)}
    innermost = None
    for frame, line in walk_tb(fault.__traceback__):
        entry = strangers.get(str(frame.f_globals.get("__name__", "")).partition(".")[0])
        if entry is not None and not frame.f_code.co_filename.startswith("<"):
            innermost = entry, frame.f_code, line
    return innermost


def _top_package(entry: EntryPoint) -> str:
    return entry.module.partition(".")[0]


def _path_in_package(code: CodeType, top: str) -> str:
    """The path of a plug-in's file from its package on, such as ``arbitro_wells/__init__.py``."""
    parts = Path(code.co_filename).parts
    return "/".join(parts[len(parts) - 1 - parts[::-1].index(top):] if top in parts else parts[-1:])
