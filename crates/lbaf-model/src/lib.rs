// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phases, ranks, objects, the communication graph, work models, metrics and bounds.
#![forbid(unsafe_code)]
