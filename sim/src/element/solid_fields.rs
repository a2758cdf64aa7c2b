//! What elements of a solid can be looked at for: stresses, and how far they are pressed together.

use super::{Fact, FieldKind, Scale};
use crate::material::principal::Principal;
use crate::material::{Lame, Material};
use crate::math::{Mat3, Vec3, symmetric_eigen};

/// The fields.
pub(super) static KINDS: [FieldKind; 6] = [
    FieldKind {
        name: "compression ratio",
        label: "Compression",
        unit: "",
        doc: "det F: volume now over rest volume; 1 is undeformed",
        scale: Scale::About1,
    },
    FieldKind {
        name: "von Mises stress",
        label: "von Mises",
        unit: "Pa",
        doc: "size of the stress that changes shape",
        scale: Scale::From0,
    },
    FieldKind { name: "pressure", label: "Pressure", unit: "Pa", doc: "mean stress, positive in compression", scale: Scale::About0 },
    FieldKind {
        name: "largest principal stress",
        label: "Max principal",
        unit: "Pa",
        doc: "the largest tension in any direction",
        scale: Scale::About0,
    },
    FieldKind {
        name: "middle principal stress",
        label: "Mid principal",
        unit: "Pa",
        doc: "the stress across the directions of the largest and the smallest one",
        scale: Scale::About0,
    },
    FieldKind {
        name: "smallest principal stress",
        label: "Min principal",
        unit: "Pa",
        doc: "the largest compression in any direction, as a negative stress",
        scale: Scale::About0,
    },
];

/// Their values for a Cauchy stress [Pa] and J = det F.
pub(super) fn values(stress: &Mat3, ratio: f64) -> [f64; 6] {
    let mut principal: [f64; 3] = symmetric_eigen(stress).values.into();
    principal.sort_by(|a, b| b.total_cmp(a));
    let [largest, middle, smallest] = principal;
    [ratio, von_mises(stress), -stress.trace() / 3.0, largest, middle, smallest]
}

/// What an element of this law tells of itself with a displacement gradient F - I, a Cauchy stress [Pa] and a volume now [m^3].
pub(super) fn facts(material: &dyn Material, gradient: &Mat3, stress: &Mat3, volume: f64) -> Vec<Fact> {
    let stretches = Principal::of(gradient).strain.add_scalar(1.0);
    let stresses = symmetric_eigen(stress).values;
    let descending = |v: Vec3| {
        let mut values: Vec<f64> = v.iter().copied().collect();
        values.sort_by(|a, b| b.total_cmp(a));
        values
    };
    let Lame { mu, lambda } = material.lame();
    let young = mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu);
    vec![
        Fact::one("volume", "m³", "its volume now", volume),
        Fact::several("principal stretches", "", "lengths now over lengths at rest, along the principal directions", descending(stretches)),
        Fact::several(
            "principal stresses",
            "Pa",
            "Cauchy stress along its principal directions, positive in tension",
            descending(stresses),
        ),
        Fact::one("Young's modulus", "Pa", "of its law at small strain, as authored", young),
        Fact::one("Poisson's ratio", "", "of its law at small strain", 0.5 * lambda / (lambda + mu)),
    ]
}

/// sqrt(3/2) times the norm of the stress deviator [Pa].
fn von_mises(stress: &Mat3) -> f64 {
    let deviator = stress - Mat3::from_diagonal_element(stress.trace() / 3.0);
    1.5f64.sqrt() * deviator.norm()
}
