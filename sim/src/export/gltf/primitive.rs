//! [`Primitive`]: a surface as glTF has it, where each vertex has one texture point.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::document::{Document, Target};
use crate::export::Surface;
use crate::math::Vec3;

/// The vertices and triangles of a surface there.
#[derive(Debug)]
pub struct Primitive {
    /// The point of each vertex.
    points: Vec<u32>,
    triangles: Vec<[u32; 3]>,
    /// Texture point of each vertex, v counted from the top; empty where there is none.
    texture: Vec<[f32; 2]>,
}

impl Primitive {
    /// All points in their order where there is no texture; otherwise one vertex for each pair of a point and a texture point,
    /// in the order in which the triangles use them.
    pub fn of(surface: &Surface) -> Self {
        if surface.texture.points.is_empty() {
            let points = (0..surface.points.len() as u32).collect();
            return Self { points, triangles: surface.triangles.clone(), texture: Vec::new() };
        }
        let mut primitive = Self { points: Vec::new(), triangles: Vec::new(), texture: Vec::new() };
        let mut known = BTreeMap::new();
        for (k, triangle) in surface.triangles.iter().enumerate() {
            let textures = surface.texture.triangles.get(k).copied().unwrap_or([u32::MAX; 3]);
            let mut corners = [0; 3];
            for (corner, pair) in corners.iter_mut().zip(triangle.iter().copied().zip(textures)) {
                *corner = *known.entry(pair).or_insert_with(|| primitive.add(surface, pair));
            }
            primitive.triangles.push(corners);
        }
        primitive
    }

    /// Number of vertices.
    pub fn vertices(&self) -> usize {
        self.points.len()
    }

    fn add(&mut self, surface: &Surface, (point, texture): (u32, u32)) -> u32 {
        self.points.push(point);
        let [u, v] = surface.texture.points.get(texture as usize).copied().unwrap_or([0.0, 1.0]);
        self.texture.push([u as f32, (1.0 - v) as f32]);
        self.points.len() as u32 - 1
    }

    /// What each vertex takes of a list of vectors of the points.
    pub fn gather(&self, vectors: &[Vec3]) -> Vec<[f32; 3]> {
        self.points.iter().map(|&v| vectors[v as usize]).map(|p| [p.x as f32, p.y as f32, p.z as f32]).collect()
    }

    /// Writes positions, normals, texture points and triangles; the primitive's JSON.
    pub fn write(&self, document: &mut Document, surface: &Surface) -> Value {
        let position = document.vectors(&self.gather(&surface.points), Target::Vertices);
        let normal = document.vectors(&self.gather(&surface.normals()), Target::Vertices);
        let mut attributes = json!({ "POSITION": position, "NORMAL": normal });
        if !self.texture.is_empty() {
            attributes["TEXCOORD_0"] = document.vectors(&self.texture, Target::Vertices).into();
        }
        json!({ "attributes": attributes, "indices": document.triangles(&self.triangles), "mode": 4 })
    }
}
