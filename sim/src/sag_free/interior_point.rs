//! A primal-dual interior point with Nesterov-Todd scaling and Mehrotra's corrector for
//!
//! ```text
//! min 1/2 u^T K u - f^T u   with   G u in the cones,
//! ```
//!
//! whose multipliers z are forces in the cones: K u = f + G^T z. A row may give way to its force, so that its slack is
//! s = G u + C (z - z0). Where C is infinite in the first coordinate, the force stays at z0 there, and nothing but complementarity says what the slack is.
//!
//! Each iteration factorises K plus a block of each cone, in
//! whichever space of unknowns a [`Quadratic`] offers.

use nalgebra::{SMatrix, SVector};

use super::cone::{Cone, Scaling, only};
use super::global::GlobalError;
use crate::linear::NotPositive;
use crate::math::{Vec3, larger, largest_norm};
use crate::watch::Watch;

/// Iterations at most; problems take 5 to 25.
const ITERATIONS: usize = 60;
/// Share of the way to the boundary of the cones that a step may go.
const BACK_OFF: f64 = 0.995;
/// Duality gap to reach, as a share of the work of the loads: contact forces are right to its square root.
const GAP: f64 = 1e-9;

/// An imbalance up to so many times the tolerance is round-off, which contacts with something in hand take afterwards.
const POLISHED: f64 = 100.0;
/// An imbalance of so many times the tolerance is a matter of polish, too; later iterates are so near the boundaries of their cones that
/// polish loses its digits.
const FLOOR: f64 = 1e-3;
/// Iterations without progress after which round-off is all that is left.
const PATIENCE: usize = 4;
/// Corrections of a direction at most, and the share of the imbalance that it may leave.
const REFINEMENTS: usize = 6;
const REFINED: f64 = 1e-6;
/// Forces of what gives way, over all loads, that a proof takes into account.
const LARGEST_FORCE: f64 = 1e6;
/// Share of the tolerance from which on less imbalance is of no use.
const ENOUGH: f64 = 1e-4;

/// How much a row gives way to its force.
#[derive(Debug, Clone, Copy)]
pub(super) struct Give<const D: usize> {
    /// C, diagonal.
    pub compliance: SVector<f64, D>,
    /// The force from which on it does, z0; inside of its cone where C is infinite in the first coordinate.
    pub from: SVector<f64, D>,
}

impl<const D: usize> Give<D> {
    /// Whether the first coordinate of the force stays where it is.
    fn is_set(&self) -> bool {
        self.compliance[0].is_infinite()
    }

    /// G u + C (z - z0) - s, where that is to be zero.
    fn residual(&self, displacement: SVector<f64, D>, z: &SVector<f64, D>, s: &SVector<f64, D>) -> SVector<f64, D> {
        let mut residual = displacement + self.compliance.component_mul(&(z - self.from)) - s;
        if self.is_set() {
            residual[0] = 0.0;
        }
        residual
    }

    /// How the slack changes with dz, which is its row's [`answer`] to `slack` and `corner`.
    fn slack(&self, w: &Scaling<D>, corner: &SVector<f64, D>, slack: &SVector<f64, D>, dz: &SVector<f64, D>) -> SVector<f64, D> {
        let mut ds = slack + self.compliance.component_mul(dz);
        if self.is_set() {
            // s . dz + z . ds = lambda . c: of all that complementarity says what loses no digits near the end.
            let (s, z) = (w.scale * w.point, w.inverse * w.point);
            ds[0] = 0.0;
            ds[0] = (w.point.dot(corner) - s.dot(dz) - z.dot(&ds)) / z[0];
        }
        ds
    }
}

/// One cone of the problem, as D rows over the places of its space.
pub(super) trait ConeRow<const D: usize = 3> {
    /// Which cone.
    fn cone(&self) -> Cone;
    /// G u of this cone.
    fn displacement(&self, u: &[Vec3]) -> SVector<f64, D>;
    /// Whether and how it gives way.
    fn give(&self) -> Option<Give<D>> {
        None
    }
    /// Adds G^T z of this cone.
    fn add_force(&self, z: &SVector<f64, D>, nodes: &mut [Vec3]);
}

/// A quadratic form K over a space of unknowns, three for each of its places, and the Newton matrix K + rho I + G^T W^-2 G, with (W^2 + C)^-1 in
/// place of W^-2 where a row gives way.
pub(super) trait Quadratic<R, const D: usize = 3> {
    /// K u.
    fn multiply(&self, u: &[Vec3], product: &mut [Vec3]);
    /// Factorises the Newton matrix for the given scaling of each row; rho is raised until that works.
    ///
    /// # Errors
    /// The matrix is not finite.
    fn factorize(&mut self, rows: &[R], scalings: &[Scaling<D>]) -> Result<(), NotPositive>;
    /// Solves with the Newton matrix in place.
    fn solve(&mut self, right_side: &mut [Vec3]);
}

/// When to stop.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal {
    /// Largest |K u - f - G^T z| that counts as balance.
    pub tolerance: f64,
    /// A solution this large means that there is none.
    pub runaway: f64,
    /// Displacements below this share of the start's count as that: where all contacts stick, the solution is zero.
    pub least: f64,
    /// The same of the work of the loads.
    pub least_work: f64,
}

/// How far the iterations came.
#[derive(Debug, Clone, Copy)]
pub(super) struct Progress {
    pub iterations: usize,
    /// Duality gap over the work of the loads.
    pub gap: f64,
    /// Whether that is small enough.
    pub reached: bool,
}

/// Iterate in scaled units.
#[derive(Clone)]
pub(super) struct Iterate<const D: usize = 3> {
    pub u: Vec<Vec3>,
    pub s: Vec<SVector<f64, D>>,
    pub z: Vec<SVector<f64, D>>,
}

/// A search direction.
type Direction<const D: usize> = Iterate<D>;

impl<const D: usize> Iterate<D> {
    fn plus(&self, direction: &Direction<D>, step: f64) -> Self {
        let (u, s, z) = (sum(&self.u, &direction.u, step), sum(&self.s, &direction.s, step), sum(&self.z, &direction.z, step));
        Self { u, s, z }
    }
}

/// x + step dx of each.
fn sum<const D: usize>(x: &[SVector<f64, D>], by: &[SVector<f64, D>], step: f64) -> Vec<SVector<f64, D>> {
    x.iter().zip(by).map(|(x, dx)| x + step * dx).collect()
}

/// How far an iterate has come, the better the later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// On the way.
    Open,
    /// The duality gap is closed; what round-off leaves of the balance is a matter of polish.
    Closed,
    /// In balance, too.
    Reached,
}

/// The best iterate so far.
struct Best<const D: usize> {
    standing: Standing,
    measure: f64,
    gap: f64,
    at: Iterate<D>,
}

/// The problem.
pub(super) struct Solver<'a, Q: ?Sized, R, const D: usize = 3> {
    pub quadratic: &'a mut Q,
    pub rows: Vec<R>,
    /// f.
    pub load: Vec<Vec3>,
}

impl<Q: ?Sized, R, const D: usize> Solver<'_, Q, R, D>
where
    Q: Quadratic<R, D>,
    R: ConeRow<D>,
{
    /// What is left of (K u - f - G^T z, G u + C (z - z0) - s).
    fn residuals(&mut self, at: &Iterate<D>) -> (Vec<Vec3>, Vec<SVector<f64, D>>) {
        let mut dual = vec![Vec3::zeros(); at.u.len()];
        self.quadratic.multiply(&at.u, &mut dual);
        let mut forces = self.load.clone();
        add_contact_forces(&self.rows, &at.z, &mut forces);
        dual.iter_mut().zip(&forces).for_each(|(dual, force)| *dual -= force);
        let slack = |((row, s), z): ((&R, &SVector<f64, D>), &SVector<f64, D>)| match row.give() {
            None => row.displacement(&at.u) - s,
            Some(give) => give.residual(row.displacement(&at.u), z, s),
        };
        let primal = self.rows.iter().zip(&at.s).zip(&at.z).map(slack).collect();
        (dual, primal)
    }

    pub fn scalings(&self, at: &Iterate<D>) -> Option<Vec<Scaling<D>>> {
        let scalings: Vec<Scaling<D>> = self.rows.iter().zip(&at.s).zip(&at.z).map(|((row, s), z)| row.cone().scaling(s, z)).collect();
        scalings.iter().all(|w| w.inverse.iter().all(|v| v.is_finite())).then_some(scalings)
    }

    /// Contacts as springs, the stiffer the farther their forces `z` are from the boundaries of the cones: they take small changes of load
    /// without leaving these. Unlike Nesterov-Todd's near the end, these scalings lose no digits.
    pub fn springs(&self, z: &[SVector<f64, D>]) -> Vec<Scaling<D>> {
        let margins: Vec<f64> = self.rows.iter().zip(z).map(|(row, z)| row.cone().margin(z).max(0.0)).collect();
        let largest = margins.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let spring = |margin: &f64| spring(margin / largest);
        margins.iter().map(spring).collect()
    }

    /// Solves the Newton system for the corner terms `corner` = lambda \ d.
    fn direction(
        &mut self,
        scalings: &[Scaling<D>],
        dual: &[Vec3],
        primal: &[SVector<f64, D>],
        corner: &[SVector<f64, D>],
    ) -> Direction<D> {
        let mut u: Vec<Vec3> = dual.iter().map(|r| -r).collect();
        let rows = self.rows.iter().zip(scalings);
        let contact: Vec<SVector<f64, D>> = rows.zip(primal).zip(corner).map(|(((row, w), r), c)| answer(row, w, c, r)).collect();
        add_contact_forces(&self.rows, &contact, &mut u);
        self.quadratic.solve(&mut u);
        self.with_displacement(u, scalings, primal, corner)
    }

    /// The direction with the balance corrected by the same factor: where cones are nearly closed, blocks of W^-2 swallow what is small
    /// in them. It may leave `enough` of the balance. Corrections are added to the forces as they are: taken from the whole displacement
    /// anew, forces would be no better than its last digit times W^-2.
    fn corrected_direction(&mut self, mut direction: Direction<D>, scalings: &[Scaling<D>], dual: &[Vec3], enough: f64) -> Direction<D> {
        let enough = enough.max(REFINED * largest_norm(dual));
        let mut left = self.left_by(&direction, dual);
        let none = vec![SVector::zeros(); self.rows.len()];
        for _ in 0..REFINEMENTS {
            let size = largest_norm(&left);
            if size <= enough {
                break;
            }
            self.quadratic.solve(&mut left);
            let more = self.with_displacement(left, scalings, &none, &none);
            let refined = direction.plus(&more, 1.0);
            left = self.left_by(&refined, dual);
            if largest_norm(&left) >= size {
                break;
            }
            direction = refined;
        }
        direction
    }

    /// The direction with du = `u`.
    fn with_displacement(
        &self,
        u: Vec<Vec3>,
        scalings: &[Scaling<D>],
        primal: &[SVector<f64, D>],
        corner: &[SVector<f64, D>],
    ) -> Direction<D> {
        // ds straight from du: the other way round it loses all digits near the end.
        let mut s: Vec<SVector<f64, D>> = self.rows.iter().zip(primal).map(|(row, r)| row.displacement(&u) + r).collect();
        let rows = self.rows.iter().zip(scalings);
        let z: Vec<SVector<f64, D>> = rows.zip(&s).zip(corner).map(|(((row, w), ds), c)| answer(row, w, c, ds)).collect();
        for ((((row, w), s), z), c) in self.rows.iter().zip(scalings).zip(&mut s).zip(&z).zip(corner) {
            if let Some(give) = row.give() {
                *s = give.slack(w, c, s, z);
            }
        }
        Direction { u, s, z }
    }

    /// G^T dz - K du - `dual`: what a direction leaves of the balance.
    fn left_by(&self, direction: &Direction<D>, dual: &[Vec3]) -> Vec<Vec3> {
        let mut product = vec![Vec3::zeros(); direction.u.len()];
        self.quadratic.multiply(&direction.u, &mut product);
        let mut left: Vec<Vec3> = dual.iter().zip(&product).map(|(dual, product)| -(dual + product)).collect();
        add_contact_forces(&self.rows, &direction.z, &mut left);
        left
    }

    fn step_to_boundary(&self, at: &Iterate<D>, direction: &Direction<D>) -> f64 {
        let mut step: f64 = 1.0 / BACK_OFF;
        for (i, row) in self.rows.iter().enumerate() {
            step = row.cone().step_to_boundary(&at.s[i], &direction.s[i], step);
            step = row.cone().step_to_boundary(&at.z[i], &direction.z[i], step);
        }
        step
    }

    /// Start: the solution with all contacts as springs of median stiffness, pushed into the cones.
    fn start(&mut self) -> Result<Iterate<D>, NotPositive> {
        self.quadratic.factorize(&self.rows, &vec![spring(1.0); self.rows.len()])?;
        let mut u = self.load.clone();
        self.quadratic.solve(&mut u);
        let into_cone = |rows: &[R], points: Vec<SVector<f64, D>>| -> Vec<SVector<f64, D>> {
            let worst = rows.iter().zip(&points).map(|(row, x)| -row.cone().margin(x)).fold(f64::NEG_INFINITY, f64::max);
            let largest = points.iter().map(SVector::norm).fold(0.0, larger);
            let shift = if worst < -1e-8 * largest { 0.0 } else { worst.max(0.0) + largest.max(1e-3) };
            points.into_iter().map(|x| x + only(shift)).collect()
        };
        let flat = |row: &R, x: SVector<f64, D>| if row.cone() == Cone::HalfLine { only(x[0]) } else { x };
        let gaps: Vec<SVector<f64, D>> = self.rows.iter().map(|row| flat(row, row.displacement(&u))).collect();
        let forces = gaps.iter().map(|x| -x).collect();
        let (mut s, mut z) = (into_cone(&self.rows, gaps), into_cone(&self.rows, forces));
        for ((row, s), z) in self.rows.iter().zip(&mut s).zip(&mut z) {
            if let Some(give) = row.give().filter(Give::is_set) {
                // As central as the others, however small the force is.
                s[0] *= (z[0] / give.from[0]).max(1.0);
                *z = give.from;
            }
        }
        Ok(Iterate { s, z, u })
    }

    /// Whether the iterate proves that no balance exists, up to `tolerance` on each node, short of a displacement beyond
    /// `runaway`. For if K y = f + G^T z with z in the cones, then f . u <= y . K u for every u with G u in the cones, and
    /// (y . K u)^2 <= (y . K y) (u . K u).
    fn is_hopeless(&self, at: &Iterate<D>, dual: &[Vec3], primal: &[SVector<f64, D>], tolerance: f64, runaway: f64) -> bool {
        let mut product = self.load.clone();
        add_contact_forces(&self.rows, &at.z, &mut product);
        let energy: f64 = product.iter().zip(dual).zip(&at.u).map(|((force, dual), u)| u.dot(&(force + dual))).sum();
        let work: f64 = self.load.iter().zip(&at.u).map(|(f, u)| f.dot(u)).sum();
        let size = |nodes: &[Vec3]| nodes.iter().map(|x| x.norm()).sum::<f64>();
        let total = size(&self.load);
        // How far G u is outside of the cones: where a row gives way, its slack is not G u, and its force may be far larger than the loads.
        let outside = |(row, primal): (&R, &SVector<f64, D>)| match row.give() {
            None => primal.norm(),
            Some(_) => -LARGEST_FORCE * row.cone().margin(&row.displacement(&at.u)).min(0.0),
        };
        let outside = self.rows.iter().zip(primal).map(outside).fold(0.0, larger);
        let slack = 10.0 * tolerance * size(&at.u) + total * outside;
        work > 2.0 * slack && work * work > runaway * total * energy
    }

    /// Iterates from the start to the end; the best iterate, and how far it came.
    pub fn run(&mut self, goal: Goal, watch: &dyn Watch) -> Result<(Iterate<D>, Progress), GlobalError> {
        let Goal { tolerance, runaway, least, least_work } = goal;
        let degree: f64 = self.rows.iter().map(|row| row.cone().degree()).sum();
        let mut at = self.start()?;
        let work_of = |u: &[Vec3], load: &[Vec3]| u.iter().zip(load).map(|(u, f)| u.dot(f)).sum::<f64>().abs();
        let least_extent = (least * largest_norm(&at.u)).max(f64::MIN_POSITIVE);
        let least_work = (least_work * work_of(&at.u, &self.load)).max(f64::MIN_POSITIVE);
        let mut best: Option<Best<D>> = None;
        let (mut iterations, mut since_best) = (0, 0);
        loop {
            watch.check()?;
            watch.progress("global stage", iterations as f64 / 25.0);
            let (dual, primal) = self.residuals(&at);
            let gap: f64 = at.s.iter().zip(&at.z).map(|(s, z)| s.dot(z)).sum();
            let dual_size = largest_norm(&dual);
            let size = largest_norm(&at.u);
            let extent = size.max(least_extent);
            let work = work_of(&at.u, &self.load).max(least_work);
            let primal_size = primal.iter().map(SVector::norm).fold(0.0, larger) / extent;
            let measure = dual_size.max(1e-4 * tolerance * (gap / (GAP * work)).max(primal_size / 1e-5));
            let closed = gap <= GAP * work && primal_size <= 1e-5;
            let reached = closed && dual_size <= 0.1 * tolerance;
            let standing = match closed {
                true if reached => Standing::Reached,
                true if dual_size <= POLISHED * tolerance => Standing::Closed,
                _ => Standing::Open,
            };
            since_best += 1;
            let is_better = |best: &Best<D>| standing > best.standing || standing == best.standing && measure < best.measure;
            if best.as_ref().is_none_or(is_better) {
                best = Some(Best { standing, measure, gap: gap / work, at: at.clone() });
                since_best = 0;
            }
            // A few more iterations are cheap and set the floor of the drift; where round-off is all that is left, they are no use.
            if reached && (dual_size <= FLOOR * tolerance || since_best > 0) || closed && since_best >= PATIENCE {
                break;
            }
            if iterations == ITERATIONS || size.is_nan() || size >= runaway || self.is_hopeless(&at, &dual, &primal, tolerance, runaway) {
                break;
            }
            iterations += 1;
            let mean = gap / degree;
            let Some(scalings) = self.scalings(&at) else { break };
            if self.quadratic.factorize(&self.rows, &scalings).is_err() {
                break;
            }
            // Predictor: straight for complementarity.
            let affine: Vec<SVector<f64, D>> = scalings.iter().map(|w| -w.point).collect();
            let predictor = self.direction(&scalings, &dual, &primal, &affine);
            let reach = self.step_to_boundary(&at, &predictor).min(1.0);
            let sigma = (1.0 - reach).powi(3).clamp(1e-8, 1.0);
            // Corrector: centre, and take back the predictor's second-order error.
            let corner = |(i, (row, w)): (usize, (&R, &Scaling<D>))| {
                let second_order = row.cone().product(&(w.inverse * predictor.s[i]), &(w.scale * predictor.z[i]));
                let target = only(sigma * mean) - row.cone().product(&w.point, &w.point) - second_order;
                row.cone().quotient(&w.point, &target)
            };
            let corner: Vec<SVector<f64, D>> = self.rows.iter().zip(&scalings).enumerate().map(corner).collect();
            let corrector = self.direction(&scalings, &dual, &primal, &corner);
            let corrector = self.corrected_direction(corrector, &scalings, &dual, ENOUGH * tolerance);
            let step = (BACK_OFF * self.step_to_boundary(&at, &corrector)).min(1.0);
            if !step.is_finite() || step < 1e-10 {
                break;
            }
            at = at.plus(&corrector, step);
        }
        let (gap, iterate) = best.map_or((f64::INFINITY, at), |best| (best.gap, best.at));
        Ok((iterate, Progress { iterations, gap, reached: gap <= GAP }))
    }
}

/// The change of force dz = W^-1 (c - W^-1 g) of a row whose slack grows by g; where it gives way, by g + C dz.
pub(super) fn answer<const D: usize>(
    row: &impl ConeRow<D>,
    w: &Scaling<D>,
    corner: &SVector<f64, D>,
    slack: &SVector<f64, D>,
) -> SVector<f64, D> {
    match row.give() {
        None => w.inverse * (corner - w.inverse * slack),
        Some(give) if row.cone() == Cone::HalfLine => {
            let root = w.inverse[(0, 0)];
            only(root * (corner[0] - root * slack[0]) / (1.0 + give.compliance[0] * root * root))
        }
        Some(give) => stiffness(w, &give) * (w.scale * corner - slack),
    }
}

/// (W^2 + C)^-1 of a row that gives way; where C is infinite, zero.
pub(super) fn stiffness<const D: usize>(w: &Scaling<D>, give: &Give<D>) -> SMatrix<f64, D, D> {
    let softness = w.scale * w.scale + SMatrix::from_diagonal(&give.compliance);
    softness.cholesky().map_or_else(SMatrix::zeros, |factor| factor.inverse())
}

/// A row as a spring whose stiffness is the square of `root`.
pub(super) fn spring<const D: usize>(root: f64) -> Scaling<D> {
    // What is hardly one is very soft, and not infinitely so.
    let softness = 1.0 / root.max(1e-100);
    Scaling { scale: SMatrix::from_diagonal_element(softness), inverse: SMatrix::from_diagonal_element(root), point: SVector::zeros() }
}

/// Sum over `rows` of G^T z, added to the nodes.
pub(super) fn add_contact_forces<const D: usize, R: ConeRow<D>>(rows: &[R], z: &[SVector<f64, D>], nodes: &mut [Vec3]) {
    rows.iter().zip(z).for_each(|(row, z)| row.add_force(z, nodes));
}
