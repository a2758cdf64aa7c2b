//! Borders of regions: bands of a width in pixels along the edges of faces, on the side of the region.

use three_d::{Context, InstanceBuffer, Program, RenderStates, Vec3, Vec4, VertexBuffer, Viewport, vec4};

/// End and side of the corners of the two triangles of a band: 0 is the edge itself, 1 lies within the region.
const CORNERS: [[f32; 2]; 6] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

/// The borders on a body.
pub(super) struct Borders {
    corners: VertexBuffer<Vec4>,
    from: InstanceBuffer<Vec3>,
    to: InstanceBuffer<Vec3>,
    within: InstanceBuffer<Vec3>,
    colors: InstanceBuffer<Vec4>,
    ends: [Vec<Vec3>; 3],
}

impl Borders {
    /// None yet.
    pub fn new(context: &Context) -> Self {
        Self {
            corners: VertexBuffer::new_with_data(context, &CORNERS.map(|[end, side]| vec4(end, side, 0.0, 0.0))),
            from: InstanceBuffer::new(context),
            to: InstanceBuffer::new(context),
            within: InstanceBuffer::new(context),
            colors: InstanceBuffer::new(context),
            ends: Default::default(),
        }
    }

    /// Takes in where they run: edges and the corner within, between vertices at `positions` relative to the painter's origin [m].
    pub fn place(&mut self, borders: &[([u32; 3], [u8; 4])], positions: &[Vec3]) {
        for (k, (ends, buffer)) in self.ends.iter_mut().zip([&mut self.from, &mut self.to, &mut self.within]).enumerate() {
            ends.clear();
            ends.extend(borders.iter().map(|(corners, _)| positions[corners[k] as usize]));
            buffer.fill(ends);
        }
    }

    /// Takes in their colours, sRGB; they are drawn at full strength.
    pub fn color(&mut self, borders: &[([u32; 3], [u8; 4])]) {
        let channel = |c: u8| f32::from(c) / 255.0;
        self.colors.fill(&borders.iter().map(|(_, [r, g, b, _])| vec4(channel(*r), channel(*g), channel(*b), 1.0)).collect::<Vec<_>>());
    }

    /// Draws with `border.vert` and `border.frag`, whose uniforms are set.
    pub fn draw(&self, program: &Program, states: RenderStates, viewport: Viewport) {
        let count = self.from.instance_count();
        if count == 0 {
            return;
        }
        program.use_vertex_attribute("corner", &self.corners);
        program.use_instance_attribute("from", &self.from);
        program.use_instance_attribute("to", &self.to);
        program.use_instance_attribute("within", &self.within);
        program.use_instance_attribute("color", &self.colors);
        program.draw_arrays_instanced(states, viewport, self.corners.vertex_count(), count);
    }
}
