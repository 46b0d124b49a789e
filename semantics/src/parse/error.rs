//! What can be wrong with the syntax and the names of a file: data with places, text at the end.

use super::MAX_DEPTH;
use super::nesting::MAX_INDENT;
use crate::diag::{Diagnostic, Severity};
use crate::span::Span;
use crate::sym::Name;
use crate::types::DataType;
use thiserror::Error;

/// A finding of the parser.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct SyntaxError {
    /// What it is.
    pub kind: SyntaxErrorKind,
    /// Where it is.
    pub span: Span,
    /// The other place that matters: of the first of two definitions.
    pub first: Option<Span>,
}

/// A construct of Python that the object language does not have, or has in another form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// One sentence: what is wrong.
    pub what: &'static str,
    /// What to write instead.
    pub instead: &'static str,
}

/// The reasons, by rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SyntaxErrorKind {
    /// [rule: syntax.python]
    #[error("{0}")]
    Python(String),
    /// [rule: syntax.nesting]
    #[error("this nests deeper than a program may")]
    Nesting,
    /// [rule: syntax.toplevel]
    #[error("{}", .0.what)]
    TopLevel(Refusal),
    /// [rule: syntax.skipped], a warning.
    #[error("{lines} {} of scheduling or Python {} not checked by this command", if *.lines == 1 { "line" } else { "lines" }, if *.lines == 1 { "is" } else { "are" })]
    Skipped {
        /// How many lines of the source.
        lines: usize,
    },
    /// [rule: syntax.skipped], a warning.
    #[error("the extern class `{0}` is not read")]
    SkippedExtern(Name),
    /// [rule: syntax.undecorated]
    #[error("the function `{0}` is not marked as a procedure")]
    Undecorated(Name),
    /// [rule: syntax.decorator]
    #[error("{}", .0.what)]
    Decorator(Refusal),
    /// [rule: syntax.signature]
    #[error("{}", .0.what)]
    Signature(Refusal),
    /// [rule: syntax.signature]
    #[error("the argument `{0}` has no type")]
    Untyped(Name),
    /// [rule: syntax.type]
    #[error("{}", .0.what)]
    Type(Refusal),
    /// [rule: syntax.type]
    #[error("`{0}` is not a type of the object language")]
    UnknownType(Name),
    /// [rule: syntax.statement]
    #[error("{}", .0.what)]
    Statement(Refusal),
    /// [rule: syntax.loop]
    #[error("{}", .0.what)]
    Loop(Refusal),
    /// [rule: syntax.expression]
    #[error("{}", .0.what)]
    Expression(Refusal),
    /// [rule: syntax.literal]
    #[error("{}", .0.what)]
    Literal(Refusal),
    /// [rule: syntax.assert]
    #[error("{}", .0.what)]
    Assert(Refusal),
    /// [rule: syntax.instr]
    #[error("{}", .0.what)]
    Instr(Refusal),
    /// [rule: syntax.config]
    #[error("{}", .0.what)]
    Config(Refusal),
    /// [rule: syntax.memory-class]
    #[error("{}", .0.what)]
    MemoryClass(Refusal),
    /// [rule: name.unbound]
    #[error("no variable `{name}` is in scope")]
    Unbound {
        /// The name.
        name: Name,
        /// A name in scope that differs by one letter.
        near: Option<Name>,
    },
    /// [rule: name.unbound]
    #[error("no buffer `{0}` is in scope to be assigned")]
    UnboundTarget(Name),
    /// [rule: name.unbound]
    #[error("`{0}` is not a configuration class")]
    UnknownConfig(Name),
    /// [rule: name.duplicate-argument]
    #[error("two arguments are named `{0}`")]
    DuplicateArgument(Name),
    /// [rule: name.duplicate-field]
    #[error("two fields are named `{0}`")]
    DuplicateField(Name),
    /// [rule: name.duplicate-definition]
    #[error("`{0}` is defined twice")]
    DuplicateDefinition(Name),
    /// [rule: name.unknown-memory]
    #[error("`{name}` is not a memory")]
    UnknownMemory {
        /// The name.
        name: Name,
        /// The memories there are, with commas.
        known: String,
    },
    /// [rule: name.unknown-field]
    #[error("the configuration class `{config}` has no field `{field}`")]
    UnknownField {
        /// The class.
        config: Name,
        /// The field it lacks.
        field: Name,
        /// The fields it has.
        known: Vec<Name>,
    },
    /// [rule: name.unknown-procedure]
    #[error("no procedure `{name}` is known here")]
    UnknownProcedure {
        /// The name.
        name: Name,
        /// What is known of the name all the same.
        why: UnknownCallee,
    },
    /// [rule: name.unknown-extern]
    #[error("`{0}` is not an extern function")]
    UnknownExtern(Name),
    /// [rule: name.window-rebinds]
    #[error("`{0}` is bound already and cannot name a window")]
    WindowRebinds(Name),
    /// [rule: name.implicit-size], a warning.
    #[error("`{0}` is not declared and becomes a leading argument of type `size`")]
    ImplicitSize(Name),
    /// [rule: instr.placeholder]
    #[error("{0}")]
    Placeholder(String),
    /// [rule: type.not-a-buffer]
    #[error("`{0}` is not a buffer and has no parts")]
    NotABuffer(Name),
    /// [rule: type.rank]
    #[error("`{name}` has {rank} {} and {given} are given", if *.rank == 1 { "dimension" } else { "dimensions" })]
    Rank {
        /// The buffer.
        name: Name,
        /// Its number of dimensions.
        rank: usize,
        /// How many coordinates are written.
        given: usize,
    },
    /// [rule: type.window-annotation]
    #[error("the window is declared `{declared}` and shows cells of type `{found}`")]
    WindowAnnotation {
        /// As written.
        declared: DataType,
        /// That of the buffer.
        found: DataType,
    },
}

/// What is known of a name that is called and is no procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnknownCallee {
    /// Nothing.
    Nothing,
    /// It is the procedure being defined.
    Itself,
    /// It is defined further down.
    Later,
    /// It is made by a scheduling line.
    Scheduled,
    /// It is imported from a file that is not read.
    Imported,
    /// It is an extern, which has a value.
    Extern,
    /// It is a procedure in the place of a value.
    AsValue,
    /// It speaks of configuration state or a memory that this file gives another meaning.
    Hidden,
}

impl SyntaxErrorKind {
    /// The rule of `spec/` that is broken.
    pub fn rule(&self) -> &'static str {
        match self {
            SyntaxErrorKind::Python(_) => "syntax.python",
            SyntaxErrorKind::Nesting => "syntax.nesting",
            SyntaxErrorKind::TopLevel(_) => "syntax.toplevel",
            SyntaxErrorKind::Skipped { .. } | SyntaxErrorKind::SkippedExtern(_) => "syntax.skipped",
            SyntaxErrorKind::Undecorated(_) => "syntax.undecorated",
            SyntaxErrorKind::Decorator(_) => "syntax.decorator",
            SyntaxErrorKind::Signature(_) | SyntaxErrorKind::Untyped(_) => "syntax.signature",
            SyntaxErrorKind::Type(_) | SyntaxErrorKind::UnknownType(_) => "syntax.type",
            SyntaxErrorKind::Statement(_) => "syntax.statement",
            SyntaxErrorKind::Loop(_) => "syntax.loop",
            SyntaxErrorKind::Expression(_) => "syntax.expression",
            SyntaxErrorKind::Literal(_) => "syntax.literal",
            SyntaxErrorKind::Assert(_) => "syntax.assert",
            SyntaxErrorKind::Instr(_) => "syntax.instr",
            SyntaxErrorKind::Config(_) => "syntax.config",
            SyntaxErrorKind::MemoryClass(_) => "syntax.memory-class",
            SyntaxErrorKind::Unbound { .. }
            | SyntaxErrorKind::UnboundTarget(_)
            | SyntaxErrorKind::UnknownConfig(_) => "name.unbound",
            SyntaxErrorKind::DuplicateArgument(_) => "name.duplicate-argument",
            SyntaxErrorKind::DuplicateField(_) => "name.duplicate-field",
            SyntaxErrorKind::DuplicateDefinition(_) => "name.duplicate-definition",
            SyntaxErrorKind::UnknownMemory { .. } => "name.unknown-memory",
            SyntaxErrorKind::UnknownField { .. } => "name.unknown-field",
            SyntaxErrorKind::UnknownProcedure { .. } => "name.unknown-procedure",
            SyntaxErrorKind::UnknownExtern(_) => "name.unknown-extern",
            SyntaxErrorKind::WindowRebinds(_) => "name.window-rebinds",
            SyntaxErrorKind::ImplicitSize(_) => "name.implicit-size",
            SyntaxErrorKind::Placeholder(_) => "instr.placeholder",
            SyntaxErrorKind::NotABuffer(_) => "type.not-a-buffer",
            SyntaxErrorKind::Rank { .. } => "type.rank",
            SyntaxErrorKind::WindowAnnotation { .. } => "type.window-annotation",
        }
    }

    /// Whether the file is wrong or only worth a word.
    pub fn severity(&self) -> Severity {
        match self.rule() {
            "syntax.skipped" | "name.implicit-size" => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// What to write instead.
    fn help(&self) -> Option<String> {
        match self {
            SyntaxErrorKind::TopLevel(r)
            | SyntaxErrorKind::Decorator(r)
            | SyntaxErrorKind::Signature(r)
            | SyntaxErrorKind::Type(r)
            | SyntaxErrorKind::Statement(r)
            | SyntaxErrorKind::Loop(r)
            | SyntaxErrorKind::Expression(r)
            | SyntaxErrorKind::Literal(r)
            | SyntaxErrorKind::Assert(r)
            | SyntaxErrorKind::Instr(r)
            | SyntaxErrorKind::Config(r)
            | SyntaxErrorKind::MemoryClass(r) => Some(r.instead.to_owned()),
            SyntaxErrorKind::Python(_) | SyntaxErrorKind::DuplicateArgument(_) => None,
            SyntaxErrorKind::Nesting => Some(format!(
                "blocks nest at most {MAX_INDENT} levels, blocks and expressions together {MAX_DEPTH}: \
                 use a scalar for a part of a sum, a procedure for inner loops"
            )),
            SyntaxErrorKind::Skipped { .. } => Some(
                "only definitions are read: procedures, instructions, configurations and memories".to_owned(),
            ),
            SyntaxErrorKind::SkippedExtern(_) => {
                Some("externs have fixed meanings and need no class".to_owned())
            }
            SyntaxErrorKind::Undecorated(_) => Some(
                "add `@proc` above it; a function that schedules is written in Rust against the crate `rewright-primitives`"
                    .to_owned(),
            ),
            SyntaxErrorKind::Untyped(x) => {
                Some(format!("write a type, as in `{x}: size` or `{x}: f32[n] @ DRAM`"))
            }
            SyntaxErrorKind::UnknownType(t) => Some(type_help(t.as_str())),
            SyntaxErrorKind::Unbound { near, .. } => near.map(|n| format!("a variable `{n}` is in scope")),
            SyntaxErrorKind::UnboundTarget(x) => {
                Some(format!("allocate it first, as in `{x}: f32`; a window is made by `{x} = A[0:4, j]`"))
            }
            SyntaxErrorKind::UnknownConfig(x) => Some(format!(
                "only configuration classes have fields: write `@config` and `class {x}:` above"
            )),
            SyntaxErrorKind::DuplicateField(_) | SyntaxErrorKind::DuplicateDefinition(_) => {
                Some("rename one of them".to_owned())
            }
            SyntaxErrorKind::UnknownMemory { name, known } => {
                Some(format!("declare it as `class {name}(Memory):`, or use one of {known}"))
            }
            SyntaxErrorKind::UnknownField { known, .. } => Some(fields_help(known)),
            SyntaxErrorKind::UnknownProcedure { why, .. } => Some(callee_help(*why).to_owned()),
            SyntaxErrorKind::UnknownExtern(_) => Some(extern_help()),
            SyntaxErrorKind::WindowRebinds(_) => {
                Some("give the window a new name, or assign cell by cell in a loop".to_owned())
            }
            SyntaxErrorKind::ImplicitSize(x) => Some(format!("declare it: `{x}: size`")),
            SyntaxErrorKind::Placeholder(_) => Some(
                "write `{x}`, `{x_data}` or `{x.strides[0]}` for an argument `x`, and `{{` for a brace"
                    .to_owned(),
            ),
            SyntaxErrorKind::NotABuffer(_) => Some("only tensors and windows have parts".to_owned()),
            SyntaxErrorKind::Rank { .. } => Some("give at most one coordinate for each dimension".to_owned()),
            SyntaxErrorKind::WindowAnnotation { found, .. } => Some(format!("write `[{found}]`")),
        }
    }

    /// The words under the place.
    fn label(&self) -> String {
        let label = match self {
            SyntaxErrorKind::Rank { rank, given, .. } => return format!("expected {rank}, found {given}"),
            SyntaxErrorKind::WindowAnnotation { declared, found } => {
                return format!("expected `[{found}]`, found `[{declared}]`");
            }
            SyntaxErrorKind::Python(_) => "not Python from here",
            SyntaxErrorKind::Nesting => "too deep from here",
            SyntaxErrorKind::TopLevel(_) => "expected a definition",
            SyntaxErrorKind::Skipped { .. } => "skipped from here",
            SyntaxErrorKind::SkippedExtern(_) => "skipped",
            SyntaxErrorKind::Undecorated(_) => "expected `@proc` above",
            SyntaxErrorKind::Decorator(_) => "expected `@proc`, `@instr` or `@config`",
            SyntaxErrorKind::Signature(_) => "expected arguments with types",
            SyntaxErrorKind::Untyped(_) => "expected `: type`",
            SyntaxErrorKind::Type(_) | SyntaxErrorKind::UnknownType(_) => "expected a type",
            SyntaxErrorKind::Statement(_)
            | SyntaxErrorKind::Loop(_)
            | SyntaxErrorKind::Expression(_)
            | SyntaxErrorKind::Literal(_)
            | SyntaxErrorKind::Assert(_) => "not in the language",
            SyntaxErrorKind::Instr(_) => "expected C in a string",
            SyntaxErrorKind::Config(_) => "expected fields, as in `scale: f32`",
            SyntaxErrorKind::MemoryClass(_) => "not understood",
            SyntaxErrorKind::Unbound { .. } | SyntaxErrorKind::UnboundTarget(_) => "not bound",
            SyntaxErrorKind::UnknownConfig(_) => "expected a configuration class",
            SyntaxErrorKind::DuplicateArgument(_)
            | SyntaxErrorKind::DuplicateField(_)
            | SyntaxErrorKind::DuplicateDefinition(_) => "defined again",
            SyntaxErrorKind::UnknownMemory { .. } => "expected a memory",
            SyntaxErrorKind::UnknownField { .. } => "expected a field",
            SyntaxErrorKind::UnknownProcedure { .. } => "expected a procedure",
            SyntaxErrorKind::UnknownExtern(_) => "expected an extern function",
            SyntaxErrorKind::WindowRebinds(_) => "bound already",
            SyntaxErrorKind::ImplicitSize(_) => "taken for a size",
            SyntaxErrorKind::Placeholder(_) => "expected an argument",
            SyntaxErrorKind::NotABuffer(_) => "expected a buffer, found control",
        };
        label.to_owned()
    }
}

/// Advice on a word that is no type.
fn type_help(word: &str) -> String {
    let near = match word {
        "float" | "float32" | "F32" | "fp32" => Some("f32"),
        "double" | "float64" | "F64" | "fp64" => Some("f64"),
        "bfloat16" | "BF16" | "bfloat" => Some("bf16"),
        "half" | "float16" | "F16" | "fp16" => Some("f16"),
        "int8" | "int8_t" | "char" => Some("i8"),
        "uint8" | "uint8_t" | "u8" => Some("ui8"),
        "uint16" | "uint16_t" | "u16" => Some("ui16"),
        "int32" | "int32_t" | "i64" | "int64" => Some("i32"),
        "usize" | "size_t" => Some("size"),
        "real" | "r" => Some("R"),
        _ => None,
    };
    match near {
        Some(near) => format!("write `{near}`"),
        None => {
            "data is `R f16 bf16 f32 f64 i8 ui8 ui16 i32`, control is `int index size bool stride`".to_owned()
        }
    }
}

/// Advice on a missing field.
fn fields_help(known: &[Name]) -> String {
    if known.is_empty() {
        return "it has no fields".to_owned();
    }
    let names: Vec<String> = known.iter().map(|n| format!("`{n}`")).collect();
    format!("its fields: {}", names.join(", "))
}

/// Advice on an unknown extern.
fn extern_help() -> String {
    let names: Vec<&str> = crate::externs::Extern::ALL.into_iter().map(|f| f.name()).collect();
    format!("the externs are `{}`", names.join(" "))
}

/// Advice on a name that is called.
fn callee_help(why: UnknownCallee) -> &'static str {
    match why {
        UnknownCallee::Nothing => "define it above, under `@proc` or `@instr`",
        UnknownCallee::Itself => "procedures cannot call themselves: write a loop",
        UnknownCallee::Later => "a procedure sees those above it: move the definition up",
        UnknownCallee::Scheduled => {
            "it is made by a scheduling line, which this command does not run: call the procedure it is made from"
        }
        UnknownCallee::Imported => "imported files are not read: copy its definition into this file",
        UnknownCallee::Extern => "an extern has a value: use it on the right of `=` or `+=`",
        UnknownCallee::Hidden => {
            "this file has a class of the same name as a configuration class or a memory that this instruction uses, and hides both: give the class another name"
        }
        UnknownCallee::AsValue => "a call of a procedure is a statement: pass a buffer for the result",
    }
}

impl From<SyntaxError> for Diagnostic {
    fn from(error: SyntaxError) -> Diagnostic {
        let SyntaxError { kind, span, first } = error;
        let mut d = Diagnostic::error(kind.rule(), span, kind.to_string()).label(kind.label());
        d.severity = kind.severity();
        d.help = kind.help();
        match first {
            Some(place) => d.also(place, "first defined here"),
            None => d,
        }
    }
}
