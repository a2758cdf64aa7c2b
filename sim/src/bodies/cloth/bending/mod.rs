//! [`BENDING_LAWS`]: how cloth resists bending about the edges between its triangles.

mod hinges;
mod isometric;
mod wing_springs;

use std::fmt::Debug;

use crate::bodies::Degenerate;
use crate::element::hinge::HINGE_LAWS;
use crate::element::{Batch, Element, Family, Unattainable};
use crate::math::Vec3;
use isometric::Isometric;
use wing_springs::WingSprings;

/// An edge between two triangles, about which they resist bending.
#[derive(Debug, Clone, Copy)]
pub struct InnerEdge {
    /// Its ends, and the corners across it, first that of the first triangle.
    pub nodes: [u32; 4],
    /// The first of its triangles.
    pub triangle: usize,
    /// Bending rigidity [N m].
    pub rigidity: f64,
    /// Stiffness-proportional damping [s].
    pub damping: f64,
    /// What it is of the sewing pattern, if that is the rest shape.
    pub cut: Option<Lever>,
}

/// An edge between two triangles that lie flat in a sewing pattern.
#[derive(Debug, Clone, Copy)]
pub struct Lever {
    /// Its length there [m].
    pub length: f64,
    /// Area of both triangles there [m^2].
    pub areas: f64,
}

/// A way to resist bending.
pub trait BendingLaw: Debug + Send + Sync {
    /// Name in scenes.
    fn name(&self) -> &'static str;
    /// Name for people.
    fn label(&self) -> &'static str;
    /// One line for people.
    fn doc(&self) -> &'static str;
    /// The energy, as `docs/laws.md` writes it.
    fn formula(&self) -> &'static str;
    /// Whether it can rest in a sewing pattern.
    fn knows_patterns(&self) -> bool {
        false
    }
    /// One element for each edge, undeformed where nodes are at `rest` [m], whose given shape is `given` [m].
    ///
    /// # Errors
    /// The first triangles of the edges that no element can be made on, and why.
    fn family(&'static self, edges: &[InnerEdge], rest: &[Vec3], given: &[Vec3]) -> Result<Box<dyn Family>, Degenerate>;
}

/// Every law; the first is the default.
pub static BENDING_LAWS: &[&dyn BendingLaw] = &[&HINGE_LAWS[0], &HINGE_LAWS[1], &Isometric, &WingSprings];

/// The elements that `make` makes of each edge and where its four nodes are undeformed, on those of its nodes that `of` tells.
fn family_of<E: Element<N, 1>, const N: usize>(
    edges: &[InnerEdge],
    (rest, given): (&[Vec3], &[Vec3]),
    of: impl Fn([u32; 4]) -> [u32; N],
    make: impl Fn(&InnerEdge, &[Vec3; 4]) -> Result<E, Unattainable>,
) -> Result<Box<dyn Family>, Degenerate> {
    let (mut elements, mut nodes, mut degenerate) = (Vec::with_capacity(edges.len()), Vec::with_capacity(edges.len()), Vec::new());
    for edge in edges {
        let own = of(edge.nodes);
        match make(edge, &edge.nodes.map(|v| rest[v as usize])) {
            Ok(mut element) => {
                element.given_at(&own.map(|v| given[v as usize]));
                element.set_damping(edge.damping);
                elements.push(element);
                nodes.push(own);
            }
            Err(why) => degenerate.push((edge.triangle, why)),
        }
    }
    if degenerate.is_empty() { Ok(Box::new(Batch::new(elements, nodes))) } else { Err(degenerate) }
}

/// Name of the law for which none is named.
pub fn first_law() -> String {
    BENDING_LAWS[0].name().into()
}

/// Puts the names of the laws into the schema of a string.
pub fn list_laws(schema: &mut schemars::Schema) {
    schema.insert("enum".into(), BENDING_LAWS.iter().map(|law| law.name()).collect::<Vec<_>>().into());
    let told: Vec<_> = BENDING_LAWS.iter().map(|law| format!("{}: {}. {}", law.label(), law.doc(), law.formula())).collect();
    schema.insert("enumDescriptions".into(), told.into());
    schema.insert("x-labels".into(), BENDING_LAWS.iter().map(|law| law.label()).collect::<Vec<_>>().into());
}

/// The law of that name.
pub fn bending_law(name: &str) -> Option<&'static dyn BendingLaw> {
    BENDING_LAWS.iter().copied().find(|law| law.name() == name)
}
