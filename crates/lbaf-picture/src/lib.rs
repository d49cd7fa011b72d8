// SPDX-License-Identifier: MIT OR Apache-2.0
//! Objects on a grid of ranks, as in the task visualizer vt-tv: pictures, animations and VTK meshes.
//!
//! A [`Frame`] is one placement of the objects of a phase. Add all frames to the [`Ranges`] before drawing them one by
//! one, so that colours and sizes of a [`Picture`] have the same meaning in each frame. Details too small to be visible
//! are aggregated or left out, as the caption states.
//!
//! ```
//! use lbaf_picture::{Frame, Grid, Moment, Objects, Picture, ColourQuantity, Ranges, Scene};
//!
//! let objects = Objects {
//!     number: vec![7, 8],
//!     load: vec![1.0, 0.5],
//!     migratable: vec![true, false],
//!     ..Objects::default()
//! };
//! let frame = Frame {
//!     phase: 0,
//!     moment: Moment::Start,
//!     load_imbalance: 1.0,
//!     rank_qoi: vec![1.5, 0.0],
//!     rank_attributes: &[],
//!     objects: &objects,
//!     rank_of: vec![0, 0],
//!     object_qoi: vec![1.0, 0.5],
//! };
//! let load = ColourQuantity { name: "load".to_owned(), unit: "s".to_owned() };
//! let scene = Scene {
//!     grid: Grid { axes: [2, 1, 1] },
//!     jitter: 0.5,
//!     seed: 0,
//!     rank_qoi: load.clone(),
//!     object_qoi: load,
//!     force_continuous: true,
//!     palette: lbaf_plot::Palette::Colour,
//! };
//! let mut ranges = Ranges::default();
//! ranges.add(&frame)?;
//! let picture = Picture::new(&scene, &ranges)?;
//! assert!(picture.draw(&frame)?.as_str().contains("Load imbalance: 1"));
//! # Ok::<(), lbaf_picture::PictureError>(())
//! ```
#![forbid(unsafe_code)]

mod animation;
mod colour;
mod edges;
mod error;
mod frame;
mod grid;
mod jitter;
mod layout;
mod legend;
mod measure;
mod mesh;
mod names;
mod objects;
mod paper;
mod picture;
mod placement;
mod plan;
mod ranges;
mod scale;
mod scene;
mod strips;
mod tiles;

pub use animation::{Animation, Pixels, pixels};
pub use error::PictureError;
pub use frame::{Attribute, Edge, Frame, Moment, Objects};
pub use grid::Grid;
pub use measure::ColourQuantity;
pub use mesh::{object_mesh, rank_mesh};
pub use names::Names;
pub use picture::Picture;
pub use ranges::Ranges;
pub use scene::Scene;
