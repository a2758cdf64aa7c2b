//! Cloth and shells: a surface that resists stretching in its triangles and bending about the edges between them.

mod pattern;
mod placing;
mod seams;
mod settings;
mod sheet;
mod told;

pub use settings::{ClothSettings, RegionCloth, RestShape, Seams};
pub use sheet::{Cloth, Fabric};

use std::sync::Arc;

use super::select::region_cells;
use super::stiffness::cell_factors;
use super::{BodyKind, Matter};
use crate::element::hinge::{HINGE_LAWS, hinge_law};
use crate::import::RawMesh;
use crate::material::membrane::{MEMBRANE_LAWS, membrane_law};
use crate::mesh::BodyMesh;
use crate::scene::{Body, RegionRole, SceneProblem};

/// Name of the kind.
pub const NAME: &str = "cloth";

/// Bodies of cloth.
pub(super) const KIND: BodyKind = BodyKind {
    name: NAME,
    label: "Cloth",
    doc: "a surface that resists stretching in its triangles and bending about the edges between them: cloth, paper, shells",
    settings: Some(ClothSettings::schema),
    region_settings: Some(RegionCloth::schema),
    check,
    imported: |_, _| serde_json::to_value(ClothSettings::default()).ok(),
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
    let mut problems = Vec::new();
    let mut report = |path: String, message: &str| problems.push(SceneProblem::at(path, message));
    match settings_of(body) {
        Err(message) => report(format!("{path}.as.{NAME}"), &message),
        Ok(settings) => {
            if let Some((key, message)) = settings.fault() {
                report(format!("{path}.as.{NAME}.{key}"), &message);
            }
        }
    }
    if body.rest_mesh.is_some() && settings_of(body).is_ok_and(|settings| settings.rest == RestShape::Uv) {
        report(format!("{path}.rest_mesh"), "with \"rest\": \"uv\" the sewing pattern is the rest shape; leave one of them out");
    }
    if body.material.is_some() {
        report(format!("{path}.material"), "cloth has its stiffness and mass under \"as\"; leave this out");
    }
    if body.tetrahedralise.is_some() {
        report(format!("{path}.tetrahedralise"), "only solids are filled with tets; leave this out");
    }
    for (r, region) in body.regions.iter().enumerate() {
        let path = format!("{path}.regions[{r}].role");
        match &region.role {
            RegionRole::Material(_) => {
                report(format!("{path}.material"), "cloth has no such material; give the region the role \"as\": {\"cloth\": {...}}");
            }
            RegionRole::As(kind) if kind.kind != NAME => report(format!("{path}.as"), "the body is of cloth; write {\"cloth\": {...}}"),
            RegionRole::As(kind) => {
                if let Err(message) = kind.parse::<RegionCloth>() {
                    report(format!("{path}.as.{NAME}"), &message);
                }
            }
            _ => {}
        }
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
        membrane_law: membrane_law(&settings.law).unwrap_or(MEMBRANE_LAWS[0]),
        hinge_law: hinge_law(&settings.bending_law).unwrap_or(&HINGE_LAWS[0]),
        warp: settings.warp.into(),
        closes: settings.rest == RestShape::Uv,
        fabrics,
        fabric_of,
        factors: body.stiffness_field.as_ref().map_or_else(Vec::new, |field| cell_factors(field, mesh)),
    })
}
