//! Walls at the nodes of the grid: obstacles by their signed distances, and surfaces of bodies beside the points, which hold off what comes, let go what
//! leaves, and rub as Coulomb says, standing or on their way.

use std::sync::Arc;

use rayon::prelude::*;

use super::blocks::Blocks;
use super::bodies::{self, Surface};
use super::corners;
use super::facing::{self, Matter};

use crate::contact::distance::{SignedDistance, placed};
use crate::math::splines::Interpolation;
use crate::math::{Mat3, Vec3};
use crate::mesh::inside::Inside;
use crate::scene::{Shape, WallCondition};
use crate::system::System;
use crate::system::motion::Placement;

/// Distance from a wall at which a node is at it, over the spacing of the grid: what round-off makes of 0.
const AT: f64 = 1e-9;
/// The same of a body, which moves a little at rest, too, and is not to let nodes go that lie on it.
const AT_BODY: f64 = 1e-6;
/// Rounds over the walls of a node that lies in several, and the change, over the largest velocity, that ends them.
const ROUNDS: usize = 1000;
const SETTLED: f64 = 1e-17;
/// Of the velocity, what round-off may leave.
pub(super) const ROUNDED: f64 = 1e-9;

/// What a wall is.
#[derive(Debug)]
enum Form {
    /// A shape with a signed distance of its own, and whether it has edges.
    Shape(Box<dyn SignedDistance>, bool),
    /// The same where nodes feel a wall before they are in it, and each of its faces apart.
    Faces(Box<dyn SignedDistance>),
    /// What closed triangles enclose.
    Triangles(Arc<Inside>),
    /// The surface with this number among those of bodies.
    Body(usize),
}

/// What a wall is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    /// The obstacle with this number.
    Obstacle(u32),
    /// The body with this number.
    Body(u32),
}

impl Form {
    /// Unit vectors that lead out, at `x` [m], of what is no farther than `reach` [m] outside.
    fn outward(&self, x: &Vec3, reach: f64) -> [Option<Vec3>; 3] {
        match self {
            Self::Shape(shape, _) => {
                let distance = shape.distance(x);
                [(distance.value <= reach).then_some(distance.normal), None, None]
            }
            Self::Faces(shape) => shape.faces(x, reach),
            Self::Triangles(inside) => [inside.distance(x, reach).map(|(_, normal)| normal), None, None],
            Self::Body(_) => [None; 3],
        }
    }
}

/// What points are kept out of.
#[derive(Debug)]
pub struct Wall {
    /// What it is.
    pub of: Of,
    form: Form,
    /// Friction coefficient.
    pub friction: f64,
    /// How it holds nodes.
    condition: WallCondition,
    /// Distance at which nodes are at it, over the spacing of the grid.
    reach: f64,
    /// The motion that it follows, if it moves.
    motion: Option<u32>,
}

impl Wall {
    /// Whether it does more than to hold nodes off.
    pub fn binds(&self) -> bool {
        self.condition != WallCondition::Separating
    }

    /// Whether the ways out of it change from one face to the next, so that it matters from where it is met. (Of what has its faces apart each has its own.)
    pub fn has_edges(&self) -> bool {
        matches!(self.form, Form::Shape(_, true) | Form::Triangles(_) | Form::Body(_))
    }

    /// Whether it comes nearer to `x` than `reach` [m], where it is at this place.
    pub fn is_within(&self, x: &Vec3, reach: f64, place: &Place, surfaces: &[Surface]) -> bool {
        let Some(given) = place.given(x) else { return false };
        match &self.form {
            Form::Shape(shape, _) | Form::Faces(shape) => shape.distance(&given).value <= reach,
            Form::Triangles(inside) => inside.distance(&given, reach).is_some(),
            Form::Body(surface) => surfaces[*surface].is_within(x, reach),
        }
    }

    /// `touch`, of a node at `x` [m], as the matter at `seen` [m] meets the wall.
    pub fn seen(&self, touch: &Touch, (x, seen): (&Vec3, &Vec3), place: &Place, surfaces: &[Surface]) -> Touch {
        let Some([x_given, seen_given]) = place.given(x).zip(place.given(seen)).map(<[Vec3; 2]>::from) else { return *touch };
        let normal = match &self.form {
            Form::Shape(shape, true) => Some(shape.distance(&seen_given).normal),
            Form::Triangles(inside) => inside.facing(&x_given, &seen_given).map(|(normal, _)| normal),
            Form::Body(surface) => return surfaces[*surface].seen(touch, (x, seen)),
            Form::Shape(..) | Form::Faces(_) => None,
        };
        normal.map_or(*touch, |normal| Touch { normal: place.turned(&normal), ..*touch })
    }
}

impl Place {
    /// Where of the given wall `x` [m] is; none where it is gone.
    fn given(&self, x: &Vec3) -> Option<Vec3> {
        match self {
            Self::Gone => None,
            Self::Given => Some(*x),
            Self::Moving(way) => Some(way.end.given(x)),
        }
    }

    /// A direction of the given wall, as it is turned.
    fn turned(&self, given: &Vec3) -> Vec3 {
        match self {
            Self::Moving(way) => way.end.turned(given),
            Self::Gone | Self::Given => *given,
        }
    }
}

/// Where a wall is in a part of a step.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// Not there any more.
    Gone,
    /// Where it was given.
    Given,
    /// On its way.
    Moving(Box<Way>),
}

/// How a wall moves in a part of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Way {
    start: Placement,
    end: Placement,
    /// Length of the part [s].
    part: f64,
}

/// A node in a wall, or at it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// The node.
    pub node: u32,
    /// The wall, as a number in the list of them.
    pub wall: u32,
    /// Out of the wall.
    pub normal: Vec3,
    /// Friction coefficient.
    pub friction: f64,
    /// How the wall holds the node.
    pub condition: WallCondition,
    /// How fast the wall moves there [m/s].
    pub velocity: Vec3,
}

impl Touch {
    /// Whether it does more than to hold the node off.
    pub fn binds(&self) -> bool {
        self.condition != WallCondition::Separating
    }

    /// Whether it makes forces along the wall.
    pub(super) fn rubs(&self) -> bool {
        match self.condition {
            WallCondition::Separating => self.friction > 0.0,
            WallCondition::Slip => false,
            WallCondition::Sticky => true,
        }
    }
}

/// Projects on the directions in which none of these walls binds a node, whatever comes; nothing where one sticks to it.
pub fn unbound(touches: &[Touch]) -> Mat3 {
    let mut free = Mat3::identity();
    for touch in touches {
        match touch.condition {
            WallCondition::Separating => {}
            WallCondition::Sticky => return Mat3::zeros(),
            WallCondition::Slip => {
                if let Some(beside) = (free * touch.normal).try_normalize(ROUNDED) {
                    free -= beside * beside.transpose();
                }
            }
        }
    }
    // Three walls hold it altogether.
    if free.amax() <= ROUNDED { Mat3::zeros() } else { free }
}

/// The walls of the material points of `system` at the nodes of their grid; none where points meet obstacles by themselves.
pub fn walls(system: &System) -> Vec<Wall> {
    if system.touches_at_points() {
        return Vec::new();
    }
    let is_wet = system.points().is_some_and(|points| points.elements.iter().any(|point| point.material.liquid().is_some()));
    // Where there is a liquid, as far as what moves a node reaches: nodes that feel a wall cannot have it both ways, or hydrostatic pressure has no balance.
    let reach = if is_wet { system.simulate.grid.kernel.reach() - AT } else { AT };
    let mut walls: Vec<Wall> = Vec::new();
    for (_, obstacle, friction) in pairs(system) {
        if walls.iter().all(|wall| wall.of != Of::Obstacle(obstacle)) {
            let surface = system.mesh_obstacles.iter().find(|surface| surface.obstacle == obstacle);
            let shape = &system.obstacles[obstacle as usize].shape;
            let form = match surface.and_then(|surface| surface.inside.clone()) {
                Some(inside) => Form::Triangles(inside),
                None if is_wet => Form::Faces(placed(shape)),
                None => Form::Shape(placed(shape), matches!(shape, Shape::Box { .. })),
            };
            let (motion, condition) = (surface.and_then(|surface| surface.motion), system.obstacles[obstacle as usize].wall);
            walls.push(Wall { of: Of::Obstacle(obstacle), form, friction, condition, reach, motion });
        }
    }
    walls.sort_by_key(|wall| wall.of);
    let bodies = system.beside_points().filter(|(_, body)| system.goes_one_way() && bodies::triangles(body).is_some());
    walls.extend(bodies.enumerate().map(|(surface, (number, _))| Wall {
        of: Of::Body(number as u32),
        form: Form::Body(surface),
        friction: system.contact.friction,
        condition: WallCondition::Separating,
        reach: reach.max(AT_BODY),
        motion: None,
    }));
    walls
}

/// Node, obstacle and friction coefficient of each pair of a material point and a wall that it may touch.
pub fn pairs(system: &System) -> impl Iterator<Item = (usize, u32, f64)> {
    let is_point = |node: u32| {
        let of_body = system.bodies.iter().find(|body| body.nodes.contains(&(node as usize)));
        of_body.and_then(|body| body.matter.particles()).is_some_and(|matter| matter.is_of_points())
    };
    system
        .pairs
        .iter()
        .chain(&system.point_pairs)
        .filter(move |pair| is_point(pair.node))
        .map(|pair| (pair.node as usize, pair.obstacle, pair.friction))
}

/// Where the walls are in a part of `part` [s] that begins at `time` [s].
pub fn places(system: &System, walls: &[Wall], time: f64, part: f64) -> Vec<Place> {
    let is_present = |wall: &Wall| match wall.of {
        Of::Obstacle(obstacle) => system.obstacles[obstacle as usize].is_present(time + 0.5 * part),
        Of::Body(_) => true,
    };
    let of_wall = |wall: &Wall| match wall.motion {
        _ if !is_present(wall) => Place::Gone,
        None => Place::Given,
        Some(motion) => {
            let motion = &system.motions[motion as usize];
            Place::Moving(Box::new(Way { start: motion.placement(time), end: motion.placement(time + part), part }))
        }
    };
    walls.iter().map(of_wall).collect()
}

/// The nodes that lie in one of the walls where these are at the end of a part, or at it, in ascending order: of so many nodes with their places
/// [m], in a grid that has values at points `by` these. `surfaces`: those of bodies.
pub fn touches(
    walls: &[Wall],
    (places, surfaces): (&[Place], &[Surface]),
    (count, node): (usize, impl Fn(usize) -> (u32, Vec3) + Sync),
    by: &Interpolation,
) -> Vec<Touch> {
    let of_node = |k: usize| {
        let (node, x) = node(k);
        let mut found = Vec::new();
        for (number, (wall, place)) in (0u32..).zip(walls.iter().zip(places)) {
            if let Form::Body(surface) = wall.form {
                surfaces[surface].touch((node, &x), (number, wall.friction), wall.reach * by.spacing, by, &mut found);
                continue;
            }
            let Some(given) = place.given(&x) else { continue };
            for outward in wall.form.outward(&given, wall.reach * by.spacing).into_iter().flatten() {
                let velocity = match place {
                    Place::Moving(way) => (x - way.start.place(&given)) / way.part,
                    _ => Vec3::zeros(),
                };
                let Wall { friction, condition, .. } = *wall;
                found.push(Touch { node, wall: number, normal: place.turned(&outward), friction, condition, velocity });
            }
        }
        found
    };
    // In the order of the nodes.
    (0..count).into_par_iter().with_min_len(64).flat_map_iter(of_node).collect()
}

/// [`touches`] of walls as they stand at the start, and as they are met by the points at `x` [m] with these masses [kg], of these nodes of their grid.
pub fn standing(system: &System, walls: &[Wall], (x, masses): (&[Vec3], &[f64]), nodes: &[(u32, Vec3)], by: &Interpolation) -> Vec<Touch> {
    let Ok(blocks) = Blocks::of(x, *by) else { return Vec::new() };
    let mut surfaces = Surface::all(system);
    surfaces.iter_mut().for_each(|surface| surface.weigh_given(&blocks, x, masses));
    let places = places(system, walls, 0.0, 0.0);
    let found = touches(walls, (&places, &surfaces), (nodes.len(), |k| nodes[k]), by);
    if !walls.iter().any(Wall::has_edges) {
        return found;
    }
    let order = blocks.order();
    let point = |at: usize| (order[at] as usize, x[order[at] as usize]);
    let (all, mut matter, mut met) = ((walls, places.as_slice(), surfaces.as_slice()), Matter::default(), Vec::new());
    facing::weigh(all, &blocks, (x.len(), &point), masses, &mut matter);
    facing::faced(all, &blocks, &found, &matter, &mut met);
    met
}

/// The change of a velocity of `v` [m/s], as the wall sees it, by one wall: nothing where it leads out of it; otherwise nothing is left of what leads in,
/// and along the wall as much is taken as friction has, mu times the normal impulse, which may be all. (Projections that keep 1 - mu of the velocity
/// along the wall slow down whatever slides, however hard it is pressed, and let creep what should stick.)
fn answer(v: &Vec3, touch: &Touch) -> Vec3 {
    match touch.condition {
        WallCondition::Separating => {}
        WallCondition::Slip => return -touch.normal.dot(v) * touch.normal,
        WallCondition::Sticky => return -v,
    }
    let inward = -touch.normal.dot(v);
    if inward <= 0.0 {
        return Vec3::zeros();
    }
    let along = v + inward * touch.normal;
    let speed = along.norm();
    if speed <= touch.friction * inward { -v } else { inward * touch.normal - touch.friction * inward / speed * along }
}

/// What walls make of the velocity of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// The velocity that is left [m/s].
    pub after: Vec3,
    /// Projects on the directions in which walls hold the node: the normals of those that push, or all.
    pub held: Mat3,
    /// What friction has taken of the velocity in the others [m/s].
    pub rubbed: Vec3,
}

/// What walls make of the velocity `v` [m/s] of a node that lies in `touches`: of several each answers what the others leave, until all agree.
/// Where they do not, as in a narrow wedge that rubs on both sides, they hold the node, and take it along.
pub fn resolved(v: &Vec3, touches: &[Touch]) -> Vec3 {
    if let [only] = touches {
        return v + answer(&(v - only.velocity), only);
    }
    answers(v, touches).0
}

/// [`resolved`], with what it is made of.
pub fn resolved_into(v: &Vec3, touches: &[Touch]) -> Answer {
    let (after, changes) = answers(v, touches);
    let pushes = |touch: &Touch, change: &Vec3| touch.binds() || touch.normal.dot(change) > 0.0;
    let pushing: Vec<&Touch> =
        touches.iter().zip(&changes).filter(|(touch, change)| pushes(touch, change)).map(|(touch, _)| touch).collect();
    // What a rough wall leaves of the velocity along itself is nothing, or has its direction.
    let sticks = |touch: &&Touch| {
        let slides = after - touch.velocity;
        touch.rubs() && (slides - touch.normal.dot(&slides) * touch.normal).norm() <= ROUNDED * (v - touch.velocity).norm()
    };
    if changes.is_empty() || pushing.iter().any(sticks) {
        return Answer { after, held: Mat3::identity(), rubbed: Vec3::zeros() };
    }
    let mut held = Mat3::zeros();
    for touch in pushing {
        if let Some(beside) = (touch.normal - held * touch.normal).try_normalize(ROUNDED) {
            held += beside * beside.transpose();
        }
    }
    let change = after - v;
    Answer { after, held, rubbed: change - held * change }
}

/// What is left of `v` [m/s], and what each wall has changed of it; no such changes where they do not agree.
fn answers(v: &Vec3, touches: &[Touch]) -> (Vec3, Vec<Vec3>) {
    if let [only] = touches {
        let change = answer(&(v - only.velocity), only);
        return (v + change, vec![change]);
    }
    // As the walls see it, if they all move alike.
    let frame = touches.iter().map(|touch| touch.velocity).sum::<Vec3>() / touches.len() as f64;
    let v = v - frame;
    let of_wall = |touch: &Touch| touch.velocity - frame;
    let apart = touches.iter().map(|touch| of_wall(touch).norm()).fold(0.0, f64::max);
    if apart <= ROUNDED * v.norm() && corners::hold(&v, touches) {
        return (frame, Vec::new());
    }
    // What walls that bind change, all together.
    let held = Mat3::identity() - unbound(touches);
    let mut bound = Vec3::zeros();
    let mut changes = vec![Vec3::zeros(); touches.len()];
    for _ in 0..ROUNDS {
        let next = -held * (v + changes.iter().sum::<Vec3>());
        let mut moved = (next - bound).amax();
        bound = next;
        for (t, touch) in touches.iter().enumerate().filter(|(_, touch)| !touch.binds()) {
            let others = changes.iter().enumerate().filter(|(other, _)| *other != t).map(|(_, change)| change).sum::<Vec3>();
            let change = answer(&(v + bound + others - of_wall(touch)), touch);
            moved = moved.max((change - changes[t]).amax());
            changes[t] = change;
        }
        if moved <= SETTLED * v.norm() {
            break;
        }
    }
    let pushed = v + changes.iter().sum::<Vec3>();
    let after = pushed - held * pushed;
    let leads_in = touches
        .iter()
        .filter(|touch| !touch.binds())
        .any(|touch| touch.normal.dot(&(after - of_wall(touch))) < -ROUNDED * (v.norm() + apart));
    let grows = after.norm() > (1.0 + ROUNDED) * v.norm() + 2.0 * apart;
    if leads_in || grows { (frame, Vec::new()) } else { (frame + after, changes) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(normal: Vec3, friction: f64) -> Touch {
        Touch { node: 0, wall: 0, normal, friction, condition: WallCondition::Separating, velocity: Vec3::zeros() }
    }

    /// Coulomb, by the impulses: sticks up to mu times the normal one, and slides with that beyond; nothing pulls.
    #[test]
    fn one_wall_sticks_slides_and_lets_go() {
        let floor = touch(Vec3::y(), 0.5);
        let after = |x: f64, y: f64| resolved(&Vec3::new(x, y, 0.0), &[floor]);
        assert_eq!(after(0.4, 1.0), Vec3::new(0.4, 1.0, 0.0));
        assert_eq!(after(0.5, -1.0), Vec3::zeros());
        assert!((after(0.8, -1.0) - Vec3::new(0.3, 0.0, 0.0)).amax() < 1e-15);
        let smooth = resolved(&Vec3::new(0.8, -1.0, 0.0), &[touch(Vec3::y(), 0.0)]);
        assert_eq!(smooth, Vec3::new(0.8, 0.0, 0.0));
    }

    /// What a wall that moves does to a node is what the same wall at rest does to one that moves towards it; of several that move alike, too.
    #[test]
    fn walls_that_move_are_seen_from_themselves() {
        let mut random = crate::math::random::Random::new(8);
        for _ in 0..200 {
            let (v, velocity) = (random.vector(-1.0, 1.0), random.vector(-1.0, 1.0));
            let corner = [touch(Vec3::y(), random.uniform(0.0, 0.6)), touch(random.vector(0.2, 1.0).normalize(), 0.3)];
            let moving = corner.map(|touch| Touch { velocity, ..touch });
            for count in [1, 2] {
                let expected = velocity + resolved(&(v - velocity), &corner[..count]);
                assert!((resolved(&v, &moving[..count]) - expected).amax() < 1e-12);
            }
        }
        // Pressed between two that come together, a node is taken along by neither.
        let press = [(Vec3::y(), Vec3::y()), (-Vec3::y(), -Vec3::y())].map(|(normal, velocity)| Touch { velocity, ..touch(normal, 0.0) });
        assert!(resolved(&Vec3::new(0.0, 0.3, 0.0), &press).norm() < 1e-12);
    }

    /// Walls that stick leave nothing of a velocity, and those that slip what is along them, whichever way it leads; beside others as well.
    #[test]
    fn walls_bind_what_they_should() {
        let mut random = crate::math::random::Random::new(10);
        let with = |condition, normal: Vec3| Touch { condition, ..touch(normal, 0.4) };
        let (sticky, slip) = (WallCondition::Sticky, WallCondition::Slip);
        for _ in 0..200 {
            let [n, m] = [0; 2].map(|_| random.vector(-1.0, 1.0).normalize());
            let (v, velocity) = (random.vector(-1.0, 1.0), random.vector(-1.0, 1.0));
            let edge = n.cross(&m).normalize();
            let cases = [
                (vec![with(sticky, n)], Vec3::zeros()),
                (vec![with(sticky, n), touch(m, 0.3)], Vec3::zeros()),
                (vec![touch(m, 0.0), with(sticky, n), with(slip, m)], Vec3::zeros()),
                (vec![with(slip, n)], v - n.dot(&v) * n),
                (vec![with(slip, n), with(slip, m)], edge.dot(&v) * edge),
            ];
            for (touches, expected) in cases {
                let moving: Vec<Touch> = touches.iter().map(|touch| Touch { velocity, ..*touch }).collect();
                let after = resolved(&(v + velocity), &moving);
                assert!((after - velocity - expected).amax() < 1e-8, "{touches:?}: {after} {expected}");
                let answer = resolved_into(&v, &touches);
                assert!((answer.after - expected).amax() < 1e-8 && answer.rubbed.amax() < 1e-8, "{answer:?}");
                // They hold in all directions but those that are free, whatever comes.
                let free = unbound(&touches);
                assert!((answer.held + free - Mat3::identity()).amax() < 1e-8, "{touches:?}: {} {free}", answer.held);
            }
            // One that only pushes beside one that slips: nothing goes into the first, nor off the second.
            let after = resolved(&v, &[with(slip, n), touch(m, 0.0)]);
            assert!(n.dot(&after).abs() < 1e-8 && m.dot(&after) > -1e-8, "{after}");
            // One that rubs beside some that slip holds what is in its cone, wherever that draws it along the normals of the others.
            let rub = |share: f64| m + share * 0.4 * (v - m.dot(&v) * m).normalize();
            let others = [with(slip, n), with(slip, random.vector(-1.0, 1.0).normalize())];
            for slipping in [&others[..1], &others] {
                let touches: Vec<Touch> = slipping.iter().copied().chain([touch(m, 0.4)]).collect();
                let pull: Vec3 = slipping.iter().map(|other| random.uniform(-2.0, 2.0) * other.normal).sum();
                let held = pull - random.uniform(0.1, 1.0) * rub(random.uniform(0.0, 0.99));
                assert!(resolved(&held, &touches).norm() < 1e-8, "{held} {touches:?}");
            }
            // What is left of the cone along the one that slips is what some direction in it says: beyond that it slides.
            let free = unbound(&others[..1]);
            let (beside, along) = (free * m, (free * m).cross(&n));
            let width = (beside.norm_squared() - 0.16 / 1.16).max(0.0).sqrt();
            for (share, holds) in [(0.99, true), (1.01, width == 0.0)] {
                // The cone's edge has this cosine to P m.
                let cosine = width / beside.norm();
                let angle = share * cosine.acos();
                let held = -(angle.cos() * beside.normalize() + angle.sin() * along.normalize()) + random.uniform(-2.0, 2.0) * n;
                let after = resolved(&held, &[others[0], touch(m, 0.4)]);
                assert_eq!(after.norm() < 1e-8, holds, "{held} {n} {m}: {after}");
            }
        }
    }

    /// Between two smooth walls that both push, what is left is the velocity along their edge, whatever their angle.
    #[test]
    fn smooth_walls_leave_the_way_along_their_edge() {
        let mut random = crate::math::random::Random::new(6);
        for _ in 0..200 {
            let other = Vec3::new(random.uniform(0.3, 1.0), random.uniform(-0.5, 0.9), random.uniform(-0.3, 0.3)).normalize();
            let push = -random.uniform(0.1, 1.0) * Vec3::y() - random.uniform(0.1, 1.0) * other;
            let edge = Vec3::y().cross(&other).normalize();
            let along = random.uniform(-1.0, 1.0) * edge;
            let after = resolved(&(push + along), &[touch(Vec3::y(), 0.0), touch(other, 0.0)]);
            assert!((after - along).amax() < 1e-9, "{after} {along}");
        }
    }

    /// In a corner nothing goes into either wall, whatever the angle and the friction, and what both can hold comes to rest.
    #[test]
    fn walls_of_a_corner_agree() {
        let mut random = crate::math::random::Random::new(5);
        for _ in 0..200 {
            let other = Vec3::new(random.uniform(0.3, 1.0), random.uniform(-0.5, 0.9), random.uniform(-0.3, 0.3)).normalize();
            let (friction, v) = (random.uniform(0.0, 0.6), random.vector(-1.0, 1.0));
            let corner = [touch(Vec3::y(), friction), touch(other, friction)];
            let after = resolved(&v, &corner);
            assert!(corner.iter().all(|wall| wall.normal.dot(&after) > -1e-9), "{after}");
            assert!(after.norm() <= v.norm() + 1e-12);
        }
        let held = resolved(&Vec3::new(-1.0, -1.0, 0.1), &[touch(Vec3::y(), 0.3), touch(Vec3::x(), 0.3)]);
        assert!(held.amax() < 1e-16, "{held}");
    }
}
