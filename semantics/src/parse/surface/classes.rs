//! Configuration classes, and which kind of class a class is. Spec: [rule: syntax.config],
//! [rule: name.duplicate-field].

use super::super::error::SyntaxErrorKind;
use super::super::tree::{Config, Ident, Item, WhyOpaque};
use super::{Reader, last_name, refusal};
use crate::types::FieldType;
use indexmap::IndexMap;
use indexmap::map::Entry;
use ruff_python_ast as py;

impl Reader<'_> {
    /// A class: a configuration, a memory, or an extern.
    pub(super) fn class(&mut self, class: &py::StmtClassDef) -> Item {
        let name = self.ident(&class.name);
        let wrong = |why| Item::Opaque(vec![name.name], why);
        if let Some(decorator) = class.decorator_list.first() {
            return match self.config_mark(class) {
                Some(direct_access) => Item::Config(self.config(class, direct_access)),
                None => {
                    let refused =
                        refusal("this decorator is not known", "a configuration class is marked `@config`");
                    self.report(decorator, SyntaxErrorKind::Decorator(refused));
                    wrong(WhyOpaque::Broken)
                }
            };
        }
        match self.base(class) {
            Some("Memory" | "StaticMemory") => Item::Memory(self.memory(class)),
            Some("Extern") => {
                self.report(&class.name, SyntaxErrorKind::SkippedExtern(name.name));
                wrong(WhyOpaque::Scheduled)
            }
            Some(_) => {
                let refused =
                    refusal("only `Memory` is a base class", "write out the methods: `class M(Memory):`");
                self.report(&class.name, SyntaxErrorKind::MemoryClass(refused));
                wrong(WhyOpaque::Broken)
            }
            None => {
                let refused = refusal(
                    "this class is neither a configuration nor a memory",
                    "write `@config` above it, or `class M(Memory):`",
                );
                self.report(&class.name, SyntaxErrorKind::TopLevel(refused));
                wrong(WhyOpaque::Broken)
            }
        }
    }

    /// The first base of a class.
    fn base<'c>(&self, class: &'c py::StmtClassDef) -> Option<&'c str> {
        last_name(class.arguments.as_ref()?.args.first()?)
    }

    /// Whether C may touch the fields, from `@config` and `@config(readwrite=False)`; `None` for any
    /// other decorators.
    fn config_mark(&mut self, class: &py::StmtClassDef) -> Option<bool> {
        let [decorator] = &*class.decorator_list else { return None };
        let py::Expr::Call(call) = &decorator.expression else {
            return (last_name(&decorator.expression) == Some("config")).then_some(true);
        };
        if last_name(&call.func) != Some("config") {
            return None;
        }
        let mut direct = true;
        let positional = call.arguments.args.first();
        let mut wrong = positional.is_some();
        for keyword in &call.arguments.keywords {
            match (keyword.arg.as_ref().map(py::Identifier::as_str), &keyword.value) {
                (Some("readwrite"), py::Expr::BooleanLiteral(b)) => direct = b.value,
                _ => wrong = true,
            }
        }
        if wrong {
            let refused =
                refusal("`@config` has one option", "write `@config` or `@config(readwrite=False)`");
            self.report(decorator, SyntaxErrorKind::Decorator(refused));
        }
        Some(direct)
    }

    /// A configuration class.
    fn config(&mut self, class: &py::StmtClassDef, direct_access: bool) -> Config {
        if let Some(arguments) = &class.arguments
            && !(arguments.args.is_empty() && arguments.keywords.is_empty())
        {
            let refused = refusal("a configuration class has no bases", "leave the parentheses out");
            self.report(&**arguments, SyntaxErrorKind::Config(refused));
        }
        let mut config = Config {
            name: self.ident(&class.name),
            fields: IndexMap::new(),
            direct_access,
            broken: Vec::new(),
        };
        for s in &class.body {
            self.config_stmt(s, &mut config);
        }
        config
    }

    /// One statement of a configuration class.
    fn config_stmt(&mut self, s: &py::Stmt, config: &mut Config) {
        const FORM: &str = "write `field: type` for each field";
        match s {
            py::Stmt::Pass(_) => {}
            py::Stmt::Expr(e) if e.value.is_string_literal_expr() => {}
            py::Stmt::AnnAssign(declare) => {
                let Some(name) = self.ident_of(&declare.target) else {
                    self.report(
                        &*declare.target,
                        SyntaxErrorKind::Config(refusal("a field has a name", FORM)),
                    );
                    return;
                };
                if let Some(value) = &declare.value {
                    let refused = refusal("a field has no initial value", "assign it in a procedure");
                    self.report(&**value, SyntaxErrorKind::Config(refused));
                }
                match self.field_type(&declare.annotation) {
                    Some(typ) => self.field_named(name, typ, config),
                    None => config.broken.push(name.name),
                }
            }
            other => {
                let refused = refusal("a configuration class holds fields only", FORM);
                self.report(other, SyntaxErrorKind::Config(refused));
            }
        }
    }

    /// Adds a field, once.
    fn field_named(&mut self, name: Ident, typ: FieldType, config: &mut Config) {
        match config.fields.entry(name.name) {
            Entry::Vacant(place) => {
                place.insert((name.span, typ));
            }
            Entry::Occupied(first) => {
                let first = Some(first.get().0);
                let kind = SyntaxErrorKind::DuplicateField(name.name);
                self.errors.push(super::SyntaxError { kind, span: name.span, first });
            }
        }
    }
}
