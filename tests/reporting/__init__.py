"""Tests of the reports: what a page holds, what it hides, how it reads."""
