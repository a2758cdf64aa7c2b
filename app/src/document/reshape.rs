//! Changes of a whole region at once, over the edges of the surface that it is painted on.

use aplomb_sim::mesh::topology::DisjointSets;

use super::painted::Painted;
use crate::session::ModelBody;
use crate::theme::icons;

/// Cosine of the angle between faces up to which a surface goes on smoothly: 30 degrees.
const SMOOTH: f64 = 0.866_025_4;

/// What becomes of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reshape {
    /// One ring of vertices more.
    Grow,
    /// One ring of vertices less.
    Shrink,
    /// As far as the surface is smooth.
    Extend,
    /// All of each connected piece that it has part of.
    Fill,
    /// What it does not hold.
    Invert,
}

/// A change, for buttons and menus.
pub struct ReshapeEntry {
    /// The change.
    pub reshape: Reshape,
    /// Name of the command.
    pub label: &'static str,
    /// Its icon.
    pub icon: &'static str,
    /// What it does, in a sentence.
    pub doc: &'static str,
    change: fn(&Painted, &mut [bool]),
}

/// Every change.
pub const RESHAPES: &[ReshapeEntry] = &[
    ReshapeEntry {
        reshape: Reshape::Grow,
        label: "Grow region",
        icon: icons::GROW,
        doc: "Take in the vertices beside its own",
        change: |surface, held| surface.grow(held),
    },
    ReshapeEntry {
        reshape: Reshape::Shrink,
        label: "Shrink region",
        icon: icons::SHRINK,
        doc: "Leave out its vertices that have others beside them",
        change: |surface, held| {
            held.iter_mut().for_each(|held| *held = !*held);
            surface.grow(held);
            held.iter_mut().for_each(|held| *held = !*held);
        },
    },
    ReshapeEntry {
        reshape: Reshape::Extend,
        label: "Extend region to creases",
        icon: icons::EXTEND,
        doc: "Go on as far as the surface is smooth, to edges of more than 30°",
        change: |surface, held| surface.extend(held),
    },
    ReshapeEntry {
        reshape: Reshape::Fill,
        label: "Fill connected pieces",
        icon: icons::FILL,
        doc: "Take in all that hangs together with it",
        change: |surface, held| take_sets(surface.joined(surface.edges()), held),
    },
    ReshapeEntry {
        reshape: Reshape::Invert,
        label: "Invert region",
        icon: icons::INVERT,
        doc: "Hold what it does not hold, and nothing else",
        change: |surface, held| held.iter_mut().zip(surface.seen()).for_each(|(held, seen)| *held = seen && !*held),
    },
];

impl Reshape {
    /// Its entry.
    pub fn entry(self) -> &'static ReshapeEntry {
        // The list has each: a test walks it.
        RESHAPES.iter().find(|entry| entry.reshape == self).unwrap_or(&RESHAPES[0])
    }

    /// Changes which vertices of what is seen of `body` are held.
    pub fn apply(self, body: &ModelBody, held: &mut [bool]) {
        (self.entry().change)(&Painted::of(body), held);
    }
}

impl Painted<'_> {
    /// Takes in what lies beside what is held.
    fn grow(&self, held: &mut [bool]) {
        let before = held.to_vec();
        for [a, b] in self.edges().map(|ends| ends.map(|end| end as usize)) {
            if before[a] || before[b] {
                (held[a], held[b]) = (true, true);
            }
        }
    }

    /// The vertices that `edges` join.
    fn joined(&self, edges: impl Iterator<Item = [u32; 2]>) -> DisjointSets {
        let mut sets = DisjointSets::new(self.positions.len());
        edges.for_each(|[a, b]| sets.join(a, b));
        sets
    }

    /// Takes in the triangles that are reached across edges which are hardly bent, from those that are held whole, or else in part; and
    /// whole lines.
    fn extend(&self, held: &mut [bool]) {
        let mut sides: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * self.triangles.len());
        for (index, &[a, b, c]) in (0..).zip(self.triangles) {
            sides.extend([[a, b], [b, c], [c, a]].map(|[a, b]| ([a.min(b), a.max(b)], index)));
        }
        sides.sort_unstable();
        let mut smooth = DisjointSets::new(self.triangles.len());
        for pair in sides.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            if self.normal(self.triangles[pair[0].1 as usize]).dot(&self.normal(self.triangles[pair[1].1 as usize])) >= SMOOTH {
                smooth.join(pair[0].1, pair[1].1);
            }
        }
        let corners = |triangle: &[u32; 3]| triangle.iter().filter(|&&corner| held[corner as usize]).count();
        let least = if self.triangles.iter().any(|triangle| corners(triangle) == 3) { 3 } else { 1 };
        let mut reached: Vec<bool> = self.triangles.iter().map(|triangle| corners(triangle) >= least).collect();
        take_sets(smooth, &mut reached);
        take_sets(self.joined(self.lines.iter().copied()), held);
        let reached = self.triangles.iter().zip(reached).filter(|(_, reached)| *reached);
        reached.flat_map(|(triangle, _)| triangle).for_each(|&corner| held[corner as usize] = true);
    }
}

/// Takes all of each set that has a member which is taken.
fn take_sets(sets: DisjointSets, taken: &mut [bool]) {
    let number = sets.numbered();
    let mut of_set = vec![false; taken.len()];
    number.iter().zip(&*taken).for_each(|(&set, &taken)| of_set[set as usize] |= taken);
    number.iter().zip(taken).for_each(|(&set, taken)| *taken = of_set[set as usize]);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::sync::Arc;

    use super::*;
    use aplomb_sim::math::Vec3;
    use aplomb_sim::mesh::{BodyMesh, Cells};

    /// Two cubes side by side, each of 3 x 3 squares a side, with a vertex inside that no face has; then a line of three.
    fn body() -> ModelBody {
        let (mut positions, mut triangles): (Vec<Vec3>, Vec<[u32; 3]>) = (Vec::new(), Vec::new());
        for cube in 0..2 {
            let mut number = std::collections::BTreeMap::new();
            let mut vertex = |p: [i32; 3]| {
                *number.entry(p).or_insert_with(|| {
                    positions.push(Vec3::from(p.map(f64::from)) + 10.0 * f64::from(cube) * Vec3::x());
                    positions.len() as u32 - 1
                })
            };
            for axis in 0..3 {
                for (side, i, j) in [0, 3].into_iter().flat_map(|side| (0..9).map(move |k| (side, k % 3, k / 3))) {
                    let mut at = |i: i32, j: i32| {
                        let mut p = [side; 3];
                        (p[(axis + 1) % 3], p[(axis + 2) % 3]) = (i, j);
                        vertex(p)
                    };
                    let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                    // Outward on both sides.
                    triangles.extend(if side == 3 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
                }
            }
        }
        positions.push(Vec3::repeat(1.5));
        let first = positions.len() as u32;
        positions.extend((0..3).map(|k| Vec3::new(f64::from(k), 20.0, 0.0)));
        let mesh = BodyMesh { positions, cells: Cells::Lines(Vec::new()), ..BodyMesh::default() };
        ModelBody {
            name: "body".into(),
            nodes: 0..mesh.positions.len(),
            elements: 0..0,
            further: Vec::new(),
            mesh: Arc::new(mesh),
            triangles: triangles.into(),
            lines: [[first, first + 1], [first + 1, first + 2]].into(),
            skin: None,
        }
    }

    fn after(reshape: Reshape, body: &ModelBody, from: impl Fn(&Vec3) -> bool) -> Vec<Vec3> {
        let mut held: Vec<bool> = body.mesh.positions.iter().map(from).collect();
        reshape.apply(body, &mut held);
        body.mesh.positions.iter().zip(held).filter(|(_, held)| *held).map(|(p, _)| *p).collect()
    }

    #[test]
    fn regions_grow_and_shrink_by_rings() {
        let body = body();
        let corner = |p: &Vec3| *p == Vec3::zeros();
        let grown = after(Reshape::Grow, &body, corner);
        assert!(grown.contains(&Vec3::x()) && grown.iter().all(|p| p.amax() <= 1.0) && grown.len() >= 4, "{grown:?}");
        let top = |p: &Vec3| p.z == 3.0 && p.x <= 3.0;
        assert_eq!(after(Reshape::Shrink, &body, top).len(), 4, "what is beside the rim of the top is left");
        assert!(
            after(Reshape::Grow, &body, |_| false).is_empty() && after(Reshape::Shrink, &body, |_| true).len() == body.mesh.positions.len()
        );
        assert_eq!(after(Reshape::Grow, &body, |p| p.y == 20.0 && p.x == 0.0).len(), 2, "along lines");
    }

    #[test]
    fn regions_extend_to_creases_and_fill_pieces() {
        let body = body();
        let middle = |p: &Vec3| *p == Vec3::new(1.0, 1.0, 3.0);
        let extended = after(Reshape::Extend, &body, middle);
        assert!(extended.len() == 16 && extended.iter().all(|p| p.z == 3.0 && p.x <= 3.0), "{extended:?}");
        // A face and an edge of the next: that one is held in part only.
        let edge_on = |p: &Vec3| p.x <= 3.0 && (p.z == 3.0 || p.y == 3.0 && p.z == 2.0);
        assert_eq!(after(Reshape::Extend, &body, |p| edge_on(p) && p.z == 3.0).len(), 16);
        assert_eq!(after(Reshape::Extend, &body, edge_on).len(), 28);
        assert_eq!(after(Reshape::Extend, &body, |p| p.y == 20.0 && p.x == 0.0).len(), 3, "along lines");
        let filled = after(Reshape::Fill, &body, middle);
        assert!(filled.len() == 56 && filled.iter().all(|p| p.x <= 3.0 && p.y <= 3.0), "{}", filled.len());
    }

    #[test]
    fn what_is_inverted_is_on_the_surface_and_twice_is_once() {
        let body = body();
        let inside = |p: &Vec3| *p == Vec3::repeat(1.5);
        assert_eq!(after(Reshape::Invert, &body, inside).len(), 2 * 56 + 3);
        assert!(after(Reshape::Invert, &body, |_| true).is_empty());
        assert!(!after(Reshape::Invert, &body, |_| false).iter().any(inside));
        for entry in RESHAPES {
            assert_eq!((entry.reshape.entry().label, entry.doc.is_empty()), (entry.label, false));
        }
    }
}
