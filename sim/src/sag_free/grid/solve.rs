//! Solving for the stresses: iterated Tikhonov, and with walls the interior point of contacts in each round of it.

use super::walls::{Regularised, WallRow};
use super::{Space, Wall};
use crate::math::{Mat3, Vec3, largest_norm};
use crate::sag_free::cone::Scaling;
use crate::sag_free::global::GlobalError;
use crate::sag_free::interior_point::{ConeRow, Goal, Quadratic, Solver, add_contact_forces};
use crate::watch::Watch;

/// How the balance is regularised.
#[derive(Debug, Clone, Copy)]
pub struct Tikhonov {
    /// rho of the first round, beside which K has entries of about 1.
    pub rho: f64,
    /// What it is multiplied with from round to round: a body that friction barely holds has a long way to go in the dual.
    pub falls: f64,
    /// Rounds at most, each from what the one before has left.
    pub rounds: usize,
}

impl Default for Tikhonov {
    fn default() -> Self {
        Self { rho: 1e-8, falls: 1e-2, rounds: 3 }
    }
}

/// Stresses that balance the loads, or come nearest to it.
#[derive(Debug, Clone)]
pub struct Solved {
    /// Cauchy stress of each point, by their numbers [Pa].
    pub stresses: Vec<Mat3>,
    /// What is left does to the points, over the largest acceleration of the loads: the most, and the root of the mean square.
    pub largest: f64,
    pub rms: f64,
    /// The point that has the most.
    pub worst: usize,
    /// Iterations of the interior point, or back-substitutions without walls.
    pub iterations: usize,
    /// Numerical factorisations.
    pub factorisations: usize,
    /// Duality gap over the work of the loads; none without walls.
    pub gap: Option<f64>,
    /// Whether that is small enough.
    pub gap_reached: bool,
}

/// Corrections of a solution by one factor at most, and what of the loads, as a norm over the nodes, is no more than round-off.
const CORRECTIONS: usize = 8;
const ROUND_OFF: f64 = 1e-15;
/// Imbalance that the interior point is to reach, over the loads: the rest is for corrections.
const TOLERANCE: f64 = 1e-8;
/// Displacements and work that are small beside those on springs as stiff as the bodies.
const LEAST: f64 = 1e-3;

/// Stresses [Pa] in the order of the points, forces of walls in their cones, and what they leave of the loads, over the unit.
struct Balance {
    stresses: Vec<Mat3>,
    z: Vec<Vec3>,
    left: Vec<Vec3>,
    size: f64,
}

/// A problem: loads in scaled units over `unit` [N], and walls.
struct Problem<'a> {
    space: &'a Space,
    loads: Vec<Vec3>,
    unit: f64,
}

impl Problem<'_> {
    /// Measures what is left.
    fn balance(&self, rows: &[WallRow], stresses: Vec<Mat3>, z: Vec<Vec3>) -> Balance {
        let mut left: Vec<Vec3> = self.loads.iter().map(|load| self.unit * load).collect();
        self.space.take_stresses(&stresses, &mut left);
        left.iter_mut().for_each(|left| *left /= self.unit);
        add_contact_forces(rows, &z, &mut left);
        self.space.pattern.clear_fixed(&mut left);
        let size = left.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
        Balance { stresses, z, left, size }
    }

    /// `before` with the dual `u` more, and walls that answer to it by `scalings`.
    fn with(&self, rows: &[WallRow], before: &Balance, u: &[Vec3], scalings: &[Scaling]) -> Balance {
        let mut stresses = before.stresses.clone();
        self.space.add_stresses(u, self.unit * self.space.scale, &mut stresses);
        let answered = |((z, row), w): ((&Vec3, &WallRow), &Scaling)| z - WallRow::answer(w, &row.displacement(u));
        let z = before.z.iter().zip(rows).zip(scalings).map(answered).collect();
        self.balance(rows, stresses, z)
    }

    /// Corrects `at`, and its dual `u`, by the factor that stands for these scalings, as long as that helps and forces stay in their cones.
    fn corrected(&self, solver: &mut Solver<Regularised, WallRow>, scalings: &[Scaling], mut at: Balance, dual: &mut [Vec3]) -> Balance {
        if solver.quadratic.factorize(&solver.rows, scalings).is_err() {
            return at;
        }
        for _ in 0..CORRECTIONS {
            if at.size <= ROUND_OFF * norm(&self.loads) {
                break;
            }
            let mut u = at.left.clone();
            solver.quadratic.solve(&mut u);
            let next = self.with(&solver.rows, &at, &u, scalings);
            let inside = solver.rows.iter().zip(&next.z).all(|(row, z)| row.cone().margin(z) >= 0.0);
            if !inside || next.size.is_nan() || next.size >= at.size {
                break;
            }
            dual.iter_mut().zip(&u).for_each(|(dual, u)| *dual += u);
            at = next;
        }
        at
    }
}

fn norm(vectors: &[Vec3]) -> f64 {
    vectors.iter().map(Vec3::norm_squared).sum::<f64>().sqrt()
}

impl Space {
    /// The least stresses that balance `loads` on the points [N], by their numbers, with forces of the walls in cones of this `share` of
    /// their friction. Where there is no balance, what is left is the least motion.
    ///
    /// # Errors
    /// Cancelled, or numbers that are not finite.
    pub fn balance(
        &self,
        loads: &[Vec3],
        walls: &[Wall],
        share: f64,
        tikhonov: Tikhonov,
        watch: &dyn Watch,
    ) -> Result<Solved, GlobalError> {
        let gathered = self.gathered(loads);
        let unit = Some(largest_norm(&gathered)).filter(|unit| *unit > 0.0).unwrap_or(1.0);
        let problem = Problem { space: self, loads: gathered.iter().map(|load| load / unit).collect(), unit };
        let rows: Vec<WallRow> = walls.iter().map(|wall| WallRow::new(wall, share)).collect();
        let mut quadratic = Regularised::new(&self.pattern, &self.stiffness, tikhonov.rho);
        let mut dual = vec![Vec3::zeros(); self.roots.len()];
        let none = vec![Vec3::zeros(); rows.len()];
        let mut best = problem.balance(&rows, vec![Mat3::zeros(); self.points.len()], none);
        let whole = best.size;
        let (mut iterations, mut gap, mut gap_reached) = (0, None, true);
        let mut solver = Solver { quadratic: &mut quadratic, rows, load: Vec::new() };
        if walls.is_empty() {
            solver.quadratic.factorize(&[], &[])?;
        }
        for round in 0..tikhonov.rounds {
            if best.size <= ROUND_OFF * whole {
                break;
            }
            watch.check()?;
            let rho = tikhonov.rho * tikhonov.falls.powi(round as i32);
            solver.quadratic.rho = rho;
            let found = if solver.rows.is_empty() {
                iterations += 1;
                problem.corrected(
                    &mut solver,
                    &[],
                    Balance { z: Vec::new(), stresses: best.stresses.clone(), left: best.left.clone(), ..best },
                    &mut dual,
                )
            } else {
                // From the dual of the round before: min 1/2 u K u - f u + rho/2 |u - u0|^2.
                solver.load = problem.loads.iter().zip(&dual).map(|(load, u)| load + rho * u).collect();
                let goal = Goal { tolerance: TOLERANCE, runaway: f64::INFINITY, least: LEAST, least_work: LEAST };
                let (at, progress) = match solver.run(goal, watch) {
                    // So little regularisation that round-off is larger: what there is stays.
                    Err(GlobalError::Singular(_)) if round > 0 => break,
                    found => found?,
                };
                iterations += progress.iterations;
                (gap, gap_reached) = (Some(progress.gap), progress.reached);
                let mut stresses = vec![Mat3::zeros(); self.points.len()];
                self.add_stresses(&at.u, unit * self.scale, &mut stresses);
                let mut found = problem.balance(&solver.rows, stresses, at.z.clone());
                dual.clone_from(&at.u);
                if let Some(scalings) = solver.scalings(&at) {
                    found = problem.corrected(&mut solver, &scalings, found, &mut dual);
                }
                if found.size > ROUND_OFF * whole {
                    let springs = solver.springs(&found.z);
                    found = problem.corrected(&mut solver, &springs, found, &mut dual);
                }
                found
            };
            let improves = found.size < 0.5 * best.size;
            if found.size < best.size {
                best = found;
            }
            if !improves {
                break;
            }
        }
        let factorisations = solver.quadratic.factorisations;
        Ok(self.told(&best, unit, loads, Counted { iterations, factorisations, gap, gap_reached }))
    }

    fn told(&self, balance: &Balance, unit: f64, loads: &[Vec3], counted: Counted) -> Solved {
        let Counted { iterations, factorisations, gap, gap_reached } = counted;
        let left: Vec<Vec3> = balance.left.iter().map(|left| unit * left).collect();
        let accelerations = self.accelerations(&left);
        let mut stresses = vec![Mat3::zeros(); self.points.len()];
        let (mut largest, mut worst, mut squares) = (0.0_f64, 0, 0.0);
        for ((point, stress), acceleration) in self.points.iter().zip(&balance.stresses).zip(&accelerations) {
            stresses[point.number as usize] = *stress;
            squares += acceleration.norm_squared();
            if acceleration.norm() > largest {
                (largest, worst) = (acceleration.norm(), point.number as usize);
            }
        }
        // Of the loads alone, as stresses and walls leave them.
        let of_loads = largest_norm(&self.accelerations(&self.gathered(loads)));
        let size = if of_loads > 0.0 { of_loads } else { 1.0 };
        let rms = (squares / self.points.len() as f64).sqrt();
        Solved { stresses, largest: largest / size, rms: rms / size, worst, iterations, factorisations, gap, gap_reached }
    }
}

/// What the work was.
struct Counted {
    iterations: usize,
    factorisations: usize,
    gap: Option<f64>,
    gap_reached: bool,
}
