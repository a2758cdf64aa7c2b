//! [`Constraints`]: the elements of all families as constraints, with what they carry in the balance.

use super::Strength;
use super::mobility::Mobility;
use crate::element::{MOST_NODES, Projection};
use crate::math::Vec3;
use crate::scene::{Preload, ProjectionSettings};
use crate::system::System;

/// Where a constraint is.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Index into [`System::families`].
    pub family: u32,
    /// Element of it.
    pub element: u32,
    nodes: [u32; MOST_NODES],
    count: u32,
}

impl Place {
    /// Its nodes.
    pub fn nodes(&self) -> &[u32] {
        &self.nodes[..self.count as usize]
    }
}

/// All constraints, family by family.
#[derive(Debug, Default)]
pub struct Constraints {
    /// Where each is.
    pub places: Vec<Place>,
    /// alpha.
    pub compliance: Vec<f64>,
    /// C in the given shape, as exact as rest states are stored.
    pub given: Vec<f64>,
    /// f*: the multiplier per h^2 with which each makes its force of the balance, -C / alpha in the given shape; 0 where there is no balance.
    pub carried: Vec<f64>,
    /// What is added to C.
    pub shift: Vec<f64>,
    /// The multiplier of this part of a step.
    pub multiplier: Vec<f64>,
    /// Stiffness-proportional damping [s].
    pub damping: Vec<f64>,
}

impl Constraints {
    /// Those of `system`, none of which carries anything yet; without families that have none.
    pub fn of(system: &System) -> Self {
        let mut all = Self::default();
        let mut gradients = [Vec3::zeros(); MOST_NODES];
        for (family, elements) in system.families.iter().enumerate() {
            let Some(projection) = elements.projection() else { continue };
            for e in 0..projection.len() {
                let own = projection.nodes(e);
                let mut nodes = [0; MOST_NODES];
                nodes[..own.len()].copy_from_slice(own);
                all.places.push(Place { family: family as u32, element: e as u32, nodes, count: own.len() as u32 });
                all.compliance.push(projection.compliance(e));
                all.given.push(projection.constraint(e, &system.positions, &mut gradients));
            }
        }
        let zero = vec![0.0; all.places.len()];
        (all.carried, all.shift, all.multiplier, all.damping) = (zero.clone(), zero.clone(), zero.clone(), zero);
        all
    }

    /// Number of constraints.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Takes over the damping of the elements.
    pub fn take_damping(&mut self, system: &System) {
        for (damping, place) in self.damping.iter_mut().zip(&self.places) {
            *damping = system.families[place.family as usize].damping(place.element as usize);
        }
    }

    /// Whether one is damped.
    pub fn is_damped(&self) -> bool {
        self.damping.iter().any(|damping| *damping > 0.0)
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
            self.shift[c] = match (strength, settings.preload) {
                _ if carried == 0.0 => 0.0,
                (Strength::Compliance, Preload::Multipliers | Preload::None) => 0.0,
                (Strength::Share, Preload::Multipliers | Preload::None) => -self.given[c],
                (_, Preload::Paper) => {
                    let sigma = self.sigma(c, system, mobility);
                    let soft = self.compliance[c] / square;
                    let wanted = match strength {
                        Strength::Compliance => self.compliance[c] * carried / (sweeps * (sigma / (sigma + soft)).ln()).exp_m1(),
                        Strength::Share => -sigma * square * carried / (sweeps * share),
                    };
                    wanted - self.given[c]
                }
            };
        }
    }

    /// sum of w |grad C|^2 in the given shape.
    fn sigma(&self, c: usize, system: &System, mobility: &Mobility) -> f64 {
        let place = &self.places[c];
        let Some(projection) = system.families[place.family as usize].projection() else { return 0.0 };
        let mut gradients = [Vec3::zeros(); MOST_NODES];
        projection.constraint(place.element as usize, &system.positions, &mut gradients);
        place.nodes().iter().zip(&gradients).map(|(&n, by)| by.dot(&mobility.moved(n, by))).sum()
    }
}

/// k of one sweep.
pub fn share(settings: &ProjectionSettings) -> f64 {
    if settings.per_part { 1.0 - (1.0 - settings.stiffness).powf(1.0 / f64::from(settings.sweeps)) } else { settings.stiffness }
}

/// The families by which constraints are asked.
pub fn of<'s>(families: &[Option<&'s dyn Projection>], place: &Place) -> Option<&'s dyn Projection> {
    families[place.family as usize]
}
