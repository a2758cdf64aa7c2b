//! Table 1 of Hsu et al. 2022, and the same scenes here: the gallery's, with meshes of as many elements.

use std::fmt::Write;

use aplomb_sim::scene::{Cure, Method};
use aplomb_sim::scene_file::gallery;
use aplomb_sim::simulation::Simulation;
use aplomb_sim::stats::report::InitReport;

use super::Request;
use super::dynamics::stepped;
use super::machine::Machine;
use super::report::{Reference, Row};
use super::scenes::{self, Folder};
use crate::cli::failure::Failure;
use crate::cli::init::{initialise, reached};
use crate::cli::output;
use crate::cli::targets::Targets;

/// A row of the published table.
struct Published {
    /// The gallery's scene.
    scene: &'static str,
    /// What the paper calls it.
    what: &'static str,
    /// Wall seconds of the global and the local stage.
    global: f64,
    local: f64,
    /// On what.
    machine: &'static str,
}

const fn published(scene: &'static str, what: &'static str, global: f64, local: f64) -> Published {
    Published { scene, what, global, local, machine: "AMD 5950X, 16 cores" }
}

static PUBLISHED: &[Published] = &[
    Published { machine: "Intel i9-9980XE, 18 cores", ..published("octopus", "octopus, corotated", 221.0, 1.5) },
    published("fig9_plant", "plant, corotated", 34.0, 0.147),
    published("fig9_plant_neo_hookean", "plant, neo-Hookean", 34.0, 0.147),
    published("fig9_plant_stvk", "plant, StVK", 34.0, 0.147),
    published("fig4_stack", "stack of boxes", 3.5, 0.010),
    published("fig5_bridge", "bridge", 0.2, 0.001),
    published("fig6_tilted_stack", "tilted stack", 11.0, 0.012),
    published("fig7_hay_bales", "hay bales", 4.1, 0.013),
    published("fig10_book", "page of a book, cloth", 0.08, 0.00003),
    published("fig11_blanket", "blanket round a ball, cloth", 1.13, 0.00014),
    published("fig12_hats", "two hats, cloth", 0.56, 0.0002),
    published("fig13_sail", "sail, cloth", 0.006, 0.00002),
    published("fig15_hair_mesh", "hair mesh", 2.5, 0.00001),
    published("fig17_dragon_springs", "dragon of springs", 0.4, 0.0002),
];

/// Each initialisation is done so many times, and the fastest counts.
const REPETITIONS: usize = 3;

/// Initialises every scene and lets it stand for a few steps.
pub fn run(request: &Request) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for entry in PUBLISHED {
        let Some(scene) = gallery::find(entry.scene) else {
            eprintln!("table1: the gallery has no scene `{}`; its row is left out", entry.scene);
            continue;
        };
        let build = || output::load(&scene.path(), &Targets::default(), request.watch).map(|(_, simulation)| simulation);
        let mut row = measured(build, request)?;
        let references = [("global", entry.global), ("local", entry.local)].into_iter().filter_map(|(phase, seconds)| {
            let ours = row.seconds.get(phase)?.as_f64()?;
            let what = format!("Hsu et al. 2022, {}", entry.machine);
            Some(Reference { what, phase: phase.into(), seconds, ratio: seconds / ours })
        });
        row.references = references.collect();
        rows.push(Row { name: format!("table1.{}", entry.scene), system: entry.what.into(), ..row });
    }
    let folder = Folder::new()?;
    let row = measured(|| scenes::block_on_slope(&folder, request.watch), request)?;
    rows.push(Row { name: "table1.block_on_slope".into(), system: "block on a slope, friction".into(), ..row });
    Ok(rows)
}

/// The fastest of a few initialisations, each from a new system, and the drift of the steps after the last.
fn measured(build: impl Fn() -> Result<Simulation, Failure>, request: &Request) -> Result<Row, Failure> {
    let (mut best, mut again): (Option<InitReport>, _) = (None, f64::INFINITY);
    let mut row = Row::default();
    let stages = |init: &InitReport| init.seconds.assemble + init.seconds.global + init.seconds.local;
    for repetition in 1..=REPETITIONS {
        let mut simulation = build()?;
        // The published times are those of the two stages alone; cures go through them again and again.
        let cure = std::mem::take(&mut simulation.system.initialise.cure);
        let mut init = initialise(&mut simulation, Method::SagFree, request.watch)?;
        // Once more, with the order and the symbolic factorisation that the system keeps; reports count their time all the same.
        let warm = initialise(&mut simulation, Method::SagFree, request.watch)?.seconds;
        let known = simulation.system.pattern.get().map_or(0.0, |pattern| pattern.seconds());
        again = again.min(warm.assemble + warm.global - known);
        if cure != Cure::None {
            simulation.system.initialise.cure = cure;
            let InitReport { residual, seconds, .. } = initialise(&mut simulation, Method::SagFree, request.watch)?;
            (init.residual, init.seconds.total) = (residual, seconds.total);
        }
        if repetition == REPETITIONS {
            // The row stands all the same: its residual says how far it got.
            if let Err(failure) = reached(&init) {
                eprintln!("table1: {failure}");
            }
            row = stepped(&mut simulation, request.steps.unwrap_or(5), request)?;
        }
        if best.as_ref().is_none_or(|best| stages(&init) < stages(best)) {
            best = Some(init);
        }
    }
    if let Some(init) = best {
        row.contacts = init.contacts;
        row.residual = Some(init.residual.after);
        row.time("global", init.seconds.assemble + init.seconds.global);
        row.time("global_again", again);
        row.time("local", init.seconds.local);
        row.time("initialise", init.seconds.total);
        row.count("repetitions", REPETITIONS);
        row.count("factorisations", init.factorisations);
        row.count("max_cone_violation", init.contact.max_cone_violation);
        row.count("peak_memory_bytes", init.peak_memory_bytes);
    }
    Ok(row)
}

/// The rows side by side with the published ones.
pub fn table(machine: &Machine, rows: &[Row]) -> String {
    let mut text = format!(
        "Hsu et al. 2022, Table 1, and here ({}, {} of {} cores)\n\
         Seconds: global with assembly, ordering and symbolic work, and local; the fastest of {REPETITIONS}. Again: the global stage of a system\n\
         whose order and symbolic factorisation are known.\n\n\
         {:28}{:>9}{:>9}{:>10}{:>18}{:>18}{:>9}{:>14}{:>10}{:>10}\n",
        machine.processor,
        machine.threads,
        machine.cores,
        "scene",
        "elements",
        "masses",
        "contacts",
        "paper",
        "here",
        "again",
        "faster",
        "residual",
        "drift"
    );
    let number = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.1e}"));
    for row in rows {
        let seconds = |phase: &str| row.seconds.get(phase).and_then(serde_json::Value::as_f64);
        let of = |phase: &str| row.references.iter().find(|reference| reference.phase == phase);
        let pair = |value: &dyn Fn(&str) -> Option<f64>, digits: fn(f64) -> String| {
            let shown = |phase| value(phase).map_or("-".into(), digits);
            format!("{} / {}", shown("global"), shown("local"))
        };
        let paper = pair(&|phase| of(phase).map(|reference| reference.seconds), |s| format!("{s}"));
        let here = pair(&seconds, |s| format!("{s:.4}"));
        let rounded = |ratio: f64| if ratio < 10.0 { format!("{ratio:.1}") } else { format!("{ratio:.0}") };
        let faster = pair(&|phase| of(phase).map(|reference| reference.ratio), rounded);
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{:28}{:>9}{:>9}{:>10}{paper:>18}{here:>18}{:>9}{faster:>14}{:>10}{:>10}",
            row.system,
            row.elements,
            row.masses,
            row.contacts,
            seconds("global_again").map_or("-".into(), |s| format!("{s:.4}")),
            number(row.residual),
            number(row.drift)
        );
    }
    text
}
