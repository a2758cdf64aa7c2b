//! Axes: where their marks are and what stands beside them, and which unit makes the numbers short.

use crate::viewport::ticks::power;

/// Units that take a prefix for thousands.
const PREFIXED: &[&str] = &["J", "m", "s", "N", "W", "Pa"];
/// Prefixes by the power of ten that they stand for.
const PREFIXES: &[(i32, &str)] = &[(-12, "p"), (-9, "n"), (-6, "µ"), (-3, "m"), (3, "k"), (6, "M"), (9, "G")];

/// A mark of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Where it is, as numbers are drawn.
    pub value: f64,
    /// What stands beside it.
    pub label: String,
}

/// At most `most` marks within limits: at 1, 2, 5 times a power of ten, after division by ten to `scale`; where numbers are drawn
/// by their logarithms, at whole powers.
pub fn marks([low, high]: [f64; 2], most: usize, logarithmic: bool, scale: i32) -> Vec<Mark> {
    let span = high - low;
    if !(span.is_finite() && span > 0.0) {
        return Vec::new();
    }
    let unit = 10.0_f64.powf((span / most as f64).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0].map(|factor| if logarithmic { (factor * unit).round().max(1.0) } else { factor * unit });
    let ends = |step: f64| ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let fits = |step: &f64| ends(*step).1 - ends(*step).0 < most as f64;
    let Some(step) = steps.into_iter().find(fits) else { return Vec::new() };
    let (first, last) = ends(step);
    let divided = step / 10.0_f64.powi(scale);
    // With the digits that tell it from the next one.
    let decimals = (-divided.log10() - 1e-9).ceil().clamp(0.0, 12.0) as usize;
    let label = |value: f64| {
        // Nothing is not less than nothing.
        if logarithmic { format!("1e{value:.0}") } else { format!("{:.decimals$}", value / step * divided + 0.0).replace('-', "−") }
    };
    (0..=(last - first).max(-1.0) as i64).map(|k| (first + k as f64) * step).map(|value| Mark { value, label: label(value) }).collect()
}

/// The power of ten that is taken out of numbers up to `most`, and the unit beside the title that says so.
pub fn unit(most: f64, unit: &str) -> (i32, String) {
    let power = power(most);
    let prefix = PREFIXES.iter().find(|(of, _)| *of == power).filter(|_| PREFIXED.contains(&unit));
    match (power, prefix) {
        (0, _) => (0, unit.to_owned()),
        (_, Some((_, prefix))) => (power, format!("{prefix}{unit}")),
        (_, None) => (power, format!("1e{power} {unit}").trim_end().to_owned()),
    }
}

/// Title and unit of a chart that is called "Title [unit]".
pub fn parts(title: &str) -> (&str, &str) {
    match title.strip_suffix(']').and_then(|title| title.rsplit_once(" [")) {
        Some((title, unit)) => (title, unit),
        None => (title, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(limits: [f64; 2], logarithmic: bool, scale: i32) -> Vec<String> {
        marks(limits, 5, logarithmic, scale).into_iter().map(|mark| mark.label).collect()
    }

    #[test]
    fn every_axis_has_few_clean_numbers() {
        assert_eq!(labels([-12.3, -7.8], true, 0), ["1e-12", "1e-11", "1e-10", "1e-9", "1e-8"]);
        assert_eq!(labels([-4.31, -3.92], true, 0), ["1e-4"], "whole powers only");
        assert_eq!(labels([-18.2, 2.1], true, 0), ["1e-15", "1e-10", "1e-5", "1e0"]);
        assert_eq!(labels([-0.02, 1.02], false, 0), ["0.0", "0.5", "1.0"]);
        assert_eq!(labels([0.0, 0.8], false, 0), ["0.0", "0.2", "0.4", "0.6", "0.8"]);
        assert_eq!(labels([-3e-17, 4e-17], false, -18), ["−20", "0", "20", "40"]);
        assert_eq!(labels([-2.5e-5, 3.1e-5], false, -6), ["−20", "0", "20"]);
        for limits in [[f64::NAN, 1.0], [1.0, 1.0], [f64::NEG_INFINITY, 0.0]] {
            assert_eq!(labels(limits, false, 0), [""; 0]);
        }
    }

    #[test]
    fn no_axis_has_more_marks_than_it_may() {
        for most in 3..8 {
            for (low, span) in [(0.0, 1.0), (-3.7, 12.0), (1e-9, 7.3e-9), (5e6, 1.0), (-0.3, 0.91)] {
                let found = marks([low, low + span], most, false, 0);
                assert!((2..=most).contains(&found.len()) || most == 3 && found.len() == 1, "{found:?} of at most {most}");
            }
        }
    }

    #[test]
    fn numbers_are_short_in_a_unit_that_has_a_name() {
        assert_eq!(unit(3.2e-3, "J"), (-3, "mJ".to_owned()));
        assert_eq!(unit(4e-5, "J"), (-6, "µJ".to_owned()));
        assert_eq!(unit(12.0, "J"), (0, "J".to_owned()));
        assert_eq!(unit(3.2e-3, "m³"), (-3, "1e-3 m³".to_owned()));
        assert_eq!(unit(3.2e-3, ""), (-3, "1e-3".to_owned()));
        assert_eq!((parts("Energy [J]"), parts("Shares")), (("Energy", "J"), ("Shares", "")));
    }
}
