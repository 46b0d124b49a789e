//! Laws of cursors over random programs: moves there and back, patterns made of a program's own text, and printing.
//! Spec: [rule: cursors], [rule: patterns].

use rewright_campaign::program;
use rewright_campaign::rng::Rng;
use rewright_primitives::cursor::fragment;
use rewright_primitives::cursor::pattern;
use rewright_primitives::cursor::resolve::Sort;
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::types::env::VarType;
use rewright_testsuite::marks::{Marker, places};

const PROGRAMS: u64 = 60;

fn programs() -> impl Iterator<Item = (u64, Proc)> {
    (0..PROGRAMS).map(|seed| (seed, Proc::root(Marker::default().proc(program(seed).ast()))))
}

/// Cursors to all statements and expressions.
fn cursors(p: &Proc) -> Vec<Cursor> {
    let all = places(p.ast()).into_values().flatten();
    all.map(|place| Cursor::new(p, place).expect("a place that exists")).collect()
}

/// [rule: cursors]
#[test]
fn moves_lead_there_and_back() {
    let mut moves = 0_u64;
    for (seed, p) in programs() {
        for c in cursors(&p) {
            if let Ok(next) = c.next(1) {
                assert_eq!(next.prev(1), Ok(c.clone()), "seed {seed}");
                moves += 1;
            }
            if let Ok(prev) = c.prev(1) {
                assert_eq!(prev.next(1), Ok(c.clone()));
            }
            for child in c.children() {
                assert_eq!(child.parent(), Ok(c.clone()), "seed {seed}");
                assert!(c.is_ancestor_of(&child) && !child.is_ancestor_of(&c));
                moves += 1;
            }
            for block in [c.body(), c.orelse()].into_iter().flatten() {
                assert_eq!(block.parent(), Ok(c.clone()));
                assert_eq!(block.stmts().map(|s| s.len()), block.length());
                assert_eq!(block.at(0).and_then(|s| s.expand(None, None)), Ok(block.clone()));
                assert_eq!(block.at(-1).and_then(|s| s.after()), block.after());
            }
            if c.kind().is_stmt() {
                for gap in [c.before(), c.after()].into_iter().flatten() {
                    assert_eq!(gap.anchor(), Ok(c.clone()));
                    assert_eq!(gap.parent().ok(), c.parent().ok());
                }
                assert_eq!(c.as_block().and_then(|b| b.at(0)), Ok(c.clone()));
            } else {
                assert!(c.parent().is_ok() && c.typ().is_ok(), "seed {seed}: {c}");
            }
        }
        let body = p.body().expect("a body");
        assert!(body.parent().is_err());
    }
    println!("moves: {moves}");
    assert!(moves > 2_000);
}

/// [rule: patterns]: a statement's own text, and an expression's, is a pattern that describes it.
#[test]
fn what_is_printed_is_a_pattern_for_itself() {
    let (mut stmts, mut exprs, mut first) = (0_u64, 0_u64, 0_u64);
    for (seed, p) in programs() {
        for c in cursors(&p) {
            let text = c.text();
            let sort = if c.kind().is_expr() { Some(Sort::Expr) } else { None };
            let found = pattern::many(&p, None, sort, &text);
            let found = found.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{p}"));
            assert!(found.contains(c.place()), "seed {seed}: `{text}` does not find itself in\n{p}");
            first += u64::from(found.first() == Some(c.place()));
            if c.kind().is_expr() {
                exprs += 1
            } else {
                stmts += 1
            }
            // In what is pointed at, nothing comes before it.
            let inside = pattern::one(&p, Some(c.place()), sort, &text);
            assert_eq!(inside.as_ref(), Ok(c.place()));
        }
    }
    println!("patterns: {stmts} statements, {exprs} expressions, {first} found first");
}

/// [rule: cursors.printing]: marks are comments on lines of their own or at the end of one: without them the procedure is printed.
#[test]
fn printing_a_cursor_prints_the_procedure() {
    for (seed, p) in programs().take(40) {
        let plain = p.to_string();
        for c in cursors(&p) {
            let shown = c.to_string();
            let marks = shown.matches("# ").count() + shown.matches("#^").count();
            assert_eq!(marks, 1, "seed {seed}: {c}");
            let lines = shown.lines().filter(|l| !l.trim_start().starts_with('#'));
            let bare: String = lines.flat_map(|l| [l.split("  # <--").next().unwrap_or(l), "\n"]).collect();
            assert_eq!(bare, plain, "seed {seed}");
        }
    }
}

/// [rule: fragments]: an expression's text, read where it stands, is the expression, where names are hidden, too.
#[test]
fn an_expression_is_read_back_where_it_stands() {
    let (mut same, mut hidden) = (0_u64, 0_u64);
    for (seed, p) in programs() {
        for c in cursors(&p).into_iter().filter(|c| c.kind().is_expr()) {
            let (Ok(e), Ok(typ)) = (c.expr(), c.typ()) else { panic!("an expression with a type") };
            let Some(sort) = fragment::Sort::of_type(&typ) else { continue };
            let rewright_primitives::cursor::path::Place::Expr(at) = c.place() else { continue };
            let visible = p.visible_at(&at.stmt).expect("a place that exists");
            let names: std::collections::BTreeSet<_> = visible.iter().map(|x| x.name()).collect();
            let env = p.env_at(&at.stmt).expect("a place that exists");
            assert!(
                visible
                    .iter()
                    .all(|x| matches!(env.get(*x), Some(VarType::Control(_) | VarType::Buffer { .. })))
            );
            hidden += u64::from(names.len() < visible.len());
            let read = fragment::expr(&p, &at.stmt, &c.text(), sort);
            let read = read.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{c}"));
            assert_eq!(read, e, "seed {seed}: {}", expr_to_string(&read));
            same += 1;
        }
    }
    println!("expressions read back: {same}; where a name is hidden: {hidden}");
    assert!(same > 1_000 && hidden > 100);
}

/// Pieces that are put into the text of patterns: what could be read as something else, or not at all.
const PIECES: &[&str] = &[
    "_",
    "#",
    "# 1",
    "#-1",
    "#99999999999999999999",
    "(",
    ")",
    "[",
    "]",
    "[_:",
    ":",
    ";",
    ",",
    "=",
    "+=",
    "**",
    "//",
    "-",
    "not ",
    "for ",
    "in ",
    "if ",
    "else: _",
    "pass",
    "\n",
    "\n    ",
    "\t",
    "\"",
    "\\",
    "0x",
    "1e999",
    "9223372036854775808",
    "é",
    "\u{0}",
    "lambda: _",
    "a.b",
    "@",
    "...",
    "stride(_, 9)",
    "seq(",
    "f\"{_}\"",
    " ",
    "",
];

/// [rule: patterns]: a pattern that cannot be read, or leads nowhere, is an error with its reason; and moves by any number
/// lead to a place that exists, or nowhere.
#[test]
fn damaged_patterns_and_far_moves_are_refused() {
    let (mut read, mut refused, mut moves) = (0_u64, 0_u64, 0_u64);
    let sorts =
        [None, Some(Sort::Expr), Some(Sort::Stmt), Some(Sort::Block), Some(Sort::Loop), Some(Sort::Gap)];
    for (seed, p) in programs().take(24) {
        let mut rng = Rng::new(seed);
        for c in cursors(&p) {
            let mut text: Vec<char> = c.text().chars().take(200).collect();
            for _ in 0..=rng.below(3) {
                let at = rng.below(text.len() + 1);
                let piece: Vec<char> = rng.pick(PIECES).into_iter().flat_map(|piece| piece.chars()).collect();
                let end = (at + rng.below(4)).min(text.len());
                text.splice(at..end, piece);
            }
            let text: String = text.into_iter().collect();
            let sort = rng.pick(&sorts).copied().flatten();
            let within = if rng.chance(30) { Some(c.place()) } else { None };
            match pattern::many(&p, within, sort, &text) {
                Ok(found) => {
                    assert!(found.into_iter().all(|place| Cursor::new(&p, place).is_ok()), "`{text}`");
                    read += 1;
                }
                Err(e) => {
                    assert!(!e.to_string().trim().is_empty(), "`{text}`");
                    refused += 1;
                }
            }
            for by in [1, 7, usize::MAX / 2, usize::MAX] {
                let signed = isize::try_from(by).unwrap_or(isize::MAX);
                let block = c.as_block().and_then(|b| b.expand(Some(by), Some(by)));
                let slices = |b: &Cursor| {
                    let ends = [None, Some(signed), Some(-signed), Some(isize::MIN)];
                    let all = ends.iter().flat_map(|from| ends.iter().map(move |to| (*from, *to)));
                    all.map(|(from, to)| b.slice(from, to)).collect::<Vec<_>>()
                };
                let mut reached = vec![c.next(by), c.prev(by)];
                if let Ok(b) = &block {
                    reached.extend([b.at(signed), b.at(-signed), b.at(isize::MIN)]);
                    reached.extend(slices(b));
                }
                reached.push(block);
                for to in reached.into_iter().flatten() {
                    assert!(Cursor::new(&p, to.place().clone()).is_ok());
                    moves += 1;
                }
            }
        }
    }
    println!("damaged patterns: {read} read, {refused} refused; moves that lead somewhere: {moves}");
    assert!(read > 10 && refused > 500 && moves > 500);
}
