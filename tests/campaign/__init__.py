"""The ground floor: tables, copies of campaigns, and what they share."""
