//! Funcs of several values. Spec: [rule: halide.tuple].

use super::Stage;
use crate::expr::{Access, Expr};
use crate::op::Op;
use crate::text::print;
use rewright_base::diag::Diagnostic;

impl Stage<'_> {
    /// A stage of a func of several values gives as many, and what reads such a func says which of them it wants.
    pub(super) fn tuples(&self, out: &mut Vec<Diagnostic>) {
        let mut wrong = |why: String| out.push(Diagnostic::error("halide.tuple", self.span(), why));
        let wanted = self.f.parts.len().max(1);
        let parts = parts(&self.stage.rhs);
        let found = if self.f.parts.is_empty() && !is_tuple(&self.stage.rhs) { 1 } else { parts.len() };
        if found != wanted || self.f.parts.is_empty() && is_tuple(&self.stage.rhs) {
            return wrong(format!("func `{}` has {wanted} values, this stage gives {found}", self.f.name));
        }
        let elsewhere = self.stage.lhs.iter().chain([&self.stage.cond]);
        for e in elsewhere.chain(parts) {
            if let Some(why) = self.misplaced(e) {
                return wrong(why);
            }
        }
    }

    /// What is wrong with the values of several inside an expression.
    fn misplaced(&self, e: &Expr) -> Option<String> {
        match e {
            Expr::Const(_) | Expr::Var(_) => None,
            Expr::Access(a) if self.values(a) > 0 => {
                let shown = print::expr(e);
                Some(format!("`{shown}` has several values: `elem(k, {shown})` is one of them"))
            }
            Expr::Access(a) => a.args.iter().find_map(|e| self.misplaced(e)),
            Expr::Op(Op::Elem(k), args) => match args.as_ref() {
                [Expr::Access(a)] if *k < self.values(a) => a.args.iter().find_map(|e| self.misplaced(e)),
                [Expr::Access(a)] => Some(format!("func `{}` has no value number {k}", a.func)),
                _ => Some(format!("`{}` wants a reference to a func of several values", print::expr(e))),
            },
            Expr::Op(Op::Tuple(_), _) => Some("several values occur only as those of a func".to_owned()),
            Expr::Op(_, args) => args.iter().find_map(|e| self.misplaced(e)),
        }
    }

    /// How many values a reference has, where that is not one.
    fn values(&self, a: &Access) -> usize {
        if a.func == self.f.name {
            return self.f.parts.len();
        }
        self.known.iter().find(|g| g.name == a.func).map_or(0, |g| g.parts.len())
    }
}

fn is_tuple(e: &Expr) -> bool {
    matches!(e, Expr::Op(Op::Tuple(_), _))
}

/// The values of a stage.
pub(super) fn parts(e: &Expr) -> &[Expr] {
    match e {
        Expr::Op(Op::Tuple(_), args) => args,
        Expr::Op(..) | Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => std::slice::from_ref(e),
    }
}
