//! Leaving out material points that no stress could hold.
//!
//! A point that has two nodes of the grid to itself at different heights has no balance: its stress s alone would have to hold both, with
//! s d_1 = s d_2 along gravity, and as s is symmetric that asks for d_1 . g = d_2 . g.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::math::Vec3;
use crate::math::splines::Interpolation;

/// Nodes that a point has to itself from which on it is left out, whichever way gravity may point.
const OWN: usize = 2;
/// Weights up to this are those of nodes that go along with others.
const NONE: f64 = 1e-9;
/// A node of several points.
const SHARED: usize = usize::MAX;

/// Those of the points at `x` [m], by their numbers, that share their nodes with one another on a grid with cells of `edge` [m] and
/// quadratic splines: a body knows no other, and to have nodes to oneself is a matter of the rim with any.
pub fn held(x: &[Vec3], edge: f64) -> Vec<usize> {
    let by = Interpolation { spacing: edge, ..Interpolation::default() };
    let mut held: Vec<usize> = (0..x.len()).collect();
    loop {
        let mut owner = HashMap::new();
        for &p in &held {
            by.for_each(&x[p], |node, w, _, _| {
                if w > NONE {
                    match owner.entry(node) {
                        Entry::Vacant(node) => _ = node.insert(p),
                        Entry::Occupied(mut node) => _ = node.insert(SHARED),
                    }
                }
            });
        }
        let mut own: HashMap<usize, usize> = HashMap::new();
        owner.into_values().filter(|p| *p != SHARED).for_each(|p| *own.entry(p).or_default() += 1);
        let before = held.len();
        held.retain(|p| own.get(p).is_none_or(|count| *count < OWN));
        if held.len() == before {
            return held;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;

    /// A lattice stays as it is, and of points at random nobody is left who has two nodes to itself; what is left out is little, and is at the rim.
    #[test]
    fn nobody_has_two_nodes_to_itself() {
        let lattice: Vec<Vec3> = (0..512).map(|n| 0.05 * Vec3::new((n / 64) as f64, (n / 8 % 8) as f64, (n % 8) as f64)).collect();
        assert_eq!(held(&lattice, 0.1), (0..512).collect::<Vec<usize>>());
        let mut random = Random::new(8);
        let x: Vec<Vec3> = (0..2000).map(|_| random.vector(0.0, 1.0)).collect();
        let left = held(&x, 0.1);
        assert!(left.len() < x.len() && left.len() > 1900, "{}", left.len());
        let is_left = |p: &usize| left.binary_search(p).is_ok();
        assert!((0..x.len()).filter(|p| !is_left(p)).all(|p| x[p].iter().any(|c| !(0.1..0.9).contains(c))));
        for &p in &left {
            let others = left.iter().filter(|other| **other != p).map(|other| &x[*other]).collect::<Vec<_>>();
            let near = |node: &Vec3| others.iter().any(|other| (*other - node).abs().max() < 0.15 * (1.0 - 1e-6));
            let by = Interpolation { spacing: 0.1, ..Interpolation::default() };
            let mut own = 0;
            by.for_each(&x[p], |_, w, _, away| own += usize::from(w > NONE && !near(&(x[p] + away))));
            assert!(own < OWN, "{p}: {own}");
        }
        // One by itself.
        assert!(held(&[Vec3::repeat(0.03)], 0.1).is_empty());
    }
}
