//! The health report in words.

use std::fmt::Write;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::health::{Certainty, Health, shown_length, unit_name};
use aplomb_sim::scene::{SceneProblem, SurfaceRepair, Unit, UpAxis};
use aplomb_sim::stats::report::{ImportReport, Tetrahedralised};

use super::arguments::written;
use crate::document::ImportOptions;

/// What a file holds and what is wrong with it, as it is taken in.
pub fn report(report: &ImportReport, health: &Health, options: &ImportOptions) -> String {
    let ImportOptions { unit, up, fill, .. } = options;
    let (unit, up) = (*unit, *up);
    let repairs = fill.as_ref().map_or(&[][..], |fill| &fill.repair);
    let is_done = |fix: &SurfaceRepair| repairs.iter().any(|repair| std::mem::discriminant(repair) == std::mem::discriminant(fix));
    let mut text = format!("{}: {}, {}\n", report.file.display(), report.format, contents(health));
    let mut row = |name: &str, what: &str| {
        // Writing into a string does not fail.
        let _ = writeln!(text, "  {name:10}{what}");
    };
    let size: Vec3 = health.bounding_box[1] - health.bounding_box[0];
    row("size", &format!("{} x {} x {} (x, y up, z)", shown_length(size.x), shown_length(size.y), shown_length(size.z)));
    let advice = |differs: bool, certainty: Certainty, flag: &str| match (differs, certainty) {
        (false, _) => String::new(),
        (true, Certainty::Stated) => "; taken otherwise, as asked".to_owned(),
        (true, Certainty::Likely) => format!("; pass {flag}"),
        (true, Certainty::Unsure) => format!("; if so, pass {flag}"),
    };
    let guess = &health.unit;
    let likely = match unit == guess.value {
        true => guess.reason.clone(),
        false => format!("looks like {}: {}", unit_name(guess.value), guess.reason),
    };
    let short = |unit| match unit {
        Unit::Metre => "m",
        Unit::Centimetre => "cm",
        Unit::Millimetre => "mm",
    };
    row(
        "unit",
        &format!(
            "{} ({likely}{})",
            unit_name(unit),
            advice(unit != guess.value, guess.certainty, &format!("--unit {}", short(guess.value)))
        ),
    );
    let axis = |up| match up {
        UpAxis::Y => "y",
        UpAxis::Z => "z",
    };
    let guess = &health.up;
    row(
        "up",
        &format!("{} ({}{})", axis(up), guess.reason, advice(up != guess.value, guess.certainty, &format!("--up {}", axis(guess.value)))),
    );
    row("volume", &health.volume.map_or("none: open".to_owned(), shown_volume));
    for (finding, problem) in health.findings.iter().zip(&report.problems) {
        let remedy = match (&finding.fix, problem.fixed) {
            (_, true) => "  [mended]".to_owned(),
            (Some(fix), false) if is_done(fix) => "  [mended as far as it can be]".to_owned(),
            (Some(fix), false) => format!("  [--repair {}]", written(fix)),
            (None, false) => String::new(),
        };
        row("-", &format!("{}{remedy}", problem.message));
    }
    if health.findings.is_empty() {
        row("-", "nothing is wrong with it");
    }
    text
}

/// What it was filled with.
pub fn filled(filled: &Tetrahedralised) -> String {
    let error = filled.volume_error.map_or(String::new(), |error| match 100.0 * error {
        percent if percent.abs() < 0.005 => ", volume right to 0.01 %".to_owned(),
        percent => format!(", volume {percent:+.2} %"),
    });
    let parts = counted(filled.components, "part");
    let (tets, angle, seconds) = (filled.tets, filled.min_dihedral_degrees, filled.seconds);
    format!("filled with {tets} tets in {parts}, smallest angle {angle:.1} degrees{error}, in {seconds:.1} s")
}

/// Why no scene can be made. What concerns the filling names the mesh itself; there is no scene yet that has a path.
pub fn refusal(problem: &SceneProblem) -> String {
    if problem.path.ends_with(".tetrahedralise") { problem.message.clone() } else { problem.to_string() }
}

/// Options that change nothing for a file, or for any.
pub fn ignored(option: &str, why: &str) -> String {
    format!("warning: {option} changes nothing: {why}")
}

fn contents(health: &Health) -> String {
    let held = [(health.tets, "tet"), (health.triangles, "triangle"), (health.strands, "strand")];
    let held = held.iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(*count, what));
    let rest = [counted(health.vertices, "vertex"), counted(health.components, "part")];
    held.chain(rest).collect::<Vec<_>>().join(", ")
}

fn counted(count: usize, what: &str) -> String {
    match (count, what) {
        (1, _) => format!("1 {what}"),
        (_, "vertex") => format!("{count} vertices"),
        _ => format!("{count} {what}s"),
    }
}

/// A volume [m^3] in a unit that suits it.
fn shown_volume(volume: f64) -> String {
    let (number, unit) = match volume.abs() {
        v if v < 1e-6 => (1e9 * volume, "mm^3"),
        v if v < 1e-3 => (1e6 * volume, "cm^3"),
        v if v < 1.0 => (1e3 * volume, "l"),
        _ => (volume, "m^3"),
    };
    let is_plain = number == 0.0 || (1e-3..1e6).contains(&number.abs());
    if is_plain { format!("{number:.4} {unit}") } else { format!("{number:.3e} {unit}") }
}
