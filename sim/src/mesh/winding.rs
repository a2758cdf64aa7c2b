//! The generalised winding number of a surface (Jacobson et al. 2013), by the hierarchical expansion of Barill et al. (2018).
//!
//! It counts how often a surface wraps around a point: 1 inside and 0 outside of a closed one, and it varies smoothly
//! across holes. Far groups of triangles act as the first two terms of the Taylor series of their dipoles.

use std::f64::consts::PI;

use super::triangle_tree::TriangleTree;
use crate::math::{Mat3, Vec3};

/// A group of triangles acts from afar where a point is farther from its centre than so many of its radii: good to a few
/// hundredths, and what matters is on which side of one half a number is.
const FAR: f64 = 2.0;

/// What a group of triangles is from afar.
#[derive(Debug, Clone, PartialEq)]
struct Moments {
    /// Mean of the triangles' centroids, weighted by area [m].
    centre: Vec3,
    /// Squared radius of a ball around the centre that holds the group's box, times the square of [`FAR`] [m^2].
    far: f64,
    /// Sum of the areas [m^2].
    area: f64,
    /// Sum of normals times areas [m^2].
    dipole: Vec3,
    /// Sum of (centroid - centre) times (normal times area) [m^3].
    spread: Mat3,
}

/// A surface, ready for winding numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Winding {
    moments: Vec<Moments>,
}

impl Winding {
    /// Sums up the triangles below each node of `tree`.
    pub fn new(tree: &TriangleTree) -> Self {
        let mut moments = tree.gather(of_triangles, join);
        for (moments, (low, high)) in moments.iter_mut().zip(&tree.boxes) {
            let reach = (high - moments.centre).sup(&(moments.centre - low));
            moments.far = FAR * FAR * reach.norm_squared();
        }
        Self { moments }
    }

    /// Winding number of the triangles of `tree`, the one that this was made from, around `q` [m].
    pub fn around(&self, tree: &TriangleTree, q: &Vec3) -> f64 {
        let mut sum = 0.0;
        let mut near = Turn::default();
        let mut stack = [0usize; 64];
        let mut height = 0;
        let mut node = 1;
        loop {
            let moments = &self.moments[node];
            let to_centre = moments.centre - q;
            let square = to_centre.norm_squared();
            if square > moments.far {
                let inverse = 1.0 / square;
                let cubed = inverse * inverse.sqrt();
                let second = moments.spread.trace() - 3.0 * inverse * to_centre.dot(&(moments.spread * to_centre));
                sum += cubed * (moments.dipole.dot(&to_centre) + second);
            } else if tree.is_leaf(node) {
                tree.corners[tree.range(node)].iter().for_each(|corners| near.add(half_angle(corners, q)));
            } else {
                stack[height] = 2 * node + 1;
                height += 1;
                node *= 2;
                continue;
            }
            if height == 0 {
                break;
            }
            height -= 1;
            node = stack[height];
        }
        (sum + 2.0 * near.angle()) / (4.0 * PI)
    }
}

/// A sum of angles as a product of complex numbers and whole turns: one arc tangent for all of them.
struct Turn {
    cosine: f64,
    sine: f64,
    turns: f64,
}

impl Default for Turn {
    fn default() -> Self {
        Self { cosine: 1.0, sine: 0.0, turns: 0.0 }
    }
}

impl Turn {
    /// Adds the angle in (-pi, pi) of a number, by its parts; nothing for one on the real axis.
    fn add(&mut self, [cosine, sine]: [f64; 2]) {
        if sine != 0.0 {
            let before = self.sine;
            let product = [self.cosine * cosine - self.sine * sine, self.cosine * sine + self.sine * cosine];
            let size = product[0].abs() + product[1].abs();
            [self.cosine, self.sine] = product.map(|part| part / size);
            if before >= 0.0 && sine > 0.0 && self.sine < 0.0 {
                self.turns += 1.0;
            } else if before < 0.0 && sine < 0.0 && (self.sine > 0.0 || (self.sine == 0.0 && self.cosine < 0.0)) {
                self.turns -= 1.0;
            }
        }
    }

    /// The sum.
    fn angle(&self) -> f64 {
        // Adding zero takes the sign of a zero away, on which side of the cut the angle would depend.
        (self.sine + 0.0).atan2(self.cosine) + 2.0 * PI * self.turns
    }
}

fn of_triangles(corners: &[[Vec3; 3]]) -> Moments {
    let normal = |[a, b, c]: &[Vec3; 3]| 0.5 * (b - a).cross(&(c - a));
    let centroid = |[a, b, c]: &[Vec3; 3]| (a + b + c) / 3.0;
    let area: f64 = corners.iter().map(|t| normal(t).norm()).sum();
    let weighted: Vec3 = corners.iter().map(|t| normal(t).norm() * centroid(t)).sum();
    let centre = if area > 0.0 { weighted / area } else { corners.first().map_or_else(Vec3::zeros, centroid) };
    let dipole = corners.iter().map(normal).sum();
    let spread = corners.iter().map(|t| (centroid(t) - centre) * normal(t).transpose()).sum();
    Moments { centre, far: 0.0, area, dipole, spread }
}

fn join(a: &Moments, b: &Moments) -> Moments {
    let area = a.area + b.area;
    let centre = if area > 0.0 { (a.area * a.centre + b.area * b.centre) / area } else { a.centre };
    let moved = |m: &Moments| m.spread + (m.centre - centre) * m.dipole.transpose();
    Moments { centre, far: 0.0, area, dipole: a.dipole + b.dipole, spread: moved(a) + moved(b) }
}

/// Signed solid angle of a triangle seen from `q`: positive where it is seen from behind.
pub fn solid_angle(corners: &[Vec3; 3], q: &Vec3) -> f64 {
    let [cosine, sine] = half_angle(corners, q);
    // On the triangle itself it is half the full angle from either side: nothing by symmetry.
    if sine == 0.0 { 0.0 } else { 2.0 * sine.atan2(cosine) }
}

/// Half the solid angle, as the parts of a complex number (van Oosterom & Strackee 1983).
fn half_angle(corners: &[Vec3; 3], q: &Vec3) -> [f64; 2] {
    let [a, b, c] = corners.map(|x| x - q);
    let [la, lb, lc] = [a.norm(), b.norm(), c.norm()];
    [la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb, a.dot(&b.cross(&c))]
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::math::random::Random;
    use crate::mesh::TriangleMesh;

    fn exact(mesh: &TriangleMesh, q: &Vec3) -> f64 {
        mesh.triangles.iter().map(|t| solid_angle(&t.map(|v| mesh.positions[v as usize]), q)).sum::<f64>() / (4.0 * PI)
    }

    #[test]
    fn the_expansion_is_near_the_sum_of_all_angles() {
        let mut torus = TriangleMesh::torus(&Vec3::new(5.0, 0.0, 0.0), &Vec3::new(0.2, 1.0, 0.0), 1.0, 0.4, 96);
        let mut random = Random::new(5);
        for open in [false, true] {
            if open {
                torus.triangles.retain(|t| torus.positions[t[0] as usize].y < 0.2);
            }
            let tree = TriangleTree::new(&torus.positions, &torus.triangles);
            let winding = Winding::new(&tree);
            let mut inside = 0;
            for _ in 0..2_000 {
                let q = Vec3::new(5.0, 0.0, 0.0) + random.vector(-1.6, 1.6);
                let (fast, slow) = (winding.around(&tree, &q), exact(&torus, &q));
                assert!((fast - slow).abs() < 0.04, "{fast} {slow}");
                assert!(open || (slow - slow.round()).abs() < 1e-9);
                inside += usize::from(fast > 0.5);
            }
            assert!(inside > 100, "{inside}");
        }
    }

    /// Also past many turns, either way, and with angles of almost a half turn.
    #[test]
    fn a_sum_of_angles_counts_its_turns() {
        let mut random = Random::new(11);
        for sample in 0..400 {
            let (mut turn, mut sum) = (Turn::default(), 0.0);
            let way = f64::from(sample % 3) - 1.0;
            for _ in 0..50 {
                let angle = (random.uniform(-1.0, 1.0) + way).clamp(-1.0, 1.0) * (1.0 - 1e-9) * PI;
                let size = 10f64.powf(random.uniform(-30.0, 30.0));
                turn.add([size * angle.cos(), size * angle.sin()]);
                sum += angle;
                assert!((turn.angle() - sum).abs() < 1e-10, "{} {sum}", turn.angle());
            }
        }
        let mut turn = Turn::default();
        [[0.0, 0.0], [-1.0, 0.0], [1.0, -0.0]].into_iter().for_each(|number| turn.add(number));
        assert_eq!(turn.angle(), 0.0);
    }

    #[test]
    fn nothing_winds_around_nothing() {
        let tree = TriangleTree::new(&[], &[]);
        assert_eq!(Winding::new(&tree).around(&tree, &Vec3::new(1.0, 2.0, 3.0)), 0.0);
    }
}
