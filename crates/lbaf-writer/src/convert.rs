// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conversion of a data set between generations of the format, and selection of phases: file by file, record by
//! record.
//!
//! Records that conform to the target are copied. In others, only members that the target requires in another form
//! are changed. Values that the target cannot represent are counted and never dropped silently.

mod entity;
mod json;
mod known;
mod losses;
mod phases;
mod text;

use std::collections::BTreeMap;

use lbaf_reader::{LoadedFile, ReadError};
use lbaf_vom::Generation;
use thiserror::Error;

pub use known::Known;
pub use losses::Losses;

/// Options of a conversion.
pub struct Conversion<'a> {
    /// Generation to write; `None` keeps the generation of every file.
    pub target: Option<Generation>,
    /// Treatment of object numbers.
    pub ids: Ids,
    /// Returns true for phases to write.
    pub phases: &'a (dyn Fn(u64) -> bool + Sync),
    /// New phase numbers; phases without an entry keep their numbers.
    pub renumbered: BTreeMap<u64, u64>,
    /// True if tasks that the target cannot represent are left out; otherwise they are an error.
    pub lossy: bool,
    /// Information about the objects in all files of the data set.
    pub known: &'a Known,
}

/// Treatment of object numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ids {
    /// Keeps numbers as `id` or `seq_id`.
    #[default]
    Keep,
    /// Converts numbers to packed ids as vt reads them, from sequence numbers (`seq_id`) or from the numbers in older
    /// files (`sequence << 32 | home`).
    Packed,
}

/// Result of converting a file.
#[derive(Debug)]
pub struct Converted {
    /// Document, uncompressed.
    pub document: Vec<u8>,
    /// Values that were left out or added.
    pub losses: Losses,
}

/// Reason why a file cannot be converted.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// Non-migratable objects, which the text form cannot represent.
    #[error(
        "the text form cannot represent tasks of non-migratable objects (here {n}); `--lossy` leaves them out"
    )]
    Sentinels {
        /// Number of their tasks.
        n: u64,
    },
    /// An object whose home or sequence number has too many bits for a packed id.
    #[error(
        "the object with number {number} and home {home} does not fit into a packed id, which has 16 bits for the \
         home and 46 bits for the sequence number"
    )]
    Unpackable {
        /// The number of the object.
        number: u64,
        /// Its home.
        home: u64,
    },
    /// A number that is not `sequence << 32 | home`: the encoded home contradicts the stated home or is not a rank.
    #[error(
        "the number {number} encodes the home {home}, which differs from the stated home or is not a rank of these \
         files; `--ids packed` requires numbers `sequence << 32 | home`; use `--ids keep` for numbers that are \
         already packed"
    )]
    OtherHome {
        /// The number of the object.
        number: u64,
        /// The home that the number encodes.
        home: u64,
    },
    /// Two objects that the target cannot distinguish.
    #[error(
        "two objects have the number {number}, one as `id` and one as `seq_id`; this form cannot distinguish them"
    )]
    SharedNumber {
        /// The number.
        number: u64,
    },
    /// An object without a home, which a packed id requires.
    #[error(
        "the object with seq_id {number} has no home at an endpoint of a communication, but its packed id needs one; \
         it has no task, or its tasks state different homes"
    )]
    Homeless {
        /// The number of the object.
        number: u64,
    },
    /// The document cannot be read again.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Converts the file of a rank, which must have been read with records.
///
/// # Errors
/// If the target cannot represent the file, or the file cannot be read again.
///
/// # Panics
/// If the file was read without records.
pub fn convert(file: &LoadedFile, rank: u32, conversion: &Conversion<'_>) -> Result<Converted, ConvertError> {
    let document = file.document.as_ref().expect("invariant: files to be converted are read with records");
    let document = document.bytes()?;
    let target = conversion.target.unwrap_or(file.rows.generation);
    let plan = phases::plan(&file.rows, conversion, target >= Generation::LbData);
    let mut losses = Losses::default();
    let printed = if target == Generation::Text {
        text::print(&file.rows, &document, &plan, rank, conversion.lossy, conversion.known, &mut losses)?
    } else {
        let known = conversion.known;
        let target = Target { generation: target, rank, ids: conversion.ids, known };
        // Other generations identify objects differently, so their communications must be converted too.
        let keeps_records = conversion.ids == Ids::Keep
            && (conversion.target.is_none() || known.generation == conversion.target);
        json::print(&file.rows, &document, &plan, &target, keeps_records, &mut losses)?
    };
    Ok(Converted { document: printed, losses })
}

/// Target of a conversion.
struct Target<'a> {
    generation: Generation,
    rank: u32,
    ids: Ids,
    known: &'a Known,
}
