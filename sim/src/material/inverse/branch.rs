//! The curve of solutions that joins rest, followed until the stress asked for is reached or the curve folds back.

use nalgebra::Matrix4;

use super::{CONVERGED, adjugate, newton, residual, solve};
use crate::element::Unattainable;
use crate::material::Material;
use crate::math::Vec3;

/// Largest |ln stretch| looked at: a hundredfold stretch or compression.
pub(super) const MAX_LOG_STRETCH: f64 = 4.6;
/// Length in ln stretch of one continuation step.
const STEP: f64 = 0.1;

/// A point of the solution curve: t(x) = J load direction.
#[derive(Clone, Copy)]
struct Point {
    x: Vec3,
    load: f64,
    /// Unit tangent of the curve, (dx, dload).
    tangent: (Vec3, f64),
    /// Before any fold: the load grows along the curve.
    rising: bool,
}

/// The curve of stretches that joins rest, along which the stress is load times a fixed direction. The load is
/// measured by the strain it would cause in the linear law, so that it compares with x.
pub(super) struct Branch<'a> {
    material: &'a dyn Material,
    /// Stress at load 1 [Pa].
    direction: Vec3,
    /// Load of the stress asked for.
    target: f64,
}

impl<'a> Branch<'a> {
    pub(super) fn new(material: &'a dyn Material, stress: &Vec3) -> Result<Self, Unattainable> {
        let (_, at_rest) = residual(material, &Vec3::zeros(), &Vec3::zeros());
        let target = solve(&at_rest, stress).map_or(0.0, |strain| strain.norm());
        if target.is_normal() {
            Ok(Self { material, direction: stress / target, target })
        } else {
            Err(Unattainable::TooSoft { attainable_share: 0.0 })
        }
    }

    /// ln stretch at the target, by pseudo-arclength continuation (Allgower and Georg 2003, ch. 6): it passes folds, so
    /// that they can be told from a step that was too long.
    pub(super) fn follow(&self) -> Result<Vec3, Unattainable> {
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
                    if let Some(x) = newton(self.material, &(self.direction * self.target), point.x, STEP) {
                        return Ok(x);
                    }
                    high = middle;
                }
                _ => high = middle,
            }
        }
        Err(Unattainable::TooSoft { attainable_share: (before.load / self.target).min(1.0 - f64::EPSILON) })
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
            let step = bordered.lu().solve(&(-r / scale).push(0.0)).filter(|step| step.iter().all(|d| d.is_finite()))?;
            let (dx, dload) = (step.xyz(), step.w);
            x += dx;
            load += dload;
            if dx.amax() > length {
                return None;
            }
            if dx.amax() < CONVERGED {
                return self.point(x, load).filter(|next| next.tangent.0.dot(&tangent_x) + next.tangent.1 * tangent_load > 0.5);
            }
        }
        None
    }

    /// With its tangent (adj(D) J direction, det D), D = dr/dx: defined at folds too, and never turning round at them.
    fn point(&self, x: Vec3, load: f64) -> Option<Point> {
        let (_, derivative) = residual(self.material, &x, &(self.direction * load));
        let determinant = derivative.determinant();
        let along = adjugate(&derivative) * self.direction * x.sum().exp();
        let norm = (along.norm_squared() + determinant * determinant).sqrt();
        let tangent = (along / norm, determinant / norm);
        norm.is_normal().then_some(Point { x, load, tangent, rising: determinant > 0.0 })
    }
}
