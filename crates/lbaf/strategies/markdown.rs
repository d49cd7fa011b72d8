// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of Markdown doc comments to text for a terminal.

/// Returns the paragraphs and list items of a text, each in one line. Quotes code and reduces links to texts and web
/// addresses.
pub(super) fn paragraphs(markdown: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in markdown.lines().map(str::trim) {
        if line.is_empty() {
            is_open = false;
            continue;
        }
        let begins = !is_open || line.starts_with("- ") || line.starts_with("* ");
        match paragraphs.last_mut().filter(|_| !begins) {
            Some(last) => *last += &[" ", line].concat(),
            None => paragraphs.push(line.to_owned()),
        }
        is_open = true;
    }
    paragraphs.iter().map(|paragraph| plain(paragraph)).collect()
}

/// Indents a text and wraps it at `width`, which only longer words exceed.
pub(super) fn wrapped(text: &str, indent: usize, width: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length <= width {
            lines.push(' ');
            column += 1 + length;
        } else {
            lines += if column > 0 { "\n" } else { "" };
            lines += &" ".repeat(indent);
            column = indent + length;
        }
        lines += word;
    }
    lines + "\n"
}

fn plain(paragraph: &str) -> String {
    let mut text = String::new();
    let mut rest = paragraph;
    while let Some(letter) = rest.chars().next() {
        rest = match letter {
            '`' if let Some((code, behind)) = rest[1..].split_once('`') => {
                text += &["'", code, "'"].concat();
                behind
            }
            '[' if let Some((shown, behind)) = link(rest) => {
                text += &shown;
                behind
            }
            '*' if rest.starts_with("**") => &rest[2..],
            _ => {
                text.push(letter);
                &rest[letter.len_utf8()..]
            }
        };
    }
    text
}

/// Returns the text of a link at the start, and the remainder; `None` for other brackets.
fn link(rest: &str) -> Option<(String, &str)> {
    let (inner, behind) = match rest.strip_prefix("[`") {
        Some(code) => code.split_once("`]")?,
        None => rest.strip_prefix('[')?.split_once(']').filter(|(_, behind)| behind.starts_with('('))?,
    };
    let Some((target, after)) = behind.strip_prefix('(').and_then(|target| target.split_once(')')) else {
        return Some((inner.to_owned(), behind));
    };
    // Paths in the source mean nothing to users.
    let address = if target.contains("://") { format!(" ({target})") } else { String::new() };
    Some((inner.to_owned() + &address, after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_becomes_text() {
        for (markdown, text) in [
            ("Keeps `a: b` and\n[`View::apply`].", "Keeps 'a: b' and View::apply."),
            ("than [`Greedy`](crate::Greedy) is", "than Greedy is"),
            ("the [paper](https://doi.org/1), [all](crate::all)", "the paper (https://doi.org/1), all"),
            ("**Cost.** O(n) within [min, max] of a * b", "Cost. O(n) within [min, max] of a * b"),
            ("`list[1]` and one ` alone", "'list[1]' and one ` alone"),
        ] {
            assert_eq!(paragraphs(markdown), [text], "{markdown}");
        }
        assert_eq!(paragraphs("a\nb\n\n\nc\n- d\n  e\n- f\n"), ["a b", "c", "- d e", "- f"]);
        assert!(paragraphs("").is_empty());
    }

    #[test]
    fn lines_end_before_they_are_too_long() {
        assert_eq!(wrapped("aa bb cc", 1, 6), " aa bb\n cc\n");
        assert_eq!(wrapped("longer than that", 2, 8), "  longer\n  than\n  that\n");
        assert_eq!(wrapped("muchtoolong", 2, 4), "  muchtoolong\n");
        assert_eq!(wrapped("ää öö", 0, 5), "ää öö\n");
    }
}
