//! [`Reduced`]: small motions in the Krylov space of (H + s M)^-1 M that begins with the answer to what is out of balance. The shift s is that of
//! the slowest motions that the horizon lets one see, so that a few vectors hold these; the fast ones, which come to rest, are in the first.

use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::super::pencil::{Pencil, Shifted};
use super::super::space::Space;
use crate::linear::InertiaFactor;
use crate::math::Vec3;
use crate::step::damping::Damping;
use crate::watch::{Cancelled, Watch};

/// Vectors of the space at most.
const VECTORS: usize = 24;
/// What is left of a vector after orthogonalisation that is round-off.
const NOTHING: f64 = 1e-9;
/// The shift is that of motions that take this share of the horizon [rad].
const SHARE: f64 = 0.25;
/// Nodes that one task sums over; fixed, so that sums do not depend on the number of threads.
const CHUNK: usize = 1024;
/// Instants at which it is asked whether the motion is still small.
const LOOKS: usize = 25;

/// How a stepper goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Backward Euler.
    BackwardEuler,
    /// Second-order backward differences, begun with backward Euler.
    Bdf2,
    /// The implicit midpoint.
    Midpoint,
    /// Equilibria.
    Static,
}

/// Where a motion is no longer small.
pub struct Far {
    /// When [s].
    pub time: f64,
    /// Displacement of each node, where it was still small [m].
    pub moved: Vec<Vec3>,
    /// Its velocity [m/s].
    pub velocities: Vec<Vec3>,
}

/// M-orthonormal vectors, and what acts along them, over the mean mass.
pub struct Reduced {
    basis: Vec<Vec<Vec3>>,
    /// [1/s^2].
    stiffness: DMatrix<f64>,
    /// [1/s].
    damping: DMatrix<f64>,
    /// [m/s^2].
    force: DVector<f64>,
    /// [m/s].
    velocity: DVector<f64>,
}

impl Reduced {
    /// The space for `force` [N] and initial `velocities` [m/s]; `None` where a number is not finite.
    ///
    /// # Errors
    /// Cancelled.
    pub fn new(pencil: &Pencil, force: &[Vec3], velocities: &[Vec3], horizon: f64, watch: &dyn Watch) -> Result<Option<Self>, Cancelled> {
        let shift = pencil.mean_mass / (SHARE * horizon).powi(2);
        let Ok(mut shifted) = pencil.shifted(InertiaFactor::new(pencil.pattern), -shift) else { return Ok(None) };
        let basis = krylov(pencil, &mut shifted, force, velocities, watch)?;
        drop(shifted);
        watch.check()?;
        let dot = |a: &[Vec3], b: &[Vec3]| a.iter().zip(b).map(|(a, b)| a.dot(b)).sum::<f64>();
        let among = |products: &[Vec<Vec3>]| among(&basis, products) / pencil.mean_mass;
        let resisted: Vec<Vec<Vec3>> = basis.par_iter().map(|vector| hessian_times(pencil, vector)).collect();
        let damping = damped(pencil, &basis).map_or_else(|| DMatrix::zeros(basis.len(), basis.len()), |products| among(&products));
        Ok(Some(Self {
            stiffness: among(&resisted),
            damping,
            force: DVector::from_iterator(basis.len(), basis.iter().map(|vector| dot(vector, force) / pencil.mean_mass)),
            velocity: DVector::from_iterator(basis.len(), basis.iter().map(|vector| pencil.dot(vector, velocities))),
            basis,
        }))
    }

    /// The displacement of each node [m] after steps of `step_size` [s] to `horizon`, or where it is no longer small. Where no step can be taken:
    /// why.
    pub fn follow(
        &self,
        rule: Rule,
        step_size: f64,
        horizon: f64,
        is_small: impl Fn(&[Vec3]) -> bool,
    ) -> Result<Result<Vec<Vec3>, Far>, String> {
        let count = ((horizon / step_size).round() as usize).max(1);
        let looks = count.div_ceil(LOOKS);
        let nothing = DVector::zeros(self.force.len());
        let (mut before, mut now) = ((nothing.clone(), self.velocity.clone()), (nothing, self.velocity.clone()));
        let mut small = now.clone();
        let (first, rest) = (self.stage(Rule::BackwardEuler, step_size), self.stage(rule, step_size));
        let (Some(first), Some(rest)) = (first, rest) else {
            return Err("without inertia, nothing holds it where it is".to_owned());
        };
        let mut time = 0.0;
        for k in 1..=count {
            let stage = if k == 1 && rule == Rule::Bdf2 { &first } else { &rest };
            let next = stage.step(self, &now, &before);
            before = std::mem::replace(&mut now, next);
            if k % looks == 0 || k == count {
                if !is_small(&self.on_nodes(&now.0)) {
                    return Ok(Err(Far { time, moved: self.on_nodes(&small.0), velocities: self.on_nodes(&small.1) }));
                }
                (time, small) = (k as f64 * step_size, now.clone());
            }
        }
        Ok(Ok(self.on_nodes(&now.0)))
    }

    /// Whether what is out of balance grows by so much: the drift at the horizon over the one at a tenth of it.
    pub fn amplifies(&self, rule: Rule, step_size: f64, horizon: f64, factor: f64) -> bool {
        let size = |seconds: f64| {
            let moved = self.follow(rule, step_size, seconds, |_| true).ok()?.ok()?;
            Some(moved.iter().map(Vec3::norm).fold(0.0, f64::max))
        };
        size(horizon).zip(size(0.1 * horizon)).is_some_and(|(late, early)| late > factor * early)
    }

    fn on_nodes(&self, shares: &DVector<f64>) -> Vec<Vec3> {
        let mut sum = vec![Vec3::zeros(); self.basis.first().map_or(0, Vec::len)];
        sum.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, sum)| {
            for (share, vector) in shares.iter().zip(&self.basis) {
                sum.iter_mut().zip(&vector[chunk * CHUNK..]).for_each(|(sum, v)| *sum += *share * v);
            }
        });
        sum
    }

    /// A step by `rule`: (i + a K + D / t) y = i x~ + f - (rest), factorised; `None` where there is none.
    fn stage(&self, rule: Rule, h: f64) -> Option<Stage> {
        let one = DMatrix::identity(self.force.len(), self.force.len());
        let Self { stiffness: k, damping: c, .. } = self;
        let span = if rule == Rule::Bdf2 { 2.0 / 3.0 * h } else { h };
        let matrix = match rule {
            Rule::Static => k.clone(),
            Rule::Midpoint => &one * (2.0 / (h * h)) + k * 0.5 + c / h,
            Rule::BackwardEuler | Rule::Bdf2 => &one / (span * span) + c / span + k,
        };
        // Statics go to the equilibrium only where there is a least energy.
        if rule == Rule::Static && matrix.clone().cholesky().is_none() {
            return None;
        }
        Some(Stage { rule, h, span, solver: matrix.lu() })
    }
}

/// Displacement and velocity.
type Motion = (DVector<f64>, DVector<f64>);

struct Stage {
    rule: Rule,
    h: f64,
    span: f64,
    solver: nalgebra::LU<f64, nalgebra::Dyn, nalgebra::Dyn>,
}

impl Stage {
    fn step(&self, of: &Reduced, (x, v): &Motion, (x0, v0): &Motion) -> Motion {
        let (h, s) = (self.h, self.span);
        let solve = |right: DVector<f64>| self.solver.solve(&right).unwrap_or_else(|| DVector::repeat(right.len(), f64::NAN));
        match self.rule {
            Rule::Static => (solve(of.force.clone()), DVector::zeros(x.len())),
            Rule::Midpoint => {
                let y = solve((x + v * h) * (2.0 / (h * h)) + &of.force - &of.stiffness * x * 0.5 + &of.damping * x / h);
                // 2 (y - x) / h - v.
                let velocity = (&y - x) * (2.0 / h) - v;
                (y, velocity)
            }
            Rule::BackwardEuler | Rule::Bdf2 => {
                let (base, carried) =
                    if self.rule == Rule::Bdf2 { ((x * 4.0 - x0) / 3.0, (v * 4.0 - v0) / 3.0) } else { (x.clone(), v.clone()) };
                let y = solve((&base + carried * s) / (s * s) + &of.damping * &base / s + &of.force);
                let velocity = (&y - &base) / s;
                (y, velocity)
            }
        }
    }
}

/// a_i . (A a_j) of a symmetric A, by the products A a_j.
fn among(basis: &[Vec<Vec3>], products: &[Vec<Vec3>]) -> DMatrix<f64> {
    let (count, nodes) = (basis.len(), basis.first().map_or(0, Vec::len));
    // Of all pairs in as many nodes as are at hand at once.
    let of_chunk = |chunk: usize| {
        let range = chunk * CHUNK..((chunk + 1) * CHUNK).min(nodes);
        let dot = |i: usize, j: usize| basis[i][range.clone()].iter().zip(&products[j][range.clone()]).map(|(a, b)| a.dot(b)).sum();
        DMatrix::from_fn(count, count, |i, j| if i <= j { dot(i, j) } else { 0.0 })
    };
    let chunks: Vec<DMatrix<f64>> = (0..nodes.div_ceil(CHUNK)).into_par_iter().map(of_chunk).collect();
    let mut sum = chunks.into_iter().fold(DMatrix::zeros(count, count), |sum, chunk| sum + chunk);
    sum.fill_lower_triangle_with_upper_triangle();
    sum
}

fn hessian_times(pencil: &Pencil, vector: &[Vec3]) -> Vec<Vec3> {
    let mut product = vec![Vec3::zeros(); vector.len()];
    pencil.hessian.multiply(pencil.pattern, vector, &mut product);
    product
}

/// Vectors that hold the answers to `force`, and the way of `velocities`, orthonormal by M.
fn krylov(
    pencil: &Pencil,
    shifted: &mut Shifted,
    force: &[Vec3],
    velocities: &[Vec3],
    watch: &dyn Watch,
) -> Result<Vec<Vec<Vec3>>, Cancelled> {
    let mut basis: Vec<Vec<Vec3>> = Vec::new();
    let mut next = vec![force.to_vec()];
    if velocities.iter().any(|v| *v != Vec3::zeros()) {
        add(pencil, &mut basis, velocities.to_vec());
    }
    shifted.factor.solve(pencil.pattern, &mut next);
    let mut waiting: Vec<Vec<Vec3>> = next;
    waiting.extend(basis.iter().map(|vector| answer(pencil, shifted, vector)));
    while let Some(vector) = (basis.len() < VECTORS).then(|| waiting.pop()).flatten() {
        watch.check()?;
        if add(pencil, &mut basis, vector)
            && let Some(last) = basis.last()
        {
            waiting.insert(0, answer(pencil, shifted, last));
        }
    }
    Ok(basis)
}

/// (H + s M)^-1 M v.
fn answer(pencil: &Pencil, shifted: &mut Shifted, vector: &[Vec3]) -> Vec<Vec3> {
    let mut right = vec![pencil.mass.product(vector)];
    shifted.factor.solve(pencil.pattern, &mut right);
    right.pop().unwrap_or_default()
}

/// Adds what of `vector` the basis lacks; whether that is more than round-off.
fn add(pencil: &Pencil, basis: &mut Vec<Vec<Vec3>>, mut vector: Vec<Vec3>) -> bool {
    pencil.system.take_supported(&mut vector);
    let before = pencil.dot(&vector, &vector).sqrt();
    pencil.take_out(basis, &mut vector);
    let rest = pencil.normalise(&mut vector);
    let is_new = rest.is_finite() && rest > NOTHING * before;
    if is_new {
        basis.push(vector);
    }
    is_new
}

/// The damping matrix of the first step times each vector, if anything is damped.
fn damped(pencil: &Pencil, basis: &[Vec<Vec3>]) -> Option<Vec<Vec<Vec3>>> {
    let system = pencil.system;
    let mut blocks = system.block_memory();
    let mut damping = Damping::new(system, &blocks)?;
    system.fill_blocks(&system.positions, true, &mut blocks);
    damping.update(system, &blocks);
    let still = vec![Vec3::zeros(); system.positions.len()];
    Some(basis.iter().map(|vector| damping.product(system, vector, &still).to_vec()).collect())
}
