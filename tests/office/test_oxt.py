"""The extension as it is packed: the same bytes, well-formed, in two languages, for LibreOffice's own Python."""

from __future__ import annotations

import ast
import io
import json
import sys
import zipfile
from pathlib import Path
from xml.etree import ElementTree

from assistant.buttons import libreoffice
from assistant.buttons.libreoffice import TEXTS
from assistant.buttons.press import BUTTONS

OLDEST = (3, 8)
"""The Python of LibreOffice 7.2 on Windows."""


def members() -> dict[str, str]:
    """The files in the extension."""
    with zipfile.ZipFile(io.BytesIO(libreoffice.build_extension())) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name).decode("utf-8") for name in archive.namelist()}


def test_the_same_extension_has_the_same_bytes() -> None:
    """Nothing of the clock or of chance is in it."""
    assert libreoffice.build_extension() == libreoffice.build_extension()


def test_the_interpreter_is_named_in_full_and_runs_isolated() -> None:
    """The buttons start this very Python, whatever lies beside the workbook or in the user's own packages."""
    given = json.loads(members()[libreoffice.SETTINGS])

    assert given["python"] == sys.executable
    assert given["arguments"] == ["-I", "-m", "assistant.buttons.press"]


def test_every_button_is_in_the_menu_and_the_usual_ones_in_the_toolbar_in_both_languages() -> None:
    """Each has an English and an Italian caption and its own address; those that are not needed often stand in the
    menu alone, so that the toolbar fits a small screen.
    """
    text = members()["Addons.xcu"]

    assert sum(button.often for button in BUTTONS) <= 11
    for button in BUTTONS:
        places = 2 if button.often else 1
        assert text.count(f"<value>arbitro.buttons:{button.verb}</value>") == places
        assert text.count(f'<value xml:lang="en-US">{button.en}</value>') == places
        assert text.count(f'<value xml:lang="it">{button.it}</value>') == places


def test_all_of_its_registry_is_well_formed_and_listed() -> None:
    """LibreOffice ignores what it cannot read: so each file is XML, and the manifest names what is there."""
    files = members()
    for name, text in files.items():
        if name.endswith((".xcu", ".xml")):
            ElementTree.fromstring(text)

    listed = [entry.get("{http://openoffice.org/2001/manifest}full-path", "")
              for entry in ElementTree.fromstring(files["META-INF/manifest.xml"])]
    assert listed
    assert set(listed) <= set(files)
    assert {name for name in files if name.endswith(".xcu")} <= set(listed)


def test_the_extension_says_all_its_texts_in_italian_too() -> None:
    """No text of the extension is English in Italian, and the braces are the same."""
    texts = json.loads(members()[libreoffice.SETTINGS])["texts"]

    assert set(texts["it"]) == set(texts["en"]) == {*TEXTS, *(b.verb for b in BUTTONS)}
    worded = [name for name in TEXTS if any(c.isalpha() for c in TEXTS[name].split("{")[0])]
    assert [name for name in worded if name != "working" and texts["it"][name] == texts["en"][name]] == []
    assert [name for name in TEXTS if braces(texts["it"][name]) != braces(texts["en"][name])] == []


def braces(text: str) -> set[str]:
    """The names in braces of a text."""
    return {part.split("}")[0] for part in text.split("{")[1:]}


def test_the_modules_inside_are_for_the_oldest_python_too_and_need_nothing_else() -> None:
    """Each parses as Python 3.8, postpones its annotations, and imports the standard library, UNO and itself only."""
    sources = {name: text for name, text in members().items() if name.endswith(".py")}
    assert "arbitro_buttons.py" in sources

    for name, text in sources.items():
        tree = ast.parse(text, name, feature_version=OLDEST)
        imported = {(node.module or "").split(".")[0] if isinstance(node, ast.ImportFrom) else alias.name.split(".")[0]
                    for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names
                    if not (isinstance(node, ast.ImportFrom) and node.level)}
        assert imported <= {*sys.stdlib_module_names, "uno", "unohelper", "com", "arbitro_office"}, name
        assert "from __future__ import annotations" in text or not tree.body[1:], name


def test_every_module_of_the_folder_travels() -> None:
    """What lies in the folder of sources is packed, the component beside the package."""
    folder = Path(libreoffice.__file__).parent / "macro"
    packed = {Path(name).name for name in members() if name.endswith(".py")}

    assert packed == {source.name for source in folder.glob("*.py")} - {"component.py"} | {"arbitro_buttons.py"}
