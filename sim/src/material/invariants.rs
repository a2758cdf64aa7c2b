//! Laws of invariants, psi = a |E|^2 + f(tr E) + g(J) with Green's strain E = (F^T F - I)/2, a constant.
//!
//! They need no singular values: P = F (2 a E + f' I) + g' cof F. Rest is free of stress, so f' = c + f~ and g' = -c + g~ with
//! f~ and g~ of first order in the strain, and in
//!
//! ```text
//! P = F (2 a E + f~ I) + g~ cof F + c (F - cof F),      F - cof F = G + G^T - tr G I - cof G,      G = F - I
//! ```
//!
//! nothing cancels near rest. [`Strain`] is measured from G for the same reason: line searches compare energies of second order.

use super::{Lame, Material, Squares};
use crate::math::{Mat3, Vec3};

/// What a law of invariants sees of a deformation.
#[derive(Debug, Clone, Copy)]
pub struct Strain {
    /// |E|^2.
    pub squared: f64,
    /// tr E.
    pub trace: f64,
    /// J = det F.
    pub volume: f64,
    /// J - 1.
    pub growth: f64,
    /// tr E - (J - 1), of second order at rest.
    pub excess: f64,
}

impl Strain {
    /// Of principal strains, stretch - 1.
    pub fn of_principal(d: &Vec3) -> Self {
        let curved = d.x * d.y + d.y * d.z + d.z * d.x + d.product();
        let green = green(d);
        Self {
            squared: green.norm_squared(),
            trace: green.sum(),
            volume: d.add_scalar(1.0).product(),
            growth: d.sum() + curved,
            excess: 0.5 * d.norm_squared() - curved,
        }
    }

    /// Of a displacement gradient G = F - I, and E.
    #[inline]
    pub fn of_gradient(g: &Mat3) -> (Self, Mat3) {
        let [xx, yy, zz, yz, zx, xy] = green_of_gradient(g);
        let trace = xx + yy + zz;
        let squared = xx * xx + yy * yy + zz * zz + 2.0 * (yz * yz + zx * zx + xy * xy);
        let f = g + Mat3::identity();
        let volume = f.column(0).dot(&f.column(1).cross(&f.column(2)));
        let (growth, excess) = if squared < NEAR && volume > 0.0 {
            // J^2 = det(I + 2 E) = 1 + 2 tr E + 4 (minors + 2 det E), so J - 1 = (J^2 - 1) / (J + 1) without cancellation.
            let minors = xx * yy + yy * zz + zz * xx - (yz * yz + zx * zx + xy * xy);
            let determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * zx) + zx * (xy * yz - yy * zx);
            let curved = minors + 2.0 * determinant;
            let growth = (2.0 * trace + 4.0 * curved) / (volume + 1.0);
            (growth, 0.5 * growth * growth - 2.0 * curved)
        } else {
            (volume - 1.0, trace - (volume - 1.0))
        };
        (Self { squared, trace, volume, growth, excess }, Mat3::new(xx, xy, zx, xy, yy, yz, zx, yz, zz))
    }
}

/// Green's strain of G = F - I: its entries xx, yy, zz, yz, zx, xy.
#[inline]
pub(super) fn green_of_gradient(g: &Mat3) -> [f64; 6] {
    let (p, q, r) = (g.column(0), g.column(1), g.column(2));
    let [xx, yy, zz] = [p.x + 0.5 * p.dot(&p), q.y + 0.5 * q.dot(&q), r.z + 0.5 * r.dot(&r)];
    [xx, yy, zz, 0.5 * (q.z + r.y + q.dot(&r)), 0.5 * (r.x + p.z + r.dot(&p)), 0.5 * (p.y + q.x + p.dot(&q))]
}

/// |E|^2 up to which energies are small enough for cancellation to matter.
const NEAR: f64 = 0.1;

/// First derivatives of the energy density [Pa], without what cancels at rest.
#[derive(Debug, Clone, Copy)]
pub struct Slopes {
    /// By |E|^2; a constant.
    pub squared: f64,
    /// By tr E, less `at_rest`.
    pub trace: f64,
    /// By J, and `at_rest`.
    pub volume: f64,
    /// What the derivative by tr E is at rest, and that by J with the opposite sign; a constant.
    pub at_rest: f64,
}

/// Second derivatives of the energy density [Pa]; the mixed ones vanish.
#[derive(Debug, Clone, Copy)]
pub struct Curvatures {
    /// By tr E.
    pub trace: f64,
    /// By J.
    pub volume: f64,
}

/// psi = a |E|^2 + f(tr E) + g(J).
pub trait InvariantLaw: Send + Sync + std::fmt::Debug {
    /// [`Material::lame`].
    fn small_strain(&self) -> Lame;
    /// [`Material::survives_inversion`].
    fn finite_when_inverted(&self) -> bool;
    /// Energy density [J/m^3]; infinite where the law forbids the state.
    fn energy_at(&self, strain: &Strain) -> f64;
    /// a, f' and g' [Pa].
    fn slopes(&self, strain: &Strain) -> Slopes;
    /// f'' and g'' [Pa].
    fn curvatures(&self, strain: &Strain) -> Curvatures;
    /// [`Material::squares`].
    fn sum_of_squares(&self) -> Option<Squares> {
        None
    }
}

impl<L: InvariantLaw> Material for L {
    fn lame(&self) -> Lame {
        self.small_strain()
    }
    fn survives_inversion(&self) -> bool {
        self.finite_when_inverted()
    }
    fn energy(&self, strain: &Vec3) -> f64 {
        self.energy_at(&Strain::of_principal(strain))
    }
    fn gradient(&self, d: &Vec3) -> Vec3 {
        let slopes = self.slopes(&Strain::of_principal(d));
        let second_piola = (2.0 * slopes.squared * green(d)).add_scalar(slopes.trace);
        // Of F - cof F: stretch less area.
        let (stretch, areas) = (d.add_scalar(1.0), areas(d));
        let lean = Vec3::new(d.x - d.y - d.z - d.y * d.z, d.y - d.z - d.x - d.z * d.x, d.z - d.x - d.y - d.x * d.y);
        stretch.component_mul(&second_piola) + slopes.volume * areas + slopes.at_rest * lean
    }
    fn hessian(&self, d: &Vec3) -> Mat3 {
        let strain = Strain::of_principal(d);
        let (slopes, curvatures) = (self.slopes(&strain), self.curvatures(&strain));
        let (green, areas, stretch) = (green(d), areas(d), d.add_scalar(1.0));
        let entry = |i: usize, j: usize| curvatures.trace * stretch[i] * stretch[j] + curvatures.volume * areas[i] * areas[j];
        let mut h = Mat3::zeros();
        for k in 0..3 {
            let square = stretch[k] * stretch[k];
            h[(k, k)] = entry(k, k) + 2.0 * slopes.squared * (green[k] + square) + slopes.trace + slopes.at_rest;
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            h[(i, j)] = entry(i, j) + (slopes.volume - slopes.at_rest) * stretch[k];
            h[(j, i)] = h[(i, j)];
        }
        h
    }
    /// Of polynomials, divided by hand.
    fn quotients(&self, d: &Vec3, _gradient: &Vec3) -> (Vec3, Vec3) {
        let slopes = self.slopes(&Strain::of_principal(d));
        let of_pair = |k: usize, sign: f64| {
            let (a, b) = (d[(k + 1) % 3], d[(k + 2) % 3]);
            // The square of either stretch, plus or minus their product, less 1.
            let squares = (1.0 + sign) + (2.0 + sign) * (a + b) + a * a + b * b + sign * a * b;
            let lean = slopes.at_rest * (1.0 + sign + sign * d[k]);
            slopes.squared * squares + slopes.trace + lean - sign * slopes.volume * (1.0 + d[k])
        };
        (Vec3::from_fn(|k, _| of_pair(k, 1.0)), Vec3::from_fn(|k, _| of_pair(k, -1.0)))
    }
    fn squares(&self) -> Option<Squares> {
        self.sum_of_squares().filter(|squares| squares.moduli.iter().all(|modulus| *modulus >= 0.0))
    }
    fn energy_of(&self, g: &Mat3) -> f64 {
        self.energy_at(&Strain::of_gradient(g).0)
    }
    fn first_piola_of(&self, g: &Mat3) -> Mat3 {
        let (strain, green) = Strain::of_gradient(g);
        let slopes = self.slopes(&strain);
        let f = g + Mat3::identity();
        let second_piola = 2.0 * slopes.squared * green + Mat3::from_diagonal_element(slopes.trace);
        let (cofactor, lean) = lean(g, &strain);
        f * second_piola + slopes.volume * cofactor + slopes.at_rest * lean
    }
    /// By b = F F^T, which has the invariants of F^T F, and in which nothing cancels near rest either: a b (b - I) + f~ b + g~ J I + c (b - J I).
    fn kirchhoff_of(&self, g: &Mat3) -> Mat3 {
        let (strain, left) = Strain::of_gradient(&g.transpose());
        let slopes = self.slopes(&strain);
        // b - I, and b times it where the law has need of that.
        let twice = 2.0 * left;
        let mut stress = (slopes.trace + slopes.at_rest) * twice;
        if slopes.squared != 0.0 {
            stress += slopes.squared * symmetric_square(&twice) + slopes.squared * twice;
        }
        let pressed = slopes.trace + slopes.volume * strain.volume - slopes.at_rest * strain.growth;
        stress + Mat3::from_diagonal_element(pressed)
    }
}

/// m m of a symmetric matrix, symmetric to the last bit.
fn symmetric_square(m: &Mat3) -> Mat3 {
    let (a, b, c) = (m.column(0), m.column(1), m.column(2));
    let [ab, bc, ca] = [a.dot(&b), b.dot(&c), c.dot(&a)];
    Mat3::new(a.dot(&a), ab, ca, ab, b.dot(&b), bc, ca, bc, c.dot(&c))
}

/// Principal Green strain.
fn green(strain: &Vec3) -> Vec3 {
    strain.map(|d| d * (1.0 + 0.5 * d))
}

/// dJ / dstretch.
fn areas(strain: &Vec3) -> Vec3 {
    let stretch = strain.add_scalar(1.0);
    Vec3::new(stretch.y * stretch.z, stretch.z * stretch.x, stretch.x * stretch.y)
}

/// cof F and F - cof F of F = I + `g`: either is accurate, and the other follows from it.
pub(super) fn lean(g: &Mat3, strain: &Strain) -> (Mat3, Mat3) {
    let f = g + Mat3::identity();
    if strain.squared < NEAR {
        let lean = g + g.transpose() - Mat3::from_diagonal_element(g.trace()) - cofactor(g);
        (f - lean, lean)
    } else {
        let cofactor = cofactor(&f);
        (cofactor, f - cofactor)
    }
}

/// Cofactors of a matrix, its determinant's derivative.
pub(super) fn cofactor(m: &Mat3) -> Mat3 {
    let (a, b, c) = (m.column(0), m.column(1), m.column(2));
    Mat3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)])
}
