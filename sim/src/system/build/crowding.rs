//! Bodies of material points in one place: the grid that they share would take both for matter that is twice as dense, and hold them so.

use std::collections::HashMap;

use super::Assembly;
use crate::math::splines::Interpolation;
use crate::math::{Vec3, bounding_box};
use crate::scene::SceneProblem;
use crate::system::PlacedBody;

/// Volume around a node, over that of a cell, from which on two bodies are in one place: where they touch, and points lie by chance, there is less.
const CROWDED: f64 = 1.6;
/// The same of each of them.
const OWN: f64 = 0.4;

impl Assembly<'_> {
    /// Finds bodies of material points with more volume than there is room.
    pub(super) fn check_crowding(&mut self) {
        let of_points: Vec<usize> = (0..self.system.bodies.len()).filter(|&b| spacing(&self.system.bodies[b]).is_some()).collect();
        for (k, &b) in of_points.iter().enumerate() {
            for &a in &of_points[..k] {
                if let Some((place, share)) = self.most_crowded(a, b) {
                    let [x, y, z] = place.into();
                    let message = format!(
                        "the body lies in body `{}`: near {x:.4}, {y:.4}, {z:.4} there is {share:.2} times as much matter as room; move them apart",
                        self.system.bodies[a].name
                    );
                    self.problems.push(SceneProblem::at(format!("bodies[{b}].transform"), message));
                }
            }
        }
    }

    /// Where two bodies of points are in one place the most [m], and how much volume is there over that of the room.
    fn most_crowded(&self, a: usize, b: usize) -> Option<(Vec3, f64)> {
        let bodies = [a, b].map(|body| &self.system.bodies[body]);
        let spacings = bodies.map(|body| spacing(body).unwrap_or_default());
        let by = Interpolation { spacing: 2.0 * spacings[0].max(spacings[1]), ..Interpolation::default() };
        let boxes = bodies.map(|body| bounding_box(&self.system.positions[body.nodes.clone()]));
        let (low, high) = (boxes[0].0.sup(&boxes[1].0), boxes[0].1.inf(&boxes[1].1));
        if (0..3).any(|axis| low[axis] > high[axis]) {
            return None;
        }
        let reach = by.kernel.reach() * by.spacing;
        let is_near = |x: &&Vec3| (0..3).all(|axis| (low[axis] - reach..=high[axis] + reach).contains(&x[axis]));
        let mut volumes: HashMap<[i32; 3], [f64; 2]> = HashMap::new();
        for (which, body) in bodies.iter().enumerate() {
            let share = (spacings[which] / by.spacing).powi(3);
            for x in self.system.positions[body.nodes.clone()].iter().filter(is_near) {
                by.for_each(x, |node, w, _, _| volumes.entry(node).or_default()[which] += w * share);
            }
        }
        let crowded = volumes.into_iter().filter(|(_, [a, b])| a.min(*b) > OWN && a + b > CROWDED);
        let (node, [a, b]) = crowded.max_by(|(m, x), (n, y)| (x[0] + x[1]).total_cmp(&(y[0] + y[1])).then(m.cmp(n)))?;
        Some((by.spacing * Vec3::from(node.map(f64::from)), a + b))
    }
}

/// Of a body of material points, how far apart these are [m].
fn spacing(body: &PlacedBody) -> Option<f64> {
    body.matter.particles().filter(|matter| matter.is_of_points()).map(|matter| matter.settings.spacing)
}
