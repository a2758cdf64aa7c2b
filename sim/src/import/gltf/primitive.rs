//! The primitives of a glTF scene, measured and then put together.

use super::super::{ImportError, RawMesh, Texture};
use super::Document;
use super::accessor::{self, Use};
use super::json::Primitive;
use super::scene::{Draw, Share};
use crate::math::Vec3;

/// How a primitive makes triangles of its corners.
const STRIP: u32 = 5;
const FAN: u32 = 6;

impl Primitive {
    /// Whether it is made of triangles.
    pub fn is_surface(&self) -> bool {
        matches!(self.mode, None | Some(4 | STRIP | FAN))
    }

    /// Number of triangles that `corners` make.
    fn triangles(&self, corners: usize) -> usize {
        if self.mode.is_some_and(|mode| mode != 4) { corners.saturating_sub(2) } else { corners / 3 }
    }

    /// Triangle `t` as places among the corners.
    fn corners(&self, t: usize) -> [usize; 3] {
        match self.mode {
            Some(STRIP) => [t, t + 1 + t % 2, t + 2 - t % 2],
            Some(FAN) => [t + 1, t + 2, 0],
            _ => [3 * t, 3 * t + 1, 3 * t + 2],
        }
    }
}

/// Number of corners of a primitive.
fn corner_count(document: &Document, draw: &Draw) -> Result<usize, ImportError> {
    let indices = draw.primitive.indices.map(|indices| accessor::numbers::<1>(document, indices, Use::Indices));
    Ok(indices.transpose()?.map_or(draw.vertices.count, |indices| indices.count))
}

/// What a scene takes, before any of it is read: a small file may use a large mesh a thousand times.
pub struct Size {
    vertices: usize,
    points: usize,
    triangles: usize,
    groups: usize,
    /// Bytes of the names of groups.
    names: usize,
    /// Most corners of a primitive.
    corners: usize,
    /// Bytes that may be taken.
    limit: usize,
}

impl Size {
    /// Of nothing yet, in a file of so many bytes.
    pub fn new(bytes: usize) -> Self {
        let limit = bytes.saturating_mul(16).saturating_add(1 << 19);
        Self { vertices: 0, points: 0, triangles: 0, groups: 0, names: 0, corners: 0, limit }
    }

    /// Adds one use of a primitive.
    pub fn add(&mut self, document: &Document, draw: &Draw) -> Result<(), ImportError> {
        let corners = corner_count(document, draw)?;
        let new = |share: &Share| if share.is_new { share.count } else { 0 };
        self.vertices = self.vertices.saturating_add(new(&draw.vertices));
        self.points = self.points.saturating_add(draw.texture.as_ref().map_or(0, new));
        self.triangles = self.triangles.saturating_add(draw.primitive.triangles(corners));
        self.groups += 1;
        self.names += draw.name.len();
        self.corners = self.corners.max(corners);
        let per_triangle = if self.points > 0 { 28 } else { 16 };
        // A name has a header of its own, and takes no less than 32 bytes.
        let parts =
            [(self.vertices, 24), (self.points, 16), (self.triangles, per_triangle), (self.groups, 56), (self.names, 1), (self.corners, 4)];
        let bytes = parts.iter().fold(0_usize, |sum, &(count, size)| sum.saturating_add(count.saturating_mul(size)));
        if bytes > self.limit {
            let message = format!(
                "over {} vertices and {} triangles, far more than the file's size holds: it uses meshes many times; \
                 export only what is to be simulated, with its copies as meshes of their own",
                self.vertices, self.triangles
            );
            return Err(document.error(message));
        }
        Ok(())
    }
}

/// The mesh while it is put together.
pub struct MeshBuilder {
    mesh: RawMesh,
    texture: Texture,
    corners: Vec<u32>,
    repeated: usize,
    incomplete: usize,
}

impl MeshBuilder {
    /// With room for all of a scene.
    pub fn new(size: &Size, mut mesh: RawMesh) -> Self {
        mesh.positions.reserve_exact(size.vertices);
        mesh.triangles.reserve_exact(size.triangles);
        mesh.triangle_groups.reserve_exact(size.triangles);
        mesh.groups.reserve_exact(size.groups);
        let triangles = if size.points > 0 { size.triangles } else { 0 };
        let texture = Texture { points: Vec::with_capacity(size.points), triangles: Vec::with_capacity(triangles) };
        Self { mesh, texture, corners: Vec::with_capacity(size.corners), repeated: 0, incomplete: 0 }
    }

    /// Adds one use of a primitive.
    pub fn add(&mut self, document: &Document, draw: &Draw) -> Result<(), ImportError> {
        document.watch.check()?;
        if draw.vertices.is_new {
            self.positions(document, draw)?;
        }
        if let Some(texture) = draw.texture.filter(|texture| texture.is_new) {
            // Here v counts downwards from the top of the picture.
            self.texture.points.resize(texture.first + texture.count, [0.0; 2]);
            let points = &mut self.texture.points[texture.first..];
            accessor::numbers(document, texture.accessor, Use::Vectors)?.each(|i, [u, v]| points[i] = [u, 1.0 - v]);
        }
        self.read_corners(document, draw)?;
        let count = draw.primitive.triangles(self.corners.len());
        if draw.primitive.mode.is_none_or(|mode| mode == 4) && !self.corners.len().is_multiple_of(3) {
            self.incomplete += 1;
        }
        // A mirror turns all triangles round, which the format asks to be undone.
        let is_mirrored = draw.transform.linear.determinant() < 0.0;
        let group = self.mesh.groups.len() as u32;
        self.mesh.groups.push(draw.name.clone());
        for t in 0..count {
            let [a, b, c] = draw.primitive.corners(t).map(|corner| self.corners[corner]);
            let triangle = if is_mirrored { [a, c, b] } else { [a, b, c] };
            if a == b || b == c || c == a {
                self.repeated += 1;
                continue;
            }
            self.mesh.triangles.push(triangle.map(|v| v + draw.vertices.first as u32));
            self.mesh.triangle_groups.push(group);
            if self.texture.triangles.capacity() > 0 {
                self.texture.triangles.push(draw.texture.map_or([u32::MAX; 3], |texture| triangle.map(|v| v + texture.first as u32)));
            }
        }
        Ok(())
    }

    fn positions(&mut self, document: &Document, draw: &Draw) -> Result<(), ImportError> {
        let share = draw.vertices;
        self.mesh.positions.resize(share.first + share.count, Vec3::zeros());
        let positions = &mut self.mesh.positions[share.first..];
        accessor::numbers(document, share.accessor, Use::Vectors)?.each(|i, point| positions[i] = Vec3::from(point));
        for (i, position) in positions.iter_mut().enumerate() {
            let point = *position;
            *position = draw.transform.apply(point);
            if !position.iter().all(|c| c.is_finite()) {
                let [mesh, primitive] = draw.place;
                return Err(document.error(format!(
                    "`{}` (mesh {mesh}, primitive {primitive}): vertex {i} lies at ({}, {}, {}); every coordinate must be a finite number",
                    draw.name, point.x, point.y, point.z
                )));
            }
        }
        Ok(())
    }

    /// The vertices of all corners, from the first of the primitive on.
    fn read_corners(&mut self, document: &Document, draw: &Draw) -> Result<(), ImportError> {
        let count = draw.vertices.count;
        self.corners.clear();
        let Some(indices) = draw.primitive.indices else {
            self.corners.extend(0..count as u32);
            return Ok(());
        };
        let indices = accessor::numbers::<1>(document, indices, Use::Indices)?;
        self.corners.resize(indices.count, 0);
        indices.each(|i, [index]| self.corners[i] = index as u32);
        match self.corners.iter().find(|&&v| v as usize >= count) {
            None => Ok(()),
            Some(v) => {
                let [mesh, primitive] = draw.place;
                Err(document
                    .error(format!("mesh {mesh}, primitive {primitive} refers to vertex {v}, but has only {count}; the file is damaged")))
            }
        }
    }

    /// The mesh.
    pub fn finish(self) -> RawMesh {
        let Self { mut mesh, texture, repeated, incomplete, .. } = self;
        if repeated > 0 {
            mesh.notes.push(format!("{repeated} triangles that name a vertex twice were left out"));
        }
        if incomplete > 0 {
            mesh.notes.push(format!("{incomplete} primitives end within a triangle, which was left out"));
        }
        if texture.points.as_flattened().iter().all(|c| c.is_finite()) {
            mesh.texture = texture;
        } else {
            mesh.notes.push("some texture points are no numbers; the texture was left out".into());
        }
        mesh
    }
}
