//! Watching values while a program runs: statements that note in `Probe.hit` that something went wrong.

use rewright_campaign::holes::insert;
use rewright_semantics::ast::{BinOp, Config, ConfigField, Expr, ExprKind, Proc, Stmt};
use rewright_semantics::build::{eq, if_, int, not, read_config, write_config};
use rewright_semantics::span::Span;
use rewright_semantics::store::ConfigKey;
use rewright_semantics::sym::Name;
use rewright_semantics::types::{ControlType, FieldType};
use std::sync::Arc;

/// A class that no program uses, with a field for what went wrong and one for a value.
#[derive(Clone, Debug)]
pub struct Probe {
    class: Arc<Config>,
}

impl Default for Probe {
    fn default() -> Probe {
        let field = |name: &str| ConfigField {
            name: Name::new(name),
            typ: FieldType::Control(ControlType::Int),
            span: Span::NONE,
        };
        let fields = vec![field("hit"), field("value")];
        let class =
            Config { name: "Probe".into(), fields: fields.into(), direct_access: true, span: Span::NONE };
        Probe { class: Arc::new(class) }
    }
}

impl Probe {
    /// The procedure, beginning with nothing wrong: each place is one statement later.
    pub fn start(&self, p: &Proc) -> Proc {
        Proc { body: insert(&p.body, 0, &[write_config(&self.class, "hit", int(0))]), ..p.clone() }
    }

    /// Notes that something went wrong if the condition holds.
    pub fn hit_if(&self, fails: Expr) -> Stmt {
        if_(fails, [self.hit()], [])
    }

    /// Notes the value of a control expression; and, for a later place, that it is not the noted one.
    pub fn note_and_compare(&self, e: &Expr, boolean: bool) -> (Stmt, Stmt) {
        if boolean {
            let was = |n| write_config(&self.class, "value", int(n));
            let hit = |n| self.hit_if(eq(read_config(&self.class, "value"), int(n)));
            (if_(e.clone(), [was(1)], [was(0)]), if_(e.clone(), [hit(0)], [hit(1)]))
        } else {
            let same = eq(read_config(&self.class, "value"), e.clone());
            (write_config(&self.class, "value", e.clone()), self.hit_if(not(same)))
        }
    }

    /// The field that holds the noted value: programs that differ there do not differ.
    pub fn value(&self) -> ConfigKey {
        ConfigKey { config: self.class.name, field: "value".into() }
    }

    fn hit(&self) -> Stmt {
        write_config(&self.class, "hit", int(1))
    }
}

/// Whether a control expression is a truth value, as far as its form shows; variables count as integers.
pub fn is_boolean(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Not(_) => true,
        ExprKind::Bin { op, .. } => match op {
            BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or => true,
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod => false,
        },
        ExprKind::ReadConfig { config, field } => {
            config.field(*field).is_some_and(|f| f.typ == FieldType::Control(ControlType::Bool))
        }
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. } => false,
    }
}
