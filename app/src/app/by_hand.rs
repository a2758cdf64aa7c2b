//! What is selected, taken by its handles: what they are for, and what a drag makes of the scene.

use std::sync::Arc;

use aplomb_sim::bodies::select::region_vertices;
use aplomb_sim::math::{Mat3, Vec3, bounding_box};
use aplomb_sim::scene::{RegionRole, Scene};
use aplomb_sim::system::Motion;

use super::App;
use crate::document::place::{self, Mover, Target, axes_of, dropped, middle_of, motion_of, placed, pose_at};
use crate::document::{Selection, Tool};
use crate::drawing;
use crate::layout::Arrange;
use crate::panels::BottomTab;
use crate::panels::timeline::Row;
use crate::session::Model;
use crate::viewport::handles::{Change, Frame, HandleEvent, HandleTool, Handles};
use crate::viewport::{DrawList, ObstacleForm, Viewport};

/// What is being dragged, from how it was.
#[derive(Debug)]
pub(super) struct Grip {
    scene: Arc<Scene>,
    targets: Vec<Target>,
    /// What was made of the scene, if that was there already.
    model: Option<Arc<Model>>,
    label: &'static str,
}

impl App {
    /// The time that is looked at [s].
    pub(super) fn time_shown(&self) -> f64 {
        self.desk.playhead.unwrap_or_else(|| self.main.time())
    }

    /// The model of the scene at hand, or of one in which bodies only stood elsewhere.
    pub(super) fn model_at_hand(&self) -> Option<&Model> {
        let (scene, folder) = (self.document.scene(), self.document.folder());
        let is_at_hand = Arc::ptr_eq(self.main.seen(scene, folder), scene) || self.main.displaced(scene, folder).is_some();
        self.main.model.as_deref().filter(|_| is_at_hand)
    }

    /// What the tool in hand would change.
    fn in_hand(&self) -> Vec<Target> {
        let tool = self.desk.tool;
        let scene = self.document.scene();
        let late = self.time_shown() > 0.0 && tool != Tool::Scale;
        let key = |mover| motion_of(scene, mover).filter(|_| late).map(|_| Target::Key(mover, self.time_shown()));
        let selected = self.document.selected();
        match (tool, selected.as_slice()) {
            (Tool::Select, _) => Vec::new(),
            (Tool::Rotate, [Selection::Scene]) => scene.wind.map(|_| Target::Wind).into_iter().collect(),
            (tool, [Selection::Region(b, r)]) => {
                let role = scene.bodies.get(*b).and_then(|body| body.regions.get(*r)).map(|region| &region.role);
                let target = match role {
                    Some(RegionRole::Traction { .. }) if tool == Tool::Rotate => Some(Target::Force(*b, *r)),
                    Some(RegionRole::Dirichlet { slip: Some(_), motion: None, follows: None }) if tool == Tool::Rotate => {
                        Some(Target::Slide(*b, *r))
                    }
                    Some(RegionRole::Dirichlet { motion: Some(_), .. }) => key(Mover::Region(*b, *r)),
                    _ => None,
                };
                target.into_iter().collect()
            }
            (_, [Selection::Obstacle(o)]) if key(Mover::Obstacle(*o)).is_some() => key(Mover::Obstacle(*o)).into_iter().collect(),
            (tool, selected) => selected
                .iter()
                .filter_map(|one| match *one {
                    Selection::Body(b) => Some(Target::Body(b)),
                    Selection::Obstacle(o) if tool == Tool::Scale && axes_of(&scene.obstacles.get(o)?.shape).is_none() => None,
                    Selection::Obstacle(o) => Some(Target::Obstacle(o)),
                    Selection::Scene | Selection::Region(..) | Selection::Probe(_) | Selection::Place(..) => None,
                })
                .collect(),
        }
    }

    /// The handles of what is selected, in the picture `list`.
    pub(super) fn handles(&self, list: &DrawList) -> Option<Handles> {
        let tool = match self.desk.tool {
            Tool::Select => return None,
            Tool::Move => HandleTool::Move,
            Tool::Rotate => HandleTool::Rotate,
            Tool::Scale => HandleTool::Scale,
        };
        let targets = self.in_hand();
        let middles: Vec<Vec3> = targets.iter().filter_map(|target| self.middle_of_target(*target, list)).collect();
        if middles.is_empty() {
            return None;
        }
        let (low, high) = bounding_box(&middles);
        let scene = self.document.scene();
        let own = match targets.as_slice() {
            [Target::Obstacle(o)] => axes_of(&scene.obstacles.get(*o)?.shape),
            [Target::Body(b)] => Some((place::axes_of_body(scene, *b), true)),
            _ => None,
        };
        let lead = match targets.first() {
            Some(Target::Obstacle(o)) => axes_of(&scene.obstacles.get(*o)?.shape).map(|(axes, _)| axes),
            Some(Target::Body(b)) => Some(place::axes_of_body(scene, *b)),
            _ => None,
        };
        let (axes, uniform) = match (tool, own) {
            (HandleTool::Scale, own) => own.unwrap_or((Mat3::identity(), true)),
            _ if self.desk.local_axes => (lead.unwrap_or_else(Mat3::identity), true),
            _ => (Mat3::identity(), true),
        };
        Some(Handles { tool, frame: Frame { pivot: 0.5 * (low + high), axes }, uniform, step: list.spacing() })
    }

    /// The middle of what is to be changed, where it is seen [m].
    fn middle_of_target(&self, target: Target, list: &DrawList) -> Option<Vec3> {
        let scene = self.document.scene();
        let boxed = |points: &[Vec3]| {
            let (low, high) = bounding_box(points);
            (!points.is_empty()).then(|| 0.5 * (low + high))
        };
        match target {
            Target::Body(b) => boxed(&list.bodies.get(b)?.used().collect::<Vec<_>>()),
            Target::Obstacle(o) => middle_of(&scene.obstacles.get(o)?.shape).or_else(|| match &list.obstacles.get(o)?.form {
                ObstacleForm::Surface { positions, .. } => boxed(positions),
                ObstacleForm::Shape(_) => None,
            }),
            Target::Key(mover, time) => {
                let motion = motion_of(scene, mover)?;
                let points = match mover {
                    Mover::Obstacle(o) => drawing::points(scene, self.model_at_hand(), o),
                    Mover::Region(b, r) => self.places_of_region(b, r)?,
                };
                Some(Motion::new(motion, &points).pivot + Vec3::from(pose_at(motion, time).translate))
            }
            Target::Force(b, r) | Target::Slide(b, r) => boxed(&self.places_of_region(b, r)?),
            // In sight with the bodies, whichever way its arrows come from.
            Target::Wind => boxed(&list.bodies.iter().flat_map(|body| body.used()).collect::<Vec<_>>()),
        }
    }

    /// Where the vertices of a region are in the given shape [m].
    pub(super) fn places_of_region(&self, body: usize, region: usize) -> Option<Vec<Vec3>> {
        let of = self.model_at_hand()?.bodies.get(body)?;
        let region = self.document.scene().bodies.get(body)?.regions.get(region)?;
        Some(region_vertices(&of.mesh, region).iter().map(|&vertex| of.mesh.positions[vertex as usize]).collect())
    }

    /// Takes a tool; if it is in hand already, what is selected follows the mouse.
    pub(super) fn set_tool(&mut self, ctx: &egui::Context, tool: Tool) {
        let again = self.desk.tool == tool && tool != Tool::Select;
        self.desk.tool = tool;
        if tool != Tool::Select {
            self.desk.brush.on = false;
        }
        if again && let Some(at) = ctx.input(|input| input.pointer.hover_pos()) {
            self.views[1].begin_drag(at);
        }
    }

    /// The view that is in front: of a mesh that is looked at, or the one view, or B.
    pub(super) fn view_in_front(&mut self) -> &mut Viewport {
        if self.desk.preview.as_ref().is_some_and(|preview| preview.bounds().is_some()) {
            &mut self.preview_view
        } else {
            &mut self.views[1]
        }
    }

    pub(super) fn take_handle(&mut self, event: HandleEvent) {
        match event {
            HandleEvent::Began => {
                self.document.settle();
                let targets = self.in_hand();
                let label = label(self.desk.tool, &targets);
                let scene = Arc::clone(self.document.scene());
                let is_loaded = Arc::ptr_eq(self.main.seen(&scene, self.document.folder()), &scene) && self.main.is_up_to_date();
                let model = self.main.model.clone().filter(|_| is_loaded);
                self.grip = Some(Grip { scene, targets, model, label });
            }
            HandleEvent::Moved(change) => self.take_to(&change),
            HandleEvent::Ended => self.grip = None,
            HandleEvent::GivenUp => {
                if let Some(grip) = self.grip.take() {
                    self.document.edit(grip.label, (*grip.scene).clone());
                }
            }
        }
        self.desk.dragging = self.grip.is_some();
    }

    fn take_to(&mut self, change: &Change) {
        let Some(grip) = &self.grip else { return };
        let is_still = *change == Change::still(change.frame);
        let scene = if is_still { (*grip.scene).clone() } else { placed(&grip.scene, &grip.targets, change, grip.model.as_deref()) };
        self.document.edit(grip.label, scene);
    }

    /// Lets bodies and obstacles that are selected down, together.
    pub(super) fn drop_selected(&mut self) {
        let scene = Arc::clone(self.document.scene());
        let targets: Vec<Target> = self
            .document
            .selected()
            .into_iter()
            .filter_map(|one| match one {
                Selection::Body(b) | Selection::Region(b, _) => Some(Target::Body(b)),
                Selection::Obstacle(o) => Some(Target::Obstacle(o)),
                Selection::Scene | Selection::Probe(_) | Selection::Place(..) => None,
            })
            .collect();
        let model = self.model_at_hand();
        let points: Vec<Vec3> = targets
            .iter()
            .flat_map(|target| match *target {
                Target::Body(b) => {
                    model.and_then(|model| Some(model.positions[model.bodies.get(b)?.nodes.clone()].to_vec())).unwrap_or_default()
                }
                Target::Obstacle(o) => drawing::points(&scene, model, o),
                _ => Vec::new(),
            })
            .collect();
        let gap = 0.5 * scene.contact.barrier_distance * model.map_or(1.0, |model| model.diagonal);
        match dropped(&scene, &targets, &points, gap) {
            Some(dropped) => {
                self.document.settle();
                self.document.edit("Drop onto the ground", dropped);
                self.document.settle();
            }
            None => {
                self.desk.note = Some("nothing is let down: select a body or an obstacle with something below it, along gravity".to_owned())
            }
        }
    }

    /// Adds a keyframe of what is selected at the time that is looked at; of what does not move yet, the first one.
    pub(super) fn add_key(&mut self) {
        // Where its time is chosen, and where it is seen afterwards.
        self.arrange(Arrange::Front(BottomTab::Timeline));
        let time = self.time_shown();
        let scene = self.document.scene();
        let mover = match self.document.selection {
            Selection::Obstacle(o) => Some(Mover::Obstacle(o)),
            Selection::Region(b, r) => Some(Mover::Region(b, r)),
            Selection::Scene | Selection::Body(_) | Selection::Probe(_) | Selection::Place(..) => None,
        };
        let keyed = mover.filter(|_| time > 0.0).and_then(|mover| Some((mover, place::keyed(scene, mover, time)?)));
        let Some((mover, (scene, index))) = keyed else {
            self.desk.note = Some("select an obstacle or a held region, and a time after 0 s in the timeline".to_owned());
            return;
        };
        self.document.settle();
        self.document.edit("Add keyframe", scene);
        self.document.settle();
        self.desk.timeline.mark = Some((Row::Motion(mover), index));
    }

    /// Something else is selected.
    pub(super) fn selected_anew(&mut self) {
        self.desk.side = crate::panels::RightTab::Object;
        // A body as a whole has its stiffness to be painted.
        self.desk.brush.on &= match self.document.selection {
            Selection::Region(..) => true,
            Selection::Body(_) => self.desk.brush.field,
            Selection::Scene | Selection::Obstacle(_) | Selection::Probe(_) | Selection::Place(..) => false,
        };
    }
}

/// Name of the undo step.
fn label(tool: Tool, targets: &[Target]) -> &'static str {
    match (tool, targets) {
        (_, [Target::Key(..)]) => "Move keyframe",
        (_, [Target::Wind]) => "Turn wind",
        (_, [Target::Force(..)]) => "Turn traction",
        (_, [Target::Slide(..)]) => "Turn plane",
        (Tool::Rotate, [Target::Body(_)]) => "Rotate body",
        (Tool::Rotate, [Target::Obstacle(_)]) => "Rotate obstacle",
        (Tool::Rotate, _) => "Rotate",
        (Tool::Scale, [Target::Body(_)]) => "Scale body",
        (Tool::Scale, [Target::Obstacle(_)]) => "Scale obstacle",
        (Tool::Scale, _) => "Scale",
        (_, [Target::Body(_)]) => "Move body",
        (_, [Target::Obstacle(_)]) => "Move obstacle",
        _ => "Move",
    }
}
