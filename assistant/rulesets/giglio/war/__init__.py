"""The state of the war as all chapters see it: who stands where, who is hostile, the ways back."""
