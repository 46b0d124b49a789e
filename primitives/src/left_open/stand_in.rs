//! The programs that those in which something is open stand for. Spec: [rule: left-open].

use super::LeftOpen;
use rewright_semantics::ast::{self, Block, LoopMode, Stmt, StmtKind};
use rewright_semantics::syntax::walk::map_blocks;
use rewright_semantics::types::{ArgType, ArrayKind, BufferType, DataType};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The program that a procedure in which something is open stands for. Of calls: all data is `R`, and callees take windows. Of
/// races: every loop is `seq`.
pub(crate) fn stand_in(p: &Arc<ast::Proc>, open: LeftOpen) -> Arc<ast::Proc> {
    if open.any() { Arc::new(StandIn { open, known: FxHashMap::default() }.of(p)) } else { p.clone() }
}

/// Puts programs in the place of those in which something is open.
struct StandIn {
    open: LeftOpen,
    /// For callees, by address.
    known: FxHashMap<*const ast::Proc, Arc<ast::Proc>>,
}

impl StandIn {
    fn of(&mut self, p: &ast::Proc) -> ast::Proc {
        let mut out = p.clone();
        out.instr = None;
        if self.open.calls {
            for arg in &mut out.args {
                if let ArgType::Data { typ, mem: _ } = &mut arg.typ {
                    typ.elem = DataType::R;
                }
            }
        }
        out.body = self.in_block(&p.body);
        out
    }

    fn of_callee(&mut self, p: &Arc<ast::Proc>) -> Arc<ast::Proc> {
        if let Some(known) = self.known.get(&Arc::as_ptr(p)) {
            return known.clone();
        }
        let made = self.of(p);
        let made = Arc::new(if self.open.calls { taking_windows(made) } else { made });
        self.known.insert(Arc::as_ptr(p), made.clone());
        made
    }

    fn in_block(&mut self, b: &Block) -> Block {
        b.iter().map(|s| self.in_stmt(s)).collect()
    }

    fn in_stmt(&mut self, s: &Stmt) -> Stmt {
        match s.kind.as_ref() {
            StmtKind::Alloc { name, typ, mem } => {
                let elem = if self.open.calls { DataType::R } else { typ.elem };
                let typ = BufferType { elem, ..typ.clone() };
                Stmt::at(StmtKind::Alloc { name: *name, typ, mem: *mem }, s.span)
            }
            StmtKind::Call { proc, args } => {
                let proc = self.of_callee(proc);
                Stmt::at(StmtKind::Call { proc, args: args.clone() }, s.span)
            }
            StmtKind::For { iter, lo, hi, body, mode } => {
                let (body, mode) = (self.in_block(body), if self.open.races { LoopMode::Seq } else { *mode });
                Stmt::at(StmtKind::For { iter: *iter, lo: lo.clone(), hi: hi.clone(), body, mode }, s.span)
            }
            StmtKind::If { .. } => map_blocks(s, &mut |b| self.in_block(b)),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::WindowStmt { .. } => s.clone(),
        }
    }
}

fn taking_windows(mut p: ast::Proc) -> ast::Proc {
    for arg in &mut p.args {
        if let ArgType::Data { typ, mem: _ } = &mut arg.typ
            && typ.rank() > 0
        {
            typ.kind = ArrayKind::Window;
        }
    }
    p
}
