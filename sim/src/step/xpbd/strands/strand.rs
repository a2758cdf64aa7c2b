//! [`Strand`]: one of them in a part of a step.

use super::Part;
use super::band::Band;
use super::order::{Joined, MOST, Piece};
use crate::math::{Mat3, Vec3};

/// Iterations in a sweep at most.
const ITERATIONS: usize = 12;
/// Where they end: what the next would gain over the energy of the motion in the part. What is left counts as motion of the next part, which grows
/// where it is not small.
const CONVERGED: f64 = 1e-6;
/// Halvings of a step at most.
const HALVINGS: usize = 8;
/// Share of the slope by which the energy must fall.
const ARMIJO: f64 = 1e-4;
/// Of the sum of all that is in the energy: what rounding makes of it.
const ROUNDING: f64 = 1e-13;
/// The longest way of a frame in an iteration over its arm: about an eighth of a turn.
const FARTHEST: f64 = 1.0;

/// A strand.
#[derive(Debug)]
pub struct Strand {
    joined: Joined,
    band: Band,
    /// y: where its nodes were if its elements bore nothing [m].
    free: Vec<Vec3>,
    /// Where they are [m].
    x: Vec<Vec3>,
    /// Where the iteration looks.
    tried: Vec<Vec3>,
    step: Vec<Vec3>,
    gradient: Vec<Vec3>,
    /// Gradients of the constraints of damped elements where the part starts, times the root of beta / (alpha h) [root of N/m].
    damped: Vec<[Vec3; MOST]>,
    /// Which element each is of.
    damping: Vec<u32>,
}

/// What an iteration did.
struct Iterated {
    /// The energy where it ended, and the sum of the sizes of all that is in it [J].
    energy: [f64; 2],
    /// What it was to gain twice of [J].
    gained: f64,
}

/// A node, and where it is [m].
pub struct At {
    pub node: u32,
    pub place: Vec3,
}

impl Strand {
    pub fn new(joined: Joined) -> Self {
        let (count, zero) = (joined.nodes.len(), vec![Vec3::zeros(); joined.nodes.len()]);
        let band = Band::new(count, joined.reach);
        let [x, free, tried, step, gradient] = [(); 5].map(|()| zero.clone());
        Self { joined, band, free, x, tried, step, gradient, damped: Vec::new(), damping: Vec::new() }
    }

    /// Where its nodes are.
    pub fn at(&self) -> impl Iterator<Item = At> {
        self.joined.nodes.iter().zip(&self.x).map(|(&node, &place)| At { node, place })
    }

    /// A part begins, in which nodes that bear nothing are at `x` [m]: it is looked for where it was, or where it goes on as it moved, whichever
    /// is nearer. Of what is kicked, segments that went on would be pressed together, and their stiffness would not be positive.
    pub fn begin(&mut self, part: &Part, x: &[Vec3]) {
        self.free.iter_mut().zip(&self.joined.nodes).for_each(|(free, &node)| *free = x[node as usize]);
        self.damp(part);
        self.guess(part, 0.0);
        let stays = self.energy(part, false)[0];
        std::mem::swap(&mut self.x, &mut self.tried);
        self.guess(part, part.size);
        // Not a number is no less.
        let goes_on = self.energy(part, false)[0] < stays;
        if !goes_on {
            std::mem::swap(&mut self.x, &mut self.tried);
        }
    }

    /// Where it is after this time of its motion [s]; its centre, if nothing holds it, where loads take it, whatever its elements do.
    fn guess(&mut self, part: &Part, time: f64) {
        let (mut missing, mut mass, mut is_free) = (Vec3::zeros(), 0.0, true);
        for (k, &node) in self.joined.nodes.iter().enumerate() {
            let (n, inverse) = (node as usize, part.mobility.inverse(node));
            is_free &= inverse > 0.0;
            self.x[k] = if inverse > 0.0 { part.start[n] + time * part.velocities[n] } else { self.free[k] };
            if inverse > 0.0 && !part.mobility.is_internal(node) {
                missing += (self.free[k] - self.x[k]) / inverse;
                mass += 1.0 / inverse;
            }
        }
        if is_free && mass > 0.0 {
            for (x, &node) in self.x.iter_mut().zip(&self.joined.nodes).filter(|(_, node)| !part.mobility.is_internal(**node)) {
                *x += part.mobility.taken(node, &(missing / mass));
            }
        }
    }

    /// What damping goes by in a part that begins.
    fn damp(&mut self, part: &Part) {
        self.damped.clear();
        self.damping.clear();
        for (p, piece) in self.joined.pieces.iter().enumerate() {
            let Some(family) = part.families[piece.family as usize] else { continue };
            let damping = family.damping_of(piece.element as usize);
            if damping <= 0.0 {
                continue;
            }
            for k in 0..family.constraints_per_element() {
                let mut gradients = [Vec3::zeros(); MOST];
                family.constraint(piece.element as usize, k, part.start, &mut gradients);
                let root = (damping / (family.compliance(piece.element as usize, k) * part.size)).sqrt();
                self.damped.push(gradients.map(|by| root * by));
                self.damping.push(p as u32);
            }
        }
    }

    /// What others moved since, moves y as far. It is still looked for where it was: segments whose ends were pushed are stretched.
    pub fn follow(&mut self, x: &[Vec3]) {
        for ((&node, free), own) in self.joined.nodes.iter().zip(&mut self.free).zip(&self.x) {
            *free += x[node as usize] - own;
        }
    }

    /// Newton's method from where it is.
    pub fn solve(&mut self, part: &Part) {
        let mut now = self.energy(part, false);
        for _ in 0..ITERATIONS {
            let Some(more) = self.iterate(part, now) else { return };
            now = more.energy;
            if more.gained <= CONVERGED * self.motion(part) + ROUNDING * now[1] {
                return;
            }
        }
    }

    /// The energy of its motion in the part [J].
    fn motion(&self, part: &Part) -> f64 {
        let square = part.size * part.size;
        let of = |(&node, x): (&u32, &Vec3)| {
            let inverse = part.mobility.inverse(node);
            if inverse > 0.0 { 0.5 * (x - part.start[node as usize]).norm_squared() / (inverse * square) } else { 0.0 }
        };
        self.joined.nodes.iter().zip(&self.x).map(of).sum()
    }

    /// One iteration from where its energy is `now`; `None` where none gains anything.
    fn iterate(&mut self, part: &Part, now: [f64; 2]) -> Option<Iterated> {
        self.fill(part, false);
        if !self.band.factorise() {
            self.fill(part, true);
            if !self.band.factorise() {
                return None;
            }
        }
        self.step.iter_mut().zip(&self.gradient).for_each(|(step, gradient)| *step = -gradient);
        self.band.solve(&mut self.step);
        let slope: f64 = self.step.iter().zip(&self.gradient).map(|(step, gradient)| step.dot(gradient)).sum();
        if !slope.is_finite() {
            return None;
        }
        let mut share = 1.0_f64;
        for (step, &node) in self.step.iter().zip(&self.joined.nodes) {
            if let Some(arm) = part.mobility.arm(node) {
                share = share.min(FARTHEST * arm / step.norm());
            }
        }
        for _ in 0..HALVINGS {
            let way = self.x.iter().zip(&self.step);
            self.tried.iter_mut().zip(way).for_each(|(tried, (x, step))| *tried = x + share * step);
            let energy = self.energy(part, true);
            let slack = ROUNDING * (now[1] + energy[1]);
            if energy[0] - now[0] <= ARMIJO * share * slope + slack {
                std::mem::swap(&mut self.x, &mut self.tried);
                return Some(Iterated { energy, gained: -share * slope });
            }
            share *= 0.5;
        }
        None
    }

    /// The energy [J], and the sum of the sizes of all that is in it; where it is, or where it is tried.
    fn energy(&self, part: &Part, is_tried: bool) -> [f64; 2] {
        let x = if is_tried { &self.tried } else { &self.x };
        let square = part.size * part.size;
        let (mut sum, mut sizes) = (0.0, 0.0);
        for ((&node, x), free) in self.joined.nodes.iter().zip(x).zip(&self.free) {
            let inverse = part.mobility.inverse(node);
            if inverse > 0.0 {
                sum += 0.5 * (x - free).norm_squared() / (inverse * square);
            }
        }
        sizes += sum;
        for piece in &self.joined.pieces {
            let Some(family) = part.families[piece.family as usize] else { continue };
            let energy = family.energy_of(piece.element as usize, &gathered(piece, x));
            sum += energy;
            sizes += energy.abs();
        }
        for (by, &p) in self.damped.iter().zip(&self.damping) {
            let along = self.along(part, by, p, x);
            sum += 0.5 * along * along;
        }
        [sum, sizes]
    }

    /// grad C . (x - x^n) of a damped constraint, times its root.
    fn along(&self, part: &Part, by: &[Vec3; MOST], p: u32, x: &[Vec3]) -> f64 {
        let piece = &self.joined.pieces[p as usize];
        let nodes = piece.nodes[..piece.count as usize].iter().map(|&k| k as usize);
        nodes.zip(by).map(|(k, by)| by.dot(&(x[k] - part.start[self.joined.nodes[k] as usize]))).sum()
    }

    /// What damping took in the part [J].
    pub fn dissipated(&self, part: &Part) -> f64 {
        self.damped.iter().zip(&self.damping).map(|(by, &p)| self.along(part, by, p, &self.x).powi(2)).sum()
    }

    /// Gradient and matrix where it is; what is held has neither.
    fn fill(&mut self, part: &Part, projected: bool) {
        let Self { joined, band, free, x, gradient, damped, damping, .. } = self;
        let square = part.size * part.size;
        let mass = |k: usize| 1.0 / (part.mobility.inverse(joined.nodes[k]) * square);
        let is_held = |k: usize| part.mobility.inverse(joined.nodes[k]) == 0.0;
        let slot = |k: usize| part.mobility.allowed.get(joined.nodes[k] as usize).copied().flatten();
        band.reset(|k| if is_held(k) { Mat3::identity() } else { Mat3::from_diagonal_element(mass(k)) });
        for (k, gradient) in gradient.iter_mut().enumerate() {
            *gradient = if is_held(k) { Vec3::zeros() } else { mass(k) * (x[k] - free[k]) };
        }
        let mut pull = [Vec3::zeros(); MOST];
        let mut blocks = [Mat3::zeros(); MOST * MOST];
        let mut add = |nodes: &[u32], pull: &[Vec3], blocks: &[Mat3]| {
            for (i, &a) in nodes.iter().enumerate().filter(|(_, a)| !is_held(**a as usize)) {
                gradient[a as usize] += pull[i];
                for (j, &b) in nodes.iter().enumerate().filter(|(_, b)| !is_held(**b as usize)) {
                    let block = &blocks[i * nodes.len() + j];
                    match (slot(a as usize), slot(b as usize)) {
                        (None, None) => band.add(a as usize, b as usize, block),
                        (of_a, of_b) => {
                            let [of_a, of_b] = [of_a, of_b].map(|slot| slot.unwrap_or_else(Mat3::identity));
                            band.add(a as usize, b as usize, &(of_a * block * of_b));
                        }
                    }
                }
            }
        };
        for piece in &joined.pieces {
            let Some(family) = part.families[piece.family as usize] else { continue };
            let (count, e) = (piece.count as usize, piece.element as usize);
            let at = gathered(piece, x);
            family.linearised(e, &at, projected, &mut pull, &mut blocks);
            add(&piece.nodes[..count], &pull[..count], &blocks[..count * count]);
        }
        for (by, &p) in damped.iter().zip(&*damping) {
            let piece = &joined.pieces[p as usize];
            let nodes = &piece.nodes[..piece.count as usize];
            let ways = nodes.iter().zip(by).map(|(&k, by)| by.dot(&(x[k as usize] - part.start[joined.nodes[k as usize] as usize])));
            let along: f64 = ways.sum();
            for (i, first) in by.iter().take(nodes.len()).enumerate() {
                pull[i] = along * first;
                (0..nodes.len()).for_each(|j| blocks[i * nodes.len() + j] = first * by[j].transpose());
            }
            add(nodes, &pull[..nodes.len()], &blocks[..nodes.len() * nodes.len()]);
        }
        for (k, gradient) in gradient.iter_mut().enumerate() {
            if let Some(allowed) = slot(k).filter(|_| !is_held(k)) {
                *gradient = allowed * *gradient;
            }
        }
    }
}

/// Where the nodes of an element are.
fn gathered(piece: &Piece, x: &[Vec3]) -> [Vec3; MOST] {
    piece.nodes.map(|k| x[k as usize])
}
