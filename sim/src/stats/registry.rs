//! [`STATISTICS`]: every number of a step, one line each. Tables, recordings, reports, plots and their documentation follow.

use std::sync::{PoisonError, RwLock};

use super::chart::{Axis, Chart, Hue};
use super::statistic::{Statistic, field};

/// Residuals of exactly zero are drawn at this.
const SMALLEST: f64 = 1e-18;
/// A body that is given in touch has no gap at all; it is drawn as this [m].
const NO_GAP: f64 = 1e-9;

static ENERGY: Chart = Chart::new("Overview", "Energy [J]", Axis::Linear);
static SHARES: Chart = Chart::new("Overview", "Shares", Axis::Logarithmic { powers: [-12.0, -8.0], least: SMALLEST });
static VOLUME: Chart = Chart::new("Overview", "Volume [m³]", Axis::Linear);
static DISSIPATED: Chart = Chart::new("Motion", "Dissipated energy [J]", Axis::Linear);
static MOMENTUM: Chart = Chart::new("Motion", "Momentum [kg m/s]", Axis::Linear);
static ANGULAR_MOMENTUM: Chart = Chart::new("Motion", "Angular momentum [kg m²/s]", Axis::Linear);
static NEWTON: Chart = Chart::new("Solver", "Newton's method", Axis::Linear);
static LINEAR: Chart = Chart::new("Solver", "Linear residual", Axis::Logarithmic { powers: [-16.0, -8.0], least: SMALLEST });
static WALL_TIME: Chart = Chart { factor: 1e3, ..Chart::new("Solver", "Wall time [ms]", Axis::Linear) };
static GAPS: Chart = Chart::new("Contact", "Smallest gap [m]", Axis::Logarithmic { powers: [-5.0, -4.0], least: NO_GAP });
static CONTACTS: Chart = Chart::new("Contact", "Contacts", Axis::Linear);

/// The numbers of a step, in the order of columns. Pages, charts and curves of plots come in the order in which they are met here.
#[rustfmt::skip] // One line each, however long.
pub static STATISTICS: &[Statistic] = &[
    Statistic::new("time", "s", "time at the end of the step", field!(time)),
    Statistic::new("kinetic", "J", "kinetic energy", field!(kinetic)).plotted(&ENERGY, "kinetic", Hue::Blue),
    Statistic::new("elastic", "J", "elastic energy", field!(elastic)).plotted(&ENERGY, "elastic", Hue::Green),
    Statistic::new("gravity", "J", "potential energy in gravity, zero in the given shape", field!(gravity)).plotted(&ENERGY, "gravity", Hue::Orange),
    Statistic::new("contact", "J", "barrier energy", field!(contact)).plotted(&ENERGY, "contact", Hue::Pink),
    Statistic::new("pressure", "J", "potential energy of pressure, zero in the given shape", field!(pressure)).plotted(&ENERGY, "pressure", Hue::Violet),
    Statistic::new("total", "J", "kinetic, elastic, gravity, contact and pressure energy together", field!(total)).plotted(&ENERGY, "total", Hue::Grey),
    Statistic::new("friction", "J", "energy that friction has dissipated since time zero", field!(friction)).plotted(&DISSIPATED, "friction", Hue::Orange),
    Statistic::new("damping", "J", "energy that damping has dissipated since time zero", field!(damping)).plotted(&DISSIPATED, "damping", Hue::Violet),
    Statistic::new("momentum_x", "kg m/s", "linear momentum along x", field!(momentum.x)).reported_as("momentum").plotted(&MOMENTUM, "x", Hue::Pink),
    Statistic::new("momentum_y", "kg m/s", "linear momentum along y", field!(momentum.y)).reported_as("momentum").plotted(&MOMENTUM, "y", Hue::Green),
    Statistic::new("momentum_z", "kg m/s", "linear momentum along z", field!(momentum.z)).reported_as("momentum").plotted(&MOMENTUM, "z", Hue::Blue),
    Statistic::new("angular_momentum_x", "kg m^2/s", "angular momentum about the origin, along x", field!(angular_momentum.x)).reported_as("angular_momentum").plotted(&ANGULAR_MOMENTUM, "x", Hue::Pink),
    Statistic::new("angular_momentum_y", "kg m^2/s", "angular momentum about the origin, along y", field!(angular_momentum.y)).reported_as("angular_momentum").plotted(&ANGULAR_MOMENTUM, "y", Hue::Green),
    Statistic::new("angular_momentum_z", "kg m^2/s", "angular momentum about the origin, along z", field!(angular_momentum.z)).reported_as("angular_momentum").plotted(&ANGULAR_MOMENTUM, "z", Hue::Blue),
    Statistic::new("residual", "", "final |gradient| of the step over the largest load", field!(residual)).plotted(&SHARES, "residual", Hue::Blue),
    Statistic::new("friction_lag", "", "what another round would change of the friction force on a node, at most, over the largest load", field!(friction_lag)),
    Statistic::new("iterations", "", "Newton iterations", field!(iterations)).plotted(&NEWTON, "iterations", Hue::Blue),
    Statistic::new("unsolved", "", "directions of Newton's method that solve their linear system only in part", field!(unsolved)),
    Statistic::new("linear_iterations", "", "iterations of iterative linear solvers", field!(linear_iterations)),
    Statistic::new("linear_residual", "", "largest residual |b - A x| / |b| of the step's linear systems", field!(linear_residual)).plotted(&LINEAR, "residual", Hue::Blue),
    Statistic::new("halvings", "", "halvings of the line search", field!(halvings)).plotted(&NEWTON, "halvings", Hue::Orange),
    Statistic::new("substeps", "", "parts that the step was taken in", field!(substeps)).plotted(&NEWTON, "parts", Hue::Grey),
    Statistic::new("turn", "", "S of position-based steppers: how far the force of a constraint turns in a part of a step, or how near sweeps are to giving way under the load; below 2, at best 1", field!(turn)),
    Statistic::new("by_backward_euler", "", "parts that the midpoint rule could not take, and backward Euler took in its stead", field!(by_backward_euler)),
    Statistic::new("unsettled", "", "parts that ended although contacts faced other features than those that were solved with", field!(unsettled)),
    Statistic::new("volume", "m^3", "volume of the bodies", field!(volume)).plotted(&VOLUME, "volume", Hue::Green),
    Statistic::new("inversions", "", "inverted elements", field!(inversions)).not_reported(),
    Statistic::new("density_mean", "", "mean density over rest of the particles of a fluid that are under pressure; 0 where none is", field!(density_mean)),
    Statistic::new("density_max", "", "largest density over rest of a particle of a fluid; 0 where there is none", field!(density_max)),
    Statistic::new("couple", "", "largest net torque of the forces between two bodies, over the sum of all loads times the diagonal", field!(couple)),
    Statistic::new("hand_x", "N", "force of a hand that pulls at a body in the editor, its mean over the step, along x", field!(hand.x)).not_reported(),
    Statistic::new("hand_y", "N", "the same along y", field!(hand.y)).not_reported(),
    Statistic::new("hand_z", "N", "the same along z", field!(hand.z)).not_reported(),
    Statistic::new("wall_force_x", "N", "force of the walls on all material points, its mean over the step, along x; 0 without such points", field!(wall_force.x)).reported_as("wall_force"),
    Statistic::new("wall_force_y", "N", "the same along y", field!(wall_force.y)).reported_as("wall_force"),
    Statistic::new("wall_force_z", "N", "the same along z", field!(wall_force.z)).reported_as("wall_force"),
    Statistic::new("min_gap", "m", "smallest distance between contact points, or of a vertex from an obstacle; infinite without contact", field!(min_gap)).plotted(&GAPS, "true", Hue::Blue),
    Statistic::new("min_effective_gap", "m", "smallest effective gap: true gap and preload offset; infinite without contact", field!(min_effective_gap)).not_reported().plotted(&GAPS, "effective", Hue::Orange),
    Statistic::new("contacts", "", "contacts that push", field!(contacts)).plotted(&CONTACTS, "pushing", Hue::Pink),
    Statistic::new("contact_pairs", "", "pairs of surface features near enough to be looked at", field!(contact_pairs)).plotted(&CONTACTS, "looked at", Hue::Grey),
    Statistic::new("drift", "", "largest distance from the given shape over its diagonal", field!(drift)).plotted(&SHARES, "drift", Hue::Orange),
    Statistic::new("seconds", "s", "wall time", field!(seconds)).reported_as("step_seconds").plotted(&WALL_TIME, "step", Hue::Grey),
    Statistic::new("elements", "s", "wall time of energies, forces and Hessians of the elements", field!(phases.elements)).reported_as("phases.elements").plotted(&WALL_TIME, "elements", Hue::Green),
    Statistic::new("contact", "s", "wall time of contact: search, energies, forces, Hessians", field!(phases.contact)).reported_as("phases.contact").plotted(&WALL_TIME, "contact", Hue::Pink),
    Statistic::new("ccd", "s", "wall time of continuous collision detection", field!(phases.ccd)).reported_as("phases.ccd").plotted(&WALL_TIME, "ccd", Hue::Orange),
    Statistic::new("linear", "s", "wall time of linear systems: assembly, factorisation, solution", field!(phases.linear)).reported_as("phases.linear").plotted(&WALL_TIME, "linear", Hue::Blue),
    Statistic::new("line_search", "s", "wall time of the line search", field!(phases.line_search)).reported_as("phases.line_search").plotted(&WALL_TIME, "line search", Hue::Violet),
    Statistic::new("phases_total", "s", "wall time of all phases", field!(phases.total)).reported_as("phases.total"),
];

/// Those that programs have added.
static ADDED: RwLock<Vec<&'static Statistic>> = RwLock::new(Vec::new());

/// Every statistic: [`STATISTICS`], then those that were added.
pub fn statistics() -> Vec<&'static Statistic> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    STATISTICS.iter().chain(added.iter().copied()).collect()
}

/// Adds a statistic of a program's own, for as long as the program runs. To be called before a run begins, so that all lines of a table
/// have the same columns. False if one with this [`Statistic::head`] is there already; then nothing is added.
pub fn add(statistic: Statistic) -> bool {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    let is_new = STATISTICS.iter().chain(added.iter().copied()).all(|known| known.head() != statistic.head());
    if is_new {
        added.push(Box::leak(Box::new(statistic)));
    }
    is_new
}

/// `docs/statistics.md`.
pub fn documentation() -> String {
    let rows = STATISTICS.iter().map(|statistic| {
        let plot = statistic.curve.map_or_else(String::new, |curve| format!("{}: {}", curve.chart.page, curve.chart.title));
        let [doc, key] = [statistic.doc, statistic.report.unwrap_or_default()].map(|text| text.replace('|', "\\|"));
        format!("| `{}` | {doc} | {plot} | {key} |\n", statistic.head())
    });
    format!("{DOCUMENTATION}{}", rows.collect::<String>())
}

/// What stands over the list.
const DOCUMENTATION: &str = "# The numbers of a step

Columns of `aplomb simulate --csv` and of recordings, in this order; pages and charts of the editor's plots; keys of the report's
`simulate.series`. A value that is not finite leaves its cell empty, and is `null` in the report. Written by
`cargo run -p aplomb-sim --example statistics > docs/statistics.md`.

| Number | What it is | Plot | Key in the report |
|---|---|---|---|
";
