//! [`Elements`]: what the readers of finite-element meshes find, with vertices by the names that the file gives them.

use super::corners::{Corners, VertexNames};
use super::cursor::Cursor;
use super::faces::Faces;
use super::left_out::LeftOut;
use super::{ImportError, RawMesh};
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
            self.left_out.straightened(kind.name);
        }
    }

    /// The mesh, once the names of all vertices are known; faces of the tag t are in the group `group_name(t)`.
    pub fn finish(
        self,
        format: &'static str,
        vertices: &VertexNames,
        cursor: &mut Cursor,
        group_name: impl Fn(i32) -> String,
    ) -> Result<RawMesh, ImportError> {
        let mut raw = RawMesh {
            format,
            tets: self.tets.corners.resolve(vertices, cursor, "tet")?.0,
            tags: self.tets.tags,
            positions: self.positions,
            ..RawMesh::default()
        };
        self.left_out.tell(&mut raw);
        let triangles = self.triangles.corners.resolve(vertices, cursor, "triangle")?;
        let quads = self.quads.corners.resolve(vertices, cursor, "quadrangle")?;
        let mut tags = self.triangles.tags;
        tags.extend_from_slice(&self.quads.tags);
        let groups;
        (groups, raw.groups) = number_groups(&tags, group_name);
        let mut faces = Faces::default();
        faces.reserve(tags.len(), 3 * triangles.0.len() + 4 * quads.0.len());
        let corners = triangles.0.iter().map(<[u32; 3]>::as_slice).chain(quads.0.iter().map(<[u32; 4]>::as_slice));
        for (f, (corners, &offset)) in corners.zip(triangles.1.iter().chain(&quads.1)).enumerate() {
            corners.iter().for_each(|&corner| faces.corner(corner, None));
            faces.close(cursor, offset, groups.get(f).copied())?;
        }
        drop((triangles, quads, groups));
        faces.finish(cursor, Vec::new(), &mut raw)?;
        Ok(raw)
    }
}

/// The group of each face and the groups' names, in ascending order of their tags; nothing if there is but the tag 0.
fn number_groups(tags: &[i32], name: impl Fn(i32) -> String) -> (Vec<u32>, Vec<String>) {
    if tags.iter().all(|&tag| tag == 0) {
        return Default::default();
    }
    let mut distinct = tags.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let group = |tag: &i32| distinct.partition_point(|d| d < tag) as u32;
    (tags.iter().map(group).collect(), distinct.iter().map(|&tag| name(tag)).collect())
}
