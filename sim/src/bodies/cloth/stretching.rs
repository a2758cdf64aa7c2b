//! [`Stretching`]: how cloth resists stretching. Laws of membranes make an element of each triangle, springs one of each edge.

use super::Cloth;
use super::sheet::triangles_of;
use crate::bodies::Degenerate;
use crate::element::spring::{Clamp, SPRING_LAWS};
use crate::element::{Batch, Element, Family, Membrane, Spring, Unattainable};
use crate::material::membrane::{MEMBRANE_LAWS, MembraneLaw};
use crate::math::Vec3;
use crate::mesh::BodyMesh;
use crate::mesh::health::{Mate, Mates};

/// A way to resist stretching.
#[derive(Debug, Clone, Copy)]
pub enum Stretching {
    /// Membranes of this law.
    Membranes(&'static dyn MembraneLaw),
    /// Springs along all edges (Provot 1995): k = Y A / l^2 with the area A of the triangles beside an edge of length l. In triangles of equal
    /// sides they are a sheet of stiffness Y whose Poisson's ratio is 1/3; in others they are softer in some directions than in others. There
    /// are too few of them to be in balance in every shape: a curved sheet of V vertices, B of them on its boundary, has 3 V - 3 - B edges.
    EdgeSprings,
}

impl Stretching {
    /// Every way; the first is the default.
    pub fn all() -> impl Iterator<Item = Self> {
        MEMBRANE_LAWS.iter().map(|law| Self::Membranes(*law)).chain([Self::EdgeSprings])
    }

    /// The one of this name in scenes.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|law| law.name() == name)
    }

    /// Name in scenes.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Membranes(law) => law.name(),
            Self::EdgeSprings => "springs",
        }
    }

    /// Name for people.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Membranes(law) => law.label(),
            Self::EdgeSprings => "Springs along edges",
        }
    }

    /// One line for people.
    pub fn doc(&self) -> &'static str {
        match self {
            Self::Membranes(law) => law.doc(),
            Self::EdgeSprings => {
                "mass-spring cloth: a spring along each edge in place of membranes, as stiff as its triangles; what it resists depends on the mesh"
            }
        }
    }

    /// The energy, as `docs/laws.md` writes it: per rest area of membranes, of one edge for springs.
    pub fn formula(&self) -> &'static str {
        match self {
            Self::Membranes(law) => law.formula(),
            Self::EdgeSprings => "Y A/(2 l^2) (|x2 - x1| - l)^2",
        }
    }
}

/// Puts the names of all ways into the schema of a string.
pub fn list_laws(schema: &mut schemars::Schema) {
    schema.insert("enum".into(), Stretching::all().map(|law| law.name()).collect::<Vec<_>>().into());
    let told: Vec<_> = Stretching::all().map(|law| format!("{}: {}. {}", law.label(), law.doc(), law.formula())).collect();
    schema.insert("enumDescriptions".into(), told.into());
    schema.insert("x-labels".into(), Stretching::all().map(|law| law.label()).collect::<Vec<_>>().into());
}

impl Cloth {
    /// What resists stretching, undeformed in the pattern, or where nodes are at `rest` [m], whose given shape is `given` [m].
    pub(super) fn stretched(&self, mesh: &BodyMesh, rest: &[Vec3], given: &[Vec3]) -> Result<Box<dyn Family>, Degenerate> {
        match self.stretching {
            Stretching::Membranes(law) => self.membranes(law, mesh, rest, given),
            Stretching::EdgeSprings => self.edge_springs(triangles_of(mesh), rest, given),
        }
    }

    /// One membrane a triangle.
    fn membranes(
        &self,
        law: &'static dyn MembraneLaw,
        mesh: &BodyMesh,
        rest: &[Vec3],
        given: &[Vec3],
    ) -> Result<Box<dyn Family>, Degenerate> {
        let triangles = triangles_of(mesh);
        let (mut membranes, mut degenerate) = (Vec::with_capacity(triangles.len()), Vec::new());
        for (t, (corners, material)) in triangles.iter().zip(self.materials(law)).enumerate() {
            let at = |x: &[Vec3]| corners.map(|v| x[v as usize]);
            let made = match &mesh.pattern {
                Some(pattern) => Membrane::in_pattern(material, &pattern.corners(t), &at(rest)),
                None => Membrane::new(material, &self.warp, &at(rest)),
            };
            match made {
                Ok(mut membrane) => {
                    membrane.given_at(&at(given));
                    membrane.set_damping(self.fabric(t).damping);
                    membranes.push(membrane);
                }
                Err(why) => degenerate.push((t, why)),
            }
        }
        if degenerate.is_empty() { Ok(Box::new(Batch::new(membranes, triangles.to_vec()))) } else { Err(degenerate) }
    }

    /// One spring an edge.
    fn edge_springs(&self, triangles: &[[u32; 3]], rest: &[Vec3], given: &[Vec3]) -> Result<Box<dyn Family>, Degenerate> {
        let area = |t: usize| {
            let [a, b, c] = triangles[t].map(|v| rest[v as usize]);
            0.5 * (b - a).cross(&(c - a)).norm()
        };
        let (mut springs, mut nodes, mut degenerate) = (Vec::new(), Vec::new(), Vec::new());
        for (ends, beside) in edges(triangles) {
            let at = |x: &[Vec3]| ends.map(|v| x[v as usize]);
            let sum = |of: &dyn Fn(usize) -> f64| beside.iter().flatten().map(|&t| of(t) * area(t)).sum::<f64>();
            let [a, b] = at(rest);
            let areas = sum(&|_| 1.0);
            let stiffness = sum(&|t| self.factor(t) * self.fabric(t).moduli.warp) / (b - a).norm_squared();
            let made = if areas > 0.0 {
                Spring::new(&SPRING_LAWS[0], stiffness, Clamp::default(), &[a, b])
            } else {
                Err(Unattainable::Degenerate)
            };
            match made {
                Ok(spring) => {
                    // All edges together stand for all of the triangles.
                    let mut spring = spring.only_pulling(self.only_pull).standing_for(areas / 3.0);
                    spring.given_at(&at(given));
                    spring.set_damping(sum(&|t| self.fabric(t).damping) / areas);
                    springs.push(spring);
                    nodes.push(ends);
                }
                Err(why) => degenerate.extend(beside.iter().flatten().map(|&t| (t, why.clone()))),
            }
        }
        if degenerate.is_empty() { Ok(Box::new(Batch::new(springs, nodes))) } else { Err(degenerate) }
    }
}

/// The edges of triangles, each once, and the triangles beside each.
fn edges(triangles: &[[u32; 3]]) -> impl Iterator<Item = ([u32; 2], [Option<usize>; 2])> {
    (0u32..).zip(Mates::of(triangles).mates).filter_map(move |(side, mate)| {
        let triangle = |side: u32| side as usize / 3;
        let ends = [0, 1].map(|k| triangles[triangle(side)][((side % 3 + k) % 3) as usize]);
        match mate {
            Mate::Side(other) => (side < other).then(|| (ends, [Some(triangle(side)), Some(triangle(other))])),
            Mate::Open | Mate::Many => Some((ends, [Some(triangle(side)), None])),
            Mate::Void => None,
        }
    })
}
