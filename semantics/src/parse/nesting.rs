//! Nesting is bounded before anything recurses over the text. Spec: [rule: syntax.nesting].
//!
//! Python itself allows 100 levels of indentation and 200 of brackets; what is printed needs as many
//! brackets as the program is deep, and a few for the layout. Chains of prefix operators and
//! the like nest without either, and are counted too. What is left, long sums such as `a + b + c + …`,
//! is read by loops, refused by [`super::surface`] when it is too deep, and freed by
//! [`super::discard`].

mod quick;

use ruff_python_ast::token::TokenKind;
use ruff_python_parser::Mode;
use ruff_python_parser::lexer::lex;

/// Levels of indentation, as in Python.
pub(super) const MAX_INDENT: usize = 100;
/// Levels of brackets.
const MAX_BRACKETS: usize = super::MAX_DEPTH + 50;
/// Operators of one logical line that nest to the right.
const MAX_PREFIXES: usize = 2000;

/// Refuses a text that nests too deeply or is too long to have places; says where.
pub(super) fn check(text: &str) -> Result<(), u32> {
    if u32::try_from(text.len()).is_err() {
        return Err(0);
    }
    if quick::is_shallow(text) || !exceeds(text) {
        return Ok(());
    }
    // The lexer keeps its places to itself: search for the shortest prefix that is too deep.
    let (mut fine, mut bad) = (0, text.len());
    while bad - fine > 1 {
        let middle = text.floor_char_boundary(fine.midpoint(bad));
        if middle == fine {
            break;
        }
        match text.get(..middle).is_some_and(exceeds) {
            true => bad = middle,
            false => fine = middle,
        }
    }
    Err(u32::try_from(fine).unwrap_or(0))
}

/// Whether a text nests too deeply.
fn exceeds(text: &str) -> bool {
    let (mut indent, mut brackets, mut prefixes) = (0_usize, 0_usize, 0_usize);
    let mut lexer = lex(text, Mode::Module);
    let mut operand = false;
    loop {
        let token = lexer.next_token();
        match effect(token, operand) {
            Effect::End => return false,
            Effect::Indent => indent += 1,
            Effect::Dedent => indent = indent.saturating_sub(1),
            Effect::Open => brackets += 1,
            Effect::Close => brackets = brackets.saturating_sub(1),
            Effect::Line => (brackets, prefixes) = (0, 0),
            Effect::Prefix => prefixes += 1,
            Effect::None => {}
        }
        if indent > MAX_INDENT || brackets > MAX_BRACKETS || prefixes > MAX_PREFIXES {
            return true;
        }
        operand = ends_operand(token);
    }
}

/// What a token does to the depth.
enum Effect {
    None,
    Open,
    Close,
    Indent,
    Dedent,
    Line,
    Prefix,
    End,
}

/// What a token does to the depth, given whether an operand stands before it.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other tokens of Python do not nest")]
fn effect(token: TokenKind, after_operand: bool) -> Effect {
    match token {
        TokenKind::EndOfFile => Effect::End,
        TokenKind::Indent => Effect::Indent,
        TokenKind::Dedent => Effect::Dedent,
        TokenKind::Newline => Effect::Line,
        TokenKind::Lpar
        | TokenKind::Lsqb
        | TokenKind::Lbrace
        | TokenKind::FStringStart
        | TokenKind::TStringStart => Effect::Open,
        TokenKind::Rpar
        | TokenKind::Rsqb
        | TokenKind::Rbrace
        | TokenKind::FStringEnd
        | TokenKind::TStringEnd => Effect::Close,
        TokenKind::Plus | TokenKind::Minus | TokenKind::Star if after_operand => Effect::None,
        TokenKind::Plus
        | TokenKind::Minus
        | TokenKind::Star
        | TokenKind::DoubleStar
        | TokenKind::Tilde
        | TokenKind::ColonEqual
        | TokenKind::Not
        | TokenKind::Lambda
        | TokenKind::If
        | TokenKind::Else
        | TokenKind::Elif
        | TokenKind::For
        | TokenKind::While
        | TokenKind::With
        | TokenKind::Try
        | TokenKind::Match
        | TokenKind::Def
        | TokenKind::Class
        | TokenKind::Await
        | TokenKind::Async
        | TokenKind::Yield
        | TokenKind::From => Effect::Prefix,
        _ => Effect::None,
    }
}

/// Whether an operator after this token is a binary one.
fn ends_operand(token: TokenKind) -> bool {
    matches!(
        token,
        TokenKind::Name
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Complex
            | TokenKind::String
            | TokenKind::FStringEnd
            | TokenKind::TStringEnd
            | TokenKind::Ellipsis
            | TokenKind::True
            | TokenKind::False
            | TokenKind::None
            | TokenKind::Rpar
            | TokenKind::Rsqb
            | TokenKind::Rbrace
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn depth_is_bounded_and_length_is_not() {
        assert_eq!(check(&"(".repeat(MAX_BRACKETS)), Ok(()));
        assert!(check(&"(".repeat(MAX_BRACKETS + 1)).is_err());
        assert!(check(&"not ".repeat(3000)).is_err());
        assert!(check(&"- ".repeat(3000)).is_err());
        assert_eq!(check(&"x + ".repeat(100_000)), Ok(()));
        assert_eq!(check(&"f(x)[0] - y\n".repeat(10_000)), Ok(()));
    }

    /// Texts of the tokens that matter to depth, many of them repeated.
    fn texts() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "(",
            "[",
            "{",
            ")",
            "]",
            "}",
            "\n",
            " ",
            "\t",
            "#",
            "'",
            "\"",
            "'''",
            "\"\"\"",
            "f'",
            "rb\"",
            "\\",
            "\r",
            "not ",
            "- ",
            "x",
            "if 1:\n",
            "é",
            "\u{c}",
            "# é'",
            "'é'",
            "\\\n",
            "'{'",
            "'''\n('''",
        ]);
        let run = (piece, prop_oneof![9 => 1..4_usize, 1 => 60..3000_usize]);
        prop::collection::vec(run, 0..12)
            .prop_map(|runs| runs.into_iter().map(|(piece, count)| piece.repeat(count)).collect())
    }

    proptest! {
        #[test]
        fn what_looks_shallow_is(text in texts()) {
            prop_assert!(!quick::is_shallow(&text) || !exceeds(&text));
        }
    }

    #[test]
    fn ordinary_texts_look_shallow() {
        let text = "\"\"\"A kernel.\"\"\"\n@proc\ndef f(n: size):  # it's\n    x: f32[n]\n    x['a'] = (1, '', [2])\n";
        assert!(quick::is_shallow(&text.repeat(1000)));
    }

    #[test]
    fn the_place_is_where_it_becomes_too_deep() {
        let text = format!("x = 1\ny = {}", "[".repeat(MAX_BRACKETS + 100));
        let deep = u32::try_from(MAX_BRACKETS).unwrap();
        assert_eq!(check(&text), Err(6 + 4 + deep));
    }
}
