// SPDX-License-Identifier: MIT OR Apache-2.0
//! Members of JSON objects without a column, kept as JSON text, so that tables are complete.

/// JSON object of the members without a column.
#[derive(Debug, Default)]
pub(crate) struct Rest {
    /// Text without the closing brace; empty if there are no members.
    text: String,
}

impl Rest {
    /// Adds a member with the original text of its value.
    pub(crate) fn add(&mut self, key: &str, json: &str) {
        self.begin(key);
        push_compact(&mut self.text, json);
    }

    /// Adds the object of `rest` as a member, unless it is empty.
    pub(crate) fn add_rest(&mut self, key: &str, rest: Rest) {
        if let Some(text) = rest.into_text() {
            self.begin(key);
            self.text += &text;
        }
    }

    /// Returns the object as text; `None` if it has no members.
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

/// Returns a JSON value without white space between its tokens.
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
    fn white_space_outside_of_strings_is_removed() {
        assert_eq!(
            compact(" { \"a b\" : [ 1 ,\n\t2 ] , \"c\\\" \\\\\" : \" d \" } "),
            r#"{"a b":[1,2],"c\" \\":" d "}"#
        );
    }

    #[test]
    fn members_keep_their_text_and_an_empty_rest_is_none() {
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
