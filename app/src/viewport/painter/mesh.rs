//! A triangle mesh on the graphics card.

use three_d::{Context, ElementBuffer, Program, RenderStates, Vec3, Vec4, VertexBuffer, Viewport};

use crate::drawing::dissect::{Blend, Plane, cut};

/// Positions, normals, colours and triangles. three-d's own `Mesh` cannot replace the positions of an indexed mesh.
pub(super) struct Mesh {
    positions: VertexBuffer<Vec3>,
    normals: VertexBuffer<Vec3>,
    colors: VertexBuffer<Vec4>,
    elements: ElementBuffer<u32>,
}

impl Mesh {
    /// An empty mesh.
    pub fn new(context: &Context) -> Self {
        Self {
            positions: VertexBuffer::new(context),
            normals: VertexBuffer::new(context),
            colors: VertexBuffer::new(context),
            elements: ElementBuffer::new(context),
        }
    }

    /// Replaces what changes from frame to frame; one value a vertex each.
    pub fn fill(&mut self, positions: &[Vec3], normals: &[Vec3], colors: &[Vec4]) {
        self.positions.fill(positions);
        self.normals.fill(normals);
        self.colors.fill(colors);
    }

    /// Replaces the triangles.
    pub fn connect(&mut self, triangles: &[[u32; 3]]) {
        self.elements.fill(triangles.as_flattened());
    }

    /// Draws with a program whose uniforms are set; it is given those attributes that it asks for.
    pub fn draw(&self, program: &Program, states: RenderStates, viewport: Viewport) {
        if self.elements.count() == 0 || self.positions.vertex_count() == 0 {
            return;
        }
        for (name, buffer) in [("position", &self.positions), ("normal", &self.normals)] {
            if program.requires_attribute(name) {
                program.use_vertex_attribute(name, buffer);
            }
        }
        if program.requires_attribute("color") {
            program.use_vertex_attribute("color", &self.colors);
        }
        program.draw_elements(states, viewport, &self.elements);
    }
}

/// A triangle mesh in memory, put together from parts.
#[derive(Default)]
pub(super) struct Parts {
    /// Positions relative to the painter's origin [m].
    pub positions: Vec<Vec3>,
    /// Unit normals.
    pub normals: Vec<Vec3>,
    /// Colours, as `surface.frag` reads them.
    pub colors: Vec<Vec4>,
    /// Triangles, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl Parts {
    /// Adds a patch: a grid of `rows + 1` by `columns + 1` vertices, each a position and a normal from its place in it.
    pub fn patch(&mut self, rows: u32, columns: u32, color: Vec4, vertex: impl Fn(u32, u32) -> (Vec3, Vec3)) {
        let first = self.positions.len() as u32;
        for row in 0..=rows {
            for column in 0..=columns {
                let (position, normal) = vertex(row, column);
                self.positions.push(position);
                self.normals.push(normal);
                self.colors.push(color);
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let a = first + row * (columns + 1) + column;
                let b = a + columns + 1;
                self.triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
            }
        }
    }

    /// Takes away what lies beyond a plane, whose offset counts from the painter's origin.
    pub fn cut(&mut self, plane: &Plane) {
        let positions: Vec<_> = self.positions.iter().map(|p| aplomb_sim::math::Vec3::new(p.x.into(), p.y.into(), p.z.into())).collect();
        let left = cut(&[], (&self.triangles, &[]), &positions, plane);
        let between = |values: &[Vec3], blend: &Blend| {
            let [a, b] = blend.nodes.map(|node| values[node as usize]);
            a + (b - a) * blend.share as f32
        };
        let carried = |values: &[Vec3]| left.blends.iter().map(|blend| between(values, blend)).collect();
        (self.positions, self.normals) = (carried(&self.positions), carried(&self.normals));
        self.colors = left.blends.iter().map(|blend| self.colors[blend.nearest() as usize]).collect();
        self.triangles = left.triangles.to_vec();
    }

    /// Puts it on the graphics card.
    pub fn upload(&self, mesh: &mut Mesh) {
        mesh.fill(&self.positions, &self.normals, &self.colors);
        mesh.connect(&self.triangles);
    }
}
