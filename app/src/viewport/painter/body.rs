//! A deformable body on the graphics card.

use std::sync::Arc;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::Hairs;
use rayon::prelude::*;
use three_d::{Context, Vec4, vec4};

use super::borders::Borders;
use super::mesh::Mesh;
use super::normals::{Fans, Shape, to_f32};
use super::palette::{ACCENT, FAULT, NO_VALUE, WATER, clay};
use super::tinted::Tinted;
use super::tubes::Tubes;
use crate::viewport::{BodyColor, BodyDraw};

/// A body and its ghost; what follows from the triangles alone is kept while they stay the same.
pub(super) struct Body {
    triangles: Arc<[[u32; 3]]>,
    lines: Arc<[[u32; 2]]>,
    vertices: usize,
    fans: Fans,
    tinted: Option<(Arc<[[u8; 4]]>, Tinted)>,
    /// The surface of the body.
    pub mesh: Mesh,
    /// Its lines and points.
    pub tubes: Tubes,
    /// The borders of its regions.
    pub borders: Borders,
    /// The shape to compare with.
    pub ghost: Option<(Mesh, Tubes)>,
    /// What is seen between the lines.
    hairs: Option<Arc<Hairs>>,
    /// Lines and hairs, whose points come after the vertices.
    strung: Vec<[u32; 2]>,
    hair_points: Vec<Vec3>,
    /// What the ghost was made of, and relative to what.
    ghost_of: Option<(Arc<[Vec3]>, Vec3)>,
    /// Memory that is used again from frame to frame.
    shape: Shape,
    colors: Vec<Vec4>,
}

impl Body {
    /// The body of `draw`, without positions yet.
    pub fn new(context: &Context, draw: &BodyDraw) -> Self {
        let fans = match draw.smooth {
            true => Fans::smooth(&draw.triangles, draw.positions.len()),
            false => Fans::new(&draw.triangles, draw.ghost.as_deref().unwrap_or(&draw.positions)),
        };
        let mut mesh = Mesh::new(context);
        mesh.connect(&fans.triangles);
        Self {
            triangles: Arc::clone(&draw.triangles),
            lines: Arc::clone(&draw.lines),
            vertices: draw.positions.len(),
            fans,
            tinted: None,
            mesh,
            tubes: Tubes::new(context),
            borders: Borders::new(context),
            ghost: None,
            hairs: draw.hairs.clone(),
            strung: strung(draw),
            hair_points: Vec::new(),
            ghost_of: None,
            shape: Shape::default(),
            colors: Vec::new(),
        }
    }

    /// Whether `draw` has the triangles and lines that this was made for.
    pub fn fits(&self, draw: &BodyDraw) -> bool {
        let same = Arc::ptr_eq(&self.triangles, &draw.triangles) && Arc::ptr_eq(&self.lines, &draw.lines);
        let (own, its) = (self.hairs.as_ref().map(Arc::as_ptr), draw.hairs.as_ref().map(Arc::as_ptr));
        same && self.vertices == draw.positions.len() && own == its
    }

    /// Takes in positions and colours, relative to `origin`.
    pub fn update(&mut self, context: &Context, draw: &BodyDraw, origin: &Vec3, slate: three_d::Vec3) {
        self.tint(draw);
        let tinted = self.tinted.as_ref().map(|(_, tinted)| tinted);
        self.fans.shape(&draw.positions, origin, &mut self.shape);
        self.borders.place(tinted.map_or(&[], |tinted| &tinted.borders), &self.shape.positions);
        let beside = tinted.map_or(&[][..], |tinted| &tinted.beside);
        self.shape.repeat(beside);
        let sources = &self.fans.sources;
        let source = |v: usize| sources[if v < sources.len() { v } else { beside[v - sources.len()] as usize }] as usize;
        let tint = |v: usize| tinted.map_or([0; 4], |tinted| tinted.tints[v]);
        let count = sources.len() + beside.len();
        let color = |v: usize| color(&draw.color, source(v), tint(v), slate);
        (0..count).into_par_iter().with_min_len(1024).map(color).collect_into_vec(&mut self.colors);
        self.mesh.fill(&self.shape.positions, &self.shape.normals, &self.colors);
        self.fill_tubes(draw, origin, slate);
        self.fill_ghost(context, draw, origin);
    }

    /// Takes in the tints of faces, if they are others than before.
    fn tint(&mut self, draw: &BodyDraw) {
        let same = match (&self.tinted, &draw.face_tint) {
            (Some((known, _)), Some(faces)) => Arc::ptr_eq(known, faces),
            (known, faces) => known.is_none() && faces.is_none(),
        };
        if same {
            return;
        }
        self.tinted = draw.face_tint.as_ref().map(|faces| (Arc::clone(faces), Tinted::new(&self.fans, faces)));
        let tinted = self.tinted.as_ref().map(|(_, tinted)| tinted);
        self.mesh.connect(tinted.map_or(&self.fans.triangles, |tinted| &tinted.triangles));
        self.borders.color(tinted.map_or(&[], |tinted| &tinted.borders));
    }

    fn fill_ghost(&mut self, context: &Context, draw: &BodyDraw, origin: &Vec3) {
        let wanted = draw.ghost.as_ref().filter(|ghost| ghost.len() == self.vertices);
        let same = match (&self.ghost_of, wanted) {
            (Some((known, from)), Some(wanted)) => Arc::ptr_eq(known, wanted) && from == origin,
            (known, wanted) => known.is_none() && wanted.is_none(),
        };
        if same {
            return;
        }
        self.ghost_of = wanted.map(|wanted| (Arc::clone(wanted), *origin));
        self.ghost = wanted.map(|ghost| {
            let (mut mesh, mut tubes) = (Mesh::new(context), Tubes::new(context));
            if !self.lines.is_empty() {
                let places: Vec<_> = ghost.iter().map(|p| to_f32(&(p - origin))).collect();
                tubes.fill(&self.lines, &places, &vec![vec4(0.0, 0.0, 0.0, 1.0); places.len()], draw.radius);
            }
            let mut shape = Shape::default();
            self.fans.shape(ghost, origin, &mut shape);
            mesh.fill(&shape.positions, &shape.normals, &vec![vec4(0.0, 0.0, 0.0, 1.0); shape.positions.len()]);
            mesh.connect(&self.fans.triangles);
            (mesh, tubes)
        });
    }

    fn fill_tubes(&mut self, draw: &BodyDraw, origin: &Vec3, slate: three_d::Vec3) {
        if self.lines.is_empty() {
            return;
        }
        let tint = |v: usize| draw.vertex_tint.as_ref().and_then(|tint| tint.get(v)).copied().unwrap_or_default();
        let placed = |points: &[Vec3]| -> Vec<_> { points.par_iter().with_min_len(1024).map(|p| to_f32(&(p - origin))).collect() };
        let mut places = placed(&draw.positions);
        let vertices = (0..draw.positions.len()).into_par_iter().with_min_len(1024);
        let mut colors: Vec<_> = vertices.map(|v| color(&draw.color, v, tint(v), slate)).collect();
        if let Some(hairs) = &self.hairs {
            hairs.follow(&draw.positions, &mut self.hair_points);
            places.extend(placed(&self.hair_points));
            hairs.guides().for_each(|guide| colors.push(colors[guide as usize]));
        }
        self.tubes.fill(&self.strung, &places, &colors, draw.radius);
    }
}

/// The lines of a body, and those of the hairs between them.
fn strung(draw: &BodyDraw) -> Vec<[u32; 2]> {
    let first = draw.positions.len() as u32;
    let hairs = draw.hairs.iter().flat_map(|hairs| hairs.lines.iter().map(|line| line.map(|point| point + first)));
    draw.lines.iter().copied().chain(hairs).collect()
}

/// The colour of the vertex `v` of a mesh under a tint; alpha as `light.glsl` reads it. `slate`: the colour of obstacles.
fn color(of: &BodyColor, v: usize, tint: [u8; 4], slate: three_d::Vec3) -> Vec4 {
    let (base, lit) = match of {
        BodyColor::Clay(number) => (clay(*number).into(), 1.0),
        BodyColor::Water => (WATER.into(), 2.0),
        BodyColor::Accent => (ACCENT.into(), 1.0),
        BodyColor::Fault => (FAULT.into(), 0.6),
        BodyColor::Slate => (slate.into(), 1.0),
        BodyColor::Scalar { values, tone, .. } => match values.get(v) {
            Some(value) if !value.is_nan() => (tone.color(*value).map(|c| f32::from(c) / 255.0), 0.0),
            _ => (NO_VALUE, 0.0),
        },
    };
    let [red, green, blue, strength] = tint.map(|c| f32::from(c) / 255.0);
    let mixed = |base: f32, tint: f32| base + strength * (tint - base);
    vec4(mixed(base[0], red), mixed(base[1], green), mixed(base[2], blue), lit)
}
