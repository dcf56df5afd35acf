"""Tests of who sees what, for all rulesets."""
