//! The shadows of bodies and obstacles on a plane: everything flattened into a small mask, along the key light and along the plane's
//! normal, and the mask blurred.

use std::sync::Arc;

use aplomb_sim::math::Vec3;
use nalgebra::{Matrix4, RowVector4};
use three_d::{Blend, BlendEquationType, BlendMultiplierType, DepthTest, Program, RenderStates, Vec4, WriteMask, vec2, vec4};

use super::PainterError;
use super::bare::Bare;
use super::contents::Contents;
use super::layer::{Depth, Layer};
use super::normals::to_f32;
use super::plane::Plane;
use super::programs::Programs;
use super::tubes::Style;
use super::view::{KEY, matrix};

/// Height above the plane at which a contact shadow is down to a third, and depth below it from which nothing casts one [radii].
const CONTACT: f64 = 0.10;
const SUNK: f64 = 0.08;
/// Standard deviations of the blurs: of the key shadow, and of the contact shadow narrow and wide [radii].
const BLURS: [f64; 3] = [0.028, 0.012, 0.055];
/// Neighbours on each side that a blur takes in at most.
const REACH: usize = 12;
/// Half sides of what a mask shows, at most [radii].
const FARTHEST: f64 = 8.0;

/// Blends by the maximum: layers do not add up.
const MAXIMUM: Blend = Blend::Enabled {
    source_rgb_multiplier: BlendMultiplierType::One,
    source_alpha_multiplier: BlendMultiplierType::One,
    destination_rgb_multiplier: BlendMultiplierType::One,
    destination_alpha_multiplier: BlendMultiplierType::One,
    rgb_equation: BlendEquationType::Max,
    alpha_equation: BlendEquationType::Max,
};

/// The masks of all planes, kept while nothing moves.
pub(super) struct Shadow {
    gl: Arc<glow::Context>,
    side: u32,
    casts: Vec<Cast>,
    /// What is blurred on the way.
    between: Layer,
    is_drawn: bool,
}

/// A rectangle on a plane, along its axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    middle: [f64; 2],
    half: [f64; 2],
}

impl Place {
    /// As `plane.frag` reads it.
    pub fn uniform(&self) -> Vec4 {
        vec4(self.middle[0] as f32, self.middle[1] as f32, (1.0 / self.half[0]) as f32, (1.0 / self.half[1]) as f32)
    }
}

/// The mask of a plane, and what it shows.
pub(super) struct Cast {
    /// Key shadow, and contact shadow narrow and wide.
    pub mask: Layer,
    /// Where the key shadow is.
    pub key: Place,
    /// Where the contact shadow is.
    pub contact: Place,
    /// The part of the key light that falls on this side of the plane, for planes that it hardly meets.
    pub lit: f32,
}

/// Onto a plane along a direction.
struct Along<'a> {
    plane: &'a Plane,
    origin: Vec3,
    way: Vec3,
}

impl Along<'_> {
    /// A row of the way to the plane's coordinates, whose axis is this one.
    fn row(&self, axis: &Vec3) -> (Vec3, f64) {
        let slid = axis - self.plane.normal * (axis.dot(&self.way) / self.plane.normal.dot(&self.way));
        (slid, -slid.dot(&(self.plane.middle - self.origin)))
    }

    fn height(&self) -> (Vec3, f64) {
        (self.plane.normal, -self.plane.normal.dot(&(self.plane.middle - self.origin)))
    }

    /// Where the corners come to lie on the plane, with some room about them; those below it, straight above them.
    fn place(&self, corners: &[Vec3], room: f64, farthest: f64) -> Place {
        let rows = self.plane.axes.map(|axis| self.row(&axis));
        let (normal, up) = self.height();
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for corner in corners {
            let sunk = (normal.dot(corner) + up).min(0.0);
            let corner = corner - normal * sunk;
            for (k, (row, shift)) in rows.iter().enumerate() {
                let at = (row.dot(&corner) + shift).clamp(-farthest, farthest);
                (low[k], high[k]) = (low[k].min(at), high[k].max(at));
            }
        }
        Place { middle: [0, 1].map(|k| 0.5 * (low[k] + high[k])), half: [0, 1].map(|k| 0.5 * (high[k] - low[k]) + room) }
    }

    /// To the mask, and the height as the depth.
    fn matrix(&self, place: &Place, tall: f64) -> Matrix4<f64> {
        let row = |(axis, shift): (Vec3, f64), middle: f64, scale: f64| RowVector4::new(axis.x, axis.y, axis.z, shift - middle) / scale;
        let [u, v] = self.plane.axes.map(|axis| self.row(&axis));
        let last = RowVector4::new(0.0, 0.0, 0.0, 1.0);
        let rows = [row(u, place.middle[0], place.half[0]), row(v, place.middle[1], place.half[1]), row(self.height(), 0.0, tall), last];
        Matrix4::from_rows(&rows)
    }
}

impl Shadow {
    /// `side`: of the masks [pixels].
    ///
    /// # Errors
    /// The driver refuses the masks.
    pub fn new(gl: &Arc<glow::Context>, side: u32) -> Result<Self, PainterError> {
        Ok(Self { gl: Arc::clone(gl), side, casts: Vec::new(), between: mask(gl, side)?, is_drawn: false })
    }

    /// Draws them anew for the next picture: something was moved.
    pub fn forget(&mut self) {
        self.is_drawn = false;
    }

    /// The shadows on the plane with this number; none where none fall.
    pub fn of_plane(&self, index: usize) -> Option<&Cast> {
        self.casts.get(index)
    }

    /// Draws the shadows of what is solid on each plane, unless they are drawn. Binds other framebuffers.
    ///
    /// # Errors
    /// The driver refuses a mask.
    pub fn follow(&mut self, wanted: bool, programs: &Programs, bare: &Bare, contents: &Contents) -> Result<(), PainterError> {
        let planes = if wanted { &contents.planes[..] } else { &[] };
        if self.is_drawn && self.casts.len() == planes.len() {
            return Ok(());
        }
        let mut spare: Vec<Layer> = self.casts.drain(..).map(|cast| cast.mask).collect();
        for plane in planes {
            let mask = spare.pop().map_or_else(|| mask(&self.gl, self.side), Ok)?;
            let cast = self.draw(mask, programs, bare, plane, contents);
            self.casts.push(cast);
        }
        self.is_drawn = true;
        Ok(())
    }

    fn draw(&self, mask: Layer, programs: &Programs, bare: &Bare, plane: &Plane, contents: &Contents) -> Cast {
        let (origin, radius) = (contents.origin, contents.radius);
        let key = Vec3::from(KEY).normalize();
        let facing = plane.normal.dot(&key);
        let lit = ((facing - 0.05) / 0.2).clamp(0.0, 1.0) as f32;
        let straight = Along { plane, origin, way: plane.normal };
        // A plane that turns its back to the light has contact shadows alone.
        let along_key = Along { plane, origin, way: if facing > 0.05 { key } else { plane.normal } };
        let corners = contents.caster_corners();
        let farthest = FARTHEST * radius;
        let places =
            [along_key.place(&corners, 3.0 * BLURS[0] * radius, farthest), straight.place(&corners, 3.0 * BLURS[2] * radius, farthest)];
        let side = self.side;
        let viewport = three_d::Viewport::new_at_origo(side, side);
        let tall = 2.0 * farthest;
        let red = WriteMask { red: true, ..WriteMask::NONE };
        let green = WriteMask { green: true, ..WriteMask::NONE };
        mask.begin();
        for (along, place, write_mask, reach) in [(&along_key, places[0], red, 0.0), (&straight, places[1], green, CONTACT * radius)] {
            if lit == 0.0 && reach == 0.0 {
                continue;
            }
            let states = RenderStates { write_mask, depth_test: DepthTest::Always, blend: MAXIMUM, ..Default::default() };
            let set = |program: &Program| {
                program.use_uniform("view_projection", matrix(&along.matrix(&place, tall)));
                program.use_uniform("tall", tall as f32);
                program.use_uniform("sunk", (SUNK * radius) as f32);
                program.use_uniform("reach", reach as f32);
                program.use_uniform("weight", 1.0_f32);
            };
            set(&programs.flat);
            set(&programs.flat_tube);
            programs.flat_tube.use_uniform("eye", to_f32(&(along.way * (20.0 * farthest))));
            programs.flat_tube.use_uniform("pixel", vec2(1.0, 1.0) * (2.0 / side as f32));
            let style = Style { least: 0.5, wider: 0.0, tint: vec4(0.0, 0.0, 0.0, 0.0) };
            // What is thinner than a pixel of the mask is as much lighter.
            let pixel = 2.0 * place.half[0].max(place.half[1]) / f64::from(side);
            contents.solid().for_each(|(mesh, tubes)| {
                mesh.draw(&programs.flat, states, viewport);
                tubes.iter().for_each(|tubes| {
                    programs.flat_tube.use_uniform("weight", (2.0 * tubes.radius / pixel as f32).min(1.0));
                    tubes.draw(&programs.flat_tube, style, states, viewport);
                });
            });
        }
        self.blur(&mask, programs, bare, &places, radius);
        Cast { mask, key: places[0], contact: places[1], lit }
    }

    fn blur(&self, mask: &Layer, programs: &Programs, bare: &Bare, [key, contact]: &[Place; 2], radius: f64) {
        let side = self.side;
        let viewport = three_d::Viewport::new_at_origo(side, side);
        let states = RenderStates { write_mask: WriteMask::COLOR, depth_test: DepthTest::Always, ..Default::default() };
        let program = &programs.blur;
        for (axis, (from, to), stride) in [(0, (mask, &self.between), vec2(1.0, 0.0)), (1, (&self.between, mask), vec2(0.0, 1.0))] {
            let pixels = |place: &Place, blur: f64| 0.5 * blur * radius / place.half[axis] * f64::from(side);
            let widths = [pixels(key, BLURS[0]), pixels(contact, BLURS[1]), pixels(contact, BLURS[2])];
            let (weights, reach) = gaussians(widths);
            to.begin();
            from.bind_color(program, "mask", 0);
            program.use_uniform("stride", stride * (1.0 / side as f32));
            program.use_uniform_array("weights", &weights);
            program.use_uniform("reach", reach as i32);
            program.use_uniform("first", if axis == 0 { 1.0_f32 } else { 0.0 });
            bare.strip(program, states, viewport, 3);
        }
    }
}

fn mask(gl: &Arc<glow::Context>, side: u32) -> Result<Layer, PainterError> {
    Layer::new(gl, (side, side), Some(glow::LINEAR), Depth::None)
}

/// Weights of three Gaussians of these standard deviations [pixels] at a pixel and its neighbours on one side, and how many of those
/// count.
fn gaussians(widths: [f64; 3]) -> ([Vec4; REACH + 1], usize) {
    let widest = widths.into_iter().fold(0.0, f64::max);
    let reach = ((2.5 * widest).ceil() as usize).clamp(1, REACH);
    let weight = |i: usize, width: f64| (-0.5 * (i as f64 / width.max(1e-3)).powi(2)).exp();
    let sums = widths.map(|width| 1.0 + 2.0 * (1..=reach).map(|i| weight(i, width)).sum::<f64>());
    let mut weights = [vec4(0.0, 0.0, 0.0, 0.0); REACH + 1];
    for (i, weights) in weights.iter_mut().enumerate().take(reach + 1) {
        let [a, b, c] = [0, 1, 2].map(|k| (weight(i, widths[k]) / sums[k]) as f32);
        *weights = vec4(a, b, c, 0.0);
    }
    (weights, reach)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_blur_keeps_what_there_is_of_a_shadow() {
        for widths in [[0.0, 0.3, 4.0], [2.0, 1.0, 9.0]] {
            let (weights, reach) = gaussians(widths);
            for of in [|w: &Vec4| w.x, |w: &Vec4| w.y, |w: &Vec4| w.z] {
                let sum = of(&weights[0]) + 2.0 * weights[1..=reach].iter().map(of).sum::<f32>();
                assert!((sum - 1.0).abs() < 1e-5, "{widths:?}: {sum}");
            }
        }
    }

    #[test]
    fn a_shadow_falls_away_from_the_light() {
        let plane = Plane::level(0.0);
        let key = Vec3::from(KEY).normalize();
        let along = Along { plane: &plane, origin: Vec3::zeros(), way: key };
        let top = Vec3::new(0.0, 1.0, 0.0);
        let place = along.place(&[top], 0.0, 9.0);
        let at = plane.middle + plane.axes[0] * place.middle[0] + plane.axes[1] * place.middle[1];
        // The line from there to what casts it leads on to the light.
        assert!((top - at).normalize().dot(&key) > 1.0 - 1e-9, "{at}");
    }
}
