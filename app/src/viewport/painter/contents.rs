//! What is in the picture, on the graphics card: brought up to date when the draw list changes.

use aplomb_sim::math::{Vec3, bounding_box};
use three_d::{Context, InnerSpace, vec4};

use super::body::Body;
use super::glyphs::Glyphs;
use super::mesh::{Mesh, Parts};
use super::normals::to_f32;
use super::palette::{CONTACT, palette};
use super::plane::{Plane, planes, spacing};
use super::shapes;
use crate::viewport::DrawList;

/// Meshes and measures of one draw list.
pub(super) struct Contents {
    /// What coordinates on the card are relative to [m].
    pub origin: Vec3,
    /// Half the diagonal of the bodies' bounding box [m].
    pub radius: f64,
    /// Distance between fine lines on the ground [m].
    pub spacing: f64,
    /// Bodies, as in the draw list.
    pub bodies: Vec<Body>,
    /// Obstacles of finite size.
    pub obstacles: Mesh,
    /// Forces of contacts.
    pub arrows: Mesh,
    /// Discs and rings.
    pub glyphs: Glyphs,
    /// Ground.
    pub planes: Vec<Plane>,
    /// The body to outline.
    pub selected: Option<usize>,
    /// Dark surroundings.
    pub dark: bool,
}

impl Contents {
    /// Nothing yet.
    pub fn new(context: &Context) -> Self {
        Self {
            origin: Vec3::zeros(),
            radius: 1.0,
            spacing: 0.1,
            bodies: Vec::new(),
            obstacles: Mesh::new(context),
            arrows: Mesh::new(context),
            glyphs: Glyphs::new(context),
            planes: Vec::new(),
            selected: None,
            dark: true,
        }
    }

    /// Takes in a new draw list.
    pub fn update(&mut self, context: &Context, list: &DrawList) {
        let mut low = 0.0;
        if let Some((lowest, highest)) = bounds(list) {
            self.origin = 0.5 * (lowest + highest);
            self.radius = (0.5 * (highest - lowest).norm()).max(1e-6);
            low = lowest.y;
        }
        self.spacing = spacing(self.radius);
        self.bodies.truncate(list.bodies.len());
        for (index, draw) in list.bodies.iter().enumerate() {
            if self.bodies.get(index).is_none_or(|body| !body.fits(draw)) {
                let body = Body::new(context, draw);
                if index < self.bodies.len() { self.bodies[index] = body } else { self.bodies.push(body) }
            }
            self.bodies[index].update(context, draw, &self.origin);
        }
        let mut parts = Parts::default();
        for obstacle in list.obstacles.iter().filter(|obstacle| obstacle.present) {
            shapes::obstacle(&mut parts, &obstacle.shape, &self.origin, palette(list.dark).obstacle);
        }
        low = parts.positions.iter().fold(low, |low, p| low.min(self.origin.y + f64::from(p.y)));
        parts.upload(&mut self.obstacles);
        self.arrows(list);
        self.glyphs.update(list, &self.origin);
        self.planes = planes(list, &self.origin, low, self.spacing);
        self.selected = list.selected_body;
        self.dark = list.dark;
    }

    /// An arrow for each force; the largest is as long as a third of the bodies' radius.
    fn arrows(&mut self, list: &DrawList) {
        let largest = list.contacts.iter().map(|contact| contact.force.norm()).fold(0.0, f64::max);
        let mut parts = Parts::default();
        for contact in &list.contacts {
            let along = to_f32(&(contact.force * (0.33 * self.radius / largest)));
            let radius = 0.006 * self.radius as f32;
            if largest > 0.0 && along.magnitude() > radius {
                let color = vec4(CONTACT.x, CONTACT.y, CONTACT.z, 0.35);
                shapes::arrow(&mut parts, to_f32(&(contact.point - self.origin)), along, radius, color);
            }
        }
        parts.upload(&mut self.arrows);
    }
}

/// Bounding box of the bodies, or of finite obstacles where there is no body.
fn bounds(list: &DrawList) -> Option<(Vec3, Vec3)> {
    let used = |body: &crate::viewport::BodyDraw| {
        let points: Vec<Vec3> = body.triangles.as_flattened().iter().filter_map(|&v| body.positions.get(v as usize).copied()).collect();
        bounding_box(&points)
    };
    let boxes = list.bodies.iter().filter(|body| !body.triangles.is_empty()).map(used);
    boxes.reduce(|(a, b), (c, d)| (a.inf(&c), b.sup(&d))).filter(|(low, high)| low.iter().chain(high).all(|x| x.is_finite()))
}
