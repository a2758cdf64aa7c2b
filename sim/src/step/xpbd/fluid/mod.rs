//! [`Fluid`]: the particles of a system as a fluid that keeps its density (Macklin, Muller 2013, "Position Based Fluids"), with multipliers
//! that go on through the sweeps (XPBD), walls that mirror the pressure, and the multipliers of a balance to begin with.

pub mod density;
pub mod kernel;
pub mod neighbours;
#[cfg(test)]
mod tests;
mod velocity;

use self::density::{Density, Particle, Place, Shared, Strength, place_of, share_places};
use self::kernel::Kernel;
use self::neighbours::Neighbours;
use self::velocity::{Pass, Stirring};
use crate::contact::distance::{SignedDistance, placed};
use crate::element::Mobility;
use crate::math::Vec3;
use crate::system::System;

/// Shares of the kernel's radius between which the balance fades with the largest distance of a particle from the given shape.
const FADES: [f64; 2] = [0.5, 1.0];

/// The particles of a system.
#[derive(Debug)]
pub struct Fluid {
    kernel: Kernel,
    /// From sums of kernels to densities over that of the lattice: factor [m^3], and what is added.
    scale: [f64; 2],
    particles: Vec<Particle>,
    stirring: Vec<Stirring>,
    walls: Vec<Box<dyn SignedDistance>>,
    has_mirrors: bool,
    mirrors: Vec<bool>,
    near: Neighbours,
    /// Places of all particles by their own numbers [m].
    x: Vec<Vec3>,
    shared: Vec<Place>,
    multipliers: Vec<Shared>,
    sums: Vec<Vec3>,
    pass: Pass,
    /// Multipliers of the last part by the particles' own numbers, and its length squared [s^2]; 0 before the first.
    last: Vec<f64>,
    last_square: f64,
    /// Share of the balance that a part begins with.
    balance: f64,
    gravity: Vec3,
}

/// The forces [N] that the balance of `system` makes on its nodes at `x` [m]; empty where it has no particles that carry something.
pub fn carried_forces(system: &System, x: &[Vec3]) -> Vec<Vec3> {
    if system.carried.is_empty() {
        return Vec::new();
    }
    let Some(mut fluid) = Fluid::of(system) else { return Vec::new() };
    let mut forces = vec![Vec3::zeros(); x.len()];
    fluid.look(system, x, 0.0);
    for (i, shared) in fluid.near.order.iter().zip(&fluid.multipliers) {
        shared.set(-fluid.particles[*i as usize].carried);
    }
    fluid.add_forces(x, 1.0, &mut forces);
    forces
}

/// What the particles of a fluid have come to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pressed {
    /// Mean density over rest of the particles that are under pressure; 0 where none is.
    pub mean: f64,
    /// Largest density over rest; 0 without particles.
    pub most: f64,
    /// Energy of compression [J].
    pub energy: f64,
}

impl Fluid {
    /// The particles of `system`, with what they carry in the balance; none where it has none.
    pub fn of(system: &System) -> Option<Self> {
        let mut fluid = Self::undeformed(system)?;
        fluid.carry(&system.carried);
        Some(fluid)
    }

    /// The particles of `system` as if nothing had been balanced, their neighbours looked at in the given shape.
    pub fn undeformed(system: &System) -> Option<Self> {
        let (_, first) = system.fluids().next()?;
        let settings = first.settings.matter();
        let kernel = Kernel::new(settings, first.settings.spacing);
        let volume = first.settings.spacing.powi(3);
        let (mut particles, mut stirring) = (Vec::new(), Vec::new());
        for (body, matter) in system.fluids() {
            let own = matter.settings.matter();
            let compliance = own.compliance / volume;
            particles.extend(body.nodes.clone().map(|node| Particle { node: node as u32, compliance, rest: 1.0, carried: 0.0 }));
            stirring.extend(body.nodes.clone().map(|_| Stirring { xsph: own.xsph, vorticity: own.vorticity }));
        }
        let multipliers = particles.iter().map(|_| Shared::default()).collect();
        let [density, growth] = kernel.of_lattice(first.settings.spacing);
        let mut fluid = Self {
            scale: [1.0 / growth, 1.0 - density / growth],
            kernel,
            particles,
            stirring,
            walls: system.obstacles.iter().map(|obstacle| placed(&obstacle.shape)).collect(),
            has_mirrors: settings.mirror,
            mirrors: Vec::new(),
            near: Neighbours::default(),
            x: Vec::new(),
            shared: Vec::new(),
            multipliers,
            sums: Vec::new(),
            pass: Pass::default(),
            last: Vec::new(),
            last_square: 0.0,
            balance: 0.0,
            gravity: system.gravity,
        };
        fluid.look(system, &system.positions, 0.0);
        Some(fluid)
    }

    /// Makes the given shape, whose neighbours were looked at last, carry p times volume of each node [J]: C there is as much as that takes.
    fn carry(&mut self, carried: &[f64]) {
        if carried.is_empty() {
            return;
        }
        let rest: Vec<(u32, f64)> = (0..self.particles.len())
            .map(|at| (self.near.order[at], self.density(&Mobility::default()).density(at, &self.place())))
            .collect();
        for (i, density) in rest {
            let particle = &mut self.particles[i as usize];
            particle.carried = carried.get(particle.node as usize).copied().unwrap_or(0.0);
            // What carries nothing is at most as dense as at rest.
            let stretched = density / (1.0 + particle.compliance * particle.carried);
            particle.rest = if particle.carried > 0.0 { stretched } else { stretched.max(1.0) };
        }
    }

    /// Looks for what is near at `x` [m], and which obstacles are there at `time` [s].
    pub fn look(&mut self, system: &System, x: &[Vec3], time: f64) {
        self.mirrors.clear();
        self.mirrors.extend(system.obstacles.iter().map(|obstacle| self.has_mirrors && obstacle.is_present(time)));
        self.x.clear();
        self.x.extend(self.particles.iter().map(|particle| x[particle.node as usize]));
        self.near.look(&self.x, self.kernel.radius, &self.walls, &self.mirrors);
    }

    /// The places of particles as neighbours count them, when they were looked at.
    pub fn place(&self) -> impl Fn(usize) -> Vec3 + Sync {
        |at| self.x[self.near.order[at] as usize]
    }

    /// The constraints, with these inverse masses.
    pub fn density<'f>(&'f self, mobility: &'f Mobility) -> Density<'f> {
        let [share, offset] = self.scale;
        Density { kernel: &self.kernel, share, offset, near: &self.near, of_particles: &self.particles, mobility }
    }

    /// The node of each particle, as neighbours count them.
    pub fn nodes(&self) -> Vec<u32> {
        self.near.order.iter().map(|&i| self.particles[i as usize].node).collect()
    }

    /// alpha of the constraint of a particle, as neighbours count them [1/J].
    pub fn compliance(&self, at: usize) -> f64 {
        self.particles[self.near.order[at] as usize].compliance
    }

    /// How much of the balance the next part begins with: all near the given shape, and nothing where what held it has gone.
    fn gate(&mut self, system: &System) {
        let holds = self.gravity == system.gravity && self.particles.iter().any(|particle| particle.carried > 0.0);
        let away = |particle: &Particle, x: &Vec3| (x - system.positions[particle.node as usize]).norm_squared();
        let farthest = || self.particles.iter().zip(&self.x).map(|(particle, x)| away(particle, x)).fold(0.0, f64::max).sqrt();
        let is_held = holds
            && self.mirrors.iter().zip(&system.obstacles).all(|(now, obstacle)| *now || !self.has_mirrors || !obstacle.is_present(0.0));
        let [low, high] = FADES.map(|share| share * self.kernel.radius);
        self.balance = if is_held {
            let t = ((farthest() - low) / (high - low)).clamp(0.0, 1.0);
            1.0 - t * t * (3.0 - 2.0 * t)
        } else {
            0.0
        };
    }

    /// Keeps the multipliers by the particles' own numbers, before neighbours are looked at, which count them anew.
    fn keep(&mut self) {
        let Self { last, near, multipliers, particles, .. } = self;
        last.clear();
        last.resize(particles.len(), 0.0);
        near.order.iter().zip(&*multipliers).for_each(|(&i, shared)| last[i as usize] = shared.get());
    }

    /// Begins a part of `part` [s] at `start` [m], at `time` [s], where `preloads` with multipliers: those of the balance, and those of the last
    /// part as far as the balance does not count. `moves` [m] gets what they move, with the gradients of the start, all at once. What pushes
    /// no longer is taken back by the sweeps. With nothing to begin with, few sweeps would carry no column, and what they leave never rests.
    #[allow(clippy::too_many_arguments, reason = "all that a part of a step begins with")]
    pub fn begin(
        &mut self,
        system: &System,
        mobility: &Mobility,
        preloads: bool,
        start: &[Vec3],
        time: f64,
        part: f64,
        moves: &mut [Vec3],
    ) {
        self.keep();
        self.look(system, start, time);
        self.gate(system);
        let square = part * part;
        let rescaled = if self.last_square > 0.0 { (1.0 - self.balance) * square / self.last_square } else { 0.0 };
        self.last_square = square;
        for (&i, shared) in self.near.order.iter().zip(&self.multipliers) {
            let of_balance = -self.balance * square * self.particles[i as usize].carried;
            shared.set(if preloads { of_balance + rescaled * self.last[i as usize] } else { 0.0 });
        }
        if preloads {
            let mut sums = std::mem::take(&mut self.sums);
            self.density(mobility).gather(&self.place(), &|at| self.multipliers[at].get(), &mut sums);
            for (&i, sum) in self.near.order.iter().zip(&sums) {
                let node = self.particles[i as usize].node;
                moves[node as usize] += mobility.moved(node, sum);
            }
            self.sums = sums;
        }
    }

    /// Looks again for what is near, where the prediction has brought particles to `x` [m]; multipliers stay with their particles.
    pub fn follow(&mut self, x: &[Vec3]) {
        self.keep();
        let Self { x: own, particles, near, last, multipliers, .. } = self;
        own.clear();
        own.extend(particles.iter().map(|particle| x[particle.node as usize]));
        near.look(own, self.kernel.radius, &self.walls, &self.mirrors);
        near.order.iter().zip(&*multipliers).for_each(|(&i, shared)| shared.set(last[i as usize]));
    }

    /// Projects every constraint once, and moves `x` [m].
    pub fn project(&mut self, mobility: &Mobility, strength: &Strength, x: &mut [Vec3]) {
        let node = |i: usize| self.particles[i].node as usize;
        share_places(&mut self.shared, &self.near.order, |i| x[node(i)]);
        self.density(mobility).sweep(strength, &self.shared, &self.multipliers);
        for (&i, place) in self.near.order.iter().zip(&self.shared) {
            x[node(i as usize)] = place_of(place);
        }
    }

    /// Changes velocities after a part of `part` [s] that ended at `x` [m]; what was taken from the motion [J].
    pub fn stir(&mut self, mobility: &Mobility, x: &[Vec3], v: &mut [Vec3], part: f64) -> f64 {
        let mut pass = std::mem::take(&mut self.pass);
        let taken = pass.run(&self.density(mobility), &self.stirring, x, v, part);
        self.pass = pass;
        taken
    }

    /// Adds the forces [N] that the multipliers of the last part, of `part` [s], make at `x` [m].
    pub fn add_forces(&mut self, x: &[Vec3], part: f64, forces: &mut [Vec3]) {
        let mut sums = std::mem::take(&mut self.sums);
        let mobility = Mobility::default();
        let node = |at: usize| self.particles[self.near.order[at] as usize].node as usize;
        self.density(&mobility).gather(&|at| x[node(at)], &|at| self.multipliers[at].get() / (part * part), &mut sums);
        (0..sums.len()).for_each(|at| forces[node(at)] += sums[at]);
        self.sums = sums;
    }

    /// What particles at `x` [m] have come to.
    pub fn pressed(&self, x: &[Vec3]) -> Pressed {
        let mobility = Mobility::default();
        let density = self.density(&mobility);
        let node = |at: usize| self.particles[self.near.order[at] as usize].node as usize;
        let (mut pressed, mut count) = (Pressed::default(), 0.0);
        for at in 0..self.particles.len() {
            let particle = &self.particles[self.near.order[at] as usize];
            let over = density.density(at, &|at| x[node(at)]) / particle.rest;
            pressed.most = pressed.most.max(over);
            if over > 1.0 {
                pressed.energy += 0.5 * (over - 1.0).powi(2) / particle.compliance.max(f64::MIN_POSITIVE);
            }
            if self.multipliers[at].get() < 0.0 {
                (pressed.mean, count) = (pressed.mean + over, count + 1.0);
            }
        }
        if count > 0.0 {
            pressed.mean /= count;
        }
        pressed
    }

    /// p times volume of each node [J] in the last part, of `part` [s]; 0 of those that are no particle.
    pub fn pressures(&self, nodes: usize, part: f64) -> Vec<f64> {
        let mut all = vec![0.0; nodes];
        for (&i, shared) in self.near.order.iter().zip(&self.multipliers) {
            all[self.particles[i as usize].node as usize] = -shared.get() / (part * part);
        }
        all
    }
}
