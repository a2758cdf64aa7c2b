//! The local stage of a membrane: the deformation that gives it the resultants asked for (Hsu et al. 2022, eq. 12).
//!
//! With the image of the warp as first axis, F = [a b; 0 c] for any material, and sigma = F S F^T / (a c) are three equations for a, b, c:
//! Newton's method in (ln a, ln c, b) from the undeformed state.

use super::{MembraneLaw, Moduli};
use crate::math::{Mat3, Vec3};

/// A deformation F = [a b; 0 c], by ln a, ln c, b.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit(pub(super) Vec3);

/// Steps at most, and halvings of one.
const STEPS: usize = 40;
const HALVINGS: usize = 20;
/// Longest step, in strain: a branch behind a turning point is not jumped onto.
const LONGEST: f64 = 0.1;
/// What is left of the resultants asked for.
const LEFT: f64 = 1e-14;
/// Bisections of the share that can be had.
const BISECTIONS: usize = 24;

impl Fit {
    /// The strain (E11, E22, 2 E12).
    pub fn strain(&self) -> Vec3 {
        let [a, c, b] = self.0.into();
        Vec3::new(0.5 * (2.0 * a).exp_m1(), 0.5 * (b * b + (2.0 * c).exp_m1()), a.exp() * b)
    }

    /// a, b and c.
    pub fn entries(&self) -> [f64; 3] {
        [self.0.x.exp(), self.0.z, self.0.y.exp()]
    }

    /// What it makes, and the derivatives of that.
    pub(super) fn resultants(&self, law: &dyn MembraneLaw, moduli: &Moduli) -> (Vec3, Mat3) {
        let ([a, b, c], strain) = (self.entries(), self.strain());
        let (stress, tangent) = (law.stress(moduli, &strain), law.tangent(moduli, &strain));
        let [s11, s22, s12] = stress.into();
        // sigma as a linear map of S.
        let map = Mat3::new(a / c, b * b / (a * c), 2.0 * b / c, 0.0, c / a, 0.0, 0.0, b / a, 1.0);
        let by_entry = Mat3::from_columns(&[Vec3::new(a * a, 0.0, a * b), Vec3::new(0.0, c * c, 0.0), Vec3::new(0.0, b, a)]);
        let explicit = Mat3::from_columns(&[
            Vec3::new(a / c * s11 - b * b / (a * c) * s22, -c / a * s22, -b / a * s22),
            Vec3::new(-a / c * s11 - b * b / (a * c) * s22 - 2.0 * b / c * s12, c / a * s22, 0.0),
            Vec3::new(2.0 * b / (a * c) * s22 + 2.0 / c * s12, 0.0, s22 / a),
        ]);
        (map * stress, map * tangent * by_entry + explicit)
    }
}

/// The deformation with resultants `wanted` (N11, N22, N12) [N/m], the image of the warp being the first axis.
///
/// # Errors
/// The share of them that is the most that can be had on the branch of the undeformed state.
pub fn fit(law: &dyn MembraneLaw, moduli: &Moduli, wanted: &Vec3) -> Result<Fit, f64> {
    let start = Fit(Vec3::zeros());
    if let Some(found) = reach(law, moduli, wanted, start) {
        return Ok(found);
    }
    let (mut low, mut high, mut from) = (0.0, 1.0, start);
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        match reach(law, moduli, &(middle * wanted), from) {
            Some(found) => (low, from) = (middle, found),
            None => high = middle,
        }
    }
    Err(low)
}

/// Newton's method, as long as the derivatives keep the sign that they have in the undeformed state.
fn reach(law: &dyn MembraneLaw, moduli: &Moduli, wanted: &Vec3, from: Fit) -> Option<Fit> {
    let mut at = from;
    let (mut found, mut slope) = at.resultants(law, moduli);
    let size = wanted.norm();
    if size == 0.0 {
        return Some(Fit(Vec3::zeros()));
    }
    for _ in 0..STEPS {
        let left = wanted - found;
        if left.norm() <= LEFT * size {
            return Some(at);
        }
        let step = slope.lu().solve(&left)?;
        let mut share = (LONGEST / step.amax()).min(1.0);
        let mut next = None;
        for _ in 0..HALVINGS {
            let tried = Fit(at.0 + share * step);
            let (there, turned) = tried.resultants(law, moduli);
            let is_better = (wanted - there).norm() < left.norm();
            if is_better && turned.determinant() > 0.0 {
                next = Some((tried, there, turned));
                break;
            }
            share *= 0.5;
        }
        match next {
            Some(better) => (at, found, slope) = better,
            // Nothing is gained by going on: rounding, or the end of what can be had.
            None => return (left.norm() <= 1e2 * LEFT * size).then_some(at),
        }
    }
    None
}
