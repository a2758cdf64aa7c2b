//! The element contract for groups of six, eight and eleven particles, and the tetrahedron that a group of four is.
#![allow(clippy::unwrap_used)]

use std::array::from_fn;
use std::sync::Arc;

use super::forces::coordinates;
use super::*;
use crate::element::contract::{Scale, check, check_rest_fit, weight_is_the_stiffness_at_rest};
use crate::element::{Element, Family, FamilyKind, ForceSubspace, Mobility, Potential, Projecting, Projection, RestFit, Row, Tet};
use crate::linear::Couplings;
use crate::material::{MATERIALS, law};
use crate::math::random::Random;
use crate::math::svd;

/// A group whose number of particles is part of its type.
#[derive(Debug, Clone)]
struct Fixed<const N: usize>(Group);

fn with_corners<const N: usize, T>(x: &[Vec3; N], what: impl FnOnce(&Corners) -> T) -> T {
    let nodes: [u32; N] = from_fn(|i| i as u32);
    what(&Corners::new(x, &nodes))
}

static KIND: FamilyKind = FamilyKind { name: "fixed groups", rest_numbers: 0, fields: &[] };

impl<const N: usize, const K: usize> Element<N, K> for Fixed<N> {
    fn kind() -> &'static FamilyKind {
        &KIND
    }
    fn energy(&self, x: &[Vec3; N]) -> f64 {
        with_corners(x, |x| self.0.energy(x))
    }
    fn gradient(&self, x: &[Vec3; N]) -> [Vec3; N] {
        let mut out = [Vec3::zeros(); N];
        with_corners(x, |x| self.0.gradient(x, &mut out));
        out
    }
    fn hessian(&self, x: &[Vec3; N], projected: bool) -> [[Mat3; N]; N] {
        let mut out = [[Mat3::zeros(); N]; N];
        with_corners(x, |x| self.0.hessian(x, projected, out.as_flattened_mut()));
        out
    }
    fn force_basis(&self, x: &[Vec3; N]) -> [[Vec3; N]; K] {
        from_fn(|k| {
            let mut out = [Vec3::zeros(); N];
            let unit: [f64; K] = from_fn(|other| f64::from(u8::from(other == k)));
            with_corners(x, |x| self.0.forces_of(x, &unit, &mut out));
            out
        })
    }
    fn inverse_weight(&self, x: &[Vec3; N]) -> [[f64; K]; K] {
        let shape = with_corners(x, |x| Shape::of(&self.0, x).map(|shape| (shape.quality_squared, shape.volume))).unwrap();
        let of_stress = crate::element::tet::isotropic_weight(&self.0.material.lame(), shape.0 / shape.1);
        from_fn(|row| {
            from_fn(|column| match (row.min(column) < 6, row == column) {
                (true, _) if row.max(column) < 6 => of_stress[row][column],
                (false, true) => self.0.stabiliser * self.0.masses[(row - 6) / 3],
                _ => 0.0,
            })
        })
    }
    fn force_coordinates(&self, x: &[Vec3; N]) -> [f64; K] {
        let mut s = [0.0; K];
        with_corners(x, |x| self.0.force_coordinates(x, &mut s));
        s
    }
    fn with_rest_for(&self, x: &[Vec3; N], s: &[f64; K]) -> Result<Self, Unattainable> {
        let mut fitted = self.clone();
        with_corners(x, |x| fitted.0.fit(x, s)).map(|()| fitted)
    }
    fn at_rest(&self, x: &[Vec3; N]) -> Result<Self, Unattainable> {
        let mut rested = self.clone();
        with_corners(x, |x| rested.0.reset(x)).map(|()| rested)
    }
    fn damping(&self) -> f64 {
        self.0.damping
    }
    fn set_damping(&mut self, damping: f64) {
        self.0.damping = damping;
    }
    fn bulk(&self, x: &[Vec3; N]) -> f64 {
        with_corners(x, |x| Shape::of(&self.0, x).unwrap().volume)
    }
    fn stiffening(&self) -> f64 {
        self.0.stiffening
    }
    fn stiffened(&self, factor: f64) -> Self {
        Self(Group { stiffening: factor, ..self.0.clone() })
    }
    fn fields(&self, _: &[Vec3; N], _: &mut [f64]) {}
    fn rest_numbers(&self, _: &mut [f64]) {}
    fn set_rest_numbers(&mut self, _: &[f64]) {}
    fn max_step(&self, x: &[Vec3; N], dx: &[Vec3; N]) -> f64 {
        with_corners(x, |x| with_corners(dx, |dx| self.0.max_step(x, dx)))
    }
}

const YOUNG: f64 = 1e4;

/// A cube's corners and then whatever, somewhere, turned anyhow.
fn some_places<const N: usize>(random: &mut Random, length: f64) -> [Vec3; N] {
    let (rotation, centre) = (random.rotation(), random.vector(-1.0, 1.0));
    from_fn(|i| {
        let corner = Vec3::new(f64::from(i as u32 & 1), f64::from(i as u32 >> 1 & 1), f64::from(i as u32 >> 2 & 1));
        let place = if i < 8 { corner } else { random.vector(0.0, 1.0) };
        centre + length * (rotation * (place + random.vector(-0.2, 0.2)))
    })
}

fn some_masses<const N: usize>(random: &mut Random) -> [f64; N] {
    from_fn(|_| random.uniform(0.5, 2.0))
}

fn group<const N: usize>(material: Arc<dyn Material>, volume: f64, masses: &[f64; N], x: &[Vec3; N]) -> Group {
    with_corners(x, |x| Group::new(material, volume, masses, x)).unwrap()
}

fn contract<const N: usize, const K: usize>(random: &mut Random) {
    assert_eq!(K, coordinates(N));
    let mut compared = 0;
    for law in MATERIALS {
        for trial in 0..12 {
            let material = (law.build)(YOUNG, 0.3);
            let length = [1.0, 0.01][trial % 2];
            let (rest, masses) = (some_places::<N>(random, length), some_masses(random));
            let mut fixed = Fixed(group(material.clone(), 0.7 * length.powi(3), &masses, &rest));
            // Rest itself, and more and more that is not affine.
            let spread = [0.0, 1e-6, 0.02, 0.05][trial % 4];
            let gradient = Mat3::identity() + random.matrix(-spread, spread);
            let f = if law.name == "linear" { svd(&gradient).s } else { Vec3::zeros() };
            let f = if law.name == "linear" { Mat3::from_diagonal(&f) } else { random.rotation() * gradient };
            // Without rotations of the law's own.
            let bent = if law.name == "linear" { 0.0 } else { 0.3 * spread * length };
            let x = rest.map(|p| f * p + random.vector(-bent, bent));
            with_corners(&x, |x| fixed.0.lag(x));
            let stiffness = 10.0 * YOUNG * length;
            let (scale, what) = (Scale { length, stiffness }, format!("{} {N} {trial}", law.name));
            check::<_, N, K>(&fixed, &x, &scale, &what);
            if law.name != "linear" {
                compared += usize::from(check_rest_fit::<_, N, K>(&fixed, &x, &scale, &what).is_ok());
            }
        }
    }
    assert!(compared > 60, "{compared} rest states were fitted");
}

#[test]
fn the_element_contract_holds_for_groups_of_any_width() {
    let mut random = Random::new(41);
    contract::<6, 24>(&mut random);
    contract::<8, 30>(&mut random);
    contract::<11, 39>(&mut random);
}

/// Whose Hessian at rest, but for the quality that weights are scaled by, is what the global stage solves with.
#[test]
fn weights_are_the_stiffness_at_rest() {
    let mut random = Random::new(5);
    // As deep in all directions, so that the quality is 1.
    let cube: [Vec3; 8] = from_fn(|i| Vec3::new(f64::from(i as u32 & 1), f64::from(i as u32 >> 1 & 1), f64::from(i as u32 >> 2 & 1)));
    let turn = random.rotation();
    let cube = cube.map(|p| 0.1 * (turn * p));
    let fixed = Fixed(group((law("stvk").unwrap().build)(YOUNG, 0.3), 1e-3, &[0.125; 8], &cube));
    weight_is_the_stiffness_at_rest::<_, 8, 30>(&fixed, &cube, &Scale { length: 0.1, stiffness: YOUNG * 0.1 });
}

/// Of four particles F is exact, whatever their masses: energy, force, curvature, forces that it can make and rest state are those of the
/// tetrahedron.
#[test]
fn of_four_particles_it_is_the_tetrahedron() {
    let mut random = Random::new(6);
    for entry in MATERIALS.iter().filter(|entry| entry.name != "linear") {
        let material = (entry.build)(YOUNG, 0.3);
        let corners = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
        let rest = corners.map(|p| 0.3 * (p + random.vector(-0.2, 0.2)));
        let x = rest.map(|p| p + random.vector(-0.02, 0.02));
        let mut tet = Tet::new(material.clone(), &rest).unwrap();
        let masses = some_masses(&mut random);
        let mut group = group(material.clone(), tet.rest_volume, &masses, &rest);
        tet.lag(&x);
        with_corners(&x, |x| group.lag(x));
        let fixed = Fixed::<4>(group);
        let near = |a: f64, b: f64, size: f64, what: &str| assert!((a - b).abs() <= 1e-12 * size, "{} {what}: {a} {b}", entry.name);
        let of = |element: &dyn Fn(&[Vec3; 4]) -> f64, other: &dyn Fn(&[Vec3; 4]) -> f64| (element(&x), other(&x));
        let (a, b) = of(&|x| tet.energy(x), &|x| Element::<4, 18>::energy(&fixed, x));
        near(a, b, a, "energy");
        let (size, stiffness) = (YOUNG * 0.09, YOUNG * 0.3);
        let compare = |tet: &Tet, fixed: &Fixed<4>, what: &str| {
            for (a, b) in tet.gradient(&x).iter().zip(Element::<4, 18>::gradient(fixed, &x)) {
                near((a - b).amax(), 0.0, size, &format!("{what} gradient"));
            }
            let (a, b) = (tet.hessian(&x, true), Element::<4, 18>::hessian(fixed, &x, true));
            for (a, b) in a.as_flattened().iter().zip(b.as_flattened()) {
                near((a - b).amax(), 0.0, 10.0 * stiffness, &format!("{what} hessian"));
            }
            near(tet.rest_volume, fixed.0.rest.volume, tet.rest_volume, what);
        };
        compare(&tet, &fixed, "deformed");
        let s = tet.force_coordinates(&x);
        let mut all = [0.0; 18];
        all[..6].copy_from_slice(&s);
        let found = Element::<4, 18>::force_coordinates(&fixed, &x);
        (0..6).for_each(|k| near(s[k], found[k], YOUNG, "stress"));
        for (a, b) in tet.force_basis(&x).iter().zip(Element::<4, 18>::force_basis(&fixed, &x)) {
            a.iter().zip(&b).for_each(|(a, b)| near((a - b).amax(), 0.0, 0.09, "basis"));
        }
        compare(&tet.at_rest(&x).unwrap(), &Element::<4, 18>::at_rest(&fixed, &x).unwrap(), "naive");
        if let (Ok(tet), Ok(fixed)) = (tet.with_rest_for(&x, &s), fixed.with_rest_for(&x, &all)) {
            compare(&tet, &fixed, "fitted");
        }
        let equal = with_corners(&rest, |x| Group::new(material.clone(), tet.rest_volume, &[0.25; 4], x)).unwrap();
        let (a, b) = (tet.inverse_weight(&x), Element::<4, 18>::inverse_weight(&Fixed::<4>(equal), &x));
        (0..6).for_each(|k| (0..6).for_each(|l| near(a[k][l], b[k][l], a[0][0], "weight")));
    }
}

/// Affine maps are recovered whatever the places and masses, and hold no energy beside that of their stretches.
#[test]
fn affine_maps_are_recovered() {
    let mut random = Random::new(7);
    for _ in 0..50 {
        let (rest, masses) = (some_places::<9>(&mut random, 0.2), some_masses(&mut random));
        let mut group = group((law("stable_neo_hookean").unwrap().build)(YOUNG, 0.4), 0.008, &masses, &rest);
        let map = random.rotation() * (Mat3::identity() + random.matrix(-0.5, 0.5));
        let x = rest.map(|p| map * p + Vec3::new(3.0, -2.0, 1.0));
        with_corners(&x, |x| {
            let found = group.displacement_gradient(x) + Mat3::identity();
            assert!((found - map).amax() < 1e-12, "{found} {map}");
            let mut largest: f64 = 0.0;
            group.offsets(x, &(map - Mat3::identity()), |_, d| largest = largest.max(d.norm()));
            assert!(largest < 1e-13, "{largest}");
            // In the given shape, to the last bit.
            group.given_at(x);
            let before = group.displacement_gradient(x);
            assert_eq!(before, group.rest.given_gradient);
        });
    }
}

/// A few groups that share nodes, of two widths.
fn network(random: &mut Random) -> (Vec<Vec3>, Groups) {
    let x: Vec<Vec3> = (0..30).map(|_| random.vector(0.0, 1.0)).collect();
    let material = (law("stable_neo_hookean").unwrap().build)(YOUNG, 0.3);
    let nodes: Vec<u32> = (0..40 * 7).map(|k| ((k / 7 * 11 + k % 7 * 3) % 30) as u32).collect();
    let make = |nodes: &[u32]| Group::new(material.clone(), 0.1, &[1.0, 2.0, 1.0, 0.5, 1.0, 1.0, 3.0], &Corners::new(&x, nodes)).unwrap();
    let groups = nodes.chunks(7).map(make).collect();
    (x.clone(), Groups::new(7, groups, nodes))
}

/// The family: blocks and coordinates of the dual are those of one basis, for one factor on the weights, and forces are what they say.
#[test]
fn the_dual_of_a_family_is_one_operator() {
    let mut random = Random::new(8);
    let (x, mut family) = network(&mut random);
    family.set_weights((0..family.len()).map(|e| 1.0 + e as f64 % 3.0).collect());
    let y: Vec<Vec3> = x.iter().map(|_| random.vector(-0.1, 0.1)).collect();
    let mut s = vec![0.0; family.len() * family.coordinates_per_element()];
    family.coordinates_from_dual(&x, &y, &mut s);
    let mut forces = vec![Vec3::zeros(); x.len()];
    family.add_forces(&x, &s, &mut forces);
    let blocks = family.compliance_blocks(&x);
    let mut expected = vec![Vec3::zeros(); x.len()];
    for e in 0..family.len() {
        let nodes = family.nodes(e);
        for (i, &n) in nodes.iter().enumerate() {
            for (j, &other) in nodes.iter().enumerate() {
                expected[n as usize] += blocks[e * 49 + i * 7 + j] * y[other as usize];
            }
        }
    }
    let size = expected.iter().map(Vec3::amax).fold(0.0, f64::max);
    for (found, expected) in forces.iter().zip(&expected) {
        assert!((found - expected).amax() < 1e-12 * size, "{found} {expected}");
    }
    // y^T B W^-1 B^T y = s^T W s, of weights of their own.
    family.set_weights(Vec::new());
    family.coordinates_from_dual(&x, &y, &mut s);
    let mut forces = vec![Vec3::zeros(); x.len()];
    family.add_forces(&x, &s, &mut forces);
    let work: f64 = forces.iter().zip(&y).map(|(f, y)| f.dot(y)).sum();
    let squares: f64 = family.weighed_squares(&x, &s).iter().sum();
    assert!((work - squares).abs() < 1e-12 * work, "{work} {squares}");
}

/// Fitted to a stress and forces that are not affine, and back through numbers, with the same forces; 1e-14 of the largest.
#[test]
fn rest_states_make_the_forces_and_come_back_from_numbers() {
    let mut random = Random::new(9);
    let (x, mut family) = network(&mut random);
    let s: Vec<f64> = (0..family.len() * family.coordinates_per_element()).map(|_| random.uniform(-100.0, 100.0)).collect();
    let s: Vec<f64> = s.iter().enumerate().map(|(k, s)| if k % 27 < 6 { *s } else { 0.05 * s }).collect();
    let failed = family.fit_rest(&x, &s, 1.0);
    assert!(failed.is_empty(), "{failed:?}");
    let mut expected = vec![Vec3::zeros(); x.len()];
    family.add_forces(&x, &s, &mut expected);
    let (mut found, mut size) = (vec![Vec3::zeros(); x.len()], 0.0f64);
    family.add_gradient(&x, &mut found);
    for (found, expected) in found.iter().zip(&expected) {
        size = size.max(expected.amax());
        assert!((found + expected).amax() < 1e-14 * 300.0, "{found} {expected}");
    }
    assert!(size > 10.0);
    let numbers = family.rest_numbers();
    let mut other = family.clone();
    other.reset_rest(&x);
    assert!(other.energy(&x) == 0.0);
    other.set_rest_numbers(&numbers);
    let moved: Vec<Vec3> = x.iter().map(|p| p + random.vector(-0.05, 0.05)).collect();
    assert_eq!((other.energy(&x), other.energy(&moved)), (family.energy(&x), family.energy(&moved)));
}

#[test]
fn particles_in_a_plane_or_too_few_are_no_group() {
    let material = (law("stvk").unwrap().build)(YOUNG, 0.3);
    let make = |x: &[Vec3], masses: &[f64]| {
        let nodes: Vec<u32> = (0..x.len() as u32).collect();
        Group::new(material.clone(), 1.0, masses, &Corners::new(x, &nodes)).map(|_| ())
    };
    let flat: Vec<Vec3> = (0..6).map(|i| Vec3::new(f64::from(i), f64::from(i * i), 0.0)).collect();
    assert_eq!(make(&flat, &[1.0; 6]), Err(Unattainable::Degenerate));
    let deep = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z()];
    assert_eq!(make(&deep, &[1.0; 4]), Ok(()));
    assert_eq!(make(&deep[..3], &[1.0; 3]), Err(Unattainable::Degenerate));
    for bad in [0.0, f64::NAN, -1.0] {
        assert_eq!(make(&deep, &[1.0, 1.0, 1.0, bad]), Err(Unattainable::Degenerate));
    }
    assert_eq!(make(&[Vec3::repeat(f64::NAN); 4], &[1.0; 4]), Err(Unattainable::Degenerate));
}

/// What position-based steppers see: the squares of the law are its energy, their multipliers make its force, gradients are those of C.
#[test]
fn the_constraints_of_a_group_are_its_law() {
    let mut random = Random::new(12);
    for name in ["stable_neo_hookean", "stvk", "arap"] {
        let (rest, masses) = (some_places::<9>(&mut random, 1.0), some_masses(&mut random));
        let x = rest.map(|p| p + random.vector(-0.1, 0.1)).to_vec();
        let law = (law(name).unwrap().build)(YOUNG, 0.3);
        let group = group(law, 0.7, &masses, &rest);
        let mut softened = group.clone();
        softened.stabiliser = 0.0;
        let families = [Groups::new(9, vec![group], (0..9).collect()), Groups::new(9, vec![softened], (0..9).collect())];
        let [family, plain] = &families;
        let (mut energy, mut force) = (0.0, vec![Vec3::zeros(); 9]);
        for k in (0..family.constraints_per_element()).filter(|&k| family.compliance(0, k).is_finite()) {
            let mut gradients = vec![Vec3::zeros(); 9];
            let (value, alpha) = (family.constraint(0, k, &x, &mut gradients), family.compliance(0, k));
            energy += 0.5 * value * value / alpha;
            force.iter_mut().zip(&gradients).for_each(|(force, by)| *force += value / alpha * by);
            for n in 0..9 {
                let at = |step: f64, axis: usize| {
                    let mut moved = x.clone();
                    moved[n][axis] += step;
                    family.constraint(0, k, &moved, &mut [Vec3::zeros(); 9])
                };
                let slope = Vec3::from_fn(|axis, _| (at(1e-6, axis) - at(-1e-6, axis)) / 2e-6);
                assert!((slope - gradients[n]).amax() < 1e-8, "{name} {k}: {slope} {}", gradients[n]);
            }
        }
        let mut expected = vec![Vec3::zeros(); 9];
        plain.add_gradient(&x, &mut expected);
        assert!((energy - plain.energy(&x)).abs() < 1e-12 * energy, "{name}: {energy} {}", plain.energy(&x));
        force.iter().zip(&expected).for_each(|(a, b)| assert!((a - b).amax() < 1e-9, "{name}: {a} {b}"));
    }
}

/// The filter leaves F and momentum, linear and angular, takes all away that is not affine, and never moves what is held. Of four particles
/// there is nothing to take.
#[test]
fn the_filter_leaves_the_affine_map_and_momentum() {
    let mut random = Random::new(13);
    let (rest, masses) = (some_places::<9>(&mut random, 1.0), some_masses(&mut random));
    let group = group((law("stvk").unwrap().build)(YOUNG, 0.3), 0.7, &masses, &rest);
    let mut family = Groups::new(9, vec![group], (0..9).collect());
    let s: Vec<f64> = (0..33).map(|k| if k < 6 { random.uniform(-500.0, 500.0) } else { random.uniform(-20.0, 20.0) }).collect();
    assert!(family.fit_rest(&rest, &s, 1.0).is_empty());
    let mobility =
        |held: usize| Mobility { inverse: (0..9).map(|n| if n < held { 0.0 } else { 1.0 / masses[n] }).collect(), allowed: Vec::new() };
    let settle = |held: usize, share: Option<f64>, x: &mut [Vec3]| {
        let mobility = mobility(held);
        family.settle(0, &Projecting { mobility: &mobility, start: &[], part: 0.01, share, sweeps: 2, at_once: false }, x);
    };
    // In the given shape nothing moves.
    let mut x = rest.to_vec();
    settle(0, Some(1.0), &mut x);
    x.iter().zip(&rest).for_each(|(a, b)| assert!((a - b).amax() < 1e-14, "{a} {b}"));
    let before: Vec<Vec3> = rest.iter().map(|p| p + random.vector(-0.1, 0.1)).collect();
    let mut x = before.clone();
    settle(0, Some(1.0), &mut x);
    let nodes: Vec<u32> = (0..9).collect();
    let gradient = |x: &[Vec3]| family.elements[0].displacement_gradient(&Corners::new(x, &nodes));
    assert!((gradient(&x) - gradient(&before)).amax() < 1e-13);
    let sum = |of: &dyn Fn(usize) -> Vec3| (0..9).map(|n| masses[n] * of(n)).sum::<Vec3>();
    assert!(sum(&|n| x[n] - before[n]).amax() < 1e-13);
    // The moves are orthogonal to affine ones about the rest places; turned about those that F makes of them.
    assert!(sum(&|n| x[n].cross(&(x[n] - before[n]))).amax() < 1e-13);
    let mut again = x.clone();
    settle(0, Some(1.0), &mut again);
    again.iter().zip(&x).for_each(|(a, b)| assert!((a - b).amax() < 1e-14));
    let mut held = before.clone();
    settle(2, Some(1.0), &mut held);
    assert!(held[..2] == before[..2] && held[2] == x[2]);
    // By stiffness it takes the share of an implicit step, in as many goes as there are projections: six squares in each sweep.
    let mut soft = before.clone();
    (0..12).for_each(|_| settle(0, None, &mut soft));
    let stiff = 0.01f64.powi(2) * family.elements[0].stabiliser;
    for ((soft, from), to) in soft.iter().zip(&before).zip(&x) {
        assert!((soft - (from + stiff / (1.0 + stiff) * (to - from))).amax() < 1e-13, "{soft} {from} {to}");
    }
    // With the multipliers of the balance, what is beside the constraints makes the whole force; elsewhere with what the filter takes away, too.
    let force_at = |x: &[Vec3]| {
        let mut force = vec![Vec3::zeros(); 9];
        for k in (0..family.constraints_per_element()).filter(|&k| family.compliance(0, k).is_finite()) {
            let mut gradients = vec![Vec3::zeros(); 9];
            let carried = -family.constraint(0, k, x, &mut gradients) / family.compliance(0, k);
            force.iter_mut().zip(&gradients).for_each(|(force, by)| *force += carried * by);
        }
        family.add_beside(0, x, &mut |n, beside| force[n as usize] += beside);
        force
    };
    let mut expected = vec![Vec3::zeros(); 9];
    family.add_forces(&rest, &s, &mut expected);
    force_at(&rest).iter().zip(&expected).for_each(|(a, b)| assert!((a - b).amax() < 1e-10, "{a} {b}"));
    let mut gradient = vec![Vec3::zeros(); 9];
    family.add_gradient(&before, &mut gradient);
    let kappa = family.elements[0].stabiliser;
    for (n, force) in force_at(&before).into_iter().enumerate() {
        let whole = force + kappa * masses[n] * (x[n] - before[n]);
        assert!((whole + gradient[n]).amax() < 1e-9 * gradient[n].amax(), "{whole} {}", gradient[n]);
    }
}

/// Followed through F, the constraints of a group change multipliers and move particles as when each sees what those before it did: free and
/// held ones, damped, with multipliers from before, stiff and soft ones, and by shares. Threads share what `changes` and `apply` do.
#[test]
fn constraints_of_a_group_are_projected_together_as_one_by_one() {
    let mut random = Random::new(14);
    for (name, held) in [("stable_neo_hookean", 0), ("stvk", 0), ("arap", 0), ("stvk", 2)] {
        let (rest, masses) = (some_places::<9>(&mut random, 1.0), some_masses(&mut random));
        let group = group((law(name).unwrap().build)(YOUNG, 0.3), 0.7, &masses, &rest);
        // The second has five nodes of the first.
        let nodes: Vec<u32> = (0..9).chain(4..13).collect();
        let family = Groups::new(9, vec![group.clone(), group], nodes);
        let mut at = rest.to_vec();
        at.extend(rest[5..].iter().map(|p| p + random.vector(-0.3, 0.3)));
        let start: Vec<Vec3> = at.iter().map(|p| p + random.vector(-0.1, 0.1)).collect();
        let slide = Mat3::from_diagonal(&Vec3::new(1.0, 0.0, 1.0));
        let mobility = Mobility {
            inverse: (0..13).map(|n| if n < held { 0.0 } else { random.uniform(0.5, 2.0) }).collect(),
            allowed: (0..13).map(|n| (held > 0 && n == 5).then_some(slide)).collect(),
        };
        let mut rows: Vec<Row> = Vec::new();
        for (e, k) in (0..2).flat_map(|e| (0..family.constraints_per_element()).map(move |k| (e, k))) {
            let (compliance, multiplier) = (family.compliance(e, k), random.uniform(-1e-3, 1e-3));
            rows.push(Row { element: e as u32, which: k as u32, compliance, damping: 0.002, multiplier, ..Row::default() });
        }
        rows.retain(|row| row.compliance.is_finite());
        for (part, share) in [(0.01, None), (1.0, None), (0.01, Some(0.3))] {
            let by = Projecting { mobility: &mobility, start: &start, part, share, sweeps: 2, at_once: false };
            let alone = Projecting { at_once: true, ..by };
            let (mut x, mut one_by_one, mut room) = (at.clone(), rows.clone(), vec![Vec3::zeros(); 9]);
            for row in one_by_one.chunk_by_mut(|a, b| a.element == b.element).flat_map(|rows| rows.chunks_mut(1).rev()) {
                let mut change = [0.0];
                family.changes(row, &alone, &mut change, &mut room, &x);
                family.apply(row, &alone, &change, &room, &mut x);
            }
            assert!((0..held).all(|n| x[n] == at[n]) && x.iter().zip(&at).any(|(x, at)| (x - at).norm() > 1e-3));
            let (mut y, mut together) = (at.clone(), rows.clone());
            family.project(&mut together, &by, &mut room, &mut y);
            x.iter().zip(&y).for_each(|(x, y)| assert!((x - y).norm() < 1e-12, "{name}, {held} held, {part}: {x} {y}"));
            let scale = one_by_one.iter().map(|row| row.multiplier.abs()).fold(0.0, f64::max);
            for (a, b) in one_by_one.iter().zip(&together) {
                assert!((a.multiplier - b.multiplier).abs() < 1e-11 * scale, "{name}: {} {}", a.multiplier, b.multiplier);
            }
            let (mut z, mut shared) = (at.clone(), rows.clone());
            for rows in shared.chunk_by_mut(|a, b| a.element == b.element) {
                let (mut changes, mut moves) = (vec![0.0; rows.len()], vec![Vec3::zeros(); 9 * rows.len()]);
                family.changes(rows, &by, &mut changes, &mut moves, &z);
                family.apply(rows, &by, &changes, &moves, &mut z);
            }
            assert!(z == y && shared.iter().zip(&together).all(|(a, b)| a.multiplier == b.multiplier), "not to the bit");
        }
    }
}
