//! A small C: what generated code is made of, after lowering and before printing.
//!
//! The tree says what the C means; parentheses, breaks and indentation belong to [`crate::c::emit`].

use rewright_semantics::types::DataType;

/// A C type, as far as generated code has any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CType {
    /// `int_fast32_t`: control integers, strides and loop variables.
    Int,
    /// `bool`.
    Bool,
    /// `uint32_t`: integer data that may wrap.
    Uint32,
    /// `int64_t`: a product or quotient that needs room.
    Int64,
    /// The type of one data value.
    Data(DataType),
    /// A type by its name: `struct win_2f32`, `gemm_ctxt`, `__m256`.
    Named(String),
    /// `T *`, possibly to const, possibly restrict.
    Pointer {
        /// The type of what it points to.
        to: Box<CType>,
        /// Whether what it points to is const.
        is_const: bool,
        /// Whether the pointer is `restrict`.
        restrict: bool,
    },
}

impl CType {
    /// `T *` or `const T *`.
    pub fn pointer(to: CType, is_const: bool) -> CType {
        CType::Pointer { to: Box::new(to), is_const, restrict: false }
    }
}

/// The name for `_Float16` in generated code: a type that ISO C does not have, so it is declared once, in
/// a way that does not offend strict compilers.
pub const F16: &str = "float16";

/// The name for `bf16` in generated code: a struct of its 16 bits.
pub const BF16: &str = "bfloat16";

/// The C type of a data value. `R` has none of its own; callers replace it first, and should one be
/// left, it is `float`.
pub fn data_type_name(t: DataType) -> &'static str {
    match t {
        DataType::F16 => F16,
        DataType::BF16 => BF16,
        DataType::F32 | DataType::R => "float",
        DataType::F64 => "double",
        DataType::I8 => "int8_t",
        DataType::UI8 => "uint8_t",
        DataType::UI16 => "uint16_t",
        DataType::I32 => "int32_t",
    }
}

impl CStmt {
    /// The variable that this declares.
    pub fn declared(&self) -> Option<&str> {
        match self {
            CStmt::Decl { name, .. } | CStmt::Array { name, .. } => Some(name),
            CStmt::Assign(..)
            | CStmt::AddAssign(..)
            | CStmt::Expr(_)
            | CStmt::Unused(_)
            | CStmt::Raw(_)
            | CStmt::If { .. }
            | CStmt::For { .. } => None,
        }
    }

    /// Whether this declares a variable without giving it a value.
    fn declares(&self, x: &CExpr) -> bool {
        matches!((self, x), (CStmt::Decl { init: None, name, .. }, CExpr::Var(y)) if name == y)
    }
}

/// Appends a statement; a first assignment joins the declaration it follows: `float t = e;`.
pub fn push(body: &mut Vec<CStmt>, s: CStmt) {
    if let (CStmt::Assign(x, value), Some(last)) = (&s, body.last_mut())
        && last.declares(x)
        && let CStmt::Decl { init, .. } = last
    {
        *init = Some(value.clone());
        return;
    }
    body.push(s);
}

/// Prefix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnOp {
    /// `-e`
    Neg,
    /// `!e`
    Not,
    /// `*e`
    Deref,
    /// `&e`
    Addr,
}

/// Infix operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfixOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// A C expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CExpr {
    /// A control integer.
    Int(i64),
    /// A literal of data, as C reads it; negative ones begin with `-`.
    Literal(String),
    /// `true` or `false`.
    Bool(bool),
    /// A variable, macro or function.
    Var(String),
    /// Text from a template, to be taken as it stands.
    Raw(String),
    /// A prefix operator.
    Unary(UnOp, Box<CExpr>),
    /// An infix operator.
    Infix(InfixOp, Box<CExpr>, Box<CExpr>),
    /// `c ? a : b`
    Cond(Box<[CExpr; 3]>),
    /// `f(e, …)`
    Call(String, Vec<CExpr>),
    /// `a[i]`
    Index(Box<CExpr>, Box<CExpr>),
    /// `a.f`
    Member(Box<CExpr>, String),
    /// `a->f`
    Arrow(Box<CExpr>, String),
    /// `(T)e`
    Cast(CType, Box<CExpr>),
    /// `(struct T){ data, { strides } }`: a window.
    Window {
        /// The tag of the struct.
        tag: String,
        /// Its pointer.
        data: Box<CExpr>,
        /// Its strides, one per dimension.
        strides: Vec<CExpr>,
    },
    /// `sizeof(e)`
    Sizeof(Box<CExpr>),
}

impl CExpr {
    /// A variable.
    pub fn var(name: impl Into<String>) -> CExpr {
        CExpr::Var(name.into())
    }

    /// `lhs op rhs`
    pub fn infix(op: InfixOp, lhs: CExpr, rhs: CExpr) -> CExpr {
        CExpr::Infix(op, Box::new(lhs), Box::new(rhs))
    }

    /// `-e`
    #[must_use]
    pub fn negated(self) -> CExpr {
        CExpr::Unary(UnOp::Neg, Box::new(self))
    }

    /// `!e`
    #[must_use]
    pub fn inverted(self) -> CExpr {
        if let CExpr::Bool(b) = self {
            return CExpr::Bool(!b);
        }
        if let CExpr::Unary(UnOp::Not, e) = self {
            return *e;
        }
        CExpr::Unary(UnOp::Not, Box::new(self))
    }

    /// `*e`; `*&x` is `x`.
    #[must_use]
    pub fn deref(self) -> CExpr {
        if let CExpr::Unary(UnOp::Addr, e) = self {
            return *e;
        }
        CExpr::Unary(UnOp::Deref, Box::new(self))
    }

    /// `&e`; `&*x` is `x`, and `&x[0]` is `x`.
    #[must_use]
    pub fn address(self) -> CExpr {
        if let CExpr::Unary(UnOp::Deref, e) = self {
            return *e;
        }
        if let CExpr::Index(base, index) = &self
            && **index == CExpr::Int(0)
        {
            return (**base).clone();
        }
        CExpr::Unary(UnOp::Addr, Box::new(self))
    }

    /// `self[index]`
    #[must_use]
    pub fn index(self, index: CExpr) -> CExpr {
        CExpr::Index(Box::new(self), Box::new(index))
    }

    /// `self.field`
    #[must_use]
    pub fn member(self, field: &str) -> CExpr {
        CExpr::Member(Box::new(self), field.to_owned())
    }

    /// `(t)self`
    #[must_use]
    pub fn cast(self, t: CType) -> CExpr {
        CExpr::Cast(t, Box::new(self))
    }
}

/// A C statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CStmt {
    /// `T x;`, `T x = e;`
    Decl {
        /// Whether the variable is `const`.
        is_const: bool,
        /// Its type.
        typ: CType,
        /// Its name.
        name: String,
        /// Its value.
        init: Option<CExpr>,
    },
    /// `T x[n];`, `static T x[n][m];`
    Array {
        /// Whether it outlives the function.
        is_static: bool,
        /// The type of an element.
        typ: CType,
        /// Its name.
        name: String,
        /// Its extents.
        extents: Vec<i64>,
        /// Whether it begins with zeros.
        zeroed: bool,
    },
    /// `lhs = rhs;`
    Assign(CExpr, CExpr),
    /// `lhs += rhs;`
    AddAssign(CExpr, CExpr),
    /// `e;`
    Expr(CExpr),
    /// `(void)x;`: says that doing nothing with `x` is meant.
    Unused(CExpr),
    /// Text from a template, on lines of its own.
    Raw(String),
    /// `if (cond) { … } else { … }`
    If {
        /// The condition.
        cond: CExpr,
        /// Runs when it holds.
        then: Vec<CStmt>,
        /// Runs when it does not.
        otherwise: Vec<CStmt>,
    },
    /// `for (int_fast32_t i = lo; i < hi; i++) { … }`
    For {
        /// The loop variable.
        iter: String,
        /// First value.
        lo: CExpr,
        /// One past the last value.
        hi: CExpr,
        /// The body.
        body: Vec<CStmt>,
        /// Whether iterations may run at once.
        parallel: bool,
        /// How many iterations there are, where the compiler is asked to write all of them out.
        unroll: Option<i64>,
    },
}

/// A parameter of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CParam {
    /// Its type.
    pub typ: CType,
    /// Its name.
    pub name: String,
}

/// A function without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CFunction {
    /// Lines of comment that stand above it.
    pub comment: Vec<String>,
    /// Whether it is private to its unit.
    pub is_static: bool,
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<CParam>,
    /// Its body.
    pub body: Vec<CStmt>,
}
