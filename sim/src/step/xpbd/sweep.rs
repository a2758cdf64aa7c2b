//! [`Sweep`]: every constraint once. delta lambda = -(C + a lambda + g grad C . (x - x0)) / ((1 + g) sigma + a) with a = alpha / h^2, the
//! damping g = beta / h and sigma = sum w |grad C|^2 (Macklin et al. 2016, eq. 18 and 26), and x += w grad C delta lambda.

use rayon::prelude::*;

use super::Strength;
use super::colours;
use super::constraints::{self, Constraints, Projections};
use super::mobility::Mobility;
use crate::math::Vec3;
use crate::scene::{ProjectionMethod, ProjectionSettings};

/// Constraints of a colour from which on many threads project them: fewer are faster alone.
const MANY: usize = 2048;
/// Of these so many by one thread at a time.
const CHUNK: usize = 256;

/// In which order constraints are visited.
#[derive(Debug, Default)]
pub struct Visits {
    order: Vec<u32>,
    /// Where runs of `order` end in which no two constraints share a node, or all are visited at once.
    ends: Vec<usize>,
    /// How many constraints meet at most at a node of each.
    crowds: Vec<f64>,
    /// Changes of multipliers that threads share.
    corrections: Vec<f64>,
    /// Room for the gradients of as many constraints, and for one at least.
    gradients: Vec<Vec3>,
}

impl Visits {
    /// As `settings` say.
    pub fn of(constraints: &Constraints, settings: &ProjectionSettings, nodes: usize) -> Self {
        let at_once = settings.method == ProjectionMethod::Jacobi;
        let (order, ends) = colours::order(constraints, settings, nodes);
        let ends = if at_once { vec![order.len()] } else { ends };
        let mut meet = vec![0_u32; nodes];
        (0..constraints.len()).flat_map(|c| constraints.nodes(c)).for_each(|&n| meet[n as usize] += 1);
        let crowd = |c| f64::from(constraints.nodes(c).iter().map(|&n| meet[n as usize]).max().unwrap_or(1));
        let crowds = if at_once { (0..constraints.len()).map(crowd).collect() } else { Vec::new() };
        let largest = ends.iter().scan(0, |start, &end| Some(end - std::mem::replace(start, end))).max().unwrap_or(0);
        let room = if at_once || largest >= MANY { largest } else { 0 };
        let gradients = vec![Vec3::zeros(); room.max(1) * constraints.widest.max(1)];
        Self { order, ends, crowds, corrections: vec![0.0; room], gradients }
    }

    /// Whether many threads share some of it.
    #[cfg(test)]
    pub fn is_shared(&self) -> bool {
        !self.corrections.is_empty()
    }
}

/// What a sweep goes by.
pub struct Sweep<'s> {
    /// The families as constraints.
    pub families: &'s Projections<'s>,
    /// Inverse masses.
    pub mobility: &'s Mobility,
    /// Where the part of the step starts [m].
    pub start: &'s [Vec3],
    /// What the strength of constraints is.
    pub strength: Strength,
    /// Size of the part [s].
    pub part: f64,
    /// How to project.
    pub settings: &'s ProjectionSettings,
}

impl Sweep<'_> {
    /// Projects every constraint once, and moves `x` [m]. The same to the bit for any number of threads.
    pub fn run(&self, constraints: &mut Constraints, visits: &mut Visits, x: &mut [Vec3]) {
        let Visits { order, ends, crowds, corrections, gradients } = visits;
        let (at_once, widest) = (!crowds.is_empty(), constraints.widest.max(1));
        let mut first = 0;
        for &end in ends.iter() {
            let run = &order[first..end];
            first = end;
            if !at_once && run.len() < MANY {
                for &c in run {
                    let correction = self.correction(constraints, c as usize, x, gradients);
                    self.apply(constraints, c as usize, correction, gradients, x);
                }
                continue;
            }
            let (seen, known) = (&*x, &*constraints);
            let corrections = &mut corrections[..run.len()];
            let rooms = corrections.par_iter_mut().zip(gradients.par_chunks_mut(widest)).zip(run);
            rooms.with_min_len(CHUNK).for_each(|((correction, gradients), &c)| {
                *correction = self.correction(known, c as usize, seen, gradients);
                if let Some(crowd) = crowds.get(c as usize) {
                    *correction *= self.settings.relaxation / crowd;
                }
            });
            for ((correction, gradients), &c) in corrections.iter().zip(gradients.chunks(widest)).zip(run) {
                self.apply(constraints, c as usize, *correction, gradients, x);
            }
        }
    }

    /// The change of the multiplier of constraint `c`, and its gradients.
    fn correction(&self, constraints: &Constraints, c: usize, x: &[Vec3], gradients: &mut [Vec3]) -> f64 {
        let value = constraints.places[c].constraint(self.families, x, gradients) + constraints.shift[c];
        let (mut sigma, mut along) = (0.0, 0.0);
        let damping = constraints.damping[c] / self.part;
        for (&n, by) in constraints.nodes(c).iter().zip(&*gradients) {
            sigma += by.dot(&self.mobility.moved(n, by));
            if damping > 0.0 {
                along += by.dot(&(x[n as usize] - self.start[n as usize]));
            }
        }
        let (soft, share) = match self.strength {
            Strength::Compliance => (constraints.compliance[c] / (self.part * self.part), 1.0),
            Strength::Share => (0.0, constraints::share(self.settings)),
        };
        let resistance = (1.0 + damping) * sigma + soft;
        if !(sigma > 0.0 && resistance.is_finite()) {
            return 0.0;
        }
        -share * (value + soft * constraints.multiplier[c] + damping * along) / resistance
    }

    fn apply(&self, constraints: &mut Constraints, c: usize, correction: f64, gradients: &[Vec3], x: &mut [Vec3]) {
        constraints.multiplier[c] += correction;
        for (&n, by) in constraints.nodes(c).iter().zip(gradients) {
            x[n as usize] += self.mobility.moved(n, &(correction * by));
        }
    }

    /// What damping took in the part that ends at `x` [J]: beta / alpha (grad C . v)^2 over its time.
    pub fn dissipated(&self, constraints: &Constraints, x: &[Vec3]) -> f64 {
        let mut gradients = constraints.room();
        let mut sum = 0.0;
        for c in (0..constraints.len()).filter(|c| constraints.damping[*c] > 0.0) {
            constraints.places[c].constraint(self.families, x, &mut gradients);
            let nodes = constraints.nodes(c).iter().zip(&gradients);
            let along: f64 = nodes.map(|(&n, by)| by.dot(&(x[n as usize] - self.start[n as usize]))).sum();
            sum += constraints.damping[c] / constraints.compliance[c] * along * along / self.part;
        }
        sum
    }
}
