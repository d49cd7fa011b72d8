// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory of the machine, and limits of the control group of this process.
//!
//! Control groups form a tree, and the limit of a group also applies to the groups below it. In a container, the
//! directories above its own group are invisible, and the path of the group may be that outside of the container. So
//! the group and all groups above it are looked up, and those that are invisible are skipped.

use std::path::{Path, PathBuf};

/// Returns the memory in bytes that this process can use: the smallest of the physical memory and the limits of its
/// control groups. `root` is the root of the file system. Returns `None` on systems that state none of them.
pub(super) fn memory(root: &Path) -> Option<u64> {
    physical(root).into_iter().chain(groups(root)).min()
}

/// Returns the physical memory in bytes.
fn physical(root: &Path) -> Option<u64> {
    let text = text(&root.join("proc/meminfo"))?;
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = total.trim().strip_suffix("kB")?.trim_end().parse().ok()?;
    kibibytes.checked_mul(1 << 10)
}

/// Returns the limits of the control groups of this process, of version 1 and 2.
fn groups(root: &Path) -> Vec<u64> {
    let text = text(&root.join("proc/self/cgroup")).unwrap_or_default();
    text.lines().filter_map(memory_group).flat_map(|group| limits(root, &group)).collect()
}

/// Tree of control groups with limits on memory, and the group of this process.
struct Group<'a> {
    /// Directory of the topmost group.
    tree: &'static str,
    /// Path of the group below this directory.
    path: &'a str,
    /// Name of the file with the limit.
    file: &'static str,
}

/// Returns the group in a line of `/proc/self/cgroup`, which has the form `number:controllers:path`. Returns `None` for
/// controllers other than that of memory, and for lines of another form.
fn memory_group(line: &str) -> Option<Group<'_>> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (controllers, path) = (parts.next()?, parts.next()?);
    let path = path.trim_start_matches('/');
    // Version 2 has all controllers in one tree, and its line names none.
    if controllers.is_empty() {
        Some(Group { tree: "sys/fs/cgroup", path, file: "memory.max" })
    } else if controllers.split(',').any(|name| name == "memory") {
        Some(Group { tree: "sys/fs/cgroup/memory", path, file: "memory.limit_in_bytes" })
    } else {
        None
    }
}

/// Returns the limits of a group and of all groups above it. Without a limit, the file contains `max` in version 2, and
/// a number above any memory in version 1.
fn limits(root: &Path, Group { tree, path, file }: &Group<'_>) -> Vec<u64> {
    let tree = root.join(tree);
    let group = tree.join(path);
    let directories = group.ancestors().take_while(|directory| directory.starts_with(&tree));
    let limit = |path: PathBuf| text(&path)?.trim().parse().ok();
    directories.filter_map(|directory| limit(directory.join(file))).collect()
}

fn text(path: &Path) -> Option<String> {
    String::from_utf8(lbaf_reader::read_file(path).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Makes files in a directory and returns the memory that they state.
    fn memory_of(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        memory(root.path())
    }

    const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal:       24684096 kB\nMemFree:  1 kB\n");
    const PHYSICAL: u64 = 24_684_096 * 1024;
    const V1: (&str, &str) =
        ("proc/self/cgroup", "5:devices:/\n4:memory:/jobs/7/step\n1:cpu,cpuacct:/small\n");
    const V2: (&str, &str) = ("proc/self/cgroup", "0::/jobs/7/step\n");

    #[test]
    fn physical_memory_is_the_limit_without_control_groups() {
        assert_eq!(memory_of(&[MACHINE]), Some(PHYSICAL));
        assert_eq!(memory_of(&[MACHINE, V1]), Some(PHYSICAL));
        assert_eq!(memory_of(&[MACHINE, V2]), Some(PHYSICAL));
        assert_eq!(memory_of(&[]), None);
    }

    #[test]
    fn the_smallest_limit_of_the_group_and_those_above_applies() {
        let trees = [
            (V1, "sys/fs/cgroup/memory", "memory.limit_in_bytes", "9223372036854771712\n"),
            (V2, "sys/fs/cgroup", "memory.max", "max\n"),
        ];
        for (line, tree, file, unlimited) in trees {
            let path = |group: &str| format!("{tree}{group}/{file}");
            let limits = |root: &str, jobs: &str, job: &str, step: &str| {
                let texts = [("", root), ("/jobs", jobs), ("/jobs/7", job), ("/jobs/7/step", step)];
                let files: Vec<(String, &str)> = texts.map(|(group, text)| (path(group), text)).into();
                // Another group must not count.
                let other = path("/jobs/8");
                let mut all = vec![MACHINE, line, (&*other, "1\n")];
                all.extend(files.iter().map(|(path, text)| (&**path, *text)));
                memory_of(&all)
            };
            assert_eq!(limits(unlimited, unlimited, unlimited, unlimited), Some(PHYSICAL));
            assert_eq!(limits(unlimited, unlimited, unlimited, "5000\n"), Some(5000));
            assert_eq!(limits(unlimited, "3000\n", "4000\n", unlimited), Some(3000));
            assert_eq!(limits("2000\n", unlimited, "4000\n", "7000\n"), Some(2000));
            assert_eq!(limits(unlimited, unlimited, "99999999999999\n", unlimited), Some(PHYSICAL));
        }
    }

    /// In a container, the group of the process is the root of the visible tree.
    #[test]
    fn groups_that_are_invisible_are_skipped() {
        let root = ("sys/fs/cgroup/memory/memory.limit_in_bytes", "6000\n");
        assert_eq!(memory_of(&[MACHINE, V1, root]), Some(6000));
        assert_eq!(memory_of(&[MACHINE, V2, ("sys/fs/cgroup/memory.max", "8000\n")]), Some(8000));
    }

    /// Both versions together: memory is controlled by one of them.
    #[test]
    fn hybrid_trees_are_read() {
        let line = ("proc/self/cgroup", "4:memory:/job\n1:name=systemd:/\n0::/unified\n");
        let group = ("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "4000\n");
        assert_eq!(memory_of(&[MACHINE, line, group]), Some(4000));
    }

    #[test]
    fn damaged_files_are_ignored() {
        let group = ("sys/fs/cgroup/jobs/7/step/memory.max", "many\n");
        assert_eq!(memory_of(&[("proc/meminfo", "MemTotal: x kB"), V2, group]), None);
        assert_eq!(
            memory_of(&[MACHINE, ("proc/self/cgroup", "nonsense\n4:memory\n"), group]),
            Some(PHYSICAL)
        );
    }
}
