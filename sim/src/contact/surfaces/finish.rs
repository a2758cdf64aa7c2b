//! The end of a step: what the contacts take with them.

use super::SurfaceMemory;
use super::anchors::{AnchorKey, Motion, owner};
use super::potential::{Memory, SurfacePotential};
use crate::math::Vec3;

impl SurfacePotential<'_> {
    /// The memory of the contacts after the step ended at `x`. The order matters: slip first, then the force with the old
    /// offset, then the offset itself; a force taken after the offset faded makes a sliding body too fast or too slow.
    pub fn finish(&mut self, x: &[Vec3]) -> SurfaceMemory {
        self.look(x);
        let pose = self.pose(x);
        let (slip_length, fade_length) = (self.contacts.slip_length, self.contacts.fade_length);
        let mut slots = self.slots.clone();
        let mut motions = Vec::new();
        for (friction, memory) in self.friction.iter().zip(&self.memories) {
            match *memory {
                Memory::Anchor { key, .. } => {
                    let (force, moved) = (friction.potential.limit, friction.displacement(&pose));
                    motions.push(Motion { key, force, moved, normal: friction.normal });
                }
                Memory::Slot(index) => slots[index].slide(friction.slip_after(&pose), slip_length),
            }
        }
        let mut touching: Vec<AnchorKey> = self.stencils().iter().map(|stencil| owner(stencil, self.space.surface)).collect();
        touching.sort_unstable();
        for slot in &mut slots {
            let gap = slot.gap(x);
            slot.force = slot.normal_force(&pose.barrier, x);
            slot.fade(gap, fade_length);
        }
        // A body that hops and comes down where it was finds its balance again; whoever went farther has nothing to come back to.
        // Both sides are without force here: nothing jumps.
        slots.retain(|slot| slot.share > 0.0 && (slot.force > 0.0 || slot.distance(x) < fade_length));
        SurfaceMemory { anchors: self.contacts.memory.anchors.after(motions, &touching, slip_length), slots }
    }
}
