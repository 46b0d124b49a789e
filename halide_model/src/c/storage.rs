//! Memory that is kept from one iteration to the next. Spec: [rule: halide.c-storage].

use super::{Writer, c_type};
use crate::tgt::{Block, For, Stmt};
use rewright_base::sym::Name;

impl Writer<'_> {
    /// The funcs whose memory a thread keeps from one iteration to the next: each takes it anew, in no loop inside.
    pub(super) fn kept_over(&self, l: &For) -> Vec<Name> {
        let mut found = Vec::new();
        allocated_directly(&l.body, &mut found);
        found.retain(|f| !self.names.is_input(*f) && !self.in_place(*f) && !self.is_kept(*f));
        found
    }

    /// Whether memory of a func is taken before its allocation, and grows there.
    pub(super) fn is_kept(&self, func: Name) -> bool {
        self.t.hoisted.contains_key(&func) || self.kept.contains(&func)
    }

    /// Declares memory that grows with what is asked for; the names of the arrays.
    pub(super) fn take(&mut self, funcs: &[Name], depth: usize) -> Vec<String> {
        let mut taken = Vec::new();
        for &f in funcs {
            for (k, scalar) in self.names.scalars(f).into_iter().enumerate() {
                let (name, cells) = (self.names.array(f, k), self.names.cells(f, k));
                self.line(depth, &format!("{} *{name} = NULL;", c_type(scalar)));
                self.line(depth, &format!("int64_t {cells} = 0;"));
                taken.push(name);
            }
        }
        taken
    }

    pub(super) fn give_back(&mut self, taken: &[String], depth: usize) {
        for name in taken.iter().rev() {
            self.line(depth, &format!("free({name});"));
        }
    }
}

/// The funcs allocated in a block, but for those in a loop of it.
fn allocated_directly(b: &Block, found: &mut Vec<Name>) {
    for s in b {
        match s {
            Stmt::Allocate { func, .. } => found.push(*func),
            Stmt::Let { body, .. } | Stmt::Label { body, .. } => allocated_directly(body, found),
            // A branch may not be taken.
            Stmt::If { .. } | Stmt::For(_) | Stmt::Assert { .. } | Stmt::Store { .. } => {}
        }
    }
}
