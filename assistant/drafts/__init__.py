"""First versions of packages that a club goes on writing: what is asked, and the files that come of the answers."""
