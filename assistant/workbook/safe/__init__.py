"""A file's safety: a path in; a file that was screened, claimed and replaced all or nothing out."""
