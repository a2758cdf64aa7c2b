//! Pairs of near points, as long as they are not too many.

use crate::math::Vec3;
use crate::watch::{Cancelled, Watch};

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub enum Near {
    /// (distance, smaller index, larger index), nearest first.
    Pairs(Vec<(f64, u32, u32)>),
    /// Too many to be looked at.
    TooMany,
}

/// How many points are handled between two looks at the watch.
const CHUNK: usize = 1 << 12;

/// Pairs of the points `among` that are farther apart than `from` and no farther than `to`, where at most so many pairs must be looked
/// at. By a grid of cells as large as `to`.
///
/// # Errors
/// If the watch cancels.
pub fn pairs_between(positions: &[Vec3], among: &[u32], from: f64, to: f64, most: usize, watch: &dyn Watch) -> Result<Near, Cancelled> {
    // Beyond 2^52 cells neighbours are only those at the same place, and rounding puts these into the same cell.
    let cell = |p: &Vec3| [p.x, p.y, p.z].map(|c| (c / to).floor().clamp(-4e15, 4e15) as i64);
    let mut sorted: Vec<([i64; 3], u32)> = among.iter().map(|&v| (cell(&positions[v as usize]), v)).collect();
    sorted.sort_unstable();
    let mut pairs = Vec::new();
    let mut looked = 0;
    for points in sorted.chunks(CHUNK) {
        watch.check()?;
        for &(home, a) in points {
            for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
                let first = [home[0] + dx, home[1] + dy, home[2] - 1];
                let start = sorted.partition_point(|(cell, _)| *cell < first);
                let column = sorted[start..].iter().take_while(|(cell, _)| *cell <= [first[0], first[1], home[2] + 1]);
                for &(_, b) in column {
                    looked += 1;
                    let distance = (positions[a as usize] - positions[b as usize]).norm();
                    if b > a && distance > from && distance <= to {
                        pairs.push((distance, a, b));
                    }
                }
                // Each pair is met from both of its points.
                if looked > 2 * most + among.len() {
                    return Ok(Near::TooMany);
                }
            }
        }
    }
    pairs.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    Ok(Near::Pairs(pairs))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;
    use crate::watch::Unwatched;

    #[test]
    fn finds_what_a_comparison_of_all_finds() {
        let mut random = Random::new(2);
        let points: Vec<Vec3> = (0..300).map(|_| random.vector(-1.0, 1.0)).collect();
        let among: Vec<u32> = (0..300).step_by(2).collect();
        let mut expected = Vec::new();
        for &a in &among {
            for &b in among.iter().filter(|&&b| b > a) {
                let distance = (points[a as usize] - points[b as usize]).norm();
                if distance > 0.1 && distance <= 0.3 {
                    expected.push((distance, a, b));
                }
            }
        }
        expected.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(expected.len() > 20);
        assert_eq!(pairs_between(&points, &among, 0.1, 0.3, 100_000, &Unwatched).unwrap(), Near::Pairs(expected));
        assert_eq!(pairs_between(&points, &among, 0.1, 0.3, 100, &Unwatched).unwrap(), Near::TooMany);
    }
}
