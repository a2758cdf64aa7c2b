//! [`Minimiser`]: an implicit part of a step of material points: the displacements of the nodes of their grid that make an incremental potential least,
//! by projected Newton, while walls push and rub as they do in the explicit step.
//!
//! ```text
//! guess what walls hold -> Newton in the other directions -> what do walls answer to the forces there? -> the same: done; else again
//! points that meet obstacles by themselves -> Newton, with their barriers -> is friction that of the forces there? -> done; else again
//! ```

mod contact;
mod potential;
#[cfg(test)]
mod tests;

pub use self::contact::{Met, PointContact, Start};
pub use self::potential::IncrementalPotential;
use super::points::{Cloud, Node, Points};
use super::stencils::Stencils;
use super::walls::{Answer, Touch, resolved_into};
use crate::linear::{CholeskyFactor, NodeMatrix, NodeMatrixPattern, StencilPlaces};
use crate::math::splines::Interpolation;
use crate::math::{Mat3, Vec3};
use crate::step::StepError;
use crate::watch::Watch;

/// Rounds over what walls hold at most.
const ROUNDS: u32 = 60;
/// Halvings of a step of Newton's method at most, and the share of the promised decrease that it has to keep.
const HALVINGS: u32 = 40;
const ARMIJO: f64 = 1e-4;
/// Of an energy, what is round-off.
const NOISE: f64 = 1e-13;
/// Of what round-off makes of an energy, how much a promised decrease may be to be lost in it.
const NOISE_MARGIN: f64 = 100.0;
/// Change of a projector that says that it is another.
const ANOTHER: f64 = 1e-6;

/// How well a part of a step has to be solved.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// What a point may still move by, over the part [m/s].
    pub tolerance: f64,
    /// Newton iterations at most.
    pub iterations: u32,
    /// Rounds of friction, where points meet obstacles by themselves.
    pub friction_rounds: u32,
}

/// What points meet in a part of a step.
pub enum Obstacles<'a> {
    /// Walls at the nodes of the grid.
    Walls(&'a [Touch]),
    /// Obstacles, by themselves.
    Points(Start<'a>),
}

/// What was found.
#[derive(Debug, Clone, Default)]
pub struct Minimum {
    /// The nodes at the end of the part.
    pub nodes: Vec<Node>,
    /// Newton iterations.
    pub iterations: u32,
    /// Halvings of their steps.
    pub halvings: u32,
    /// Whether walls still changed their answers in the last round.
    pub unsettled: bool,
    /// What contacts of the points themselves came to.
    pub met: Option<Box<Met>>,
    /// [`IncrementalPotential::heft`] at the first iteration, if there was one.
    heft: Option<Vec<f64>>,
}

/// Why there is none.
pub enum NotFound {
    /// Newton's method did not get there.
    Diverged,
    /// Nothing can be done about it.
    Error(StepError),
}

/// What is ordered once for points that stay in their cells.
struct Ordered {
    cells: Vec<Box<[u32]>>,
    pattern: NodeMatrixPattern,
    places: StencilPlaces,
    matrix: NodeMatrix,
    factor: CholeskyFactor,
}

/// Finds the least of incremental potentials.
#[derive(Default)]
pub struct Minimiser {
    ordered: Option<Ordered>,
}

/// A node that walls touch.
struct Touched<'t> {
    node: usize,
    touches: &'t [Touch],
    answer: Answer,
    /// Of friction, in the directions in which it is not held [N].
    rubs: Vec3,
}

impl Touched<'_> {
    /// Puts the displacement of the node where walls hold it.
    fn place(&self, u: &mut [Vec3], part: f64) {
        u[self.node] += self.answer.held * (part * self.answer.after - u[self.node]);
    }
}

impl Minimiser {
    /// The grid at the end of a part of `part` [s] that begins at `cloud`, interpolated `by` this, with these obstacles. `extra`: forces on
    /// the points beside gravity [N], by their numbers, or none.
    ///
    /// # Errors
    /// [`NotFound`].
    pub fn take(
        &mut self,
        points: &Points,
        (cloud, by): (&Cloud, Interpolation),
        obstacles: Obstacles,
        (part, extra): (f64, &[Vec3]),
        limits: Limits,
        watch: &dyn Watch,
    ) -> Result<Minimum, NotFound> {
        let mut positions = vec![Vec3::zeros(); cloud.len()];
        cloud.iter().for_each(|point| positions[point.number as usize] = point.position);
        let Some(grid) = Stencils::of(&positions, &points.masses, by) else { return Err(NotFound::Diverged) };
        let potential = IncrementalPotential::new(points, cloud, &grid, (part, extra));
        match obstacles {
            Obstacles::Walls(touches) => self.solve(&potential, touches, limits, watch),
            Obstacles::Points(start) => {
                let contact = PointContact::new(start, points.nodes, &grid, &potential.ahead).map_err(NotFound::Error)?;
                self.solve_with(&potential, contact.ok_or(NotFound::Diverged)?, limits, watch)
            }
        }
    }

    /// The minimum of `potential` and of what points make that meet obstacles by themselves, in rounds of friction.
    ///
    /// # Errors
    /// [`NotFound`].
    pub fn solve_with(
        &mut self,
        potential: &IncrementalPotential,
        mut contact: PointContact,
        limits: Limits,
        watch: &dyn Watch,
    ) -> Result<Minimum, NotFound> {
        let ahead: Vec<Vec3> = potential.before.iter().map(|v| potential.part * v).collect();
        let mut u = vec![Vec3::zeros(); ahead.len()];
        // Where the way goes on that points are on, if it is clear.
        if contact.open_share(&u, &ahead, None) == 1.0 && potential.energy(&ahead).is_finite() {
            u = ahead;
        }
        let mut found = Minimum::default();
        for round in 1..=limits.friction_rounds.max(1) {
            let gradient = self.descend((potential, limits, watch), &mut u, &[], Some(&mut contact), &mut found)?;
            if round == limits.friction_rounds.max(1) || !contact.relag(&u) {
                found.nodes = nodes(potential, &u, &[], &gradient);
                break;
            }
        }
        found.met = Some(Box::new(contact.met(&u)));
        Ok(found)
    }

    /// The minimum of `potential` with walls that have these `touches`, in ascending order of the nodes.
    ///
    /// # Errors
    /// [`NotFound`].
    pub fn solve(
        &mut self,
        potential: &IncrementalPotential,
        touches: &[Touch],
        limits: Limits,
        watch: &dyn Watch,
    ) -> Result<Minimum, NotFound> {
        let (grid, part) = (potential.grid, potential.part);
        let mut u: Vec<Vec3> = potential.before.iter().map(|v| part * v).collect();
        let still = potential.gradient(&vec![Vec3::zeros(); u.len()]);
        // What the explicit step would give the walls to answer to.
        let explicit = |node: usize| -part / grid.masses[node] * still[node];
        let of_node = |touches: &[Touch]| touches.first().map_or(0, |touch| touch.node as usize);
        let touched = touches.chunk_by(|a, b| a.node == b.node).filter(|touches| grid.masses[of_node(touches)] > 0.0);
        let mut touched: Vec<Touched> = touched
            .map(|touches| {
                let node = of_node(touches);
                let answer = resolved_into(&explicit(node), touches);
                Touched { node, touches, rubs: grid.masses[node] / part * answer.rubbed, answer }
            })
            .collect();
        let mut found = Minimum::default();
        for round in 1..=ROUNDS {
            touched.iter().for_each(|touched| touched.place(&mut u, part));
            let gradient = self.descend((potential, limits, watch), &mut u, &touched, None, &mut found)?;
            let heft = found.heft.as_ref().unwrap_or(&grid.masses);
            let mut settled = true;
            for touched in &mut touched {
                let node = touched.node;
                let seen = u[node] / part - part / heft[node] * gradient[node];
                let answer = resolved_into(&seen, touched.touches);
                let rubs = heft[node] / part * answer.rubbed;
                let moved = (touched.answer.held * (answer.after - u[node] / part)).norm();
                let pushed = part / heft[node] * (rubs - touched.rubs).norm();
                settled &= (answer.held - touched.answer.held).amax() < ANOTHER && moved.max(pushed) <= limits.tolerance;
                (touched.answer, touched.rubs) = (answer, rubs);
            }
            found.unsettled = !settled;
            if settled || round == ROUNDS {
                found.nodes = nodes(potential, &u, &touched, &gradient);
                break;
            }
        }
        Ok(found)
    }

    /// Newton's method in the directions in which nothing is held, from `u`, which it moves; the derivative of the potential there, without what contacts of
    /// the points themselves add to it [N].
    fn descend(
        &mut self,
        (potential, limits, watch): (&IncrementalPotential, Limits, &dyn Watch),
        u: &mut Vec<Vec3>,
        touched: &[Touched],
        mut contact: Option<&mut PointContact>,
        found: &mut Minimum,
    ) -> Result<Vec<Vec3>, NotFound> {
        let (grid, part) = (potential.grid, potential.part);
        let mut free = vec![Mat3::identity(); u.len()];
        touched.iter().for_each(|touched| free[touched.node] -= touched.answer.held);
        let rubbing = |u: &[Vec3]| touched.iter().map(|touched| touched.rubs.dot(&u[touched.node])).sum::<f64>();
        let energy_at = |u: &[Vec3], contact: &mut Option<&mut PointContact>| {
            potential.energy(u) - rubbing(u) + contact.as_mut().map_or(0.0, |contact| contact.energy(u))
        };
        let mut energy = None;
        loop {
            watch.check().map_err(|cancelled| NotFound::Error(cancelled.into()))?;
            let gradient = potential.gradient(u);
            let mut unbalanced = gradient.clone();
            touched.iter().for_each(|touched| unbalanced[touched.node] -= touched.rubs);
            let rounded = contact.as_mut().map_or(0.0, |contact| contact.add_gradient(u, &mut unbalanced));
            unbalanced.iter_mut().zip(&free).for_each(|(force, free)| *force = *free * *force);
            // The second derivative is no less than that of inertia, so that points move by no more than this.
            let of_node = |(force, mass): (&Vec3, &f64)| if *mass > 0.0 { force.norm_squared() / mass } else { 0.0 };
            let square: f64 = unbalanced.iter().zip(&grid.masses).map(of_node).sum();
            let is_near = part * (square / potential.least_mass).sqrt() <= limits.tolerance;
            if is_near && contact.as_ref().is_none_or(|contact| contact.has_arrived()) {
                return Ok(gradient);
            }
            if is_near && let Some(contact) = &mut contact {
                contact.wait(true);
            }
            if found.iterations >= limits.iterations || !square.is_finite() {
                return Err(NotFound::Diverged);
            }
            found.iterations += 1;
            let way = contact.as_ref().and_then(|contact| contact.way());
            let mut direction = unbalanced.clone();
            if let Some((contact, way)) = contact.as_mut().zip(way.as_ref()) {
                contact.add_change(u, way, &mut direction);
            }
            let pressed = contact.as_mut().map_or_else(Vec::new, |contact| contact.blocks(u));
            self.solve_for(potential, (u, &pressed), &free, found, &mut direction)?;
            direction.iter_mut().zip(&free).for_each(|(d, free)| *d = -(*free * *d));
            let open = contact.as_mut().map_or(1.0, |contact| contact.open_share(u, &direction, way.as_ref()));
            let mut share = open;
            if let Some((contact, way)) = contact.as_mut().zip(way.as_ref()) {
                let at = contact.positions().to_vec();
                loop {
                    let trial: Vec<Vec3> = u.iter().zip(&direction).map(|(u, d)| u + share * d).collect();
                    contact.advance(way, share);
                    if (potential.energy(&trial) + contact.energy(&trial)).is_finite() {
                        *u = trial;
                        break;
                    }
                    contact.go_back(&at);
                    share *= 0.5;
                    if share < f64::EPSILON {
                        return Err(NotFound::Diverged);
                    }
                }
                if contact.is_stuck(share) {
                    return Err(NotFound::Diverged);
                }
                energy = None;
                continue;
            }
            let slope: f64 = direction.iter().zip(&unbalanced).map(|(d, force)| d.dot(force)).sum();
            let from = match energy {
                Some(energy) => energy,
                None => energy_at(u, &mut contact),
            };
            let speed = potential.speed(&direction);
            let mut halvings = 0;
            let noise = NOISE * from.abs() + rounded;
            let mut is_lost = false;
            loop {
                let trial: Vec<Vec3> = u.iter().zip(&direction).map(|(u, d)| u + share * d).collect();
                let reached = energy_at(&trial, &mut contact);
                if reached <= from + ARMIJO * share * slope + noise {
                    (*u, energy) = (trial, Some(reached));
                    break;
                }
                if halvings == HALVINGS {
                    // Every step looks as good as none, and the promised decrease is round-off: this is the minimum.
                    if contact.is_none() || slope.abs() > NOISE_MARGIN * noise {
                        return Err(NotFound::Diverged);
                    }
                    is_lost = true;
                    break;
                }
                (share, halvings) = (0.5 * share, halvings + 1);
            }
            found.halvings += halvings;
            let is_done = is_lost || share == 1.0 && speed <= limits.tolerance;
            match &mut contact {
                None if is_done => return Ok(potential.gradient(u)),
                Some(contact) if is_done && contact.has_arrived() => return Ok(potential.gradient(u)),
                Some(contact) => contact.wait(is_done),
                None => {}
            }
        }
    }

    /// Solves H d = `right_side` in place.
    fn solve_for(
        &mut self,
        potential: &IncrementalPotential,
        at: (&[Vec3], &[Mat3]),
        free: &[Mat3],
        found: &mut Minimum,
        right_side: &mut [Vec3],
    ) -> Result<(), NotFound> {
        let heft = &*found.heft.get_or_insert_with(|| potential.heft(at.0));
        let ordered = match self.ordered.take().filter(|ordered| ordered.cells == potential.grid.cells) {
            Some(ordered) => self.ordered.insert(ordered),
            None => self.ordered.insert(Ordered::of(potential.grid).map_err(NotFound::Error)?),
        };
        let Ordered { pattern, places, matrix, factor, .. } = ordered;
        potential.hessian(at, free, heft, (pattern, places), matrix);
        factor.factorize(pattern, matrix).map_err(|_| NotFound::Diverged)?;
        factor.solve(pattern, right_side);
        Ok(())
    }
}

impl Ordered {
    fn of(grid: &Stencils) -> Result<Self, StepError> {
        let has_mass: Vec<bool> = grid.masses.iter().map(|mass| *mass > 0.0).collect();
        let pattern = grid.pattern(&has_mass);
        let room = pattern.ensure_room("the factorisation of the grid", pattern.factor_bytes(), None);
        room.map_err(|error| StepError::Singular { time: f64::NAN, node: 0, what: error.to_string() })?;
        let mut places = StencilPlaces::default();
        places.find(&pattern, &grid.cells);
        let (matrix, factor) = (NodeMatrix::new(&pattern), CholeskyFactor::new(&pattern));
        Ok(Self { cells: grid.cells.clone(), pattern, places, matrix, factor })
    }
}

/// The nodes of the grid behind displacements `u`, where the potential has this `gradient`.
fn nodes(potential: &IncrementalPotential, u: &[Vec3], touched: &[Touched], gradient: &[Vec3]) -> Vec<Node> {
    let IncrementalPotential { grid, before, part, .. } = potential;
    let of_node = |node: usize| {
        let mass = grid.masses[node];
        if mass > 0.0 { Node { mass, before: before[node], after: u[node] / *part, pushed: Vec3::zeros() } } else { Node::default() }
    };
    let mut nodes: Vec<Node> = (0..u.len()).map(of_node).collect();
    for touched in touched {
        let node = &mut nodes[touched.node];
        node.pushed = *part / node.mass * gradient[touched.node];
    }
    for (node, &with) in grid.along.iter().enumerate().filter(|(node, with)| *node != **with as usize) {
        nodes[node] = Node { mass: 0.0, ..nodes[with as usize] };
    }
    nodes
}
