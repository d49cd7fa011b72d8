// SPDX-License-Identifier: MIT OR Apache-2.0
//! Length of data as JSON, computed without storing the text.

use std::io::{self, Write};

use serde::Serialize;

use crate::error::PageError;

/// Returns the number of bytes of the data as JSON.
pub(super) fn length(data: &impl Serialize) -> Result<usize, PageError> {
    let mut length = Length(0);
    serde_json::to_writer(&mut length, data)?;
    Ok(length.0)
}

/// Writer that only counts bytes.
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
