#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use super::*;
use crate::element::{Batch, Family};
use crate::math::random::Random;
use crate::mesh::structured::{CubeCut, box_mesh};
use crate::mesh::topology::Faces;
use crate::system::loads::Pressure;

const SIZE: [f64; 3] = [0.3, 0.2, 0.4];

/// A box, pressed on the faces that `pressed` chooses by their corners, bent at random.
struct Bent {
    system: System,
    x: Vec<Vec3>,
}

fn bent(push: Push, fixed: fn(&Vec3) -> bool, pressed: fn(&[Vec3; 3]) -> bool, seed: u64) -> Bent {
    let (positions, tets) = box_mesh(Vec3::from(SIZE), [3, 2, 4], CubeCut::Kuhn);
    let faces = Faces::of(&tets).boundary(&tets).0;
    let law = (crate::material::law("neo_hookean").unwrap().build)(1e5, 0.3);
    let batch = Batch::at_rest(&positions, &tets, &vec![law; tets.len()]).unwrap();
    let mut system = System {
        fixed: positions.iter().map(fixed).collect(),
        masses: vec![1.0; positions.len()],
        diagonal: 0.5,
        families: vec![Box::new(batch) as Box<dyn Family>],
        ..System::default()
    };
    let chosen = faces.into_iter().filter(|face| pressed(&face.map(|n| positions[n as usize])));
    system.loads.pressures = chosen.map(|face| Pressure { face, push, ramp: 0.0 }).collect();
    system.positions = positions;
    let mut random = Random::new(seed);
    let moved = |(p, fixed): (&Vec3, &bool)| if *fixed { *p } else { p + 0.02 * random.vector(-1.0, 1.0) };
    let x = system.positions.iter().zip(&system.fixed).map(moved).collect();
    Bent { x, system }
}

fn everywhere(_: &[Vec3; 3]) -> bool {
    true
}

fn on_top(corners: &[Vec3; 3]) -> bool {
    corners.iter().all(|c| c.y > SIZE[1] - 1e-9)
}

/// A box that stands in water askew, so that its surface cuts many faces.
fn water() -> Push {
    let up = Vec3::new(0.2, 1.0, -0.3).normalize();
    Push::Water(Water { up, level: 0.07, weight: 9810.0 })
}

impl Bent {
    fn pressing(&self) -> Pressing {
        Pressing::at(&self.system, &self.x, 0.0, 1.0)
    }

    fn free(&self, seed: u64) -> Vec<Vec3> {
        let mut random = Random::new(seed);
        let mut direction: Vec<Vec3> = (0..self.x.len()).map(|_| random.vector(-1.0, 1.0)).collect();
        self.system.take_supported(&mut direction);
        direction
    }

    fn along(&self, direction: &[Vec3], step: f64) -> Vec<Vec3> {
        self.x.iter().zip(direction).map(|(x, d)| x + step * d).collect()
    }

    fn gradient(&self, pressing: &mut Pressing, x: &[Vec3]) -> Vec<Vec3> {
        let mut gradient = vec![Vec3::zeros(); x.len()];
        pressing.add_gradient(x, &mut gradient);
        self.system.take_supported(&mut gradient);
        gradient
    }

    /// The forces of the loads, which know of no energy.
    fn forces(&self, x: &[Vec3]) -> Vec<Vec3> {
        let mut forces = vec![Vec3::zeros(); x.len()];
        self.system.loads.add_forces(x, &vec![Vec3::zeros(); x.len()], 0.0, &mut forces);
        self.system.take_supported(&mut forces);
        forces
    }

    /// The blocks times a motion.
    fn product(&self, pressing: &mut Pressing, motion: &[Vec3], projected: bool) -> Vec<Vec3> {
        let mut blocks = self.system.block_memory();
        pressing.add_blocks(&self.system, &self.x, projected, &mut blocks);
        let mut product = vec![Vec3::zeros(); motion.len()];
        for (family, blocks) in self.system.families.iter().zip(&blocks) {
            for (e, element) in blocks.chunks_exact(16).enumerate() {
                let nodes = family.nodes(e);
                for (i, j) in (0..4).flat_map(|i| (0..4).map(move |j| (i, j))) {
                    product[nodes[i] as usize] += element[4 * i + j] * motion[nodes[j] as usize];
                }
            }
        }
        self.system.take_supported(&mut product);
        product
    }

    /// Energy, forces and stiffness belong together, by central differences.
    fn check(&self, what: &str) {
        let mut pressing = self.pressing();
        let direction = self.free(7);
        let step = 1e-6;
        let (ahead, behind) = (self.along(&direction, step), self.along(&direction, -step));
        let gradient = self.gradient(&mut pressing, &self.x);
        let forces = self.forces(&self.x);
        let scale = largest_norm(&forces);
        assert!(scale > 0.0);
        let off = gradient.iter().zip(&forces).map(|(g, f)| (g + f).norm()).fold(0.0, f64::max);
        assert!(off < 1e-12 * scale, "{what}: the gradient is not the force: {off}");
        let slope: f64 = gradient.iter().zip(&direction).map(|(g, d)| g.dot(d)).sum();
        let difference = (pressing.energy(&ahead) - pressing.energy(&behind)) / (2.0 * step);
        assert!((slope - difference).abs() < 1e-7 * scale, "{what}: {slope} {difference}");
        let product = self.product(&mut pressing, &direction, false);
        let (plus, minus) = (self.forces(&ahead), self.forces(&behind));
        let largest = largest_norm(&product);
        for (product, (plus, minus)) in product.iter().zip(plus.iter().zip(&minus)) {
            let difference = (minus - plus) / (2.0 * step);
            assert!((product - difference).norm() < 2e-5 * largest, "{what}: {product} {difference}");
        }
    }
}

#[test]
fn closed_surfaces_have_an_energy_with_its_derivatives() {
    for seed in 1..5 {
        for (what, push) in [("uniform", Push::Uniform(1300.0)), ("water", water())] {
            let bent = bent(push, |_| false, everywhere, seed);
            let pressing = bent.pressing();
            assert!(pressing.rim.is_empty() && pressing.has_energy(&bent.system, &bent.x), "{what}");
            bent.check(what);
        }
    }
}

#[test]
fn so_has_a_face_whose_rim_is_held() {
    let rim = |p: &Vec3| p.x < 1e-9 || p.x > SIZE[0] - 1e-9 || p.z < 1e-9 || p.z > SIZE[2] - 1e-9;
    for (what, push) in [("uniform", Push::Uniform(-700.0)), ("water", Push::Water(Water { up: Vec3::x(), level: 0.13, weight: 9810.0 }))] {
        let bent = bent(push, rim, on_top, 3);
        assert!(bent.pressing().has_energy(&bent.system, &bent.x), "{what}");
        bent.check(what);
    }
}

/// A quarter of a body that is cut by two planes of symmetry, in which the cut faces slide.
#[test]
fn so_has_a_rim_that_slides_in_planes_of_symmetry() {
    let outside = |corners: &[Vec3; 3]| !(corners.iter().all(|c| c.x < 1e-9) || corners.iter().all(|c| c.z < 1e-9));
    for (what, push) in [("uniform", Push::Uniform(900.0)), ("water", Push::Water(Water { up: Vec3::y(), level: 0.11, weight: 9810.0 }))] {
        let mut bent = bent(push, |_| false, outside, 4);
        for (n, p) in (0..).zip(&bent.system.positions) {
            let planes: Vec<Vec3> = [(p.x, Vec3::x()), (p.z, Vec3::z())].iter().filter(|(at, _)| *at < 1e-9).map(|(_, n)| *n).collect();
            if !planes.is_empty() {
                let projector = planes.iter().fold(Mat3::identity(), |projector, n| projector - n * n.transpose());
                bent.system.slides.push((n, projector));
                bent.x[n as usize] = p + projector * (bent.x[n as usize] - p);
            }
        }
        let pressing = bent.pressing();
        assert!(!pressing.rim.is_empty() && pressing.has_energy(&bent.system, &bent.x), "{what}");
        bent.check(what);
        // The rim may go where it likes in its planes: nothing of it is a constant force.
        let mut pressing = bent.pressing();
        let elsewhere = bent.along(&bent.free(11), 0.01);
        assert!(!pressing.relag(&bent.system, &elsewhere), "{what}");
    }
}

#[test]
fn a_free_rim_has_no_energy_and_its_forces_are_taken_from_the_last_iterate() {
    for (what, push) in [("uniform", Push::Uniform(1300.0)), ("water", Push::Water(Water { up: Vec3::y(), level: 0.25, weight: 9810.0 }))] {
        let bent = bent(push, |_| false, on_top, 5);
        let mut pressing = bent.pressing();
        assert!(!pressing.rim.is_empty() && !pressing.has_energy(&bent.system, &bent.x), "{what}");
        let direction = bent.free(8);
        let elsewhere = bent.along(&direction, 0.01);
        let off = |gradient: Vec<Vec3>, forces: Vec<Vec3>| gradient.iter().zip(&forces).map(|(g, f)| (g + f).norm()).fold(0.0, f64::max);
        let scale = largest_norm(&bent.forces(&bent.x));
        assert!(off(bent.gradient(&mut pressing, &bent.x), bent.forces(&bent.x)) < 1e-12 * scale);
        // Elsewhere energy and gradient still belong together, but the forces are right only once they are taken from there.
        let (ahead, behind) = (bent.along(&direction, 0.01 + 1e-6), bent.along(&direction, 0.01 - 1e-6));
        let gradient = bent.gradient(&mut pressing, &elsewhere);
        let slope: f64 = gradient.iter().zip(&direction).map(|(g, d)| g.dot(d)).sum();
        let difference = (pressing.energy(&ahead) - pressing.energy(&behind)) / 2e-6;
        assert!((slope - difference).abs() < 1e-7 * scale, "{what}: {slope} {difference}");
        assert!(off(gradient, bent.forces(&elsewhere)) > 1e-3 * scale, "{what}");
        assert!(pressing.relag(&bent.system, &elsewhere) && !pressing.relag(&bent.system, &elsewhere));
        assert!(off(bent.gradient(&mut pressing, &elsewhere), bent.forces(&elsewhere)) < 1e-12 * scale, "{what}");
    }
}

/// Two pressures that meet: the edge between them is a rim of both.
#[test]
fn an_edge_between_two_pressures_is_a_rim() {
    let mut bent = bent(Push::Uniform(1000.0), |_| false, everywhere, 6);
    for load in &mut bent.system.loads.pressures {
        if load.face.iter().all(|&n| bent.system.positions[n as usize].y < 1e-9) {
            load.push = Push::Uniform(2000.0);
        }
    }
    assert!(!bent.pressing().has_energy(&bent.system, &bent.x));
    bent.system.loads.pressures.iter_mut().for_each(|load| load.push = Push::Uniform(2000.0));
    assert!(bent.pressing().has_energy(&bent.system, &bent.x));
}

#[test]
fn projected_blocks_push_back_everywhere() {
    for push in [Push::Uniform(1300.0), Push::Uniform(-1300.0), water()] {
        let bent = bent(push, |_| false, everywhere, 9);
        let mut pressing = bent.pressing();
        let mut exact_is_indefinite = false;
        for seed in 0..20 {
            let motion = bent.free(seed);
            let work = |product: Vec<Vec3>| product.iter().zip(&motion).map(|(p, m)| p.dot(m)).sum::<f64>();
            assert!(work(bent.product(&mut pressing, &motion, true)) > 0.0);
            exact_is_indefinite |= work(bent.product(&mut pressing, &motion, false)) < 0.0;
        }
        assert!(exact_is_indefinite);
    }
}

/// A body in equal pressure all round, and one that floats, feel no torque and no change of energy when they turn.
#[test]
fn rigid_motions_leave_the_energy_alone() {
    let bent = bent(Push::Uniform(1300.0), |_| false, everywhere, 10);
    let mut pressing = bent.pressing();
    let turn = crate::math::rotation([20.0, -40.0, 70.0]);
    let moved: Vec<Vec3> = bent.x.iter().map(|x| turn * x + Vec3::new(3.0, -1.0, 2.0)).collect();
    let (before, after) = (pressing.energy(&bent.x), pressing.energy(&moved));
    assert!((after - before).abs() < 1e-12 * before.abs(), "{before} {after}");
    assert!(pressing.potential(&bent.system, &moved, 0.0) != 0.0);
    let volume = |x: &[Vec3]| {
        bent.system
            .loads
            .pressures
            .iter()
            .map(|load| Push::Uniform(1.0).energy(&load.face.map(|n| x[n as usize]), &Vec3::zeros()))
            .sum::<f64>()
    };
    let swept = 1300.0 * (volume(&bent.x) - SIZE.iter().product::<f64>());
    assert!((pressing.potential(&bent.system, &bent.x, 0.0) - swept).abs() < 1e-12 * 1300.0);
}

/// Archimedes: a box under water is pushed up by the weight of the water in its place.
#[test]
fn water_carries_its_own_weight() {
    let up = Vec3::new(0.2, 1.0, -0.3).normalize();
    for (level, wet) in [(9.0, 1.0), (-9.0, 0.0)] {
        let bent = bent(Push::Water(Water { up, level, weight: 9810.0 }), |_| false, everywhere, 2);
        let volume: f64 = bent
            .system
            .loads
            .pressures
            .iter()
            .map(|load| Push::Uniform(1.0).energy(&load.face.map(|n| bent.x[n as usize]), &Vec3::zeros()))
            .sum();
        let total: Vec3 = bent.forces(&bent.x).iter().sum();
        assert!((total - wet * 9810.0 * volume * up).norm() < 1e-9, "{total}");
    }
}
