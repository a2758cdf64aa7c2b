//! A membrane triangle: three unknown forces, the resultants (N11, N22, N12) [N/m] of its tension in the tangent plane, of a first axis along
//! its first edge.
//!
//! The strain of a stiff cloth has lost half of its digits where it is taken from positions. So the triangle knows its edges and its strain
//! E0 in the given shape, and E = E0 + D_m^-T (D_s^T D_s - D_s0^T D_s0) D_m^-1 / 2 with the difference of the two as products of what was
//! moved: in the given shape it is E0 to the last bit.

mod frame;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use nalgebra::{Matrix2, Matrix3x2, Vector2};

use super::{Constraint, Element, Fact, FamilyKind, FieldKind, STIFFENING_MARGIN, Scale, Unattainable};
use crate::material::membrane::{Fit, MembraneLaw, Moduli, fit};
use crate::math::{Mat3, Vec3, symmetric_eigen};
pub(in crate::element) use frame::TangentFrame;
use frame::{turned_stiffness, turned_stress};

/// What a membrane is made of.
#[derive(Debug, Clone)]
pub struct MembraneMaterial {
    /// Its law.
    pub law: &'static dyn MembraneLaw,
    /// Its stiffnesses.
    pub moduli: Moduli,
}

/// A membrane triangle.
#[derive(Debug, Clone)]
pub struct Membrane {
    /// What it is made of, shared by many.
    pub material: Arc<MembraneMaterial>,
    /// D_m^-1 [1/m]: from the edges to material axes.
    inverse_rest_edges: Matrix2<f64>,
    /// Area at rest [m^2].
    rest_area: f64,
    /// D_s0: the two edges from its first corner in the given shape [m], as they are rounded.
    given_edges: Matrix3x2<f64>,
    /// E0: strain in the given shape.
    given_strain: Vec3,
    /// The warp in multiples of the edges: constant, whatever the rest state.
    warp: Vector2<f64>,
    /// The edges from its first corner in its sewing pattern [m], along warp and weft, where it has one.
    pattern: Option<Matrix2<f64>>,
    /// Factor on the authored stiffness.
    stiffening: f64,
    /// Stiffness-proportional damping [s].
    damping: f64,
}

static KIND: FamilyKind = FamilyKind { name: "membranes", rest_numbers: 9, fields: &[LARGEST, LEAST, AREA_RATIO, REST_STRETCH] };
/// The larger principal resultant.
const LARGEST: FieldKind = FieldKind {
    name: "largest resultant",
    label: "Tension of cloth",
    unit: "N/m",
    doc: "larger principal tension of cloth, per metre of its width",
    scale: Scale::About0,
};
/// The smaller principal resultant.
const LEAST: FieldKind = FieldKind {
    name: "least resultant",
    label: "Compression of cloth",
    unit: "N/m",
    doc: "smaller principal tension of cloth, per metre of its width: negative where it is pushed together",
    scale: Scale::About0,
};
const AREA_RATIO: FieldKind =
    FieldKind { name: "area ratio", label: "Area ratio", unit: "", doc: "area of cloth over its area at rest", scale: Scale::About1 };

/// Name of the field that tells how far rest shapes are from patterns.
pub const REST_STRETCH_FIELD: &str = "rest stretch";
const REST_STRETCH: FieldKind = FieldKind {
    name: REST_STRETCH_FIELD,
    label: "Rest shape off pattern",
    unit: "",
    doc: "how far the shape at rest is from the sewing pattern, or from the given shape where there is none: larger |ln| of the two stretches between them",
    scale: Scale::From0,
};

impl Membrane {
    /// A membrane that is undeformed where its corners are those of its sewing `pattern` [m], (u, v) along warp and weft, and has the corners
    /// `given` [m] in the given shape. Which side of the pattern is up makes no difference.
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] where it has no area in one of them.
    pub fn in_pattern(material: Arc<MembraneMaterial>, pattern: &[[f64; 2]; 3], given: &[Vec3; 3]) -> Result<Self, Unattainable> {
        let [a, b, c] = pattern.map(Vector2::from);
        let rest = Matrix2::from_columns(&[b - a, c - a]);
        let given = edges(given);
        let has_area = rest.determinant().abs() > 1e-14 * rest.norm_squared() && normal(&given).is_some();
        if !has_area {
            return Err(Unattainable::Degenerate);
        }
        Ok(Self { pattern: Some(rest), ..Self::with_rest_edges(material, rest, &given)? })
    }

    /// A membrane that is undeformed at `x` [m], with the warp as near to the direction `warp` as its plane allows.
    ///
    /// # Errors
    /// [`Unattainable::Degenerate`] where it has no area.
    pub fn new(material: Arc<MembraneMaterial>, warp: &Vec3, x: &[Vec3; 3]) -> Result<Self, Unattainable> {
        let edges = edges(x);
        let normal = normal(&edges).ok_or(Unattainable::Degenerate)?;
        let in_plane = warp - warp.dot(&normal) * normal;
        let first = in_plane.try_normalize(1e-6 * warp.norm()).unwrap_or_else(|| edges.column(0).normalize());
        let axes = Matrix3x2::from_columns(&[first, normal.cross(&first)]);
        Self::with_rest_edges(material, axes.tr_mul(&edges), &edges)
    }

    /// A membrane with the edges `rest` [m] in its material axes where it is undeformed, whose edges in the given shape are `given` [m].
    fn with_rest_edges(material: Arc<MembraneMaterial>, rest: Matrix2<f64>, given: &Matrix3x2<f64>) -> Result<Self, Unattainable> {
        let inverse_rest_edges = rest.try_inverse().filter(|m| m.iter().all(|entry| entry.is_finite())).ok_or(Unattainable::Degenerate)?;
        let mut membrane = Self {
            material,
            inverse_rest_edges,
            rest_area: 0.5 * rest.determinant().abs(),
            given_edges: *given,
            given_strain: Vec3::zeros(),
            warp: inverse_rest_edges.column(0).into(),
            pattern: None,
            stiffening: 1.0,
            damping: 0.0,
        };
        membrane.given_strain = membrane.strain_from(&(0.5 * (given.tr_mul(given) - rest.tr_mul(&rest))));
        Ok(membrane)
    }

    /// Area at rest [m^2].
    pub fn rest_area(&self) -> f64 {
        self.rest_area
    }

    /// D_m^-T `half` D_m^-1 as (E11, E22, 2 E12).
    fn strain_from(&self, half: &Matrix2<f64>) -> Vec3 {
        let strain = self.inverse_rest_edges.transpose() * half * self.inverse_rest_edges;
        Vec3::new(strain.m11, strain.m22, strain.m12 + strain.m21)
    }

    fn strain(&self, edges: &Matrix3x2<f64>) -> Vec3 {
        let moved = edges - self.given_edges;
        let half = 0.5 * moved.tr_mul(&(edges + self.given_edges));
        self.given_strain + self.strain_from(&(0.5 * (half + half.transpose())))
    }

    /// F: images of the warp and of the direction across it.
    fn gradient_of_map(&self, edges: &Matrix3x2<f64>) -> Matrix3x2<f64> {
        edges * self.inverse_rest_edges
    }

    /// Second Piola-Kirchhoff resultants (S11, S22, S12) [N/m].
    fn stress(&self, edges: &Matrix3x2<f64>) -> Vec3 {
        self.stiffening * self.material.law.stress(&self.material.moduli, &self.strain(edges))
    }

    /// Gradient of each corner's shape function in material axes [1/m].
    fn shape_gradients(&self) -> [Vector2<f64>; 3] {
        let [a, b] = [0, 1].map(|row| self.inverse_rest_edges.row(row).transpose());
        [-a - b, a, b]
    }

    /// Principal resultants, the larger first [N/m].
    fn principal_resultants(&self, x: &[Vec3; 3]) -> [f64; 2] {
        let [a, b, c] = self.force_coordinates(x);
        let (mean, radius) = (0.5 * (a + b), (0.5 * (a - b)).hypot(c));
        [mean + radius, mean - radius]
    }

    /// Larger |ln| of the two stretches from the pattern, or the given shape, to the rest state.
    fn rest_stretch(&self) -> f64 {
        // E of the way back from the rest state: its stretches are the inverse ones.
        let [a, b, c] = match &self.pattern {
            Some(pattern) => {
                let back = pattern * self.inverse_rest_edges;
                let square = back.tr_mul(&back);
                [0.5 * (square.m11 - 1.0), 0.5 * (square.m22 - 1.0), 0.5 * (square.m12 + square.m21)]
            }
            None => self.given_strain.into(),
        };
        let (mean, radius) = (0.5 * (a + b), (0.5 * (a - b)).hypot(0.5 * c));
        [mean + radius, mean - radius].map(|strain| 0.5 * (2.0 * strain).ln_1p().abs()).into_iter().fold(0.0, f64::max)
    }

    /// The strain c . E of the law's square `k`; none where it is no sum of squares.
    fn square(&self, k: usize) -> Vec3 {
        self.material.law.squares(&self.material.moduli).map_or_else(Vec3::zeros, |squares| squares[k].0)
    }

    fn hessian_of(&self, edges: &Matrix3x2<f64>, stress: &Vec3, tangent: &Mat3) -> [[Mat3; 3]; 3] {
        let f = self.gradient_of_map(edges);
        let (warp, weft) = (f.column(0), f.column(1));
        let gradients = self.shape_gradients();
        // dE = B_i dx_i, a row for each strain.
        let strain_by = |g: &Vector2<f64>| {
            Mat3::from_rows(&[(g.x * warp).transpose(), (g.y * weft).transpose(), (g.y * warp + g.x * weft).transpose()])
        };
        let by = gradients.map(|g| strain_by(&g));
        let mut blocks = [[Mat3::zeros(); 3]; 3];
        for i in 1..3 {
            for j in i..3 {
                let (g, h) = (&gradients[i], &gradients[j]);
                let across = stress.x * g.x * h.x + stress.y * g.y * h.y + stress.z * (g.x * h.y + g.y * h.x);
                let block = self.rest_area * (by[i].tr_mul(&(tangent * by[j])) + Mat3::from_diagonal_element(across));
                let block = if i == j { 0.5 * (block + block.transpose()) } else { block };
                blocks[i][j] = block;
                blocks[j][i] = block.transpose();
            }
        }
        // No force from a translation of all corners.
        for i in 1..3 {
            let row = -(blocks[i][1] + blocks[i][2]);
            blocks[i][0] = row;
            blocks[0][i] = row.transpose();
        }
        let corner = -(blocks[0][1] + blocks[0][2]);
        blocks[0][0] = 0.5 * (corner + corner.transpose());
        blocks
    }

    /// The rest state with resultants `s` at `x`.
    fn rest_for(&self, x: &[Vec3; 3], s: &[f64; 3]) -> Result<Self, Unattainable> {
        let edges = edges(x);
        let frame = TangentFrame::of(&edges).ok_or(Unattainable::Degenerate)?;
        // Axes along the image of the warp and across it.
        let along = frame.axes.tr_mul(&(edges * self.warp)).try_normalize(0.0).ok_or(Unattainable::Degenerate)?;
        let wanted = turned_stress(&Vec3::from(*s), [along.x, -along.y]) / self.stiffening;
        let too_soft = |attainable_share| Unattainable::TooSoft { attainable_share };
        let found: Fit = fit(self.material.law, &self.material.moduli, &wanted).map_err(too_soft)?;
        let [a, b, c] = found.entries();
        let axes = frame.axes * Matrix2::new(along.x, -along.y, along.y, along.x);
        let in_plane = axes.tr_mul(&edges);
        let inverse = in_plane.try_inverse().ok_or(Unattainable::Degenerate)?;
        Ok(Self {
            inverse_rest_edges: inverse * Matrix2::new(a, b, 0.0, c),
            rest_area: 0.5 * in_plane.determinant().abs() / (a * c),
            given_edges: edges,
            given_strain: found.strain(),
            ..self.clone()
        })
    }
}

impl Element<3, 3> for Membrane {
    fn kind() -> &'static FamilyKind {
        &KIND
    }

    fn energy(&self, x: &[Vec3; 3]) -> f64 {
        self.stiffening * self.rest_area * self.material.law.energy(&self.material.moduli, &self.strain(&edges(x)))
    }

    fn gradient(&self, x: &[Vec3; 3]) -> [Vec3; 3] {
        let edges = edges(x);
        let stress = self.stress(&edges);
        let pulls = self.gradient_of_map(&edges) * Matrix2::new(stress.x, stress.z, stress.z, stress.y);
        let [_, second, third] = self.shape_gradients().map(|g| self.rest_area * (pulls * g));
        [-second - third, second, third]
    }

    /// Projected: the tensions that push are left out, and what they leave is made positive where the law's tangent is not.
    fn hessian(&self, x: &[Vec3; 3], projected: bool) -> [[Mat3; 3]; 3] {
        let edges = edges(x);
        let strain = self.strain(&edges);
        let mut stress = self.stiffening * self.material.law.stress(&self.material.moduli, &strain);
        let mut tangent = self.stiffening * self.material.law.tangent(&self.material.moduli, &strain);
        if projected {
            stress = frame::pulling(&stress);
            let eigen = symmetric_eigen(&tangent);
            if eigen.values.min() < 0.0 {
                let vectors = eigen.vectors;
                tangent = vectors * Mat3::from_diagonal(&eigen.values.map(|value| value.max(0.0))) * vectors.transpose();
                tangent = 0.5 * (tangent + tangent.transpose());
            }
        }
        self.hessian_of(&edges, &stress, &tangent)
    }

    fn force_basis(&self, x: &[Vec3; 3]) -> [[Vec3; 3]; 3] {
        let edges = edges(x);
        let Some(frame) = TangentFrame::of(&edges) else { return [[Vec3::zeros(); 3]; 3] };
        let [first, second] = frame.area_gradients(&edges);
        let (a, b) = (frame.axes.column(0), frame.axes.column(1));
        let forces = |pull: &dyn Fn(&Vec3) -> Vec3| {
            let [first, second] = [-pull(&first), -pull(&second)];
            [-first - second, first, second]
        };
        [forces(&|g| a.dot(g) * a), forces(&|g| b.dot(g) * b), forces(&|g| b.dot(g) * a + a.dot(g) * b)]
    }

    /// Of small strain over the current area, by the authored stiffness, so that s is the resultants of the displacement -y.
    fn inverse_weight(&self, x: &[Vec3; 3]) -> [[f64; 3]; 3] {
        let edges = edges(x);
        let area = 0.5 * edges.column(0).cross(&edges.column(1)).norm();
        let mut stiffness = self.material.law.tangent(&self.material.moduli, &Vec3::zeros());
        if let Some(frame) = TangentFrame::of(&edges).filter(|_| self.material.law.is_orthotropic()) {
            let along = frame.axes.tr_mul(&(edges * self.warp));
            stiffness = turned_stiffness(&stiffness, along.try_normalize(0.0).map_or([1.0, 0.0], |along| [along.x, along.y]));
        }
        // A triangle without area keeps a weight that can be inverted.
        let size = edges.norm_squared();
        let scaled = stiffness / area.max(1e-12 * size);
        [0, 1, 2].map(|row| [0, 1, 2].map(|column| scaled[(row, column)]))
    }

    fn tells_pushes() -> bool {
        true
    }

    /// By the stiffness along the warp alone: so that it is convex, whatever Poisson's ratio is.
    fn push_weight(&self, x: &[Vec3; 3], s: &[f64; 3]) -> Option<[[f64; 3]; 3]> {
        let area = self.bulk(x);
        let pushing = frame::pushing(&Vec3::from(*s))?;
        let weight = (area / self.material.moduli.warp) * pushing;
        Some([0, 1, 2].map(|row| [0, 1, 2].map(|column| weight[(row, column)])))
    }

    fn force_coordinates(&self, x: &[Vec3; 3]) -> [f64; 3] {
        let edges = edges(x);
        let Some(frame) = TangentFrame::of(&edges) else { return [0.0; 3] };
        let (stress, f) = (self.stress(&edges), frame.axes.tr_mul(&self.gradient_of_map(&edges)));
        let resultants = f * Matrix2::new(stress.x, stress.z, stress.z, stress.y) * f.transpose() * (self.rest_area / frame.area);
        [resultants.m11, resultants.m22, 0.5 * (resultants.m12 + resultants.m21)]
    }

    /// Where a pattern is pushed together so far that its law makes no stable rest state of it, what of its resultants can be had.
    fn authored_coordinates(&self, x: &[Vec3; 3]) -> Option<[f64; 3]> {
        self.pattern?;
        let own = self.at_rest(x).ok()?.force_coordinates(x);
        match self.rest_for(x, &own) {
            Err(Unattainable::TooSoft { attainable_share }) => Some(own.map(|s| attainable_share / STIFFENING_MARGIN * s)),
            _ => Some(own),
        }
    }

    fn with_rest_for(&self, x: &[Vec3; 3], s: &[f64; 3]) -> Result<Self, Unattainable> {
        self.rest_for(x, s)
    }

    fn at_rest(&self, x: &[Vec3; 3]) -> Result<Self, Unattainable> {
        let Some(pattern) = self.pattern else { return self.rest_for(x, &[0.0; 3]) };
        let made = Self::with_rest_edges(Arc::clone(&self.material), pattern, &edges(x))?;
        Ok(Self { pattern: self.pattern, stiffening: self.stiffening, damping: self.damping, ..made })
    }

    fn damping(&self) -> f64 {
        self.damping
    }

    fn set_damping(&mut self, damping: f64) {
        self.damping = damping;
    }

    fn bulk(&self, x: &[Vec3; 3]) -> f64 {
        let edges = edges(x);
        0.5 * edges.column(0).cross(&edges.column(1)).norm()
    }

    fn stiffening(&self) -> f64 {
        self.stiffening
    }

    fn stiffened(&self, factor: f64) -> Self {
        Self { stiffening: factor, ..self.clone() }
    }

    fn stiffen(&mut self, factor: f64) {
        self.stiffening = factor;
    }

    fn fields(&self, x: &[Vec3; 3], values: &mut [f64]) {
        let [largest, least] = self.principal_resultants(x);
        values.copy_from_slice(&[largest, least, self.bulk(x) / self.rest_area, self.rest_stretch()]);
    }

    fn facts(&self, x: &[Vec3; 3]) -> Vec<Fact> {
        let strain = self.strain(&edges(x));
        let Moduli { warp, weft, shear, poisson } = self.material.moduli;
        let mut facts = vec![
            Fact::one("area", "m²", "its area now", self.bulk(x)),
            Fact::one("rest area", "m²", "its area where it is undeformed", self.rest_area),
            Fact::several("strain", "", "Green strain along the warp, along the weft, and twice the shear", strain.iter().copied()),
            Fact::one("stiffness", "N/m", "along the warp, as authored", warp),
        ];
        if self.material.law.is_orthotropic() {
            facts.push(Fact::one("weft stiffness", "N/m", "across the warp, as authored", weft));
            facts.push(Fact::one("shear stiffness", "N/m", "against shear, as authored", shear));
        }
        facts.push(Fact::one("Poisson's ratio", "", "contraction across a pull along the warp", poisson));
        facts
    }

    /// D_m^-1 column by column, rest area, factor on the stiffness, strain in the given shape.
    fn rest_numbers(&self, numbers: &mut [f64]) {
        numbers[..4].copy_from_slice(self.inverse_rest_edges.as_slice());
        [numbers[4], numbers[5]] = [self.rest_area, self.stiffening];
        numbers[6..].copy_from_slice(self.given_strain.as_slice());
    }

    fn set_rest_numbers(&mut self, numbers: &[f64]) {
        self.inverse_rest_edges = Matrix2::from_column_slice(&numbers[..4]);
        [self.rest_area, self.stiffening] = [numbers[4], numbers[5]];
        self.given_strain = Vec3::from_column_slice(&numbers[6..]);
    }

    fn given_at(&mut self, x: &[Vec3; 3]) {
        let edges = edges(x);
        self.given_strain = self.strain(&edges);
        self.given_edges = edges;
    }

    fn kept_edges() -> &'static [[usize; 2]] {
        &[[0, 1], [1, 2], [2, 0]]
    }

    fn constraints() -> usize {
        3
    }

    /// Of the strains that the squares of the law's energy are of, over the rest area.
    fn compliance(&self, k: usize) -> Option<f64> {
        let squares = self.material.law.squares(&self.material.moduli)?;
        Some(1.0 / (squares[k].1 * self.stiffening * self.rest_area))
    }

    fn without_compliance() -> &'static str {
        "its energy is no sum of squares of strains; choose `stvk`, `orthotropic` or `springs`, or an implicit stepper"
    }

    fn constraint(&self, k: usize, x: &[Vec3; 3]) -> Constraint<3> {
        let edges = edges(x);
        let c = self.square(k);
        let f = self.gradient_of_map(&edges);
        let half = Matrix2::new(c.x, c.z, c.z, c.y);
        let [_, second, third] = self.shape_gradients().map(|g| f * (half * g));
        Constraint { value: c.dot(&self.strain(&edges)), gradients: [-second - third, second, third] }
    }

    /// The same everywhere: strains are quadratic in the corners.
    fn curvatures(&self, k: usize, _: &[Vec3; 3]) -> [f64; 3] {
        let c = self.square(k);
        let half = Matrix2::new(c.x, c.z, c.z, c.y);
        self.shape_gradients().map(|g| g.dot(&(half * g)).abs())
    }

    /// In space a triangle has no side that it could be turned over to.
    fn max_step(&self, _: &[Vec3; 3], _: &[Vec3; 3]) -> f64 {
        1.0
    }
}

/// D_s: the edges from the first corner, one a column [m].
fn edges(x: &[Vec3; 3]) -> Matrix3x2<f64> {
    Matrix3x2::from_columns(&[x[1] - x[0], x[2] - x[0]])
}

/// The unit normal; none where there is no area.
fn normal(edges: &Matrix3x2<f64>) -> Option<Vec3> {
    let doubled = edges.column(0).cross(&edges.column(1));
    doubled.try_normalize(1e-14 * edges.norm_squared()).filter(|normal| normal.iter().all(|entry| entry.is_finite()))
}
