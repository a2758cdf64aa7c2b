//! Lines of a body as round bars, and its points as balls: one instance each, so that tens of thousands move every frame.

use three_d::{Context, InstanceBuffer, Program, RenderStates, Vec3, Vec4, VertexBuffer, Viewport, vec4};

/// End and side of the corners of the two triangles around a bar.
const CORNERS: [[f32; 2]; 6] = [[0.0, -1.0], [1.0, -1.0], [1.0, 1.0], [0.0, -1.0], [1.0, 1.0], [0.0, 1.0]];

/// The bars of a body.
pub(super) struct Tubes {
    corners: VertexBuffer<Vec4>,
    from: InstanceBuffer<Vec3>,
    to: InstanceBuffer<Vec3>,
    tone_from: InstanceBuffer<Vec4>,
    tone_to: InstanceBuffer<Vec4>,
    /// Their radius [m].
    pub radius: f32,
}

/// How bars are drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    /// Least radius [pixels].
    pub least: f32,
    /// What is added to it, of outlines [pixels].
    pub wider: f32,
    /// A colour in place of their own, by its alpha.
    pub tint: Vec4,
}

impl Tubes {
    /// None yet.
    pub fn new(context: &Context) -> Self {
        let corners = CORNERS.map(|[end, side]| vec4(end, side, 0.0, 0.0));
        Self {
            corners: VertexBuffer::new_with_data(context, &corners),
            from: InstanceBuffer::new(context),
            to: InstanceBuffer::new(context),
            tone_from: InstanceBuffer::new(context),
            tone_to: InstanceBuffer::new(context),
            radius: 0.0,
        }
    }

    /// Takes in lines between vertices with a position relative to the painter's origin and a colour each; `radius` [m].
    pub fn fill(&mut self, lines: &[[u32; 2]], positions: &[Vec3], colors: &[Vec4], radius: f64) {
        let sound = |line: &&[u32; 2]| line.iter().all(|&v| (v as usize) < positions.len().min(colors.len()));
        let lines: Vec<[u32; 2]> = lines.iter().filter(sound).copied().collect();
        let of = |end: usize| lines.iter().map(move |line| line[end] as usize);
        self.from.fill(&of(0).map(|v| positions[v]).collect::<Vec<_>>());
        self.to.fill(&of(1).map(|v| positions[v]).collect::<Vec<_>>());
        self.tone_from.fill(&of(0).map(|v| colors[v]).collect::<Vec<_>>());
        self.tone_to.fill(&of(1).map(|v| colors[v]).collect::<Vec<_>>());
        self.radius = radius as f32;
    }

    /// Draws with `tube.vert`, whose view and lights are set; colours are given to programs that ask for them.
    pub fn draw(&self, program: &Program, style: Style, states: RenderStates, viewport: Viewport) {
        let count = self.from.instance_count();
        if count == 0 {
            return;
        }
        program.use_uniform("radius", self.radius);
        program.use_uniform("least", style.least);
        program.use_uniform("wider", style.wider);
        program.use_uniform_if_required("tint", style.tint);
        program.use_vertex_attribute("corner", &self.corners);
        program.use_instance_attribute("from", &self.from);
        program.use_instance_attribute("to", &self.to);
        if program.requires_attribute("tone_from") {
            program.use_instance_attribute("tone_from", &self.tone_from);
            program.use_instance_attribute("tone_to", &self.tone_to);
        }
        program.draw_arrays_instanced(states, viewport, self.corners.vertex_count(), count);
    }
}
