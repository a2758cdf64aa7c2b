//! A stitch: a point v sewn to a point p of a triangle, with the three components of the force between them, in the triangle's own frame, as
//! unknowns.
//!
//! With the frame R that turns with the triangle and a rest offset o, e = R^T (x_v - p) - o and the energy is k e^2 / 2. It turns with the
//! triangle, so that there is no net torque at any distance, and it has a direction at distance 0, which a spring has not. The offset is
//! known by that of the given shape, u0, and by e0 there: e = e0 + u - u0 is exact in the given shape, however stiff the seam.

#[cfg(test)]
mod tests;
mod turning;

use nalgebra::Matrix3x2;

use super::{Element, Fact, FamilyKind, FieldKind, Scale, Unattainable};
use crate::math::{Mat3, Vec3};
use turning::{Mat9, Turning, Vec9};

/// A stitch between its first node and a point of the triangle of the others.
#[derive(Debug, Clone)]
pub struct Stitch {
    /// Shares of the triangle's corners in the point that is sewn to; their sum is 1.
    weights: [f64; 3],
    /// Stiffness [N/m].
    stiffness: f64,
    /// Whether it is undeformed where it is closed, and not in the shape that it is given.
    closes: bool,
    /// u0: the offset in the given shape, in the triangle's frame [m], as it is rounded.
    given_offset: Vec3,
    /// e0: that less the rest offset [m].
    given_gap: Vec3,
    /// Factor on the authored stiffness.
    stiffening: f64,
    /// Stiffness-proportional damping [s].
    damping: f64,
}

static KIND: FamilyKind = FamilyKind { name: "stitches", rest_numbers: 7, fields: &[FORCE, OPENING] };
const FORCE: FieldKind =
    FieldKind { name: "seam force", label: "Seam force", unit: "N", doc: "force that a stitch of a seam holds", scale: Scale::From0 };
const OPENING: FieldKind = FieldKind {
    name: "seam opening",
    label: "Seam opening",
    unit: "m",
    doc: "distance between the two points that a stitch holds together",
    scale: Scale::From0,
};

impl Stitch {
    /// A stitch of a vertex to the point with these `weights` in a triangle, in the given shape `x` [m] of the vertex and the corners; `closes`:
    /// it is undeformed where the two are at one point, otherwise in the given shape. `stiffness` in N/m.
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] where the triangle has no area.
    pub fn new(stiffness: f64, [_, b, c]: [f64; 3], closes: bool, x: &[Vec3; 4]) -> Result<Self, Unattainable> {
        let weights = [1.0 - b - c, b, c];
        let zero = Vec3::zeros();
        let stitch = Self { weights, stiffness, closes, given_offset: zero, given_gap: zero, stiffening: 1.0, damping: 0.0 };
        stitch.at_rest(x)
    }

    /// Where it is sewn to: shares of the triangle's corners.
    pub fn weights(&self) -> [f64; 3] {
        self.weights
    }

    /// Offset at which it makes no force, in the triangle's frame: along its first edge, across it, along its normal [m].
    pub fn rest_offset(&self) -> Vec3 {
        self.given_offset - self.given_gap
    }

    fn offset(&self, [v, a, b, c]: &[Vec3; 4]) -> Vec3 {
        // From one corner, so that no digits go where the triangle is far from the origin.
        (v - a) - self.weights[1] * (b - a) - self.weights[2] * (c - a)
    }

    fn turning(&self, x: &[Vec3; 4]) -> Option<Turning> {
        Turning::of(&self.offset(x), &Matrix3x2::from_columns(&[x[2] - x[1], x[3] - x[1]]))
    }

    /// e [m].
    fn gap(&self, turning: &Turning) -> Vec3 {
        self.given_gap + (turning.place - self.given_offset)
    }

    fn stiffened_stiffness(&self) -> f64 {
        self.stiffening * self.stiffness
    }

    /// How a node moves the offset, the first edge and the second one.
    fn moves(&self) -> [[f64; 3]; 4] {
        let [a, b, c] = self.weights;
        [[1.0, 0.0, 0.0], [-a, -1.0, -1.0], [-b, 1.0, 0.0], [-c, 0.0, 1.0]]
    }

    /// What moves in the triangle's frame, as vectors on the nodes.
    fn on_nodes(&self, turning: &Turning, by: &Vec9) -> [Vec3; 4] {
        let part = |k: usize| turning.frame * by.fixed_rows::<3>(3 * k);
        let parts = [part(0), part(1), part(2)];
        let mut nodes = self.moves().map(|moves| (0..3).map(|k| moves[k] * parts[k]).sum::<Vec3>());
        // No net force, to the last bit.
        nodes[1] = -(nodes[0] + nodes[2] + nodes[3]);
        nodes
    }

    fn hessian_on_nodes(&self, turning: &Turning, by: &Mat9) -> [[Mat3; 4]; 4] {
        let part = |k: usize, l: usize| turning.frame * by.fixed_view::<3, 3>(3 * k, 3 * l) * turning.frame.transpose();
        let parts: [[Mat3; 3]; 3] = std::array::from_fn(|k| std::array::from_fn(|l| part(k, l)));
        let moves = self.moves();
        let mut blocks = [[Mat3::zeros(); 4]; 4];
        for i in 0..4 {
            for j in i..4 {
                let pairs = (0..3).flat_map(|k| (0..3).map(move |l| (k, l)));
                let block: Mat3 = pairs.map(|(k, l)| moves[i][k] * moves[j][l] * parts[k][l]).sum();
                let block = if i == j { 0.5 * (block + block.transpose()) } else { block };
                blocks[i][j] = block;
                blocks[j][i] = block.transpose();
            }
        }
        blocks
    }
}

/// Where the triangle has no area there is no frame, and a stitch makes no force.
impl Element<4, 3> for Stitch {
    fn kind() -> &'static FamilyKind {
        &KIND
    }

    fn energy(&self, x: &[Vec3; 4]) -> f64 {
        self.turning(x).map_or(0.0, |turning| 0.5 * self.stiffened_stiffness() * self.gap(&turning).norm_squared())
    }

    fn gradient(&self, x: &[Vec3; 4]) -> [Vec3; 4] {
        let Some(turning) = self.turning(x) else { return [Vec3::zeros(); 4] };
        let pull = self.stiffened_stiffness() * self.gap(&turning);
        self.on_nodes(&turning, &turning.pull_back(&pull))
    }

    /// Projected: without the directions in which it has negative curvature, where it has any.
    fn hessian(&self, x: &[Vec3; 4], projected: bool) -> [[Mat3; 4]; 4] {
        let Some(turning) = self.turning(x) else { return [[Mat3::zeros(); 4]; 4] };
        let stiffness = self.stiffened_stiffness();
        let (by, gap) = (turning.by_moves(), self.gap(&turning));
        let mut hessian = stiffness * (by.tr_mul(&by) + turning.curvature(&gap));
        if projected && gap != Vec3::zeros() {
            let eigen = hessian.symmetric_eigen();
            if eigen.eigenvalues.min() < 0.0 {
                let values = eigen.eigenvalues.map(|value| value.max(0.0));
                hessian = eigen.eigenvectors * Mat9::from_diagonal(&values) * eigen.eigenvectors.transpose();
            }
        }
        self.hessian_on_nodes(&turning, &hessian)
    }

    /// The force on the vertex along each axis of the triangle's frame, and what balances it on the corners.
    fn force_basis(&self, x: &[Vec3; 4]) -> [[Vec3; 4]; 3] {
        let Some(turning) = self.turning(x) else { return [[Vec3::zeros(); 4]; 3] };
        [0, 1, 2].map(|axis| self.on_nodes(&turning, &turning.pull_back(&Vec3::ith(axis, 1.0))))
    }

    fn inverse_weight(&self, _: &[Vec3; 4]) -> [[f64; 3]; 3] {
        Mat3::from_diagonal_element(self.stiffness).into()
    }

    fn force_coordinates(&self, x: &[Vec3; 4]) -> [f64; 3] {
        self.turning(x).map_or([0.0; 3], |turning| (-self.stiffened_stiffness() * self.gap(&turning)).into())
    }

    fn authored_coordinates(&self, x: &[Vec3; 4]) -> Option<[f64; 3]> {
        self.closes.then(|| self.turning(x).map_or([0.0; 3], |turning| (-self.stiffened_stiffness() * turning.place).into()))
    }

    fn with_rest_for(&self, x: &[Vec3; 4], s: &[f64; 3]) -> Result<Self, Unattainable> {
        let given_offset = self.turning(x).ok_or(Unattainable::Degenerate)?.place;
        Ok(Self { given_offset, given_gap: -Vec3::from(*s) / self.stiffened_stiffness(), ..self.clone() })
    }

    fn at_rest(&self, x: &[Vec3; 4]) -> Result<Self, Unattainable> {
        let given_offset = self.turning(x).ok_or(Unattainable::Degenerate)?.place;
        let given_gap = if self.closes { given_offset } else { Vec3::zeros() };
        Ok(Self { given_offset, given_gap, ..self.clone() })
    }

    fn damping(&self) -> f64 {
        self.damping
    }

    fn set_damping(&mut self, damping: f64) {
        self.damping = damping;
    }

    fn bulk(&self, _: &[Vec3; 4]) -> f64 {
        0.0
    }

    fn stiffening(&self) -> f64 {
        self.stiffening
    }

    fn stiffened(&self, factor: f64) -> Self {
        Self { stiffening: factor, ..self.clone() }
    }

    fn fields(&self, x: &[Vec3; 4], values: &mut [f64]) {
        values.copy_from_slice(&[Vec3::from(self.force_coordinates(x)).norm(), self.offset(x).norm()]);
    }

    fn facts(&self, x: &[Vec3; 4]) -> Vec<Fact> {
        let offset = self.turning(x).map_or(Vec3::zeros(), |turning| turning.place);
        let frame = "along the triangle's first edge, across it, along its normal";
        vec![
            Fact::several("offset", "m", frame, offset.iter().copied()),
            Fact::several("rest offset", "m", frame, self.rest_offset().iter().copied()),
            Fact::several("force", "N", frame, self.force_coordinates(x)),
            Fact::several("sewn to", "", "shares of the triangle's corners in the point", self.weights),
            Fact::one("stiffness", "N/m", "force over the change of the offset, as authored", self.stiffness),
        ]
    }

    /// Rest offset, offset in the given shape less that, factor on the stiffness.
    fn rest_numbers(&self, numbers: &mut [f64]) {
        numbers[..3].copy_from_slice(self.rest_offset().as_slice());
        numbers[3..6].copy_from_slice(self.given_gap.as_slice());
        numbers[6] = self.stiffening;
    }

    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        self.given_gap = Vec3::from_column_slice(&numbers[3..6]);
        self.stiffening = numbers[6];
    }

    fn given_at(&mut self, x: &[Vec3; 4]) {
        if let Some(turning) = self.turning(x) {
            self.given_gap = self.gap(&turning);
            self.given_offset = turning.place;
        }
    }

    /// A vertex may pass from one side of the triangle to the other.
    fn max_step(&self, _: &[Vec3; 4], _: &[Vec3; 4]) -> f64 {
        1.0
    }
}
