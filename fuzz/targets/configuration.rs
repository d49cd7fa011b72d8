// SPDX-License-Identifier: MIT OR Apache-2.0
//! Run configurations, from text to the resolved run.
//!
//! The first part of an input is a file, and the text after each zero byte is an argument of `--set`.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;
use std::{env, fs, process};

use lbaf_config::{ConfigError, Layers, Overrides, resolve};
use libfuzzer_sys::fuzz_target;

/// Configuration file of this process, alone in its directory, so that no other file is merged with it.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let directory = env::temp_dir().join(format!("lbaf-fuzz-{}", process::id()));
    fs::create_dir_all(&directory).expect("a temporary directory can be created");
    directory.join("run.yaml")
});

fuzz_target!(|bytes: &[u8]| {
    let mut parts = bytes.split(|&byte| byte == 0);
    fs::write(&*FILE, parts.next().unwrap_or_default()).expect("the file can be written");
    let set: Vec<String> = parts.map(|part| String::from_utf8_lossy(part).into_owned()).collect();
    let overrides = Overrides { set, ..Overrides::default() };
    let run = Layers::read(&[FILE.clone()], &overrides.set)
        .and_then(|layers| resolve(&layers, &overrides));
    match run {
        Ok(run) => {
            let _ = (run.phases.bounded(), run.phases.contains(7), run.balancing.contains(7));
            let _ = run.balancing.phases.missing_from(|_| false);
        }
        Err(error) => {
            assert!(matches!(error, ConfigError::Invalid(_)), "{error}");
            assert!(!error.to_string().is_empty());
        }
    }
});
