"""The form of a battle's result: declared once, filled in by the referee or by the two clubs, read and checked."""
