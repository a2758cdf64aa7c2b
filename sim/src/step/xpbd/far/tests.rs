#![allow(clippy::unwrap_used)]
//! Shortest ways against all ways, and that what copies correct keeps momentum and lets bodies fold.

use super::lengths::Lengths;
use super::{Attachments, Hierarchy};
use crate::math::Vec3;
use crate::math::random::Random;
use crate::step::xpbd::mobility::Mobility;
use crate::step::xpbd::tests::{impulses, sheet};

#[test]
fn ways_are_the_shortest() {
    let mut random = Random::new(6);
    let nodes = 30;
    let mut lengths = Lengths(vec![Vec::new(); nodes + 1]);
    let mut ways = vec![vec![f64::INFINITY; nodes]; nodes];
    (0..nodes).for_each(|n| ways[n][n] = 0.0);
    for _ in 0..50 {
        let [a, b] = [(); 2].map(|()| random.uniform(0.0, nodes as f64) as usize);
        if a != b {
            let length = random.uniform(0.1, 1.0);
            lengths.join(a as u32, b as u32, length);
            ways[a][b] = ways[a][b].min(length);
            ways[b][a] = ways[a][b];
        }
    }
    for k in 0..nodes {
        for a in 0..nodes {
            for b in 0..nodes {
                ways[a][b] = ways[a][b].min(ways[a][k] + ways[k][b]);
            }
        }
    }
    let sources = [3_u32, 17, 20];
    let found = lengths.nearest(sources.into_iter());
    for (node, found) in found.iter().enumerate().take(nodes) {
        let expected = sources.map(|source| ways[source as usize][node]).into_iter().fold(f64::INFINITY, f64::min);
        match found {
            Some((source, length)) => {
                assert!((length - expected).abs() < 1e-14 && (ways[*source as usize][node] - expected).abs() < 1e-14);
            }
            None => assert_eq!(expected, f64::INFINITY),
        }
    }
    assert_eq!(found[nodes], None);
}

#[test]
fn copies_keep_momentum_shorten_what_is_stretched_and_nothing_else() {
    let system = sheet(9);
    let mobility = Mobility::of(&system);
    let mut hierarchy = Hierarchy::default();
    hierarchy.renew(&system, &mobility, 4);
    let sizes: Vec<usize> = hierarchy.levels.iter().map(|level| level.nodes.len()).collect();
    assert!(sizes.len() == 4 && sizes[0] < 80 && sizes.windows(2).all(|pair| pair[1] < pair[0]), "{sizes:?}");
    let stretched: Vec<Vec3> = system.positions.iter().map(|x| 1.3 * x).collect();
    let mut after = stretched.clone();
    hierarchy.project(&mobility, &mut after);
    let [momentum, _] = impulses(&system, &stretched, &after, &stretched);
    let moved: f64 = after.iter().zip(&stretched).map(|(a, b)| (a - b).norm()).sum();
    assert!(moved > 1.0 && momentum.norm() < 1e-12 * moved, "{momentum} of {moved}");
    // As it is, and folded in the middle.
    let folded: Vec<Vec3> = system.positions.iter().map(|x| Vec3::new((x.x - 4.5).abs(), x.y, x.z)).collect();
    for x in [system.positions.clone(), folded] {
        let mut after = x.clone();
        hierarchy.project(&mobility, &mut after);
        assert_eq!(after, x);
    }
}

#[test]
fn what_is_tied_stays_within_the_way() {
    let mut system = sheet(5);
    system.fixed[0] = true;
    system.fixed[35] = true;
    let mobility = Mobility::of(&system);
    let mut attachments = Attachments::default();
    attachments.renew(&system, Some(1.1));
    let ways = Lengths::of(&crate::step::xpbd::constraints::projections(&system), &system.positions).nearest([0, 35].into_iter());
    // Some of them hardly too far, others by far.
    let mut random = Random::new(8);
    let mut x: Vec<Vec3> = system.positions.iter().map(|x| random.uniform(1.0, 2.0) * x).collect();
    (x[0], x[35]) = (system.positions[0], system.positions[35]);
    attachments.project(&mobility, &mut x);
    let mut at_the_end = 0;
    for (node, way) in ways.iter().enumerate().filter(|(node, _)| !system.fixed[*node]) {
        let (held, length) = way.unwrap();
        let distance = (x[node] - x[held as usize]).norm();
        assert!(distance <= 1.1 * length * (1.0 + 1e-9), "{node}: {distance} of {length}");
        at_the_end += usize::from(distance > 1.1 * length * (1.0 - 1e-9));
    }
    assert!(at_the_end > 5 && at_the_end < 30 && x[0] == system.positions[0], "{at_the_end}");
    attachments.renew(&system, None);
    let before = x.clone();
    x.iter_mut().for_each(|x| *x *= 3.0);
    attachments.project(&mobility, &mut x);
    assert!(x.iter().zip(&before).all(|(x, before)| *x == 3.0 * before));
}
