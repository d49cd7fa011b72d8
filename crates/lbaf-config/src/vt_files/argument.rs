// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of a balancer: in a line of an LB configuration file, or alone as in vt's `--vt_lb_args`.

use crate::vt_files::error::{Fault, Position, ScheduleError};
use crate::vt_files::line::{Word, apart};

/// A setting of a balancer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The key. In an LB configuration file it is one that the balancer takes.
    pub key: String,
    /// The value as written; only the balancer knows what it means.
    pub value: String,
    /// Where the key begins.
    pub position: Position,
}

const ALONE: &str = "an argument `key=value`, as in `min=0.9 auto=false`";

impl Argument {
    /// Reads `key=value ..`, blanks and new lines between them. There are no comments.
    ///
    /// # Errors
    /// At the first word that is no argument, and at a key that was there already.
    ///
    /// ```
    /// use lbaf_config::vt_files::Argument;
    ///
    /// let arguments = Argument::list("min=1.0 auto=false").expect("valid");
    /// assert_eq!((arguments[1].key.as_str(), arguments[1].value.as_str()), ("auto", "false"));
    /// assert_eq!(arguments[1].value_position().column, 14);
    /// ```
    pub fn list(text: &str) -> Result<Vec<Argument>, ScheduleError> {
        let mut arguments: Vec<Argument> = Vec::new();
        for (index, line) in text.split('\n').enumerate() {
            for word in apart(1 + index, line) {
                let argument = Argument::read(word, ALONE)?;
                arguments.push(argument.unlike(&arguments, word)?);
            }
        }
        Ok(arguments)
    }

    /// Where the value begins.
    pub fn value_position(&self) -> Position {
        let Position { line, column } = self.position;
        Position { line, column: column + self.key.chars().count() + 1 }
    }

    /// Reads a word, which `expected` describes.
    pub(crate) fn read(word: Word<'_>, expected: &'static str) -> Result<Self, ScheduleError> {
        let (key, value) = word.text.split_once('=').ok_or_else(|| word.unexpected(expected))?;
        // vt takes `a=b=c` for two keys, neither of which anybody means.
        if key.is_empty() || value.is_empty() || value.contains('=') {
            return Err(word.unexpected(expected));
        }
        Ok(Argument { key: key.to_owned(), value: value.to_owned(), position: word.position })
    }

    /// Itself, if none before it has its key.
    pub(crate) fn unlike(self, others: &[Argument], word: Word<'_>) -> Result<Self, ScheduleError> {
        if others.iter().any(|other| other.key == self.key) {
            return Err(word.fault(Fault::KeyTwice { key: word.with(&self.key).shown() }));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_know_where_they_stand() {
        let arguments = Argument::list("  min=1.0\tauto=false\n ümin=2\r\n").unwrap();
        let said = |argument: &Argument| {
            let Argument { key, value, position } = argument;
            let behind = argument.value_position();
            format!("{}:{} {key}, {}:{} {value}", position.line, position.column, behind.line, behind.column)
        };
        let said: Vec<String> = arguments.iter().map(said).collect();
        assert_eq!(said, ["1:3 min, 1:7 1.0", "1:11 auto, 1:16 false", "2:2 ümin, 2:7 2"]);
        assert_eq!(Argument::list(" \n").unwrap(), []);
    }

    #[test]
    fn refuses_what_is_no_argument_and_what_comes_twice() {
        let error = |text: &str| Argument::list(text).unwrap_err().to_string();
        let expected = "expected an argument `key=value`, as in `min=0.9 auto=false`, found";
        for (text, column, word) in [
            ("auto", 1, "auto"),
            ("max=2 min =1", 7, "min"),
            ("min=", 1, "min="),
            ("=1", 1, "=1"),
            ("min=1=2", 1, "min=1=2"),
            ("min=1 # as before", 7, "#"),
            ("%5", 1, "%5"),
        ] {
            assert_eq!(error(text), format!("line 1, column {column}: {expected} {word:?}"), "{text}");
        }
        assert_eq!(
            error("min=1\nmin=2"),
            "line 2, column 1: the argument `min` stands twice in this line; keep one of them"
        );
    }
}
