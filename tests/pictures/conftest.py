"""The tiny rulebook of the desk's tests, and a campaign of it that nobody has touched, for maps in its workbook."""

from __future__ import annotations

from tests.desk.conftest import book, fresh, plugin

__all__ = ["book", "fresh", "plugin"]
