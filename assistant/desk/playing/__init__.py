"""Playing: a campaign in; the phase as it would end out, what comes next, and what people typed. Nothing is written."""
