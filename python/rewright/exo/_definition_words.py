"""Words that Exo says of a program that it does not take, for those who look for them in a message: by our rule and words of our
message, whose groups are ``{m[1]}``. Spec: [rule: python.exo-scope]."""

from __future__ import annotations

import re
from typing import Any, Dict, List, Sequence, Tuple

#: What a field of a configuration may be in Exo.
FIELD_TYPES = "bool, size, index, stride, f16, f32, f64, i8, ui8, ui16, i32"

#: Rule, words of the message, what Exo says.
_WORDS: List[Tuple[str, str, str]] = [
    ("syntax.signature", "returns nothing", "Exo does not support function return types"),
    ("syntax.signature", r"argument `(\w+)` has no type", "expected argument to be typed, i.e. 'x : T'"),
    ("syntax.signature", "", "Exo expects function arguments to not use these python features: position-only arguments, keyword-only, default"),
    ("syntax.type", r"`(\w+)` is not a type", "unrecognized type: Name(id='{m[1]}', ctx=Load()); expected tensor type to be of the form 'R[...]', 'f32[...]', etc.;"
        f" expected one of the following types: {FIELD_TYPES}"),
    ("syntax.type", "in one bracket", "expected tensor type to be of the form 'R[...]', 'f32[...]', etc."),
    ("syntax.type", "lives in no memory", "size types should not be annotated with memory locations"),
    ("syntax.type", "data of one type", "Window expression should annotate only one type, e.g. [R]"),
    ("syntax.type", "an extent is one number", "index-slicing not allowed"),
    ("syntax.type", "control values are not allocated", "Cannot allocate an intermediate value of type size"),
    ("syntax.config", "one value", f"expected one of the following types: {FIELD_TYPES}"),
    ("syntax.config", "", "expected config field definition of the form: name : type"),
    ("syntax.loop", "written with `seq`", "expected for loop condition to be in the form 'par(...,...)' or 'seq(...,...)'"),
    ("syntax.loop", "lower and an upper bound", "par() and seq() expects exactly 2 arguments"),
    ("syntax.loop", "no options", "par() and seq() does not support named arguments"),
    ("syntax.loop", "counts up by one", "par() and seq() expects exactly 2 arguments"),
    ("syntax.loop", "no `else`", "else clause on for-loops unsupported"),
    ("syntax.loop", "one variable", "expected simple name for iterator variable"),
    ("syntax.statement", "one target", "expected only one expression on the left of an assignment; unsupported form of expression"),
    ("syntax.statement", r"there is no `.*=`", "only += reductions currently supported"),
    ("syntax.statement", "declares a name", "expected simple name in declaration"),
    ("syntax.statement", "no initial value", "Variable declaration should not have value assigned"),
    ("syntax.statement", "one assignment writes one cell", "cannot perform windowing on left-hand-side of an assignment"),
    ("syntax.statement", "is not reduced into", "expected lhs of form 'x' or 'x[...]'"),
    ("syntax.statement", "", "unsupported type of statement"),
    ("syntax.assert", "no message", "Exo procedure assertions should not have messages"),
    ("syntax.assert", "", "predicate assert should happen at the beginning of a function"),
    ("syntax.expression", "no step", "expected windowing to have the form x[:], x[i:], x[:j], or x[i:j], but not x[i:j:k]"),
    ("syntax.expression", r"there is no (?:operator|unary) `(.*?)`", "unsupported binary operator: {m[1]}; unsupported unary operator: {m[1]}"),
    ("syntax.expression", "given by position", "cannot call procedure() with keyword arguments"),
    ("syntax.expression", "no strings", "literal of unexpected type '<class 'str'>' and value"),
    ("syntax.expression", "constant is a (\\w+)", "variable has unsupported type <class 'str'>"),
    (
        "syntax.expression",
        "`stride` takes a buffer",
        "expected stride(...) to have exactly 2 arguments: the identifier for the buffer we are talking about"
        " and an integer specifying which dimension",
    ),
    ("syntax.expression", "", "unsupported form of expression"),
    ("name.unknown-memory", r"`(\w+)` is not", "name '{m[1]}' is not defined"),
    ("name.unknown-procedure", r"`(\w+)`", "name '{m[1]}' is not defined; expected called object to be a procedure; expected called object to be a extern function"),
    ("name.unknown-extern", r"`(\w+)`", "name '{m[1]}' is not defined"),
    (
        "name.unbound",
        r"no buffer `(\w+)` is in scope to be assigned",
        "variable '{m[1]}' undefined; unable to disambiguate assignment to undefined variable '{m[1]}'",
    ),
    ("name.unbound", r"`(\w+)` is not a configuration", "name '{m[1]}' is not defined; expected indexed object to be a Config"),
    ("name.unbound", r"`(\w+)`", "variable '{m[1]}' undefined; variable '{m[1]}' has unsupported type <class 'list'>"),
    (
        "name.window-rebinds",
        r"`(\w+)`",
        "cannot assign/reduce a 'Window' type value; expected lvalue access of variable '{m[1]}' of type to have exactly 1 indices, but 0 were found.;"
        " cannot assign/reduce to '{m[1]}', a non-numeric variable of type 'index'",
    ),
    ("type.divisor", "", "cannot divide or modulo by a non-constant value; cannot divide or modulo by zero or a negative value"),
    ("type.extern-arity", r"takes (\d+) arguments?, not (\d+)", "expected {m[1]} argument, got {m[2]}; expected {m[1]} arguments, got {m[2]}"),
    ("type.extern-argument", r"not of an? `?(\w+)", "expected argument 1 to be a real scalar value, but got type {m[1]}"),
    ("type.scalar-argument", "", "expected scalar arguments to be simply variable names for now"),
    ("type.data-modulo", "", "cannot compute modulus of 'R' values"),
    ("type.argument-precision", r"type `(\w+)`, not `(\w+)`", "expected precision {m[1]}, but got {m[2]}"),
    ("backend.argument-precision", r"type (\w+), not (\w+)", "expected precision {m[1]}, but got {m[2]}"),
    ("type.argument-rank", r"expected an? \w+ `([^`]*)`, found an? \w+ `([^`]*)`", "expected argument of type '{m[1]}', but got type '{m[2]}'"),
    ("type.argument-rank", r"argument `(\w+)`", "expected argument of type of another number of dimensions, but got type 'Window'"),
    ("type.argument-shape", "", "type-shape of calling argument may not equal the required type-shape"),
    ("type.argument", r"must be a scalar", "expected numeric type expression, but got type size"),
    ("type.argument", r"must be a `bool`, not (?:an? )?(?:tensor )?`?([^`\n]*)", "expected bool-type variable, but got type {m[1]}"),
    ("type.argument", r"must be an? `(\w+)`, not (?:an? )?(?:tensor )?`?([^`\n]*)", "expected size or index type expression, but got type {m[2]}; expected argument of type '{m[1]}', but got type '{m[2]}'"),
    ("type.extent", "an extent must be an integer", "expected array size expression to have type 'size' or type 'index'"),
    ("type.extent", r"this is (-?\d+)", "expected expression {m[1]} to always be positive. It can be non positive when:"),
    ("type.size-literal", r"not (-?\d+)", "expected expression {m[1]} to always be positive. It can be non positive when"),
    ("type.assign-control", r"`(\w+)` is an? `(\w+)`", "cannot write to {m[2]} variable '{m[1]}'; cannot assign/reduce to '{m[1]}', a non-numeric variable of type '{m[2]}'"),
    ("type.index", r"an index must be an integer, not an? `?(\w+)", "cannot index with expression of type '{m[1]}'"),
    ("type.index", "loop bound", "expected loop bound to be indexable."),
    ("type.control-expected", "an index .*a data literal", "cannot index with expression of type 'R'"),
    ("type.control-expected", r"an index .*type `(\w+)`", "cannot index with expression of type '{m[1]}'"),
    ("type.control-expected", "loop bound", "expected loop bound to be indexable."),
    ("type.data-expected", r"not an? `(\w+)`", "cannot assign/reduce a '{m[1]}' type value; expected scalar type, got {m[1]}"),
    ("type.data-comparison", r"`(.+)` cannot", "expected 'index' or 'size' argument to comparison op: {m[1]}"),
    ("type.bool-expected", "condition|assertion", "expected a bool expression"),
    ("type.bool-expected", "operand", "expected 'bool' argument to logical op"),
    ("type.nonaffine", "", "cannot multiply two non-constant indexing/sizing expressions, since the result would be non-affine; expected array size expression to have type 'size' or type 'index'"),
    ("type.rank", r"`(\w+)` has (\d+) dimensions? but is given (\d+)", (
        "expected lvalue access of variable '{m[1]}' to have exactly {m[2]} indices, but {m[3]} were found;"
        " expected access of variable '{m[1]}' to have no more than {m[2]} indices, but {m[3]} were found."
    )),
    ("type.bool-arithmetic", "`-`", "cannot negate expression of type 'bool'; cannot perform arithmetic on 'bool' values"),
    ("type.bool-arithmetic", "", "cannot perform arithmetic on 'bool' values"),
    (
        "type.tensor-value",
        r"`(\w+)`",
        "cannot assign/reduce a tensor type value; cannot perform arithmetic on tensors;"
        " expected argument 1 to be a real scalar value, but got type of a tensor",
    ),
    ("type.not-operand", "a window of", "cannot assign/reduce a window type value; cannot assign/reduce a 'Window(...)' type value"),
    ("type.alloc-window", "", "Window expression such as [R] should only be used in the function signature"),
    ("type.stride-dim", r"`(\w+)` has (\d+) dimensions?, so no stride (\d+)", "expected {m[1]} to be a tensor or window; expected {m[3]} to be in-bounds (i.e. 0 <= {m[3]} < {m[2]})"),
    ("bounds.access", r"of `(\w+)`", "{m[1]} is read out-of-bounds when: {m[1]} is written out-of-bounds when: {m[1]} is reduced out-of-bounds when:"),
    ("bounds.window", r"`(\w+)`", "{m[1]} is read out-of-bounds when: {m[1]} is written out-of-bounds when:"),
    ("bounds.extent", r": `(.*)`", "expected expression {m[1]} to always be positive. It can be non positive when"),
    ("loop.bounds", "", "expected expression {m[0]} to always be non-negative. It can be negative when:"),
    ("config.iteration", r"`([\w.]+)`", "expected writes to configuration {m[1]} does not depend on loop iterations"),
    ("call.assert", r"assertion \d+ of `(\w+)` may not hold here: `(.*)`", "Could not verify assertion {m[2]} in {m[1]}. Assertion is false when:"),
    ("assert.satisfiable", r"never holds: `(.*)`", "The assertion {m[1]} is always unsatisfiable."),
    ("call.dense", "", "expected a non-window tensor"),
    ("call.alias", r"of `(\w+)` may overlap in `(\w+)`", "Cannot Pass the same buffer '{m[2]}' via multiple arguments in call to {m[1]}, since doing so would introduce aliased arguments."),
    ("call.alias", r"`(\w+)`", "Cannot Pass the same buffer '{m[1]}' via multiple arguments in call, since doing so would introduce aliased arguments."),
    ("par.race", "", "parallel loop's body is not parallelizable because of potential data races"),
    (
        "type.config-field",
        r"has type `(\w+)` and cannot hold (?:an? )?(?:data of type )?`?([^`\n]*)",
        "expected a real scalar value, but got an expression of type {m[2]}; expected an index or size type expression, but got type {m[2]};"
        " expected a bool expression, but got type {m[2]}; expected a stride type expression, but got type {m[2]}",
    ),
    ("backend.config-access", r"`?(\w+)\.\w+`? is (?:read|written)", "cannot read from config '{m[1]}'; cannot write to config '{m[1]}'"),
    ("backend.precision", r"arguments of .* have one precision, not two\nmixes (\w+) and (\w+)", "all extern arguments must have a same type, got {m[2]} and {m[1]}"),
    ("backend.precision", "one precision", "cannot compute operation between inconsistent precision types"),
    ("backend.memory-alloc", "may take the same part", "Cannot generate static memory in non-leaf procs"),
    ("backend.memory-access", r"lives in (\w+)\nexpected \w+, found (\w+)", "expected argument in {m[1]} but got an argument in {m[2]}"),
    ("backend.memory-access", "", "expected argument in another memory but got an argument in this one; cannot read from, or write to, buffer in memory"),
]

#: What Exo heads the findings of a pass with, by the first words of the rules.
_PASSES: Dict[str, str] = {
    "syntax.expression": "typechecking",
    "type": "typechecking",
    "type.argument-precision": "precision checking",
    "type.argument-shape": "effect checking",
    "call.dense": "",
    "type.extent": "effect checking",
    "type.size-literal": "effect checking",
    "config": "typechecking",
    "name": "typechecking",
    "bounds": "effect checking",
    "loop": "effect checking",
    "call": "effect checking",
    "assert": "effect checking",
    "par": "precision checking",
    "backend.memory-alloc": "",
    "backend.config-access": "",
    "backend": "precision checking",
}


def _said(finding: Dict[str, Any]) -> str:
    """What Exo says of a finding, or nothing."""
    place = finding.get("place") or {}
    rule, message = str(finding.get("rule")), f"{finding.get('message')}\n{place.get('role', '')}"
    for of, pattern, words in _WORDS:
        found = re.search(pattern, message) if of == rule else None
        if found is not None:
            head = _PASSES.get(rule, _PASSES.get(rule.split(".")[0], ""))
            return (f"Errors occurred during {head}: " if head else "") + words.format(m=found)
    return ""


def with_exos_words(message: str, findings: Sequence[Dict[str, Any]]) -> str:
    """A message with the words that Exo would have."""
    said = list(dict.fromkeys(words for words in map(_said, findings) if words))
    return "\n".join([message, *(f"  = Exo says: {words}" for words in said)])
