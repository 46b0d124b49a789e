//! The primitives: one file each. A new one is a file here and a line in [`ALL`].

pub mod add_assertion;
pub mod add_loop;
pub mod autofission;
pub mod autolift_alloc;
pub mod bind_config;
pub mod bind_expr;
pub mod call_eqv;
pub mod commute_expr;
pub mod cut_loop;
pub mod delete_buffer;
pub mod delete_config;
pub mod delete_pass;
pub mod divide_dim;
pub mod divide_loop;
pub mod divide_with_recompute;
pub mod eliminate_dead_code;
pub mod expand_dim;
pub mod extract_subproc;
pub mod fission;
pub mod fold_into_reduce;
pub mod fuse;
pub mod inline;
pub mod inline_assign;
pub mod inline_window;
pub mod insert_noop_call;
pub mod insert_pass;
pub mod join_loops;
pub mod left_reassociate_expr;
pub mod lift_alloc;
pub mod lift_reduce_constant;
pub mod lift_scope;
pub mod make_instr;
pub mod merge_writes;
pub mod mult_dim;
pub mod mult_loops;
pub mod parallelize_loop;
pub mod partial_eval;
pub mod rearrange_dim;
pub mod remove_loop;
pub mod rename;
pub mod reorder_loops;
pub mod reorder_stmts;
pub mod replace;
pub mod replace_all;
pub mod resize_dim;
pub mod reuse_buffer;
pub mod rewrite_expr;
pub mod set_memory;
pub mod set_precision;
pub mod set_window;
pub mod shift_loop;
pub mod simplify;
pub mod sink_alloc;
pub mod specialize;
pub mod split_write;
pub mod stage_mem;
pub mod unroll_buffer;
pub mod unroll_loop;
pub mod write_config;

use crate::registry::Primitive;

/// Every primitive, in the order of ASPLOS'25 App. A.
pub static ALL: &[&Primitive] = &[
    &reorder_loops::REORDER_LOOPS,
    &divide_loop::DIVIDE_LOOP,
    &divide_with_recompute::DIVIDE_WITH_RECOMPUTE,
    &mult_loops::MULT_LOOPS,
    &cut_loop::CUT_LOOP,
    &join_loops::JOIN_LOOPS,
    &shift_loop::SHIFT_LOOP,
    &fission::FISSION,
    &autofission::AUTOFISSION,
    &remove_loop::REMOVE_LOOP,
    &add_loop::ADD_LOOP,
    &unroll_loop::UNROLL_LOOP,
    &reorder_stmts::REORDER_STMTS,
    &commute_expr::COMMUTE_EXPR,
    &left_reassociate_expr::LEFT_REASSOCIATE_EXPR,
    &specialize::SPECIALIZE,
    &fuse::FUSE,
    &lift_scope::LIFT_SCOPE,
    &simplify::SIMPLIFY,
    &eliminate_dead_code::ELIMINATE_DEAD_CODE,
    &rewrite_expr::REWRITE_EXPR,
    &merge_writes::MERGE_WRITES,
    &split_write::SPLIT_WRITE,
    &fold_into_reduce::FOLD_INTO_REDUCE,
    &lift_reduce_constant::LIFT_REDUCE_CONSTANT,
    &insert_pass::INSERT_PASS,
    &delete_pass::DELETE_PASS,
    &rename::RENAME,
    &add_assertion::ADD_ASSERTION,
    &partial_eval::PARTIAL_EVAL,
    &delete_buffer::DELETE_BUFFER,
    &expand_dim::EXPAND_DIM,
    &rearrange_dim::REARRANGE_DIM,
    &divide_dim::DIVIDE_DIM,
    &mult_dim::MULT_DIM,
    &unroll_buffer::UNROLL_BUFFER,
    &lift_alloc::LIFT_ALLOC,
    &sink_alloc::SINK_ALLOC,
    &reuse_buffer::REUSE_BUFFER,
    &resize_dim::RESIZE_DIM,
    &inline_window::INLINE_WINDOW,
    &bind_expr::BIND_EXPR,
    &inline_assign::INLINE_ASSIGN,
    &stage_mem::STAGE_MEM,
    &autolift_alloc::AUTOLIFT_ALLOC,
    &inline::INLINE,
    &replace::REPLACE,
    &replace_all::REPLACE_ALL,
    &call_eqv::CALL_EQV,
    &extract_subproc::EXTRACT_SUBPROC,
    &make_instr::MAKE_INSTR,
    &insert_noop_call::INSERT_NOOP_CALL,
    &set_memory::SET_MEMORY,
    &set_precision::SET_PRECISION,
    &parallelize_loop::PARALLELIZE_LOOP,
    &set_window::SET_WINDOW,
    &bind_config::BIND_CONFIG,
    &delete_config::DELETE_CONFIG,
    &write_config::WRITE_CONFIG,
];

/// The primitive of this name.
pub fn by_name(name: &str) -> Option<&'static Primitive> {
    ALL.iter().copied().find(|p| p.name == name)
}
