"""Battles: who fights, the dossier, the form, the umpire's dice, and what comes of it (chapters 9, 15)."""
