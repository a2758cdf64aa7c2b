//! [`Recorder`]: the statistics of single steps gathered into the report of a run.

use super::report::{Drift, Series, SimulateReport, SimulateSeconds};
use crate::simulation::Simulation;
use crate::step::StepStats;

/// Gathers steps as they are taken.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    series: Series,
    min_gap: f64,
    min_effective_gap: f64,
}

impl Recorder {
    /// Nothing recorded yet.
    pub fn new() -> Self {
        Self { series: Series::default(), min_gap: f64::INFINITY, min_effective_gap: f64::INFINITY }
    }

    /// Adds one step.
    pub fn record(&mut self, step: &StepStats) {
        let series = &mut self.series;
        series.time.push(step.time);
        series.kinetic.push(step.kinetic);
        series.elastic.push(step.elastic);
        series.gravity.push(step.gravity);
        series.contact.push(step.contact);
        series.total.push(step.kinetic + step.elastic + step.gravity + step.contact);
        series.residual.push(step.residual);
        series.volume.push(step.volume);
        series.iterations.push(step.iterations);
        series.step_seconds.push(step.seconds);
        series.drift.push(step.drift);
        self.min_gap = self.min_gap.min(step.min_gap);
        self.min_effective_gap = self.min_effective_gap.min(step.min_effective_gap);
    }

    /// The steps recorded so far.
    pub fn series(&self) -> &Series {
        &self.series
    }

    /// The report of a run that ends in the present state of `simulation`.
    pub fn finish(self, simulation: &Simulation, cancelled: bool) -> SimulateReport {
        let Self { series, min_gap, min_effective_gap } = self;
        let total: f64 = series.step_seconds.iter().sum();
        let steps = series.time.len();
        let finite = |gap: f64| gap.is_finite().then_some(gap);
        SimulateReport {
            stepper: "newton".into(),
            steps,
            step_size: simulation.system.simulate.step_size,
            seconds: SimulateSeconds {
                total,
                mean_step: if steps > 0 { total / steps as f64 } else { 0.0 },
                max_step: series.step_seconds.iter().copied().fold(0.0, f64::max),
            },
            drift: Drift {
                max: series.drift.iter().copied().fold(0.0, f64::max),
                r#final: series.drift.last().copied().unwrap_or(0.0),
                rms: rms_drift(simulation),
            },
            series,
            min_gap: finite(min_gap),
            min_effective_gap: finite(min_effective_gap),
            inversions: inversions(simulation),
            cancelled,
        }
    }
}

/// Root mean square distance of the free masses from the given shape, over its diagonal.
fn rms_drift(simulation: &Simulation) -> f64 {
    let system = &simulation.system;
    let free = (0..system.positions.len()).filter(|&n| !system.fixed[n]);
    let squared: Vec<f64> = free.map(|n| (simulation.state.positions[n] - system.positions[n]).norm_squared()).collect();
    if squared.is_empty() { 0.0 } else { (squared.iter().sum::<f64>() / squared.len() as f64).sqrt() / system.diagonal }
}

/// Elements whose det F is not positive now.
fn inversions(simulation: &Simulation) -> usize {
    let compression = simulation.system.families.iter().flat_map(|family| family.compression(&simulation.state.positions));
    compression.filter(|&j| j.is_nan() || j <= 0.0).count()
}
