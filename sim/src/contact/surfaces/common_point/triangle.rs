//! [`Seen`]: a point seen from the triangle that carries it.

use super::super::feature::Fans;
use crate::contact::surface::CollisionSurface;
use crate::math::Vec3;

/// Height over a triangle, in units of its own height, up to which the one that is nearest is taken as it is.
const LOW: f64 = 0.25;

/// How far beside a triangle a point is carried by it still, as a share of the triangle's height.
const BESIDE: f64 = 0.25;

/// A point seen from a triangle.
pub struct Seen {
    /// Corners of the triangle.
    pub corners: [u32; 3],
    /// Its unit normal.
    pub normal: Vec3,
    coordinates: [f64; 3],
    /// Height times the gradient of each coordinate.
    tilts: [Vec3; 3],
}

/// The triangle at the nodes `feature` that carries `point` best: the one that did before, the one itself, or of those around it the one
/// with the least weights.
pub fn seen(
    (surface, fans): (&CollisionSurface, &Fans),
    feature: &[u32],
    point: &Vec3,
    kept: Option<[u32; 3]>,
    x: &[Vec3],
) -> Option<Seen> {
    let near = |corners: [u32; 3]| Seen::new(corners, point, x).filter(Seen::is_near);
    let own = |feature: &[u32]| if let &[a, b, c] = feature { near([a, b, c]) } else { None };
    kept.and_then(near).or_else(|| own(feature)).or_else(|| {
        let around = feature.iter().flat_map(|&node| fans.around(surface, node));
        let carriers = around.filter_map(|&t| Seen::new(surface.triangles[t as usize], point, x));
        carriers.min_by(|a, b| a.size().total_cmp(&b.size()))
    })
}

impl Seen {
    /// None for a triangle without area.
    fn new(corners: [u32; 3], point: &Vec3, x: &[Vec3]) -> Option<Self> {
        let [a, b, c] = corners.map(|node| x[node as usize]);
        let area = (b - a).cross(&(c - a));
        let twice = area.norm();
        let normal = area / twice;
        let slopes = [c - b, a - c, b - a].map(|side| normal.cross(&side) / twice);
        let from = point - a;
        let (second, third) = (slopes[1].dot(&from), slopes[2].dot(&from));
        let height = normal.dot(&from);
        let carrier =
            Self { corners, normal, coordinates: [1.0 - second - third, second, third], tilts: slopes.map(|slope| height * slope) };
        carrier.size().is_finite().then_some(carrier)
    }

    /// Whether the point is low over the triangle or beside it.
    fn is_near(&self) -> bool {
        self.tilts.iter().all(|tilt| tilt.norm() <= LOW) && self.coordinates.iter().all(|beta| *beta >= -BESIDE)
    }

    fn size(&self) -> f64 {
        self.coordinates.iter().map(|beta| beta * beta).sum::<f64>() + self.tilts.iter().map(Vec3::norm_squared).sum::<f64>()
    }

    /// Its corners, with their weights and tilts as the surface with this sign.
    pub fn pushed(&self, sign: f64) -> [(u32, f64, Vec3); 3] {
        std::array::from_fn(|k| (self.corners[k], sign * self.coordinates[k], -sign * self.tilts[k]))
    }
}
