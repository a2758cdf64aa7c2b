//! The laws by name: scene files, the inspector and the tests all walk this one list.

use std::ops::Range;
use std::sync::Arc;

use super::hencky::Hencky;
use super::hooke::Hooke;
use super::neo_hookean::NeoHookean;
use super::quartic::Quartic;
use super::stable_neo_hookean::StableNeoHookean;
use super::stvk::StVenantKirchhoff;
use super::{Frame, Lame, Material};

/// A law that a scene can name.
#[derive(Debug)]
pub struct MaterialLaw {
    /// Name in scene files.
    pub name: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// What it is good for, in a line.
    pub doc: &'static str,
    /// Energy density [J/m^3], as in `docs/laws.md`.
    pub energy: &'static str,
    /// Poisson's ratios with which no state has less energy than rest.
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
        energy: "mu/2 (tr C - 3) - mu ln J + lambda/2 ln^2 J",
        poisson: 0.0..0.5,
        build: |young, poisson| Arc::new(NeoHookean(Lame::from_young_poisson(young, poisson))),
    },
    MaterialLaw {
        name: "stable_neo_hookean",
        label: "Stable neo-Hookean",
        doc: "flesh that keeps its volume; finite force in a flattened element",
        energy: "mu/2 (tr C - 3) - mu (J - 1) + (lambda + mu)/2 (J - 1)^2",
        poisson: 0.0..0.5,
        build: |young, poisson| Arc::new(StableNeoHookean(Lame::from_young_poisson(young, poisson))),
    },
    MaterialLaw {
        name: "corotated",
        label: "Corotated linear",
        doc: "linear elasticity that follows rotations; the usual choice in animation",
        energy: "mu |S - I|^2 + lambda/2 tr^2(S - I)",
        poisson: AUXETIC..0.5,
        build: |young, poisson| hooke(Lame::from_young_poisson(young, poisson), Frame::Current),
    },
    MaterialLaw {
        name: "stvk",
        label: "Saint Venant-Kirchhoff",
        doc: "stiffens when stretched, gives way when compressed to about half, and may turn inside out there",
        energy: "mu |E|^2 + lambda/2 tr^2 E",
        poisson: AUXETIC..0.5,
        build: |young, poisson| Arc::new(StVenantKirchhoff(Lame::from_young_poisson(young, poisson))),
    },
    MaterialLaw {
        name: "arap",
        label: "As rigid as possible",
        doc: "resists stretch without lateral contraction: behaves as Poisson's ratio 0",
        energy: "mu |S - I|^2",
        poisson: AUXETIC..0.5,
        build: |young, poisson| hooke(Lame { lambda: 0.0, ..Lame::from_young_poisson(young, poisson) }, Frame::Current),
    },
    MaterialLaw {
        name: "quartic",
        label: "Quartic",
        doc: "a polynomial of the deformation; finite everywhere, and soft when flattened",
        energy: "mu/4 |C - I|^2 + lambda/2 (J - 1)^2",
        poisson: 0.0..0.5,
        build: |young, poisson| Arc::new(Quartic(Lame::from_young_poisson(young, poisson))),
    },
    MaterialLaw {
        name: "linear",
        label: "Linear",
        doc: "small strains and small rotations only: grows and stiffens when it turns",
        energy: "mu |e|^2 + lambda/2 tr^2 e",
        poisson: AUXETIC..0.5,
        build: |young, poisson| hooke(Lame::from_young_poisson(young, poisson), Frame::Fixed),
    },
    MaterialLaw {
        name: "lagged_corotated",
        label: "Lagged corotated linear",
        doc: "linear in each time step, with the rotations of the step's start: cheap, for small steps",
        energy: "mu |L - I|^2 + lambda/2 tr^2(L - I)",
        poisson: AUXETIC..0.5,
        build: |young, poisson| hooke(Lame::from_young_poisson(young, poisson), Frame::Lagged),
    },
    MaterialLaw {
        name: "hencky",
        label: "Hencky",
        doc: "linear in the logarithms of stretches; what metals and sand are elastic by",
        energy: "mu |H|^2 + lambda/2 tr^2 H",
        poisson: AUXETIC..0.5,
        build: |young, poisson| Arc::new(Hencky(Lame::from_young_poisson(young, poisson))),
    },
];

fn hooke(lame: Lame, frame: Frame) -> Arc<dyn Material> {
    Arc::new(Hooke { lame, frame })
}

/// The law with this name in scene files.
pub fn law(name: &str) -> Option<&'static MaterialLaw> {
    MATERIALS.iter().find(|law| law.name == name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;
    use crate::math::{Mat3, Vec3};

    const YOUNG: f64 = 2e5;

    fn every_material() -> impl Iterator<Item = (&'static MaterialLaw, Arc<dyn Material>)> {
        MATERIALS.iter().flat_map(|law| {
            let Range { start, end } = law.poisson;
            [start, 0.1, 0.3, 0.45, end - 0.005].map(|poisson| (law, (law.build)(YOUNG, poisson)))
        })
    }

    #[test]
    fn names_are_unique_and_found() {
        for entry in MATERIALS {
            assert!(std::ptr::eq(law(entry.name).unwrap(), entry));
        }
        assert!(law("jelly").is_none());
    }

    /// Li et al. 2024, definition 13.2.1: no energy and no stress at rest, and Hooke's law next to it.
    #[test]
    fn every_law_linearises_to_its_lame_constants() {
        for (law, material) in every_material() {
            let Lame { mu, lambda } = material.lame();
            let rest = Vec3::zeros();
            assert_eq!(material.energy(&rest), 0.0, "{}", law.name);
            assert_eq!(material.gradient(&rest), rest, "{}", law.name);
            let hooke = Mat3::from_diagonal_element(2.0 * mu).add_scalar(lambda);
            assert!((material.hessian(&rest) - hooke).amax() <= 1e-14 * (mu + lambda.abs()), "{}", law.name);
        }
    }

    /// A rod pulled a little at its ends, free at its sides, shows E and nu.
    #[test]
    fn a_pulled_rod_shows_young_and_poisson() {
        for law in MATERIALS.iter().filter(|law| law.name != "arap") {
            let (poisson, strain) = (0.37, 1e-6);
            let material = (law.build)(YOUNG, poisson);
            let stress = material.gradient(&(strain * Vec3::new(1.0, -poisson, -poisson)));
            assert!((stress.x / (YOUNG * strain) - 1.0).abs() < 1e-4, "{}: {stress}", law.name);
            assert!(stress.y.abs() < 1e-4 * stress.x, "{}: {stress}", law.name);
        }
    }

    #[test]
    fn no_state_has_less_energy_than_rest() {
        let mut random = Random::new(17);
        for (law, material) in every_material() {
            for _ in 0..2000 {
                let s = random.vector(-0.99, 2.0);
                assert!(material.energy(&s) > 0.0, "{} {s}", law.name);
            }
        }
    }

    #[test]
    fn derivatives_match_central_differences() {
        let mut random = Random::new(5);
        for (law, material) in every_material() {
            let scale = material.lame().mu + material.lame().lambda.abs();
            for _ in 0..50 {
                let s = random.vector(-0.6, 1.2);
                let (gradient, hessian) = (material.gradient(&s), material.hessian(&s));
                assert_eq!(hessian, hessian.transpose(), "{}", law.name);
                for k in 0..3 {
                    let h = 1e-5;
                    let (forward, backward) = (s + Vec3::ith(k, h), s - Vec3::ith(k, h));
                    let slope = (material.energy(&forward) - material.energy(&backward)) / (2.0 * h);
                    assert!((slope - gradient[k]).abs() < 2e-8 * scale, "{} {s}: {slope} {}", law.name, gradient[k]);
                    let slope = (material.gradient(&forward) - material.gradient(&backward)) / (2.0 * h);
                    assert!((slope - hessian.column(k)).amax() < 2e-8 * scale, "{} {s}", law.name);
                }
            }
        }
    }

    /// Line searches next to rest compare energies, and stiff bodies are never far from it: neither energies nor stresses may drown in
    /// cancelling constants.
    #[test]
    fn energy_near_rest_is_accurate_relative_to_itself() {
        let strain = Vec3::new(3.0, -2.0, 1.0);
        for (law, material) in every_material() {
            let hooke = material.hessian(&Vec3::zeros());
            for scale in [2f64.powi(-30), 2f64.powi(-40)] {
                let d = scale * strain;
                let expected = 0.5 * d.dot(&(hooke * d));
                let energy = material.energy(&d);
                assert!((energy / expected - 1.0).abs() < 20.0 * scale, "{} {scale}: {energy} {expected}", law.name);
                let (gradient, expected) = (material.gradient(&d), hooke * d);
                let error = (gradient - expected).amax() / expected.amax();
                assert!(error < 20.0 * scale, "{} {scale}: {gradient} {expected}", law.name);
            }
        }
    }

    #[test]
    fn only_a_law_that_survives_inversion_is_finite_there() {
        let inverted = Vec3::new(0.0, -0.1, -1.3);
        for (law, material) in every_material() {
            if material.survives_inversion() {
                assert!(material.energy(&inverted).is_finite() && material.gradient(&inverted).iter().all(|g| g.is_finite()));
            } else if law.name == "neo_hookean" {
                assert_eq!(material.energy(&inverted), f64::INFINITY);
            }
        }
    }
}
