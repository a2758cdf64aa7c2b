//! The command line: one file a subcommand. Messages go to standard error, data to standard output.

mod bench;
mod check;
mod console;
mod export;
mod failure;
mod gallery;
mod import;
mod init;
mod nudge;
mod output;
mod render;
mod rest;
mod schema;
mod simulate;
mod surface;
mod targets;
mod trace;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use failure::Failure;

/// Deformable bodies that keep the shape their artist gave them. Without a command, opens the editor.
#[derive(Debug, Parser)]
#[command(name = "aplomb", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    /// Scene to open in the editor: a file or a name of the gallery.
    scene: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Bench(bench::Bench),
    Check(check::Check),
    Import(import::Import),
    Init(init::Init),
    Simulate(simulate::Simulate),
    Export(export::Export),
    Nudge(nudge::Nudge),
    Render(render::Render),
    Rest(rest::Rest),
    Schema(schema::Schema),
    Gallery(gallery::Gallery),
}

/// Runs what the arguments ask for. Exit status: 0 done, 1 the input is at fault, 2 wrong usage, 3 the solver could not
/// reach what was asked, 130 interrupted.
pub fn run() -> ExitCode {
    run_with(std::env::args_os())
}

/// The same with arguments of a program's own, of which the first is its name.
pub fn run_with(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    let arguments = Arguments::parse_from(arguments);
    let done = match &arguments.command {
        Some(Command::Bench(command)) => command.run(),
        Some(Command::Check(command)) => command.run(),
        Some(Command::Import(command)) => command.run(),
        Some(Command::Init(command)) => command.run(),
        Some(Command::Simulate(command)) => command.run(),
        Some(Command::Export(command)) => command.run(),
        Some(Command::Nudge(command)) => command.run(),
        Some(Command::Render(command)) => command.run(),
        Some(Command::Rest(command)) => command.run(),
        Some(Command::Schema(command)) => command.run(),
        Some(Command::Gallery(command)) => command.run(),
        None => crate::window::open(arguments.scene.map(|scene| output::scene_path(&scene))).map_err(Failure::from),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            failure.exit_code()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }
}
