//! [`Elements`]: what the readers of finite-element meshes find, with vertices by the names that the file gives them.

use super::corners::{Corners, VertexNames};
use super::cursor::Cursor;
use super::left_out::LeftOut;
use super::{ImportError, Lists, RawMesh};
use crate::math::Vec3;

/// What an element of a file becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Triangle,
    Quad,
    Tet,
    /// Counted and left out.
    Other,
}

impl Shape {
    /// Number of corners; they are an element's first nodes, whatever its order.
    pub fn corners(self) -> usize {
        match self {
            Self::Triangle => 3,
            Self::Quad | Self::Tet => 4,
            Self::Other => 0,
        }
    }
}

/// A kind of element of some format.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    pub shape: Shape,
    /// Nodes an element; those behind the corners lie on its edges, faces and inside.
    pub nodes: usize,
    /// Plural.
    pub name: &'static str,
}

/// What has been read so far.
#[derive(Default)]
pub struct Elements {
    pub positions: Vec<Vec3>,
    pub left_out: LeftOut,
    tets: Tagged<4>,
    triangles: Tagged<3>,
    quads: Tagged<4>,
    /// Elements whose nodes behind the corners were left out.
    straightened: Vec<(&'static str, usize)>,
}

#[derive(Default)]
struct Tagged<const N: usize> {
    corners: Corners<N>,
    tags: Vec<i32>,
}

impl<const N: usize> Tagged<N> {
    fn push(&mut self, offset: usize, tag: i32, corners: &[i64]) {
        if let Some(&corners) = corners.first_chunk() {
            self.corners.push(offset, corners);
            self.tags.push(tag);
        }
    }
}

impl Elements {
    /// Makes room for `count` elements of one kind.
    pub fn reserve(&mut self, shape: Shape, count: usize) {
        let tags = match shape {
            Shape::Triangle => (self.triangles.corners.reserve(count), &mut self.triangles.tags).1,
            Shape::Quad => (self.quads.corners.reserve(count), &mut self.quads.tags).1,
            Shape::Tet => (self.tets.corners.reserve(count), &mut self.tets.tags).1,
            Shape::Other => return,
        };
        tags.reserve(count);
    }

    /// Adds an element read at `offset`; of its nodes only the corners need be given.
    pub fn push(&mut self, offset: usize, kind: &Kind, tag: i32, corners: &[i64]) {
        match kind.shape {
            Shape::Triangle => self.triangles.push(offset, tag, corners),
            Shape::Quad => self.quads.push(offset, tag, corners),
            Shape::Tet => self.tets.push(offset, tag, corners),
            Shape::Other => return self.left_out.elements(kind.name, 1),
        }
        if kind.nodes > kind.shape.corners() {
            match self.straightened.iter_mut().find(|(name, _)| *name == kind.name) {
                Some((_, count)) => *count += 1,
                None => self.straightened.push((kind.name, 1)),
            }
        }
    }

    /// The mesh, once the names of all vertices are known; faces of the tag t are in the group `group_name(t)`.
    pub fn finish(
        mut self,
        format: &'static str,
        vertices: &VertexNames,
        cursor: &Cursor,
        group_name: impl Fn(i32) -> String,
    ) -> Result<RawMesh, ImportError> {
        for (name, count) in self.straightened {
            self.left_out.note(format!("{count} {name} were straightened to their corners; their other nodes belong to no element"));
        }
        let triangles = self.triangles.corners.resolve(vertices, cursor, "triangle")?;
        let quads = self.quads.corners.resolve(vertices, cursor, "quadrangle")?;
        let mut raw = RawMesh {
            format,
            tets: self.tets.corners.resolve(vertices, cursor, "tet")?,
            tags: self.tets.tags,
            positions: self.positions,
            ..RawMesh::default()
        };
        let mut tags = self.triangles.tags;
        if !quads.is_empty() {
            raw.polygons = Lists::of(triangles.iter().map(<[u32; 3]>::as_slice).chain(quads.iter().map(<[u32; 4]>::as_slice)));
            tags.extend(self.quads.tags.iter().flat_map(|&tag| [tag; 2]));
        }
        raw.triangles = triangles;
        raw.triangles.extend(quads.iter().flat_map(|&quad| halves(&raw.positions, quad)));
        (raw.triangle_groups, raw.groups) = groups(&tags, group_name);
        self.left_out.tell(&mut raw);
        Ok(raw)
    }
}

/// The group of each face and the groups' names, in ascending order of their tags; nothing if there is but the tag 0.
fn groups(tags: &[i32], name: impl Fn(i32) -> String) -> (Vec<u32>, Vec<String>) {
    if tags.iter().all(|&tag| tag == 0) {
        return Default::default();
    }
    let mut distinct = tags.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let group = |tag: &i32| distinct.partition_point(|d| d < tag) as u32;
    (tags.iter().map(group).collect(), distinct.iter().map(|&tag| name(tag)).collect())
}

/// A quadrangle as two triangles that face the same way, if there are such; along the shorter diagonal otherwise.
fn halves(positions: &[Vec3], [a, b, c, d]: [u32; 4]) -> [[u32; 3]; 2] {
    let at = |v: u32| positions[v as usize];
    let area = |[p, q, r]: [u32; 3]| (at(q) - at(p)).cross(&(at(r) - at(p)));
    let [first, second] = [[[a, b, c], [a, c, d]], [[b, c, d], [b, d, a]]];
    let agree = |[one, other]: [[u32; 3]; 2]| area(one).dot(&area(other)) > 0.0;
    let second_is_shorter = (at(b) - at(d)).norm_squared() < (at(a) - at(c)).norm_squared();
    match (agree(first), agree(second)) {
        (true, false) => first,
        (false, true) => second,
        _ if second_is_shorter => second,
        _ => first,
    }
}
