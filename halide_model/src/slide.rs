//! Sliding windows: a pass on completed programs, by which an iteration computes of a func only what the iteration before
//! did not. Spec: [rule: halide.slide].
//!
//! It is proved of each program. The region of an iteration is what its consumers need, as before; it is there because
//! what lies in the region of the iteration before was there then, and is still.

mod place;

use crate::bounds::normal::simplify;
use crate::bounds::verify::{Known, Verification, follows};
use crate::expr::{End, Expr, Hole, Interval, Region, Site, Var};
use crate::op::Op;
use crate::text::print;
use crate::tgt::walk::{map_block, visit};
use crate::tgt::{Block, For, Label, Order, Program, Stmt};
use crate::unmet::{Condition, Unmet};
use place::{Place, Step};
use rewright_base::sym::Name;

const FAILS: &str = "does not slide";

/// Updates depend on the values that are kept, and a func that is computed in several places has no iteration before.
pub const PURE: Condition = Condition {
    id: "slide.pure",
    rule: "what slides has no updates, and is computed in one place, by itself",
    fails: FAILS,
};
/// Iterations of other loops have no order, or are not there at run time.
pub const SERIAL: Condition = Condition {
    id: "slide.serial",
    rule: "the innermost loop around what slides is serial or unrolled, and it is stored outside of that loop",
    fails: FAILS,
};
/// A region that moves back, or in another dimension, needs points that no iteration has computed.
pub const ONWARD: Condition = Condition {
    id: "slide.onward",
    rule: "what an iteration needs and does not compute was computed by the iteration before",
    fails: FAILS,
};
/// A tail that is rounded up from a later point on leaves what is allocated, and in a circle it overwrites what is kept.
pub const STORES: Condition = Condition {
    id: "slide.stores",
    rule: "an iteration stores nowhere else than where it is asked to",
    fails: FAILS,
};

/// A completed program in which all slide that may; and the others, which are still among its `slides` and compute all that
/// is asked of them.
pub fn slide(completed: &Program) -> (Program, Vec<Unmet>) {
    let mut t = completed.clone();
    let mut refused = Vec::new();
    for (func, dim) in completed.slides.clone() {
        match slid(&t, func, dim) {
            Ok(new) => t = new,
            Err(why) => refused.push(why),
        }
    }
    (t, refused)
}

fn slid(t: &Program, func: Name, dim: usize) -> Result<Program, Unmet> {
    let window = Window::of(t, func, dim)?;
    window.moves_onward()?;
    let new = window.shortened();
    window.stores_stay_inside(&new)?;
    let mut slides = t.slides.clone();
    slides.remove(&(func, dim));
    let out = t.replace_first(&mut |s| s.computes(func).then(|| vec![new.clone()]));
    out.map(|out| Program { slides, ..out }).ok_or_else(|| window.refuse(PURE, "nothing computes it"))
}

/// What an iteration computes of a func.
struct Window<'a> {
    t: &'a Program,
    func: Name,
    dim: usize,
    region: Region,
    at: Place<'a>,
    around: &'a For,
}

impl<'a> Window<'a> {
    fn of(t: &'a Program, func: Name, dim: usize) -> Result<Window<'a>, Unmet> {
        let refuse = |condition, why: &str| unmet(t, func, dim, condition, why);
        let mut places = 0;
        visit(&t.body, &mut |s| places += usize::from(s.computes(func)));
        let at = match Place::of(&t.body, func) {
            Some(at) if places == 1 => at,
            _ => return Err(refuse(PURE, "it is not computed in one place")),
        };
        if t.stages(func) != 1 {
            return Err(refuse(PURE, "it has updates"));
        }
        let Some(around) = at.innermost_loop() else {
            return Err(refuse(SERIAL, "it is computed in no loop"));
        };
        let ordered = match around.order {
            Order::Serial | Order::Unrolled => true,
            Order::Parallel | Order::Vectorized => false,
        };
        if !ordered {
            return Err(refuse(SERIAL, &format!("loop {} is not serial", around.name())));
        }
        if !at.is_stored_outside(func) {
            return Err(refuse(SERIAL, &format!("it is stored inside loop {}", around.name())));
        }
        if at.inside().any(|s| matches!(s, Step::Label)) {
            return Err(refuse(
                PURE,
                "it, or what it is computed for, is computed together with another func",
            ));
        }
        let mut other = None;
        visit(at.body, &mut |s| other = other.or(s.label().and_then(|l| of_another(func, l))));
        if let Some(other) = other {
            return Err(refuse(PURE, &format!("`{other}` is computed inside of it")));
        }
        let region = Region::cpu(Site { func, stage: 0, spec: 0 }, 1);
        let window = Window { t, func, dim, region, at, around };
        window.is_known()?;
        Ok(window)
    }

    fn refuse(&self, condition: Condition, why: &str) -> Unmet {
        unmet(self.t, self.func, self.dim, condition, why)
    }

    fn rank(&self) -> usize {
        self.t.algorithm.func(self.func).map_or(0, |f| f.vars.len())
    }

    /// A dimension of the region, first and behind its last, in terms of the loop's variable and what is outside.
    fn ends(&self, dim: usize) -> [Expr; 2] {
        let Interval { min, len } = Interval::hole(self.region, dim);
        [self.at.closed(&min), self.at.closed(&Expr::binary(Op::Add, min, len))]
    }

    /// An expression in the iteration before.
    fn before(&self, e: &Expr) -> Expr {
        let v = self.around.variable();
        let before = Expr::binary(Op::Sub, Expr::Var(v), Expr::int(1));
        e.substitute(&|w| (w == v).then(|| before.clone()))
    }

    fn is_known(&self) -> Result<(), Unmet> {
        let ends = (0..self.rank()).flat_map(|d| self.ends(d));
        let all: Vec<Expr> = ends.chain(self.at.guards()).collect();
        if all.iter().any(|e| !e.accesses().is_empty()) {
            // Memory may have changed since the iteration before.
            return Err(self.refuse(ONWARD, "its bounds, or a guard around it, read from memory"));
        }
        Ok(())
    }

    /// Where the region has points and overlaps that of the iteration before, it lies behind the first point of that one, and
    /// in all other dimensions inside of it; and what guards it held then, too.
    fn moves_onward(&self) -> Result<(), Unmet> {
        let mut known = self.at.outside();
        let v = Expr::Var(self.around.variable());
        known.push(Known::Holds(Expr::binary(Op::Gt, v, self.around.domain.min.clone())));
        known.extend(self.at.guards().into_iter().map(Known::Holds));
        for d in 0..self.rank() {
            let [min, end] = self.ends(d);
            known.push(Known::Holds(Expr::binary(Op::Lt, min, end)));
        }
        let [min, _] = self.ends(self.dim);
        let [_, end] = self.ends(self.dim).map(|e| self.before(&e));
        known.push(Known::Holds(Expr::binary(Op::Lt, min, end)));
        for guard in self.at.guards() {
            self.prove(ONWARD, &known, &self.before(&guard), || {
                "the iteration before may not compute it".to_owned()
            })?;
        }
        for d in 0..self.rank() {
            let ([min, end], [first, last]) = (self.ends(d), self.ends(d).map(|e| self.before(&e)));
            let not_before = Expr::op(Op::Not, [Expr::binary(Op::Lt, min, first)]);
            self.prove(ONWARD, &known, &not_before, || {
                format!("its region may begin before that of the iteration before, in `{}`", self.var(d))
            })?;
            if d != self.dim {
                let not_behind = Expr::op(Op::Not, [Expr::binary(Op::Gt, end, last)]);
                self.prove(ONWARD, &known, &not_behind, || {
                    format!("its region may end behind that of the iteration before, in `{}`", self.var(d))
                })?;
            }
        }
        Ok(())
    }

    fn var(&self, dim: usize) -> Name {
        self.t.variable(self.func, dim)
    }

    /// The first point that is new, and how many are.
    fn fresh(&self) -> Interval {
        let Interval { min, len } = Interval::hole(self.region, self.dim);
        let [_, end] = self.ends(self.dim).map(|e| simplify(&self.before(&e)));
        let is_later =
            Expr::binary(Op::Lt, self.around.domain.min.clone(), Expr::Var(self.around.variable()));
        let kept = Expr::binary(Op::Max, min.clone(), end);
        let first = Expr::op(Op::Select, [is_later, kept, min.clone()]);
        let left = Expr::binary(Op::Sub, Expr::binary(Op::Add, min, len), first.clone());
        Interval { min: first, len: Expr::binary(Op::Max, Expr::int(0), left) }
    }

    /// What computes the func, of what is new alone.
    fn shortened(&self) -> Stmt {
        let Interval { min, len } = self.fresh();
        let hole = |end| Var::Hole(Hole { region: self.region, dim: self.dim, end });
        let (first, count) = (hole(End::Min), hole(End::Len));
        let body = map_block(self.at.body, &mut |e| {
            e.substitute(&|v| {
                if v == first { Some(min.clone()) } else { (v == count).then(|| len.clone()) }
            })
        });
        Stmt::Label { label: self.at.label, body }
    }

    /// Each store is to a point of the whole region. One that is kept may be computed again: what its value depends on is there,
    /// for it is asked of the producers.
    fn stores_stay_inside(&self, new: &Stmt) -> Result<(), Unmet> {
        let mut known = self.at.outside();
        known.extend(self.at.inside().filter_map(Step::known));
        let Interval { min, len } = Interval::hole(self.region, self.dim);
        let end = Expr::binary(Op::Add, min.clone(), len);
        let body: Vec<&Block> = new.blocks();
        body.into_iter().try_for_each(|b| self.stores(b, &mut known, &[min.clone(), end.clone()]))
    }

    fn stores(&self, b: &Block, known: &mut Vec<Known>, ends: &[Expr; 2]) -> Result<(), Unmet> {
        let outside = known.len();
        for s in b {
            match s {
                Stmt::Store { args, .. } => {
                    let Some(at) = args.get(self.dim) else { continue };
                    let [first, end] = ends;
                    let below = Expr::binary(Op::Lt, at.clone(), first.clone());
                    let before = Expr::binary(Op::Lt, at.clone(), end.clone());
                    let is_inside = Expr::binary(Op::And, Expr::op(Op::Not, [below]), before);
                    self.prove(STORES, known, &is_inside, || {
                        format!("`{}` may be stored to at a point that is not asked for", self.func)
                    })?;
                }
                Stmt::If { cond, then, other } => {
                    known.push(Known::Holds(cond.clone()));
                    self.stores(then, known, ends)?;
                    known.pop();
                    known.push(Known::Holds(Expr::op(Op::Not, [cond.clone()])));
                    self.stores(other, known, ends)?;
                    known.pop();
                }
                Stmt::For(l) => {
                    known.push(Known::Ranges(l.variable(), l.domain.clone()));
                    self.stores(&l.body, known, ends)?;
                    known.pop();
                }
                Stmt::Let { var, value, body } => {
                    known.push(Known::Is(*var, value.clone()));
                    self.stores(body, known, ends)?;
                    known.pop();
                }
                Stmt::Label { body, .. } => self.stores(body, known, ends)?,
                Stmt::Assert { cond, .. } => known.push(Known::Holds(cond.clone())),
                Stmt::Allocate { .. } => {}
            }
        }
        known.truncate(outside);
        Ok(())
    }

    fn prove(
        &self,
        condition: Condition,
        known: &[Known],
        cond: &Expr,
        why: impl Fn() -> String,
    ) -> Result<(), Unmet> {
        match follows(self.t, known, cond) {
            Verification::Verified(_) => Ok(()),
            Verification::Refuted { model, .. } => Err(Unmet { model, ..self.refuse(condition, &why()) }),
            Verification::Unknown(_) | Verification::OutOfScope(_) => {
                let why = format!("the solver gave up on {}", print::expr(cond));
                Err(self.refuse(condition, &why))
            }
        }
    }
}

fn unmet(t: &Program, func: Name, dim: usize, condition: Condition, why: &str) -> Unmet {
    Unmet { func, var: t.variable(func, dim), condition, why: why.to_owned(), model: Vec::new() }
}

/// The func of a label that is not of this one.
fn of_another(func: Name, l: Label) -> Option<Name> {
    let of = match l {
        Label::Stage(site) => site.func,
        Label::Func(f) => f,
    };
    (of != func).then_some(of)
}
