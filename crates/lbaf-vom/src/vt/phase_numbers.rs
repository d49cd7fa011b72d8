// SPDX-License-Identifier: MIT OR Apache-2.0
//! Phase numbers of a file: vt requires 0, 1, 2, ... without gaps, each with an entry or a declaration in the
//! metadata.

use super::{Placed, VtFile};
use crate::collector::Collector;

/// Reports gaps between the phases of a file.
pub(super) fn check<'a>(walker: Placed<'a>, file: &VtFile, collector: &mut Collector<'a, '_>) {
    let gaps = gaps(file);
    if !gaps.is_empty() {
        let last = file.last_phase().unwrap_or(0);
        collector.error(walker.offset(), || {
            format!(
                "{} missing and not declared in `metadata.phases`; vt requires phases 0 to {last} without gaps",
                listed(&gaps)
            )
        });
    }
}

/// Returns the missing phases, as inclusive ranges.
pub(super) fn gaps(file: &VtFile) -> Vec<(u64, u64)> {
    let entries = file.phases.iter().map(|phase| (phase.id, phase.id));
    let declared = file.skipped.ranges.iter().chain(&file.identical_to_previous.ranges).copied();
    let mut covered: Vec<(u64, u64)> = entries.chain(declared).collect();
    covered.sort_unstable();
    let (mut next, mut gaps) = (0, Vec::new());
    for (first, last) in covered {
        if first > next {
            gaps.push((next, first - 1));
        }
        next = next.max(last.saturating_add(1));
    }
    gaps
}

/// Lists gaps: "phase 3 is", "phases 1-100, 102 are". After the first four gaps, adds "and more".
fn listed(gaps: &[(u64, u64)]) -> String {
    const FEW: usize = 4;
    if let &[(only, last)] = gaps
        && only == last
    {
        return format!("phase {only} is");
    }
    let range = |&(first, last): &(u64, u64)| {
        if first == last { first.to_string() } else { format!("{first}-{last}") }
    };
    let few: Vec<String> = gaps.iter().take(FEW).map(range).collect();
    let more = if gaps.len() > FEW { " and more" } else { "" };
    format!("phases {}{more} are", few.join(", "))
}
