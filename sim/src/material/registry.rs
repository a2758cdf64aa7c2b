//! The laws by name: scene files, the inspector and the tests all walk this one list.

use std::ops::Range;
use std::sync::Arc;

use super::arap::Arap;
use super::corotated::Corotated;
use super::neo_hookean::NeoHookean;
use super::stable_neo_hookean::StableNeoHookean;
use super::stvk::StVenantKirchhoff;
use super::{Lame, Material};

/// A law that a scene can name.
#[derive(Debug)]
pub struct MaterialLaw {
    /// Name in scene files.
    pub name: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// What it is good for, in a line.
    pub doc: &'static str,
    /// Poisson's ratios with which the law is stable at rest and bounded below.
    pub poisson: Range<f64>,
    /// Makes the material from Young's modulus [Pa] and Poisson's ratio.
    pub build: fn(young: f64, poisson: f64) -> Arc<dyn Material>,
}

/// -1 is the limit; the moduli grow without bound before it.
const AUXETIC: f64 = -0.95;

/// Every law.
pub static MATERIALS: &[MaterialLaw] = &[
    MaterialLaw {
        name: "neo_hookean",
        label: "Neo-Hookean",
        doc: "rubber and flesh; resists any compression, never inverts",
        poisson: 0.0..0.5,
        build: |young, poisson| Arc::new(NeoHookean::new(Lame::from_young_poisson(young, poisson))),
    },
    MaterialLaw {
        name: "stable_neo_hookean",
        label: "Stable neo-Hookean",
        doc: "flesh that keeps its volume; finite force in a flattened element",
        poisson: AUXETIC..0.5,
        build: |young, poisson| Arc::new(StableNeoHookean::new(Lame::from_young_poisson(young, poisson))),
    },
    MaterialLaw {
        name: "corotated",
        label: "Corotated linear",
        doc: "linear elasticity that follows rotations; the usual choice in animation",
        poisson: AUXETIC..0.5,
        build: |young, poisson| Arc::new(Corotated::new(Lame::from_young_poisson(young, poisson))),
    },
    MaterialLaw {
        name: "stvk",
        label: "Saint Venant-Kirchhoff",
        doc: "stiffens when stretched, gives way when compressed to about half",
        poisson: AUXETIC..0.5,
        build: |young, poisson| Arc::new(StVenantKirchhoff::new(Lame::from_young_poisson(young, poisson))),
    },
    MaterialLaw {
        name: "arap",
        label: "As rigid as possible",
        doc: "resists stretch without lateral contraction: behaves as Poisson's ratio 0",
        poisson: AUXETIC..0.5,
        build: |young, poisson| Arc::new(Arap::new(Lame::from_young_poisson(young, poisson).mu)),
    },
];

/// The law with this name in scene files.
pub fn law(name: &str) -> Option<&'static MaterialLaw> {
    MATERIALS.iter().find(|law| law.name == name)
}
