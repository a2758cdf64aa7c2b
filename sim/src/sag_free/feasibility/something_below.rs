//! What a body that nothing holds can be let down onto.

use std::borrow::Cow;
use std::ops::Range;

use super::super::parts::Parts;
use super::component::Component;
use crate::contact::broad_phase::{BroadPhase, Candidates};
use crate::contact::clear::until_nothing_is_left;
use crate::contact::distance::placed;
use crate::contact::surfaces::free_share;
use crate::math::Vec3;
use crate::scene::{Mend, Way};
use crate::system::System;

/// How the body of a component is put onto what lies below it along its load [N], or what is put under it. `None` if the body has other
/// parts or supports, which would not go along, if something is in its way at once, or if what it would come to lie on is not held either.
pub fn something_below(system: &System, parts: &Parts, component: &Component, load: &Vec3) -> Option<Mend> {
    let down = load.try_normalize(0.0)?;
    let body = system.bodies.iter().position(|body| std::ptr::eq(body, component.body))?;
    let nodes = component.body.nodes.clone();
    if component.nodes.len() != nodes.len() || nodes.clone().any(|node| system.fixed[node]) {
        return None;
    }
    let falling = Falling { system, nodes, down, gap: NEAR * system.contact.barrier_distance * system.diagonal };
    let ways = (0..system.obstacles.len()).filter_map(|obstacle| Some((falling.to_obstacle(obstacle)?, obstacle)));
    let ends = ways.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(by, obstacle)| (by, system.obstacles[obstacle].name.clone()));
    let surface = falling.to_surface(body as u32).ok()?;
    let first = ends.map(|(by, name)| (by, name, true)).into_iter().chain(surface.map(|(by, part)| {
        let of_body = system.bodies.get(part as usize);
        let is_held = of_body.is_none_or(|body| body.nodes.clone().any(|node| parts.is_held(parts.group_of(node))));
        (by, system.surface.parts[part as usize].name.clone(), is_held)
    }));
    Some(match first.min_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((_, _, false)) => return None,
        Some((by, name, true)) => Mend::Move { body, by: (by * down).into(), way: Way::Onto(name) },
        None => {
            // Under all that there is: what is farther down would be inside of it.
            let lowest = system.positions.iter().max_by(|a, b| a.dot(&down).total_cmp(&b.dot(&down)))?;
            Mend::Ground { body, point: (lowest + (falling.gap + falling.radius()) * down).into(), normal: (-down).into() }
        }
    })
}

/// How near a body comes to what it is let down onto, in barrier distances. These go by the size of the scene, which gets smaller as bodies
/// come down: what stands already goes on touching.
const NEAR: f64 = 0.1;

/// That a body is let down is not known to end well: something is beside it, too near.
struct NoWay;

/// A whole body on its way down.
struct Falling<'a> {
    system: &'a System,
    nodes: Range<usize>,
    down: Vec3,
    /// How near it comes to what it is let down onto [m].
    gap: f64,
}

impl Falling<'_> {
    /// How far it reaches around its nodes [m].
    fn radius(&self) -> f64 {
        self.system.surface.radius_at(self.nodes.start as u32)
    }

    /// How far it falls until it touches an obstacle that is no mesh [m].
    fn to_obstacle(&self, obstacle: usize) -> Option<f64> {
        let Self { system, nodes, down, gap } = self;
        let shape = placed(&system.obstacles[obstacle].shape);
        let touching = system.pairs.iter().filter(|pair| pair.obstacle as usize == obstacle && nodes.contains(&(pair.node as usize)));
        let points: Vec<Vec3> = touching.map(|pair| system.positions[pair.node as usize]).collect();
        let least = |by: f64| points.iter().map(|x| shape.distance(&(x + by * down)).value).fold(f64::INFINITY, f64::min);
        until_nothing_is_left(|by| least(by) - self.radius() - gap).filter(|by| *by > 0.0)
    }

    /// How far it falls until it touches another body or a mesh [m], and the part of the surface that this is.
    fn to_surface(&self, part: u32) -> Result<Option<(f64, u32)>, NoWay> {
        let Self { system, nodes, down, gap } = self;
        if !system.surface.is_active() {
            return Ok(None);
        }
        let mut surface = Cow::Borrowed(&system.surface);
        // What goes along stays where it is.
        if surface.may_touch(part, part) {
            surface.to_mut().rules.set(part, part, None);
        }
        let x = surface.points.of(&system.positions);
        let farthest = |a: f64, b: f64| a.max(b);
        let far = x.iter().map(|x| x.dot(down)).fold(f64::NEG_INFINITY, farthest);
        let near = nodes.clone().map(|node| -x[node].dot(down)).fold(f64::NEG_INFINITY, farthest);
        let whole = far + near + 2.0 * gap;
        let step = |by: f64| -> Vec<Vec3> { (0..x.len()).map(|n| if nodes.contains(&n) { by * down } else { Vec3::zeros() }).collect() };
        let (mut candidates, dx) = (Candidates::default(), step(whole));
        let share = BroadPhase::default().find_swept(&surface, &x, &dx, *gap, &mut candidates);
        let pairs: Vec<_> = candidates.pairs().filter(|pair| pair.parts(&surface).contains(&part)).collect();
        let nearest = |by: f64| {
            let moved: Vec<Vec3> = x.iter().zip(step(by)).map(|(x, dx)| x + dx).collect();
            let distances = pairs.iter().map(|pair| (pair.distance(&surface, &moved), pair.parts(&surface)));
            distances.min_by(|a, b| a.0.total_cmp(&b.0))
        };
        let left = |by: f64| nearest(by).filter(|_| by < whole).map_or(f64::INFINITY, |(distance, _)| distance - gap);
        match until_nothing_is_left(left) {
            Some(by) if by > 0.0 => {
                let other = nearest(by).and_then(|(_, parts)| parts.into_iter().find(|other| *other != part)).ok_or(NoWay)?;
                Ok(Some((by, other)))
            }
            Some(_) => Err(NoWay),
            None => {
                let free = free_share(&surface, &candidates, &x, &dx, share);
                if free < 1.0 { Err(NoWay) } else { Ok(None) }
            }
        }
    }
}
