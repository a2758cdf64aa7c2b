//! A gust: air that rises, blows once and is still again.

use std::f64::consts::TAU;

use super::System;
use super::loads::Wind;
use crate::math::Vec3;

/// A gust of wind, beside the wind of a scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gust {
    /// Velocity of the air where it blows most [m/s].
    pub velocity: Vec3,
    /// When it rises [s].
    pub from: f64,
    /// How long it blows [s].
    pub length: f64,
}

/// Density of air [kg/m^3], and drag coefficient of a plate across the wind, where a scene has no wind of its own.
const AIR: (f64, f64) = (1.2, 1.1);

impl Gust {
    /// Velocity of its air at `time` [m/s]: (1 - cos)/2 from its beginning to its end.
    pub fn velocity_at(&self, time: f64) -> Vec3 {
        let share = (time - self.from) / self.length;
        if (0.0..=1.0).contains(&share) { 0.5 * (1.0 - (TAU * share).cos()) * self.velocity } else { Vec3::zeros() }
    }
}

impl System {
    /// Adds what a gust adds to the forces on all nodes [N] at positions `x` [m], velocities `v` [m/s] and `time` [s].
    pub(super) fn add_gust(&self, x: &[Vec3], v: &[Vec3], time: f64, out: &mut [Vec3]) {
        let Some(gust) = &self.gust else { return };
        let air = gust.velocity_at(time);
        if air == Vec3::zeros() {
            return;
        }
        let wind = self.loads.wind;
        let (density, drag) = wind.map_or(AIR, |wind| (wind.density, wind.drag));
        let steady = wind.map(|wind| wind.velocity_at(time));
        let all = Wind { velocity: air + steady.unwrap_or_default(), density, drag, from: 0.0, gust_amplitude: 0.0, gust_period: 0.0 };
        let exposed = if self.loads.exposed.is_empty() { self.surfaces() } else { self.loads.exposed.clone() };
        for face in &exposed {
            let velocity = face.iter().map(|&n| v[n as usize]).sum::<Vec3>() / 3.0;
            let area = super::loads::area_vector(face, x);
            let before = steady.map_or_else(Vec3::zeros, |steady| all.force(&area, &velocity, &steady));
            let added = all.force(&area, &velocity, &all.velocity) - before;
            face.iter().for_each(|&n| out[n as usize] += added / 3.0);
        }
    }

    /// The surfaces of all bodies, outward oriented.
    fn surfaces(&self) -> Vec<[u32; 3]> {
        let of = |body: &super::PlacedBody| {
            let first = body.nodes.start as u32;
            body.mesh.exposed().map(move |face| face.map(|vertex| vertex + first)).collect::<Vec<_>>()
        };
        self.bodies.iter().flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gust_rises_and_is_over() {
        let gust = Gust { velocity: 4.0 * Vec3::x(), from: 1.0, length: 2.0 };
        for (time, speed) in [(0.5, 0.0), (1.0, 0.0), (1.5, 2.0), (2.0, 4.0), (2.5, 2.0), (3.0, 0.0), (9.0, 0.0)] {
            assert!((gust.velocity_at(time).x - speed).abs() < 1e-12, "{time}");
        }
    }
}
