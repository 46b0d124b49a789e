"""The names of Exo's modules that have no counterpart, and why: to import one is an ``ImportError`` that says so.
Spec: [rule: python.exo-internals]."""

from __future__ import annotations

from typing import Any, Callable, Dict, FrozenSet

#: What is made of Exo's own syntax trees, which nothing here has, by module.
_TREES = """
API: FindBefore FindDup
API_cursors: lift_cursor
backend.LoopIR_compiler: CacheDict Compiler LoopIR_FindConfigs LoopIR_FindExterns LoopIR_FindMems LoopIR_SubProcs WindowStruct
    compile_to_strings find_all_configs find_all_externs find_all_mems find_all_subprocs lift_to_cir sanitize_str simplify_cir
    window_struct
backend.mem_analysis: MemoryAnalysis
backend.parallel_analysis: ParallelAnalysis
backend.prec_analysis: PrecisionAnalysis
backend.win_analysis: WindowAnalysis
core.LoopIR: Alpha_Rename CIR FreeVars GetLoopIters GetReadConfigs GetReads GetWriteConfigs GetWrites Identifier IdentifierOrHole
    LoopIR LoopIR_Compare LoopIR_Dependencies LoopIR_Do LoopIR_Rewrite Operator PAST SubstArgs UAST get_loop_iters get_readconfigs
    get_reads_of_expr get_reads_of_stmts get_writeconfigs get_writes_of_stmts is_const_zero is_stridable
core.LoopIR_pprint: PrintEnv UAST_PPrinter
core.configs: reverse_config_lookup
core.internal_cursors: Block Cursor Gap Node forward_identity
core.proc_eqv: assert_eqv_proc check_eqv_proc decl_new_proc derive_proc get_repr_proc get_strictest_eqv_proc new_uf_by_eqv_key
frontend.boundscheck: CheckBounds E eff_bind eff_concat eff_config_read eff_config_write eff_filter eff_null eff_read eff_reduce
    eff_remove_buf eff_subst eff_union eff_write lift_expr loopir_subst negate_expr
frontend.parse_fragment: BuildEnv BuildEnv_after ParseFragment parse_fragment
frontend.pattern_match: PatternMatch match_pattern
frontend.pyparser: Parser SizeStub pattern str_to_mem
frontend.typecheck: TypeChecker check_call_types
rewrite.LoopIR_scheduling: CheckFoldBuffer Check_CompareExprs Check_IsDivisible Check_IsNonNegativeExpr Check_IsPositiveExpr
    Cursor_Rewrite DoAddLoop DoAddUnsafeGuard DoBindConfig DoBindExpr DoCallSwap DoCommuteExpr DoConfigWrite DoCutLoop
    DoDeleteBuffer DoDeleteConfig DoDeletePass DoDivideDim DoDivideLoop DoDivideWithRecompute DoEliminateDeadCode
    DoEliminateDeadLoop DoEliminateIfDeadBranch DoExpandDim DoExtractSubproc DoFissionAfterSimple DoFissionLoops DoFoldBuffer
    DoFoldIntoReduce DoFuseIf DoFuseLoop DoInline DoInlineAssign DoInlineWindow DoInsertNoopCall DoInsertPass DoJoinLoops
    DoLeftReassociateExpr DoLiftAlloc DoLiftAllocSimple DoLiftConstant DoLiftScope DoMergeWrites DoMultiplyDim DoParallelizeLoop
    DoPartialEval DoProductLoop DoRearrangeDim DoRemoveLoop DoReorderStmt DoResizeDim DoReuseBuffer DoRewriteExpr DoSetTypAndMem
    DoShiftLoop DoSimplify DoSinkAlloc DoSpecialize DoSplitWrite DoStageMem DoUnroll DoUnrollBuffer check_used divide_expr
    extract_env get_enclosing_stmt_cursor get_rest_of_block index_range_analysis_wrapper match_parent merge_index_ranges move_back
    same_index_exprs same_write_dest
rewrite.LoopIR_unification: BufVar DoReplace Get_Live_Variables UEq Unification normalize sanitize_str solve sub
rewrite.analysis_simplify: A ASimplify simplify
rewrite.new_analysis_core: A AAnd ABool ADef AEq AExists AForAll AImplies AInt ALet ALetStride ALetTuple AMay ANot AOp AOr
    ConstSymFV DebugSolverFrame SMTSolver TernVal Z3SubProc aeFV aeNegPos is_ternary is_type_bound
rewrite.new_eff: A AEnv AEnvPar APoint AWin AWinAlloc AWinCoord AllocCommutes BindingList Check_Access_In_Window Check_Aliasing
    Check_Bounds Check_BufferReduceOnly Check_CodeIsDead Check_DeleteConfigWrite Check_ExprBound Check_ExprEqvInContext
    Check_ExtendEqv Check_FissionLoop Check_IsDeadAfter Check_IsIdempotent Check_ParallelizeLoop Check_ReorderLoops
    Check_ReorderStmts Commutes Commutes_Fissioning ContextExtraction Disjoint_Memory E ES LBigUnion LDiff LFilter LHideAlloc
    LIsct LLetEnv LS LUnion Shadows TupleBinding WinBind aenv_join call_bindings expr_effs filter_reals get_basic_locsets
    get_changing_globset get_changing_scalars get_point_exprs get_simple_proc getsets globenv globenv_proc is_elem is_empty
    is_type_bound lift_e lift_es list_expr_effs loop_globenv overapprox_proc_effs possible_config_writes proc_changing_scalars
    proc_effs stmts_effs window_effs
rewrite.range_analysis: IndexRangeEnvironment arg_range_analysis binop constant_bound index_range_analysis is_zero zero
"""

#: What to use in the place of some.
_INSTEAD = {
    "API_cursors.lift_cursor": "cursors come of `find` and of other cursors",
    "core.configs.reverse_config_lookup": "a cursor to a write or a read of a field has `config()` and `field()`",
    "core.LoopIR_pprint": "`str` shows procedures and cursors",
    "core.proc_eqv": "`Procedure.is_eq` compares procedures, and `unsafe_assert_eq` says that they are equal",
    "core.internal_cursors": "`exo.API_cursors` has cursors",
    "frontend.parse_fragment": "operations take expressions as strings, and `FormattedExprStr` fills in cursors",
    "frontend.pattern_match": "`Procedure.find` takes patterns",
    "frontend.pyparser": "`@proc` reads programs, and `Procedure.find` patterns",
    "rewrite.LoopIR_scheduling": "`exo.API_scheduling` has the operations",
    "rewrite.LoopIR_unification": "`exo.API_scheduling.replace` unifies",
    "rewrite.range_analysis": "`exo.stdlib.range_analysis` has ranges of cursors",
}


def _table() -> Dict[str, FrozenSet[str]]:
    rows: Dict[str, FrozenSet[str]] = {}
    for row in _TREES.replace("\n    ", " ").strip().splitlines():
        module, names = row.split(":")
        rows[module] = frozenset(names.split())
    return rows


#: The names, by module without ``exo.``.
NAMES = _table()


def why(module: str, name: str = "") -> str:
    """What is said of a name, or of a module that is not there at all."""
    what = f"cannot import name {name!r} from 'exo.{module}'" if name else f"there is no module 'exo.{module}' here"
    advice = _INSTEAD.get(f"{module}.{name}", _INSTEAD.get(module, "programs are asked by cursors"))
    return f"{what}: it is about Exo's own syntax trees, which rewright.exo does not have; {advice}"


def absent(module: str) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module: for the names that Exo has there, and that are not given."""
    module = module.split(".exo.")[-1]

    def getattr_(name: str) -> Any:
        if name in NAMES[module]:
            raise ImportError(why(module, name))
        raise AttributeError(f"module 'exo.{module}' has no attribute {name!r}")

    return getattr_
