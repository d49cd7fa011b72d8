// SPDX-License-Identifier: MIT OR Apache-2.0
//! Random notations of a JSON value: white space, escapes and the notation of numbers are drawn at random.

use std::fmt::Write;

use serde_json::Value;

/// Prints a JSON value in a notation that the seed determines.
pub(crate) fn spell(value: &Value, seed: u64) -> Vec<u8> {
    let mut speller = Speller { state: seed, escapes: seed.is_multiple_of(3), text: String::new() };
    speller.blank();
    speller.value(value);
    speller.blank();
    speller.text.into_bytes()
}

struct Speller {
    state: u64,
    /// True if strings may contain unnecessary escapes. A document without backslashes takes another path through the
    /// parser.
    escapes: bool,
    text: String,
}

impl Speller {
    /// Draws a number below `n`.
    fn draw(&mut self, n: u64) -> u64 {
        // SplitMix64 generator.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % n
    }

    fn blank(&mut self) {
        while self.draw(3) == 0 {
            let blank = [" ", "\n", "\t", "\r\n", "        "][self.draw(5) as usize];
            self.text.push_str(blank);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Object(members) => {
                let members: Vec<_> = members.iter().collect();
                self.container(['{', '}'], &members, |this, &(key, value)| {
                    this.string(key);
                    this.blank();
                    this.text.push(':');
                    this.blank();
                    this.value(value);
                });
            }
            Value::Array(elements) => self.container(['[', ']'], elements, Speller::value),
            Value::String(string) => self.string(string),
            Value::Number(number) => self.number(number),
            other => self.text.push_str(&other.to_string()),
        }
    }

    fn container<T>(&mut self, [open, close]: [char; 2], items: &[T], each: impl Fn(&mut Self, &T)) {
        self.text.push(open);
        self.blank();
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.text.push(',');
                self.blank();
            }
            each(self, item);
            self.blank();
        }
        self.text.push(close);
    }

    fn string(&mut self, string: &str) {
        self.text.push('"');
        for character in string.chars() {
            if self.escapes && self.draw(4) == 0 {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    write!(self.text, "\\u{unit:04x}").unwrap();
                }
                continue;
            }
            match character {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\n' => self.text.push_str("\\n"),
                '\t' => self.text.push_str("\\t"),
                '/' if self.draw(2) == 0 => self.text.push_str("\\/"),
                plain => self.text.push(plain),
            }
        }
        self.text.push('"');
    }

    fn number(&mut self, number: &serde_json::Number) {
        let float = number.as_f64().filter(|_| number.is_f64());
        let spelled = match (float, self.draw(4)) {
            (Some(float), 0) => format!("{float:e}"),
            (Some(float), 1) => format!("{float:.20e}").replace('e', "E"),
            (Some(float), 2) if float < 1e15 => format!("{float:.25}"),
            _ => number.to_string(),
        };
        self.text.push_str(&spelled);
    }
}
