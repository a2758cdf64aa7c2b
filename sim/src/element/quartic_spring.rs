//! The spring of Li et al. 2024, 4.3, as a second element under the one contract: energy l^2 k/2 (|d|^2 / l^2 - 1)^2 of the edge d.

use super::contract::{Scale, check, check_rest_fit};
use super::{Element, FamilyKind, Unattainable};
use crate::math::random::Random;
use crate::math::{Mat3, Vec3};

/// A spring of rest length l [m] and stiffness k [N/m]; its Hooke constant at small strain is 4 k.
#[derive(Debug, Clone)]
pub(super) struct QuarticSpring {
    rest_length: f64,
    stiffness: f64,
    stiffening: f64,
    damping: f64,
}

impl QuarticSpring {
    pub(super) fn new(rest_length: f64, stiffness: f64) -> Self {
        Self { rest_length, stiffness, stiffening: 1.0, damping: 0.0 }
    }

    /// k as stiffened.
    fn k(&self) -> f64 {
        self.stiffening * self.stiffness
    }

    /// |d|^2 / l^2 - 1.
    fn strain(&self, edge: &Vec3) -> f64 {
        edge.norm_squared() / self.rest_length.powi(2) - 1.0
    }
}

static KIND: FamilyKind = FamilyKind { name: "quartic_springs", rest_numbers: 2, fields: &[super::spring::TENSION] };

impl Element<2, 1> for QuarticSpring {
    fn kind() -> &'static FamilyKind {
        &KIND
    }

    fn energy(&self, x: &[Vec3; 2]) -> f64 {
        self.rest_length.powi(2) * 0.5 * self.k() * self.strain(&(x[1] - x[0])).powi(2)
    }

    fn gradient(&self, x: &[Vec3; 2]) -> [Vec3; 2] {
        let edge = x[1] - x[0];
        let pull = 2.0 * self.k() * self.strain(&edge) * edge;
        [-pull, pull]
    }

    fn hessian(&self, x: &[Vec3; 2], projected: bool) -> [[Mat3; 2]; 2] {
        let edge = x[1] - x[0];
        // Only the part across the edge can be negative: in compression.
        let tension = self.strain(&edge) * self.rest_length.powi(2);
        let tension = if projected { tension.max(0.0) } else { tension };
        let mut along = (edge * edge.transpose()) * 2.0;
        if projected && self.strain(&edge) < 0.0 {
            let unit = edge / edge.norm();
            let value = 2.0 * edge.norm_squared() + self.strain(&edge) * self.rest_length.powi(2);
            along = (unit * unit.transpose()) * value.max(0.0);
        }
        let block = 2.0 * self.k() / self.rest_length.powi(2) * (along + tension * Mat3::identity());
        [[block, -block], [-block, block]]
    }

    fn force_basis(&self, x: &[Vec3; 2]) -> [[Vec3; 2]; 1] {
        let unit = (x[1] - x[0]).normalize();
        [[unit, -unit]]
    }

    fn inverse_weight(&self, x: &[Vec3; 2]) -> [[f64; 1]; 1] {
        [[4.0 * self.stiffness * (x[1] - x[0]).norm()]]
    }

    fn force_coordinates(&self, x: &[Vec3; 2]) -> [f64; 1] {
        let edge = x[1] - x[0];
        [2.0 * self.k() * self.strain(&edge) * edge.norm()]
    }

    /// The tension s asks for l^2 = |d|^2 / (1 + s / (2 k |d|)).
    fn with_rest_for(&self, x: &[Vec3; 2], s: &[f64; 1]) -> Result<Self, Unattainable> {
        let length = (x[1] - x[0]).norm();
        let stretch = 1.0 + s[0] / (2.0 * self.k() * length);
        if stretch > 0.0 {
            Ok(Self { rest_length: length / stretch.sqrt(), ..*self })
        } else {
            Err(Unattainable::TooSoft { attainable_share: -2.0 * self.k() * length / s[0] })
        }
    }

    fn at_rest(&self, x: &[Vec3; 2]) -> Result<Self, Unattainable> {
        let rest_length = (x[1] - x[0]).norm();
        if rest_length > 0.0 { Ok(Self { rest_length, ..*self }) } else { Err(Unattainable::Degenerate) }
    }

    fn fields(&self, x: &[Vec3; 2], values: &mut [f64]) {
        values.copy_from_slice(&self.force_coordinates(x));
    }

    fn rest_numbers(&self, numbers: &mut [f64]) {
        numbers.copy_from_slice(&[self.rest_length, self.stiffening]);
    }

    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        [self.rest_length, self.stiffening] = [numbers[0], numbers[1]];
    }

    fn damping(&self) -> f64 {
        self.damping
    }

    fn set_damping(&mut self, damping: f64) {
        self.damping = damping;
    }

    fn bulk(&self, x: &[Vec3; 2]) -> f64 {
        (x[1] - x[0]).norm()
    }

    fn stiffening(&self) -> f64 {
        self.stiffening
    }

    fn stiffened(&self, factor: f64) -> Self {
        Self { stiffening: factor, ..*self }
    }

    fn max_step(&self, _: &[Vec3; 2], _: &[Vec3; 2]) -> f64 {
        1.0
    }
}

#[test]
fn it_keeps_the_contract_stretched_and_compressed() {
    let mut random = Random::new(3);
    for stretch in [0.6, 0.95, 1.0, 1.3, 2.0] {
        let direction = random.vector(-1.0, 1.0).normalize();
        let from = random.vector(-1.0, 1.0);
        let spring = QuarticSpring::new(0.5, 30.0);
        let x = [from, from + 0.5 * stretch * direction];
        let scale = Scale { length: 0.5, stiffness: 30.0 };
        check(&spring, &x, &scale, "spring");
        check_rest_fit(&spring, &x, &scale, "spring").unwrap_or_else(|why| unreachable!("{why}"));
    }
}

#[test]
fn its_rest_has_no_energy_and_its_small_strain_shows_four_k() {
    let spring = QuarticSpring::new(0.5, 30.0);
    let at = |stretch: f64| [Vec3::zeros(), Vec3::new(0.5 * stretch, 0.0, 0.0)];
    assert_eq!(spring.energy(&at(1.0)), 0.0);
    let strain = 1e-6;
    assert!((spring.gradient(&at(1.0 + strain))[1].x / (0.5 * strain) / (4.0 * 30.0) - 1.0).abs() < 1e-5);
}
