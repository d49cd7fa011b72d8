// SPDX-License-Identifier: MIT OR Apache-2.0
//! Launchers and schedulers that started this process, by their environment variables.
//!
//! The variables name processes and their logs, and determine the number of threads. A program may inherit them from a
//! process that the launcher has started, such as in a batch script. Results therefore do not depend on them.

use std::path::Path;

use lbaf_claims::Process;

/// Reads environment variables.
type Variables<'v> = &'v dyn Fn(&str) -> Option<String>;

/// Names of launchers, each with the variable that has the rank of a process. A launcher that runs inside another, such
/// as `mpirun` in a job of Slurm, comes first.
const RANKS: [(&str, &str); 5] = [
    ("openmpi", "OMPI_COMM_WORLD_RANK"),
    ("pals", "PALS_RANKID"),
    ("flux", "FLUX_TASK_RANK"),
    ("slurm", "SLURM_PROCID"),
    ("pmi", "PMI_RANK"),
];
/// Names of schedulers, each with the variables that have the number of a job and of a task of a job array.
const JOBS: [(&str, &str, &str); 4] = [
    ("slurm", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID"),
    ("slurm", "SLURM_JOB_ID", "SLURM_ARRAY_TASK_ID"),
    ("pbs", "PBS_JOBID", "PBS_ARRAY_INDEX"),
    ("flux", "FLUX_JOB_ID", "FLUX_JOB_CC"),
];
/// Variables with the number of processes of a launcher on this node.
const PROCESSES_OF_NODE: [&str; 3] = ["OMPI_COMM_WORLD_LOCAL_SIZE", "PALS_LOCAL_SIZE", "MPI_LOCALNRANKS"];

/// Returns a unique name of this process: scheduler, job, launcher and rank if there are any, machine, and process
/// number.
pub(crate) fn name() -> String {
    let Process { host, pid, .. } = Process::current();
    match launched(&variable) {
        Some(launched) => format!("{launched}-{}-{pid}", plain(&host)),
        None => format!("{}-{pid}", plain(&host)),
    }
}

/// True if a launcher or scheduler started this process or one of its ancestors.
pub(crate) fn is_launched() -> bool {
    launched(&variable).is_some()
}

/// Returns the number of threads of this process: the processors that it may use, but no more than the scheduler
/// allots to it. Without an allotment, the processes of a launcher on this node divide the processors if each may use
/// all of them. At least 1.
pub(crate) fn threads() -> usize {
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    allotted(&variable, available, is_bound())
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

fn launched(variable: Variables<'_>) -> Option<String> {
    let rank = RANKS.into_iter().find_map(|(launcher, name)| Some((launcher, variable(name)?)));
    let job = JOBS.into_iter().find_map(|(scheduler, job, task)| {
        let job = variable(job)?;
        Some((scheduler, variable(task).map_or(job.clone(), |task| format!("{job}_{task}"))))
    });
    let text = match (job, rank) {
        (None, None) => return None,
        (Some((scheduler, job)), None) => format!("{scheduler}-{job}"),
        (None, Some((launcher, rank))) => format!("{launcher}-{rank}"),
        (Some((scheduler, job)), Some((launcher, rank))) if scheduler == launcher => {
            format!("{scheduler}-{job}-{rank}")
        }
        (Some((scheduler, job)), Some((launcher, rank))) => format!("{scheduler}-{job}-{launcher}-{rank}"),
    };
    Some(plain(&text))
}

/// Replaces characters that are unusual in file names.
fn plain(text: &str) -> String {
    let plain =
        |letter: char| if letter.is_ascii_alphanumeric() || "._-".contains(letter) { letter } else { '_' };
    text.chars().map(plain).collect()
}

fn allotted(variable: Variables<'_>, available: usize, is_bound: bool) -> usize {
    let number = |name: &str| variable(name)?.trim().parse::<usize>().ok().filter(|&number| number > 0);
    let of_job =
        number("SLURM_CPUS_PER_TASK").or_else(|| variable("PBS_JOBID").and_then(|_| number("NCPUS")));
    if let Some(allotment) = of_job {
        return allotment.min(available);
    }
    let n_processes = PROCESSES_OF_NODE.into_iter().find_map(number).or_else(|| tasks_of_node(variable));
    match n_processes {
        Some(n_processes) if !is_bound => (available / n_processes).max(1),
        _ => available,
    }
}

/// Returns the number of tasks of a step of Slurm on this node, from a list such as `2(x3),1`.
fn tasks_of_node(variable: Variables<'_>) -> Option<usize> {
    let list = variable("SLURM_STEP_TASKS_PER_NODE")?;
    let node: usize = variable("SLURM_NODEID")?.parse().ok()?;
    let mut counts = list.split(',').flat_map(|part| {
        let (tasks, times) = part.split_once("(x").unwrap_or((part, "1)"));
        let times = times.trim_end_matches(')').parse().unwrap_or(0);
        std::iter::repeat_n(tasks.parse::<usize>().ok(), times)
    });
    counts.nth(node)?.filter(|&tasks| tasks > 0)
}

/// True if this process may use only some of the processors of the machine. False if this is unknown.
fn is_bound() -> bool {
    let text = |path: &str| {
        let bytes = lbaf_reader::read_file(Path::new(path)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let status = text("/proc/self/status");
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    match (allowed.and_then(listed), listed(&text("/sys/devices/system/cpu/online"))) {
        (Some(allowed), Some(online)) => allowed < online,
        _ => false,
    }
}

/// Returns the number of processors in a list such as `0-3,8`.
fn listed(list: &str) -> Option<usize> {
    let parts = list.trim().split(',').map(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(last.parse::<usize>().ok()? + 1 - first.parse::<usize>().ok()?)
    });
    parts.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<T>(set: &[(&str, &str)], read: impl Fn(Variables<'_>) -> T) -> T {
        read(&|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn processes_are_named_by_launcher_job_and_rank() {
        let name = |set: &[(&str, &str)]| with(set, launched);
        assert_eq!(name(&[]), None);
        assert_eq!(name(&[("SLURM_JOB_ID", "12")]).as_deref(), Some("slurm-12"));
        let array = [("SLURM_JOB_ID", "14"), ("SLURM_ARRAY_JOB_ID", "12"), ("SLURM_ARRAY_TASK_ID", "3")];
        assert_eq!(name(&array).as_deref(), Some("slurm-12_3"));
        assert_eq!(name(&[("OMPI_COMM_WORLD_RANK", "7")]).as_deref(), Some("openmpi-7"));
        // `mpirun` inside a job of Slurm.
        let inside = [("SLURM_JOB_ID", "12"), ("SLURM_PROCID", "0"), ("OMPI_COMM_WORLD_RANK", "7")];
        assert_eq!(name(&inside).as_deref(), Some("slurm-12-openmpi-7"));
        assert_eq!(name(&[("PBS_JOBID", "5[2].server/x")]).as_deref(), Some("pbs-5_2_.server_x"));
    }

    #[test]
    fn threads_follow_the_allotment() {
        let threads = |set: &[(&str, &str)], available, is_bound| {
            with(set, |variable| allotted(variable, available, is_bound))
        };
        assert_eq!(threads(&[], 8, false), 8);
        assert_eq!(threads(&[("SLURM_CPUS_PER_TASK", "4")], 8, false), 4);
        // The affinity mask permits fewer.
        assert_eq!(threads(&[("SLURM_CPUS_PER_TASK", "4")], 2, true), 2);
        assert_eq!(threads(&[("OMPI_COMM_WORLD_LOCAL_SIZE", "4")], 8, false), 2);
        assert_eq!(threads(&[("OMPI_COMM_WORLD_LOCAL_SIZE", "4")], 2, true), 2);
        assert_eq!(threads(&[("OMPI_COMM_WORLD_LOCAL_SIZE", "64")], 8, false), 1);
        let step = |node| [("SLURM_STEP_TASKS_PER_NODE", "4(x2),2"), ("SLURM_NODEID", node)];
        assert_eq!([threads(&step("1"), 8, false), threads(&step("2"), 8, false)], [2, 4]);
        // A batch script has the variables of its job, but no step.
        assert_eq!(threads(&[("SLURM_TASKS_PER_NODE", "64"), ("SLURM_NTASKS", "64")], 8, false), 8);
        assert_eq!(threads(&[("NCPUS", "2")], 8, false), 8);
        assert_eq!(threads(&[("NCPUS", "2"), ("PBS_JOBID", "1")], 8, false), 2);
    }

    #[test]
    fn processors_are_counted_in_lists() {
        assert_eq!([listed("0-3,8\n"), listed(" 5"), listed("")], [Some(5), Some(1), None]);
    }
}
