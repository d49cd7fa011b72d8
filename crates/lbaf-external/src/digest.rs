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

/// Returns the SHA-256, in hexadecimal, of a command line and of the contents of all regular files that it
/// names.
///
/// A study stores results under this digest, and computes them again when the digest changes. An argument
/// names a file in three cases: if it is a path, absolute or relative to `directory`; if the part after its
/// first `=` is a path, as in `--weights=model.bin`; or if one of its words is a path, as in `sh -c "python3
/// solve.py | tail -n 1"`. The program itself is included only if it is given as a path: a name such as
/// `python3` is found on the search path, and a new version of its file does not change the digest. Files
/// that the included files read are not included either.
///
/// # Errors
/// If a file named by the command cannot be read.
pub fn digest(command: &[String], directory: &Path) -> Result<String, ExternalError> {
    let mut digest = Sha256::new();
    for (position, argument) in command.iter().enumerate() {
        // The length of each argument precedes it, so that the digests of `a b` and `ab` differ.
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

/// Returns the SHA-256 of a file, read in pieces because it may be larger than memory.
fn content(path: &Path) -> io::Result<[u8; 32]> {
    let (mut file, mut digest, mut buffer) = (File::open(path)?, Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(digest.finalize().into()),
            n => digest.update(&buffer[..n]),
        }
    }
}
