//! Elements whose material cannot make the force asked of it.

use super::LISTED;
use crate::math::Vec3;
use crate::sag_free::local::Unattained;
use crate::sag_free::verdict::{Infeasibility, InfeasibilityCode};
use crate::sag_free::within_reach::Limited;
use crate::scene::Mend;
use crate::system::System;

/// Largest factor that is advised: `initialise.stiffen_up_to` takes no more.
const MOST: f64 = 1e6;

/// What would do where elements are too soft.
#[derive(Debug, Clone, Copy, Default)]
pub struct Enough {
    /// The factor on the stiffness of all elements.
    pub all: Option<f64>,
    /// The factor on that of all that resist bending, where only these are too soft.
    pub bending: Option<f64>,
    /// What it takes that others carry what they cannot.
    pub within_reach: Option<Limited>,
}

/// Elements that are too soft, one entry a body, and what would do for all.
pub fn too_soft(system: &System, unattained: &[Unattained], enough: Enough) -> Vec<Infeasibility> {
    let mut found = Vec::new();
    let alone = system.bodies.len() == 1;
    // What belongs to no body, such as a spring between two, comes last.
    for body in system.bodies.iter().map(Some).chain([None]) {
        let place = |u: &Unattained| match body {
            Some(body) => body.place_of(u.family, u.element),
            None => system.bodies.iter().all(|body| body.place_of(u.family, u.element).is_none()).then_some(u.element),
        };
        let failed: Vec<(usize, &Unattained)> = unattained.iter().filter_map(|u| Some((place(u)?, u))).collect();
        let Some((first, why)) = failed.first().map(|(place, u)| (*place, &u.why)) else { continue };
        let centre = |u: &Unattained| {
            let nodes = system.families[u.family].nodes(u.element);
            nodes.iter().map(|&n| system.place_of(n)).sum::<Vec3>() / nodes.len() as f64
        };
        let middle = failed.iter().map(|(_, u)| centre(u)).sum::<Vec3>() / failed.len() as f64;
        let (name, component) = match body {
            Some(body) => (body.name.clone(), body.mesh.components.get(first).map_or(0, |&c| c as usize)),
            None => (String::new(), 0),
        };
        let whose = if name.is_empty() { "between bodies".to_owned() } else { format!("of body '{name}'") };
        let advice = enough.bending.map(|factor| (factor, true)).or(enough.all.map(|factor| (factor, false)));
        let cure = enough.all.map_or(String::new(), |all| {
            let stiffer = advice.map(|(factor, bending)| {
                let plain = || format!("a stiffness {factor:.2} times as large");
                body.map_or_else(plain, |body| body.matter.stiffer(factor, bending))
            });
            let young = match (stiffer, alone, system.initialise.tension == 0.0) {
                (Some(stiffer), true, true) => format!("{stiffer} would do, or "),
                (Some(stiffer), false, true) => format!("{stiffer}, and so of all bodies, would do, or "),
                // Tension grows with the stiffness.
                _ => "".to_owned(),
            };
            format!("; {young}`initialise.stiffen_up_to` of {all:.2}, which stiffens only the elements that need it")
        });
        let others = enough.within_reach.map_or(String::new(), |Limited { elements, cost }| {
            format!(
                "; with `initialise.within_reach` others carry what they cannot: {elements} elements are at their limits then, and what is to be least is {cost:.3} times as much"
            )
        });
        found.push(Infeasibility {
            code: InfeasibilityCode::TooSoft,
            body: name,
            component,
            indices: failed.iter().map(|(place, _)| *place).take(LISTED).collect(),
            place: middle.into(),
            message: format!(
                "{} elements {whose} are too soft for the force asked of them (first: element {first}, {why}){cure}{others}",
                failed.len(),
            ),
            mend: enough.all.map(Mend::StiffenUpTo),
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
