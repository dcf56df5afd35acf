"""The words of the book's columns: in goes nothing, out come codes with their Italian words."""

from __future__ import annotations

from collections.abc import Mapping

SEASONS: Mapping[str, str] = {"winter": "inverno", "spring": "primavera", "summer": "estate", "autumn": "autunno"}
ORDERS: Mapping[str, str] = {"march": "marce forzate", "explore": "esplorare", "defend": "difendere", "none": "nessuno"}
"""The orders of a Force; none is what it has under a reaction."""
NEW_ORDERS: Mapping[str, str] = {"march": "marcia", "explore": "esplora", "defend": "difendi"}
"""The orders that a club may ask for."""
NEW_ORDERS_ALSO: Mapping[str, str] = {
    "marce": "march", "marce_forzate": "march", "forced_march": "march", "massima_velocita": "march",
    "massima_velocità": "march", "full_speed": "march", "esplorare": "explore", "esplorazione": "explore",
    "difendere": "defend", "difesa": "defend"}
ORDERS_ALSO: Mapping[str, str] = {**NEW_ORDERS_ALSO, **{it: code for code, it in NEW_ORDERS.items()}}
REACTIONS: Mapping[str, str] = {"none": "nessuna", "confused": "confusa", "unsteady": "instabile", "routed": "in rotta"}
REACTIONS_ALSO: Mapping[str, str] = {"disordinata": "confused"}
STANCES: Mapping[str, str] = {"fight": "combatti", "counter_march": "contromarcia", "ask": "chiedi"}
STANCES_ALSO: Mapping[str, str] = {"combatte": "fight", "chiede": "ask", "counter": "counter_march"}
WISHES: Mapping[str, str] = {"first": "primo", "last": "ultimo"}
QUALITIES: Mapping[str, str] = {"poor": "scarsa", "average": "media", "veteran": "veterana", "elite": "elite",
                                "unpredictable": "imprevedibile"}
NATIVES: Mapping[str, str] = {"none": "nessuno", "jungle": "giungla", "desert": "deserto", "waste": "desolato"}
NATIVES_ALSO: Mapping[str, str] = {"nessuna": "none", "desolata": "waste"}
OUTCOMES: Mapping[str, str] = {"attacker": "attaccante", "defender": "difensore", "stalemate": "stallo"}
