//! Contact of triangle meshes, lines and points: bodies with one another and with themselves, and with obstacles that are meshes.
//!
//! ```text
//! candidates -> active stencils -> barrier ---------------------------+
//!                     |                                               +-> potential (one time step)
//! anchors (slip of a primitive on a part) -> friction, lagged --------+
//! slots (preloaded contacts, with an offset of their gap) ------------+
//! ```
//!
//! [`SurfaceContacts`] is what remains from step to step, of it [`SurfaceMemory`] what changes; [`SurfacePotential`] is the
//! energy of one step.

mod anchors;
mod common_point;
mod feature;
mod finish;
mod friction;
mod led_around;
mod potential;
mod slots;
mod start;
mod step_limit;
mod term;
#[cfg(test)]
pub(crate) mod tests;
mod touch;

pub use anchors::{AnchorKey, Owner};
pub use common_point::{Carrier, CommonPoint};
pub use feature::{Facing, Fans, Feature, FeatureKind, same_direction, unit_normal};
pub use friction::LaggedFriction;
pub use potential::{PairForce, SurfacePotential, add_barrier_gradient, barrier_energy, fill_barrier_hessians};
pub use slots::{PairPreload, PairSlot};
pub use step_limit::free_share;
pub use term::{Pose, Term};
pub use touch::Touch;

use self::anchors::Anchors;
use self::common_point::MOST_NODES;
use super::active::ActiveSet;
use super::barrier::Barrier;
use super::broad_phase::CandidateCache;
use super::reach::Reach;
use super::surface::CollisionSurface;
use crate::math::{Mat3, Vec3};

/// All contacts between meshes: what they remember between steps, and the memory that is used again in each.
#[derive(Debug)]
pub struct SurfaceContacts {
    /// Normal barrier where it reaches as far as the scene says.
    pub(super) barrier: Barrier,
    /// How far it reaches.
    reach: Reach,
    /// Slip over which friction builds up [m].
    slip_length: f64,
    /// Path over which sliding fades the offset of a preloaded contact [m].
    fade_length: f64,
    /// What changes from step to step.
    pub memory: SurfaceMemory,
    /// How deep into each part a step may aim [m].
    depths: Vec<f64>,
    fans: Fans,
    near: Near,
    local: Vec<[Vec3; 4]>,
    local_of_friction: Vec<[Vec3; MOST_NODES]>,
    nodes: Vec<[u32; 4]>,
    blocks: Vec<[[Mat3; 4]; 4]>,
    blocks_of_friction: Vec<[[Mat3; MOST_NODES]; MOST_NODES]>,
}

/// What mesh contacts remember from one step to the next.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SurfaceMemory {
    anchors: Anchors,
    /// Preloaded contacts, ascending by their first node.
    slots: Vec<PairSlot>,
}

/// The stencils within reach of the barrier, kept for as long as the positions stay.
#[derive(Debug, Default)]
struct Near {
    candidates: CandidateCache,
    active: ActiveSet,
    /// Positions for which `active` was found.
    at: Vec<Vec3>,
}

impl Near {
    /// Finds the stencils within `reach` at `x`, unless they are known.
    fn look(&mut self, surface: &CollisionSurface, x: &[Vec3], reach: &Reach) {
        if !surface.is_active() || self.at == x {
            return;
        }
        let candidates = self.candidates.ensure(surface, x, reach.distance());
        self.active.update(surface, candidates, x, reach);
        self.at.clear();
        self.at.extend_from_slice(x);
    }
}

impl SurfaceMemory {
    /// The preloaded contacts that are left, ascending by their first node.
    pub fn slots(&self) -> &[PairSlot] {
        &self.slots
    }
}

impl SurfaceContacts {
    /// Looks for near pairs anew: other parts may touch than before.
    pub(super) fn forget_near(&mut self) {
        self.near = Near::default();
    }

    /// The barrier of all mesh contacts.
    pub fn barrier(&self) -> &Barrier {
        &self.barrier
    }

    /// Makes the barrier stiffer or softer [N/m]. Offsets are fitted anew at the positions `x`, so that preloaded contacts keep
    /// their force, as far as it can be had without an offset above zero.
    pub fn set_stiffness(&mut self, stiffness: f64, x: &[Vec3]) {
        self.barrier.stiffness = stiffness;
        for slot in &mut self.memory.slots {
            let (force, distance) = (slot.force, slot.distance(x));
            slot.preload(&self.barrier, force, distance);
        }
    }
}
