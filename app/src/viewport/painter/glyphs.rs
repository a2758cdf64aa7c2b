//! Discs and rings of a size in pixels: vertices that are not free, contacts, places to point at.

use aplomb_sim::math::Vec3;
use three_d::{Context, Vec4, VertexBuffer, vec4};

use super::normals::to_f32;
use super::palette::{CONTACT, MARK, support};
use crate::viewport::DrawList;

/// Corners of the two triangles under a glyph.
const CORNERS: [[f32; 2]; 6] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

/// Radii of what is held, moved or slides, and of contacts; and the width of the dark ring about them [points].
const SUPPORT: f32 = 2.6;
const TOUCH: f32 = 3.0;
const RINGED: f32 = 1.0;
/// Radius and width of the ring around a place [points]; more of them than so many are drawn as small discs.
const PLACE: (f32, f32) = (12.5, 2.5);
const MANY: usize = 24;

/// Glyphs of a picture that are drawn alike.
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

    /// Takes in the supports and contacts of `list`, relative to `origin`.
    pub fn hold_points(&mut self, list: &DrawList, origin: &Vec3) {
        let supports = list.supports.iter().map(|at| (&at.point, SUPPORT + RINGED, -RINGED, support(at.kind)));
        let contacts = list.contacts.iter().map(|contact| (&contact.point, TOUCH + RINGED, -RINGED, CONTACT));
        self.fill(supports.chain(contacts), origin);
    }

    /// Takes in the places that `list` points at. True if they are so few that they are seen through what is before them.
    pub fn hold_marks(&mut self, list: &DrawList, origin: &Vec3) -> bool {
        // Many rings would hide each other.
        let few = list.marks.len() <= MANY;
        let (radius, thickness) = if few { PLACE } else { (TOUCH + RINGED, -RINGED) };
        self.fill(list.marks.iter().map(|mark| (mark, radius, thickness, MARK)), origin);
        few
    }

    /// Each with its radius, the width of a ring or the negative one of the ring about a disc [points], and its colour.
    fn fill<'a>(&mut self, glyphs: impl Iterator<Item = (&'a Vec3, f32, f32, Vec4)>, origin: &Vec3) {
        let (mut positions, mut corners, mut colors) = (Vec::new(), Vec::new(), Vec::new());
        for (place, radius, thickness, color) in glyphs {
            for [x, y] in CORNERS {
                positions.push(to_f32(&(place - origin)));
                corners.push(vec4(x, y, radius, thickness));
                colors.push(color);
            }
        }
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
