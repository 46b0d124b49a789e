//! A line as the formatter's grammar reads it: Python's, in which what has one part is that part.

use super::token::{Kind as Sort, Token};

/// The nodes of the grammar that lines of a program have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    FuncDef,
    Parameters,
    /// More than one parameter, with the commas.
    ParameterList,
    /// A parameter with its type.
    Typed,
    IfStmt,
    OtherStmt,
    OrTest,
    AndTest,
    NotTest,
    Comparison,
    Arith,
    Term,
    Factor,
    Power,
    Trailer,
    /// More than one argument, with the commas.
    Arglist,
    SubscriptList,
    Subscript,
    /// A group, or the list that is the type of a window.
    Atom,
}

#[derive(Debug)]
pub(super) enum Tree {
    /// A token, by its number.
    Leaf(usize),
    Node(Kind, Vec<Tree>),
}

impl Tree {
    pub(super) fn kind(&self) -> Option<Kind> {
        match self {
            Tree::Leaf(_) => None,
            Tree::Node(kind, _) => Some(*kind),
        }
    }

    pub(super) fn children(&self) -> &[Tree] {
        match self {
            Tree::Leaf(_) => &[],
            Tree::Node(_, children) => children,
        }
    }

    pub(super) fn first(&self) -> usize {
        match self {
            Tree::Leaf(at) => *at,
            Tree::Node(_, children) => children[0].first(),
        }
    }

    pub(super) fn last(&self) -> usize {
        match self {
            Tree::Leaf(at) => *at,
            Tree::Node(_, children) => children[children.len() - 1].last(),
        }
    }
}

/// How deep brackets and signs may be nested.
const DEEPEST: usize = 200;

/// What the tokens say; nothing where they are no line of a program.
pub(super) fn statement(tokens: &[Token]) -> Option<Tree> {
    let code = match tokens {
        [code @ .., last] if last.is_comment() => code,
        _ => tokens,
    };
    let mut reader = Reader { tokens: code, at: 0, depth: 0 };
    let tree = reader.statement()?;
    (reader.at == code.len()).then_some(tree)
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    depth: usize,
}

impl Reader<'_> {
    fn sees(&self, text: &str) -> bool {
        self.tokens.get(self.at).is_some_and(|token| token.is(text))
    }

    fn any(&mut self) -> Tree {
        self.at += 1;
        Tree::Leaf(self.at - 1)
    }

    fn take(&mut self, text: &str) -> Option<Tree> {
        self.sees(text).then(|| self.any())
    }

    fn name(&mut self) -> Option<Tree> {
        self.tokens.get(self.at)?.is_name().then(|| self.any())
    }

    fn statement(&mut self) -> Option<Tree> {
        match self.tokens.first()?.text.as_str() {
            "def" => self.head(),
            "if" => Some(Tree::Node(Kind::IfStmt, vec![self.any(), self.test()?, self.take(":")?])),
            "for" => {
                let children =
                    vec![self.any(), self.name()?, self.take("in")?, self.test()?, self.take(":")?];
                Some(Tree::Node(Kind::OtherStmt, children))
            }
            "else" => Some(Tree::Node(Kind::OtherStmt, vec![self.any(), self.take(":")?])),
            "assert" => Some(Tree::Node(Kind::OtherStmt, vec![self.any(), self.test()?])),
            "pass" => Some(self.any()),
            _ => self.expression_statement(),
        }
    }

    /// A call, an allocation or a write.
    fn expression_statement(&mut self) -> Option<Tree> {
        let mut children = vec![self.test()?];
        if self.sees(":") || self.sees("=") || self.sees("+=") {
            children.push(self.any());
            children.push(self.test()?);
        }
        Some(Tree::Node(Kind::OtherStmt, children))
    }

    fn head(&mut self) -> Option<Tree> {
        let (def, name, open) = (self.any(), self.name()?, self.take("(")?);
        let mut children = vec![open];
        if !self.sees(")") {
            children.push(self.several(Kind::ParameterList, Self::parameter)?);
        }
        children.push(self.take(")")?);
        let parameters = Tree::Node(Kind::Parameters, children);
        Some(Tree::Node(Kind::FuncDef, vec![def, name, parameters, self.take(":")?]))
    }

    fn parameter(&mut self) -> Option<Tree> {
        Some(Tree::Node(Kind::Typed, vec![self.name()?, self.take(":")?, self.test()?]))
    }

    /// One, or several with commas between them.
    fn several(&mut self, kind: Kind, one: fn(&mut Self) -> Option<Tree>) -> Option<Tree> {
        self.chain(kind, &[","], one)
    }

    /// One, or several with marks between them.
    fn chain(&mut self, kind: Kind, marks: &[&str], one: fn(&mut Self) -> Option<Tree>) -> Option<Tree> {
        let mut children = vec![one(self)?];
        while marks.iter().any(|mark| self.sees(mark)) {
            children.push(self.any());
            children.push(one(self)?);
        }
        Some(if children.len() == 1 { children.swap_remove(0) } else { Tree::Node(kind, children) })
    }

    fn test(&mut self) -> Option<Tree> {
        self.depth += 1;
        let tree =
            if self.depth > DEEPEST { None } else { self.chain(Kind::OrTest, &["or"], Self::and_test) };
        self.depth -= 1;
        tree
    }

    fn and_test(&mut self) -> Option<Tree> {
        self.chain(Kind::AndTest, &["and"], Self::not_test)
    }

    fn not_test(&mut self) -> Option<Tree> {
        let Some(not) = self.take("not") else { return self.comparison() };
        self.nested(|reader| Some(Tree::Node(Kind::NotTest, vec![not, reader.not_test()?])))
    }

    fn comparison(&mut self) -> Option<Tree> {
        self.chain(Kind::Comparison, &["<", ">", "==", "<=", ">=", "!="], Self::arith)
    }

    fn arith(&mut self) -> Option<Tree> {
        self.chain(Kind::Arith, &["+", "-"], Self::term)
    }

    fn term(&mut self) -> Option<Tree> {
        self.chain(Kind::Term, &["*", "/", "%", "@"], Self::factor)
    }

    fn factor(&mut self) -> Option<Tree> {
        let Some(sign) = self.take("-").or_else(|| self.take("+")) else { return self.power() };
        self.nested(|reader| Some(Tree::Node(Kind::Factor, vec![sign, reader.factor()?])))
    }

    fn nested(&mut self, one: impl FnOnce(&mut Self) -> Option<Tree>) -> Option<Tree> {
        self.depth += 1;
        let tree = if self.depth > DEEPEST { None } else { one(self) };
        self.depth -= 1;
        tree
    }

    fn power(&mut self) -> Option<Tree> {
        let mut children = vec![self.atom()?];
        while self.sees("(") || self.sees("[") || self.sees(".") {
            children.push(self.trailer()?);
        }
        Some(if children.len() == 1 { children.swap_remove(0) } else { Tree::Node(Kind::Power, children) })
    }

    fn trailer(&mut self) -> Option<Tree> {
        let open = self.any();
        let Tree::Leaf(at) = open else { return None };
        let mut children = vec![open];
        match self.tokens[at].text.as_str() {
            "." => children.push(self.name()?),
            "(" => {
                if !self.sees(")") {
                    children.push(self.several(Kind::Arglist, Self::test)?);
                }
                children.push(self.take(")")?);
            }
            _ => {
                children.push(self.several(Kind::SubscriptList, Self::subscript)?);
                children.push(self.take("]")?);
            }
        }
        Some(Tree::Node(Kind::Trailer, children))
    }

    fn subscript(&mut self) -> Option<Tree> {
        let low = self.test()?;
        let Some(colon) = self.take(":") else { return Some(low) };
        Some(Tree::Node(Kind::Subscript, vec![low, colon, self.test()?]))
    }

    fn atom(&mut self) -> Option<Tree> {
        let token = self.tokens.get(self.at)?;
        let is_word =
            matches!(token.kind, Sort::Name | Sort::Number) || token.is("True") || token.is("False");
        if is_word {
            return Some(self.any());
        }
        let close = match token.text.as_str() {
            "(" => ")",
            "[" => "]",
            _ => return None,
        };
        Some(Tree::Node(Kind::Atom, vec![self.any(), self.test()?, self.take(close)?]))
    }
}
