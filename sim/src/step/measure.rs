//! Plain measurements of a state.

use super::StepStats;
use crate::bodies::InternalNode;
use crate::math::{Vec3, larger};
use crate::system::System;

/// Everything in [`StepStats`] that positions `x` [m], `velocities` [m/s], the barrier energy `contact` and the energy of `pressure`
/// [J] tell; the rest is as by default, and left to the stepper.
pub fn state(system: &System, x: &[Vec3], velocities: &[Vec3], contact: f64, pressure: f64) -> StepStats {
    let (kinetic, elastic, gravity) = (kinetic_energy(system, velocities), elastic_energy(system, x), load_energy(system, x));
    StepStats {
        kinetic,
        elastic,
        gravity,
        contact,
        pressure,
        total: kinetic + elastic + gravity + contact + pressure,
        momentum: momentum(system, velocities),
        angular_momentum: angular_momentum(system, x, velocities),
        volume: volume(system, x),
        inversions: inversions(system, x),
        drift: drift(system, x),
        ..StepStats::default()
    }
}

/// Kinetic energy [J].
pub fn kinetic_energy(system: &System, velocities: &[Vec3]) -> f64 {
    0.5 * system.mass().dot(velocities, velocities)
}

/// Linear momentum [kg m/s]: couplings of masses take nothing from it, and internal nodes have none.
pub fn momentum(system: &System, velocities: &[Vec3]) -> Vec3 {
    let placed = system.masses.iter().zip(velocities).take(system.body_nodes());
    placed.fold(Vec3::zeros(), |sum, (&m, v)| sum + m * v)
}

/// Angular momentum about the origin [kg m^2/s].
pub fn angular_momentum(system: &System, x: &[Vec3], velocities: &[Vec3]) -> Vec3 {
    let internal = system.internal_nodes();
    if internal.is_empty() {
        return system.mass().sum(x, velocities, Vec3::zeros(), |x, v| x.cross(v));
    }
    // They have no place: those of the vertices first.
    let mut placed = velocities.to_vec();
    placed[internal.clone()].fill(Vec3::zeros());
    let of_places = system.mass().sum(x, &placed, Vec3::zeros(), |x, v| x.cross(v));
    let spin = |(node, turned): (usize, &InternalNode)| {
        system.masses[node] * turned.arm * turned.arm * turned.angular_velocity(&x[node], &velocities[node])
    };
    internal.zip(&system.internal).map(spin).fold(of_places, |sum, spin| sum + spin)
}

/// Elements whose det F is not positive at `x`.
pub fn inversions(system: &System, x: &[Vec3]) -> u32 {
    let ratios = system.families.iter().flat_map(|family| family.compression(x));
    ratios.filter(|&ratio| ratio.is_nan() || ratio <= 0.0).count() as u32
}

/// Elastic energy [J].
pub fn elastic_energy(system: &System, x: &[Vec3]) -> f64 {
    system.families.iter().map(|family| family.energy(x)).sum()
}

/// Energy of the loads [J], zero in the given shape.
pub fn load_energy(system: &System, x: &[Vec3]) -> f64 {
    let moved = |n: usize| x[n] - system.positions[n];
    -(0..system.body_nodes()).map(|n| system.masses[n] * system.gravity.dot(&moved(n))).sum::<f64>()
}

/// Signed volume of all bodies [m^3].
pub fn volume(system: &System, x: &[Vec3]) -> f64 {
    let of_tet = |x: &[Vec3], tet: &[u32; 4]| {
        let [a, b, c, d] = tet.map(|n| x[n as usize]);
        (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
    };
    // The sum of nothing is minus zero.
    0.0 + system.bodies.iter().flat_map(|body| body.mesh.tets().iter().map(|tet| of_tet(&x[body.nodes.clone()], tet))).sum::<f64>()
}

/// Largest distance of a free node from the given shape, as a share of the diagonal; NaN if one is nowhere.
pub fn drift(system: &System, x: &[Vec3]) -> f64 {
    let squared = (0..system.body_nodes()).filter(|&n| !system.fixed[n]).map(|n| (x[n] - system.positions[n]).norm_squared());
    squared.fold(0.0, larger).sqrt() / system.diagonal
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::scene_file::gallery;
    use crate::watch::Unwatched;

    /// A body that only moves along carries its mass at its centre; one that spins about its centre has no linear momentum,
    /// and an angular momentum that does not depend on the place of the origin.
    #[test]
    fn momenta_of_rigid_motions() {
        let path = gallery::find("hanging_beam").unwrap().path();
        let scene = crate::scene_file::load(&path).unwrap();
        let system = System::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
        let x = &system.positions;
        let mass: f64 = system.masses.iter().sum();
        let centre = system.masses.iter().zip(x).map(|(&m, x)| m * x).sum::<Vec3>() / mass;
        let close = |a: Vec3, b: Vec3| assert!((a - b).norm() < 1e-12 * (1.0 + b.norm()), "{a} instead of {b}");

        let along = Vec3::new(0.5, -2.0, 1.0);
        let moving = vec![along; x.len()];
        close(momentum(&system, &moving), mass * along);
        close(angular_momentum(&system, x, &moving), mass * centre.cross(&along));

        let spin = Vec3::new(0.3, 1.0, -0.7);
        let spinning: Vec<Vec3> = x.iter().map(|x| spin.cross(&(x - centre))).collect();
        close(momentum(&system, &spinning), Vec3::zeros());
        let elsewhere: Vec<Vec3> = x.iter().map(|x| x + along).collect();
        close(angular_momentum(&system, x, &spinning), angular_momentum(&system, &elsewhere, &spinning));
        // Along the spin it is twice the kinetic energy over the speed of rotation.
        let along_spin = angular_momentum(&system, x, &spinning).dot(&spin);
        assert!((along_spin - 2.0 * kinetic_energy(&system, &spinning)).abs() < 1e-12 * along_spin);
    }

    /// A body that is squeezed through itself to half its height has all its elements inverted; one that is only flattened has none.
    #[test]
    fn inverted_elements_are_counted_however_little_of_them_is_inside_out() {
        let path = gallery::find("hanging_beam").unwrap().path();
        let scene = crate::scene_file::load(&path).unwrap();
        let system = System::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
        let elements: usize = system.families.iter().map(|family| family.compression(&system.positions).len()).sum();
        for (share, expected) in [(1.0, 0), (1e-6, 0), (-1e-6, elements), (-0.5, elements), (-2.0, elements)] {
            let x: Vec<Vec3> = system.positions.iter().map(|p| Vec3::new(p.x, share * p.y, p.z)).collect();
            assert_eq!(inversions(&system, &x) as usize, expected, "{share}");
        }
        let mut x = system.positions.clone();
        x[0].y = f64::NAN;
        assert!(inversions(&system, &x) > 0);
    }

    /// One that has moved, and one that is nowhere, at whatever place among the others.
    #[test]
    fn what_is_nowhere_has_not_stayed() {
        let path = gallery::find("hanging_beam").unwrap().path();
        let scene = crate::scene_file::load(&path).unwrap();
        let system = System::build(&scene, path.parent().unwrap(), &Unwatched).unwrap();
        assert_eq!(drift(&system, &system.positions), 0.0);
        for n in (0..system.positions.len()).filter(|&n| !system.fixed[n]) {
            let mut x = system.positions.clone();
            x[n].z += 0.25 * system.diagonal;
            assert!((drift(&system, &x) - 0.25).abs() < 1e-12, "{n}");
            x[n].z = f64::NAN;
            assert!(drift(&system, &x).is_nan(), "{n}");
        }
    }
}
