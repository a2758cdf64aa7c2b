//! The elastic law of what yields.

use std::sync::Arc;

use crate::material::{self, Material, MaterialLaw};

fn law() -> &'static MaterialLaw {
    material::law("hencky").unwrap_or(&material::MATERIALS[0])
}

/// Hencky's law with these moduli [Pa].
pub(super) fn hencky(young: f64, poisson: f64) -> Arc<dyn Material> {
    (law().build)(young, poisson)
}

/// What is wrong with Poisson's ratio, under this key.
pub(super) fn poisson_fault(key: &'static str, poisson: f64) -> Option<(&'static str, String)> {
    let (least, most) = (law().poisson.start, law().poisson.end);
    (!law().poisson.contains(&poisson)).then(|| (key, format!("{poisson} is too small; choose from {least} to below {most}")))
}
