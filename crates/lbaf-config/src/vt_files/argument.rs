// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arguments of a balancer: in a line of an LB configuration file, or separately as in vt's `--vt_lb_args`.

use crate::vt_files::error::{Fault, Position, ScheduleError};
use crate::vt_files::line::{Word, apart};

/// Argument of a balancer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Key: in an LB configuration file, one of the balancer; in a [`list`](Self::list), any key.
    pub key: String,
    /// Value as written; its meaning depends on the balancer.
    pub value: String,
    /// Position of the key.
    pub position: Position,
}

const ALONE: &str = "an argument `key=value`, as in `min=0.9 auto=false`";

impl Argument {
    /// Reads arguments `key=value`, separated by blanks and line breaks. Comments are not supported.
    ///
    /// # Errors
    /// At the first word that is not an argument or repeats a key.
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

    /// Returns the position of the value.
    pub fn value_position(&self) -> Position {
        let Position { line, column } = self.position;
        Position { line, column: column + self.key.chars().count() + 1 }
    }

    /// Reads a word. `expected` describes a valid word in error messages.
    pub(crate) fn read(word: Word<'_>, expected: &'static str) -> Result<Self, ScheduleError> {
        let (key, value) = word.text.split_once('=').ok_or_else(|| word.unexpected(expected))?;
        // vt reads `a=b=c` as two keys, which is never intended.
        if key.is_empty() || value.is_empty() || value.contains('=') {
            return Err(word.unexpected(expected));
        }
        Ok(Argument { key: key.to_owned(), value: value.to_owned(), position: word.position })
    }

    /// Returns the argument, or an error if one of `others` has its key.
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
    fn arguments_have_positions() {
        let arguments = Argument::list("  min=1.0\tauto=false\n ümin=2\r\n").unwrap();
        let said = |argument: &Argument| {
            let Argument { key, value, position } = argument;
            let value_at = argument.value_position();
            format!(
                "{}:{} {key}, {}:{} {value}",
                position.line, position.column, value_at.line, value_at.column
            )
        };
        let said: Vec<String> = arguments.iter().map(said).collect();
        assert_eq!(said, ["1:3 min, 1:7 1.0", "1:11 auto, 1:16 false", "2:2 ümin, 2:7 2"]);
        assert_eq!(Argument::list(" \n").unwrap(), []);
    }

    #[test]
    fn refuses_invalid_and_repeated_arguments() {
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
            "line 2, column 1: the argument `min` occurs twice; keep one of them"
        );
    }
}
