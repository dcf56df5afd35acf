"""What a workbook may hold before it is opened: one declaration, for all that unpack files.

A club's workbook of the largest campaign that was measured (10,000 armies, 100,000 events) unpacks to
about 80 MB, and XML of a million rows that are alike packs to a sixteenth, a bomb of blanks to a
thousandth. Sizes are bytes.
"""

from __future__ import annotations

from typing import NamedTuple

MB = 2**20


class Limits(NamedTuple):
    """How much is unpacked at most.

    `members`: parts of the package; `part`, `whole`: bytes of one part and of all, unpacked; `ratio`: how
    many times its packed size an XML part may have, where it is larger than `ratio_from` (pictures of one
    colour are packed better, and are never unpacked); `depth`: of XML elements in one another; `name`:
    signs in a part's name; `cells`: of one sheet that hold something; `rows`: of a file of orders, answers or
    dice that is handed in; `table`: of a file of a whole campaign's folder.
    """

    members: int = 5_000
    part: int = 128 * MB
    whole: int = 256 * MB
    ratio: int = 200
    ratio_from: int = MB
    depth: int = 256
    name: int = 255
    cells: int = 3_000_000
    rows: int = 5_000
    table: int = 150_000


LIMITS = Limits()
"""The ones that hold everywhere."""
