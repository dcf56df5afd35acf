"""The post: mails made of a faction's view, sent and fetched, and what clubs wrote in them told apart."""
