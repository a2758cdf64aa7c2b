//! How far a hinge is bent, as a vector that is linear in its nodes, and the normal by which that gets a sign.
//!
//! Of flattened triangles the linear interpolation on one side of the edge goes on in the other: weights K_i with sum K_i = 0 and
//! sum K_i x_i = 0. With the triangles' own shapes and an angle theta between them, u = sum K_i x_i = 2 sin(theta/2) n, n the unit normal
//! in the middle between theirs (Bergou et al. 2006, whose weights are those times the length of the edge). Of triangles that changed their
//! shapes, u has a part across n as well.

use crate::math::{Mat3, Vec3};

/// Weights of the nodes a and b at the ends of the edge, c and d at the tips of the wings [1/m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// Of b, c and d: that of a is minus their sum.
    of_others: [f64; 3],
}

impl Weights {
    /// Those of triangles of these shapes; none where one has no area.
    pub fn of([a, b, c, d]: &[Vec3; 4]) -> Option<Self> {
        let e = b - a;
        let wing = |tip: Vec3| {
            let doubled = e.cross(&tip).norm();
            // Inverse height over the edge, and the share of b in its foot.
            (doubled > 1e-14 * (e.norm_squared() + tip.norm_squared())).then(|| (e.norm() / doubled, tip.dot(&e) / e.norm_squared()))
        };
        let ((first, at), (second, and)) = (wing(c - a)?, wing(d - a)?);
        Some(Self { of_others: [first * at + second * and, -first, -second] })
    }

    /// Those that are [`Weights::numbers`].
    pub fn from_numbers(numbers: [f64; 3]) -> Self {
        Self { of_others: numbers }
    }

    /// Of b, c and d.
    pub fn numbers(&self) -> [f64; 3] {
        self.of_others
    }

    /// Of a, b, c and d.
    pub fn by_node(&self) -> [f64; 4] {
        let [b, c, d] = self.of_others;
        [-(b + c + d), b, c, d]
    }
}

/// A bent hinge.
pub struct Bend {
    /// Its weights, by node.
    pub weights: [f64; 4],
    /// n, the unit vector across the edge and across the line g between the tips, each at its weight; nothing where the wings lie on one another.
    pub normal: Vec3,
    /// u . n: 2 sin(theta/2), negative where it is folded away from the normals' side.
    pub along: f64,
    /// What of u is across n: nothing, but where the triangles have other shapes than those of the weights.
    pub across: Vec3,
    edge: Vec3,
    between: Vec3,
    /// 1 / |e x g|.
    scale: f64,
}

impl Bend {
    /// That of a hinge with these weights.
    pub fn of(weights: &Weights, [a, b, c, d]: &[Vec3; 4]) -> Self {
        let [of_b, of_c, of_d] = weights.of_others;
        let (e, p, q) = (b - a, c - a, d - a);
        let u = of_b * e + of_c * p + of_d * q;
        let between = of_d * q - of_c * p;
        let normal = e.cross(&between);
        let scale = if normal.norm() > 0.0 { normal.norm().recip() } else { 0.0 };
        let normal = scale * normal;
        let along = u.dot(&normal);
        Self { weights: weights.by_node(), normal, along, across: u - along * normal, edge: e, between, scale }
    }

    /// Weights of each node in e and in g.
    fn in_edge_and_between(&self) -> ([f64; 4], [f64; 4]) {
        let [_, _, c, d] = self.weights;
        ([-1.0, 1.0, 0.0, 0.0], [c - d, 0.0, -c, d])
    }

    /// Derivatives of |e x g| n by each node.
    fn crossed_by(&self) -> [Mat3; 4] {
        let (in_edge, in_between) = self.in_edge_and_between();
        let (edge, between) = (self.edge.cross_matrix(), self.between.cross_matrix());
        std::array::from_fn(|i| in_between[i] * edge - in_edge[i] * between)
    }

    /// Derivatives of n by each node [1/m].
    pub fn normal_by(&self) -> [Mat3; 4] {
        let across = self.scale * (Mat3::identity() - self.normal * self.normal.transpose());
        self.crossed_by().map(|by| across * by)
    }

    /// Second derivatives of v . n by each two nodes, with v = `across` + `along` n held [1/m^2].
    pub fn normal_curvature(&self, along: f64) -> [[Mat3; 4]; 4] {
        let (n, across) = (self.normal, self.across);
        let by = self.crossed_by();
        let (in_edge, in_between) = self.in_edge_and_between();
        // d^2(v . m/|m|) = -(n t^T + t n^T + (v . n) (I - n n^T)) / m^2 with t = v - (v . n) n; and e x g is bilinear.
        let mixed = n * across.transpose();
        let by_crossed = -self.scale * self.scale * (mixed + mixed.transpose() + along * (Mat3::identity() - n * n.transpose()));
        let turning = (self.scale * across).cross_matrix();
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                by[i].tr_mul(&(by_crossed * by[j])) - (in_edge[i] * in_between[j] - in_edge[j] * in_between[i]) * turning
            })
        })
    }
}
