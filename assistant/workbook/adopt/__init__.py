"""A club's own workbook in; what its tables could be out and, once that is decided, a campaign's workbook."""
