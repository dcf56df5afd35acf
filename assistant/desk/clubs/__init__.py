"""What goes out to the clubs and comes back: mails, public pages, copies."""
