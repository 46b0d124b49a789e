//! Command lines that messages give, as a shell takes them.

use std::borrow::Cow;

/// One argument.
pub fn word(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(format!("'{}'", text.replace('\'', r"'\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn what_a_shell_would_take_apart_is_quoted() {
        assert_eq!(word("a/b-1.py"), "a/b-1.py");
        assert_eq!(word("my file.py"), "'my file.py'");
        assert_eq!(word("it's"), r"'it'\''s'");
        assert_eq!(word(""), "''");
    }
}
