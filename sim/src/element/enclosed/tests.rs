//! The element contract of what fills an octahedron, and closed forms.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::element::contract::{Scale, check, check_authored_rest, check_constraint, check_rest_fit, weight_is_the_stiffness_at_rest};
use crate::element::{Constraint, Element, FamilyKind};
use crate::math::random::Random;

const N: usize = 6;
static NODES: [u32; N] = [0, 1, 2, 3, 4, 5];

fn corners(x: &[Vec3; N]) -> Corners<'_> {
    Corners::new(x, &NODES)
}

/// A filling whose number of vertices is part of its type.
#[derive(Debug, Clone)]
struct Octahedron(Enclosed);

static KIND: FamilyKind = FamilyKind { name: "octahedra", rest_numbers: 0, fields: &[] };

impl Element<N, 1> for Octahedron {
    fn kind() -> &'static FamilyKind {
        &KIND
    }
    fn energy(&self, x: &[Vec3; N]) -> f64 {
        self.0.energy(&corners(x))
    }
    fn gradient(&self, x: &[Vec3; N]) -> [Vec3; N] {
        self.force_basis(x)[0].map(|area| -self.0.pressure(&corners(x)) * area)
    }
    fn hessian(&self, x: &[Vec3; N], projected: bool) -> [[Mat3; N]; N] {
        let mut out = [[Mat3::zeros(); N]; N];
        self.0.hessian(&corners(x), projected, out.as_flattened_mut());
        out
    }
    fn force_basis(&self, x: &[Vec3; N]) -> [[Vec3; N]; 1] {
        let mut out = [Vec3::zeros(); N];
        self.0.areas(&corners(x), &mut out);
        [out]
    }
    fn inverse_weight(&self, x: &[Vec3; N]) -> [[f64; 1]; 1] {
        [[self.0.inverse_weight(&corners(x))]]
    }
    fn force_coordinates(&self, x: &[Vec3; N]) -> [f64; 1] {
        [self.0.pressure(&corners(x))]
    }
    fn authored_coordinates(&self, _: &[Vec3; N]) -> Option<[f64; 1]> {
        self.0.authored_pressure().map(|pressure| [pressure])
    }
    fn with_rest_for(&self, x: &[Vec3; N], s: &[f64; 1]) -> Result<Self, Unattainable> {
        let mut fitted = self.clone();
        fitted.0.fit(&corners(x), s[0]).map(|()| fitted)
    }
    fn at_rest(&self, x: &[Vec3; N]) -> Result<Self, Unattainable> {
        let mut rested = self.clone();
        rested.0.reset(&corners(x)).map(|()| rested)
    }
    fn damping(&self) -> f64 {
        self.0.damping
    }
    fn set_damping(&mut self, damping: f64) {
        self.0.damping = damping;
    }
    fn bulk(&self, _: &[Vec3; N]) -> f64 {
        0.0
    }
    fn stiffening(&self) -> f64 {
        self.0.stiffening
    }
    fn stiffened(&self, factor: f64) -> Self {
        Self(Enclosed { stiffening: factor, ..self.0.clone() })
    }
    fn constraints() -> usize {
        1
    }
    fn compliance(&self, _: usize) -> Option<f64> {
        Some(1.0 / self.0.resistance())
    }
    fn constraint(&self, _: usize, x: &[Vec3; N]) -> Constraint<N> {
        Constraint { value: self.0.excess(&corners(x)), gradients: self.force_basis(x)[0] }
    }
    fn curvatures(&self, _: usize, x: &[Vec3; N]) -> [f64; N] {
        let mut out = [0.0; N];
        self.0.curvatures(&corners(x), &mut out);
        out
    }
    fn fields(&self, _: &[Vec3; N], _: &mut [f64]) {}
    fn rest_numbers(&self, _: &mut [f64]) {}
    fn set_rest_numbers(&mut self, _: &[f64]) {}
    fn max_step(&self, _: &[Vec3; N], _: &[Vec3; N]) -> f64 {
        1.0
    }
}

/// Vertices on the axes, first those ahead, seen from without.
fn octahedron(x: &[Vec3; N], bulk_modulus: f64, filling: f64) -> Octahedron {
    let mut triangles = Vec::new();
    for signs in 0..8_u32 {
        let corner = |axis: u32| axis + 3 * (signs >> axis & 1);
        let [a, b, c] = [0, 1, 2].map(corner);
        triangles.push(if signs.count_ones() % 2 == 0 { [a, b, c] } else { [a, c, b] });
    }
    Octahedron(Enclosed::new(triangles, bulk_modulus, filling, &corners(x)).unwrap())
}

fn some_places(random: &mut Random, length: f64) -> [Vec3; N] {
    let (rotation, centre) = (random.rotation(), random.vector(-1.0, 1.0));
    std::array::from_fn(|i| {
        let mut place = random.vector(-0.3, 0.3);
        place[i % 3] += if i < 3 { 1.0 } else { -1.0 };
        centre + length * (rotation * place)
    })
}

#[test]
fn it_keeps_the_element_contract() {
    let mut random = Random::new(41);
    for trial in 0..24 {
        let length = [1.0, 0.01][trial % 2];
        let bulk = 1e4;
        let rest = some_places(&mut random, length);
        let spread = [0.0, 1e-6, 0.05, 0.3][trial % 4] * length;
        let x = rest.map(|p| p + random.vector(-spread, spread));
        let scale = Scale { length, stiffness: bulk * length };
        let plain = octahedron(&rest, bulk, 1.0);
        let what = format!("{trial}");
        check::<_, N, 1>(&plain, &x, &scale, &what);
        check_rest_fit::<_, N, 1>(&plain, &x, &scale, &what).unwrap();
        check_constraint::<_, N, 1>(&plain, &x, &scale, &what);
        weight_is_the_stiffness_at_rest::<_, N, 1>(&plain, &x, &scale);
        let filled = octahedron(&rest, bulk, 1.4);
        check::<_, N, 1>(&filled, &x, &scale, &what);
        check_authored_rest::<_, N, 1>(&filled, &x, &scale, &what);
    }
}

/// Volume and areas of a regular octahedron; the rest volume that makes a pressure, and how much there is at most.
#[test]
fn closed_forms() {
    let x: [Vec3; N] = std::array::from_fn(|i| {
        let mut place = Vec3::new(5.0, -3.0, 2.0);
        place[i % 3] += if i < 3 { 2.0 } else { -2.0 };
        place
    });
    let mut filled = octahedron(&x, 100.0, 1.0).0;
    assert!((filled.volume(&corners(&x)) - 32.0 / 3.0).abs() < 1e-13);
    let mut areas = [Vec3::zeros(); N];
    filled.areas(&corners(&x), &mut areas);
    // Of 4/3 r^3, a third a vertex and direction: dV/dr is 4 r^2 for six of them.
    assert!((areas[1] - Vec3::new(0.0, 8.0 / 3.0, 0.0)).norm() < 1e-14, "{}", areas[1]);
    filled.fit(&corners(&x), 60.0).unwrap();
    assert!((filled.rest.volume - 32.0 / 3.0 / 0.4).abs() < 1e-12 && (filled.pressure(&corners(&x)) - 60.0).abs() < 1e-13);
    assert_eq!(filled.fit(&corners(&x), 125.0), Err(Unattainable::TooSoft { attainable_share: 0.8 }));
    filled.fit(&corners(&x), -900.0).unwrap();
    assert!((filled.rest.volume - 3.2 / 3.0).abs() < 1e-12);
    let inwards: Vec<[u32; 3]> = filled.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    assert_eq!(Enclosed::new(inwards, 1.0, 1.0, &corners(&x)).err(), Some(Unattainable::Degenerate));
}
