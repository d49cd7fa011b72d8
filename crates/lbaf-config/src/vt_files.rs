// SPDX-License-Identifier: MIT OR Apache-2.0
//! Schedules in the two file formats of vt: a [`Specification`] lists phases in which output is enabled, and a
//! [`BalancerSchedule`] (vt's LB configuration file) assigns balancers to phases.
//!
//! In both formats a line begins with a phase, or with `%` and a number for all multiples of this number including 0. A
//! line of an LB configuration file may also begin with a balancer, for every phase. Blank lines and blanks around
//! words are ignored. `#` begins a comment; known versions of vt do not support comments, so avoid them in files for
//! vt.
//!
//! ```
//! use lbaf_config::vt_files::ScheduleFile;
//!
//! let file = ScheduleFile::parse(b"0 0 10\n%100 -3 3\n200 -5 5\n").expect("valid");
//! let ScheduleFile::Specification(specification) = file else { panic!("no line names a balancer") };
//! assert!(specification.contains(97) && !specification.contains(96));
//!
//! let file = ScheduleFile::parse(b"%10 GreedyLB min=0.9\n0 NoLB\n").expect("valid");
//! let ScheduleFile::Balancers(schedule) = file else { panic!("every line names a balancer") };
//! assert_eq!(schedule.at(20).map(ToString::to_string).as_deref(), Some("GreedyLB min=0.9"));
//! assert_eq!(schedule.at(21), None);
//! ```
mod anchor;
mod argument;
mod balancer;
mod content;
mod error;
mod line;
mod ranges;
mod schedule;
mod specification;
mod window;

pub use anchor::{Anchor, LAST_PHASE};
pub use argument::Argument;
pub use balancer::{BALANCERS, Balancer};
pub use content::ScheduleFile;
pub use error::{Fault, Position, ScheduleError};
pub use ranges::Ranges;
pub use schedule::{BalancerSchedule, ConfiguredBalancer, PhaseInterval, Rule, Runs};
pub use specification::Specification;
pub use window::Window;
