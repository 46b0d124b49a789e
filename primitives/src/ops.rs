//! The primitives: one file each. A new one is a file here and a line in [`ALL`].
//!
//! Each is a function and, for chains, a method of [`Proc`]; expressions are given as text or numbers ([`ExprArg`]).
//!
//! ```
//! use rewright_primitives::{Proc, ops::Tail};
//! use rewright_semantics::{parse, span::SourceMap};
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add("scale.py", "@proc\ndef scale(n: size, x: f32[n]):\n    for i in seq(0, n):\n        x[i] = 2.0 * x[i]\n");
//! let parsed = parse::parse_module(file, &sources, &parse::Prelude::standard());
//! let scale = Proc::root(parsed.module.procs[0].clone());
//!
//! let blocks = scale.divide_loop("i", 8, ["io", "ii"], Tail::Cut)?.rename("blocks")?;
//! assert_eq!(blocks.ast().body.len(), 2);
//! let refused = scale.divide_loop("i", 8, ["io", "ii"], Tail::Perfect).expect_err("8 need not divide n");
//! assert!(refused.to_string().contains("divides"), "{refused}");
//! # Ok::<(), rewright_primitives::error::Error>(())
//! ```
//!
//! [`Proc`]: crate::Proc
//! [`ExprArg`]: crate::registry::ExprArg

pub mod add_assertion;
pub mod add_loop;
pub mod add_unsafe_guard;
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
pub mod reverse_loop;
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

pub use add_assertion::add_assertion;
pub use add_loop::{Runs, add_loop};
pub use autofission::autofission;
pub use autolift_alloc::{Dims, Mode, autolift_alloc};
pub use bind_config::bind_config;
pub use bind_expr::{Occurrences, bind_expr};
pub use call_eqv::call_eqv;
pub use commute_expr::commute_expr;
pub use cut_loop::cut_loop;
pub use delete_buffer::delete_buffer;
pub use delete_config::delete_config;
pub use delete_pass::delete_pass;
pub use divide_dim::divide_dim;
pub use divide_loop::{Tail, divide_loop};
pub use divide_with_recompute::divide_with_recompute;
pub use eliminate_dead_code::eliminate_dead_code;
pub use expand_dim::expand_dim;
pub use extract_subproc::{Asserts, extract_subproc, extracted};
pub use fission::fission;
pub use fold_into_reduce::fold_into_reduce;
pub use fuse::fuse;
pub use inline::inline;
pub use inline_assign::inline_assign;
pub use inline_window::inline_window;
pub use insert_noop_call::insert_noop_call;
pub use insert_pass::insert_pass;
pub use join_loops::join_loops;
pub use left_reassociate_expr::left_reassociate_expr;
pub use lift_alloc::lift_alloc;
pub use lift_reduce_constant::lift_reduce_constant;
pub use lift_scope::lift_scope;
pub use make_instr::make_instr;
pub use merge_writes::merge_writes;
pub use mult_dim::mult_dim;
pub use mult_loops::mult_loops;
pub use parallelize_loop::parallelize_loop;
pub use partial_eval::partial_eval;
pub use rearrange_dim::rearrange_dim;
pub use remove_loop::remove_loop;
pub use rename::rename;
pub use reorder_loops::reorder_loops;
pub use reorder_stmts::reorder_stmts;
pub use replace::replace;
pub use replace_all::replace_all;
pub use resize_dim::{Indices, resize_dim};
pub use reuse_buffer::reuse_buffer;
pub use reverse_loop::reverse_loop;
pub use rewrite_expr::rewrite_expr;
pub use set_memory::set_memory;
pub use set_precision::set_precision;
pub use set_window::{Passing, set_window};
pub use shift_loop::shift_loop;
pub use simplify::simplify;
pub use sink_alloc::sink_alloc;
pub use specialize::specialize;
pub use split_write::split_write;
pub use stage_mem::{Staging, stage_mem};
pub use unroll_buffer::unroll_buffer;
pub use unroll_loop::unroll_loop;
pub use write_config::write_config;

use crate::registry::{Primitive, Registry};

/// Every primitive, in the order of ASPLOS'25 App. A.
pub static ALL: &[&Primitive] = &[
    &reorder_loops::REORDER_LOOPS,
    &divide_loop::DIVIDE_LOOP,
    &divide_with_recompute::DIVIDE_WITH_RECOMPUTE,
    &mult_loops::MULT_LOOPS,
    &cut_loop::CUT_LOOP,
    &join_loops::JOIN_LOOPS,
    &shift_loop::SHIFT_LOOP,
    &reverse_loop::REVERSE_LOOP,
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

/// Exo's, that only programs of Exo's have: neither schedules in Rust nor scripts, but derivations.
static OF_EXO: &[&Primitive] = &[&add_unsafe_guard::ADD_UNSAFE_GUARD];

/// The primitive of this name that only programs of Exo's have.
pub fn of_exo(name: &str) -> Option<&'static Primitive> {
    OF_EXO.iter().copied().find(|p| p.name == name)
}

/// The primitive of this name.
pub fn by_name(name: &str) -> Option<&'static Primitive> {
    ALL.iter().copied().find(|p| p.name == name)
}

impl Registry {
    /// [`ALL`].
    pub fn standard() -> Registry {
        Registry::of(ALL)
    }
}
