//! S-expressions.

/// An atom or a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

/// Lists may be nested so deeply: what goes through them does so recursively.
const DEEPEST: usize = 2_000;

/// All that a text holds; `None` where parentheses do not match, or are nested too deeply.
pub(crate) fn read(text: &str) -> Option<Vec<Sexp>> {
    let (mut around, mut here): (Vec<Vec<Sexp>>, Vec<Sexp>) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let code = line.split(';').next().unwrap_or(line);
        let mut rest = code;
        while let Some(c) = rest.chars().next() {
            match c {
                '(' if around.len() >= DEEPEST => return None,
                '(' => around.push(std::mem::take(&mut here)),
                ')' => {
                    let list = Sexp::List(std::mem::replace(&mut here, around.pop()?));
                    here.push(list);
                }
                c if c.is_whitespace() => {}
                _ => {
                    let end = rest.find(|c: char| c == '(' || c == ')' || c.is_whitespace());
                    let (atom, after) = rest.split_at(end.unwrap_or(rest.len()));
                    here.push(Sexp::Atom(atom.to_owned()));
                    rest = after;
                    continue;
                }
            }
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
        }
    }
    around.is_empty().then_some(here)
}

impl Sexp {
    pub(crate) fn atom(&self) -> Option<&str> {
        match self {
            Sexp::Atom(text) => Some(text),
            Sexp::List(_) => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Sexp]> {
        match self {
            Sexp::Atom(_) => None,
            Sexp::List(items) => Some(items),
        }
    }

    /// Whether it is this atom.
    pub(crate) fn is(&self, word: &str) -> bool {
        self.atom() == Some(word)
    }

    /// What a word is applied to, where it is this word.
    pub(crate) fn applied(&self, word: &str) -> Option<&[Sexp]> {
        let (head, args) = self.list()?.split_first()?;
        head.is(word).then_some(args)
    }

    fn apply<const N: usize>(word: &str, args: [Sexp; N]) -> Sexp {
        Sexp::List(std::iter::once(Sexp::Atom(word.to_owned())).chain(args).collect())
    }

    /// Its negation, without `not` where there is another word.
    pub(crate) fn negated(&self) -> Sexp {
        if let Some([inner]) = self.applied("not") {
            return inner.clone();
        }
        if let Some([a, b]) = self.applied("<") {
            return Sexp::apply("<=", [b.clone(), a.clone()]);
        }
        if let Some([a, b]) = self.applied("<=") {
            return Sexp::apply("<", [b.clone(), a.clone()]);
        }
        Sexp::apply("not", [self.clone()])
    }
}
