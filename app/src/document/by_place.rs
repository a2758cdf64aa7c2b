//! Parts of a body by where they are or where they face, for regions.

use aplomb_sim::math::{Vec3, bounding_box};

use super::painted::Painted;
use crate::session::ModelBody;

/// What a part has in common.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ByPlace {
    /// It lies between two shares of the extent along an axis.
    Height {
        /// x, y or z.
        axis: usize,
        /// The shares, from 0 to 1.
        between: [f64; 2],
    },
    /// It faces a direction.
    Normal {
        /// The direction, of any length but zero.
        towards: [f64; 3],
        /// Within this angle [degrees].
        within: f64,
    },
    /// It lies near an obstacle, another body, or a part of its own body that faces it.
    Near {
        /// Not farther away than this [m].
        within: f64,
    },
}

impl ByPlace {
    /// The upper half.
    pub const HEIGHT: Self = Self::Height { axis: 1, between: [0.5, 1.0] };
    /// What faces up.
    pub const NORMAL: Self = Self::Normal { towards: [0.0, 1.0, 0.0], within: 45.0 };

    /// The vertices of what is painted of `body`, in the given shape, ascending. Lines and points face nowhere. `near`: how near each vertex
    /// is to what it may touch [m], as [`super::nearness`] tells, where that is asked for.
    pub fn vertices(&self, body: &ModelBody, near: &[f64]) -> Vec<u32> {
        let painted = Painted::of(body);
        let seen = painted.seen();
        let those = |is_such: &dyn Fn(usize) -> bool| (0..seen.len()).filter(|&v| seen[v] && is_such(v)).map(|v| v as u32).collect();
        match *self {
            Self::Height { axis, between: [from, to] } => {
                let places: Vec<Vec3> = painted.positions.iter().zip(&seen).filter(|(_, seen)| **seen).map(|(p, _)| *p).collect();
                let (low, high) = bounding_box(&places);
                let extent = high[axis] - low[axis];
                // What lies on a limit belongs to it, whatever rounding did.
                let [from, to] = [from.min(to) * extent - 1e-9 * extent, from.max(to) * extent + 1e-9 * extent];
                those(&|v| (from..=to).contains(&(painted.positions[v][axis] - low[axis])))
            }
            Self::Normal { towards, within } => {
                let Some(towards) = Vec3::from(towards).try_normalize(0.0) else { return Vec::new() };
                let normals = painted.normals();
                let least = within.to_radians().cos() - 1e-9;
                those(&|v| normals[v] != Vec3::zeros() && normals[v].dot(&towards) >= least)
            }
            Self::Near { within } => those(&|v| near.get(v).is_some_and(|distance| *distance <= within)),
        }
    }
}

#[cfg(test)]
mod tests {
    use aplomb_sim::math::random::Random;

    use super::super::symmetry::tests::{halves, surface};
    use super::*;

    #[test]
    fn heights_are_shares_of_the_extent_along_an_axis() {
        for seed in 0..4 {
            let (positions, triangles) = halves(9, 7, 0.6, seed);
            let body = surface(positions.clone(), triangles, Vec::new());
            let mut random = Random::new(seed);
            let (from, to) = (random.uniform(0.0, 0.5), random.uniform(0.5, 1.0));
            for axis in 0..3 {
                let (low, high) = bounding_box(&positions);
                let share = |v: &u32| (positions[*v as usize][axis] - low[axis]) / (high[axis] - low[axis]);
                let found = ByPlace::Height { axis, between: [from, to] }.vertices(&body, &[]);
                let expected: Vec<u32> = (0..positions.len() as u32).filter(|v| (from..=to).contains(&share(v))).collect();
                assert_eq!(found, expected, "{axis}");
                // The other way around is the same part, and all of it is all.
                assert_eq!(ByPlace::Height { axis, between: [to, from] }.vertices(&body, &[]), expected);
                assert_eq!(ByPlace::Height { axis, between: [0.0, 1.0] }.vertices(&body, &[]).len(), positions.len());
            }
        }
    }

    /// A roof whose left side is cut into many more triangles than its right: at the ridge both weigh the same.
    #[test]
    fn normals_do_not_depend_on_how_a_side_is_cut() {
        // Ridge along z from 0 to 1, its middle vertex 2; the left side is a fan of slivers about it.
        let mut positions: Vec<Vec3> = [[0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, 1.0]].map(Vec3::from).to_vec();
        let left: Vec<u32> = (0..=12)
            .map(|k| {
                positions.push(Vec3::new(-1.0, -1.0, f64::from(k) / 6.0));
                positions.len() as u32 - 1
            })
            .collect();
        positions.extend([[1.0, -1.0, 0.0], [1.0, -1.0, 2.0]].map(Vec3::from));
        let [a, b] = [positions.len() as u32 - 2, positions.len() as u32 - 1];
        let mut triangles: Vec<[u32; 3]> = left.windows(2).map(|ends| [2, ends[0], ends[1]]).collect();
        triangles.extend([[2, 0, left[0]], [2, left[12], 1], [2, a, 0], [2, b, a], [2, 1, b]]);
        let body = surface(positions, triangles, Vec::new());
        let at_ridge = |within: f64| ByPlace::Normal { towards: [0.0, 1.0, 0.0], within }.vertices(&body, &[]).contains(&2);
        assert!(at_ridge(1.0), "straight up, to a degree");
        assert!(!ByPlace::Normal { towards: [0.0, 1.0, 0.0], within: 40.0 }.vertices(&body, &[]).contains(&a));
        assert!(ByPlace::Normal { towards: [1.0, 1.0, 0.0], within: 1.0 }.vertices(&body, &[]).contains(&a));
        assert!(ByPlace::Normal { towards: [0.0; 3], within: 180.0 }.vertices(&body, &[]).is_empty(), "no direction");
    }

    #[test]
    fn what_is_near_is_what_is_said_to_be() {
        let (positions, triangles) = halves(3, 3, 0.0, 0);
        let body = surface(positions.clone(), triangles, Vec::new());
        let near: Vec<f64> = (0..positions.len()).map(|v| if v == 3 { 0.1 } else { f64::INFINITY }).collect();
        assert_eq!(ByPlace::Near { within: 0.2 }.vertices(&body, &near), [3]);
        assert!(ByPlace::Near { within: 0.05 }.vertices(&body, &near).is_empty());
    }
}
