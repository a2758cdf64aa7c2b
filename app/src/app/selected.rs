//! What is done to all that is selected at once.

use aplomb_sim::math::{Vec3, bounding_box};

use super::App;
use crate::document::{Selection, duplicated, renamed};
use crate::drawing;

impl App {
    /// Points of something where it is seen [m]: of regions those of their vertices.
    fn points_of(&self, what: Selection) -> Vec<Vec3> {
        let scene = self.document.scene();
        let Some(model) = self.model_at_hand() else { return Vec::new() };
        let positions = self.main.snapshot.as_ref().map_or(&model.positions, |snapshot| &snapshot.positions);
        match what {
            Selection::Scene => positions[..model.body_nodes.min(positions.len())].to_vec(),
            Selection::Body(b) => model.bodies.get(b).and_then(|body| positions.get(body.nodes.clone())).unwrap_or_default().to_vec(),
            Selection::Region(b, r) => self.places_of_region(b, r).unwrap_or_default(),
            Selection::Obstacle(o) => drawing::points(scene, Some(model), o),
            Selection::Probe(_) | Selection::Place(..) => Vec::new(),
        }
    }

    pub(super) fn duplicate(&mut self) {
        let what = self.document.selected();
        let standing =
            what.iter().filter(|one| !matches!(one, Selection::Region(..) | Selection::Scene | Selection::Probe(_) | Selection::Place(..)));
        let points: Vec<Vec3> = standing.flat_map(|one| self.points_of(*one)).collect();
        let extent = if points.is_empty() { Vec3::zeros() } else { bounding_box(&points).1 - bounding_box(&points).0 };
        // A plane alone is as large as what stands on it.
        let extent =
            if extent == Vec3::zeros() { Vec3::repeat(self.main.model.as_ref().map_or(1.0, |model| model.diagonal)) } else { extent };
        let (scene, copies) = duplicated(self.document.scene(), &what, extent);
        if copies.is_empty() {
            self.desk.note = Some("select what is to be copied: a body, a region or an obstacle".to_owned());
            return;
        }
        self.document.settle();
        self.document.edit("Duplicate", scene);
        self.document.settle();
        self.document.select_these(&copies);
        self.selected_anew();
        self.show_geometry();
    }

    /// Hides what is selected; where all of it is hidden, shows it again.
    pub(super) fn toggle_hidden(&mut self) {
        let what = self.document.selected();
        let show = what.iter().all(|one| self.desk.is_hidden(*one));
        what.into_iter().for_each(|one| self.desk.set_hidden(one, !show));
    }

    /// Shows everything; what is folded stays so.
    pub(super) fn show_all(&mut self) {
        self.desk.hidden.clear();
        self.desk.hidden_bodies.clear();
        self.desk.hidden_obstacles.clear();
    }

    /// Moves the camera to what is selected; to everything where it has no place.
    pub(super) fn focus(&mut self) {
        let points: Vec<Vec3> = self.document.selected().into_iter().flat_map(|one| self.points_of(one)).collect();
        let size = if points.is_empty() { 0.0 } else { aplomb_sim::math::bounding_diagonal(&points) };
        if size > 0.0 {
            self.views[1].frame_places(&points, 0.02 * size);
        } else {
            self.frame_next = true;
        }
    }

    pub(super) fn begin_rename(&mut self) {
        let what = self.document.selection;
        self.desk.renaming = Some((what, what.name(self.document.scene()).to_owned()));
    }

    pub(super) fn rename(&mut self, what: Selection, name: &str) {
        self.desk.renaming = None;
        if let Some(scene) = renamed(self.document.scene(), what, name) {
            self.document.settle();
            let label = match what {
                Selection::Scene => "Rename scene",
                Selection::Body(_) => "Rename body",
                Selection::Region(..) => "Rename region",
                Selection::Obstacle(_) => "Rename obstacle",
                Selection::Probe(_) | Selection::Place(..) => "Rename probe",
            };
            self.document.edit(label, scene);
            self.document.settle();
        }
    }

    /// Selects all bodies and obstacles, the first body leading.
    pub(super) fn select_all(&mut self) {
        let mut all = Selection::all(self.document.scene());
        all.retain(|one| !matches!(one, Selection::Region(..)));
        all.reverse();
        self.document.select_these(&all);
        self.selected_anew();
    }
}
