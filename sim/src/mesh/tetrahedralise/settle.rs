//! Moves the boundary of a stuffing from chords of the surface to its mean: as much of the solid is then left out as is added.
//!
//! Vertices on a convex surface make a body that is too small: by a few percent of its volume, and so of its mass, at the sizes
//! that simulations use.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::SignedDistanceField;
use super::boundary::faces;
use super::quality::dihedral_range;
use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// Mean depth of a surface over a triangle whose corners lie on it, by the depth at its centroid: exact for quadratic surfaces.
const MEAN_DEPTH: f64 = 0.75;
/// No vertex moves by more than this share of the edges around it: where a part is missing, that is left so.
const FARTHEST: f64 = 0.1;
/// How often the moves around a bad tet are halved before they are given up.
const HALVINGS: usize = 3;

/// Moves the vertices of the boundary along its normal by the mean distance of the surface from the triangles around them. The
/// smallest dihedral angle of the mesh stays what it is, or grows.
///
/// # Errors
/// [`Cancelled`]; the positions are then as they were.
pub fn settle(positions: &mut [Vec3], tets: &[[u32; 4]], field: &impl SignedDistanceField, watch: &dyn Watch) -> Result<(), Cancelled> {
    let moves = moves(positions, tets, field, watch)?;
    let touched: Vec<u32> =
        (0..tets.len() as u32).filter(|t| tets[*t as usize].iter().any(|&v| moves[v as usize] != Vec3::zeros())).collect();
    let angle = |positions: &[Vec3], t: u32| dihedral_range(positions, &tets[t as usize]).0;
    let all = tets.par_iter().map(|t| dihedral_range(positions, t).0);
    let least = all.reduce(|| f64::INFINITY, f64::min);
    let mut shares = vec![1.0; positions.len()];
    // Ends: a share of a bad tet shrinks each time, to nothing in the end, and then the tet is as it was.
    for round in 0.. {
        watch.check()?;
        let moved: Vec<Vec3> = positions.iter().zip(&moves).zip(&shares).map(|((x, by), share)| x + *share * by).collect();
        let bad: Vec<u32> =
            touched.par_iter().copied().filter(|&t| angle(&moved, t).partial_cmp(&least).is_none_or(Ordering::is_lt)).collect();
        if bad.is_empty() {
            positions.copy_from_slice(&moved);
            break;
        }
        for &v in bad.iter().flat_map(|&t| &tets[t as usize]) {
            shares[v as usize] *= if round < HALVINGS { 0.5 } else { 0.0 };
        }
    }
    Ok(())
}

/// How far each vertex should move [m]; those inside do not.
fn moves(positions: &[Vec3], tets: &[[u32; 4]], field: &impl SignedDistanceField, watch: &dyn Watch) -> Result<Vec<Vec3>, Cancelled> {
    let faces = faces(tets);
    let corners = |f: &[u32; 3]| f.map(|v| positions[v as usize]);
    let depth = |f: &[u32; 3]| -MEAN_DEPTH * field.distance(&(corners(f).iter().sum::<Vec3>() / 3.0));
    let depths: Vec<f64> = faces.par_iter().with_min_len(64).map(|f| watch.check().map(|()| depth(f))).collect::<Result<_, _>>()?;
    // Around each vertex: area, sum of normals by area, sum of depths by area, sum of edges by area.
    let mut sums = vec![(0.0, Vec3::zeros(), 0.0, 0.0); positions.len()];
    for (f, depth) in faces.iter().zip(depths) {
        let [a, b, c] = corners(f);
        let normal = (b - a).cross(&(c - a));
        let area = normal.norm();
        for &v in f {
            let sum = &mut sums[v as usize];
            *sum = (sum.0 + area, sum.1 + normal, sum.2 + area * depth, sum.3 + area * area.sqrt());
        }
    }
    let of = |(area, normal, depth, edge): (f64, Vec3, f64, f64)| {
        let most = FARTHEST * edge / area;
        // Near a fold the normals cancel: a vertex there moves less.
        if area > 0.0 { normal / area * (depth / area).clamp(-most, most) } else { Vec3::zeros() }
    };
    Ok(sums.into_iter().map(of).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::super::implicit::{RoundedBox, Sphere};
    use super::super::quality::{dihedral_extremes, volume};
    use super::super::{Options, tetrahedralise};
    use super::*;
    use crate::watch::Unwatched;

    #[test]
    fn volumes_are_right_and_angles_no_smaller() {
        let ball = 4.0 / 3.0 * std::f64::consts::PI;
        // A box with rounded edges: its faces, quarter cylinders and eighths of a ball.
        let (h, r) = (0.7, 0.3);
        let rounded = 8.0 * h * h * h + 24.0 * h * h * r + 6.0 * std::f64::consts::PI * h * r * r + ball * r * r * r;
        let block = RoundedBox { centre: Vec3::zeros(), half: Vec3::repeat(1.0), rounding: r };
        check(&Sphere { centre: Vec3::zeros(), radius: 1.0 }, 0.2, ball);
        check(&block, 0.2, rounded);
    }

    fn check(solid: &impl SignedDistanceField, cell: f64, exact: f64) {
        let mut mesh = tetrahedralise(solid, &Options { cell, ..Options::default() }, &Unwatched).unwrap();
        let error = |positions: &[Vec3]| mesh.tets.iter().map(|t| volume(positions, t)).sum::<f64>() / exact - 1.0;
        let (before, angle) = (error(&mesh.positions), dihedral_extremes(&mesh.positions, &mesh.tets).0);
        settle(&mut mesh.positions, &mesh.tets, solid, &Unwatched).unwrap();
        let after = mesh.tets.iter().map(|t| volume(&mesh.positions, t)).sum::<f64>() / exact - 1.0;
        assert!(before < -5e-3 && after.abs() < 0.2 * before.abs(), "{before} {after}");
        assert!(dihedral_extremes(&mesh.positions, &mesh.tets).0 >= angle);
    }
}
