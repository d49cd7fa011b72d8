// SPDX-License-Identifier: MIT OR Apache-2.0
//! Commands killed while they replace a result: readers refuse a mixture of old and new files, and writers
//! restore the old result.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::vom::{one_phase, packed, task};
use crate::workspace::Workspace;

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    let tasks: Vec<_> = (1..=8).map(|sequence| task(packed(sequence, 0), 0, 1.0)).collect();
    workspace.write("set.0.json", one_phase(0, &tasks, &[]));
    workspace.write("set.1.json", one_phase(1, &[], &[]));
    let run = "from_data: {data_stem: set}\nalgorithm: {name: Greedy}\noutput_dir: out\nwrite_JSON: {compressed: false}\nplots: none\n";
    workspace.write("run.yaml", run);
    workspace.write(
        "study.yaml",
        "base: run.yaml\naxes: {algorithm.name: [Greedy, RotateLB]}\noutput_dir: grid\n",
    );
    workspace.succeed(&["run", "run.yaml"]);
    workspace
}

type Files = BTreeMap<String, Vec<u8>>;

/// Returns a result without its clock times.
fn result(workspace: &Workspace) -> Files {
    let mut files = workspace.files("out");
    files.retain(|name, _| name != "timings.json");
    files
}

/// Creates the state of a command killed after the first of its four renames.
/// Later versions must read this format of `journal.json`.
fn tear(workspace: &Workspace) {
    workspace.write(
        "out/.lbaf-dead/journal.json",
        r#"{"made": ["more"],
            "aside": [{"from": "summary.json", "to": ".lbaf-dead/aside/0"}, {"from": "ranks.csv", "to": ".lbaf-dead/aside/1"}],
            "placed": [{"from": ".lbaf-dead/new/more/new.csv", "to": "more/new.csv"}],
            "last": [{"from": ".lbaf-dead/new/summary.json", "to": "summary.json"}],
            "emptied": []}"#,
    );
    workspace.write("out/.lbaf-dead/aside/0", workspace.read("out/summary.json"));
    std::fs::remove_file(workspace.path("out/summary.json")).expect("it is there");
    workspace.write("out/.lbaf-dead/new/more/new.csv", "new");
    workspace.write("out/.lbaf-dead/new/summary.json", "new");
}

#[test]
fn readers_refuse_a_torn_result_and_change_nothing() {
    let workspace = workspace();
    tear(&workspace);
    let before = workspace.files(".");
    for command in [
        "info out/output_file",
        "info out/lb_statistics.json",
        "validate out",
        "validate out/output_file.0.json",
        "diff set out/output_file",
        "tasks out/output_file",
        "plot out --output-dir elsewhere",
        "report out --output elsewhere.html",
        "convert out/output_file elsewhere --to seq-id",
        "convert out/output_file.0.json elsewhere.json",
        "extract out/output_file elsewhere --phases 0",
        "anomalies out/output_file",
        "provenance export out/output_file elsewhere",
        "provenance report out",
        "run run.yaml --set from_data.data_stem=out/output_file --output-dir elsewhere",
        "study merge study.yaml out",
    ] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let error = workspace.fail(&arguments, 4);
        assert!(
            error.contains("a command was killed while it replaced the files there"),
            "{command}: {error}"
        );
        assert!(error.contains("`lbaf restore out` restores the old ones"), "{command}: {error}");
        let mut after = workspace.files(".");
        after.retain(|name, _| !name.starts_with("grid/"));
        assert_eq!(after, before, "{command}");
    }
}

#[test]
fn writers_restore_a_torn_result_first() {
    for command in [
        "restore out",
        "plot out",
        "report out",
        "tasks set --output out/tasks.yaml",
        "convert set out/set --to seq-id",
        "convert out/output_file out/next",
        "convert out/output_file.0.json out/next.json",
        "convert out/output_file out/next --to csv",
        "extract out/output_file out/next --phases 0",
        "anomalies out/output_file --output-dir out",
        "provenance export out/output_file out",
        "anomalies set --output-dir out",
        "provenance export set out",
        "run run.yaml --set from_data.data_stem=out/output_file --set output_file_stem=next",
    ] {
        let workspace = workspace();
        let old = workspace.files("out");
        tear(&workspace);
        let arguments: Vec<&str> = command.split(' ').collect();
        let said = workspace.lbaf(&arguments);
        assert_eq!(said.code, 0, "{command}: {}", said.stderr);
        let note = "note: out: a command was killed while it replaced the files there; the previous files are restored\n";
        assert_eq!(said.stderr.contains(note), command != "restore out", "{command}: {}", said.stderr);
        let new = workspace.files("out");
        assert!(!new.keys().any(|name| name.starts_with(".lbaf-")), "{command}: {:?}", new.keys());
        assert!(!workspace.path("out/more").exists(), "{command}");
        assert_eq!(new["ranks.csv"].len(), old["ranks.csv"].len(), "{command}");
        assert_eq!(new["output_file.0.json"], old["output_file.0.json"], "{command}");
        if command == "restore out" {
            assert_eq!(new, old);
        }
    }
}

#[test]
fn the_note_about_restored_files_follows_the_logging_level() {
    let workspace = workspace();
    for (level, is_said) in [("error", false), ("warning", false), ("info", true)] {
        tear(&workspace);
        let said = workspace.lbaf(&["run", "run.yaml", "--set", &format!("logging_level={level}")]);
        assert_eq!(said.code, 0, "{level}: {}", said.stderr);
        assert_eq!(
            said.stderr.contains("the previous files are restored"),
            is_said,
            "{level}: {}",
            said.stderr
        );
    }
}

#[test]
fn restoring_reports_its_actions() {
    let workspace = workspace();
    assert_eq!(workspace.succeed(&["restore", "out"]), "out: nothing to restore\n");
    tear(&workspace);
    assert_eq!(workspace.succeed(&["restore", "out"]), "out: the old files are restored\n");
    let error = workspace.fail(&["restore", "nowhere"], 4);
    assert_eq!(error, "error: nowhere: no such directory\n");
}

#[test]
fn a_file_that_blocks_restoring_is_reported_with_a_remedy() {
    let workspace = workspace();
    tear(&workspace);
    workspace.write("out/summary.json", "theirs");
    let error = workspace.fail(&["restore", "out"], 6);
    let expected = "error: cannot restore out/summary.json: another file was created there since; move it away, then run \
                    `lbaf restore out`\n";
    assert_eq!(error, expected);
    assert_eq!(workspace.text("out/summary.json"), "theirs");
}

#[test]
fn a_journal_that_renames_files_elsewhere_is_refused_until_it_is_discarded() {
    let workspace = workspace();
    workspace.write("secret", "secret");
    workspace.write(
        "out/.lbaf-evil1/journal.json",
        r#"{"made": [], "placed": [], "last": [], "emptied": [], "aside": [{"from": "taken", "to": "../secret"}]}"#,
    );
    for (command, code) in [("run run.yaml", 6), ("restore out", 6), ("info out/output_file", 4)] {
        let error = workspace.fail(&command.split(' ').collect::<Vec<_>>(), code);
        assert!(error.contains("out/.lbaf-evil1/journal.json is damaged"), "{command}: {error}");
        let way_out = "`lbaf restore --force out` leaves all files as they are";
        assert!(error.contains(way_out) && !error.contains("restores the old ones"), "{command}: {error}");
    }
    assert_eq!(workspace.text("secret"), "secret");
    let said = workspace.succeed(&["restore", "--force", "out"]);
    assert!(
        said.contains("out: the files stay as they are; out/lbaf-damaged-evil1 may contain old files"),
        "{said}"
    );
    workspace.succeed(&["run", "run.yaml"]);
    assert_eq!(workspace.text("secret"), "secret");
}

/// In a shared directory, a user must decide whether to trust the valid journal of another user.
#[cfg(unix)]
#[test]
fn a_journal_of_another_user_is_followed_only_when_forced() {
    let workspace = workspace();
    let old = workspace.files("out");
    tear(&workspace);
    // Only root can change the owner of a directory.
    if std::os::unix::fs::chown(workspace.path("out/.lbaf-dead"), Some(4711), None).is_err() {
        return;
    }
    let before = workspace.files(".");
    for (command, code) in [("run run.yaml", 6), ("restore out", 6), ("info out/output_file", 4)] {
        let error = workspace.fail(&command.split(' ').collect::<Vec<_>>(), code);
        let expected = "error: out: a command of the user with ID 4711 was killed while it replaced the files there; \
                        `lbaf restore out` run by that user restores the old ones, as does `lbaf restore --force out` \
                        run by any other user\n";
        assert_eq!(error, expected, "{command}");
        assert_eq!(workspace.files("."), before, "{command}");
    }
    assert_eq!(workspace.succeed(&["restore", "--force", "out"]), "out: the old files are restored\n");
    assert_eq!(workspace.files("out"), old);
}

#[test]
fn a_command_on_another_machine_blocks_unless_forced() {
    let workspace = workspace();
    let old = workspace.files("out");
    tear(&workspace);
    workspace.write("out/.lbaf-dead/.lock", "another");
    let error = workspace.fail(&["run", "run.yaml"], 6);
    assert!(error.contains("out: a command on another started to replace the files there"), "{error}");
    assert!(
        error.contains("if it is no longer running, `lbaf restore --force out` restores the old ones"),
        "{error}"
    );
    workspace.fail(&["restore", "out"], 6);
    workspace.succeed(&["restore", "--force", "out"]);
    assert_eq!(workspace.files("out"), old);
}

/// A killed command leaves the old result, the new result, or a mixture from which the old result is restored.
#[cfg(unix)]
#[test]
fn a_killed_run_leaves_one_complete_result() {
    let workspace = workspace();
    for theirs in [false, true] {
        if theirs {
            workspace.write("out/theirs.txt", "theirs");
        }
        let old = result(&workspace);
        let began = Instant::now();
        workspace.succeed(&["run", "run.yaml", "--set", "algorithm.name=RotateLB"]);
        let whole = began.elapsed();
        let new = result(&workspace);
        assert_ne!(old, new);
        workspace.succeed(&["run", "run.yaml"]);
        for kill in 1..=8_u32 {
            let seconds = (whole * (kill + 4) / 12).as_secs_f64();
            let line = format!(
                "\"$LBAF\" run run.yaml --set algorithm.name=RotateLB & child=$!; sleep {seconds}; kill -9 $child; wait $child; true"
            );
            workspace.shell(&line);
            workspace.succeed(&["restore", "out"]);
            let found = result(&workspace);
            assert!(found == old || found == new, "{seconds}: {:?}", found.keys());
            workspace.succeed(&["run", "run.yaml"]);
            assert_eq!(result(&workspace), old);
        }
    }
}

/// A hangup makes a command remove its staged files. Under `nohup`, hangups are ignored.
#[cfg(target_os = "linux")]
#[test]
fn a_hangup_removes_staged_files_unless_it_is_ignored() {
    let workspace = Workspace::new();
    let spec = "from_samplers:\n  n_ranks: 4\n  n_objects: 3000\n  load_sampler: {name: uniform, parameters: [0, 1]}\n";
    workspace.write("spec.yaml", spec);
    let line = |before: &str| {
        format!(
            "mkdir sets; {before} \"$LBAF\" make --quality 11 spec.yaml sets/made >said 2>&1 & child=$!; \
             until ls -A sets | grep -q lbaf; do sleep 0.01; done; kill -HUP $child; wait $child"
        )
    };
    // `env` restores the default action, because tests under `nohup` pass on an ignored hangup.
    let said = workspace.shell(&line("env --default-signal=HUP"));
    assert_eq!((said.code, workspace.names("sets")), (129, Vec::new()), "{}", said.stderr);
    std::fs::remove_dir(workspace.path("sets")).expect("it is empty");
    let said = workspace.shell(&line("nohup"));
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(workspace.names("sets").len(), 4);
}
