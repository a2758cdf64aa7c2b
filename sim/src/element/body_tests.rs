//! Bodies of tetrahedra for every law: patch test, mass, rigid motion, conservation, and what a step freezes.

#![allow(clippy::unwrap_used)]

use super::{Batch, Element, Family, Potential, Tet};
use crate::linear::Couplings;
use crate::material::{Frame, MATERIALS, MaterialLaw};
use crate::math::random::Random;
use crate::math::{Mat3, Vec3, largest_norm, rotation};
use crate::mesh::TetMesh;
use crate::mesh::structured::{CubeCut, box_mesh};

const YOUNG: f64 = 1e4;
const CELL: f64 = 0.1;

/// A block of 3 x 3 x 3 cubes whose inner nodes are moved off the grid; which nodes are inside.
fn jittered_block(law: &MaterialLaw) -> (Vec<Vec3>, Vec<bool>, Batch<Tet, 4, 6>) {
    let mut random = Random::new(24);
    let edge = 3.0 * CELL;
    let (mut positions, tets) = box_mesh(Vec3::repeat(edge), [3; 3], CubeCut::Five);
    let inner = |p: &Vec3| p.iter().all(|x| *x > 0.5 * CELL && *x < edge - 0.5 * CELL);
    let inside: Vec<bool> = positions.iter().map(inner).collect();
    for (p, _) in positions.iter_mut().zip(&inside).filter(|(_, inside)| **inside) {
        *p += random.vector(-0.2, 0.2) * CELL;
    }
    let materials = vec![(law.build)(YOUNG, 0.3); tets.len()];
    let batch = Batch::at_rest(&positions, &tets, &materials).unwrap();
    (positions, inside, batch)
}

fn gradient(batch: &Batch<Tet, 4, 6>, x: &[Vec3]) -> Vec<Vec3> {
    let mut gradient = vec![Vec3::zeros(); x.len()];
    batch.add_gradient(x, &mut gradient);
    gradient
}

/// Whether a law's forces turn with the body once `lag` was told of it.
fn turns(law: &MaterialLaw) -> bool {
    (law.build)(YOUNG, 0.3).frame() != Frame::Fixed
}

/// A boundary moved affinely keeps the inside in balance where the same affine map puts it.
#[test]
fn patch_test() {
    let affine = rotation([30.0, -50.0, 10.0]) * Mat3::new(1.15, 0.1, 0.0, -0.05, 0.9, 0.1, 0.05, 0.0, 1.05);
    for law in MATERIALS {
        let (positions, inside, mut batch) = jittered_block(law);
        let x: Vec<Vec3> = positions.iter().map(|p| affine * p + Vec3::new(1.0, 2.0, -1.0)).collect();
        batch.lag(&x);
        let gradient = gradient(&batch, &x);
        let of = |which: bool| {
            let chosen: Vec<Vec3> = gradient.iter().zip(&inside).filter(|(_, inside)| **inside == which).map(|(g, _)| *g).collect();
            largest_norm(&chosen)
        };
        assert!(of(true) < 1e-12 * of(false) && of(false) > 0.0, "{}: {} {}", law.name, of(true), of(false));
    }
}

/// Lumped masses sum to density times volume, whatever the inner nodes.
#[test]
fn masses_sum_to_density_times_volume() {
    let (positions, _, batch) = jittered_block(&MATERIALS[0]);
    let mesh = TetMesh { positions, tets: batch.connectivity().to_vec(), ..TetMesh::default() };
    let masses = mesh.lumped_masses(&vec![1050.0; mesh.tets.len()]);
    let expected = 1050.0 * (3.0 * CELL).powi(3);
    assert!((masses.iter().sum::<f64>() / expected - 1.0).abs() < 1e-13);
    assert!(masses.iter().all(|m| *m > 0.0));
    let rest: f64 = batch.elements.iter().map(|tet| tet.rest_volume).sum();
    assert!((rest * 1050.0 / expected - 1.0).abs() < 1e-13);
}

#[test]
fn rigid_motion_makes_no_force() {
    let mut random = Random::new(25);
    for law in MATERIALS.iter().filter(|law| turns(law)) {
        let (positions, _, mut batch) = jittered_block(law);
        let (turn, shift) = (random.rotation(), random.vector(-1.0, 1.0));
        let x: Vec<Vec3> = positions.iter().map(|p| turn * p + shift).collect();
        batch.lag(&x);
        let force = largest_norm(&gradient(&batch, &x));
        // Round-off of positions of size 1, by stiffness.
        assert!(force < 1e-14 * YOUNG * CELL, "{}: {force:e}", law.name);
        assert!(batch.energy(&x).abs() < 1e-28 * YOUNG, "{}", law.name);
    }
}

/// Elastic forces have no net force and no net torque: without loads momentum and angular momentum stay.
#[test]
fn forces_keep_momentum_and_angular_momentum() {
    let mut random = Random::new(26);
    for law in MATERIALS {
        let (positions, _, mut batch) = jittered_block(law);
        let turn = random.rotation();
        let x: Vec<Vec3> = positions.iter().map(|p| turn * (p + random.vector(-0.1, 0.1) * CELL)).collect();
        batch.lag(&x);
        let gradient = gradient(&batch, &x);
        let size: f64 = gradient.iter().map(Vec3::norm).sum();
        let force: Vec3 = gradient.iter().sum();
        let torque: Vec3 = gradient.iter().zip(&x).map(|(g, p)| p.cross(g)).sum();
        assert!(force.norm() < 1e-14 * size, "{}: {force}", law.name);
        assert_eq!(torque.norm() < 1e-14 * size, turns(law), "{}: {torque}", law.name);
    }
}

/// During a step the energy of the laws with a frozen rotation is quadratic: one Hessian. The next step has another.
#[test]
fn laws_with_a_frozen_rotation_have_one_hessian_a_step() {
    let mut random = Random::new(27);
    for law in MATERIALS {
        let frame = (law.build)(YOUNG, 0.3).frame();
        let (positions, _, batch) = jittered_block(law);
        let mut tet = batch.elements[7].clone();
        let start = batch.nodes(7).iter().map(|&n| positions[n as usize]).collect::<Vec<_>>();
        let start = [0, 1, 2, 3].map(|k| start[k]);
        let turned = start.map(|p| rotation([40.0, 0.0, 0.0]) * p);
        tet.lag(&start);
        let mut moved = || start.map(|p| p + random.vector(-0.2, 0.2) * CELL);
        let hessian =
            |tet: &Tet, x: &[Vec3; 4]| nalgebra::DMatrix::from_fn(12, 12, |r, c| tet.hessian(x, true)[r / 3][c / 3][(r % 3, c % 3)]);
        let first = hessian(&tet, &start);
        let same = |other: &nalgebra::DMatrix<f64>| (&first - other).amax() < 1e-13 * first.amax();
        assert_eq!((0..5).all(|_| same(&hessian(&tet, &moved()))), frame != Frame::Current, "{}", law.name);
        tet.lag(&turned);
        assert_eq!(same(&hessian(&tet, &turned)), frame == Frame::Fixed, "{}", law.name);
    }
}

/// A step that lags where it starts sees the stretches of the corotated law there.
#[test]
fn the_family_lags_every_tetrahedron() {
    let of = |name: &str| MATERIALS.iter().find(|law| law.name == name).unwrap();
    let mut random = Random::new(28);
    let (positions, _, mut lagged) = jittered_block(of("lagged_corotated"));
    let (_, _, corotated) = jittered_block(of("corotated"));
    let turn = random.rotation();
    let x: Vec<Vec3> = positions.iter().map(|p| turn * (p + random.vector(-0.1, 0.1) * CELL)).collect();
    let mut family: Box<dyn Family> = Box::new(lagged.clone());
    family.lag(&x);
    assert!((family.energy(&x) / corotated.energy(&x) - 1.0).abs() < 1e-12);
    assert!(lagged.energy(&x) > 10.0 * corotated.energy(&x));
    // A rest state brought back begins unturned.
    lagged.lag(&x);
    lagged.set_rest_numbers(&corotated.rest_numbers());
    assert!(lagged.energy(&positions) < 1e-20 * YOUNG);
}

/// The size that a node's force is made of is the sum of the largest forces of the elements around it: what its round-off goes by.
#[test]
fn sizes_of_forces_are_those_of_the_elements() {
    let mut random = Random::new(26);
    let law = MATERIALS.iter().find(|law| law.name == "neo_hookean").unwrap();
    let (positions, _, batch) = jittered_block(law);
    assert!(!batch.is_empty());
    let x: Vec<Vec3> = positions.iter().map(|p| p + random.vector(-0.05, 0.05) * CELL).collect();
    let (mut sizes, mut expected) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    batch.add_gradient_and_sizes(&x, &mut vec![Vec3::zeros(); x.len()], &mut sizes);
    for e in 0..batch.len() {
        let nodes = batch.nodes(e);
        let tet = std::array::from_fn(|k| positions[nodes[k] as usize]);
        let of_element = Tet::new((law.build)(YOUNG, 0.3), &tet).unwrap().gradient(&std::array::from_fn(|k| x[nodes[k] as usize]));
        let largest = of_element.iter().map(Vec3::norm).fold(0.0, f64::max);
        nodes.iter().for_each(|&n| expected[n as usize] += largest);
    }
    let forces = gradient(&batch, &x);
    for n in 0..x.len() {
        assert!((sizes[n] / expected[n] - 1.0).abs() < 1e-9 && forces[n].norm() <= sizes[n] * (1.0 + 1e-12), "{n}");
    }
}
