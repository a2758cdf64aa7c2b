//! What the mouse does to bodies besides selecting them: probes are put on them; while they run they are pulled at, nudged, blown at.

use std::path::Path;
use std::sync::Arc;

use aplomb_sim::math::Vec3;
use aplomb_sim::scene::{ProbePlace, Scene};

use super::App;
use crate::document::{Selection, new_probe};
use crate::drawing::dissect::NO_CELL;
use crate::panels::{Flash, Held, RightTab, Touch, probe_places};
use crate::session::Place;
use crate::viewport::{DrawList, Hit, ViewEvent};

impl App {
    /// Takes a way to touch bodies, or puts it down again.
    pub(super) fn take_touch(&mut self, touch: Touch) {
        self.desk.touch = if self.desk.touch == touch && !self.desk.brush.on { Touch::Select } else { touch };
        self.desk.brush.on = false;
    }

    /// Pushes every free mass, and shows how.
    pub(super) fn nudge(&mut self, ctx: &egui::Context) {
        let push = self.desk.push;
        let Some(along) = Vec3::from(push.nudge_along).try_normalize(0.0) else { return };
        let velocity = push.nudge * along;
        self.each(|track| track.kick(velocity));
        self.flash(ctx, along, (push.nudge, "m/s"));
    }

    /// Lets a gust blow over the bodies, and shows where to.
    pub(super) fn gust(&mut self, ctx: &egui::Context) {
        let push = self.desk.push;
        let Some(along) = Vec3::from(push.gust_along).try_normalize(0.0) else { return };
        self.each(|track| track.blow(push.gust * along, push.gust_length));
        self.flash(ctx, along, (push.gust, "m/s"));
    }

    fn flash(&mut self, ctx: &egui::Context, along: Vec3, amount: (f64, &'static str)) {
        self.desk.push.flash = Some(Flash { along, amount, since: ctx.input(|input| input.time) });
        ctx.request_repaint();
    }

    /// What may change while a run goes on is changed for the steps to come.
    pub(super) fn follow(&mut self, scene: &Arc<Scene>, folder: &Path) {
        if self.main.last_frame() == 0 || self.main.activity.is_busy() {
            return;
        }
        let before = self.main.changes.len();
        self.each(|track| {
            track.follow(scene, folder);
        });
        if let Some((_, keys)) = self.main.changes.get(before) {
            let names: Vec<&str> = keys.iter().map(|key| key.rsplit('.').next().unwrap_or(key)).collect();
            let time = self.main.series.iter().last().map_or(0.0, |step| step.time);
            self.desk.note = Some(format!("From {time:.3} s on: {}", names.join(", ").replace('_', " ")));
        }
    }

    /// Tells the session which places are looked at.
    pub(super) fn observe(&mut self) {
        let Some(model) = self.main.model.clone().filter(|_| self.main.is_up_to_date()) else { return };
        let places = probe_places(&self.document.scene().probes, &model);
        let closely = match self.document.selection {
            Selection::Probe(probe) => places.get(probe).copied(),
            Selection::Place(body, at) => Some(Place { body, at }),
            _ => None,
        };
        self.main.look_at(closely);
        self.main.probe(places.clone());
        if let Some(twin) = &mut self.twin {
            twin.probe(places);
        }
    }

    /// The place under a click: with Ctrl the element, where there is one; of what was cut or moved apart the element that is seen.
    fn place_at(&self, hit: &Hit, list: &DrawList, element: bool) -> Option<(usize, ProbePlace)> {
        let model = self.main.model.as_ref().filter(|_| self.main.is_up_to_date())?;
        let (body, drawn) = (model.bodies.get(hit.body)?, list.bodies.get(hit.body)?);
        let tets = self.desk.shows_tets();
        let cell = match (&drawn.origins, hit.triangle) {
            (Some(origins), Some(triangle)) => origins.cells.get(triangle).copied().filter(|cell| *cell != NO_CELL),
            _ => None,
        };
        if let Some(cell) = cell {
            return Some((hit.body, ProbePlace::Element(cell)));
        }
        let node = match &drawn.origins {
            Some(origins) => origins.nodes.get(hit.vertex as usize).copied()?,
            None => body.node_of(hit.vertex, tets),
        };
        let counts_nodes = body.skin.is_none();
        if !element && (counts_nodes || (drawn.origins.is_none() && !tets)) {
            return Some((hit.body, ProbePlace::Vertex(if counts_nodes { node } else { hit.vertex })));
        }
        // The cell at the node whose middle is nearest to what was hit.
        let positions = &self.main.snapshot.as_ref()?.positions;
        let middle = |cell: &[u32]| {
            let at = |&node: &u32| positions.get(body.nodes.start + node as usize).copied().unwrap_or_default();
            cell.iter().map(at).sum::<Vec3>() / cell.len() as f64
        };
        let around = (0u32..).zip(body.mesh.cells.iter()).filter(|(_, cell)| cell.contains(&node));
        let nearest = around.map(|(index, cell)| (index, (middle(cell) - hit.point).norm())).min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map(|(index, _)| (hit.body, ProbePlace::Element(index)))
    }

    /// A click that asks about a place: with the probe tool it pins a probe, with Alt it shows the numbers. False for any other event.
    pub(super) fn take_place_click(&mut self, ui: &egui::Ui, event: &ViewEvent, list: &DrawList) -> bool {
        let ViewEvent::Click(Some(hit)) = event else { return false };
        let modifiers = ui.input(|input| input.modifiers);
        let pins = self.desk.touch == Touch::Probe && !self.desk.brush.on;
        if !pins && !modifiers.alt {
            return false;
        }
        let is_of_scene = Arc::ptr_eq(self.main.seen(self.document.scene(), self.document.folder()), self.document.scene());
        let Some((body, at)) = self.place_at(hit, list, modifiers.command).filter(|_| is_of_scene) else { return true };
        self.desk.side = RightTab::Object;
        if modifiers.alt {
            self.document.selection = Selection::Place(body, at);
            return true;
        }
        let mut scene = (**self.document.scene()).clone();
        let Some(probe) = new_probe(&scene, body, at) else { return true };
        scene.probes.push(probe);
        let selection = Selection::Probe(scene.probes.len() - 1);
        self.document.settle();
        self.document.edit("New probe", scene);
        self.document.settle();
        self.document.selection = selection;
        true
    }

    /// Takes in what the hand did in a view of `list`.
    pub(super) fn take_touch_event(&mut self, event: &ViewEvent, list: &DrawList) {
        match event {
            ViewEvent::Taken(hit) => {
                let Some(model) = self.main.model.clone().filter(|_| self.main.is_up_to_date()) else { return };
                let (Some(body), Some(drawn)) = (model.bodies.get(hit.body), list.bodies.get(hit.body)) else { return };
                let node = match &drawn.origins {
                    Some(origins) => origins.nodes.get(hit.vertex as usize).copied().unwrap_or(0),
                    None => body.node_of(hit.vertex, self.desk.shows_tets()),
                };
                let from = drawn.positions.get(hit.vertex as usize).map_or_else(Vec3::zeros, |at| hit.point - at);
                self.desk.push.held = Some(Held { body: hit.body, vertex: hit.vertex, from, taken: hit.point, way: Vec3::zeros() });
                let (node, strength) = (body.nodes.start + node as usize, self.desk.push.strength);
                self.each(|track| track.hold(node, strength));
            }
            ViewEvent::Pulled(way) => {
                if let Some(held) = self.desk.push.held.as_mut().filter(|held| held.way != *way) {
                    held.way = *way;
                    self.each(|track| track.pull(*way));
                }
            }
            ViewEvent::LetGo => {
                self.desk.push.held = None;
                self.each(|track| track.let_go());
            }
            _ => {}
        }
    }
}
