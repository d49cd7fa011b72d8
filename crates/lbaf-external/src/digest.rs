// SPDX-License-Identifier: MIT OR Apache-2.0
//! Digest of a command and of the files that it names.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::ExternalError;
use crate::process::is_path;

/// SHA-256 of a command line and the contents of all regular files that it names, in hexadecimal. A study that keeps
/// results under it computes them again when one of these changes.
///
/// An argument names a file if it is the path of one from `directory` on, or if the part after its first `=` is, as in
/// `--weights=model.bin`, or one of its words, as in `sh -c "python3 solve.py | tail -n 1"`. The program itself counts if it
/// is a path: `python3` is looked for on the search path by the system, and may be another version on another day. Files
/// that those files read do not count.
///
/// # Errors
/// If such a file cannot be read.
pub fn digest(command: &[String], directory: &Path) -> Result<String, ExternalError> {
    let mut digest = Sha256::new();
    for (position, argument) in command.iter().enumerate() {
        // Lengths keep apart what would be the same text in a row.
        digest.update((argument.len() as u64).to_le_bytes());
        digest.update(argument);
        let value = argument.split_once('=').map(|(_, value)| value);
        let words = argument.split(|c: char| c.is_whitespace() || "=;|&()<>'\"`".contains(c));
        let names: BTreeSet<&str> = words.chain([&**argument]).chain(value).collect();
        for name in names {
            let path = directory.join(name);
            if (position == 0 && !is_path(name)) || !path.is_file() {
                continue;
            }
            let content = content(&path).map_err(|source| ExternalError::Unreadable { path, source })?;
            digest.update([1]);
            digest.update(content);
        }
        digest.update([0]);
    }
    let mut text = String::with_capacity(64);
    for byte in digest.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

/// SHA-256 of a file, which may be too large for memory.
fn content(path: &Path) -> io::Result<[u8; 32]> {
    let (mut file, mut digest, mut buffer) = (File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(digest.finalize().into()),
            n => digest.update(&buffer[..n]),
        }
    }
}
