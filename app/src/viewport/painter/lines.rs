//! Lines of a width in pixels: edges that are pointed out, the edges of tets, strands.

use aplomb_sim::math::Vec3;
use three_d::{Context, Program, RenderStates, Vec4, VertexBuffer, Viewport, vec4};

use super::normals::to_f32;
use crate::viewport::LineDraw;

/// Ends of a segment and the side of the line for the six corners of its two triangles: from the far end, sides are turned around.
const CORNERS: [(usize, f32); 6] = [(0, -1.0), (0, 1.0), (1, 1.0), (1, 1.0), (1, -1.0), (0, -1.0)];

/// Lines of one colour.
pub(super) struct Lines {
    positions: VertexBuffer<three_d::Vec3>,
    others: VertexBuffer<three_d::Vec3>,
    sides: VertexBuffer<Vec4>,
    /// Their colour.
    pub color: Vec4,
    /// Half their width [points].
    pub half_width: f32,
    /// Whether they are seen, faintly, through what is before them.
    pub through: bool,
}

impl Lines {
    /// The lines of `draw`, relative to `origin`.
    pub fn new(context: &Context, draw: &LineDraw, origin: &Vec3, (color, half_width, through): (Vec4, f32, bool)) -> Self {
        let count = 6 * draw.ends.len();
        let (mut positions, mut others, mut sides) = (Vec::with_capacity(count), Vec::with_capacity(count), Vec::with_capacity(count));
        for ends in draw.ends.iter() {
            let ends = ends.map(|end| to_f32(&(end - origin)));
            for (end, side) in CORNERS {
                positions.push(ends[end]);
                others.push(ends[1 - end]);
                let turned = if end == 0 { side } else { -side };
                sides.push(vec4(turned, side, 0.0, 0.0));
            }
        }
        Self {
            positions: VertexBuffer::new_with_data(context, &positions),
            others: VertexBuffer::new_with_data(context, &others),
            sides: VertexBuffer::new_with_data(context, &sides),
            color,
            half_width,
            through,
        }
    }

    /// Draws with `line.vert` and `line.frag`, whose uniforms are set.
    pub fn draw(&self, program: &Program, states: RenderStates, viewport: Viewport) {
        let count = self.positions.vertex_count();
        if count == 0 {
            return;
        }
        program.use_vertex_attribute("position", &self.positions);
        program.use_vertex_attribute("other", &self.others);
        program.use_vertex_attribute("side", &self.sides);
        program.draw_arrays(states, viewport, count);
    }
}
