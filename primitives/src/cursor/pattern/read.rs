//! From text to a pattern. The grammar is Python's, on one line or several; on one line a `;` before `for` or
//! `if`, and the space before `else`, count as line breaks.
#![expect(clippy::wildcard_enum_match_arm, reason = "Python's syntax is another project's")]

use super::layout::{dedented, in_lines};
use super::tree::{CoordPat, ExprPat, Pattern, StmtPat, TypePat, Word, says_nothing};
use crate::cursor::sort::Sort;
use rewright_semantics::ast::{BinOp, ExprKind, Literal, LoopMode};
use rewright_semantics::externs::Extern;
use rewright_semantics::parse::fragment::{self, Names};
use rewright_semantics::parse::{Prelude, too_deep};
use rewright_semantics::sym::Name;
use rewright_semantics::types::DataType;
use rewright_semantics::types::env::TypeEnv;
use ruff_python_ast as py;
use ruff_python_parser::{Mode, ParseOptions, parse_unchecked};
use ruff_text_size::{Ranged, TextRange};

/// A longer line is no pattern.
const MAX_LINE: usize = 4000;

/// Why a text is no pattern, and at which byte of what is given to Python's parser.
#[derive(Debug)]
struct Unreadable {
    at: usize,
    why: String,
}

type Result<T> = std::result::Result<T, Unreadable>;

fn bad<T>(place: impl Ranged, why: impl Into<String>) -> Result<T> {
    Err(Unreadable { at: usize::from(place.start()), why: why.into() })
}

/// The pattern and its number after `#`.
///
/// # Errors
/// Why it cannot be read, and where.
pub(super) fn pattern(
    text: &str,
    sort: Option<Sort>,
) -> std::result::Result<(Pattern, Option<usize>), String> {
    let lines = match sort {
        // One expression, on however many lines.
        Some(Sort::Expr) => text.replace(['\n', '\r'], " "),
        _ => text.to_owned(),
    };
    let lines = in_lines(&dedented(&lines));
    numbered(&lines, sort).map_err(|Unreadable { at, why }| {
        let before = lines.get(..at).unwrap_or("");
        let column = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
        // A line break of `in_lines` is none of the author's.
        let column = if text.trim().contains('\n') { column } else { before.chars().count() + 1 };
        let line = if text.trim().contains('\n') {
            format!("line {}, ", before.matches('\n').count() + 1)
        } else {
            String::new()
        };
        format!("cannot read the pattern `{}` at {line}column {column}: {why}", text.trim())
    })
}

fn numbered(text: &str, sort: Option<Sort>) -> Result<(Pattern, Option<usize>)> {
    let (body, number) = occurrence(text)?;
    if let Some(names) = bare_names(body)
        && sort.is_some_and(has_names)
        && (names != [Word::Any] || !matches!(sort, Some(Sort::Stmt | Sort::Block)))
    {
        return Ok((Pattern::Names(names), number));
    }
    let reader = Reader { text: body };
    let pattern = reader.pattern(sort)?;
    let all = match &pattern {
        Pattern::Stmts(pats) => says_nothing(pats),
        Pattern::Expr(e) => matches!(e, ExprPat::Any),
        Pattern::Names(_) => false,
    };
    if all {
        return Err(Unreadable { at: 0, why: "it matches anything: say what is looked for".to_owned() });
    }
    Ok((pattern, number))
}

/// Splits `… #2`.
fn occurrence(text: &str) -> Result<(&str, Option<usize>)> {
    let Some(at) = text.rfind('#') else { return Ok((text, None)) };
    let (body, number) = (text.get(..at).unwrap_or(""), text.get(at + 1..).unwrap_or(""));
    match number.trim().parse() {
        Ok(number) => Ok((body, Some(number))),
        Err(_) => Err(Unreadable { at, why: "after `#` comes a number, counted from 0".to_owned() }),
    }
}

/// Whether a name alone says enough when this is wanted.
fn has_names(sort: Sort) -> bool {
    match sort {
        Sort::Expr | Sort::Gap | Sort::If | Sort::WriteConfig => false,
        Sort::Loop
        | Sort::Scope
        | Sort::Stmt
        | Sort::Alloc
        | Sort::Buffer
        | Sort::Assign
        | Sort::Reduce
        | Sort::Write
        | Sort::Call
        | Sort::WindowStmt
        | Sort::Block => true,
    }
}

/// `i`, `i j`, `i; j`, `i, j`; not the words of the language.
fn bare_names(text: &str) -> Option<Vec<Word>> {
    let words: Vec<&str> = text.split([' ', '\t', '\n', ',', ';']).filter(|w| !w.is_empty()).collect();
    let plain = |w: &&str| {
        let mut chars = w.chars();
        chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
            && chars.all(|c| c == '_' || c.is_alphanumeric())
    };
    let named = words.iter().all(plain) && !words.contains(&"pass");
    // `_ ; _` is a run of statements.
    (!words.is_empty() && named && (words.len() == 1 || !words.contains(&"_")))
        .then(|| words.into_iter().map(word).collect())
}

fn word(text: &str) -> Word {
    if text == "_" { Word::Any } else { Word::Is(Name::new(text)) }
}

struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn pattern(&self, sort: Option<Sort>) -> Result<Pattern> {
        if let Some(at) = too_deep(self.text) {
            let at = usize::try_from(at).unwrap_or(0);
            return Err(Unreadable { at, why: "it nests too deeply".to_owned() });
        }
        if self.text.lines().any(|l| l.len() > MAX_LINE) {
            return Err(Unreadable { at: 0, why: "it is too long".to_owned() });
        }
        let parsed = parse_unchecked(self.text, ParseOptions::from(Mode::Module));
        if let Some(error) = parsed.errors().first() {
            let mut why = error.error.to_string();
            if let Some(first) = why.get(..1) {
                why.replace_range(..1, &first.to_ascii_lowercase());
            }
            return bad(error.range(), why);
        }
        let body = parsed.try_into_module().map(|m| m.into_syntax().body).unwrap_or_default();
        match (sort, &*body) {
            (_, []) => Err(Unreadable { at: 0, why: "it is empty".to_owned() }),
            (Some(Sort::Expr), [py::Stmt::Expr(e)]) => Ok(Pattern::Expr(self.expr(&e.value)?)),
            (Some(Sort::Expr), [other, ..]) => {
                bad(other.range(), "an expression is looked for, not a statement")
            }
            (Some(Sort::WriteConfig), [py::Stmt::Expr(e)]) if e.value.is_attribute_expr() => {
                let ExprPat::Field { config, field } = self.expr(&e.value)? else {
                    return bad(e.range(), "write `Cfg.field`");
                };
                Ok(Pattern::Stmts(vec![StmtPat::WriteConfig { config, field, rhs: ExprPat::Any }]))
            }
            (None, [py::Stmt::Expr(e)]) if !is_call(&e.value) => Ok(Pattern::Expr(self.expr(&e.value)?)),
            (_, body) => Ok(Pattern::Stmts(self.block(body)?)),
        }
    }

    fn block(&self, body: &[py::Stmt]) -> Result<Vec<StmtPat>> {
        body.iter().map(|s| self.stmt(s)).collect()
    }

    fn stmt(&self, s: &py::Stmt) -> Result<StmtPat> {
        match s {
            py::Stmt::Pass(_) => Ok(StmtPat::Pass),
            py::Stmt::Expr(e) => match &*e.value {
                py::Expr::Name(n) if n.id.as_str() == "_" => Ok(StmtPat::Hole),
                py::Expr::Call(call) => {
                    let callee = self.word(&call.func)?;
                    Ok(StmtPat::Call { callee, args: self.args(&call.arguments)? })
                }
                _ => bad(e.range(), "this is an expression, where a statement is looked for"),
            },
            py::Stmt::Assign(assign) => self.assign(assign),
            py::Stmt::AugAssign(assign) if assign.op == py::Operator::Add => {
                let (name, idx) = self.target(&assign.target)?;
                Ok(StmtPat::Reduce { name, idx, rhs: self.expr(&assign.value)? })
            }
            py::Stmt::AnnAssign(declare) => {
                let name = self.word(&declare.target)?;
                match &declare.value {
                    Some(value) => Ok(StmtPat::Window { name, rhs: self.expr(value)? }),
                    None => Ok(StmtPat::Alloc { name, typ: self.typ(&declare.annotation)? }),
                }
            }
            py::Stmt::For(each) => Ok(StmtPat::For {
                iter: self.word(&each.target)?,
                bounds: self.bounds(&each.iter)?,
                body: self.block(&each.body)?,
            }),
            py::Stmt::If(branch) => self.branches(&branch.test, &branch.body, &branch.elif_else_clauses),
            other => bad(other.range(), "there is no such statement"),
        }
    }

    fn assign(&self, assign: &py::StmtAssign) -> Result<StmtPat> {
        let [target] = &*assign.targets else { return bad(assign.range(), "one assignment has one target") };
        let rhs = self.expr(&assign.value)?;
        if let py::Expr::Attribute(attribute) = target {
            let (config, field) = (self.word(&attribute.value)?, word(attribute.attr.as_str()));
            return Ok(StmtPat::WriteConfig { config, field, rhs });
        }
        let (name, idx) = self.target(target)?;
        Ok(StmtPat::Assign { name, idx, rhs })
    }

    fn target(&self, e: &py::Expr) -> Result<(Word, Vec<CoordPat>)> {
        match self.expr(e)? {
            ExprPat::Any => Ok((Word::Any, Vec::new())),
            ExprPat::Access { name, idx } => Ok((name, idx)),
            _ => bad(e.range(), "this cannot be assigned"),
        }
    }

    fn branches(&self, test: &py::Expr, body: &[py::Stmt], rest: &[py::ElifElseClause]) -> Result<StmtPat> {
        let orelse = match rest {
            [] => Vec::new(),
            [clause, more @ ..] => match &clause.test {
                None => self.block(&clause.body)?,
                Some(test) => vec![self.branches(test, &clause.body, more)?],
            },
        };
        Ok(StmtPat::If { cond: self.expr(test)?, body: self.block(body)?, orelse })
    }

    fn bounds(&self, e: &py::Expr) -> Result<Option<(LoopMode, ExprPat, ExprPat)>> {
        if is_hole(e) {
            return Ok(None);
        }
        let call = e.as_call_expr();
        let mode = match call.and_then(|c| c.func.as_name_expr()).map(|n| n.id.as_str()) {
            Some("seq") => LoopMode::Seq,
            Some("par") => LoopMode::Par,
            _ => return bad(e.range(), "a loop counts over `_`, `seq(lo, hi)` or `par(lo, hi)`"),
        };
        match call.map(|c| &*c.arguments.args) {
            Some([both]) if is_hole(both) => Ok(Some((mode, ExprPat::Any, ExprPat::Any))),
            Some([lo, hi]) => Ok(Some((mode, self.expr(lo)?, self.expr(hi)?))),
            _ => bad(e.range(), "a loop has two bounds"),
        }
    }

    fn typ(&self, e: &py::Expr) -> Result<TypePat> {
        match e {
            py::Expr::BinOp(at) if at.op == py::Operator::MatMult => {
                let mem = match self.word(&at.right)? {
                    Word::Any => None,
                    Word::Is(name) => Some(name),
                };
                Ok(TypePat { mem, ..self.typ(&at.left)? })
            }
            py::Expr::Subscript(subscript) => {
                let shape = elements(&subscript.slice).iter().map(|e| self.expr(e));
                Ok(TypePat { shape: shape.collect::<Result<_>>()?, ..self.typ(&subscript.value)? })
            }
            py::Expr::List(list) => match &*list.elts {
                [elem] => self.typ(elem),
                _ => bad(e.range(), "this is no type"),
            },
            py::Expr::Name(name) if name.id.as_str() == "_" => Ok(TypePat::default()),
            py::Expr::Name(name) => match DataType::from_keyword(name.id.as_str()) {
                Some(elem) => Ok(TypePat { elem: Some(elem), ..TypePat::default() }),
                None => bad(e.range(), format!("`{}` is no data type", name.id)),
            },
            _ => bad(e.range(), "this is no type"),
        }
    }

    fn expr(&self, e: &py::Expr) -> Result<ExprPat> {
        match e {
            py::Expr::Name(name) if name.id.as_str() == "_" => Ok(ExprPat::Any),
            py::Expr::Name(name) => Ok(ExprPat::Access { name: word(name.id.as_str()), idx: Vec::new() }),
            py::Expr::Subscript(subscript) => {
                let name = self.word(&subscript.value)?;
                let idx = elements(&subscript.slice).iter().map(|e| self.coord(e));
                Ok(ExprPat::Access { name, idx: idx.collect::<Result<_>>()? })
            }
            py::Expr::NumberLiteral(number) => self.number(number.range()),
            py::Expr::BooleanLiteral(b) => Ok(ExprPat::Bool(b.value)),
            py::Expr::UnaryOp(unary) => match unary.op {
                py::UnaryOp::USub => Ok(ExprPat::Neg(Box::new(self.expr(&unary.operand)?))),
                py::UnaryOp::Not => Ok(ExprPat::Not(Box::new(self.expr(&unary.operand)?))),
                py::UnaryOp::UAdd | py::UnaryOp::Invert => bad(e.range(), "there is no such operator"),
            },
            py::Expr::BinOp(binary) => match arithmetic(binary.op) {
                Some(op) => Ok(bin(op, self.expr(&binary.left)?, self.expr(&binary.right)?)),
                None => bad(e.range(), "there is no such operator"),
            },
            py::Expr::BoolOp(chain) => {
                let op = match chain.op {
                    py::BoolOp::And => BinOp::And,
                    py::BoolOp::Or => BinOp::Or,
                };
                let all: Vec<ExprPat> = chain.values.iter().map(|v| self.expr(v)).collect::<Result<_>>()?;
                Ok(all.into_iter().reduce(|l, r| bin(op, l, r)).unwrap_or(ExprPat::Any))
            }
            py::Expr::Compare(compare) => self.compare(compare),
            py::Expr::Attribute(attribute) => Ok(ExprPat::Field {
                config: self.word(&attribute.value)?,
                field: word(attribute.attr.as_str()),
            }),
            py::Expr::Call(call) => {
                Ok(ExprPat::Call { func: self.word(&call.func)?, args: self.args(&call.arguments)? })
            }
            _ => bad(e.range(), "there is no such expression"),
        }
    }

    /// `a < b <= c` is `a < b and b <= c`, as in programs.
    fn compare(&self, compare: &py::ExprCompare) -> Result<ExprPat> {
        let mut lhs = &*compare.left;
        let mut all: Option<ExprPat> = None;
        for (op, rhs) in compare.ops.iter().zip(&compare.comparators) {
            let Some(op) = comparison(*op) else { return bad(compare.range(), "there is no such operator") };
            let link = bin(op, self.expr(lhs)?, self.expr(rhs)?);
            all = Some(match all {
                Some(before) => bin(BinOp::And, before, link),
                None => link,
            });
            lhs = rhs;
        }
        Ok(all.unwrap_or(ExprPat::Any))
    }

    fn coord(&self, e: &py::Expr) -> Result<CoordPat> {
        let py::Expr::Slice(slice) = e else { return Ok(CoordPat::Point(self.expr(e)?)) };
        if slice.step.is_some() {
            return bad(e.range(), "a slice has no step");
        }
        let end = |e: &Option<Box<py::Expr>>| e.as_ref().map_or(Ok(ExprPat::Any), |e| self.expr(e));
        Ok(CoordPat::Interval(end(&slice.lower)?, end(&slice.upper)?))
    }

    fn args(&self, arguments: &py::Arguments) -> Result<Vec<ExprPat>> {
        match arguments.keywords.first() {
            Some(keyword) => bad(keyword.range(), "arguments are given by position"),
            None => arguments.args.iter().map(|e| self.expr(e)).collect(),
        }
    }

    /// The value of a literal, as a program's literal is read.
    fn number(&self, range: TextRange) -> Result<ExprPat> {
        let digits = self.text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or("");
        let names = Names::new(TypeEnv::new(), &[], &Prelude::default());
        match fragment::expr(digits, &names, fragment::Sort::Data).map(|e| e.kind) {
            Ok(ExprKind::Lit(Literal::Data(value))) => Ok(ExprPat::Number {
                value,
                fraction: !digits.starts_with("0x") && digits.contains(['.', 'e', 'E']),
            }),
            Ok(_) => bad(range, "this is no number"),
            Err(e) => bad(range, e),
        }
    }

    fn word(&self, e: &py::Expr) -> Result<Word> {
        match e {
            py::Expr::Name(name) => Ok(word(name.id.as_str())),
            _ => bad(e.range(), "a name or `_` is expected here"),
        }
    }
}

fn is_hole(e: &py::Expr) -> bool {
    e.as_name_expr().is_some_and(|n| n.id.as_str() == "_")
}

/// Whether this reads as a call of a procedure: of nothing that has a value.
fn is_call(e: &py::Expr) -> bool {
    let func = e.as_call_expr().and_then(|c| c.func.as_name_expr()).map(|n| n.id.as_str());
    func.is_some_and(|name| name != "stride" && Extern::from_name(name).is_none())
}

fn elements(e: &py::Expr) -> &[py::Expr] {
    match e {
        py::Expr::Tuple(tuple) => &tuple.elts,
        single => std::slice::from_ref(single),
    }
}

fn bin(op: BinOp, lhs: ExprPat, rhs: ExprPat) -> ExprPat {
    ExprPat::Bin(op, Box::new(lhs), Box::new(rhs))
}

fn arithmetic(op: py::Operator) -> Option<BinOp> {
    match op {
        py::Operator::Add => Some(BinOp::Add),
        py::Operator::Sub => Some(BinOp::Sub),
        py::Operator::Mult => Some(BinOp::Mul),
        py::Operator::Div => Some(BinOp::Div),
        py::Operator::Mod => Some(BinOp::Mod),
        _ => None,
    }
}

fn comparison(op: py::CmpOp) -> Option<BinOp> {
    match op {
        py::CmpOp::Eq => Some(BinOp::Eq),
        py::CmpOp::Lt => Some(BinOp::Lt),
        py::CmpOp::LtE => Some(BinOp::Le),
        py::CmpOp::Gt => Some(BinOp::Gt),
        py::CmpOp::GtE => Some(BinOp::Ge),
        _ => None,
    }
}
