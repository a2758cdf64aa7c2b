//! The unit of a file's coordinates, by the size of what is in it.

use super::{Certainty, Guess};
use crate::import::RawMesh;
use crate::import::Unit;

/// Bodies that are simulated are about so large [m]; a length is plausible between the two.
const PLAUSIBLE: [f64; 2] = [0.01, 10.0];

/// The unit that the file states, if it is one that a scene knows.
pub fn stated(raw: &RawMesh) -> Option<Unit> {
    let metres = raw.unit?;
    [Unit::Metre, Unit::Centimetre, Unit::Millimetre].into_iter().find(|unit| (unit.metres() / metres - 1.0).abs() < 1e-9)
}

/// The unit, given the largest extent in the file's own units. Metres where they make a body of plausible size; above that
/// millimetres, the unit of scans and of mechanical design, unless they make it smaller than a hand.
pub fn guess(raw: &RawMesh, extent: f64) -> Guess<Unit> {
    if let Some(value) = stated(raw) {
        return Guess { value, certainty: Certainty::Stated, reason: format!("{} files are in {}", raw.format, name(value)) };
    }
    if let Some(metres) = raw.unit {
        let reason = format!("the file's unit is {metres} m, which is none of m, cm, mm: scale the body by {metres}");
        return Guess { value: Unit::Metre, certainty: Certainty::Unsure, reason };
    }
    let told = |value: Unit, certainty, why: &str| {
        let size = shown_length(extent * value.metres());
        Guess { value, certainty, reason: format!("{} units across make {size} in {}{why}", shown(extent), name(value)) }
    };
    match extent {
        e if e < PLAUSIBLE[0] => told(Unit::Metre, Certainty::Unsure, ": very small; a scale of the body makes it larger"),
        e if e <= PLAUSIBLE[1] => told(Unit::Metre, Certainty::Likely, ""),
        e if e <= 100.0 => told(Unit::Centimetre, Certainty::Unsure, "; metres and millimetres are possible too"),
        e if e <= 1e3 * PLAUSIBLE[1] => told(Unit::Millimetre, Certainty::Likely, ""),
        _ => told(Unit::Millimetre, Certainty::Unsure, ": very large; a scale of the body makes it smaller"),
    }
}

/// The unit's name.
pub fn name(unit: Unit) -> &'static str {
    match unit {
        Unit::Metre => "metres",
        Unit::Centimetre => "centimetres",
        Unit::Millimetre => "millimetres",
    }
}

/// A number with three digits.
fn shown(number: f64) -> String {
    if number != 0.0 && !(1e-4..1e6).contains(&number.abs()) {
        return format!("{number:.2e}");
    }
    let digits = (2.0 - number.abs().max(1e-300).log10().floor()).clamp(0.0, 12.0) as usize;
    format!("{number:.digits$}")
}

/// A length [m] in a unit that suits it.
pub fn shown_length(metres: f64) -> String {
    match metres {
        0.0 => "0 m".to_owned(),
        m if m < 0.01 => format!("{} mm", shown(1e3 * m)),
        m if m < 1.0 => format!("{} cm", shown(1e2 * m)),
        m => format!("{} m", shown(m)),
    }
}
