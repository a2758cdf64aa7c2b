//! Clean numbers along a scale.

use crate::widgets::significant;

/// Marks of a scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// Where they are, increasing, in the unit of the values.
    pub values: Vec<f64>,
    /// What stands beside them, after division by ten to [`Ticks::power`].
    pub labels: Vec<String>,
    /// Power of ten taken out of the labels.
    pub power: i32,
}

impl Ticks {
    /// About `wanted` multiples of 1, 2 or 5 times a power of ten within `range`.
    pub fn new((low, high): (f64, f64), wanted: usize) -> Self {
        let span = high - low;
        let most = low.abs().max(high.abs());
        if !(span.is_finite() && span > 1e-12 * most) {
            let power = power(low.abs());
            let labels = vec![if low.is_finite() { format!("{:.4}", low / 10f64.powi(power)) } else { "–".to_owned() }];
            return Self { values: vec![low], labels, power };
        }
        let rough = span / wanted.max(1) as f64;
        let decade = rough.log10().floor();
        let unit = 10f64.powf(decade);
        let step = unit * [1.0, 2.0, 5.0].into_iter().find(|factor| factor * unit >= 0.7 * rough).unwrap_or(10.0);
        let power = power(most);
        let scale = 10f64.powi(power);
        // The digits of the last place that the step changes.
        let decimals = (-(step / scale).log10() - 1e-9).ceil().max(0.0) as usize;
        let first = (low / step - 1e-9).ceil() as i64;
        let last = (high / step + 1e-9).floor() as i64;
        let values: Vec<_> = (first..=last).map(|count| count as f64 * step).collect();
        let labels = values.iter().map(|value| format!("{:.decimals$}", value / scale)).collect();
        Self { values, labels, power }
    }

    /// About `wanted` powers of ten within `range`, both ends of which are above zero; where it spans few, twice and five times these too.
    pub fn logarithmic((low, high): (f64, f64), wanted: usize) -> Self {
        let (first, last) = (low.log10(), high.log10());
        if !(first.is_finite() && last.is_finite() && last > first) {
            return Self::new((low, high), wanted);
        }
        let most = wanted.max(2);
        let stride = ((last - first) / most as f64).ceil().max(1.0) as i32;
        let factors: &[f64] = if last - first < 0.6 * most as f64 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let decades = (first.floor() as i32..=last.ceil() as i32).filter(|decade| decade.rem_euclid(stride) == 0);
        let values = decades.flat_map(|decade| factors.iter().map(move |factor| factor * 10f64.powi(decade)));
        let values: Vec<f64> = values.filter(|value| (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(value)).collect();
        // Less than a decade may hold none of these.
        if values.len() < 2 {
            return Self::new((low, high), wanted);
        }
        let labels = values.iter().map(|value| significant(*value, 2)).collect();
        Self { values, labels, power: 0 }
    }
}

/// A power of ten divisible by three that leaves short labels; 0 where they are short already.
pub fn power(most: f64) -> i32 {
    if !most.is_finite() || most == 0.0 || (1e-2..1e5).contains(&most) { 0 } else { 3 * (most.log10() / 3.0).floor() as i32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> (Vec<String>, i32) {
        let ticks = Ticks::new((low, high), 5);
        assert_eq!(ticks.values.len(), ticks.labels.len());
        (ticks.labels, ticks.power)
    }

    #[test]
    fn labels_are_clean_and_short() {
        assert_eq!(labels(0.0, 1.0).0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels(0.63, 1.37).0, ["0.8", "1.0", "1.2"]);
        assert_eq!(labels(0.0, 5.2e6), (["0", "1", "2", "3", "4", "5"].map(String::from).to_vec(), 6), "a power of ten is taken out");
        assert_eq!(labels(0.0, 4e-5).1, -6);
        assert_eq!(labels(0.9991, 1.0009).0, ["0.9995", "1.0000", "1.0005"]);
    }

    #[test]
    fn ticks_lie_within_the_range_and_are_few() {
        for (low, high) in [(-3.0, 7.0), (1e-9, 3e-9), (0.0, 123.4), (-1e12, 1e11)] {
            let ticks = Ticks::new((low, high), 5);
            assert!((2..=11).contains(&ticks.values.len()), "{ticks:?}");
            let slack = 1e-6 * (high - low);
            assert!(ticks.values.iter().all(|value| (low - slack..=high + slack).contains(value)));
        }
    }

    #[test]
    fn powers_of_ten_stand_along_a_logarithmic_scale() {
        let of = |low: f64, high: f64| Ticks::logarithmic((low, high), 5);
        assert_eq!(of(1e-3, 1e2).labels, ["0.001", "0.01", "0.1", "1", "10", "100"]);
        assert_eq!(of(3.0, 80.0).labels, ["5", "10", "20", "50"]);
        let many = of(1e-12, 1.0);
        assert!((3..=7).contains(&many.values.len()), "{many:?}");
        assert_eq!(of(0.9, 1.1), Ticks::new((0.9, 1.1), 5), "less than a decade has marks of its own");
    }

    #[test]
    fn a_range_without_width_has_one_mark() {
        assert_eq!(labels(2.0, 2.0).0, ["2.0000"]);
        assert_eq!(labels(f64::NAN, 1.0).0.len(), 1);
    }
}
