//! What there is to look at besides the motion: the contacts found before solving, and what an initialisation left.

use std::sync::Arc;

use aplomb_sim::element::{ElementField, FieldKind};
use aplomb_sim::math::Vec3;
use aplomb_sim::sag_free::stability::Mode;
use aplomb_sim::simulation::Simulation;

/// What an initialisation left, element by element.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// What each element has become in the given shape, quantity by quantity; NaN for those of bodies that have yet to come in, and where a
    /// quantity has no meaning.
    pub fields: Vec<(&'static FieldKind, Arc<[f64]>)>,
    /// Factor on the stiffness of each element; 1 for those that are as authored.
    pub stiffening: Arc<[f64]>,
    /// Every element that cannot make its force; the report lists some.
    pub too_soft: Arc<[u32]>,
    /// The softest ways out of the equilibrium, the softest first.
    pub modes: Arc<[ModeShape]>,
    /// How what has no balance on the grid begins to move, at each node; its scale has no meaning. Empty where there is nothing to tell.
    pub gives_way: Arc<[Vec3]>,
}

/// A motion that can be looked at in the given shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Motion {
    /// A mode, by its place among them.
    Mode(usize),
    /// How it gives way.
    GivesWay,
}

/// A way in which the equilibrium gives.
#[derive(Debug, Clone)]
pub struct ModeShape {
    /// Its stiffness: an eigenvalue of the energy's Hessian [N/m]; negative where the pose falls away.
    pub eigenvalue: f64,
    /// Angular frequency of its vibration, or the rate of its growth where the eigenvalue is negative [1/s].
    pub rate: f64,
    /// Displacement of each node; its scale has no meaning.
    pub shape: Arc<[Vec3]>,
}

impl Findings {
    /// Of a simulation that was just initialised.
    pub fn of(simulation: &Simulation) -> Self {
        let system = &simulation.system;
        let of = |field: &ElementField| {
            let mut values = field.values.clone();
            system.away_elements().for_each(|elements| values[elements].fill(f64::NAN));
            (field.kind, values.into())
        };
        let fields = simulation.given_fields().iter().map(of).collect();
        let shape = |mode: &Mode| ModeShape { eigenvalue: mode.eigenvalue, rate: mode.rate, shape: mode.shape.clone().into() };
        let stiffening = system.families.iter().flat_map(|family| family.stiffening()).collect();
        let too_soft = simulation.too_soft().iter().map(|&element| element as u32).collect();
        let modes = simulation.modes().iter().map(shape).collect();
        Self { fields, stiffening, too_soft, modes, gives_way: simulation.gives_way().into() }
    }

    /// Displacement of each node along a motion.
    pub fn along(&self, motion: Motion) -> Option<&[Vec3]> {
        match motion {
            Motion::Mode(index) => self.modes.get(index).map(|mode| &*mode.shape),
            Motion::GivesWay => Some(&*self.gives_way),
        }
    }
}
