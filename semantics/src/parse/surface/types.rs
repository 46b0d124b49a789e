//! What stands after the colon of a declaration: a type and a memory. Spec: [rule: syntax.type].

use super::super::error::{Refusal, SyntaxErrorKind};
use super::super::tree::{Expr, Type, TypeKind};
use super::{Reader, refusal};
use crate::sym::Name;
use crate::types::{ArrayKind, ControlType, DataType, FieldType};
use ruff_python_ast as py;

const FORM: &str = "write `size`, `f32`, `f32[n, m] @ DRAM` or `[f32][n, m] @ DRAM`";

impl Reader<'_> {
    /// `t` or `t @ MEM`.
    pub(super) fn annotation(&mut self, e: &py::Expr) -> Type {
        let span = self.span(e);
        let (typ, mem) = match e {
            py::Expr::BinOp(binary) if binary.op == py::Operator::MatMult => {
                (&*binary.left, Some(&*binary.right))
            }
            other => (other, None),
        };
        let kind = self.type_kind(typ);
        let Some(mem) = mem else { return Type { kind, mem: None, span } };
        let name = self.ident_of(mem);
        if name.is_none() {
            self.report(
                mem,
                SyntaxErrorKind::Type(refusal("a memory is given by its name", "write `@ DRAM`")),
            );
            return Type { kind: TypeKind::Broken, mem: None, span };
        }
        if let TypeKind::Control(_) = kind {
            let refused = refusal("a control value lives in no memory", "leave the memory out");
            self.report(mem, SyntaxErrorKind::Type(refused));
            return Type { kind: TypeKind::Broken, mem: None, span };
        }
        Type { kind, mem: name, span }
    }

    /// The part before the memory.
    fn type_kind(&mut self, e: &py::Expr) -> TypeKind {
        match e {
            py::Expr::Name(name) => self.type_word(e, name.id.as_str()),
            py::Expr::List(list) => match self.element(e, &list.elts) {
                Some(elem) => TypeKind::Data(elem, Vec::new(), ArrayKind::Window),
                None => TypeKind::Broken,
            },
            py::Expr::Subscript(subscript) => self.array(subscript),
            other => self.bad_type(other, type_refusal(other)),
        }
    }

    /// A word as a type.
    fn type_word(&mut self, e: &py::Expr, word: &str) -> TypeKind {
        if let Some(t) = DataType::from_keyword(word) {
            return TypeKind::Data(t, Vec::new(), ArrayKind::Tensor);
        }
        if let Some(t) = ControlType::from_keyword(word) {
            return TypeKind::Control(t);
        }
        self.report(e, SyntaxErrorKind::UnknownType(Name::new(word)));
        TypeKind::Broken
    }

    /// `t[n, m]` or `[t][n, m]`.
    fn array(&mut self, subscript: &py::ExprSubscript) -> TypeKind {
        let (elem, kind) = match &*subscript.value {
            py::Expr::List(list) => (self.element(&subscript.value, &list.elts), ArrayKind::Window),
            py::Expr::Name(name) => match self.type_word(&subscript.value, name.id.as_str()) {
                TypeKind::Data(elem, ..) => (Some(elem), ArrayKind::Tensor),
                TypeKind::Control(_) => {
                    let refused = refusal(
                        "there are no arrays of control values",
                        "use data: `i32[n]`, or loop bounds",
                    );
                    self.report(subscript, SyntaxErrorKind::Type(refused));
                    (None, ArrayKind::Tensor)
                }
                TypeKind::Broken => (None, ArrayKind::Tensor),
            },
            other => {
                self.report(other, SyntaxErrorKind::Type(type_refusal(other)));
                (None, ArrayKind::Tensor)
            }
        };
        let shape = self.shape(&subscript.slice);
        match (elem, shape) {
            (Some(elem), Some(shape)) => TypeKind::Data(elem, shape, kind),
            (Some(_) | None, Some(_) | None) => TypeKind::Broken,
        }
    }

    /// The element type of a window: `[t]`.
    fn element(&mut self, list: &py::Expr, elts: &[py::Expr]) -> Option<DataType> {
        if let [py::Expr::Name(name)] = elts {
            let word = name.id.as_str();
            if ControlType::from_keyword(word).is_none() {
                let found = DataType::from_keyword(word);
                if found.is_none() {
                    self.report(name, SyntaxErrorKind::UnknownType(Name::new(word)));
                }
                return found;
            }
        }
        let refused = refusal(
            "a window shows data of one type",
            "write `[f32][n, m]`, the shape in brackets of its own",
        );
        self.report(list, SyntaxErrorKind::Type(refused));
        None
    }

    /// The extents of an array.
    fn shape(&mut self, e: &py::Expr) -> Option<Vec<Expr>> {
        let extents = match e {
            py::Expr::Tuple(tuple) => &*tuple.elts,
            single => std::slice::from_ref(single),
        };
        if let Some(slice) = extents.iter().find(|e| e.is_slice_expr()) {
            self.report(
                slice,
                SyntaxErrorKind::Type(refusal(
                    "an extent is one number",
                    "write `f32[n]`: indices run from 0 to n - 1",
                )),
            );
            return None;
        }
        if extents.is_empty() {
            self.report(
                e,
                SyntaxErrorKind::Type(refusal(
                    "an array has one extent or more",
                    "leave the brackets out for a scalar",
                )),
            );
            return None;
        }
        Some(extents.iter().map(|e| self.expr(e)).collect())
    }

    /// The type of a field of a configuration class.
    pub(super) fn field_type(&mut self, e: &py::Expr) -> Option<FieldType> {
        let word = e.as_name_expr().map(|n| n.id.as_str());
        let data = word.and_then(DataType::from_keyword).map(FieldType::Data);
        let control = word.and_then(ControlType::from_keyword).map(FieldType::Control);
        match (data.or(control), word) {
            (Some(found), _) => Some(found),
            (None, Some(word)) => {
                self.report(e, SyntaxErrorKind::UnknownType(Name::new(word)));
                None
            }
            (None, None) => {
                let refused =
                    refusal("a field holds one value", "write `size`, `index`, `bool`, `stride`, `f32`, …");
                self.report(e, SyntaxErrorKind::Config(refused));
                None
            }
        }
    }

    /// Reports a type that is none.
    fn bad_type(&mut self, e: &py::Expr, refused: Refusal) -> TypeKind {
        self.report(e, SyntaxErrorKind::Type(refused));
        TypeKind::Broken
    }
}

/// What to say of an expression in the place of a type.
fn type_refusal(e: &py::Expr) -> Refusal {
    match e {
        py::Expr::StringLiteral(_) => refusal("a type is not written as a string", "leave the quotes out"),
        py::Expr::Subscript(_) => {
            refusal("the shape stands in one bracket", "write `f32[n, m]` or `[f32][n, m]`")
        }
        py::Expr::Call(_) => refusal("a type takes its shape in brackets", FORM),
        py::Expr::BinOp(binary) if binary.op == py::Operator::MatMult => {
            refusal("a buffer lives in one memory", "write `f32[n] @ DRAM`")
        }
        _ => refusal("this is not a type", FORM),
    }
}
