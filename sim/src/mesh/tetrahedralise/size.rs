//! The cell size that gives a wanted number of tets, and what it takes to tell: volume and area.

use rayon::prelude::*;

use super::SignedDistanceField;
use crate::math::{Vec3, bounding_box};
use crate::watch::{Cancelled, Watch};

/// Tets a cell of volume, and a cell's face of area: the latter, as [`BAND`], fitted to three scanned shapes at 3 to 100 thousand.
const TETS: (f64, f64) = (12.0, 1.2);
/// Cells deeper than so many under the surface are merged by eights where the lattice is graded.
const BAND: f64 = 2.25;
/// Boxes along the longest side at first.
const COARSE: f64 = 8.0;

/// Volume [m^3] and area [m^2] of a solid.
pub type Measure = (f64, f64);

/// The cell size [m] at which solids are filled by about `tets` tets, where none has fewer than `least`; `factor`: how many times
/// more than expected there were.
pub fn cell_for(tets: usize, solids: &[Measure], least: f64, grading: f64, factor: f64) -> f64 {
    let wanted = tets.max(1) as f64 / factor;
    // Without a surface there would be 12 a cell; with one no less than half and no more than a hundred times as many.
    let guess = (solids.iter().map(|solid| solid.0).sum::<f64>() * TETS.0 / wanted).cbrt();
    let (mut low, mut high) = (0.1 * guess, 10.0 * guess);
    while high > 1.000_001 * low {
        let middle = (low * high).sqrt();
        *(if expected_of_all(solids, middle, least, grading) > wanted { &mut low } else { &mut high }) = middle;
    }
    high
}

/// About how many tets solids get from cubes of the edge `cell` [m], where none has fewer than `least`.
pub fn expected_of_all(solids: &[Measure], cell: f64, least: f64, grading: f64) -> f64 {
    solids.iter().map(|solid| expected(*solid, cell, grading).max(least)).sum()
}

/// About how many tets a lattice with cubes of the edge `cell` [m] gives in a solid.
pub fn expected((volume, area): Measure, cell: f64, grading: f64) -> f64 {
    let (volume, area) = (volume / cell.powi(3), area / cell.powi(2));
    // What is left of a ball, and nearly so of other bodies, without a layer.
    let inner = if grading >= 2.0 { volume * (1.0 - BAND * area / (3.0 * volume)).max(0.0).powi(3) } else { 0.0 };
    TETS.0 * (volume - 7.0 / 8.0 * inner) + TETS.1 * area
}

/// Volume [m^3] and area [m^2] of what triangles enclose, at once: where they are open, as if closed towards the middle of the box
/// around them, and parts inside of others count too.
pub fn estimate(positions: &[Vec3], triangles: &[[u32; 3]]) -> (f64, f64) {
    let corners: Vec<[Vec3; 3]> = triangles.iter().map(|triangle| triangle.map(|v| positions[v as usize])).collect();
    if corners.is_empty() {
        return (0.0, 0.0);
    }
    let (low, high) = bounding_box(corners.as_flattened());
    let middle = 0.5 * (low + high);
    let (mut six_volumes, mut double_area) = (0.0, 0.0);
    for [a, b, c] in &corners {
        let normal = (b - a).cross(&(c - a));
        six_volumes += (a - middle).dot(&normal);
        double_area += normal.norm();
    }
    (six_volumes.abs() / 6.0, 0.5 * double_area)
}

/// Volume [m^3] and area [m^2] of any solid, to a few percent: boxes near its surface are cut into smaller ones, and then count
/// by their share inside as far as the distance in their middle tells. They are cut until there are more than `boxes`.
///
/// # Errors
/// [`Cancelled`].
pub fn measure(field: &impl SignedDistanceField, boxes: usize, watch: &dyn Watch) -> Result<Measure, Cancelled> {
    let (low, high) = field.bounds();
    let mut side = (high - low).max() / COARSE;
    let count = (high - low).map(|e| (e / side).ceil().max(1.0) as usize);
    let place = |i: usize| Vec3::new((i % count.x) as f64, (i / count.x % count.y) as f64, (i / (count.x * count.y)) as f64);
    let mut middles: Vec<Vec3> = (0..count.product()).map(|i| low + (place(i) + Vec3::repeat(0.5)) * side).collect();
    let mut volume = 0.0;
    loop {
        let value = |p: &Vec3| watch.check().map(|()| field.distance(p));
        let values: Vec<f64> = middles.par_iter().with_min_len(16).map(value).collect::<Result<_, _>>()?;
        let reach = field.lipschitz() * 0.5 * 3f64.sqrt() * side;
        volume += side.powi(3) * values.iter().filter(|f| **f < -reach).count() as f64;
        let near = || middles.iter().zip(&values).filter(|(_, f)| f.abs() <= reach);
        if near().count() > boxes || near().next().is_none() || side < 1e-6 * (high - low).max() {
            volume += side.powi(3) * near().map(|(_, f)| (0.5 - f / side).clamp(0.0, 1.0)).sum::<f64>();
            let area = side * side * near().filter(|(_, f)| f.abs() < 0.5 * side).count() as f64;
            return Ok((volume, area));
        }
        let eighth = |k: usize| Vec3::from_fn(|d, _| if k >> d & 1 == 1 { 0.25 } else { -0.25 });
        middles = near().flat_map(|(p, _)| (0..8).map(move |k| p + side * eighth(k))).collect();
        side *= 0.5;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::super::implicit::{Sphere, Torus};
    use super::super::{Options, tetrahedralise};
    use super::*;
    use crate::watch::Unwatched;
    use std::f64::consts::PI;

    #[test]
    fn volume_and_area_are_nearly_right() {
        let ball = Sphere { centre: Vec3::new(3.0, -1.0, 0.2), radius: 0.01 };
        let (volume, area) = measure(&ball, 8192, &Unwatched).unwrap();
        assert!((volume / (4.0 / 3.0 * PI * 1e-6) - 1.0).abs() < 0.01 && (area / (4.0 * PI * 1e-4) - 1.0).abs() < 0.05, "{volume} {area}");
    }

    #[test]
    fn a_box_without_lid_counts_as_if_it_had_one() {
        let corners: Vec<Vec3> = (0..8).map(|i| Vec3::from_fn(|d, _| f64::from(i >> d & 1))).collect();
        let quads: [[u32; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let (volume, area) = estimate(&corners, &triangles);
        assert!((volume - 1.0).abs() < 1e-12 && (area - 6.0).abs() < 1e-12, "{volume} {area}");
        let (volume, area) = estimate(&corners, &triangles[..10]);
        assert!((volume - 5.0 / 6.0).abs() < 1e-12 && (area - 5.0).abs() < 1e-12, "{volume} {area}");
        assert_eq!(estimate(&corners, &[]), (0.0, 0.0));
    }

    #[test]
    fn the_target_is_met_at_once() {
        let torus = Torus { centre: Vec3::zeros(), ring: 1.0, tube: 0.2 };
        for (target, grading) in [(4_000, 1.0), (40_000, 1.0), (40_000, 4.0)] {
            let cell = cell_for(target, &[measure(&torus, 8192, &Unwatched).unwrap()], 0.0, grading, 1.0);
            let tets = tetrahedralise(&torus, &Options { cell, grading, ..Options::default() }, &Unwatched).unwrap().tets.len() as f64;
            let most = if grading > 1.0 { 0.2 } else { 0.05 };
            assert!((tets / target as f64 - 1.0).abs() < most, "{tets} of {target}");
        }
    }

    #[test]
    fn measures_go_with_the_size() {
        for radius in [1e-6, 1e3, 1e9] {
            let ball = Sphere { centre: Vec3::new(0.3, -0.1, 0.02) * radius, radius };
            let (volume, area) = measure(&ball, 8192, &Unwatched).unwrap();
            let (volume, area) = (volume / radius.powi(3), area / radius.powi(2));
            assert!((volume / (4.0 / 3.0 * PI) - 1.0).abs() < 0.01 && (area / (4.0 * PI) - 1.0).abs() < 0.05, "{radius}: {volume} {area}");
        }
    }
}
