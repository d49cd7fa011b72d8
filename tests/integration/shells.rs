// SPDX-License-Identifier: MIT OR Apache-2.0
//! Completions of shells and manual pages, read by these shells and by `man` if they are installed.

use crate::workspace::Workspace;

/// True if a program is installed; prints a note otherwise.
#[allow(clippy::print_stderr, reason = "a test that checks nothing must say so")]
fn is_installed(workspace: &Workspace, program: &str) -> bool {
    let found = workspace.shell(&format!("command -v {program}")).code == 0;
    if !found {
        eprintln!("skipped: {program} is not installed");
    }
    found
}

#[test]
fn shells_read_their_completions() {
    let workspace = Workspace::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        workspace.write(&format!("_lbaf.{shell}"), workspace.succeed(&["completions", shell]));
    }
    let bash =
        "source _lbaf.bash; COMP_WORDS=(lbaf sim); COMP_CWORD=1; _lbaf lbaf sim lbaf; echo ${COMPREPLY[@]}";
    let zsh = "autoload -U compinit; compinit -u -d dump; source _lbaf.zsh; echo $_comps[lbaf]";
    let fish = "source _lbaf.fish; complete -C 'lbaf run --strat' | string replace \\t ' '";
    for (shell, line, expected) in
        [("bash", bash, "simulate"), ("zsh", zsh, "_lbaf"), ("fish", fish, "--strategy")]
    {
        if is_installed(&workspace, shell) {
            workspace.write("line", line);
            let said = workspace.shell(&format!("{shell} line"));
            assert!(
                said.stdout.trim_start().starts_with(expected),
                "{shell}: {}{}",
                said.stdout,
                said.stderr
            );
        }
    }
}

#[test]
fn manual_pages_have_no_warnings() {
    let workspace = Workspace::new();
    assert!(workspace.succeed(&["man"]).contains(".TH lbaf 1"));
    assert_eq!(workspace.succeed(&["man", "pages"]), "Wrote 24 pages to pages\n");
    let pages = workspace.names("pages");
    assert!(["lbaf.1", "lbaf-run.1", "lbaf-study.1"].iter().all(|page| pages.contains(&(*page).to_owned())));
    if is_installed(&workspace, "man") {
        let said = workspace.shell("for page in pages/*; do man --warnings -l $page 2>&1 >/dev/null; done");
        assert_eq!(said.stdout + &said.stderr, "");
    }
}
