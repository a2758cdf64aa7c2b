//! Regions in the list of their body: made of elements, locked, and in another order.

use aplomb_sim::bodies::select::fingerprint;
use aplomb_sim::scene::Selector;

use super::App;
use crate::document::{RoleKind, Selection, new_region};
use crate::panels::RightTab;

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

    /// Makes regions of material of the elements that are pointed out, one in each body that has some; the last of them is selected. On a
    /// surface that was filled they are painted, for its tets are numbered anew whenever it is filled.
    pub(super) fn region_of_choice(&mut self) {
        let (Some(choice), Some(model)) = (self.desk.choice.take(), &self.main.model) else { return };
        let mut scene = (**self.document.scene()).clone();
        if model.bodies.len() != scene.bodies.len() {
            return;
        }
        let mut selection = None;
        for (b, cells) in model.cells_among(&choice.elements) {
            let mesh = &model.bodies[b].mesh;
            let mut region = new_region(&scene, b, RoleKind::Material);
            region.select = vec![match &mesh.skin {
                None => Selector::Elements(cells),
                Some(skin) => {
                    Selector::Vertices((0..).zip(&skin.tets).filter(|(_, tet)| cells.binary_search(tet).is_ok()).map(|(v, _)| v).collect())
                }
            }];
            if region.select == [Selector::Vertices(Vec::new())] {
                continue;
            }
            scene.bodies[b].painted_on = Some(fingerprint(mesh));
            scene.bodies[b].regions.push(region);
            selection = Some(Selection::Region(b, scene.bodies[b].regions.len() - 1));
        }
        let Some(selection) = selection else {
            self.desk.note = Some("None of these elements lies at the surface, where regions of this body are painted".to_owned());
            return;
        };
        self.document.settle();
        self.document.edit("Region of elements", scene);
        self.document.settle();
        self.document.selection = selection;
        self.desk.side = RightTab::Object;
    }

    /// Moves the selected region over the next one of its body, or under the one before: where two of one sort lie over one another, the later is seen,
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
