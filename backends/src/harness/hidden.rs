//! State that hardware holds: fields without direct access, which instructions alone set and read.

use rewright_semantics::ast::{Config, Expr, Proc};
use rewright_semantics::inputs::Input;
use rewright_semantics::store::ConfigKey;
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::walk::{each_expr, each_stmt, operands};
use std::collections::BTreeSet;

/// The input where no field of the hardware was ever set: what a caller of C has.
pub(super) fn without_hidden(p: &Proc, input: &Input) -> Input {
    let hidden = hidden_fields(p);
    let fields = input.fields.iter().filter(|(key, _)| !hidden.contains(key));
    Input { args: input.args.clone(), fields: fields.map(|(key, value)| (*key, value.clone())).collect() }
}

/// The fields of the hardware that a procedure mentions, with all it calls.
fn hidden_fields(p: &Proc) -> BTreeSet<ConfigKey> {
    let mut found = BTreeSet::new();
    gather(p, &mut found, &mut BTreeSet::new());
    found
}

fn gather(p: &Proc, found: &mut BTreeSet<ConfigKey>, seen: &mut BTreeSet<*const Proc>) {
    if !seen.insert(std::ptr::from_ref(p)) {
        return;
    }
    p.preds.iter().for_each(|e| read(e, found));
    each_stmt(&p.body, &mut |s| {
        if let Some((config, field)) = s.kind.field_written() {
            add(config, field, found);
        }
        operands(s).into_iter().for_each(|e| read(e, found));
        if let Some((callee, _)) = s.kind.called() {
            gather(callee, found, seen);
        }
    });
}

fn read(e: &Expr, found: &mut BTreeSet<ConfigKey>) {
    each_expr(e, &mut |e| {
        if let Some((config, field)) = e.kind.field_read() {
            add(config, field, found);
        }
    });
}

fn add(config: &Config, field: Name, found: &mut BTreeSet<ConfigKey>) {
    if !config.direct_access {
        found.insert(ConfigKey { config: config.name, field });
    }
}
