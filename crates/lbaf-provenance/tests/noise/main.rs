// SPDX-License-Identifier: MIT OR Apache-2.0
//! Noise and what stays, on runs of which it is known by construction.

mod decomposition;
mod doubt;
mod labelling;
mod made;
mod next_phase;
mod scenarios;
mod slowness;
mod summary;
