//! What is in the picture, on the graphics card: brought up to date when the draw list changes.

use std::sync::Arc;

use aplomb_sim::math::{Vec3, bounding_box};
use three_d::{Context, InnerSpace, Vec4};

use super::body::Body;
use super::glyphs::Glyphs;
use super::lines::Lines;
use super::mesh::{Mesh, Parts};
use super::normals::to_f32;
use super::palette::{CONTACT, FRICTION, arrow, line, palette};
use super::plane::{Plane, planes, spacing};
use super::shapes;
use crate::viewport::{ArrowKind, BodyColor, BodyDraw, DrawList, ObstacleForm};

/// How much of an arrow is lit, as opposed to drawn in its plain colour.
const LIT: f32 = 0.35;

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
    /// Which of these have yet to come in.
    pub away: Vec<bool>,
    /// Elements that are pointed out.
    pub chosen: Vec<Body>,
    /// Obstacles of finite size with a formula.
    pub obstacles: Mesh,
    /// Obstacles of triangles.
    pub surfaces: Vec<Body>,
    /// Which of these one looks into.
    pub open: Vec<bool>,
    /// Whether all obstacles are seen through.
    pub xray: bool,
    /// Lines and arrows of one colour each.
    pub arrows: Vec<(Vec4, Mesh)>,
    /// Discs and rings.
    pub glyphs: Glyphs,
    /// Places that are pointed at, and whether they are seen through what is before them.
    pub marks: Glyphs,
    pub marks_through: bool,
    /// Lines of a width in pixels.
    pub lines: Vec<Lines>,
    /// Ground.
    pub planes: Vec<Plane>,
    /// The body to outline.
    pub selected: Option<usize>,
    /// The obstacle to outline.
    pub outlined: Mesh,
    /// Whether the obstacle to outline is seen through; `None` where there is none.
    pub selected_obstacle: Option<bool>,
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
            away: Vec::new(),
            chosen: Vec::new(),
            obstacles: Mesh::new(context),
            surfaces: Vec::new(),
            open: Vec::new(),
            xray: false,
            arrows: [CONTACT, FRICTION].into_iter().chain(ArrowKind::ALL.map(arrow)).map(|color| (color, Mesh::new(context))).collect(),
            glyphs: Glyphs::new(context),
            marks: Glyphs::new(context),
            marks_through: false,
            lines: Vec::new(),
            planes: Vec::new(),
            selected: None,
            outlined: Mesh::new(context),
            selected_obstacle: None,
            dark: true,
        }
    }

    /// The bodies that are there.
    pub fn present(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().zip(&self.away).filter(|(_, away)| !**away).map(|(body, _)| body)
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
        let slate = palette(list.dark).obstacle;
        bring_up_to_date(&mut self.bodies, &list.bodies, context, &self.origin, slate);
        self.away = list.bodies.iter().map(|body| body.away).collect();
        bring_up_to_date(&mut self.chosen, &list.chosen, context, &self.origin, slate);
        let present = || list.obstacles.iter().filter(|obstacle| obstacle.present).map(|obstacle| &obstacle.form);
        let surfaces: Vec<BodyDraw> = present().filter_map(surface).collect();
        bring_up_to_date(&mut self.surfaces, &surfaces, context, &self.origin, slate);
        self.open = present().filter_map(|form| if let ObstacleForm::Surface { open, .. } = form { Some(*open) } else { None }).collect();
        self.xray = list.xray;
        let mut parts = Parts::default();
        for form in present() {
            if let ObstacleForm::Shape(shape) = form {
                shapes::obstacle(&mut parts, shape, &self.origin, slate);
            }
        }
        low = surfaces.iter().flat_map(|surface| surface.positions.iter()).fold(low, |low, p| low.min(p.y));
        low = parts.positions.iter().fold(low, |low, p| low.min(self.origin.y + f64::from(p.y)));
        parts.upload(&mut self.obstacles);
        self.outline(context, list);
        self.arrows(list);
        self.glyphs.hold_points(list, &self.origin);
        self.marks_through = self.marks.hold_marks(list, &self.origin);
        self.lines = list.lines.iter().map(|draw| Lines::new(context, draw, &self.origin, line(draw.kind, list.dark))).collect();
        self.planes = planes(list, &self.origin, low, self.spacing);
        self.selected = list.selected_body.filter(|_| list.outlined);
        self.dark = list.dark;
    }

    /// The obstacle that is selected, once more: its outline is drawn around it.
    fn outline(&mut self, context: &Context, list: &DrawList) {
        let chosen = list
            .selected_obstacle
            .filter(|_| list.outlined)
            .and_then(|index| list.obstacles.get(index))
            .filter(|obstacle| obstacle.present);
        self.selected_obstacle = chosen.map(|obstacle| obstacle.is_clear(list.xray));
        let Some(form) = chosen.map(|obstacle| &obstacle.form) else { return };
        if let Some(draw) = surface(form) {
            let mut body = Body::new(context, &draw);
            body.update(context, &draw, &self.origin, CONTACT);
            self.outlined = body.mesh;
        } else if let ObstacleForm::Shape(shape) = form {
            let mut parts = Parts::default();
            shapes::obstacle(&mut parts, shape, &self.origin, CONTACT);
            parts.upload(&mut self.outlined);
        }
    }

    /// Two arrows for each contact, its normal force and its friction, the largest force as long as the list says; then what is
    /// authored.
    fn arrows(&mut self, list: &DrawList) {
        let radius = 0.006 * self.radius as f32;
        let mut parts: Vec<Parts> = self.arrows.iter().map(|_| Parts::default()).collect();
        let largest = list.contacts.iter().map(|contact| contact.force.norm()).fold(0.0, f64::max);
        for contact in list.contacts.iter().filter(|_| largest > 0.0) {
            let (normal, friction) = contact.parts();
            for (parts, (force, color)) in parts.iter_mut().zip([(normal, CONTACT), (friction, FRICTION)]) {
                let along = to_f32(&(force * (list.force_length * self.radius / largest)));
                if along.magnitude() > radius {
                    let from = to_f32(&(contact.point - self.origin));
                    shapes::arrow(parts, &[from, from + along], radius, true, color.truncate().extend(LIT));
                }
            }
        }
        for draw in &list.arrows {
            let points: Vec<_> = draw.points.iter().map(|point| to_f32(&(point - self.origin))).collect();
            let of_kind = ArrowKind::ALL.iter().zip(&mut parts[2..]).find(|(kind, _)| **kind == draw.kind);
            if let Some((kind, parts)) = of_kind {
                shapes::arrow(parts, &points, radius, draw.head, arrow(*kind).truncate().extend(LIT));
            }
        }
        self.arrows.iter_mut().zip(parts).for_each(|((_, mesh), parts)| parts.upload(mesh));
    }
}

/// Makes `bodies` show `draws`, keeping what fits.
fn bring_up_to_date(bodies: &mut Vec<Body>, draws: &[BodyDraw], context: &Context, origin: &Vec3, slate: Vec4) {
    bodies.truncate(draws.len());
    for (index, draw) in draws.iter().enumerate() {
        if bodies.get(index).is_none_or(|body| !body.fits(draw)) {
            let body = Body::new(context, draw);
            if index < bodies.len() { bodies[index] = body } else { bodies.push(body) }
        }
        bodies[index].update(context, draw, origin, slate);
    }
}

/// An obstacle of triangles, to be drawn as bodies are.
fn surface(form: &ObstacleForm) -> Option<BodyDraw> {
    let ObstacleForm::Surface { positions, triangles, .. } = form else { return None };
    let (positions, triangles) = (Arc::clone(positions), Arc::clone(triangles));
    Some(BodyDraw { positions, triangles, color: BodyColor::Slate, ..BodyDraw::default() })
}

/// Bounding box of the bodies, or of finite obstacles where there is no body.
fn bounds(list: &DrawList) -> Option<(Vec3, Vec3)> {
    let boxes =
        list.bodies.iter().map(|body| body.used().collect::<Vec<_>>()).filter(|used| !used.is_empty()).map(|used| bounding_box(&used));
    boxes.reduce(|(a, b), (c, d)| (a.inf(&c), b.sup(&d))).filter(|(low, high)| low.iter().chain(high).all(|x| x.is_finite()))
}
