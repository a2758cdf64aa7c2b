//! [`Constraints`]: the elements of all families as constraints, with what they carry in the balance.

use super::Strength;
use super::mobility::Mobility;
use crate::element::{Projection, Row};
use crate::math::Vec3;
use crate::scene::{Preload, ProjectionSettings};
use crate::system::System;

/// The families of a system as constraints; `None` of those that have none.
pub type Projections<'s> = [Option<&'s dyn Projection>];

/// Where a constraint is.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Index into [`System::families`].
    pub family: u32,
    /// Element of it.
    pub element: u32,
    /// Which of the element's constraints.
    which: u32,
    /// Its nodes in the list of all.
    first: u32,
    count: u32,
    /// How many constraints, this one first, are visited as one; 0 of those behind the first.
    pub together: u32,
}

impl Place {
    /// C at `x`, with its gradients by its nodes in as many entries of `gradients`.
    pub fn constraint(&self, families: &Projections, x: &[Vec3], gradients: &mut [Vec3]) -> f64 {
        families[self.family as usize].map_or(0.0, |family| family.constraint(self.element as usize, self.which as usize, x, gradients))
    }

    /// How fast its gradients turn the nodes at most [1/kg times the unit of C'']: [`Projection::turning`].
    pub fn turning(&self, families: &Projections, x: &[Vec3], inverse: &dyn Fn(u32) -> f64, room: &mut [f64]) -> f64 {
        families[self.family as usize].map_or(0.0, |family| family.turning(self.element as usize, self.which as usize, x, inverse, room))
    }

    /// The largest second derivative of C by each node.
    pub fn curvatures(&self, families: &Projections, x: &[Vec3], curvatures: &mut [f64]) {
        if let Some(family) = families[self.family as usize] {
            family.curvatures(self.element as usize, self.which as usize, x, curvatures);
        }
    }
}

/// All constraints, family by family.
#[derive(Debug, Default)]
pub struct Constraints {
    /// Where each is.
    pub places: Vec<Place>,
    /// The nodes of all, one constraint after the other.
    nodes: Vec<u32>,
    /// How each is projected.
    pub rows: Vec<Row>,
    /// C in the given shape, as exact as rest states are stored.
    pub given: Vec<f64>,
    /// f*: the multiplier per h^2 with which each makes its force of the balance, -C / alpha in the given shape; 0 where there is no balance.
    pub carried: Vec<f64>,
    /// Nodes of a constraint at most.
    pub widest: usize,
    /// Which families are solved as wholes ([`super::strands`]): their constraints tell what they carry, and are not visited.
    pub wholes: Vec<bool>,
}

impl Constraints {
    /// Those of `system`, none of which carries anything yet; without families that have none.
    pub fn of(system: &System) -> Self {
        let mut all = Self::default();
        let families = projections(system);
        all.widest = families.iter().flatten().map(|projection| projection.nodes_per_element()).max().unwrap_or(0);
        let mut gradients = vec![Vec3::zeros(); all.widest];
        for (family, projection) in families.iter().enumerate().filter_map(|(f, projection)| projection.map(|found| (f, found))) {
            for e in 0..projection.len() {
                let (nodes, first, own) = (projection.nodes(e), all.nodes.len() as u32, all.places.len());
                for k in (0..projection.constraints_per_element()).filter(|&k| projection.compliance(e, k).is_finite()) {
                    let (element, which) = (e as u32, k as u32);
                    let place = Place { family: family as u32, element, which, first, count: nodes.len() as u32, together: 1 };
                    all.rows.push(Row { element, which, compliance: projection.compliance(e, k), ..Row::default() });
                    all.given.push(place.constraint(&families, &system.positions, &mut gradients));
                    all.places.push(place);
                }
                all.nodes.extend_from_slice(nodes);
                let together = (all.places.len() - own) as u32;
                if projection.visits_wholes() {
                    all.places[own..].iter_mut().enumerate().for_each(|(k, place)| place.together = if k == 0 { together } else { 0 });
                }
            }
        }
        all.carried = vec![0.0; all.places.len()];
        all
    }

    /// The nodes of constraint `c`.
    pub fn nodes(&self, c: usize) -> &[u32] {
        let place = &self.places[c];
        &self.nodes[place.first as usize..(place.first + place.count) as usize]
    }

    /// Whether constraint `c` is visited: not where its family is solved in another way.
    pub fn is_visited(&self, c: usize) -> bool {
        !self.wholes.get(self.places[c].family as usize).copied().unwrap_or(false)
    }

    /// Room for the gradients of any constraint.
    pub fn room(&self) -> Vec<Vec3> {
        vec![Vec3::zeros(); self.widest]
    }

    /// Number of constraints.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Takes over the damping of the elements.
    pub fn take_damping(&mut self, system: &System) {
        for (row, place) in self.rows.iter_mut().zip(&self.places) {
            row.damping = system.families[place.family as usize].damping(place.element as usize);
        }
    }

    /// Whether one is damped.
    pub fn is_damped(&self) -> bool {
        (0..self.len()).any(|c| self.rows[c].damping > 0.0)
    }

    /// Shifts C to where rest data are to be for parts of size `part` [s].
    ///
    /// What takes back a share of its error is at rest where it has none: in the given shape, where there is a balance. For comparison, the
    /// closed forms of Hsu et al. 2022 for N sweeps in which nothing moves: C* = -alpha f* / (1 - s^N) with s = sigma / (sigma + alpha / h^2)
    /// (eq. 29), and C* = -sigma h^2 f* / (N k) (eq. 27).
    pub fn choose_rest(&mut self, system: &System, mobility: &Mobility, strength: Strength, part: f64, settings: &ProjectionSettings) {
        let (sweeps, square) = (f64::from(settings.sweeps), part * part);
        let share = share(settings);
        for c in 0..self.len() {
            let carried = self.carried[c];
            self.rows[c].shift = match (strength, settings.preload) {
                _ if carried == 0.0 || !self.is_visited(c) => 0.0,
                (Strength::Compliance, Preload::Multipliers | Preload::None) => 0.0,
                (Strength::Share, Preload::Multipliers | Preload::None) => -self.given[c],
                (_, Preload::Paper) => {
                    let sigma = self.sigma(c, system, mobility);
                    let soft = self.rows[c].compliance / square;
                    let wanted = match strength {
                        Strength::Compliance => self.rows[c].compliance * carried / (sweeps * (sigma / (sigma + soft)).ln()).exp_m1(),
                        Strength::Share => -sigma * square * carried / (sweeps * share),
                    };
                    wanted - self.given[c]
                }
            };
        }
    }

    /// sum of w |grad C|^2 in the given shape.
    pub fn sigma(&self, c: usize, system: &System, mobility: &Mobility) -> f64 {
        let mut gradients = self.room();
        self.places[c].constraint(&projections(system), &system.positions, &mut gradients);
        self.nodes(c).iter().zip(&gradients).map(|(&n, by)| by.dot(&mobility.moved(n, by))).sum()
    }
}

/// k of one sweep.
pub fn share(settings: &ProjectionSettings) -> f64 {
    if settings.per_part { 1.0 - (1.0 - settings.stiffness).powf(1.0 / f64::from(settings.sweeps)) } else { settings.stiffness }
}

/// The families of `system` as constraints.
pub fn projections(system: &System) -> Vec<Option<&dyn Projection>> {
    system.families.iter().map(|family| family.projection()).collect()
}
