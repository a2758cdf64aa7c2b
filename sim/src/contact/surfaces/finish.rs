//! The end of a step: what the contacts take with them.

use super::anchors::{AnchorKey, Anchors, owner};
use super::potential::{Memory, SurfacePotential};
use super::term::Pose;
use crate::math::Vec3;

impl SurfacePotential<'_> {
    /// Ends the step at the positions `x`: only now does the memory of the contacts change. The order matters: slip first, then
    /// the force with the old offset, then the offset itself; a force taken after the offset faded makes a sliding body
    /// too fast or too slow.
    pub fn finish(mut self, x: &[Vec3]) {
        self.look(x);
        let surface = &self.system.surface;
        let contacts = &mut *self.contacts;
        let pose = Pose { x, origin: self.origin, barrier: contacts.barrier };
        let mut slips: Vec<(AnchorKey, f64, Vec3)> = Vec::new();
        for (friction, memory) in self.friction.iter().zip(&self.memories) {
            let slip = friction.slip_after(&pose);
            match *memory {
                Memory::Anchor(key) => slips.push((key, friction.potential.limit, slip)),
                Memory::Slot(index) => self.slots[index].slide(slip, contacts.slip_length),
            }
        }
        let mut touching: Vec<AnchorKey> = contacts.near.active.stencils().iter().map(|stencil| owner(stencil, surface)).collect();
        touching.sort_unstable();
        touching.dedup();
        contacts.anchors = Anchors::from_slips(slips, &touching, contacts.slip_length);
        for slot in &mut self.slots {
            let gap = slot.gap(x);
            slot.force = slot.normal_force(&contacts.barrier, x);
            slot.fade(gap, contacts.fade_length);
        }
        // Both sides are without force here: nothing jumps.
        self.slots.retain(|slot| slot.force > 0.0 && slot.share > 0.0);
        contacts.slots = self.slots;
    }
}
