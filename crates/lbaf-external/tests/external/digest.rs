// SPDX-License-Identifier: MIT OR Apache-2.0
//! Digests of commands, under which studies store their results.

use std::fs;

use lbaf_external::digest;
use tempfile::TempDir;

fn of(command: &[&str], directory: &TempDir) -> String {
    let command: Vec<String> = command.iter().map(|&argument| argument.to_owned()).collect();
    digest(&command, directory.path()).unwrap()
}

fn directory() -> TempDir {
    let directory = TempDir::new().unwrap();
    for name in ["solve.py", "weights.bin", "python3"] {
        fs::write(directory.path().join(name), name).unwrap();
    }
    directory
}

#[test]
fn contents_of_named_files_count() {
    let directory = directory();
    let commands: [(&[&str], &str); 5] = [
        (&["python3", "solve.py"], "solve.py"),
        (&["./solve.py"], "solve.py"),
        (&["python3", "--weights=weights.bin"], "weights.bin"),
        (&["sh", "-c", "python3 solve.py --weights=weights.bin | tail -n 1"], "solve.py"),
        (&["sh", "-c", "python3 solve.py --weights=weights.bin | tail -n 1"], "weights.bin"),
    ];
    for (command, file) in commands {
        let before = of(command, &directory);
        assert_eq!(before.len(), 64);
        assert_eq!(before, of(command, &directory));
        fs::write(directory.path().join(file), "changed").unwrap();
        assert_ne!(before, of(command, &directory), "{command:?}");
        fs::write(directory.path().join(file), file).unwrap();
        assert_eq!(before, of(command, &directory));
        fs::remove_file(directory.path().join(file)).unwrap();
        assert_ne!(before, of(command, &directory), "{command:?}");
        fs::write(directory.path().join(file), file).unwrap();
    }
}

/// The system finds the program on the search path, not in the directory.
#[test]
fn a_file_with_the_name_of_the_program_does_not_count() {
    let directory = directory();
    let before = of(&["python3", "solve.py"], &directory);
    fs::write(directory.path().join("python3"), "changed").unwrap();
    assert_eq!(before, of(&["python3", "solve.py"], &directory));
}

#[test]
fn different_command_lines_have_different_digests() {
    let directory = directory();
    let commands: [&[&str]; 6] =
        [&["a"], &["a", ""], &["a", "b"], &["ab"], &["a", "b", "solve.py"], &["a", "b", "./solve.py"]];
    let mut digests = commands.map(|command| of(command, &directory)).to_vec();
    digests.sort();
    digests.dedup();
    assert_eq!(digests.len(), commands.len());
}

/// A command has the same digest in another directory whose files have the same contents.
#[test]
fn the_directory_itself_does_not_count() {
    assert_eq!(of(&["python3", "solve.py"], &directory()), of(&["python3", "solve.py"], &directory()));
}

#[test]
fn directories_do_not_count() {
    let directory = directory();
    assert_eq!(of(&["a", "."], &directory), of(&["a", "."], &TempDir::new().unwrap()));
}
