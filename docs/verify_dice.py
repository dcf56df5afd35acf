import hashlib, hmac, json, sys  # python verify_dice.py BEFORE.json AFTER.json: your reports, the oldest first

sys.excepthook = lambda kind, why, _: print("Not all of these are reports in JSON here:", *sys.argv[1:], f"({why})")
rulings = [found for name in sys.argv[1:] if (found := json.load(open(name, encoding="utf-8"))["rulings"])]
proofs = {(p["kind"], p["turn"], p["audience"]): p["value"] for one in rulings[::-1] for p in one["proofs"]["items"]}
def face(secret, throw, sides, attempt=0):
    number = int.from_bytes(hmac.digest(secret, f"{throw}.{attempt}".encode(), "sha256")[:8], "big")
    return number % sides + 1 if number < 2**64 - 2**64 % sides else face(secret, throw, sides, attempt + 1)
for (kind, *whose), secret in proofs.items():
    if kind == "secret" and (promise := proofs.get(("commitment", *whose))):
        kept = hashlib.sha256(bytes.fromhex(secret)).hexdigest() == promise
        print("secret", *whose, "as promised" if kept else "FALSE: another one was promised")
for die in {(d["turn"], d["key"], d["value"], d["source"]): d for one in rulings for d in one["thrown"]}.values():
    secret, (count, sides) = proofs.get(("secret", die["turn"], die["secret"]), ""), map(int, die["dice"].split("d"))
    made = "+".join(str(face(bytes.fromhex(secret), f"{die['key']}#{n}", sides)) for n in range(1, count + 1))
    told = "secret not known yet" if not secret else "agrees" if made == die["value"] else f"FALSE: it makes {made}"
    print(die["turn"], die["key"], die["value"], "thrown at the table" if die["source"] == "table" else told)
