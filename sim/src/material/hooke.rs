//! Hooke's law for the stretch S that is left of F when a rotation R is taken off, S = sym(R^T F):
//! psi = mu |S - I|^2 + lambda/2 tr^2(S - I), in principal strains a quadratic.
//!
//! With R = polar(F) it is the corotated law (Sifakis and Barbič 2012, 3.4), without its volume term as rigid as possible; with
//! R of the step's start the lagged corotated law, and with R = I linear elasticity (Li et al. 2024, 13.3), both quadratic in F.

use super::squares::{SMALL, STRETCH};
use super::{Frame, Lame, Material, Squares};
use crate::math::{Mat3, Vec3};

#[derive(Debug)]
pub(super) struct Hooke {
    pub(super) lame: Lame,
    pub(super) frame: Frame,
}

impl Material for Hooke {
    fn lame(&self) -> Lame {
        self.lame
    }
    fn survives_inversion(&self) -> bool {
        true
    }
    fn frame(&self) -> Frame {
        self.frame
    }
    fn energy(&self, strain: &Vec3) -> f64 {
        self.lame.mu * strain.norm_squared() + 0.5 * self.lame.lambda * strain.sum() * strain.sum()
    }
    fn gradient(&self, strain: &Vec3) -> Vec3 {
        (2.0 * self.lame.mu * strain).add_scalar(self.lame.lambda * strain.sum())
    }
    fn hessian(&self, _strain: &Vec3) -> Mat3 {
        Mat3::from_diagonal_element(2.0 * self.lame.mu).add_scalar(self.lame.lambda)
    }
    fn squares(&self) -> Option<Squares> {
        let measures = match self.frame {
            Frame::Current => &STRETCH,
            Frame::Fixed => &SMALL,
            // Of a step's start that a stepper must keep.
            Frame::Lagged => return None,
        };
        let Lame { mu, lambda } = self.lame;
        (lambda >= 0.0).then_some(Squares { measures, moduli: [lambda, mu] })
    }
}
