//! Summaries of many values for the reports.

use super::report::{Compression, ContactReport, Histogram, RestVolume, Stiffened};
use crate::math::Vec3;
use crate::sag_free::Balance;
use crate::system::System;

/// Bins of the histogram of compression.
const BINS: usize = 32;

/// Distribution of det F; `None` for no values.
pub fn compression(values: &[f64]) -> Option<Compression> {
    if values.is_empty() {
        return None;
    }
    let count = values.len() as f64;
    let (min, max) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)));
    let mean = values.iter().sum::<f64>() / count;
    let std = (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count).sqrt();
    let width = ((max - min) / BINS as f64).max(f64::MIN_POSITIVE);
    let edges = (0..=BINS).map(|i| min + width * i as f64).collect();
    let mut histogram = Histogram { edges, counts: vec![0; BINS] };
    for &value in values {
        let bin = histogram.bin(value);
        histogram.counts[bin] += 1;
    }
    Some(Compression { min, mean, std, max, histogram })
}

/// Sums of the volumes at rest, and of those times det F.
pub fn rest_volume(at_rest: &[f64], compression: &[f64]) -> RestVolume {
    RestVolume { given: at_rest.iter().zip(compression).map(|(v, j)| v * j).sum(), rest: at_rest.iter().sum() }
}

/// Elements whose factor on the stiffness is not 1; `listed` indices at most.
pub fn stiffened(factors: &[f64], listed: usize) -> Stiffened {
    let stiffened = || factors.iter().enumerate().filter(|(_, factor)| **factor != 1.0);
    Stiffened {
        elements: stiffened().count(),
        max_factor: factors.iter().copied().fold(1.0, f64::max),
        indices: stiffened().map(|(e, _)| e).take(listed).collect(),
    }
}

/// Share of the largest normal force below which a contact counts as idle.
const IDLE: f64 = 1e-6;

/// Solved contact forces in numbers; `friction_used` is the share of the friction coefficients that they might use,
/// `couple` the largest net torque [N m] of the forces between two bodies.
pub fn contacts(balance: &Balance, system: &System, friction_used: Option<f64>, couple: f64) -> ContactReport {
    let at_obstacles = balance.contacts.iter().map(|c| (c.normal_force, c.friction_force, system.pairs[c.pair as usize].friction));
    let of_pairs = balance.pairs.iter().map(|p| (p.normal_force, p.friction_force, p.touch.friction(&system.surface)));
    let all: Vec<(f64, Vec3, f64)> = at_obstacles.chain(of_pairs).collect();
    let normal_forces = || all.iter().map(|(normal_force, ..)| *normal_force);
    let largest = normal_forces().map(f64::abs).fold(0.0, f64::max);
    let violation = |(normal_force, friction_force, friction): &(f64, Vec3, f64)| {
        let held = friction * normal_force;
        let excess = friction_force.norm() - held;
        // Without friction there is nothing to measure by but the normal force itself.
        let measure = if held > 0.0 { held } else { *normal_force };
        if excess <= 0.0 || *normal_force <= 0.0 { 0.0 } else { excess / measure }
    };
    ContactReport {
        pairs: balance.pairs.len(),
        active: normal_forces().filter(|force| *force > IDLE * largest).count(),
        inset: system.surface.points.depth,
        couple: couple / system.torque_unit(),
        min_normal_force: normal_forces().reduce(f64::min),
        total_normal_force: normal_forces().sum(),
        max_cone_violation: all.iter().map(violation).fold(0.0, f64::max),
        friction_used,
        friction_in_hand: friction_used.map(|used| 1.0 - used),
    }
}
