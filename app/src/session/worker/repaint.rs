//! Painted regions that follow a mesh file which has changed.

use std::path::Path;

use aplomb_sim::bodies::select::fingerprint;
use aplomb_sim::bodies::transfer::transfer_regions;
use aplomb_sim::scene::Scene;

use super::{Watched, Worker};
use crate::session::{Event, ModelBody};

/// Whether the body of this name in `scene` carries the mark of this mesh.
fn is_painted_on(scene: &Scene, body: &ModelBody) -> bool {
    let mark = scene.bodies.iter().find(|one| one.name == body.name).and_then(|one| one.painted_on.as_ref());
    mark.is_some_and(|mark| *mark == fingerprint(&body.mesh))
}

impl Worker {
    /// The scene with its painted regions on the meshes that its files hold now, if these changed, or if it is still painted on those
    /// before the last change.
    pub(super) fn repainted(&mut self, scene: Box<Scene>, folder: &Path) -> Box<Scene> {
        let watch = Watched { run: self.run, ticket: self.ticket, post: &self.post };
        let known = self.known.clone().filter(|_| self.outdated);
        let former = self.former.as_ref().filter(|former| former.bodies.iter().any(|body| is_painted_on(&scene, body)));
        let models = known.iter().chain(former);
        let old: Vec<_> = models.flat_map(|model| &model.bodies).map(|body| (body.name.as_str(), &*body.mesh)).collect();
        if old.is_empty() {
            return scene;
        }
        // Cancelled: so is the build that follows, and the regions are moved before the next one.
        let Ok(Some(repainted)) = transfer_regions(&scene, folder, &old, &watch) else { return scene };
        self.former = known.or_else(|| self.former.take());
        self.post.tell(self.run, Event::Repainted(Box::new(repainted.clone())));
        Box::new(repainted)
    }
}
