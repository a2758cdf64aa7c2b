//! Lines and arrows of a width in pixels: forces, loads, ways of motions.

use three_d::{Context, InnerSpace, Program, RenderStates, Vec3, Vec4, VertexBuffer, Viewport, vec4};

/// Half the width of a line, and length and half the width of a head [points].
const HALF_WIDTH: f32 = 1.2;
const HEAD: (f32, f32) = (9.0, 4.5);
/// The part of a path from whose far end its head comes.
const LAST: f32 = 0.2;

/// Lines and arrows of one colour.
pub(super) struct Arrows {
    positions: VertexBuffer<Vec3>,
    others: VertexBuffer<Vec3>,
    offsets: VertexBuffer<Vec4>,
    /// What is put together for the next picture.
    parts: Parts,
}

/// Corners of triangles: at one end of a line whose other end is another place, and off it by pixels.
#[derive(Default)]
struct Parts {
    positions: Vec<Vec3>,
    others: Vec<Vec3>,
    /// To the left of the line, back along it, the share of the half width that this is, and 0 at its beginning, 1 at its end, 2 in a head.
    offsets: Vec<Vec4>,
}

impl Parts {
    fn push(&mut self, position: Vec3, other: Vec3, offset: Vec4) {
        self.positions.push(position);
        self.others.push(other);
        self.offsets.push(offset);
    }
}

impl Arrows {
    /// None yet.
    pub fn new(context: &Context) -> Self {
        let (positions, others, offsets) = (VertexBuffer::new(context), VertexBuffer::new(context), VertexBuffer::new(context));
        Self { positions, others, offsets, parts: Parts::default() }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.parts.positions.clear();
        self.parts.others.clear();
        self.parts.offsets.clear();
    }

    /// Adds a line through `points`, relative to the painter's origin [m], with a head at its end or without.
    pub fn add(&mut self, points: &[Vec3], head: bool) {
        let pieces = points.len().saturating_sub(1);
        for (i, pair) in points.windows(2).enumerate() {
            let back = if head && i + 1 == pieces { HEAD.0 } else { 0.0 };
            let corner = |end: f32, side: f32| vec4(side * HALF_WIDTH, end * back, side, end);
            for (end, side) in [(0.0, -1.0), (1.0, -1.0), (1.0, 1.0), (0.0, -1.0), (1.0, 1.0), (0.0, 1.0)] {
                let (position, other) = if end < 0.5 { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
                self.parts.push(position, other, corner(end, side));
            }
        }
        if let (true, Some(&tip)) = (head, points.last()) {
            let from = before(points);
            for (side, back) in [(0.0, 0.0), (HEAD.1, HEAD.0), (-HEAD.1, HEAD.0)] {
                self.parts.push(tip, from, vec4(side, back, 0.0, 2.0));
            }
        }
    }

    /// Puts them on the graphics card.
    pub fn upload(&mut self) {
        self.positions.fill(&self.parts.positions);
        self.others.fill(&self.parts.others);
        self.offsets.fill(&self.parts.offsets);
    }

    /// Draws with `arrow.vert` and `arrow.frag`, whose uniforms are set.
    pub fn draw(&self, program: &Program, states: RenderStates, viewport: Viewport) {
        let count = self.positions.vertex_count();
        if count == 0 {
            return;
        }
        program.use_vertex_attribute("position", &self.positions);
        program.use_vertex_attribute("other", &self.others);
        program.use_vertex_attribute("offset", &self.offsets);
        program.draw_arrays(states, viewport, count);
    }
}

/// The point of a path that lies a part of its length before its end: pieces may be shorter than a head.
fn before(points: &[Vec3]) -> Vec3 {
    let length: f32 = points.windows(2).map(|pair| (pair[1] - pair[0]).magnitude()).sum();
    let mut left = LAST * length;
    for pair in points.windows(2).rev() {
        let piece = (pair[1] - pair[0]).magnitude();
        if piece >= left && piece > 0.0 {
            return if points.len() == 2 { pair[0] } else { pair[1] + (pair[0] - pair[1]) * (left / piece) };
        }
        left -= piece;
    }
    points.first().copied().unwrap_or(Vec3::new(0.0, 0.0, 0.0))
}

#[cfg(test)]
mod tests {
    use three_d::vec3;

    use super::*;

    #[test]
    fn the_head_of_a_bow_comes_from_along_its_last_fifth() {
        let bow: Vec<Vec3> = (0..=10).map(|i| vec3(i as f32, 0.0, 0.0)).collect();
        assert!((before(&bow).x - 8.0).abs() < 1e-5);
        assert_eq!(before(&bow[..2]), bow[0], "that of a straight one from its beginning");
    }
}
