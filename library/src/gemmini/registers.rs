//! The registers of Gemmini: written where a computation first needs them, and hoisted out of all loops.
//! PLDI'22 §2.4; ASPLOS'25 Fig. 5 and §6.1.2. Spec: [rule: kernels.gemmini].

use crate::definitions::Definitions;
use rewright_primitives::error::Result;
use rewright_primitives::hof::{self, Op, is_caught};
use rewright_primitives::{Cursor, Proc};

/// How a register's write is hoisted. The result is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hoisting {
    /// A loop that goes on until a step is refused. ASPLOS'25 Fig. 5b.
    Steps,
    /// The same by operations on operations. ASPLOS'25 Fig. 5c.
    Combined,
}

/// What the registers are set to.
pub(super) struct Setting<'a> {
    /// The distance of rows of what is loaded first, and of what stays in the array.
    pub(super) loads: [&'a str; 2],
    /// Whether the third unit repeats one row.
    pub(super) repeats: bool,
    /// The distance of rows of the result.
    pub(super) store: &'a str,
}

/// A computation on scaled sums, `if act == True: …` and `s = s * scale`, after whose registers have been set: it reads
/// the scale and the activation from them. Equivalent modulo the registers.
pub(super) fn configured(d: &Definitions, p: &Proc, to: &Setting, by: Hoisting) -> Result<Proc> {
    let p = stored(d, p, to.store, by)?;
    let repeated = to.repeats.then_some(("GemminiLd2", "src_stride", "0", "gemmini_config_ld2"));
    let set = [
        ("GemminiLd1", "src_stride", to.loads[1], "gemmini_config_ld1"),
        ("GemminiLd0", "src_stride", to.loads[0], "gemmini_config_ld0"),
        ("GemminiEx", "weight_stationary", "True", "gemmini_config_ex_ws"),
    ];
    repeated.into_iter().chain(set).try_fold(p, |p, (config, field, value, instruction)| {
        let p = p.write_config(p.body()?.at(0)?.before()?, &d.config(config), field, value)?;
        p.replace(p.body()?.at(0)?, &d.instruction(instruction))
    })
}

/// What the store needs: scale and activation are bound where they are used, and hoisted.
fn stored(d: &Definitions, p: &Proc, stride: &str, by: Hoisting) -> Result<Proc> {
    let st = d.config("GemminiSt");
    let p = p.bind_config(p.find("s = s * scale")?.rhs()?.rhs()?, &st, "scale")?;
    let p = hoisted(&p, &p.find("GemminiSt.scale = _")?, by)?;
    let p = p.bind_config(p.find("if act == True: _")?.cond()?.lhs()?, &st, "act")?;
    let p = hoisted(&p, &p.find("GemminiSt.act = _")?, by)?;
    let p = p.write_config(p.find("GemminiSt.act = _")?.before()?, &st, "dst_stride", stride)?;
    let p = p.write_config(p.find("GemminiSt.scale = _")?.after()?, &st, "wide", "False")?;
    let first = p.find("GemminiSt.dst_stride = _")?;
    p.replace(first.expand(Some(0), Some(3))?, &d.instruction("gemmini_config_st"))
}

/// A statement that is the same in all iterations of the loops around it, before all of them.
///
/// # Errors
/// The cursor is at no statement of `p`.
pub fn hoisted(p: &Proc, statement: &Cursor, by: Hoisting) -> Result<Proc> {
    match by {
        Hoisting::Steps => hoisted_by_steps(p, statement),
        Hoisting::Combined => hoisting().on(p, &p.forward(statement)?),
    }
}

/// As ASPLOS'25 Fig. 5b has it: to the front of its block, out of the loop, and again.
fn hoisted_by_steps(p: &Proc, statement: &Cursor) -> Result<Proc> {
    let mut p = p.clone();
    loop {
        let next = before_what_precedes(&p, statement).or_else(|e| match is_caught(&e) {
            true => out_of_its_loop(&p, statement),
            false => Err(e),
        });
        match next {
            Ok(next) => p = next,
            Err(e) if is_caught(&e) => return Ok(p),
            Err(bug) => return Err(bug),
        }
    }
}

/// As ASPLOS'25 Fig. 5c has it.
fn hoisting() -> Op {
    hof::repeat(hof::try_else(hof::lift(before_what_precedes), hof::lift(out_of_its_loop)))
}

/// Exchanges a statement with the one before it.
fn before_what_precedes(p: &Proc, statement: &Cursor) -> Result<Proc> {
    let before = p.forward(statement)?.prev(1)?;
    p.reorder_stmts(before.expand(Some(0), Some(1))?)
}

/// Parts the first statement of a loop from the rest, and runs it once.
fn out_of_its_loop(p: &Proc, statement: &Cursor) -> Result<Proc> {
    let s = p.forward(statement)?;
    let p = if s.next(1).is_ok() { p.fission(s.after()?, 1)? } else { p.clone() };
    p.remove_loop(p.forward(statement)?.parent()?)
}
