"""Build hook: compiles the message catalogues (.po to .mo), so that an installation needs no Babel to read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LOCALE = Path("reports", "locale")


class CompileCatalogues(BuildHookInterface[Any]):
    """Runs before every build, also before an editable installation."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile every catalogue beside its source. Raises ValueError for a .po that cannot be read."""
        for source in sorted((Path(self.root) / LOCALE).glob("*/LC_MESSAGES/*.po")):
            with source.open("rb") as stream:
                catalogue = read_po(stream, abort_invalid=True)
            with source.with_suffix(".mo").open("wb") as stream:
                write_mo(stream, catalogue)
