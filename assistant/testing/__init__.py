"""Tests that every ruleset must pass, ours and yours; start with `assistant.testing.kit`."""
