//! What springs are made of: a chain, a square, and a net that hangs by its corners.

use std::fmt::Write;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::net::Net;

/// Links of the chain.
const LINKS: usize = 20;
/// Cells of the hanging net along a side.
const CELLS: usize = 16;
/// How many times the force density of its inner lines that of its border has: the more, the less the border is curved.
const BORDER: f64 = 5.0;
/// Weight of a vertex over the force density inside [m]: the more, the deeper it hangs.
const WEIGHT: f64 = 0.006;
/// Sweeps after which no vertex moves any more, and how far each goes beyond its solution.
const SWEEPS: usize = 600;
const BEYOND: f64 = 1.8;

/// A chain of one metre that hangs from its first vertex at a height of one metre.
pub fn chain() -> String {
    let mut obj = String::from("# A hanging chain, in metres, y up\no chain\n");
    // Writing into a string cannot fail.
    (0..=LINKS).for_each(|k| {
        let _ = writeln!(obj, "v 0 {} 0", 1.0 - k as f64 / LINKS as f64);
    });
    let numbers: String = (1..=LINKS + 1).map(|v| format!(" {v}")).collect();
    obj + "l" + &numbers + "\n"
}

/// The square of Li et al. 2024, 4.5, standing in the plane z = 0: side 1 m, four cells along it.
pub fn square() -> String {
    Net::new([4; 2], |u, v| Vec3::new(u - 0.5, v - 0.5, 0.0)).to_obj("square")
}

/// A net that hangs by its four corners, with borders that curve inwards: the shape in which forces in proportion to the lengths (force
/// densities, Schek 1974) balance the weights of its vertices, found by successive over-relaxation.
/// All digits are written: without diagonals the net has fewer springs than equations, and another shape has no balance.
pub fn hanging_net() -> String {
    let mut net = Net::square(1.0, CELLS);
    let at = |k: usize| k == 0 || k == CELLS;
    for _ in 0..SWEEPS {
        for (i, j) in (0..=CELLS).flat_map(|j| (0..=CELLS).map(move |i| (i, j))) {
            if at(i) && at(j) {
                continue;
            }
            let (mut sum, mut densities) = (-WEIGHT * Vec3::y(), 0.0);
            let along_i = [i.checked_sub(1), Some(i + 1)].into_iter().flatten().filter(|&i| i <= CELLS).map(|i| (i, j, at(j)));
            let along_j = [j.checked_sub(1), Some(j + 1)].into_iter().flatten().filter(|&j| j <= CELLS).map(|j| (i, j, at(i)));
            for (i, j, is_border) in along_i.chain(along_j) {
                let density = if is_border { BORDER } else { 1.0 };
                sum += density * net.positions[net.vertex(i, j)];
                densities += density;
            }
            let vertex = net.vertex(i, j);
            let moved = sum / densities - net.positions[vertex];
            net.positions[vertex] += BEYOND * moved;
        }
    }
    net.positions.iter_mut().for_each(|p| p.y += 1.0);
    net.to_obj("hanging net")
}
