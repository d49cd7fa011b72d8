// SPDX-License-Identifier: MIT OR Apache-2.0
//! Layout of documents: compact, with a line for each record.

/// Printer of the keys of an object, with commas between its members.
#[derive(Default)]
pub(crate) struct Members {
    some: bool,
}

impl Members {
    /// Continues an object, which already has members if `some`.
    pub(crate) fn after(some: bool) -> Self {
        Members { some }
    }

    /// Separates the next member from the previous one.
    pub(crate) fn next(&mut self, out: &mut Vec<u8>) {
        if std::mem::replace(&mut self.some, true) {
            out.push(b',');
        }
    }

    pub(crate) fn key(&mut self, out: &mut Vec<u8>, key: &str) {
        self.next(out);
        let _ = serde_json::to_writer(&mut *out, key);
        out.push(b':');
    }
}

/// Elements of an array, each on a separate line.
#[derive(Default)]
pub(crate) struct Lines {
    some: bool,
}

impl Lines {
    pub(crate) fn next(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(if std::mem::replace(&mut self.some, true) { b",\n" } else { b"\n" });
    }

    pub(crate) fn end(self, out: &mut Vec<u8>) {
        out.extend_from_slice(if self.some { b"\n]" } else { b"]" });
    }
}
