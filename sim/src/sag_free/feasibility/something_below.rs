//! What a body that nothing holds can be let down onto.

use super::component::Component;
use crate::contact::clear::until_nothing_is_left;
use crate::contact::distance::placed;
use crate::math::Vec3;
use crate::scene::{Mend, Way};
use crate::system::System;

/// How the body of a component is put onto what lies below it along its load [N], or what is put under it. `None` if the body has other
/// parts or supports, which would not go along.
pub fn something_below(system: &System, component: &Component, load: &Vec3) -> Option<Mend> {
    let down = load.try_normalize(0.0)?;
    let body = system.bodies.iter().position(|body| std::ptr::eq(body, component.body))?;
    let nodes = component.body.nodes.clone();
    if component.nodes.len() != nodes.len() || nodes.clone().any(|node| system.fixed[node]) {
        return None;
    }
    let gap = 0.5 * system.contact.barrier_distance * system.diagonal;
    let way = |obstacle: usize| {
        let shape = placed(&system.obstacles[obstacle].shape);
        let touching = system.pairs.iter().filter(|pair| pair.obstacle as usize == obstacle && nodes.contains(&(pair.node as usize)));
        let points: Vec<Vec3> = touching.map(|pair| system.positions[pair.node as usize]).collect();
        let least = |by: f64| points.iter().map(|x| shape.distance(&(x + by * down)).value).fold(f64::INFINITY, f64::min);
        until_nothing_is_left(|by| least(by) - gap).filter(|by| *by > 0.0)
    };
    let ways = (0..system.obstacles.len()).filter_map(|obstacle| Some((way(obstacle)?, obstacle)));
    let first = ways.min_by(|a, b| a.0.total_cmp(&b.0));
    Some(match first {
        Some((by, obstacle)) => Mend::Move { body, by: (by * down).into(), way: Way::Onto(system.obstacles[obstacle].name.clone()) },
        None => {
            let lowest = nodes.map(|node| system.positions[node]).max_by(|a, b| a.dot(&down).total_cmp(&b.dot(&down)))?;
            Mend::Ground { point: (lowest + gap * down).into(), normal: (-down).into() }
        }
    })
}
