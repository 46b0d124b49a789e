"""Halide's serialized pipelines, read: FlatBuffers by the schema of Halide 21 (``src/halide_ir.fbs``), as far as a pipeline's
algorithm and schedule need it. A table is a ``dict`` with the name of its kind at ``kind``. Spec: [rule: halide.peer.import]."""

from __future__ import annotations

import struct
from typing import Any, Dict, List, Tuple

#: Fields in their order, `name type`; a union takes two slots. Fields behind the last one named are not needed.
_SCHEMA = """
IntImm: value i64, type Type
UIntImm: value u64, type Type
FloatImm: value f64, type Type
StringImm: value string
Cast: value Expr, type Type
Reinterpret: value Expr, type Type
Not: a Expr
Select: condition Expr, true_value Expr, false_value Expr
Load: name string
Ramp: base Expr, stride Expr, lanes i32
Broadcast: value Expr, lanes i32
Let: name string, value Expr, body Expr
Call: name string, args [Expr], call_type u8, func_index i32, value_index i32, image_name string, param_name string, type Type
ReductionVariable: var string, min Expr, extent Expr
ReductionDomain: defined bool, domain [ReductionVariable], predicate Expr
Variable: name string, type Type, param_name string, image_name string, reduction_domain ReductionDomain
Shuffle: vectors [Expr], indices [i32]
VectorReduce: value Expr, reduction_op u8, lanes i32
UndefinedExpr:
AssertStmt: condition Expr, message Expr
Type: code i8, bits u8, lanes i32
Bound: var string, min Expr, extent Expr, modulus Expr, remainder Expr
StorageDim: var string, alignment Expr, bound Expr, fold_factor Expr, fold_forward bool
LoopLevel: func_name string, stage_index i32, var_name string, is_rvar bool, locked bool
WrapperRef: func_name string, func_index i32
FuncSchedule: store_level LoopLevel, compute_level LoopLevel, hoist_storage_level LoopLevel, storage_dims [StorageDim], \
bounds [Bound], estimates [Bound], wrappers [WrapperRef], memory_type i8, memoized bool, async bool, ring_buffer Expr, \
memoize_eviction_key Expr
Specialization: condition Expr, definition Definition, failure_message string
Split: old_var string, outer string, inner string, factor Expr, exact bool, tail u8, split_type u8
Dim: var string, for_type i8, device_api i8, dim_type u8, partition_policy i8
FuseLoopLevel: fuse_level LoopLevel, align_dimension_names [string], align_strategies [u8]
FusedPair: func_1 string, func_2 string, stage_1 i32, stage_2 i32, var_name string
PrefetchDirective: name string, at string
StageSchedule: rvars [ReductionVariable], splits [Split], dims [Dim], prefetches [PrefetchDirective], \
fuse_level FuseLoopLevel, fused_pairs [FusedPair], touched bool, allow_race_conditions bool, atomic bool, \
override_atomic_associativity_test bool
Definition: is_init bool, predicate Expr, values [Expr], args [Expr], stage_schedule StageSchedule, \
specializations [Specialization], source_location string
BufferConstraint: min Expr, extent Expr, stride Expr
Parameter: defined bool, is_buffer bool, type Type, dimensions i32, name string, host_alignment i32, \
buffer_constraints [BufferConstraint], memory_type i8, scalar_data u64?, scalar_default Expr, scalar_min Expr, \
scalar_max Expr, scalar_estimate Expr
ExternalParameter: is_buffer bool, type Type, dimensions i32, name string
ExternFuncArgument: arg_type u8
BufferDimension: min i32, extent i32, stride i32
Buffer: defined bool, name string, type Type, dimensions i32, dims [BufferDimension], data bytes
Func: name string, origin_name string, output_types [Type], required_types [Type], required_dims i32, args [string], \
func_schedule FuncSchedule, init_def Definition, updates [Definition], debug_file string, output_buffers_names [string], \
extern_arguments [ExternFuncArgument], extern_function_name string
Pipeline: funcs [Func], output_names [string], requirements [Stmt], func_names_in_order [string], \
parameters [Parameter], external_parameters [ExternalParameter], buffers [Buffer], halide_version string, \
serialization_version string
"""
_BINARY = "Add Sub Mul Div Mod Min Max EQ NE LT LE GT GE And Or".split()
_EXPR = (
    "IntImm UIntImm FloatImm StringImm Cast Reinterpret Add Sub Mul Div Mod Min Max EQ NE LT LE GT GE And Or Not Select Load "
    "Ramp Broadcast Let Call Variable Shuffle VectorReduce UndefinedExpr"
).split()
_UNIONS = {"Expr": _EXPR, "Stmt": ["LetStmt", "AssertStmt"]}
_SCALARS = {
    "i8": struct.Struct("<b"), "u8": struct.Struct("<B"), "i32": struct.Struct("<i"), "i64": struct.Struct("<q"),
    "u64": struct.Struct("<Q"), "f64": struct.Struct("<d"), "bool": struct.Struct("<?"),
}  # fmt: skip


def _tables() -> Dict[str, List[Tuple[str, str]]]:
    out = {op: [("a", "Expr"), ("b", "Expr")] for op in _BINARY}
    for line in _SCHEMA.strip().splitlines():
        kind, fields = line.split(":", 1)
        out[kind] = [tuple(f.split()) for f in fields.split(",") if f.strip()]  # type: ignore[misc]
    return out


_TABLES = _tables()
#: The version of the format that the schema is of.
VERSION = "18.0.1"


def read(data: bytes) -> Dict[str, Any]:
    """The pipeline.

    Raises ``ValueError`` where the data are not of this format.
    """
    if VERSION.encode() not in data:
        raise ValueError(f"not a serialized pipeline of the format of version {VERSION}, that of Halide 21")
    return _Reader(data).table("Pipeline", _u32(data, 0))


def _u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "little")


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data

    def table(self, kind: str, at: int) -> Dict[str, Any]:
        if kind not in _TABLES:
            return {"kind": kind}
        vtable = at - struct.unpack_from("<i", self.data, at)[0]
        size = struct.unpack_from("<H", self.data, vtable)[0]

        def slot(i: int) -> int:
            """Where a field is; 0 where it is not there."""
            place = 4 + 2 * i
            offset = struct.unpack_from("<H", self.data, vtable + place)[0] if place < size else 0
            return at + offset if offset else 0

        out: Dict[str, Any] = {"kind": kind}
        i = 0
        for name, t in _TABLES[kind]:
            union = t.strip("[]") in _UNIONS
            out[name] = self.union(t, slot(i), slot(i + 1)) if union else self.field(t, slot(i))
            i += 2 if union else 1
        return out

    def follow(self, place: int) -> int:
        return place + _u32(self.data, place)

    def union(self, t: str, kinds: int, values: int) -> Any:
        names = _UNIONS[t.strip("[]")]
        if not t.startswith("["):
            kind = self.data[kinds] if kinds else 0
            return self.table(names[kind - 1], self.follow(values)) if kind and kind <= len(names) else None
        if not kinds or not values:
            return []
        kinds, values = self.follow(kinds), self.follow(values)
        out = []
        for k in range(_u32(self.data, kinds)):
            kind = self.data[kinds + 4 + k]
            name = names[kind - 1] if kind <= len(names) else "Other"
            out.append(self.table(name, self.follow(values + 4 + 4 * k)))
        return out

    def field(self, t: str, place: int) -> Any:
        if t.endswith("?"):
            return _SCALARS[t[:-1]].unpack_from(self.data, place)[0] if place else None
        if t in _SCALARS:
            return _SCALARS[t].unpack_from(self.data, place)[0] if place else 0
        if t == "string":
            return self.string(self.follow(place)) if place else ""
        if t == "bytes":
            start = self.follow(place) if place else 0
            return self.data[start + 4 : start + 4 + _u32(self.data, start)] if place else b""
        if not t.startswith("["):
            return self.table(t, self.follow(place)) if place else None
        if not place:
            return []
        start, inner = self.follow(place), t[1:-1]
        count = _u32(self.data, start)
        if inner in _SCALARS:
            step = _SCALARS[inner].size
            return [_SCALARS[inner].unpack_from(self.data, start + 4 + step * k)[0] for k in range(count)]
        return [self.field(inner, start + 4 + 4 * k) for k in range(count)]

    def string(self, at: int) -> str:
        return self.data[at + 4 : at + 4 + _u32(self.data, at)].decode()
