//! Constraints between two points that see their distance alone, with multipliers that are vectors: what pulls the first point towards the
//! second is kept as the vector p, and each visit finds it anew beside what all other constraints have done. Where p has moved nothing yet, the
//! second point is D from the first,
//!
//! ```text
//! D = x_2 - x_1 + W p,   W = w_1 + w_2,   and p' = h^2 T(|x_2' - x_1'|) n with x_2' - x_1' = D - W p':
//! ```
//!
//! the minimum of the inertia of both and the energy of the constraint, its direction n along D included. A multiplier along the gradient of
//! where it stands is explicit in how that turns, and is lost where a part of a step turns it too far.
//!
//! What pushes is none the better for it: implicit, it turns over from S = 1 on, which others would keep it from, and takes from what they bear before.
//! It goes on from where it is, by numbers, as other constraints do.

use super::{Element, Projecting, Row};
use crate::math::{Mat3, Vec3};

/// Iterations for a law whose C is no linear function of the distance, or where slots hold, at most.
const ITERATIONS: usize = 40;
/// Where they end: change over distance.
const EXACT: f64 = 1e-15;

/// A line at a visit.
struct Line<'s> {
    row: &'s Row,
    /// From the first point to the second where p has moved nothing [m].
    free: Vec3,
    /// The same at the start of the part [m].
    start: Vec3,
    /// alpha / h^2.
    soft: f64,
    /// Damping over h.
    damping: f64,
}

/// By how much what pulls the first node of an element changes, when it alone is free [kg m]; as much of it as a sweep takes.
pub fn change<E: Element<N, K>, const N: usize, const K: usize>(
    element: &E,
    row: &Row,
    nodes: [u32; 2],
    by: &Projecting,
    x: &[Vec3],
) -> Vec3 {
    let [first, second] = nodes;
    let [a, b] = nodes.map(|n| n as usize);
    let inverse = by.mobility.inverse(first) + by.mobility.inverse(second);
    if inverse <= 0.0 {
        return Vec3::zeros();
    }
    let (soft, share) = by.softness(row);
    let edge = x[b] - x[a];
    let is_slotted = |n: u32| matches!(by.mobility.allowed.get(n as usize), Some(Some(_)));
    let line = |free| Line { row, free, start: by.start[b] - by.start[a], soft, damping: row.damping / by.part };
    let moved = |way: &Vec3| by.mobility.moved(first, way) + by.mobility.moved(second, way);
    if row.pull.dot(&edge) < 0.0 {
        return share * line(edge).push(element, moved);
    }
    let full = if is_slotted(first) || is_slotted(second) {
        let inverse = Mat3::from_columns(&[0, 1, 2].map(|axis| moved(&Vec3::ith(axis, 1.0))));
        line(edge + inverse * row.pull).held(element, &inverse)
    } else {
        line(edge + inverse * row.pull).pull(element, inverse)
    };
    share * (full - row.pull)
}

/// By how much a line is longer than another [m]: what only turned is not, so that damping takes nothing of it.
pub fn longer(edge: &Vec3, start: &Vec3) -> f64 {
    let sum = edge.norm() + start.norm();
    if sum > 0.0 { (edge - start).dot(&(edge + start)) / sum } else { 0.0 }
}

impl Line<'_> {
    /// C with what damping adds to it, and its slope over the distance, where the line is `edge` [m].
    fn strained<E: Element<N, K>, const N: usize, const K: usize>(&self, element: &E, edge: &Vec3) -> [f64; 2] {
        let [value, slope] = element.by_distance(edge);
        let along = if self.damping > 0.0 { self.damping * slope * longer(edge, &self.start) } else { 0.0 };
        [value + self.row.shift + along, slope]
    }

    /// p' for points of this inverse mass together [1/kg] that nothing holds.
    fn pull<E: Element<N, K>, const N: usize, const K: usize>(&self, element: &E, inverse: f64) -> Vec3 {
        let distance = self.free.norm();
        if distance == 0.0 {
            return Vec3::zeros();
        }
        let direction = self.free / distance;
        let (mut edge, mut pull) = (self.free, 0.0);
        for _ in 0..ITERATIONS {
            let [value, slope] = self.strained(element, &edge);
            let resistance = self.soft + (1.0 + self.damping) * inverse * slope * slope;
            let more = (slope * value - self.soft * pull) / resistance;
            if !more.is_finite() {
                break;
            }
            pull += more;
            edge = self.free - inverse * pull * direction;
            // Where C is the length itself, once is exact.
            if slope == 1.0 || inverse * more.abs() <= EXACT * distance {
                break;
            }
        }
        pull * direction
    }

    /// p' - p of what pushes, from where it is, and in the direction that it has there.
    fn push<E: Element<N, K>, const N: usize, const K: usize>(&self, element: &E, moved: impl Fn(&Vec3) -> Vec3) -> Vec3 {
        let Some(direction) = self.free.try_normalize(0.0) else { return Vec3::zeros() };
        let [value, slope] = self.strained(element, &self.free);
        let resistance = self.soft + (1.0 + self.damping) * slope * slope * direction.dot(&moved(&direction));
        let more = (slope * value - self.soft * self.row.pull.dot(&direction)) / resistance;
        if more.is_finite() { more * direction } else { Vec3::zeros() }
    }

    /// p' where slots hold one point or both, by Newton's method: C C' n = alpha / h^2 p'.
    fn held<E: Element<N, K>, const N: usize, const K: usize>(&self, element: &E, inverse: &Mat3) -> Vec3 {
        let mut pull = self.row.pull;
        for _ in 0..ITERATIONS {
            let edge = self.free - inverse * pull;
            let Some(direction) = edge.try_normalize(0.0) else { break };
            let [value, slope] = self.strained(element, &edge);
            let left = slope * value * direction - self.soft * pull;
            let along = direction * direction.transpose();
            // What is compressed would turn over: across itself it is taken as if it bore nothing.
            let across = (slope * value / edge.norm()).max(0.0);
            let curvature = (1.0 + self.damping) * slope * slope * along + across * (Mat3::identity() - along);
            // No more along what does not move than along what does.
            let whole = Mat3::from_diagonal_element(self.soft.max(f64::EPSILON * inverse.trace())) + curvature * inverse;
            let Some(more) = whole.try_inverse().map(|inverse| inverse * left).filter(|more| more.iter().all(|c| c.is_finite())) else {
                break;
            };
            pull += more;
            if (inverse * more).norm() <= EXACT * self.free.norm() {
                break;
            }
        }
        pull
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::element::spring::{Clamp, SPRING_LAWS};
    use crate::element::{Batch, Mobility, Projection, Spring};
    use crate::math::random::Random;

    /// A visit ends where inertia and energy of a line are least: what pulls it then is its tension there, in its direction there, whatever pulled
    /// before, for every law, with slots and damping. Nothing is pushed as a whole.
    #[test]
    fn a_visit_ends_at_the_least_of_inertia_and_energy() {
        let mut random = Random::new(11);
        let part = 0.1;
        for law in SPRING_LAWS {
            for trial in 0..60 {
                let [first, second] = [0.0, 0.5].map(|y| Vec3::new(0.0, y, 0.0) + random.vector(-0.1, 0.1));
                let damping = if trial % 3 == 0 && law.name == "hooke" { 0.2 } else { 0.0 };
                let modulus = [0.3, 30.0, 3e4][trial % 3];
                let mut spring = Spring::new(law, modulus, Clamp::Eigenvalues, &[first, second]).unwrap();
                spring.set_damping(damping);
                let slot = |random: &mut Random| {
                    let normal = random.vector(-1.0, 1.0).normalize();
                    Mat3::identity() - normal * normal.transpose()
                };
                let allowed = match trial % 4 {
                    0 => vec![None, Some(slot(&mut random))],
                    1 => vec![Some(slot(&mut random)), Some(slot(&mut random))],
                    _ => Vec::new(),
                };
                let inverse = vec![random.uniform(0.1, 3.0), if trial % 5 == 0 { 0.0 } else { random.uniform(0.1, 3.0) }];
                let mobility = Mobility { inverse, allowed };
                let start = [first + random.vector(-0.1, 0.1), second + random.vector(-0.1, 0.1)];
                // Where they are if nothing pulls; from some pull on.
                let free = [start[0] + random.vector(-0.05, 0.05), start[1] + random.vector(-0.05, 0.05) + Vec3::new(0.0, 0.2, 0.0)];
                let along = |pull: &Vec3| [free[0] + mobility.moved(0, pull), free[1] - mobility.moved(1, pull)];
                let mut before = random.vector(-0.02, 0.02);
                while before.dot(&(along(&before)[1] - along(&before)[0])) < 0.0 {
                    before = random.vector(-0.02, 0.02);
                }
                let mut x = along(&before);
                let batch: Batch<Spring, 2, 1> = Batch::new(vec![spring.clone()], vec![[0, 1]]);
                let mut rows = [Row { compliance: batch.compliance(0, 0), damping, pull: before, ..Row::default() }];
                let by = Projecting { mobility: &mobility, start: &start, part, share: None, sweeps: 1, at_once: false };
                let mut gradients = [Vec3::zeros(); 2];
                batch.project(&mut rows, &by, &mut gradients, &mut x);
                let pull = rows[0].pull;
                let edge = x[1] - x[0];
                let resisted = damping * modulus * (edge.norm() - (start[1] - start[0]).norm()) / part;
                let wanted = part * part * (-spring.gradient(&x)[0] + resisted * edge.normalize());
                let what = format!("{} {trial}", law.name);
                let moved = along(&pull);
                // What slots hold may pull far more than what moves.
                let size = 1.0 + pull.norm();
                assert!((0..2).all(|n| (moved[n] - x[n]).amax() < 1e-14 * size), "{what}");
                // As exact as the stiffness leaves it: what is left, as a way.
                let most = mobility.inverse[0] + mobility.inverse[1] + 1.0 / (part * part * modulus);
                let left = (wanted - pull).norm() / (1.0 + part * part * modulus * most);
                assert!(left < 1e-13 * size, "{what}: {left:e}, {wanted} {pull}");
                assert!(trial % 4 < 2 || (pull.cross(&edge)).norm() < 1e-13 * size, "{what}: {pull} along {edge}");
                // Once more changes nothing.
                let again = x;
                batch.project(&mut rows, &by, &mut gradients, &mut x);
                assert!((0..2).all(|n| (again[n] - x[n]).amax() < 1e-13 * size), "{what}");
            }
        }
    }

    /// A visit of what pushes goes along where it is, and ends where its force is that of its law.
    #[test]
    fn what_pushes_goes_on_by_numbers() {
        let mut random = Random::new(12);
        let part = 0.1;
        for trial in 0..40 {
            let rest = [Vec3::zeros(), Vec3::new(0.0, 0.5, 0.0)].map(|x| x + random.vector(-0.1, 0.1));
            let modulus = [0.3, 30.0, 3e4][trial % 3];
            let batch: Batch<Spring, 2, 1> =
                Batch::new(vec![Spring::new(&SPRING_LAWS[0], modulus, Clamp::Eigenvalues, &rest).unwrap()], vec![[0, 1]]);
            let slot = random.vector(-1.0, 1.0).normalize();
            let allowed = if trial % 4 == 0 { vec![None, Some(Mat3::identity() - slot * slot.transpose())] } else { Vec::new() };
            let mobility = Mobility { inverse: vec![random.uniform(0.1, 3.0), random.uniform(0.1, 3.0)], allowed };
            let mut x = [rest[0], rest[0].lerp(&rest[1], 0.8) + random.vector(-0.05, 0.05)];
            let direction = (x[1] - x[0]).normalize();
            let before = -random.uniform(0.01, 2.0) * direction + random.vector(-0.005, 0.005);
            let mut rows = [Row { compliance: batch.compliance(0, 0), pull: before, ..Row::default() }];
            let by = Projecting { mobility: &mobility, start: &x.clone(), part, share: None, sweeps: 1, at_once: false };
            batch.project(&mut rows, &by, &mut [Vec3::zeros(); 2], &mut x);
            let (pull, edge) = (rows[0].pull, x[1] - x[0]);
            assert!((pull - before).cross(&direction).norm() < 1e-14, "{trial}");
            // Slots turn it besides.
            if mobility.allowed.is_empty() {
                let force = part * part * modulus * (edge.dot(&direction) - (rest[1] - rest[0]).norm());
                assert!((force - pull.dot(&direction)).abs() < 1e-12 * (1.0 + force.abs()), "{trial}: {force} {pull}");
            }
        }
    }
}
