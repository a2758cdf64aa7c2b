//! Pressures of liquids at rest, to begin with.

use crate::math::{Mat3, Vec3};
use crate::step::mpm::points::Points;
use crate::system::System;

/// Stresses of liquids under what stands above them in their bodies [Pa], by the numbers of the points at `x` [m] in a grid of this `spacing` [m];
/// empty without liquids.
pub(super) fn hydrostatic(system: &System, points: &Points, x: &[Vec3], spacing: f64) -> Vec<Mat3> {
    let is_liquid = |p: usize| points.elements[p].material.liquid().is_some();
    if !(0..x.len()).any(is_liquid) {
        return Vec::new();
    }
    let mut stresses = vec![Mat3::zeros(); x.len()];
    for body in &system.bodies {
        let own = |p: &usize| body.nodes.contains(&(points.nodes[*p][0] as usize)) && is_liquid(*p);
        let down = |p: usize| system.gravity.dot(&x[p]);
        let top = (0..x.len()).filter(own).map(down).fold(f64::INFINITY, f64::min) - 0.25 * spacing * system.gravity.norm();
        for p in (0..x.len()).filter(own) {
            let density = points.masses[p] / points.elements[p].volume;
            stresses[p] = Mat3::from_diagonal_element(-density * (down(p) - top));
        }
    }
    stresses
}
