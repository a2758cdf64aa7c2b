//! Solids of groups of particles: cells cut out of a surface, tets, or sets of vertices of tets, each with one deformation gradient.

mod placing;
mod rings;
mod settings;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod xpbd_tests;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use settings::{GroupSettings, Sort};

use super::stiffness::cell_factors;
use super::unfilled::{self, Fault, Words};
use super::{BodyKind, Degenerate, Families, Matter};
use crate::element::Corners;
use crate::element::{Family, Group, Groups};
use crate::import::RawMesh;
use crate::material::{self, Material};
use crate::math::Vec3;
use crate::mesh::{BodyMesh, lumped};
use crate::scene::{Body, MaterialSettings, SceneProblem};

/// Name of the kind.
pub const NAME: &str = "groups";

const WORDS: Words = Words { name: NAME, has_its: "groups have their", has: "groups have" };

/// Bodies of groups.
pub(super) const KIND: BodyKind = BodyKind {
    name: NAME,
    label: "Groups",
    doc: "a solid of groups of particles: cells cut out of a surface by a grid, or sets of the vertices of tets (shape matching)",
    settings: Some(GroupSettings::schema),
    region_settings: None,
    check,
    imported: |raw, unit| serde_json::to_value(imported(raw, unit)).ok(),
    accepts,
    place: placing::place,
    matter,
};

/// What a body of groups is made of.
#[derive(Debug)]
pub struct GroupMatter {
    settings: GroupSettings,
    /// Factor on the stiffness of each cell of the mesh; empty: 1 for all.
    factors: Vec<f64>,
}

impl GroupMatter {
    /// The vertices of each group and its volume with the vertices at `rest` [m^3].
    fn groups<'a>(&self, mesh: &'a BodyMesh, rest: &[Vec3]) -> Vec<(&'a [u32], f64)> {
        let volumes = lumped::tet_masses(mesh.tets(), rest, &vec![1.0; mesh.tets().len()]);
        match self.settings.of {
            Sort::Tets => mesh.tets().iter().map(|tet| &tet[..]).zip(volumes).collect(),
            Sort::Cells => mesh.clusters.iter().zip(mesh.clusters.volumes.iter().copied()).collect(),
            Sort::Rings | Sort::Spheres => {
                let of_vertices = lumped::of_cells(mesh.tets(), rest.len(), &volumes);
                mesh.clusters.iter().zip(of_vertices).collect()
            }
        }
    }

    /// Factor on the stiffness of each group, of the cells: those that are groups themselves, or those that its vertices are of.
    fn factors_of(&self, mesh: &BodyMesh, groups: &[(&[u32], f64)]) -> Vec<f64> {
        if self.factors.is_empty() || self.settings.of == Sort::Tets {
            return self.factors.clone();
        }
        let mut of_vertices = vec![(0.0, 0.0); mesh.positions.len()];
        for (cell, factor) in mesh.cells.iter().zip(&self.factors) {
            for &v in cell {
                let (sum, count) = &mut of_vertices[v as usize];
                (*sum, *count) = (*sum + factor.ln(), *count + 1.0);
            }
        }
        let mean = |vertices: &[u32]| {
            let all = vertices.iter().map(|&v| of_vertices[v as usize]);
            let (sum, count) = all.fold((0.0, 0.0), |(sum, count), own| (sum + own.0, count + own.1));
            if count > 0.0 { f64::exp(sum / count) } else { 1.0 }
        };
        groups.iter().map(|(vertices, _)| mean(vertices)).collect()
    }

    fn law(&self, factor: f64) -> Arc<dyn Material> {
        let MaterialSettings { law, young, poisson, .. } = &self.settings.material;
        let law = material::law(law).unwrap_or(&material::MATERIALS[0]);
        (law.build)(factor * young, *poisson)
    }
}

impl Matter for GroupMatter {
    /// Groups that are cells or tets give each of their vertices the same share of their mass.
    fn masses(&self, mesh: &BodyMesh, rest: &[Vec3]) -> Vec<f64> {
        let density = self.settings.material.density;
        if self.settings.of != Sort::Cells {
            return lumped::of_tets(mesh.tets(), rest, &vec![density; mesh.tets().len()]);
        }
        let mut masses = vec![0.0; rest.len()];
        for (vertices, volume) in self.groups(mesh, rest) {
            vertices.iter().for_each(|&v| masses[v as usize] += density * volume / vertices.len() as f64);
        }
        masses
    }

    /// Places are averaged by the masses that particles move with, so that putting a group into its shape leaves its momentum.
    fn elements(&self, mesh: &BodyMesh, rest: &[Vec3], given: &[Vec3]) -> Result<Families, Degenerate> {
        let masses = self.masses(mesh, rest);
        let groups = self.groups(mesh, rest);
        let factors = self.factors_of(mesh, &groups);
        let law = self.law(1.0);
        let mut by_width: BTreeMap<usize, (Vec<Group>, Vec<u32>)> = BTreeMap::new();
        let mut degenerate = Vec::new();
        for (g, (vertices, volume)) in groups.iter().enumerate() {
            let own = factors.get(g).copied().unwrap_or(1.0);
            let law = if own == 1.0 { law.clone() } else { self.law(own) };
            let weights: Vec<f64> = vertices.iter().map(|&v| masses[v as usize]).collect();
            match Group::new(law, *volume, &weights, &Corners::new(rest, vertices)) {
                Ok(mut group) => {
                    group.set_damping(self.settings.material.damping);
                    let (elements, nodes) = by_width.entry(vertices.len()).or_default();
                    elements.push(group);
                    nodes.extend_from_slice(vertices);
                }
                Err(why) => degenerate.push((g, why)),
            }
        }
        if !degenerate.is_empty() {
            return Err(degenerate);
        }
        let family = |(width, (elements, nodes))| {
            let mut family = Groups::new(width, elements, nodes);
            family.given_at(given);
            Box::new(family) as Box<dyn Family>
        };
        Ok(by_width.into_iter().map(family).collect())
    }

    fn has_cell_elements(&self) -> bool {
        self.settings.of == Sort::Tets
    }

    fn stiffer(&self, factor: f64, _: bool) -> String {
        format!("a Young's modulus {factor:.2} times as large")
    }

    fn stiffness_factors(&self) -> &[f64] {
        &self.factors
    }
}

/// The settings of a body of groups.
///
/// # Errors
/// In words, what does not fit.
pub fn settings_of(body: &Body) -> Result<GroupSettings, String> {
    let settings: GroupSettings = body.kind.as_ref().filter(|kind| kind.kind == NAME).ok_or("the body is not of groups")?.parse()?;
    match fault_of(&settings) {
        Some((_, message)) => Err(message),
        None => Ok(settings),
    }
}

/// What is wrong with settings beside their types and limits.
fn fault_of(settings: &GroupSettings) -> Option<Fault> {
    let MaterialSettings { law, poisson, .. } = &settings.material;
    match (material::law(law), settings.size) {
        (None, _) => Some((Some("material.law"), format!("there is no law `{law}`"))),
        (Some(law), _) if !law.poisson.contains(poisson) => {
            let (least, most) = (law.poisson.start, law.poisson.end);
            Some((Some("material.poisson"), format!("`{}` has Poisson's ratios from {least} to below {most}", law.name)))
        }
        (_, None) if settings.of.has_size() => {
            Some((Some("size"), "missing; add \"size\", the edge of a cell or the radius of a sphere [m]".into()))
        }
        (_, Some(_)) if !settings.of.has_size() => Some((Some("size"), "only cells and spheres have one; leave it out".into())),
        _ => None,
    }
}

fn accepts(raw: &RawMesh) -> Result<(), String> {
    if raw.tets.is_empty() && raw.triangles.is_empty() {
        return Err("groups are made of tets or of a closed surface, and the file has neither".into());
    }
    Ok(())
}

/// Cells along the longest side of what is imported.
const IMPORTED: f64 = 12.0;

/// Settings that suit what is in a file, whose coordinates are in this unit [m].
fn imported(raw: &RawMesh, unit: f64) -> GroupSettings {
    let material = MaterialSettings::default();
    if !raw.tets.is_empty() {
        return GroupSettings { material, of: Sort::Tets, size: None };
    }
    let (low, high) = crate::math::bounding_box(&raw.positions);
    let size = (unit * (high - low).max() / IMPORTED).clamp(1e-6, 1e6);
    let digit = 10f64.powf(size.log10().floor() - 1.0);
    GroupSettings { material, of: Sort::Cells, size: Some((size / digit).ceil() * digit) }
}

fn check(body: &Body, path: &str) -> Vec<SceneProblem> {
    let parsed = body.kind.as_ref().map(|kind| kind.parse::<GroupSettings>());
    let fault = match parsed {
        Some(Ok(settings)) => fault_of(&settings),
        Some(Err(message)) => Some((None, message)),
        None => None,
    };
    unfilled::problems(&WORDS, body, path, fault, |_| Some((None, "groups are the same everywhere; leave this role out".into())))
}

fn matter(body: &Body, mesh: &BodyMesh, path: &str, problems: &mut Vec<SceneProblem>) -> Arc<dyn Matter> {
    problems.extend(check(body, path));
    let tets = GroupSettings { material: MaterialSettings::default(), of: Sort::Tets, size: None };
    let settings = settings_of(body).unwrap_or(tets);
    let factors = body.stiffness_field.as_ref().map_or_else(Vec::new, |field| cell_factors(field, mesh));
    Arc::new(GroupMatter { settings, factors })
}
