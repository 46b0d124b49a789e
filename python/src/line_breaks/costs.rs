//! What a break before each token costs by the tree, and what the tokens are in their surroundings.

use super::token::{Role, Token};
use super::tree::{Kind, Tree};

/// No break is here.
pub(super) const NEVER: i64 = 1_000_000;
const TYPE: i64 = 15_000;
const UNARY: i64 = 10_000;
const SUBSCRIPT: i64 = 6_000;
const FIELD: i64 = 4_000;
pub(super) const VERY_STRONG: i64 = 3_500;
pub(super) const STRONG: i64 = 3_000;
const ATOM: i64 = 2_300;
const FACTOR: i64 = 2_100;
const TERM: i64 = 2_000;
const ARITH: i64 = 1_900;
const GROUP: i64 = 1_400;
const COMPARISON: i64 = 1_300;
const NOT_TEST: i64 = 1_200;
const AND_TEST: i64 = 1_100;
const OR_TEST: i64 = 1_000;
const CONNECTED: i64 = 500;
const OPERATOR: i64 = 300;
const AFTER_OPENING: i64 = 300;
const BEFORE_CLOSING: i64 = 100;

/// Says of the tokens of a line what they are, and what a break before each costs.
pub(super) fn mark(line: &Tree, tokens: &mut [Token]) {
    roles(line, tokens);
    elements(line, tokens);
    costs(line, None, tokens);
    outside(tokens);
    for at in (1..tokens.len()).rev() {
        tokens[at].cost = between(&tokens[at - 1], &tokens[at]);
    }
}

/// Operators, brackets, colons and parameters.
fn roles(tree: &Tree, tokens: &mut [Token]) {
    let Tree::Node(kind, children) = tree else { return };
    children.iter().for_each(|child| roles(child, tokens));
    let mut give = |from: usize, step: usize, role: Role| {
        for child in children.iter().skip(from).step_by(step) {
            if let Tree::Leaf(at) = child {
                tokens[*at].role = role;
            }
        }
    };
    match kind {
        Kind::OrTest | Kind::AndTest | Kind::Comparison | Kind::Arith | Kind::Term => {
            give(1, 2, Role::BinaryOperator)
        }
        Kind::NotTest | Kind::Factor => give(0, 2, Role::UnaryOperator),
        Kind::Subscript => give(1, 2, Role::SubscriptColon),
        Kind::Typed => give(1, 2, Role::TypeColon),
        Kind::FuncDef => tokens[children[1].first()].role = Role::Defined,
        Kind::Trailer if tokens[tree.first()].is("[") => {
            for at in [tree.first(), tree.last()] {
                tokens[at].role = Role::SubscriptBracket;
            }
        }
        Kind::Parameters if children.len() > 2 => parameter(&children[1], tokens),
        Kind::ParameterList => children.iter().step_by(2).for_each(|child| parameter(child, tokens)),
        Kind::Trailer
        | Kind::Parameters
        | Kind::IfStmt
        | Kind::OtherStmt
        | Kind::Power
        | Kind::Arglist
        | Kind::SubscriptList
        | Kind::Atom => {}
    }
}

fn parameter(tree: &Tree, tokens: &mut [Token]) {
    tokens[tree.first()].starts_parameter = true;
    tokens[tree.last()].stops_parameter = true;
}

/// Which tokens begin the elements of what is in parentheses; commas are such, too.
fn elements(tree: &Tree, tokens: &mut [Token]) {
    let Tree::Node(kind, children) = tree else { return };
    children.iter().for_each(|child| elements(child, tokens));
    if children.len() != 3 || !tokens[tree.first()].is("(") || has_comment(tree, tokens) {
        return;
    }
    let open = tree.first();
    let inner = &children[1];
    let is_list = *kind == Kind::Atom || inner.kind() == Some(Kind::Arglist);
    if !matches!(kind, Kind::Trailer | Kind::Atom) {
        return;
    }
    let parts = if is_list { inner.children() } else { &children[1..2] };
    parts.iter().for_each(|part| tokens[part.first()].element_of = Some(open));
}

/// Whether the comment of the line comes after it: the formatter takes it for one more part, and knows the brackets no more.
fn has_comment(tree: &Tree, tokens: &[Token]) -> bool {
    tokens.get(tree.last() + 1).is_some_and(Token::is_comment)
}

fn costs(tree: &Tree, parent: Option<Kind>, tokens: &mut [Token]) {
    let Tree::Node(kind, children) = tree else { return };
    if *kind == Kind::Trailer && !has_comment(tree, tokens) {
        trailer(tree, children, tokens);
    } else if *kind == Kind::Subscript {
        at_least(tree, STRONG, tokens);
    }
    children.iter().for_each(|child| costs(child, Some(*kind), tokens));
    match kind {
        Kind::Parameters => {
            at_least(&children[0], NEVER, tokens);
            at_least(&children[children.len() - 1], STRONG, tokens);
        }
        Kind::Typed => {
            tokens[children[1].first()].cost = TYPE;
            tokens[children[2].first()].cost = TYPE;
        }
        Kind::OrTest => logical(tree, children, OR_TEST, tokens),
        Kind::AndTest => logical(tree, children, AND_TEST, tokens),
        Kind::NotTest => add(tree, NOT_TEST, tokens),
        Kind::Comparison if children.len() == 3 => tokens[children[2].first()].cost = STRONG,
        Kind::Comparison => add(tree, COMPARISON, tokens),
        Kind::Arith => operands(tree, children, ARITH, tokens),
        Kind::Term => operands(tree, children, TERM, tokens),
        Kind::Factor => add(tree, FACTOR, tokens),
        Kind::Power => power(children, tokens),
        Kind::Arglist => {
            children.iter().skip(1).step_by(2).for_each(|comma| at_least(comma, NEVER, tokens));
            children
                .iter()
                .filter(|child| child.kind() == Some(Kind::Atom))
                .for_each(|child| add(child, CONNECTED, tokens));
        }
        Kind::SubscriptList => children.iter().step_by(2).for_each(|child| tokens[child.first()].cost = 0),
        Kind::Atom if tokens[tree.first()].is("(") && !has_comment(tree, tokens) => {
            if parent == Some(Kind::IfStmt) {
                tokens[tree.last()].cost = STRONG;
            } else {
                tokens[children[1].first()].cost = GROUP;
                tokens[tree.last()].cost = ATOM;
            }
        }
        Kind::Atom
        | Kind::Trailer
        | Kind::Subscript
        | Kind::FuncDef
        | Kind::ParameterList
        | Kind::IfStmt
        | Kind::OtherStmt => {}
    }
}

/// At least so much before each token of a part.
fn at_least(tree: &Tree, cost: i64, tokens: &mut [Token]) {
    (tree.first()..=tree.last()).for_each(|at| raise(at, cost, tokens));
}

/// So much more before each token of a part but its first; a parenthesis costs no more than it did.
fn add(tree: &Tree, cost: i64, tokens: &mut [Token]) {
    tokens[tree.first()..=tree.last()]
        .iter_mut()
        .skip(1)
        .filter(|token| !token.is("("))
        .for_each(|token| token.cost += cost);
}

/// A break is before an operator.
fn logical(tree: &Tree, children: &[Tree], cost: i64, tokens: &mut [Token]) {
    add(tree, cost, tokens);
    for operator in children.iter().skip(1).step_by(2) {
        let token = &mut tokens[operator.first()];
        token.cost = (token.cost - cost).max(0);
    }
}

/// A break is after an operator.
fn operands(tree: &Tree, children: &[Tree], cost: i64, tokens: &mut [Token]) {
    add(tree, cost, tokens);
    children.iter().skip(2).step_by(2).for_each(|operand| tokens[operand.first()].cost = OPERATOR);
}

fn trailer(tree: &Tree, children: &[Tree], tokens: &mut [Token]) {
    if tokens[tree.first()].is(".") {
        tokens[tree.first()].cost = FIELD;
        tokens[tree.last()].cost = VERY_STRONG;
        return;
    }
    let [_, inner, close] = children else {
        tokens[tree.last()].cost = VERY_STRONG;
        return;
    };
    let is_subscript = tokens[tree.first()].is("[");
    match inner.kind() {
        Some(Kind::Comparison) => {
            at_least(inner, STRONG, tokens);
            tokens[inner.first()].cost = CONNECTED;
        }
        Some(Kind::Arith | Kind::OrTest | Kind::AndTest | Kind::NotTest)
            if is_subscript && inner.children().len() > 2 =>
        {
            at_least(&inner.children()[0], STRONG, tokens);
            at_least(&inner.children()[2], STRONG, tokens);
            tokens[inner.children()[1].last()].cost = 0;
            at_least(close, VERY_STRONG, tokens);
        }
        Some(Kind::Arglist) => at_least(close, STRONG, tokens),
        Some(Kind::Term | Kind::OrTest | Kind::AndTest | Kind::Atom | Kind::Power) => {}
        _ if is_subscript => {
            add(tree, SUBSCRIPT, tokens);
            add(inner, CONNECTED, tokens);
        }
        _ => {
            at_least(inner, STRONG, tokens);
            at_least(close, STRONG, tokens);
        }
    }
}

/// What follows a name, or what has followed it, is hardly torn from it.
fn power(children: &[Tree], tokens: &mut [Token]) {
    let trailers = &children[1..];
    if let Some(at) = trailers.first().map(Tree::first).filter(|at| !tokens[*at].is(".")) {
        raise(at, NEVER, tokens);
    }
    for pair in trailers.windows(2) {
        if !tokens[pair[0].last()].is(")") {
            raise(pair[0].last(), STRONG, tokens);
        }
        raise(pair[1].first(), STRONG, tokens);
    }
    for trailer in trailers {
        let (open, close) = (trailer.first(), trailer.last());
        if tokens[open].is(".") {
            continue;
        }
        if trailer.children().len() == 2 {
            raise(close, STRONG, tokens);
        } else if tokens[open].is("[") {
            raise(open + 1, STRONG, tokens);
            raise(close, NEVER, tokens);
        } else {
            tokens[close].cost = VERY_STRONG;
        }
    }
}

fn raise(at: usize, cost: i64, tokens: &mut [Token]) {
    tokens[at].cost = tokens[at].cost.max(cost);
}

/// Only what is in brackets is broken.
fn outside(tokens: &mut [Token]) {
    let mut level = 0;
    for (at, token) in tokens.iter_mut().enumerate() {
        if at > 0 && level == 0 {
            token.cost = NEVER;
        }
        level += i32::from(token.opens()) - i32::from(token.closes());
    }
}

/// What a break between two tokens costs: what the tree says, or else what the tokens say.
fn between(left: &Token, right: &Token) -> i64 {
    match () {
        () if left.is("not") => NEVER,
        () if right.cost > 0 => right.cost,
        () if left.is_logical() => OPERATOR,
        () if right.is_logical() => 0,
        () if left.role == Role::UnaryOperator => UNARY,
        () if left.is(",") => 0,
        () if left.opens() && !right.is("(") => AFTER_OPENING,
        () if right.is(":") || right.is("=") => NEVER,
        () if right.is("==") => STRONG,
        () if right.closes() => BEFORE_CLOSING,
        () => 0,
    }
}
