//! Where a break must be, whatever it costs.

use super::LIMIT;
use super::costs::NEVER;
use super::layout::{Layout, Line};
use super::token::Role;

impl Layout {
    /// Whether a break must be before the next token.
    pub(super) fn must_break(&self, line: &Line) -> bool {
        let at = self.next;
        let (previous, token) = (&line.tokens[at - 1], &line.tokens[at]);
        if self.is_broken_after_opening() && token.is("]") && token.role != Role::SubscriptBracket {
            return token.cost != NEVER;
        }
        if token.is_name() && previous.is(",") && (self.call_tears(line) || self.argument_is_long_call(line))
        {
            return true;
        }
        let is_first = previous.is("(") && at > 1 && line.tokens[at - 2].is_name();
        if token.is_name() && is_first && self.first_argument_is_long_call(line) {
            return true;
        }
        previous.opens()
            && !token.opens()
            && previous.role != Role::SubscriptBracket
            && self.opening_tears(line)
    }

    /// A call in a list of arguments, or in a subscript, of which one or the other is too long.
    fn call_tears(&self, line: &Line) -> bool {
        let at = self.next;
        let mut after = at + 1;
        while line.tokens.get(after).is_some_and(|token| token.is_name() || token.is(".")) {
            after += 1;
        }
        if !line.tokens.get(after).is_some_and(|token| token.is("(")) {
            return false;
        }
        let Some(around) = surrounding(line, at) else { return false };
        let (from, bracket) = if line.tokens[around].is("[") { (around, around) } else { (at, after) };
        line.pairs[bracket].is_some_and(|close| !self.fits(line, from, close))
    }

    /// A call in a list of arguments that is too long, or that is not all of its argument.
    fn argument_is_long_call(&self, line: &Line) -> bool {
        let Some(opening) = line.opening(self.next) else { return false };
        if !(line.tokens[opening].is("(") && opening > 0 && line.tokens[opening - 1].is_name()) {
            return false;
        }
        // A product of a name and a group passes for a call.
        let mut at = self.next;
        while line.tokens.get(at).is_some_and(|token| token.is_name() || token.is(".") || token.is("*")) {
            at += 1;
        }
        let Some(close) = line.pairs.get(at).copied().flatten().filter(|_| line.tokens[at].is("(")) else {
            return false;
        };
        let is_all = line.tokens.get(close + 1).is_none_or(|after| after.is(",") || after.closes());
        !is_all || !self.fits(line, self.next, close)
    }

    fn first_argument_is_long_call(&self, line: &Line) -> bool {
        let at = self.next;
        let is_too_long = line.pairs[at - 1].is_some_and(|close| !self.fits(line, at - 1, close));
        is_too_long && has_arguments(line, at) && self.argument_is_long_call(line)
    }

    /// What is in brackets that are just opened, and is too long to stand beside them.
    fn opening_tears(&self, line: &Line) -> bool {
        let opening = self.next - 1;
        let Some(close) = line.pairs[opening] else { return false };
        let is_too_long = !self.fits(line, opening, close);
        if line.tokens[opening].is("[") {
            return is_too_long;
        }
        let is_called = opening > 0 && line.tokens[opening - 1].is_name();
        let elements = &line.elements[opening];
        if !is_called || !is_too_long || elements.len() == 1 {
            return false;
        }
        let ends = elements.iter().skip(1).chain([&close]);
        let tears =
            |(from, to): (&usize, &usize)| !line.tokens[*from].opens() && !self.fits(line, *from, *to);
        elements.iter().zip(ends).any(tears) || is_far_right(self.column)
    }
}

/// Less than three tenths of the line are left.
fn is_far_right(column: usize) -> bool {
    column > LIMIT || 10 * (LIMIT - column) < 3 * LIMIT
}

/// Whether a call with arguments begins here.
fn has_arguments(line: &Line, at: usize) -> bool {
    let mut at = at;
    while let Some(token) = line.tokens.get(at) {
        if token.is("(") {
            return line.tokens.get(at + 1).is_some_and(|next| !next.is(")"));
        }
        if !(token.is_name() || token.is_keyword() || token.is(".") || token.is("=")) {
            return false;
        }
        at += 1;
    }
    false
}

/// The bracket before a token that is open there; those of each sort are counted for themselves.
fn surrounding(line: &Line, at: usize) -> Option<usize> {
    let (mut round, mut square) = (0_i32, 0_i32);
    for before in (0..at).rev() {
        let count = match line.tokens[before].text.as_str() {
            ")" => {
                round -= 1;
                continue;
            }
            "]" => {
                square -= 1;
                continue;
            }
            "(" => &mut round,
            "[" => &mut square,
            _ => continue,
        };
        if *count == 0 {
            return Some(before);
        }
        *count += 1;
    }
    None
}
