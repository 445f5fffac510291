"""Arithmetic on a safe parser (simpleeval): numbers, operators, round, min, max, abs; no names or strings."""

from typing import Any

from simpleeval import SimpleEval

from retrieval.errors import Permanent

MAX_LENGTH = 200
"""Characters of an expression."""


def calculate(expression: str) -> str:
    """The value of an arithmetic expression, as text. Raises Permanent when it is not one."""
    if len(expression) > MAX_LENGTH:
        raise Permanent("the expression is too long")
    evaluator: Any = SimpleEval(functions={"round": round, "min": min, "max": max, "abs": abs}, names={})
    # Without a function's call a comma can only separate thousands.
    plain = expression if "(" in expression else expression.replace(",", "")
    try:
        value = evaluator.eval(plain)
    except Exception as error:  # simpleeval passes on whatever the arithmetic raises
        raise Permanent("the expression cannot be computed") from error
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Permanent("the expression is no arithmetic")
    return f"{value:.10g}"
