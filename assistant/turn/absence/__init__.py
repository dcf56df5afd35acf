"""Who is silent, until when one waits, and what happens to whom: moments and a campaign in; plain answers out.

No clock is read here: whoever asks says what time it is.
"""
