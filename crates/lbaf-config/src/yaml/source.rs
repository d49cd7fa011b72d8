// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sources of a configuration.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use lbaf_text::{line, lines};

use super::{Error, Place, SourceId};

/// Names and texts of all files and arguments, so that errors can show the faulty line.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<Source>);

#[derive(Clone, Debug)]
struct Source {
    name: String,
    text: String,
}

impl Sources {
    /// Adds a text under a name for error messages.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let mut text = text.into();
        // A byte order mark does not count as a column of the first line.
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        self.0.push(Source { name: name.into(), text });
        SourceId(self.0.len() - 1)
    }

    /// Adds the contents of a file.
    ///
    /// # Errors
    /// At the first byte that is not UTF-8.
    pub fn add_bytes(&mut self, name: impl Into<String>, bytes: &[u8]) -> Result<SourceId, Error> {
        let source = self.add(name, String::from_utf8_lossy(bytes));
        let Err(error) = str::from_utf8(bytes) else {
            return Ok(source);
        };
        let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let line = valid.rsplit('\n').next().unwrap_or_default();
        let place = Place {
            source,
            line: valid.matches('\n').count() + 1,
            column: line.trim_start_matches('\u{feff}').chars().count() + 1,
            length: 1,
        };
        Err(Error::new("this byte is not UTF-8; save the file as UTF-8 text", place))
    }

    /// Returns the text of a source.
    pub fn text(&self, source: SourceId) -> &str {
        &self.0[source.0].text
    }

    /// Returns the name of a source.
    pub fn name(&self, source: SourceId) -> &str {
        &self.0[source.0].name
    }

    /// Renders an error with file, line and column, and the faulty line with the place underlined. An error without a
    /// place is rendered alone. Escapes hidden characters.
    pub fn render(&self, error: &Error) -> String {
        let Some(place) = error.place else {
            return line(&error.to_string()).into_owned();
        };
        let Source { name, text } = &self.0[place.source.0];
        let written = text.lines().nth(place.line - 1).unwrap_or_default();
        // Escapes are longer than the original characters, so columns shift.
        let shown = lines(written);
        let offset = |column: usize| {
            let start = written.char_indices().nth(column - 1).map_or(written, |(at, _)| &written[..at]);
            lines(start).len()
        };
        let underlined = offset(place.column)..offset(place.column + place.length.max(1));
        let snippet = Snippet::source(&*shown)
            .line_start(place.line)
            .annotation(AnnotationKind::Primary.span(underlined));
        let title = format!("{name}:{}:{}: {error}", place.line, place.column);
        let title = line(&title);
        let report = Level::ERROR.no_name().primary_title(title).element(snippet);
        Renderer::plain().render(&[report])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn underlines_characters_not_bytes() {
        let mut sources = Sources::default();
        let source = sources.add("ü.yaml", "first: 1\nnäme: ßß # x\n");
        let error = Error::new("no", Place { source, line: 2, column: 7, length: 2 });
        assert_eq!(sources.render(&error), "ü.yaml:2:7: no\n  |\n2 | näme: ßß # x\n  |       ^^");
    }

    #[test]
    fn cuts_a_place_at_the_end_of_its_line() {
        let mut sources = Sources::default();
        let source = sources.add("a.yaml", "a: 'b\n  c'\n");
        let error = Error::new("no", Place { source, line: 1, column: 4, length: 7 });
        assert_eq!(sources.render(&error), "a.yaml:1:4: no\n  |\n1 | a: 'b\n  |    ^^");
        let end = Error::new("no", Place { source, line: 3, column: 1, length: 0 });
        assert_eq!(sources.render(&end), "a.yaml:3:1: no\n  |\n3 |\n  | ^");
    }

    #[test]
    fn hidden_characters_are_escaped_and_the_place_stays() {
        let mut sources = Sources::default();
        let source = sources.add("a\u{1b}[2J\nb.yaml", "\u{202e}x: \u{9b}1m");
        let error = Error::new("no `\u{7}`", Place { source, line: 1, column: 5, length: 3 });
        assert_eq!(
            sources.render(&error),
            "a\\u001b[2J\\nb.yaml:1:5: no `\\u0007`\n  |\n1 | \\u202ex: \\u009b1m\n  |          ^^^^^^^^"
        );
        assert_eq!(sources.render(&serde::de::Error::custom("\u{1b}c")), "\\u001bc");
    }

    #[test]
    fn finds_the_byte_that_is_not_utf8() {
        let mut sources = Sources::default();
        let error = sources.add_bytes("a.yaml", b"a: 1\nn\xc3\xa4me: \xff\n").unwrap_err();
        let rendered = sources.render(&error);
        assert!(rendered.starts_with("a.yaml:2:7: this byte is not UTF-8"), "{rendered}");
    }

    #[test]
    fn does_not_count_a_byte_order_mark() {
        let mut sources = Sources::default();
        let source = sources.add_bytes("a.yaml", b"\xef\xbb\xbfa: 1\n").unwrap();
        assert_eq!(sources.text(source), "a: 1\n");
    }
}
