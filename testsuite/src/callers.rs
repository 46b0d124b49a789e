//! Random callers of a procedure: a loop, buffers of more dimensions than are needed, windows that begin somewhere.

use rewright_campaign::rng::Rng;
use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::check_proc;
use rewright_effects::solver::Solver;
use rewright_primitives::tools::syntax::inlining::{Actual, Actuals, expr_with};
use rewright_semantics::ast::{Arg, Expr, Proc, WinCoord};
use rewright_semantics::build::{
    add, block, boolean, call, for_, int, interval, lt, mul, point, proc, read, size_arg, stride, sub, var,
    window_arg,
};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use rewright_semantics::typecheck;
use rewright_semantics::types::{ArgType, ArrayKind, BufferType, ControlType, MemName};
use std::sync::Arc;

/// A procedure that the front end accepts and that calls `callee` in a loop; `None` when none was found.
pub fn caller(rng: &mut Rng, callee: &Arc<Proc>) -> Option<Proc> {
    (0..60).find_map(|_| {
        let made = attempt(rng, callee)?;
        let (an, solver) = (Analysis::new(), Solver::new());
        let proved = || check_proc(&an, &made).iter().all(|r| solver.decide(&r.obligation).is_proved());
        (typecheck::check_proc(&made).is_empty() && proved()).then_some(made)
    })
}

struct Draw<'a> {
    rng: &'a mut Rng,
    /// The size of the caller, and the variable of its loop up to it.
    m: Sym,
    o: Sym,
    args: Vec<Arg>,
    by: Actuals,
}

fn attempt(rng: &mut Rng, callee: &Arc<Proc>) -> Option<Proc> {
    let (m, o) = (Sym::fresh("m"), Sym::fresh("o"));
    let mut draw = Draw { rng, m, o, args: vec![size_arg(m)], by: Actuals::default() };
    // Control first: extents may mention what comes later.
    for formal in &callee.args {
        if let ArgType::Control(t) = &formal.typ {
            let e = draw.control(*t);
            draw.by.insert(formal.name, Actual::Control(e));
        }
    }
    let mut actual = Vec::new();
    for formal in &callee.args {
        actual.push(match &formal.typ {
            ArgType::Control(_) => match draw.by.get(&formal.name)? {
                Actual::Control(e) => e.clone(),
                Actual::Buffer(_) | Actual::Cell(..) | Actual::Part(_) => return None,
            },
            ArgType::Data { typ, mem } => draw.place(formal.name, typ, *mem),
        });
    }
    let inner = call(callee, actual);
    let body = if draw.rng.chance(80) { for_(o, 0, m, [inner]) } else { for_(o, 0, 1, [inner]) };
    let made = proc("caller", draw.args, [], block([body]));
    Some((*made).clone())
}

impl Draw<'_> {
    fn control(&mut self, t: ControlType) -> Expr {
        match t {
            ControlType::Bool => match self.rng.below(3) {
                0 => boolean(true),
                1 => boolean(false),
                _ => lt(self.o, 2),
            },
            ControlType::Size => match self.rng.below(4) {
                0 => var(self.m),
                1 => add(self.o, 1),
                _ => int(self.rng.between(1, 8)),
            },
            ControlType::Index | ControlType::Int => match self.rng.below(3) {
                0 => var(self.o),
                _ => int(self.rng.between(0, 4)),
            },
            ControlType::Stride => match self.args.iter().find_map(rank_of) {
                Some((x, rank)) if rank > 0 => stride(x, rank - 1),
                Some(_) | None => int(1),
            },
        }
    }

    /// All of a buffer, a part of a larger one, or a cell.
    fn place(&mut self, x: Sym, typ: &BufferType, mem: MemName) -> Expr {
        let name = Sym::fresh(format!("{x}_in").as_str());
        let by = &self.by;
        let shape: Vec<Expr> = typ.shape.iter().map(|e| expr_with(e, by)).collect();
        if typ.kind == ArrayKind::Tensor && typ.rank() > 0 {
            self.declare(name, BufferType::tensor(typ.elem, shape), mem);
            return read(name, []);
        }
        let (mut extents, mut coords) = (Vec::new(), Vec::new());
        let extra = self.rng.below(3);
        let mut left = shape.into_iter();
        let mut points = extra;
        loop {
            // A point here, or the next dimension of the window.
            let kept = if points > 0 && self.rng.chance(50) { None } else { left.next() };
            match kept {
                Some(n) => {
                    let (start, slack) = (self.start(), self.rng.between(0, 2));
                    let most = add(self.most(&start), add(n.clone(), slack));
                    extents.push(most);
                    coords.push(interval(start.clone(), add(start, n)));
                }
                None if points > 0 => {
                    points -= 1;
                    extents.push(add(self.m, 3));
                    coords.push(point(add(self.o, self.rng.between(0, 2))));
                }
                None => break,
            }
        }
        self.declare(name, BufferType::tensor(typ.elem, extents), mem);
        let cell: Option<Vec<Expr>> = coords
            .iter()
            .map(|c| match c {
                WinCoord::Point(e) => Some(e.clone()),
                WinCoord::Interval(..) => None,
            })
            .collect();
        match cell {
            Some(idx) => read(name, idx),
            None => window_arg(name, coords),
        }
    }

    fn start(&mut self) -> Expr {
        match self.rng.below(4) {
            0 => var(self.o),
            1 => mul(4, self.o),
            _ => int(self.rng.between(0, 3)),
        }
    }

    /// At least what a start may be.
    fn most(&self, start: &Expr) -> Expr {
        rewright_semantics::syntax::subst::subst_expr(start, self.o, &sub(self.m, 0))
    }

    fn declare(&mut self, name: Sym, typ: BufferType, mem: MemName) {
        self.args.push(Arg { name, typ: ArgType::Data { typ, mem }, span: Span::NONE });
    }
}

fn rank_of(a: &Arg) -> Option<(Sym, usize)> {
    match &a.typ {
        ArgType::Data { typ, mem: _ } => Some((a.name, typ.rank())),
        ArgType::Control(_) => None,
    }
}
