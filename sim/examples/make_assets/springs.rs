//! What springs are made of: a chain, a square, and a net that hangs by its corners.

use std::fmt::Write;

use aplomb_sim::math::Vec3;
use aplomb_sim::mesh::net::Net;

/// Links of the chain.
const LINKS: usize = 20;
/// Cells of the hanging net along a side.
const CELLS: usize = 16;
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

/// The same stretched along x by the factor 1.4.
pub fn square_stretched() -> String {
    Net::new([4; 2], |u, v| Vec3::new(1.4 * (u - 0.5), v - 0.5, 0.0)).to_obj("square stretched")
}

/// A net that hangs by its four corners. All digits are written: it has fewer springs than equations, and another shape has no balance.
pub fn hanging_net() -> String {
    let mut net = Net::hanging(1.0, CELLS);
    net.positions.iter_mut().for_each(|p| p.y += 1.0);
    net.to_obj("hanging net")
}
