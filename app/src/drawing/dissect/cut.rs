//! A body cut clean through by a plane: its surface up to there, and the section of its tets.

use std::collections::HashMap;
use std::sync::Arc;

use aplomb_sim::math::Vec3;
use rayon::prelude::*;

use super::pieces::{Blend, NO_CELL, Pieces};

/// A plane; what its normal points to is cut away.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: Vec3,
    /// Its distance from the origin along the normal [m].
    pub offset: f64,
}

impl Plane {
    /// How far a point [m] lies on the side that is cut away [m].
    pub fn beyond(&self, point: &Vec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// Whether a point [m] is cut away; the plane itself is.
    pub fn takes(&self, point: &Vec3) -> bool {
        self.beyond(point) >= 0.0
    }
}

/// Points of the section and of the rim of the surface, each edge that is crossed once.
struct Crossings<'a> {
    positions: &'a [Vec3],
    beyond: &'a [f64],
    points: Vec<Vec3>,
    blends: Vec<Blend>,
    known: HashMap<[u32; 2], u32>,
}

impl Crossings<'_> {
    /// The point at which an edge goes through the plane.
    fn at(&mut self, a: u32, b: u32) -> u32 {
        let nodes = [a.min(b), a.max(b)];
        *self.known.entry(nodes).or_insert_with(|| {
            let [from, to] = nodes.map(|node| self.beyond[node as usize]);
            let share = (from / (from - to)).clamp(0.0, 1.0);
            let [x, y] = nodes.map(|node| self.positions[node as usize]);
            self.points.push(x + share * (y - x));
            self.blends.push(Blend { nodes, share });
            self.points.len() as u32 - 1
        })
    }
}

/// What is left of a body with these tets, and with these triangles and lines to be seen, when its nodes are at `positions` [m].
pub fn cut(tets: &[[u32; 4]], (triangles, lines): (&[[u32; 3]], &[[u32; 2]]), positions: &[Vec3], plane: &Plane) -> Pieces {
    let beyond: Vec<f64> = positions.par_iter().with_min_len(4096).map(|point| plane.beyond(point)).collect();
    let goes = |node: u32| beyond[node as usize] >= 0.0;
    let points = positions.to_vec();
    let blends = (0..positions.len() as u32).map(Blend::node).collect();
    let mut crossings = Crossings { positions, beyond: &beyond, points, blends, known: HashMap::new() };

    let mut kept = Vec::with_capacity(triangles.len());
    for &triangle in triangles {
        match triangle.map(goes) {
            [true, true, true] => {}
            [false, false, false] => kept.push(triangle),
            away => {
                // Turned so that the lone corner, the one on its own side, stands first.
                let lone = (0..3).find(|&k| away[k] != away[(k + 1) % 3] && away[k] != away[(k + 2) % 3]).unwrap_or(0);
                let [a, b, c] = [0, 1, 2].map(|k| triangle[(lone + k) % 3]);
                let (ab, ac) = (crossings.at(a, b), crossings.at(a, c));
                if away[lone] {
                    kept.extend([[ab, b, c], [ab, c, ac]]);
                } else {
                    kept.push([a, ab, ac]);
                }
            }
        }
    }
    let left = |line: &[u32; 2]| match line.map(goes) {
        [true, true] => None,
        [false, false] => Some(*line),
        [away, _] => Some((line[usize::from(away)], line[usize::from(!away)])).map(|(stays, leaves)| [stays, crossings.at(stays, leaves)]),
    };
    let lines: Arc<[[u32; 2]]> = lines.iter().filter_map(left).collect();

    let mut cells = vec![NO_CELL; kept.len()];
    // The section has points of its own, so that it meets the surface in an edge.
    crossings.known.clear();
    let is_crossed = |tet: &[u32; 4]| tet.iter().any(|&node| goes(node)) && tet.iter().any(|&node| !goes(node));
    let crossed: Vec<u32> =
        tets.par_iter().with_min_len(4096).enumerate().filter(|(_, tet)| is_crossed(tet)).map(|(cell, _)| cell as u32).collect();
    for cell in crossed {
        let tet = tets[cell as usize];
        let (there, gone): (Vec<u32>, Vec<u32>) = tet.iter().copied().partition(|&node| !goes(node));
        let ring: Vec<u32> = match (there.as_slice(), gone.as_slice()) {
            (&[one], &[a, b, c]) | (&[a, b, c], &[one]) => [a, b, c].map(|other| crossings.at(one, other)).into(),
            (&[a, b], &[c, d]) => [(a, c), (a, d), (b, d), (b, c)].map(|(x, y)| crossings.at(x, y)).into(),
            _ => continue,
        };
        let corner = |k: usize| crossings.points[ring[k] as usize];
        let area: Vec3 = (1..ring.len() - 1).map(|k| (corner(k) - corner(0)).cross(&(corner(k + 1) - corner(0)))).sum();
        let faces_out = area.dot(&plane.normal) >= 0.0;
        for k in 1..ring.len() - 1 {
            kept.push(if faces_out { [ring[0], ring[k], ring[k + 1]] } else { [ring[0], ring[k + 1], ring[k]] });
            cells.push(cell);
        }
    }
    Pieces {
        positions: crossings.points.into(),
        blends: crossings.blends.into(),
        owners: Arc::new([]),
        triangles: kept.into(),
        cells: cells.into(),
        lines,
    }
}

#[cfg(test)]
#[path = "cut_tests.rs"]
mod tests;
