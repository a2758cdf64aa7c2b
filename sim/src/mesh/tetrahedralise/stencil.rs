//! The stencils: what is left of a lattice tet when the surface has cut it (Labelle & Shewchuk 2007, Fig. 4).

use super::grade::Levels;
use super::lattice::{Key, is_even, is_long, key, tets_of};
use super::sample::Samples;
use super::warp::Warped;

/// A vertex of the output: a lattice vertex, or with the top bit set the number of a cut.
pub type Node = u64;

/// Marks a [`Node`] that is a cut.
pub const CUT: u64 = 1 << 63;

/// A corner of the piece that is split, with the rank that decides which corner a diagonal touches (lowest first).
#[derive(Clone, Copy)]
struct Corner {
    node: Node,
    rank: u8,
}

/// Appends the tets that fill the part of the lattice around the black vertex `centre`, between it and the cubes of its own
/// size ahead, that lies inside.
pub fn stuff(samples: &Samples, warped: &Warped, levels: &Levels, centre: [usize; 3], out: &mut Vec<[Node; 4]>) {
    for tet in tets_of(centre).into_iter().filter(|tet| levels.at(tet[1]) == 0) {
        let keys = tet.map(key);
        let signs = keys.map(|k| warped.sign(samples, k));
        if signs.contains(&1) {
            out.extend(fill(warped, keys, signs));
        }
    }
}

/// The tets inside one lattice tet.
fn fill(warped: &Warped, keys: [Key; 4], signs: [i8; 4]) -> Vec<[Node; 4]> {
    let (v, [inside, on]) = sorted(keys, signs);
    let kept = |i: usize| Corner { node: v[i], rank: 3 };
    let cut = |plus: usize, minus: usize| {
        let (p, m) = (v[plus], v[minus]);
        // Diagonals prefer cuts on long edges; between two short ones the Parity Rule names the end they start from.
        // They run to the cut opposite, so that is the corner which is ranked.
        let rank = if is_long(p, m) { 0 } else { 1 + u8::from(is_even(p, m)) };
        Corner { node: CUT | warped.cut(p, m) as u64, rank }
    };
    match (inside, on) {
        (1, on) => {
            let corner = |i: usize| if i <= on { v[i] } else { cut(0, i).node };
            vec![[v[0], corner(1), corner(2), corner(3)]]
        }
        (2, 1) => pyramid(v[2], [kept(0), kept(1), cut(0, 3), cut(1, 3)]),
        (2, 0) => prism([kept(0), cut(0, 2), cut(0, 3)], [kept(1), cut(1, 2), cut(1, 3)]),
        (3, 0) => prism([kept(0), kept(1), kept(2)], [cut(0, 3), cut(1, 3), cut(2, 3)]),
        _ => vec![v],
    }
}

/// The vertices ordered inside, on the surface, outside, by an even permutation, and how many there are of the first two.
fn sorted(keys: [Key; 4], signs: [i8; 4]) -> ([Key; 4], [usize; 2]) {
    let mut order = [0, 1, 2, 3];
    let mut odd = false;
    for i in 1..4 {
        for j in (1..=i).rev() {
            if signs[order[j]] > signs[order[j - 1]] {
                order.swap(j, j - 1);
                odd = !odd;
            }
        }
    }
    if odd {
        // Of four vertices in three classes two are alike, and swapping those restores the orientation.
        if let Some(i) = (0..3).find(|&i| signs[order[i]] == signs[order[i + 1]]) {
            order.swap(i, i + 1);
        }
    }
    (order.map(|i| keys[i]), [1, 0].map(|s| signs.iter().filter(|&&x| x == s).count()))
}

/// Tets of a pyramid over the quadrilateral `[p0, p1, c0, c1]` (p0 and p1 inside, c0 and c1 cut from them).
fn pyramid(apex: Node, [p0, p1, c0, c1]: [Corner; 4]) -> Vec<[Node; 4]> {
    if p0.rank.min(c1.rank) < p1.rank.min(c0.rank) {
        vec![[p0.node, p1.node, apex, c1.node], [p0.node, c1.node, apex, c0.node]]
    } else {
        vec![[p0.node, p1.node, apex, c0.node], [c0.node, p1.node, apex, c1.node]]
    }
}

/// Tets of a prism from triangle `a` to triangle `b`: three, with the diagonal of every side through its lowest rank.
/// Ranks order the corners, so the diagonals never form the cycle that no three tets fill (Dompierre et al. 1999).
fn prism(a: [Corner; 3], b: [Corner; 3]) -> Vec<[Node; 4]> {
    let lowest = |t: &[Corner; 3]| t.iter().map(|c| c.rank).min();
    // Seen from the other end the prism is the same, with both triangles reversed.
    let (a, b) = if lowest(&b) < lowest(&a) { ([b[0], b[2], b[1]], [a[0], a[2], a[1]]) } else { (a, b) };
    let first = (0..3).min_by_key(|&i| a[i].rank).unwrap_or(0);
    let [a0, a1, a2] = [0, 1, 2].map(|i| a[(first + i) % 3]);
    let [b0, b1, b2] = [0, 1, 2].map(|i| b[(first + i) % 3].node);
    let far = (b[(first + 1) % 3].rank, b[(first + 2) % 3].rank);
    let mut tets = vec![[b0, b2, b1, a0.node]];
    if a1.rank.min(far.1) < a2.rank.min(far.0) {
        tets.extend([[a0.node, a1.node, a2.node, b2], [a0.node, a1.node, b2, b1]]);
    } else {
        tets.extend([[a0.node, a1.node, a2.node, b1], [a0.node, b1, a2.node, b2]]);
    }
    tets
}
