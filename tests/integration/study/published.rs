// SPDX-License-Identifier: MIT OR Apache-2.0
//! The studies that are part of this project, and what was published.
