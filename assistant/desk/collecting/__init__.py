"""What comes back from the clubs: files or mails in; whose orders each brings and which counts out."""
