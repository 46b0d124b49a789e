//! Which configuration state a procedure speaks of.

use super::walk::{each_child, each_operand, each_stmt};
use crate::ast::{Block, Config, Expr, Proc, Stmt, StmtKind};
use crate::types::ArgType;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The configuration classes that a procedure mentions, and those that its callees do, once each.
pub fn configs_of(p: &Proc) -> Vec<Arc<Config>> {
    let mut found = Found::default();
    found.proc(p);
    found.configs
}

#[derive(Default)]
struct Found {
    configs: Vec<Arc<Config>>,
    callees: FxHashSet<*const Proc>,
}

impl Found {
    fn proc(&mut self, p: &Proc) {
        for arg in &p.args {
            if let ArgType::Data { typ, mem: _ } = &arg.typ {
                typ.shape.iter().for_each(|e| self.expr(e));
            }
        }
        p.preds.iter().for_each(|e| self.expr(e));
        self.block(&p.body);
    }

    fn block(&mut self, b: &Block) {
        each_stmt(b, &mut |s: &Stmt| {
            each_operand(s, &mut |_, e| self.expr(e));
            match s.kind.as_ref() {
                StmtKind::WriteConfig { config, .. } => self.config(config),
                StmtKind::Call { proc, args: _ } => {
                    if self.callees.insert(Arc::as_ptr(proc)) {
                        self.proc(proc);
                    }
                }
                StmtKind::Assign { .. }
                | StmtKind::Reduce { .. }
                | StmtKind::Pass
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::Alloc { .. }
                | StmtKind::WindowStmt { .. } => {}
            }
        });
    }

    fn expr(&mut self, e: &Expr) {
        if let Some((config, _)) = e.kind.field_read() {
            self.config(config);
        }
        each_child(e, &mut |_, inner| self.expr(inner));
    }

    fn config(&mut self, config: &Arc<Config>) {
        if self.configs.iter().all(|c| c.name != config.name) {
            self.configs.push(config.clone());
        }
    }
}
