//! What a procedure mentions, with all it calls: the literals worth trying as sizes, and the configuration
//! fields whose values matter.

use crate::ast::{Block, Config, Expr, ExprKind, Literal, Proc, Stmt, StmtKind, WinCoord, WindowExpr};
use crate::denote::deeper;
use crate::store::ConfigKey;
use crate::sym::Name;
use crate::types::{ArgType, BufferType, FieldType};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// What was found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    /// Control integers above 1.
    pub literals: BTreeSet<i64>,
    /// Fields that are read or written.
    pub fields: BTreeMap<ConfigKey, FieldType>,
    seen: FxHashSet<*const Proc>,
}

impl Survey {
    /// What a procedure mentions.
    pub(crate) fn of(p: &Proc) -> Survey {
        let mut survey = Survey::default();
        survey.proc(p);
        survey
    }

    /// What one expression mentions.
    pub(crate) fn of_expr(e: &Expr) -> Survey {
        let mut survey = Survey::default();
        survey.expr(e);
        survey
    }

    fn proc(&mut self, p: &Proc) {
        if !self.seen.insert(std::ptr::from_ref(p)) {
            return;
        }
        for arg in &p.args {
            match &arg.typ {
                ArgType::Control(_) => {}
                ArgType::Data { typ, mem: _ } => self.buffer(typ),
            }
        }
        p.preds.iter().for_each(|e| self.expr(e));
        self.block(&p.body);
    }

    fn buffer(&mut self, typ: &BufferType) {
        typ.shape.iter().for_each(|e| self.expr(e));
    }

    fn block(&mut self, b: &Block) {
        b.iter().for_each(|s| deeper(|| self.stmt(s)));
    }

    fn stmt(&mut self, s: &Stmt) {
        match s.kind.as_ref() {
            StmtKind::Assign { name: _, idx, rhs } | StmtKind::Reduce { name: _, idx, rhs } => {
                idx.iter().for_each(|e| self.expr(e));
                self.expr(rhs);
            }
            StmtKind::WriteConfig { config, field, rhs } => {
                self.field(config, *field);
                self.expr(rhs);
            }
            StmtKind::Pass => {}
            StmtKind::If { cond, body, orelse } => {
                self.expr(cond);
                self.block(body);
                self.block(orelse);
            }
            StmtKind::For { iter: _, lo, hi, body, mode: _ } => {
                self.expr(lo);
                self.expr(hi);
                self.block(body);
            }
            StmtKind::Alloc { name: _, typ, mem: _ } => self.buffer(typ),
            StmtKind::WindowStmt { name: _, rhs } => self.window(rhs),
            StmtKind::Call { proc, args } => {
                args.iter().for_each(|e| self.expr(e));
                self.proc(proc);
            }
        }
    }

    fn window(&mut self, w: &WindowExpr) {
        for coord in w.idx.iter() {
            match coord {
                WinCoord::Point(e) => self.expr(e),
                WinCoord::Interval(lo, hi) => {
                    self.expr(lo);
                    self.expr(hi);
                }
            }
        }
    }

    fn expr(&mut self, e: &Expr) {
        deeper(|| match &e.kind {
            ExprKind::Read { name: _, idx } => idx.iter().for_each(|e| self.expr(e)),
            ExprKind::Window(w) => self.window(w),
            ExprKind::Lit(Literal::Int(n)) => {
                let magnitude = n.saturating_abs();
                if magnitude > 1 {
                    self.literals.insert(magnitude);
                }
            }
            ExprKind::Lit(Literal::Bool(_) | Literal::Data(_)) | ExprKind::Stride { .. } => {}
            ExprKind::Neg(e) | ExprKind::Not(e) => self.expr(e),
            ExprKind::Bin { op: _, lhs, rhs } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::Extern { func: _, args } => args.iter().for_each(|e| self.expr(e)),
            ExprKind::ReadConfig { config, field } => self.field(config, *field),
        });
    }

    fn field(&mut self, config: &Config, field: Name) {
        if let Some(f) = config.field(field) {
            self.fields.insert(ConfigKey { config: config.name, field }, f.typ);
        }
    }
}
