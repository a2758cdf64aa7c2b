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
/// Up to here a root found directly by Newton's method is on rest's own branch if the determinant was positive at
/// every iterate: so near to rest there is at most one fold, and past it the determinant is negative.
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
        if x.amax() > NEAR_REST {
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
            if (x - from).amax() > STEP {
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

    fn point(&self, x: Vec3, load: f64) -> Option<Point> {
        let (_, derivative) = residual(self.material, &x, &(self.direction * load));
        let determinant = derivative.determinant();
        let along = adjugate(&derivative) * self.direction * x.sum().exp();
        let norm = (along.norm_squared() + determinant * determinant).sqrt();
        let tangent = (along / norm, determinant / norm);
        norm.is_normal().then_some(Point { x, load, tangent, rising: determinant > 0.0 })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::material::{Lame, MATERIALS, law};
    use crate::math::{random::Random, symmetric_eigen};
    use std::sync::Arc;

    fn material(name: &str, poisson: f64) -> Arc<dyn Material> {
        (law(name).unwrap().build)(1.0, poisson)
    }

    fn stress_of(material: &dyn Material, stretch: &Vec3) -> Vec3 {
        material.gradient(stretch).component_mul(stretch) / stretch.product()
    }

    /// The share of `stress` that the law can make.
    fn attainable_share(material: &dyn Material, stress: &Vec3) -> f64 {
        match stretches_from_cauchy(material, stress) {
            Err(Unattainable::TooSoft { attainable_share }) => attainable_share,
            other => panic!("{other:?}"),
        }
    }

    /// Whether more stretch means more Cauchy stress all the way from rest: d sigma / dx positive definite.
    fn stable_up_to(material: &dyn Material, stretch: &Vec3) -> bool {
        (1..=20).all(|k| {
            let x = stretch.map(f64::ln) * (f64::from(k) / 20.0);
            let (_, derivative) = residual(material, &x, &stress_of(material, &x.map(f64::exp)));
            symmetric_eigen(&(derivative + derivative.transpose())).values.min() > 0.0
        })
    }

    #[test]
    fn stress_round_trips() {
        let mut random = Random::new(9);
        for law in MATERIALS {
            for poisson in [0.0, 0.3, 0.45, 0.49] {
                let material = (law.build)(1.0, poisson);
                let mut tried = 0;
                for trial in 0..300 {
                    let spread = [0.02, 0.1, 0.2][trial % 3];
                    let stretch = random.vector(1.0 - spread, 1.0 + spread);
                    if !stable_up_to(&*material, &stretch) {
                        continue;
                    }
                    tried += 1;
                    let stress = stress_of(&*material, &stretch);
                    let found = stretches_from_cauchy(&*material, &stress);
                    let Ok(found) = found else { panic!("{} {poisson} {stretch}: {found:?}", law.name) };
                    let error = (stress_of(&*material, &found) - stress).amax();
                    assert!(error <= 1e-12 * stress.amax(), "{} {poisson} {stretch}: {error:e}", law.name);
                    assert!((found - stretch).amax() < 1e-9, "{} {poisson}: {stretch} {found}", law.name);
                }
                assert!(tried > 150, "{} {poisson}: only {tried} stable", law.name);
            }
        }
    }

    #[test]
    fn no_stress_is_rest() {
        for law in MATERIALS {
            assert_eq!(stretches_from_cauchy(&*(law.build)(1e6, 0.3), &Vec3::zeros()), Ok(Vec3::repeat(1.0)));
        }
    }

    /// Largest of a function of one variable by a fine scan: an oracle that knows nothing of branches.
    fn scanned_maximum(from: f64, to: f64, value: impl Fn(f64) -> f64) -> f64 {
        (0..=1_000_000).map(|k| value(from + (to - from) * f64::from(k) / 1e6)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The fold found by continuation is the limit, and targets just inside are attained.
    fn check_limit(material: &dyn Material, direction: &Vec3, limit: f64) {
        for excess in [1.001, 1.5, 10.0, 1e4] {
            let share = attainable_share(material, &(direction * (limit * excess)));
            assert!((share * excess - 1.0).abs() < 1e-3, "{material:?}: {} of the limit", share * excess);
        }
        for inside in [0.5, 0.9, 0.99, 0.999, 0.999_99] {
            let stress = direction * (limit * inside);
            let found = stretches_from_cauchy(material, &stress).unwrap();
            assert!((stress_of(material, &found) - stress).amax() < 1e-12 * stress.amax());
        }
    }

    /// Uniaxial compression of StVK, sides free: 0.19 E at nu = 0 falls to 0.146 E at 0.49.
    #[test]
    fn stvk_gives_way_in_uniaxial_compression() {
        for (poisson, known) in [(0.0, 0.1925), (0.3, 0.16), (0.4, 0.15), (0.49, 0.146)] {
            // Free sides: Green strain of the sides is -nu times that of the axis.
            let limit = scanned_maximum(0.3, 1.0, |l| {
                let axial = 0.5 * (l * l - 1.0);
                let side_squared = 1.0 - 2.0 * poisson * axial;
                -l * axial / side_squared
            });
            assert!((limit - known).abs() < 0.005, "{poisson}: {limit}");
            check_limit(&*material("stvk", poisson), &-Vec3::x(), limit);
        }
    }

    /// Hydrostatic tension of the corotated law: (2 mu + 3 lambda) / 4, at twice the size.
    #[test]
    fn corotated_gives_way_in_hydrostatic_tension() {
        for poisson in [0.0, 0.3, 0.45] {
            let material = material("corotated", poisson);
            let Lame { mu, lambda } = material.lame();
            check_limit(&*material, &Vec3::repeat(1.0), (2.0 * mu + 3.0 * lambda) / 4.0);
        }
    }

    /// Triaxial tension of the neo-Hookean law, in units of E: 0.19, 0.35, 0.65, 6.2.
    #[test]
    fn neo_hookean_gives_way_in_triaxial_tension() {
        for (poisson, known) in [(0.0, 0.19), (0.3, 0.35), (0.4, 0.65), (0.49, 6.2)] {
            let material = material("neo_hookean", poisson);
            let limit = scanned_maximum(1.0, 3.0, |l| stress_of(&*material, &Vec3::repeat(l)).x);
            assert!((limit / known - 1.0).abs() < 0.05, "{poisson}: {limit}");
            check_limit(&*material, &Vec3::repeat(1.0), limit);
        }
    }

    #[test]
    fn neo_hookean_bears_any_uniaxial_load() {
        let material = material("neo_hookean", 0.45);
        for load in [-5.0, -0.5, 0.5, 5.0] {
            let stress = Vec3::new(0.0, load, 0.0);
            let found = stretches_from_cauchy(&*material, &stress).unwrap();
            assert!((stress_of(&*material, &found) - stress).amax() < 1e-12 * load.abs());
        }
    }

    /// Tiny steps in the load with plain Newton, which cannot leave the branch: a slow oracle. `None` past a fold.
    fn crept(material: &dyn Material, stress: &Vec3) -> Option<Vec3> {
        let mut x = Vec3::zeros();
        let steps = 4000;
        for k in 1..=steps {
            let load = stress * (f64::from(k) / f64::from(steps));
            let before = x;
            for _ in 0..6 {
                let (r, derivative) = residual(material, &x, &load);
                x -= solve(&derivative, &r)?;
            }
            let (r, derivative) = residual(material, &x, &load);
            if (x - before).amax() > 0.05 || x.amax() > MAX_LOG_STRETCH || derivative.determinant() <= 0.0 || r.amax() > 1e-9 * load.amax()
            {
                return None;
            }
        }
        Some(x)
    }

    #[test]
    fn any_stress_gets_the_branch_from_rest_or_its_limit() {
        let mut random = Random::new(16);
        let (mut attained, mut refused) = (0, 0);
        for law in MATERIALS {
            for poisson in [law.poisson.start.max(-0.5), 0.2, 0.45] {
                let material = (law.build)(1.0, poisson);
                for trial in 0..60 {
                    let direction = match trial % 6 {
                        0 => Vec3::new(1.0, 1.0, 1.0),
                        1 => Vec3::new(-1.0, -1.0, 0.0),
                        2 => Vec3::new(-1.0, -1.0, -1.0) + random.vector(-1e-3, 1e-3),
                        _ => random.vector(-1.0, 1.0),
                    };
                    let stress = direction * 10f64.powf(random.uniform(-2.0, 1.5));
                    let what = format!("{} {poisson} {:?}", law.name, stress.as_slice());
                    match stretches_from_cauchy(&*material, &stress) {
                        Ok(stretch) => {
                            attained += 1;
                            let error = (stress_of(&*material, &stretch) - stress).amax();
                            assert!(error <= 1e-11 * stress.amax(), "{what}: {error:e}");
                            if let Some(x) = crept(&*material, &stress) {
                                assert!((x.map(f64::exp) - stretch).amax() < 1e-7, "{what}: another branch, {stretch}");
                            }
                        }
                        Err(Unattainable::TooSoft { attainable_share }) => {
                            refused += 1;
                            assert!((0.0..1.0).contains(&attainable_share), "{what}");
                            assert!(crept(&*material, &stress).is_none(), "{what}: the oracle attains it");
                            let inside = stretches_from_cauchy(&*material, &(stress * (0.998 * attainable_share)));
                            assert!(inside.is_ok(), "{what}: {attainable_share} is not attainable either");
                        }
                        Err(other) => panic!("{what}: {other}"),
                    }
                }
            }
        }
        assert!(attained > 200 && refused > 100);
    }

    #[test]
    fn a_stress_that_is_not_finite_is_refused() {
        for value in [f64::NAN, f64::INFINITY] {
            assert_eq!(attainable_share(&*material("stvk", 0.3), &Vec3::new(value, 0.0, 0.0)), 0.0);
        }
    }
}
