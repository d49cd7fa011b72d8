// SPDX-License-Identifier: MIT OR Apache-2.0
//! Colours of messages and results. By default, only terminals show them; `NO_COLOR` turns them off.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const NOTE: Style = AnsiColor::Cyan.on_default();
const EMPHASIS: Style = Style::new().bold();

/// Returns a message after its label: `error: text`.
pub(crate) fn labelled(label: &str, style: Style, text: &str) -> String {
    format!("{style}{label}:{style:#} {text}")
}

/// Emphasizes the first line of a report (its title) and lines that equal one of `sentences`.
pub(crate) fn emphasized(report: &str, sentences: &[String]) -> String {
    let mut out = String::with_capacity(report.len() + 16);
    for (position, line) in report.split_inclusive('\n').enumerate() {
        let text = line.trim_end_matches('\n');
        if !text.is_empty() && (position == 0 || sentences.iter().any(|sentence| sentence == text)) {
            let end = &line[text.len()..];
            let _ = write!(out, "{EMPHASIS}{text}{EMPHASIS:#}{end}");
        } else {
            out += line;
        }
    }
    out
}

/// Marks the last line of a report, its verdict, as an error.
pub(crate) fn refused(report: &str) -> String {
    let text = report.trim_end_matches('\n');
    if text.is_empty() {
        return String::new();
    }
    let (findings, verdict) = text.rsplit_once('\n').unwrap_or(("", text));
    let break_before = if findings.is_empty() { "" } else { "\n" };
    format!("{findings}{break_before}{ERROR}{verdict}{ERROR:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_and_sentences_are_emphasized() {
        let report = "title\n\ntable\nA sentence.\n";
        let expected = "\u{1b}[1mtitle\u{1b}[0m\n\ntable\n\u{1b}[1mA sentence.\u{1b}[0m\n";
        assert_eq!(emphasized(report, &["A sentence.".to_owned()]), expected);
        assert_eq!(anstream::adapter::strip_str(expected).to_string(), report);
    }

    #[test]
    fn verdicts_are_marked() {
        let expected = "a: wrong\n\u{1b}[1m\u{1b}[31m1 file: 1 invalid\u{1b}[0m\n";
        assert_eq!(refused("a: wrong\n1 file: 1 invalid\n"), expected);
        assert_eq!(refused(""), "");
        assert_eq!(refused("bad\n"), "\u{1b}[1m\u{1b}[31mbad\u{1b}[0m\n");
    }
}
