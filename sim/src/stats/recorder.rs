//! [`Recorder`]: the statistics of single steps gathered into the report of a run.

use super::report::{Drift, LinearSolves, Series, SimulateReport, SimulateSeconds};
use crate::math::larger;
use crate::step::{State, StepStats};
use crate::system::System;

/// Gathers steps as they are taken.
#[derive(Debug, Clone)]
pub struct Recorder {
    series: Series,
    min_gap: f64,
    min_effective_gap: f64,
    inversions: usize,
}

impl Default for Recorder {
    fn default() -> Self {
        Self { series: Series::default(), min_gap: f64::INFINITY, min_effective_gap: f64::INFINITY, inversions: 0 }
    }
}

impl Recorder {
    /// Nothing recorded yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one step.
    pub fn record(&mut self, step: &StepStats) {
        self.series.steps.push(*step);
        self.min_gap = self.min_gap.min(step.min_gap);
        self.min_effective_gap = self.min_effective_gap.min(step.min_effective_gap);
        self.inversions += step.inversions as usize;
    }

    /// The steps recorded so far.
    pub fn series(&self) -> &Series {
        &self.series
    }

    /// The report of a run of `system` that is not done, in its present `state`.
    pub fn so_far(&self, system: &System, state: &State) -> SimulateReport {
        self.clone().report(system, state, false, false)
    }

    /// The report of a run of `system` that ends in `state`, with all its steps or `cancelled`.
    pub fn finish(self, system: &System, state: &State, cancelled: bool) -> SimulateReport {
        self.report(system, state, !cancelled, cancelled)
    }

    fn report(self, system: &System, state: &State, finished: bool, cancelled: bool) -> SimulateReport {
        let Self { series, min_gap, min_effective_gap, inversions } = self;
        let taken = &series.steps;
        let (steps, total) = (taken.len(), taken.iter().fold(0.0, |sum, step| sum + step.seconds));
        let largest = |number: fn(&StepStats) -> f64| taken.iter().map(number).fold(0.0, larger);
        let sum = |count: fn(&StepStats) -> u32| taken.iter().map(|step| u64::from(count(step))).sum();
        let finite = |gap: f64| gap.is_finite().then_some(gap);
        SimulateReport {
            finished,
            cancelled,
            stepper: system.simulate.stepper.clone(),
            steps,
            step_size: system.simulate.step_size,
            seconds: SimulateSeconds {
                total,
                mean_step: if steps > 0 { total / steps as f64 } else { 0.0 },
                max_step: taken.iter().map(|step| step.seconds).fold(0.0, f64::max),
            },
            drift: Drift {
                max: largest(|step| step.drift),
                r#final: taken.last().map_or(0.0, |step| step.drift),
                rms: rms_drift(system, state),
            },
            linear: LinearSolves {
                solver: system.simulate.solver.entry().name,
                iterations: sum(|step| step.linear_iterations),
                residual: largest(|step| step.linear_residual),
                unsolved: sum(|step| step.unsolved),
            },
            couple: largest(|step| step.couple),
            inset: system.surface.points.depth,
            series,
            min_gap: finite(min_gap),
            min_effective_gap: finite(min_effective_gap),
            inversions,
            recording: None,
            frames: None,
        }
    }
}

/// Root mean square distance of the free masses from the given shape, over its diagonal.
fn rms_drift(system: &System, state: &State) -> f64 {
    let free = (0..system.positions.len()).filter(|&n| !system.fixed[n]);
    let squared: Vec<f64> = free.map(|n| (state.positions[n] - system.positions[n]).norm_squared()).collect();
    if squared.is_empty() { 0.0 } else { (squared.iter().sum::<f64>() / squared.len() as f64).sqrt() / system.diagonal }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// JSON has no infinity and no NaN: both become `null`, and the number of entries stays.
    #[test]
    fn numbers_that_are_not_finite_are_null() {
        let mut recorder = Recorder::new();
        recorder.record(&StepStats { min_gap: f64::INFINITY, residual: f64::NAN, inversions: 2, ..StepStats::default() });
        recorder.record(&StepStats { min_gap: 0.25, inversions: 1, ..StepStats::default() });
        let text = serde_json::to_string(recorder.series()).unwrap();
        let series: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(series["min_gap"], serde_json::json!([null, 0.25]));
        assert_eq!(series["residual"], serde_json::json!([null, 0.0]));
        assert_eq!((recorder.min_gap, recorder.inversions), (0.25, 3), "over all steps");
    }

    #[test]
    fn the_largest_of_all_steps_is_no_number_where_one_was_none() {
        let mut recorder = Recorder::new();
        for x in [1.0, f64::NAN, 2.0] {
            recorder.record(&StepStats { drift: x, couple: x, ..StepStats::default() });
        }
        let system = System::default();
        let report = recorder.so_far(&system, &State::at_rest(&system));
        assert!(report.drift.max.is_nan() && report.couple.is_nan());
    }
}
