//! What the triangles of cloth are made of, and their elements: what resists stretching, and bending about the edges between them.

use std::sync::Arc;

use super::ClothSettings;
use super::bending::{BendingLaw, InnerEdge};
use super::stretching::Stretching;
use crate::bodies::{Degenerate, Families, Matter};
use crate::element::MembraneMaterial;
use crate::material::membrane::{MembraneLaw, Moduli};
use crate::math::Vec3;
use crate::mesh::health::{Mate, Mates};
use crate::mesh::{BodyMesh, Cells, lumped};

/// A sheet, but for its laws.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fabric {
    /// Stiffnesses against stretching.
    pub moduli: Moduli,
    /// Bending rigidity [N m].
    pub rigidity: f64,
    /// Mass per area [kg/m^2].
    pub density: f64,
    /// Stiffness-proportional damping of stretching [s].
    pub damping: f64,
    /// The same of bending [s].
    pub bending_damping: f64,
}

impl Fabric {
    /// What the settings of a body say.
    pub fn of(settings: &ClothSettings) -> Self {
        let plain = Moduli::isotropic(settings.stiffness, settings.poisson);
        let moduli =
            Moduli { weft: settings.weft_stiffness.unwrap_or(plain.weft), shear: settings.shear_stiffness.unwrap_or(plain.shear), ..plain };
        let ClothSettings { bending_stiffness, density, damping, bending_damping, .. } = *settings;
        Self { moduli, rigidity: bending_stiffness, density, damping, bending_damping }
    }
}

/// What the triangles of a body are made of.
#[derive(Debug)]
pub struct Cloth {
    pub(super) stretching: Stretching,
    pub(super) bending: &'static dyn BendingLaw,
    /// Whether springs along edges may only pull in a rest state that is solved for.
    pub(super) only_pull: bool,
    /// Direction of the warp at rest.
    pub(super) warp: Vec3,
    pub(super) fabrics: Vec<Fabric>,
    /// The fabric of each triangle.
    pub(super) fabric_of: Vec<usize>,
    /// Factor on the stiffness of each triangle; empty: 1 for all.
    pub(super) factors: Vec<f64>,
}

impl Cloth {
    pub(super) fn fabric(&self, triangle: usize) -> &Fabric {
        &self.fabrics[self.fabric_of[triangle]]
    }

    pub(super) fn factor(&self, triangle: usize) -> f64 {
        self.factors.get(triangle).copied().unwrap_or(1.0)
    }

    /// The material of each triangle: one for all that are alike.
    pub(super) fn materials(&self, law: &'static dyn MembraneLaw) -> Vec<Arc<MembraneMaterial>> {
        let of = |moduli| Arc::new(MembraneMaterial { law, moduli });
        let plain: Vec<_> = self.fabrics.iter().map(|fabric| of(fabric.moduli)).collect();
        let scaled = |t: usize| {
            let (factor, Moduli { warp, weft, shear, poisson }) = (self.factor(t), self.fabric(t).moduli);
            of(Moduli { warp: factor * warp, weft: factor * weft, shear: factor * shear, poisson })
        };
        let material = |t: usize| if self.factor(t) == 1.0 { Arc::clone(&plain[self.fabric_of[t]]) } else { scaled(t) };
        (0..self.fabric_of.len()).map(material).collect()
    }

    /// The edges between triangles that resist bending.
    fn bent(&self, triangles: &[[u32; 3]]) -> Vec<InnerEdge> {
        let edge = |([first, second], nodes): ([usize; 2], [u32; 4])| {
            let mean = |of: &dyn Fn(usize) -> f64| 0.5 * (of(first) + of(second));
            let rigidity = mean(&|t| self.factor(t) * self.fabric(t).rigidity);
            InnerEdge { nodes, triangle: first, rigidity, damping: mean(&|t| self.fabric(t).bending_damping) }
        };
        inner_edges(triangles).map(edge).filter(|edge| edge.rigidity > 0.0).collect()
    }
}

impl Matter for Cloth {
    fn masses(&self, mesh: &BodyMesh, rest: &[Vec3]) -> Vec<f64> {
        let densities: Vec<f64> = (0..self.fabric_of.len()).map(|t| self.fabric(t).density).collect();
        lumped::of_triangles(triangles_of(mesh), rest, &densities)
    }

    fn elements(&self, mesh: &BodyMesh, rest: &[Vec3], given: &[Vec3]) -> Result<Families, Degenerate> {
        let triangles = triangles_of(mesh);
        let mut families: Families = vec![self.stretched(triangles, rest, given)?];
        let bent = self.bent(triangles);
        if !bent.is_empty() {
            families.push(self.bending.family(&bent, rest, given)?);
        }
        Ok(families)
    }

    fn has_cell_elements(&self) -> bool {
        matches!(self.stretching, Stretching::Membranes(_))
    }

    fn stiffer(&self, factor: f64, bending: bool) -> String {
        let rigidity = self.fabrics.iter().map(|fabric| fabric.rigidity).fold(0.0, f64::max);
        match (bending, self.fabrics.len()) {
            (true, 1) => format!("a bending stiffness of {:.2e} N m ({factor:.2} times as large)", factor * rigidity),
            (true, _) => format!("bending stiffnesses {factor:.2} times as large"),
            (false, _) => format!("a stiffness and a bending stiffness {factor:.2} times as large"),
        }
    }

    fn stiffness_factors(&self) -> &[f64] {
        &self.factors
    }
}

fn triangles_of(mesh: &BodyMesh) -> &[[u32; 3]] {
    match &mesh.cells {
        Cells::Triangles(triangles) => triangles,
        _ => &[],
    }
}

/// The edges between two triangles: these, and the edge's ends with the corners across it, first that of the first triangle.
fn inner_edges(triangles: &[[u32; 3]]) -> impl Iterator<Item = ([usize; 2], [u32; 4])> {
    let mates = Mates::of(triangles).mates;
    (0u32..).zip(mates).filter_map(move |(side, mate)| {
        // Each once.
        let Mate::Side(other) = mate else { return None };
        let corner = |side: u32, k: u32| triangles[side as usize / 3][((side % 3 + k) % 3) as usize];
        (side < other)
            .then(|| ([side, other].map(|s| s as usize / 3), [corner(side, 0), corner(side, 1), corner(side, 2), corner(other, 2)]))
    })
}
