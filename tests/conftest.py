"""What holds for all tests."""

from __future__ import annotations

import gc

gc.set_threshold(100_000, 50, 100)
"""As the commands have it: what one test leaves behind is little beside what all modules hold."""
