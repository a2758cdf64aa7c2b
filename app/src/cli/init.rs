//! `aplomb init`: choose the rest state, report how well it balances.

use std::path::{Path, PathBuf};

use aplomb_sim::export::PreparedAsset;
use aplomb_sim::sag_free::initialise::InitialiseError;
use aplomb_sim::sag_free::stability::forecast::HORIZON;
use aplomb_sim::scene::{Cure, Method};
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::{Conclusion, InitReport, Stability};
use aplomb_sim::watch::Watch;
use clap::{Args, ValueEnum};

use super::console::Console;
use super::failure::Failure;
use super::output::{self, Report};
use super::targets::Targets;

/// Initialise a scene: choose its rest state, and report balance, stability and feasibility.
#[derive(Debug, Args)]
pub struct Init {
    /// Scene: a file or a name of the gallery.
    pub(super) scene: PathBuf,
    /// How the rest state is chosen; the scene's own method where this is missing.
    #[arg(long)]
    pub(super) method: Option<MethodName>,
    /// Write the report (JSON) to this file; `-` is standard output.
    #[arg(long)]
    pub(super) report: Option<PathBuf>,
    /// Write the prepared asset to this .vtu or .npz file: all that `simulate --prepared` needs to start without solving again.
    #[arg(long)]
    pub(super) out: Option<PathBuf>,
    /// Where the equilibrium is unstable, try every cure and compare them.
    #[arg(long)]
    pub(super) cures: bool,
    /// Number of threads; all cores where this is missing.
    #[arg(long)]
    pub(super) threads: Option<usize>,
}

/// A method by its name in scenes.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum MethodName {
    /// The given shape becomes the equilibrium, contact and friction included.
    SagFree,
    /// The given shape becomes the rest shape: sags.
    Naive,
    /// Baseline: contacts are treated as pins, which may also pull.
    PinnedContacts,
    /// Baseline: contacts are ignored.
    NoContact,
    /// Particles run until they rest, and are frozen where they have come to.
    Settle,
}

impl From<MethodName> for Method {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::SagFree => Self::SagFree,
            MethodName::Naive => Self::Naive,
            MethodName::PinnedContacts => Self::PinnedContacts,
            MethodName::NoContact => Self::NoContact,
            MethodName::Settle => Self::Settle,
        }
    }
}

impl Init {
    /// Exit status 3, with the report written, where no balance exists.
    pub fn run(&self) -> Result<(), Failure> {
        output::use_threads(self.threads)?;
        let targets = Targets::new([self.out.as_deref(), self.report.as_deref()])?;
        if let Some(file) = &self.out {
            PreparedAsset::known_format(file)?;
        }
        let console = Console::new();
        let path = output::scene_path(&self.scene);
        let prepared = self.prepare(&path, &targets, &console);
        console.clear();
        let (simulation, init) = prepared?;
        eprintln!("{}", summary(&init));
        let reached = reached(&init);
        if let (Some(file), Ok(())) = (&self.out, &reached) {
            simulation.prepared_asset().write(file)?;
        }
        output::write_report(self.report.as_deref(), &Report { scene: path, init: Some(init), ..Report::default() })?;
        reached
    }

    fn prepare(&self, path: &Path, targets: &Targets, watch: &dyn Watch) -> Result<(Simulation, InitReport), Failure> {
        let (scene, mut simulation) = output::load(path, targets, watch)?;
        let method = self.method.map_or(scene.initialise.method, Method::from);
        simulation.system.initialise.compare_cures |= self.cures;
        let mut report = initialise(&mut simulation, method, watch)?;
        let forecast = simulation.forecast(report.stability.as_ref(), HORIZON, watch).map_err(|_| Failure::Interrupted)?;
        report.forecast = Some(forecast);
        Ok((simulation, report))
    }
}

/// Initialises, with errors in the terms of the command line.
pub fn initialise(simulation: &mut Simulation, method: Method, watch: &dyn Watch) -> Result<InitReport, Failure> {
    simulation.initialise(method, watch).map_err(|error| match error {
        InitialiseError::Cancelled(_) => Failure::Interrupted,
        other => Failure::Unreached(other.to_string()),
    })
}

/// Whether the method did what it promises.
pub fn reached(init: &InitReport) -> Result<(), Failure> {
    init.outcome.broken_promise(init.method).map_or(Ok(()), |reason| Err(Failure::Unreached(reason.to_owned())))
}

/// The report in a few words.
pub fn summary(init: &InitReport) -> String {
    let mut text = format!(
        "{} elements, {} masses, {} contacts; residual {:.1e} -> {:.1e} of the largest load in {:.3} s: {}",
        init.elements, init.masses, init.contacts, init.residual.before, init.residual.after, init.seconds.total, init.outcome.verdict
    );
    if let Some(gap) = init.gap.filter(|_| !init.gap_reached) {
        let what = if init.grid.is_some() { "stresses and the forces of the walls" } else { "contact forces" };
        text += &format!("\nthe {what} are right to a share of {:.0e} only", gap.sqrt());
    }
    if let Some(one_way) = &init.one_way {
        let names = one_way.bodies.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let left = one_way.residual.after;
        text += &format!("\n{}: {names}; by themselves {left:.1e} of their largest load is out of balance", one_way.note);
    }
    if init.reserve_contacts > 0 {
        text += &format!("\n{} crossings of edges were taken in as contacts: there was no balance without", init.reserve_contacts);
    }
    if init.self_contact_dropped > 0 {
        text +=
            &format!("\n{} contacts of bodies with themselves were left out: there was no balance with them", init.self_contact_dropped);
    }
    if let Some(settled) = &init.settled {
        text += &format!(
            "\nthe particles settled in {:.2} s ({} steps) and moved by {:.2e} m on average, {:.2e} m at most; they were frozen at {:.1e} m/s",
            settled.seconds, settled.steps, settled.mean, settled.farthest, settled.fastest
        );
    }
    if init.stiffened.elements > 0 {
        let (count, factor) = (init.stiffened.elements, init.stiffened.max_factor);
        text += &format!("\n{count} elements were made stiffer than authored, the most by a factor of {factor:.3}");
    }
    if let Some(pattern) = &init.pattern {
        let percent = |off: f64| 100.0 * off.exp_m1();
        text += &format!(
            "\nrest shapes of {} triangles are {:.2} % from their sewing pattern on average, {:.2} % at most",
            pattern.triangles,
            percent(pattern.mean),
            percent(pattern.largest)
        );
    }
    // A broken promise is said where the command ends.
    if let Some(reason) = init.outcome.reason.as_ref().filter(|_| reached(init).is_ok()) {
        text += &format!("\n{reason}");
    }
    if let Some(stability) = &init.stability {
        text += &words_on(stability, init.outcome.verdict);
    }
    text
}

/// What else is to be said of stability; nothing where all is well.
fn words_on(stability: &Stability, verdict: Conclusion) -> String {
    let mut text = String::new();
    if let Some(cured_by) = stability.cured_by {
        text += &format!("\nthe equilibrium was unstable; it is stable with {}", name(cured_by));
    } else if verdict == Conclusion::Unstable {
        text += "\nuse a stiffer material or more supports";
        // Cures are of modes, which there are not where kicks alone tell.
        text += match stability.negative_eigenvalues {
            0 => "",
            _ if stability.cures.is_empty() => ", or see what `aplomb init --cures` offers",
            _ => ", or a cure",
        };
    }
    if let Some(by) = stability.reason.as_ref().filter(|_| verdict == Conclusion::Holds) {
        text += &format!("\n{by}");
    }
    if !stability.cures.is_empty() {
        text += &format!(
            "\n{:<20} {:>5} {:>9} {:>9} {:>7} {:>9} {:>9} {:>9} {:>8}",
            "cure", "helps", "by", "elements", "mass", "negative", "change", "residual", "seconds"
        );
    }
    for cure in &stability.cures {
        // Rounded up, so that what is told is enough.
        let parts = [
            cure.push_weight.map(|weight| format!("w {weight}")),
            cure.tension.map(|tension| format!("{:.4}", (10000.0 * tension).ceil() / 10000.0)),
            cure.factor.map(|factor| format!("x {:.3}", (1000.0 * factor).ceil() / 1000.0)),
        ];
        let by = parts.into_iter().flatten().collect::<Vec<_>>().join(" ");
        text += &format!(
            "\n{:<20} {:>5} {by:>9} {:>9} {:>5.1} % {:>9} {:>9.1e} {:>9.1e} {:>8.2}",
            name(cure.cure),
            if cure.helps { "yes" } else { "no" },
            cure.stiffened_elements,
            100.0 * cure.stiffened_mass,
            cure.negative_eigenvalues,
            cure.max_compression_change,
            cure.residual,
            cure.seconds
        );
        for stage in &cure.stages {
            let kept = if stage.kept { "kept" } else { "left out" };
            text += &format!("\n  {:<18} {:>5} {:>44} {kept}", name(stage.cure), "", stage.negative_eigenvalues);
        }
    }
    text
}

fn name(cure: Cure) -> &'static str {
    match cure {
        Cure::None => "none",
        Cure::UniformStiffening => "uniform_stiffening",
        Cure::LocalStiffening => "local_stiffening",
        Cure::TensionShift => "tension_shift",
        Cure::LessPush => "less_push",
        Cure::InOrder => "in_order",
    }
}
