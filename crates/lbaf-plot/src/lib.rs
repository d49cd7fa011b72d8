// SPDX-License-Identifier: MIT OR Apache-2.0
//! Charts of results as SVG, PDF and PNG.
#![forbid(unsafe_code)]
