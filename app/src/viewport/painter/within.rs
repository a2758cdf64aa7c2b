//! The part of a picture in which anything stands: passes over the image leave out the rest.

use glow::HasContext;

/// A rectangle of pixels: left, bottom, width, height.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Within(pub [i32; 4]);

impl Within {
    /// All of a picture of this size.
    pub fn all((width, height): (u32, u32)) -> Self {
        Self([0, 0, width as i32, height as i32])
    }

    /// Around places in clip space, with a `margin` [pixels], in a picture of this size; all of it where a place is beside or behind
    /// the eye.
    pub fn around(places: impl IntoIterator<Item = three_d::Vec4>, (width, height): (u32, u32), margin: i32) -> Self {
        let (mut low, mut high) = ([f32::INFINITY; 2], [f32::NEG_INFINITY; 2]);
        for place in places {
            if place.w <= 1e-6 {
                return Self::all((width, height));
            }
            for (k, x) in [place.x / place.w, place.y / place.w].into_iter().enumerate() {
                (low[k], high[k]) = (low[k].min(x), high[k].max(x));
            }
        }
        let pixel = |x: f32, size: u32| ((0.5 + 0.5 * x.clamp(-1.0, 1.0)) * size as f32) as i32;
        let [left, bottom] = [pixel(low[0], width) - margin, pixel(low[1], height) - margin].map(|edge| edge.max(0));
        let right = (pixel(high[0], width) + 1 + margin).min(width as i32);
        let top = (pixel(high[1], height) + 1 + margin).min(height as i32);
        Self([left, bottom, (right - left).max(0), (top - bottom).max(0)])
    }

    /// Leaves out, from now on, what is outside.
    pub fn apply(self, gl: &glow::Context) {
        let [left, bottom, width, height] = self.0;
        // SAFETY: the context is current while a painter draws.
        unsafe {
            gl.enable(glow::SCISSOR_TEST);
            gl.scissor(left, bottom, width, height);
        }
    }

    /// Leaves out nothing any more.
    pub fn lift(gl: &glow::Context) {
        // SAFETY: as above.
        unsafe { gl.disable(glow::SCISSOR_TEST) };
    }
}

#[cfg(test)]
mod tests {
    use three_d::vec4;

    use super::*;

    #[test]
    fn the_rectangle_holds_what_is_before_the_eye_and_all_where_something_is_behind() {
        let near = Within::around([vec4(-0.5, 0.0, 0.0, 1.0), vec4(1.0, 1.0, 0.0, 2.0)], (200, 100), 3);
        assert_eq!(near.0, [47, 47, 107, 32]);
        assert_eq!(Within::around([vec4(-0.5, 0.0, 0.0, -1.0)], (200, 100), 3), Within::all((200, 100)));
        assert_eq!(Within::around([vec4(-9.0, 9.0, 0.0, 1.0)], (200, 100), 0).0[2..], [1, 0]);
    }
}
