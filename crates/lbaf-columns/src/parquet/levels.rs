// SPDX-License-Identifier: MIT OR Apache-2.0
//! Levels say what of a value is there: Parquet keeps them apart from the values, run by run.

use super::thrift::push_varint;

/// Levels of the values of a page, all below 256.
#[derive(Default)]
pub(crate) struct Levels {
    runs: Vec<u8>,
    level: u8,
    length: u64,
}

impl Levels {
    pub(crate) fn push(&mut self, level: u8) {
        if level != self.level {
            self.end_run();
            self.level = level;
        }
        self.length += 1;
    }

    /// Appends the runs with their size before them, and begins anew.
    pub(crate) fn put_into(&mut self, page: &mut Vec<u8>) {
        self.end_run();
        page.extend_from_slice(&(self.runs.len() as u32).to_le_bytes());
        page.append(&mut self.runs);
    }

    fn end_run(&mut self) {
        if self.length > 0 {
            // An even number announces a run of equal levels.
            push_varint(&mut self.runs, self.length << 1);
            self.runs.push(self.level);
            self.length = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_counted_from_each_change() {
        let mut levels = Levels::default();
        let mut page = Vec::new();
        for level in [1, 1, 1, 0, 2, 2] {
            levels.push(level);
        }
        levels.put_into(&mut page);
        assert_eq!(page, [6, 0, 0, 0, 6, 1, 2, 0, 4, 2]);
        page.clear();
        (0..100).for_each(|_| levels.push(2));
        levels.put_into(&mut page);
        assert_eq!(page, [3, 0, 0, 0, 0xc8, 1, 2]);
    }
}
