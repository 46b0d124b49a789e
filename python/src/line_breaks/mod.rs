//! Long lines of a program, broken where Exo's formatter breaks them: `yapf` with the style of PEP 8. Spec: [rule: python.exo-procedures].
//!
//! A line is read as `yapf` reads it ([`tree`]), every place between two tokens gets the cost of a break ([`costs`]), and the
//! cheapest way to set the tokens is looked for ([`search`]) among the layouts that its rules admit ([`layout`]). What an Exo
//! program cannot contain is not read: dictionaries, strings, lambdas, comprehensions, named and default arguments.

mod costs;
mod layout;
mod rules;
mod search;
mod token;
mod tree;

use layout::Line;
use pyo3::prelude::*;

/// The width of a line.
const LIMIT: usize = 79;
/// Columns of a level of statements, and of what is continued.
const INDENT: usize = 4;

/// The lines that the formatter makes of one, without ends of lines; nothing where it is no line of a program.
#[pyfunction]
pub(crate) fn broken(py: Python<'_>, line: &str) -> Option<Vec<String>> {
    py.detach(|| lines(line))
}

fn lines(line: &str) -> Option<Vec<String>> {
    let text = line.trim_start_matches(' ');
    let depth = (line.len() - text.len()) / INDENT;
    let mut tokens = token::tokens(text)?;
    let tree = tree::statement(&tokens)?;
    costs::mark(&tree, &mut tokens);
    let line = Line::new(tokens, depth);
    let Some(breaks) = line.is_too_long().then(|| search::cheapest(&line)) else {
        return Some(vec![line.on_one()]);
    };
    Some(breaks.map_or_else(|| vec![text_of(depth, text)], |breaks| line.set(&breaks)))
}

fn text_of(depth: usize, text: &str) -> String {
    format!("{}{text}", " ".repeat(depth * INDENT))
}
