//! Regions in the list of their body: locked, and in another order.

use super::App;
use crate::document::Selection;

impl App {
    /// Locks a region, or opens its lock.
    pub(super) fn lock_region(&mut self, b: usize, r: usize) {
        let mut scene = (**self.document.scene()).clone();
        let Some(region) = scene.bodies.get_mut(b).and_then(|body| body.regions.get_mut(r)) else { return };
        region.locked = !region.locked;
        let label = if region.locked { "Lock region" } else { "Unlock region" };
        self.document.settle();
        self.document.edit(label, scene);
        self.document.settle();
    }

    /// Moves the selected region over the next one of its body, or under the one before: where two lie over one another, the later is seen,
    /// and of two of one kind the later counts.
    pub(super) fn move_region(&mut self, later: bool) {
        let Selection::Region(b, r) = self.document.selection else { return };
        let mut scene = (**self.document.scene()).clone();
        let Some(regions) = scene.bodies.get_mut(b).map(|body| &mut body.regions) else { return };
        let Some(to) = (if later { r.checked_add(1) } else { r.checked_sub(1) }).filter(|to| *to < regions.len()) else { return };
        // A colour that goes by the place in the list goes along.
        for at in [r, to] {
            regions[at].color = Some(crate::document::region_color(&regions[at], at));
        }
        regions.swap(r, to);
        let (one, other) = (self.desk.hidden.remove(&(b, r)), self.desk.hidden.remove(&(b, to)));
        self.desk.hidden.extend([(one, to), (other, r)].into_iter().filter(|(hidden, _)| *hidden).map(|(_, at)| (b, at)));
        self.document.settle();
        self.document.edit("Order of regions", scene);
        self.document.settle();
        self.document.selection = Selection::Region(b, to);
    }
}
