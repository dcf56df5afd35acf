"""The codes of the desk's own findings; their wording stands in `assistant.turn.messages`."""

from __future__ import annotations

from typing import Any

from assistant.turn.findings import Finding, Where

LEDGER = {"missing": "ARB-070", "unreadable": "ARB-071", "foreign": "ARB-072", "newer": "ARB-073",
          "unwritable": "ARB-074"}
FILE_MISSING = "ARB-075"
FILE_LOCKED = "ARB-076"
FILE_CHANGED = "ARB-077"
FILE_UNSAFE = "ARB-078"
FILE_UNWRITABLE = "ARB-079"
FILE_EXISTS = "ARB-080"
NO_SUCH_RULESET = "ARB-081"
NO_SUCH_SCENARIO = "ARB-082"
NO_SUCH_PHASE = "ARB-083"
NO_SUCH_FACTION = "ARB-084"
NOTHING_TO_UNDO = "ARB-085"
NOTHING_TO_REDO = "ARB-086"
CAMPAIGN_OVER = "ARB-087"
WHOSE_ORDER = "ARB-088"
NOT_UNDERSTOOD = "ARB-089"
ORDER_TOO_LATE = "ARB-090"
ORDER_ALREADY = "ARB-091"
NO_SUCH_QUESTION = "ARB-092"
ANSWER_TOO_LATE = "ARB-093"
BAD_SECRET = "ARB-094"
NOT_A_SOURCE = "ARB-095"
DIE_TOO_LATE = "ARB-096"
BATTLE_TOO_LATE = "ARB-097"
CANNOT_CARRY = "ARB-098"
OTHER_CAMPAIGN = "ARB-099"
NO_EARLY_END = "ARB-100"
EMPTY_FOLDER = "ARB-101"
NOT_XLSX = "ARB-102"
PHASE_IS_OVER = "ARB-103"
NO_SUCH_STEP = "ARB-104"
NO_OPTION = "ARB-135"
CHANGED_BY_HAND = "ARB-110"
ADDED_BY_HAND = "ARB-111"
DELETED_BY_HAND = "ARB-112"
RENAMED_BY_HAND = "ARB-113"
NO_FINGERPRINTS = "ARB-114"
NOT_BY_HAND = "ARB-115"
NO_REASON = "ARB-116"
UNREADABLE_BY_HAND = "ARB-117"
NO_CELL = "ARB-118"
NOTHING_BY_HAND = "ARB-119"
NOT_RESOLVED = "ARB-120"
NO_SUCH_ORDER = "ARB-121"
NOT_OVER = "ARB-122"
NO_PAST = "ARB-123"
NOT_TYPED = "ARB-124"
NOTHING_DIFFERS = "ARB-125"
VALUE_UNEXPLAINED = "ARB-126"
ROW_MISSING = "ARB-127"
ROW_UNEXPLAINED = "ARB-128"
NOT_AGAIN = "ARB-129"
PROMISE_BROKEN = "ARB-130"
SINCE_RENEWAL = "ARB-131"
FILE_HELD = "ARB-145"
FILE_CLAIMED = "ARB-146"
SECOND_COPY = "ARB-147"
INVISIBLE_IN_LINE = "ARB-159"
OTHER_TEXT = "ARB-185"
OTHER_TEXTS = "ARB-186"


def finding(code: str, where: Where | None = None, whose: str = "", /, **data: Any) -> Finding:
    """A finding of the common catalogue. `whose`: the faction it concerns. Raises KeyError."""
    from assistant.turn.messages import COMMON

    return Finding(code, COMMON[code].severity, where or Where(), data, whose)
