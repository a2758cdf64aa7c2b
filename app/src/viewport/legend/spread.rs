//! How values are spread between the limits of a legend.

use crate::viewport::tone::Tone;

/// Bins of the histogram.
pub(super) const BINS: usize = 40;

/// Counts of values from the low end of a legend to the high one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spread {
    pub bins: [usize; BINS],
    pub below: usize,
    pub above: usize,
}

impl Spread {
    /// Of `values` along `axis`; those that are not finite do not count.
    pub fn of(values: impl Iterator<Item = f64>, axis: &Tone) -> Self {
        let mut spread = Self { bins: [0; BINS], below: 0, above: 0 };
        for value in values.filter(|value| value.is_finite()) {
            if value < axis.range.0 {
                spread.below += 1;
            } else if value > axis.range.1 {
                spread.above += 1;
            } else {
                spread.bins[((axis.share(value) * BINS as f64) as usize).min(BINS - 1)] += 1;
            }
        }
        spread
    }

    /// Height of each bar, the tallest being 1: by square roots, so that a few values among many still show.
    pub fn heights(&self) -> [f32; BINS] {
        let most = self.bins.iter().copied().max().unwrap_or(0).max(1) as f32;
        self.bins.map(|count| (count as f32 / most).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::viewport::ColorMap;

    fn spread(values: &[f64], range: (f64, f64), log: bool) -> Spread {
        Spread::of(values.iter().copied(), &Tone { range, map: ColorMap::Viridis, log })
    }

    #[test]
    fn every_finite_value_is_counted_once() {
        let found = spread(&[0.0, 0.5, 1.0, -0.1, 1.1, 9.0, f64::NAN], (0.0, 1.0), false);
        assert_eq!((found.below, found.above), (1, 2));
        assert_eq!((found.bins[0], found.bins[BINS / 2], found.bins[BINS - 1]), (1, 1, 1));
        assert_eq!(found.bins.iter().sum::<usize>(), 3);
        assert_eq!(spread(&[2.0, 2.0], (2.0, 2.0), false).bins[0], 2);
    }

    #[test]
    fn ratios_share_a_logarithmic_axis_evenly_and_zero_lies_below_it() {
        let found = spread(&[0.0, 1e-4, 1e-2, 1.0], (1e-4, 1.0), true);
        assert_eq!((found.below, found.bins[0], found.bins[BINS / 2], found.bins[BINS - 1]), (1, 1, 1, 1));
        assert_eq!(found.heights()[1], 0.0);
    }
}
