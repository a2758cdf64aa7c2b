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

/// Links of the chain over an edge that lie on the table, that bend around the edge, and that hang over it; their length, and the edge's radius [m].
const OVER_EDGE: ([usize; 3], [f64; 2]) = ([30, 5, 12], [0.01, 0.03]);

/// A chain that lies on a table along x, its top at y = 0 and its edge at x = 0, and hangs over that.
pub fn chain_over_edge() -> String {
    let ([lie, bend, hang], [link, radius]) = OVER_EDGE;
    let place = |k: usize| match k.checked_sub(lie) {
        None => [link * (k as f64 - lie as f64), 0.0],
        Some(around) if around <= bend => {
            let (sine, cosine) = (std::f64::consts::FRAC_PI_2 * around as f64 / bend as f64).sin_cos();
            [radius * sine, radius * (cosine - 1.0)]
        }
        Some(below) => [radius, -radius - link * (below - bend) as f64],
    };
    let mut obj = String::from("# A chain over an edge, in metres, y up\no chain\n");
    // Writing into a string cannot fail.
    (0..=lie + bend + hang).map(place).for_each(|[x, y]| {
        let _ = writeln!(obj, "v {x:.9} {y:.9} 0");
    });
    let numbers: String = (1..=lie + bend + hang + 1).map(|v| format!(" {v}")).collect();
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
