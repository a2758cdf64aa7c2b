//! What the triangles of cloth are made of, and their elements: what resists stretching, and bending about the edges between them.

use std::sync::Arc;

use super::bending::{BendingLaw, InnerEdge, Lever};
use super::filling;
use super::stretching::Stretching;
use super::{ClothSettings, Filling};
use crate::bodies::{Degenerate, Families, Matter};
use crate::element::{Batch, Element, MembraneMaterial, Stitch};
use crate::material::membrane::{MembraneLaw, Moduli};
use crate::math::Vec3;
use crate::mesh::health::{Mate, Mates};
use crate::mesh::{BodyMesh, Cells, MassCouplings, lumped};

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
    /// Whether its seams are closed where it is at rest.
    pub(super) closes: bool,
    pub(super) filling: Option<Filling>,
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

    /// Mass of each triangle [kg], where vertices are at `rest` [m].
    fn triangle_masses(&self, mesh: &BodyMesh, rest: &[Vec3]) -> Vec<f64> {
        let densities: Vec<f64> = (0..self.fabric_of.len()).map(|t| self.fabric(t).density).collect();
        match &mesh.pattern {
            // What is cut has its mass from there.
            Some(pattern) => densities.iter().enumerate().map(|(t, density)| density * pattern.area(t).abs()).collect(),
            None => lumped::triangle_masses(triangles_of(mesh), rest, &densities),
        }
    }

    /// The edges between triangles that resist bending.
    fn bent(&self, mesh: &BodyMesh) -> Vec<InnerEdge> {
        let edge = |(sides, nodes): ([u32; 2], [u32; 4])| {
            let [first, second] = sides.map(|side| side as usize / 3);
            let mean = |of: &dyn Fn(usize) -> f64| 0.5 * (of(first) + of(second));
            let cut = mesh.pattern.as_ref().map(|pattern| {
                let [k, l] = sides.map(|side| side as usize % 3);
                // Where the pattern is cut along it, an edge has two lengths.
                let length = 0.5 * (pattern.side(first, k) + pattern.side(second, l));
                Lever { length, areas: pattern.area(first).abs() + pattern.area(second).abs() }
            });
            let rigidity = mean(&|t| self.factor(t) * self.fabric(t).rigidity);
            InnerEdge { nodes, triangle: first, rigidity, damping: mean(&|t| self.fabric(t).bending_damping), cut }
        };
        inner_edges(triangles_of(mesh)).map(edge).filter(|edge| edge.rigidity > 0.0).collect()
    }

    /// The stitches, closed or as they are at `rest` [m]. What a vertex stands for of a border, half of the sides there, is sewn by a strip of the
    /// cloth as long as the triangle that it is sewn to: that has Y l / e as its stiffness, with the mean Y of both sides.
    fn stitches(&self, mesh: &BodyMesh, rest: &[Vec3], given: &[Vec3]) -> Result<Batch<Stitch, 4, 3>, Degenerate> {
        let triangles = triangles_of(mesh);
        let length = |t: usize, k: usize| match &mesh.pattern {
            Some(pattern) => pattern.side(t, k),
            None => (rest[triangles[t][(k + 1) % 3] as usize] - rest[triangles[t][k] as usize]).norm(),
        };
        let modulus = |t: usize| self.factor(t) * self.fabric(t).moduli.warp;
        let (mut border, mut moduli) = (vec![0.0; mesh.positions.len()], vec![(0.0, 0.0); mesh.positions.len()]);
        if !mesh.seams.is_empty() {
            for (t, k) in Mates::of(triangles).open().map(|side| (side as usize / 3, side as usize % 3)) {
                [k, (k + 1) % 3].into_iter().for_each(|end| border[triangles[t][end] as usize] += 0.5 * length(t, k));
            }
            for (t, v) in triangles.iter().enumerate().flat_map(|(t, corners)| corners.map(|v| (t, v as usize))) {
                moduli[v] = (moduli[v].0 + modulus(t), moduli[v].1 + 1.0);
            }
        }
        let (mut stitches, mut nodes, mut degenerate) = (Vec::new(), Vec::new(), Vec::new());
        for seam in &mesh.seams {
            let (t, v) = (seam.cell as usize, seam.vertex as usize);
            let edge = (0..3).map(|k| length(t, k)).sum::<f64>() / 3.0;
            // Inside of a panel it stands for as much as across.
            let strip = if border[v] > 0.0 { border[v] / edge } else { 1.0 };
            let stiffness = 0.5 * strip * (modulus(t) + moduli[v].0 / moduli[v].1);
            let [a, b, c] = triangles[t];
            let at = |x: &[Vec3]| [seam.vertex, a, b, c].map(|v| x[v as usize]);
            match Stitch::new(stiffness, seam.weights, self.closes, &at(rest)) {
                Ok(mut stitch) => {
                    stitch.given_at(&at(given));
                    stitch.set_damping(self.fabric(t).damping);
                    stitches.push(stitch);
                    nodes.push([seam.vertex, a, b, c]);
                }
                Err(why) => degenerate.push((t, why)),
            }
        }
        if degenerate.is_empty() { Ok(Batch::new(stitches, nodes)) } else { Err(degenerate) }
    }
}

impl Matter for Cloth {
    fn masses(&self, mesh: &BodyMesh, rest: &[Vec3]) -> Vec<f64> {
        lumped::of_cells(triangles_of(mesh), mesh.positions.len(), &self.triangle_masses(mesh, rest))
    }

    fn mass_couplings(&self, mesh: &BodyMesh, rest: &[Vec3]) -> Option<MassCouplings> {
        Some(MassCouplings::of_cells(triangles_of(mesh), &self.triangle_masses(mesh, rest)))
    }

    fn elements(&self, mesh: &BodyMesh, rest: &[Vec3], given: &[Vec3]) -> Result<Families, Degenerate> {
        let mut families: Families = vec![self.stretched(mesh, rest, given)?];
        let bent = self.bent(mesh);
        if !bent.is_empty() {
            families.push(self.bending.family(&bent, rest, given)?);
        }
        let stitches = self.stitches(mesh, rest, given)?;
        if !stitches.elements.is_empty() {
            families.push(Box::new(stitches));
        }
        if let Some(filling) = &self.filling {
            families.extend(filling::families(filling, mesh, rest, given)?);
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
            (false, _) if self.filling.is_some() => {
                format!("a stiffness, a bending stiffness and a bulk modulus of the filling {factor:.2} times as large")
            }
            (false, _) => format!("a stiffness and a bending stiffness {factor:.2} times as large"),
        }
    }

    fn stiffness_factors(&self) -> &[f64] {
        &self.factors
    }
}

pub(super) fn triangles_of(mesh: &BodyMesh) -> &[[u32; 3]] {
    match &mesh.cells {
        Cells::Triangles(triangles) => triangles,
        _ => &[],
    }
}

/// The edges between two triangles: the sides of these, and the edge's ends with the corners across it, first that of the first triangle.
fn inner_edges(triangles: &[[u32; 3]]) -> impl Iterator<Item = ([u32; 2], [u32; 4])> {
    let mates = Mates::of(triangles).mates;
    (0u32..).zip(mates).filter_map(move |(side, mate)| {
        // Each once.
        let Mate::Side(other) = mate else { return None };
        let corner = |side: u32, k: u32| triangles[side as usize / 3][((side % 3 + k) % 3) as usize];
        (side < other).then(|| ([side, other], [corner(side, 0), corner(side, 1), corner(side, 2), corner(other, 2)]))
    })
}
