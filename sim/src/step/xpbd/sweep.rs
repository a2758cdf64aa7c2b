//! [`Sweep`]: every constraint once. delta lambda = -(C + a lambda + g grad C . (x - x0)) / ((1 + g) sigma + a) with a = alpha / h^2, the
//! damping g = beta / h and sigma = sum w |grad C|^2 (Macklin et al. 2016, eq. 18 and 26), and x += w grad C delta lambda.

use rayon::prelude::*;

use super::Strength;
use super::colours;
use super::constraints::{self, Constraints};
use super::mobility::Mobility;
use crate::element::{MOST_NODES, Projection};
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
    corrections: Vec<Correction>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Correction {
    multiplier: f64,
    gradients: [Vec3; MOST_NODES],
}

impl Visits {
    /// As `settings` say.
    pub fn of(constraints: &Constraints, settings: &ProjectionSettings, nodes: usize) -> Self {
        let at_once = settings.method == ProjectionMethod::Jacobi;
        let (order, ends) = colours::order(constraints, settings, nodes);
        let ends = if at_once { vec![order.len()] } else { ends };
        let mut meet = vec![0_u32; nodes];
        constraints.places.iter().flat_map(|place| place.nodes()).for_each(|&n| meet[n as usize] += 1);
        let crowd = |place: &constraints::Place| f64::from(place.nodes().iter().map(|&n| meet[n as usize]).max().unwrap_or(1));
        let crowds = if at_once { constraints.places.iter().map(crowd).collect() } else { Vec::new() };
        let largest = ends.iter().scan(0, |start, &end| Some(end - std::mem::replace(start, end))).max().unwrap_or(0);
        let room = if at_once || largest >= MANY { largest } else { 0 };
        Self { order, ends, crowds, corrections: vec![Correction::default(); room] }
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
    pub families: &'s [Option<&'s dyn Projection>],
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
        let Visits { order, ends, crowds, corrections } = visits;
        let at_once = !crowds.is_empty();
        let mut first = 0;
        for &end in ends.iter() {
            let run = &order[first..end];
            first = end;
            if !at_once && run.len() < MANY {
                for &c in run {
                    let correction = self.correction(constraints, c as usize, x);
                    self.apply(constraints, c as usize, &correction, x);
                }
                continue;
            }
            let (seen, known) = (&*x, &*constraints);
            let corrections = &mut corrections[..run.len()];
            corrections.par_iter_mut().zip(run).with_min_len(CHUNK).for_each(|(correction, &c)| {
                *correction = self.correction(known, c as usize, seen);
                if let Some(crowd) = crowds.get(c as usize) {
                    correction.multiplier *= self.settings.relaxation / crowd;
                }
            });
            for (correction, &c) in corrections.iter().zip(run) {
                self.apply(constraints, c as usize, correction, x);
            }
        }
    }

    fn correction(&self, constraints: &Constraints, c: usize, x: &[Vec3]) -> Correction {
        let place = &constraints.places[c];
        let mut gradients = [Vec3::zeros(); MOST_NODES];
        let Some(projection) = constraints::of(self.families, place) else { return Correction::default() };
        let value = projection.constraint(place.element as usize, x, &mut gradients) + constraints.shift[c];
        let (mut sigma, mut along) = (0.0, 0.0);
        let damping = constraints.damping[c] / self.part;
        for (&n, by) in place.nodes().iter().zip(&gradients) {
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
            return Correction::default();
        }
        Correction { multiplier: -share * (value + soft * constraints.multiplier[c] + damping * along) / resistance, gradients }
    }

    fn apply(&self, constraints: &mut Constraints, c: usize, correction: &Correction, x: &mut [Vec3]) {
        constraints.multiplier[c] += correction.multiplier;
        for (&n, by) in constraints.places[c].nodes().iter().zip(&correction.gradients) {
            x[n as usize] += self.mobility.moved(n, &(correction.multiplier * by));
        }
    }

    /// What damping took in the part that ends at `x` [J]: beta / alpha (grad C . v)^2 over its time.
    pub fn dissipated(&self, constraints: &Constraints, x: &[Vec3]) -> f64 {
        let mut gradients = [Vec3::zeros(); MOST_NODES];
        let mut sum = 0.0;
        for (c, place) in constraints.places.iter().enumerate().filter(|(c, _)| constraints.damping[*c] > 0.0) {
            let Some(projection) = constraints::of(self.families, place) else { continue };
            projection.constraint(place.element as usize, x, &mut gradients);
            let nodes = place.nodes().iter().zip(&gradients);
            let along: f64 = nodes.map(|(&n, by)| by.dot(&(x[n as usize] - self.start[n as usize]))).sum();
            sum += constraints.damping[c] / constraints.compliance[c] * along * along / self.part;
        }
        sum
    }
}
