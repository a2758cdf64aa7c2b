//! Clean numbers along a scale.

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
    fn a_range_without_width_has_one_mark() {
        assert_eq!(labels(2.0, 2.0).0, ["2.0000"]);
        assert_eq!(labels(f64::NAN, 1.0).0.len(), 1);
    }
}
