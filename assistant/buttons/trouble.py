"""What keeps the buttons from being installed, as a finding that says what to do."""

from __future__ import annotations

from typing import Any


class SetupTrouble(Exception):
    """The machine does not let the buttons be installed. `code`: the finding that says why; `data`: its parameters."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(code)
        self.code, self.data = code, data
