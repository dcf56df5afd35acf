"""A folder of reports: the reports that lie there in; a page that lists them out."""
