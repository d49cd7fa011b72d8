// SPDX-License-Identifier: MIT OR Apache-2.0
//! From one form of the format to another, and phases out of a data set: file by file, record by record.
//!
//! Records that need no change are copied as they stand. Others are changed where the target wants something
//! else, and keep all their other members. What a target has no place for is counted, never passed over.

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

/// What to make of files.
pub struct Conversion<'a> {
    /// The form to write; `None` leaves every file in its own.
    pub target: Option<Generation>,
    /// What becomes of the numbers of objects.
    pub ids: Ids,
    /// Which phases to write.
    pub phases: &'a (dyn Fn(u64) -> bool + Sync),
    /// New numbers of phases; those that are not in it keep theirs.
    pub renumbered: BTreeMap<u64, u64>,
    /// Whether to leave out what the target cannot hold and cannot do without.
    pub lossy: bool,
    /// What all files of the data set say of its objects.
    pub known: &'a Known,
}

/// What becomes of the numbers of objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ids {
    /// They stay as they are, as `id` or `seq_id`.
    #[default]
    Keep,
    /// They become packed ids as vt reads them, from sequence numbers (`seq_id`) or from the form of older files
    /// (`sequence << 32 | home`).
    Packed,
}

/// A converted file.
#[derive(Debug)]
pub struct Converted {
    /// Its document, not compressed.
    pub document: Vec<u8>,
    /// What had no place, or had to be made up.
    pub losses: Losses,
}

/// Why a file cannot be converted.
#[derive(Debug, Error)]
pub enum ConvertError {
    /// Objects that may not migrate, in the text form.
    #[error(
        "{n} task(s) are of objects that may not migrate, which the text form cannot say; `--lossy` leaves them out"
    )]
    Sentinels {
        /// How many.
        n: u64,
    },
    /// A number that cannot be packed.
    #[error(
        "the object with number {number} and home {home} does not fit into a packed id: the home has 16 bits, the \
         sequence number 46"
    )]
    Unpackable {
        /// The number of the object.
        number: u64,
        /// Its home.
        home: u64,
    },
    /// A number that is not of the old form, or of another run.
    #[error(
        "the number {number} would have the home {home}, which is not its home or no rank of these files; `--ids \
         packed` is for numbers `sequence << 32 | home`, and numbers that are packed already are kept with `--ids keep`"
    )]
    OtherHome {
        /// The number of the object.
        number: u64,
        /// The home that it would have.
        home: u64,
    },
    /// Two objects that the target could not tell apart.
    #[error(
        "two objects have the number {number}, one as `id` and one as `seq_id`, which this form cannot tell apart"
    )]
    SharedNumber {
        /// The number.
        number: u64,
    },
    /// An object without a home, which a packed id needs.
    #[error(
        "the object with seq_id {number} states no home at an end of a communication, which its packed id needs, and \
         there is no task of it, or its tasks state different homes"
    )]
    Homeless {
        /// The number of the object.
        number: u64,
    },
    /// The document cannot be read again.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Converts the file of a rank, which was read with records.
///
/// # Errors
/// If the target cannot hold what the file says, or the file cannot be read again.
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
        text::print(&file.rows, &document, &plan, rank, conversion.lossy, &mut losses)?
    } else {
        let known = conversion.known;
        let target = Target { generation: target, rank, ids: conversion.ids, known };
        // Files of other generations name objects otherwise, and their partners must follow.
        let keeps_records = conversion.ids == Ids::Keep
            && (conversion.target.is_none() || known.generation == conversion.target);
        json::print(&file.rows, &document, &plan, &target, keeps_records, &mut losses)?
    };
    Ok(Converted { document: printed, losses })
}

/// What to print.
struct Target<'a> {
    generation: Generation,
    rank: u32,
    ids: Ids,
    known: &'a Known,
}
