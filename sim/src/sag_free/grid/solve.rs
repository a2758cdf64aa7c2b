//! Solving for the stresses: iterated Tikhonov, and with walls the interior point of contacts in each round of it.

use super::row::{GridRow, Regularised};
use super::walls::WallRow;
use super::yields::{Coordinates, PointRow, ROWS};
use super::{Space, Wall};
use crate::math::{Mat3, Vec3, larger, largest_norm};
use crate::sag_free::cone::Scaling;
use crate::sag_free::global::GlobalError;
use crate::sag_free::interior_point::{ConeRow, Goal, Quadratic, Solver, add_contact_forces, answer};
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

impl Tikhonov {
    /// rho, round by round.
    fn falling(self) -> impl Iterator<Item = f64> {
        (0..self.rounds).map(move |round| self.rho * self.falls.powi(round as i32))
    }
}

impl Default for Tikhonov {
    fn default() -> Self {
        Self { rho: 1e-8, falls: 1e-2, rounds: 3 }
    }
}

/// How much of what rubs and bears may be used.
#[derive(Debug, Clone, Copy)]
pub struct Shares {
    /// Of the friction of walls.
    pub friction: f64,
    /// Of the strength of points that yield.
    pub strength: f64,
}

impl Shares {
    /// The same of both.
    pub fn of_all(share: f64) -> Self {
        Self { friction: share, strength: share }
    }
}

/// Stresses that balance the loads, or come nearest to it.
#[derive(Debug, Clone)]
pub struct Solved {
    /// Cauchy stress of each point, by their numbers [Pa].
    pub stresses: Vec<Mat3>,
    /// Force of each wall on its node [N].
    pub forces: Vec<Vec3>,
    /// What is left does to the points, over the largest acceleration of the loads: the most, and the root of the mean square over those of the
    /// body where that is the most.
    pub largest: f64,
    pub rms: f64,
    /// The point of that body that has the most.
    pub worst: usize,
    /// Iterations of the interior point, or back-substitutions without walls.
    pub iterations: usize,
    /// Numerical factorisations.
    pub factorisations: usize,
    /// Duality gap over the work of the loads; none without walls.
    pub gap: Option<f64>,
    /// Whether that is small enough.
    pub gap_reached: bool,
    /// Whether walls that could pull and hold without limit would do no more than these.
    pub is_held: bool,
}

/// Corrections of a solution by one factor at most, and what of the loads, as a norm over the nodes, is no more than round-off.
const CORRECTIONS: usize = 8;
const ROUND_OFF: f64 = 1e-15;
/// Imbalance that the interior point is to reach, over the loads: the rest is for corrections.
const TOLERANCE: f64 = 1e-8;
/// Displacements and work that are small beside those on springs as stiff as the bodies.
const LEAST: f64 = 1e-3;
/// Root of the stiffness of walls that may pull, beside which K has entries of about 1: corrections make them stiffer yet.
const HOLDING: f64 = 1e2;

/// Stresses [Pa] in the order of the points, forces of walls in their cones, and what they leave of the loads, over the unit.
struct Balance {
    stresses: Vec<Mat3>,
    z: Vec<Coordinates>,
    left: Vec<Vec3>,
    size: f64,
}

impl Balance {
    /// Whether all forces lie in the cones of their walls.
    fn is_inside(&self, rows: &[GridRow]) -> bool {
        rows.iter().zip(&self.z).all(|(row, z)| row.cone().margin(z) >= 0.0)
    }
}

type GridSolver<'a, 's> = Solver<'a, Regularised<'s>, GridRow<'s>, ROWS>;

/// A problem: loads in scaled units over `unit` [N], and walls.
struct Problem<'a> {
    space: &'a Space,
    loads: Vec<Vec3>,
    unit: f64,
    /// Stresses to begin with, in the order of the points [Pa].
    given: Vec<Mat3>,
}

impl Problem<'_> {
    /// Measures what is left.
    fn balance(&self, rows: &[GridRow], mut stresses: Vec<Mat3>, z: Vec<Coordinates>) -> Balance {
        let mut left: Vec<Vec3> = self.loads.iter().map(|load| self.unit * load).collect();
        for (row, z) in rows.iter().zip(&z) {
            if let GridRow::Point(row) = row {
                stresses[row.place] = row.stress(z);
            }
        }
        self.space.take_stresses(&stresses, &mut left);
        left.iter_mut().for_each(|left| *left /= self.unit);
        let walls = rows.iter().zip(&z).filter(|(row, _)| matches!(row, GridRow::Wall(_)));
        walls.for_each(|(row, z)| row.add_force(z, &mut left));
        self.space.pattern.clear_fixed(&mut left);
        let size = left.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
        Balance { stresses, z, left, size }
    }

    /// `before` with the dual `u` more, and cones that answer to it by `scalings`.
    fn with(&self, rows: &[GridRow], before: &Balance, u: &[Vec3], scalings: &[Scaling<ROWS>]) -> Balance {
        let mut stresses = before.stresses.clone();
        self.space.add_stresses(u, self.unit * self.space.scale, &mut stresses);
        let none = Coordinates::zeros();
        let answered = |((z, row), w): ((&Coordinates, &GridRow), &Scaling<ROWS>)| z + answer(row, w, &none, &row.displacement(u));
        let z = before.z.iter().zip(rows).zip(scalings).map(answered).collect();
        self.balance(rows, stresses, z)
    }

    /// Corrects `at`, and its dual `u`, by the factor that stands for these scalings, as long as that helps and forces stay in their cones;
    /// those of walls that `may_pull` have none.
    fn corrected(
        &self,
        solver: &mut GridSolver,
        scalings: &[Scaling<ROWS>],
        may_pull: bool,
        mut at: Balance,
        dual: &mut [Vec3],
    ) -> Balance {
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
            if !(may_pull || next.is_inside(&solver.rows)) || next.size.is_nan() || next.size >= at.size {
                break;
            }
            dual.iter_mut().zip(&u).for_each(|(dual, u)| *dual += u);
            at = next;
        }
        at
    }

    /// Nothing yet.
    fn unloaded(&self, rows: &[GridRow]) -> Balance {
        self.balance(rows, self.given.clone(), rows.iter().map(GridRow::unloaded).collect())
    }

    /// With walls that hold whatever comes: one factorisation a round.
    fn held(&self, solver: &mut GridSolver, tikhonov: Tikhonov, counted: &mut Counted, watch: &dyn Watch) -> Result<Balance, GlobalError> {
        let springs: Vec<Scaling<ROWS>> = solver.rows.iter().map(|row| row.unlimited(HOLDING)).collect();
        let mut best = self.unloaded(&solver.rows);
        let whole = best.size;
        for rho in tikhonov.falling() {
            watch.check()?;
            solver.quadratic.rho = rho;
            let before = best.size;
            counted.iterations += 1;
            best = self.corrected(solver, &springs, true, best, &mut []);
            if best.size <= ROUND_OFF * whole || best.size >= 0.5 * before {
                break;
            }
        }
        Ok(best)
    }

    /// With walls that only push, and rub, by the interior point.
    fn pushed(
        &self,
        solver: &mut GridSolver,
        tikhonov: Tikhonov,
        counted: &mut Counted,
        watch: &dyn Watch,
    ) -> Result<Balance, GlobalError> {
        let mut best = self.unloaded(&solver.rows);
        let (whole, loads) = (best.size, best.left.clone());
        let mut dual = vec![Vec3::zeros(); self.space.roots.len()];
        // What of the yield surfaces is without pressure.
        let mut sizes = vec![Vec3::zeros(); dual.len()];
        let unloaded: Vec<Coordinates> = solver.rows.iter().map(GridRow::unloaded).collect();
        add_contact_forces(&solver.rows, &unloaded, &mut sizes);
        for (round, rho) in tikhonov.falling().enumerate() {
            watch.check()?;
            solver.quadratic.rho = rho;
            // From the dual of the round before: min 1/2 u K u - f u + rho/2 |u - u0|^2.
            solver.load = loads.iter().zip(&dual).zip(&sizes).map(|((load, u), size)| load + rho * u - size).collect();
            let goal = Goal { tolerance: TOLERANCE, runaway: f64::INFINITY, least: LEAST, least_work: LEAST };
            let (at, progress) = match solver.run(goal, watch) {
                // So little regularisation that round-off is larger: what there is stays.
                Err(GlobalError::Singular(_)) if round > 0 => break,
                found => found?,
            };
            counted.iterations += progress.iterations;
            let mut stresses = self.given.clone();
            self.space.add_stresses(&at.u, self.unit * self.space.scale, &mut stresses);
            let mut found = self.balance(&solver.rows, stresses, at.z.clone());
            dual.clone_from(&at.u);
            if let Some(scalings) = solver.scalings(&at) {
                found = self.corrected(solver, &scalings, false, found, &mut dual);
            }
            if found.size > ROUND_OFF * whole {
                let springs = solver.springs(&found.z);
                found = self.corrected(solver, &springs, false, found, &mut dual);
            }
            let improves = found.size < 0.5 * best.size;
            if found.size < best.size {
                best = found;
                (counted.gap, counted.gap_reached) = (Some(progress.gap), progress.reached);
            }
            if !improves || best.size <= ROUND_OFF * whole {
                break;
            }
        }
        Ok(best)
    }
}

fn norm(vectors: &[Vec3]) -> f64 {
    vectors.iter().map(Vec3::norm_squared).sum::<f64>().sqrt()
}

impl Space {
    /// The least stresses that balance `loads` on the points [N], by their numbers, with forces of the walls, and stresses of
    /// points that yield, in cones of these `shares`. They are the least on top of those `given` for each point [Pa], by their numbers. Where there is no balance, what is left is the least motion.
    ///
    /// # Errors
    /// Cancelled, or numbers that are not finite.
    pub fn balance<'s>(
        &'s self,
        loads: &[Vec3],
        walls: &[Wall],
        shares: Shares,
        tikhonov: Tikhonov,
        given: &[Mat3],
        watch: &dyn Watch,
    ) -> Result<Solved, GlobalError> {
        let given = self.points.iter().map(|point| given.get(point.number as usize).copied().unwrap_or_default()).collect();
        let gathered = self.gathered(loads);
        let unit = Some(largest_norm(&gathered)).filter(|unit| *unit > 0.0).unwrap_or(1.0);
        let problem = Problem { space: self, loads: gathered.iter().map(|load| load / unit).collect(), unit, given };
        let walls = walls.iter().map(|wall| GridRow::Wall(WallRow::new(wall, shares.friction)));
        let of_point = |(place, point): (usize, &'s super::Seen)| {
            let surface = point.yields?.shared(shares.strength);
            let nodes = &self.stencils[point.cell as usize];
            Some(GridRow::Point(PointRow::new(place, point, nodes, &surface, (unit, self.scale), self.blocks.spacing)))
        };
        let rows: Vec<GridRow> = walls.chain(self.points.iter().enumerate().filter_map(of_point)).collect();
        let mut quadratic = Regularised::new(self, tikhonov.rho);
        let mut solver = Solver { quadratic: &mut quadratic, rows, load: Vec::new() };
        let mut counted = Counted { gap_reached: true, ..Counted::default() };
        let held = problem.held(&mut solver, tikhonov, &mut counted, watch)?;
        // Where walls that may pull do not, these are the least stresses of walls that only push as well, and what is left is the least.
        counted.is_held = held.is_inside(&solver.rows);
        let found = if counted.is_held { held } else { problem.pushed(&mut solver, tikhonov, &mut counted, watch)? };
        counted.factorisations = solver.quadratic.factorisations;
        let of_wall = |(row, z): (&GridRow, &Coordinates)| match row {
            GridRow::Wall(row) => Some(unit * self.roots[row.node] * row.force(z)),
            GridRow::Point(_) => None,
        };
        let forces = solver.rows.iter().zip(&found.z).filter_map(of_wall).collect();
        Ok(Solved { forces, ..self.told(&found, unit, loads, counted) })
    }

    fn told(&self, balance: &Balance, unit: f64, loads: &[Vec3], counted: Counted) -> Solved {
        let Counted { iterations, factorisations, gap, gap_reached, is_held } = counted;
        let left: Vec<Vec3> = balance.left.iter().map(|left| unit * left).collect();
        let accelerations = self.accelerations(&left);
        let mut stresses = vec![Mat3::zeros(); self.points.len()];
        // Points, sum of squares, and the most with its point, of each body.
        let mut bodies = vec![(0.0, 0.0, 0.0, 0); self.points.iter().map(|point| point.body + 1).max().unwrap_or(1)];
        for ((point, stress), acceleration) in self.points.iter().zip(&balance.stresses).zip(&accelerations) {
            stresses[point.number as usize] = *stress;
            let (count, squares, most, worst) = &mut bodies[point.body];
            (*count, *squares) = (*count + 1.0, *squares + acceleration.norm_squared());
            if acceleration.norm() > *most {
                (*most, *worst) = (acceleration.norm(), point.number as usize);
            }
        }
        let largest = bodies.iter().map(|body| body.2).fold(0.0, larger);
        let of_body = |(count, squares, _, worst): &(f64, f64, f64, usize)| ((squares / f64::max(*count, 1.0)).sqrt(), *worst);
        let (rms, worst) = bodies.iter().map(of_body).fold((0.0, 0), |most, body| if body.0 > most.0 { body } else { most });
        // Of the loads alone, as stresses and walls leave them.
        let of_loads = largest_norm(&self.accelerations(&self.gathered(loads)));
        let size = if of_loads > 0.0 { of_loads } else { 1.0 };
        Solved {
            stresses,
            forces: Vec::new(),
            largest: largest / size,
            rms: rms / size,
            worst,
            iterations,
            factorisations,
            gap,
            gap_reached,
            is_held,
        }
    }
}

/// What the work was.
#[derive(Default)]
struct Counted {
    iterations: usize,
    factorisations: usize,
    gap: Option<f64>,
    gap_reached: bool,
    is_held: bool,
}
