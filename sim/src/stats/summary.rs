//! Summaries of many values for the reports.

use rayon::prelude::*;

use super::report::{ContactReport, Distribution, FamilyReport, FieldReport, FieldSpread, Histogram, PatternReport, RestVolume, Stiffened};
use crate::contact::Balance;
use crate::element::membrane::REST_STRETCH_FIELD;
use crate::element::{self, STIFFENING};
use crate::math::{Vec3, larger};
use crate::sag_free::initialise::WallForce;
use crate::system::System;

/// Bins of histograms.
const BINS: usize = 32;

/// The elements that are there, by their sorts: families of one kind are one sort, however many nodes an element has.
pub fn families(system: &System) -> Vec<FamilyReport> {
    let is_there = |element: &usize| !system.away_elements().any(|elements| elements.contains(element));
    let of = |(f, family): (usize, &dyn element::Family)| FamilyReport {
        name: family.kind().name,
        elements: (system.element_number(f, 0)..system.element_number(f + 1, 0)).filter(is_there).count(),
        fields: family.kind().fields.iter().map(|field| field.name).collect(),
    };
    let mut sorts: Vec<FamilyReport> = Vec::new();
    for family in system.families.iter().map(AsRef::as_ref).enumerate().map(of).filter(|family| family.elements > 0) {
        match sorts.iter_mut().find(|known| known.name == family.name) {
            Some(known) => known.elements += family.elements,
            None => sorts.push(family),
        }
    }
    sorts
}

/// What the elements that are there have become in the given shape, by the `fields` of all; factors on their stiffness are told elsewhere.
pub fn fields(system: &System, fields: &[element::ElementField]) -> Vec<FieldReport> {
    let is_there = |element: &usize| !system.away_elements().any(|elements| elements.contains(element));
    let of = |field: &element::ElementField| {
        let there = field.values.iter().enumerate().filter(|(element, value)| is_there(element) && value.is_finite());
        let values: Vec<f64> = there.map(|(_, value)| *value).collect();
        Some(FieldReport { kind: field.kind, elements: values.len(), distribution: distribution(&values)? })
    };
    fields.par_iter().filter(|field| *field.kind != STIFFENING).filter_map(of).collect()
}

/// How values are spread; `None` for no values.
pub fn distribution(values: &[f64]) -> Option<Distribution> {
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
    Some(Distribution { min, mean, std, max, histogram })
}

/// Sums of the volumes at rest, and of those times det F; `None` for no volumes.
pub fn rest_volume(at_rest: &[f64], compression: &[f64]) -> Option<RestVolume> {
    let sums = || RestVolume { given: at_rest.iter().zip(compression).map(|(v, j)| v * j).sum(), rest: at_rest.iter().sum() };
    (!at_rest.is_empty()).then(sums)
}

/// How far the rest shapes of triangles with a sewing pattern are from it, by the fields of the elements in the given shape.
pub fn pattern(system: &System, fields: &[element::ElementField]) -> Option<PatternReport> {
    let values = &fields.iter().find(|field| field.kind.name == REST_STRETCH_FIELD)?.values;
    let (mut triangles, mut area, mut sum, mut largest) = (0, 0.0, 0.0, 0.0f64);
    for body in system.bodies.iter().filter(|body| body.mesh.pattern.is_some()) {
        // The first family has one element a cell.
        let Some(span) = body.spans.first() else { continue };
        let bulks = system.families[span.family].bulks(&system.positions);
        for element in span.elements.clone() {
            let off = values[system.element_number(span.family, element)];
            (triangles, area, sum) = (triangles + 1, area + bulks[element], sum + bulks[element] * off);
            largest = largest.max(off);
        }
    }
    (triangles > 0).then(|| PatternReport { triangles, mean: sum / area, largest })
}

/// The factors on the stiffness that are painted; `None` where no body has any.
pub fn stiffness_field(system: &System) -> Option<FieldSpread> {
    let factors = || system.bodies.iter().flat_map(|body| body.matter.stiffness_factors()).copied();
    let (min, max) = factors().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), factor| (low.min(factor), high.max(factor)));
    let count = factors().count();
    (count > 0).then(|| FieldSpread { min, mean: factors().sum::<f64>() / count as f64, max })
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

/// Solved contact forces, those of walls on a grid among them, in numbers; `friction_used` is the share of the friction coefficients that they might use,
/// `couple` the largest net torque [N m] of the forces between two bodies.
pub fn contacts((balance, walls): (&Balance, &[WallForce]), system: &System, friction_used: Option<f64>, couple: f64) -> ContactReport {
    let at_obstacles = balance.contacts.iter().map(|c| (c.normal_force, c.friction_force, system.pairs[c.pair as usize].friction));
    let of_pairs = balance.pairs.iter().map(|p| (p.normal_force, p.friction_force, p.touch.friction(&system.surface)));
    let on_grid = walls.iter().map(|wall| (wall.normal_force, wall.friction_force, wall.friction));
    let all: Vec<(f64, Vec3, f64)> = at_obstacles.chain(of_pairs).chain(on_grid).collect();
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
        // What is no number is told, and not passed over.
        min_normal_force: normal_forces().reduce(|a, b| -larger(-a, -b)),
        total_normal_force: normal_forces().fold(0.0, |sum, force| sum + force),
        max_cone_violation: all.iter().map(violation).fold(0.0, larger),
        friction_used,
        friction_in_hand: friction_used.map(|used| 1.0 - used),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::BalancedContact;
    use crate::system::TouchPair;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-14, "{found} instead of {expected}");
    }

    #[test]
    fn compression_of_values_that_differ() {
        assert!(distribution(&[]).is_none());
        let Some(found) = distribution(&[0.5, 1.0, 1.0, 1.5, -0.5]) else { unreachable!() };
        close(found.mean, 0.7);
        close(found.std, (0.64f64 + 0.04 + 2.0 * 0.09 + 1.44).sqrt() / 5f64.sqrt());
        assert_eq!((found.min, found.max), (-0.5, 1.5));
        let Histogram { edges, counts } = found.histogram;
        assert_eq!((edges.len(), edges[0], edges[BINS], counts.iter().sum::<usize>()), (BINS + 1, -0.5, 1.5, 5));
        assert_eq!((counts[0], counts[BINS - 1]), (1, 1));
    }

    #[test]
    fn volumes_and_factors_are_summed_up() {
        let volume = rest_volume(&[2.0, 3.0], &[0.5, 2.0]);
        assert!(volume.is_some_and(|volume| (volume.given, volume.rest) == (7.0, 5.0)) && rest_volume(&[], &[]).is_none());
        let found = stiffened(&[1.0, 3.0, 1.0, 2.0, 1.5], 2);
        assert_eq!((found.elements, found.max_factor, found.indices), (3, 3.0, vec![1, 3]));
    }

    /// A cone violation is the share by which friction is more than its cone holds, and of the whole normal force where nothing holds.
    #[test]
    fn contact_forces_beyond_their_cones_are_told() {
        let report = |friction: f64, along: f64| {
            let pairs = vec![TouchPair { node: 0, obstacle: 0, friction }; 3];
            let force = |pair: u32, normal_force: f64, along: f64| BalancedContact {
                pair,
                normal: Vec3::y(),
                normal_force,
                friction_force: along * Vec3::x(),
                distance: 0.0,
            };
            let balance = Balance { contacts: vec![force(0, 8.0, 1.0), force(1, 2.0, along), force(2, 1e-7, 0.0)], pairs: Vec::new() };
            contacts((&balance, &[]), &System { pairs, diagonal: 1.0, ..System::default() }, Some(0.7), 0.0)
        };
        close(report(0.5, 1.3).max_cone_violation, 0.3);
        close(report(0.5, 0.9).max_cone_violation, 0.0);
        close(report(0.0, 0.5).max_cone_violation, 0.25);
        let told = report(0.5, 1.3);
        assert_eq!((told.active, told.min_normal_force, told.friction_used), (2, Some(1e-7), Some(0.7)));
        close(told.total_normal_force, 10.0 + 1e-7);
        close(told.friction_in_hand.unwrap_or(f64::NAN), 0.3);
    }

    #[test]
    fn contact_forces_that_are_no_numbers_are_told_wherever_they_are() {
        let pairs = vec![TouchPair { node: 0, obstacle: 0, friction: 0.5 }; 3];
        let system = System { pairs, diagonal: 1.0, ..System::default() };
        let report = |normal: [f64; 3], along: [f64; 3]| {
            let force = |pair: usize| BalancedContact {
                pair: pair as u32,
                normal: Vec3::y(),
                normal_force: normal[pair],
                friction_force: along[pair] * Vec3::x(),
                distance: 0.0,
            };
            contacts((&Balance { contacts: (0..3).map(force).collect(), pairs: Vec::new() }, &[]), &system, None, 0.0)
        };
        let sound = report([3.0, 1.0, 2.0], [0.0; 3]);
        assert_eq!((sound.min_normal_force, sound.max_cone_violation), (Some(1.0), 0.0));
        for place in 0..3 {
            let with_nan = |mut numbers: [f64; 3]| {
                numbers[place] = f64::NAN;
                numbers
            };
            assert!(report(with_nan([3.0, 1.0, 2.0]), [0.0; 3]).min_normal_force.is_some_and(f64::is_nan), "{place}");
            assert!(report([3.0, 1.0, 2.0], with_nan([2.0; 3])).max_cone_violation.is_nan(), "{place}");
        }
    }
}
