"""What a workbook may hold before it is opened: one declaration, for all that unpack files.

A club's workbook of the largest campaign that was measured (10,000 armies, 100,000 events) unpacks to
about 80 MB, and XML of a million rows that are alike packs to a sixteenth; a bomb of blanks to a thousandth.
"""

from __future__ import annotations

MB = 2**20
LARGEST_CONTENT = 256 * MB
"""Bytes of all parts together, unpacked."""
LARGEST_MEMBER = 128 * MB
"""Bytes of one part, unpacked."""
MOST_MEMBERS = 5_000
"""Parts of a package."""
STEEPEST_RATIO = 200
"""How many times its packed size a part may have, if it is larger than `RATIO_FROM`."""
RATIO_FROM = MB
"""Bytes below which a part is no bomb, however well it packs (a picture of one colour)."""
DEEPEST_XML = 256
"""Elements in one another."""
DEEPEST_FOLDERS = 16
"""Folders in one another in a part's name."""
