"""Plainly wrong orders of each rulebook, as a club of its scenario might write them, with the finding of each."""

from __future__ import annotations

from collections.abc import Mapping

WRONG_ORDERS: Mapping[str, str] = {
    "giglio": """
V: recruit 30 V8 V-1 | GIG-024
V: recruit 30 M0 V-1 | GIG-024
V: recruit 30 V0 V-9 | GIG-003
V: recruit 30 V0 M-1 | GIG-004
V: recruit 0 V0 V-2 | GIG-007
V: recruit 30 X99 V-2 | GIG-005
V: loan 9000 | GIG-021
V: loan 0 | GIG-007
M: fleet M0 | GIG-029
V: fleet V99 | GIG-005
V: fleet V8 | GIG-029
V: enlist sapper V-7 | GIG-032
V: enlist smith V-1 | ARB-333
V: bid 0 | GIG-007
V: bid 9000 | GIG-020
V: fortify M0 | GIG-033
V: fortify V0 | GIG-034
V: fortify V99 | GIG-005
V: repair V0 | GIG-036
V: repair M0 | GIG-033
V: garrison M0 from V-1 | GIG-033
V: garrison V0 from V-2 | GIG-040
V: garrison V5 from V-9 | GIG-003
V: garrison V5 from M-1 | GIG-004
V: transfer V-1 V-2 50 | GIG-044
V: transfer V-1 M-1 50 | GIG-004
V: transfer V-9 V-2 | GIG-003
V: split 900 V-1 | GIG-045
V: split 0 V-1 | GIG-007
V: split 30 M-1 | GIG-004
V: attach V-S1 V-1 | GIG-085
V: pay V 30 | GIG-010
V: pay N 30 | GIG-010
V: pay M 9000 | GIG-020
V: pay M 0 | GIG-007
V: ally V passage | GIG-010
V: ally N passage | GIG-010
V: ally T passage | GIG-090
V: dissolve M | GIG-092
V: objective conquer | GIG-095
V: objective glory | ARB-089
V: r1 V-1 moves V0 V1 | GIG-051
V: r1 V-1 moves V6 V99 | GIG-005
V: r1 V-9 moves V6 V8 | GIG-003
V: r1 M-1 moves M0 M1 | GIG-004
V: r1 V-1 moves V6 S0 | GIG-050
V: r1 V8 F7 | GIG-009
V: r1 stay V-9 | GIG-003
V: r1 siege V6 V-1 | GIG-066
V: r1 siege M0 V-1 | GIG-065
V: r1 lift V6 V-1 | GIG-069
V: r1 come_out V-1 | GIG-071
V: r1 embark V-1 V-F1 | GIG-078
V: r1 land V-1 V0 | GIG-079
V: r1 sail V-F1 Z1 Z2 | GIG-003
V: r3 assassinate commander V-1 | GIG-085
V: r5 fortify M0 | GIG-033
V: r9 pay V 30 | GIG-010
V: r2 transfer V-1 M-2 | GIG-004
""",
    "anarchy": """
royal: SUPPLY A-XXX place | ANA-002
royal: SUPPLY A-ROB place | ANA-003
royal: SUPPLY A-STE feast | ARB-089
royal: POSTURE A-STE on_meeting=dance | ANA-901
royal: POSTURE A-ROB joins=ask | ANA-003
royal: COLLECT A-XXX | ANA-002
royal: COLLECT A-BOH | ANA-003
royal: SPLIT A-STE A-NEW K90 | ANA-202
royal: SPLIT A-STE A-YPR K2 S3 | ANA-207
royal: SPLIT A-ROB A-NEW K2 | ANA-003
royal: TRANSFER A-STE A-YPR K1 | ANA-203
royal: TRANSFER A-STE A-XXX K1 | ANA-002
royal: TRANSFER A-STE A-ROB K1 | ANA-003
royal: MERGE A-STE A-YPR STE | ANA-203
royal: MERGE A-STE A-ROB STE | ANA-003
royal: MERGE A-STE M-FL1 | ANA-204
royal: GARRISON A-STE bath K1 in | ANA-206
royal: GARRISON A-STE oxford-castle K1 in | ANA-206
royal: GARRISON A-STE nowhere K1 in | ARB-089
royal: ATTACH A-STE C-KNG | ANA-209
royal: ATTACH A-STE C-XXX | ANA-002
royal: DETACH A-STE C-KNG | ANA-209
royal: PAY A-STE M-FL1 | ANA-504
royal: PAY A-STE A-XXX | ANA-002
royal: ESCORT A-STE P9 | ANA-002
royal: RANSOM A-STE ROB | ANA-701
royal: RANSOM A-STE NOB | ARB-089
royal: CONVOY C-NEW bath 90 | ANA-601
royal: CONVOY C-KNG dorchester 3 | ANA-207
royal: CONVOY C-NEW nowhere 3 | ARB-089
royal: CONVOY C-NEW wallingford-castle 3 | ANA-603
royal: LOAD C-KNG bath 3 | ANA-203
royal: LOAD C-XXX dorchester 3 | ANA-002
royal: LOAD C-OXF oxford 3 | ANA-003
royal: UNLOAD C-KNG nowhere 3 | ARB-089
royal: MOVE A-ROB 0408 | ANA-003
royal: MOVE A-XXX 0408 | ANA-002
royal: MOVE A-STE 9999 | ANA-101
royal: MOVE A-STE 0601 0605 | ANA-102
royal: HOLD A-XXX | ANA-002
royal: HOLD A-ROB | ANA-003
royal: MERCS A-STE 0606 | ANA-504
royal: RECRUIT A-STE oxford S2 | ANA-402
royal: RECRUIT A-STE nowhere S2 | ARB-089
royal: ENGINEER A-STE nowhere | ARB-089
royal: PROVISION A-STE nowhere | ARB-089
royal: BUY A-STE C-XXX 3 | ANA-002
royal: TAKE A-STE C-XXX | ANA-002
royal: HIRE A-STE A-YPR | ANA-504
royal: PROMISE A-STE M-XXX 3 | ANA-002
royal: LURE A-STE M-XXX | ANA-002
royal: ATTACK A-STE A-XXX | ANA-002
royal: ATTACK A-STE A-YPR | ANA-404
royal: SACK A-STE nowhere | ARB-089
royal: BESIEGE A-STE nowhere | ARB-089
royal: BESIEGE A-STE oxford-castle | ANA-408
royal: ASSAULT A-STE oxford-castle | ANA-408
royal: ENTER A-STE wallingford-castle | ANA-413
royal: SALLY A-STE | ANA-412
royal: LIFT A-YPR | ANA-412
royal: SURRENDER wallingford-castle | ANA-003
royal: SURRENDER oxford-castle | ANA-412
""",
    "bloodlust": """
VOR: buy 0 | BLD-005
VOR: buy all | BLD-005
VOR: captain -1 | BLD-005
VOR: captain 2.5 | BLD-005
VOR: hero a9 | BLD-002
VOR: hero SEK-a1 | BLD-003
VOR: mercenary 0 | BLD-005
VOR: recruit 0 | BLD-005
VOR: recruit 2.5 | BLD-005
VOR: form a1 V5 | BLD-020
VOR: form a7 D1 | BLD-021
VOR: form a7 X9 | BLD-002
VOR: form DER-a7 V5 | BLD-020
VOR: join u99 a1 | BLD-002
VOR: join DER-u1 a1 | BLD-003
VOR: join u1 a9 | BLD-002
VOR: join u1 DER-a1 | BLD-003
VOR: lead c9 a1 | BLD-002
VOR: lead DER-m1 a1 | BLD-003
VOR: lead c1 DER-a1 | BLD-003
VOR: lead c1 a9 | BLD-002
VOR: dismiss u99 | BLD-002
VOR: dismiss DER-u1 | BLD-003
VOR: forage u99 | BLD-002
VOR: forage DER-u1 or_pay | BLD-003
VOR: pay_first DER-u1 | BLD-003
VOR: pay_first u77 | BLD-002
VOR: ransom c1 | BLD-027
VOR: ransom DER-m1 | BLD-003
VOR: ransom c9 | BLD-002
VOR: release DER-m1 | BLD-027
VOR: release x9 | BLD-002
VOR: post a1 D1 | BLD-029
VOR: post a9 V1 | BLD-002
VOR: post a1 X9 | BLD-002
VOR: post DER-a1 V1 | BLD-003
VOR: war VOR | BLD-030
VOR: war XYZ | BLD-002
VOR: war HYS | BLD-030
VOR: peace SEK | BLD-035
VOR: peace XYZ | BLD-002
VOR: break SEK | BLD-036
VOR: break XYZ | BLD-002
VOR: invade a9 S3 | BLD-002
VOR: invade DER-a1 S3 | BLD-003
VOR: invade a1 X9 | BLD-002
VOR: invade a1 S3 | BLD-043
VOR: invade a1 V1 | BLD-043
VOR: lift S3 | BLD-048
VOR: lift X9 | BLD-002
VOR: envoy VOR | BLD-070
VOR: envoy XYZ | BLD-002
VOR: recruit captain 0 | BLD-005
""",
    "incursio": """
esdef: muovi 99>2 F | INC-004
esdef: muovi 9>99 F | INC-004
esdef: muovi 17>2 F | INC-020
esdef: muovi 9>2 F | INC-029
esdef: muovi 17>24 F | INC-020
esdef: muovi 17>11 FFFF | INC-029
esdef: muovi 17>11 Tr | INC-005
esdef: muovi 2>9 F | INC-022
esdef: muovi 17>11 | INC-008
esdef: E2 muovi 17>11 F | INC-006
esdef: entra 2 F | INC-030
esdef: entra 17 CC | INC-022
esdef: entra 17 FFAC | INC-032
esdef: entra 9 F | INC-022
esdef: esci 9 A | INC-035
esdef: esci 2 F | INC-030
esdef: esci 99 F | INC-004
esdef: riordina 16 FFF | INC-033
esdef: riordina 2 F | INC-030
varannah: riordina 26 Tr | INC-003
varannah: esci 26 Tr | INC-003
varannah: entra 26 Tr | INC-003
esdef: attacca 17>26 F | INC-040
esdef: attacca 17>99 F | INC-004
esdef: attacca 17>16 F | INC-048
esdef: attacca 9>2 F | INC-049
esdef: attacca 17>11 n4 F | INC-010
esdef: attacca 17>11 x9 F | INC-045
varannah: attacca 26>19 F | INC-005
varannah: attacca 26>17 Tr | INC-040
varannah: muovi 26>17 Tr | INC-020
varannah: muovi 26>19 TrTr | INC-026
esdef: costruisci 99 @9 (E1) | INC-050
esdef: costruisci 21 @2 (E1) | INC-055
esdef: costruisci 07 @9 (E2) | INC-051
esdef: costruisci 21 @99 (E2) | INC-004
esdef: costruisci 06 @9 (V1) | INC-010
esdef: costruisci 01 @9 (E2) | INC-053
varannah: costruisci 01 @26 (V1) | INC-003
esdef: costruisci 01 @9 | INC-008
esdef: missione mai (E1) | ARB-089
esdef: missione veglia a 99 (E2) | ARB-089
esdef: missione contrabbando (V1) | INC-010
esdef: missione contrabbando | INC-008
esdef: spia 9 (E2) | INC-062
esdef: spia 99 (E2) | INC-004
esdef: spia 26 | INC-008
esdef: spia 26 (V2) | INC-010
varannah: spia 17 (V2) | INC-060
esdef: schiera 2 F | INC-080
esdef: schiera 99 F | INC-004
esdef: schiera 9 Tr | INC-005
varannah: schiera 26 Tr | INC-003
""",
    "warriors": """
men: M9 order march | WAR-002
men: D1 order march | WAR-003
men: M1 order charge | WAR-101
men: M1 order | WAR-006
men: M9 move F07 G06 | WAR-002
men: D1 move N02 M03 | WAR-003
men: M1 move F07 Z99 | WAR-201
men: M1 move F07 K02 | WAR-202
men: M1 move | WAR-006
men: M3 move C08 C09 | WAR-203
men: M9 sail BT1 F07 G07 | WAR-002
men: M1 sail BT9 F07 G07 | WAR-301
men: M1 sail BT2 F07 G07 | WAR-301
men: M2 sail BT1 H06 H07 | WAR-302
men: M1 sail SH1 F07 G07 | WAR-302
men: D1 sail BT3 N02 M03 | WAR-003
men: M3 sail SH1 C08 Z99 | WAR-201
men: M3 sail SH1 C08 E11 | WAR-202
men: M1 sail BT1 F07 F08 | WAR-202
men: M9 contact fight | WAR-002
men: D1 contact fight | WAR-003
men: M1 contact dance | WAR-320
men: M1 contact fight to Z99 | WAR-321
men: M1 contact fight to K02 | WAR-321
men: initiative middle | WAR-331
men: initiative | WAR-006
men: raise 10 men_spear at Z99 in M1 | WAR-401
men: raise 10 men_spear at K02 in M1 | WAR-401
men: raise 10 orc_war at F07 in M1 | WAR-402
men: raise 10 elephants at F07 in M1 | WAR-402
men: raise 10 men_spear at F07 in M9 | WAR-002
men: raise 10 men_spear at F07 in D1 | WAR-003
men: raise 3 men_spear at F07 in M1 | WAR-408
men: raise 0 men_spear at F07 in M1 | WAR-012
men: raise 900 men_spear at F07 in M1 | WAR-403
men: refill M9a 1 at F07 | WAR-409
men: refill D1a 1 at F07 | WAR-003
men: refill M1a 0 at F07 | WAR-012
men: refill M1a 1 at K02 | WAR-401
men: refill M2a 1 at F07 | WAR-406
men: refill M1a 1 at F07 | WAR-406
men: found "New Levy" at K02 vc 1 march | WAR-401
men: found "New Levy" at F07 vc 9 march | WAR-407
men: found "New Levy" at F07 vc 1 charge | ARB-333
men: found "New Levy" at Z99 vc 1 | ARB-089
men: found "New Levy" at F07 vc 0 | WAR-012
dwarfs: D1 move N02 A01 | WAR-202
orcs: O9 order defend | WAR-002
orcs: U1 move O11 N11 | WAR-003
undead: U9 move O11 N11 | WAR-002
undead: U3 order | WAR-006
""",
}
"""By rulebook: a line each, behind the bar the code by which it is told."""
