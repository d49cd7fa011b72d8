// SPDX-License-Identifier: MIT OR Apache-2.0
//! Noise and what stays, on runs of which it is known by construction.

mod decomposition;
mod labelling;
mod made;
mod slowness;
mod summary;
