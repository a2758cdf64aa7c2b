//! What is in the picture, on the graphics card: brought up to date when the draw list changes.

use std::sync::Arc;

use aplomb_sim::math::Vec3;
use three_d::{Context, Vec4};

use super::arrows::Arrows;
use super::body::Body;
use super::glyphs::Glyphs;
use super::lines::Lines;
use super::mesh::{Mesh, Parts};
use super::normals::to_f32;
use super::palette::{CONTACT, FRICTION, arrow, line, palette};
use super::plane::{Plane, planes, spacing};
use super::shapes;
use super::tubes::Tubes;
use super::view::View;
use super::within::Within;
use crate::drawing::dissect;
use crate::viewport::bounds::of_bodies;
use crate::viewport::{ArrowKind, BodyColor, BodyDraw, ContactDraw, DrawList, ObstacleForm};

/// Contacts whose forces are drawn, the largest ones, unless all are wanted.
const MOST_FORCES: usize = 50;
/// The shortest arrow of a force [radii of the bodies].
const SHORTEST: f64 = 0.006;
/// Shadows are cast by what lies within this distance of the bodies' middle [radii].
const CASTING: f64 = 6.0;

/// How far the bodies' middle may be from the origin [radii].
const STRAY: f64 = 0.25;

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
    /// Whether bodies are seen through.
    pub clear_bodies: bool,
    /// Lines and arrows of one colour each.
    pub arrows: Vec<(Vec4, Arrows)>,
    /// Discs and rings.
    pub glyphs: Glyphs,
    /// Places that are pointed at, and whether they are seen through what is before them.
    pub marks: Glyphs,
    pub marks_through: bool,
    /// Lines of a width in pixels.
    pub lines: Vec<Lines>,
    /// Ground.
    pub planes: Vec<Plane>,
    /// The bodies to outline.
    pub selected: Vec<usize>,
    /// The obstacle to outline.
    pub outlined: Mesh,
    /// Those to outline along with it.
    pub outlined_along: Vec<Mesh>,
    /// Whether the obstacle to outline is seen through; `None` where there is none.
    pub selected_obstacle: Option<bool>,
    /// Whether shadows fall.
    pub soft_shadows: bool,
    /// Lowest and highest corner of what casts them, relative to the origin [m].
    casting: (Vec3, Vec3),
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
            clear_bodies: false,
            arrows: [CONTACT, FRICTION].into_iter().chain(ArrowKind::ALL.map(arrow)).map(|color| (color, Arrows::new(context))).collect(),
            glyphs: Glyphs::new(context),
            marks: Glyphs::new(context),
            marks_through: false,
            lines: Vec::new(),
            planes: Vec::new(),
            selected: Vec::new(),
            outlined: Mesh::new(context),
            outlined_along: Vec::new(),
            selected_obstacle: None,
            soft_shadows: true,
            casting: (Vec3::zeros(), Vec3::zeros()),
            dark: true,
        }
    }

    /// The bodies that are there.
    pub fn present(&self) -> impl Iterator<Item = &Body> {
        self.bodies.iter().zip(&self.away).filter(|(_, away)| !**away).map(|(body, _)| body)
    }

    /// What is solid, as opposed to seen through: surfaces, and the lines of bodies.
    pub fn solid(&self) -> impl Iterator<Item = (&Mesh, Option<&Tubes>)> {
        let bodies = self.present().filter(|_| !self.clear_bodies).chain(&self.chosen).map(|body| (&body.mesh, Some(&body.tubes)));
        let surfaces = self.surfaces.iter().zip(&self.open).filter(|(_, open)| !**open && !self.xray).map(|(body, _)| (&body.mesh, None));
        bodies.chain(surfaces).chain((!self.xray).then_some((&self.obstacles, None)))
    }

    /// Shapes to compare with, and bodies that have yet to come in.
    pub fn ghosts(&self) -> impl Iterator<Item = &Mesh> {
        let away = self.bodies.iter().zip(&self.away).filter(|(_, away)| **away).map(|(body, _)| &body.mesh);
        self.bodies.iter().filter_map(|body| Some(&body.ghost.as_ref()?.0)).chain(away)
    }

    /// Whether anything has an outline.
    pub fn has_outlines(&self) -> bool {
        !self.selected.is_empty() || self.selected_obstacle.is_some() || !self.outlined_along.is_empty() || self.ghosts().next().is_some()
    }

    /// Corners of a box around what casts shadows, relative to the origin [m].
    pub fn caster_corners(&self) -> [Vec3; 8] {
        let (low, high) = self.casting;
        std::array::from_fn(|corner| Vec3::from_fn(|axis, _| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] }))
    }

    /// The part of a picture of this size in which they stand, with a `margin` [pixels].
    pub fn casters_on_screen(&self, view: &View, size: (u32, u32), margin: i32) -> Within {
        let place = |corner: Vec3| view.view_projection * to_f32(&corner).extend(1.0);
        Within::around(self.caster_corners().map(place), size, margin)
    }

    /// Takes in a new draw list.
    pub fn update(&mut self, context: &Context, list: &DrawList) {
        let mut low = 0.0;
        let bounds = of_bodies(&list.bodies);
        if let Some((lowest, highest)) = bounds {
            let middle = 0.5 * (lowest + highest);
            self.radius = (0.5 * (highest - lowest).norm()).max(1e-6);
            // What is kept relative to it, such as ghosts, is not made anew for each step of a motion.
            if (middle - self.origin).norm() > STRAY * self.radius {
                self.origin = middle;
            }
            low = lowest.y;
        } else {
            (self.origin, self.radius) = (Vec3::zeros(), 1.0);
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
        self.clear_bodies = list.clear_bodies || !list.chosen.is_empty();
        let mut parts = Parts::default();
        for form in present() {
            if let ObstacleForm::Shape(shape) = form {
                shapes::obstacle(&mut parts, shape, &self.origin, slate.extend(1.0));
            }
        }
        low = surfaces.iter().flat_map(|surface| surface.positions.iter()).fold(low, |low, p| low.min(p.y));
        if let Some((normal, offset)) = &list.obstacle_cut {
            parts.cut(&dissect::Plane { normal: *normal, offset: offset - normal.dot(&self.origin) });
        }
        low = parts.positions.iter().fold(low, |low, p| low.min(self.origin.y + f64::from(p.y)));
        parts.upload(&mut self.obstacles);
        let of_surfaces = surfaces.iter().flat_map(|surface| surface.positions.iter()).map(|p| p - self.origin);
        let of_shapes = parts.positions.iter().map(|p| Vec3::new(p.x.into(), p.y.into(), p.z.into()));
        let obstacles = of_surfaces.chain(of_shapes).filter(|_| !list.xray);
        self.casting = casting(bounds.map(|(low, high)| [low - self.origin, high - self.origin]), obstacles, CASTING * self.radius);
        self.soft_shadows = list.soft_shadows;
        self.outline(context, list);
        self.arrows(list);
        self.glyphs.hold_points(list, &self.origin);
        self.marks_through = self.marks.hold_marks(list, &self.origin);
        self.lines = list.lines.iter().map(|draw| Lines::new(context, draw, &self.origin, line(draw.kind, list.dark))).collect();
        self.planes = planes(list, &self.origin, low, self.spacing);
        self.selected = list.selected_body.iter().chain(&list.selected_along.0).filter(|_| list.outlined).copied().collect();
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
        if let Some(mesh) = chosen.and_then(|obstacle| self.silhouette(context, &obstacle.form)) {
            self.outlined = mesh;
        }
        let along = list.selected_along.1.iter().filter(|_| list.outlined).filter_map(|&index| list.obstacles.get(index));
        let along = along.filter(|obstacle| obstacle.present).filter_map(|obstacle| self.silhouette(context, &obstacle.form)).collect();
        self.outlined_along = along;
    }

    /// What an obstacle covers.
    fn silhouette(&self, context: &Context, form: &ObstacleForm) -> Option<Mesh> {
        if let Some(draw) = surface(form) {
            let mut body = Body::new(context, &draw);
            body.update(context, &draw, &self.origin, CONTACT.truncate());
            return Some(body.mesh);
        }
        let ObstacleForm::Shape(shape) = form else { return None };
        let (mut parts, mut mesh) = (Parts::default(), Mesh::new(context));
        shapes::obstacle(&mut parts, shape, &self.origin, CONTACT);
        parts.upload(&mut mesh);
        Some(mesh)
    }

    /// Two arrows for each contact, its normal force and its friction, the largest force as long as the list says; then what is
    /// authored.
    fn arrows(&mut self, list: &DrawList) {
        self.arrows.iter_mut().for_each(|(_, arrows)| arrows.clear());
        let contacts = strongest(&list.contacts, if list.all_forces { usize::MAX } else { MOST_FORCES });
        let largest = contacts.iter().map(|(force, _)| *force).fold(0.0, f64::max);
        for (_, contact) in contacts.iter().filter(|_| largest > 0.0) {
            let (normal, friction) = contact.parts();
            for ((_, arrows), force) in self.arrows.iter_mut().zip([normal, friction]) {
                let along = force * (list.force_length * self.radius / largest);
                if along.norm() > SHORTEST * self.radius {
                    let from = contact.point - self.origin;
                    arrows.add(&[to_f32(&from), to_f32(&(from + along))], true);
                }
            }
        }
        for draw in &list.arrows {
            let points: Vec<_> = draw.points.iter().map(|point| to_f32(&(point - self.origin))).collect();
            let of_kind = ArrowKind::ALL.iter().zip(&mut self.arrows[2..]).find(|(kind, _)| **kind == draw.kind);
            if let Some((_, (_, arrows))) = of_kind {
                arrows.add(&points, draw.head);
            }
        }
        self.arrows.iter_mut().for_each(|(_, arrows)| arrows.upload());
    }
}

/// The contacts with the largest forces [N], at most so many.
fn strongest(contacts: &[ContactDraw], most: usize) -> Vec<(f64, &ContactDraw)> {
    let mut contacts: Vec<_> = contacts.iter().map(|contact| (contact.force.norm(), contact)).collect();
    if contacts.len() > most {
        contacts.select_nth_unstable_by(most, |a, b| b.0.total_cmp(&a.0));
        contacts.truncate(most);
    }
    contacts
}

/// The box around bodies and around the points of obstacles that are not too `far` off, all relative to the origin [m].
fn casting(bodies: Option<[Vec3; 2]>, obstacles: impl Iterator<Item = Vec3>, far: f64) -> (Vec3, Vec3) {
    let points = bodies.into_iter().flatten().chain(obstacles).map(|p| p.map(|x| if x.is_finite() { x.clamp(-far, far) } else { 0.0 }));
    points.map(|p| (p, p)).reduce(|(low, high), (p, _)| (low.inf(&p), high.sup(&p))).unwrap_or_default()
}

/// Makes `bodies` show `draws`, keeping what fits.
fn bring_up_to_date(bodies: &mut Vec<Body>, draws: &[BodyDraw], context: &Context, origin: &Vec3, slate: three_d::Vec3) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_forces_are_drawn() {
        let contact = |force: u32| ContactDraw { point: Vec3::zeros(), normal: Vec3::y(), force: Vec3::y() * f64::from(force) };
        let contacts: Vec<_> = (0..120).map(|i| contact(i * 37 % 120)).collect();
        let mut forces: Vec<f64> = strongest(&contacts, 50).iter().map(|(force, _)| *force).collect();
        forces.sort_by(f64::total_cmp);
        assert_eq!(forces, (70..120).map(f64::from).collect::<Vec<_>>());
        assert_eq!(strongest(&contacts, usize::MAX).len(), 120);
    }
}
