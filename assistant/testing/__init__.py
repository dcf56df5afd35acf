"""What the tests of any rulebook ask of it, ours and yours alike; `assistant.testing.kit` is where to begin."""
