//! Solving for the stresses: iterated Tikhonov, and with walls the interior point of contacts in each round of it.

use std::cell::RefCell;

use super::held::Holding;
use super::newton::GridNewton;
use super::row::GridRow;
use super::transfer::Exchange;
use super::walls::WallRow;
use super::yields::{Coordinates, PointRow, ROWS};
use super::{Seen, Space, Wall};
use crate::math::{Mat3, Vec3, larger, largest_norm};
use crate::sag_free::cone::Scaling;
use crate::sag_free::global::GlobalError;
use crate::sag_free::interior_point::{ConeRow, Goal, Quadratic, Solver, answer};
use crate::watch::Watch;

/// How the balance is regularised.
#[derive(Debug, Clone, Copy)]
pub struct Tikhonov {
    /// rho of the first round, beside which K has entries of about 1.
    pub rho: f64,
    /// What it is multiplied with from round to round, and what it does not fall below: a body that friction barely holds has a long way to go in the dual.
    pub falls: f64,
    pub least: f64,
    /// Rounds at most, each from what the one before has left.
    pub rounds: usize,
    /// Corrections of a solution with one rho at most.
    pub corrections: usize,
    /// What of the loads, as a norm over the nodes, is so little that no more is taken off.
    pub enough: f64,
}

impl Tikhonov {
    /// Of what yields: there each iteration has a factorisation anyway, and whether a slope flows is seen by what the first rounds leave. What its
    /// strength barely holds has the longest way to go.
    pub const YIELDING: Self = Self { rho: 1e-8, least: 1e-12, rounds: 6, ..Self::ELASTIC };
    /// Of all other solids: rounds have a factorisation each, and the first takes off what there is.
    pub const ELASTIC: Self = Self { rho: 1e-10, falls: 1e-2, least: 0.0, rounds: 3, corrections: 8, enough: ROUND_OFF };
    /// Of liquids nothing but changes of volume costs anything: with less regularisation pressures would follow every disorder of the points.
    pub const WET: Self = Self { rho: 1e-6, falls: 1.0, least: 0.0, rounds: 3, corrections: 8, enough: ROUND_OFF };
    /// Of liquids that keep a deviator as well, which answers to disorder.
    pub const KEPT: Self = Self { rho: 1e-8, falls: 1e-1, ..Self::ELASTIC };
    /// Of what is iterated: the less regularisation, the more iterations.
    pub const ITERATED: Self = Self { rho: 1e-3, falls: 0.1, least: 0.0, rounds: 3, corrections: 8, enough: 1e-10 };
    /// The same of liquids: on a lattice these take few iterations, whatever the regularisation is.
    pub const ITERATED_WET: Self = Self { rho: 1e-6, falls: 1.0, least: 0.0, rounds: 1, corrections: 8, enough: 1e-10 };

    /// rho, round by round.
    fn falling(self) -> impl Iterator<Item = f64> {
        (0..self.rounds).map(move |round| (self.rho * self.falls.powi(round as i32)).max(self.least))
    }
}

/// How much of what rubs and bears may be used.
#[derive(Debug, Clone, Copy)]
pub struct Shares {
    /// Of the friction of walls; infinite: they hold whatever comes, and pull.
    pub friction: f64,
    /// Of the strength of points that yield.
    pub strength: f64,
    /// The body that this is of, where others have all of theirs.
    pub only: Option<u32>,
}

impl Shares {
    /// The same of both.
    pub fn of_all(share: f64) -> Self {
        Self { friction: share, strength: share, only: None }
    }

    /// That of the strength of points of a body.
    pub fn strength_of(&self, body: u32) -> f64 {
        if self.only.is_none_or(|only| only == body) { self.strength } else { 1.0 }
    }
}

/// Stresses that balance the loads, or come nearest to it.
#[derive(Debug, Clone)]
pub struct Solved {
    /// Cauchy stress of each point, by their numbers [Pa].
    pub stresses: Vec<Mat3>,
    /// Force of each wall on what it holds off [N].
    pub forces: Vec<Vec3>,
    /// What is left does to the points, over the largest acceleration of the loads: the most, and the root of the mean square over those of the
    /// body where that is the most.
    pub largest: f64,
    pub rms: f64,
    /// The point of that body that has the most.
    pub worst: usize,
    /// How it accelerates each point, by their numbers [m/s^2]: of what has no balance the motion that begins, by Gauss' principle.
    pub accelerations: Vec<Vec3>,
    /// Iterations of the interior point, or back-substitutions without walls; of conjugate gradients where the balance is iterated.
    pub iterations: usize,
    /// Numerical factorisations.
    pub factorisations: usize,
    /// Duality gap over the work of the loads; none without walls.
    pub gap: Option<f64>,
    /// Whether that is small enough.
    pub gap_reached: bool,
    /// Whether walls that could pull and hold without limit would leave about as much.
    pub is_held: bool,
}

impl Solved {
    /// Whether what is left is the least that can be, and no failure of the interior point.
    pub fn is_known(&self) -> bool {
        self.gap.is_none_or(|gap| gap <= CLOSED)
    }
}

/// Duality gap, over the work of the loads, up to which what is left tells of the problem and not of the solver.
const CLOSED: f64 = 1e-3;
/// What of the loads, as a norm over the nodes, is no more than round-off.
const ROUND_OFF: f64 = 1e-15;
/// The same for another round: what sums of many nodes and points leave is not worth a factorisation.
const ROUND_OFF_OF_SUMS: f64 = 1e-13;
/// Share of the imbalance that a correction leaves from which on others are not worth their work.
const SLOW: f64 = 0.99;
/// What is left is not a matter of the walls up to so many times what those that may pull would leave.
pub(super) const AS_GOOD: f64 = 2.0;
/// Imbalance that the interior point is to reach, over the loads: the rest is for corrections.
const TOLERANCE: f64 = 1e-8;
/// Rounds in which points that would flow are given less to bear.
const TIGHTENINGS: usize = 20;
/// What of the loads, as a norm over the nodes, may be left where they are.
const NEAR: f64 = 1e-2;
/// Displacements and work that are small beside those on springs as stiff as the bodies.
const LEAST: f64 = 1e-3;
/// Root of the stiffness of walls that may pull, beside which K has entries of about 1: corrections make them stiffer yet.
const HOLDING: f64 = 1e2;

/// Stresses [Pa] in the order of the points, forces of walls in their cones, and what they leave of the loads, over the unit.
#[derive(Clone)]
pub(super) struct Balance {
    pub stresses: Vec<Mat3>,
    pub z: Vec<Coordinates>,
    pub left: Vec<Vec3>,
    pub size: f64,
}

impl Balance {
    /// Whether all forces lie in the cones of their walls.
    fn is_inside(&self, rows: &[GridRow]) -> bool {
        rows.iter().zip(&self.z).all(|(row, z)| row.cone().margin(z) >= 0.0)
    }
}

type GridSolver<'a, 's> = Solver<'a, GridNewton<'s>, GridRow<'s>, ROWS>;

/// A problem: loads in scaled units over `unit` [N], and walls.
pub(super) struct Problem<'a> {
    pub space: &'a Space,
    pub loads: Vec<Vec3>,
    unit: f64,
    /// Stresses to begin with, in the order of the points [Pa].
    given: Vec<Mat3>,
    /// Whether walls hold whatever comes, and may pull.
    holds: bool,
    pub tikhonov: Tikhonov,
    exchange: RefCell<Exchange>,
}

impl Problem<'_> {
    /// Adds the stresses of the dual `nodes`.
    pub fn add_dual(&self, nodes: &[Vec3], stresses: &mut [Mat3]) {
        self.space.add_stresses(&mut self.exchange.borrow_mut(), nodes, self.unit * self.space.scale, stresses);
    }

    /// Measures what is left.
    pub fn balance(&self, rows: &[GridRow], mut stresses: Vec<Mat3>, z: Vec<Coordinates>) -> Balance {
        let mut left: Vec<Vec3> = self.loads.iter().map(|load| self.unit * load).collect();
        for (row, z) in rows.iter().zip(&z) {
            if let GridRow::Point(row) = row {
                stresses[row.place] = row.stress(z, &stresses[row.place]);
            }
        }
        self.space.take_stresses(&mut self.exchange.borrow_mut(), &stresses, &mut left);
        left.iter_mut().for_each(|left| *left /= self.unit);
        for (row, z) in rows.iter().zip(&z) {
            if let GridRow::Wall(row) = row {
                row.add_force_on_nodes(z, &mut left);
            }
        }
        self.space.clear_fixed(&mut left);
        let size = left.iter().map(Vec3::norm_squared).sum::<f64>().sqrt();
        Balance { stresses, z, left, size }
    }

    /// `before` with the dual `nodes` more, which is `u` at the unknowns, and cones that answer to it by `scalings`.
    fn with(&self, rows: &[GridRow], before: &Balance, (u, nodes): (&[Vec3], &[Vec3]), scalings: &[Scaling<ROWS>]) -> Balance {
        let mut stresses = before.stresses.clone();
        self.add_dual(nodes, &mut stresses);
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
        for _ in 0..self.tikhonov.corrections {
            if at.size <= self.tikhonov.enough * norm(&self.loads) {
                break;
            }
            let mut nodes = at.left.clone();
            let mut u = solver.quadratic.reduce(&mut nodes);
            solver.quadratic.solve(&mut u);
            solver.quadratic.extend(&u, &mut nodes);
            let next = self.with(&solver.rows, &at, (&u, &nodes), scalings);
            if !(may_pull || next.is_inside(&solver.rows)) || next.size.is_nan() || next.size >= at.size {
                break;
            }
            dual.iter_mut().zip(&nodes).for_each(|(dual, u)| *dual += u);
            let is_slow = next.size > SLOW * at.size;
            at = next;
            if is_slow {
                break;
            }
        }
        at
    }

    /// Nothing yet.
    fn unloaded(&self, rows: &[GridRow]) -> Balance {
        self.balance(rows, self.given.clone(), rows.iter().map(GridRow::unloaded).collect())
    }

    /// With less regularisation from round to round: walls that hold whatever comes, and where they would have to pull, those that only push and rub.
    fn solve(&self, solver: &mut GridSolver, counted: &mut Counted, watch: &dyn Watch) -> Result<Balance, GlobalError> {
        let springs: Vec<Scaling<ROWS>> = solver.rows.iter().map(|row| row.unlimited(HOLDING)).collect();
        let mut holding = Holding::of(&solver.rows, self.space.roots.len());
        let mut held = self.unloaded(&solver.rows);
        let whole = held.size;
        let mut pushing: Option<Pushing> = None;
        let yields = solver.rows.iter().any(|row| matches!(row, GridRow::Point(_)));
        // What walls that may pull would leave.
        let mut unlimited = whole;
        let mut last = whole;
        for (round, rho) in self.tikhonov.falling().enumerate() {
            watch.check()?;
            match solver.quadratic.regularise(rho) {
                // So little regularisation that round-off is larger: what there is stays.
                Err(_) if round > 0 => break,
                made => made.map_err(GlobalError::Singular)?,
            }
            counted.iterations += 1;
            // Where walls that may pull do not, these are the least stresses of walls that only push as well, and what is left is the least.
            counted.is_held = match solver.quadratic.iterated() {
                Some(iterated) => {
                    let (made, least) = self.hold((&solver.rows, &mut holding), iterated, rho, held, watch)?;
                    (held, unlimited) = (made, least);
                    held.size <= AS_GOOD * least.max(self.tikhonov.enough * norm(&self.loads))
                }
                None => {
                    held = self.corrected(solver, &springs, true, held, &mut []);
                    unlimited = held.size;
                    held.is_inside(&solver.rows)
                }
            };
            if !counted.is_held && !self.holds {
                let begins = || Pushing { best: self.unloaded(&solver.rows), dual: vec![Vec3::zeros(); self.space.roots.len()] };
                let pushing = pushing.get_or_insert_with(begins);
                match self.push(solver, rho, pushing, counted, watch) {
                    Err(GlobalError::Singular(_)) if round > 0 => break,
                    done => done?,
                }
            }
            let of_pushing = pushing.as_ref().filter(|_| !counted.is_held && !self.holds);
            let best = of_pushing.map_or(held.size, |pushing| pushing.best.size);
            // What walls barely hold has a long way to go in the dual, at first with little to show for it.
            let has_far_to_go = !counted.is_held && !self.holds && !yields && best > AS_GOOD * unlimited;
            if best <= self.tikhonov.enough.max(ROUND_OFF_OF_SUMS) * norm(&self.loads) || best >= 0.5 * last && !has_far_to_go {
                break;
            }
            last = best;
        }
        if counted.is_held || self.holds {
            return Ok(held);
        }
        // Of what is iterated both have forces in the cones of their walls.
        let is_iterated = solver.quadratic.iterated().is_some();
        let is_better = |pushing: &Pushing| !(is_iterated && held.size < pushing.best.size);
        let best = pushing.filter(is_better).map_or(held, |pushing| pushing.best);
        counted.is_held = best.size <= AS_GOOD * unlimited;
        Ok(best)
    }

    /// A round of the interior point with walls that only push, and rub.
    fn push(
        &self,
        solver: &mut GridSolver,
        rho: f64,
        pushing: &mut Pushing,
        counted: &mut Counted,
        watch: &dyn Watch,
    ) -> Result<(), GlobalError> {
        // From the dual of the round before: min 1/2 u K u - f u + rho/2 |u - u0|^2.
        let mut nodes = self.unloaded(&solver.rows).left;
        nodes.iter_mut().zip(&pushing.dual).for_each(|(load, u)| *load += rho * u);
        // Less what of the yield surfaces is without pressure.
        let yields = |row: &&GridRow| matches!(row, GridRow::Point(_));
        solver.rows.iter().filter(yields).for_each(|row| row.add_force(&-row.unloaded(), &mut nodes));
        solver.load = solver.quadratic.reduce(&mut nodes);
        // Over the walls alone loads are those of all that they carry.
        let tolerance = TOLERANCE * largest_norm(&solver.load).max(1.0);
        let goal = Goal { tolerance, runaway: f64::INFINITY, least: LEAST, least_work: LEAST };
        let (at, progress) = solver.run(goal, watch)?;
        counted.iterations += progress.iterations;
        solver.quadratic.extend(&at.u, &mut nodes);
        let mut stresses = self.given.clone();
        self.add_dual(&nodes, &mut stresses);
        let mut found = self.balance(&solver.rows, stresses, at.z.clone());
        let dual = &mut pushing.dual;
        *dual = nodes;
        if let Some(scalings) = solver.scalings(&at) {
            found = self.corrected(solver, &scalings, false, found, dual);
        }
        if found.size > self.tikhonov.enough * norm(&self.loads) {
            let springs = solver.springs(&found.z);
            found = self.corrected(solver, &springs, false, found, dual);
        }
        if found.size < pushing.best.size {
            pushing.best = found;
            (counted.gap, counted.gap_reached) = (Some(progress.gap), progress.reached);
        } else if counted.gap.is_none() {
            // Where nothing helps, as much is left as without it; where more is, the interior point has lost its way, and proves nothing.
            let helps_not = found.size <= pushing.best.size * (1.0 + TOLERANCE);
            (counted.gap, counted.gap_reached) = (Some(if helps_not { progress.gap } else { f64::NAN }), helps_not && progress.reached);
        }
        Ok(())
    }
}

/// How far walls that only push have come: the best of all rounds, and the dual of the last.
struct Pushing {
    best: Balance,
    dual: Vec<Vec3>,
}

pub(super) fn norm(vectors: &[Vec3]) -> f64 {
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
        watch: &'s dyn Watch,
    ) -> Result<Solved, GlobalError> {
        let given = self.points.iter().map(|point| given.get(point.number as usize).copied().unwrap_or_default()).collect();
        let mut gathered = self.gathered(loads);
        let holds = shares.friction.is_infinite();
        let of_friction = if holds { 1.0 } else { shares.friction };
        let unit = Some(largest_norm(&gathered)).filter(|unit| *unit > 0.0).unwrap_or(1.0);
        self.bound().for_each(|(node, free)| gathered[node] = free * gathered[node]);
        let loads_of_nodes = gathered.iter().map(|load| load / unit).collect();
        let problem = Problem { space: self, loads: loads_of_nodes, unit, given, holds, tikhonov, exchange: RefCell::default() };
        let mut sizes: Vec<f64> = self.points.iter().map(|point| point.yields.map_or(0.0, |bound| bound.size())).collect();
        let mut counted = Counted { gap_reached: true, ..Counted::default() };
        let share = |point: &Seen| shares.strength_of(point.body);
        let mut round = 1;
        loop {
            let mut quadratic = GridNewton::new(self, walls, watch);
            let row_of = |wall: &Wall| GridRow::Wall(WallRow::new(self, wall, of_friction, |node| quadratic.place(node)));
            let of_point = |(place, point): (usize, &'s Seen)| {
                let surface = point.yields?.of_row(share(point), sizes[place]);
                Some(GridRow::Point(PointRow::new(place, self, &surface, unit)))
            };
            let rows: Vec<GridRow> = walls.iter().map(row_of).chain(self.points.iter().enumerate().filter_map(of_point)).collect();
            let mut solver = Solver { quadratic: &mut quadratic, rows, load: Vec::new() };
            let found = problem.solve(&mut solver, &mut counted, watch)?;
            counted.factorisations += solver.quadratic.factorisations;
            if let Some(iterated) = solver.quadratic.iterated() {
                counted.iterations = iterated.iterations;
            }
            // What has no balance is not in want of a smaller one.
            let is_near = found.size <= NEAR * norm(&problem.loads);
            if is_near && round < TIGHTENINGS && self.tighten(&found.stresses, share, &mut sizes) {
                round += 1;
                continue;
            }
            let of_wall = |(row, z): (&GridRow, &Coordinates)| match row {
                GridRow::Wall(row) => Some(unit * row.scale * row.force(z)),
                GridRow::Point(_) => None,
            };
            let forces = solver.rows.iter().zip(&found.z).filter_map(of_wall).collect();
            return Ok(Solved { forces, ..self.told(&found, unit, loads, counted) });
        }
    }

    /// Makes the `sizes` of what bounds the points [Pa] smaller where at these `stresses` [Pa], which rows with such shares have found, they would flow: how large
    /// J is, and with it Kirchhoff's stress, is known from the stress alone. Whether some could be.
    fn tighten(&self, stresses: &[Mat3], share: impl Fn(&Seen) -> f64, sizes: &mut [f64]) -> bool {
        let mut is_tighter = false;
        for ((point, stress), size) in self.points.iter().zip(stresses).zip(sizes) {
            let tightened = point.yields.and_then(|bound| bound.tightened(stress, share(point)));
            if let Some(tightened) = tightened.filter(|tightened| tightened < size) {
                is_tighter = true;
                *size = tightened;
            }
        }
        is_tighter
    }

    fn told(&self, balance: &Balance, unit: f64, loads: &[Vec3], counted: Counted) -> Solved {
        let Counted { iterations, factorisations, gap, gap_reached, is_held } = counted;
        let left: Vec<Vec3> = balance.left.iter().map(|left| unit * left).collect();
        let accelerations = self.accelerations(&left);
        let mut stresses = vec![Mat3::zeros(); self.points.len()];
        let mut by_numbers = vec![Vec3::zeros(); self.points.len()];
        // Points, sum of squares, and the most with its point, of each body.
        let mut bodies = vec![(0.0, 0.0, 0.0, 0); self.points.iter().map(|point| point.body as usize + 1).max().unwrap_or(1)];
        for ((point, stress), acceleration) in self.points.iter().zip(&balance.stresses).zip(&accelerations) {
            stresses[point.number as usize] = *stress;
            by_numbers[point.number as usize] = *acceleration;
            let (count, squares, most, worst) = &mut bodies[point.body as usize];
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
            accelerations: by_numbers,
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
