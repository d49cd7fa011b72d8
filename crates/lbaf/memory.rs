// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory that a command may use.

mod machine;

use std::path::Path;
use std::sync::OnceLock;

use lbaf_reader::{DEFAULT_MEMORY_BYTES, Request};

/// Memory of a command in bytes, set once at its start.
static LIMIT: OnceLock<u64> = OnceLock::new();

/// Percentage of the memory of the machine or control group that a command uses by default. The remainder is for the
/// system, other programs and the cache of files.
const DEFAULT_PERCENT: u64 = 80;

/// Sets the limit of the command: the one of `--memory-limit`, or else the default.
pub(crate) fn set_limit(limit: Option<u64>) {
    let default = || machine::memory(Path::new("/")).map(|bytes| bytes / 100 * DEFAULT_PERCENT);
    let _ = LIMIT.set(limit.or_else(default).unwrap_or(DEFAULT_MEMORY_BYTES));
}

/// Returns the limit of the command in bytes.
pub(crate) fn limit() -> u64 {
    LIMIT.get().copied().unwrap_or(DEFAULT_MEMORY_BYTES)
}

/// Returns the default request within the limit.
pub(crate) fn request() -> Request<'static> {
    Request::default().within(limit())
}

/// Units of a size, by lower-case name.
const UNITS: [(&str, u64); 9] = [
    ("b", 1),
    ("kb", 1000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
];

/// Parses a size such as `4GB`, `1.5 GiB` or `500mb`, and returns its bytes.
#[allow(clippy::cast_sign_loss, reason = "sizes below 1 are refused")]
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit = unit.trim_start().to_ascii_lowercase();
    let bytes = UNITS.iter().find(|(name, _)| *name == unit).map(|&(_, bytes)| bytes as f64);
    let size = number.parse::<f64>().ok().zip(bytes).map(|(number, bytes)| number * bytes);
    size.filter(|size| (1.0..i64::MAX as f64).contains(size)).map(|size| size as u64).ok_or_else(|| {
        "expected a size above 0 with a unit, such as 500MB, 4GB (powers of 1000) or 4GiB (powers of 1024)".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_decimal_and_binary_units() {
        let sizes = [
            ("1B", 1),
            ("4GB", 4_000_000_000),
            ("500mb", 500_000_000),
            ("1.5 GiB", 1_610_612_736),
            ("3kB", 3000),
            ("3KiB", 3072),
            ("2TB", 2_000_000_000_000),
        ];
        for (text, bytes) in sizes {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for wrong in
            ["", "4", "GB", "4G", "-1GB", "0GB", "1e9B", "4 G B", "4GBs", "1.2.3GB", "99999999999TB", "NaNGB"]
        {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
