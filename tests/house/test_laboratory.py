"""No function of the laboratory is ever handed a real secret: a die that comes from a seed can be foretold."""

from __future__ import annotations

import ast

from tests.house.source import PACKAGE, dotted, functions, imports, modules, nodes

LABORATORY = modules(PACKAGE / "laboratory")


def test_no_function_of_the_laboratory_takes_a_secret_or_a_ledger() -> None:
    """By name or by kind; what it keeps in its classes has none either."""
    handed = [f"{dotted(path)}:{function.lineno} {argument.arg}" for path in LABORATORY for function in functions(path)
              for argument in [*function.args.args, *function.args.kwonlyargs, *function.args.posonlyargs]
              if "secret" in argument.arg or "ledger" in argument.arg
              or "Ledger" in ast.unparse(argument.annotation or ast.Constant(None))]
    kept = [f"{dotted(path)}:{node.lineno} {node.target.id}" for path in LABORATORY for node in nodes(path)
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
            and ("secret" in node.target.id or "Ledger" in ast.unparse(node.annotation))]

    assert LABORATORY
    assert handed == []
    assert kept == []


def test_the_laboratory_knows_no_ledger() -> None:
    """It imports none, and reads no attribute that is called like a secret."""
    assert [name for path in LABORATORY for _, name in imports(path) if name.startswith("assistant.ledger")] == []
    read = [f"{dotted(path)}:{node.lineno} {node.attr}" for path in LABORATORY for node in nodes(path)
            if isinstance(node, ast.Attribute) and ("secret" in node.attr or node.attr == "token")]

    assert read == []


def test_its_secrets_come_from_seeds() -> None:
    """Whatever is called a secret there is what the two functions made that start from a seed."""
    made = [node.value for path in LABORATORY for node in nodes(path) if isinstance(node, ast.Assign)
            for target in node.targets for name in ast.walk(target)
            if isinstance(name, ast.Name) and "secret" in name.id]
    calls = {name.id for value in made for name in ast.walk(value)
             if isinstance(name, ast.Name) and isinstance(value, (ast.Call, ast.Tuple)) and "secret" in name.id}

    assert made
    assert calls == {"dice_secret"}
    defined = {function.name for path in LABORATORY for function in functions(path) if "secret" in function.name}
    assert defined == {"dice_secret"}


def test_the_desk_reads_no_secret_for_it() -> None:
    """The command that reads a campaign for the laboratory asks its ledger for nothing."""
    path = PACKAGE / "desk" / "commands" / "simulate.py"
    read = {node.attr for node in nodes(path) if isinstance(node, ast.Attribute)}

    assert not {name for name in read if "secret" in name or name in ("commitments", "promises", "noted")}
