"""Packs the extension: the modules of ``macro/`` with a toolbar, a menu, and the interpreter named in full."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from assistant import __version__
from assistant.buttons.button_list import BUTTONS
from assistant.buttons.office.extension_texts import in_language
from assistant.catalogues import LANGUAGES
from assistant.workbook.write.look import MARK
from assistant.workbook.write.marks import BITS, SIGNED, SIGNED_END

IDENTIFIER = "arbitro.libreoffice"
FILE = "arbitro.oxt"
OLDEST_OFFICE = "7.2"
MODULE = "assistant.buttons.pipe"
PATIENCE = 120
"""Seconds without a word after which the extension stops Arbitro."""
SETTINGS = "pythonpath/arbitro_office/settings.json"
_SOURCES = Path(__file__).parent / "macro"
_TOOLBAR = "arbitro.toolbar"
_CALC = "com.sun.star.sheet.SpreadsheetDocument"
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
_LOCALES = {"en": "en-US", "it": "it"}


def extension(python: str = "", module: str = MODULE, patience: int = PATIENCE) -> bytes:
    """The bytes of the ``.oxt``; the same for the same arguments.

    `python`: the interpreter that the buttons start, this one by default; `module`: what it runs, isolated from
    the folder and the user's own packages; `patience`: in seconds.
    """
    given = {"version": __version__, "python": python or sys.executable, "arguments": ["-I", "-m", module],
             "patience": patience, "mark": {"fill": MARK, "signed": SIGNED, "bits": "".join(BITS), "end": SIGNED_END},
             "texts": {lang: in_language(lang) for lang in LANGUAGES}}
    members = {
        "META-INF/manifest.xml": _manifest(),
        "description.xml": _description(),
        "Addons.xcu": _addons(),
        "ProtocolHandler.xcu": _handler(),
        "CalcWindowState.xcu": _window_state(),
        "arbitro_buttons.py": (_SOURCES / "component.py").read_text(encoding="utf-8"),
        SETTINGS: json.dumps(given, ensure_ascii=False, indent=1, sort_keys=True) + "\n",
    }
    for source in sorted(_SOURCES.glob("*.py")):
        if source.name != "component.py":
            members[f"pythonpath/arbitro_office/{source.name}"] = source.read_text(encoding="utf-8")
    return _packed(members)


def _packed(members: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            info = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))
            info.compress_type, info.external_attr, info.create_system = zipfile.ZIP_DEFLATED, 0o644 << 16, 3
            archive.writestr(info, text.encode("utf-8"))
    return packed.getvalue()


# --- the registry of LibreOffice ---------------------------------------------------------------
def _prop(name: str, value: str, kind: str = "xs:string") -> str:
    return f'<prop oor:name="{name}" oor:type="{kind}"><value>{escape(value)}</value></prop>'


def _worded(name: str, words: dict[str, str]) -> str:
    values = "".join(f'<value xml:lang="{_LOCALES[lang]}">{escape(text)}</value>' for lang, text in words.items())
    return f'<prop oor:name="{name}" oor:type="xs:string">{values}</prop>'


def _node(name: str, content: Iterable[str], replace: bool = False) -> str:
    how = ' oor:op="replace"' if replace else ""
    return f"<node oor:name={quoteattr(name)}{how}>{''.join(content)}</node>\n"


def _data(package: str, name: str, content: str) -> str:
    return (f'{_HEAD}<oor:component-data xmlns:oor="http://openoffice.org/2001/registry" '
            'xmlns:xs="http://www.w3.org/2001/XMLSchema" '
            f'oor:package="{package}" oor:name="{name}">\n{content}</oor:component-data>\n')


def _items() -> Sequence[str]:
    return [_node(f"m{i}", (_prop("URL", f"arbitro.buttons:{b.verb}"), _worded("Title", {"en": b.en, "it": b.it}),
                            _prop("Target", "_self"), _prop("Context", _CALC)), replace=True)
            for i, b in enumerate(BUTTONS)]


def _addons() -> str:
    menu = _node("arbitro.menu", (_worded("Title", {"en": "Arbitro", "it": "Arbitro"}), _prop("Context", _CALC),
                                  _node("Submenu", _items())), replace=True)
    parts = (_node("OfficeToolBar", [_node(_TOOLBAR, _items(), replace=True)]), _node("OfficeMenuBar", [menu]))
    return _data("org.openoffice.Office", "Addons", _node("AddonUI", parts))


def _handler() -> str:
    protocols = '<prop oor:name="Protocols" oor:type="oor:string-list"><value>arbitro.buttons:*</value></prop>'
    one = _node("arbitro.libreoffice.Buttons", [protocols], replace=True)
    return _data("org.openoffice.Office", "ProtocolHandler", _node("HandlerSet", [one]))


def _window_state() -> str:
    """Where the toolbar lies at first: docked above the sheet, in a row of its own."""
    state = (_worded("UIName", {"en": "Arbitro", "it": "Arbitro"}), _prop("Visible", "true", "xs:boolean"),
             _prop("Docked", "true", "xs:boolean"), _prop("DockingArea", "0", "xs:int"), _prop("DockPos", "0,3"))
    one = _node(f"private:resource/toolbar/addon_{_TOOLBAR}", state, replace=True)
    return _data("org.openoffice.Office.UI", "CalcWindowState", _node("UIElements", [_node("States", [one])]))


def _description() -> str:
    names = "".join(f'<name lang="{lang}">Arbitro</name>' for lang in LANGUAGES)
    return (f'{_HEAD}<description xmlns="http://openoffice.org/extensions/description/2006" '
            'xmlns:xlink="http://www.w3.org/1999/xlink" '
            'xmlns:lo="http://libreoffice.org/extensions/description/2011">\n'
            f'<identifier value="{IDENTIFIER}"/>\n<version value="{__version__}"/>\n'
            f'<dependencies><lo:LibreOffice-minimal-version value="{OLDEST_OFFICE}" '
            f'lo:name="LibreOffice {OLDEST_OFFICE}"/></dependencies>\n'
            f"<display-name>{names}</display-name>\n</description>\n")


def _manifest() -> str:
    kinds = {"arbitro_buttons.py": "application/vnd.sun.star.uno-component;type=Python",
             **{f"{name}.xcu": "application/vnd.sun.star.configuration-data"
                for name in ("Addons", "ProtocolHandler", "CalcWindowState")}}
    entries = "".join(f'<manifest:file-entry manifest:media-type="{kind}" manifest:full-path="{name}"/>\n'
                      for name, kind in kinds.items())
    return (f'{_HEAD}<manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest">\n{entries}'
            "</manifest:manifest>\n")
