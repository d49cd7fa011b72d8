// SPDX-License-Identifier: MIT OR Apache-2.0
//! Strategies in which idle ranks steal, in simulated time.

pub(crate) mod work_stealing;
