// SPDX-License-Identifier: MIT OR Apache-2.0
//! Length of data as JSON, without keeping them.

use std::io::{self, Write};

use serde::Serialize;

use crate::error::PageError;

/// Bytes of the data as JSON.
pub(super) fn length(data: &impl Serialize) -> Result<usize, PageError> {
    let mut length = Length(0);
    serde_json::to_writer(&mut length, data)?;
    Ok(length.0)
}

/// Counts what is written.
struct Length(usize);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
