//! From principal Cauchy stress to principal stretches: the local stage's three equations a tetrahedron
//! (Hsu et al. 2022, eq. 20, with F's gauge fixed to the left stretch).
//!
//! In x = ln stretch and t_k = stretch_k psi_k the stress is sigma_k = t_k / J, so a stretch with stress s solves
//! t(x) = J s with J = exp(x1 + x2 + x3). Far from rest there are further roots that no body reaches: accepted is
//! only the branch that joins rest, along which the stress grows from 0 to s without a fold.

use nalgebra::Matrix4;

use super::Material;
use crate::element::Unattainable;
use crate::math::{Mat3, Vec3};

/// Largest |ln stretch| looked at: a hundredfold stretch or compression.
const MAX_LOG_STRETCH: f64 = 4.6;
/// Up to here a root found directly by Newton's method from rest is on rest's own branch if the determinant is
/// positive all the way: no law here folds so early.
const NEAR_REST: f64 = 0.3;
/// Length in ln stretch of one continuation step.
const STEP: f64 = 0.1;

/// Principal stretches whose principal Cauchy stresses are `stress` [Pa].
///
/// # Errors
/// [`Unattainable::TooSoft`] with the share of the stress at the fold, if the law cannot make the whole.
pub fn stretches_from_cauchy(material: &dyn Material, stress: &Vec3) -> Result<Vec3, Unattainable> {
    if !stress.iter().all(|s| s.is_finite()) {
        return Err(Unattainable::TooSoft { attainable_share: 0.0 });
    }
    if let Some(x) = newton_from_rest(material, stress) {
        return Ok(x.map(f64::exp));
    }
    Branch::new(material, stress)?.follow().map(|x| x.map(f64::exp))
}

/// r = t(x) - J s and its derivative by x [Pa].
fn residual(material: &dyn Material, x: &Vec3, stress: &Vec3) -> (Vec3, Mat3) {
    let stretch = x.map(f64::exp);
    let volume = stretch.product();
    let t = material.gradient(&stretch).component_mul(&stretch);
    let mut derivative = material.hessian(&stretch);
    for j in 0..3 {
        for k in 0..3 {
            derivative[(k, j)] = stretch[k] * stretch[j] * derivative[(k, j)] - volume * stress[k];
        }
        derivative[(j, j)] += t[j];
    }
    (t - volume * stress, derivative)
}

/// Newton's method from rest; `None` wherever the branch could be in doubt.
fn newton_from_rest(material: &dyn Material, stress: &Vec3) -> Option<Vec3> {
    let mut x = Vec3::zeros();
    for _ in 0..12 {
        let (r, derivative) = residual(material, &x, stress);
        let step = solve(&derivative, &r).filter(|_| derivative.determinant() > 0.0)?;
        x -= step;
        if !(x.amax() <= NEAR_REST) {
            return None;
        }
        if step.amax() < CONVERGED {
            return Some(x);
        }
    }
    None
}

/// Size of a Newton step after which the next one is round-off: its square.
const CONVERGED: f64 = 1e-9;

fn adjugate(m: &Mat3) -> Mat3 {
    let (a, b, c) = (m.row(0).transpose(), m.row(1).transpose(), m.row(2).transpose());
    Mat3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)])
}

fn solve(m: &Mat3, right: &Vec3) -> Option<Vec3> {
    let x = adjugate(m) * right / m.determinant();
    x.iter().all(|x| x.is_finite()).then_some(x)
}

/// A point of the solution curve: t(x) = J load direction.
#[derive(Clone, Copy)]
struct Point {
    x: Vec3,
    load: f64,
    /// Unit tangent of the curve.
    tangent: (Vec3, f64),
    /// Before any fold: the load grows along the curve.
    rising: bool,
}

/// The curve of stretches that joins rest, along which the stress is load times a fixed direction. The load is
/// measured by the strain it would cause in the linear law, so that it compares with x.
struct Branch<'a> {
    material: &'a dyn Material,
    /// Stress at load 1 [Pa].
    direction: Vec3,
    /// Load of the stress asked for.
    target: f64,
}

impl<'a> Branch<'a> {
    fn new(material: &'a dyn Material, stress: &Vec3) -> Result<Self, Unattainable> {
        let (_, at_rest) = residual(material, &Vec3::zeros(), &Vec3::zeros());
        let target = solve(&at_rest, stress).map_or(0.0, |strain| strain.norm());
        if target.is_normal() {
            Ok(Self { material, direction: stress / target, target })
        } else {
            Err(Unattainable::TooSoft { attainable_share: 0.0 })
        }
    }

    fn follow(&self) -> Result<Vec3, Unattainable> {
        let mut here = self.point(Vec3::zeros(), 0.0).ok_or(Unattainable::TooSoft { attainable_share: 0.0 })?;
        let mut step = STEP;
        while here.x.amax() <= MAX_LOG_STRETCH {
            match self.advance(&here, step) {
                Some(next) if self.done(&next) => return self.first_done(&here, step),
                Some(next) => {
                    here = next;
                    step = (1.5 * step).min(STEP);
                }
                None if step > 1e-9 => step *= 0.5,
                None => break,
            }
        }
        Err(Unattainable::TooSoft { attainable_share: here.load / self.target })
    }

    /// Whether the target or a fold lies before this point.
    fn done(&self, point: &Point) -> bool {
        point.load >= self.target || !point.rising
    }

    /// Bisects the step from `here` for whichever comes first, target or fold.
    fn first_done(&self, here: &Point, step: f64) -> Result<Vec3, Unattainable> {
        let (mut before, mut low, mut high) = (*here, 0.0, step);
        for _ in 0..48 {
            let middle = 0.5 * (low + high);
            match self.advance(here, middle) {
                Some(point) if !self.done(&point) => (before, low) = (point, middle),
                Some(point) if point.rising => {
                    // Past the target on the rising branch: from here Newton's method at the target itself.
                    if let Some(x) = self.polish(point.x) {
                        return Ok(x);
                    }
                    high = middle;
                }
                _ => high = middle,
            }
        }
        Err(Unattainable::TooSoft { attainable_share: (before.load / self.target).min(1.0 - f64::EPSILON) })
    }

    /// Newton's method at the target from a point near it; `None` if it leaves the rising branch or wanders.
    fn polish(&self, from: Vec3) -> Option<Vec3> {
        let stress = self.direction * self.target;
        let mut x = from;
        for _ in 0..20 {
            let (r, derivative) = residual(self.material, &x, &stress);
            let step = solve(&derivative, &r).filter(|_| derivative.determinant() > 0.0)?;
            x -= step;
            if !((x - from).amax() <= STEP) {
                return None;
            }
            if step.amax() < CONVERGED {
                return Some(x);
            }
        }
        None
    }

    /// The point a step along the tangent, brought back to the curve across the tangent; `None` if it is lost.
    fn advance(&self, here: &Point, length: f64) -> Option<Point> {
        let (tangent_x, tangent_load) = here.tangent;
        let stride = length / tangent_x.norm().max(1e-3);
        let (mut x, mut load) = (here.x + stride * tangent_x, here.load + stride * tangent_load);
        for _ in 0..8 {
            let (r, derivative) = residual(self.material, &x, &(self.direction * load));
            let scale = self.direction.norm();
            let column = -x.sum().exp() / scale * self.direction;
            let derivative = derivative / scale;
            // Regular at the fold too, where the derivative alone is singular.
            let mut bordered = Matrix4::zeros();
            bordered.fixed_view_mut::<3, 3>(0, 0).copy_from(&derivative);
            bordered.fixed_view_mut::<3, 1>(0, 3).copy_from(&column);
            bordered.fixed_view_mut::<1, 3>(3, 0).copy_from(&tangent_x.transpose());
            bordered[(3, 3)] = tangent_load;
            let step = bordered.lu().solve(&(-r / scale).push(0.0))?;
            let (dx, dload) = (step.xyz(), step.w);
            x += dx;
            load += dload;
            if !(dx.amax() <= length) {
                return None;
            }
            if dx.amax() < CONVERGED {
                return self.point(x, load).filter(|next| next.tangent.0.dot(&tangent_x) + next.tangent.1 * tangent_load > 0.5);
            }
        }
        None
    }

    fn point(&self, x: Vec3, load: f64) -> Option<Point> {
        let (_, derivative) = residual(self.material, &x, &(self.direction * load));
        let determinant = derivative.determinant();
        let along = adjugate(&derivative) * self.direction * x.sum().exp();
        let norm = (along.norm_squared() + determinant * determinant).sqrt();
        let tangent = (along / norm, determinant / norm);
        norm.is_normal().then_some(Point { x, load, tangent, rising: determinant > 0.0 })
    }
}
