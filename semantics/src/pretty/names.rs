//! Names for symbols: the symbol's own, or with the smallest number after it that no variable in scope
//! has. Spec: [rule: syntax.printing].

use crate::ast::{Block, Expr, ExprKind, Proc, Rounds, StmtKind, WinCoord};
use crate::externs::Extern;
use crate::sym::{Name, Sym};
use crate::types::ArgType;
use rustc_hash::{FxHashMap, FxHashSet};

/// The words of Python that are no names.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// The words of Exo that variables had better not be called.
const WORDS: [&str; 3] = ["seq", "par", "stride"];

/// The names in use.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The name of each symbol in scope.
    of: FxHashMap<Sym, Name>,
    /// The names in scope.
    taken: FxHashSet<Name>,
    /// Names of procedures and configurations that the program mentions.
    globals: FxHashSet<Name>,
    /// The bindings in order, with the name that the symbol had before.
    bindings: Vec<(Sym, Name, Option<Name>)>,
    /// The first name of every symbol so far, in scope or not.
    pub(super) chosen: FxHashMap<Sym, Name>,
    /// The names given since [`Names::note`].
    noted: Option<Vec<(Sym, Name)>>,
}

/// A point to go back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

impl Names {
    /// The name of a symbol. One that is not bound gets a name for good.
    pub(super) fn get(&mut self, x: Sym) -> Name {
        let name = match self.of.get(&x) {
            Some(name) => *name,
            None => self.bind(x),
        };
        if let Some(noted) = &mut self.noted
            && !noted.contains(&(x, name))
        {
            noted.push((x, name));
        }
        name
    }

    /// Whether a symbol is in scope and has this name.
    pub(super) fn is_called(&self, x: Sym, name: Name) -> bool {
        self.of.get(&x) == Some(&name)
    }

    /// Begins to note the names that are given.
    pub(super) fn note(&mut self) {
        self.noted = Some(Vec::new());
    }

    /// The names that were given since.
    pub(super) fn noted(&mut self) -> Vec<(Sym, Name)> {
        self.noted.take().unwrap_or_default()
    }

    /// Binds a symbol to the end of the block, and names it.
    pub(super) fn bind(&mut self, x: Sym) -> Name {
        self.bind_unless(x, |names, name| names.taken.contains(&name) || names.is_reserved(name))
    }

    /// Binds an argument. Templates of instructions name arguments, so these change as little as can be.
    pub(super) fn bind_argument(&mut self, x: Sym) -> Name {
        self.bind_unless(x, |names, name| names.taken.contains(&name) || is_keyword(name))
    }

    /// Binds a symbol to the first of its names that is free.
    fn bind_unless(&mut self, x: Sym, used: impl Fn(&Names, Name) -> bool) -> Name {
        let own = identifier(x.name());
        let mut name = own;
        let mut number = 0_u32;
        while used(self, name) {
            number += 1;
            name = Name::new(&format!("{own}_{number}"));
        }
        self.taken.insert(name);
        let before = self.of.insert(x, name);
        self.chosen.entry(x).or_insert(name);
        self.bindings.push((x, name, before));
        name
    }

    /// Opens a block.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.bindings.len())
    }

    /// Closes the blocks opened since.
    pub(super) fn close(&mut self, mark: Mark) {
        while self.bindings.len() > mark.0 {
            let Some((x, name, before)) = self.bindings.pop() else { return };
            self.taken.remove(&name);
            match before {
                Some(before) => self.of.insert(x, before),
                None => self.of.remove(&x),
            };
        }
    }

    /// Whether a name means something without being a variable.
    fn is_reserved(&self, name: Name) -> bool {
        self.globals.contains(&name)
            || is_keyword(name)
            || WORDS.contains(&name.as_str())
            || Extern::from_name(name.as_str()).is_some()
    }

    /// Keeps the names of what a procedure calls and configures.
    pub(super) fn reserve_globals_of(&mut self, p: &Proc) {
        let mut walk = Walk { syms: None, globals: &mut self.globals };
        for arg in &p.args {
            if let ArgType::Data { typ, mem: _ } = &arg.typ {
                typ.shape.iter().for_each(|e| walk.expr(e));
            }
        }
        p.preds.iter().for_each(|e| walk.expr(e));
        walk.block(&p.body);
        if let Some(Rounds::Like(q)) = p.instr.as_ref().map(|i| &i.rounds) {
            self.globals.insert(q.name);
        }
    }

    /// Names the variables that a block takes from outside, in order of occurrence.
    pub(super) fn bind_free_of_block(&mut self, b: &Block) {
        let mut free = Free::default();
        Walk { syms: Some(&mut free), globals: &mut self.globals }.block(b);
        for x in free.order {
            self.bind_argument(x);
        }
    }

    /// Names the variables of an expression, in order of occurrence.
    pub(super) fn bind_free_of_expr(&mut self, e: &Expr) {
        let mut free = Free::default();
        Walk { syms: Some(&mut free), globals: &mut self.globals }.expr(e);
        for x in free.order {
            self.bind_argument(x);
        }
    }
}

/// Whether a name is a word of Python that is no name.
pub fn is_keyword(name: Name) -> bool {
    KEYWORDS.binary_search(&name.as_str()).is_ok()
}

/// The name itself where it is an identifier; other characters become `_`.
fn identifier(name: Name) -> Name {
    let text = name.as_str();
    let plain = |c: char| c == '_' || c.is_ascii_alphanumeric() || (!c.is_ascii() && c.is_alphanumeric());
    let starts_well = text.starts_with(|c: char| plain(c) && !c.is_numeric());
    if starts_well && text.chars().all(plain) {
        return name;
    }
    let start = if starts_well { "" } else { "_" };
    let rest: String = text.chars().map(|c| if plain(c) { c } else { '_' }).collect();
    Name::new(&format!("{start}{rest}"))
}

/// The symbols that occur and are not bound, once each.
#[derive(Default)]
struct Free {
    order: Vec<Sym>,
    seen: FxHashSet<Sym>,
    bound: FxHashSet<Sym>,
}

/// Goes through a program and notes what it mentions.
struct Walk<'a> {
    syms: Option<&'a mut Free>,
    globals: &'a mut FxHashSet<Name>,
}

impl Walk<'_> {
    /// A symbol occurs.
    fn mention(&mut self, x: Sym) {
        if let Some(free) = &mut self.syms
            && !free.bound.contains(&x)
            && free.seen.insert(x)
        {
            free.order.push(x);
        }
    }

    /// A symbol is bound.
    fn bind(&mut self, x: Sym) {
        if let Some(free) = &mut self.syms {
            free.bound.insert(x);
        }
    }

    /// A block.
    fn block(&mut self, b: &Block) {
        b.iter().for_each(|s| super::grown(|| self.stmt(&s.kind)));
    }

    /// A statement.
    fn stmt(&mut self, s: &StmtKind) {
        match s {
            StmtKind::Assign { name, idx, rhs } | StmtKind::Reduce { name, idx, rhs } => {
                self.mention(*name);
                idx.iter().for_each(|e| self.expr(e));
                self.expr(rhs);
            }
            StmtKind::WriteConfig { config, field: _, rhs } => {
                self.globals.insert(config.name);
                self.expr(rhs);
            }
            StmtKind::Pass => {}
            StmtKind::If { cond, body, orelse } => {
                self.expr(cond);
                self.block(body);
                self.block(orelse);
            }
            StmtKind::For { iter, lo, hi, body, mode: _ } => {
                self.expr(lo);
                self.expr(hi);
                self.bind(*iter);
                self.block(body);
            }
            StmtKind::Alloc { name, typ, mem: _ } => {
                typ.shape.iter().for_each(|e| self.expr(e));
                self.bind(*name);
            }
            StmtKind::WindowStmt { name, rhs } => {
                self.mention(rhs.name);
                rhs.idx.iter().for_each(|w| self.coord(w));
                self.bind(*name);
            }
            StmtKind::Call { proc, args } => {
                self.globals.insert(proc.name);
                args.iter().for_each(|e| self.expr(e));
            }
        }
    }

    /// A coordinate.
    fn coord(&mut self, w: &WinCoord) {
        match w {
            WinCoord::Point(e) => self.expr(e),
            WinCoord::Interval(lo, hi) => {
                self.expr(lo);
                self.expr(hi);
            }
        }
    }

    /// An expression.
    fn expr(&mut self, e: &Expr) {
        super::grown(|| match &e.kind {
            ExprKind::Read { name, idx } => {
                self.mention(*name);
                idx.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Window(w) => {
                self.mention(w.name);
                w.idx.iter().for_each(|w| self.coord(w));
            }
            ExprKind::Lit(_) => {}
            ExprKind::Neg(e) | ExprKind::Not(e) => self.expr(e),
            ExprKind::Bin { op: _, lhs, rhs } => {
                self.expr(lhs);
                self.expr(rhs);
            }
            ExprKind::Extern { func: _, args } => args.iter().for_each(|e| self.expr(e)),
            ExprKind::Stride { name, dim: _ } => self.mention(*name),
            ExprKind::ReadConfig { config, field: _ } => {
                self.globals.insert(config.name);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_differ_in_scope_and_come_back_after_it() {
        let mut names = Names::default();
        let (outer, inner, third) = (Sym::fresh("i"), Sym::fresh("i"), Sym::fresh("i_1"));
        assert_eq!(names.bind(outer).as_str(), "i");
        let mark = names.mark();
        assert_eq!(names.bind(inner).as_str(), "i_1");
        assert_eq!(names.bind(third).as_str(), "i_1_1");
        names.close(mark);
        assert_eq!(names.bind(third).as_str(), "i_1");
        assert_eq!(names.get(outer).as_str(), "i");
    }

    #[test]
    fn words_of_the_language_are_no_names() {
        let mut names = Names::default();
        assert!(KEYWORDS.is_sorted());
        assert_eq!(names.bind(Sym::fresh("for")).as_str(), "for_1");
        assert_eq!(names.bind(Sym::fresh("sin")).as_str(), "sin_1");
        assert_eq!(names.bind_argument(Sym::fresh("sin")).as_str(), "sin");
        assert_eq!(names.bind(Sym::fresh("a b")).as_str(), "a_b");
        assert_eq!(names.bind(Sym::fresh("2x")).as_str(), "_2x");
        assert_eq!(names.bind(Sym::fresh("")).as_str(), "_");
    }
}
