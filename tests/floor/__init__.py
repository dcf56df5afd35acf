"""What the floor offers to rulebooks that are still to come, tried in a tiny one."""
