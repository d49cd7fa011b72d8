// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading of data sets of several files in a temporary directory.
#![allow(clippy::unwrap_used, reason = "shared functions of tests may panic")]

mod agreement;
mod data_set;
mod endpoints;
mod files;
mod made_files;
mod objects;
mod phases;
mod ranks;
mod records;
mod shared_columns;
mod subphases;
mod validation;
