//! Cloth and shells: a surface that resists stretching in its triangles and bending about the edges between them.

mod bending;
mod filling;
mod pattern;
mod placing;
mod seams;
mod settings;
mod sheet;
mod stretching;
mod told;

pub use bending::{BENDING_LAWS, BendingLaw, InnerEdge, Lever, bending_law};
pub use settings::{ClothSettings, Filling, RegionCloth, RestShape, Seams};
pub use sheet::{Cloth, Fabric};
pub use stretching::Stretching;

use std::sync::Arc;

use super::select::region_cells;
use super::stiffness::cell_factors;
use super::unfilled::{self, Words};
use super::{BodyKind, Matter};
use crate::import::RawMesh;
use crate::material::membrane::MEMBRANE_LAWS;
use crate::mesh::BodyMesh;
use crate::scene::{Body, RegionRole, SceneProblem};

/// Name of the kind.
pub const NAME: &str = "cloth";

const WORDS: Words = Words { name: NAME, has_its: "cloth has its", has: "cloth has" };

/// Bodies of cloth.
pub(super) const KIND: BodyKind = BodyKind {
    name: NAME,
    label: "Cloth",
    doc: "a surface that resists stretching in its triangles and bending about the edges between them: cloth, paper, shells",
    settings: Some(ClothSettings::schema),
    region_settings: Some(RegionCloth::schema),
    check,
    imported: |raw, _| serde_json::to_value(ClothSettings::imported(raw)).ok(),
    accepts,
    place: placing::place,
    matter,
};

/// The settings of a body of cloth.
///
/// # Errors
/// In words, what does not fit.
pub fn settings_of(body: &Body) -> Result<ClothSettings, String> {
    body.kind.as_ref().filter(|kind| kind.kind == NAME).ok_or("the body is not of cloth")?.parse()
}

fn accepts(raw: &RawMesh) -> Result<(), String> {
    match (raw.triangles.is_empty(), raw.tets.is_empty()) {
        (false, true) => Ok(()),
        (_, false) => Err("cloth is a surface, and the file holds tets; import it as a solid, or export the surface alone".into()),
        (true, true) => Err("cloth is made of triangles, and the file has none".into()),
    }
}

fn check(body: &Body, path: &str) -> Vec<SceneProblem> {
    let fault = match settings_of(body) {
        Err(message) => Some((None, message)),
        Ok(settings) => settings.fault().map(|(key, message)| (Some(key), message)),
    };
    let mut problems =
        unfilled::problems(&WORDS, body, path, fault, |kind| kind.parse::<RegionCloth>().err().map(|message| (None, message)));
    if body.rest_mesh.is_some() && settings_of(body).is_ok_and(|settings| settings.rest == RestShape::Uv) {
        let message = "with \"rest\": \"uv\" the sewing pattern is the rest shape; leave one of them out";
        problems.push(SceneProblem::at(format!("{path}.rest_mesh"), message));
    }
    problems
}

/// The fabric of the body, but where a region of the role `as` says otherwise; of two such regions the later.
fn matter(body: &Body, mesh: &BodyMesh, path: &str, problems: &mut Vec<SceneProblem>) -> Arc<dyn Matter> {
    problems.extend(check(body, path));
    let settings = settings_of(body).unwrap_or_default();
    let mut fabrics = vec![Fabric::of(&settings)];
    let mut fabric_of = vec![0; mesh.cells.len()];
    for region in &body.regions {
        let RegionRole::As(kind) = &region.role else { continue };
        let Ok(given) = kind.parse::<RegionCloth>() else { continue };
        for cell in region_cells(mesh, region) {
            let fabric = given.over(&fabrics[fabric_of[cell as usize]]);
            let known = fabrics.iter().position(|known| *known == fabric);
            fabric_of[cell as usize] = known.unwrap_or_else(|| {
                fabrics.push(fabric);
                fabrics.len() - 1
            });
        }
    }
    Arc::new(Cloth {
        stretching: Stretching::named(&settings.law).unwrap_or(Stretching::Membranes(MEMBRANE_LAWS[0])),
        bending: bending_law(&settings.bending_law).unwrap_or(BENDING_LAWS[0]),
        only_pull: settings.only_pull,
        warp: settings.warp.into(),
        closes: settings.rest == RestShape::Uv,
        filling: settings.filling,
        fabrics,
        fabric_of,
        factors: body.stiffness_field.as_ref().map_or_else(Vec::new, |field| cell_factors(field, mesh)),
    })
}
