//! How the tokens of a line are set, one after the other: with a break before each or without.

use super::costs::{NEVER, STRONG, VERY_STRONG};
use super::token::{Role, Token, spaces};
use super::{INDENT, LIMIT};

/// A column beyond the limit.
const EXCESS: i64 = 7_000;
/// Each further break in the same brackets.
const FURTHER_BREAK: i64 = 30;
const BREAK: i64 = 10;

/// The tokens of a line, and what of them hangs on no layout.
pub(super) struct Line {
    pub(super) tokens: Vec<Token>,
    pub(super) depth: usize,
    /// Spaces before each, where no break is.
    spaces: Vec<usize>,
    /// Columns up to the end of each, on one line, without the indentation.
    pub(super) ends: Vec<usize>,
    /// The other bracket of each bracket.
    pub(super) pairs: Vec<Option<usize>>,
    pub(super) elements: Vec<Vec<usize>>,
    /// The first token of the first parameter, and that of the last.
    parameters: Option<(usize, usize)>,
}

impl Line {
    pub(super) fn new(tokens: Vec<Token>, depth: usize) -> Line {
        let spaces: Vec<usize> = (0..tokens.len())
            .map(|at| if at == 0 { 0 } else { spaces(&tokens[at - 1], &tokens[at]) })
            .collect();
        let ends = tokens
            .iter()
            .zip(&spaces)
            .scan(0, |end, (token, spaces)| {
                *end += spaces + token.width();
                Some(*end)
            })
            .collect();
        let mut pairs = vec![None; tokens.len()];
        let mut elements = vec![Vec::new(); tokens.len()];
        let mut open = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            if token.opens() {
                open.push(at);
            } else if token.closes()
                && let Some(opening) = open.pop()
            {
                pairs[opening] = Some(at);
                pairs[at] = Some(opening);
            }
            if let Some(opening) = token.element_of.filter(|opening| open.contains(opening)) {
                elements[opening].push(at);
            }
        }
        let first = tokens.iter().position(|token| token.starts_parameter);
        let last = tokens.iter().rposition(|token| token.starts_parameter);
        Line { parameters: first.zip(last), tokens, depth, spaces, ends, pairs, elements }
    }

    fn indentation(&self) -> usize {
        self.depth * INDENT
    }

    pub(super) fn is_too_long(&self) -> bool {
        self.ends.last().is_some_and(|end| end + self.indentation() > LIMIT)
    }

    /// All on one line.
    pub(super) fn on_one(&self) -> String {
        let mut line = " ".repeat(self.indentation());
        for (token, spaces) in self.tokens.iter().zip(&self.spaces) {
            line += &" ".repeat(*spaces);
            line += &token.text;
        }
        line
    }

    /// The lines with breaks before these tokens.
    pub(super) fn set(&self, breaks: &[bool]) -> Vec<String> {
        let mut layout = Layout::start(self);
        let mut lines = vec![format!("{}{}", " ".repeat(self.indentation()), self.tokens[0].text)];
        for (at, is_broken) in (1..self.tokens.len()).zip(breaks) {
            layout.add(self, *is_broken, false);
            let token = &self.tokens[at].text;
            if *is_broken {
                let start = layout.column - self.tokens[at].width();
                lines.push(format!("{}{token}", " ".repeat(start.max(self.indentation()))));
            } else if let Some(line) = lines.last_mut() {
                *line += &" ".repeat(self.spaces[at]);
                *line += token;
            }
        }
        lines
    }

    /// The bracket in which a token is, or that it is or closes.
    pub(super) fn opening(&self, at: usize) -> Option<usize> {
        if let Some(pair) = self.pairs[at] {
            return Some(pair.min(at));
        }
        let mut at = at;
        while at > 0 {
            at -= 1;
            if self.tokens[at].opens() {
                return Some(at);
            }
            if let Some(pair) = self.pairs[at] {
                at = pair;
            }
        }
        None
    }

    fn is_compound(&self) -> bool {
        ["for", "if", "def"].iter().any(|word| self.tokens[0].is(word))
    }

    /// Whether it opens the parameters of a procedure.
    fn opens_parameters(&self, at: usize) -> bool {
        self.tokens[at].is("(") && at > 0 && self.tokens[at - 1].role == Role::Defined
    }

    /// Whether the last parameter, and what is after it, ends beyond the limit.
    fn last_parameter_exceeds(&self, indent: usize) -> bool {
        self.parameters.is_some_and(|(_, last)| {
            let before = self.ends[last] - self.tokens[last].width();
            self.ends[self.ends.len() - 1] - before + indent > LIMIT
        })
    }

    pub(super) fn may_break(&self, at: usize) -> bool {
        let (left, right) = (&self.tokens[at - 1], &self.tokens[at]);
        let is_never = right.cost >= NEVER
            || left.is("@")
            || right.is(":")
            || right.is(",")
            || left.is_name() && right.opens()
            || left.role == Role::UnaryOperator;
        !is_never
    }
}

/// What brackets do to the lines in them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Level {
    indent: usize,
    last_space: usize,
    closing_indent: usize,
    pub(super) is_broken_after_opening: bool,
    breaks: i64,
}

impl Level {
    fn new(indent: usize, last_space: usize) -> Level {
        Level { indent, last_space, closing_indent: 0, is_broken_after_opening: false, breaks: 0 }
    }
}

/// A layout of the tokens before the next one.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) next: usize,
    pub(super) column: usize,
    /// How many brackets are open, at least, since the last break.
    lowest: usize,
    levels: Vec<Level>,
    /// In the parameters of a procedure: whether a break is before the first, and the column after the bracket.
    parameters: Option<(bool, usize)>,
}

impl Layout {
    /// The first token stands where the line is indented to.
    pub(super) fn start(line: &Line) -> Layout {
        let indent = line.indentation();
        let mut layout = Layout {
            next: 0,
            column: indent,
            lowest: 0,
            levels: vec![Level::new(indent, indent)],
            parameters: None,
        };
        layout.advance(line);
        layout
    }

    fn open(&self) -> usize {
        self.levels.len() - 1
    }

    /// What two layouts that go on alike have in common, but for what the brackets do.
    pub(super) fn place(&self) -> (usize, usize, usize, usize) {
        (self.next, self.column, self.open(), self.lowest)
    }

    pub(super) fn goes_on_as(&self, other: &Layout) -> bool {
        self.levels == other.levels && self.parameters == other.parameters
    }

    /// Whether what begins at a token and ends with another would end before the limit, if it began here.
    pub(super) fn fits(&self, line: &Line, from: usize, to: usize) -> bool {
        line.ends[to] - line.ends[from] + line.tokens[from].width() + self.column <= LIMIT
    }

    pub(super) fn is_broken_after_opening(&self) -> bool {
        self.levels[self.open()].is_broken_after_opening
    }

    /// Sets the next token, and says what that costs.
    pub(super) fn add(&mut self, line: &Line, is_broken: bool, must_break: bool) -> i64 {
        let at = self.next;
        let begins = line.opens_parameters(at - 1);
        // In front of the first parameter two levels are there: that of the line and that of the parameters.
        let after_bracket = || line.ends[at - 1] + self.levels[self.open() - 1].indent;
        if begins {
            self.parameters = Some((is_broken, after_bracket()));
        }
        let mut cost = if is_broken { self.add_below(line, must_break) } else { self.add_beside(line) };
        cost += self.cost_in_parameters(line, is_broken, begins);
        cost + self.advance(line)
    }

    fn add_beside(&mut self, line: &Line) -> i64 {
        let (at, open) = (self.next, self.open());
        if line.tokens[at - 1].opens() {
            let level = &mut self.levels[open];
            level.closing_indent = self.column;
            level.indent = self.column + line.spaces[at];
        }
        self.column += line.spaces[at];
        0
    }

    fn add_below(&mut self, line: &Line, must_break: bool) -> i64 {
        let (at, open) = (self.next, self.open());
        let (previous, token) = (&line.tokens[at - 1], &line.tokens[at]);
        self.column = self.column_below(line);
        self.lowest = open;
        let level = &mut self.levels[open];
        level.last_space = self.column;
        if previous.opens() {
            level.closing_indent = level.indent.saturating_sub(INDENT);
            level.is_broken_after_opening = true;
        }
        if must_break {
            return token.cost;
        }
        level.breaks += 1;
        let is_nested = token.opens() && previous.opens() && !(at > 1 && line.tokens[at - 2].is_name());
        token.cost + FURTHER_BREAK * level.breaks + if is_nested { 2 * BREAK } else { BREAK }
    }

    /// Where a token goes that is below.
    fn column_below(&self, line: &Line) -> usize {
        let (token, previous) = (&line.tokens[self.next], &line.tokens[self.next - 1]);
        let level = &self.levels[self.open()];
        if token.opens() {
            return if self.open() > 0 { level.indent } else { line.indentation() };
        }
        if token.closes() {
            return if previous.opens() { level.indent.saturating_sub(INDENT) } else { level.closing_indent };
        }
        // What is continued stands farther in than the body.
        let is_as_the_body = level.indent == line.indentation() + INDENT;
        let is_farther = match self.parameters {
            None => line.is_compound(),
            Some(_) => token.starts_parameter && !line.last_parameter_exceeds(level.indent),
        };
        if is_as_the_body && is_farther { level.indent + INDENT } else { level.indent }
    }

    fn cost_in_parameters(&mut self, line: &Line, is_broken: bool, begins: bool) -> i64 {
        let Some((_, after_bracket)) = self.parameters else { return 0 };
        if begins {
            return if is_broken && after_bracket <= self.column { VERY_STRONG } else { 0 };
        }
        let closes = line.pairs[self.next].is_some_and(|opening| line.opens_parameters(opening));
        if closes {
            self.parameters = None;
            return 0;
        }
        let fits = line.parameters.is_some_and(|(first, _)| self.fits(line, first, line.tokens.len() - 1));
        if is_broken && fits { STRONG } else { 0 }
    }

    /// The next token is set at the column: the levels after it, and what it costs to be beyond the limit.
    fn advance(&mut self, line: &Line) -> i64 {
        let token = &line.tokens[self.next];
        let open = self.open();
        if token.opens() {
            let last_space = self.levels[open].last_space;
            self.levels.push(Level::new(INDENT + last_space, last_space));
        } else if token.closes() {
            if open > 0 {
                self.levels[open - 1].last_space = self.levels[open].last_space;
                self.levels.pop();
            }
        } else {
            self.lowest = self.lowest.min(open);
        }
        self.column += token.width();
        self.next += 1;
        EXCESS * i64::try_from(self.column.saturating_sub(LIMIT)).unwrap_or(i64::from(i32::MAX))
    }
}
