//! [`Facing`]: how two features stand to one another, and how far they are apart.

use crate::contact::StencilKind;
use crate::contact::surfaces::{Feature, FeatureKind};
use crate::math::Vec3;

/// Two features that may touch.
#[derive(Debug, Clone, Copy)]
pub enum Facing {
    /// Of a pair, by its four points, and how it stood when the part of the step began, if that says on which side.
    Pair(StencilKind, Option<Before>),
    /// What a contact of the balance faces, and where from there it was.
    Feature(Feature, Vec3),
}

/// Where two features are nearest.
#[derive(Debug, Clone, Copy)]
pub struct Apart {
    /// Distance [m], negative where the first has passed through the second.
    pub distance: f64,
    /// Unit normal: the way out for the first.
    pub normal: Vec3,
    /// Shares of the points in what acts between them: those of the first feature sum to 1, those of the second to -1.
    pub weights: [f64; 4],
}

/// A pair where a part of the step begins.
#[derive(Debug, Clone, Copy)]
pub struct Before {
    place: Place,
    /// Its four points [m].
    points: [Vec3; 4],
}

/// Where a vertex is to a triangle, or an edge to an edge: coordinates that go from 0 to 1 on it, or on both edges, and the height above it [m].
#[derive(Debug, Clone, Copy)]
pub struct Place {
    at: [f64; 2],
    height: f64,
}

impl Facing {
    /// Of a pair whose points are at `points` [m] where a part of the step begins.
    pub fn of_pair(kind: StencilKind, points: &[Vec3; 4]) -> Self {
        Self::Pair(kind, placed(kind, points).map(|(place, _)| Before { place, points: *points }))
    }

    /// Of how many points the first feature is.
    pub fn first(&self) -> usize {
        let is_edge = match self {
            Self::Pair(kind, _) => *kind == StencilKind::EdgeEdge,
            Self::Feature(feature, _) => feature.kind == FeatureKind::Crossing,
        };
        if is_edge { 2 } else { 1 }
    }

    /// How the two, whose points are at `points` [m], are apart; `None` where they are in one place, and no way leads out.
    pub fn apart(&self, points: &[Vec3; 4]) -> Option<Apart> {
        let (nearest, has_passed) = match self {
            Self::Pair(kind, before) => {
                if let Some((before, (now, normal))) = before.zip(placed(*kind, points))
                    && before.place.passes_to(*kind, &now)
                    && may_meet(*kind, &before.points, points)
                {
                    let weights = kind.nearest(points).weights;
                    return Some(Apart { distance: -now.height.abs(), normal: before.place.height.signum() * normal, weights });
                }
                (kind.nearest(points), false)
            }
            Self::Feature(feature, from) => {
                let own = Feature { kind: feature.kind, nodes: [0, 1, 2, 3] };
                let nearest = own.nearest_of(|place| points[place]);
                (nearest, feature.kind == FeatureKind::Plane && nearest.offset.dot(from) < 0.0)
            }
        };
        let sign = if has_passed { -1.0 } else { 1.0 };
        let distance = nearest.distance();
        let normal = (sign / distance) * nearest.offset;
        normal.iter().all(|c| c.is_finite()).then_some(Apart { distance: sign * distance, normal, weights: nearest.weights })
    }
}

impl Place {
    /// Whether the straight way to another place leads through what it is told by.
    fn passes_to(&self, kind: StencilKind, to: &Self) -> bool {
        if self.height * to.height >= 0.0 {
            return false;
        }
        let share = self.height / (self.height - to.height);
        let [u, v] = [0, 1].map(|k| self.at[k] + share * (to.at[k] - self.at[k]));
        let is_inside = u >= 0.0 && v >= 0.0;
        if kind == StencilKind::EdgeEdge { is_inside && u <= 1.0 && v <= 1.0 } else { is_inside && u + v <= 1.0 }
    }
}

/// How near two count as one another on their way, as a share of how far they were apart.
const MET: f64 = 1e-3;
/// Parts of a way that are looked at, before two count as having met.
const MOST_PARTS: usize = 64;

/// Whether two features may meet on the straight ways of their points `from` .. `to` [m]: the distance changes by no more than they move to one
/// another (conservative advancement, Mirtich 1996). The sides of edges along one another turn by any angle, so that they tell nothing.
fn may_meet(kind: StencilKind, from: &[Vec3; 4], to: &[Vec3; 4]) -> bool {
    let moved: [Vec3; 4] = std::array::from_fn(|k| to[k] - from[k]);
    let mean = moved.iter().sum::<Vec3>() / 4.0;
    let (first, second) = moved.split_at(kind.first());
    let way: f64 = [first, second].map(|of_one| of_one.iter().map(|moved| (moved - mean).norm()).fold(0.0, f64::max)).iter().sum();
    let apart = |done: f64| kind.nearest(&std::array::from_fn(|k| from[k] + done * moved[k])).distance();
    let near = MET * apart(0.0);
    let mut done = 0.0;
    for _ in 0..MOST_PARTS {
        let distance = apart(done);
        if distance <= near {
            return true;
        }
        done += distance / way;
        if done >= 1.0 {
            return false;
        }
    }
    true
}

/// Where the first of two features is to the second, and the unit normal that its height is along; `None` for what has no sides, for a triangle
/// without area, and for edges along one another.
fn placed(kind: StencilKind, [p, a, b, c]: &[Vec3; 4]) -> Option<(Place, Vec3)> {
    // p, then along the first of both directions, and back along the second, is above where it is to be.
    let (first, second, from) = match kind {
        StencilKind::PointTriangle => (b - a, c - a, p - a),
        StencilKind::EdgeEdge => (p - a, c - b, p - b),
        StencilKind::PointEdge | StencilKind::PointPoint => return None,
    };
    let across = first.cross(&second);
    let normal = across.try_normalize(0.0)?;
    let [u, v] = [from.cross(&second), first.cross(&from)].map(|area| area.dot(&across) / across.norm_squared());
    let place = Place { at: [u, v], height: from.dot(&normal) };
    (u.is_finite() && v.is_finite()).then_some((place, normal))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::math::random::Random;

    /// A vertex that went through a triangle, and edges that went through one another, are on the wrong side by as much, and the way out leads
    /// back; what went around is not.
    #[test]
    fn what_passed_is_told_from_what_went_around() {
        let triangle = [Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 1.0)];
        let vertex = |p: Vec3| [p, triangle[0], triangle[1], triangle[2]];
        let from = Facing::of_pair(StencilKind::PointTriangle, &vertex(Vec3::new(0.2, 0.1, 0.3)));
        let passed = from.apart(&vertex(Vec3::new(0.2, -0.04, 0.3))).unwrap();
        assert!((passed.distance + 0.04).abs() < 1e-15 && (passed.normal - Vec3::y()).norm() < 1e-15);
        let around = from.apart(&vertex(Vec3::new(-0.3, -0.04, 0.3))).unwrap();
        assert!((around.distance - 0.3_f64.hypot(0.04)).abs() < 1e-15 && around.normal.y < 0.0, "past the border before it was low enough");
        let outside = Facing::of_pair(StencilKind::PointTriangle, &vertex(Vec3::new(-0.1, 0.01, 0.3)));
        assert!(outside.apart(&vertex(Vec3::new(0.05, -0.2, 0.3))).unwrap().distance > 0.0, "in below the border");
        assert!(outside.apart(&vertex(Vec3::new(0.9, -0.01, 0.05))).unwrap().distance < 0.0, "in above the border, and through");
        let edges = |height: f64, at: f64| [-Vec3::x(), Vec3::x(), Vec3::new(at, height, -1.0), Vec3::new(at, height, 1.0)];
        let from = Facing::of_pair(StencilKind::EdgeEdge, &edges(-0.1, 0.1));
        assert!((from.apart(&edges(-0.02, 0.2)).unwrap().distance - 0.02).abs() < 1e-15);
        let passed = from.apart(&edges(0.03, 0.2)).unwrap();
        assert!((passed.distance + 0.03).abs() < 1e-15 && (passed.normal - Vec3::y()).norm() < 1e-15);
        assert!(from.apart(&edges(0.03, 2.0)).unwrap().distance > 0.0, "past the end before");
    }

    /// Edges along one another have a side by rounding alone, and any side after the least turn: they passed where they met, nowhere else.
    #[test]
    fn edges_along_one_another_pass_only_where_they_meet() {
        let mut random = Random::new(4);
        let apart =
            [Vec3::new(0.08, 0.0, -0.33), Vec3::new(0.034, 0.0, -0.284), Vec3::new(0.0, 0.0, -0.25), Vec3::new(0.0336, 0.0, -0.2836)];
        for size in [1e-17, 1e-9, 1e-5] {
            for _ in 0..2000 {
                let [from, to] = [0, 1].map(|_| apart.map(|x| x + random.vector(-size, size)));
                let found = Facing::of_pair(StencilKind::EdgeEdge, &from).apart(&to).unwrap();
                assert!(found.distance > 5e-4, "{size:e}: {found:?}");
            }
        }
        // Turned as one, by a radian, and on to where they cross.
        let turned = |x: Vec3, height: f64| Vec3::new(x.x, height - 0.84 * x.z, 0.54 * x.z);
        for height in [0.0, 0.3] {
            let crossing = [-Vec3::x(), Vec3::x(), Vec3::new(0.1, 0.1, -1.0), Vec3::new(0.1, 0.1, 1.0)];
            let to = [turned(crossing[0], height), turned(crossing[1], height), turned(crossing[2], 0.1), turned(crossing[3], 0.1)];
            let found = Facing::of_pair(StencilKind::EdgeEdge, &crossing).apart(&to).unwrap();
            assert_eq!(found.distance < 0.0, height > 0.1, "{found:?}");
        }
    }
}
