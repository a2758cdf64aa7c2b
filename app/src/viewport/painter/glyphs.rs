//! Discs and rings of a size in pixels: vertices that are not free, contacts, places to point at.

use aplomb_sim::math::Vec3;
use three_d::{Context, Vec4, VertexBuffer, vec4};

use super::normals::to_f32;
use super::palette::{CONTACT, MARK, support};
use crate::viewport::DrawList;

/// Corners of the two triangles under a glyph.
const CORNERS: [[f32; 2]; 6] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

/// More marks than this are drawn as small discs.
const MANY: usize = 24;

/// All glyphs of a picture.
pub(super) struct Glyphs {
    positions: VertexBuffer<three_d::Vec3>,
    corners: VertexBuffer<Vec4>,
    colors: VertexBuffer<Vec4>,
}

impl Glyphs {
    /// No glyphs.
    pub fn new(context: &Context) -> Self {
        Self { positions: VertexBuffer::new(context), corners: VertexBuffer::new(context), colors: VertexBuffer::new(context) }
    }

    /// Takes in those of `list`, relative to `origin`.
    pub fn update(&mut self, list: &DrawList, origin: &Vec3) {
        let (mut positions, mut corners, mut colors) = (Vec::new(), Vec::new(), Vec::new());
        // Radius in thousandths of the picture's height, and the part of it that is drawn.
        let mut add = |place: &Vec3, radius: f32, thickness: f32, color: Vec4| {
            for [x, y] in CORNERS {
                positions.push(to_f32(&(place - origin)));
                corners.push(vec4(x, y, radius, thickness));
                colors.push(color);
            }
        };
        list.supports.iter().for_each(|at| add(&at.point, 4.2, 1.0, support(at.kind)));
        list.contacts.iter().for_each(|contact| add(&contact.point, 3.8, 1.0, CONTACT));
        // Many rings would hide each other.
        let (radius, thickness) = if list.marks.len() > MANY { (4.0, 1.0) } else { (14.0, 0.2) };
        list.marks.iter().for_each(|mark| add(mark, radius, thickness, MARK));
        self.positions.fill(&positions);
        self.corners.fill(&corners);
        self.colors.fill(&colors);
    }

    /// Draws with `glyph.vert` and `glyph.frag`, whose uniforms are set.
    pub fn draw(&self, program: &three_d::Program, states: three_d::RenderStates, viewport: three_d::Viewport) {
        let count = self.positions.vertex_count();
        if count == 0 {
            return;
        }
        program.use_vertex_attribute("position", &self.positions);
        program.use_vertex_attribute("corner", &self.corners);
        program.use_vertex_attribute("color", &self.colors);
        program.draw_arrays(states, viewport, count);
    }
}
