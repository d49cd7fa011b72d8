// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of data files, `<stem>.<rank>.<suffix>`. Only this module parses them.

/// Parts of a file name. Stem and suffix are bytes, because they need not be UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileName<'a> {
    /// The part before the number.
    pub stem: &'a [u8],
    /// The number as written, possibly with leading zeros.
    pub number: &'a str,
    /// The part after the number.
    pub suffix: &'a [u8],
}

impl<'a> FileName<'a> {
    /// Splits a name at its last number with text on both sides. A stem may end in a number, as in `run.2024`.
    pub fn parse(name: &'a [u8]) -> Option<Self> {
        let mut end = memchr::memrchr(b'.', name).filter(|end| end + 1 < name.len())?;
        while let Some(dot) = memchr::memrchr(b'.', &name[..end]).filter(|dot| *dot > 0) {
            let number = str::from_utf8(&name[dot + 1..end]).unwrap_or_default();
            if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
                return Some(FileName { stem: &name[..dot], number, suffix: &name[end + 1..] });
            }
            end = dot;
        }
        None
    }

    /// Returns the rank, or `None` if the number has leading zeros or exceeds 64 bits.
    pub fn rank(&self) -> Option<u64> {
        self.number.parse().ok().filter(|rank: &u64| rank.to_string() == self.number)
    }

    /// True if leading zeros prevent the number from being a rank.
    pub fn is_padded(&self) -> bool {
        self.number.len() > 1 && self.number.starts_with('0')
    }

    /// True for a typical suffix of data files: one part, optionally followed by `.br`. Other suffixes, as in
    /// `data.0.notes.txt`, count only if selected, or if no file of the stem has a typical one.
    pub fn has_data_suffix(&self) -> bool {
        let suffix = self.suffix.strip_suffix(b".br").unwrap_or(self.suffix);
        !suffix.is_empty() && !suffix.contains(&b'.')
    }

    /// True if no part of the suffix is empty or a number, so that the rank is the last number in the name.
    pub fn is_suffix(suffix: &str) -> bool {
        let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        !suffix.split('.').any(is_number)
    }

    /// True for a file with this suffix, or with any typical suffix for `None`.
    pub fn is_data(&self, suffix: Option<&str>) -> bool {
        suffix.map_or_else(|| self.has_data_suffix(), |wanted| self.suffix == wanted.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(name: &str) -> Option<(&str, &str, &str)> {
        let text = |bytes| str::from_utf8(bytes).unwrap();
        FileName::parse(name.as_bytes()).map(|name| (text(name.stem), name.number, text(name.suffix)))
    }

    #[test]
    fn the_last_number_is_the_rank() {
        assert_eq!(parts("data.0.json"), Some(("data", "0", "json")));
        assert_eq!(parts("data.12.json.br"), Some(("data", "12", "json.br")));
        assert_eq!(parts("run.2024.3.vom"), Some(("run.2024", "3", "vom")));
        assert_eq!(parts("a.1.0.json"), Some(("a.1", "0", "json")));
        assert_eq!(parts("data.0.7"), Some(("data", "0", "7")));
        for name in ["data.json", "data.0", "data.0.", ".0.json", "0.json", "data.-1.json", "data", ""] {
            assert_eq!(parts(name), None, "{name}");
        }
    }

    #[test]
    fn padded_numbers_are_not_ranks() {
        for (name, rank, is_padded) in [("d.0.json", Some(0), false), ("d.00.json", None, true)] {
            let name = FileName::parse(name.as_bytes()).unwrap();
            assert_eq!((name.rank(), name.is_padded()), (rank, is_padded));
        }
    }

    #[test]
    fn a_number_in_the_suffix_is_parsed_as_the_rank() {
        assert_eq!(parts("a.0.v1.2.json"), Some(("a.0.v1", "2", "json")));
        for (suffix, is_one) in [
            ("json", true),
            ("vom.json.br", true),
            ("v1.2.json", false),
            ("7", false),
            ("json.", false),
            ("", false),
        ] {
            assert_eq!(FileName::is_suffix(suffix), is_one, "{suffix}");
        }
    }

    #[test]
    fn untypical_suffixes_are_data_only_when_selected() {
        let is_data = |name: &str, suffix| FileName::parse(name.as_bytes()).unwrap().is_data(suffix);
        assert!(is_data("a.0.json", None) && is_data("a.0.json.br", None) && is_data("a.0.br", None));
        assert!(!is_data("a.0.notes.txt", None) && is_data("a.0.notes.txt", Some("notes.txt")));
        assert!(!is_data("a.0.json", Some("json.br")));
    }
}
