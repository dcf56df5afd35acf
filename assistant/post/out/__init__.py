"""Mail out: letters, the outbox's rows, a server that takes them, our own mailbox that knows what went out."""
