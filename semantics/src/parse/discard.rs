//! Freeing a tree of Python's without recursion: a sum of 100,000 terms is a tree as deep.

use ruff_python_ast::token::{TokenKind, Tokens};
use ruff_python_ast::visitor::transformer::{
    Transformer, walk_expr, walk_interpolated_string_element, walk_pattern, walk_stmt,
};
use ruff_python_ast::{
    AtomicNodeIndex, Expr, ExprEllipsisLiteral, InterpolatedStringElement, InterpolatedStringLiteralElement,
    ModModule, Pattern, PatternMatchSingleton, Singleton, Stmt, StmtPass,
};
use ruff_text_size::TextRange;
use std::cell::RefCell;
use std::mem;

/// A logical line with fewer tokens is no deeper than recursion can go.
const SHALLOW: usize = 1000;

/// Whether some logical line has so many tokens that its tree may be deep.
pub(super) fn may_be_deep(tokens: &Tokens) -> bool {
    let mut count = 0;
    tokens.iter().any(|token| {
        count = if token.kind() == TokenKind::Newline { 0 } else { count + 1 };
        count > SHALLOW
    })
}

/// Frees a tree.
pub(super) fn discard(tree: ModModule) {
    let work = Work::default();
    work.nodes.borrow_mut().extend(tree.body.into_iter().map(Node::Stmt));
    loop {
        let next = work.nodes.borrow_mut().pop();
        match next {
            Some(Node::Stmt(mut s)) => walk_stmt(&work, &mut s),
            Some(Node::Expr(mut e)) => walk_expr(&work, &mut e),
            Some(Node::Pattern(mut p)) => walk_pattern(&work, &mut p),
            Some(Node::Element(mut e)) => walk_interpolated_string_element(&work, &mut e),
            None => return,
        }
    }
}

/// A node that has lost its parent.
enum Node {
    Stmt(Stmt),
    Expr(Expr),
    Pattern(Pattern),
    Element(InterpolatedStringElement),
}

/// Takes the children out of a node instead of walking into them.
#[derive(Default)]
struct Work {
    nodes: RefCell<Vec<Node>>,
}

impl Transformer for Work {
    fn visit_stmt(&self, stmt: &mut Stmt) {
        let rest = Stmt::Pass(StmtPass { node_index: AtomicNodeIndex::NONE, range: TextRange::default() });
        self.nodes.borrow_mut().push(Node::Stmt(mem::replace(stmt, rest)));
    }

    fn visit_expr(&self, expr: &mut Expr) {
        let rest = Expr::EllipsisLiteral(ExprEllipsisLiteral::default());
        self.nodes.borrow_mut().push(Node::Expr(mem::replace(expr, rest)));
    }

    fn visit_annotation(&self, expr: &mut Expr) {
        self.visit_expr(expr);
    }

    fn visit_pattern(&self, pattern: &mut Pattern) {
        let rest = Pattern::MatchSingleton(PatternMatchSingleton {
            node_index: AtomicNodeIndex::NONE,
            range: TextRange::default(),
            value: Singleton::None,
        });
        self.nodes.borrow_mut().push(Node::Pattern(mem::replace(pattern, rest)));
    }

    fn visit_interpolated_string_element(&self, element: &mut InterpolatedStringElement) {
        let rest = InterpolatedStringElement::Literal(InterpolatedStringLiteralElement {
            range: TextRange::default(),
            node_index: AtomicNodeIndex::NONE,
            value: "".into(),
        });
        self.nodes.borrow_mut().push(Node::Element(mem::replace(element, rest)));
    }
}
