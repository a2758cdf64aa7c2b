//! Mesh contacts of the given shape: how far and how hard the barrier pushes, and the preloads.

use super::anchors::Anchors;
use super::feature::Fans;
use super::led_around::depths;
use super::slots::{PairPreload, PairSlot};
use super::{Near, SurfaceContacts, SurfaceMemory};
use crate::contact::ContactSpace;
use crate::contact::barrier::Barrier;
use crate::contact::friction::SlipPotential;
use crate::contact::reach::Reach;
use crate::contact::slots::{CARRYING_SHARE, FADE_PATH, LEAST_SHARE};

impl SurfaceContacts {
    /// The contacts of the given shape, with the forces `preloads`; `obstacle_barrier` is that of the contacts with signed
    /// distances, whose force at its distance sets the stiffness where no force was solved. Preloads on what is no part of a
    /// surface are left out.
    pub fn new<'a>(space: impl Into<ContactSpace<'a>>, preloads: &[PairPreload], obstacle_barrier: &Barrier) -> Self {
        let space = space.into();
        let surface = space.surface;
        let x = &*surface.points.of(space.positions);
        let mut near = Near::default();
        let reach = Reach::of_given(space, &mut near.candidates, x);
        let distance = reach.distance();
        let stiffness = space.settings.stiffness * reference_force(&space, preloads, obstacle_barrier) / distance;
        let barrier = Barrier { distance, stiffness, ..*obstacle_barrier };
        let slip_length = space.settings.friction_slip * space.diagonal;
        let fans = Fans::new(surface);
        let with_force = |preload: &PairPreload| {
            let mut slot = PairSlot::new(surface, &fans, &reach, &preload.touch, x)?;
            let distance = slot.distance(x);
            slot.preload(&barrier, preload.normal_force, distance);
            let limit = preload.touch.friction(surface) * slot.force;
            slot.slip = SlipPotential { limit, length: slip_length }.slip_for_force(&preload.friction_force);
            Some(slot)
        };
        let mut slots: Vec<PairSlot> = preloads.iter().filter(|preload| preload.normal_force > 0.0).filter_map(with_force).collect();
        slots.sort_by_key(|slot| (slot.feature.nodes[0], slot.parts));
        Self {
            barrier,
            reach,
            slip_length,
            fade_length: FADE_PATH * space.diagonal,
            memory: SurfaceMemory { anchors: Anchors::default(), slots },
            depths: depths(surface, x),
            fans,
            near,
            local: Vec::new(),
            local_of_friction: Vec::new(),
            nodes: Vec::new(),
            blocks: Vec::new(),
            blocks_of_friction: Vec::new(),
        }
    }
}

/// The force of a typical contact [N]: the mean of those solved; where none was, that of contacts with obstacles, and
/// where nothing can touch those, the weight over the vertices that may have to carry it.
fn reference_force(space: &ContactSpace, preloads: &[PairPreload], obstacle_barrier: &Barrier) -> f64 {
    let surface = space.surface;
    let typical = obstacle_barrier.stiffness * obstacle_barrier.distance / space.settings.stiffness;
    let shared = if space.pairs.is_empty() && space.burden.burden().has_gravity {
        typical / (CARRYING_SHARE * surface.movable_vertices as f64).max(1.0)
    } else {
        typical
    };
    let solved: Vec<f64> = preloads.iter().map(|preload| preload.normal_force).filter(|&force| force > 0.0).collect();
    if solved.is_empty() { shared } else { (solved.iter().sum::<f64>() / solved.len() as f64).max(LEAST_SHARE * shared) }
}
