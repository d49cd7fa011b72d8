// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors of pictures and meshes.

use std::io;

use lbaf_plot::PlotError;
use lbaf_text::number::counted;
use thiserror::Error;

/// Error of a picture, animation or mesh.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The grid has fewer places than ranks, or no places.
    #[error("a grid of {} x {} x {} is too small for {}", axes[0], axes[1], axes[2], counted(*.n_ranks, "rank"))]
    Grid {
        /// Places along x, y and z.
        axes: [u32; 3],
        /// Number of ranks.
        n_ranks: usize,
    },
    /// Lists have different lengths.
    #[error("the length of `{list}` is {found} instead of {expected}")]
    Length {
        /// Name of the list.
        list: String,
        /// Its length.
        found: usize,
        /// Expected length.
        expected: usize,
    },
    /// An object is on a rank that does not exist.
    #[error("an object is on rank {rank}, but the last rank is {}", n_ranks.saturating_sub(1))]
    Rank {
        /// Rank.
        rank: u32,
        /// Number of ranks.
        n_ranks: usize,
    },
    /// An edge names an object that does not exist.
    #[error("an edge names object {object}, but the last object is {}", n_objects.saturating_sub(1))]
    Object {
        /// Object.
        object: u32,
        /// Number of objects.
        n_objects: usize,
    },
    /// Number that cannot be drawn.
    #[error(
        "invalid value {value}: loads and volumes must be finite and non-negative, quantities finite or nan"
    )]
    Value {
        /// Number.
        value: f64,
    },
    /// No frame was added to the [`Ranges`](crate::Ranges).
    #[error("there is no frame to draw; add every frame with `Ranges::add` before creating the picture")]
    NoFrame,
    /// Drawing, or conversion to another format, failed.
    #[error(transparent)]
    Plot(#[from] PlotError),
    /// An animation could not be created.
    #[error("cannot create the animation: {0}")]
    Animation(String),
    /// Writing failed.
    #[error("cannot write: {0}")]
    Io(#[from] io::Error),
}
