//! Settle, then freeze: particles that no pressures hold as they are given run with damping until they are at rest, and what they have come to
//! becomes their given shape.

use super::{Simulation, make_stepper};
use crate::contact::Balance;
use crate::math::{Vec3, bounding_box};
use crate::sag_free::initialise::InitialiseError;
use crate::stats::report::Settled;
use crate::step::{State, StepError};
use crate::watch::Watch;

/// Speed, over that of long waves, below which particles are at rest.
const AT_REST: f64 = 1e-3;
/// How long is waited for rest at most, and for how long all must be at rest while multipliers are averaged, over sqrt(H / g).
const LONGEST: f64 = 100.0;
const AVERAGED: f64 = 0.5;

impl Simulation {
    /// Lets the particles of the system settle, while all else is held, and makes that their given shape. Their multipliers, averaged, are left in
    /// `system.carried`. None without particles, or without gravity.
    pub(super) fn settle(&mut self, watch: &dyn Watch) -> Result<Option<Settled>, InitialiseError> {
        let nodes: Vec<usize> = self.system.fluids().flat_map(|(body, _)| body.nodes.clone()).collect();
        let gravity = self.system.gravity.norm();
        if nodes.is_empty() || gravity == 0.0 {
            return Ok(None);
        }
        let along = self.system.gravity / gravity;
        let heights: Vec<Vec3> = nodes.iter().map(|&n| Vec3::x() * along.dot(&self.system.positions[n])).collect();
        let spacing = self.system.fluids().map(|(_, matter)| matter.settings.spacing).fold(0.0, f64::max);
        let (low, high) = bounding_box(&heights);
        let height = high.x - low.x + spacing;
        let at_rest = AT_REST * (gravity * height).sqrt();
        let time = (height / gravity).sqrt();
        let fixed = self.system.fixed.clone();
        let mut is_particle = vec![false; fixed.len()];
        nodes.iter().for_each(|&n| is_particle[n] = true);
        self.system.fixed.iter_mut().zip(&is_particle).filter(|(_, is)| !**is).for_each(|(fixed, _)| *fixed = true);
        self.system.carried.clear();
        let outcome = self.run_to_rest(&nodes, [at_rest, time], watch);
        self.system.fixed = fixed;
        let (state, carried, mut settled) = outcome?;
        let moved: Vec<f64> = nodes.iter().map(|&n| (state.positions[n] - self.system.positions[n]).norm()).collect();
        settled.farthest = moved.iter().copied().fold(0.0, f64::max);
        settled.mean = moved.iter().sum::<f64>() / moved.len() as f64;
        nodes.iter().for_each(|&n| self.system.positions[n] = state.positions[n]);
        self.system.carried = carried;
        Ok(Some(settled))
    }

    /// Steps until the particles have had less than the first speed [m/s] for a share of the time [s], over which multipliers are averaged.
    ///
    /// All velocities are set to zero whenever the kinetic energy falls (kinetic damping: Cundall 1976, "Explicit finite-difference methods in
    /// geomechanics"), so that no coefficient has to suit the fluid.
    fn run_to_rest(
        &mut self,
        nodes: &[usize],
        [at_rest, time]: [f64; 2],
        watch: &dyn Watch,
    ) -> Result<(State, Vec<f64>, Settled), InitialiseError> {
        let system = &mut self.system;
        let step_size = system.simulate.step_size;
        let mut stepper = make_stepper(system);
        stepper.warm_start(system, &Balance::default());
        let mut state = State::at_rest(system);
        let mut settled = Settled { seconds: 0.0, steps: 0, farthest: 0.0, mean: 0.0, at_rest, fastest: 0.0, rests: false };
        let (mut sum, mut averaged, mut kinetic) = (vec![0.0; system.positions.len()], 0.0, 0.0);
        while !settled.rests && state.time <= LONGEST * time {
            watch.check()?;
            watch.progress("settling", (state.time / (LONGEST * time)).min(1.0));
            let stats = stepper.step(system, &mut state, step_size, watch).map_err(|error| match error {
                StepError::Cancelled(cancelled) => InitialiseError::from(cancelled),
                other => InitialiseError::Unsettled(other.to_string()),
            })?;
            settled.steps += 1;
            settled.fastest = nodes.iter().map(|&n| state.velocities[n].norm()).fold(0.0, f64::max);
            if settled.fastest >= at_rest {
                sum.fill(0.0);
                averaged = 0.0;
            }
            sum.iter_mut().zip(stepper.pressures(system)).for_each(|(sum, p)| *sum += p);
            averaged += 1.0;
            settled.rests = settled.fastest < at_rest && averaged * step_size >= AVERAGED * time;
            let falls = stats.kinetic < kinetic;
            kinetic = if falls { 0.0 } else { stats.kinetic };
            if falls {
                nodes.iter().for_each(|&n| state.velocities[n] = Vec3::zeros());
            }
        }
        sum.iter_mut().for_each(|sum| *sum /= averaged);
        settled.seconds = state.time;
        Ok((state, sum, settled))
    }
}
