"""Build hook: compiles the message catalogues (.po to .mo), so that an installation needs no Babel to read them, and
makes the pages of `arbitro help`, which a wheel carries.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE = Path("reports", "locale")


class MadeFiles(BuildHookInterface[Any]):
    """Runs before every build; an editable installation makes the pages when they are asked for."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile every catalogue beside its source, and make the pages. Raises ValueError for a .po that cannot be
        read.
        """
        for source in sorted((Path(self.root) / LOCALE).glob("*/LC_MESSAGES/*.po")):
            with source.open("rb") as stream:
                catalogue = read_po(stream, abort_invalid=True)
            with source.with_suffix(".mo").open("wb") as stream:
                write_mo(stream, catalogue)
        if self.target_name == "wheel" and version == "standard":
            build_data["force_include"].update(self.pages())

    def pages(self) -> dict[str, str]:
        """Where each page was made -> where it stands in the wheel."""
        sys.path.insert(0, self.root)
        from assistant.cli.app import app_in_language  # they need the catalogues, which are compiled by now
        from assistant.desk.commands.help_pages import all_pages

        self.made = TemporaryDirectory()
        found = {}
        for name, text in all_pages(app_in_language).items():
            path = Path(self.made.name, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            found[str(path)] = f"assistant/pages/{name}"
        return found

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Delete the temporary pages, which are in the wheel by now."""
        if self.target_name == "wheel" and version == "standard":
            self.made.cleanup()
