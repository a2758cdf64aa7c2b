//! The angle of a hinge and its derivatives by the four nodes: a and b the ends of the edge, c and d the tips of the wings.

use std::f64::consts::{PI, TAU};

use crate::math::{Mat3, Vec3};

/// Vectors of a hinge: e = b - a, p = c - a, q = d - a, and the normals n1 = e x p, n2 = q x e, twice as long as the areas.
struct Vectors {
    e: Vec3,
    p: Vec3,
    q: Vec3,
    n1: Vec3,
    n2: Vec3,
}

impl Vectors {
    #[inline]
    fn of([a, b, c, d]: &[Vec3; 4]) -> Self {
        let (e, p, q) = (b - a, c - a, d - a);
        Self { e, p, q, n1: e.cross(&p), n2: q.cross(&e) }
    }

    /// With n1 x n2 = -(n1 . q) e.
    #[inline]
    fn angle(&self) -> f64 {
        (-self.e.norm() * self.n1.dot(&self.q)).atan2(self.n1.dot(&self.n2))
    }

    #[inline]
    fn gradient(&self) -> [Vec3; 4] {
        let Some([by_p, by_q]) = self.by_tips() else { return [Vec3::zeros(); 4] };
        let square = self.e.norm_squared();
        let by_e = (-self.p.dot(&self.e) / square) * by_p - (self.q.dot(&self.e) / square) * by_q;
        [-by_e - by_p - by_q, by_e, by_p, by_q]
    }

    /// Derivatives by p and q; none where a triangle has no area.
    #[inline]
    fn by_tips(&self) -> Option<[Vec3; 2]> {
        let (edge, squares) = (self.e.norm(), [self.n1, self.n2].map(|n| n.norm_squared()));
        (squares[0] > 0.0 && squares[1] > 0.0).then(|| [-edge / squares[0] * self.n1, -edge / squares[1] * self.n2])
    }
}

/// The signed angle [rad] in (-pi, pi], 0 where the triangles are flat.
pub fn angle(x: &[Vec3; 4]) -> f64 {
    Vectors::of(x).angle()
}

/// The angle and its gradient.
#[inline]
pub fn angle_and_gradient(x: &[Vec3; 4]) -> (f64, [Vec3; 4]) {
    let vectors = Vectors::of(x);
    (vectors.angle(), vectors.gradient())
}

/// An angle in (-pi, pi] [rad].
pub fn folded(angle: f64) -> f64 {
    if angle > -PI && angle <= PI { angle } else { angle - TAU * ((angle - PI) / TAU).ceil() }
}

/// Length of the edge [m] and area of both triangles [m^2]; none where one of these has no area.
pub fn lever(x: &[Vec3; 4]) -> Option<[f64; 2]> {
    let Vectors { e, p, q, n1, n2 } = Vectors::of(x);
    let has_area = |n: &Vec3, tip: &Vec3| n.norm() > 1e-14 * (e.norm_squared() + tip.norm_squared());
    (has_area(&n1, &p) && has_area(&n2, &q)).then(|| [e.norm(), 0.5 * (n1.norm() + n2.norm())])
}

/// Gradient of the angle by each node [rad/m]; zero where a triangle has no area.
pub fn angle_gradient(x: &[Vec3; 4]) -> [Vec3; 4] {
    Vectors::of(x).gradient()
}

/// Second derivatives of the angle [rad/m^2]; zero where a triangle has no area.
pub fn angle_hessian(x: &[Vec3; 4]) -> [[Mat3; 4]; 4] {
    let vectors = Vectors::of(x);
    let mut blocks = [[Mat3::zeros(); 4]; 4];
    let Some([by_p, by_q]) = vectors.by_tips() else { return blocks };
    let Vectors { e, p, q, n1, n2 } = vectors;
    let (edge, along) = (e.norm(), e.normalize());
    // d(-|e| n / n^2) = -n (e . de / |e|) / n^2 - |e| (I - 2 n n^T / n^2) dn / n^2.
    let by_normal = |n: &Vec3| (-edge / n.norm_squared()) * (Mat3::identity() - 2.0 / n.norm_squared() * n * n.transpose());
    let by_length = |n: &Vec3| -1.0 / n.norm_squared() * n * along.transpose();
    let (first, second) = (by_normal(&n1), by_normal(&n2));
    // dn1 = de x p + e x dp, dn2 = dq x e + q x de.
    let (pp, pe) = (first * e.cross_matrix(), by_length(&n1) - first * p.cross_matrix());
    let (qq, qe) = (-second * e.cross_matrix(), by_length(&n2) + second * q.cross_matrix());
    // By e: -(s1 by_p + s2 by_q) with s = p . e / e^2.
    let (s1, s2) = (p.dot(&e) / e.norm_squared(), q.dot(&e) / e.norm_squared());
    let ds = |tip: &Vec3, s: f64| (tip - 2.0 * s * e) / e.norm_squared();
    let ee = -(by_p * ds(&p, s1).transpose() + s1 * pe + by_q * ds(&q, s2).transpose() + s2 * qe);
    let symmetric = |m: Mat3| 0.5 * (m + m.transpose());
    (blocks[1][1], blocks[2][2], blocks[3][3]) = (symmetric(ee), symmetric(pp), symmetric(qq));
    (blocks[2][1], blocks[3][1]) = (pe, qe);
    (blocks[1][2], blocks[1][3]) = (pe.transpose(), qe.transpose());
    // Nothing changes where all nodes move alike.
    for i in 1..4 {
        let row = -(blocks[i][1] + blocks[i][2] + blocks[i][3]);
        blocks[i][0] = row;
        blocks[0][i] = row.transpose();
    }
    let corner = -(blocks[0][1] + blocks[0][2] + blocks[0][3]);
    blocks[0][0] = symmetric(corner);
    blocks
}
