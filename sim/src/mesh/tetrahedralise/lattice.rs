//! The body-centred cubic lattice: a grid of cubes (red vertices) and their centres (black vertices).
//!
//! Vertices have doubled integer coordinates, all even (red) or all odd (black), in units of half a cell. Its tets, all
//! congruent up to mirroring, join two neighbouring centres with an edge of the cube face between them.

use crate::math::Vec3;

/// Bits of a packed key for each coordinate.
const BITS: u32 = 20;
const MASK: u64 = (1 << BITS) - 1;

/// Largest doubled coordinate that a key holds.
pub const MAX_COORDINATE: usize = MASK as usize;

/// A lattice vertex, packed z-major so that keys sort in memory order.
pub type Key = u64;

/// Offsets to the neighbours with a greater key: three long edges (one cell), four short ones (half a cube diagonal).
pub const FORWARD: [[i64; 3]; 7] = [[2, 0, 0], [0, 2, 0], [0, 0, 2], [-1, -1, 1], [1, -1, 1], [-1, 1, 1], [1, 1, 1]];

/// Packs doubled coordinates.
pub fn key(c: [usize; 3]) -> Key {
    c[0] as u64 | (c[1] as u64) << BITS | (c[2] as u64) << (2 * BITS)
}

/// Unpacks doubled coordinates.
pub fn coordinates(key: Key) -> [usize; 3] {
    [key & MASK, key >> BITS & MASK, key >> (2 * BITS) & MASK].map(|c| c as usize)
}

/// The neighbour at `offset`; the caller stays inside the padded lattice.
pub fn offset(c: [usize; 3], offset: [i64; 3]) -> [usize; 3] {
    std::array::from_fn(|d| (c[d] as i64 + offset[d]) as usize)
}

/// Whether an edge of the lattice joins two vertices of one colour (and so is one cell long).
pub fn is_long(a: Key, b: Key) -> bool {
    (a ^ b) & 1 == 0
}

/// The Parity Rule (Labelle & Shewchuk 2007, Sec. 3): whether `a` exceeds `b` in an even number of coordinates.
pub fn is_even(a: Key, b: Key) -> bool {
    let (a, b) = (coordinates(a), coordinates(b));
    (0..3).filter(|&d| a[d] > b[d]).count() % 2 == 0
}

/// The twelve tets whose first vertex is the black vertex `centre`, positively oriented: four along each axis.
pub fn tets_of(centre: [usize; 3]) -> [[[usize; 3]; 4]; 12] {
    const CORNERS: [[i64; 2]; 4] = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
    std::array::from_fn(|i| {
        let (axis, side) = (i / 4, i % 4);
        let corner = |s: usize| {
            let mut step = [0; 3];
            step[axis] = 1;
            step[(axis + 1) % 3] = CORNERS[s % 4][0];
            step[(axis + 2) % 3] = CORNERS[s % 4][1];
            offset(centre, step)
        };
        let mut next = centre;
        next[axis] += 2;
        [centre, next, corner(side), corner(side + 1)]
    })
}

/// Where the lattice lies in space.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// Position of the vertex (0, 0, 0) [m].
    pub origin: Vec3,
    /// Edge of a cube [m].
    pub cell: f64,
}

impl Frame {
    /// Position [m] of a vertex.
    pub fn position(&self, c: [usize; 3]) -> Vec3 {
        self.origin + Vec3::new(c[0] as f64, c[1] as f64, c[2] as f64) * (0.5 * self.cell)
    }
}
