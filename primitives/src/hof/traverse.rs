//! Traversals: in which order the places in a place are visited. ASPLOS'25 §6.3.1.
//!
//! `n` stands for a node, `l` and `r` for what is in it from the first to the last: `lrn` visits what is inside of
//! a statement before it. The place at which a traversal starts is not visited itself.

use crate::cursor::Cursor;
use crate::error::InvalidCursor;
use std::sync::Arc;

type Found = Result<Vec<Cursor>, InvalidCursor>;

/// From a cursor to a list of cursors of the same version. Cloning shares it.
#[derive(Clone)]
pub struct Top(Arc<dyn Fn(&Cursor) -> Found + Send + Sync>);

impl Top {
    /// A traversal of one's own.
    pub fn new(f: impl Fn(&Cursor) -> Found + Send + Sync + 'static) -> Top {
        Top(Arc::new(f))
    }

    /// The cursors.
    ///
    /// # Errors
    /// The traversal makes no sense from here.
    pub fn run(&self, c: &Cursor) -> Found {
        (self.0)(c)
    }
}

/// Where a node comes among what is in it.
#[derive(Clone, Copy)]
struct Order {
    node_first: bool,
    backwards: bool,
    exprs: bool,
}

fn walk(c: &Cursor, order: Order, out: &mut Vec<Cursor>) {
    let mut inside = c.children();
    // No statement is in an expression.
    inside.retain(|c| order.exprs || c.kind().is_stmt());
    if order.backwards {
        inside.reverse();
    }
    for c in inside {
        let wanted = c.kind().is_expr() == order.exprs;
        if wanted && order.node_first {
            out.push(c.clone());
        }
        walk(&c, order, out);
        if wanted && !order.node_first {
            out.push(c);
        }
    }
}

fn in_order(order: Order) -> Top {
    Top::new(move |c| {
        let mut out = Vec::new();
        walk(c, order, &mut out);
        Ok(out)
    })
}

/// The statements, what is in a statement before it.
pub fn lrn() -> Top {
    in_order(Order { node_first: false, backwards: false, exprs: false })
}

/// The statements from the last to the first, what is in a statement before it.
pub fn rln() -> Top {
    in_order(Order { node_first: false, backwards: true, exprs: false })
}

/// The statements, each before what is in it.
pub fn nlr() -> Top {
    in_order(Order { node_first: true, backwards: false, exprs: false })
}

/// The statements from the last to the first, each before what is in it.
pub fn nrl() -> Top {
    in_order(Order { node_first: true, backwards: true, exprs: false })
}

/// The expressions, each before its parts.
pub fn nlr_exprs() -> Top {
    in_order(Order { node_first: true, backwards: false, exprs: true })
}

/// The expressions, the parts of one before it.
pub fn lrn_exprs() -> Top {
    in_order(Order { node_first: false, backwards: false, exprs: true })
}

/// The place itself and then the traversal.
pub fn self_and(top: Top) -> Top {
    Top::new(move |c| {
        let mut out = vec![c.clone()];
        out.extend(top.run(c)?);
        Ok(out)
    })
}

/// The traversal and then the place itself.
pub fn and_self(top: Top) -> Top {
    Top::new(move |c| {
        let mut out = top.run(c)?;
        out.push(c.clone());
        Ok(out)
    })
}

/// Those of a traversal for which a question is answered by yes.
pub fn filter(holds: impl Fn(&Cursor) -> bool + Send + Sync + 'static, top: Top) -> Top {
    Top::new(move |c| Ok(top.run(c)?.into_iter().filter(&holds).collect()))
}

/// The places that a pattern describes, in what is pointed at; none is no error.
pub fn matching(pattern: impl Into<String>) -> Top {
    let pattern = pattern.into();
    Top::new(move |c| Ok(c.find_all(&pattern).unwrap_or_default()))
}
