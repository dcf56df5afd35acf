"""Movement and encounters: who marches when, whom they meet, what they do on a hex (chapters 6 to 8, 10 to 15)."""
