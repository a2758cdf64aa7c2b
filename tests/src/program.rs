//! The program as its users start it.
#![allow(clippy::expect_used, reason = "a test that cannot start it is to fail")]

use std::path::Path;
use std::process::{Command, Output};

/// The program, built beside the tests.
///
/// # Panics
/// If it was not built.
pub fn program() -> Command {
    let test = std::env::current_exe().expect("a test has a file");
    let program = test.ancestors().nth(2).map(|folder| folder.join("aplomb")).unwrap_or_default();
    assert!(program.is_file(), "{} is missing: build it first with `cargo build --bin aplomb`", program.display());
    Command::new(program)
}

/// What it says to `arguments` in the folder `folder`.
///
/// # Panics
/// If it cannot be started.
pub fn run_in(folder: &Path, arguments: &[&str]) -> Output {
    program().current_dir(folder).args(arguments).output().expect("the program starts")
}

/// What it said on standard error.
///
/// # Panics
/// If that is no text.
pub fn errors(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("errors are text")
}
