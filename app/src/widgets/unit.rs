//! Units that may be typed behind a number, and the one in which a value reads well.

/// Names of a kind of unit, each with what it is in the unit of the scene, which stands first.
type Names = &'static [(&'static str, f64)];

const PRESSURES: Names = &[
    ("Pa", 1.0),
    ("hPa", 1e2),
    ("kPa", 1e3),
    ("MPa", 1e6),
    ("GPa", 1e9),
    ("mPa", 1e-3),
    ("N/m²", 1.0),
    ("kN/m²", 1e3),
    ("N/mm²", 1e6),
    ("bar", 1e5),
    ("mbar", 1e2),
    ("psi", 6_894.757_293_168),
];
const LENGTHS: Names = &[
    ("m", 1.0),
    ("nm", 1e-9),
    ("µm", 1e-6),
    ("um", 1e-6),
    ("mm", 1e-3),
    ("cm", 1e-2),
    ("dm", 0.1),
    ("km", 1e3),
    ("in", 0.0254),
    ("ft", 0.3048),
];
const TIMES: Names = &[("s", 1.0), ("µs", 1e-6), ("us", 1e-6), ("ms", 1e-3), ("min", 60.0), ("h", 3600.0)];
const DENSITIES: Names = &[("kg/m³", 1.0), ("g/m³", 1e-3), ("g/cm³", 1e3), ("kg/dm³", 1e3), ("kg/l", 1e3), ("g/ml", 1e3), ("t/m³", 1e3)];
const SPEEDS: Names = &[("m/s", 1.0), ("mm/s", 1e-3), ("cm/s", 1e-2), ("km/s", 1e3), ("km/h", 1.0 / 3.6)];
const ACCELERATIONS: Names = &[("m/s²", 1.0), ("mm/s²", 1e-3), ("cm/s²", 1e-2), ("g", 9.806_65)];
const ANGLES: Names = &[("°", 1.0), ("deg", 1.0), ("rad", 180.0 / std::f64::consts::PI)];
const TURNS: Names = &[
    ("rad/s", 1.0),
    ("1/s", 1.0),
    ("°/s", std::f64::consts::PI / 180.0),
    ("deg/s", std::f64::consts::PI / 180.0),
    ("rpm", std::f64::consts::TAU / 60.0),
];
const POINTS: Names = &[("px", 1.0), ("pt", 1.0)];
/// Plain numbers, factors and shares.
const SHARES: Names = &[("", 1.0), ("×", 1.0), ("x", 1.0), ("%", 1e-2)];

/// Units in which values of a kind are shown, by the size from which each is apt, the smallest first.
const SHOWN: &[(&str, &[(f64, &str)])] =
    &[("Pa", &[(0.0, "Pa"), (1e3, "kPa"), (1e6, "MPa"), (1e9, "GPa")]), ("m", &[(0.0, "µm"), (1e-4, "mm"), (1e-2, "cm"), (1.0, "m")])];

/// A unit beside a number: its name, and what it is in the unit of the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown<'a> {
    /// Its name.
    pub name: &'a str,
    /// What it is in the unit of the scene.
    pub size: f64,
}

impl<'a> Shown<'a> {
    /// The one in which values of up to `largest` (in `unit`, which is that of the scene) read well.
    pub fn of(largest: f64, unit: &'a str) -> Self {
        let ladder = SHOWN.iter().find(|(kind, _)| *kind == unit).map_or(&[][..], |(_, ladder)| ladder);
        // Of nothing, as the scene has it; what rounds to a whole one is one.
        let apt = ladder.iter().rev().find(|(from, _)| largest.abs() * (1.0 + 1e-12) >= *from).filter(|_| largest != 0.0);
        let named = apt.and_then(|(_, name)| names(unit).iter().find(|known| known.0 == *name));
        named.map_or(Self { name: unit, size: 1.0 }, |(name, size)| Self { name, size: *size })
    }
}

/// The names that fit `unit`: everything without a dimension is a share.
fn names(unit: &str) -> Names {
    let kinds = [PRESSURES, LENGTHS, TIMES, DENSITIES, SPEEDS, ACCELERATIONS, ANGLES, TURNS, POINTS];
    kinds.into_iter().find(|kind| kind[0].0 == unit).unwrap_or(SHARES)
}

/// The number that `text` says, in `unit`, which is that of the scene; one without a unit is in `shown`.
///
/// # Errors
/// In words, where it is no number, or one of another kind.
pub fn parse(text: &str, unit: &str, shown: Shown<'_>) -> Result<f64, String> {
    let (number, rest) = split(text);
    if rest.starts_with(',') {
        return Err("decimals stand behind a point".to_owned());
    }
    let value: f64 = number.parse().map_err(|_| format!("“{}” is no number", text.trim()))?;
    let written = same_letters(rest);
    if written.is_empty() || written == same_letters(shown.name) {
        return finite(value * shown.size);
    }
    // Shares are also told with what they are of.
    if written == same_letters(unit) {
        return finite(value);
    }
    let names = names(unit);
    let exact = names.iter().find(|(name, _)| same_letters(name) == written);
    let alike: Vec<f64> =
        names.iter().filter(|(name, _)| same_letters(name).to_lowercase() == written.to_lowercase()).map(|name| name.1).collect();
    match (exact, alike.as_slice()) {
        (Some((_, size)), _) => finite(value * size),
        (None, [size, others @ ..]) if others.iter().all(|other| other == size) => finite(value * size),
        (None, [_, ..]) => Err(format!("“{rest}” could be more than one unit: mind small and capital letters")),
        (None, []) => Err(refusal(rest, unit, names)),
    }
}

fn finite(value: f64) -> Result<f64, String> {
    if value.is_finite() { Ok(value) } else { Err("that is too large a number".to_owned()) }
}

fn refusal(rest: &str, unit: &str, names: Names) -> String {
    if names == SHARES {
        return match unit {
            "" | "×" => format!("“{rest}” does not fit: this is a plain number"),
            of => format!("“{rest}” does not fit: this is a share {of}"),
        };
    }
    let some: Vec<&str> = names.iter().map(|name| name.0).take(6).collect();
    format!("“{rest}” does not fit: use {}", some.join(", "))
}

/// The number at the start of `text`, ready to be read, and what stands behind it.
fn split(text: &str) -> (String, &str) {
    let text = text.trim();
    let mut number = String::new();
    let mut end = 0;
    for (at, letter) in text.char_indices() {
        let next_digit = |from: usize| text[from..].trim_start_matches(['+', '-', '−']).starts_with(|c: char| c.is_ascii_digit());
        match letter {
            '0'..='9' | '.' => number.push(letter),
            '+' | '-' | '−' if number.is_empty() || number.ends_with('e') => number.push(if letter == '+' { '+' } else { '-' }),
            'e' | 'E' if !number.is_empty() && !number.contains('e') && next_digit(at + 1) => number.push('e'),
            // Thousands may stand apart.
            space if space.is_whitespace() && number.ends_with(|c: char| c.is_ascii_digit()) => {
                let digits = text[at..].trim_start().chars().take_while(char::is_ascii_digit).count();
                if digits != 3 {
                    break;
                }
            }
            _ => break,
        }
        end = at + letter.len_utf8();
    }
    (number, text[end..].trim())
}

/// `name` in one way of writing: powers and products are typed in several.
fn same_letters(name: &str) -> String {
    let name = name.replace("^2", "²").replace("^3", "³").replace("m2", "m²").replace("m3", "m³").replace("s2", "s²").replace('μ', "µ");
    name.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn read(text: &str, unit: &str) -> Result<f64, String> {
        parse(text, unit, Shown { name: unit, size: 1.0 })
    }

    #[test]
    fn typed_units_are_what_they_say() {
        for (text, unit, value) in [
            ("2 MPa", "Pa", 2e6),
            ("2MPa", "Pa", 2e6),
            ("1.5e2 kPa", "Pa", 1.5e5),
            ("3 N/mm^2", "Pa", 3e6),
            ("4 kpa", "Pa", 4e3),
            ("20 000", "Pa", 2e4),
            ("2e6", "Pa", 2e6),
            ("5 mm", "m", 5e-3),
            ("−12 cm", "m", -0.12),
            ("3 µm", "m", 3e-6),
            ("7 ms", "s", 7e-3),
            ("1.1 g/cm3", "kg/m³", 1100.0),
            ("1000 kg/m^3", "kg/m³", 1000.0),
            ("1 g", "m/s²", 9.80665),
            ("36 km/h", "m/s", 10.0),
            ("180 deg", "°", 180.0),
            ("30 rpm", "rad/s", std::f64::consts::PI),
            ("40 %", "of µ", 0.4),
            ("0.4 of µ", "of µ", 0.4),
            ("2", "", 2.0),
        ] {
            let found = read(text, unit).unwrap();
            assert!((found - value).abs() <= 1e-12 * value.abs(), "{text}: {found}");
        }
    }

    #[test]
    fn a_unit_of_another_kind_and_what_is_no_number_are_refused() {
        for (text, unit, why) in [
            ("2 kg", "Pa", "use Pa"),
            ("2 m", "Pa", "use Pa"),
            ("2 mpa", "Pa", "capital letters"),
            ("2 Pa", "m", "use m"),
            ("2 Pa", "", "plain number"),
            ("5 m", "of diag.", "share of diag."),
            ("1,5", "m", "point"),
            ("1,500 Pa", "Pa", "point"),
            ("MPa", "Pa", "no number"),
            ("", "Pa", "no number"),
            ("1e400", "Pa", "too large"),
            ("1.2.3", "m", "no number"),
            ("2-3", "m", "use m"),
            ("2 3", "m", "use m"),
        ] {
            let error = read(text, unit).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn every_name_is_read_as_itself_and_no_two_of_a_kind_are_alike() {
        for kind in [PRESSURES, LENGTHS, TIMES, DENSITIES, SPEEDS, ACCELERATIONS, ANGLES, TURNS] {
            for (name, size) in kind {
                assert_eq!(read(&format!("1 {name}"), kind[0].0), Ok(*size), "{name}");
            }
        }
    }

    #[test]
    fn a_value_is_shown_in_the_unit_in_which_it_is_between_one_and_a_thousand() {
        for (value, unit, name) in [
            (0.0, "Pa", "Pa"),
            (999.0, "Pa", "Pa"),
            (2e4, "Pa", "kPa"),
            (2e6, "Pa", "MPa"),
            (-2.1e11, "Pa", "GPa"),
            (0.0, "m", "m"),
            (4e-3, "m", "mm"),
            (0.35, "m", "cm"),
            (1.0, "m", "m"),
            (9.81, "m/s²", "m/s²"),
            (0.3, "", ""),
        ] {
            let shown = Shown::of(value, unit);
            assert_eq!(shown.name, name, "{value} {unit}");
            // What is typed without a unit is in the one that stands beside.
            assert_eq!(parse("2", unit, shown), Ok(2.0 * shown.size));
        }
    }
}
