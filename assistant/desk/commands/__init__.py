"""The commands of the referee that are not of orders, the past or the post."""
