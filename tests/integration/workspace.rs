// SPDX-License-Identifier: MIT OR Apache-2.0
//! A temporary directory with data and configurations in which the binary runs.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Temporary directory of one test. All names are relative to this directory, also in messages of the binary.
pub(crate) struct Workspace {
    directory: TempDir,
}

/// Output and exit code of the binary.
#[derive(Debug)]
pub(crate) struct CommandOutput {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        Workspace { directory }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file and creates its parent directories.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        let parent = path.parent().expect("the name is below the workspace");
        fs::create_dir_all(parent).expect("directories can be made");
        fs::write(&path, content).expect("the file can be written");
    }

    /// Copies the files of a directory, without its subdirectories, into the directory `name`.
    pub(crate) fn copy(&self, from: &Path, name: &str) {
        for entry in from.read_dir().expect("the directory can be listed") {
            let path = entry.expect("the directory can be listed").path();
            if path.is_file() {
                let file = path.file_name().and_then(OsStr::to_str).expect("a plain name");
                let content = fs::read(&path).expect("the file can be read");
                self.write(&format!("{name}/{file}"), content);
            }
        }
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).expect("the file is text")
    }

    /// Reads a JSON file, plain or compressed.
    pub(crate) fn json(&self, name: &str) -> Value {
        let bytes = self.read(name);
        let document = if bytes.trim_ascii_start().starts_with(b"{") { bytes } else { decompress(&bytes) };
        let text = String::from_utf8(document).unwrap_or_else(|error| panic!("{name}: {error}"));
        // `FromStr` is compiled in serde_json, with optimization; `from_str` would be compiled here, without.
        text.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Reads the files of all ranks of a JSON data set.
    pub(crate) fn documents(&self, stem: &str) -> Vec<Value> {
        let mut documents = Vec::new();
        loop {
            let name = format!("{stem}.{}.json", documents.len());
            if !self.path(&name).exists() {
                return documents;
            }
            documents.push(self.json(&name));
        }
    }

    /// Returns the bytes of all files below a directory, by relative name.
    pub(crate) fn files(&self, name: &str) -> BTreeMap<String, Vec<u8>> {
        let root = self.path(name);
        let mut files = BTreeMap::new();
        let mut directories = vec![root.clone()];
        while let Some(directory) = directories.pop() {
            for entry in directory.read_dir().expect("the directory can be listed") {
                let path = entry.expect("the directory can be listed").path();
                if path.is_dir() {
                    directories.push(path);
                } else {
                    let name = path.strip_prefix(&root).expect("it is below").display().to_string();
                    files.insert(name, fs::read(&path).expect("the file can be read"));
                }
            }
        }
        files
    }

    pub(crate) fn names(&self, name: &str) -> Vec<String> {
        self.files(name).into_keys().collect()
    }

    /// Runs the binary in the workspace.
    pub(crate) fn lbaf(&self, arguments: &[&str]) -> CommandOutput {
        let output = self.command().args(arguments).output();
        CommandOutput::new(output.expect("the binary starts"))
    }

    /// Runs a shell command in the workspace; `$LBAF` is the binary.
    pub(crate) fn shell(&self, line: &str) -> CommandOutput {
        let output = Command::new("sh")
            .args(["-c", line])
            .env("LBAF", self.command().get_program())
            .current_dir(self.directory.path())
            .output();
        CommandOutput::new(output.expect("the shell starts"))
    }

    /// Runs the binary and expects success; returns its standard output.
    #[track_caller]
    pub(crate) fn succeed(&self, arguments: &[&str]) -> String {
        let said = self.lbaf(arguments);
        assert_eq!(said.code, 0, "{arguments:?}: {}", said.stderr);
        said.stdout
    }

    /// Runs the binary and expects an exit code; returns its standard error.
    #[track_caller]
    pub(crate) fn fail(&self, arguments: &[&str], code: i32) -> String {
        let said = self.lbaf(arguments);
        assert_eq!(said.code, code, "{arguments:?}: {}", said.stderr);
        said.stderr
    }

    /// Runs the binary and expects success; returns its peak memory, as reported by the system until shortly
    /// before the end.
    #[cfg(target_os = "linux")]
    pub(crate) fn peak_bytes(&self, arguments: &[&str]) -> usize {
        let mut command = std::process::Command::new(self.command().get_program());
        command.args(arguments).current_dir(self.directory.path()).stdout(std::process::Stdio::null());
        let mut child = command.spawn().expect("the binary starts");
        let status = format!("/proc/{}/status", child.id());
        let mut peak = 0;
        let code = loop {
            let peaks = fs::read_to_string(&status).unwrap_or_default();
            let line = peaks.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<usize>().ok());
            peak = peak.max(1024 * kilobytes.unwrap_or(0));
            if let Some(code) = child.try_wait().expect("it can be waited for") {
                break code;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        };
        assert!(code.success(), "{arguments:?}");
        peak
    }

    fn command(&self) -> Command {
        let mut command = match optimized() {
            Some(binary) => Command::new(binary),
            None => Command::cargo_bin("lbaf").expect("the binary is built"),
        };
        command.current_dir(self.directory.path());
        command
    }
}

/// Returns the binary to test instead of the one that was built with the tests: `LBAF_BINARY`, which is assumed
/// to be optimized.
fn optimized() -> Option<std::ffi::OsString> {
    std::env::var_os("LBAF_BINARY")
}

/// True if the tested binary is fast enough for large data.
pub(crate) fn is_fast() -> bool {
    optimized().is_some() || !cfg!(debug_assertions)
}

impl CommandOutput {
    fn new(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("the output is UTF-8");
        CommandOutput {
            code: output.status.code().expect("no signal ended the binary"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

pub(crate) fn decompress(bytes: &[u8]) -> Vec<u8> {
    let mut document = Vec::new();
    brotli::BrotliDecompress(&mut &*bytes, &mut document).expect("a complete brotli stream");
    document
}

pub(crate) fn compress(document: &[u8]) -> Vec<u8> {
    let mut compressed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams::default();
    brotli::BrotliCompress(&mut &*document, &mut compressed, &parameters)
        .expect("writing to memory does not fail");
    compressed
}
