//! Plain measurements of a state.

use crate::math::Vec3;
use crate::system::System;

/// Kinetic energy [J].
pub fn kinetic_energy(system: &System, velocities: &[Vec3]) -> f64 {
    system.masses.iter().zip(velocities).map(|(m, v)| 0.5 * m * v.norm_squared()).sum()
}

/// Elastic energy [J].
pub fn elastic_energy(system: &System, x: &[Vec3]) -> f64 {
    system.families.iter().map(|family| family.energy(x)).sum()
}

/// Energy of the loads [J], zero in the given shape.
pub fn load_energy(system: &System, x: &[Vec3]) -> f64 {
    let moved = |n: usize| x[n] - system.positions[n];
    -(0..x.len()).map(|n| system.masses[n] * system.gravity.dot(&moved(n))).sum::<f64>()
}

/// Signed volume of all bodies [m^3].
pub fn volume(system: &System, x: &[Vec3]) -> f64 {
    let of_tet = |x: &[Vec3], tet: &[u32; 4]| {
        let [a, b, c, d] = tet.map(|n| x[n as usize]);
        (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
    };
    system.bodies.iter().flat_map(|body| body.mesh.tets.iter().map(|tet| of_tet(&x[body.nodes.clone()], tet))).sum()
}

/// Largest distance of a free node from the given shape, as a share of the diagonal.
pub fn drift(system: &System, x: &[Vec3]) -> f64 {
    let squared = (0..x.len()).filter(|&n| !system.fixed[n]).map(|n| (x[n] - system.positions[n]).norm_squared());
    squared.fold(0.0, f64::max).sqrt() / system.diagonal
}
