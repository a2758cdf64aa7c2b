//! The cells of the grid on which material points move, as lines.

use std::collections::BTreeMap;

use aplomb_sim::math::Vec3;
use aplomb_sim::math::splines::{Interpolation, Kernel};

use crate::viewport::{LineDraw, LineKind};

/// Cells from which on only the edges around all of them are drawn: those inside would hide one another.
const MANY: usize = 500;
/// Cells around an edge.
const AROUND: u32 = 4;

/// The edges of those cells of `spacing` [m] that hold a point; of many cells, only the edges outside of all of them.
pub fn cells(points: &[Vec3], spacing: f64) -> LineDraw {
    // With linear splines the first of a point's nodes is the lowest corner of the cell that the point is in.
    let corners = Interpolation { spacing, kernel: Kernel::Linear, ..Interpolation::default() };
    let mut held: Vec<[i32; 3]> = points.iter().filter_map(|x| corners.base(x)).collect();
    held.sort_unstable();
    held.dedup();
    // How many cells have each edge, by its lower end and its axis.
    let mut edges: BTreeMap<([i32; 3], usize), u32> = BTreeMap::new();
    for cell in &held {
        for axis in 0..3 {
            for side in 0..AROUND {
                let mut from = *cell;
                from[(axis + 1) % 3] += (side & 1) as i32;
                from[(axis + 2) % 3] += (side >> 1) as i32;
                *edges.entry((from, axis)).or_default() += 1;
            }
        }
    }
    let is_few = held.len() <= MANY;
    let line = |(from, axis): ([i32; 3], usize)| {
        let mut to = from;
        to[axis] += 1;
        [from, to].map(|node| spacing * Vec3::from(node.map(f64::from)))
    };
    let ends = edges.into_iter().filter(|(_, cells)| is_few || *cells < AROUND).map(|(edge, _)| line(edge)).collect();
    LineDraw { ends, kind: LineKind::Cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two points of one cell and one of the next have the edges of two cells side by side, which share four.
    #[test]
    fn cells_that_hold_points_have_their_edges_once() {
        let points = [Vec3::new(0.01, 0.02, 0.03), Vec3::new(0.09, 0.01, 0.05), Vec3::new(-0.01, 0.02, 0.03)];
        let lines = cells(&points, 0.1);
        assert_eq!(lines.ends.len(), 12 + 8);
        for [from, to] in lines.ends.iter() {
            assert!(((to - from).norm() - 0.1).abs() < 1e-12);
            assert!(from.x > -0.101 && to.x < 0.101 && from.y > -1e-12 && to.z < 0.101, "{from} {to}");
        }
        // What is nowhere has no cell.
        assert!(cells(&[Vec3::repeat(f64::NAN)], 0.1).ends.is_empty());
    }

    /// Of many cells the edges inside are left out.
    #[test]
    fn of_many_cells_the_outside_is_drawn() {
        let side = 9;
        let points: Vec<Vec3> = (0..side * side * side)
            .map(|k| Vec3::from([k / (side * side), k / side % side, k % side].map(|n| f64::from(n) + 0.5)))
            .collect();
        // On each of the six faces a net, whose rim two faces share.
        let (along, rim) = (6 * 2 * side * (side + 1), 12 * side);
        assert_eq!(cells(&points, 1.0).ends.len(), (along - rim) as usize);
    }
}
