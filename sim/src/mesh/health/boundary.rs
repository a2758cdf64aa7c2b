//! Holes: closed chains of open edges.

use super::edges::{Mate, Mates, ends};

/// The border of a hole, or of a sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// The open sides along it (3 triangle + corner).
    pub sides: Vec<u32>,
    /// Its vertices in order, as the triangles' sides run where those agree.
    pub vertices: Vec<u32>,
}

/// The closed chains of open edges. At a vertex where several meet, a chain goes on along the triangles that it comes by; one that
/// ends at a non-manifold edge is no hole.
pub fn holes(triangles: &[[u32; 3]], mates: &Mates) -> Vec<Hole> {
    let mut seen = vec![false; 3 * triangles.len()];
    let mut found = Vec::new();
    for start in mates.open() {
        if seen[start as usize] {
            continue;
        }
        let mut hole = Hole { sides: vec![], vertices: vec![] };
        let [mut vertex, mut to] = ends(triangles, start);
        let mut side = start;
        let closed = loop {
            seen[side as usize] = true;
            hole.sides.push(side);
            hole.vertices.push(vertex);
            match next(triangles, mates, side, to) {
                Some((next, far)) => (side, vertex, to) = (next, to, far),
                None => break false,
            }
            // A strip with an odd number of half turns comes back on the far side of where it began.
            if seen[side as usize] {
                break side == start;
            }
        };
        if closed {
            found.push(hole);
        }
    }
    found
}

/// The open side that follows `side` at `vertex`, and its far end: around the vertex, triangle by triangle.
fn next(triangles: &[[u32; 3]], mates: &Mates, side: u32, vertex: u32) -> Option<(u32, u32)> {
    let mut side = side;
    loop {
        let other = other_side_at(triangles, side, vertex);
        match mates.mates[other as usize] {
            Mate::Open => {
                let [a, b] = ends(triangles, other);
                return Some((other, if a == vertex { b } else { a }));
            }
            Mate::Side(across) => side = across,
            Mate::Many | Mate::Void => return None,
        }
    }
}

/// The other side of a triangle that ends at `vertex`.
fn other_side_at(triangles: &[[u32; 3]], side: u32, vertex: u32) -> u32 {
    let (t, k) = (side / 3, side % 3);
    let [from, _] = ends(triangles, side);
    3 * t + if from == vertex { (k + 2) % 3 } else { (k + 1) % 3 }
}
