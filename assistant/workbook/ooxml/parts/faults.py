"""What can be wrong with a workbook's bytes, as exceptions; the file adapter makes findings and refusals of them."""

from __future__ import annotations


class Fault(Exception):
    """Something about the file. `detail`: a word or two for the message, never a stack of XML."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class Damaged(Fault):
    """A part that is no XML, is missing, or does not fit its checksum."""


class Hostile(Fault):
    """Something that no program writes by accident: a DOCTYPE, a path in a name, a bomb."""


class Unsafe(Fault):
    """A change that cannot be made without harm. `reason`: a word of `bookwork.HARM`; `cell`: where."""

    def __init__(self, reason: str, cell: str = "", detail: str = "") -> None:
        super().__init__(detail or cell or reason)
        self.reason, self.cell = reason, cell
