//! Marks by which a node is known again: each statement and each expression of a program gets a span of its own,
//! which nothing but the test looks at.

use rewright_primitives::cursor::path::{ExprPath, ExprStep, Place, Step, child};
use rewright_semantics::ast::{Block, Expr, Proc, Stmt, StmtKind};
use rewright_semantics::span::{FileId, Span};
use rewright_semantics::syntax::walk::{each_child, each_operand, map_blocks, map_children, map_operands};
use std::collections::BTreeMap;

/// The file that marks are places of.
const FILE: FileId = FileId(u32::MAX - 1);

/// Gives out marks.
#[derive(Debug, Default)]
pub struct Marker(u32);

impl Marker {
    /// The mark that is there, or else the next one.
    fn mark(&mut self, there: Span) -> Span {
        if mark(there).is_some() {
            return there;
        }
        self.0 += 1;
        Span::new(FILE, self.0, self.0)
    }

    /// The procedure with a mark on every node of its body that has none yet.
    pub fn proc(&mut self, p: &Proc) -> Proc {
        Proc { body: self.block(&p.body), ..p.clone() }
    }

    /// The block with marks.
    pub fn block(&mut self, b: &Block) -> Block {
        b.iter().map(|s| self.stmt(s)).collect()
    }

    fn stmt(&mut self, s: &Stmt) -> Stmt {
        let own = map_operands(s, &mut |_, e| self.expr(e));
        let whole = map_blocks(&own, &mut |b| self.block(b));
        Stmt { kind: whole.kind, span: self.mark(s.span) }
    }

    /// The expression with marks.
    pub fn expr(&mut self, e: &Expr) -> Expr {
        let inner = map_children(e, &mut |_, e| self.expr(e));
        Expr { kind: inner.kind, span: self.mark(e.span) }
    }
}

/// The mark of a span; `None` for one that is none, or reaches from one mark to another.
pub fn mark(span: Span) -> Option<u32> {
    (span.file == FILE && span.start == span.end).then_some(span.start)
}

/// Every mark with the places where it is.
pub fn places(p: &Proc) -> BTreeMap<u32, Vec<Place>> {
    let mut out = BTreeMap::new();
    block(&p.body, &[], Step::Body(0), &mut out);
    out
}

type Places = BTreeMap<u32, Vec<Place>>;

fn block(b: &Block, up: &[Step], kind: Step, out: &mut Places) {
    for (k, s) in b.iter().enumerate() {
        let path = child(up, kind.at(k));
        if let Some(mark) = mark(s.span) {
            out.entry(mark).or_default().push(Place::Stmt(path.clone()));
        }
        each_operand(s, &mut |step, e| expr(e, &path, &mut vec![step], out));
        match s.kind.as_ref() {
            StmtKind::For { body, .. } => block(body, &path, Step::Body(0), out),
            StmtKind::If { cond: _, body, orelse } => {
                block(body, &path, Step::Body(0), out);
                block(orelse, &path, Step::Orelse(0), out);
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => {}
        }
    }
}

fn expr(e: &Expr, stmt: &[Step], steps: &mut Vec<ExprStep>, out: &mut Places) {
    if let Some(mark) = mark(e.span) {
        let at = ExprPath { stmt: stmt.to_vec(), steps: steps.clone() };
        out.entry(mark).or_default().push(Place::Expr(at));
    }
    each_child(e, &mut |step, inner| {
        steps.push(step);
        expr(inner, stmt, steps, out);
        steps.pop();
    });
}
