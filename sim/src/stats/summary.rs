//! Summaries of many values for the reports.

use super::report::{Compression, ContactReport, Histogram, RestVolume, Stiffened};
use crate::sag_free::BalancedContact;

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
    let mut counts = vec![0; BINS];
    for value in values {
        counts[(((value - min) / width) as usize).min(BINS - 1)] += 1;
    }
    let edges = (0..=BINS).map(|i| min + width * i as f64).collect();
    Some(Compression { min, mean, std, max, histogram: Histogram { edges, counts } })
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

/// Solved contact forces in numbers; `friction` gives each contact's coefficient.
pub fn contacts(contacts: &[BalancedContact], friction: impl Fn(&BalancedContact) -> f64) -> ContactReport {
    let largest = contacts.iter().map(|c| c.normal_force.abs()).fold(0.0, f64::max);
    let violation = |c: &BalancedContact| {
        let held = friction(c) * c.normal_force;
        let excess = c.friction_force.norm() - held;
        // Without friction there is nothing to measure by but the normal force itself.
        let measure = if held > 0.0 { held } else { c.normal_force };
        if excess <= 0.0 || c.normal_force <= 0.0 { 0.0 } else { excess / measure }
    };
    ContactReport {
        active: contacts.iter().filter(|c| c.normal_force > IDLE * largest).count(),
        min_normal_force: contacts.iter().map(|c| c.normal_force).reduce(f64::min),
        total_normal_force: contacts.iter().map(|c| c.normal_force).sum(),
        max_cone_violation: contacts.iter().map(violation).fold(0.0, f64::max),
    }
}
