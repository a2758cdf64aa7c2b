//! Contact forces as a pressure on the surfaces that they act on.

use crate::math::Vec3;
use crate::system::System;

/// Pressure of the contacts on each node of a surface [Pa]: its force, of `forces` [N], over its share of the surface. 0 inside of bodies; NaN where there is
/// no surface, as on obstacles and bodies of lines.
///
/// A vertex at an edge belongs to faces of several directions. Its force is that on the face that it pushes most, and its share of the
/// surface is what of it lies across that face: the corner of a box on the ground presses with a third of one face, not of three.
pub fn contact_pressure(system: &System, forces: &[Vec3], x: &[Vec3]) -> Vec<f64> {
    let mut pressure = vec![f64::NAN; x.len()];
    for body in &system.bodies {
        pressure[body.nodes.clone()].fill(if body.mesh.tets().is_empty() { f64::NAN } else { 0.0 });
        let first = body.nodes.start;
        let triangles = || body.mesh.surface.iter().map(|triangle| triangle.map(|v| first + v as usize));
        // Tributary area of each vertex, as a vector [m^2].
        let mut areas = vec![Vec3::zeros(); body.nodes.len()];
        for triangle in triangles() {
            triangle.iter().for_each(|node| areas[node - first] += area(&triangle, x) / 3.0);
        }
        // The face that each vertex is pushed on most, by how much.
        let mut pushed = vec![(0.0, Vec3::zeros()); body.nodes.len()];
        for triangle in triangles() {
            let Some(normal) = area(&triangle, x).try_normalize(0.0) else { continue };
            for node in triangle {
                let along = -forces[node].dot(&normal);
                // Sheets are pushed from both sides.
                let along = if body.mesh.tets().is_empty() { along.abs() } else { along };
                if along > pushed[node - first].0 {
                    pushed[node - first] = (along, normal);
                }
                pressure[node] = 0.0;
            }
        }
        for ((node, area), (force, normal)) in (first..).zip(&areas).zip(&pushed) {
            let across = area.dot(normal);
            if *force > 0.0 && across > 0.0 {
                pressure[node] = force / across;
            }
        }
    }
    pressure
}

/// Area of a triangle of nodes along its normal [m^2].
fn area(triangle: &[usize; 3], x: &[Vec3]) -> Vec3 {
    let [a, b, c] = triangle.map(|node| x[node]);
    0.5 * (b - a).cross(&(c - a))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::scene::Method;
    use crate::scene_file::{self, gallery};
    use crate::simulation::Simulation;
    use crate::watch::Unwatched;
    use std::collections::BTreeSet;

    #[test]
    fn the_pressure_under_a_body_at_rest_carries_its_weight() {
        let path = gallery::find("jelly_on_table").unwrap().path();
        let mut simulation = Simulation::build(&scene_file::load(&path).unwrap(), path.parent().unwrap(), &Unwatched).unwrap();
        simulation.initialise(Method::SagFree, &Unwatched).unwrap();
        let pressure = simulation.contact_pressure();
        let touching = simulation.contact_forces().iter().map(|contact| contact.node).collect::<BTreeSet<_>>();
        let system = &simulation.system;
        let body = &system.bodies[0];
        let first = body.nodes.start;
        let x = &simulation.state.positions;
        // On the table lie the faces that look down.
        let mut carried = 0.0;
        for triangle in body.mesh.surface.iter().map(|triangle| triangle.map(|v| first + v as usize)) {
            let down = -area(&triangle, x).y;
            if down > 0.99 * area(&triangle, x).norm() {
                carried += triangle.iter().map(|&node| pressure[node]).sum::<f64>() * down / 3.0;
            }
        }
        let weight = system.gravity.norm() * system.masses[body.nodes.clone()].iter().sum::<f64>();
        assert!((carried / weight - 1.0).abs() < 1e-3, "{carried} N of {weight} N");
        let pressed = (first..).zip(&pressure[body.nodes.clone()]).filter(|(_, p)| **p > 0.0).map(|(node, _)| node as u32);
        assert_eq!(pressed.collect::<BTreeSet<_>>(), touching, "what touches is pressed, and nothing else");
    }
}
