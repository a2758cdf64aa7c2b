//! [`Hairs`]: what is seen between guide strands. Each hair is a fixed mean of a guide and its nearest neighbours, point by point, so that it goes
//! with them (as in Chai et al. 2014, "A Reduced Model for Interactive Hairs"); it is drawn, and bears and touches nothing.

use rayon::prelude::*;

use crate::math::Vec3;
use crate::math::random::Random;

/// Points of a hair that a thread carries at once.
const CHUNK: usize = 4096;
/// Ends of neighbours that are farther apart than this share of a strand's length lie on two sides of a parting: nothing is between them.
const PARTED: f64 = 0.5;
/// Of a hair: its guide, and before and after the place on each of two neighbours.
const CARRIERS: usize = 5;

/// Hairs between strands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hairs {
    /// What carries each point: vertices of the strands, the first of which is of the guide itself, with their weights, which sum to 1.
    carriers: Vec<([u32; CARRIERS], [f64; CARRIERS])>,
    /// Segments, as points of the hairs.
    pub lines: Vec<[u32; 2]>,
    /// Where each hair begins among the points, and the end.
    pub starts: Vec<u32>,
}

impl Hairs {
    /// So many hairs for each of `strands`, lists of vertices from the root, whose vertices are at `positions` [m] in the given shape; the same for the
    /// same seed. None where a strand has no neighbour that lies as it does.
    pub fn between(strands: &[Vec<u32>], positions: &[Vec3], each: u32, seed: u64) -> Self {
        let mut hairs = Self { starts: vec![0], ..Self::default() };
        let neighbours: Vec<Vec<usize>> = (0..strands.len()).into_par_iter().map(|strand| neighbours(strands, positions, strand)).collect();
        let mut random = Random::new(seed);
        for (guide, neighbours) in strands.iter().zip(&neighbours) {
            for _ in 0..each {
                let mut shares = [random.uniform(0.0, 1.0), random.uniform(0.0, 1.0)];
                if neighbours.is_empty() {
                    continue;
                }
                // Uniform in the triangle of the three, in the corner that is nearest to the guide.
                if shares[0] + shares[1] > 1.0 {
                    shares = shares.map(|share| 1.0 - share);
                }
                let mut weights = [1.0 - shares[0] - shares[1], shares[0], shares[1]];
                weights.sort_by(|a, b| b.total_cmp(a));
                if random.uniform(0.0, 1.0) < 0.5 {
                    weights.swap(1, 2);
                }
                if neighbours.len() == 1 {
                    weights = [weights[0], 1.0 - weights[0], 0.0];
                }
                hairs.add(guide, [neighbours[0], *neighbours.last().unwrap_or(&neighbours[0])].map(|n| &strands[n]), weights);
            }
        }
        hairs
    }

    fn add(&mut self, guide: &[u32], others: [&Vec<u32>; 2], weights: [f64; 3]) {
        let first = self.carriers.len() as u32;
        for (k, &own) in guide.iter().enumerate() {
            let along = k as f64 / (guide.len() - 1).max(1) as f64;
            let (mut nodes, mut shares) = ([own; CARRIERS], [weights[0], 0.0, 0.0, 0.0, 0.0]);
            for (n, other) in others.iter().enumerate() {
                let place = along * (other.len() - 1) as f64;
                let before = (place.floor() as usize).min(other.len() - 1);
                let after = (before + 1).min(other.len() - 1);
                let share = place - before as f64;
                (nodes[1 + 2 * n], nodes[2 + 2 * n]) = (other[before], other[after]);
                (shares[1 + 2 * n], shares[2 + 2 * n]) = (weights[1 + n] * (1.0 - share), weights[1 + n] * share);
            }
            self.carriers.push((nodes, shares));
        }
        let end = self.carriers.len() as u32;
        self.lines.extend((first + 1..end).map(|point| [point - 1, point]));
        self.starts.push(end);
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.carriers.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.carriers.is_empty()
    }

    /// The vertex of its guide that each point goes with first.
    pub fn guides(&self) -> impl Iterator<Item = u32> {
        self.carriers.iter().map(|(nodes, _)| nodes[0])
    }

    /// Where all points are [m] when the vertices of the strands are at `positions`, into `out`.
    pub fn follow(&self, positions: &[Vec3], out: &mut Vec<Vec3>) {
        let mean = |(nodes, weights): &([u32; CARRIERS], [f64; CARRIERS])| {
            nodes.iter().zip(weights).map(|(&node, weight)| *weight * positions[node as usize]).sum()
        };
        self.carriers.par_iter().with_min_len(CHUNK).map(mean).collect_into_vec(out);
    }
}

/// The two strands whose roots are nearest to that of a strand and that lie as it does, the nearest first.
fn neighbours(strands: &[Vec<u32>], positions: &[Vec3], strand: usize) -> Vec<usize> {
    let at = |vertex: Option<&u32>| vertex.map_or_else(Vec3::zeros, |&v| positions[v as usize]);
    let ends = |strand: &Vec<u32>| (at(strand.first()), at(strand.last()));
    let own = &strands[strand];
    let (root, tip) = ends(own);
    let length: f64 = own.windows(2).map(|pair| (at(pair.get(1)) - at(pair.first())).norm()).sum();
    let mut nearest: Vec<(f64, usize)> = Vec::new();
    for (other, vertices) in strands.iter().enumerate().filter(|(other, vertices)| *other != strand && !vertices.is_empty()) {
        let (its_root, its_tip) = ends(vertices);
        let distance = (its_root - root).norm_squared();
        if nearest.len() == 2 && distance >= nearest[1].0 || (its_tip - tip).norm() > PARTED * length {
            continue;
        }
        nearest.push((distance, other));
        nearest.sort_by(|a, b| a.0.total_cmp(&b.0));
        nearest.truncate(2);
    }
    nearest.into_iter().map(|(_, other)| other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Straight strands that hang from a lattice of roots, with different numbers of points; one lies the other way.
    fn lattice() -> (Vec<Vec<u32>>, Vec<Vec3>) {
        let (mut strands, mut positions) = (Vec::new(), Vec::new());
        for i in 0..5_u32 {
            for j in 0..4_u32 {
                let points = 4 + (i + j) % 3;
                let root = Vec3::new(f64::from(i), 0.0, f64::from(j) + 0.3 * f64::from(i % 2));
                let way = if (i, j) == (4, 3) { Vec3::y() } else { -Vec3::y() };
                strands.push((0..points).map(|k| positions.len() as u32 + k).collect());
                positions.extend((0..points).map(|k| root + 3.0 * f64::from(k) / f64::from(points - 1) * way));
            }
        }
        (strands, positions)
    }

    /// Hairs begin and end where strands do, between them, and move as strands move: affinely, with an affine map. The same seed makes the same.
    #[test]
    fn hairs_lie_between_strands_and_go_with_them() {
        let (strands, positions) = lattice();
        let hairs = Hairs::between(&strands, &positions, 7, 3);
        // None of the one that lies the other way.
        assert_eq!(hairs.starts.len() - 1, 7 * 19);
        assert_eq!(hairs, Hairs::between(&strands, &positions, 7, 3));
        assert_ne!(hairs, Hairs::between(&strands, &positions, 7, 4));
        let mut places = Vec::new();
        hairs.follow(&positions, &mut places);
        assert_eq!((places.len(), hairs.lines.len()), (hairs.len(), hairs.len() - 7 * 19));
        let mut ways = 0.0_f64;
        for (hair, ends) in hairs.starts.windows(2).enumerate() {
            let own = &places[ends[0] as usize..ends[1] as usize];
            let guide = positions[hairs.guides().nth(ends[0] as usize).unwrap_or(0) as usize];
            assert!(own[0].y.abs() < 1e-14 && (own[own.len() - 1].y + 3.0).abs() < 1e-12, "{hair}");
            assert!((own[0] - guide).norm() < 1.0, "{hair}: {} far", (own[0] - guide).norm());
            ways = ways.max((own[0] - guide).norm());
        }
        assert!(ways > 0.3);
        let turned: Vec<Vec3> = positions.iter().map(|x| Vec3::new(2.0 * x.y + 1.0, x.z - x.x, 0.5 * x.x)).collect();
        let mut moved = Vec::new();
        hairs.follow(&turned, &mut moved);
        let error =
            places.iter().zip(&moved).map(|(x, y)| (Vec3::new(2.0 * x.y + 1.0, x.z - x.x, 0.5 * x.x) - y).norm()).fold(0.0, f64::max);
        assert!(error < 1e-13, "{error:e}");
    }
}
