//! [`PointContact`]: material points that meet obstacles by themselves in an implicit part of a step. The place of a point is linear in the
//! displacements u of the nodes around it, x_p + sum_i w_ip u_i, so that each point is a vertex of the contact of all other bodies, with those
//! nodes as its stencil: barrier, friction that sticks and the limits of steps are taken from there (after Li et al. 2020; of material points:
//! Li, Fang, Li, Jiang 2022, "BFEMP: Interpenetration-Free MPM-FEM Coupling with Barrier Contact").

use crate::contact::step_contact::{Pressed, Remembered};
use crate::contact::{ContactMemory, ContactSummary, StepContact};
use crate::math::splines::Around;
use crate::math::{Mat3, Vec3, largest_norm};
use crate::step::StepError;
use crate::step::mpm::stencils::Stencils;
use crate::system::System;

/// Obstacles that were let through less than this share of their way wait until the points have given way, for so many iterations.
const EASY_SHARE: f64 = 0.5;
const RELAXATION: u32 = 3;
/// Obstacles that got no further than this share of their way, this often, are stuck.
const STUCK_SHARE: f64 = 1e-3;
const STUCK_TRIES: u32 = 12;

/// What a part of a step begins with where points meet obstacles by themselves.
pub struct Start<'a> {
    /// What contacts remember.
    pub memory: &'a mut ContactMemory,
    /// The system.
    pub system: &'a System,
    /// Its positions at the start of the part [m].
    pub origin: &'a [Vec3],
    /// Start of the part [s].
    pub time: f64,
    /// Its length [s].
    pub part: f64,
    /// Whether the part may be taken in shorter ones instead.
    pub may_split: bool,
}

/// What contacts came to in a part of a step.
#[derive(Debug, Clone)]
pub struct Met {
    /// What they remember at its end.
    pub remembered: Remembered,
    /// What they do there.
    pub summary: ContactSummary,
    /// How far they are pressed.
    pub pressed: Pressed,
    /// Their force on each point [N].
    pub forces: Vec<Vec3>,
    /// Work against friction [J].
    pub rubbed: f64,
    /// The largest force that another round of friction would change on a point [N].
    pub lag: f64,
    /// Positions at the end [m].
    pub positions: Vec<Vec3>,
}

/// The contact of material points in a part of a step.
pub struct PointContact<'a> {
    contact: StepContact<'a>,
    grid: &'a Stencils,
    system: &'a System,
    /// The node of the system that each point is.
    nodes: &'a [[u32; 1]],
    /// Positions at the start [m].
    origin: &'a [Vec3],
    /// Positions at displacements of the grid [m]; those of obstacles are as far on their way as they have come.
    x: Vec<Vec3>,
    /// Where nodes of obstacles that move go [m].
    targets: Vec<(u32, Vec3)>,
    /// Iterations that they still wait, and how often they got nowhere.
    relaxing: u32,
    stuck: u32,
}

/// How obstacles are to go on their way.
pub struct Way {
    /// The displacement of each node of the system that is an obstacle's, to where it goes [m]; none of the others.
    moved: Vec<Vec3>,
}

impl<'a> PointContact<'a> {
    /// Of the points in `grid`, which are these nodes of the system. `ahead`: how far each node of the grid goes without inner forces [m].
    ///
    /// # Errors
    /// None of a part that had better be taken in shorter ones: there is no contact then. [`StepError`]: a point is inside of an obstacle.
    pub fn new(start: Start<'a>, nodes: &'a [[u32; 1]], grid: &'a Stencils, ahead: &[Vec3]) -> Result<Option<Self>, StepError> {
        let Start { memory, system, origin, time, part, may_split } = start;
        // An obstacle that goes at the end of a step within round-off is there to the end.
        let contact = memory.freeze(system, origin, time + 0.5 * part);
        if let Some((node, what)) = contact.jammed() {
            return Err(StepError::Singular { time, node, what });
        }
        let targets = system.driven.iter().map(|driven| (driven.node, system.target(driven, time + part)));
        let targets = targets.filter(|(node, target)| origin[*node as usize] != *target).collect();
        let x = origin.to_vec();
        let mut own = Self { contact, grid, system, nodes, origin, x, targets, relaxing: 0, stuck: 0 };
        if may_split {
            let mut aim = origin.to_vec();
            own.targets.iter().for_each(|&(node, target)| aim[node as usize] = target);
            own.add_moved(ahead, &mut aim);
            if own.contact.led_around(&aim).is_some() {
                return Ok(None);
            }
        }
        Ok(Some(own))
    }

    /// The node of the system, the nodes of the grid and their weights of each point, in the order of the grid.
    fn stencils(&self) -> impl Iterator<Item = (usize, &'a [u32], Around)> + use<'a> {
        let (grid, nodes) = (self.grid, self.nodes);
        let of_point = move |((cell, &number), at): ((usize, &u32), usize)| {
            (nodes[number as usize][0] as usize, &grid.cells[cell][..], grid.around(at))
        };
        grid.cell_of_points().zip(&grid.order).zip(0..).map(of_point)
    }

    /// Adds how displacements `d` of the grid move each point.
    fn add_moved(&self, d: &[Vec3], x: &mut [Vec3]) {
        for (node, nodes, around) in self.stencils() {
            x[node] += nodes.iter().zip(around.weights()).map(|(&i, w)| *w * d[i as usize]).sum::<Vec3>();
        }
    }

    /// Puts all positions where displacements `u` of the grid have points.
    fn place(&mut self, u: &[Vec3]) {
        let mut x = std::mem::take(&mut self.x);
        self.nodes.iter().for_each(|[node]| x[*node as usize] = self.origin[*node as usize]);
        self.add_moved(u, &mut x);
        self.x = x;
    }

    /// Energy of barriers and friction [J]; infinite if a gap is closed.
    pub fn energy(&mut self, u: &[Vec3]) -> f64 {
        self.place(u);
        self.contact.energy(&self.x)
    }

    /// Adds its derivative [N], and gives what round-off of places makes of the energy [J].
    pub fn add_gradient(&mut self, u: &[Vec3], gradient: &mut [Vec3]) -> f64 {
        self.place(u);
        let mut forces = vec![Vec3::zeros(); self.x.len()];
        self.contact.add_gradient(&self.x, &mut forces);
        let mut noise = 0.0;
        for (node, nodes, around) in self.stencils() {
            let force = forces[node];
            if force != Vec3::zeros() {
                nodes.iter().zip(around.weights()).for_each(|(&i, w)| gradient[i as usize] += *w * force);
                noise += force.norm() * self.x[node].norm();
            }
        }
        f64::EPSILON * noise
    }

    /// The second derivative by the place of each point [N/m], in the order of the grid: positive semidefinite, and made for an iteration of Newton's method
    /// at `u`.
    pub fn blocks(&mut self, u: &[Vec3]) -> Vec<Mat3> {
        self.place(u);
        self.contact.follow(&self.x);
        let mut blocks = vec![Mat3::zeros(); self.x.len()];
        self.contact.add_obstacle_hessian(&self.x, true, false, &mut blocks);
        // Obstacles are no unknowns: of the others only what couples a point with itself is there.
        self.contact.surface_hessian(&self.x, true).for_each(|row, column, block| {
            if row == column {
                blocks[row as usize] += block;
            }
        });
        self.grid.order.iter().map(|&number| blocks[self.nodes[number as usize][0] as usize]).collect()
    }

    /// How obstacles are to go on now; none where they have arrived, or wait.
    pub fn way(&self) -> Option<Way> {
        if self.has_arrived() || self.relaxing > 0 {
            return None;
        }
        let mut moved = vec![Vec3::zeros(); self.x.len()];
        self.targets.iter().for_each(|&(node, target)| moved[node as usize] = target - self.x[node as usize]);
        Some(Way { moved })
    }

    /// Whether all obstacles are where they go.
    pub fn has_arrived(&self) -> bool {
        self.targets.iter().all(|&(node, target)| self.x[node as usize] == target)
    }

    /// An iteration has passed in which obstacles waited; `done`: they need not any more.
    pub fn wait(&mut self, done: bool) {
        self.relaxing = if done { 0 } else { self.relaxing.saturating_sub(1) };
    }

    /// Adds what a way of the obstacles changes of the derivative at `u`, to first order [N].
    pub fn add_change(&mut self, u: &[Vec3], way: &Way, gradient: &mut [Vec3]) {
        self.place(u);
        let mut forces = vec![Vec3::zeros(); self.x.len()];
        let moved = &way.moved;
        self.contact.surface_hessian(&self.x, true).for_each(|row, column, block| {
            let by = moved[column as usize];
            if by != Vec3::zeros() {
                forces[row as usize] += block * by;
            }
        });
        for (node, nodes, around) in self.stencils() {
            if forces[node] != Vec3::zeros() {
                nodes.iter().zip(around.weights()).for_each(|(&i, w)| gradient[i as usize] += *w * forces[node]);
            }
        }
    }

    /// The share of the displacements `d` from `u`, and of the way of the obstacles, on which no gap closes.
    pub fn open_share(&mut self, u: &[Vec3], d: &[Vec3], way: Option<&Way>) -> f64 {
        self.place(u);
        let mut moved = way.map_or_else(|| vec![Vec3::zeros(); self.x.len()], |way| way.moved.clone());
        self.add_moved(d, &mut moved);
        let mut steps = vec![1.0; self.x.len()];
        self.contact.limit_node_steps(&self.x, &moved, &mut steps);
        // Points of one grid go together.
        let open = steps.into_iter().fold(1.0, f64::min);
        self.contact.max_step(&self.x, &moved, open)
    }

    /// Positions as they were last looked at [m].
    pub fn positions(&self) -> &[Vec3] {
        &self.x
    }

    /// Puts the obstacles where they were in these positions [m].
    pub fn go_back(&mut self, positions: &[Vec3]) {
        self.targets.iter().for_each(|&(node, _)| self.x[node as usize] = positions[node as usize]);
    }

    /// Takes the obstacles so large a share along their way.
    pub fn advance(&mut self, way: &Way, share: f64) {
        for &(node, target) in &self.targets {
            let x = &mut self.x[node as usize];
            *x = if share == 1.0 { target } else { *x + share * way.moved[node as usize] };
        }
    }

    /// Notes what share of their way they were let through; whether they are stuck.
    pub fn is_stuck(&mut self, share: f64) -> bool {
        if share < EASY_SHARE {
            self.relaxing = RELAXATION + 1;
        }
        self.stuck = if share < STUCK_SHARE { self.stuck + 1 } else { 0 };
        self.stuck >= STUCK_TRIES
    }

    /// Takes normal forces and tangent planes of friction from `u`; false if that changes next to nothing.
    pub fn relag(&mut self, u: &[Vec3]) -> bool {
        self.place(u);
        self.contact.relag(&self.x)
    }

    /// What contacts came to in a part that ends at `u`.
    pub fn met(mut self, u: &[Vec3]) -> Met {
        self.place(u);
        let Self { mut contact, x, system, .. } = self;
        let lag = largest_norm(&contact.friction_lag(&x)[..system.body_nodes()]);
        let on_nodes = contact.forces_on_nodes(&x);
        Met {
            remembered: contact.finish(&x),
            summary: contact.summary(&x),
            pressed: contact.pressed(&x),
            forces: self.nodes.iter().map(|[node]| on_nodes[*node as usize]).collect(),
            rubbed: contact.friction_work(&x),
            lag,
            positions: x,
        }
    }
}
