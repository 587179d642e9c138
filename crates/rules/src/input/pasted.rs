//! Trims text forms: people paste them from messages, web pages and files of other systems.

/// Return the text without a byte-order mark, spaces and line ends around it.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_around)
}

/// Whether the character means nothing before and after a text.
fn is_around(character: char) -> bool {
    character.is_whitespace() || character == '\u{feff}'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_around_a_copied_text_are_ignored() {
        for text in ["a b", "\u{feff}a b", "\r\n\n \u{feff}a b\t\r\n", "\u{a0}a b\u{2003}"] {
            assert_eq!(trim(text), "a b", "{text:?}");
        }
        assert_eq!(trim(" \u{feff}\n"), "");
    }
}
