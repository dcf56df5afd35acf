"""Reports of many rounds, such as a year's: a page and its events in; five lines, then chapters by month, out."""
