//! From checked programs to C that runs: compilation, memories, instructions, and the harness that
//! compiles the C, calls it and holds it against the interpreter.
//!
//! What must stay true at this boundary: this crate reads the syntax and never changes it; text is made
//! by `c::emit` alone; code is loaded into this process by `harness` alone, the one module with
//! `unsafe`.
//!
//! One letter per sort, as elsewhere: `e` `ast::Expr`, `s` `ast::Stmt`, `b` `ast::Block`, `p`
//! `ast::Proc`, `a` `ast::Arg`, `x` `sym::Sym`, `w` `ast::WindowExpr`, `t` a type, `l` the lowering.

pub mod c;
pub mod checks;
pub mod externs;
pub mod harness;
pub mod instr;
pub mod memory;
pub mod toolchain;
