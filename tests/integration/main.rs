// SPDX-License-Identifier: MIT OR Apache-2.0
//! The binary, end to end.

mod bad_arguments;
mod bad_configuration;
mod bad_data;
mod bad_specification;
mod bad_text;
mod brute_force;
mod communication_types;
mod configuration;
mod convert;
mod determinism;
mod diff;
mod diff_communication;
mod exact_ids;
mod figures;
mod generations;
mod limits;
mod make;
mod offline;
mod peers;
mod phases;
mod repetitions;
mod round_trip;
mod same_model;
mod spec;
mod statistics_files;
mod text_form;
mod validate;
mod validate_for_vt;
mod vom;
mod workspace;
mod writing;
