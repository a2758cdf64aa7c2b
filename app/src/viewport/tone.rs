//! How the values of a field become colours: between which limits, by which map, by differences or by ratios.

use std::collections::BTreeMap;

use aplomb_sim::element::{FieldKind, Scale};

use super::color_map::ColorMap;
use crate::widgets::significant;

/// Limits of a logarithmic legend are at most this far apart: what is smaller is round-off of what is larger.
const DECADES: i32 = 12;
/// Limits of a legend are at least this far apart, as a share of the larger.
const APART: f64 = 1e-9;

/// From values to colours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tone {
    /// Limits of the legend, in the unit of the values; what lies beyond takes the colour of the nearer end.
    pub range: (f64, f64),
    /// Colours.
    pub map: ColorMap,
    /// Whether equal ratios are equally far apart, as opposed to equal differences; then both limits are above zero.
    pub log: bool,
}

impl Tone {
    /// Where `value` lies: 0 at the low limit, 1 at the high one.
    pub fn share(&self, value: f64) -> f64 {
        let (low, high) = self.range;
        if self.log && value <= 0.0 {
            f64::NEG_INFINITY
        } else if self.log {
            (value / low).ln() / (high / low).ln().max(f64::MIN_POSITIVE)
        } else {
            (value - low) / (high - low).max(f64::MIN_POSITIVE)
        }
    }

    /// The value at a share of the way from the low limit to the high one.
    pub fn value(&self, share: f64) -> f64 {
        let (low, high) = self.range;
        if self.log { low * (high / low).powf(share) } else { low + share * (high - low) }
    }

    /// The sRGB colour of `value`; grey for what is not a number.
    pub fn color(&self, value: f64) -> [u8; 3] {
        self.map.color(self.share(value))
    }
}

/// How far the values of a field reach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Limits that follow from the values and their scale.
    pub auto: (f64, f64),
    /// The least value above zero, and the largest.
    positive: Option<(f64, f64)>,
    /// Whether some are below zero.
    negative: bool,
}

impl Extent {
    /// Of `values`; those that are not finite do not count.
    pub fn of(scale: Scale, values: &[f64]) -> Self {
        let positive = values.iter().copied().filter(|value| *value > 0.0 && value.is_finite());
        let ends = positive.fold(None, |ends: Option<(f64, f64)>, value| {
            let (low, high) = ends.unwrap_or((value, value));
            Some((low.min(value), high.max(value)))
        });
        let negative = values.iter().any(|value| *value < 0.0 && value.is_finite());
        Self { auto: scale.limits(values), positive: ends, negative }
    }

    /// Of both: views side by side have one legend.
    pub fn with(self, other: Self) -> Self {
        let widest = |(a, b): (f64, f64), (c, d): (f64, f64)| (a.min(c), b.max(d));
        let positive = match (self.positive, other.positive) {
            (Some(mine), Some(others)) => Some(widest(mine, others)),
            (mine, others) => mine.or(others),
        };
        Self { auto: widest(self.auto, other.auto), positive, negative: self.negative || other.negative }
    }

    /// Why there is no logarithmic scale, if there is none. Zeros are no reason: they lie below the low limit, and are marked so.
    pub fn refuses_log(&self) -> Option<&'static str> {
        match (self.negative, self.positive) {
            (true, _) => Some("Some values are below zero: a logarithm has none"),
            (false, None) => Some("No value is above zero: a logarithm has none"),
            (false, Some(_)) => None,
        }
    }

    /// Limits that follow from the values, on a logarithmic scale.
    fn log_limits(&self) -> Option<(f64, f64)> {
        let (least, most) = self.positive.filter(|_| !self.negative)?;
        let low = least.max(most * 10f64.powi(-DECADES));
        Some(if low < most { (low, most) } else { (0.1 * most, most) })
    }
}

/// What the user chose for the legend of a field.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LegendChoice {
    /// The low and the high limit; `None`: as the values are.
    pub limits: [Option<f64>; 2],
    /// Equal ratios equally far apart, where the values allow it.
    pub log: bool,
    /// Colours; `None`: those of the quantity.
    pub map: Option<ColorMap>,
}

/// An end of the legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The low limit.
    Low,
    /// The high limit.
    High,
}

impl End {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Low, Self::High];

    fn other(self) -> usize {
        1 - self as usize
    }

    /// Its limit of a range.
    pub fn of(self, range: (f64, f64)) -> f64 {
        [range.0, range.1][self as usize]
    }
}

impl LegendChoice {
    /// The colours of a field whose values reach as far as `extent`.
    pub fn tone(&self, scale: Scale, extent: &Extent) -> Tone {
        let map = self.map.unwrap_or(ColorMap::of(scale));
        let log_limits = extent.log_limits().filter(|_| self.log);
        let log = log_limits.is_some();
        let auto = log_limits.unwrap_or(extent.auto);
        let limit = |end: End| self.limits[end as usize].filter(|limit| !log || *limit > 0.0).unwrap_or(end.of(auto));
        let (mut low, mut high) = (limit(End::Low), limit(End::High));
        match middle(scale, map) {
            // Both colours reach equally far from where they meet.
            Some(middle) if log && middle > 0.0 => {
                let reach = (high / middle).max(middle / low).max(1.0 + APART);
                (low, high) = (middle / reach, middle * reach);
            }
            Some(middle) if !log => {
                let reach = (high - middle).max(middle - low).max(APART * middle.abs()).max(f64::MIN_POSITIVE);
                (low, high) = (middle - reach, middle + reach);
            }
            // A limit that was chosen stands where the values no longer reach it.
            _ if low >= high && self.limits[End::High as usize].is_some() => low = below(high, log),
            _ if low >= high => high = above(low),
            _ => {}
        }
        Tone { range: (low, high), map, log }
    }

    /// Puts an end at `value`; the other end of a map with a middle follows.
    pub fn set(&mut self, end: End, value: f64, scale: Scale, tone: &Tone) {
        self.limits[end as usize] = Some(value);
        if let Some(middle) = middle(scale, tone.map) {
            let mirrored = if tone.log { middle * middle / value } else { 2.0 * middle - value };
            self.limits[end.other()] = Some(mirrored);
        }
    }

    /// Why an end cannot be put at `value`, if it cannot.
    pub fn refuses(end: End, value: f64, scale: Scale, tone: &Tone) -> Option<String> {
        if tone.log && value <= 0.0 {
            return Some("limits of a logarithmic scale are above zero".to_owned());
        }
        let (bound, name) = match middle(scale, tone.map) {
            Some(middle) => (middle, significant(middle, 4)),
            None => (End::BOTH[end.other()].of(tone.range), "the other limit".to_owned()),
        };
        match end {
            End::Low if value >= bound => Some(format!("the low limit is below {name}")),
            End::High if value <= bound => Some(format!("the high limit is above {name}")),
            _ => None,
        }
    }

    /// Whether the limits are those of the values.
    pub fn is_automatic(&self) -> bool {
        self.limits == [None; 2]
    }
}

/// A share of the bar, so that an end that is dragged stays on its side.
pub fn held_apart(end: End, share: f64, scale: Scale, tone: &Tone) -> f64 {
    let bound = if middle(scale, tone.map).is_some() { 0.5 } else { End::BOTH[end.other()] as usize as f64 };
    match end {
        End::Low => share.clamp(-1.0, bound - 0.02),
        End::High => share.clamp(bound + 0.02, 2.0),
    }
}

/// Where the colours of `map` meet, for a quantity that has a middle.
fn middle(scale: Scale, map: ColorMap) -> Option<f64> {
    match scale {
        Scale::About0 if map.is_diverging() => Some(0.0),
        Scale::About1 if map.is_diverging() => Some(1.0),
        _ => None,
    }
}

fn below(high: f64, log: bool) -> f64 {
    if log { 0.1 * high } else { high - (APART * high.abs()).max(f64::MIN_POSITIVE) }
}

fn above(low: f64) -> f64 {
    low + (APART * low.abs()).max(f64::MIN_POSITIVE)
}

/// What was chosen for each field, by its name.
#[derive(Debug, Clone, Default)]
pub struct Legends(BTreeMap<&'static str, LegendChoice>);

impl Legends {
    /// The choice for a field.
    pub fn of(&self, kind: &FieldKind) -> LegendChoice {
        self.0.get(kind.name).copied().unwrap_or_default()
    }

    /// The same, to be changed.
    pub fn entry(&mut self, kind: &FieldKind) -> &mut LegendChoice {
        self.0.entry(kind.name).or_default()
    }
}

#[cfg(test)]
#[path = "tone_tests.rs"]
mod tests;
