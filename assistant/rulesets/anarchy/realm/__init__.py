"""The state of the realm as all chapters see it: who stands where, who belongs to whom, what changes."""
