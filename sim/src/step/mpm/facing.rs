//! Which face of a wall the matter at a node meets. The nearest face to the node itself need not be that: a node inside a table, near its edge, may be
//! nearer to the side, and a wall that held off what comes from there would hook whatever slides over the top. So walls with edges are met as
//! they are seen from where the points around the node lie.

use rayon::prelude::*;

use super::blocks::{Blocks, Placed, Room};
use super::bodies::Surface;
use super::walls::{Place, Touch, Wall};
use crate::math::Vec3;

/// Mass [kg] and mass times place [kg m] of the points around each node, as far as these may meet a wall with edges.
pub type Matter = Room<4>;

/// Sums it up of `points`, which are sorted by `blocks`, with these `masses` [kg] by their numbers.
pub fn weigh(
    (walls, places, surfaces): (&[Wall], &[Place], &[Surface]),
    blocks: &Blocks,
    points: Placed,
    masses: &[f64],
    matter: &mut Matter,
) {
    let is_near = |block: usize| {
        let (middle, radius) = blocks.reach_of(block);
        walls.iter().zip(places).any(|(wall, place)| wall.has_edges() && wall.is_within(&middle, radius, place, surfaces))
    };
    let given = |number: usize, x: &Vec3| {
        let (mass, moment) = (masses[number], masses[number] * x);
        Some(move |w: f64, _: &Vec3| [w * mass, w * moment.x, w * moment.y, w * moment.z])
    };
    blocks.scatter(points, matter, is_near, given);
}

/// `touches` with the walls as they are seen from the matter around their nodes.
pub fn faced(
    (walls, places, surfaces): (&[Wall], &[Place], &[Surface]),
    blocks: &Blocks,
    touches: &[Touch],
    matter: &Matter,
    faced: &mut Vec<Touch>,
) {
    let of_touch = |touch: &Touch| {
        let (node, wall) = (touch.node as usize, touch.wall as usize);
        let seen = matter.sums.get(node).filter(|[mass, ..]| *mass > 0.0).map(|[mass, x, y, z]| Vec3::new(*x, *y, *z) / *mass);
        match seen.filter(|_| walls[wall].has_edges()) {
            Some(seen) => walls[wall].seen(touch, (&blocks.place_of(node), &seen), &places[wall], surfaces),
            None => *touch,
        }
    };
    touches.par_iter().with_min_len(64).map(of_touch).collect_into_vec(faced);
}
