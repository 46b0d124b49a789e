//! Statements and blocks.

use super::affine::{Affine, Known, bin, int, nonnegative, var};
use super::data::literal;
use super::scope::{Buffer, Scope};
use rewright_semantics::ast::{BinOp, Block, Expr, ExprKind, LoopMode, Stmt, StmtKind, WinCoord, WindowExpr};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArrayKind, BufferType, ControlType, FieldType, MemName};

impl Scope<'_> {
    /// A block that is not empty; what it declares is forgotten afterwards.
    pub(super) fn block(&mut self, depth: usize, budget: &mut usize) -> Block {
        self.nested(|s| {
            let mut out = Block::new();
            for _ in 0..s.rng.below(4) + 1 {
                for stmt in s.stmt(depth, budget) {
                    out.push_back(stmt);
                }
            }
            if out.is_empty() {
                out.push_back(Stmt::new(StmtKind::Pass));
            }
            out
        })
    }

    fn stmt(&mut self, depth: usize, budget: &mut usize) -> Vec<Stmt> {
        if *budget == 0 {
            return self.write().into_iter().collect();
        }
        *budget -= 1;
        let nest = depth > 0;
        match self.rng.below(40) {
            0..=8 if nest => vec![self.seq_loop(depth, budget)],
            9 | 10 if nest => vec![self.tiled_loop(depth, budget)],
            11..=13 if nest && !self.in_par => self.par_loop().into_iter().collect(),
            14..=18 if nest => vec![self.guard(depth, budget)],
            19..=21 => self.alloc(),
            22..=24 => self.window().into_iter().collect(),
            25..=27 if !self.in_par => self.call(),
            28 | 29 if !self.in_par => self.write_config().into_iter().collect(),
            30 => vec![Stmt::new(StmtKind::Pass)],
            31 | 32 => self.guarded_access().into_iter().collect(),
            _ => self.write().into_iter().collect(),
        }
    }

    /// `x[…] = e` or `x[…] += e`.
    fn write(&mut self) -> Option<Stmt> {
        let fitting: Vec<Buffer> = self.buffers.iter().filter(|b| b.writable).cloned().collect();
        let b = self.rng.pick(&fitting)?.clone();
        let idx: Vec<Expr> = b.shape.iter().map(|n| self.index(n)).collect();
        Some(self.store(&b, idx))
    }

    fn store(&mut self, b: &Buffer, idx: Vec<Expr>) -> Stmt {
        let (name, idx, rhs) = (b.name, idx.into(), self.rhs(b.elem));
        Stmt::new(if self.rng.chance(55) {
            StmtKind::Assign { name, idx, rhs }
        } else {
            StmtKind::Reduce { name, idx, rhs }
        })
    }

    fn seq_loop(&mut self, depth: usize, budget: &mut usize) -> Stmt {
        if self.rng.chance(7) {
            return self.unbounded_loop(depth, budget);
        }
        let iter = self.iterator();
        let lo = if self.rng.chance(60) { Affine::constant(0) } else { self.affine() };
        let hi = if self.rng.chance(60) { self.extent() } else { self.affine() };
        let body = self.nested(|s| {
            s.known.push(Known::Range { var: iter, lo: lo.clone(), hi: hi.clone() });
            s.block(depth - 1, budget)
        });
        for_(iter, lo.to_expr(), hi.to_expr(), body, LoopMode::Seq)
    }

    /// A loop whose end is read from configuration state: nothing is known of its variable.
    fn unbounded_loop(&mut self, depth: usize, budget: &mut usize) -> Stmt {
        let iter = self.iterator();
        let end = self.config_field(ControlType::Size).unwrap_or_else(|| int(3));
        let end = bin(BinOp::Mod, end, int(5));
        let body = self.nested(|s| {
            s.known.push(Known::Any(iter));
            s.block(depth - 1, budget)
        });
        for_(iter, int(0), end, body, LoopMode::Seq)
    }

    /// `for io: for ii in seq(0, c): if c*io + ii < n: …`
    fn tiled_loop(&mut self, depth: usize, budget: &mut usize) -> Stmt {
        let (outer, inner) = (Sym::fresh("io"), Sym::fresh("ii"));
        let (n, c) = (self.extent(), self.rng.between(2, 4));
        let at = Affine::var(inner).plus(c, &Affine::var(outer));
        let body = self.nested(|s| {
            // The quotient has no affine upper bound: the guard alone says where the tile ends.
            s.known.push(Known::Range { var: outer, lo: Affine::constant(0), hi: n.clone() });
            s.known.push(Known::Range { var: inner, lo: Affine::constant(0), hi: Affine::constant(c) });
            s.known.push(Known::Fact(n.plus(-1, &at).shifted(-1)));
            s.block(depth - 1, budget)
        });
        let guard = Stmt::new(StmtKind::If {
            cond: bin(BinOp::Lt, at.to_expr(), n.to_expr()),
            body,
            orelse: Block::new(),
        });
        let tiles = bin(BinOp::Div, n.shifted(c - 1).to_expr(), int(c));
        let inner = for_(inner, int(0), int(c), Block::unit(guard), LoopMode::Seq);
        for_(outer, int(0), tiles, Block::unit(inner), LoopMode::Seq)
    }

    /// A loop that writes the slice of one buffer that its variable selects, and reads others.
    fn par_loop(&mut self) -> Option<Stmt> {
        let fitting: Vec<Buffer> =
            self.buffers.iter().filter(|b| b.writable && !b.shape.is_empty()).cloned().collect();
        let b = self.rng.pick(&fitting)?.clone();
        let dim = self.rng.below(b.shape.len());
        let (iter, hi) = (self.iterator(), b.shape[dim].clone());
        let body = self.nested(|s| {
            s.in_par = true;
            s.known.push(Known::Range { var: iter, lo: Affine::constant(0), hi: hi.clone() });
            for other in &mut s.buffers {
                other.writable = false;
                other.readable &= other.root != b.root;
            }
            let idx: Vec<Expr> =
                (0..b.shape.len()).map(|d| if d == dim { var(iter) } else { s.index(&b.shape[d]) }).collect();
            let mut body = Block::unit(s.store(&b, idx.clone()));
            if s.rng.chance(30) {
                body.push_back(s.store(&b, idx));
            }
            body
        });
        Some(for_(iter, int(0), hi.to_expr(), body, LoopMode::Par))
    }

    fn guard(&mut self, depth: usize, budget: &mut usize) -> Stmt {
        let (cond, known) = self.condition();
        let body = self.nested(|s| {
            s.known.extend(known);
            s.block(depth - 1, budget)
        });
        let orelse = if self.rng.chance(45) { self.block(depth - 1, budget) } else { Block::new() };
        Stmt::new(StmtKind::If { cond, body, orelse })
    }

    /// `if 0 <= e and e < n: x[…, e, …] = …`: an index that only the guard keeps in bounds.
    fn guarded_access(&mut self) -> Option<Stmt> {
        let fitting: Vec<Buffer> =
            self.buffers.iter().filter(|b| b.writable && !b.shape.is_empty()).cloned().collect();
        let b = self.rng.pick(&fitting)?.clone();
        let (dim, e) = (self.rng.below(b.shape.len()), self.integer());
        let idx: Vec<Expr> =
            (0..b.shape.len()).map(|d| if d == dim { e.clone() } else { self.index(&b.shape[d]) }).collect();
        let inside =
            bin(BinOp::And, bin(BinOp::Le, int(0), e.clone()), bin(BinOp::Lt, e, b.shape[dim].to_expr()));
        let body = Block::unit(self.store(&b, idx));
        Some(Stmt::new(StmtKind::If { cond: inside, body, orelse: Block::new() }))
    }

    /// An allocation, followed by its initialisation unless ⊥ is wanted.
    fn alloc(&mut self) -> Vec<Stmt> {
        let name = Sym::fresh(["t", "u", "acc"][self.rng.below(3)]);
        let rank = self.rng.below(3);
        let shape: Vec<Affine> = (0..rank).map(|_| self.extent()).collect();
        let elem = self.elem();
        let b = self.new_buffer(name, elem, shape);
        let mut out = vec![declare(&b)];
        if !(self.settings.uninitialised && self.rng.chance(40)) {
            out.push(self.initialise(&b));
        }
        self.buffers.push(b);
        out
    }

    pub(super) fn new_buffer(
        &mut self,
        name: Sym,
        elem: rewright_semantics::types::DataType,
        shape: Vec<Affine>,
    ) -> Buffer {
        Buffer {
            name,
            elem,
            shape,
            kind: ArrayKind::Tensor,
            root: name,
            writable: true,
            readable: true,
            constant: false,
        }
    }

    /// Loops that write every cell of `b`.
    pub(super) fn initialise(&mut self, b: &Buffer) -> Stmt {
        let iters: Vec<Sym> = b.shape.iter().map(|_| self.iterator()).collect();
        let idx: Vec<Expr> = iters.iter().map(|&i| var(i)).collect();
        let value = if self.rng.chance(50) { literal(self.rng.between(0, 3)) } else { self.data(b.elem, 1) };
        let mut stmt = Stmt::new(StmtKind::Assign { name: b.name, idx: idx.into(), rhs: value });
        for (i, n) in iters.into_iter().zip(&b.shape).rev() {
            stmt = for_(i, int(0), n.to_expr(), Block::unit(stmt), LoopMode::Seq);
        }
        stmt
    }

    /// `w = x[lo:hi, e, …]`.
    fn window(&mut self) -> Option<Stmt> {
        let fitting: Vec<Buffer> = self
            .buffers
            .iter()
            .filter(|b| !b.shape.is_empty() && b.readable && b.writable)
            .cloned()
            .collect();
        let b = self.rng.pick(&fitting)?.clone();
        let mut shape = Vec::new();
        let kept = self.rng.below(b.shape.len());
        let idx: Vec<WinCoord> = (0..b.shape.len())
            .map(|d| {
                if d != kept && self.rng.chance(40) {
                    return WinCoord::Point(self.index(&b.shape[d]));
                }
                let (lo, hi) = self.interval(&b.shape[d]);
                shape.push(hi.plus(-1, &lo));
                WinCoord::Interval(lo.to_expr(), hi.to_expr())
            })
            .collect();
        let name = Sym::fresh(["v", "win"][self.rng.below(2)]);
        self.buffers.push(Buffer { name, shape, kind: ArrayKind::Window, ..b.clone() });
        let rhs = WindowExpr { name: b.name, idx: idx.into() };
        Some(Stmt::new(StmtKind::WindowStmt { name, rhs }))
    }

    /// `lo:hi` with `0 ≤ lo < hi ≤ extent`.
    pub(super) fn interval(&mut self, extent: &Affine) -> (Affine, Affine) {
        let names = self.integers();
        let mut ends = vec![Affine::constant(0), Affine::constant(1), extent.clone(), extent.shifted(-1)];
        if let Some(&x) = self.rng.pick(&names) {
            ends.extend([Affine::var(x), Affine::var(x).shifted(1)]);
        }
        let (lo, hi) = (self.rng.below(ends.len()), self.rng.below(ends.len()));
        let (lo, hi) = (ends[lo].clone(), ends[hi].clone());
        let ok = nonnegative(&lo, &self.known)
            && nonnegative(&hi.plus(-1, &lo).shifted(-1), &self.known)
            && nonnegative(&extent.plus(-1, &hi), &self.known)
            && hi.plus(-1, &lo).as_constant().is_none_or(|n| n >= 1);
        if ok { (lo, hi) } else { (Affine::constant(0), extent.clone()) }
    }

    fn write_config(&mut self) -> Option<Stmt> {
        let config = self.rng.pick(self.configs)?.clone();
        let field = self.rng.pick(&config.fields)?.clone();
        let rhs = match field.typ {
            FieldType::Data(elem) => self.data(elem, 2),
            FieldType::Control(ControlType::Bool) => self.condition().0,
            FieldType::Control(ControlType::Size) => self.extent().to_expr(),
            FieldType::Control(ControlType::Index | ControlType::Int) => self.integer(),
            FieldType::Control(ControlType::Stride) => self.stride()?,
        };
        Some(Stmt::new(StmtKind::WriteConfig { config, field: field.name, rhs }))
    }

    fn stride(&mut self) -> Option<Expr> {
        let fitting: Vec<Buffer> = self.buffers.iter().filter(|b| !b.shape.is_empty()).cloned().collect();
        let b = self.rng.pick(&fitting)?;
        let dim = self.rng.below(b.shape.len());
        Some(Expr::new(ExprKind::Stride { name: b.name, dim }))
    }

    /// A fresh loop variable; few names, so that shadowing happens.
    fn iterator(&mut self) -> Sym {
        Sym::fresh(["i", "j", "k"][self.rng.below(3)])
    }
}

/// The allocation of `b`.
pub(super) fn declare(b: &Buffer) -> Stmt {
    let shape: Vec<Expr> = b.shape.iter().map(Affine::to_expr).collect();
    let typ = BufferType::tensor(b.elem, shape);
    Stmt::new(StmtKind::Alloc { name: b.name, typ, mem: MemName::dram() })
}

fn for_(iter: Sym, lo: Expr, hi: Expr, body: Block, mode: LoopMode) -> Stmt {
    Stmt::new(StmtKind::For { iter, lo, hi, body, mode })
}
