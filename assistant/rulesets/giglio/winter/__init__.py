"""Winter: treaties judged, hirelings leave, events; and the verification after the last year (4, objectives)."""
