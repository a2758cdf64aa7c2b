//! Elements whose material cannot make the force asked of it.

use super::LISTED;
use crate::math::Vec3;
use crate::sag_free::local::Unattained;
use crate::stats::report::{Infeasibility, InfeasibilityCode};
use crate::system::System;

/// Largest factor that is advised: `initialise.stiffen_up_to` takes no more.
const MOST: f64 = 1e6;

/// Elements that are too soft, one entry a body, and the `factor` that would do for all.
pub fn too_soft(system: &System, unattained: &[Unattained], factor: Option<f64>) -> Vec<Infeasibility> {
    let mut found = Vec::new();
    let alone = system.bodies.len() == 1;
    for body in &system.bodies {
        let failed: Vec<&Unattained> = unattained.iter().filter(|u| u.family == 0 && body.elements.contains(&u.element)).collect();
        let Some(first) = failed.first() else { continue };
        let elements: Vec<usize> = failed.iter().map(|u| u.element - body.elements.start).collect();
        let centre = |tet: &[u32; 4]| tet.iter().map(|&n| system.positions[body.nodes.start + n as usize]).sum::<Vec3>() / 4.0;
        let middle = elements.iter().map(|&e| centre(&body.mesh.tets[e])).sum::<Vec3>() / elements.len() as f64;
        let cure = factor.map_or(String::new(), |factor| {
            let young = match (alone, system.initialise.tension == 0.0) {
                (true, true) => format!("a Young's modulus {factor:.2} times as large would do, or "),
                (false, true) => format!("Young's moduli {factor:.2} times as large, of all bodies, would do, or "),
                // Tension grows with the stiffness.
                (_, false) => "".to_owned(),
            };
            format!("; {young}`initialise.stiffen_up_to` of {factor:.2}, which stiffens only the elements that need it")
        });
        found.push(Infeasibility {
            code: InfeasibilityCode::TooSoft,
            body: body.name.clone(),
            component: body.mesh.components.get(elements[0]).map_or(0, |&c| c as usize),
            indices: elements.iter().copied().take(LISTED).collect(),
            place: middle.into(),
            message: format!(
                "{} elements of body '{}' are too soft for the force asked of them (first: element {}, {}){cure}",
                elements.len(),
                body.name,
                elements[0],
                first.why
            ),
        });
    }
    found
}

/// The factor on the stiffness that is advised, with which every element makes its force: margin included, and rounded up to the digits
/// that are told. Forces between bodies depend on the ratios of their stiffnesses, which are to stay: one factor for all. `None` if there
/// is none.
pub fn stiffness_factor(unattained: &[Unattained]) -> Option<f64> {
    let factors: Option<Vec<f64>> = unattained.iter().map(|u| u.why.cure()).collect();
    let factor = (100.0 * factors?.into_iter().reduce(f64::max)?).ceil() / 100.0;
    (factor <= MOST).then_some(factor)
}
