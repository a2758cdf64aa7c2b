//! Meshes on their way in: looked at, taken in or left, and stood on their ground once they are filled.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aplomb_sim::math::bounding_box;
use aplomb_sim::scene::Transform;

use super::{App, Waiting};
use crate::document::{
    Document, FileRequest, NetOptions, Selection, levelled, scene_of_mesh, scene_with_first_mesh, scene_with_mesh, standing,
};
use crate::panels::is_scene;
use crate::preview::{Preview, name};
use crate::session::Activity;
use crate::viewport::DrawList;

/// A body whose tets are being made of its surface.
#[derive(Debug)]
pub(super) struct Filling {
    body: usize,
    stand: Stand,
}

/// Where a body is to be once its tets are known: they reach a little less or more far down than its surface.
#[derive(Debug)]
enum Stand {
    /// Where its file puts it.
    Nowhere,
    /// Just above the ground that came with it.
    OnGround,
    /// Its lowest vertex at this height [m], unless it was moved from here meanwhile.
    Level(Transform, f64),
}

impl App {
    /// Opens the first scene among `files`, and looks at the meshes among them one after the other.
    pub(super) fn take_files(&mut self, ctx: &egui::Context, files: Vec<PathBuf>) {
        let (scenes, meshes): (Vec<_>, Vec<_>) = files.into_iter().partition(|file| is_scene(file));
        if let [first, others @ ..] = scenes.as_slice() {
            self.guard(ctx, Waiting::File(FileRequest::Open(first.clone())));
            if !others.is_empty() {
                let others = others.iter().map(|file| name(file)).collect::<Vec<_>>().join(", ");
                self.desk.note = Some(format!("One scene is opened at a time: {} and not {others}", name(first)));
            }
        }
        if meshes.is_empty() {
            return;
        }
        self.desk.file_card = None;
        // One that cannot be read makes way.
        match self.desk.preview.as_mut().filter(|preview| preview.error.is_none()) {
            Some(preview) => preview.push(meshes),
            None => match Preview::start(meshes, &self.wake_up) {
                Ok(preview) => self.desk.preview = preview,
                Err(error) => self.refuse(format!("The file cannot be read: {error}")),
            },
        }
    }

    /// Takes in what was read and examined.
    pub(super) fn take_preview(&mut self) {
        if let Some(preview) = &mut self.desk.preview {
            preview.drain();
        }
    }

    /// Looks at the mesh at hand no longer; the next one of those that were given, if any, takes its place.
    pub(super) fn next_preview(&mut self) {
        let Some(preview) = self.desk.preview.take() else { return };
        match preview.next(&self.wake_up) {
            Ok(next) => self.desk.preview = next,
            Err(error) => self.refuse(format!("The next file cannot be read: {error}")),
        }
    }

    /// Makes the mesh that is looked at part of a scene.
    ///
    /// # Errors
    /// It is not read yet.
    pub(super) fn import(&mut self) -> Result<(), String> {
        let preview = self.desk.preview.as_mut().filter(|preview| preview.is_ready());
        let preview = preview.ok_or("there is no mesh to import: it is not read yet, or cannot be used")?;
        let options = preview.options().ok_or("the mesh has no triangles")?;
        preview.point_at(None);
        let picture = (preview.draw_list(false), preview.revision());
        if options.add {
            let there = self.main.model.as_ref().map(|model| bounding_box(&model.positions[..model.body_nodes]));
            let scene = scene_with_mesh(self.document.scene(), self.document.folder(), there, &options);
            let body = scene.bodies.len() - 1;
            let level = there.map(|(lowest, _)| Stand::Level(scene.bodies[body].transform, lowest.y));
            self.document.settle();
            self.document.edit("Import mesh", scene);
            self.document.settle();
            self.document.selection = Selection::Body(body);
            self.rewatch();
            self.show_geometry();
            self.frame_next = true;
            self.filling = options.fill.is_some().then_some(Filling { body, stand: level.unwrap_or(Stand::Nowhere) });
            self.untried = self.document.scene().bodies[body].material.clone().map(|material| (body, material));
        } else if self.takes_first() {
            let scene = scene_with_first_mesh(self.document.scene(), self.document.folder(), &options);
            let stand = if options.ground { Stand::OnGround } else { Stand::Nowhere };
            self.document.settle();
            self.document.edit("Import mesh", scene);
            self.document.settle();
            self.document.selection = Selection::Body(0);
            self.rewatch();
            self.show_geometry();
            self.frame_next = true;
            self.stand_in = Some(picture);
            self.filling = options.fill.is_some().then_some(Filling { body: 0, stand });
            self.untried = self.document.scene().bodies[0].material.clone().map(|material| (0, material));
        } else {
            let (scene, folder) = scene_of_mesh(&options);
            self.document = Document::unsaved(scene, folder);
            self.document.selection = Selection::Body(0);
            self.opened();
            self.stand_in = Some(picture);
            let stand = if options.ground { Stand::OnGround } else { Stand::Nowhere };
            self.filling = options.fill.is_some().then_some(Filling { body: 0, stand });
            self.untried = self.document.scene().bodies[0].material.clone().map(|material| (0, material));
        }
        self.next_preview();
        Ok(())
    }

    /// Whether a mesh becomes the first body of the scene at hand, and leaves all else in it as it is.
    pub(super) fn takes_first(&self) -> bool {
        self.document.scene().bodies.is_empty() && self.document.problems.is_empty()
    }

    /// Writes the mesh of a new net, and adds the net to the scene.
    ///
    /// # Errors
    /// Why the file cannot be written.
    pub(super) fn new_net(&mut self, file: &Path, options: &NetOptions) -> Result<(), String> {
        let there = self.main.model.as_ref().map(|model| bounding_box(&model.positions[..model.body_nodes]));
        let there = there.filter(|_| !self.document.scene().bodies.is_empty());
        let scene = options.add_to(self.document.scene(), self.document.folder(), there, file);
        let scene = scene.map_err(|error| format!("{}: {error}", file.display()))?;
        let body = scene.bodies.len() - 1;
        self.document.settle();
        self.document.edit("New net", scene);
        self.document.settle();
        self.document.selection = Selection::Body(body);
        self.rewatch();
        self.show_geometry();
        self.frame_next = true;
        Ok(())
    }

    /// What stands in for a body that is being loaded: the surface that it will have.
    pub(super) fn standing_in(&mut self) -> Option<(DrawList, u64)> {
        if self.main.activity == Activity::Idle && self.main.is_up_to_date() {
            self.stand_in = None;
        }
        self.stand_in.clone()
    }

    /// Puts the ground of an import under the tets that it was filled with, or a further body level with the others, and tells what
    /// the tets missed, once they are known.
    pub(super) fn take_filled(&mut self) {
        let Some(filling) = self.filling.take_if(|_| self.main.activity == Activity::Idle) else { return };
        let Some(model) = self.main.model.as_ref().filter(|_| self.main.is_up_to_date()) else { return };
        let Some(body) = model.bodies.get(filling.body) else { return };
        let lowest = |nodes: Range<usize>| model.positions[nodes].iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
        let scene = self.document.scene();
        let placed = match filling.stand {
            Stand::Nowhere => None,
            Stand::OnGround => standing(scene, lowest(0..model.body_nodes), model.diagonal),
            Stand::Level(transform, height) => levelled(scene, filling.body, &transform, lowest(body.nodes.clone()), height),
        };
        if let [loss, ..] = body.skin.as_ref().map_or(Vec::new(), |skin| skin.report.losses()).as_slice() {
            self.desk.note = Some(loss.message.clone());
        }
        if let Some(scene) = placed {
            self.document.restate(scene);
            let (scene, folder) = (Arc::clone(self.document.scene()), self.document.folder().to_path_buf());
            self.main.load(&scene, &folder);
        }
    }
}
