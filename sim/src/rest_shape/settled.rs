//! [`Settled`]: the law that a law with a lagged rotation is where nothing moves.

use std::sync::Arc;

use crate::material::{Frame, Lame, Material};
use crate::math::{Mat3, Vec3};

/// A lagged law whose rotation has caught up: in an equilibrium the rotation of the step's start is the current one.
#[derive(Debug)]
struct Settled(Arc<dyn Material>);

/// The law that `material` is in an equilibrium.
pub fn settled(material: &Arc<dyn Material>) -> Arc<dyn Material> {
    if material.frame() == Frame::Lagged { Arc::new(Settled(Arc::clone(material))) } else { Arc::clone(material) }
}

impl Material for Settled {
    fn lame(&self) -> Lame {
        self.0.lame()
    }
    fn survives_inversion(&self) -> bool {
        self.0.survives_inversion()
    }
    fn energy(&self, strain: &Vec3) -> f64 {
        self.0.energy(strain)
    }
    fn gradient(&self, strain: &Vec3) -> Vec3 {
        self.0.gradient(strain)
    }
    fn hessian(&self, strain: &Vec3) -> Mat3 {
        self.0.hessian(strain)
    }
    fn quotients(&self, strain: &Vec3, gradient: &Vec3) -> (Vec3, Vec3) {
        self.0.quotients(strain, gradient)
    }
}
