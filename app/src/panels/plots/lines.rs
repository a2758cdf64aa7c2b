//! A chart as it is drawn now: lines with their limits and axes, made of the numbers of a run, or of two beside one another.

use aplomb_sim::stats::chart::{Axis, Hue};
use aplomb_sim::step::StepStats;
use egui::Color32;

use super::PlotState;
use super::pages::{Drawn, Plotted, shades};
use super::scale;
use crate::session::{Series, Track};

/// Most points of a line: more cannot be told apart.
const POINTS: usize = 1500;

/// A line of a chart.
#[derive(Debug, Clone)]
pub struct Line {
    /// As the key says.
    pub label: String,
    /// The statistic, by its name.
    pub name: &'static str,
    /// What it is.
    pub hint: String,
    /// Its colour on a dark ground, and on a light one.
    pub colors: [Color32; 2],
    /// Whether it is dashed: of A, beside B.
    pub dashed: bool,
    /// Time [s], and the number as it is drawn.
    pub points: Vec<[f64; 2]>,
}

/// A key, which shows and hides lines.
#[derive(Debug, Clone)]
pub struct Key {
    /// What is written.
    pub label: String,
    /// The statistic that it shows or hides, by its name; of none where it says which of two runs a line is of.
    pub name: Option<&'static str>,
    /// What that is.
    pub hint: String,
    /// Colours and dashes of the line beside it.
    pub colors: [Color32; 2],
    /// Whether that is dashed.
    pub dashed: bool,
    /// Whether its lines are drawn.
    pub on: bool,
}

/// A chart as it is drawn.
#[derive(Debug, Clone)]
pub struct Chart {
    /// Its whole title, with the unit, which is its name.
    pub name: &'static str,
    /// Title and unit, as they are written.
    pub title: &'static str,
    /// The unit, with a prefix or a power of ten.
    pub unit: String,
    /// What its numbers are, where it has one curve.
    pub hint: String,
    /// Whether numbers are drawn by their logarithms.
    pub logarithmic: bool,
    /// What is smaller is drawn at it, where numbers are drawn by their logarithms.
    pub least: f64,
    /// Power of ten that is taken out of the numbers of its axis.
    pub power: i32,
    /// First and last time [s].
    pub span: [f64; 2],
    /// Least and largest number, as they are drawn.
    pub range: [f64; 2],
    /// Its lines, those of A last.
    pub lines: Vec<Line>,
    /// Its keys.
    pub keys: Vec<Key>,
    /// Time on screen [s].
    pub now: f64,
}

impl Chart {
    /// The chart of `plotted`, of `main`, and dashed of `twin`.
    pub fn of(plotted: &Plotted, main: &Track, twin: Option<&Track>, state: &PlotState) -> Self {
        let name = plotted.chart.title;
        let turned = state.turned.contains(name);
        let (logarithmic, powers, least) = match plotted.chart.axis {
            Axis::Logarithmic { powers, least } => (!turned, Some(powers), least),
            // Nine powers of ten below the largest are as good as nothing.
            Axis::Linear if turned => (true, None, (1e-9 * largest(plotted, main, twin)).max(f64::MIN_POSITIVE)),
            Axis::Linear => (false, None, 0.0),
        };
        let curves = worth_showing(plotted, main, twin);
        let last =
            std::iter::once(main).chain(twin).filter_map(|track| track.series.iter().last()).map(|step| step.time).fold(0.0, f64::max);
        let span = state.span(name).unwrap_or([0.0, last.max(f64::MIN_POSITIVE)]);
        let (title, unit) = scale::parts(name);
        let alone = curves.len() == 1;
        let mut lines = Vec::new();
        for (track, dashed) in std::iter::once((main, false)).chain(twin.map(|twin| (twin, true))) {
            for curve in curves.iter().filter(|curve| !state.hidden.contains(curve.statistic.name)) {
                // Beside one another, two lines differ in colour too.
                let hue = match (alone && twin.is_some(), dashed) {
                    (true, true) => Hue::Orange,
                    (true, false) => Hue::Blue,
                    (false, _) => curve.curve.hue,
                };
                let drawn = |step: &StepStats| {
                    let value = curve.of(step);
                    if logarithmic { value.abs().max(least).log10() } else { value }
                };
                let label = if twin.is_none() {
                    curve.curve.label.to_owned()
                } else {
                    format!("{} {}", if dashed { "A" } else { "B" }, curve.curve.label)
                };
                lines.push(Line {
                    label,
                    name: curve.statistic.name,
                    hint: curve.hint(),
                    colors: shades(hue),
                    dashed,
                    points: thinned(&track.series, span, drawn),
                });
            }
        }
        let most = lines.iter().flat_map(|line| &line.points).map(|point| point[1].abs()).fold(0.0, f64::max);
        let (power, unit) = if logarithmic { (0, unit.to_owned()) } else { scale::unit(most, unit) };
        let first = main.series.iter().next().zip(curves.first()).map_or(0.0, |(step, curve)| curve.of(step));
        let usual = match powers {
            Some(powers) if logarithmic => powers,
            _ if logarithmic => limits(&lines, None),
            _ if most == 0.0 => [0.0, 1.0],
            // A quantity that hardly changes is drawn flat, not as its own noise.
            _ => [first * 0.999, first * 1.001],
        };
        let range = state.range(name).unwrap_or_else(|| widened(limits(&lines, Some(usual))));
        let keys = keys(&curves, twin.is_some(), state);
        let hint = if let [one] = curves.as_slice() { one.hint() } else { String::new() };
        Self { name, title, unit, hint, logarithmic, least, power, span, range, lines, keys, now: main.time() }
    }

    /// The number that a drawn one stands for.
    pub fn number(&self, drawn: f64) -> f64 {
        match self.logarithmic {
            true if drawn <= self.least.log10() + 1e-9 => 0.0,
            true => 10.0_f64.powf(drawn),
            false => drawn / 10.0_f64.powi(self.power),
        }
    }
}

/// The largest size of all numbers of a chart.
fn largest(plotted: &Plotted, main: &Track, twin: Option<&Track>) -> f64 {
    let steps = std::iter::once(main).chain(twin).flat_map(|track| track.series.iter());
    let sizes = steps.flat_map(|step| plotted.curves.iter().map(|curve| curve.of(step).abs()));
    sizes.filter(|size| size.is_finite()).fold(0.0, f64::max)
}

/// The curves that say something: of many, those that are zero throughout leave their room to the others.
fn worth_showing(plotted: &Plotted, main: &Track, twin: Option<&Track>) -> Vec<Drawn> {
    let says = |curve: &Drawn| {
        let mut steps = std::iter::once(main).chain(twin).flat_map(|track| track.series.iter());
        steps.any(|step| curve.of(step).is_finite() && curve.of(step) != 0.0)
    };
    let some: Vec<_> = plotted.curves.iter().copied().filter(says).collect();
    if plotted.curves.len() < 3 || some.is_empty() { plotted.curves.clone() } else { some }
}

fn keys(curves: &[Drawn], compared: bool, state: &PlotState) -> Vec<Key> {
    let of = |curve: &Drawn| Key {
        label: curve.curve.label.to_owned(),
        name: Some(curve.statistic.name),
        hint: curve.hint(),
        colors: shades(curve.curve.hue),
        dashed: false,
        on: !state.hidden.contains(curve.statistic.name),
    };
    let mut keys = Vec::new();
    if compared {
        let [a, b] = if curves.len() == 1 { [Hue::Orange, Hue::Blue] } else { [Hue::Grey; 2] };
        for (label, hue, dashed, hint) in [("A", a, true, "The naive run"), ("B", b, false, "The initialised run")] {
            keys.push(Key { label: label.to_owned(), name: None, hint: hint.to_owned(), colors: shades(hue), dashed, on: true });
        }
    }
    if !compared || curves.len() > 1 {
        keys.extend(curves.iter().map(of));
    }
    keys
}

/// Least and largest number of all lines, and of `usual`.
fn limits(lines: &[Line], usual: Option<[f64; 2]>) -> [f64; 2] {
    let points = lines.iter().flat_map(|line| &line.points).map(|point| [point[1]; 2]);
    points.chain(usual).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]).unwrap_or([0.0, 1.0])
}

/// Some room beside the outermost numbers.
fn widened([low, high]: [f64; 2]) -> [f64; 2] {
    let margin = if high > low { 0.08 * (high - low) } else { 0.5 * low.abs().max(1e-300) };
    [low - margin, high + margin]
}

/// The points of a series within a time: of many, of each short while its first, least, largest and last.
fn thinned(series: &Series, [from, to]: [f64; 2], drawn: impl Fn(&StepStats) -> f64) -> Vec<[f64; 2]> {
    let steps: Vec<&StepStats> = series.iter().collect();
    // One beyond each end, so that lines reach the edges.
    let first = steps.partition_point(|step| step.time < from).saturating_sub(1);
    let last = (steps.partition_point(|step| step.time <= to) + 1).min(steps.len()).max(first);
    let points = steps[first..last].iter().map(|step| [step.time, drawn(step)]).filter(|point| point[1].is_finite());
    if last - first <= POINTS {
        return points.collect();
    }
    let points: Vec<[f64; 2]> = points.collect();
    let mut kept = Vec::with_capacity(POINTS);
    for short in points.chunks(points.len().div_ceil(POINTS / 4)) {
        let (mut low, mut high) = (0, 0);
        for (index, point) in short.iter().enumerate() {
            low = if point[1] < short[low][1] { index } else { low };
            high = if point[1] > short[high][1] { index } else { high };
        }
        let mut few = vec![0, low, high, short.len() - 1];
        few.sort_unstable();
        few.dedup();
        kept.extend(few.into_iter().map(|index| short[index]));
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_keeps_its_peaks_and_its_ends() {
        let mut series = Series::default();
        for k in 1..=10_000_u32 {
            let kinetic = if k == 7777 { 50.0 } else { f64::from(k % 3) };
            series.push(StepStats { time: f64::from(k), kinetic, ..StepStats::default() });
        }
        let points = thinned(&series, [0.0, 1e5], |step| step.kinetic);
        assert!(points.len() <= POINTS + 4 && points.contains(&[7777.0, 50.0]), "{}", points.len());
        assert_eq!([points[0][0], points[points.len() - 1][0]], [1.0, 10_000.0]);
        assert!(points.windows(2).all(|pair| pair[0][0] < pair[1][0]));
        // A part of it is whole, with one point beyond each end.
        let part = thinned(&series, [100.5, 200.5], |step| step.kinetic);
        assert_eq!([part[0][0], part[part.len() - 1][0]], [100.0, 201.0]);
        assert_eq!(part.len(), 102);
    }
}
