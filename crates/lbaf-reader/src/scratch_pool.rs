// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pool of parser memory that is reused from file to file: one `Scratch` for each file parsed at the same time.

use std::sync::Mutex;

use lbaf_vom::Scratch;

#[derive(Default)]
pub(crate) struct ScratchPool(Mutex<Vec<Scratch>>);

impl ScratchPool {
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let lock = || self.0.lock().expect("invariant: nothing panics while the pool is locked");
        let mut scratch = lock().pop().unwrap_or_default();
        let result = work(&mut scratch);
        lock().push(scratch);
        result
    }
}
