// SPDX-License-Identifier: MIT OR Apache-2.0
//! Members of an object as text, found without parsing their values: millions of task records get new members.

use crate::compact::string_length;

/// Member of an object without white space between tokens.
#[derive(Clone, Copy)]
pub(crate) struct MemberText<'a> {
    /// Key with its quotation marks.
    key: &'a [u8],
    pub(crate) value: &'a [u8],
    /// Position of the value in the object.
    pub(crate) at: usize,
}

impl MemberText<'_> {
    /// True if this is the key. Keys may contain escape sequences.
    pub(crate) fn has_key(&self, key: &str) -> bool {
        &self.key[1..self.key.len() - 1] == key.as_bytes()
            || self.key.contains(&b'\\')
                && serde_json::from_slice::<String>(self.key).is_ok_and(|unescaped| unescaped == key)
    }

    /// Appends the member.
    pub(crate) fn print(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.key);
        out.push(b':');
        out.extend_from_slice(self.value);
    }
}

/// Iterates over the members of a valid JSON object without white space between tokens. Other values have no members.
pub(crate) fn members_of(object: &[u8]) -> impl Iterator<Item = MemberText<'_>> {
    let mut at = 1;
    std::iter::from_fn(move || {
        if object.first() != Some(&b'{') || at + 1 >= object.len() {
            return None;
        }
        let key = &object[at..at + string_length(&object[at..])];
        let begin = at + key.len() + 1;
        let value = &object[begin..begin + value_length(&object[begin..])];
        at = begin + value.len() + 1;
        Some(MemberText { key, value, at: begin })
    })
}

/// Returns the length of the value at the beginning of `json`.
fn value_length(json: &[u8]) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while let Some(&byte) = json.get(at) {
        match CLASSES[usize::from(byte)] {
            Class::Other => {}
            Class::Comma if depth > 0 => {}
            Class::Quote => at += string_length(&json[at..]) - 1,
            Class::Open => depth += 1,
            Class::Close if depth > 0 => depth -= 1,
            Class::Comma | Class::Close => return at,
        }
        at += 1;
    }
    json.len()
}

/// Role of a byte outside of strings.
#[derive(Clone, Copy)]
enum Class {
    Other,
    Comma,
    Quote,
    Open,
    Close,
}

/// Role of each byte: a table has one branch for each byte, where comparisons have several.
const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    classes[b',' as usize] = Class::Comma;
    classes[b'"' as usize] = Class::Quote;
    classes[b'{' as usize] = Class::Open;
    classes[b'[' as usize] = Class::Open;
    classes[b'}' as usize] = Class::Close;
    classes[b']' as usize] = Class::Close;
    classes
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_kinds_are_found() {
        let object =
            r#"{"a":1.50e-3,"b":"}],\"","c":{"d":[{},[1,"]"]],"e":{}},"":[],"\u0061b":null,"é\\":true}"#;
        let found: Vec<(&str, &str)> = members_of(object.as_bytes())
            .inspect(|member| assert!(object.as_bytes()[member.at..].starts_with(member.value)))
            .map(|member| (str::from_utf8(member.key).unwrap(), str::from_utf8(member.value).unwrap()))
            .collect();
        let expected = [
            (r#""a""#, "1.50e-3"),
            (r#""b""#, r#""}],\"""#),
            (r#""c""#, r#"{"d":[{},[1,"]"]],"e":{}}"#),
            (r#""""#, "[]"),
            (r#""\u0061b""#, "null"),
            (r#""é\\""#, "true"),
        ];
        assert_eq!(found, expected);
        let has = |key| members_of(object.as_bytes()).any(|member| member.has_key(key));
        assert!(has("ab") && has("é\\") && has("") && !has("d") && !has("u0061b"));
    }

    #[test]
    fn other_values_have_no_members() {
        for value in ["{}", "[1]", "null", "\"{\"", ""] {
            assert_eq!(members_of(value.as_bytes()).count(), 0, "{value}");
        }
    }
}
