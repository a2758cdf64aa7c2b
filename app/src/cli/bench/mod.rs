//! `aplomb bench`: how long the parts of the work take on this machine, beside figures of other programs.
//!
//! ```text
//! registry -> rows (a scene or kernel each, measured by phase) + reference (figures of others) -> report and table
//! ```

mod contacts;
mod dynamics;
mod factor;
mod live;
mod machine;
mod mpm;
mod pbsm;
mod reference;
mod report;
mod scenes;
mod solvers;
mod table1;
mod xpbd;

use std::path::{Path, PathBuf};

use aplomb_sim::watch::Watch;
use clap::Args;

use self::machine::Machine;
use self::reference::Records;
use self::report::{BenchReport, Row, table};
use super::console::Console;
use super::failure::Failure;
use super::output;
use super::targets::Targets;
use crate::sources::Sources;

/// Measure how long the parts of the work take on this machine.
#[derive(Debug, Args)]
pub struct Bench {
    /// Rows to run, by name; all of them where none is given.
    rows: Vec<String>,
    /// Write the report (JSON) to this file; `-` is standard output.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Number of threads; all cores where this is missing.
    #[arg(long)]
    threads: Option<usize>,
    /// Figures of other programs to compare with: a file of JSON records, one a line. May be given several times.
    #[arg(long)]
    reference: Vec<PathBuf>,
    /// Time steps of each row that steps, in place of the row's own number.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
}

/// What can be measured.
struct Entry {
    /// Name on the command line; the names of its rows begin with it.
    name: &'static str,
    /// One line for people.
    what: &'static str,
    run: fn(&Request) -> Result<Vec<Row>, Failure>,
    /// What it prints on standard output besides.
    table: Option<fn(&Machine, &[Row]) -> String>,
}

/// What a row is asked for.
struct Request<'a> {
    steps: Option<u64>,
    watch: &'a dyn Watch,
}

static ENTRIES: &[Entry] = &[
    Entry {
        name: "box_drop_5k",
        what: "a soft box of 5000 tetrahedra dropped 2 cm onto the ground: a half-space, and a mesh",
        run: dynamics::box_drop,
        table: None,
    },
    Entry {
        name: "contacts_39k",
        what: "kernels of contact on two bumpy sheets of 19600 triangles that lie on each other",
        run: contacts::run,
        table: None,
    },
    Entry {
        name: "creature_on_torus",
        what: "a creature of 26000 tetrahedra falling onto a torus",
        run: dynamics::creature_on_torus,
        table: None,
    },
    Entry { name: "hanging_100k", what: "a block of 100000 tetrahedra hanging from one side", run: dynamics::hanging, table: None },
    Entry {
        name: "factor",
        what: "Cholesky factorisation of stiffness matrices of 10, 24 and 50 thousand vertices",
        run: factor::run,
        table: None,
    },
    Entry {
        name: "live",
        what: "edits of scenes of 10 to 100 thousand tetrahedra, from the edit to the balance and to the verdict, in the editor's own session",
        run: live::run,
        table: None,
    },
    Entry {
        name: "mpm",
        what: "parts of steps of cubes of 100 and 500 thousand material points, beside those of Taichi, and the balance of tanks of water",
        run: mpm::run,
        table: None,
    },
    Entry {
        name: "pbsm",
        what: "frames of shape matching with energies on one thread, beside the timings of Muller et al. 2022",
        run: pbsm::run,
        table: None,
    },
    Entry { name: "solvers", what: "iterations of every linear solver on one step of a net", run: solvers::run, table: None },
    Entry {
        name: "table1",
        what: "the timings of Hsu et al. 2022 beside those of the same scenes here",
        run: table1::run,
        table: Some(table1::table),
    },
    Entry {
        name: "xpbd",
        what: "frames and sweeps of cloth of springs and hinges by position, of 32, 64 and 128 cells a side",
        run: xpbd::run,
        table: None,
    },
];

impl Bench {
    /// Runs the rows, one after the other; prints a table and writes the report.
    pub fn run(&self) -> Result<(), Failure> {
        let entries = self.entries()?;
        let targets = Targets::new([self.report.as_deref()])?;
        let mut sources = Sources::default();
        self.reference.iter().for_each(|file| sources.add(file));
        targets.spare(&sources)?;
        let records = Records::read(&self.reference)?;
        output::use_threads(self.threads)?;
        let console = Console::new();
        let mut report = BenchReport { machine: Machine::this(), rows: Vec::new() };
        for (done, entry) in entries.iter().enumerate() {
            console.progress(entry.name, done as f64 / entries.len() as f64);
            let request = Request { steps: self.steps, watch: &console };
            let mut rows = (entry.run)(&request)?;
            rows.iter_mut().for_each(|row| row.compare(&records, report.machine.threads));
            if let Some(table) = entry.table.filter(|_| self.report.as_deref() != Some(Path::new("-"))) {
                console.clear();
                output::print(&table(&report.machine, &rows))?;
            }
            report.rows.append(&mut rows);
            if console.check().is_err() {
                return Err(Failure::Interrupted);
            }
        }
        console.clear();
        eprint!("{}", table(&report));
        output::write_json(self.report.as_deref(), &serde_json::json!({ "bench": report }))
    }

    fn entries(&self) -> Result<Vec<&'static Entry>, Failure> {
        let find = |name: &String| {
            ENTRIES.iter().find(|entry| entry.name == name).ok_or_else(|| {
                let known: Vec<String> = ENTRIES.iter().map(|entry| format!("  {:18} {}", entry.name, entry.what)).collect();
                Failure::Input(format!("there is no row `{name}`; there are\n{}", known.join("\n")))
            })
        };
        if self.rows.is_empty() { Ok(ENTRIES.iter().collect()) } else { self.rows.iter().map(find).collect() }
    }
}
