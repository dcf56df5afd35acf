"""A change by hand that the referee keeps is told to those who may see it, as the columns say it."""

from __future__ import annotations

from typing import Any

import pytest

from assistant.desk.workspace.detect_edits import Edit, ruling_audiences
from tests.anarchy.cases import anarchy
from tests.anarchy.cases import build as england
from tests.giglio.cases import build as italy
from tests.giglio.cases import giglio

BATTLE = ("B1500.3.V8 played a 10 20 turn=1500 node=V8 round=3 type=field side_a=M side_b=V armies_a=M-1 armies_b=V-1 "
          "value_a=50 value_b=90 status=played")


@pytest.mark.parametrize(("given", "edit", "whom"), [
    ({"battles": BATTLE}, Edit("set", "Battles", "B1500.3.V8", "value_a", "40", "50"), "M"),
    ({"battles": BATTLE}, Edit("set", "Battles", "B1500.3.V8", "armies_b", "V-2", "V-1"), "V"),
    ({"battles": BATTLE}, Edit("set", "Battles", "B1500.3.V8", "losses_a", "5", "10"), "M V"),
    ({"factions": "V 500"}, Edit("set", "Factions", "V", "treasury", "400", "500"), "V"),
    ({"factions": "V 500", "rules": {"money_public": "yes"}}, Edit("set", "Factions", "V", "treasury", "4", "500"),
     "all"),
    ({"nodes": "V8 garrison=yes"}, Edit("set", "Nodes", "V8", "garrison", "no", "yes"), "all"),
    ({"nodes": "V8 garrison=yes", "rules": {"garrison_public": "no"}},
     Edit("set", "Nodes", "V8", "garrison", "no", "yes"), "V"),
    ({"alliances": "M V 1502 suspect=V"}, Edit("set", "Alliances", "M/V/1500", "suspect", "", "V"), "referee"),
    ({"factions": "V mail=a@b.org"}, Edit("set", "Factions", "V", "mail", "", "a@b.org"), "referee"),
])
def test_whom_a_ruling_of_il_giglio_is_told(given: dict[str, Any], edit: Edit, whom: str) -> None:
    """A side's ducats in a battle are that side's, its losses both sides', and switches count."""
    assert ruling_audiences(giglio(), italy("r3.move", **given), [edit]) == [whom]


@pytest.mark.parametrize(("given", "edit", "whom"), [
    ({"armies": "A1 r 0605 K2 S4"}, Edit("set", "Armies", "A1", "knights", "3", "2"), "royal"),
    ({"armies": "A1 r 0605 K2 S4, E1 a 0605 S9"}, Edit("set", "Armies", "A1", "knights", "3", "2"), "angevin royal"),
    ({"armies": "A1 r 0605 K2 S4"}, Edit("set", "Armies", "A1", "name", "Band", ""), "all"),
    ({"prisoners": "P1 r a 0605 S2"}, Edit("set", "Prisoners", "P1", "foot", "3", "2"), "angevin royal"),
    ({"places": "keep 0605 castle_motte 5 8 holder=r K3"}, Edit("set", "Places", "keep", "g_knights", "2", "3"),
     "royal"),
])
def test_whom_a_ruling_of_the_anarchy_is_told(given: dict[str, Any], edit: Edit, whom: str) -> None:
    """Men are the side's and theirs who share the hex, captives both sides'."""
    assert ruling_audiences(anarchy(), england("movement", **given), [edit]) == [whom]
