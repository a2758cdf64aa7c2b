//! Bodies beside material points: what meets them one way moves as if they were not there.

use super::{PlacedBody, System, TouchPair};
use crate::element::{Batch, Family, MaterialPoint};
use crate::scene::GridBodies;

/// Whether a body is of material points.
pub(super) fn is_of_points(body: &PlacedBody) -> bool {
    body.matter.particles().is_some_and(|matter| matter.is_of_points())
}

impl System {
    /// The bodies that are not of material points, with their numbers.
    pub fn beside_points(&self) -> impl Iterator<Item = (usize, &PlacedBody)> {
        self.bodies.iter().enumerate().filter(|(_, body)| !is_of_points(body))
    }

    /// Whether there are material points and other bodies, which go one way.
    pub fn goes_one_way(&self) -> bool {
        self.simulate.grid.bodies == GridBodies::OneWay && self.points().is_some() && self.beside_points().next().is_some()
    }

    /// Keeps what material points may touch apart from what the bodies beside them may.
    pub(super) fn part_pairs(&mut self) {
        if !self.goes_one_way() {
            return;
        }
        let nodes: Vec<_> = self.bodies.iter().filter(|body| is_of_points(body)).map(|body| body.nodes.clone()).collect();
        let is_of_point = |pair: &TouchPair| nodes.iter().any(|nodes| nodes.contains(&(pair.node as usize)));
        (self.point_pairs, self.pairs) = std::mem::take(&mut self.pairs).into_iter().partition(is_of_point);
    }

    /// Asks something of the system without its material points: their nodes count as fixed, like those of bodies that have not come in yet, and they have no
    /// elements, whose energy would be in sums with that of the others.
    pub fn without_points<R>(&mut self, ask: impl FnOnce(&mut Self) -> R) -> R {
        let nodes: Vec<_> = self.bodies.iter().filter(|body| is_of_points(body)).map(|body| body.nodes.clone()).collect();
        let fixed: Vec<Vec<bool>> = nodes.iter().map(|nodes| self.fixed[nodes.clone()].to_vec()).collect();
        nodes.iter().for_each(|nodes| self.fixed[nodes.clone()].fill(true));
        let family = self.families.iter().position(|family| family.points().is_some());
        let nothing = || -> Box<dyn Family> { Box::new(Batch::<MaterialPoint, 1, 6>::new(Vec::new(), Vec::new())) };
        let points = family.map(|family| (family, std::mem::replace(&mut self.families[family], nothing())));
        std::mem::swap(&mut self.pattern, &mut self.pattern_without_points);
        let answer = ask(self);
        std::mem::swap(&mut self.pattern, &mut self.pattern_without_points);
        if let Some((family, points)) = points {
            self.families[family] = points;
        }
        for (nodes, fixed) in nodes.into_iter().zip(fixed) {
            self.fixed[nodes].copy_from_slice(&fixed);
        }
        answer
    }
}
