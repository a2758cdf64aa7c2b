//! `aplomb nudge`: is what the eigenvalues say true, and what do kicks say where there are none? Initialise, kick, watch.

use std::path::PathBuf;

use aplomb_sim::sag_free::stability::nudge::{Nudge as Options, NudgeError};
use aplomb_sim::scene::Method;
use aplomb_sim::stats::report::{KickDirection, NudgeReport, NudgeVerdict};
use clap::Args;

use super::console::Console;
use super::failure::Failure;
use super::init::{initialise, reached, summary};
use super::output::{self, Report};
use super::simulate::positive;
use super::targets::Targets;

/// Kick the body in its equilibrium, and watch whether it comes back.
#[derive(Debug, Args)]
pub struct Nudge {
    /// Scene: a file or a name of the gallery.
    scene: PathBuf,
    /// Speed of the kick [m/s]; by default one that moves the body by a ten-thousandth of its diagonal, or by a thousandth where it has no modes.
    #[arg(long, value_parser = positive)]
    velocity: Option<f64>,
    /// Seconds to watch; by default as long as the softest mode needs, or 10 times as long as a fall through the diagonal takes.
    #[arg(long, value_parser = positive)]
    seconds: Option<f64>,
    /// Write the report (JSON) to this file; `-` is standard output.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Number of threads; all cores where this is missing.
    #[arg(long)]
    threads: Option<usize>,
}

impl Nudge {
    /// Exit status 3 where there is no equilibrium, or the body cannot be simulated.
    pub fn run(&self) -> Result<(), Failure> {
        output::use_threads(self.threads)?;
        let targets = Targets::new([self.report.as_deref()])?;
        let console = Console::new();
        let path = output::scene_path(&self.scene);
        let mut report = Report { scene: path.clone(), ..Report::default() };
        let outcome = self.fill(&path, &targets, &mut report, &console);
        console.clear();
        if let Some(init) = &report.init {
            eprintln!("{}", summary(init));
        }
        if let Some(nudge) = &report.nudge {
            eprintln!("{}", in_words(nudge));
        }
        if report.init.is_some() {
            output::write_report(self.report.as_deref(), &report)?;
        }
        outcome
    }

    fn fill(&self, path: &std::path::Path, targets: &Targets, report: &mut Report, console: &Console) -> Result<(), Failure> {
        let (_, mut simulation) = output::load(path, targets, console)?;
        let init = report.init.insert(initialise(&mut simulation, Method::SagFree, console)?);
        reached(init)?;
        let options = Options { velocity: self.velocity, seconds: self.seconds };
        let nudge = simulation.nudge(&options, console).map_err(|error| match error {
            NudgeError::Cancelled(_) => Failure::Interrupted,
            other => Failure::Unreached(other.to_string()),
        })?;
        init.take_nudge(&nudge);
        report.nudge = Some(nudge);
        Ok(())
    }
}

/// The report in a few lines.
fn in_words(report: &NudgeReport) -> String {
    let mut lines: Vec<String> = report
        .kicks
        .iter()
        .map(|kick| {
            let direction = match kick.direction {
                KickDirection::SoftestMode => "along the softest mode",
                KickDirection::Uniform => "uniformly",
                KickDirection::Waves => "in waves",
            };
            let seconds = kick.steps as f64 * kick.step_size;
            let what = match kick.verdict {
                // What nothing pulls back, as on a smooth floor, stays near.
                NudgeVerdict::Returns if kick.decay > 0.5 => "stays near",
                NudgeVerdict::Returns => "comes back",
                NudgeVerdict::Leaves => "leaves",
            };
            let contacts = if kick.contact_kept { "" } else { ", and lost contacts" };
            format!(
                "kicked {direction} with {:.1e} m/s it {what}: {:.1e} m at most, {:.1e} m after {seconds:.2} s{contacts}",
                kick.velocity, kick.peak, kick.end
            )
        })
        .collect();
    if report.agrees == Some(false) {
        lines.push("this is not what the eigenvalues say".into());
    }
    if let Some(compliance) = report.compliance {
        lines.push(format!("it answers a push {:.2} times as softly as the naive body", compliance.ratio));
    }
    lines.join("\n")
}
