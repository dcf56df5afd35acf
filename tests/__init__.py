"""The tests: the rulebooks' worked examples first, then what the project promises about itself."""
