"""What goes out to the clubs and comes back: mails and copies."""
