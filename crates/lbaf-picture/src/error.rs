// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why there is no picture.

use std::io;

use lbaf_plot::PlotError;
use thiserror::Error;

/// Why a picture or mesh cannot be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PictureError {
    /// More ranks than places, or none at all.
    #[error("a grid of {} x {} x {} has no place for {n_ranks} ranks", axes[0], axes[1], axes[2])]
    Grid {
        /// Places along x, y and z.
        axes: [u32; 3],
        /// Number of ranks.
        n_ranks: usize,
    },
    /// Lists of different lengths.
    #[error("`{list}` has {found} entries for {expected}")]
    Length {
        /// Which list.
        list: String,
        /// Its length.
        found: usize,
        /// What it should be.
        expected: usize,
    },
    /// An object on a rank that does not exist.
    #[error("an object is on rank {rank} of {n_ranks}; ranks count from 0")]
    Rank {
        /// The rank.
        rank: u32,
        /// Number of ranks.
        n_ranks: usize,
    },
    /// An edge to an object that does not exist.
    #[error("an edge ends at object {object} of {n_objects}; objects count from 0")]
    Object {
        /// The object.
        object: u32,
        /// Number of objects.
        n_objects: usize,
    },
    /// A number that has no place in a picture.
    #[error("a value is {value}: loads and volumes are finite and not negative, quantities finite or nan")]
    Value {
        /// The number.
        value: f64,
    },
    /// No frame at all.
    #[error("there is no frame to draw: show at least one to the ranges")]
    NoFrame,
    /// Drawing, or conversion to another format.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// A picture that could not be taken into an animation.
    #[error("the animation could not be made: {0}")]
    Animation(String),
    /// Writing.
    #[error("writing failed: {0}")]
    Io(#[from] io::Error),
}
