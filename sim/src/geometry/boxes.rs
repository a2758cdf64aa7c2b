//! Axis-aligned boxes.

use crate::math::Vec3;

/// A box as [low x, y, z, -high x, -high y, -high z]: the union of two boxes is then one minimum, entry by entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb([f64; 6]);

impl Aabb {
    pub const EMPTY: Self = Self([f64::INFINITY; 6]);

    #[inline]
    pub fn of_point(p: &Vec3) -> Self {
        Self([p.x, p.y, p.z, -p.x, -p.y, -p.z])
    }

    #[inline]
    pub fn of_points(points: impl Iterator<Item = Vec3>) -> Self {
        points.fold(Self::EMPTY, |all, p| all.union(&Self::of_point(&p)))
    }

    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| if other.0[i] < self.0[i] { other.0[i] } else { self.0[i] }))
    }

    /// The box grown by `margin` on every side.
    #[inline]
    pub fn grown(&self, margin: f64) -> Self {
        Self(self.0.map(|bound| bound - margin))
    }

    /// What [`Self::meets`] compares with: one comparison an entry.
    #[inline]
    pub fn query(&self) -> Query {
        let b = &self.0;
        Query([-b[3], -b[4], -b[5], -b[0], -b[1], -b[2]])
    }

    /// Whether two boxes overlap; touching counts.
    #[inline]
    pub fn meets(&self, query: &Query) -> bool {
        (0..6).fold(true, |meets, i| meets & (self.0[i] <= query.0[i]))
    }

    /// Twice the centre along an axis, by which a set of boxes is split.
    #[inline]
    pub fn twice_centre(&self, axis: usize) -> f64 {
        self.0[axis] - self.0[axis + 3]
    }

    /// The axis of the largest extent.
    pub fn longest_axis(&self) -> usize {
        let extent = |axis: usize| -self.0[axis] - self.0[axis + 3];
        (1..3).fold(0, |longest, axis| if extent(axis) > extent(longest) { axis } else { longest })
    }

    /// Sum of the three extents [m]: in proportion to the chance that another box meets this one, and not 0 for flat boxes.
    #[inline]
    pub fn extent(&self) -> f64 {
        -self.0.iter().sum::<f64>()
    }
}

/// A box in the form that is compared against: see [`Aabb::query`].
#[derive(Debug, Clone, Copy)]
pub struct Query([f64; 6]);

/// So many boxes, compared with a query all at once.
pub const PACK: usize = 8;

/// Boxes side by side: entry by entry, so that one instruction handles several.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pack([[f64; PACK]; 6]);

impl Pack {
    /// Packs up to [`PACK`] boxes.
    pub fn new(boxes: &[Aabb]) -> Self {
        Self(std::array::from_fn(|i| std::array::from_fn(|k| boxes.get(k).map_or(f64::INFINITY, |bounds| bounds.0[i]))))
    }

    /// Box `k`.
    #[inline]
    pub fn get(&self, k: usize) -> Aabb {
        Aabb(std::array::from_fn(|i| self.0[i][k]))
    }

    /// The union of all.
    pub fn union(&self) -> Aabb {
        (0..PACK).fold(Aabb::EMPTY, |all, k| all.union(&self.get(k)))
    }

    /// Which boxes meet the query: bit k for box k.
    #[inline]
    pub fn meets(&self, query: &Query) -> u32 {
        // How far each box is beyond the query, by the worst entry.
        let mut beyond = [f64::NEG_INFINITY; PACK];
        for i in 0..6 {
            for k in 0..PACK {
                let excess = self.0[i][k] - query.0[i];
                beyond[k] = if excess > beyond[k] { excess } else { beyond[k] };
            }
        }
        (0..PACK).fold(0, |bits, k| bits | (u32::from(beyond[k] <= 0.0) << k))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_meet_when_no_axis_separates_them() {
        let unit = Aabb::of_points([Vec3::zeros(), Vec3::repeat(1.0)].into_iter());
        assert!((unit.extent() - 3.0).abs() < 1e-15);
        for axis in 0..3 {
            for (shift, meets) in [(-1.26, false), (-1.25, true), (0.0, true), (1.25, true), (1.26, false)] {
                let offset = Vec3::from_fn(|i, _| if i == axis { shift } else { 0.5 });
                let other = Aabb::of_points([offset, Vec3::repeat(1.0) + offset].into_iter());
                assert_eq!(unit.meets(&other.grown(0.25).query()), meets, "axis {axis}, shift {shift}");
                assert_eq!(other.grown(0.25).meets(&unit.query()), meets, "axis {axis}, shift {shift}");
            }
        }
    }
}
