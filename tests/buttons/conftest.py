"""The tiny rulebook of the desk's tests, and its workbook with a ledger."""

from tests.desk.conftest import book, folder, fresh, plugin

__all__ = ["book", "folder", "fresh", "plugin"]
