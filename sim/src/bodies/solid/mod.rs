//! Solids: tetrahedra of materials by their laws. What a body is that names no kind.

mod filling;
mod placing;

use std::sync::Arc;

use super::select::region_cells;
use super::stiffness::cell_factors;
use super::{BodyKind, Degenerate, Families, Matter};
use crate::element::{Batch, Family};
use crate::import::RawMesh;
use crate::material;
use crate::math::Vec3;
use crate::mesh::{BodyMesh, MassCouplings, lumped};
use crate::scene::{Body, MaterialSettings, RegionRole, SceneProblem};

/// Solids.
pub(super) const KIND: BodyKind = BodyKind {
    name: "solid",
    label: "Solid",
    doc: "tetrahedra, or a surface that is filled with them, of elastic materials",
    settings: None,
    region_settings: None,
    check,
    imported: |_, _| None,
    accepts,
    place: placing::place,
    matter,
};

/// The materials of a solid.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Solid {
    /// Its materials.
    pub materials: Vec<MaterialSettings>,
    /// Index into `materials` of each tet.
    pub material_of: Vec<u32>,
    /// Factor on the stiffness of each tet; empty: 1 for all.
    pub stiffness: Vec<f64>,
}

impl Solid {
    /// One material for `tets` tets.
    pub fn uniform(material: MaterialSettings, tets: usize) -> Self {
        Self { materials: vec![material], material_of: vec![0; tets], stiffness: Vec::new() }
    }

    /// The material of each tet.
    pub fn of_tets(&self) -> impl Iterator<Item = &MaterialSettings> {
        self.material_of.iter().filter_map(|&m| self.materials.get(m as usize))
    }

    /// Young's modulus of each tet, its factor included [Pa].
    pub fn youngs(&self) -> impl Iterator<Item = f64> {
        self.of_tets().enumerate().map(|(t, material)| material.young * self.stiffness.get(t).copied().unwrap_or(1.0))
    }

    /// Density of each tet [kg/m^3].
    pub fn densities(&self) -> Vec<f64> {
        self.of_tets().map(|material| material.density).collect()
    }
}

impl Matter for Solid {
    fn stiffer(&self, factor: f64, _: bool) -> String {
        format!("a Young's modulus {factor:.2} times as large")
    }

    fn masses(&self, mesh: &BodyMesh, rest: &[Vec3]) -> Vec<f64> {
        lumped::of_tets(mesh.tets(), rest, &self.densities())
    }

    fn mass_couplings(&self, mesh: &BodyMesh, rest: &[Vec3]) -> Option<MassCouplings> {
        Some(MassCouplings::of_cells(mesh.tets(), &lumped::tet_masses(mesh.tets(), rest, &self.densities())))
    }

    fn elements(&self, mesh: &BodyMesh, rest: &[Vec3], given: &[Vec3]) -> Result<Families, Degenerate> {
        let build = |settings: &MaterialSettings| Some((material::law(&settings.law)?.build)(settings.young, settings.poisson));
        let laws: Vec<_> = self.materials.iter().map(build).collect();
        let mut of_tets: Vec<_> = self.material_of.iter().filter_map(|&m| laws.get(m as usize)?.clone()).collect();
        for (t, (law, factor)) in of_tets.iter_mut().zip(&self.stiffness).enumerate().filter(|(_, (_, factor))| **factor != 1.0) {
            let settings = &self.materials[self.material_of[t] as usize];
            *law = build(&MaterialSettings { young: settings.young * factor, ..settings.clone() }).unwrap_or_else(|| law.clone());
        }
        let mut batch = Batch::at_rest(rest, mesh.tets(), &of_tets)?;
        batch.given_at(given);
        batch.damp(self.of_tets().map(|material| material.damping));
        Ok(vec![Box::new(batch)])
    }

    fn stiffness_factors(&self) -> &[f64] {
        &self.stiffness
    }
}

fn accepts(raw: &RawMesh) -> Result<(), String> {
    if raw.tets.is_empty() && raw.triangles.is_empty() {
        return Err("a solid is made of tets or of a closed surface, and the file has neither".into());
    }
    Ok(())
}

fn check(body: &Body, path: &str) -> Vec<SceneProblem> {
    let mut problems = Vec::new();
    if body.material.is_none() {
        problems.push(SceneProblem::at(format!("{path}.material"), "missing; add \"material\" (what it is made of)"));
    }
    if let Some(filling) = &body.tetrahedralise {
        if filling.tets.is_some() && filling.edge_length.is_some() {
            let message = "\"tets\" says how fine the mesh is already; leave one of the two out";
            problems.push(SceneProblem::at(format!("{path}.tetrahedralise.edge_length"), message));
        }
        if body.rest_mesh.is_some() {
            let message = "a surface that is filled has tets of its own, which no rest mesh can have; leave it out, or import tets";
            problems.push(SceneProblem::at(format!("{path}.rest_mesh"), message));
        }
    }
    for (r, _) in body.regions.iter().enumerate().filter(|(_, region)| matches!(region.role, RegionRole::As(_))) {
        let message = "the body is a solid; give the region the role \"material\"";
        problems.push(SceneProblem::at(format!("{path}.regions[{r}].role.as"), message));
    }
    problems
}

/// The material of the body, but where a region of material says otherwise; of two such regions the later.
fn matter(body: &Body, mesh: &BodyMesh, path: &str, problems: &mut Vec<SceneProblem>) -> Arc<dyn Matter> {
    let Some(own) = &body.material else {
        problems.extend(check(body, path));
        return Arc::new(Solid::default());
    };
    let mut choices = vec![(own, format!("{path}.material"))];
    let mut material_of = vec![0; mesh.tets().len()];
    for (r, region) in body.regions.iter().enumerate() {
        if let RegionRole::Material(settings) = &region.role {
            region_cells(mesh, region).iter().for_each(|&e| material_of[e as usize] = choices.len() as u32);
            choices.push((settings, format!("{path}.regions[{r}].role.material")));
        }
    }
    for (settings, path) in choices.iter().filter(|(settings, _)| material::law(&settings.law).is_none()) {
        problems.push(SceneProblem::at(format!("{path}.law"), format!("there is no law `{}`", settings.law)));
    }
    let stiffness = body.stiffness_field.as_ref().map_or_else(Vec::new, |field| cell_factors(field, mesh));
    Arc::new(Solid { materials: choices.into_iter().map(|(settings, _)| settings.clone()).collect(), material_of, stiffness })
}
