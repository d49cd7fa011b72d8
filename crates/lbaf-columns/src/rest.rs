// SPDX-License-Identifier: MIT OR Apache-2.0
//! Members for which no column is there, as JSON text, so that nothing is lost.

/// An object of the members that no column holds.
#[derive(Debug, Default)]
pub(crate) struct Rest {
    /// Without the closing brace; empty as long as there is no member.
    text: String,
}

impl Rest {
    /// Takes a member, its value as it is spelled.
    pub(crate) fn add(&mut self, key: &str, json: &str) {
        self.begin(key);
        push_compact(&mut self.text, json);
    }

    /// Takes the rest of a member that is an object itself, if something is in it.
    pub(crate) fn add_rest(&mut self, key: &str, rest: Rest) {
        if let Some(text) = rest.into_text() {
            self.begin(key);
            self.text += &text;
        }
    }

    /// The object; `None` if it has no member.
    pub(crate) fn into_text(mut self) -> Option<String> {
        if self.text.is_empty() {
            return None;
        }
        self.text.push('}');
        Some(self.text)
    }

    fn begin(&mut self, key: &str) {
        self.text.push(if self.text.is_empty() { '{' } else { ',' });
        self.text += &serde_json::to_string(key).expect("invariant: a string can be a key");
        self.text.push(':');
    }
}

/// A JSON value without the white space between its tokens.
pub(crate) fn compact(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    push_compact(&mut text, json);
    text
}

fn push_compact(text: &mut String, json: &str) {
    let (mut in_string, mut escaped) = (false, false);
    text.extend(json.chars().filter(|character| {
        let is_white = !in_string && character.is_ascii_whitespace();
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_string = !in_string,
            _ => {}
        }
        !is_white
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_goes_but_for_that_in_strings() {
        assert_eq!(
            compact(" { \"a b\" : [ 1 ,\n\t2 ] , \"c\\\" \\\\\" : \" d \" } "),
            r#"{"a b":[1,2],"c\" \\":" d "}"#
        );
    }

    #[test]
    fn members_keep_their_spelling_and_nothing_is_null() {
        let mut rest = Rest::default();
        assert!(Rest::default().into_text().is_none());
        rest.add("a\"b", "1.50");
        rest.add_rest("empty", Rest::default());
        let mut inner = Rest::default();
        inner.add("c", "[ ]");
        rest.add_rest("d", inner);
        assert_eq!(rest.into_text().as_deref(), Some(r#"{"a\"b":1.50,"d":{"c":[]}}"#));
    }
}
