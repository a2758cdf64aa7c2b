//! Laws of invariants, psi = a |E|^2 + f(tr E) + g(J) with Green's strain E = (F^T F - I)/2, a constant.
//!
//! They need no singular values: P = F (2 a E + f' I) + g' cof F. [`Strain`] is measured so that nothing cancels near rest, where
//! line searches compare energies of second order: through E and not through F^T F and J.

use super::{Lame, Material};
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
    /// Of principal stretches.
    pub fn of_stretches(stretch: &Vec3) -> Self {
        let d = stretch.add_scalar(-1.0);
        let curved = d.x * d.y + d.y * d.z + d.z * d.x + d.product();
        let green = green(stretch);
        Self {
            squared: green.norm_squared(),
            trace: green.sum(),
            volume: stretch.product(),
            growth: d.sum() + curved,
            excess: 0.5 * d.norm_squared() - curved,
        }
    }

    /// Of a deformation gradient F, and E.
    pub fn of_gradient(f: &Mat3) -> (Self, Mat3) {
        let (a, b, c) = (f.column(0), f.column(1), f.column(2));
        let (xx, yy, zz) = (0.5 * (a.dot(&a) - 1.0), 0.5 * (b.dot(&b) - 1.0), 0.5 * (c.dot(&c) - 1.0));
        let (yz, zx, xy) = (0.5 * b.dot(&c), 0.5 * c.dot(&a), 0.5 * a.dot(&b));
        let trace = xx + yy + zz;
        let squared = xx * xx + yy * yy + zz * zz + 2.0 * (yz * yz + zx * zx + xy * xy);
        let volume = a.dot(&b.cross(&c));
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

/// |E|^2 up to which energies are small enough for cancellation to matter.
const NEAR: f64 = 0.1;

/// First derivatives of the energy density [Pa].
#[derive(Debug, Clone, Copy)]
pub struct Slopes {
    /// By |E|^2; a constant.
    pub squared: f64,
    /// By tr E.
    pub trace: f64,
    /// By J.
    pub volume: f64,
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
}

impl<L: InvariantLaw> Material for L {
    fn lame(&self) -> Lame {
        self.small_strain()
    }
    fn survives_inversion(&self) -> bool {
        self.finite_when_inverted()
    }
    fn energy(&self, stretch: &Vec3) -> f64 {
        self.energy_at(&Strain::of_stretches(stretch))
    }
    fn gradient(&self, stretch: &Vec3) -> Vec3 {
        let slopes = self.slopes(&Strain::of_stretches(stretch));
        let second_piola = (2.0 * slopes.squared * green(stretch)).add_scalar(slopes.trace);
        stretch.component_mul(&second_piola) + slopes.volume * areas(stretch)
    }
    fn hessian(&self, stretch: &Vec3) -> Mat3 {
        let strain = Strain::of_stretches(stretch);
        let (slopes, curvatures) = (self.slopes(&strain), self.curvatures(&strain));
        let (green, areas) = (green(stretch), areas(stretch));
        let entry = |i: usize, j: usize| curvatures.trace * stretch[i] * stretch[j] + curvatures.volume * areas[i] * areas[j];
        let mut h = Mat3::zeros();
        for k in 0..3 {
            let square = stretch[k] * stretch[k];
            h[(k, k)] = entry(k, k) + 2.0 * slopes.squared * (green[k] + square) + slopes.trace;
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            h[(i, j)] = entry(i, j) + slopes.volume * stretch[k];
            h[(j, i)] = h[(i, j)];
        }
        h
    }
    /// Of polynomials, divided by hand.
    fn quotients(&self, stretch: &Vec3, _gradient: &Vec3) -> (Vec3, Vec3) {
        let slopes = self.slopes(&Strain::of_stretches(stretch));
        let of_pair = |k: usize, sign: f64| {
            let (a, b) = (stretch[(k + 1) % 3], stretch[(k + 2) % 3]);
            slopes.squared * (a * a + b * b + sign * a * b - 1.0) + slopes.trace - sign * slopes.volume * stretch[k]
        };
        (Vec3::from_fn(|k, _| of_pair(k, 1.0)), Vec3::from_fn(|k, _| of_pair(k, -1.0)))
    }
    fn energy_of(&self, f: &Mat3) -> f64 {
        self.energy_at(&Strain::of_gradient(f).0)
    }
    fn first_piola_of(&self, f: &Mat3) -> Mat3 {
        let (strain, green) = Strain::of_gradient(f);
        let slopes = self.slopes(&strain);
        let (a, b, c) = (f.column(0), f.column(1), f.column(2));
        let cofactor = Mat3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)]);
        let second_piola = 2.0 * slopes.squared * green + Mat3::from_diagonal_element(slopes.trace);
        f * second_piola + slopes.volume * cofactor
    }
}

/// Principal Green strain.
fn green(stretch: &Vec3) -> Vec3 {
    stretch.map(|l| 0.5 * (l - 1.0) * (l + 1.0))
}

/// dJ / dstretch.
fn areas(stretch: &Vec3) -> Vec3 {
    Vec3::new(stretch.y * stretch.z, stretch.z * stretch.x, stretch.x * stretch.y)
}
