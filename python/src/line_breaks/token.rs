//! The tokens of a line, and the spaces between them.

/// What sort of token it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Name,
    Keyword,
    Number,
    Mark,
    /// What is written at the end of the line.
    Comment,
}

/// What a token is in its surroundings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Plain,
    BinaryOperator,
    UnaryOperator,
    SubscriptBracket,
    SubscriptColon,
    /// The colon before a parameter's type.
    TypeColon,
    /// The name of the procedure that a line defines.
    Defined,
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) role: Role,
    pub(super) starts_parameter: bool,
    pub(super) stops_parameter: bool,
    /// What a break before it costs by the tree.
    pub(super) cost: i64,
    /// The bracket that opens the list of arguments, or the group, whose element it begins.
    pub(super) element_of: Option<usize>,
}

impl Token {
    fn new(text: &str, kind: Kind) -> Token {
        Token {
            text: text.to_owned(),
            kind,
            role: Role::Plain,
            starts_parameter: false,
            stops_parameter: false,
            cost: 0,
            element_of: None,
        }
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    pub(super) fn is_name(&self) -> bool {
        self.kind == Kind::Name
    }

    pub(super) fn is_keyword(&self) -> bool {
        self.kind == Kind::Keyword
    }

    /// How many columns it takes.
    pub(super) fn width(&self) -> usize {
        self.text.chars().count()
    }

    pub(super) fn opens(&self) -> bool {
        self.is("(") || self.is("[")
    }

    pub(super) fn closes(&self) -> bool {
        self.is(")") || self.is("]")
    }

    pub(super) fn is_logical(&self) -> bool {
        self.is("and") || self.is("or")
    }

    pub(super) fn is_comment(&self) -> bool {
        self.kind == Kind::Comment
    }

    fn is_word(&self) -> bool {
        matches!(self.kind, Kind::Name | Kind::Keyword | Kind::Number)
    }
}

/// Those that are words of Python and no names.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// Those of more than one character.
const LONG_MARKS: [&str; 7] = ["==", "<=", ">=", "!=", "+=", "-=", "*="];

/// The tokens of a line without its indentation; nothing where a character begins none.
pub(super) fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut out = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let end = if first == '_' || first.is_alphabetic() {
            rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len())
        } else if first.is_ascii_digit() {
            number(rest)
        } else if let Some(mark) = LONG_MARKS.iter().find(|mark| rest.starts_with(**mark)) {
            mark.len()
        } else if first == '#' {
            rest.len()
        } else if "()[]+-*/%@<>=.,:".contains(first) {
            1
        } else {
            return None;
        };
        let (word, after) = rest.split_at(end);
        let kind = match first {
            '#' => Kind::Comment,
            c if c.is_ascii_digit() => Kind::Number,
            _ if KEYWORDS.contains(&word) => Kind::Keyword,
            c if c == '_' || c.is_alphabetic() => Kind::Name,
            _ => Kind::Mark,
        };
        out.push(Token::new(word.trim_end(), kind));
        rest = after.trim_start();
    }
    Some(out)
}

/// Where the number ends that a text begins with.
fn number(text: &str) -> usize {
    let digits = |from: usize| from + text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    if text[end..].starts_with('.') {
        end = digits(end + 1);
    }
    let exponent =
        text[end..].strip_prefix(['e', 'E']).map(|rest| rest.strip_prefix(['+', '-']).unwrap_or(rest));
    match exponent {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => digits(text.len() - rest.len()),
        _ => end,
    }
}

/// How many spaces are between two tokens that stand on one line.
pub(super) fn spaces(left: &Token, right: &Token) -> usize {
    if right.is_comment() { 2 } else { usize::from(is_spaced(left, right)) }
}

fn is_spaced(left: &Token, right: &Token) -> bool {
    let has = |role: Role| left.role == role || right.role == role;
    let is_unary = |token: &Token| token.role == Role::UnaryOperator;
    if left.is_word() && right.is_word() {
        return true;
    }
    if right.is(":") || right.is(",") {
        return false;
    }
    if left.is(",") {
        return true;
    }
    if has(Role::SubscriptColon) {
        return false;
    }
    if has(Role::TypeColon) {
        return true;
    }
    if (left.role == Role::BinaryOperator || left.kind == Kind::Keyword) && is_unary(right) {
        return true;
    }
    if is_unary(left) && is_unary(right) {
        return false;
    }
    if has(Role::BinaryOperator) {
        return true;
    }
    let touches = is_unary(left) && (right.is_name() || right.kind == Kind::Number || right.is("("))
        || left.is(".")
        || right.is(".")
        || left.opens() && (right.closes() || right.opens() || right.is_word() || is_unary(right))
        || left.closes() && right.opens()
        || left.is_name() && right.opens()
        || right.closes();
    !touches
}
