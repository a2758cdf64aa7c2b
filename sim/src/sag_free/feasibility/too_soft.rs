//! Elements whose material cannot make the force asked of it.

use super::LISTED;
use crate::element::Unattainable;
use crate::math::Vec3;
use crate::sag_free::local::Unattained;
use crate::stats::report::{Infeasibility, InfeasibilityCode};
use crate::system::System;

/// Elements that are too soft, one entry a body.
pub fn too_soft(system: &System, unattained: &[Unattained]) -> Vec<Infeasibility> {
    let mut found = Vec::new();
    for body in &system.bodies {
        let failed: Vec<&Unattained> = unattained.iter().filter(|u| u.family == 0 && body.elements.contains(&u.element)).collect();
        let Some(first) = failed.first() else { continue };
        let elements: Vec<usize> = failed.iter().map(|u| u.element - body.elements.start).collect();
        let centre = |tet: &[u32; 4]| tet.iter().map(|&n| system.positions[body.nodes.start + n as usize]).sum::<Vec3>() / 4.0;
        let middle = elements.iter().map(|&e| centre(&body.mesh.tets[e])).sum::<Vec3>() / elements.len() as f64;
        let cure = failed.iter().filter_map(|u| u.why.cure()).reduce(f64::max).map_or(String::new(), |factor| {
            let factor = (100.0 * factor).ceil() / 100.0;
            format!(
                "; a Young's modulus {factor:.2} times as large would do, or `initialise.stiffen_up_to` of {factor:.2}, which stiffens only the elements that need it"
            )
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

/// The least factor on the stiffness with which every element could make its force; `None` if none failed for softness.
pub fn stiffness_factor<'a>(unattained: impl IntoIterator<Item = &'a Unattained>) -> Option<f64> {
    let shares = unattained.into_iter().filter_map(|u| match u.why {
        Unattainable::TooSoft { attainable_share } => Some(attainable_share),
        Unattainable::Degenerate => None,
    });
    shares.reduce(f64::min).filter(|share| *share > 0.0).map(|share| 1.0 / share)
}
