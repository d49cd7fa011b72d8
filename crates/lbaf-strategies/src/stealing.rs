// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies that simulate work stealing.

pub(crate) mod work_stealing;
