"""One wing a rulebook; none imports another, and none knows of sheets, files, mail or templates."""
