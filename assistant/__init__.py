"""Arbitro: a referee's assistant for club wargame campaigns kept in an Excel workbook."""

__version__ = "0.1.0"
