//! What a set of programs contains: counted from the programs themselves, not from the choices of the
//! generator that made them.

use rewright_semantics::ast::{
    BinOp, Block, Expr, ExprKind, Literal, LoopMode, Module, OpClass, Proc, StmtKind, WinCoord, WindowExpr,
};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArgType, ArrayKind, FieldType};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// In how many programs each feature occurs, out of how many.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    programs: u64,
    features: BTreeMap<&'static str, u64>,
}

impl Coverage {
    /// Counts one more program.
    pub fn add(&mut self, module: &Module) {
        self.programs += 1;
        for feature in features(module) {
            *self.features.entry(feature).or_insert(0) += 1;
        }
    }

    /// In how many programs a feature occurs.
    pub fn count(&self, feature: &str) -> u64 {
        self.features.get(feature).copied().unwrap_or(0)
    }

    /// Those of [`FEATURES`] that no program has.
    pub fn missing(&self) -> Vec<&'static str> {
        FEATURES.iter().copied().filter(|f| self.count(f) == 0).collect()
    }
}

impl fmt::Display for Coverage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} programs, of which have", self.programs)?;
        for name in FEATURES {
            let n = self.count(name);
            writeln!(f, "{n:>8} {:>3}%  {name}", n * 100 / self.programs.max(1))?;
        }
        Ok(())
    }
}

/// Every feature that is counted.
pub const FEATURES: &[&str] = &[
    "allocation",
    "assertion",
    "assertion on a stride",
    "assignment",
    "call",
    "call with a cell or slice",
    "config control read",
    "config data read",
    "config write",
    "data of several precisions",
    "dependent loop bound",
    "division or modulo in control",
    "else branch",
    "extern",
    "guard",
    "logical operator",
    "loop from a non-zero start",
    "nested loop",
    "parallel loop",
    "pass",
    "quasi-affine index",
    "reduction",
    "scalar",
    "sequential loop",
    "shadowed name",
    "stride expression",
    "window argument",
    "window for a tensor",
    "window of a window",
    "window statement",
];

/// The features of one program.
pub fn features(module: &Module) -> BTreeSet<&'static str> {
    let mut seen = Walk::default();
    for p in &module.procs {
        seen.proc(p);
    }
    seen.out
}

#[derive(Default)]
struct Walk {
    out: BTreeSet<&'static str>,
    scope: Vec<Sym>,
    iters: Vec<Sym>,
    windows: BTreeSet<Sym>,
}

impl Walk {
    fn see(&mut self, feature: &'static str) {
        debug_assert!(FEATURES.contains(&feature), "{feature} is not listed");
        self.out.insert(feature);
    }

    fn bind(&mut self, x: Sym) {
        if self.scope.iter().any(|y| y.name() == x.name()) {
            self.see("shadowed name");
        }
        self.scope.push(x);
    }

    fn proc(&mut self, p: &Proc) {
        self.scope.clear();
        let mut elems = BTreeSet::new();
        for a in &p.args {
            self.bind(a.name);
            if let ArgType::Data { typ, .. } = &a.typ {
                elems.insert(typ.elem);
                match (typ.kind, typ.rank()) {
                    (ArrayKind::Window, _) => {
                        self.windows.insert(a.name);
                        self.see("window argument");
                    }
                    (ArrayKind::Tensor, 0) => self.see("scalar"),
                    (ArrayKind::Tensor, _) => {}
                }
            }
        }
        if elems.len() > 1 {
            self.see("data of several precisions");
        }
        for e in &p.preds {
            self.see("assertion");
            if has_stride(e) {
                self.see("assertion on a stride");
            }
        }
        self.block(&p.body);
    }

    fn block(&mut self, b: &Block) {
        let depth = self.scope.len();
        for s in b {
            self.stmt(&s.kind);
        }
        self.scope.truncate(depth);
    }

    fn stmt(&mut self, s: &StmtKind) {
        match s {
            StmtKind::Assign { idx, rhs, .. } => {
                self.see("assignment");
                self.indices(idx);
                self.expr(rhs);
            }
            StmtKind::Reduce { idx, rhs, .. } => {
                self.see("reduction");
                self.indices(idx);
                self.expr(rhs);
            }
            StmtKind::WriteConfig { rhs, .. } => {
                self.see("config write");
                self.expr(rhs);
            }
            StmtKind::Pass => self.see("pass"),
            StmtKind::If { cond, body, orelse } => {
                self.see("guard");
                self.expr(cond);
                self.block(body);
                if !orelse.is_empty() {
                    self.see("else branch");
                    self.block(orelse);
                }
            }
            StmtKind::For { iter, lo, hi, body, mode } => self.loop_(*iter, lo, hi, body, *mode),
            StmtKind::Alloc { name, typ, .. } => {
                self.see("allocation");
                if typ.rank() == 0 {
                    self.see("scalar");
                }
                self.bind(*name);
            }
            StmtKind::WindowStmt { name, rhs } => {
                self.see("window statement");
                self.window(rhs);
                self.windows.insert(*name);
                self.bind(*name);
            }
            StmtKind::Call { proc, args } => {
                self.see("call");
                for (formal, e) in proc.args.iter().zip(args.iter()) {
                    if matches!(&formal.typ, ArgType::Data { typ, .. } if typ.kind == ArrayKind::Tensor)
                        && matches!(&e.kind, ExprKind::Window(_))
                    {
                        self.see("window for a tensor");
                    }
                    if matches!(&e.kind, ExprKind::Read { idx, .. } if !idx.is_empty()) {
                        self.see("call with a cell or slice");
                    }
                    self.expr(e);
                }
            }
        }
    }

    fn loop_(&mut self, iter: Sym, lo: &Expr, hi: &Expr, body: &Block, mode: LoopMode) {
        match mode {
            LoopMode::Seq => self.see("sequential loop"),
            LoopMode::Par => self.see("parallel loop"),
        }
        if !self.iters.is_empty() {
            self.see("nested loop");
        }
        if lo.kind != ExprKind::Lit(Literal::Int(0)) {
            self.see("loop from a non-zero start");
        }
        if self.iters.iter().any(|&i| mentions(lo, i) || mentions(hi, i)) {
            self.see("dependent loop bound");
        }
        self.expr(lo);
        self.expr(hi);
        let depth = self.scope.len();
        self.bind(iter);
        self.iters.push(iter);
        self.block(body);
        self.iters.pop();
        self.scope.truncate(depth);
    }

    fn indices(&mut self, idx: &[Expr]) {
        for e in idx {
            if has_quotient(e) {
                self.see("quasi-affine index");
            }
            self.expr(e);
        }
    }

    fn window(&mut self, w: &WindowExpr) {
        if self.windows.contains(&w.name) {
            self.see("window of a window");
        }
        for c in w.idx.iter() {
            match c {
                WinCoord::Point(e) => self.expr(e),
                WinCoord::Interval(lo, hi) => {
                    self.expr(lo);
                    self.expr(hi);
                }
            }
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Read { idx, .. } => self.indices(idx),
            ExprKind::Window(w) => {
                self.see("call with a cell or slice");
                self.window(w);
            }
            ExprKind::Lit(_) => {}
            ExprKind::Neg(e) | ExprKind::Not(e) => self.expr(e),
            ExprKind::Bin { op, lhs, rhs } => {
                if op.class() == OpClass::Logical {
                    self.see("logical operator");
                }
                if has_quotient(e) {
                    self.see("division or modulo in control");
                }
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::Extern { args, .. } => {
                self.see("extern");
                for e in args.iter() {
                    self.expr(e);
                }
            }
            ExprKind::Stride { .. } => self.see("stride expression"),
            ExprKind::ReadConfig { config, field } => match config.field(*field).map(|f| f.typ) {
                Some(FieldType::Data(_)) => self.see("config data read"),
                Some(FieldType::Control(_)) | None => self.see("config control read"),
            },
        }
    }
}

fn any(e: &Expr, test: &dyn Fn(&Expr) -> bool) -> bool {
    if test(e) {
        return true;
    }
    match &e.kind {
        ExprKind::Neg(e) | ExprKind::Not(e) => any(e, test),
        ExprKind::Bin { lhs, rhs, .. } => any(lhs, test) || any(rhs, test),
        ExprKind::Extern { args, .. } => args.iter().any(|e| any(e, test)),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => false,
    }
}

fn has_stride(e: &Expr) -> bool {
    any(e, &|e| matches!(e.kind, ExprKind::Stride { .. }))
}

/// A quotient or remainder by an integer literal: control, for data literals are decimals.
fn has_quotient(e: &Expr) -> bool {
    any(e, &|e| {
        matches!(&e.kind, ExprKind::Bin { op: BinOp::Div | BinOp::Mod, rhs, .. }
            if matches!(rhs.kind, ExprKind::Lit(Literal::Int(_))))
    })
}

fn mentions(e: &Expr, x: Sym) -> bool {
    any(e, &|e| matches!(&e.kind, ExprKind::Read { name, .. } if *name == x))
}
