"""Tests of the Fantasy Warriors campaign: the demo, the worked examples, every finding."""
