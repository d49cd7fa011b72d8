// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables of data sets in temporary directories, checked by independent readers.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

mod by_hand;
mod data_set;
#[cfg(feature = "parquet")]
mod documentation;
mod errors;
mod every_record;
#[cfg(feature = "parquet")]
mod others;
#[cfg(feature = "parquet")]
mod parquet_file;
mod repeatable;
#[cfg(feature = "parquet")]
mod same_in_parquet;
