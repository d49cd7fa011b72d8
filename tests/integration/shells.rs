// SPDX-License-Identifier: MIT OR Apache-2.0
//! Completions of shells and manual pages, read by these shells and by `man` if they are installed.

use crate::peers::skip;
use crate::workspace::Workspace;

/// True if a program is installed; prints a message otherwise.
fn is_installed(workspace: &Workspace, program: &str) -> bool {
    let found = workspace.shell(&format!("command -v {program}")).code == 0;
    if !found {
        skip(&format!("{program} is not installed"));
    }
    found
}

#[test]
fn shells_read_their_completions() {
    let workspace = Workspace::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        workspace.write(&format!("_lbaf.{shell}"), workspace.succeed(&["completions", shell]));
    }
    workspace.write("strategies.txt", "");
    // Without a result of the function, bash completes files.
    let bash = "source _lbaf.bash; try() { COMP_WORDS=(lbaf \"$@\"); COMP_CWORD=$#; COMPREPLY=(); \
                _lbaf lbaf \"${!#}\" \"${COMP_WORDS[$#-1]}\" 2>/dev/null; echo \"${COMPREPLY[@]}\"; }; try sim; \
                try run --strategy Temp; try compare --strategies al; try info str; complete -p lbaf";
    let zsh = "autoload -U compinit; compinit -u -d dump; source _lbaf.zsh; echo $_comps[lbaf]; grep -o 'TemperedLB ' \
               _lbaf.zsh | head -n 1";
    let fish = "source _lbaf.fish; complete -C 'lbaf run --strat' | string replace \\t ' ' | string sub -l 10; \
                complete -C 'lbaf run --strategy Temp'; complete -C 'lbaf info str'";
    let of_bash = "simulate\nTemperedLB TemperedWMin\nall\n\n\
                   complete -o bashdefault -o default -o nosort -F _lbaf lbaf";
    let of_fish = "--strategy\nTemperedLB\nTemperedWMin\nstrategies.txt";
    for (shell, line, expected) in
        [("bash", bash, of_bash), ("zsh", zsh, "_lbaf\nTemperedLB"), ("fish", fish, of_fish)]
    {
        if is_installed(&workspace, shell) {
            workspace.write("line", line);
            let said = workspace.shell(&format!("{shell} line"));
            assert_eq!(said.stdout.trim(), expected, "{shell}: {}", said.stderr);
        }
    }
}

#[test]
fn manual_pages_have_no_warnings() {
    let workspace = Workspace::new();
    assert!(workspace.succeed(&["man"]).contains(".TH lbaf 1"));
    let said = workspace.succeed(&["man", "pages"]);
    let pages = workspace.names("pages");
    assert_eq!(said, format!("Wrote {} pages to pages\n", pages.len()));
    for page in ["lbaf.1", "lbaf-run.1", "lbaf-study.1", "lbaf-study-merge.1", "lbaf-provenance-export.1"] {
        assert!(pages.contains(&page.to_owned()), "{page}: {pages:?}");
    }
    // The command `help` has no page, and no page lists this command.
    assert!(pages.iter().all(|page| !page.contains("help")), "{pages:?}");
    for page in &pages {
        let text = workspace.text(&format!("pages/{page}"));
        assert!(!text.lines().any(|line| line.ends_with("help(1)")), "{page}");
    }
    if is_installed(&workspace, "man") {
        let said = workspace.shell("for page in pages/*; do man --warnings -l $page 2>&1 >/dev/null; done");
        assert_eq!(said.stdout + &said.stderr, "");
    }
}

#[test]
fn manual_pages_replace_only_manual_pages_of_the_command() {
    let workspace = Workspace::new();
    workspace.write("pages/lbaf-run.1", ".TH lbaf-run 1 \"run 0.0.1\"\n");
    workspace.write("pages/other.1", "kept");
    workspace.succeed(&["man", "pages"]);
    assert!(workspace.text("pages/lbaf-run.1").len() > 1000);
    assert_eq!(workspace.text("pages/other.1"), "kept");
    workspace.write("pages/lbaf.1", "a file of the user");
    let message = "error: pages/lbaf.1 exists and is not a manual page of lbaf; move it away\n";
    assert_eq!(workspace.fail(&["man", "pages"], 4), message);
    assert_eq!(workspace.text("pages/lbaf.1"), "a file of the user");
    // The name of a directory in a message has no control characters.
    assert!(workspace.succeed(&["man", "a\u{1b}b"]).ends_with(" pages to a\\u001bb\n"));
}
