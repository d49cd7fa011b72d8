// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work stealing in simulated time.

pub(crate) mod work_stealing;
