//! A deformable body on the graphics card.

use std::sync::Arc;

use aplomb_sim::math::Vec3;
use rayon::prelude::*;
use three_d::{Context, Vec4, vec4};

use super::mesh::Mesh;
use super::normals::{Fans, to_f32};
use super::palette::{ACCENT, CLAYS, FAULT, NO_VALUE};
use super::tubes::Tubes;
use crate::viewport::{BodyColor, BodyDraw};

/// A body and its ghost; what follows from the triangles alone is kept while they stay the same.
pub(super) struct Body {
    triangles: Arc<[[u32; 3]]>,
    lines: Arc<[[u32; 2]]>,
    vertices: usize,
    fans: Fans,
    /// The surface of the body.
    pub mesh: Mesh,
    /// Its lines and points.
    pub tubes: Tubes,
    /// The shape to compare with.
    pub ghost: Option<(Mesh, Tubes)>,
}

impl Body {
    /// The body of `draw`, without positions yet.
    pub fn new(context: &Context, draw: &BodyDraw) -> Self {
        let fans = Fans::new(&draw.triangles, draw.ghost.as_deref().unwrap_or(&draw.positions));
        let mut mesh = Mesh::new(context);
        mesh.connect(&fans.triangles);
        let (triangles, lines) = (Arc::clone(&draw.triangles), Arc::clone(&draw.lines));
        Self { triangles, lines, vertices: draw.positions.len(), fans, mesh, tubes: Tubes::new(context), ghost: None }
    }

    /// Whether `draw` has the triangles and lines that this was made for.
    pub fn fits(&self, draw: &BodyDraw) -> bool {
        let same = Arc::ptr_eq(&self.triangles, &draw.triangles) && Arc::ptr_eq(&self.lines, &draw.lines);
        same && self.vertices == draw.positions.len()
    }

    /// Takes in positions and colours, relative to `origin`.
    pub fn update(&mut self, context: &Context, draw: &BodyDraw, origin: &Vec3, slate: Vec4) {
        let positions = self.fans.relative(&draw.positions, origin);
        self.mesh.fill(&positions, &self.fans.normals(&positions), &colors(draw, &self.fans.sources, slate));
        self.fill_tubes(draw, origin, slate);
        self.ghost = draw.ghost.as_ref().filter(|ghost| ghost.len() == self.vertices).map(|ghost| {
            let (mut mesh, mut tubes) = (Mesh::new(context), Tubes::new(context));
            if !self.lines.is_empty() {
                let places: Vec<_> = ghost.iter().map(|p| to_f32(&(p - origin))).collect();
                tubes.fill(&self.lines, &places, &vec![vec4(0.0, 0.0, 0.0, 1.0); places.len()], draw.radius);
            }
            let positions = self.fans.relative(ghost, origin);
            mesh.fill(&positions, &self.fans.normals(&positions), &vec![vec4(0.0, 0.0, 0.0, 1.0); positions.len()]);
            mesh.connect(&self.fans.triangles);
            (mesh, tubes)
        });
    }

    fn fill_tubes(&mut self, draw: &BodyDraw, origin: &Vec3, slate: Vec4) {
        if self.lines.is_empty() {
            return;
        }
        let all: Vec<u32> = (0..draw.positions.len() as u32).collect();
        let places: Vec<_> = draw.positions.par_iter().with_min_len(1024).map(|p| to_f32(&(p - origin))).collect();
        self.tubes.fill(&self.lines, &places, &colors(draw, &all, slate), draw.radius);
    }
}

/// The colours of the vertices `sources`; alpha as `surface.frag` reads it. `slate`: the colour of obstacles.
fn colors(draw: &BodyDraw, sources: &[u32], slate: Vec4) -> Vec<Vec4> {
    let tint = |v: usize| draw.region_tint.as_ref().and_then(|tint| tint.get(v)).copied().unwrap_or_default();
    let color = |v: usize| {
        let (base, lit) = match &draw.color {
            BodyColor::Clay(number) => (CLAYS[number % CLAYS.len()], 1.0),
            BodyColor::Accent => (ACCENT.into(), 1.0),
            BodyColor::Fault => (FAULT.into(), 0.6),
            BodyColor::Slate => ([slate.x, slate.y, slate.z], slate.w),
            BodyColor::Scalar { values, range: (low, high), map, .. } => {
                let value = values.get(v).copied().unwrap_or(f64::NAN);
                let share = (value - low) / (high - low).max(f64::MIN_POSITIVE);
                if share.is_nan() { (NO_VALUE, 0.0) } else { (map.color(share.clamp(0.0, 1.0)).map(|c| f32::from(c) / 255.0), 0.0) }
            }
        };
        let [red, green, blue, strength] = tint(v).map(|c| f32::from(c) / 255.0);
        let mixed = |base: f32, tint: f32| base + strength * (tint - base);
        vec4(mixed(base[0], red), mixed(base[1], green), mixed(base[2], blue), lit)
    };
    sources.par_iter().with_min_len(1024).map(|&v| color(v as usize)).collect()
}
