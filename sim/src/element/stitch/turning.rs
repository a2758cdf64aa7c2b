//! A place as a triangle's own frame sees it, and the derivatives of that.
//!
//! With the frame R (first axis along the first edge e1, third along the normal) and q from a point of the triangle to the place, u = R^T q.
//! Where q, e1 and e2 move, in the frame's own axes by a_q, a_1 and a_2, the frame turns at a rate w that is linear in a_1 and a_2, and
//!
//! ```text
//! w1 = (a_2z + w2 g) / h,    w2 = -a_1z / l,    w3 = a_1y / l        (e1 = (l, 0, 0), e2 = (g, h, 0))
//! du = a_q - w x u,          d(a) = -w x a
//! ```
//!
//! from which all second derivatives follow by the product rule.

use nalgebra::{Matrix3x2, RowSVector, SMatrix, SVector};

use crate::element::membrane::TangentFrame;
use crate::math::{Mat3, Vec3};

/// Of q, e1 and e2, three entries each.
pub type Row = RowSVector<f64, 9>;
pub type Mat9 = SMatrix<f64, 9, 9>;
pub type Vec9 = SVector<f64, 9>;

/// A place in the frame of a triangle.
pub struct Turning {
    /// R: the frame's axes in space, one a column.
    pub frame: Mat3,
    /// u [m].
    pub place: Vec3,
    /// Length of the first edge, and the second one along and across it [m].
    edges: [f64; 3],
    /// w by what moves [1/m].
    spin: SMatrix<f64, 3, 9>,
}

impl Turning {
    /// That of a place `offset` [m] from a point of the triangle with these edges from its first corner [m]; none where it has no area.
    pub fn of(offset: &Vec3, edges: &Matrix3x2<f64>) -> Option<Self> {
        let frame = TangentFrame::of(edges)?.rotation();
        let [along, across] = [frame.column(0), frame.column(1)];
        let (l, g, h) = (edges.column(0).norm(), edges.column(1).dot(&along), edges.column(1).dot(&across));
        let mut spin = SMatrix::zeros();
        (spin[(0, 8)], spin[(0, 5)]) = (1.0 / h, -g / (l * h));
        (spin[(1, 5)], spin[(2, 4)]) = (-1.0 / l, 1.0 / l);
        Some(Self { frame, place: frame.tr_mul(offset), edges: [l, g, h], spin })
    }

    /// du by what moves.
    pub fn by_moves(&self) -> SMatrix<f64, 3, 9> {
        let mut by = self.place.cross_matrix() * self.spin;
        (0..3).for_each(|axis| by[(axis, axis)] += 1.0);
        by
    }

    /// Gradient of f . u by what moves.
    pub fn pull_back(&self, f: &Vec3) -> Vec9 {
        self.by_moves().tr_mul(f)
    }

    /// Second derivatives of f . u by what moves.
    pub fn curvature(&self, f: &Vec3) -> Mat9 {
        let (u, spin, [l, g, h]) = (&self.place, &self.spin, self.edges);
        let w = |k: usize| -> Row { spin.row(k).into_owned() };
        let entry = |k: usize| {
            let mut row = Row::zeros();
            row[k] = 1.0;
            row
        };
        let (first, second) = ([3, 4, 5].map(entry), [6, 7, 8].map(entry));
        let mut sum = Mat9::zeros();
        // Half of each product with itself turned round: the whole is symmetric to the last bit.
        let mut add = |factor: f64, a: &Row, b: &Row| sum += (0.5 * factor) * (a.transpose() * b + b.transpose() * a);
        // -2 f . (w x a_q) = 2 w . (f x a_q)
        for (axis, turned) in (f.cross_matrix()).row_iter().enumerate() {
            (0..3).for_each(|k| add(2.0 * turned[k], &w(axis), &entry(k)));
        }
        // f . (w x (w x u)) = (f . w) (w . u) - (f . u) w^2
        let (by_f, by_u) = (f.transpose() * spin, u.transpose() * spin);
        add(1.0, &by_f, &by_u);
        (0..3).for_each(|k| add(-f.dot(u), &w(k), &w(k)));
        // -f . (dw x u) = -dw . (u x f)
        let m = u.cross(f);
        let by_w2 = m.y + m.x * g / h;
        add(-by_w2 / l, &w(0), &first[1]);
        add(2.0 * by_w2 / l, &w(1), &first[0]);
        add(-m.z / l, &w(0), &first[2]);
        add(2.0 * m.z / l, &w(2), &first[0]);
        add(2.0 * m.x / h, &w(0), &second[1]);
        add(-2.0 * m.x / h, &w(1), &second[0]);
        add(-m.x, &w(1), &w(2));
        add(-m.x * g / h, &w(0), &w(2));
        sum
    }
}
