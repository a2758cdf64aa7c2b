#![allow(clippy::unwrap_used)]
//! Kernels against their integrals, densities against differences, momenta, walls that mirror.

use std::sync::Arc;

use super::density::{Density, Particle, Shared, Strength, place_of, share_places};
use super::kernel::Kernel;
use super::neighbours::Neighbours;
use super::velocity::{Pass, Stirring};
use super::{Fluid, carried_forces};
use crate::bodies::particles::{FluidSettings, Kernels, ParticleMatter, ParticleSettings, Tensile};
use crate::contact::distance::{SignedDistance, placed};
use crate::element::Mobility;
use crate::math::Vec3;
use crate::math::random::Random;
use crate::mesh::{BodyMesh, Cells};
use crate::scene::Shape;
use crate::system::{PlacedBody, System};

const BOTH: [Kernels; 2] = [Kernels::Poly6Spiky, Kernels::Spiky];

fn settings(kernel: Kernels, strength: f64) -> FluidSettings {
    FluidSettings { kernel, tensile: Tensile { strength, ..Tensile::default() }, ..FluidSettings::default() }
}

/// Both kernels have an integral of 1, without the tensile term.
#[test]
fn kernels_integrate_to_one() {
    for kernel in BOTH {
        let kernel = Kernel::new(&settings(kernel, 0.0), 0.37);
        let steps = 4000;
        let dr = kernel.radius / f64::from(steps);
        let shell = |k: i32| {
            let r = (f64::from(k) + 0.5) * dr;
            4.0 * std::f64::consts::PI * r * r * kernel.plain(r * r) * dr
        };
        let integral: f64 = (0..steps).map(shell).sum();
        assert!((integral - 1.0).abs() < 1e-6, "{integral}");
        // And so does what gradients are those of: minus a third of the integral of r . grad W.
        let moment = |k: i32| {
            let r = (f64::from(k) + 0.5) * dr;
            -4.0 / 3.0 * std::f64::consts::PI * r.powi(3) * kernel.gradient(&(r * Vec3::x())).x * dr
        };
        let integral: f64 = (0..steps).map(moment).sum();
        assert!((integral - 1.0).abs() < 1e-6, "{integral}");
    }
}

/// Gradients are those of the spiky kernel, its tensile term among them.
#[test]
fn gradients_of_kernels_match_differences() {
    for strength in [0.0, 0.1, 0.5] {
        let kernel = Kernel::new(&settings(Kernels::Spiky, strength), 0.1);
        for away in [Vec3::new(0.05, -0.02, 0.01), Vec3::new(0.1, 0.1, -0.1), Vec3::new(0.2, 0.0, 0.1)] {
            let step = 1e-6;
            let of = |k: usize| {
                let at = |sign: f64| kernel.weight((away + sign * step * Vec3::ith(k, 1.0)).norm_squared());
                (at(1.0) - at(-1.0)) / (2.0 * step)
            };
            let (found, expected) = (kernel.gradient(&away), Vec3::new(of(0), of(1), of(2)));
            assert!((found - expected).norm() < 1e-7 * expected.norm(), "{found} {expected}");
        }
    }
}

/// A cloud of particles before three walls, one of them round, by everything that a sweep needs.
struct Cloud {
    x: Vec<Vec3>,
    kernel: Kernel,
    particles: Vec<Particle>,
    mobility: Mobility,
    walls: Vec<Box<dyn SignedDistance>>,
    near: Neighbours,
}

const SPACING: f64 = 0.1;

impl Cloud {
    fn new(kernel: Kernels, strength: f64, walls: Vec<Box<dyn SignedDistance>>) -> Self {
        let mut random = Random::new(12);
        let lattice =
            (0..6 * 6 * 6).map(|k| SPACING * Vec3::new(f64::from(k % 6) + 0.5, f64::from(k / 6 % 6) + 0.5, f64::from(k / 36) + 0.5));
        let x: Vec<Vec3> = lattice.map(|x| x + random.vector(-0.02, 0.02)).collect();
        let particles =
            (0..x.len() as u32).map(|node| Particle { node, compliance: 1e-6, rest: 1.0 + 1e-3 * f64::from(node % 7), carried: 0.0 });
        let inverse = (0..x.len()).map(|_| random.uniform(0.5, 2.0)).collect();
        let mut near = Neighbours::default();
        let kernel = Kernel::new(&settings(kernel, strength), SPACING);
        near.look(&x, kernel.radius, &walls, &vec![true; walls.len()]);
        Self { particles: particles.collect(), mobility: Mobility { inverse, allowed: Vec::new() }, x, kernel, walls, near }
    }

    fn density(&self) -> Density<'_> {
        let [density, growth] = self.kernel.of_lattice(SPACING);
        let (share, offset) = (1.0 / growth, 1.0 - density / growth);
        Density { kernel: &self.kernel, share, offset, near: &self.near, of_particles: &self.particles, mobility: &self.mobility }
    }

    fn place(&self, at: usize) -> Vec3 {
        self.x[self.near.order[at] as usize]
    }

    /// Sums of impulses, and of place times impulse, of what moves `before` to `after`.
    fn impulses(&self, before: &[Vec3], after: &[Vec3]) -> [Vec3; 2] {
        let of = |n: usize| (after[n] - before[n]) / self.mobility.inverse[n];
        [(0..before.len()).map(of).sum(), (0..before.len()).map(|n| before[n].cross(&of(n))).sum()]
    }
}

fn planes() -> Vec<Box<dyn SignedDistance>> {
    vec![
        placed(&Shape::HalfSpace { point: [0.0, -0.02, 0.0], normal: [0.0, 1.0, 0.0] }),
        placed(&Shape::HalfSpace { point: [-0.03, 0.0, 0.0], normal: [1.0, 0.0, 0.0] }),
    ]
}

/// The gradients of a constraint by all places, images behind two walls and in their corner among them, are those of its density.
#[test]
fn gradients_of_densities_match_differences() {
    for walls in [Vec::new(), planes()] {
        let mut cloud = Cloud::new(Kernels::Spiky, 0.3, walls);
        let mut by_wall = 0;
        for at in [0, 7, 40, 100, 215] {
            let mut found = vec![Vec3::zeros(); cloud.x.len()];
            let order = cloud.near.order.clone();
            cloud.density().gradients(at, &|at| cloud.place(at), &mut |k, gradient| found[order[k] as usize] += gradient);
            by_wall += usize::from(cloud.near.views(at).count() > 1);
            let rest = cloud.particles[order[at] as usize].rest;
            for n in 0..cloud.x.len() {
                for k in 0..3 {
                    let step = 1e-6;
                    let mut at_step = |sign: f64| {
                        let before = cloud.x[n];
                        cloud.x[n][k] += sign * step;
                        let c = cloud.density().density(at, &|at| cloud.place(at)) / rest - 1.0;
                        cloud.x[n] = before;
                        c
                    };
                    let expected = (at_step(1.0) - at_step(-1.0)) / (2.0 * step);
                    assert!((found[n][k] - expected).abs() < 1e-6, "{at} {n} {k}: {} {expected}", found[n][k]);
                }
            }
        }
        assert_eq!(by_wall > 0, !cloud.walls.is_empty());
    }
}

/// What a particle sums up by itself is what the gradients of all constraints make, also where flat walls mirror.
#[test]
fn gathered_moves_are_those_of_the_gradients() {
    for kernel in BOTH {
        let cloud = Cloud::new(kernel, 0.1, planes());
        let mut random = Random::new(2);
        let multipliers: Vec<f64> = cloud.x.iter().map(|_| random.uniform(-1.0, 0.0)).collect();
        let density = cloud.density();
        let mut expected = vec![Vec3::zeros(); cloud.x.len()];
        for (at, multiplier) in multipliers.iter().enumerate() {
            density.gradients(at, &|at| cloud.place(at), &mut |k, gradient| expected[k] += *multiplier * gradient);
        }
        let (mut found, mut work) = (Vec::new(), Vec::new());
        density.gather(&|at| cloud.place(at), &|at| multipliers[at], &mut found);
        let most = expected.iter().map(Vec3::norm).fold(0.0, f64::max);
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).norm() < 1e-12 * most));
        // And the work of forces is by the transposed.
        density.work(&|at| cloud.place(at), &expected, &mut work);
        let both = work.iter().zip(&multipliers).map(|(a, b)| a * b).sum::<f64>();
        let squares: f64 = found.iter().map(Vec3::norm_squared).sum();
        assert!((both + squares).abs() < 1e-12 * squares);
    }
}

/// Free in space a sweep, a gathered preload and the viscosity keep the sum of momenta, and the first two its moment.
#[test]
fn momenta_stay() {
    for (kernel, strength) in [(Kernels::Poly6Spiky, 0.0), (Kernels::Poly6Spiky, 0.1), (Kernels::Spiky, 0.5)] {
        let cloud = Cloud::new(kernel, strength, Vec::new());
        let density = cloud.density();
        // All at once, of all multipliers.
        let mut random = Random::new(9);
        let multipliers: Vec<f64> = cloud.x.iter().map(|_| random.uniform(-1e-3, 0.0)).collect();
        let mut sums = Vec::new();
        density.gather(&|at| cloud.place(at), &|at| multipliers[at], &mut sums);
        let mut after = cloud.x.clone();
        for (at, sum) in sums.iter().enumerate() {
            let n = cloud.near.order[at] as usize;
            after[n] += cloud.mobility.inverse[n] * sum;
        }
        let way = after.iter().zip(&cloud.x).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        let found = cloud.impulses(&cloud.x, &after);
        assert!(way > 1e-4 && found.iter().all(|sum| sum.amax() < 1e-12), "{way} {found:?}");
        // One after the other: linear momentum alone, for gradients are taken where others have been moved to.
        let mut places = Vec::new();
        share_places(&mut places, &cloud.near.order, |i| cloud.x[i]);
        let multipliers: Vec<Shared> = cloud.x.iter().map(|_| Shared::default()).collect();
        density.sweep(&Strength { square: 1e-4, share: None }, &places, &multipliers);
        let mut after = cloud.x.clone();
        places.iter().zip(&cloud.near.order).for_each(|(place, &i)| after[i as usize] = place_of(place));
        let way = after.iter().zip(&cloud.x).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        let found = cloud.impulses(&cloud.x, &after);
        assert!(way > 1e-4 && found[0].amax() < 1e-12, "{way} {found:?}");
        assert!(multipliers.iter().all(|multiplier| multiplier.get() <= 0.0));
        // Viscosity.
        let before: Vec<Vec3> = cloud.x.iter().map(|_| random.vector(-1.0, 1.0)).collect();
        let mut v = before.clone();
        let stirring: Vec<Stirring> = (0..v.len()).map(|k| Stirring { xsph: if k % 2 == 0 { 0.1 } else { 0.3 }, vorticity: 0.0 }).collect();
        let taken = Pass::default().run(&density, &stirring, &cloud.x, &mut v, 0.01);
        let momentum = cloud.impulses(&before, &v)[0];
        assert!(v != before && momentum.amax() < 1e-12 && taken > 0.0, "{momentum} {taken}");
        // Confinement drives swirls: without a swirl it does nothing.
        let stirring = vec![Stirring { xsph: 0.0, vorticity: 0.5 }; v.len()];
        let mut along = vec![Vec3::new(1.0, 2.0, 3.0); v.len()];
        Pass::default().run(&density, &stirring, &cloud.x, &mut along, 0.01);
        assert!(along.iter().all(|v| (v - Vec3::new(1.0, 2.0, 3.0)).norm() < 1e-9));
        let mut turning: Vec<Vec3> = cloud.x.iter().map(|x| Vec3::z().cross(x) * (-x.norm_squared()).exp()).collect();
        let still = turning.clone();
        Pass::default().run(&density, &stirring, &cloud.x, &mut turning, 0.01);
        assert!(turning != still);
    }
}

/// A body of particles at `x`, above a floor at height 0.
fn system(x: Vec<Vec3>, fluid: FluidSettings) -> System {
    let settings = ParticleSettings { fluid, ..ParticleSettings::new(SPACING) };
    let count = x.len();
    let mesh = BodyMesh { positions: x.clone(), cells: Cells::Points((0..count as u32).map(|v| [v]).collect()), ..BodyMesh::default() };
    let matter = Arc::new(ParticleMatter { settings, factors: Vec::new() });
    let body = PlacedBody { name: "water".into(), nodes: 0..count, internal: 0..0, spans: Vec::new(), mesh, matter };
    let floor = Shape::HalfSpace { point: [0.0; 3], normal: [0.0, 1.0, 0.0] };
    System {
        masses: vec![1.0; count],
        fixed: vec![false; count],
        bodies: vec![body],
        diagonal: 1.0,
        obstacles: vec![crate::contact::obstacle::PlacedObstacle::new("floor", floor)],
        positions: x,
        ..System::default()
    }
}

fn lattice(counts: [i32; 3]) -> Vec<Vec3> {
    let [a, b, c] = counts;
    (0..a * b * c).map(|k| SPACING * Vec3::new(f64::from(k % a) + 0.5, f64::from(k / a % b) + 0.5, f64::from(k / (a * b)) + 0.5)).collect()
}

/// Inside of a lattice the density is that at rest, and at a wall too, half a spacing before which it ends; where no wall mirrors it is less.
#[test]
fn a_wall_goes_on_with_the_lattice() {
    for kernel in BOTH {
        let system = system(lattice([9, 9, 9]), settings(kernel, 0.1));
        let fluid = Fluid::of(&system).unwrap();
        let nodes = fluid.nodes();
        let at = |wanted: [i32; 3]| {
            let node = wanted[0] + 9 * wanted[1] + 81 * wanted[2];
            nodes.iter().position(|&n| n as i32 == node).unwrap()
        };
        let mobility = Mobility::default();
        let of = |wanted| fluid.density(&mobility).density(at(wanted), &fluid.place());
        assert!((of([4, 4, 4]) - 1.0).abs() < 1e-12 && (of([4, 0, 4]) - 1.0).abs() < 1e-12, "{} {}", of([4, 4, 4]), of([4, 0, 4]));
        assert!(of([4, 8, 4]) < 0.8 && of([0, 4, 4]) < 0.8);
        // A lattice that is compressed has as much more density as it has lost of its volume, to first order.
        let mut squeezed = self::system(lattice([9, 9, 9]), settings(kernel, 0.1));
        squeezed.obstacles.clear();
        let middle = 4.5 * SPACING * Vec3::repeat(1.0);
        squeezed.positions.iter_mut().for_each(|x| *x = middle + 0.999 * (*x - middle));
        let fluid = Fluid::of(&squeezed).unwrap();
        let middle = fluid.nodes().iter().position(|&n| n == 4 + 9 * 4 + 81 * 4).unwrap();
        let growth = (fluid.density(&mobility).density(middle, &fluid.place()) - 1.0) / 0.003;
        // Of another kernel than the gradient's it is near that.
        let off = if kernel == Kernels::Spiky { 0.01 } else { 0.2 };
        assert!((growth - 1.0).abs() < off, "{kernel:?}: {growth}");
    }
}

/// In the given shape what carries has C = alpha p, so that steps find nothing to do there.
#[test]
fn rest_densities_are_those_of_what_is_carried() {
    let mut system = system(lattice([4, 4, 4]), settings(Kernels::Poly6Spiky, 0.1));
    system.carried = (0..64).map(|n| f64::from(n % 3)).collect();
    let fluid = Fluid::of(&system).unwrap();
    let mobility = Mobility::default();
    for (at, &node) in fluid.nodes().iter().enumerate() {
        let particle = fluid.particles[node as usize];
        let c = fluid.density(&mobility).density(at, &fluid.place()) / particle.rest - 1.0;
        let carried = system.carried[node as usize];
        if carried > 0.0 {
            assert!((c - particle.compliance * carried).abs() < 1e-14, "{c}");
        } else {
            assert!(c <= 0.0 && particle.rest == 1.0);
        }
    }
    // Its forces press on the floor, and nothing else does.
    let forces = carried_forces(&system, &system.positions);
    let sum: Vec3 = forces.iter().sum();
    assert!(sum.y > 1.0 && sum.x.abs() < 1e-10 && sum.z.abs() < 1e-10, "{sum}");
}
