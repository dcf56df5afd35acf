"""What a door knows of time, to be handed down: the hour, and how to wait; nothing below a door looks by itself."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple


class Clock(NamedTuple):
    """`now`: the hour with its zone; `sleep`: waits so many seconds."""

    now: Callable[[], datetime]
    sleep: Callable[[float], None]
