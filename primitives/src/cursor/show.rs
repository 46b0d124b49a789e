//! A cursor in the printed procedure. Spec: [rule: cursors.printing].

use super::Cursor;
use super::path::{ExprPath, ExprStep, Place, Side, Step, child_block, member, stmt_at};
use rewright_semantics::ast::{Block, Expr, Proc};
use rewright_semantics::pretty::{Branches, Listing, part_listing, proc_listing};
use rewright_semantics::syntax::walk::{each_child, each_operand, each_stmt};
use std::fmt;
use std::ops::Range;

/// The procedure with the place marked: a statement by `# <-- NODE`, a run by `# BLOCK START` and
/// `# BLOCK END`, a gap by `# <-- GAP`, an expression by carets under it.
impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self, Branches::Elif, f)
    }
}

/// What [`Cursor::nested`] gives.
struct Nested<'c>(&'c Cursor);

impl fmt::Display for Nested<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(self.0, Branches::Nested, f)
    }
}

fn show(c: &Cursor, branches: Branches, f: &mut impl fmt::Write) -> fmt::Result {
    let (listing, marks) = marks(c, branches).unwrap_or_default();
    for line in lines(&listing.text) {
        let text = listing.text.get(line.clone()).unwrap_or("").trim_end_matches('\n');
        let own = |at: At| marks.iter().filter(move |m| m.line == line.start && m.at == at);
        own(At::Before).try_for_each(|m| writeln!(f, "{}", m.text))?;
        f.write_str(text)?;
        own(At::End).try_for_each(|m| write!(f, "  {}", m.text))?;
        writeln!(f)?;
        own(At::After).try_for_each(|m| writeln!(f, "{}", m.text))?;
    }
    Ok(())
}

impl Cursor {
    /// The procedure with the place marked and no `elif` in it, so that what stands in an `else` has its own level.
    pub fn nested(&self) -> impl fmt::Display {
        Nested(self)
    }

    /// What stands there in the printed procedure: the lines of a statement or a run, without their indentation; an
    /// expression on one line. Nothing for gaps and arguments.
    pub fn text(&self) -> String {
        let p = self.proc().ast();
        match self.place() {
            Place::Expr(at) => {
                let Some((stmt, expr)) = numbers(p, at) else { return String::new() };
                let listing = part_listing(p, stmt..stmt + 1, Some(expr));
                on_one_line(listing.expr.and_then(|r| listing.text.get(r)).unwrap_or(""))
            }
            Place::Stmt(_) | Place::Block(_) => {
                let Some(stmts) = covered(p, self.place()) else { return String::new() };
                let listing = part_listing(p, stmts, None);
                unindented(range(p, &listing, self).and_then(|r| listing.text.get(r)).unwrap_or(""))
            }
            Place::Gap(_) | Place::Arg(_) => String::new(),
        }
    }
}

/// An expression that was broken over lines, without the breaks.
fn on_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines().map(str::trim) {
        let tight = out.is_empty() || out.ends_with(['(', '[']) || line.starts_with([')', ']']);
        out.push_str(if tight { "" } else { " " });
        out.push_str(line);
    }
    out
}

/// Without the indentation of the first line; an `elif` by itself is an `if`.
fn unindented(text: &str) -> String {
    let indent = text.len() - text.trim_start_matches(' ').len();
    let lines = text.lines().map(|l| l.get(indent..).unwrap_or(""));
    let mut out: String = lines.flat_map(|l| [l, "\n"]).collect();
    if out.starts_with("elif ") {
        out.replace_range(..2, "");
    }
    out
}

/// Where on a line a mark stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    Before,
    End,
    After,
}

struct Mark {
    /// The first byte of the line.
    line: usize,
    at: At,
    text: String,
}

fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some(start..*at)
    })
}

fn marks(c: &Cursor, branches: Branches) -> Option<(Listing, Vec<Mark>)> {
    let p = c.proc().ast();
    let wanted = match c.place() {
        Place::Expr(at) => numbers(p, at),
        Place::Stmt(_) | Place::Block(_) | Place::Gap(_) | Place::Arg(_) => None,
    };
    let listing = proc_listing(p, wanted, branches);
    let text = listing.text.as_str();
    let indent = |line: usize| {
        let rest = text.get(line..).unwrap_or("");
        " ".repeat(rest.len() - rest.trim_start_matches(' ').len())
    };
    let last = |r: &Range<usize>| line_of(text, r.end.saturating_sub(1));
    let marks = match c.place() {
        Place::Stmt(_) => {
            let r = range(p, &listing, c)?;
            vec![Mark { line: r.start, at: At::End, text: "# <-- NODE".to_owned() }]
        }
        Place::Block(_) => {
            let r = range(p, &listing, c)?;
            let indent = indent(r.start);
            vec![
                Mark { line: r.start, at: At::Before, text: format!("{indent}# BLOCK START") },
                Mark { line: last(&r), at: At::After, text: format!("{indent}# BLOCK END") },
            ]
        }
        Place::Gap(gap) => {
            let r = range(p, &listing, c)?;
            let text = format!("{}# <-- GAP", indent(r.start));
            match gap.side {
                Side::Before => vec![Mark { line: r.start, at: At::Before, text }],
                Side::After => vec![Mark { line: last(&r), at: At::After, text }],
            }
        }
        Place::Expr(_) => {
            let r = listing.expr.clone()?;
            let line = line_of(text, r.start);
            let (before, covered) = (text.get(line..r.start)?, text.get(r)?);
            let indent = indent(line);
            let gap = before.chars().count().saturating_sub(indent.len() + 1);
            let carets = covered.lines().next().unwrap_or("").chars().count().max(1);
            let text = format!("{indent}#{}{}", " ".repeat(gap), "^".repeat(carets));
            vec![Mark { line, at: At::After, text }]
        }
        Place::Arg(i) => {
            let name = p.args.get(*i)?.name;
            let line = line_of(text, text.find("def ")?);
            vec![Mark { line, at: At::Before, text: format!("# argument `{name}` <-- NODE") }]
        }
    };
    Some((listing, marks))
}

/// The first byte of the line of a byte.
fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |nl| nl + 1)
}

/// The bytes of the statements pointed at, or of a gap's anchor.
fn range(p: &Proc, listing: &Listing, c: &Cursor) -> Option<Range<usize>> {
    let of = |path: &[Step]| listing.stmts.get(number(p, path)?).cloned();
    match c.place() {
        Place::Stmt(path) => of(path),
        Place::Gap(gap) => of(&gap.anchor),
        Place::Block(run) => {
            let (first, last) = (of(&run.path)?, of(&member(run, run.len.checked_sub(1)?))?);
            Some(first.start..last.end)
        }
        Place::Expr(_) | Place::Arg(_) => None,
    }
}

/// The numbers of the statements pointed at, with those in them.
fn covered(p: &Proc, place: &Place) -> Option<Range<usize>> {
    let (first, last) = match place {
        Place::Stmt(path) => (path.clone(), path.clone()),
        Place::Block(run) => (run.path.clone(), member(run, run.len.checked_sub(1)?)),
        Place::Gap(_) | Place::Expr(_) | Place::Arg(_) => return None,
    };
    let last_of_all = stmt_at(p, &last).map(|s| count(&Block::unit(s.clone())))?;
    Some(number(p, &first)?..number(p, &last)? + last_of_all)
}

/// The number of a statement, in the order of the text.
fn number(p: &Proc, path: &[Step]) -> Option<usize> {
    let (mut block, mut before) = (&p.body, 0);
    let mut steps = path.iter().peekable();
    while let Some(step) = steps.next() {
        before += block.iter().take(step.index()).map(|s| count(&Block::unit(s.clone()))).sum::<usize>();
        let s = block.get(step.index())?;
        let Some(next) = steps.peek() else { break };
        before += 1;
        if matches!(next, Step::Orelse(_)) {
            before += child_block(s, Step::Body(0)).map_or(0, count);
        }
        block = child_block(s, **next)?;
    }
    Some(before)
}

fn count(b: &Block) -> usize {
    let mut n = 0;
    each_stmt(b, &mut |_| n += 1);
    n
}

/// The number of an expression's statement, and its own within the statement.
fn numbers(p: &Proc, at: &ExprPath) -> Option<(usize, usize)> {
    let s = stmt_at(p, &at.stmt)?;
    let (mut n, mut found) = (0, None);
    each_operand(s, &mut |step, e| {
        walk(e, &mut vec![step], &mut |steps| {
            if steps == at.steps {
                found = Some(n);
            }
            n += 1;
        })
    });
    Some((number(p, &at.stmt)?, found?))
}

fn walk(e: &Expr, steps: &mut Vec<ExprStep>, visit: &mut dyn FnMut(&[ExprStep])) {
    visit(steps);
    each_child(e, &mut |step, inner| {
        steps.push(step);
        walk(inner, steps, visit);
        steps.pop();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursor::path::{Hole, each_stmt_at, exists};
    use crate::version::Proc as Version;
    use rewright_semantics::parse::{Prelude, parse_module};
    use rewright_semantics::pretty::{first_line_of_stmt, stmt_to_string};
    use rewright_semantics::span::SourceMap;

    const TEXT: &str = "
@proc
def p(n: size, m: size, x: f32[n, m], y: f32[n]):
    assert n < m
    for i in seq(0, n):
        t: f32[m]
        for i in seq(0, m):
            t[i] = x[i / 2 * 2 - i / 2, i / 3 + i % 3 - i % 3] * (y[i / 2] + y[i / 2 * 2 - i / 2] + 1.0) + t[i]
        if i < 3 and n + m + n + m + n + m + n + m < m + n + m + n + m + n + m + n + 12345:
            w = x[i, 0:m]
            w[0] = 1.0
            t: f32
            t = w[1]
        elif i + i + i + i + i + i + i + i + i + i + i + i + i + i + i + i < 3 * n + m:
            pass
        else:
            y[i] = t[0]
    for i in seq(0, n):
        y[i] += 1.0
";

    /// What is laid out alone is what the whole has there.
    #[test]
    fn the_text_of_a_part_is_that_of_the_whole() {
        let mut sources = SourceMap::new();
        let file = sources.add("test", TEXT);
        let m = parse_module(file, &sources, &Prelude::standard()).module;
        let version = Version::root(m.proc("p").unwrap().clone());
        let p = version.ast();
        let mut places = Vec::new();
        each_stmt_at(&p.body, &[Step::Body(0)], &mut |s, path| {
            places.push(Place::Stmt(path.to_vec()));
            let first_line = stmt_to_string(s).lines().next().map(str::to_owned);
            assert_eq!(Some(first_line_of_stmt(s)), first_line);
            let both = Hole { path: path.to_vec(), len: 2 };
            places.extend(Some(Place::Block(both)).filter(|run| exists(p, run)));
            each_operand(s, &mut |step, e| {
                walk(e, &mut vec![step], &mut |steps| {
                    places.push(Place::Expr(ExprPath { stmt: path.to_vec(), steps: steps.to_vec() }));
                });
            });
        });
        let whole = proc_listing(p, None, Branches::Elif);
        assert!(places.len() > 100, "{}", places.len());
        assert!(places.iter().filter(|place| matches!(place, Place::Block(_))).count() > 5);
        for place in places {
            let c = Cursor::new(&version, place.clone()).unwrap();
            let wanted = match &place {
                Place::Expr(at) => {
                    let listing = proc_listing(p, numbers(p, at), Branches::Elif);
                    on_one_line(listing.expr.and_then(|r| listing.text.get(r)).unwrap())
                }
                Place::Stmt(_) | Place::Block(_) | Place::Gap(_) | Place::Arg(_) => {
                    unindented(range(p, &whole, &c).and_then(|r| whole.text.get(r)).unwrap())
                }
            };
            assert_eq!(c.text(), wanted, "{place:?}");
        }
    }
}
